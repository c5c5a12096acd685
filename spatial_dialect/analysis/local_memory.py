"""Where rings lie in local memory: inside it, aligned, and apart where they must be."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush

from spatial_dialect.analysis.costs import page_bytes
from spatial_dialect.analysis.live_ranges import LiveRanges, Lives
from spatial_dialect.dialects.spatial import BufferOp, ProgramOp
from spatial_dialect.ir.diagnostics import Findings, value_name
from spatial_dialect.targets import Target


@dataclass(frozen=True, slots=True)
class Region:
    """The bytes of a ring, from the first to the one behind the last."""

    start: int
    end: int
    owner: BufferOp
    """The buffer that owns the memory."""

    @property
    def key(self) -> tuple[int, int]:
        """By what regions are sorted."""
        return self.start, self.end

    def meets(self, other: Region) -> bool:
        """Whether two regions have bytes in common."""
        return self.start < other.end and other.start < self.end


def regions(program: ProgramOp, target: Target) -> tuple[Region, ...]:
    """The memory of the rings that have a depth and an address, in the order as written."""
    return tuple(
        Region(start, start + buffer.pages * page_bytes(buffer.page, target), buffer)
        for buffer in program.buffers
        if buffer.alias is None and buffer.pages is not None and buffer.address is not None
        for start in (buffer.address.value.data,)
    )


def check_local_memory(program: ProgramOp, target: Target, findings: Findings) -> None:
    """Rings with addresses lie in local memory, and apart unless they hold pages by turns.

    Args:
        program: a program that is right in every other way.
        target: its machine.
        findings: where to tell.
    """
    placed = regions(program, target)
    for region in placed:
        _check_place(region, target, findings)
    if not any(True for _ in _meeting(placed)):
        return
    ranges = LiveRanges.of(program)
    if not ranges.known:
        findings.warning(
            program,
            f"@{program.sym_name.data} has rings in the same memory and engines with jumps: "
            "whether the rings hold pages at the same time is not checked",
        )
    told: set[tuple[BufferOp, BufferOp]] = set()
    for one, other in _clashes(placed, ranges):
        if (one.owner, other.owner) in told:
            continue
        told.add((one.owner, other.owner))
        findings.error(
            other.owner,
            f"{value_name(other.owner.buffer)} is in bytes {other.start} to {other.end}, but "
            f"{value_name(one.owner.buffer)} is in {one.start} to {one.end}, and both may hold "
            "pages at the same time",
            hint="move one of them, or let size-buffers choose the addresses",
        )


def _check_place(region: Region, target: Target, findings: Findings) -> None:
    name = value_name(region.owner.buffer)
    if region.start % target.alignment:
        findings.error(
            region.owner,
            f"{name} has address {region.start}, but rings of target '{target.name}' begin at "
            f"multiples of {target.alignment} bytes",
            hint=f"use {region.start - region.start % target.alignment}, or let size-buffers "
            "choose the address",
        )
    if region.start < target.reserved_bytes or region.end > target.local_bytes:
        findings.error(
            region.owner,
            f"{name} is in bytes {region.start} to {region.end}, but target '{target.name}' has "
            f"{target.reserved_bytes} to {target.local_bytes} for buffers",
            hint="let size-buffers choose the address, or make smaller or fewer pages",
        )


def _meeting(placed: Iterable[Region]) -> Iterator[tuple[Region, Region]]:
    """Regions that have bytes in common, each with one that starts no later."""
    reaching: Region | None = None
    for region in sorted(placed, key=lambda region: region.key):
        if reaching is not None and reaching.meets(region):
            yield reaching, region
        if reaching is None or region.end > reaching.end:
            reaching = region


def _clashes(placed: Iterable[Region], ranges: LiveRanges) -> Iterator[tuple[Region, Region]]:
    """Regions that have bytes in common while both may hold pages, some pair for each such place.

    The first of each pair starts no later than the second.
    """
    always = [region for region in placed if region.owner in ranges.always]
    yield from _meeting(always)
    others = {region.owner: region for region in placed if region.owner not in ranges.always}
    for lives in ranges.engines:
        yield from _clashes_in(lives, others, always)


def _clashes_in(
    lives: Lives, others: dict[BufferOp, Region], always: list[Region]
) -> Iterator[tuple[Region, Region]]:
    """The clashes in the code of one engine, found by going through it."""
    active = sorted(always, key=lambda region: region.key)
    ending: list[tuple[int, int, Region]] = []
    starts = sorted(
        (span.first, span.last, number, others[owner])
        for number, (owner, spans) in enumerate(lives.items())
        if owner in others
        for span in spans
    )
    for first, last, number, region in starts:
        while ending and ending[0][0] < first:
            active.remove(heappop(ending)[2])
        at = bisect_left(active, region.key, key=lambda region: region.key)
        # Those that are active are apart if nothing is wrong, so that only neighbours can be met.
        for other in (*active[max(0, at - 1) : at], *active[at : at + 1]):
            if other.meets(region):
                yield (other, region) if other.key <= region.key else (region, other)
        insort(active, region, key=lambda region: region.key)
        heappush(ending, (last, number, region))
