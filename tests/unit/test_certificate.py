"""Certificates: what is written, when, and what `spatial-check` says of them."""

from __future__ import annotations

import ast
import copy
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from spatial_dialect.dialects import choreo
from spatial_dialect.dialects.spatial import ProgramOp
from spatial_dialect.machine import certificate as certificates
from spatial_dialect.machine.proof import prove
from spatial_dialect.passes.synthesize_handshakes import SynthesizeHandshakesPass
from spatial_dialect.tools import spatial_check, spatial_opt
from spatial_dialect.tools.check_code import Refused
from spatial_dialect.universe import ALL_DIALECTS

ROOT = Path(__file__).resolve().parents[2]
# Those of JAX are tensor code.
EXAMPLES = sorted((ROOT / "examples").glob("[!j]*.mlir"))
CHECKER = sorted((ROOT / "tools").glob("check_*.py"))
PASSES = ("--synthesize-handshakes", "--verify-choreography")


def context() -> Context:
    result = Context()
    for name, dialect in (get_all_dialects() | ALL_DIALECTS).items():
        result.register_dialect(name, dialect)
    return result


def parsed(text: str) -> ModuleOp:
    return Parser(context(), text).parse_module()


def example(name: str) -> ModuleOp:
    module = parsed((ROOT / "examples" / f"{name}.mlir").read_text())
    SynthesizeHandshakesPass().apply(context(), module)
    return module


def programs_of(module: ModuleOp) -> list[ProgramOp]:
    return [op for op in module.body.block.ops if isinstance(op, ProgramOp)]


def program_of(module: ModuleOp) -> ProgramOp:
    (program,) = programs_of(module)
    return program


def certified(program: ProgramOp) -> dict[str, Any]:
    found = json.loads(certificates.certificate([(program, prove(program))]))
    return found["programs"][0]


def refusal(program: ProgramOp, found: dict[str, Any]) -> str | None:
    try:
        spatial_check.check_program(program, found)
    except Refused as error:
        return f"{', '.join(error.where)}: {error}"
    return None


################################################################################
# Certificates that hold                                                       #
################################################################################


@dataclass
class Files:
    """A certificate and its programs, in files."""

    certificate: Path
    program: Path

    def check(self) -> int:
        return spatial_check.main([str(self.certificate), str(self.program)])


def written(folder: Path, source: Path) -> Files:
    files = Files(folder / "cert.json", folder / "prog.mlir")
    made = [str(source), "-o", str(files.program)]
    assert spatial_opt.main([*PASSES, f"--certificate={files.certificate}", *made]) == 0
    return files


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_examples(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    files = written(tmp_path, path)
    capsys.readouterr()
    assert files.check() == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = out.splitlines()
    names = [op.sym_name.data for op in programs_of(parsed(files.program.read_text()))]
    assert [line.split(": ")[1] for line in lines] == [f"@{name}" for name in names]
    assert all(": certificate holds (" in line for line in lines)
    assert files.certificate.stat().st_size < 10_000


################################################################################
# Certificates that were tampered with                                         #
################################################################################

Change = Callable[[dict[str, Any]], None]


def first_run(found: dict[str, Any]) -> dict[str, Any]:
    return found["components"][0]["runs"][0]


def shuffled(found: dict[str, Any]) -> None:
    first_run(found)["order"].reverse()


def skip_too_large(found: dict[str, Any]) -> None:
    first_run(found)["skips"][0][2] += 1


def skip_moved(found: dict[str, Any]) -> None:
    first_run(found)["skips"][0][0] += 1


def skip_left_out(found: dict[str, Any]) -> None:
    first_run(found)["skips"] = []


def event_dropped(found: dict[str, Any]) -> None:
    first_run(found)["order"][-1][1] -= 1


def event_added(found: dict[str, Any]) -> None:
    first_run(found)["order"][-1][1] += 1


def order_cut(found: dict[str, Any]) -> None:
    run = first_run(found)
    run["order"], run["skips"] = run["order"][:3], []


def other_engine(found: dict[str, Any]) -> None:
    first_run(found)["order"][0][0] = 1000


def runs_missing(found: dict[str, Any]) -> None:
    found["components"][0]["runs"] = []


def component_missing(found: dict[str, Any]) -> None:
    found["components"] = []


def other_cells(found: dict[str, Any]) -> None:
    found["components"][0]["cells"][0][0] += 1


def start_elsewhere(found: dict[str, Any]) -> None:
    first_run(found)["start"]["semaphores"] = [[0, 0, 1]]


def run_twice(found: dict[str, Any]) -> None:
    found["components"][0]["runs"] *= 2


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (shuffled, "blocked|order"),
        (skip_too_large, "skip"),
        (skip_moved, "states"),
        (skip_left_out, "deadlock|blocked"),
        (event_dropped, "deadlock"),
        (event_added, "order"),
        (order_cut, "deadlock"),
        (other_engine, "order"),
        (runs_missing, "start"),
        (component_missing, "components"),
        (other_cells, "components"),
        (start_elsewhere, "blocked|start"),
        (run_twice, "trips"),
    ],
)
def test_tampered(change: Change, rule: str):
    program = program_of(example("matmul_bias_gelu"))
    found = certified(program)
    assert refusal(program, found) is None
    change(found)
    reason = refusal(program, found)
    assert reason is not None
    assert any(f"{each}: " in reason for each in rule.split("|")), reason


def trips_cut(found: dict[str, Any]) -> None:
    del found["components"][0]["runs"][-1]


def trip_missing(found: dict[str, Any]) -> None:
    del found["components"][0]["runs"][1]


def trip_renamed(found: dict[str, Any]) -> None:
    found["components"][0]["runs"][-1]["trips"][0] += 1


def modulus_changed(found: dict[str, Any]) -> None:
    found["components"][0]["moduli"]["0"] += 1


def no_pumps(found: dict[str, Any]) -> None:
    for run in found["components"][0]["runs"]:
        run["pumps"] = []


def pump_elsewhere(found: dict[str, Any]) -> None:
    found["components"][0]["runs"][-1]["pumps"][0][0] -= 1


def pump_as_skip(found: dict[str, Any]) -> None:
    run = found["components"][0]["runs"][-1]
    run["skips"] = [[*pump, 1] for pump in run["pumps"]]


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (trips_cut, "trips"),
        (trip_missing, "trips"),
        (trip_renamed, "deadlock|blocked"),
        (modulus_changed, "trips"),
        (no_pumps, "trips"),
        (pump_elsewhere, "states"),
        (pump_as_skip, "skip"),
    ],
)
@pytest.mark.parametrize("name", ["matmul_runtime_depth_hopper", "attention_runtime_length"])
def test_tampered_trips(name: str, change: Change, rule: str):
    program = program_of(example(name))
    found = certified(program)
    assert refusal(program, found) is None
    change(found)
    reason = refusal(program, found)
    assert reason is not None
    assert any(f"{each}: " in reason for each in rule.split("|")), reason


def test_no_single_number_can_be_changed_so_that_an_end_is_missed():
    """Whatever number is changed: it is refused, or the changed certificate is as good."""
    program = program_of(example("matmul_row"))
    found = certified(program)
    run = first_run(found)
    accepted = 0
    for place in range(len(run["order"])):
        for more in (-1, 1):
            changed = copy.deepcopy(found)
            first_run(changed)["order"][place][1] += more
            accepted += refusal(program, changed) is None
    assert accepted == 0


################################################################################
# Programs that were changed                                                   #
################################################################################


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("matmul_row", choreo.ReadBarrierOp),
        ("matmul_row", choreo.WriteBarrierOp),
        ("matmul_row", choreo.SemWaitOp),
        ("matmul_row", choreo.SemSetOp),
        ("matmul_row", choreo.SemIncOp),
        ("matmul_row", choreo.McastSetValidOp),
        ("matmul_row", choreo.WaitOp),
        ("matmul_row", choreo.PopOp),
        ("matmul_row", choreo.PushOp),
        ("matmul_row", choreo.ReserveOp),
    ],
)
def test_a_program_without_one_of_its_ops(name: str, kind: type[choreo.ChoreoOp]):
    module = example(name)
    found = certified(program_of(module))
    count = sum(isinstance(op, kind) for op in module.walk())
    assert count
    for number in range(count):
        mutant = module.clone()
        op = [each for each in mutant.walk() if isinstance(each, kind)][number]
        op.detach()
        op.erase()
        assert refusal(program_of(mutant), found) is not None, number


def test_another_program():
    assert refusal(program_of(example("matmul_row")), certified(program_of(example("attention"))))


################################################################################
# The checker is independent                                                   #
################################################################################


@pytest.mark.parametrize(
    "path", [ROOT / "tools" / "spatial_check.py", *CHECKER], ids=lambda path: path.name
)
def test_the_checker_shares_nothing_with_the_prover(path: Path):
    names = ("dialects", "ir", "targets")
    helpers = ("check_code", "check_grid", "check_rules", "debug", "reading", "report")
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("spatial_dialect"):
            _, part, *rest = [*(node.module or "").split("."), ""]
            assert part in names or (part == "tools" and rest[0] in helpers), node.module
    assert len(path.read_text().splitlines()) < 500


################################################################################
# The tool                                                                     #
################################################################################


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Files:
    monkeypatch.chdir(tmp_path)
    made = written(tmp_path, ROOT / "examples" / "matmul_row.mlir")
    return Files(made.certificate.relative_to(tmp_path), made.program.relative_to(tmp_path))


def edit(files: Files, change: Change) -> None:
    found = json.loads(files.certificate.read_text())
    change(found)
    files.certificate.write_text(json.dumps(found))


def damage(*path: str | int, value: Any = None) -> Change:
    """Replaces a part of a certificate, or leaves it out."""

    def change(found: Any) -> None:
        *outer, last = path
        for step in outer:
            found = found[step]
        if value is None:
            del found[last]
        else:
            found[last] = value

    return change


RUN = ("programs", 0, "components", 0, "runs", 0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (damage("format"), "the certificate has no 'format'"),
        (damage("format", value="other"), "its format is 'other', not 'spatial-certificate'"),
        (damage("version", value=2), "its version is 2, not 1"),
        (damage("version", value="1"), "the certificate.version is no count"),
        (damage("version", value=True), "the certificate.version is no count"),
        (damage("programs"), "the certificate has no 'programs'"),
        (damage("programs", value={}), "the certificate.programs is no list"),
        (damage("programs", value=[]), "@matmul: there is nothing about it"),
        (damage("programs", 0, "program", value="@x"), "'prog.mlir' has no program @x"),
        (damage("programs", 0, "components"), "the certificate.programs[0] has no 'components'"),
        (damage(*RUN, "order"), "the certificate.programs[0].components[0].runs[0] has no 'order'"),
        (
            damage(*RUN, "order", 2, value=[1]),
            "the certificate.programs[0].components[0].runs[0].order[2] has not 2 parts",
        ),
        (
            damage(*RUN, "order", 2, value=[1, -1]),
            "the certificate.programs[0].components[0].runs[0].order[2][1] is no count",
        ),
        (
            damage(*RUN, "trips", value=[4]),
            "@matmul: component 0, run 0: trips: not one of each",
        ),
        (
            damage(*RUN, "start", "positions", value=[[99, 0, 1]]),
            "@matmul: component 0, run 0: start: cell 99 has no number 0",
        ),
        (
            damage(*RUN, "skips", value=[[5, 4, 1]]),
            "@matmul: component 0, run 0: intervals: [5, 4] is none",
        ),
    ],
)
def test_messages(files: Files, change: Change, message: str, capsys: pytest.CaptureFixture[str]):
    edit(files, change)
    capsys.readouterr()
    assert files.check() == 1
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"cert.json: error: {message}\n")


def test_a_refusal_names_the_place(files: Files, capsys: pytest.CaptureFixture[str]):
    text = files.program.read_text()
    files.program.write_text(text.replace("      choreo.read_barrier\n", "", 1))
    capsys.readouterr()
    assert files.check() == 1
    err = capsys.readouterr().err
    assert err.startswith("cert.json: error: @matmul: component 0, run 0, event ")
    assert ": prog.mlir:" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("text", ["", "{", "[1, 2", "\x00", "nul", "[" * 100_000, '"\ud800"'])
def test_what_is_no_json(files: Files, text: str, capsys: pytest.CaptureFixture[str]):
    files.certificate.write_bytes(text.encode("utf-8", "surrogatepass"))
    capsys.readouterr()
    assert files.check() == 1
    err = capsys.readouterr().err
    assert err.startswith("cert.json: error: this is no JSON: ")
    assert err.count("\n") == 1


def test_unreadable_files(files: Files, capsys: pytest.CaptureFixture[str]):
    capsys.readouterr()
    assert spatial_check.main(["none.json", "prog.mlir"]) == 1
    assert spatial_check.main(["cert.json", "none.mlir"]) == 1
    assert spatial_check.main([".", "prog.mlir"]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "none.json: error: cannot read the certificate: No such file or directory",
        "none.mlir:1:1: error: cannot read the input: No such file or directory",
        ".: error: cannot read the certificate: Is a directory",
    ]


def test_wrong_usage(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as error:
        spatial_check.main(["cert.json"])
    assert error.value.code == 2


def test_dataflow_is_not_scheduled(files: Files, capsys: pytest.CaptureFixture[str]):
    files.program.write_text((ROOT / "examples" / "matmul_row.mlir").read_text())
    capsys.readouterr()
    assert files.check() == 1
    assert "'spatial.program': it has no engines" in capsys.readouterr().err


################################################################################
# When a certificate is written                                                #
################################################################################


def optimised(*args: str | Path) -> int:
    return spatial_opt.main([*map(str, args), "-o", "out.mlir"])


def test_only_if_all_programs_are_proved(files: Files, capsys: pytest.CaptureFixture[str]):
    text = files.program.read_text()
    wrong = text.replace("eq 3", "eq 4").replace("@matmul", "@wrong")
    Path("both.mlir").write_text(text + wrong)
    verify = "--verify-choreography"
    assert optimised(verify, "--certificate=new.json", "both.mlir") == 1
    assert not Path("new.json").exists()
    capsys.readouterr()
    keep = "--verify-choreography=keep-going=true"
    assert optimised(keep, "--certificate=new.json", "both.mlir") == 0
    assert not Path("new.json").exists()
    assert "is not proved, so no certificate is written to 'new.json'" in capsys.readouterr().err
    Path("both.mlir").write_text(text + text.replace("@matmul", "@right"))
    assert optimised(verify, "--certificate=new.json", "both.mlir") == 0
    programs = json.loads(Path("new.json").read_text())["programs"]
    assert [each["program"] for each in programs] == ["@matmul", "@right"]
    assert spatial_check.main(["new.json", "out.mlir"]) == 0


def test_as_an_option_of_the_pass(files: Files):
    option = '--verify-choreography=certificate="sub/new.json"'
    assert optimised(option, files.program) == 2
    Path("sub").mkdir()
    assert optimised(option, files.program) == 0
    assert Path("sub/new.json").read_text() == files.certificate.read_text()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--cse", "--certificate=c.json"], "--certificate is for --verify-choreography"),
        (
            ["--verify-choreography", "--certificate=c.json", "--split-input-file"],
            "a certificate is about one input, which is not split",
        ),
        (
            ["--verify-choreography=full-grid=true", "--certificate=c.json"],
            "--certificate: a certificate is about the reduced grid",
        ),
        (
            ["--verify-choreography", "--certificate=no/c.json"],
            "cannot write 'no/c.json': No such file or directory",
        ),
        (["--verify-choreography", "--certificate=."], "cannot write '.': Is a directory"),
    ],
)
def test_usage_of_the_flag(
    files: Files, args: list[str], message: str, capsys: pytest.CaptureFixture[str]
):
    capsys.readouterr()
    assert optimised(*args, files.program) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith(f"spatial-opt: error: {message}")
    assert not Path("c.json").exists()


def test_nothing_is_left_after_an_interruption(files: Files, monkeypatch: pytest.MonkeyPatch):
    def interrupted(verdicts: object) -> str:
        raise KeyboardInterrupt

    before = sorted(Path().iterdir()), files.certificate.read_text()
    monkeypatch.setattr(certificates, "certificate", interrupted)
    with pytest.raises(KeyboardInterrupt):
        spatial_opt.main(["--verify-choreography", "--certificate=cert.json", str(files.program)])
    assert (sorted(Path().iterdir()), files.certificate.read_text()) == before


def test_a_module_in_generic_form(files: Files):
    assert spatial_opt.main(["--print-op-generic", str(files.program), "-o", "generic.mlir"]) == 0
    assert spatial_check.main([str(files.certificate), "generic.mlir"]) == 0


def test_only_proved_programs_have_certificates(files: Files):
    program = program_of(parsed(files.program.read_text().replace("eq 3", "eq 4")))
    with pytest.raises(ValueError, match="@matmul is refuted"):
        certificates.certificate([(program, prove(program))])
