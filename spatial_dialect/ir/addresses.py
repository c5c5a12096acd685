"""Tile addresses: one affine expression per tensor dimension over the loops and the site.

An address is an `AffineMap` whose dimensions are, in this order, the names in `DIMENSIONS`; the
last of them, `ind`, is there only if the address uses the element of an index page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
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


def simplify(expr: AffineExpr) -> AffineExpr:
    """The canonical form of an expression: a sum of terms in a fixed order, `mod` kept as such.

    Dimensions come first, in their order, then what is divided, then the constant.
    """
    if _is_linear(expr):
        return _ordered(expr)
    # Terms that have been put in order may turn out to be equal; two rounds settle that as a rule.
    for _ in range(_ROUNDS):
        simpler = _ordered(_with_mod(expr.simplify(len(DIMENSIONS), 0)))
        if simpler == expr:
            break
        expr = simpler
    return expr


_ROUNDS = 8


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


def _ordered(expr: AffineExpr) -> AffineExpr:
    """The same sum with its terms, and those of all dividends, in canonical order."""
    given, constant = linear_form(expr)
    factors: dict[AffineExpr, int] = {}
    for atom, factor in given.items():
        if isinstance(atom, AffineBinaryOpExpr):
            atom = AffineBinaryOpExpr(atom.kind, _ordered(atom.lhs), atom.rhs)
        factors[atom] = factors.get(atom, 0) + factor
    total: AffineExpr | None = None
    for atom in sorted(factors, key=_rank):
        if not (factor := factors[atom]):
            continue
        term = atom if factor == 1 else _binary(AffineBinaryOpKind.Mul, atom, factor)
        total = term if total is None else AffineBinaryOpExpr(AffineBinaryOpKind.Add, total, term)
    if total is None:
        return AffineExpr.constant(constant)
    return _binary(AffineBinaryOpKind.Add, total, constant) if constant else total


def _binary(kind: AffineBinaryOpKind, expr: AffineExpr, value: int) -> AffineExpr:
    return AffineBinaryOpExpr(kind, expr, AffineExpr.constant(value))


def _rank(atom: AffineExpr) -> tuple[bool, list[int], str]:
    """Where an atom stands in a sum."""
    if isinstance(atom, AffineDimExpr):
        return False, [atom.position], ""
    return True, sorted(atom.used_dims()), _text(atom, 0)


def _with_mod(flat: AffineExpr) -> AffineExpr:
    """The same sum with `mod` where it is written out.

    xDSL's own simplification writes `a mod c` as `a - (a floordiv c) * c`.
    """
    terms = _terms(flat)
    for term in terms:
        match term:
            case AffineBinaryOpExpr(
                kind=AffineBinaryOpKind.Mul,
                lhs=AffineBinaryOpExpr(
                    kind=AffineBinaryOpKind.FloorDiv,
                    lhs=dividend,
                    rhs=AffineConstantExpr(value=divisor),
                ),
                rhs=AffineConstantExpr(value=factor),
            ) if factor < 0 and factor % divisor == 0:
                times = -factor // divisor
                rest = (flat - term - dividend * times).simplify(len(DIMENSIONS), 0)
                if len(_terms(rest)) <= len(terms) - 1 - len(_terms(dividend)):
                    modulo = dividend % divisor
                    folded = modulo * times if times != 1 else modulo
                    return AffineBinaryOpExpr(AffineBinaryOpKind.Add, _with_mod(rest), folded)
            case _:
                pass
    return flat


def _terms(expr: AffineExpr) -> list[AffineExpr]:
    """The summands of an expression, none for zero."""
    if isinstance(expr, AffineBinaryOpExpr) and expr.kind == AffineBinaryOpKind.Add:
        return [*_terms(expr.lhs), *_terms(expr.rhs)]
    if isinstance(expr, AffineConstantExpr) and expr.value == 0:
        return []
    return [expr]


def bounds(expr: AffineExpr, ranges: Mapping[str, Bounds]) -> Bounds:
    """An interval that holds every value of the expression for dimensions in the given ranges.

    Exact for sums of distinct dimensions; an enclosing interval for nested divisions.
    """
    match expr:
        case AffineConstantExpr(value=value):
            return value, value
        case AffineDimExpr(position=position):
            return ranges[DIMENSIONS[position]]
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
