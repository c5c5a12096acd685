"""What compute ops make of pages: on arrays whose last two axes are the elements of a page.

All values are f32 or i32, as code computes in them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import EllipsisType

import numpy as np
from xdsl.ir import Block, SSAValue

from spatial_dialect.ir.attributes import Broadcast, PageAxis, Reduction
from spatial_dialect.machine.elements import Array
from spatial_dialect.machine.elementwise import evaluated

_REDUCTIONS: dict[Reduction, np.ufunc] = {
    Reduction.ADD: np.add,
    Reduction.MAX: np.maximum,
    Reduction.MIN: np.minimum,
}

_FIRST: dict[Broadcast, tuple[EllipsisType | slice, ...]] = {
    Broadcast.NONE: (...,),
    Broadcast.ROWS: (..., slice(1), slice(None)),
    Broadcast.COLS: (..., slice(1)),
    Broadcast.SCALAR: (..., slice(1), slice(1)),
}
"""The part of a page that is repeated."""


def product(lhs: Array, rhs: Array, out: Array | None = None) -> Array:
    """The products of pages; integers modulo 2^32.

    Args:
        lhs: the left pages.
        rhs: the right pages.
        out: where to put a product of floats.
    """
    return np.matmul(lhs, rhs, out=out) if lhs.dtype == np.float32 else _whole_product(lhs, rhs)


def _whole_product(lhs: Array, rhs: Array) -> Array:
    largest = [int(np.abs(side.astype(np.int64)).max(initial=0)) for side in (lhs, rhs)]
    # Sums of this size are exact in f64, for which there is a fast product.
    exact = largest[0] * largest[1] * lhs.shape[-1] < 2**53
    wide = np.float64 if exact else np.int64
    result = np.matmul(lhs.astype(wide), rhs.astype(wide))
    return result.astype(np.int64).astype(np.int32)


def reduced(values: Array, kind: Reduction, axis: PageAxis, tile: tuple[int, int]) -> Array:
    """The rows or columns of pages combined into the first one of a page of one tile there."""
    along, first = -1, np.s_[..., :1]
    if axis == PageAxis.ROWS:
        along, first = -2, np.s_[..., :1, :]
    shape = list(values.shape)
    shape[along] = tile[along]
    result = np.zeros(shape, values.dtype)
    combine = _REDUCTIONS[kind]
    result[first] = combine.reduce(values, axis=along, keepdims=True, dtype=values.dtype)
    return result


def all_reduced(pages: Sequence[Array], kind: Reduction) -> Array:
    """Pages combined element by element."""
    combine = _REDUCTIONS[kind]
    result, *others = pages
    for other in others:
        result = combine(result, other)
    return result


def mapped(
    code: Block,
    pages: Sequence[Array],
    broadcasts: Sequence[Broadcast],
    known: Mapping[SSAValue, Array],
    shape: tuple[int, ...],
    place: str,
) -> Array:
    """What the code of a map makes of pages.

    Args:
        code: the code.
        pages: its inputs.
        broadcasts: which part of each is repeated.
        known: values from outside that the code may use.
        shape: the shape of the result if the code uses no input, or only a part of each.
        place: where the code stands, for messages.

    Raises:
        ValueError: the code has an operation that is not known.
    """
    inputs = [page[_FIRST[kind]] for page, kind in zip(pages, broadcasts, strict=True)]
    result = evaluated(code, inputs, known, place)
    shape = np.broadcast_shapes(shape, *(value.shape for value in inputs))
    return np.broadcast_to(result, shape)
