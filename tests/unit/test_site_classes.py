"""Site classes against a colour refinement that lists the sites."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial_dialect.analysis.site_classes import GroupSites, site_classes
from spatial_dialect.ir.sites import Rect, Sites

Site = tuple[int, int]

SIDE = 5
GRID = Sites.grid(SIDE, SIDE)
bound = st.integers(0, SIDE + 1)
rects = st.builds(Rect, bound, bound, bound, bound)
some_sites = st.lists(rects, min_size=1, max_size=3).map(Sites.of)
groups = st.builds(GroupSites, some_sites, some_sites, st.sampled_from(("x", "y", "yx")))


def points(sites: Sites) -> frozenset[Site]:
    return frozenset(
        (y, x) for r in sites.rects for y in range(r.y0, r.y1) for x in range(r.x0, r.x1)
    )


def colours(
    grid: Sites, sets: list[Sites], given_groups: list[GroupSites]
) -> frozenset[frozenset[Site]]:
    """Colour refinement from its definition, all sites and partners written out."""
    hosts = [points(s) for s in sets]
    sites = sorted(s for s in points(grid) if any(s in h for h in hosts))
    roles = hosts + [points(side) for g in given_groups for side in (g.senders, g.receivers)]

    def partners(site: Site, group: GroupSites, sends: bool) -> list[Site]:
        mine, theirs = (group.senders, group.receivers)[:: 1 if sends else -1]
        if site not in points(mine):
            return []
        return [
            other
            for other in sites
            if other in points(theirs)
            and other != site
            and (group.along != "x" or other[0] == site[0])
            and (group.along != "y" or other[1] == site[1])
        ]

    edges = [
        {site: partners(site, group, sends) for site in sites}
        for group in given_groups
        for sends in (True, False)
    ]
    colour: dict[Site, object] = {site: tuple(site in r for r in roles) for site in sites}
    while True:
        refined = {
            site: (
                colour[site],
                tuple(frozenset(Counter(colour[p] for p in edge[site]).items()) for edge in edges),
            )
            for site in sites
        }
        numbers = {key: n for n, key in enumerate(dict.fromkeys(refined.values()))}
        if len(numbers) == len(set(colour.values())):
            break
        colour = {site: numbers[refined[site]] for site in sites}
    classes: dict[object, set[Site]] = {}
    for site in sites:
        classes.setdefault(colour[site], set()).add(site)
    return frozenset(frozenset(c) for c in classes.values())


@settings(deadline=None)
@given(st.lists(some_sites, max_size=4), st.lists(groups, max_size=4))
def test_coarsest_equitable_partition(sets: list[Sites], given_groups: list[GroupSites]):
    classes = site_classes(GRID, sets, given_groups)
    assert all(classes)
    assert [c.first for c in classes] == sorted(c.first for c in classes)
    assert all(a.isdisjoint(b) for i, a in enumerate(classes) for b in classes[:i])
    # Equal to the independent result: equitable, and not finer than it has to be.
    assert frozenset(map(points, classes)) == colours(GRID, sets, given_groups)


@given(st.lists(some_sites, max_size=4), st.lists(groups, max_size=3))
def test_order_and_repetition_are_harmless(sets: list[Sites], given_groups: list[GroupSites]):
    once = site_classes(GRID, sets, given_groups)
    assert site_classes(GRID, sets[::-1] * 2, given_groups[::-1] * 2) == once


def rect(y0: int, y1: int, x0: int, x1: int) -> Sites:
    return Sites.of((Rect(y0, y1, x0, x1),))


def matmul(rows: int, cols: int) -> tuple[Sites, ...]:
    """The classes of a matrix product with A along rows and B down columns."""
    grid = Sites.grid(rows, cols)
    column, right = rect(0, rows, 0, 1), rect(0, rows, 1, cols)
    row, below = rect(0, 1, 0, cols), rect(1, rows, 0, cols)
    return site_classes(
        grid,
        [column, right, row, below, grid, grid],
        [GroupSites(column, right, "x"), GroupSites(row, below, "y")],
    )


def test_matmul():
    assert list(map(str, matmul(8, 8))) == ["[0, 0]", "[0, 1:8]", "[1:8, 0]", "[1:8, 1:8]"]


@pytest.mark.parametrize(("rows", "cols"), [(8, 8), (750, 990), (10**6, 10**6)])
def test_classes_do_not_grow_with_the_grid(rows: int, cols: int):
    assert [str(c) for c in matmul(rows, cols)] == [
        "[0, 0]",
        f"[0, 1:{cols}]",
        f"[1:{rows}, 0]",
        f"[1:{rows}, 1:{cols}]",
    ]


def test_partners_split_across_groups():
    # Row 3 hosts one more stage at its end; the split travels to its sender, and from there to the
    # column of the sender's own sender.
    n = 1000
    grid = Sites.grid(n, n)
    column, right = rect(0, n, 0, 1), rect(0, n, 1, n)
    top, below = rect(0, 1, 0, 1), rect(1, n, 0, 1)
    classes = site_classes(
        grid,
        [grid, rect(3, 4, n - 1, n)],
        [GroupSites(column, right, "x"), GroupSites(top, below, "y")],
    )
    assert list(map(str, classes)) == [
        "[0, 0]",
        "[0, 1:1000]",
        "[1:3, 0] + [4:1000, 0]",
        "[1:3, 1:1000] + [4:1000, 1:1000]",
        "[3, 0]",
        "[3, 1:999]",
        "[3, 999]",
    ]


def test_many_stages_and_sets():
    # A pipeline down the diagonal, each stage its own set and group, and every set given often.
    n = 1000
    cells = [rect(i, i + 1, i, i + 1) for i in range(n)]
    nexts = [rect(i, i + 1, i + 1, i + 2) for i in range(n)]
    groups_ = [GroupSites(a, b, "x") for a, b in zip(cells, nexts, strict=True)]
    classes = site_classes(Sites.grid(n, n + 1), (cells + nexts) * 3, groups_)
    assert len(classes) == 2 * n
