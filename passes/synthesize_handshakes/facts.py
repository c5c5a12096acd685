"""What all engines of a program share: its analyses, its semaphores, its machine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from xdsl.ir import SSAValue

from spatial_dialect.analysis.dataflow import Dataflow
from spatial_dialect.analysis.domains import BLOCKS, Domains
from spatial_dialect.analysis.levels import Level, Levels
from spatial_dialect.analysis.nests import Position
from spatial_dialect.analysis.ring_needs import RingNeeds
from spatial_dialect.dialects.choreo import SemaphoresOp
from spatial_dialect.dialects.spatial import (
    BufferOp,
    ComputeStageOp,
    MatmulOp,
    ProgramOp,
    StageOp,
)
from spatial_dialect.ir.loops import PAGE_LOOPS, LoopName
from spatial_dialect.ir.sites import Sites
from spatial_dialect.targets import Target


@dataclass(frozen=True)
class Facts:
    """A program as the synthesis sees it."""

    program: ProgramOp
    target: Target
    flow: Dataflow
    domains: Domains
    levels: Levels

    @cached_property
    def needs(self) -> RingNeeds:
        """The pages that rings must hold at once."""
        return RingNeeds(self.flow, self.domains, self.levels)

    def position(self, stage: StageOp) -> Position:
        """The loops a stage stands in, `k` even if it runs only once."""
        nest = self.domains.nest[stage]
        inner = self.domains.iterated(nest - BLOCKS)
        return ("k", *inner) if self.levels.of[stage] is Level.BLOCK else inner

    def position_in_block(self, stage: StageOp) -> Position:
        """The loops a stage stands in inside a K block, or before or after the blocks."""
        return self.domains.iterated(self.domains.nest[stage] - BLOCKS)

    def held_in(self, buffer: SSAValue) -> tuple[LoopName, ...]:
        """The loops that index the pages of a buffer, those of extent 1 left out."""
        return self.domains.iterated(self.domains.buffer[buffer])

    def is_per_block(self, buffer: SSAValue) -> bool:
        """Whether the pages of a buffer are made anew for every K block."""
        return "k" in self.domains.buffer[buffer]

    def pages_per_block(self, buffer: SSAValue) -> int:
        """Pages of a buffer per K block, or per item if the blocks do not index it."""
        return self.domains.pages(self.domains.buffer[buffer] - BLOCKS)

    def reads(self, stage: StageOp) -> tuple[SSAValue, ...]:
        """The buffers whose front page a stage reads, each once, in first-mention order."""
        return self.flow.reads[stage]

    @property
    def sub_blocks(self) -> Position:
        """The loops over the sub-blocks of an item."""
        return self.domains.iterated(name for name in PAGE_LOOPS if name != "k")


@dataclass(frozen=True)
class Site:
    """The stages of one site class, in rank order."""

    facts: Facts
    sites: Sites
    stages: tuple[StageOp, ...]

    def readers(self, buffer: SSAValue) -> Iterable[StageOp]:
        """The stages here that read a buffer."""
        here = set(self.stages)
        return (s for s in self.facts.flow.readers.get(buffer, ()) if s in here)

    def at(self, level: Level) -> list[StageOp]:
        """The stages here of one level, in rank order."""
        return [stage for stage in self.stages if self.facts.levels.of[stage] is level]


Semaphores = Mapping[SSAValue, SemaphoresOp]
"""The semaphores of each group in use."""


def buffer_op(buffer: SSAValue) -> BufferOp:
    """The op that declares a buffer."""
    owner = buffer.owner
    assert isinstance(owner, BufferOp)
    return owner


def depth(buffer: SSAValue) -> int:
    """Pages that a ring holds; the program is sized."""
    pages = buffer_op(buffer).pages
    assert pages is not None
    return pages


def root(buffer: SSAValue) -> SSAValue:
    """The buffer whose memory a buffer uses."""
    while (alias := buffer_op(buffer).alias) is not None:
        buffer = alias
    return buffer


def is_chain(stage: StageOp) -> bool:
    """Whether a stage computes one page from others without accumulating over the blocks."""
    return isinstance(stage, ComputeStageOp) and not isinstance(stage, MatmulOp)
