"""`spatial-run` on functions: arguments, launches, results, checks, and what is wrong with them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from spatial_dialect.tools.spatial_run import main

PROGRAM = """
spatial.program @double(%X : memref<64x32xf32>, %Y : memref<64x32xf32>)
    target #spatial.target<"wormhole"> grid [2, 1] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  spatial.load %X[y, 0] into %x on move 0
  spatial.map (%x) into %y {
  ^bb0(%value : f32):
    %twice = arith.addf %value, %value : f32
    spatial.yield %twice : f32
  }
  spatial.store %y into %Y[y, 0] on move 1
}
"""

# The second launch works on the transposed halves of the first, which the host makes.
FUNCTION = (
    PROGRAM
    + """
func.func @main(%x : tensor<32x64xf32>, %n : index) -> (tensor<64x32xf32>, tensor<2xf32>) {
  %empty = tensor.empty() : tensor<64x32xf32>
  %flat = tensor.collapse_shape %x [[0, 1]] : tensor<32x64xf32> into tensor<2048xf32>
  %tall = tensor.expand_shape %flat [[0, 1]] output_shape [64, 32]
      : tensor<2048xf32> into tensor<64x32xf32>
  %once = spatial.launch @double(%tall, %empty)
      : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  %less = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%once : tensor<64x32xf32>) outs(%empty : tensor<64x32xf32>) {
    ^bb0(%a : f32, %b : f32):
      %row = linalg.index 0 : index
      %whole = arith.index_cast %row : index to i32
      %number = arith.sitofp %whole : i32 to f32
      %c = arith.subf %a, %number : f32
      linalg.yield %c : f32
  } -> tensor<64x32xf32>
  %twice = spatial.launch @double(%less, %empty)
      : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  %zero = arith.constant 0 : index
  %first = tensor.extract %twice[%n, %zero] : tensor<64x32xf32>
  %pair = tensor.from_elements %first, %first : tensor<2xf32>
  func.return %twice, %pair : tensor<64x32xf32>, tensor<2xf32>
}
"""
)


def expected(x: np.ndarray) -> np.ndarray:
    return (x.reshape(64, 32) * 2 - np.arange(64, dtype=np.float32)[:, None]) * 2


@pytest.fixture(name="file")
def _file(tmp_path: Path) -> Path:
    path = tmp_path / "main.mlir"
    path.write_text(FUNCTION)
    return path


def test_launches_run_in_order_with_the_host_between(file: Path, tmp_path: Path):
    x = np.random.default_rng(0).standard_normal((32, 64), np.float32)
    np.save(tmp_path / "x.npy", x)
    out, pair = tmp_path / "out.npy", tmp_path / "pair.npy"
    arguments = [f"--arg=x={tmp_path / 'x.npy'}", "--arg=n=5"]
    results = [f"--out=result0={out}", f"--out=result1={pair}"]
    assert main([str(file), *arguments, *results, "--check", "--quiet"]) == 0
    np.testing.assert_allclose(np.load(out), expected(x), rtol=1e-6)
    np.testing.assert_allclose(np.load(pair), [expected(x)[5, 0]] * 2, rtol=1e-6)


def test_json_tells_programs_and_results(file: Path, capsys: pytest.CaptureFixture[str]):
    assert main([str(file), "--arg=n=0", "--arg=x=ones", "--check", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["function"] == "main"
    assert report["programs"] == ["double", "double"]
    assert report["check"] == {"passed": True}
    assert set(report["results"]) == {"result0", "result1"}


def test_a_memref_is_written_in_place(tmp_path: Path):
    path = tmp_path / "in_place.mlir"
    path.write_text(
        PROGRAM
        + """
func.func @main(%x : memref<64x32xf32>, %y : memref<64x32xf32>) {
  spatial.launch @double(%x, %y) : (memref<64x32xf32>, memref<64x32xf32>) -> ()
  func.return
}
"""
    )
    out = tmp_path / "y.npy"
    assert main([str(path), "--arg=x=ones", f"--out=y={out}", "--quiet"]) == 0
    np.testing.assert_array_equal(np.load(out), np.full((64, 32), 2, np.float32))


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--arg=n=0", "--arg=z=ones"], 2, "@main has no argument 'z': its arguments are x, n"),
        ([], 2, "argument 'n' is missing: it is a number, --arg n=N"),
        (["--arg=n=0", "--arg=x=many"], 2, "argument 'x': 'many' is neither a .npy file nor"),
        (["--arg=n=0", "--out=y=y.npy"], 2, "@main has no result 'y' to write"),
        (["--arg=n=0", "--program=other"], 2, "has no program @other"),
        (["--arg=n=99"], 1, "@main: "),
    ],
)
def test_wrong_arguments(
    file: Path,
    arguments: list[str],
    code: int,
    message: str,
    capsys: pytest.CaptureFixture[str],
):
    assert main([str(file), *arguments]) == code
    error = capsys.readouterr().err
    assert message in error
    assert "Traceback" not in error


def test_a_wrong_program_fails_the_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    right, wrong = tmp_path / "right.mlir", tmp_path / "wrong.mlir"
    right.write_text(FUNCTION)
    wrong.write_text(FUNCTION.replace("arith.addf %value, %value", "arith.mulf %value, %value"))
    arguments = ["--arg=n=1", "--check", f"--reference={right}"]
    assert main([str(right), *arguments]) == 0
    assert main([str(wrong), *arguments]) == 1
    assert "check failed" in capsys.readouterr().out


def test_an_operation_that_the_host_does_not_know(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "unknown.mlir"
    path.write_text(
        "func.func @main(%x : tensor<4xf32>) -> tensor<8xf32> {\n"
        "  %y = tensor.concat dim(0) %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>\n"
        "  func.return %y : tensor<8xf32>\n}\n"
    )
    assert main([str(path)]) == 1
    assert "'tensor.concat' op is not known on the host" in capsys.readouterr().err


def test_programs_that_are_not_sized_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "unsized.mlir"
    path.write_text(FUNCTION.replace(" depth 2", ""))
    assert main([str(path), "--arg=n=0"]) == 1
    assert "run size-buffers first" in capsys.readouterr().err
