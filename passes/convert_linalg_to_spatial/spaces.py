"""The dimensions of a cluster, and what becomes of each: rows, columns, or a choice of matrix."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.ir.affine import AffineExpr

from spatial_dialect.ir.addresses import dimension

from .tensors import Shape
from .views import View


@dataclass(frozen=True)
class Space:
    """The dimensions of a cluster, those that lie in memory without gaps put together."""

    inner: Shape
    """The extents of the dimensions as the nodes have them."""
    groups: tuple[tuple[int, ...], ...]
    """The dimensions put together, by these; those of extent 1 are left out."""
    row: int | None
    """The group that goes along the rows of a page."""
    col: int | None
    """The group that goes along its columns."""
    digits: tuple[int, ...]
    """The groups that choose the matrix, outermost first."""

    @property
    def sizes(self) -> Shape:
        """The extent of every group."""
        return tuple(prod(self.inner[dim] for dim in group) for group in self.groups)

    def group_of(self, dim: int | None) -> int | None:
        """The group of a dimension."""
        for number, group in enumerate(self.groups):
            if dim in group:
                return number
        return None

    def seen(self, view: View) -> View:
        """A view of the dimensions as a view of the groups."""
        strides = tuple(view.strides[group[-1]] for group in self.groups)
        return View(view.base, view.offset, strides, self.sizes)

    @property
    def digit_exprs(self) -> dict[int, AffineExpr]:
        """The groups that choose the matrix in terms of the item."""
        exprs: dict[int, AffineExpr] = {}
        sizes = self.sizes
        weight = self.matrices
        for number, group in enumerate(self.digits):
            weight //= sizes[group]
            expr = dimension("i")
            if weight > 1:
                expr = expr // weight
            if number > 0:
                expr = expr % sizes[group]
            exprs[group] = expr
        return exprs

    @property
    def matrices(self) -> int:
        """How many matrices there are."""
        sizes = self.sizes
        return prod(sizes[group] for group in self.digits)


def grouped(
    inner: Shape, classes: Sequence[Sequence[int]], views: Iterable[View]
) -> list[list[tuple[int, ...]]]:
    """The dimensions of each class, those put together that have no gaps in any view.

    Args:
        inner: the extents of all dimensions.
        classes: dimensions that may be put together, outermost first.
        views: all tensors, as views of these dimensions.
    """
    views = tuple(views)
    result: list[list[tuple[int, ...]]] = []
    for dims in classes:
        groups: list[tuple[int, ...]] = []
        for dim in dims:
            if inner[dim] == 1:
                continue
            before = groups[-1][-1] if groups else None
            if before is not None and all(
                view.strides[before] == inner[dim] * view.strides[dim] for view in views
            ):
                groups[-1] = (*groups[-1], dim)
            else:
                groups.append((dim,))
        result.append(groups)
    return result
