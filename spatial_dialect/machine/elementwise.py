"""The code of a `spatial.map` on whole arrays: one numpy operation per operation.

Floats follow IEEE 754, so NaN and infinity are values like others; integers wrap around. Where
`arith` leaves a result undefined, the one here does not depend on the machine: conversions to
integers saturate (NaN gives 0), and division by zero gives 0.
"""

from __future__ import annotations

import math as scalar_math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IndexType, IntegerAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import is_side_effect_free

from spatial_dialect.dialects.spatial import YieldOp
from spatial_dialect.ir.diagnostics import value_name
from spatial_dialect.ir.types import is_float
from spatial_dialect.machine.elements import Array, storage_type

_Function: TypeAlias = Callable[..., Any]
_Comparison: TypeAlias = Callable[[Array, Array], Any]


def evaluated(
    block: Block, arguments: Sequence[Array], known: Mapping[SSAValue, Array], place: str
) -> Array:
    """What the code of a map yields.

    Args:
        block: the code.
        arguments: the inputs, which broadcast against each other.
        known: values from outside that the code may use.
        place: where the code stands, for messages.

    Raises:
        ValueError: the code has an operation that is not known here.
    """
    values: dict[SSAValue, Array] = dict(known)
    values.update(zip(block.args, arguments, strict=True))
    for op in block.ops:
        if isinstance(op, YieldOp):
            return values[op.arguments[0]]
        operands = [values[operand] for operand in op.operands]
        values[op.results[0]] = scalar_result(op, operands, place)
    raise ValueError(f"{place}: its code yields nothing")


def free_values(
    block: Block, known: Mapping[SSAValue, Array], place: str
) -> Mapping[SSAValue, Array]:
    """The values from outside that the code of a map uses: constants, and what is made of them.

    Args:
        block: the code.
        known: values from outside that are known already.
        place: where the code stands, for messages.

    Raises:
        ValueError: it uses a value that is not known.
    """
    found = dict(known)
    inside: set[SSAValue] = set(block.args)

    def value(operand: SSAValue) -> Array:
        if operand not in found:
            owner = operand.owner
            if not isinstance(owner, Operation) or owner.regions or not is_side_effect_free(owner):
                raise ValueError(f"{place}: its code uses {value_name(operand)}, not a constant")
            found[operand] = scalar_result(owner, [value(o) for o in owner.operands], place)
        return found[operand]

    for op in block.ops:
        for operand in op.operands:
            if operand not in inside:
                value(operand)
        inside.update(op.results)
    return found


def is_known(op: Operation) -> bool:
    """Whether the code of a map can have an operation."""
    found = (arith.ConstantOp, arith.CmpfOp, arith.CmpiOp, *_CONVERSIONS, *_SAME_TYPE)
    return isinstance(op, found)


def scalar_result(
    op: Operation, operands: Sequence[Array], place: str, *, exact: bool = False
) -> Array:
    """What one scalar operation makes of whole arrays.

    Args:
        op: the operation.
        operands: arrays that broadcast against each other.
        place: where the operation stands, for messages.
        exact: compute floats of every type in f64.

    Raises:
        ValueError: the operation is not known here.
    """
    storage = _storage(op.results[0].type, exact)
    if isinstance(op, arith.ConstantOp):
        return _constant(op, place).astype(storage, copy=False)
    if (convert := _CONVERSIONS.get(type(op))) is not None:
        return convert(operands[0], storage)
    if isinstance(op, arith.CmpfOp):
        function = _FLOAT_PREDICATES[op.predicate.value.data]
    elif isinstance(op, arith.CmpiOp):
        function = _INTEGER_PREDICATES[op.predicate.value.data]
    elif (found := _SAME_TYPE.get(type(op))) is not None:
        function = found
    else:
        raise ValueError(f"{place}: its code has '{op.name}', which is not known here")
    result = np.asarray(function(*map(_number, operands)))
    if storage == np.bool_ and result.dtype != np.bool_:
        result = result & 1
    # A function may compute in a wider type.
    return result.astype(storage, copy=False)


def _storage(type: Attribute, exact: bool) -> np.dtype[Any]:
    if isinstance(type, IndexType):
        return np.dtype(np.int64)
    return np.dtype(np.float64) if exact and is_float(type) else storage_type(type)


def _number(value: Array) -> Array:
    """A bit as the signed number it stands for."""
    return -value.astype(np.int8) if value.dtype == np.bool_ else value


def _constant(op: arith.ConstantOp, place: str) -> Array:
    match op.value:
        case FloatAttr() | IntegerAttr():
            value = op.value.value.data
        case DenseIntOrFPElementsAttr() if op.value.is_splat():
            value = op.value.get_values()[0]
        case _:
            raise ValueError(f"{place}: its code has the constant {op.value}, not a number")
    storage = _storage(op.result.type, exact=False)
    # A negative literal of an unsigned type, or the other way round, stands for the same bits.
    integer = storage.kind in "iu" and isinstance(value, int)
    return np.asarray(value, np.int64 if integer else None).astype(storage)


################################################################################
# Integers                                                                     #
################################################################################


def _without_sign(storage: np.dtype[Any]) -> np.dtype[Any]:
    return np.dtype(f"uint{storage.itemsize * 8}")


def _unsigned(function: _Function) -> _Function:
    """The function on the same bits, read as unsigned numbers."""

    def on_bits(*operands: Array) -> Array:
        views = (o.view(_without_sign(o.dtype)) for o in map(np.asarray, operands))
        result = np.asarray(function(*views))
        return result if result.dtype == np.bool_ else result.view(operands[0].dtype)

    return on_bits


def _divided(round: Callable[[Array, Array], Array]) -> _Function:
    """A quotient in i64, where the divisors that are 0 give 0."""

    def divide(a: Array, b: Array) -> Array:
        a, b = np.asarray(a, np.int64), np.asarray(b, np.int64)
        return np.where(b == 0, 0, round(a, np.where(b == 0, 1, b)))

    return divide


def _towards_zero(a: Array, b: Array) -> Array:
    return np.abs(a) // np.abs(b) * np.where((a < 0) == (b < 0), 1, -1)


def _rounded_up(a: Array, b: Array) -> Array:
    return a // b + (a % b != 0)


def _remainder(a: Array, b: Array) -> Array:
    return np.abs(a) % np.abs(b) * np.where(a < 0, -1, 1)


def _shift(function: _Function) -> _Function:
    """A shift, by as many places as there are at most."""

    def shift(a: Array, b: Array) -> Array:
        return function(a, np.clip(b, 0, a.dtype.itemsize * 8 - 1))

    return shift


################################################################################
# Floats                                                                       #
################################################################################

_ERF_STEP = 1 / 256
_ERF_END = 6
_ERF_POINTS = np.arange(0, _ERF_END + 2 * _ERF_STEP, _ERF_STEP)
_ERF_VALUES = np.array([scalar_math.erf(point) for point in _ERF_POINTS])
_ERF_SLOPES = 2 / np.sqrt(np.pi) * np.exp(-(_ERF_POINTS**2)) * _ERF_STEP


def _erf(x: Array) -> Array:
    """The error function: cubics through its values and slopes at many points, exact to 1e-11."""
    wide = np.asarray(x, np.float64)
    distance = np.minimum(np.abs(wide), _ERF_END)
    scaled = np.where(np.isnan(distance), 0, distance) / _ERF_STEP
    left = scaled.astype(np.int64)
    t = scaled - left
    right = left + 1
    u = 1 - t
    value = (
        _ERF_VALUES[left] * u * u * (1 + 2 * t)
        + _ERF_VALUES[right] * t * t * (3 - 2 * t)
        + (_ERF_SLOPES[left] * u - _ERF_SLOPES[right] * t) * t * u
    )
    return np.where(np.isnan(wide), wide, np.copysign(value, wide))


def _half_away(x: Array) -> Array:
    wide = np.asarray(x, np.float64)
    return np.copysign(np.floor(np.abs(wide) + 0.5), wide)


def _fma(a: Array, b: Array, c: Array) -> Array:
    return a.astype(np.float64) * b.astype(np.float64) + c.astype(np.float64)


def _whole_power(a: Array, b: Array) -> Array:
    return np.power(np.asarray(a, np.float64), b)


def _inverse_root(x: Array) -> Array:
    return 1 / np.sqrt(x)


def _ordered(a: Array, b: Array) -> Array:
    return ~(np.isnan(a) | np.isnan(b))


def _unordered_or(function: _Comparison) -> _Comparison:
    return lambda a, b: function(a, b) | ~_ordered(a, b)


_FLOAT_PREDICATES: tuple[_Comparison, ...] = (
    lambda a, b: np.zeros(np.broadcast(a, b).shape, np.bool_),
    np.equal,
    np.greater,
    np.greater_equal,
    np.less,
    np.less_equal,
    lambda a, b: (a != b) & _ordered(a, b),
    _ordered,
    _unordered_or(np.equal),
    _unordered_or(np.greater),
    _unordered_or(np.greater_equal),
    _unordered_or(np.less),
    _unordered_or(np.less_equal),
    np.not_equal,
    lambda a, b: ~_ordered(a, b),
    lambda a, b: np.ones(np.broadcast(a, b).shape, np.bool_),
)
"""By the number of the predicate of an `arith.cmpf`."""

_INTEGER_PREDICATES: tuple[_Function, ...] = (
    np.equal,
    np.not_equal,
    np.less,
    np.less_equal,
    np.greater,
    np.greater_equal,
    _unsigned(np.less),
    _unsigned(np.less_equal),
    _unsigned(np.greater),
    _unsigned(np.greater_equal),
)
"""By the number of the predicate of an `arith.cmpi`."""


################################################################################
# Conversions                                                                  #
################################################################################


def _cast(value: Array, storage: np.dtype[Any]) -> Array:
    return value.astype(storage)


def _sign_extended(value: Array, storage: np.dtype[Any]) -> Array:
    # The only bit of an i1 is its sign.
    return -value.astype(storage) if value.dtype == np.bool_ else value.astype(storage)


def _zero_extended(value: Array, storage: np.dtype[Any]) -> Array:
    if value.dtype != np.bool_:
        value = value.view(_without_sign(value.dtype))
    return value.astype(storage)


def _truncated(value: Array, storage: np.dtype[Any]) -> Array:
    return (value & 1).astype(storage) if storage == np.bool_ else value.astype(storage)


def _saturated(value: Array, storage: np.dtype[Any], signed: bool) -> Array:
    bits = storage.itemsize * 8
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    wide = np.nan_to_num(np.trunc(np.asarray(value, np.float64)), nan=0)
    # The largest i64 is no f64: what rounds up to it is capped in whole numbers.
    inside = np.where(wide >= high, 0, np.maximum(wide, low))
    whole = inside.astype(np.int64 if signed else np.uint64)
    return np.where(wide >= high, whole.dtype.type(high), whole).astype(storage)


_CONVERSIONS: dict[type[Operation], Callable[[Array, np.dtype[Any]], Array]] = {
    arith.ExtFOp: _cast,
    arith.TruncFOp: _cast,
    arith.SIToFPOp: lambda value, storage: _sign_extended(value, np.dtype(np.int64)).astype(
        storage
    ),
    arith.UIToFPOp: lambda value, storage: _zero_extended(value, np.dtype(np.uint64)).astype(
        storage
    ),
    arith.FPToSIOp: lambda value, storage: _saturated(value, storage, True),
    arith.FPToUIOp: lambda value, storage: _saturated(value, storage, False),
    arith.ExtSIOp: _sign_extended,
    arith.ExtUIOp: _zero_extended,
    arith.TruncIOp: _truncated,
    arith.IndexCastOp: _sign_extended,
    arith.BitcastOp: lambda value, storage: value.view(storage),
}

_SAME_TYPE: dict[type[Operation], _Function] = {
    arith.AddfOp: np.add,
    arith.SubfOp: np.subtract,
    arith.MulfOp: np.multiply,
    arith.DivfOp: np.divide,
    arith.NegfOp: np.negative,
    arith.MaximumfOp: np.maximum,
    arith.MinimumfOp: np.minimum,
    arith.MaxnumfOp: np.fmax,
    arith.MinnumfOp: np.fmin,
    arith.AddiOp: np.add,
    arith.SubiOp: np.subtract,
    arith.MuliOp: np.multiply,
    arith.DivSIOp: _divided(_towards_zero),
    arith.FloorDivSIOp: _divided(np.floor_divide),
    arith.CeilDivSIOp: _divided(lambda a, b: -(-a // b)),
    arith.RemSIOp: _divided(_remainder),
    arith.DivUIOp: _unsigned(np.floor_divide),
    arith.CeilDivUIOp: _unsigned(_rounded_up),
    arith.RemUIOp: _unsigned(np.remainder),
    arith.MaxSIOp: np.maximum,
    arith.MinSIOp: np.minimum,
    arith.MaxUIOp: _unsigned(np.maximum),
    arith.MinUIOp: _unsigned(np.minimum),
    arith.AndIOp: np.bitwise_and,
    arith.OrIOp: np.bitwise_or,
    arith.XOrIOp: np.bitwise_xor,
    arith.ShLIOp: _shift(np.left_shift),
    arith.ShRSIOp: _shift(np.right_shift),
    arith.ShRUIOp: _shift(_unsigned(np.right_shift)),
    arith.SelectOp: np.where,
    math.AbsFOp: np.abs,
    math.AbsIOp: np.abs,
    math.AcosOp: np.arccos,
    math.AcoshOp: np.arccosh,
    math.AsinOp: np.arcsin,
    math.AsinhOp: np.arcsinh,
    math.AtanOp: np.arctan,
    math.Atan2Op: np.arctan2,
    math.AtanhOp: np.arctanh,
    math.CbrtOp: np.cbrt,
    math.CeilOp: np.ceil,
    math.CopySignOp: np.copysign,
    math.CosOp: np.cos,
    math.CoshOp: np.cosh,
    math.ErfOp: _erf,
    math.ExpOp: np.exp,
    math.Exp2Op: np.exp2,
    math.ExpM1Op: np.expm1,
    math.FloorOp: np.floor,
    math.FmaOp: _fma,
    math.FPowIOp: _whole_power,
    math.LogOp: np.log,
    math.Log2Op: np.log2,
    math.Log10Op: np.log10,
    math.Log1pOp: np.log1p,
    math.PowFOp: np.power,
    math.RoundOp: _half_away,
    math.RoundEvenOp: np.rint,
    math.RsqrtOp: _inverse_root,
    math.SinOp: np.sin,
    math.SinhOp: np.sinh,
    math.SqrtOp: np.sqrt,
    math.TanOp: np.tan,
    math.TanhOp: np.tanh,
    math.TruncOp: np.trunc,
}
"""Operations whose result has the type of their operands, of the last one for a choice."""
