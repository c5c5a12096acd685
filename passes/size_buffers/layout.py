"""Where the rings of a program go in local memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from spatial_dialect.targets import Target

from .rings import Depths, Ring, Rings

Bytes: TypeAlias = tuple[int, int]
"""A stretch of memory: the first byte, and the one behind the last."""


@dataclass(frozen=True)
class Layout:
    """An address for every ring."""

    target: Target
    addresses: Mapping[Ring, int]
    end: int
    """The byte behind the last that is used."""

    @property
    def total(self) -> int:
        """The bytes that are needed, gaps between rings included."""
        return self.end - self.target.reserved_bytes

    @property
    def left(self) -> int:
        """The bytes that are free behind all rings; negative if they do not fit."""
        return self.target.local_bytes - self.end


def laid_out(rings: Rings, depths: Depths) -> Layout:
    """The layout for some depths, as if memory had no end.

    Rings that may hold pages at any time come first, in the order as written. Those that only the
    compute engine uses follow, the largest first, where they fit best among those that they meet.
    """
    target, ranges = rings.target, rings.live_ranges
    addresses: dict[Ring, int] = {}
    always: list[Bytes] = []
    taken: defaultdict[int, list[Bytes]] = defaultdict(list)
    """By steps of the compute engine, what its own rings take."""

    def steps(ring: Ring) -> Iterable[int]:
        for lives in ranges.engines:
            for span in lives.get(ring.owner, ()):
                yield from range(span.first, span.last + 1)

    def put(ring: Ring, start: int) -> None:
        addresses[ring] = start
        place = start, start + depths[ring] * ring.page_bytes
        if ring.owner in ranges.always:
            always[:] = _merged((*always, place))
        for step in steps(ring):
            taken[step].append(place)

    def find(ring: Ring, occupied: Iterable[Bytes]) -> int:
        return _best_fit(depths[ring] * ring.page_bytes, _merged(occupied), target)

    for ring in rings.all:
        if ring.address is not None:
            put(ring, ring.address)
    own = _merged(place for places in taken.values() for place in places)
    waiting = [ring for ring in rings.all if ring not in addresses]
    for ring in waiting:
        if ring.owner in ranges.always:
            put(ring, find(ring, (*always, *own)))
    waiting = [ring for ring in waiting if ring not in addresses]
    for ring in sorted(waiting, key=lambda ring: -depths[ring] * ring.page_bytes):
        put(ring, find(ring, (*always, *(place for step in steps(ring) for place in taken[step]))))
    end = max(
        (start + depths[ring] * ring.page_bytes for ring, start in addresses.items()),
        default=target.reserved_bytes,
    )
    return Layout(target, addresses, end)


def _merged(places: Iterable[Bytes]) -> list[Bytes]:
    """The same bytes in order, and as few stretches as possible."""
    result: list[Bytes] = []
    for start, end in sorted(places):
        if result and start <= result[-1][1]:
            result[-1] = result[-1][0], max(end, result[-1][1])
        else:
            result.append((start, end))
    return result


def _best_fit(size: int, taken: Iterable[Bytes], target: Target) -> int:
    """The start of the smallest gap that is large enough, the first of several, or the end."""
    best: tuple[int, int] | None = None
    at = target.reserved_bytes
    for start, end in taken:
        first = _aligned(at, target.alignment)
        if first + size <= start and (best is None or start - at < best[0]):
            best = start - at, first
        at = max(at, end)
    return _aligned(at, target.alignment) if best is None else best[1]


def _aligned(address: int, alignment: int) -> int:
    return -(-address // alignment) * alignment
