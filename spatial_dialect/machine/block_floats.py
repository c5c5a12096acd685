"""Block floats: 16 neighbours in a row of a tile share one exponent, and have no hidden bit.

This is Tenstorrent's `Bfp8_b` and `Bfp4_b` (tt-metal, `blockfloat_common.cpp`). The exponent is the
largest of the 16, with the range of f32. An element is a sign and a mantissa of 7 or 3 bits in
units of 2^(exponent - 6) or 2^(exponent - 2): it is cut to the 24 bits of an f32 with the shared
exponent, then rounded to nearest, ties to even. A mantissa that would round up to the next power
of two stays at the largest one: the exponent is never raised. Zeros have no sign.

The format has neither subnormal numbers, which count as zero, nor NaN and infinity. Here a NaN
stays one, and what lies beyond the largest f32 is infinite, so that it is not lost; the numbers
next to it are too small to be seen.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

BLOCK = 16
"""So many elements share an exponent."""


def quantised(values: NDArray[Any], mantissa_bits: int) -> NDArray[np.float32]:
    """The nearest values of the format; blocks run along the last axis, from its start."""
    given = np.ascontiguousarray(values, dtype=np.float32)
    *outer, length = given.shape
    blocks = -(-length // BLOCK)
    if length % BLOCK:
        filled = np.zeros((*outer, blocks * BLOCK), np.float32)
        filled[..., :length] = given
    else:
        filled = given
    bits = filled.view(np.uint32).reshape(*outer, blocks, BLOCK)
    exponents = (bits >> 23) & 0xFF
    shared = exponents.max(axis=-1, keepdims=True)
    significands = np.where(exponents == 0, 0, (bits & 0x7FFFFF) | 0x800000)
    significands >>= np.minimum(shared - exponents, 31)
    dropped = 24 - mantissa_bits
    rest = significands & ((1 << dropped) - 1)
    mantissas = significands >> dropped
    tie = 1 << (dropped - 1)
    mantissas += (rest > tie) | ((rest == tie) & (mantissas & 1 == 1))
    mantissas = np.minimum(mantissas, (1 << mantissa_bits) - 1)
    units = shared.astype(np.int32) - (127 + mantissa_bits - 1)
    # In f64, where no unit is subnormal.
    magnitudes: NDArray[np.float64] = np.ldexp(mantissas.astype(np.float64), units)
    negative = (bits >> 31 == 1) & (mantissas > 0)
    with np.errstate(over="ignore"):
        narrow = np.where(negative, -magnitudes, magnitudes).astype(np.float32)
    result = narrow.reshape(filled.shape)[..., :length]
    return np.where(np.isnan(given), np.float32(np.nan), result)
