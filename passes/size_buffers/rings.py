"""The rings of a program that own memory, with what is known about their depths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from spatial_dialect.analysis.costs import estimate, move_cycles, page_bytes
from spatial_dialect.analysis.dataflow import Dataflow
from spatial_dialect.analysis.domains import NOTHING, domains
from spatial_dialect.analysis.levels import levels
from spatial_dialect.analysis.live_ranges import LiveRanges, memory_of
from spatial_dialect.analysis.ring_needs import RingNeeds
from spatial_dialect.dialects.spatial import BufferOp, ProgramOp, StageOp
from spatial_dialect.ir.diagnostics import value_name
from spatial_dialect.targets import Target

Depths = Mapping["Ring", int]
"""A depth for each ring of a program."""


@dataclass(frozen=True, eq=False)
class Ring:
    """A ring that owns memory, with those that share it: all are equally deep."""

    members: tuple[BufferOp, ...]
    """The owner comes first."""

    page_bytes: int

    given: int | None
    """The depth that is asked for."""

    least: int
    """Pages that it cannot do without, whatever else is true."""

    most: int
    """Pages that are made for an item: to go on, it needs no more."""

    @property
    def owner(self) -> BufferOp:
        """The buffer that owns the memory."""
        return self.members[0]

    @property
    def name(self) -> str:
        """`%a`"""
        return value_name(self.owner.buffer)

    @property
    def address(self) -> int | None:
        """The first byte, if it is given."""
        given = (buffer.address for buffer in self.members)
        return next((address.value.data for address in given if address is not None), None)


@dataclass(frozen=True)
class Rings:
    """The rings of a program that own memory, in the order as written."""

    program: ProgramOp
    target: Target
    all: tuple[Ring, ...]
    flow: Dataflow
    pages: Mapping[Ring, int]
    """How many pages are made in all items of a site, the most if a trip tells."""

    @staticmethod
    def of(program: ProgramOp, asked: Mapping[str, int]) -> Rings:
        """The rings of a placed program.

        Args:
            program: a placed program that verifies.
            asked: depths by the names of buffers, for those that have none.
        """
        target = program.machine
        assert target is not None
        flow = Dataflow.of(program)
        found = domains(flow, program.loop_nest)
        needs = RingNeeds(flow, found, levels(flow, found))
        members: dict[BufferOp, list[BufferOp]] = {}
        for buffer in program.buffers:
            members.setdefault(memory_of(buffer), []).append(buffer)
        pages: dict[Ring, int] = {}
        for owner, buffers in members.items():
            values = [buffer.buffer for buffer in buffers]
            given = [buffer.pages or asked.get(buffer.buffer.name_hint or "") for buffer in buffers]
            least = max(map(needs.least, values))
            made = max(found.pages(found.buffer.get(value, NOTHING)) for value in values)
            ring = Ring(
                tuple(buffers),
                page_bytes(owner.page, target),
                next((depth for depth in given if depth is not None), None),
                least,
                max(least, made),
            )
            pages[ring] = made * program.loop_nest.i.size
        return Rings(program, target, tuple(pages), flow, pages)

    @cached_property
    def live_ranges(self) -> LiveRanges:
        """When the rings hold pages."""
        return LiveRanges.of(self.program)

    def depths(self, free: int | None = None) -> dict[Ring, int]:
        """The depths that are given, and for the other rings one depth or the least of each."""
        return {ring: ring.given or free or ring.least for ring in self.all}

    @cached_property
    def hidden(self) -> Mapping[Ring, float]:
        """What a second page hides, in cycles per item, for rings that more than a page goes by.

        With one page, one engine waits while another fills or drains it.
        """
        moving, computing = move_cycles(self.program), estimate(self.program).compute_cycles

        def cycles(stages: Sequence[StageOp]) -> float:
            return max((moving.get(stage, computing) for stage in stages), default=0.0)

        result: dict[Ring, float] = {}
        for ring in self.all:
            result[ring] = 0.0
            for buffer in ring.members:
                makers = self.flow.makers.get(buffer.buffer, ())
                readers = self.flow.readers.get(buffer.buffer, ())
                engines = {stage.engine_attr for stage in (*makers, *readers)}
                if len(engines) > 1 and self.pages[ring] > 1:
                    result[ring] = max(result[ring], min(cycles(makers), cycles(readers)))
        return result
