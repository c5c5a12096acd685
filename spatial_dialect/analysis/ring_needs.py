"""How many pages rings must hold at once for what their stages do with them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from xdsl.ir import SSAValue

from spatial_dialect.analysis.dataflow import Dataflow
from spatial_dialect.analysis.domains import BLOCKS, NOTHING, SUB_BLOCKS, Domains
from spatial_dialect.analysis.levels import Level, Levels
from spatial_dialect.dialects.spatial import MatmulOp, StageOp


@dataclass(frozen=True)
class RingNeeds:
    """The pages that wait in the rings of a program at the same time."""

    flow: Dataflow
    domains: Domains
    levels: Levels

    @cached_property
    def spills(self) -> frozenset[SSAValue]:
        """The rings of partial sums that wait for the next K block."""
        if self.domains.loops.k.is_one:
            return frozenset()
        matmuls = (stage for stage in self.flow.stages if isinstance(stage, MatmulOp))
        return frozenset(matmul.spill for matmul in matmuls if matmul.spill is not None)

    @property
    def spilled(self) -> int:
        """Pages of the partial sums of a matmul between two K blocks: one per sub-block."""
        return self.domains.pages(SUB_BLOCKS)

    def carried(self, carry: SSAValue) -> int:
        """Pages of a carry from block to block."""
        return self.domains.pages(self.domains.buffer.get(carry, NOTHING) - BLOCKS)

    def waiting(self, buffer: SSAValue) -> tuple[StageOp, StageOp] | None:
        """Who makes the pages of a ring before the K blocks, and who takes them later, if any."""
        of = self.levels.of
        if self.flow.is_carry(buffer):
            return None
        return next(
            (
                (maker, reader)
                for reader in self.flow.readers.get(buffer, ())
                if of[reader] is not Level.BEFORE
                for maker in self.flow.makers_for(reader, buffer)
                if of[maker] is Level.BEFORE
            ),
            None,
        )

    def least(self, buffer: SSAValue) -> int:
        """The pages below which no choreography of the program can do with."""
        if self.flow.is_carry(buffer):
            # The old page is read while the new one is made.
            return self.carried(buffer) + 1
        if buffer in self.spills:
            return self.spilled
        if self.waiting(buffer) is not None:
            return self.domains.pages(self.domains.buffer[buffer])
        return 1
