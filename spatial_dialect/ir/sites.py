"""Finite sets of sites of a grid, as unions of rectangles.

A site is a cell `(y, x)` of a grid of rows and columns. A stage stands for one instance on every
site of its set, so sets can be huge while their description stays small: every operation here costs
about the number of rectangles involved, and never the number of sites.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter
from typing import TypeAlias

Interval: TypeAlias = tuple[int, int]
"""A half open range `(lo, hi)` of rows or of columns, `lo < hi`."""

Intervals: TypeAlias = tuple[Interval, ...]
"""Ranges in rising order that neither overlap nor touch."""

Slab: TypeAlias = tuple[int, int, Intervals]
"""Rows `y0:y1` that all hold the same columns: `(y0, y1, columns)`."""


def _range_text(lo: int, hi: int) -> str:
    return str(lo) if hi == lo + 1 else f"{lo}:{hi}"


@dataclass(frozen=True, order=True, slots=True)
class Rect:
    """A rectangle of sites: rows `y0:y1` and columns `x0:x1`, both half open.

    The order is row-major: by first row, last row, first column, last column. A rectangle with
    `y0 >= y1` or `x0 >= x1` holds no site.
    """

    y0: int
    y1: int
    x0: int
    x1: int

    @property
    def count(self) -> int:
        """The number of sites."""
        return max(0, self.y1 - self.y0) * max(0, self.x1 - self.x0)

    def __str__(self) -> str:
        return f"[{_range_text(self.y0, self.y1)}, {_range_text(self.x0, self.x1)}]"


_first_row = attrgetter("y0")
_first_site = attrgetter("y0", "x0")


@dataclass(frozen=True, slots=True)
class Sites:
    """A finite set of sites in canonical form: equal sets have equal `rects`.

    The set is cut into row slabs, as tall as possible, in which every row holds the same columns;
    `rects` are the maximal column ranges of each slab, in row-major order. Make one with `of`,
    `grid` or `empty`; the constructor itself trusts that its argument is canonical.
    """

    rects: tuple[Rect, ...]

    @staticmethod
    def of(rects: Iterable[Rect]) -> Sites:
        """The union of any rectangles; they may overlap, touch, repeat or be empty."""
        given = [r for r in rects if r.y0 < r.y1 and r.x0 < r.x1]
        if len(given) < 2:
            return Sites(tuple(given))
        # Sweep over the rows at which some rectangle begins or ends. `active` holds the column
        # ranges of the rectangles that cross the current row, sorted, with repeats.
        begins: dict[int, list[Interval]] = {}
        ends: dict[int, list[Interval]] = {}
        for r in given:
            begins.setdefault(r.y0, []).append((r.x0, r.x1))
            ends.setdefault(r.y1, []).append((r.x0, r.x1))
        rows = sorted(begins.keys() | ends.keys())
        active: list[Interval] = []
        slabs: list[Slab] = []
        for y, y_next in pairwise(rows):
            for columns in ends.get(y, ()):
                del active[bisect_right(active, columns) - 1]
            for columns in begins.get(y, ()):
                insort(active, columns)
            if active:
                slabs.append((y, y_next, _joined(active)))
        return _from_slabs(slabs)

    @staticmethod
    def grid(rows: int, cols: int) -> Sites:
        """All sites of a grid of `rows` x `cols`."""
        return Sites.of((Rect(0, rows, 0, cols),))

    @staticmethod
    def empty() -> Sites:
        """The set without sites."""
        return _EMPTY

    def __or__(self, other: Sites) -> Sites:
        if not self.rects or self.rects == other.rects:
            return other
        if not other.rects:
            return self
        return _combined(self, other, _union)

    def __and__(self, other: Sites) -> Sites:
        if self.rects == other.rects:
            return self
        if not self.rects or not other.rects:
            return _EMPTY
        return _combined(self, other, _intersection)

    def __sub__(self, other: Sites) -> Sites:
        if not self.rects or not other.rects:
            return self
        return _combined(self, other, _difference)

    def __le__(self, other: Sites) -> bool:
        """Whether every site of this set is in `other`."""
        return self.rects == other.rects or not any(
            _difference(mine, theirs) for _, _, mine, theirs in paired_slabs(self, other)
        )

    def isdisjoint(self, other: Sites) -> bool:
        """Whether no site is in both sets."""
        return not any(
            _intersection(mine, theirs) for _, _, mine, theirs in paired_slabs(self, other)
        )

    def __bool__(self) -> bool:
        return bool(self.rects)

    @property
    def count(self) -> int:
        """The number of sites. There is no `len`, which stops at `sys.maxsize`."""
        return sum(r.count for r in self.rects)

    def contains(self, y: int, x: int) -> bool:
        """Whether the site `(y, x)` is in the set."""
        last = bisect_right(self.rects, y, key=_first_row) - 1
        if last < 0:
            return False
        row = self.rects[last].y0
        r = self.rects[bisect_right(self.rects, (row, x), key=_first_site) - 1]
        return r.y0 <= y < r.y1 and r.x0 <= x < r.x1

    @property
    def first(self) -> tuple[int, int]:
        """The first site `(y, x)` in row-major order. ValueError if the set is empty."""
        if not self.rects:
            raise ValueError("an empty set of sites has no first site")
        return (self.rects[0].y0, self.rects[0].x0)

    @property
    def bounding(self) -> Rect:
        """The smallest rectangle around the set. ValueError if the set is empty."""
        if not self.rects:
            raise ValueError("an empty set of sites has no bounding rectangle")
        return Rect(
            self.rects[0].y0,
            self.rects[-1].y1,
            min(r.x0 for r in self.rects),
            max(r.x1 for r in self.rects),
        )

    @property
    def is_rectangle(self) -> bool:
        """Whether the set is one rectangle, and not empty."""
        return len(self.rects) == 1

    def slabs(self) -> tuple[Slab, ...]:
        """The canonical row slabs `(y0, y1, ((x0, x1), ...))`, in rising order of rows."""
        found: list[Slab] = []
        start = 0
        rects = self.rects
        for i in range(1, len(rects) + 1):
            if i == len(rects) or rects[i].y0 != rects[start].y0:
                columns = tuple((r.x0, r.x1) for r in rects[start:i])
                found.append((rects[start].y0, rects[start].y1, columns))
                start = i
        return tuple(found)

    def transpose(self) -> Sites:
        """The set with rows and columns exchanged."""
        return Sites.of(Rect(r.x0, r.x1, r.y0, r.y1) for r in self.rects)

    def __str__(self) -> str:
        """`[0:8, 0] + [9, 2:4]`: a range of length one prints as its index; `[]` if empty."""
        return " + ".join(map(str, self.rects)) if self.rects else "[]"


_EMPTY = Sites(())


def paired_slabs(a: Sites, b: Sites) -> Iterator[tuple[int, int, Intervals, Intervals]]:
    """Cuts two sets into common row slabs: `(y0, y1, columns of a, columns of b)`.

    Rows in neither set are left out. Neighbouring slabs can be equal.
    """
    left, right = a.slabs(), b.slabs()
    cuts = sorted({y for slab in left + right for y in slab[:2]})
    i = j = 0
    for y0, y1 in pairwise(cuts):
        while i < len(left) and left[i][1] <= y0:
            i += 1
        while j < len(right) and right[j][1] <= y0:
            j += 1
        mine = left[i][2] if i < len(left) and left[i][0] <= y0 else ()
        theirs = right[j][2] if j < len(right) and right[j][0] <= y0 else ()
        if mine or theirs:
            yield y0, y1, mine, theirs


def _combined(a: Sites, b: Sites, combine: Callable[[Intervals, Intervals], Intervals]) -> Sites:
    return _from_slabs((y0, y1, combine(p, q)) for y0, y1, p, q in paired_slabs(a, b))


def _from_slabs(slabs: Iterable[Slab]) -> Sites:
    """Joins touching slabs of equal columns and drops empty ones; the rows must be rising."""
    rects: list[Rect] = []
    pending: Slab | None = None
    for slab in slabs:
        if pending is not None and pending[1] == slab[0] and pending[2] == slab[2]:
            pending = (pending[0], slab[1], slab[2])
            continue
        if pending is not None:
            rects.extend(Rect(pending[0], pending[1], x0, x1) for x0, x1 in pending[2])
        pending = slab
    if pending is not None:
        rects.extend(Rect(pending[0], pending[1], x0, x1) for x0, x1 in pending[2])
    return Sites(tuple(rects))


def _joined(sorted_ranges: Iterable[Interval]) -> Intervals:
    """The union of ranges that are sorted by where they begin."""
    out: list[Interval] = []
    for lo, hi in sorted_ranges:
        if out and lo <= out[-1][1]:
            if hi > out[-1][1]:
                out[-1] = (out[-1][0], hi)
        else:
            out.append((lo, hi))
    return tuple(out)


def _union(a: Intervals, b: Intervals) -> Intervals:
    if not a or not b or a == b:
        return a or b
    return _joined(sorted(a + b))


def _intersection(a: Intervals, b: Intervals) -> Intervals:
    out: list[Interval] = []
    i = j = 0
    while i < len(a) and j < len(b):
        lo, hi = max(a[i][0], b[j][0]), min(a[i][1], b[j][1])
        if lo < hi:
            out.append((lo, hi))
        if a[i][1] == hi:
            i += 1
        else:
            j += 1
    return tuple(out)


def _difference(a: Intervals, b: Intervals) -> Intervals:
    if not a or not b:
        return a
    out: list[Interval] = []
    i = j = 0
    lo = a[0][0]  # where the part of a[i] that is still to be decided begins
    while i < len(a):
        if j == len(b) or b[j][0] >= a[i][1]:
            if lo < a[i][1]:
                out.append((lo, a[i][1]))
            i += 1
            if i < len(a):
                lo = max(lo, a[i][0])
        else:
            if lo < b[j][0]:
                out.append((lo, b[j][0]))
            lo = max(lo, b[j][1])
            # A range of b that goes on behind a[i] is met again with the next range of a.
            if b[j][1] <= a[i][1]:
                j += 1
            else:
                i += 1
                if i < len(a):
                    lo = max(lo, a[i][0])
    return tuple(out)
