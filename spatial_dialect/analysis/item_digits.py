"""The item number of a tiled program as a mixed-radix number.

A program for one site goes over all its items by `i`, and its addresses take `i` apart: `i floordiv
8` is the block of rows, say, and `i mod 8` the block of columns. The digits are what the atoms of
all addresses have in common: `(i floordiv c) mod e` speaks of the digits between the weights `c`
and `c * e`. If the weights are no chain in which each divides the next, `i` is one digit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from spatial_dialect.dialects.spatial import LoadOp, ProgramOp, StoreOp, TripOp
from spatial_dialect.ir.addresses import Bounds, dimension, simplify

_ITEM = dimension("i")


@dataclass(frozen=True, slots=True)
class Digit:
    """One digit of the item number: `(i floordiv weight) mod extent`."""

    weight: int
    extent: int


def addressed(program: ProgramOp) -> Iterator[tuple[LoadOp | StoreOp | TripOp, AffineMap]]:
    """The operations that have an address, and the address."""
    for op in program.body.block.ops:
        if isinstance(op, LoadOp | StoreOp | TripOp) and op.address is not None:
            yield op, op.address.data


def item_digits(program: ProgramOp) -> tuple[Digit, ...]:
    """The digits of `i`, the first of the largest weight; none if there is one item."""
    count = program.loop_nest.i.size
    weights = {1, count}
    for _, address in addressed(program):
        for expr in address.results:
            for weight, extent in _atoms(expr):
                weights |= {weight, weight * extent}
    # What is above the count takes nothing apart.
    chain = sorted(weight for weight in weights if weight <= count)
    if any(above % below for below, above in pairwise(chain)):
        chain = [1, count]
    digits = [Digit(below, above // below) for below, above in pairwise(chain)]
    return tuple(digit for digit in reversed(digits) if digit.extent > 1)


def _atoms(expr: AffineExpr) -> Iterator[tuple[int, int]]:
    """Weight and extent of all parts of the item number that an expression speaks of."""
    if (part := _part(expr)) is not None:
        yield part
    elif isinstance(expr, AffineBinaryOpExpr):
        yield from _atoms(expr.lhs)
        yield from _atoms(expr.rhs)


_ALL = 1 << 200
"""An extent that goes up to the last digit."""


def _part(expr: AffineExpr) -> tuple[int, int] | None:
    """`(c, e)` of `(i floordiv c) mod e`; without the `mod`, up to the last digit."""
    extent = _ALL
    match expr:
        case AffineBinaryOpExpr(
            kind=AffineBinaryOpKind.Mod, lhs=lhs, rhs=AffineConstantExpr(value=value)
        ):
            expr, extent = lhs, value
        case _:
            pass
    match expr:
        case AffineBinaryOpExpr(
            kind=AffineBinaryOpKind.FloorDiv, lhs=lhs, rhs=AffineConstantExpr(value=value)
        ) if lhs == _ITEM:
            return value, extent
        case _:
            return (1, extent) if expr == _ITEM else None


def in_digits(expr: AffineExpr, digits: Sequence[Digit]) -> AffineExpr:
    """The same value with symbols instead of `i`, one for each digit."""
    if (part := _part(expr)) is not None and (value := _digits_of(part, digits)) is not None:
        return value
    if expr == _ITEM:
        total = _digits_of((1, _ALL), digits)
        assert total is not None
        return total
    if isinstance(expr, AffineBinaryOpExpr):
        return AffineBinaryOpExpr(
            expr.kind, in_digits(expr.lhs, digits), in_digits(expr.rhs, digits)
        )
    return expr


def _digits_of(part: tuple[int, int], digits: Sequence[Digit]) -> AffineExpr | None:
    """The sum of the digits that a part of the number is made of, None if it cuts one in two."""
    low, high = part[0], part[0] * part[1]
    total = AffineExpr.constant(0)
    for number, digit in enumerate(digits):
        above = digit.weight * digit.extent
        if low <= digit.weight and above <= high:
            total = total + AffineExpr.symbol(number) * (digit.weight // low)
        elif digit.weight < high and low < above:
            return None
    return total


def digits_in(address: AffineMap, digits: Sequence[Digit]) -> frozenset[int]:
    """The numbers of the digits that an address depends on."""
    return frozenset(
        part.position
        for expr in address.results
        for part in in_digits(expr, digits).dfs()
        if isinstance(part, AffineSymExpr)
    )


def with_values(
    expr: AffineExpr, values: Sequence[AffineExpr], ranges: Mapping[str, Bounds]
) -> AffineExpr:
    """An expression of `in_digits` with the values of the digits, simplified.

    Args:
        expr: the expression.
        values: one for each digit.
        ranges: what the dimensions can be.
    """
    return simplify(expr.replace_dims_and_symbols((), values), ranges)
