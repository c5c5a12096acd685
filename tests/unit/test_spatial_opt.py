import io
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i32
from xdsl.dialects.test import TestOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException, VerifyException

from spatial_dialect import universe
from spatial_dialect.ir.diagnostics import Findings
from spatial_dialect.tools.dominance import check_dominance
from spatial_dialect.tools.pass_flags import fold_pass_flags
from spatial_dialect.tools.spatial_opt import main

OP = '"test.op"() : () -> ()\n'
PRINTED = 'builtin.module {\n  "test.op"() : () -> ()\n}\n\n'


@dataclass
class Result:
    code: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run the tool in an empty folder, on a file `in.mlir` with the given text."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SPATIAL_DEBUG", raising=False)

    def run(text: str | bytes | None, *args: str) -> Result:
        if text is not None:
            data = text.encode() if isinstance(text, str) else text
            Path("in.mlir").write_bytes(data)
            args = ("in.mlir", *args)
        try:
            code = main(args)
        except SystemExit as exit:  # argparse's way of ending
            code = cast(int, exit.code)
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return Result(code, out, err)

    return run


# The command line


@pytest.mark.parametrize(
    ("args", "folded"),
    [
        (["in.mlir"], ["in.mlir"]),
        (["--cse", "in.mlir"], ["-p", "cse", "in.mlir"]),
        (["in.mlir", "--dce", "--cse"], ["-p", "dce,cse", "in.mlir"]),
        (["--dce", "-p", "cse,dce", "--cse"], ["-p", "dce,cse,dce,cse"]),
        (["-pcse", "-p=dce", "--passes=cse", "--passes", "dce"], ["-p", "cse,dce,cse,dce"]),
        (["--cse=a=b c=d"], ["-p", "cse{a=b c=d}"]),
        (["--cse={a=b}"], ["-p", "cse{a=b}"]),
        (["--cse{a=b}"], ["-p", "cse{a=b}"]),
        (["--cse= "], ["-p", "cse{}"]),
        (["--dce[cse]", "--dce=[cse]"], ["-p", "dce[cse],dce[cse]"]),
        (["--other", "-o", "out", "--cse"], ["-p", "cse", "--other", "-o", "out"]),
        (["--", "--cse"], ["--", "--cse"]),
        (["--cse", "-p"], ["-p", "cse", "-p"]),
        (["-p", ""], []),
    ],
)
def test_fold_pass_flags(args: list[str], folded: list[str]):
    assert fold_pass_flags(args, {"cse", "dce"}) == folded


def test_help_lists_the_passes(run: Run):
    result = run(None, "--help")
    assert result.code == 0
    lines = [line.strip() for line in result.out.splitlines()]
    for name in ("cse", "synthesize-handshakes", "expand-sites"):
        assert f"--{name}" in lines


def test_help_imports_no_pass():
    code = (
        "import sys\n"
        "from spatial_dialect.tools.spatial_opt import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = [m for m in sys.modules if m.split('.')[0] in ('numpy', 'ml_dtypes', 'rich')"
        " or m.startswith(('spatial_dialect.passes.', 'spatial_dialect.dialects.',"
        " 'spatial_dialect.targets', 'spatial_dialect.analysis.'))]\n"
        "sys.exit(str(heavy) if heavy else 0)\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


def test_passes_run_in_the_order_of_the_command_line(run: Run):
    result = run(OP, "--print-between-passes", "--dce", "-p", "cse,canonicalize", "--dce")
    order = [line for line in result.out.splitlines() if line.startswith("IR after")]
    assert order == ["IR after dce:", "IR after cse:", "IR after canonicalize:"]
    assert result.code == 0


def test_a_string_that_does_not_end(run: Run):
    result = run('"test.op"() {a = "' + "a" * 200 + "\n} : () -> ()\n")
    assert result.code == 1
    assert result.err.startswith("in.mlir:1:18: error: End of file reached before closing string")


def test_several_input_files_are_programs_of_their_own(run: Run):
    Path("second.mlir").write_text(OP)
    one = run(OP)
    both = run(OP, "second.mlir")
    assert (both.code, both.out) == (0, f"{one.out}// -----\n{one.out}")
    missing = run(OP, "missing.mlir", "second.mlir", "-o", "out.mlir")
    assert missing.code == 1
    assert (
        missing.err == "missing.mlir:1:1: error: cannot read the input: No such file or directory\n"
    )
    assert not Path("out.mlir").exists()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--no-such-pass"], "unrecognized arguments: --no-such-pass"),
        (["-p", "cse,canonicalise"], "unknown pass 'canonicalise'; did you mean 'canonicalize'?"),
        (["--cse=depth=4"], "pass 'cse': Provided arguments [\"depth\"] not found"),
        (["-p", "cse{"], "Expected argument name here"),
        (["-p"], "argument -p/--passes: expected one argument"),
        (["-t", "nonsense"], "argument -t/--target: invalid choice: 'nonsense'"),
        (["-t", "mlir{depth=4}"], "target 'mlir': Provided arguments [\"depth\"] not found"),
        (["-t", "mlir{"], "Expected argument name here"),
        (["-f", "nonsense"], "argument -f/--frontend: invalid choice: 'nonsense'"),
        (["-f", "mlir{depth=4}"], "frontend 'mlir': Provided arguments [\"depth\"] not found"),
        (["second.foo"], "unknown file extension of 'second.foo'"),
        (["--split-input"], "unrecognized arguments: --split-input"),
        (["-o", "no/such/folder"], "cannot write 'no/such/folder': No such file or directory"),
        (["-o", "."], "cannot write '.': Is a directory"),
        (["-o", "/dev/full"], "cannot write '/dev/full': No space left on device"),
    ],
)
def test_wrong_usage(run: Run, args: list[str], message: str):
    result = run(OP, *args)
    assert (result.code, result.out) == (2, "")
    assert f"spatial-opt: error: {message}" in result.err or (
        result.err.startswith("spatial-opt: error: ") and message in result.err
    )


# The input


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "1:1: error: expected an operation, but the input is empty\n"),
        (
            "// nothing",
            "1:11: error: expected an operation, but the input is empty\n"
            "  // nothing\n"
            "            ^\n",
        ),
        (b"\n \xff", "2:2: error: this is not UTF-8 text: byte 0xff (invalid start byte)\n"),
        (
            b"\x7fELF\x02\x01\x01\x00",
            "1:1: error: Unexpected character: \x7f\n  ?ELF????\n  ^\n",
        ),
        (
            OP + '  "no.such"() : () -> ()',
            "2:3: error: Operation no.such is not registered\n"
            '    "no.such"() : () -> ()\n'
            "    ^^^^^^^^^\n",
        ),
        (
            "\tfoo.bar",
            "1:2: error: Operation foo.bar is not registered\n  \tfoo.bar\n  \t^^^^^^^\n",
        ),
        (
            '"test.op"(%a, %b, %a) : (i32, i32, i32) -> ()',
            "1:11: error: %a is used but not defined\n"
            '  "test.op"(%a, %b, %a) : (i32, i32, i32) -> ()\n'
            "            ^^\n"
            "in.mlir:1:15: error: %b is used but not defined\n"
            '  "test.op"(%a, %b, %a) : (i32, i32, i32) -> ()\n'
            "                ^^\n",
        ),
    ],
)
def test_bad_input(run: Run, text: str | bytes, error: str):
    result = run(text)
    assert (result.code, result.out) == (1, "")
    assert result.err == f"in.mlir:{error}"


def test_attribute_errors_are_located(run: Run):
    result = run(
        '"test.op"() : () -> i32\n"test.op"() {\n  a = array<i32: 99999999999>} : () -> ()\n'
    )
    assert result.code == 1
    assert result.err.startswith("in.mlir:3:18: error: Integer value 99999999999 is out of range")
    result = run('"test.op"() : () -> (i32, !smt.bv<0>)\n')
    assert result.code == 1
    assert result.err.startswith("in.mlir:1:27: error: ")


def test_deep_nesting(run: Run):
    for text in (
        '"test.op"() ({' * 3000 + "}) : () -> ()" * 3000,
        '"test.op"() {a = ' + "[" * 3000,
    ):
        result = run(text)
        assert result.code == 1
        assert "error: the program is nested too deeply\n" in result.err
        assert max(map(len, result.err.splitlines())) < 200


def test_missing_input(run: Run):
    result = run(None, "missing.mlir")
    assert result.code == 1
    assert result.err == (
        "missing.mlir:1:1: error: cannot read the input: No such file or directory\n"
    )
    result = run(None, ".")
    assert result.code == 1
    assert result.err == ".:1:1: error: cannot read the input: Is a directory\n"


def test_file_extensions(run: Run):
    for name in ("file.txt", "file"):
        Path(name).write_text(OP)
    assert run(None, "file").out == PRINTED
    assert run(None, "file.txt", "-f", "mlir").out == PRINTED
    result = run(None, "file.txt")
    assert result.code == 2
    assert "unknown file extension of 'file.txt'" in result.err


@pytest.mark.parametrize("args", [[], ["-"]])
def test_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch, args: list[str]):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(OP.encode())))
    assert run(None, *args) == Result(0, PRINTED, "")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"nonsense")))
    assert run(None, *args).err.startswith("stdin:1:1: error: ")


# Locations


def test_locations_are_kept_but_not_printed(run: Run):
    text = OP + '"test.op"() : () -> () loc("other":7:8)\n%a = "test.op"() : () -> i32\n'
    assert "loc(" not in run(text).out
    out = run(text, "--print-debuginfo").out
    assert 'loc("in.mlir":1:1)' in out
    assert 'loc("other":7:8)' in out
    assert 'loc("in.mlir":3:6)' in out


# Passes that fail


def pass_that(action: Callable[[ModuleOp], object]) -> type[ModulePass]:
    """A pass `test-pass` that does this."""

    @dataclass(frozen=True)
    class TestPass(ModulePass):
        name = "test-pass"

        def apply(self, ctx: Context, op: ModuleOp) -> None:
            action(op)

    return TestPass


def first(module: ModuleOp) -> Operation:
    op = module.body.block.first_op
    assert op is not None
    return op


def emit_error(module: ModuleOp) -> None:
    message = "does not please"
    first(module).emit_error(message, PassFailedException(message))


def find_errors(module: ModuleOp) -> None:
    findings = Findings()
    for op in module.ops:
        findings.warning(op, "is doubtful")
        findings.error(op, "is wrong", hint="put it right")
    findings.raise_pass()


def fail_without_operation(module: ModuleOp) -> None:
    raise PassFailedException("nothing to do")


def trip(module: ModuleOp) -> None:
    raise KeyError("missing")


def not_implemented(module: ModuleOp) -> None:
    raise NotImplementedError("one day")


def bare_assertion(module: ModuleOp) -> None:
    assert module is None


def make_bad_attribute(module: ModuleOp) -> None:
    IntegerAttr(1 << 40, i32)


def recurse(module: ModuleOp) -> None:
    recurse(module)


def make_bad_operation(module: ModuleOp) -> None:
    class BadOp(TestOp):
        def verify_(self) -> None:
            raise VerifyException("'test.op' op cannot be")

    module.body.block.insert_op_after(BadOp(), first(module))


def break_dominance(module: ModuleOp) -> None:
    value = TestOp(result_types=[i32])
    module.body.block.insert_op_after(TestOp(operands=value.results), first(module))
    module.body.block.add_op(value)


NOTE = "  note: SPATIAL_DEBUG=1 shows the Python traceback\n"


@pytest.mark.parametrize(
    ("action", "error"),
    [
        (emit_error, "2:3: error: 'test.op' op does not please\n"),
        (
            find_errors,
            "2:3: warning: 'test.op' op is doubtful\n"
            "in.mlir:2:3: error: 'test.op' op is wrong\n  hint: put it right\n",
        ),
        (fail_without_operation, "1:1: error: pass 'test-pass' failed: nothing to do\n"),
        (trip, f"1:1: error: pass 'test-pass' failed: KeyError: 'missing'\n{NOTE}"),
        (not_implemented, f"1:1: error: pass 'test-pass' failed: one day\n{NOTE}"),
        (
            recurse,
            f"1:1: error: pass 'test-pass' failed: the program is nested too deeply\n{NOTE}",
        ),
        (
            make_bad_operation,
            "2:3: error: 'test.op' op cannot be\n  note: found after pass 'test-pass'\n",
        ),
        (
            break_dominance,
            "2:3: error: 'test.op' op operand #0 (result #0 of the 3rd 'test.op' op) is used"
            " before it is defined\n"
            "  hint: move the definition in front of its first use\n"
            "  note: found after pass 'test-pass'\n",
        ),
    ],
)
def test_failing_pass(
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    action: Callable[[ModuleOp], object],
    error: str,
):
    monkeypatch.setitem(universe.ALL_PASSES, "test-pass", lambda: pass_that(action))
    result = run("\n  " + OP, "--test-pass")
    assert (result.code, result.out) == (1, "")
    assert result.err == f"in.mlir:{error}"


@pytest.mark.parametrize("action", [bare_assertion, make_bad_attribute])
def test_failing_pass_with_xdsl_message(
    run: Run, monkeypatch: pytest.MonkeyPatch, action: Callable[[ModuleOp], object]
):
    monkeypatch.setitem(universe.ALL_PASSES, "test-pass", lambda: pass_that(action))
    result = run("\n  " + OP, "--test-pass")
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("in.mlir:1:1: error: pass 'test-pass' failed: ")


def test_failing_pass_is_named_in_a_pipeline(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(universe.ALL_PASSES, "test-pass", lambda: pass_that(emit_error))
    result = run(OP, "--cse", "--test-pass")
    assert result.err == (
        "in.mlir:1:1: error: 'test.op' op does not please\n  note: in pass 'test-pass'\n"
    )


def test_debugging_shows_tracebacks(monkeypatch: pytest.MonkeyPatch, run: Run):
    monkeypatch.setitem(universe.ALL_PASSES, "test-pass", lambda: pass_that(trip))
    monkeypatch.setenv("SPATIAL_DEBUG", "1")
    Path("in.mlir").write_text(OP)
    with pytest.raises(KeyError):
        main(["in.mlir", "--test-pass"])


def test_verify_diagnostics(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(universe.ALL_PASSES, "test-pass", lambda: pass_that(emit_error))
    error = "in.mlir:1:1: error: 'test.op' op does not please\n"
    assert run(OP, "--test-pass", "--verify-diagnostics") == Result(0, error, "")
    assert run(OP, "--verify-diagnostics") == Result(0, PRINTED, "")
    assert run("foo.bar", "--verify-diagnostics").code == 1
    result = run("foo.bar", "--parsing-diagnostics")
    assert result.code == 0
    assert result.out.startswith("in.mlir:1:1: error: Operation foo.bar is not registered\n")


# Dominance


def test_disable_verify_disables_the_dominance_check():
    # In a process of its own, because xDSL switches attribute checks off for good.
    text = '"test.op"(%a) : (i32) -> ()\n%a = "test.op"() : () -> i32\n'
    command = [sys.executable, "-m", "spatial_dialect.tools.spatial_opt"]
    for options, code in (([], 1), (["--disable-verify"], 0)):
        result = subprocess.run(command + options, input=text, capture_output=True, text=True)
        assert result.returncode == code


def test_dominance_is_checked_in_a_chain_of_blocks(run: Run):
    count = 3000
    blocks = "\n".join(f"  cf.br ^b{i}\n^b{i}:" for i in range(count))
    text = f'func.func @f() {{\n%a = "test.op"() : () -> i32\n{blocks}\n' + (
        '"test.op"(%a, %b) : (i32, i32) -> ()\n%b = "test.op"() : () -> i32\nfunc.return\n}'
    )
    result = run(text)
    line = 2 + 2 * count + 1
    assert result.err.splitlines()[0] == (
        f"in.mlir:{line}:1: error: 'test.op' op operand #1 (%b) is used before it is defined"
    )
    assert result.err.count("error") == 1


def test_values_from_outside_are_no_part_of_the_program():
    outside = TestOp(result_types=[i32])
    module = ModuleOp([TestOp(operands=outside.results)])
    (finding,) = check_dominance(module)
    assert finding.message == (
        "operand #0 (result #0 of 'test.op' op) is not defined in the program"
    )


# Files with several programs, and the output


def test_split_input_goes_on_after_errors(run: Run):
    text = f"{OP}// -----\nfoo.bar\n// -----\n{OP}// -----\n\n  foo.baz\n"
    result = run(text, "--split-input-file")
    assert result.code == 1
    assert result.out == f"{PRINTED}// -----\n// -----\n{PRINTED}// -----\n"
    errors = [line for line in result.err.splitlines() if "error" in line]
    assert errors == [
        "in.mlir:3:1: error: Operation foo.bar is not registered",
        "in.mlir:8:3: error: Operation foo.baz is not registered",
    ]


def test_output_file(run: Run):
    assert run(OP, "-o", "out.mlir") == Result(0, "", "")
    assert Path("out.mlir").read_text() == PRINTED
    assert sorted(os.listdir()) == ["in.mlir", "out.mlir"]
    umask = os.umask(0)
    os.umask(umask)
    assert Path("out.mlir").stat().st_mode & 0o777 == 0o666 & ~umask


def test_output_file_keeps_its_mode_and_links(run: Run):
    Path("real.mlir").touch()
    Path("real.mlir").chmod(0o604)
    Path("out.mlir").symlink_to("real.mlir")
    assert run(OP, "-o", "out.mlir").code == 0
    assert Path("out.mlir").is_symlink()
    assert Path("real.mlir").read_text() == PRINTED
    assert Path("real.mlir").stat().st_mode & 0o777 == 0o604


def test_output_may_replace_the_input(run: Run):
    assert run(OP, "-o", "in.mlir").code == 0
    assert Path("in.mlir").read_text() == PRINTED


@pytest.mark.parametrize("text", ["foo.bar", f"{OP}// -----\nfoo.bar", f"foo.bar// -----\n{OP}"])
def test_nothing_is_written_after_an_error(run: Run, text: str):
    assert run(text, "-o", "out.mlir", "--split-input-file").code == 1
    assert os.listdir() == ["in.mlir"]
    Path("out.mlir").write_text("old")
    assert run(text, "-o", "out.mlir", "--split-input-file").code == 1
    assert Path("out.mlir").read_text() == "old"
    assert sorted(os.listdir()) == ["in.mlir", "out.mlir"]


@pytest.mark.parametrize("output", ["-", "/dev/stdout"])
def test_output_to_what_is_no_file(output: str):
    command = [sys.executable, "-m", "spatial_dialect.tools.spatial_opt", "-o", output]
    result = subprocess.run(command, input=OP, capture_output=True, text=True)
    assert (result.returncode, result.stdout, result.stderr) == (0, PRINTED, "")


def test_the_reader_may_leave_early(tmp_path: Path):
    text = OP * 3000
    command = [sys.executable, "-m", "spatial_dialect.tools.spatial_opt"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(text)
        process.stdin.close()
        assert process.stderr.read() == ""
    assert process.returncode == 0


def test_standard_output_may_be_full():
    command = [sys.executable, "-m", "spatial_dialect.tools.spatial_opt"]
    with open("/dev/full", "w") as full:
        result = subprocess.run(command, input=OP, stdout=full, stderr=subprocess.PIPE, text=True)
    assert result.returncode == 2
    assert result.stderr.startswith("spatial-opt: error: cannot write the standard output")
    assert "Traceback" not in result.stderr
