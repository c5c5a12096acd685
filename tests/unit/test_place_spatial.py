"""A placed program means what the tiled one means, wherever its items go, and does not hang."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.arith import Arith
from xdsl.dialects.builtin import Builtin, DenseArrayBase, IntegerAttr, ModuleOp, i64
from xdsl.parser import Parser

from spatial_dialect.analysis.item_digits import (
    Digit,
    in_digits,
    item_digits,
)
from spatial_dialect.dialects.spatial import LoadOp, Phase, ProgramOp, RecvOp, Spatial, StoreOp
from spatial_dialect.ir.addresses import DIMENSIONS
from spatial_dialect.machine.proof import prove
from spatial_dialect.machine.reference import run
from spatial_dialect.passes.place_spatial import PlaceSpatialPass
from spatial_dialect.passes.place_spatial.distribution import Distribution, distributions
from spatial_dialect.passes.synthesize_handshakes import SynthesizeHandshakesPass

Array: TypeAlias = NDArray[Any]

# Tiles that are small, so that tensors are.
TILE = 4


def parsed(text: str) -> tuple[Context, ModuleOp, ProgramOp]:
    context = Context()
    for dialect in (Builtin, Arith, Spatial):
        context.load_dialect(dialect)
    module = Parser(context, text).parse_module()
    module.verify()
    (program,) = (op for op in module.walk() if isinstance(op, ProgramOp))
    return context, module, program


def placed(text: str, **options: Any) -> tuple[Context, ModuleOp, ProgramOp]:
    context, module, program = parsed(text)
    PlaceSpatialPass(**options).apply(context, module)
    module.verify()
    return context, module, program


def meaning(program: ProgramOp, arguments: dict[str, Array | int]) -> dict[str, Array]:
    if program.grid is None:
        program = program.clone()
        program.grid = DenseArrayBase.from_list(i64, [1, 1])
    return run(program, arguments)


@dataclass(frozen=True)
class Case:
    """A tiled program."""

    text: str
    arguments: dict[str, Array | int]
    items: int


@dataclass(frozen=True)
class Sizes:
    """Blocks along each parallel axis, and how much the last ones lack."""

    batch: int
    rows: int
    cols: int
    lacks: tuple[int, int]
    """Rows and columns of elements that the last blocks lack."""

    @property
    def items(self) -> int:
        return self.batch * self.rows * self.cols

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the result, in elements, for blocks of one tile."""
        return self.rows * TILE - self.lacks[0], self.cols * TILE - self.lacks[1]

    @property
    def batch_digit(self) -> str:
        return f"(i floordiv {self.rows * self.cols})"

    @property
    def row_digit(self) -> str:
        return f"((i floordiv {self.cols}) mod {self.rows})"

    @property
    def col_digit(self) -> str:
        return f"(i mod {self.cols})"


sizes = st.builds(
    Sizes,
    batch=st.integers(1, 6),
    rows=st.integers(1, 7),
    cols=st.integers(1, 7),
    lacks=st.tuples(st.integers(0, TILE - 1), st.integers(0, TILE - 1)),
)


def numbers(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).integers(-4, 5, shape).astype(np.float32)


def target(name: str) -> str:
    return f'target #spatial.target<"{name}" {{tile = [{TILE}, {TILE}]}}>'


def elementwise(s: Sizes, name: str) -> Case:
    """Pages, rows, columns and scalars, one of them for two batches each."""
    rows, cols = s.shape
    pad = "pad 0.0 : f32" if any(s.lacks) else ""
    half = -(-s.batch // 2)
    text = f"""
      spatial.program @p(%X : memref<{s.batch}x{rows}x{cols}xf32>, %Row : memref<4x{cols}xf32>,
                         %Col : memref<{rows}x4xf32>, %G : memref<{half}x4x4xf32>,
                         %Y : memref<{s.batch}x{rows}x{cols}xf32>)
          {target(name)} loops [i = {s.items}] {{
        %x = spatial.buffer : !spatial.buffer<1x1xf32>
        %row = spatial.buffer : !spatial.buffer<1x1xf32>
        %col = spatial.buffer : !spatial.buffer<1x1xf32>
        %g = spatial.buffer : !spatial.buffer<1x1xf32>
        %y = spatial.buffer : !spatial.buffer<1x1xf32>
        spatial.load %X[{s.batch_digit}, {s.row_digit}, {s.col_digit}] into %x {pad}
        spatial.load %Row[0, {s.col_digit}] into %row {pad}
        spatial.load %Col[{s.row_digit}, 0] into %col {pad}
        spatial.load %G[{s.batch_digit} floordiv 2, 0, 0] into %g
        spatial.map (%x, %row broadcast rows, %col broadcast cols, %g broadcast scalar) into %y {{
        ^bb0(%a : f32, %b : f32, %c : f32, %d : f32):
          %e = arith.addf %a, %b : f32
          %f = arith.mulf %e, %c : f32
          %h = arith.addf %f, %d : f32
          spatial.yield %h : f32
        }}
        spatial.store %y into %Y[{s.batch_digit}, {s.row_digit}, {s.col_digit}]
      }}"""
    arguments: dict[str, Array | int] = {
        "X": numbers(s.batch, rows, cols),
        "Row": numbers(4, cols, seed=1),
        "Col": numbers(rows, 4, seed=2),
        "G": numbers(half, 4, 4, seed=3),
    }
    return Case(text, arguments, s.items)


def matmul(s: Sizes, name: str) -> Case:
    """Batches side by side as blocks of columns of one matrix."""
    rows, cols = s.shape
    pad = "pad 0.0 : f32" if any(s.lacks) else ""
    text = f"""
      spatial.program @p(%A : memref<{rows}x{s.batch * 12}xf32>,
                         %B : memref<{s.batch}x12x{cols}xf32>,
                         %C : memref<{s.batch}x{rows}x{cols}xf32>)
          {target(name)} loops [i = {s.items}, k = 3] {{
        %a = spatial.buffer : !spatial.buffer<1x1xf32>
        %b = spatial.buffer : !spatial.buffer<1x1xf32>
        %c = spatial.buffer : !spatial.buffer<1x1xf32>
        spatial.load %A[{s.row_digit}, {s.batch_digit} * 3 + k] into %a {pad}
        spatial.load %B[{s.batch_digit}, k, {s.col_digit}] into %b {pad}
        spatial.matmul %a, %b into %c
        spatial.store %c into %C[{s.batch_digit}, {s.row_digit}, {s.col_digit}]
      }}"""
    arguments: dict[str, Array | int] = {
        "A": numbers(rows, s.batch * 12),
        "B": numbers(s.batch, 12, cols, seed=1),
    }
    return Case(text, arguments, s.items)


def ragged(s: Sizes, name: str) -> Case:
    """Each batch has a trip of its own, and its blocks of columns lie side by side."""
    rows, cols = s.rows * TILE, s.cols * TILE
    text = f"""
      spatial.program @p(%A : memref<{s.batch}x{rows}x12xf32>, %B : memref<12x{cols}xf32>,
                         %Lengths : memref<{s.batch}x1xi32>,
                         %C : memref<{rows}x{s.batch * cols}xf32>)
          {target(name)} loops [i = {s.items}, k = ? max 3] {{
        %a = spatial.buffer : !spatial.buffer<1x1xf32>
        %b = spatial.buffer : !spatial.buffer<1x1xf32>
        %c = spatial.buffer : !spatial.buffer<1x1xf32>
        spatial.trip k = %Lengths[{s.batch_digit}, 0]
        spatial.load %A[{s.batch_digit}, {s.row_digit}, k] into %a
        spatial.load %B[k, {s.col_digit}] into %b
        spatial.matmul %a, %b into %c
        spatial.store %c into %C[{s.row_digit}, {s.batch_digit} * {s.cols} + {s.col_digit}]
      }}"""
    lengths = np.random.default_rng(0).integers(0, 4, (s.batch, 1)).astype(np.int32)
    arguments: dict[str, Array | int] = {
        "A": numbers(s.batch, rows, 12),
        "B": numbers(12, cols, seed=1),
        "Lengths": lengths,
    }
    return Case(text, arguments, s.items)


def gather(s: Sizes, name: str) -> Case:
    """Rows of a table by an index page, and the whole of another page by an index of a batch."""
    rows, cols = s.shape
    pad = "pad 0.0 : f32" if any(s.lacks) else ""
    text = f"""
      spatial.program @p(%T : memref<9x{cols}xf32>, %Ids : memref<{s.batch}x4x{s.rows * TILE}xi32>,
                         %U : memref<5x4x4xf32>, %Which : memref<4x{s.batch * 4}xi32>,
                         %Y : memref<{s.batch}x{rows}x{cols}xf32>)
          {target(name)} loops [i = {s.items}] {{
        %ids = spatial.buffer : !spatial.buffer<1x1xi32>
        %t = spatial.buffer : !spatial.buffer<1x1xf32>
        %which = spatial.buffer : !spatial.buffer<1x1xi32>
        %u = spatial.buffer : !spatial.buffer<1x1xf32>
        %y = spatial.buffer : !spatial.buffer<1x1xf32>
        spatial.load %Ids[{s.batch_digit}, 0, {s.row_digit}] into %ids
        spatial.load %T[0, {s.col_digit}] into %t via %ids rows {pad}
        spatial.load %Which[0, {s.batch_digit}] into %which
        spatial.load %U[ind, 0, 0] into %u via %which
        spatial.map (%t, %u) into %y {{
        ^bb0(%a : f32, %b : f32):
          %e = arith.addf %a, %b : f32
          spatial.yield %e : f32
        }}
        spatial.store %y into %Y[{s.batch_digit}, {s.row_digit}, {s.col_digit}]
      }}"""
    random = np.random.default_rng(0)
    arguments: dict[str, Array | int] = {
        "T": numbers(9, cols),
        "Ids": random.integers(0, 9, (s.batch, 4, s.rows * TILE)).astype(np.int32),
        "U": numbers(5, 4, 4, seed=1),
        "Which": random.integers(0, 5, (4, s.batch * 4)).astype(np.int32),
    }
    return Case(text, arguments, s.items)


def no_chain(s: Sizes, name: str) -> Case:
    """An item number that is no number of digits, in a tensor that is larger than what is done."""
    items, width = s.items, s.cols + 1
    rows = (items // width + 3) * TILE
    text = f"""
      spatial.program @p(%X : memref<{rows}x{width * TILE}xf32>,
                         %Y : memref<{rows}x{width * TILE}xf32>)
          {target(name)} loops [i = {items}] {{
        %x = spatial.buffer : !spatial.buffer<1x1xf32>
        %y = spatial.buffer : !spatial.buffer<1x1xf32>
        spatial.load %X[(i + 1) floordiv {width}, (i + 1) mod {width}] into %x
        spatial.map (%x) into %y {{
        ^bb0(%a : f32):
          spatial.yield %a : f32
        }}
        spatial.store %y into %Y[i floordiv {width}, i mod {width}]
      }}"""
    return Case(text, {"X": numbers(rows, width * TILE)}, items)


FAMILIES: tuple[Callable[[Sizes, str], Case], ...] = (
    elementwise,
    matmul,
    ragged,
    gather,
    no_chain,
)
TARGETS = ("reference", "wormhole", "blackhole", "hopper", "fabric")


@given(
    family=st.sampled_from(FAMILIES),
    s=sizes,
    rows=st.integers(1, 5),
    cols=st.integers(1, 7),
    name=st.sampled_from(TARGETS),
    multicast=st.booleans(),
)
@settings(max_examples=150)
def test_it_means_the_same(
    family: Callable[[Sizes, str], Case], s: Sizes, rows: int, cols: int, name: str, multicast: bool
):
    case = family(s, name)
    before = meaning(parsed(case.text)[2], case.arguments)
    _, _, program = placed(case.text, grid=f"{rows}x{cols}", multicast=multicast)
    assert program.phase is Phase.PLACED
    after = meaning(program, case.arguments)
    for argument, values in before.items():
        np.testing.assert_array_equal(values, after[argument], argument)


@given(
    family=st.sampled_from(FAMILIES),
    s=sizes,
    rows=st.integers(1, 4),
    cols=st.integers(1, 4),
    name=st.sampled_from(TARGETS),
)
@settings(max_examples=25)
def test_it_is_proved(
    family: Callable[[Sizes, str], Case], s: Sizes, rows: int, cols: int, name: str
):
    case = family(s, name)
    context, module, program = placed(case.text, grid=f"{rows}x{cols}")
    for buffer in program.buffers:
        buffer.depth = IntegerAttr(2, i64)
    SynthesizeHandshakesPass().apply(context, module)
    module.verify()
    verdict = prove(program)
    assert verdict.status == "proved", verdict.message


@st.composite
def distributed(draw: st.DrawFn) -> Distribution:
    """Any digits, and any runs of them over the axes of a grid."""
    extents = draw(st.lists(st.integers(2, 5), max_size=3))
    digits = [Digit(prod(extents[number + 1 :]), extent) for number, extent in enumerate(extents)]
    grid = draw(st.tuples(st.integers(1, 5), st.integers(1, 5)))
    may_hang = frozenset(draw(st.sets(st.sampled_from(range(3)))))
    return draw(st.sampled_from(distributions(digits, grid, may_hang, {})[0]))


@given(distributed())
def test_every_item_is_done_once(distribution: Distribution):
    rows, cols = distribution.rows, distribution.cols
    assert rows <= distribution.grid[0]
    assert cols <= distribution.grid[1]
    extents = [digit.extent for digit in distribution.digits]
    done: list[tuple[int, ...]] = []
    busy: set[tuple[int, str]] = set()
    for i, y, x in product(range(distribution.items), range(rows), range(cols)):
        if not distribution.sites.contains(y, x):
            continue
        values = tuple(
            value.eval([i, y, x, *[0] * (len(DIMENSIONS) - 3)], []) for value in distribution.values
        )
        beyond = {n for n, value in enumerate(values) if value >= extents[n]}
        assert all(0 <= value < 2 * extent for value, extent in zip(values, extents, strict=True))
        assert beyond <= distribution.hanging <= distribution.may_hang
        if not beyond:
            done.append(values)
            busy |= {(y, "y"), (x, "x")}
    assert sorted(done) == list(product(*map(range, extents)))
    # No row and no column of sites is there in vain.
    assert busy == {*((n, "y") for n in range(rows)), *((n, "x") for n in range(cols))}


@pytest.mark.parametrize(
    ("address", "items", "digits"),
    [
        ("[i, 0]", 6, [(1, 6)]),
        ("[i, 0]", 1, []),
        ("[0, 0]", 6, [(1, 6)]),
        ("[i floordiv 3, i mod 3]", 6, [(3, 2), (1, 3)]),
        ("[(i floordiv 3) mod 2, i]", 12, [(6, 2), (3, 2), (1, 3)]),
        ("[(i floordiv 3) mod 2, i]", 6, [(3, 2), (1, 3)]),
        ("[i floordiv 6, (i floordiv 3) mod 2 * 5 + i mod 3 * 2]", 24, [(6, 4), (3, 2), (1, 3)]),
        # Two digits of one extent, and the head of a group of them.
        ("[(i floordiv 4) floordiv 2, (i floordiv 4) mod 8]", 32, [(8, 4), (4, 2), (1, 4)]),
        ("[i mod 2 + i floordiv 4, 0]", 8, [(4, 2), (2, 2), (1, 2)]),
        # No chain: neither divides the other, or not the number of items.
        ("[i floordiv 2, i mod 3]", 6, [(1, 6)]),
        ("[i floordiv 4, i mod 4]", 10, [(1, 10)]),
        # Not of `i` alone, but of `i` as a whole.
        ("[(i * 2 + k) floordiv 3, 0]", 6, [(1, 6)]),
        ("[i floordiv 12, i mod 12]", 6, [(1, 6)]),
    ],
)
def test_digits(address: str, items: int, digits: list[tuple[int, int]]):
    _, _, program = parsed(f"""
      spatial.program @p(%X : memref<96x4096xf32>, %Y : memref<4096x4096xf32>)
          loops [i = {items}, k = 2] {{
        %x = spatial.buffer : !spatial.buffer<1x1xf32>
        spatial.load %X{address} into %x
        spatial.store %x into %Y[0, i]
      }}""")
    found = item_digits(program)
    assert [(digit.weight, digit.extent) for digit in found] == digits
    # What it says in digits is what it says of the number.
    (load,) = (stage for stage in program.stages if isinstance(stage, LoadOp))
    for expr in load.address.data.results:
        inner = in_digits(expr, found)
        for item, k in product(range(items), range(2)):
            values = [item // digit.weight % digit.extent for digit in found]
            point = [0, 0, 0, k, 0, 0]
            assert inner.eval(point, values) == expr.eval([item, *point[1:]], [])


def blocks(rows: int, cols: int) -> str:
    """A product of so many blocks of rows and of columns."""
    sizes = Sizes(1, rows, cols, (0, 0))
    return matmul(sizes, "reference").text


def test_cost_does_not_grow_with_the_grid():
    text = blocks(1024, 1024)
    small, large = (placed(text, grid=grid, y=(0,), x=(1,))[1] for grid in ("8x8", "64x64"))
    assert [op.name for op in small.walk()] == [op.name for op in large.walk()]
    calls = {"64x64": 0, "512x512": 0}
    for grid in calls:

        def count(*_: object, grid: str = grid) -> None:
            calls[grid] += 1

        sys.setprofile(count)
        placed(text, grid=grid)
        sys.setprofile(None)
    assert calls["512x512"] < 1.1 * calls["64x64"]


def test_an_axis_without_digits_is_left_to_the_first_site():
    _, _, program = placed(blocks(3, 1), grid="8x8")
    assert {str(stage.sites) for stage in program.stages if isinstance(stage, StoreOp)} == {
        "[0, 0:3]"
    }


def test_pages_are_read_once():
    _, _, program = placed(blocks(4, 4), grid="4x4")
    loads = [stage for stage in program.stages if isinstance(stage, LoadOp)]
    receivers = [stage for stage in program.stages if isinstance(stage, RecvOp)]
    assert [str(stage.sites) for stage in loads] == ["[0:4, 0]", "[0, 0:4]"]
    assert [str(stage.sites) for stage in receivers] == ["[0:4, 1:4]", "[1:4, 0:4]"]
    assert [stage.engine for stage in loads] == [stage.engine for stage in receivers]
