"""A template, and what it becomes if it is cut in a given way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import TypeAlias

from xdsl.ir import SSAValue

from spatial_dialect.analysis.page_axes import Axis, PageAxes
from spatial_dialect.dialects.spatial import ComputeStageOp, MatmulOp, ProgramOp, TripOp
from spatial_dialect.ir.attributes import Spill
from spatial_dialect.ir.loops import Extent, Loops
from spatial_dialect.ir.types import element_bits
from spatial_dialect.targets import Target

Shape: TypeAlias = tuple[int, int]
"""Rows and columns, in tiles."""


@dataclass(frozen=True)
class Choice:
    """How a template is cut."""

    blocks: Mapping[Axis, int]
    """The block of each axis, in tiles; an axis that is not named stays whole."""
    subs: Mapping[Axis, int]
    """The sub-block of the rows and the columns of a matmul, where `h` and `w` go over them."""
    spill: Spill | None
    """How partial sums leave the accumulators, if they do."""

    def block(self, axis: Axis) -> int:
        """The tiles of an axis that a block has."""
        return self.blocks.get(axis, axis.tiles)

    def count(self, axis: Axis) -> int:
        """How many blocks an axis has."""
        return -(-axis.tiles // self.block(axis))

    def hangs_over(self, axis: Axis) -> bool:
        """Whether the last block of an axis goes beyond its end."""
        return axis.tiles % self.block(axis) != 0


@dataclass(frozen=True)
class Template:
    """A template, with what can be done to it."""

    program: ProgramOp
    target: Target
    axes: PageAxes
    matmuls: tuple[MatmulOp, ...]
    operands: frozenset[SSAValue]
    """The factors of matmuls, and what they are made of: their pages hold whole blocks."""
    sub_axes: Mapping[str, Axis]
    """The rows (`h`) and the columns (`w`) of the results of matmuls, where they can be cut."""

    @staticmethod
    def of(program: ProgramOp, target: Target) -> Template:
        """A template for a target."""
        axes = PageAxes.of_program(program, target)
        matmuls = tuple(stage for stage in program.stages if isinstance(stage, MatmulOp))
        operands = {value for stage in matmuls for value in (stage.lhs, stage.rhs)}
        for stage in reversed(program.stages):
            if isinstance(stage, ComputeStageOp) and stage.page_write in operands:
                operands.update(stage.page_reads)
        sub_axes: dict[str, Axis] = {}
        for side, loop in enumerate(("h", "w")):
            results = {axes.of[stage.output, side] for stage in matmuls}
            marked = any(axis.cut == loop for axis in axes.axes)
            if len(results) == 1 and not marked:
                (axis,) = results
                if axis.cut == "i" and axis not in sub_axes.values():
                    sub_axes[loop] = axis
        return Template(program, target, axes, matmuls, frozenset(operands), sub_axes)

    @property
    def name(self) -> str:
        """The name of the program."""
        return f"@{self.program.sym_name.data}"

    @property
    def at_run_time(self) -> bool:
        """Whether the number of K blocks is known at run time only."""
        return self.program.loop_nest.k.at_run_time

    @property
    def trip_axis(self) -> Axis | None:
        """The axis of which a run-time trip counts the tiles."""
        axes = self.axes.cut_by("k") if self.at_run_time else []
        return max(axes, key=lambda axis: axis.tiles, default=None)

    @property
    def trip_is_read(self) -> bool:
        """Whether a run-time trip is an element of a tensor, which only the program sees."""
        trips = (op for op in self.program.body.block.ops if isinstance(op, TripOp))
        return any(trip.address is not None for trip in trips)

    def room(self, stage: ComputeStageOp) -> int:
        """The tiles that a stage can make at a time."""
        wide = element_bits(stage.accumulator_type) > 16
        return self.target.acc_tiles_32 if wide else self.target.acc_tiles_16

    def loops(self, choice: Choice) -> Loops:
        """The loops of the tiled program."""
        nest = self.program.loop_nest
        items = nest.i.size * prod(choice.count(axis) for axis in self.axes.cut_by("i"))
        k = max((choice.count(axis) for axis in self.axes.cut_by("k")), default=1)
        if self.trip_axis is not None:
            k = -(-nest.k.size // choice.block(self.trip_axis))
        h = max((choice.count(axis) for axis in self.axes.cut_by("h")), default=1)
        w = max((choice.count(axis) for axis in self.axes.cut_by("w")), default=1)
        for axis, sub in choice.subs.items():
            if axis is self.sub_axes.get("h"):
                h = choice.block(axis) // sub
            else:
                w = choice.block(axis) // sub
        return Loops(Extent(items), Extent(k, self.at_run_time), Extent(h), Extent(w))

    def side(self, buffer: SSAValue, side: int, choice: Choice) -> int:
        """The extent of a side of a page, in tiles."""
        axis = self.axes.of[buffer, side]
        if axis in choice.subs and buffer not in self.operands:
            return choice.subs[axis]
        return choice.block(axis)

    def shape(self, buffer: SSAValue, choice: Choice) -> Shape:
        """The pages of a buffer."""
        return self.side(buffer, 0, choice), self.side(buffer, 1, choice)

    def shapes(self, choice: Choice) -> dict[SSAValue, Shape]:
        """The pages of all buffers."""
        return {b.buffer: self.shape(b.buffer, choice) for b in self.program.buffers}
