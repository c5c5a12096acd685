"""Pages between tensors and local memory: which elements of a tensor a page is made of.

Element (p, q) of a page lies in tile (p // rows of a tile, q // columns of a tile) of the page, and
tile (r, c) of the page is tile (row + r * strides[0], column + c * strides[1]) of the tensor, where
row and column are the last two expressions of the address, in tiles; the leading ones count
elements. With `transpose` the page is the transpose of what the load reads without it, with the
page's rows and columns exchanged. With `rows`, row p of the page (column p if it is transposed) is
row ix[p] of the tensor, where the elements of the index page are counted row by row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
)

from spatial_dialect.dialects.choreo import ReadTilesOp, WriteTilesOp
from spatial_dialect.dialects.spatial import LoadOp, StoreOp, page_type
from spatial_dialect.ir.addresses import DIMENSIONS
from spatial_dialect.machine.elements import Array, is_block_float, packed, settled, storage_type


def evaluated(expr: AffineExpr, point: Mapping[str, Array]) -> Array:
    """The values of an expression of an address, for arrays of values of its dimensions."""
    match expr:
        case AffineConstantExpr(value=value):
            return np.asarray(value, np.int64)
        case AffineDimExpr(position=position):
            return point[DIMENSIONS[position]]
        case AffineBinaryOpExpr(kind=kind, lhs=lhs, rhs=rhs):
            left, right = evaluated(lhs, point), evaluated(rhs, point)
            match kind:
                case AffineBinaryOpKind.Add:
                    return left + right
                case AffineBinaryOpKind.Mul:
                    return left * right
                case AffineBinaryOpKind.FloorDiv:
                    return left // right
                case AffineBinaryOpKind.CeilDiv:
                    return -(-left // right)
                case AffineBinaryOpKind.Mod:
                    return left % right
        case _:
            raise ValueError(f"not an expression of a tile address: {expr}")


class Outside(Exception):
    """A page reaches outside a tensor that nothing says what to do about."""

    dimension: int
    """The dimension of the tensor."""
    index: int
    """An index outside of it, in elements."""

    def __init__(self, dimension: int, index: int):
        super().__init__(f"index {index} of dimension {dimension}")
        self.dimension, self.index = dimension, index


@dataclass(frozen=True)
class Transfer:
    """What is common to all pages of one load or store, of a stage or of an engine."""

    op: LoadOp | StoreOp | ReadTilesOp | WriteTilesOp
    tile: tuple[int, int]
    """Rows and columns of a tile."""
    clips: bool
    """Whether elements outside the tensor are left alone."""

    @cached_property
    def page_shape(self) -> tuple[int, int]:
        """Rows and columns of a page, in elements."""
        (rows, cols), (tile_rows, tile_cols) = page_type(self.op.buffer).shape, self.tile
        return rows * tile_rows, cols * tile_cols

    @cached_property
    def _tiles(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Rows and columns of tiles of the tensor that a page is made of, and the steps between."""
        (rows, cols), (down, along) = page_type(self.op.buffer).shape, (1, 1)
        if isinstance(self.op, LoadOp | ReadTilesOp):
            if self.op.strides is not None:
                down, along = self.op.strides.get_values()
            if self.op.transpose is not None:
                return (cols, rows), (along, down)
        return (rows, cols), (down, along)

    @cached_property
    def _transposes(self) -> bool:
        return isinstance(self.op, LoadOp | ReadTilesOp) and self.op.transpose is not None

    @cached_property
    def _settles(self) -> bool:
        """Whether elements that share exponents may meet new neighbours in a page."""
        if not is_block_float(page_type(self.op.buffer).element_type):
            return False
        padded = isinstance(self.op, LoadOp | ReadTilesOp) and self.op.pad is not None
        return padded or self._transposes

    def _spans(
        self, base: Sequence[int], rows: Array | None
    ) -> tuple[slice | Array, slice | Array]:
        """The tensor's rows and columns that the page, not transposed, is made of."""
        shape, steps = self._tiles
        spans: list[slice | Array] = []
        for axis in (0, 1):
            count, step, tile, start = shape[axis], steps[axis], self.tile[axis], base[axis - 2]
            if axis == 0 and rows is not None:
                spans.append(rows[: count * tile])
            elif step == 1:
                spans.append(slice(start * tile, (start + count) * tile))
            else:
                tiles = start + np.arange(count) * step
                spans.append((tiles[:, None] * tile + np.arange(tile)).reshape(-1))
        return spans[0], spans[1]

    def _leading(self, base: Sequence[int], shape: Sequence[int]) -> tuple[int, ...] | None:
        """The leading indices, or None if they are outside the tensor."""
        leading = tuple(base[:-2])
        for dimension, (index, size) in enumerate(zip(leading, shape, strict=False)):
            if not 0 <= index < size:
                if not self.clips:
                    raise Outside(dimension, index)
                return None
        return leading

    def _inside(
        self, span: slice | Array, dimension: int, size: int
    ) -> tuple[slice | Array, slice | Array]:
        """What of a span is inside the tensor, and where that is in the page."""
        if isinstance(span, slice):
            start, stop = max(span.start, 0), min(span.stop, size)
            if (start, stop) == (span.start, span.stop):
                return span, slice(None)
            if not self.clips:
                raise Outside(dimension, span.start if span.start < 0 else max(span.start, size))
            stop = max(start, stop)
            return slice(start, stop), slice(start - span.start, stop - span.start)
        inside = (span >= 0) & (span < size)
        if inside.all():
            return span, slice(None)
        if not self.clips:
            raise Outside(dimension, int(span[~inside][0]))
        return span[inside], np.flatnonzero(inside)

    def read(self, tensor: Array, base: Sequence[int], rows: Array | None, into: Array) -> None:
        """Read one page.

        Args:
            tensor: where to read.
            base: the values of the address.
            rows: the tensor's rows of a load by rows.
            into: the page, which holds what is outside the tensor.

        Raises:
            Outside: it reaches outside the tensor, and the load does not pad.
        """
        page = into.T if self._transposes else into
        leading = self._leading(base, tensor.shape)
        if leading is None:
            return
        first, second = self._spans(base, rows)
        rank = tensor.ndim
        first, page_rows = self._inside(first, rank - 2, tensor.shape[-2])
        second, page_cols = self._inside(second, rank - 1, tensor.shape[-1])
        # One axis at a time: two index arrays would be taken in pairs.
        part = tensor[leading][first][:, second]
        if isinstance(page_rows, slice) or isinstance(page_cols, slice):
            page[page_rows, page_cols] = part
        else:
            page[np.ix_(page_rows, page_cols)] = part

    def write(self, page: Array, base: Sequence[int], rows: Array | None, tensor: Array) -> None:
        """Write one page.

        Raises:
            Outside: it reaches outside the tensor, and is not to be clipped.
        """
        leading = self._leading(base, tensor.shape)
        if leading is None:
            return
        first, second = self._spans(base, rows)
        rank = tensor.ndim
        first, page_rows = self._inside(first, rank - 2, tensor.shape[-2])
        second, page_cols = self._inside(second, rank - 1, tensor.shape[-1])
        assert isinstance(second, slice)
        tensor[leading][first, second] = page[page_rows, page_cols]

    @cached_property
    def empty(self) -> Array:
        """What a page holds where nothing is read, a single element."""
        type = page_type(self.op.buffer).element_type
        pad = self.op.pad if isinstance(self.op, LoadOp | ReadTilesOp) else None
        match pad:
            case FloatAttr():
                return packed(np.asarray([pad.value.data], np.float32), type)
            case IntegerAttr():
                value = np.asarray([pad.value.data], np.int64)
                return packed(value, type)
            case _:
                return np.zeros(1, storage_type(type))

    def settled(self, pages: Array) -> Array:
        """Pages that have been read, as their type can hold them.

        A block float that is not transposed, and has no padding, lies in its page as it was.
        """
        return settled(pages, page_type(self.op.buffer).element_type) if self._settles else pages
