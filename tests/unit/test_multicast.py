"""The geometry of multicast groups against a model that lists the sites."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_dialect.ir.multicast import Along, check_group, effective_receivers, ready_count
from spatial_dialect.ir.sites import Rect, Sites

Site = tuple[int, int]

SIDE = 4
cells = st.tuples(st.integers(0, SIDE - 1), st.integers(0, SIDE - 1))
site_sets = st.frozensets(cells, max_size=8)
bound = st.integers(0, SIDE)
rects = st.builds(Rect, bound, bound, bound, bound)
alongs = st.sampled_from(("x", "y", "yx"))


def sites(points: frozenset[Site]) -> Sites:
    return Sites.of(Rect(y, y + 1, x, x + 1) for y, x in points)


def points(given_sites: Sites) -> frozenset[Site]:
    return frozenset(
        (y, x) for r in given_sites.rects for y in range(r.y0, r.y1) for x in range(r.x0, r.x1)
    )


def is_rectangle(p: frozenset[Site]) -> bool:
    ys, xs = [y for y, _ in p], [x for _, x in p]
    return len(p) == (max(ys) - min(ys) + 1) * (max(xs) - min(xs) + 1)


def reached(sender: Site, r: frozenset[Site], along: Along) -> frozenset[Site]:
    y, x = sender
    agrees = {
        "x": [t for t in r if t[0] == y],
        "y": [t for t in r if t[1] == x],
        "yx": list(r),
    }[along]
    return frozenset(agrees) - {sender}


def is_group(s: frozenset[Site], r: frozenset[Site], along: Along) -> bool:
    partners = {sender: reached(sender, r, along) for sender in s}
    hears = Counter(t for to in partners.values() for t in to)
    return (
        bool(s)
        and bool(r)
        and all(partners.values())
        and len({len(to) for to in partners.values()}) == 1
        and all(is_rectangle(to) or is_rectangle(to | {f}) for f, to in partners.items())
        and all(hears[t] == 1 for t in r - s)
        and all(hears[t] == 0 for t in r & s)
    )


def same(s: Sites, r: Sites, along: Along):
    p, q = points(s), points(r)
    message = check_group(s, r, along)
    assert (message is None) == is_group(p, q, along), message
    if message is None:
        assert {len(reached(f, q, along)) for f in p} == {ready_count(s, r, along)}
        heard = frozenset(t for f in p for t in reached(f, q, along))
        assert points(effective_receivers(s, r, along)) == heard


@given(site_sets, site_sets, alongs)
def test_any_sets(s: frozenset[Site], r: frozenset[Site], along: Along):
    same(sites(s), sites(r), along)


@given(st.frozensets(cells, min_size=1, max_size=1), rects, site_sets, alongs)
def test_near_groups(s: frozenset[Site], to: Rect, odd: frozenset[Site], along: Along):
    # One sender and a rectangle with a few sites flipped: groups, and near misses of them.
    r = points(Sites.of((to,))) ^ frozenset(sorted(odd)[:1])
    same(sites(s), sites(r), along)


@given(bound, bound, bound, rects, alongs)
def test_columns_of_senders(y0: int, y1: int, x: int, to: Rect, along: Along):
    s = Sites.of((Rect(y0, y1, x, x + 1),))
    r = Sites.of((Rect(min(y0, y1), max(y0, y1), to.x0, to.x1),))
    same(s, r, along)
    same(s.transpose(), r.transpose(), along)


def rect(y0: int, y1: int, x0: int, x1: int) -> Sites:
    return Sites.of((Rect(y0, y1, x0, x1),))


GRID = rect(0, 8, 0, 8)
COLUMN = rect(0, 8, 0, 1)
ROW = rect(0, 1, 0, 8)


@pytest.mark.parametrize(
    ("senders", "receivers", "along", "count"),
    [
        (COLUMN, rect(0, 8, 1, 8), "x", 7),
        (COLUMN, GRID, "x", 7),
        (ROW, rect(1, 8, 0, 8), "y", 7),
        (rect(3, 4, 3, 4), GRID, "yx", 63),
        (rect(3, 4, 3, 4), GRID - rect(3, 4, 3, 4), "yx", 63),
    ],
)
def test_accepted(senders: Sites, receivers: Sites, along: Along, count: int):
    assert check_group(senders, receivers, along) is None
    assert ready_count(senders, receivers, along) == count
    assert effective_receivers(senders, receivers, along) == receivers - senders


@pytest.mark.parametrize(
    ("senders", "receivers", "along", "message"),
    [
        (Sites.empty(), GRID, "x", "the group has no senders: from [] to [0:8, 0:8]"),
        (COLUMN, Sites.empty(), "x", "the group has no receivers: from [0:8, 0] to []"),
        (
            COLUMN,
            rect(0, 4, 1, 8),
            "x",
            "sender [4, 0] has no receiver: in row 4 there is none",
        ),
        (
            ROW,
            ROW,
            "y",
            "sender [0, 0] has no receiver: in column 0 there is that site alone",
        ),
        (
            COLUMN,
            rect(0, 4, 1, 8) | rect(4, 8, 1, 4),
            "x",
            "senders with different numbers of receivers: sender [0, 0] has 7, sender [4, 0] has 3",
        ),
        (
            rect(2, 3, 2, 3),
            rect(2, 3, 0, 2) | rect(2, 3, 4, 8),
            "x",
            "the 6 receivers of sender [2, 2] do not form one rectangle: they reach across "
            "[2, 0:8], but [2, 3] is none of them",
        ),
        (
            rect(0, 4, 0, 1),
            rect(0, 8, 1, 8),
            "x",
            "receiver [4, 1] hears no sender: there is none in row 4",
        ),
        (
            rect(0, 2, 0, 1),
            rect(0, 8, 1, 8),
            "yx",
            "receiver [0, 1] hears two senders, [0, 0] and [1, 0]",
        ),
        (
            rect(0, 1, 0, 2),
            rect(0, 1, 0, 2),
            "x",
            "sender [0, 1] is also a receiver of sender [0, 0], which only others may be",
        ),
        (
            rect(0, 1, 0, 2),
            rect(0, 1, 0, 1),
            "x",
            "sender [0, 0] is also a receiver of sender [0, 1], which only others may be",
        ),
    ],
)
def test_messages(senders: Sites, receivers: Sites, along: Along, message: str):
    assert check_group(senders, receivers, along) == message


def test_a_million_rows():
    n = 10**6
    assert check_group(rect(0, n, 0, 1), rect(0, n, 1, n), "x") is None
    assert ready_count(rect(0, n, 0, 1), rect(0, n, 1, n), "x") == n - 1
    assert ready_count(rect(0, 1, 0, 1), rect(0, n, 0, n), "yx") == n * n - 1
