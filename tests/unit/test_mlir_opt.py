"""Real `mlir-opt` reads the generic form and gives the same program back."""

import os
import re
import shutil
import subprocess
from io import StringIO
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.printer import Printer

from spatial_dialect.universe import ALL_DIALECTS

DIALECTS = Path(__file__).resolve().parents[1] / "filecheck" / "dialects"
FILES = sorted(DIALECTS.glob("*/ops.mlir"))
MLIR_OPT = os.environ.get("XDSL_MLIR_OPT") or shutil.which("mlir-opt-22")


def parse(text: str) -> ModuleOp:
    context = Context()
    for name, factory in {**get_all_dialects(), **ALL_DIALECTS}.items():
        context.register_dialect(name, factory)
    return Parser(context, text).parse_module()


@pytest.mark.skipif(MLIR_OPT is None, reason="mlir-opt is not installed here")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_mlir_opt_gives_the_program_back(file: Path):
    for chunk in re.split(r"^// -----\n", file.read_text(), flags=re.M):
        ours = parse(chunk)
        ours.verify()
        text = StringIO()
        Printer(text, print_generic_format=True).print_op(ours)
        result = subprocess.run(
            [str(MLIR_OPT), "--allow-unregistered-dialect", "--mlir-print-op-generic"],
            input=text.getvalue(),
            capture_output=True,
            text=True,
        )
        assert result.returncode == 0, result.stderr
        theirs = parse(result.stdout)
        theirs.verify()
        assert ours.is_structurally_equivalent(theirs)
