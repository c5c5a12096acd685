"""The tool `spatial-run`: tensors in and out, checks, messages and exit codes."""

import io
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

from spatial_dialect.tools import spatial_run
from spatial_dialect.tools.run_tensors import compared
from spatial_dialect.tools.spatial_run import main

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"


def copy_program(type: str = "f32", memory: str = "memref", name: str = "copy") -> str:
    listed = type.removeprefix("!spatial.")
    return f"""
    spatial.program @{name}(%X : {memory}<16x32x{type}>, %Y : {memory}<16x32x{type}>)
        target #spatial.target<"reference" {{tile = [16, 16], element_types = ["{listed}"]}}>
        grid [1, 2] loops [k = 1] {{
      %x = spatial.buffer depth 2 : !spatial.buffer<1x1x{type}>
      spatial.load %X[0, x] into %x on move 0
      spatial.store %x into %Y[0, x] on move 1
    }}"""


def engines(times: int = 1) -> str:
    return f"""
    spatial.program @copy(%X : memref<16x32xf32>, %Y : memref<16x32xf32>)
        target #spatial.target<"reference" {{tile = [16, 16]}}> grid [1, 2] loops [k = 1]
        requires [fifo] {{
      %x = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
      choreo.engine @both on move 0 {{
      ^bb0(%y : index, %z : index):
        affine.for %k = 0 to {times} {{
          choreo.reserve %x
          choreo.read_tiles %X[%y, %z] into %x
          choreo.read_barrier
          choreo.push %x
          choreo.wait %x
          choreo.write_tiles %x into %Y[%y, %z]
          choreo.write_barrier
          choreo.pop %x
        }}
      }}
    }}"""


@dataclass
class Result:
    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        return json.loads(self.out)


Run = Callable[..., Result]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run the tool in an empty folder, on a file `in.mlir` with the given text."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SPATIAL_DEBUG", raising=False)

    def run(text: str | Path, *args: str) -> Result:
        if isinstance(text, str):
            Path("in.mlir").write_text(text)
            text = Path("in.mlir")
        try:
            code = main([str(text), *args])
        except SystemExit as exit:  # argparse's way of ending
            code = cast(int, exit.code)
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return Result(code, out, err)

    return run


def numbers(dtype: Any = np.float32) -> NDArray[Any]:
    return np.random.default_rng(3).normal(size=(16, 32)).astype(np.float32).astype(dtype)


################################################################################
# Tensors                                                                      #
################################################################################


@pytest.mark.parametrize(
    ("type", "dtype"),
    [
        ("f32", np.float32),
        ("f16", np.float16),
        ("bf16", ml_dtypes.bfloat16),
        ("f8E5M2", ml_dtypes.float8_e5m2),
        ("i8", np.int8),
        ("i32", np.int32),
    ],
)
def test_files_in_and_out(run: Run, type: str, dtype: Any):
    given = numbers(dtype)
    np.save("x.npy", given)
    result = run(copy_program(type), "--arg", "X=x.npy", "--out", "Y=y.npy", "--check")
    assert result.code == 0, result.err
    assert result.out.endswith("Y: no error\ncheck passed\n")
    # numpy writes what it does not know as plain bytes.
    assert np.load("y.npy").tobytes() == given.tobytes()
    assert np.load("y.npy").view(dtype).dtype == given.dtype


def test_a_tensor_may_be_in_the_order_of_fortran(run: Run):
    np.save("x.npy", np.asfortranarray(numbers()))
    assert run(copy_program(), "--arg", "X=x.npy", "--out", "Y=y.npy").code == 0
    np.testing.assert_array_equal(np.load("y.npy"), numbers())


@pytest.mark.parametrize("source", [np.float32, np.float64, np.int64])
def test_other_types_are_converted_if_one_says_so(run: Run, source: Any):
    given = numbers().astype(source)
    np.save("x.npy", given)
    result = run(copy_program("bf16"), "--arg", "X=x.npy")
    assert result.code == 1
    assert result.err == (
        "spatial-run: error: argument 'X' is 16x32xbf16, elements of bfloat16, but 'x.npy' has "
        f"16x32x{given.dtype}; 'x.npy:convert' converts it\n"
    )
    result = run(copy_program("bf16"), "--arg", "X=x.npy:convert", "--out", "Y=y.npy:convert")
    assert result.code == 0
    found = np.load("y.npy")
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, given.astype(ml_dtypes.bfloat16).astype(np.float32))


def test_floats_never_become_integers(run: Run):
    np.save("x.npy", numbers())
    result = run(copy_program("i32"), "--arg", "X=x.npy:convert")
    assert result.code == 1
    assert "the float32 of 'x.npy' cannot be converted to that" in result.err
    assert "convert" not in run(copy_program("i32"), "--arg", "X=x.npy").err


def test_block_floats_are_rounded_as_they_are_read(run: Run):
    np.save("x.npy", numbers())
    program = copy_program("!spatial.bfp8", "tensor")
    assert run(program, "--arg", "X=x.npy", "--out", "Y=y.npy", "--check").code == 0
    found = np.load("y.npy")
    assert not np.array_equal(found, numbers())
    np.testing.assert_allclose(found, numbers(), atol=0.05)


def test_files_that_do_not_fit(run: Run):
    np.save("x.npy", np.zeros((32, 16), np.float32))
    result = run(copy_program(), "--arg", "X=x.npy")
    assert (result.code, result.out) == (1, "")
    assert result.err == (
        "spatial-run: error: argument 'X' is 16x32xf32, but 'x.npy' has 32x16xfloat32\n"
    )


def test_files_that_are_no_arrays(run: Run):
    Path("text.npy").write_text("1 2 3\n")
    Path("empty.npy").write_bytes(b"")
    with open("archive.npy", "wb") as file:
        np.savez(file, x=np.zeros(3))
    np.save("objects.npy", np.array([{}], dtype=object), allow_pickle=True)
    Path("cut.npy").write_bytes(Path("objects.npy").read_bytes()[:20])
    whole = io.BytesIO()
    np.save(whole, numbers())
    Path("short.npy").write_bytes(whole.getvalue()[:-8])
    for name in ("text", "empty", "archive", "objects", "cut", "short", "missing"):
        result = run(copy_program(), "--arg", f"X={name}.npy")
        assert (result.code, result.out) == (1, ""), name
        assert result.err.startswith("spatial-run: error: argument 'X': "), result.err
        assert result.err.count("\n") == 1, result.err


@pytest.mark.parametrize("type", ["f32", "bf16", "i8", "ui8", "i1", "i4", "f4E2M1FN", "f8E8M0FNU"])
@pytest.mark.parametrize("filler", ["random", "zeros", "ones", "arange"])
def test_fillers(run: Run, type: str, filler: str):
    result = run(copy_program(type), "--arg", f"X={filler}", "--check", "--out", "Y=y.npy:convert")
    assert result.code == 0, result.err
    found = np.load("y.npy")
    if filler in ("zeros", "ones") and type != "f8E8M0FNU":  # which has no zero
        assert (found == (filler == "ones")).all()


def test_random_tensors_depend_on_the_seed(run: Run):
    tensors: list[bytes] = []
    for seed in ("1", "1", "2"):
        run(copy_program(), "--seed", seed, "--out", "X=x.npy")
        tensors.append(Path("x.npy").read_bytes())
    assert tensors[0] == tensors[1] != tensors[2]


@pytest.mark.parametrize("name", ["embedding_gather", "attention_runtime_length"])
def test_random_indices_and_trips_are_inside(run: Run, name: str):
    for source in ("random", "arange"):
        tensor = "Tokens" if name.startswith("embedding") else "Blocks"
        result = run(EXAMPLES / f"{name}.mlir", "--arg", f"{tensor}={source}", "--check")
        assert result.code == 0, result.err


def test_output_files_are_all_there_or_none(run: Run):
    Path("y.npy").write_text("old")
    result = run(copy_program(), "--out", "Y=y.npy", "--out", "X=nowhere/x.npy")
    assert result.code == 2
    assert (
        result.err
        == "spatial-run: error: cannot write 'nowhere/x.npy': No such file or directory\n"
    )
    assert Path("y.npy").read_text() == "old"
    assert sorted(path.name for path in Path().iterdir()) == ["in.mlir", "y.npy"]


def test_an_interrupt_leaves_no_file(run: Run, monkeypatch: pytest.MonkeyPatch):
    def save(file: Any, array: NDArray[Any], **_: object) -> None:
        file.write(array.tobytes()[:10])
        raise KeyboardInterrupt

    monkeypatch.setattr(np, "save", save)
    result = run(copy_program(), "--out", "Y=y.npy")
    assert (result.code, result.err) == (130, "spatial-run: error: interrupted\n")
    assert [path.name for path in Path().iterdir()] == ["in.mlir"]


def test_an_interrupt_from_outside(tmp_path: Path):
    (tmp_path / "in.mlir").write_text(engines(times=10**12))
    command = [sys.executable, "-m", "spatial_dialect.tools.spatial_run", "in.mlir"]
    process = subprocess.Popen(
        [*command, "--out", "Y=y.npy"], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    )
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, "spatial-run: error: interrupted\n")
    assert [path.name for path in tmp_path.iterdir()] == ["in.mlir"]


################################################################################
# Checks                                                                       #
################################################################################


def test_a_check_that_fails_writes_the_tensors_still(run: Run):
    wrong = copy_program().replace("[0, x] on", "[0, 1 - x] on")
    Path("wrong.mlir").write_text(wrong)
    from spatial_dialect.tools.spatial_opt import main as spatial_opt

    Path("meant.mlir").write_text(copy_program())
    spatial_opt(["--synthesize-handshakes", "wrong.mlir", "-o", "engines.mlir"])
    result = run(
        Path("engines.mlir"), "--check", "--reference", "meant.mlir", "--out", "Y=y.npy", "--json"
    )
    assert result.code == 1
    assert result.json["check"]["passed"] is False
    (tensor,) = result.json["check"]["tensors"].values()
    assert tensor["largest_relative_error"] > 1
    assert len(tensor["at"]) == 2
    assert Path("y.npy").exists()
    arguments = result.json["arguments"]
    assert arguments["Y"]["file"] == "y.npy"
    tolerant = run(
        Path("engines.mlir"), "--check", "--reference", "meant.mlir", "--tolerance", "100"
    )
    assert tolerant.code == 0
    assert "within 100, at" in tolerant.out


def test_partial_sums_have_a_wider_tolerance(run: Run):
    result = run(EXAMPLES / "matmul_2d_multicast.mlir", "--check", "--json")
    (tensor,) = result.json["check"]["tensors"].values()
    assert 0 < tensor["largest_relative_error"] < tensor["tolerance"] == 4 * 2**-7 * 2


def test_what_a_reference_is_for(run: Run):
    Path("other.mlir").write_text(copy_program("bf16"))
    for args, code, message in (
        (["--check"], 2, "@copy is scheduled already: --check needs its dataflow, --reference"),
        (["--reference", "other.mlir"], 2, "--reference is for --check"),
        (["--check", "--reference", "in.mlir"], 2, "'in.mlir' is no dataflow"),
        (["--check", "--reference", "other.mlir"], 1, "takes other arguments: X, Y"),
    ):
        result = run(engines(), *args)
        assert (result.code, message in result.err) == (code, True), result.err
    result = run(copy_program(), "--check", "--reference", "other.mlir")
    assert (result.code, "for a program that is scheduled already" in result.err) == (2, True)


def test_differences():
    expected = np.array([1, -2, np.nan, np.inf, 0, 10], np.float32)
    assert compared(expected.copy(), expected, 0).passes
    for place, value in ((0, np.nan), (2, 1), (3, -np.inf), (3, 5), (4, np.inf)):
        found = expected.copy()
        found[place] = value
        difference = compared(found, expected, 1e9)
        assert difference.relative_at == (place,)
        assert difference.relative == np.inf
    found = expected.copy()
    found[4] = 0.5
    # Small numbers are measured by a typical one.
    assert compared(found, expected, 0).relative == pytest.approx(0.5 / np.sqrt(105 / 4))
    assert compared(np.zeros((0, 3)), np.zeros((0, 3)), 0).passes
    integers = np.array([1, 2], np.int32)
    assert not compared(integers + np.array([0, 1], np.int32), integers, 0).passes


################################################################################
# The command line                                                             #
################################################################################


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--arg", "X"], "--arg takes NAME=VALUE, not 'X'"),
        (["--arg", "=X"], "--arg takes NAME=VALUE, not '=X'"),
        (["--out", "Y="], "--out takes NAME=VALUE, not 'Y='"),
        (["--arg", "X=ones", "--arg", "X=zeros"], "--arg X=... is given twice"),
        (["--arg", "%X=one"], "argument 'X': 'one' is neither a .npy file nor one of"),
        (["--seed", "-1"], "--seed is -1, but seeds count from 0"),
        (["--seed", "x"], "invalid int value: 'x'"),
        (["--tolerance", "nan"], "a number from 0, not 'nan'"),
        (["--tolerance", "few"], "a number from 0, not 'few'"),
        (["--schedule", "random:"], ""),
        (["--program", "other"], "'in.mlir' has no program @other: it has @copy"),
        (["--quick"], "unrecognized arguments: --quick"),
    ],
)
def test_wrong_usage(run: Run, args: list[str], message: str):
    result = run(copy_program(), *args)
    assert result.code == 2
    assert result.out == ""
    assert message in result.err


def test_a_module_of_several_programs(run: Run):
    text = copy_program() + copy_program(name="again")
    result = run(text)
    assert result.code == 2
    assert "has the programs @copy, @again: choose one by --program NAME" in result.err
    for name in ("again", "@again"):
        assert run(text, "--program", name).out.startswith("@again on 1x2 sites")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "in.mlir:1:1: error: expected an operation, but the input is empty"),
        ("builtin.module {}", "spatial-run: error: 'in.mlir' has no program"),
        ("spatial.program @x", "in.mlir:1:19: error: "),
        (
            copy_program().replace("%X[0, x]", "%X[x, 0]"),
            "in.mlir:6:7: error: 'spatial.load' op reads outside %X",
        ),
        (copy_program().replace(" depth 2", ""), "error: 'spatial.buffer' op has no depth"),
    ],
)
def test_wrong_programs(run: Run, text: str, message: str):
    for args in ([], ["--json"]):
        result = run(text, *args)
        assert result.code == 1
        assert message in result.err
        if args:
            assert set(result.json) == {"error"}


def test_files_that_cannot_be_read(run: Run):
    result = run(Path("nowhere.mlir"))
    assert result.code == 1
    assert result.err == (
        "nowhere.mlir:1:1: error: cannot read the input: No such file or directory\n"
    )
    Path("bytes.mlir").write_bytes(b"\xff\xfe")
    assert "this is not UTF-8 text" in run(Path("bytes.mlir")).err


def test_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch):
    class Input:
        buffer = io.BytesIO(copy_program().encode())

    monkeypatch.setattr(sys, "stdin", Input())
    assert run(Path("-")).out.startswith("@copy on 1x2 sites, schedule round-robin\nY: 16x32xf32, ")


def test_quiet_and_json(run: Run):
    assert run(copy_program(), "--quiet", "--check").out == ""
    result = run(copy_program(), "--json", "--arg", "X=arange")
    assert result.out.count("\n") == 1
    found = result.json
    assert found.pop("seconds") > 0
    assert found.pop("events") > 0
    tensor = "memref<16x32xf32>"
    assert found == {
        "program": "copy",
        "schedule": "round-robin",
        "seed": 0,
        "sites": 2,
        "items": 1,
        "arguments": {
            "X": {"type": tensor, "given": "arange"},
            "Y": {"type": tensor, "given": "zeros", "least": 0.0, "largest": 511.0, "nan": 0},
        },
    }


def test_what_json_cannot_hold_is_text(run: Run):
    given = numbers()
    given[0, :3] = np.nan, np.inf, -np.inf
    np.save("x.npy", given)
    entry = run(copy_program(), "--arg", "X=x.npy", "--json").json["arguments"]["Y"]
    assert (entry["least"], entry["largest"], entry["nan"]) == ("-inf", "inf", 1)


def test_an_unexpected_error_has_no_traceback(run: Run, monkeypatch: pytest.MonkeyPatch):
    def fail(*_: object) -> None:
        raise RuntimeError("this cannot be")

    monkeypatch.setattr("spatial_dialect.machine.reference.run", fail)
    result = run(copy_program(), "--check")
    assert result.code == 1
    assert result.err == "spatial-run: error: RuntimeError: this cannot be\n"


def test_a_long_run_shows_on_a_terminal_that_it_is_alive(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(spatial_run, "PATIENCE", 0.0)
    shown = run(copy_program())
    assert shown.err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert run(copy_program()).code == 0
    assert run(copy_program(), "--quiet").err == ""


def test_start_is_quick():
    code = (
        "import sys\n"
        "import spatial_dialect.tools.spatial_run\n"
        "print([m for m in ('numpy', 'rich', 'xdsl', 'ml_dtypes') if m in sys.modules])\n"
    )
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT)
    assert result.stdout == "[]\n"
