"""Which sites of a grid can share their engines.

Sites are in one class if they host the same stages in the same roles and, for every group, have the
same number of partners in each class: the coarsest such partition, which graph theory calls the
coarsest equitable one. It is found by refinement: start from the stages and roles alone, and split
a class wherever its sites have different numbers of partners in another one, until nothing splits.

Within a row all sites that send along x have the same receivers, so the number of partners is a
function of the row, constant over runs of equal rows; along y likewise of the column, and along yx
it is one number. Hence classes are only ever cut by whole rows and columns, and the cost depends on
the number of distinct sets and their rectangles, neither on the number of sites nor of stages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from spatial_dialect.ir.multicast import Along
from spatial_dialect.ir.sites import Intervals, Rect, Sites


@dataclass(frozen=True)
class GroupSites:
    """The sites of a family of multicast groups, as in `spatial.group from S to R along ...`."""

    senders: Sites
    receivers: Sites
    along: Along


def site_classes(
    grid: Sites, sets: Sequence[Sites], groups: Sequence[GroupSites]
) -> tuple[Sites, ...]:
    """The classes of the sites of `grid` that are in at least one of `sets`.

    Args:
        grid: all sites; what lies outside is ignored.
        sets: the sites of each stage, in any order; repetition is harmless.
        groups: the groups between them. Sending and receiving in a group are roles of their own,
            whatever the sets; sites of a group that host no stage are ignored.

    Returns:
        Disjoint, non-empty classes, in row-major order of their first sites.
    """
    stages = tuple(dict.fromkeys(sets))
    # Along yx every sender has all receivers: that splits nothing beyond the roles.
    distinct = tuple(dict.fromkeys(groups))
    roles = stages + tuple(side for g in distinct for side in (g.senders, g.receivers))
    hosting = (1 << len(stages)) - 1
    classes: list[Sites] = []
    masks: list[int] = []
    for mask, sites in _overlay([grid & role for role in roles]).items():
        if mask & hosting:
            classes.append(sites)
            masks.append(mask)
    senders_bit = {g: 1 << (len(stages) + 2 * i) for i, g in enumerate(distinct)}
    links: list[_Link] = []
    for group, bit in senders_bit.items():
        if group.along == "yx":
            continue
        of_senders = {c for c, mask in enumerate(masks) if mask & bit}
        of_receivers = {c for c, mask in enumerate(masks) if mask & (bit << 1)}
        by_row = group.along == "x"
        links.append(_Link(of_senders, of_receivers, by_row))
        links.append(_Link(of_receivers, of_senders, by_row))
    _refine(classes, links)
    return tuple(sorted(classes, key=lambda sites: sites.first))


@dataclass(eq=False)
class _Link:
    """One direction of a group: sites of some classes have partners in others.

    The sets of class numbers are shared by the two directions of a group.
    """

    sites: set[int]
    partners: set[int]
    by_row: bool
    """Partners are in the same row, as along x; else in the same column."""


def _overlay(sets: Sequence[Sites]) -> dict[int, Sites]:
    """Cuts the union of some sets by which of them hold a site: bit i of a key is `sets[i]`."""
    # A rectangle of set i toggles bit i at its first column and behind its last one, in the rows
    # at which it begins and ends. As the rectangles of a set are disjoint, toggling is enough.
    toggles: dict[int, dict[int, int]] = {}
    for i, sites in enumerate(sets):
        for r in sites.rects:
            for y in (r.y0, r.y1):
                row = toggles.setdefault(y, {})
                for x in (r.x0, r.x1):
                    row[x] = row.get(x, 0) ^ (1 << i)
    rects: dict[int, list[Rect]] = {}
    current: dict[int, int] = {}
    for y, y_next in pairwise(sorted(toggles)):
        for x, mask in toggles[y].items():
            if mask := current.pop(x, 0) ^ mask:
                current[x] = mask
        mask = 0
        for x, x_next in pairwise(sorted(current)):
            mask ^= current[x]
            if mask:
                rects.setdefault(mask, []).append(Rect(y, y_next, x, x_next))
    return {mask: Sites.of(found) for mask, found in rects.items()}


def _refine(classes: list[Sites], links: Sequence[_Link]) -> None:
    """Splits classes until all sites of each have the same partners, by the number in each class.

    New classes are added at the end, and to the sets of the links.
    """
    of_sites: dict[int, list[set[int]]] = {}
    users: dict[int, list[_Link]] = {}  # the links that count partners in a class
    for link in links:
        for c in link.sites:
            of_sites.setdefault(c, []).append(link.sites)
        for c in link.partners:
            users.setdefault(c, []).append(link)
    # Each class is split in steps, one link at a time; a later split of a partner's class brings
    # its links back. What is finer than the result can never come out: all sites of a class of the
    # result have the same partners in every union of such classes, and those are all there is here.
    waiting = dict.fromkeys(links)
    while waiting:
        link = next(iter(waiting))
        del waiting[link]
        profile = _profile(classes, link)
        for c in sorted(link.sites):
            first, *rest = _split(classes[c], profile, link.by_row)
            if not rest:
                continue
            classes[c] = first
            for part in rest:
                new = len(classes)
                classes.append(part)
                for numbers in of_sites.get(c, ()):
                    numbers.add(new)
                of_sites[new] = of_sites.get(c, [])
                users[new] = users.get(c, [])
            waiting.update(dict.fromkeys(users.get(c, ())))


_Profile = Sequence[tuple[int, int, object]]
"""Runs of lines (rows or columns), rising, and what tells those of different runs apart."""


def _profile(classes: Sequence[Sites], link: _Link) -> _Profile:
    """How many partners there are in each line, by class. Lines without any are left out.

    A site that sends and receives counts itself here, which splits nothing: all sites of its class
    have the same roles and do so too.
    """
    # Where the number of sites of a class in a line changes, and by how much.
    steps: dict[int, dict[int, int]] = {}
    for c in link.partners:
        for r in classes[c].rects:
            lo, hi, size = (r.y0, r.y1, r.x1 - r.x0) if link.by_row else (r.x0, r.x1, r.y1 - r.y0)
            for line, step in ((lo, size), (hi, -size)):
                at = steps.setdefault(line, {})
                at[c] = at.get(c, 0) + step
    found: list[tuple[int, int, object]] = []
    counts: dict[int, int] = {}
    for line, line_next in pairwise(sorted(steps)):
        for c, step in steps[line].items():
            if count := counts.pop(c, 0) + step:
                counts[c] = count
        if counts:
            found.append((line, line_next, frozenset(counts.items())))
    return found


def _split(sites: Sites, profile: _Profile, by_row: bool) -> tuple[Sites, ...]:
    """Cuts a set by what the profile says of the lines of its sites."""
    if len(profile) == 0:
        return (sites,)
    turned = sites if by_row else sites.transpose()
    parts: dict[object, list[Rect]] = {}
    for lo, hi, key, columns in _cut(turned, profile):
        parts.setdefault(key, []).extend(Rect(lo, hi, x0, x1) for x0, x1 in columns)
    if len(parts) == 1:
        return (sites,)
    split = (Sites.of(rects) for rects in parts.values())
    return tuple(part if by_row else part.transpose() for part in split)


def _cut(sites: Sites, profile: _Profile) -> Iterator[tuple[int, int, object, Intervals]]:
    """The slabs of a set, cut at the runs of a profile; the key is None outside all runs."""
    i = 0
    for y0, y1, columns in sites.slabs():
        lo = y0
        while lo < y1:
            while i < len(profile) and profile[i][1] <= lo:
                i += 1
            if i == len(profile):
                hi, key = y1, None
            elif profile[i][0] > lo:
                hi, key = min(y1, profile[i][0]), None
            else:
                hi, key = min(y1, profile[i][1]), profile[i][2]
            yield lo, hi, key, columns
            lo = hi
