"""The places of a run: cells, each standing for some sites, and who sends to whom among them.

A run is of cells, not of sites. `full` has a cell for each site. `reduced` is what a proof runs:
the axes are cut at every bound of the sites of engines and groups, and what lies between two cuts
is represented by two coordinates, the second of which stands for all but one, or by one coordinate
if no group goes along that axis. `classes` has a cell for each class of sites that do the same with
partners that do the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from spatial_dialect.analysis.site_classes import GroupSites, site_classes
from spatial_dialect.dialects.spatial import GroupOp
from spatial_dialect.ir.multicast import Along
from spatial_dialect.ir.sites import Rect, Sites
from spatial_dialect.machine.code import Numbering


@dataclass(frozen=True, slots=True)
class Span:
    """A coordinate of a reduced axis: the index it has itself, and all those it stands for."""

    index: int
    low: int
    high: int
    """Exclusive."""

    @property
    def count(self) -> int:
        """How many coordinates it stands for."""
        return self.high - self.low

    def __str__(self) -> str:
        return str(self.low) if self.count == 1 else f"{self.low}:{self.high}"


@dataclass(frozen=True, slots=True)
class Cell:
    """A place that has engines, rings and semaphores of its own."""

    y: Span
    x: Span

    @property
    def site(self) -> tuple[int, int]:
        """The site that is run."""
        return self.y.index, self.x.index

    def __str__(self) -> str:
        return f"[{self.y}, {self.x}]"


@dataclass(frozen=True, slots=True)
class Links:
    """A family of groups, cell by cell."""

    receivers: Mapping[int, tuple[int, ...]]
    """Of each sender."""
    sender: Mapping[int, int]
    """Of each receiver."""
    weight: Mapping[int, int]
    """How many receivers of its sender a receiver stands for."""


@dataclass(frozen=True)
class Layout:
    """Cells, the engine ops of each, and the links of each family of groups."""

    cells: tuple[Cell, ...]
    engines: tuple[tuple[int, ...], ...]
    """By cell: numbers of engine ops."""
    links: tuple[Links, ...]
    """By the number of the group."""
    sites: tuple[Sites, ...] | None = None
    """By cell: the sites of a class, if cells are classes."""

    def components(self, *, placed: bool = False) -> tuple[Layout, ...]:
        """The parts that never meet, without those that are like another one.

        Parts without engines are left out.

        Args:
            placed: whether it matters where parts are.
        """
        parent = list(range(len(self.cells)))

        def root(cell: int) -> int:
            while parent[cell] != cell:
                parent[cell] = parent[parent[cell]]
                cell = parent[cell]
            return cell

        for links in self.links:
            for receiver, sender in links.sender.items():
                parent[root(receiver)] = root(sender)
        members: defaultdict[int, list[int]] = defaultdict(list)
        for cell in range(len(self.cells)):
            members[root(cell)].append(cell)
        found: dict[object, Layout] = {}
        for cells in members.values():
            if not any(self.engines[cell] for cell in cells):
                continue
            part = self._part(cells)
            signature = (
                part.cells if placed else None,
                part.engines,
                tuple(
                    (
                        tuple(sorted(links.receivers.items())),
                        tuple(sorted(links.weight.items())),
                    )
                    for links in part.links
                ),
            )
            found.setdefault(signature, part)
        return tuple(found.values())

    def _part(self, cells: Sequence[int]) -> Layout:
        new = {cell: number for number, cell in enumerate(cells)}
        return Layout(
            tuple(self.cells[cell] for cell in cells),
            tuple(self.engines[cell] for cell in cells),
            tuple(
                Links(
                    {
                        new[sender]: tuple(new[receiver] for receiver in receivers)
                        for sender, receivers in links.receivers.items()
                        if sender in new
                    },
                    {new[r]: new[sender] for r, sender in links.sender.items() if r in new},
                    {new[r]: weight for r, weight in links.weight.items() if r in new},
                )
                for links in self.links
            ),
            None if self.sites is None else tuple(self.sites[cell] for cell in cells),
        )


class TooLarge(Exception):
    """The sets of sites of a program are so ragged that even its reduced grid is large."""


LARGEST = 10_000
"""The most cells of a layout."""


def full(numbering: Numbering) -> Layout:
    """A cell for each site.

    Raises:
        TooLarge: there are more than `LARGEST` of them.
    """
    rects = [rect for op in numbering.engines for rect in op.sites.rects]
    for group in numbering.groups:
        rects += (*group.senders.data.rects, *group.receivers.data.rects)
    sites = Sites.of(rects)
    if sites.count > LARGEST:
        raise TooLarge(f"it runs on {sites.count} sites")
    area = sites.bounding
    ys = [Span(y, y, y + 1) for y in range(area.y0, area.y1)]
    xs = [Span(x, x, x + 1) for x in range(area.x0, area.x1)]
    return _laid_out(numbering, ys, xs)


def classes(numbering: Numbering, apart: Sequence[Sites] = ()) -> Layout:
    """A cell for each class of sites with the same engines and the same partners.

    Args:
        numbering: of the program.
        apart: sets whose sites are to be kept apart from all others.
    """
    grid = Sites.of(rect for op in numbering.engines for rect in op.sites.rects)
    groups = [
        GroupSites(group.senders.data, group.receiving_sites, group.axes)
        for group in numbering.groups
    ]
    found = site_classes(grid, [*(op.sites for op in numbering.engines), *apart], groups)
    cells: list[Cell] = []
    engines: list[tuple[int, ...]] = []
    for sites in found:
        (y, x), area = sites.first, sites.bounding
        cells.append(Cell(Span(y, area.y0, area.y1), Span(x, area.x0, area.x1)))
        # No class is cut by the sites of an engine or a group.
        here = (n for n, op in enumerate(numbering.engines) if op.sites.contains(y, x))
        engines.append(tuple(here))
    links: list[Links] = []
    for group in groups:
        receivers: defaultdict[int, list[int]] = defaultdict(list)
        sender: dict[int, int] = {}
        weight: dict[int, int] = {}
        sending = [n for n, sites in enumerate(found) if group.senders.contains(*sites.first)]
        for cell, sites in enumerate(found):
            if not group.receivers.contains(*sites.first):
                continue
            # All sites of the class have their sender in the same class.
            lane = _lane(sites.first, group.along)
            source = next((n for n in sending if not found[n].isdisjoint(lane)), None)
            if source is not None:
                receivers[source].append(cell)
                sender[cell] = source
                weight[cell] = (sites & lane).count
        links.append(Links({n: tuple(receivers[n]) for n in sending}, sender, weight))
    return Layout(tuple(cells), tuple(engines), tuple(links), found)


def _lane(site: tuple[int, int], along: Along) -> Sites:
    """All sites that a group with this one may have."""
    y, x = site
    rows = (0, _FAR) if "y" in along else (y, y + 1)
    columns = (0, _FAR) if "x" in along else (x, x + 1)
    return Sites.of((Rect(*rows, *columns),))


_FAR = 1 << 62
"""Beyond any grid."""


def reduced(numbering: Numbering) -> Layout:
    """The reduced grid of a program.

    Raises:
        TooLarge: it has more than `LARGEST` cells.
    """
    rects = [rect for op in numbering.engines for rect in op.sites.rects]
    for group in numbering.groups:
        rects += (*group.senders.data.rects, *group.receivers.data.rects)
    along = {group.axes for group in numbering.groups}
    ys = _axis(((r.y0, r.y1) for r in rects), bool(along & {"y", "yx"}))
    xs = _axis(((r.x0, r.x1) for r in rects), bool(along & {"x", "yx"}))
    return _laid_out(numbering, ys, xs)


def _axis(bounds: Iterable[tuple[int, int]], spanned: bool) -> list[Span]:
    """The coordinates of an axis: one or two for each run of equal ones."""
    spans: list[Span] = []
    for low, high in pairwise(sorted({bound for pair in bounds for bound in pair})):
        if spanned and high > low + 1:
            spans += (Span(low, low, low + 1), Span(low + 1, low + 1, high))
        else:
            spans.append(Span(low, low, high))
    return spans


def _laid_out(numbering: Numbering, ys: Sequence[Span], xs: Sequence[Span]) -> Layout:
    if len(ys) * len(xs) > LARGEST:
        raise TooLarge(
            f"its sets of sites cut the grid into {len(ys)} x {len(xs)} parts, more than {LARGEST}"
        )
    cells = tuple(Cell(y, x) for y in ys for x in xs)
    engines: list[list[int]] = [[] for _ in cells]
    for number, op in enumerate(numbering.engines):
        for cell in _within(op.sites, ys, xs):
            engines[cell].append(number)
    return Layout(
        cells,
        tuple(map(tuple, engines)),
        tuple(_links(group, ys, xs, cells) for group in numbering.groups),
    )


def _within(sites: Sites, ys: Sequence[Span], xs: Sequence[Span]) -> list[int]:
    """The cells whose own site is in a set."""
    width = len(xs)
    found: list[int] = []
    for rect in sites.rects:
        rows = [i for i, y in enumerate(ys) if rect.y0 <= y.index < rect.y1]
        columns = [i for i, x in enumerate(xs) if rect.x0 <= x.index < rect.x1]
        found += (y * width + x for y in rows for x in columns)
    return found


def _links(group: GroupOp, ys: Sequence[Span], xs: Sequence[Span], cells: Sequence[Cell]) -> Links:
    width = len(xs)

    def lane(cell: int) -> int:
        return {"x": cell // width, "y": cell % width, "yx": 0}[group.axes]

    by_lane: defaultdict[int, list[int]] = defaultdict(list)
    for cell in _within(group.receiving_sites, ys, xs):
        by_lane[lane(cell)].append(cell)
    receivers: dict[int, tuple[int, ...]] = {}
    sender: dict[int, int] = {}
    for cell in _within(group.senders.data, ys, xs):
        receivers[cell] = tuple(sorted(by_lane[lane(cell)]))
        sender.update(dict.fromkeys(receivers[cell], cell))
    weight = {
        cell: (cells[cell].y.count if "y" in group.axes else 1)
        * (cells[cell].x.count if "x" in group.axes else 1)
        for cell in sender
    }
    return Links(receivers, sender, weight)
