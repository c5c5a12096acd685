"""Frames of random programs, target, grid and loops, and the sets of sites and groups on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Literal, TypeAlias

from hypothesis import strategies as st

from .environment import Site

Along: TypeAlias = Literal["x", "y", "yx"]

SiteSet: TypeAlias = frozenset[Site]

_FACTS: dict[str, tuple[bool, int]] = {
    "wormhole": (True, 2),
    "blackhole": (True, 2),
    "hopper": (False, 2),
    "fabric": (False, 2),
    "reference": (True, 4),
}
"""Whether the packer accumulates, and the number of movement engines."""


@dataclass(frozen=True)
class Frame:
    """What all parts of a program share."""

    target: str
    rows: int
    cols: int
    items: int
    k: int
    h: int
    w: int
    trip: str | None
    """The run-time trip of `k`, as it is written after `spatial.trip k = `."""
    along: tuple[Along, ...]
    """The axes along which groups may go."""

    @property
    def packs(self) -> bool:
        """Whether the packer of the target can accumulate."""
        return _FACTS[self.target][0]

    @property
    def engines(self) -> int:
        """Movement engines of a site."""
        return _FACTS[self.target][1]

    @property
    def tile(self) -> int:
        """Rows, and columns, of a tile."""
        return 64 if self.target == "hopper" else 32

    @property
    def target_text(self) -> str:
        """The target as a program names it."""
        groups = ' {handshakes_remote = ["semaphore"]}'
        more = groups if self.target == "fabric" and self.along else ""
        return f'#spatial.target<"{self.target}"{more}>'

    @property
    def loops_text(self) -> str:
        """The loops as a program names them."""
        k = f"? max {self.k}" if self.trip else str(self.k)
        extents = {"i": self.items, "k": k, "h": self.h, "w": self.w}
        return ", ".join(f"{name} = {extent}" for name, extent in extents.items() if extent != 1)

    def extent(self, loop: str) -> int:
        """How often a loop runs at most."""
        return {"k": self.k, "h": self.h, "w": self.w}[loop]

    def iterated(self, domain: Iterable[str]) -> tuple[str, ...]:
        """The loops of a domain that are loops in code, outermost first."""
        names = set(domain)
        return tuple(
            n for n in "khw" if n in names and (self.extent(n) > 1 or (n == "k" and self.trip))
        )

    def is_prefix(self, domain: Iterable[str], nest: Iterable[str]) -> bool:
        """Whether pages of a domain can be held in a nest."""
        wanted = self.iterated(domain)
        return self.iterated(nest)[: len(wanted)] == wanted

    def closed(self, domain: frozenset[str], nest: Iterable[str]) -> frozenset[str]:
        """The domain closed upwards to what a nest needs."""
        if self.is_prefix(domain, nest):
            return domain
        around = self.iterated(nest)
        innermost = self.iterated(domain)[-1]
        return domain | frozenset(around[: around.index(innermost)])

    def pages(self, domain: Iterable[str]) -> int:
        """Pages of a stream in one K block, or outside of the blocks."""
        count = 1
        for name in set(domain) & {"h", "w"}:
            count *= self.extent(name)
        return count

    @property
    def grid(self) -> SiteSet:
        """All sites."""
        return frozenset(product(range(self.rows), range(self.cols)))

    def at(self, sites: SiteSet) -> str:
        """` at ...`, or nothing for the whole grid."""
        return "" if sites == self.grid else f" at {sites_text(sites)}"


def sites_text(sites: SiteSet) -> str:
    """A set of sites as rectangles, one for every run of columns."""
    runs: list[str] = []
    for y in sorted({y for y, _ in sites}):
        cols = sorted(x for row, x in sites if row == y)
        start = cols[0]
        for x, following in zip(cols, [*cols[1:], -1], strict=True):
            if following != x + 1:
                runs.append(f"[{y}, {start}]" if start == x else f"[{y}, {start}:{x + 1}]")
                start = following
    return " + ".join(runs)


_KS = (1, 2, 3, 4, 5, 7)


@st.composite
def frames(draw: st.DrawFn, *, matmul: bool = False) -> Frame:
    """Frames with few points in all; for a matmul no run-time trip comes with sub-blocks."""
    target = draw(st.sampled_from(tuple(_FACTS)))
    rows, cols = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    k = draw(st.sampled_from(_KS))
    h, w = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    items = draw(st.sampled_from((1, 1, 1, 1, 2)))
    trips = ("%n", "%lens[0, 0]", "%lens[y, 0]", "%lens[y, x]")
    trip = draw(st.sampled_from(trips)) if draw(st.integers(0, 3)) == 3 else None
    if matmul and trip:
        h = w = 1
    if rows * cols * k * h * w > 200:
        # Large in one way at a time.
        if draw(st.booleans()):
            rows, cols = min(rows, 2), 1
        else:
            k, h = min(k, 3), 1
    along: tuple[Along, ...] = ("x", "y", "yx")
    if trip == "%lens[y, 0]":
        along = ("x",)
    elif trip == "%lens[y, x]":
        along = ()
    if target == "fabric" and draw(st.booleans()):
        along = ()
    return Frame(target, rows, cols, items, k, h, w, trip, along)


def site_sets(frame: Frame) -> st.SearchStrategy[SiteSet]:
    """The whole grid, a row, a column, a site, an L, whatever is left without a site."""
    grid = frame.grid
    rows = [frozenset(s for s in grid if s[0] == y) for y in range(frame.rows)]
    cols = [frozenset(s for s in grid if s[1] == x) for x in range(frame.cols)]
    choices = [grid, *rows, *cols, *(row | col for row in rows for col in cols)]
    choices += [frozenset([site]) for site in sorted(grid)]
    choices += [grid - {site} for site in sorted(grid) if len(grid) > 1]
    return st.sampled_from(choices[:1] * (len(choices) // 2) + choices)


@dataclass(frozen=True)
class Hop:
    """One group: its senders, what it is written to reach, and what it reaches."""

    along: Along
    senders: SiteSet
    to: SiteSet

    @property
    def receivers(self) -> SiteSet:
        """The sites that receive."""
        return self.to - self.senders

    @property
    def text(self) -> str:
        """The group as a program writes it."""
        return (
            f"spatial.group from {sites_text(self.senders)} to {sites_text(self.to)} "
            f"along {self.along}"
        )


Route: TypeAlias = tuple[Hop, ...]
"""How a page gets from the sites that load it to others: one group, or one and a relay."""


def _rectangles(sites: SiteSet) -> Iterator[tuple[range, range]]:
    ys, xs = sorted({y for y, _ in sites}), sorted({x for _, x in sites})
    for y0, y1, x0, x1 in product(ys, ys, xs, xs):
        rows, cols = range(y0, y1 + 1), range(x0, x1 + 1)
        if rows and cols and len(rows) * len(cols) > 1 and sites.issuperset(product(rows, cols)):
            yield rows, cols


def _routes(frame: Frame, sites: SiteSet) -> Iterator[Route]:
    for rows, cols in _rectangles(sites):
        cells = frozenset(product(rows, cols))
        lines: tuple[tuple[Along, range, range, bool], ...] = (
            ("x", rows, cols, False),
            ("y", cols, rows, True),
        )
        for along, lanes, reach, turned in lines:
            if along not in frame.along or len(reach) < 2:
                continue

            def cell(lane: int, place: int, turned: bool = turned) -> Site:
                return (place, lane) if turned else (lane, place)

            for place in reach:
                senders = frozenset(cell(lane, place) for lane in lanes)
                yield (Hop(along, senders, cells),)
                if place in (reach[0], reach[-1]):
                    yield (Hop(along, senders, cells - senders),)
            if len(lanes) > 1:
                # A sender of another place in every lane.
                senders = frozenset(
                    cell(lane, reach[n % len(reach)]) for n, lane in enumerate(lanes)
                )
                yield (Hop(along, senders, cells),)
            # Senders beside the rectangle.
            for place in range(max(frame.rows, frame.cols)):
                senders = frozenset(cell(lane, place) for lane in lanes)
                if place not in reach and senders <= sites:
                    yield (Hop(along, senders, cells),)
            across: Along = "y" if along == "x" else "x"
            if across in frame.along and len(lanes) > 1:
                first = cell(lanes[0], reach[0])
                line = frozenset(cell(lanes[0], place) for place in reach[1:])
                rest = frozenset(product(lanes[1:], reach[1:]))
                rest = frozenset(cell(lane, place) for lane, place in rest)
                yield (Hop(along, frozenset([first]), line), Hop(across, line, rest))
        if "yx" in frame.along:
            for sender in sorted(sites):
                yield (Hop("yx", frozenset([sender]), cells),)


def routes(frame: Frame, sites: SiteSet) -> st.SearchStrategy[Route]:
    """Routes among some sites; none at all if there is no room or no group on the target."""
    found = list(dict.fromkeys(_routes(frame, sites))) if frame.along else []
    kinds = ([()], [r for r in found if len(r) == 1], [r for r in found if len(r) > 1])
    # Each kind is as likely as the others, however many routes it has.
    return st.one_of(*(st.sampled_from(kind) for kind in kinds if kind))
