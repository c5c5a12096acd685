"""Functions on the host: every operation against numpy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from spatial_testing.linalg_text import Function
from xdsl.context import Context
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser
from xdsl.universe import Universe

from spatial_dialect.dialects.spatial import ProgramOp
from spatial_dialect.machine.host import run_function
from spatial_dialect.universe import ALL_DIALECTS


def function_of(text: str) -> FuncOp:
    context = Context()
    for name, factory in {**Universe.get_multiverse().all_dialects, **ALL_DIALECTS}.items():
        context.register_dialect(name, factory)
    module = Parser(context, text).parse_module()
    module.verify()
    return next(op for op in module.body.block.ops if isinstance(op, FuncOp))


def no_launch(program: ProgramOp, arguments: Sequence[Any]) -> Sequence[Any]:
    raise AssertionError(f"nothing launches @{program.sym_name.data}")


def ran(text: str, *arguments: Any, exact: bool = False) -> list[Any]:
    return run_function(function_of(text), arguments, launch=no_launch, exact=exact)


def check(f: Function, result: Any, tolerance: float = 1e-6) -> None:
    """A function gives what numpy has computed along with its text."""
    text = f.text(result)
    (found,) = ran(text, *f.arrays)
    np.testing.assert_allclose(found.astype(np.float64), result.value, tolerance, tolerance)
    (exact,) = ran(text, *f.arrays, exact=True)
    np.testing.assert_allclose(exact, result.value, 1e-12, 1e-12)


def test_elementwise_with_broadcasts_and_transposes():
    f = Function()
    x, row, column = f.argument(5, 7), f.argument(7), f.argument(5, 1)
    y = f.apply("add", x, row, spec="ij,j->ij")
    y = f.apply("mul", y, column, spec="ij,i0->ij")
    check(f, f.moved("ij->ji", f.apply("tanh", y)))


@pytest.mark.parametrize("spec", ["ik,kj->ij", "ki,jk->ij", "bik,bkj->bij", "ik,kj->ji"])
def test_products(spec: str):
    f = Function()
    sizes = {"b": 3, "i": 5, "j": 4, "k": 6}
    left, right = spec.partition("->")[0].split(",")
    a = f.argument(*(sizes[letter] for letter in left))
    b = f.argument(*(sizes[letter] for letter in right))
    check(f, f.product(spec, a, b), 1e-5)


@pytest.mark.parametrize("kind", ["add", "max", "min"])
@pytest.mark.parametrize("spec", ["ijk->ik", "ijk->", "ijk->ki"])
def test_reductions(kind: str, spec: str):
    f = Function()
    check(f, f.reduced(kind, spec, f.argument(3, 4, 5)), 1e-5)


def test_a_reduction_in_another_way_goes_step_by_step():
    f = Function()
    x = f.argument(3, 4)
    start = f.filled("1.0", (3,))
    code = "%d = arith.subf %out, %a : f32\n%r = arith.mulf %d, %d : f32"
    value = np.ones(3)
    for column in x.value.T:
        value = (value - column) ** 2
    check(f, f.generic("ij->i", [x], code, value, "f32", start=start), 1e-5)


def test_reshapes_and_slices():
    f = Function()
    x = f.argument(6, 8)
    check(f, f.part(f.reshaped(x, 4, 3, 4), (1, 0, 1), (2, 3, 2), (2, 1, 2)))


def test_narrow_floats_are_rounded_after_every_operation():
    text = """
func.func @main(%x : tensor<64xbf16>) -> tensor<64xbf16> {
  %empty = tensor.empty() : tensor<64xbf16>
  %y = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%x : tensor<64xbf16>) outs(%empty : tensor<64xbf16>) {
    ^bb0(%a : bf16, %b : bf16):
      %c = arith.mulf %a, %a : bf16
      %d = arith.addf %c, %a : bf16
      linalg.yield %d : bf16
  } -> tensor<64xbf16>
  func.return %y : tensor<64xbf16>
}
"""
    x: Any = np.random.default_rng(0).standard_normal(64).astype(ml_dtypes.bfloat16)
    (found,) = ran(text, x)
    assert found.dtype == ml_dtypes.bfloat16
    np.testing.assert_array_equal(found, (x * x).astype(ml_dtypes.bfloat16) + x)
    (exact,) = ran(text, x, exact=True)
    wide = x.astype(np.float64)
    np.testing.assert_array_equal(exact, wide * wide + wide)


def test_scalars_and_single_elements():
    text = """
func.func @main(%n : index, %x : tensor<4xi32>) -> (tensor<3xi32>, tensor<2x2xi32>, index) {
  %three = arith.constant 3 : index
  %blocks = arith.ceildivui %n, %three : index
  %e = tensor.extract %x[%blocks] : tensor<4xi32>
  %t = tensor.from_elements %e, %e, %e : tensor<3xi32>
  %s = tensor.splat %e : tensor<2x2xi32>
  func.return %t, %s, %blocks : tensor<3xi32>, tensor<2x2xi32>, index
}
"""
    t, s, blocks = ran(text, 5, np.array([4, 5, 6, 7], np.int32))
    np.testing.assert_array_equal(t, [6, 6, 6])
    np.testing.assert_array_equal(s, [[6, 6], [6, 6]])
    assert blocks == 2


def test_memrefs_are_written_in_place():
    text = """
func.func @main(%x : memref<4xf32>, %y : memref<4xf32>) {
  %t = memref.alloc() : memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%t : memref<4xf32>)
  linalg.add ins(%t, %x : memref<4xf32>, memref<4xf32>) outs(%y : memref<4xf32>)
  "memref.copy"(%t, %x) : (memref<4xf32>, memref<4xf32>) -> ()
  memref.dealloc %t : memref<4xf32>
  func.return
}
"""
    x, y = np.arange(4, dtype=np.float32), np.zeros(4, np.float32)
    before = x.copy()
    assert ran(text, x, y) == []
    np.testing.assert_allclose(y, np.exp(before) + before, rtol=1e-6)
    np.testing.assert_allclose(x, np.exp(before), rtol=1e-6)


def test_calls():
    text = """
func.func @main(%x : tensor<4xf32>) -> tensor<4xf32> {
  %y = func.call @twice(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %z = func.call @twice(%y) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %z : tensor<4xf32>
}
func.func private @twice(%x : tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>)
      -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
"""
    (found,) = ran(text, np.arange(4, dtype=np.float32))
    np.testing.assert_array_equal(found, [0, 4, 8, 12])


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "%e = tensor.extract %x[%n] : tensor<4xf32>\n"
            "%t = tensor.from_elements %e : tensor<1xf32>",
            "'tensor.extract' op is for element 9 of a dimension of 4",
        ),
        (
            "%e = tensor.concat dim(0) %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>",
            "'tensor.concat' op is not known on the host",
        ),
    ],
)
def test_what_cannot_be_run(body: str, message: str):
    text = f"func.func @main(%x : tensor<4xf32>, %n : index) {{\n{body}\nfunc.return\n}}"
    with pytest.raises(ValueError, match=message.replace(".", r"\.")):
        ran(text, np.zeros(4, np.float32), 9)
