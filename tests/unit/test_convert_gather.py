"""Rows that an index names: functions that take or replace them mean the same as programs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np
import pytest
from spatial_testing.functions import Array, Shape, Text, context, converted, programs, ran
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64

from spatial_dialect.machine.proof import prove
from spatial_dialect.passes.place_spatial import PlaceSpatialPass
from spatial_dialect.passes.synthesize_handshakes import SynthesizeHandshakesPass
from spatial_dialect.passes.tile_spatial import TileSpatialPass

NUMPY: dict[str, Any] = {
    **{"f32": np.float32, "bf16": ml_dtypes.bfloat16},
    **{"i32": np.int32, "i8": np.int8, "i64": np.int64},
}
ADD = "%r = arith.addf %i0, %i1 : f32"
ID = "%id = arith.index_cast %i0 : i32 to index\n"


@dataclass
class Case(Text):
    """A function with arguments for it."""

    given: list[Array] = field(default_factory=list[Array])

    def table(self, shape: Shape, element: str = "f32", name: str = "t") -> str:
        """An argument of small whole numbers, whose sums are exact."""
        values = np.random.default_rng(len(self.given)).integers(-9, 9, shape)
        self.given.append(values.astype(NUMPY[element]))
        return self.argument(name, shape, element)

    def ids(
        self, shape: Shape, end: int, *, low: int = 0, element: str = "i32", name: str = "ids"
    ) -> str:
        """An argument that names rows."""
        values = np.random.default_rng(7 + len(self.given)).integers(low, end, shape)
        self.given.append(values.astype(NUMPY[element]))
        return self.argument(name, shape, element)

    @property
    def values(self) -> list[Array]:
        """The arguments, in types that numpy computes in exactly."""
        return [a if a.dtype.kind == "i" else a.astype(np.float64) for a in self.given]

    def taken(self, table: str, ids: str, *, clamp: bool = False) -> str:
        """The rows of a table that ids name, as one writes it by hand."""
        (rows, width), element = self.types[table]
        shape, number = self.types[ids]
        code = [f"%at = arith.index_cast %i0 : {number} to index"]
        row = "%at"
        if clamp:
            code += [
                "%first = arith.constant 0 : index",
                f"%last = arith.constant {rows - 1} : index",
                "%up = arith.maxsi %at, %first : index",
                "%down = arith.minsi %up, %last : index",
            ]
            row = "%down"
        code += [
            f"%c = linalg.index {len(shape)} : index",
            f"%r = tensor.extract {table}[{row}, %c] : {self.type(table)}",
        ]
        along = ", ".join(f"d{dim}" for dim in range(len(shape)))
        out = self.empty((*shape, width), element)
        return self.elementwise([ids], "\n".join(code), out, [along])

    def summed(self, rows: str, maps: tuple[str, str], kinds: str, shape: Shape) -> str:
        """A sum over some dimensions."""
        start = self.filled("0.0", self.empty(shape))
        return self.generic([rows], maps, kinds, "%r = arith.addf %i0, %o : f32", start)


Made: TypeAlias = tuple[Case, str, Array]
"""A function, its result, and what that is for its arguments."""

CASES: dict[str, Callable[[], Made]] = {}


def case(function: Callable[[], Made]) -> None:
    """Add a case, by its name."""
    CASES[function.__name__] = function


@case
def clamped() -> Made:
    c = Case()
    r = c.taken(c.table((300, 200)), c.ids((50,), 400, low=-50), clamp=True)
    t, i = c.values
    return c, r, t[np.clip(i, 0, 299)]


@case
def scaled_with_positions() -> Made:
    c = Case()
    rows = c.taken(c.table((300, 96)), c.ids((2, 50), 300))
    code = "%k = arith.constant 8.0 : f32\n%s = arith.mulf %i0, %k : f32\n"
    r = c.elementwise(
        [rows, c.table((50, 96), name="p")],
        f"{code}%r = arith.addf %s, %i1 : f32",
        c.empty((2, 50, 96)),
        ["d0, d1, d2", "d1, d2"],
    )
    t, i, p = c.values
    return c, r, 8 * t[i] + p


@case
def tokens_summed() -> Made:
    # The tokens lie along the columns of pages then, and those beyond the end must not count.
    c = Case()
    rows = c.taken(c.table((300, 96)), c.ids((3, 50), 300))
    r = c.summed(rows, ("d0, d1, d2", "d0, d2"), "prp", (3, 96))
    t, i = c.values
    return c, r, t[i].sum(1)


@case
def all_summed() -> Made:
    # Pages cannot hold what is summed over, but they can once the rows are in DRAM.
    c = Case()
    rows = c.taken(c.table((300, 96)), c.ids((50,), 300))
    r = c.summed(rows, ("d0, d1", ""), "rr", ())
    t, i = c.values
    return c, r, t[i].sum()


@case
def multiplied() -> Made:
    c = Case()
    rows = c.taken(c.table((300, 96)), c.ids((50,), 300))
    r = c.generic(
        [rows, c.table((96, 64), name="w")],
        ["d0, d2", "d2, d1", "d0, d1"],
        "ppr",
        "%m = arith.mulf %i0, %i1 : f32\n%r = arith.addf %o, %m : f32",
        c.filled("0.0", c.empty((50, 64))),
    )
    t, i, w = c.values
    return c, r, t[i] @ w


@case
def turned() -> Made:
    c = Case()
    rows = c.taken(c.table((300, 96)), c.ids((50,), 300))
    code = "%r = arith.addf %i0, %i0 : f32"
    r = c.elementwise([rows], code, c.empty((96, 50)), ["d1, d0"])
    t, i = c.values
    return c, r, 2 * t[i].T


@case
def in_heads() -> Made:
    c = Case()
    rows = c.taken(c.table((300, 96)), c.ids((50,), 300))
    heads = c.made(
        f"tensor.expand_shape {rows} [[0], [1, 2]] output_shape [50, 3, 32] : "
        "tensor<50x96xf32> into tensor<50x3x32xf32>",
        (50, 3, 32),
    )
    code = "%r = arith.addf %i0, %i0 : f32"
    r = c.elementwise([heads], code, c.empty((3, 50, 32)), ["d1, d0, d2"])
    t, i = c.values
    return c, r, 2 * t[i].reshape(50, 3, 32).transpose(1, 0, 2)


@case
def a_row_per_expert() -> Made:
    # A leading index of the table that follows the space goes into the number of the row.
    c = Case()
    t, ids = c.table((3, 60, 64)), c.ids((3, 50), 60)
    code = (
        "%e = linalg.index 0 : index\n%c = linalg.index 2 : index\n"
        f"%r = tensor.extract {t}[%e, %id, %c] : {c.type(t)}"
    )
    r = c.elementwise([ids], ID + code, c.empty((3, 50, 64)), ["d0, d1"])
    t, i = c.values
    return c, r, np.stack([t[e][i[e]] for e in range(3)])


@case
def single_numbers() -> Made:
    c = Case()
    t, ids = c.table((300,)), c.ids((50,), 300)
    r = c.elementwise([ids], f"{ID}%r = tensor.extract {t}[%id] : {c.type(t)}", c.empty((50,)))
    t, i = c.values
    return c, r, t[i]


@case
def a_factor_for_each_row() -> Made:
    c = Case()
    t, ids = c.table((300,)), c.ids((50,), 300)
    code = f"{ID}%f = tensor.extract {t}[%id] : {c.type(t)}\n%r = arith.mulf %f, %i1 : f32"
    x = c.table((50, 70), name="x")
    r = c.elementwise([ids, x], code, c.empty((50, 70)), ["d0", "d0, d1"])
    t, i, x = c.values
    return c, r, t[i][:, None] * x


@case
def one_of_each_row() -> Made:
    c = Case()
    t, ids = c.table((50, 70)), c.ids((50,), 70)
    code = f"%row = linalg.index 0 : index\n%r = tensor.extract {t}[%row, %id] : {c.type(t)}"
    r = c.elementwise([ids], ID + code, c.empty((50,)))
    t, i = c.values
    return c, r, t[np.arange(50), i]


@case
def some_of_each_row() -> Made:
    c = Case()
    t, ids = c.table((50, 64)), c.ids((50, 40), 64)
    code = f"%row = linalg.index 0 : index\n%r = tensor.extract {t}[%row, %id] : {c.type(t)}"
    r = c.elementwise([ids], ID + code, c.empty((50, 40)))
    t, i = c.values
    return c, r, np.take_along_axis(t, i, 1)


@case
def part_of_a_table() -> Made:
    c = Case()
    c.table((300, 128))
    ids = c.ids((50,), 150)
    part = c.made(
        "tensor.extract_slice %t[100, 64] [150, 64] [1, 1] : "
        "tensor<300x128xf32> to tensor<150x64xf32>",
        (150, 64),
    )
    r = c.taken(part, ids)
    t, i = c.values
    return c, r, t[100:250, 64:][i]


@case
def every_second_row_of_a_table() -> Made:
    c = Case()
    c.table((300, 128))
    ids = c.ids((50,), 150)
    part = c.made(
        "tensor.extract_slice %t[0, 0] [150, 128] [2, 1] : "
        "tensor<300x128xf32> to tensor<150x128xf32>",
        (150, 128),
    )
    r = c.taken(part, ids)
    t, i = c.values
    return c, r, t[::2][i]


@case
def a_computed_table() -> Made:
    c = Case()
    t, ids = c.table((300, 64)), c.ids((50,), 300)
    twice = c.elementwise([t], "%r = arith.addf %i0, %i0 : f32", c.empty((300, 64)))
    r = c.taken(twice, ids)
    t, i = c.values
    return c, r, 2 * t[i]


@case
def a_transposed_table() -> Made:
    c = Case()
    t, ids = c.table((64, 300)), c.ids((50,), 300)
    code = "%z = arith.constant 0.0 : f32\n%r = arith.maximumf %i0, %z : f32"
    least = c.elementwise([t], code, c.empty((300, 64)), ["d1, d0"])
    r = c.taken(least, ids)
    t, i = c.values
    return c, r, np.maximum(t.T[i], 0)


@case
def columns_of_a_table() -> Made:
    c = Case()
    t, ids = c.table((64, 300)), c.ids((50,), 300)
    code = f"%c = linalg.index 1 : index\n%r = tensor.extract {t}[%c, %id] : {c.type(t)}"
    r = c.elementwise([ids], ID + code, c.empty((50, 64)), ["d0"])
    t, i = c.values
    return c, r, t.T[i]


@case
def in_reverse() -> Made:
    # Rows beyond the end have numbers below 0, which name no row.
    c = Case()
    t = c.table((50, 64))
    code = (
        "%p = linalg.index 0 : index\n%c = linalg.index 1 : index\n"
        "%e = arith.constant 49 : index\n%at = arith.subi %e, %p : index\n"
        f"%r = tensor.extract {t}[%at, %c] : {c.type(t)}"
    )
    r = c.elementwise([], code, c.empty((50, 64)))
    (t,) = c.values
    return c, r, t[::-1]


@case
def always_the_same_row() -> Made:
    c = Case()
    t = c.table((50, 64))
    code = (
        "%c = linalg.index 1 : index\n%at = arith.constant 32 : index\n"
        f"%r = tensor.extract {t}[%at, %c] : {c.type(t)}"
    )
    r = c.elementwise([], code, c.empty((40, 64)))
    (t,) = c.values
    return c, r, np.broadcast_to(t[32], (40, 64))


@case
def one_id() -> Made:
    c = Case()
    t, ids = c.table((50, 64)), c.ids((), 50)
    code = f"%c = linalg.index 0 : index\n%r = tensor.extract {t}[%id, %c] : {c.type(t)}"
    r = c.elementwise([ids], ID + code, c.empty((64,)), [""])
    t, i = c.values
    return c, r, t[i]


@case
def two_tables() -> Made:
    c = Case()
    one = c.taken(c.table((50, 64)), c.ids((100,), 50))
    other = c.taken(c.table((30, 64), name="u"), c.ids((100,), 30, name="more"))
    r = c.elementwise([one, other], ADD, c.empty((100, 64)))
    t, i, u, j = c.values
    return c, r, t[i] + u[j]


@case
def ids_of_ids() -> Made:
    c = Case()
    t, ids = c.table((50, 64)), c.ids((40,), 50)
    which = c.ids((100,), 40, name="which")
    code = f"{ID}%r = tensor.extract {ids}[%id] : {c.type(ids)}"
    inner = c.elementwise([which], code, c.empty((100,), "i32"))
    r = c.taken(t, inner)
    t, i, j = c.values
    return c, r, t[i[j]]


@case
def bytes_as_ids() -> Made:
    c = Case()
    r = c.taken(c.table((50, 64)), c.ids((50,), 50, element="i8"))
    t, i = c.values
    return c, r, t[i]


@case
def not_a_number_if_outside() -> Made:
    # What JAX makes of `jnp.take(table, ids, axis=0)`, with a reduction over one comparison.
    c = Case()
    t, ids = c.table((300, 96)), c.ids((50,), 400, low=-100)
    inside = c.elementwise(
        [ids],
        "%lo = arith.constant 0 : i32\n%hi = arith.constant 299 : i32\n"
        "%a = arith.cmpi sge, %i0, %lo : i32\n%b = arith.cmpi sle, %i0, %hi : i32\n"
        "%r = arith.andi %a, %b : i1",
        c.empty((50, 1), "i1"),
        ["d0"],
    )
    start = c.filled("1", c.empty((50,), "i1"))
    code = "%r = arith.andi %i0, %o : i1"
    all_inside = c.generic([inside], ["d0, d1", "d0"], "pr", code, start)
    rows = c.taken(t, ids, clamp=True)
    code = "%nan = arith.constant 0x7FC00000 : f32\n%r = arith.select %i0, %i1, %nan : f32"
    r = c.elementwise([all_inside, rows], code, c.empty((50, 96)), ["d0", "d0, d1"])
    t, i = c.values
    return c, r, np.where(((i >= 0) & (i < 300))[:, None], t[np.clip(i, 0, 299)], np.nan)


def normalised(rows: int | None, width: int) -> Made:
    """A layer norm of an embedding, of one sequence or of a batch of them."""
    c = Case()
    shape = (50,) if rows is None else (rows, 50)
    x = c.taken(c.table((300, width)), c.ids(shape, 300))
    own = ", ".join(f"d{dim}" for dim in range(len(shape)))
    full, kinds = f"{own}, d{len(shape)}", "p" * len(shape) + "r"
    count = f"%n = arith.constant {width}.0 : f32\n"
    total = c.summed(x, (full, own), kinds, shape)
    mean = c.elementwise([total], f"{count}%r = arith.divf %i0, %n : f32", c.empty(shape))
    code = "%r = arith.subf %i0, %i1 : f32"
    off = c.elementwise([x, mean], code, c.empty((*shape, width)), [full, own])
    code = "%r = arith.mulf %i0, %i0 : f32"
    square = c.elementwise([off], code, c.empty((*shape, width)))
    total = c.summed(square, (full, own), kinds, shape)
    code = f"{count}%m = arith.divf %i0, %n : f32\n%r = math.rsqrt %m : f32"
    factor = c.elementwise([total], code, c.empty(shape))
    code = "%r = arith.mulf %i0, %i1 : f32"
    r = c.elementwise([off, factor], code, c.empty((*shape, width)), [full, own])
    t, i = c.values
    y = t[i] - t[i].mean(-1, keepdims=True)
    return c, r, y / np.sqrt((y**2).mean(-1, keepdims=True))


for _rows, _width in ((None, 64), (2, 96), (None, 33), (2, 300), (None, 1024)):
    CASES[f"normalised_{_rows}_{_width}"] = lambda r=_rows, w=_width: normalised(r, w)


def check(module: ModuleOp, case: Case, expected: Array) -> None:
    (result,) = ran(module, case.given)
    np.testing.assert_allclose(result.astype(np.float64), expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", CASES)
def test_programs_mean_what_the_function_means(name: str) -> None:
    case, result, expected = CASES[name]()
    module = converted(case.function(result))
    assert programs(module)
    check(module, case, expected)


@pytest.mark.parametrize("target", ["wormhole", "hopper"])
@pytest.mark.parametrize("element", ["f32", "bf16"])
@pytest.mark.parametrize("table", [(50, 64), (300, 200), (50, 33), (64, 1)])
@pytest.mark.parametrize("shape", [(32,), (50,), (100,), (2, 50), (3, 32)])
def test_sizes(target: str, element: str, table: Shape, shape: Shape) -> None:
    case = Case()
    result = case.taken(case.table(table, element), case.ids(shape, table[0]))
    module = converted(case.function(result), target=target)
    rows, ids = case.values
    check(module, case, rows[ids])
    # Rows that have one element are taken one by one, for which ids of several dimensions are
    # put in a row first.
    assert len(programs(module)) == (2 if table[1] == 1 and len(shape) > 1 else 1)


@pytest.mark.parametrize("name", CASES)
def test_tiled_and_placed_they_mean_the_same_and_are_proved(name: str) -> None:
    case, result, expected = CASES[name]()
    module = converted(case.function(result))
    ctx = context()
    TileSpatialPass().apply(ctx, module)
    module.verify()
    check(module, case, expected)
    PlaceSpatialPass(grid="2x2").apply(ctx, module)
    module.verify()
    check(module, case, expected)
    for program in programs(module):
        for buffer in program.buffers:
            buffer.depth = IntegerAttr(2, i64)
    SynthesizeHandshakesPass().apply(ctx, module)
    assert {prove(program).status for program in programs(module)} == {"proved"}


################################################################################
# Replacing rows                                                               #
################################################################################

SCATTER = """
func.func @main(%start : {0}, %ids : tensor<{2}i32>, %rows : {1}) -> {0} {{
{3}
  %r = "stablehlo.scatter"({4}, %ids, %rows) <{{indices_are_sorted = false,
      scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = {5},
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = {6}>,
      unique_indices = false}}> ({{
  ^bb0(%old : tensor<{7}>, %new : tensor<{7}>):
    "stablehlo.return"(%new) : (tensor<{7}>) -> ()
  }}) : ({0}, tensor<{2}i32>, {1}) -> {0}
  func.return %r : {0}
}}
"""


@pytest.mark.parametrize(
    ("start", "rows", "batch", "element"),
    [
        ((100, 64), (32, 64), 1, "f32"),
        ((100, 64), (50, 64), 1, "f32"),
        ((100, 33), (50, 33), 1, "bf16"),
        ((100, 200), (64, 200), 1, "f32"),
        ((100, 64), (1, 64), 1, "f32"),
        ((100, 3, 32), (2, 25, 3, 32), 2, "f32"),
    ],
)
@pytest.mark.parametrize("zero", [False, True])
def test_rows_are_replaced(start: Shape, rows: Shape, batch: int, element: str, zero: bool) -> None:
    where = np.random.default_rng(3).permutation(start[0])[: np.prod(rows[:batch])]
    where = where.reshape(*rows[:batch], 1).astype(np.int32)
    if where.size > 1:
        # No rows of the tensor: what is meant for them is left out.
        where.flat[0], where.flat[1] = -1, start[0]
    values = np.random.default_rng(4)
    before = values.integers(-9, 9, start).astype(NUMPY[element])
    new = values.integers(-9, 9, rows).astype(NUMPY[element])

    def type_of(shape: Shape) -> str:
        return f"tensor<{'x'.join(map(str, shape))}x{element}>"

    text = SCATTER.format(
        type_of(start),
        type_of(rows),
        "".join(f"{size}x" for size in where.shape),
        f"  %zero = arith.constant dense<0.0> : {type_of(start)}" if zero else "",
        "%zero" if zero else "%start",
        list(range(batch, len(rows))),
        batch,
        element,
    )
    module = converted(text)
    assert programs(module)
    (result,) = ran(module, [before, where, new])
    expected = np.zeros_like(before) if zero else before.copy()
    for row, value in zip(where.reshape(-1), new.reshape(-1, *start[1:]), strict=True):
        if 0 <= row < start[0]:
            expected[row] = value
    np.testing.assert_array_equal(result, expected)
