"""Ways to share out the items of a program over the sites of a grid.

The digits of the item number, in order, are cut into runs of neighbours. One run goes over the rows
of sites, one over the columns, or one over both, row by row; a site does what is left, and its
block of the runs, one item after the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import prod

from xdsl.ir.affine import AffineExpr

from spatial_dialect.analysis.item_digits import Digit
from spatial_dialect.ir.addresses import Bounds, dimension, simplify
from spatial_dialect.ir.loops import LOOP_NAMES, Loops
from spatial_dialect.ir.sites import Rect, Sites

MOST_CANDIDATES = 12
"""So many ways are looked at closely."""

UNKNOWN: Bounds = (-(1 << 63), (1 << 63) - 1)
"""What the element of an index page can be, for all that is known."""

Run = range
"""The numbers of neighbouring digits."""


@dataclass(frozen=True, slots=True)
class _Share:
    """How the items of a run are shared out: the last sites may have some beyond the end."""

    total: int
    rows: int
    cols: int
    sites: int
    """All sites of the rows, but for some at the end of the last one."""

    @property
    def items(self) -> int:
        """Items of a site."""
        return -(-self.total // self.sites)

    @property
    def hangs_over(self) -> bool:
        """Whether some sites have items beyond the end."""
        return self.sites * self.items > self.total


@cache
def _share(total: int, rows: int, cols: int, may_hang: bool) -> _Share:
    """The fewest items a site on at most so many rows and columns, on no more sites than needed."""
    exact = max(
        (
            _Share(total, r, c, r * c)
            for c in _divisors(total, cols)
            for r in _divisors(total // c, rows)
        ),
        key=lambda share: (share.sites, share.cols),
    )
    items = -(-total // (rows * cols))
    if exact.items == items:
        return exact
    if may_hang:
        used_rows = -(-total // (items * min(cols, -(-total // items))))
        used_cols = -(-total // (items * used_rows))
        return _Share(total, used_rows, used_cols, used_rows * used_cols)
    # Sites that form no rectangle do not send to each other, but they are more.
    sites = max(_divisors(total, rows * cols))
    if sites == exact.sites:
        return exact
    return _Share(total, -(-sites // cols), cols, sites)


def _divisors(number: int, most: int) -> Iterator[int]:
    """The divisors of a number up to a limit."""
    small = 1
    while small * small <= number:
        if number % small == 0:
            for divisor in dict.fromkeys((small, number // small)):
                if divisor <= most:
                    yield divisor
        small += 1


@dataclass(frozen=True)
class Distribution:
    """Which digits go over rows and columns of sites, and which are left to a site."""

    digits: tuple[Digit, ...]
    y: Run
    """The digits that go over rows of sites, with those of `x` if they are the same."""
    x: Run
    """The digits that go over columns of sites."""
    grid: tuple[int, int]
    may_hang: frozenset[int]
    """The digits that may have values beyond their extent."""

    @cached_property
    def _parts(self) -> tuple[tuple[Run, _Share], ...]:
        """The runs, outermost first; a digit that goes nowhere is one by itself."""
        parts: list[tuple[Run, _Share]] = []
        start = 0
        while start < len(self.digits):
            run = next(
                (r for r in (self.y, self.x) if r and r[0] == start), range(start, start + 1)
            )
            total = prod(self.digits[number].extent for number in run)
            rows = self.grid[0] if run == self.y else 1
            cols = self.grid[1] if run == self.x else 1
            parts.append((run, _share(total, rows, cols, start in self.may_hang)))
            start = run.stop
        return tuple(parts)

    @property
    def rows(self) -> int:
        """How many rows of sites have items."""
        return prod(share.rows for _, share in self._parts)

    @property
    def cols(self) -> int:
        """How many columns of sites have items."""
        return prod(share.cols for _, share in self._parts)

    @property
    def sites(self) -> Sites:
        """The sites that have items."""
        missing = sum(share.rows * share.cols - share.sites for _, share in self._parts)
        unused = Rect(self.rows - 1, self.rows, self.cols - missing, self.cols)
        return Sites.grid(self.rows, self.cols) - Sites.of((unused,))

    @property
    def items(self) -> int:
        """Items of a site, those beyond the end included."""
        return prod(share.items for _, share in self._parts)

    @cached_property
    def hanging(self) -> frozenset[int]:
        """The digits that do have values beyond their extent."""
        return frozenset(run[0] for run, share in self._parts if share.hangs_over)

    def ranges(self, loops: Loops) -> dict[str, Bounds]:
        """What the dimensions of an address can be, for a program with these loops."""
        ranges = {name: (0, loops[name].size - 1) for name in LOOP_NAMES}
        ranges |= {"i": (0, self.items - 1), "y": (0, self.rows - 1), "x": (0, self.cols - 1)}
        return ranges | {"ind": UNKNOWN}

    @cached_property
    def values(self) -> tuple[AffineExpr, ...]:
        """Each digit by the row `y` and the column `x` of the site and by its item `i`."""
        ranges = self.ranges(Loops())
        values: list[AffineExpr] = []
        weight = self.items
        for run, share in self._parts:
            weight //= share.items
            item = (dimension("i") // weight) % share.items
            site = AffineExpr.constant(0)
            if run == self.y:
                site = dimension("y") * share.cols
            if run == self.x:
                site = site + dimension("x")
            number, inner = site * share.items + item, share.total
            for digit in run:
                inner //= self.digits[digit].extent
                value = number // inner
                # Beyond the end, the first digit goes on, so that what it stands for lies outside.
                if digit != run[0]:
                    value = value % self.digits[digit].extent
                values.append(simplify(value, ranges))
        return tuple(values)

    def reads(self, loads: Iterable[tuple[frozenset[int], float]]) -> float:
        """Bytes read from DRAM if each page is read once for all sites that want it.

        Args:
            loads: for each, the digits that its pages depend on, and the bytes of an item's.
        """
        total = 0.0
        for digits, size in loads:
            rows = self.rows if digits.intersection(self.y) else 1
            cols = self.cols if digits.intersection(self.x) else 1
            total += size * rows * cols * self.items
        return total

    @property
    def text(self) -> str:
        """What goes where, for people."""
        if not self.y and not self.x:
            return "nowhere"
        if self.y == self.x:
            return f"{_run_text(self.y)} over rows and columns"
        both = ((self.y, "rows"), (self.x, "columns"))
        return ", ".join(f"{_run_text(run)} over {word}" for run, word in both if run)


def _run_text(run: Run) -> str:
    numbers = ", ".join(map(str, run))
    return f"digit {numbers}" if len(run) == 1 else f"digits {numbers}"


def distributions(
    digits: Sequence[Digit],
    grid: tuple[int, int],
    may_hang: frozenset[int],
    chosen: Mapping[str, Run],
    loads: Sequence[tuple[frozenset[int], float]] = (),
) -> tuple[tuple[Distribution, ...], int]:
    """The ways worth a closer look, and how many others there are.

    They have few items a site, and among those few bytes to read.

    Args:
        digits: of the item number.
        grid: rows and columns of sites.
        may_hang: the digits that may have values beyond their extent.
        chosen: what was asked for, for `y` and for `x`.
        loads: for each, the digits that its pages depend on, and the bytes of an item's.
    """
    nothing = range(0)
    runs = [
        range(start, stop)
        for start in range(len(digits))
        for stop in range(start + 1, len(digits) + 1)
    ]
    found: dict[tuple[Run, Run], Distribution] = {}
    for y in [chosen["y"]] if "y" in chosen else runs if grid[0] > 1 else [nothing]:
        for x in [chosen["x"]] if "x" in chosen else runs if grid[1] > 1 else [nothing]:
            apart = not y or not x or y[-1] < x[0] or x[-1] < y[0]
            # Who asks for digits on one axis does not mean them on the other.
            if apart or (y == x and len(chosen) != 1):
                found[y, x] = Distribution(tuple(digits), y, x, grid, may_hang)
    if not found:
        # There are no digits, or those that were asked for leave none.
        y, x = chosen.get("y", nothing), chosen.get("x", nothing)
        found[y, x] = Distribution(tuple(digits), y, x, grid, may_hang)
    ranked = sorted(found.values(), key=lambda each: (each.items, each.reads(loads)))
    most = 2 * ranked[0].items
    kept = tuple(each for each in ranked[:MOST_CANDIDATES] if each.items <= most)
    return kept, len(ranked) - len(kept)
