"""A scheduled program made ready for runs on numpy pages: what all of them have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Operation, SSAValue

from spatial_dialect.dialects import choreo
from spatial_dialect.dialects.spatial import ProgramOp, page_type
from spatial_dialect.ir.diagnostics import describe
from spatial_dialect.ir.sites import Sites
from spatial_dialect.machine.arguments import checked_arguments
from spatial_dialect.machine.code import Act, Instruction, Numbering, compiled
from spatial_dialect.machine.elements import Array
from spatial_dialect.machine.kernels import (
    Kernel,
    SubBlock,
    clipped_writes,
    kernel,
    moves_together,
    never_filled,
    packed_size,
)
from spatial_dialect.machine.layout import Layout, classes, full
from spatial_dialect.machine.schedules import Schedule
from spatial_dialect.machine.transfers import Transfer


class RunError(ValueError):
    """Something at run time that no run can go on from, such as a page outside of a tensor."""


MOST_PARTS = 64
"""So many sets of sites are kept apart before every site moves on its own."""


@dataclass(frozen=True)
class Move:
    """What is common to all executions of a read or a write."""

    transfer: Transfer
    tensor: SSAValue


class Prepared:
    """What does not change from run to run."""

    def __init__(self, program: ProgramOp, arguments: Mapping[str, Array | int]):
        self.program = program
        self.name = f"@{program.sym_name.data}"
        if program.stages or not any(
            isinstance(op, choreo.EngineOp) for op in program.body.block.ops
        ):
            raise RunError(f"{self.name} has no engines: synthesize-handshakes makes them")
        machine = program.machine
        if machine is None or program.grid is None:
            missing = "target" if machine is None else "grid"
            raise RunError(f"{self.name} has no {missing}, without which it cannot run")
        self.tile = machine.tile
        self.numbering = Numbering(program)
        for ring in self.numbering.rings:
            if not ring.depth:
                raise RunError(
                    f"{self.name}: {ring.name} has no depth, without which it cannot run"
                )
        self.codes = [compiled(engine, self.numbering) for engine in self.numbering.engines]
        read: set[SSAValue] = set()
        self.written: set[SSAValue] = set()
        for code in self.codes:
            for instruction in code.instructions:
                op = instruction.op
                if instruction.act == Act.READ:
                    assert isinstance(op, choreo.ReadTilesOp)
                    read.add(op.tensor)
                elif instruction.act == Act.WRITE:
                    assert isinstance(op, choreo.WriteTilesOp)
                    self.written.add(op.tensor)
                elif instruction.act == Act.TRIP:
                    assert isinstance(op, choreo.TripOp)
                    read.add(op.count)
        try:
            self.given = checked_arguments(program, arguments, read)
        except ValueError as error:
            raise RunError(str(error)) from error
        self.indices = {v: a for v, a in self.given.items() if isinstance(v.type, IndexType)}
        self.clipped = clipped_writes(self.codes)
        self.empty = [never_filled(page_type(r.op.buffer), self.tile) for r in self.numbering.rings]
        self._moves: dict[Instruction, Move] = {}
        self._kernels: dict[Instruction, Kernel] = {}
        self._sub_blocks: dict[Instruction, SubBlock | None] = {}

    def layout(self, schedule: Schedule, apart: list[Sites]) -> Layout:
        """The cells of a run."""
        if schedule.lands_at_once and len(apart) <= MOST_PARTS:
            found = classes(self.numbering, apart)
            assert found.sites is not None
            if all(
                moves_together(self.codes[engine], area.y1 - area.y0 > 1, area.x1 - area.x0 > 1)
                for sites, engines in zip(found.sites, found.engines, strict=True)
                for area in (sites.bounding,)
                for engine in engines
            ):
                return found
        return full(self.numbering)

    def where(self, op: Operation) -> str:
        """An op, for messages."""
        engine = op.parent_op()
        while engine is not None and not isinstance(engine, choreo.EngineOp):
            engine = engine.parent_op()
        symbol = "" if engine is None else f" of @{engine.sym_name.data}"
        stage = op.stage if isinstance(op, choreo.ChoreoOp) else None
        made_for = "" if stage is None else f" for @{stage.root_reference.data}"
        return f"{self.name}: {describe(op)}{symbol}{made_for}"

    def move(self, instruction: Instruction) -> Move:
        """The transfer of a read or a write."""
        found = self._moves.get(instruction)
        if found is None:
            op = instruction.op
            assert isinstance(op, choreo.ReadTilesOp | choreo.WriteTilesOp)
            if isinstance(op, choreo.ReadTilesOp):
                clips = op.pad is not None
                if op.transpose is not None and self.tile[0] != self.tile[1]:
                    raise RunError(
                        f"{self.where(op)} transposes, but tiles of {self.tile[0]}x{self.tile[1]} "
                        "are not square"
                    )
            else:
                clips = instruction in self.clipped
            found = Move(Transfer(op, self.tile, clips), op.tensor)
            self._moves[instruction] = found
        return found

    def kernel(self, instruction: Instruction) -> Kernel:
        """What a compute op other than a matmul does."""
        found = self._kernels.get(instruction)
        if found is None:
            op = instruction.op
            try:
                found = kernel(op, self.tile, self.indices, self.where(op))
            except ValueError as error:
                raise RunError(str(error)) from error
            self._kernels[instruction] = found
        return found

    def sub_block(self, instruction: Instruction) -> SubBlock | None:
        """The size of the sub-block that a matmul takes, if it does not take whole pages."""
        if instruction not in self._sub_blocks:
            op = instruction.op
            assert isinstance(op, choreo.MatmulOp)
            size = SubBlock(*packed_size(op.acc, self.tile)) if instruction.sources else None
            self._sub_blocks[instruction] = size
        return self._sub_blocks[instruction]
