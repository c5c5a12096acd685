"""The rows and columns of all pages of a template, put together where stages tie them.

Two sides of pages are one *axis* if a stage needs them to be alike: the rows of the operands and of
the result of a map, the columns of the left and the rows of the right factor of a product. An axis
is what can be cut: all its pages at once, into blocks.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr

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
from spatial_dialect.ir.loops import PAGE_LOOPS, LoopName
from spatial_dialect.targets import Target

Side: TypeAlias = tuple[SSAValue, int]
"""The rows (0) or the columns (1) of the pages of a buffer."""

Cut: TypeAlias = Literal["items", "k", "h", "w", "whole"]
"""What an axis can be cut by: the items of the program, a loop of an item, or nothing."""


@dataclass(eq=False)
class Axis:
    """Sides of pages that are alike."""

    sides: list[Side] = field(default_factory=list[Side])
    cut: Cut = "items"
    exact: bool = False
    """Whether blocks have to divide it: what lies beyond its end would count."""
    contracted_by: MatmulOp | None = None
    """The product that sums over it block by block."""

    @property
    def tiles(self) -> int:
        """Its extent."""
        buffer, side = self.sides[0]
        return page_type(buffer).shape[side]


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


def transferred(stage: LoadOp | StoreOp, side: int) -> int:
    """The dimension of a tensor that the rows (0) or the columns (1) of a page go along."""
    rank = len(stage.address.data.results)
    swapped = isinstance(stage, LoadOp) and stage.transpose is not None
    return rank - 2 + (1 - side if swapped else side)


def is_named(stage: LoadOp | StoreOp, side: int) -> bool:
    """Whether the rows of a tensor along a side of its pages are those that an index names."""
    rank = len(stage.address.data.results)
    return stage.rows is not None and transferred(stage, side) == rank - 2


def mark_of(stage: LoadOp | StoreOp, side: int) -> Literal["k", "h", "w"] | None:
    """The loop that an address says will cut a side of its page."""
    extent = page_type(stage.buffer).shape[side]
    factors, _ = linear_form(stage.address.data.results[transferred(stage, side)])
    loops: tuple[Literal["k", "h", "w"], ...] = ("k", "h", "w")
    return next((loop for loop in loops if factors.get(dimension(loop)) == extent), None)


class _Builder:
    def __init__(self, program: ProgramOp, target: Target):
        self.program, self.target = program, target
        self.parent: dict[Side, Side] = {}
        for buffer in program.buffers:
            for side in (0, 1):
                self.parent[buffer.buffer, side] = buffer.buffer, side
        for stage in program.stages:
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
        for stage in self.program.stages:
            for side in _reduced(stage):
                of[side].cut = "whole"
        for stage in self.program.stages:
            if isinstance(stage, MatmulOp):
                axis = of[stage.lhs, 1]
                axis.cut, axis.contracted_by = "k", stage
                axis.exact = not all(self.is_loaded(b) for b in (stage.lhs, stage.rhs))
        for stage in self.program.stages:
            if isinstance(stage, LoadOp | StoreOp):
                for side in (0, 1):
                    axis = of[stage.buffer, side]
                    if (loop := mark_of(stage, side)) is not None and axis.contracted_by is None:
                        axis.cut = loop
                        axis.exact |= loop == "k"
                    axis.exact |= self.goes_on(stage, side)
        order = [
            of[stage.buffer, side]
            for side in (0, 1)
            for stage in self.program.stages
            if isinstance(stage, StoreOp)
        ]
        return PageAxes(of, tuple(dict.fromkeys([*order, *axes.values()])))

    def is_loaded(self, buffer: SSAValue) -> bool:
        """Whether pages come as they are from a load."""
        return any(isinstance(s, LoadOp) and s.buffer is buffer for s in self.program.stages)

    def goes_on(self, stage: LoadOp | StoreOp, side: int) -> bool:
        """Whether a tensor has other elements behind the end of a page."""
        if is_named(stage, side):
            return False
        dim = transferred(stage, side)
        extent = page_type(stage.buffer).shape[side]
        if extent == 1 and tensor_type(stage.tensor).get_shape()[dim] == 1:
            return False
        factors, start = linear_form(stage.address.data.results[dim])
        marks = {dimension(loop) for loop in PAGE_LOOPS}
        if set(factors) - marks:
            return True
        tile = self.target.tile[dim - len(stage.address.data.results)]
        return (start + extent) * tile < tensor_type(stage.tensor).get_shape()[dim]


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
            if isinstance(stage, MatmulOp) and stage.spill is not None:
                yield from _alike(stage.spill, stage.output)
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
                yield from _alike(value, stage.output)
        case _:
            pass


def _alike(one: SSAValue, other: SSAValue) -> Iterable[tuple[Side, Side]]:
    for side in (0, 1):
        yield (one, side), (other, side)


def _reduced(stage: StageOp) -> tuple[Side, ...]:
    """The sides of pages over which a stage sums, or finds the largest, within a page."""
    match stage:
        case DotOp():
            return ((stage.lhs, 1),)
        case ReduceOp():
            return ((stage.input, 0 if stage.axis.data == PageAxis.ROWS else 1),)
        case _:
            return ()


def shifted(expr: AffineExpr, extent: int, loop: LoopName | None) -> AffineExpr:
    """An address without the mark of a loop."""
    return expr if loop is None else expr - dimension(loop) * extent
