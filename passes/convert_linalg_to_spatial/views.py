"""Tensors in DRAM as strided views, and the tile addresses that reach them.

A tensor in DRAM is a row of elements. A `View` of it has a stride for every dimension of a space
of iterations. `placed` finds the shape that a program can give the tensor, and the address in it,
so that a page holds the elements of two dimensions and the others choose the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.ir.affine import AffineExpr

from spatial_dialect.ir.addresses import linear_form

from .tensors import Access, Node, Position, Ref, Reshape, Shape, Slice


@dataclass(frozen=True)
class View:
    """Elements of a tensor in DRAM."""

    base: Node
    """The tensor, of which only the number of elements counts here."""
    offset: int
    strides: Shape
    """The step in elements for each dimension; 0 where all see the same."""
    shape: Shape

    def through(self, access: Access, shape: Shape) -> View:
        """The view from a space in which its dimension d follows `access[d]`."""
        strides = [0] * len(shape)
        for stride, dim in zip(self.strides, access, strict=True):
            if dim is not None:
                strides[dim] += stride
        return View(self.base, self.offset, tuple(strides), shape)


def whole(node: Node, order: Sequence[int] | None = None) -> View:
    """A tensor as it lies in DRAM, its dimensions in this order, the last without gaps."""
    order = range(len(node.shape)) if order is None else order
    strides = [0] * len(node.shape)
    step = 1
    for dim in reversed(order):
        strides[dim] = step
        step *= node.shape[dim]
    return View(node, 0, tuple(strides), node.shape)


def view_of(ref: Ref, known: Mapping[Node, View]) -> View | None:
    """The tensor as a view of one that is in DRAM: one of those that `known` has, or positions."""
    node = ref.node
    inner = whole(node) if isinstance(node, Position) else known.get(node)
    if inner is None and isinstance(node, Reshape):
        before = view_of(node.input, known)
        inner = None if before is None else _reshaped(before, node.shape)
    elif inner is None and isinstance(node, Slice):
        before = view_of(node.input, known)
        if before is not None:
            start = sum(o * s for o, s in zip(node.offsets, before.strides, strict=True))
            strides = tuple(a * b for a, b in zip(node.steps, before.strides, strict=True))
            inner = View(before.base, before.offset + start, strides, node.shape)
    return None if inner is None else inner.through(ref.access, ref.shape)


def _reshaped(view: View, shape: Shape) -> View | None:
    """The same elements in row-major order in another shape, if they need no other place."""
    # Dimensions of 1 have no stride that matters; runs of dimensions without gaps are one.
    runs: list[list[int]] = []
    for size, stride in zip(view.shape, view.strides, strict=True):
        if size == 1:
            continue
        if runs and runs[-1][1] == size * stride:
            runs[-1] = [runs[-1][0] * size, stride]
        else:
            runs.append([size, stride])
    strides = [0] * len(shape)
    for dim in reversed(range(len(shape))):
        size = shape[dim]
        if size == 1:
            continue
        if not runs or runs[-1][0] % size:
            return None
        strides[dim] = runs[-1][1]
        runs[-1] = [runs[-1][0] // size, runs[-1][1] * size]
        if runs[-1][0] == 1:
            runs.pop()
    return None if runs else View(view.base, view.offset, tuple(strides), shape)


@dataclass(frozen=True)
class Place:
    """Where a program finds the pages of a view."""

    shape: Shape
    """The shape that it gives the tensor."""
    address: tuple[AffineExpr, ...]
    """Where a page starts: elements in the dimensions before the last two, then tiles."""
    transpose: bool
    """Whether the rows of a page lie along the last dimension of the tensor."""
    hangs_over: bool
    """Whether the last tiles of a page reach beyond the tensor."""


class NoPlace(Exception):
    """Tiles cannot reach the elements of a view; the message says why."""


def placed(
    view: View,
    row: int | None,
    col: int | None,
    digits: Mapping[int, AffineExpr],
    tile: tuple[int, int],
) -> Place:
    """Where the pages of a view are.

    Args:
        view: the tensor.
        row: the dimension along the rows of a page, if there is one.
        col: the dimension along its columns, if there is one.
        digits: what else chooses the page, by dimension.
        tile: rows and columns of a tile, in elements.

    Raises:
        NoPlace: there is no shape in which the view is made of tiles.
    """

    def moving(dim: int | None) -> int | None:
        fixed = dim is None or not view.strides[dim] or view.shape[dim] == 1
        return None if fixed else dim

    row, col = moving(row), moving(col)
    steps = {dim: view.strides[dim] for dim in digits if view.strides[dim] and view.shape[dim] > 1}
    if col is None or view.strides[col] == 1:
        return _Levels(view, row, col, steps).place(digits, tile, transpose=False)
    if (row is None or view.strides[row] == 1) and tile[0] == tile[1]:
        return _Levels(view, col, row, steps).place(digits, tile, transpose=True)
    raise NoPlace("neither its rows nor its columns follow each other in memory")


class _Levels:
    """A tensor from outside in: what chooses the page, then rows, then columns."""

    def __init__(self, view: View, outer: int | None, inner: int | None, steps: Mapping[int, int]):
        self.view, self.outer, self.inner, self.steps = view, outer, inner, steps
        size = prod(view.base.shape)
        self.columns = 1 if inner is None else view.shape[inner]
        self.rows = 1 if outer is None else view.shape[outer]
        far = [step for step in steps.values() if step >= self.columns]
        self.pitch = min(far, default=size) if outer is None else view.strides[outer]
        area = self.pitch * self.rows
        self.leading = sorted({step for step in steps.values() if step >= area}, reverse=True)
        if self.columns > self.pitch or any(
            not self.columns <= step < self.pitch and step not in self.leading
            for step in steps.values()
        ):
            raise NoPlace("its pages overlap in memory")
        self.shape: list[int] = []
        for step in (*self.leading, self.pitch):
            if size % step:
                raise NoPlace(f"steps of {size} and {step} elements do not divide each other")
            self.shape.append(size // step)
            size = step
        self.shape.append(self.pitch)

    def place(
        self, digits: Mapping[int, AffineExpr], tile: tuple[int, int], *, transpose: bool
    ) -> Place:
        """The address of the pages."""
        levels = (*self.leading, self.pitch, 1)
        starts: list[int] = []
        rest = self.view.offset
        for step in levels:
            starts.append(rest // step)
            rest %= step
        exprs = [AffineExpr.constant(start) for start in starts]
        for dim, step in self.steps.items():
            level = levels.index(step) if step in self.leading else len(levels) - 1
            exprs[level] = exprs[level] + digits[dim] * (step // levels[level])
        in_columns = [step for step in self.steps.values() if step not in self.leading]
        over = [
            _in_tiles(
                exprs,
                len(levels) - 2,
                (starts[-2],),
                self.rows,
                self.shape[-2],
                tile[0],
                alone=True,
                free=self.outer is None,
            ),
            _in_tiles(
                exprs,
                len(levels) - 1,
                (starts[-1], *in_columns),
                self.columns,
                self.shape[-1],
                tile[1],
                alone=not in_columns,
                free=self.inner is None,
            ),
        ]
        return Place(tuple(self.shape), tuple(exprs), transpose, any(over))


def _in_tiles(
    exprs: list[AffineExpr],
    level: int,
    starts: Iterable[int],
    extent: int,
    room: int,
    tile: int,
    *,
    alone: bool,
    free: bool,
) -> bool:
    """Count an address in tiles; the result is whether the last tile reaches beyond the tensor."""
    first, *steps = starts
    for start in (first, *steps):
        if start % tile:
            raise NoPlace(f"it has pages that start at element {start}, which is no whole tile")
    exprs[level] = _divided(exprs[level], tile)
    end = -(-extent // tile) * tile
    if free or (alone and first + extent == room):
        return first + end > room or not alone
    if extent % tile:
        raise NoPlace(f"its pages of {extent} elements end inside a tile, next to other elements")
    return False


def _divided(expr: AffineExpr, factor: int) -> AffineExpr:
    """A sum of which every term is a multiple, divided."""
    terms, constant = linear_form(expr)
    total = AffineExpr.constant(constant // factor)
    for atom, times in terms.items():
        total = total + atom * (times // factor)
    return total
