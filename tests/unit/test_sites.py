"""Rectangle algebra against sets of points."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial_dialect.ir.sites import Rect, Sites

Points = frozenset[tuple[int, int]]

SIDE = 7
bound = st.integers(0, SIDE)
rects = st.builds(Rect, bound, bound, bound, bound)
rect_lists = st.lists(rects, max_size=6)


def points(given_rects: list[Rect] | tuple[Rect, ...]) -> Points:
    return frozenset(
        (y, x) for r in given_rects for y in range(r.y0, r.y1) for x in range(r.x0, r.x1)
    )


def canonical(cells: Points) -> tuple[Rect, ...]:
    """The canonical rectangles of a set of points, straight from their definition."""

    def columns(y: int) -> tuple[tuple[int, int], ...]:
        xs = [x for x in range(SIDE + 1) if (y, x) in cells]
        firsts = [x for x in xs if x - 1 not in xs]
        lasts = [x for x in xs if x + 1 not in xs]
        return tuple((a, b + 1) for a, b in zip(firsts, lasts, strict=True))

    out: list[Rect] = []
    y = 0
    while y < SIDE:
        end = y + 1
        while end < SIDE and columns(end) == columns(y):
            end += 1
        out.extend(Rect(y, end, x0, x1) for x0, x1 in columns(y))
        y = end
    return tuple(out)


@given(rect_lists)
def test_of_is_canonical(a: list[Rect]):
    assert Sites.of(a).rects == canonical(points(a))


@given(rect_lists, rect_lists)
def test_algebra(a: list[Rect], b: list[Rect]):
    p, q = points(a), points(b)
    s, t = Sites.of(a), Sites.of(b)
    assert (s | t).rects == canonical(p | q)
    assert (s & t).rects == canonical(p & q)
    assert (s - t).rects == canonical(p - q)
    assert (s <= t) == (p <= q)
    assert s.isdisjoint(t) == p.isdisjoint(q)
    assert (s == t) == (p == q)
    if p == q:
        assert hash(s) == hash(t)


@given(rect_lists)
def test_facts(a: list[Rect]):
    p, s = points(a), Sites.of(a)
    assert bool(s) == bool(p)
    assert s.count == len(p)
    for y in range(-1, SIDE + 2):
        for x in range(-1, SIDE + 2):
            assert s.contains(y, x) == ((y, x) in p)
    assert s.transpose().rects == canonical(frozenset((x, y) for y, x in p))
    assert s.transpose().transpose() == s
    if p:
        ys, xs = [y for y, _ in p], [x for _, x in p]
        assert s.first == min(p)
        assert s.bounding == Rect(min(ys), max(ys) + 1, min(xs), max(xs) + 1)
        assert s.is_rectangle == (s.bounding.count == len(p))
    else:
        assert not s.is_rectangle
    from_slabs = [Rect(y0, y1, x0, x1) for y0, y1, columns in s.slabs() for x0, x1 in columns]
    assert tuple(from_slabs) == s.rects


def test_text():
    assert str(Sites.grid(8, 8)) == "[0:8, 0:8]"
    assert str(Sites.of([Rect(0, 8, 0, 1), Rect(9, 10, 2, 4)])) == "[0:8, 0] + [9, 2:4]"
    assert str(Sites.empty()) == "[]"


def test_empty_has_no_first_or_bounding():
    with pytest.raises(ValueError, match="no first site"):
        _ = Sites.empty().first
    with pytest.raises(ValueError, match="no bounding rectangle"):
        _ = Sites.empty().bounding


def test_huge_grids_cost_nothing():
    side = 10**18
    grid = Sites.grid(side, side)
    hole = Sites.of([Rect(5, 6, 7, 8)])
    assert (grid - hole).count == side * side - 1 > sys.maxsize
    assert (grid - hole) | hole == grid
    assert hole <= grid
    assert grid.contains(side - 1, side - 1)
    assert not (grid - hole).contains(5, 7)


def test_thousands_of_rectangles():
    n = 4000
    diagonal = Sites.of(Rect(i, i + 1, i, i + 1) for i in range(n))
    below = Sites.of(Rect(i + 1, i + 2, i, i + 1) for i in range(n))
    assert len(diagonal.rects) == n
    assert (diagonal | below).count == 2 * n
    assert not diagonal & below
    assert (Sites.grid(n, n) - diagonal).count == n * n - n
    assert diagonal.transpose() == diagonal
