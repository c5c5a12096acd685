"""Where rings lie in the local memory of a site, and which may lie in the same place.

Two rings may share memory if one engine alone uses both, the compute engine, and it is done with
one before it begins with the other. It takes its stages in the order of their rank, in three parts:
before the K blocks, in them, after them. In one part, stages over the same loops share one nest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.ir import SSAValue

from spatial_dialect.analysis.costs import page_bytes
from spatial_dialect.analysis.dataflow import Dataflow
from spatial_dialect.analysis.domains import Domains, domains
from spatial_dialect.analysis.levels import Level, Levels, levels
from spatial_dialect.dialects.spatial import (
    BufferOp,
    ComputeStageOp,
    MatmulOp,
    ProgramOp,
    StageOp,
)
from spatial_dialect.ir.diagnostics import Findings, value_name
from spatial_dialect.targets import Target


def ring_bytes(buffer: BufferOp, target: Target) -> int:
    """The bytes of a ring that has a depth."""
    assert buffer.pages is not None
    return buffer.pages * page_bytes(buffer.page, target)


def root_of(buffer: BufferOp) -> BufferOp:
    """The buffer whose memory a buffer uses: its own, if it is no alias."""
    while buffer.alias is not None:
        owner = buffer.alias.owner
        assert isinstance(owner, BufferOp)
        buffer = owner
    return buffer


@dataclass(frozen=True)
class _Use:
    """When the compute engine uses a ring, if it alone does."""

    level: Level
    nest: tuple[str, ...]
    first: int
    last: int


@dataclass(frozen=True)
class LiveRanges:
    """When the rings of a program hold pages."""

    uses: Mapping[BufferOp, tuple[_Use, ...] | None]
    """By the buffer that owns the memory; None if it may be in use at any time."""

    @staticmethod
    def of(program: ProgramOp) -> LiveRanges:
        """The live ranges in a program of stages."""
        flow = Dataflow.of(program)
        found = domains(flow, program.loop_nest)
        order = levels(flow, found)
        rank = {stage: number for number, stage in enumerate(order.order)}
        roots: dict[BufferOp, list[SSAValue]] = {}
        for buffer in program.buffers:
            roots.setdefault(root_of(buffer), []).append(buffer.buffer)
        return LiveRanges(
            {root: _uses(values, flow, found, order, rank) for root, values in roots.items()}
        )

    def may_share(self, one: BufferOp, other: BufferOp) -> bool:
        """Whether two rings are never in use at the same time."""
        left, right = self.uses[root_of(one)], self.uses[root_of(other)]
        if left is None or right is None:
            return False
        return all(_apart(a, b) for a in left for b in right)


def _uses(
    values: list[SSAValue],
    flow: Dataflow,
    found: Domains,
    order: Levels,
    rank: Mapping[StageOp, int],
) -> tuple[_Use, ...] | None:
    """When a ring, or rings in the same memory, are in use."""
    uses: list[_Use] = []
    for value in values:
        if value in flow.updates:
            return None
        stages = (*flow.makers.get(value, ()), *flow.readers.get(value, ()))
        if not stages or any(
            not isinstance(stage, ComputeStageOp) or isinstance(stage, MatmulOp)
            for stage in stages
        ):
            return None
        parts = {order.of[stage] for stage in stages}
        nests = {found.iterated(found.nest[stage]) for stage in stages}
        if len(parts) > 1 or len(nests) > 1:
            return None
        ranks = [rank[stage] for stage in stages]
        uses.append(_Use(parts.pop(), nests.pop(), min(ranks), max(ranks)))
    return tuple(uses)


def _apart(one: _Use, other: _Use) -> bool:
    if one.level is not other.level:
        return True
    # In a nest of its own each, the nests of one part may be joined where their loops agree.
    return one.nest == other.nest and (one.last < other.first or other.last < one.first)


def check_addresses(program: ProgramOp, target: Target, findings: Findings) -> None:
    """Check that rings with addresses lie in local memory, and apart where they have to."""
    placed = [
        buffer
        for buffer in program.buffers
        if buffer.address is not None and buffer.pages is not None and buffer.alias is None
    ]
    if not placed:
        return
    for buffer in placed:
        start, end = span(buffer, target)
        if start % target.alignment:
            findings.error(
                buffer,
                f"{value_name(buffer.buffer)} has address {start}, but target '{target.name}' "
                f"moves pages from and to multiples of {target.alignment} bytes",
                hint=f"use a multiple of {target.alignment}",
            )
        if start < target.reserved_bytes or end > target.local_bytes:
            findings.error(
                buffer,
                f"{value_name(buffer.buffer)} takes bytes {start} to {end}, but buffers of target "
                f"'{target.name}' lie in {target.reserved_bytes} to {target.local_bytes}",
                hint="let size-buffers choose the addresses, or make smaller or fewer pages",
            )
    ranges = LiveRanges.of(program) if program.stages else None
    placed.sort(key=lambda buffer: span(buffer, target))
    for number, buffer in enumerate(placed):
        end = span(buffer, target)[1]
        for other in placed[number + 1 :]:
            start = span(other, target)[0]
            if start >= end:
                break
            if ranges is not None and not ranges.may_share(buffer, other):
                findings.error(
                    other,
                    f"{value_name(other.buffer)} starts at byte {start}, but "
                    f"{value_name(buffer.buffer)} ends at {end}, and both may hold pages at the "
                    "same time",
                    hint="move one of them, or let size-buffers choose the addresses",
                )


def span(buffer: BufferOp, target: Target) -> tuple[int, int]:
    """The first byte of a ring and the one behind its last."""
    assert buffer.address is not None
    start = buffer.address.value.data
    return start, start + ring_bytes(buffer, target)
