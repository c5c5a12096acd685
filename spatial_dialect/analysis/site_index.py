"""Which of many sets of sites meet a given one, without asking each of them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Generic

from typing_extensions import TypeVar

from spatial_dialect.ir.sites import Interval, Sites

_ItemT = TypeVar("_ItemT")

_FEW = 8
"""So many different sets are quicker asked one by one."""


class SiteIndex(Generic[_ItemT]):
    """Items on sets of sites.

    Many items have few different sets as a rule: each set is asked once. Many different sets are
    filed by rows or by columns, whichever keeps them better apart.
    """

    def __init__(self, items: Iterable[_ItemT], sites: Mapping[_ItemT, Sites]):
        """File `items`, each at its `sites`."""
        self._items = tuple(items)
        self._places: dict[Sites, list[int]] = {}
        for place, item in enumerate(self._items):
            self._places.setdefault(sites[item], []).append(place)
        self._sets = tuple(self._places)
        self._known: dict[Sites, tuple[_ItemT, ...]] = {}
        self._shelves: _Shelves | None = None

    def meeting(self, sites: Sites) -> tuple[_ItemT, ...]:
        """The items that have a site in common with `sites`, in the order they were given."""
        if (known := self._known.get(sites)) is None:
            places = [
                place
                for candidate in self._candidates(sites)
                if candidate is sites or not candidate.isdisjoint(sites)
                for place in self._places[candidate]
            ]
            known = self._known[sites] = tuple(self._items[place] for place in sorted(places))
        return known

    def _candidates(self, sites: Sites) -> Iterable[Sites]:
        if len(self._sets) <= _FEW:
            return self._sets
        if self._shelves is None:
            by_rows, by_columns = _Shelves(self._sets, True), _Shelves(self._sets, False)
            self._shelves = min(by_rows, by_columns, key=lambda shelves: shelves.crowding)
        return [self._sets[number] for number in sorted(self._shelves.at(sites))]


class _Shelves:
    """Sets of sites, filed under each of the runs of rows, or columns, that they cross."""

    def __init__(self, sets: Sequence[Sites], by_rows: bool):
        self._by_rows = by_rows
        self._cuts = sorted({end for s in sets for span in self._spans(s) for end in span})
        self._sets = sets
        self._shelves: list[list[int]] | None = None

    @property
    def crowding(self) -> int:
        """How many pairs of sets lie under the same run, runs counted one by one."""
        steps = [0] * (len(self._cuts) + 1)
        for sites in self._sets:
            for span in self._spans(sites):
                runs = self._runs(span)
                steps[runs.start] += 1
                steps[runs.stop] -= 1
        return sum(count * count for count in accumulate(steps))

    def _spans(self, sites: Sites) -> Iterable[Interval]:
        rects = sites.rects
        return ((r.y0, r.y1) if self._by_rows else (r.x0, r.x1) for r in rects)

    def _runs(self, span: Interval) -> range:
        """The runs between two cuts that a span crosses."""
        first = max(0, bisect_right(self._cuts, span[0]) - 1)
        return range(first, min(bisect_left(self._cuts, span[1]), len(self._cuts) - 1))

    def at(self, sites: Sites) -> set[int]:
        """The numbers of the sets that may meet `sites`."""
        if self._shelves is None:
            self._shelves = [[] for _ in self._cuts]
            for number, filed in enumerate(self._sets):
                for span in self._spans(filed):
                    for run in self._runs(span):
                        self._shelves[run].append(number)
        return {
            n for span in self._spans(sites) for run in self._runs(span) for n in self._shelves[run]
        }
