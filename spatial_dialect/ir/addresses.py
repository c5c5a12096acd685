"""Tile addresses: one affine expression per tensor dimension over the loops and the site.

An address is an `AffineMap` whose dimensions are, in this order, the names in `DIMENSIONS`; the
last of them, `ind`, is there only if the address uses the element of an index page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import gcd
from typing import TypeAlias

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)
from xdsl.parser import AttrParser

from spatial_dialect.ir.loops import PAGE_LOOPS, Domain

DIMENSIONS = ("i", "y", "x", "k", "h", "w", "ind")
"""What an address may depend on: the item, the site's row and column, the page loops, an index."""

Bounds: TypeAlias = tuple[int, int]
"""The least and the largest value of an expression, both included."""

_POSITION = {name: position for position, name in enumerate(DIMENSIONS)}
_DIMENSION = {name: AffineExpr.dimension(position) for name, position in _POSITION.items()}
_OPERATOR = {
    AffineBinaryOpKind.Mul: "*",
    AffineBinaryOpKind.FloorDiv: "floordiv",
    AffineBinaryOpKind.CeilDiv: "ceildiv",
    AffineBinaryOpKind.Mod: "mod",
}
_WORDS = ("floordiv", "ceildiv", "mod")


def address_attr(results: Sequence[AffineExpr]) -> AffineMapAttr:
    """The address with these expressions, simplified."""
    simplified = tuple(simplify(result) for result in results)
    uses_index = any(_POSITION["ind"] in result.used_dims() for result in simplified)
    return AffineMapAttr(AffineMap(len(DIMENSIONS) - (not uses_index), 0, simplified))


def dimension(name: str) -> AffineExpr:
    """The expression that is just the named dimension; one of `DIMENSIONS`."""
    return _DIMENSION[name]


def used_names(address: AffineMap) -> frozenset[str]:
    """The names of the dimensions that an address depends on."""
    return frozenset(DIMENSIONS[p] for result in address.results for p in result.used_dims())


def used_loops(address: AffineMap) -> Domain:
    """The page loops that an address depends on."""
    used = used_names(address)
    return frozenset(name for name in PAGE_LOOPS if name in used)


def simplify(expr: AffineExpr, ranges: Mapping[str, Bounds] | None = None) -> AffineExpr:
    """The canonical form of an expression: a sum of terms in a fixed order.

    Dimensions come first, in their order, then what is divided, then the constant. What decides
    nothing about a division is taken out of it: `(y * 8 + k) mod 4` is `k mod 4`, and `k` if the
    ranges of the dimensions are given and `k` is below 4.
    """
    if ranges is not None:
        return _expression(_simplified(expr, ranges))
    return _expression(linear_form(expr) if _is_linear(expr) else _simplified(expr, _UNBOUNDED))


_UNBOUNDED: Mapping[str, Bounds] = dict.fromkeys(DIMENSIONS, (-(1 << 200), 1 << 200))


def _is_linear(expr: AffineExpr) -> bool:
    match expr:
        case AffineBinaryOpExpr(kind=AffineBinaryOpKind.Add, lhs=lhs, rhs=rhs):
            return _is_linear(lhs) and _is_linear(rhs)
        case AffineBinaryOpExpr(kind=AffineBinaryOpKind.Mul, lhs=lhs, rhs=AffineConstantExpr()):
            return _is_linear(lhs)
        case _:
            return isinstance(expr, AffineConstantExpr | AffineDimExpr)


def linear_form(expr: AffineExpr) -> tuple[dict[AffineExpr, int], int]:
    """An expression as factors of its atoms, which are dimensions and divisions, and a constant."""
    factors: dict[AffineExpr, int] = {}
    constant = 0
    waiting = [(expr, 1)]
    while waiting:
        part, factor = waiting.pop()
        match part:
            case AffineConstantExpr(value=value):
                constant += value * factor
            case AffineBinaryOpExpr(kind=AffineBinaryOpKind.Add, lhs=lhs, rhs=rhs):
                waiting += ((rhs, factor), (lhs, factor))
            case AffineBinaryOpExpr(
                kind=AffineBinaryOpKind.Mul, lhs=lhs, rhs=AffineConstantExpr(value=value)
            ):
                waiting.append((lhs, factor * value))
            case _:
                factors[part] = factors.get(part, 0) + factor
    return {atom: factor for atom, factor in factors.items() if factor}, constant


_Sum: TypeAlias = tuple[Mapping[AffineExpr, int], int]
"""The factors of atoms, and a constant."""


def _expression(total: _Sum) -> AffineExpr:
    """A sum with its terms in canonical order."""
    factors, constant = total
    expr: AffineExpr | None = None
    for atom in sorted(factors, key=_rank):
        factor = factors[atom]
        term = atom if factor == 1 else _binary(AffineBinaryOpKind.Mul, atom, factor)
        expr = term if expr is None else AffineBinaryOpExpr(AffineBinaryOpKind.Add, expr, term)
    if expr is None:
        return AffineExpr.constant(constant)
    return _binary(AffineBinaryOpKind.Add, expr, constant) if constant else expr


def _plus(one: _Sum, other: _Sum, times: int = 1) -> _Sum:
    """`one + other * times`."""
    factors = dict(one[0])
    for atom, factor in other[0].items():
        factors[atom] = factors.get(atom, 0) + factor * times
    return {atom: f for atom, f in factors.items() if f}, one[1] + other[1] * times


def _binary(kind: AffineBinaryOpKind, expr: AffineExpr, value: int) -> AffineExpr:
    return AffineBinaryOpExpr(kind, expr, AffineExpr.constant(value))


def _rank(atom: AffineExpr) -> tuple[bool, list[int], str]:
    """Where an atom stands in a sum."""
    if isinstance(atom, AffineDimExpr):
        return False, [atom.position], ""
    return True, sorted(atom.used_dims()), _text(atom, 0)


def _simplified(expr: AffineExpr, ranges: Mapping[str, Bounds]) -> _Sum:
    factors, constant = linear_form(expr)
    total: _Sum = {}, constant
    for atom, factor in factors.items():
        total = _plus(total, _simplified_atom(atom, ranges), factor)
    return _joined(total, ranges)


def _simplified_atom(atom: AffineExpr, ranges: Mapping[str, Bounds]) -> _Sum:
    match atom:
        case AffineBinaryOpExpr(kind=kind, lhs=lhs, rhs=AffineConstantExpr(value=divisor)):
            dividend = _simplified(lhs, ranges)
            if kind == AffineBinaryOpKind.CeilDiv:
                return _divided_up(dividend, divisor, ranges)
            return _divided(dividend, divisor, ranges)[kind == AffineBinaryOpKind.Mod]
        case _:
            low, high = bounds(atom, ranges)
            return ({}, low) if low == high else ({atom: 1}, 0)


def _divided(dividend: _Sum, divisor: int, ranges: Mapping[str, Bounds]) -> tuple[_Sum, _Sum]:
    """Quotient and remainder of a simplified sum."""
    if divisor == 1:
        return dividend, ({}, 0)
    whole = {atom: f // divisor for atom, f in dividend[0].items() if f % divisor == 0}
    rest = [(atom, f) for atom, f in dividend[0].items() if f % divisor]
    carried, constant = divmod(dividend[1], divisor)
    quotient: _Sum = whole, carried
    # Find a lower part that stays between two multiples of a step which divides all above it: it
    # decides nothing there.
    rest.sort(key=lambda term: (-abs(term[1]), _rank(term[0])))
    for count in range(len(rest) + 1):
        high, low = dict(rest[:count]), (dict(rest[count:]), constant)
        step = gcd(divisor, *high.values())
        least, most = bounds(_expression(low), ranges)
        if step == 1 or least // step != most // step:
            continue
        upper: _Sum = {atom: f // step for atom, f in high.items()}, least // step
        above, remainder = _divided(upper, divisor // step, ranges)
        remainder = _plus((low[0], low[1] - least // step * step), remainder, step)
        return _plus(quotient, above), remainder
    above, remainder = _division(_expression((dict(rest), constant)), divisor, ranges)
    return _plus(quotient, above), remainder


def _division(
    dividend: AffineExpr, divisor: int, ranges: Mapping[str, Bounds]
) -> tuple[_Sum, _Sum]:
    """Quotient and remainder where nothing can be taken out of the division."""
    quotient: _Sum = {_binary(AffineBinaryOpKind.FloorDiv, dividend, divisor): 1}, 0
    remainder: _Sum = {_binary(AffineBinaryOpKind.Mod, dividend, divisor): 1}, 0
    match dividend:
        case AffineBinaryOpExpr(
            kind=AffineBinaryOpKind.FloorDiv, lhs=lhs, rhs=AffineConstantExpr(value=value)
        ):
            quotient, _ = _divided(linear_form(lhs), value * divisor, ranges)
        case AffineBinaryOpExpr(
            kind=AffineBinaryOpKind.Mod, lhs=lhs, rhs=AffineConstantExpr(value=value)
        ) if value % divisor == 0:
            above, remainder = _divided(linear_form(lhs), divisor, ranges)
            _, quotient = _divided(above, value // divisor, ranges)
        case _:
            pass
    return quotient, remainder


def _divided_up(dividend: _Sum, divisor: int, ranges: Mapping[str, Bounds]) -> _Sum:
    """The quotient of a simplified sum, rounded up."""
    factors, constant = dividend
    step = gcd(divisor, *factors.values())
    factors = {atom: f // step for atom, f in factors.items()}
    constant, divisor = -(-constant // step), divisor // step
    whole = {atom: f // divisor for atom, f in factors.items() if f % divisor == 0}
    rest = {atom: f for atom, f in factors.items() if f % divisor}
    carried, constant = divmod(constant, divisor)
    expr = _expression((rest, constant))
    least, most = (-(-bound // divisor) for bound in bounds(expr, ranges))
    if least == most:
        return whole, carried + least
    return _plus((whole, carried), ({_binary(AffineBinaryOpKind.CeilDiv, expr, divisor): 1}, 0))


def _joined(total: _Sum, ranges: Mapping[str, Bounds]) -> _Sum:
    """A sum in which what was taken apart by divisions is put together again."""
    while True:
        for old, new in _replacements(total, ranges):
            factors = total[0]
            if old and all(factors.get(atom) == factor for atom, factor in old.items()):
                total = _plus(_plus(total, (old, 0), -1), new)
                break
        else:
            return total


def _replacements(
    total: _Sum, ranges: Mapping[str, Bounds]
) -> Iterator[tuple[Mapping[AffineExpr, int], _Sum]]:
    """Terms that are equal to fewer ones, if all of them are there."""
    factors = total[0]
    for atom in sorted(factors, key=_rank):
        match atom:
            case AffineBinaryOpExpr(
                kind=AffineBinaryOpKind.Mod, lhs=lhs, rhs=AffineConstantExpr(value=value)
            ):
                # a mod c + (a floordiv c) * c is a.
                factor = factors[atom]
                quotient, _ = _divided(linear_form(lhs), value, ranges)
                old = _plus(({atom: factor}, 0), quotient, factor * value)
                yield old[0], _plus(({}, -quotient[1] * factor * value), linear_form(lhs), factor)
            case AffineBinaryOpExpr(
                kind=AffineBinaryOpKind.FloorDiv, lhs=lhs, rhs=AffineConstantExpr(value=value)
            ):
                # a - (a floordiv c) * c is a mod c; a may be divided itself.
                for part, divisor in ((lhs, value), *_coarser(atom, factors)):
                    factor, uneven = divmod(-factors[atom], divisor)
                    if uneven:
                        continue
                    dividend = linear_form(part)
                    old = _plus(({atom: factors[atom]}, 0), dividend, factor)
                    _, remainder = _divided(dividend, divisor, ranges)
                    yield old[0], _plus(({}, -dividend[1] * factor), remainder, factor)
            case _:
                pass


def _coarser(
    atom: AffineBinaryOpExpr, factors: Iterable[AffineExpr]
) -> Iterator[tuple[AffineExpr, int]]:
    """The other atoms that divide the same by a divisor of the divisor, and what is left of it."""
    assert isinstance(atom.rhs, AffineConstantExpr)
    for other in sorted(factors, key=_rank):
        match other:
            case AffineBinaryOpExpr(
                kind=AffineBinaryOpKind.FloorDiv, lhs=lhs, rhs=AffineConstantExpr(value=value)
            ) if lhs == atom.lhs and value < atom.rhs.value and atom.rhs.value % value == 0:
                yield other, atom.rhs.value // value
            case _:
                pass


def bounds(expr: AffineExpr, ranges: Mapping[str, Bounds]) -> Bounds:
    """An interval that holds every value of the expression for dimensions in the given ranges.

    Exact for sums of distinct dimensions; an enclosing interval for nested divisions. A symbol has
    the name that it prints with, `s0` for instance.
    """
    match expr:
        case AffineConstantExpr(value=value):
            return value, value
        case AffineDimExpr(position=position):
            return ranges[DIMENSIONS[position]]
        case AffineSymExpr():
            return ranges[str(expr)]
        case AffineBinaryOpExpr(kind=kind, lhs=lhs, rhs=rhs):
            low, high = bounds(lhs, ranges)
            other_low, other_high = bounds(rhs, ranges)
            match kind:
                case AffineBinaryOpKind.Add:
                    return low + other_low, high + other_high
                case AffineBinaryOpKind.Mul:
                    ends = (low * other_low, high * other_low)
                    return min(ends), max(ends)
                case AffineBinaryOpKind.FloorDiv:
                    return low // other_low, high // other_low
                case AffineBinaryOpKind.CeilDiv:
                    return -(-low // other_low), -(-high // other_low)
                case AffineBinaryOpKind.Mod:
                    if low // other_low == high // other_low:
                        return low % other_low, high % other_low
                    return 0, other_low - 1
        case _:
            raise ValueError(f"not an expression of a tile address: {expr}")


def expression_text(expr: AffineExpr) -> str:
    """An expression as users write it, for instance `y * 8 + k mod 2`."""
    return _text(expr, 0)


def address_text(address: AffineMap) -> str:
    """An address as users write it, for instance `[y * 8, k]`."""
    return "[" + ", ".join(expression_text(result) for result in address.results) + "]"


def _text(expr: AffineExpr, level: int) -> str:
    """`expr`, in parentheses if it binds less than `level` (0 sum, 1 product, 2 operand)."""
    match expr:
        case AffineConstantExpr(value=value):
            return f"({value})" if value < 0 and level > 1 else str(value)
        case AffineDimExpr(position=position):
            return DIMENSIONS[position]
        case AffineBinaryOpExpr(kind=AffineBinaryOpKind.Add, lhs=lhs, rhs=rhs):
            left = _text(lhs, 0)
            right = _text(rhs, 1)
            text = f"{left} - {right[1:]}" if right.startswith("-") else f"{left} + {right}"
            return f"({text})" if level > 0 else text
        case AffineBinaryOpExpr(kind=kind, lhs=lhs, rhs=AffineConstantExpr(value=value)):
            if kind == AffineBinaryOpKind.Mul and value < 0:
                text = "-" + (_text(lhs, 2) if value == -1 else f"{_text(lhs, 2)} * {-value}")
            else:
                text = f"{_text(lhs, 2)} {_OPERATOR[kind]} {_text(expr.rhs, 2)}"
            return f"({text})" if level > 1 else text
        case _:
            raise ValueError(f"not an expression of a tile address: {expr}")


def parse_address(parser: AttrParser) -> AffineMapAttr:
    """Parses `[e0, e1, ...]`; every mistake is a located parse error."""
    results = parser.parse_comma_separated_list(
        parser.Delimiter.SQUARE, lambda: _parse_sum(parser), " in a tile address"
    )
    return address_attr(results)


def parse_optional_address(parser: AttrParser) -> AffineMapAttr | None:
    """Parses `[e0, e1, ...]` if there is a bracket."""
    results = parser.parse_optional_comma_separated_list(
        parser.Delimiter.SQUARE, lambda: _parse_sum(parser), " in a tile address"
    )
    return None if results is None else address_attr(results)


def _parse_sum(parser: AttrParser) -> AffineExpr:
    expr = _parse_product(parser)
    while True:
        if parser.parse_optional_punctuation("+"):
            expr = expr + _parse_product(parser)
        elif parser.parse_optional_punctuation("-"):
            expr = expr - _parse_product(parser)
        else:
            return expr


def _parse_product(parser: AttrParser) -> AffineExpr:
    expr = _parse_primary(parser)
    while True:
        position = parser.pos
        if parser.parse_optional_punctuation("*"):
            other = _parse_primary(parser)
            if not isinstance(other, AffineConstantExpr) and not isinstance(
                expr, AffineConstantExpr
            ):
                parser.raise_error(
                    "a tile address is affine: one factor of a product must be a constant",
                    at_position=position,
                )
            expr = expr * other
        elif (word := parser.parse_optional_keyword_in(_WORDS)) is not None:
            divisor = _parse_primary(parser)
            if not isinstance(divisor, AffineConstantExpr) or divisor.value <= 0:
                parser.raise_error(
                    f"the right side of '{word}' must be a positive constant",
                    at_position=position,
                )
            match word:
                case "floordiv":
                    expr = expr // divisor
                case "ceildiv":
                    expr = expr.ceil_div(divisor)
                case _:
                    expr = expr % divisor
        else:
            return expr


def _parse_primary(parser: AttrParser) -> AffineExpr:
    position = parser.pos
    if parser.parse_optional_punctuation("("):
        expr = _parse_sum(parser)
        parser.parse_punctuation(")")
        return expr
    if parser.parse_optional_punctuation("-"):
        return -_parse_primary(parser)
    if (value := parser.parse_optional_integer(False, False)) is not None:
        return AffineExpr.constant(value)
    name = parser.parse_optional_identifier()
    if name is None:
        parser.raise_error("expected an expression of a tile address", at_position=position)
    if name not in _DIMENSION:
        parser.raise_error(
            f"unknown name '{name}' in a tile address; it can use {', '.join(DIMENSIONS)}",
            at_position=position,
        )
    return _DIMENSION[name]
