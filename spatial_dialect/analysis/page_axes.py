"""The rows and columns of all pages of a template, put together where stages tie them.

Two sides of pages are one *axis* if a stage needs them to be alike: the rows of the operands and of
the result of a map, the columns of the left and the rows of the right factor of a product. An axis
is what can be cut: all its pages at once, into blocks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr

from spatial_dialect.analysis.dataflow import Dataflow
from spatial_dialect.dialects.spatial import (
    AllReduceOp,
    DotOp,
    LoadOp,
    MapOp,
    MatmulOp,
    ProgramOp,
    ReduceOp,
    StageOp,
    StoreOp,
    broadcast_kinds,
    page_type,
    tensor_type,
)
from spatial_dialect.ir.addresses import dimension, linear_form
from spatial_dialect.ir.attributes import Broadcast, PageAxis
from spatial_dialect.ir.diagnostics import describe, value_name
from spatial_dialect.ir.loops import PAGE_LOOPS, LoopName
from spatial_dialect.ir.types import element_name
from spatial_dialect.targets import Target

Side: TypeAlias = tuple[SSAValue, int]
"""The rows (0) or the columns (1) of the pages of a buffer."""

Cut: TypeAlias = Literal["i", "k", "h", "w"]
"""The loop that goes over the blocks of an axis: `i` does so by a digit of its own."""


@dataclass(eq=False)
class Axis:
    """Sides of pages that are alike."""

    sides: list[Side] = field(default_factory=list[Side])
    cut: Cut | None = "i"
    """The loop that can cut it, None if it has to stay whole."""
    whole_for: str = ""
    """Why it has to stay whole, if it does."""
    exact_for: str = ""
    """Why blocks have to divide it, if they do."""

    @property
    def tiles(self) -> int:
        """Its extent."""
        buffer, side = self.sides[0]
        return page_type(buffer).shape[side]

    def keep_whole(self, reason: str) -> None:
        """Not to be cut, for a reason."""
        self.cut = None
        self.whole_for = self.whole_for or reason

    def keep_exact(self, reason: str) -> None:
        """To be cut only into blocks that divide it, for a reason."""
        self.exact_for = self.exact_for or reason


@dataclass(frozen=True)
class PageAxes:
    """The axes of a template."""

    of: dict[Side, Axis]
    """The axis of every side."""
    axes: tuple[Axis, ...]
    """All axes, rows before columns as stores have them, then the others."""

    @staticmethod
    def of_program(program: ProgramOp, target: Target) -> PageAxes:
        """The axes of a template for a target."""
        return _Builder(program, target).result()

    def cut_by(self, loop: Cut) -> list[Axis]:
        """The axes that a loop cuts."""
        return [axis for axis in self.axes if axis.cut == loop]


################################################################################
# The sides of one page in its tensor                                          #
################################################################################


def transferred(stage: LoadOp | StoreOp, side: int) -> int:
    """The dimension of a tensor that the rows (0) or the columns (1) of a page go along."""
    rank = len(stage.address.data.results)
    swapped = isinstance(stage, LoadOp) and stage.transpose is not None
    return rank - 2 + (1 - side if swapped else side)


def is_named(stage: LoadOp | StoreOp, side: int) -> bool:
    """Whether the rows of a tensor along a side of its pages are those that an index names."""
    rank = len(stage.address.data.results)
    return stage.rows is not None and transferred(stage, side) == rank - 2


def step_of(stage: LoadOp | StoreOp, side: int) -> int:
    """The tiles of a tensor from one tile of a page to the next along a side."""
    if isinstance(stage, StoreOp) or stage.strides is None:
        return 1
    return stage.strides.get_values()[side]


def mark_of(stage: LoadOp | StoreOp, side: int) -> Literal["k", "h", "w"] | None:
    """The loop that an address says will cut a side of its page."""
    if is_named(stage, side):
        return None
    factors, _ = linear_form(stage.address.data.results[transferred(stage, side)])
    loops: tuple[Literal["k", "h", "w"], ...] = ("k", "h", "w")
    extent = _extent(stage, side)
    return next((loop for loop in loops if factors.get(dimension(loop)) == extent), None)


def unmarked(stage: LoadOp | StoreOp, side: int) -> AffineExpr:
    """The address along a side of a page without the mark of a loop."""
    expr = stage.address.data.results[transferred(stage, side)]
    loop: LoopName | None = mark_of(stage, side)
    return expr if loop is None else expr - dimension(loop) * _extent(stage, side)


def _extent(stage: LoadOp | StoreOp, side: int) -> int:
    """The tiles of a tensor from the start of a page along a side to that of the next."""
    return page_type(stage.buffer).shape[side] * step_of(stage, side)


################################################################################
# The axes                                                                     #
################################################################################


class _Builder:
    def __init__(self, program: ProgramOp, target: Target):
        self.program, self.target = program, target
        self.stages = program.stages
        self.transfers = [s for s in self.stages if isinstance(s, LoadOp | StoreOp)]
        self.parent: dict[Side, Side] = {}
        for buffer in program.buffers:
            for side in (0, 1):
                self.parent[buffer.buffer, side] = buffer.buffer, side
        for stage in self.stages:
            for one, other in _ties(stage):
                self.parent[self.root(one)] = self.root(other)

    def root(self, side: Side) -> Side:
        """The side that stands for all that are alike."""
        while self.parent[side] != side:
            self.parent[side] = side = self.parent[self.parent[side]]
        return side

    def result(self) -> PageAxes:
        """The axes with what can be done to them."""
        axes: dict[Side, Axis] = {}
        of: dict[Side, Axis] = {}
        for side in self.parent:
            axis = axes.setdefault(self.root(side), Axis())
            axis.sides.append(side)
            of[side] = axis
        self.find_reduced(of)
        self.find_marked(of)
        self.find_contracted(of)
        self.find_stored(of)
        order = [of[s.buffer, side] for side in (0, 1) for s in self.stores]
        return PageAxes(of, tuple(dict.fromkeys([*order, *axes.values()])))

    @property
    def stores(self) -> Iterator[StoreOp]:
        """The stages that store."""
        return (stage for stage in self.transfers if isinstance(stage, StoreOp))

    def find_reduced(self, of: dict[Side, Axis]) -> None:
        """What a stage sums, or finds the largest of, within a page."""
        for stage in self.stages:
            for side in _reduced(stage):
                of[side].keep_whole(f"{describe(stage)} goes over {_side_text(side)} in one page")
                of[side].keep_exact(f"{describe(stage)} would count what lies beyond the end")

    def find_marked(self, of: dict[Side, Axis]) -> None:
        """What addresses say is cut by a loop; `k` also if it is summed over, block by block."""
        contracted = {of[s.lhs, 1] for s in self.stages if isinstance(s, MatmulOp)}
        for stage in self.transfers:
            for side in (0, 1):
                axis, mark = of[stage.buffer, side], mark_of(stage, side)
                if mark is not None and (axis.cut is not None or mark == "k"):
                    axis.cut = mark
                if mark == "k" and axis not in contracted:
                    axis.keep_exact("the blocks would count what lies beyond the end")
                if self.goes_on(stage, side):
                    axis.keep_exact(
                        f"{value_name(stage.tensor)} has other elements behind the end of "
                        f"{value_name(stage.buffer)}"
                    )

    def find_contracted(self, of: dict[Side, Axis]) -> None:
        """What a product sums over, block by block."""
        for stage in self.stages:
            if not isinstance(stage, MatmulOp):
                continue
            axis = of[stage.lhs, 1]
            if axis in (of[stage.lhs, 0], of[stage.rhs, 1]):
                axis.keep_whole(f"{describe(stage)} sums over the rows or columns of its result")
                continue
            axis.cut = "k"
            for operand in (stage.lhs, stage.rhs):
                if not self.is_padded_with_zeros(operand):
                    axis.keep_exact(
                        f"{value_name(operand)} need not be zero beyond the end, so that "
                        f"{describe(stage)} would count what lies there"
                    )

    def find_stored(self, of: dict[Side, Axis]) -> None:
        """What items cannot cut since several would store the same, and what stores cannot clip."""
        loads = [stage for stage in self.transfers if isinstance(stage, LoadOp)]
        fed = Dataflow.of(self.program).fed_by(loads)
        for axis in dict.fromkeys(of.values()):
            if axis.tiles == 1:
                continue
            for store in self.stores:
                if axis in (of[store.buffer, 0], of[store.buffer, 1]):
                    if store not in fed:
                        axis.keep_exact(
                            f"no load feeds {describe(store)}, which could not leave out what "
                            "lies beyond the end"
                        )
                    if axis is of[store.buffer, 0] and not self.can_name_no_row(store):
                        axis.keep_exact(
                            f"{describe(store)} would write to what a made up index names, beyond "
                            "the end"
                        )
                elif axis.cut == "i":
                    axis.keep_whole(
                        f"{_side_text(axis.sides[0])} are no side of the pages that are stored to "
                        f"{value_name(store.tensor)}, which every block would store again"
                    )

    def is_padded_with_zeros(self, buffer: SSAValue) -> bool:
        """Whether what lies beyond the end of a page is zero, or can be."""
        for stage in self.transfers:
            if isinstance(stage, LoadOp) and stage.buffer is buffer:
                return stage.pad is None or stage.pad.value.data == 0
        return False

    def can_name_no_row(self, store: StoreOp) -> bool:
        """Whether the index of a scatter can be -1 beyond the end, if a store is one."""
        if store.rows is None or store.index is None:
            return True
        if element_name(page_type(store.index).element_type).startswith("ui"):
            return False
        return any(
            isinstance(stage, LoadOp)
            and stage.buffer is store.index
            and (stage.pad is None or stage.pad.value.data < 0)
            for stage in self.transfers
        )

    def goes_on(self, stage: LoadOp | StoreOp, side: int) -> bool:
        """Whether a tensor has other elements behind the end of a page."""
        if is_named(stage, side):
            return False
        dim = transferred(stage, side)
        size = tensor_type(stage.tensor).get_shape()[dim]
        extent, step = page_type(stage.buffer).shape[side], step_of(stage, side)
        if extent == 1 and size == 1:
            return False
        factors, start = linear_form(stage.address.data.results[dim])
        if set(factors) - {dimension(loop) for loop in PAGE_LOOPS}:
            return True
        end = start + (extent - 1) * step + 1
        return end * self.target.tile[dim - len(stage.address.data.results)] < size


def _ties(stage: StageOp) -> Iterable[tuple[Side, Side]]:
    """The sides of pages that a stage needs to be alike."""
    match stage:
        case LoadOp() | StoreOp():
            if stage.index is not None:
                for side in (0, 1):
                    if is_named(stage, side):
                        yield (stage.index, 1), (stage.buffer, side)
        case MatmulOp() | DotOp():
            turned = isinstance(stage, DotOp) and stage.transpose_b is not None
            inner, outer = (1, 0) if turned else (0, 1)
            yield (stage.lhs, 0), (stage.output, 0)
            yield (stage.rhs, outer), (stage.output, 1)
            yield (stage.lhs, 1), (stage.rhs, inner)
        case MapOp():
            kinds = broadcast_kinds(stage.broadcasts, len(stage.inputs))
            for value, kind in zip(stage.inputs, kinds, strict=True):
                if kind in (Broadcast.NONE, Broadcast.COLS):
                    yield (value, 0), (stage.output, 0)
                if kind in (Broadcast.NONE, Broadcast.ROWS):
                    yield (value, 1), (stage.output, 1)
        case ReduceOp():
            kept = 1 if stage.axis.data == PageAxis.ROWS else 0
            yield (stage.input, kept), (stage.output, kept)
        case AllReduceOp():
            for value in stage.inputs:
                for side in (0, 1):
                    yield (value, side), (stage.output, side)
        case _:
            pass


def _reduced(stage: StageOp) -> tuple[Side, ...]:
    """The sides of pages over which a stage sums, or finds the largest, within a page."""
    match stage:
        case DotOp():
            return ((stage.lhs, 1),)
        case ReduceOp():
            return ((stage.input, 0 if stage.axis.data == PageAxis.ROWS else 1),)
        case _:
            return ()


def _side_text(side: Side) -> str:
    return f"the {('rows', 'columns')[side[1]]} of {value_name(side[0])}"
