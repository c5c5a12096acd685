"""Scalar operations on tensors: what they come to, and how they stand in the code of a map.

The code of a map computes in f32 on floats and in i32 on integers, whatever the types were: between
two pages nothing is rounded, so that changes between floats disappear.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import cast

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    f32,
    i1,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from spatial_dialect.dialects.spatial import YieldOp
from spatial_dialect.ir.types import is_float
from spatial_dialect.machine.elements import Array, storage_type
from spatial_dialect.machine.elementwise import evaluated, is_known

from .tensors import Kind, Pointwise, Ref, Shape, Splat


class NotUnderstood(Exception):
    """An operation cannot become part of a program; the message says why."""


CASTS = (arith.ExtFOp, arith.TruncFOp)
"""Changes between floats, which the code of a map does not need."""

CONVERSIONS = (*CASTS, arith.ExtSIOp, arith.TruncIOp)
"""Conversions that come to nothing between types that are one in code."""

_COMBINERS: dict[Kind, tuple[type[Operation], type[Operation]]] = {
    "add": (arith.AddfOp, arith.AddiOp),
    "max": (arith.MaximumfOp, arith.MaxSIOp),
    "min": (arith.MinimumfOp, arith.MinSIOp),
}

_SIGNED = (arith.ExtSIOp, arith.SIToFPOp, arith.SelectOp, arith.CmpiOp)

_SAME_IN_32_BITS: dict[bool, tuple[type[Operation], ...]] = {
    True: (*_SIGNED, arith.ExtUIOp, arith.UIToFPOp),
    False: (*_SIGNED, arith.TruncIOp),
}
"""Operations that come to the same in 32 bits, by whether their integers are narrower; wider ones
are numbers of 32 bits that were extended."""


def combiner(kind: Kind, type: Attribute) -> Operation:
    """The operation that combines two elements."""
    operands = Block(arg_types=(type, type)).args
    integers = isinstance(type, IntegerType)
    return _COMBINERS[kind][integers].create(operands=operands, result_types=(type,))


def pointwise(op: Operation, inputs: tuple[Ref, ...], shape: Shape) -> Ref:
    """A scalar operation on tensors, or what it comes to.

    Raises:
        NotUnderstood: the code of a map cannot have it.
    """
    # An index is an i32 like other integers.
    type = i32 if isinstance(op.results[0].type, IndexType) else op.results[0].type
    _check(op)
    numbers = [ref.node for ref in inputs if isinstance(ref.node, Splat)]
    if len(numbers) == len(inputs):
        return Ref(_folded(op, numbers), (), shape)
    match op, inputs:
        case ((arith.ExtUIOp() | arith.UIToFPOp()), (source,)) if _is_narrow(op.operand_types[0]):
            return _zero_extended(op, source, shape)
        case arith.SelectOp(), (Ref(node=Splat() as condition), left, right):
            return left if condition.value.value.data else right
        case arith.MaximumfOp(), _ if rest := _without(inputs, -inf):
            return rest
        case arith.MinimumfOp(), _ if rest := _without(inputs, inf):
            return rest
        case arith.AddiOp(), _ if rest := _without(inputs, 0):
            return rest
        case arith.MuliOp(), _ if rest := _without(inputs, 1):
            return rest
        case _:
            return Ref.to(Pointwise(shape, type, op, inputs))


def _is_narrow(type: Attribute) -> bool:
    """Whether integers of a type are extended to those of code."""
    return (width_of(type) or 32) not in (1, 32, 64)


def _zero_extended(op: Operation, source: Ref, shape: Shape) -> Ref:
    """Narrow integers without their signs, which they have in code, as integers or floats."""
    type: Attribute = op.results[0].type
    bits = width_of(op.operand_types[0])
    assert bits is not None
    mask = Ref(number(2**bits - 1, i32), (), shape)
    left, right = Block(arg_types=(i32, i32)).args
    whole = i32 if is_float(type) else type
    extended = Ref.to(Pointwise(shape, whole, arith.AndIOp(left, right), (source, mask)))
    if whole is type:
        return extended
    convert = arith.SIToFPOp.create(operands=[left], result_types=[type])
    return Ref.to(Pointwise(shape, type, convert, (extended,)))


def _without(inputs: tuple[Ref, ...], number: float) -> Ref | None:
    """The other of two operands, if one is this number."""
    left, right = inputs
    for one, other in ((left, right), (right, left)):
        if isinstance(one.node, Splat) and one.node.value.value.data == number:
            return other
    return None


def copied(ref: Ref) -> Pointwise:
    """The same tensor as a node of its own."""
    type = ref.node.type
    operand = Block(arg_types=(type,)).args
    op = arith.ExtFOp.create(operands=operand, result_types=(type,))
    return Pointwise(ref.shape, type, op, (ref,))


def _check(op: Operation) -> None:
    if not is_known(op):
        raise NotUnderstood(f"its code has '{op.name}', which the sites do not know")
    types = (*op.operand_types, *op.result_types)
    if isinstance(op, arith.BitcastOp) and len({*types}) > 1 and not {*types} <= {f32, i32}:
        raise NotUnderstood("its code has a bitcast of numbers that have other bits in code")
    for type in types:
        if isinstance(type, Float64Type):
            raise NotUnderstood(f"its code has '{op.name}' on f64, but sites compute in f32")
        width = width_of(type) or 32
        if width not in (1, 32) and not isinstance(op, _SAME_IN_32_BITS[width < 32]):
            raise NotUnderstood(f"its code has '{op.name}' on {type}, but sites compute in i32")


def _folded(op: Operation, numbers: list[Splat]) -> Splat:
    """What an operation makes of numbers, rounded to its own type."""
    block = Block(arg_types=op.operand_types)
    clone = type(op).create(
        operands=block.args,
        result_types=op.result_types,
        properties=op.properties,
        attributes=op.attributes,
    )
    block.add_ops([clone, YieldOp(clone.results[0])])
    arrays = [_array(number) for number in numbers]
    with np.errstate(all="ignore"):
        value = evaluated(block, arrays, {}, "constants").item()
    return number(value, op.results[0].type)


def _array(number: Splat) -> Array:
    return np.asarray(number.value.value.data).astype(storage_type(number.type))


def code_type(type: Attribute) -> Attribute:
    """The type of a value in the code of a map."""
    if isinstance(type, AnyFloat):
        return f32
    return i1 if width_of(type) == 1 else i32


def in_code(op: Operation, operands: Sequence[SSAValue]) -> Operation:
    """A scalar operation as it stands in the code of a map, on operands of its types."""
    clone = type(op).create(
        operands=list(operands),
        result_types=[code_type(op.results[0].type)],
        properties=op.properties,
        attributes=op.attributes,
    )
    clone.results[0].name_hint = op.results[0].name_hint
    return clone


def number_in_code(number: Splat) -> arith.ConstantOp:
    """A constant as it stands in the code of a map.

    Raises:
        NotUnderstood: it is an integer of more than 32 bits.
    """
    type, value = code_type(number.type), number.value.value.data
    if type == i32:
        # Narrow integers are signed in code, however they are written.
        value = int(_array(number))
        if not -(2**31) <= value < 2**31:
            raise NotUnderstood(f"its code has the number {value}, but sites compute in i32")
    return arith.ConstantOp(attribute_of(value, type))


def attribute_of(value: float, type: Attribute) -> FloatAttr | IntegerAttr:
    """A number as an attribute of a type."""
    if isinstance(type, AnyFloat):
        return FloatAttr(float(value), type)
    if isinstance(type, IndexType):
        return IntegerAttr.from_index_int_value(int(value))
    assert isinstance(type, IntegerType), f"{type} is no type of numbers"
    return IntegerAttr(int(value), cast(IntegerType, type))


def number(value: float, type: Attribute) -> Splat:
    """A number as a node."""
    return Splat((), type, attribute_of(value, type))


def width_of(type: Attribute) -> int | None:
    """The bits of an integer type, None for any other type."""
    return cast(IntegerType, type).width.data if isinstance(type, IntegerType) else None
