"""Pages of several sites in one array: which site is where, and how pages go from stack to stack.

The pages of a cell that stands for a class of sites are one array, whose two leading axes are the
sites: rows and columns if the class is a rectangle, else all sites along the first axis. An axis
along which all pages are equal has length 1, as numbers that do not depend on a coordinate have. So
a page that is sent along the rows of a rectangle need not be copied at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from spatial_dialect.ir.multicast import Along
from spatial_dialect.ir.sites import Rect, Sites
from spatial_dialect.machine.code import Number
from spatial_dialect.machine.elements import Array


@dataclass(frozen=True)
class Stack:
    """The sites of a cell, in the order of the leading axes of its pages."""

    sites: Sites
    shape: tuple[int, int]
    y: Number
    """The rows of the sites: a number, or an array that broadcasts to `shape`."""
    x: Number
    """The columns likewise."""

    @staticmethod
    def of(sites: Sites) -> Stack:
        """The stack of a set of sites."""
        if sites.is_rectangle:
            (rect,) = sites.rects
            ys, xs = np.arange(rect.y0, rect.y1), np.arange(rect.x0, rect.x1)
            shape = len(ys), len(xs)
            y = rect.y0 if len(ys) == 1 else ys[:, None]
            x = rect.x0 if len(xs) == 1 else xs[None, :]
            return Stack(sites, shape, y, x)
        all_ys, all_xs = zip(*_each(sites), strict=True)
        return Stack(sites, (len(all_ys), 1), np.array(all_ys)[:, None], np.array(all_xs)[:, None])

    def site(self, place: tuple[int, int]) -> tuple[int, int]:
        """The site at a place of the leading axes, which may be those of a broadcast array."""
        y, x = (np.broadcast_to(n, self.shape)[place] for n in (self.y, self.x))
        return int(y), int(x)

    def parted(self, values: Array) -> tuple[Sites, ...]:
        """The sites that have each of the values that an array gives them."""
        by_value: dict[int, list[Rect]] = {}
        found = np.broadcast_to(values, self.shape)
        for place in np.ndindex(self.shape):
            y, x = self.site((place[0], place[1]))
            by_value.setdefault(int(found[place]), []).append(Rect(y, y + 1, x, x + 1))
        return tuple(Sites.of(rects) for rects in by_value.values())

    @cached_property
    def flat(self) -> tuple[Array, Array]:
        """Row and column of each site."""
        y, x = (np.broadcast_to(n, self.shape).reshape(-1) for n in (self.y, self.x))
        return y, x


def _each(sites: Sites) -> Iterator[tuple[int, int]]:
    for rect in sites.rects:
        for y in range(rect.y0, rect.y1):
            for x in range(rect.x0, rect.x1):
                yield y, x


@dataclass(frozen=True)
class Route:
    """How the pages of a class of senders lie on a class of their receivers."""

    sender: tuple[int, int]
    """The leading axes of the sender's pages."""
    receiver: tuple[int, int]
    sources: Array | None
    """For each receiver the number of its sender; None if the pages lie there as they are."""

    @staticmethod
    def of(sender: Stack, receiver: Stack, along: Along) -> Route:
        """The route from each sender to the receivers in its row, its column, or anywhere."""
        alike = sender.sites.is_rectangle and receiver.sites.is_rectangle
        (a,), (b,) = ((s.sites.rects[:1]) for s in (sender, receiver))
        rows_alike = "y" in along or (a.y0, a.y1) == (b.y0, b.y1)
        columns_alike = "x" in along or (a.x0, a.x1) == (b.x0, b.x1)
        if sender.shape == (1, 1) or (alike and rows_alike and columns_alike):
            return Route(sender.shape, receiver.shape, None)
        if along == "yx":
            raise ValueError("a group along yx has one sender")
        axis = 0 if along == "x" else 1
        lanes = {lane: number for number, lane in enumerate(sender.flat[axis].tolist())}
        sources = np.array([lanes[lane] for lane in receiver.flat[axis].tolist()])
        return Route(sender.shape, receiver.shape, sources)

    def __call__(self, pages: Array) -> Array:
        """The pages of the receivers."""
        if self.sources is None:
            return pages
        rest = pages.shape[2:]
        flat = np.broadcast_to(pages, (*self.sender, *rest)).reshape(-1, *rest)
        return flat[self.sources].reshape(*self.receiver, *rest)
