"""Element types on numpy arrays: how tiles hold numbers, and the types that code computes in.

A page or a tensor is an array of its *storage* type: the numpy or `ml_dtypes` type of the same
name, `bool` for `i1`, and float32 for block floats, whose values are quantised. Code computes in
f32 for floats and in i32 for integers; a result is rounded once, when its page is made:

- to a narrower float as `ml_dtypes` rounds, to nearest, ties to even;
- to a block float as `block_floats` describes;
- to a narrower integer by keeping its lowest bits, as `arith.trunci` does.
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypeAlias

import ml_dtypes
import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Attribute

from spatial_dialect.ir.types import BFP4Type, BFP8Type, element_name, is_float
from spatial_dialect.machine.block_floats import quantised

Array: TypeAlias = NDArray[Any]
"""An array of any element type."""

_STORAGE: dict[str, Any] = {
    "f64": np.float64,
    "f32": np.float32,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E4M3": ml_dtypes.float8_e4m3,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "f8E4M3B11FNUZ": ml_dtypes.float8_e4m3b11fnuz,
    "f8E3M4": ml_dtypes.float8_e3m4,
    "f8E8M0FNU": ml_dtypes.float8_e8m0fnu,
    "f6E2M3FN": ml_dtypes.float6_e2m3fn,
    "f6E3M2FN": ml_dtypes.float6_e3m2fn,
    "f4E2M1FN": ml_dtypes.float4_e2m1fn,
    "bfp8": np.float32,
    "bfp4": np.float32,
    "i1": np.bool_,
    **{f"{sign}{bits}": f"int{bits}" for sign in ("i", "si") for bits in (8, 16, 32, 64)},
    **{f"ui{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
    "i4": ml_dtypes.int4,
    "si4": ml_dtypes.int4,
    "ui4": ml_dtypes.uint4,
    "index": np.int64,
}

_MANTISSA_BITS = {"bfp8": 7, "bfp4": 3}


@cache
def storage_type(type: Attribute) -> np.dtype[Any]:
    """The numpy type of the elements of pages and tensors.

    Raises:
        ValueError: numpy and `ml_dtypes` have no such type.
    """
    if (found := _STORAGE.get(element_name(type))) is None:
        raise ValueError(f"there is no numpy type for elements of {element_name(type)}")
    return np.dtype(found)


def is_block_float(type: Attribute) -> bool:
    """Whether elements share exponents."""
    return isinstance(type, BFP8Type | BFP4Type)


def unpacked(pages: Array, type: Attribute) -> Array:
    """Elements as code gets them: f32 or i32."""
    return pages.astype(np.float32 if is_float(type) else np.int32, copy=False)


def packed(values: Array, type: Attribute) -> Array:
    """What code has computed, f32 or i32, rounded to the element type of a page."""
    if is_block_float(type):
        return quantised(values, _MANTISSA_BITS[element_name(type)])
    storage = storage_type(type)
    if storage == np.bool_:
        return (values & 1).astype(np.bool_)
    return values.astype(storage, copy=False)


def settled(pages: Array, type: Attribute) -> Array:
    """Elements in their storage type, as the element type can hold them.

    Only block floats change: whoever puts elements into a row may change what they share.
    """
    return packed(pages, type) if is_block_float(type) else pages
