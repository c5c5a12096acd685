"""The real mlir-opt accepts the generic form of our programs, and gives back equal ones."""

import io
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.universe import Universe

from spatial_dialect.universe import ALL_DIALECTS, ALL_PASSES

ROOT = Path(__file__).resolve().parents[2]
MLIR_OPT = os.environ.get("XDSL_MLIR_OPT") or shutil.which("mlir-opt-22")
SOURCES = [
    *sorted((ROOT / "examples").glob("*.mlir")),
    *sorted((ROOT / "tests" / "filecheck" / "dialects").glob("*/ops.mlir")),
    ROOT / "tests" / "filecheck" / "dialects" / "choreo" / "engines.mlir",
]


def parse(text: str) -> ModuleOp:
    context = Context()
    for name, factory in {**Universe.get_multiverse().all_dialects, **ALL_DIALECTS}.items():
        context.register_dialect(name, factory)
    return Parser(context, text).parse_module()


@pytest.mark.skipif(MLIR_OPT is None, reason="mlir-opt is not installed here")
@pytest.mark.parametrize("passes", [(), ("synthesize-handshakes",)], ids=["as is", "scheduled"])
@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_mlir_opt_returns_an_equal_program(path: Path, passes: tuple[str, ...]):
    if passes and path.parent.name != "examples":
        pytest.skip("not meant to be scheduled")
    for text in path.read_text().split("// -----"):
        module = parse(text)
        for name in passes:
            ALL_PASSES[name]()().apply(Context(), module)
        stream = io.StringIO()
        Printer(stream, print_generic_format=True).print_op(module)
        assert MLIR_OPT is not None
        command = (MLIR_OPT, "--allow-unregistered-dialect", "--mlir-print-op-generic")
        result = subprocess.run(
            [*command, "--mlir-print-local-scope"],
            input=stream.getvalue(),
            capture_output=True,
            text=True,
        )
        assert result.returncode == 0, result.stderr
        returned = parse(result.stdout)
        returned.verify()
        assert returned.is_structurally_equivalent(module)
