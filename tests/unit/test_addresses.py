"""Tile addresses: what is parsed, simplified, bounded and printed means what was written."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.ir.affine import AffineExpr
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError

from spatial_dialect.ir.addresses import (
    DIMENSIONS,
    address_attr,
    address_text,
    bounds,
    dimension,
    expression_text,
    parse_address,
    simplify,
    used_loops,
    used_names,
)


def parsed(text: str) -> tuple[AffineExpr, ...]:
    parser = Parser(Context(), text)
    return parse_address(parser).data.results


def value(expr: AffineExpr, point: tuple[int, ...]) -> int:
    return expr.eval(list(point), [])


def applied(word: str, one: AffineExpr, other: AffineExpr, number: int) -> AffineExpr:
    divisor = abs(number) + 1
    match word:
        case "+":
            return one + other
        case "-":
            return one - other
        case "*":
            return one * number
        case "floordiv":
            return one // divisor
        case "ceildiv":
            return one.ceil_div(divisor)
        case _:
            return one % divisor


def combined(children: st.SearchStrategy[AffineExpr]) -> st.SearchStrategy[AffineExpr]:
    words = st.sampled_from(("+", "-", "*", "floordiv", "ceildiv", "mod"))
    return st.builds(applied, words, children, children, st.integers(-5, 5))


leaves = st.one_of(
    st.sampled_from(DIMENSIONS).map(dimension), st.integers(-9, 9).map(AffineExpr.constant)
)
expressions = st.recursive(leaves, combined, max_leaves=8)
points = st.tuples(*(st.integers(0, 40) for _ in DIMENSIONS))


def two_orders(
    terms: list[AffineExpr],
) -> st.SearchStrategy[tuple[list[AffineExpr], list[AffineExpr]]]:
    return st.tuples(st.just(terms), st.permutations(terms))


@given(expressions, st.lists(points, min_size=1, max_size=5))
def test_simplify_keeps_values(expr: AffineExpr, at: list[tuple[int, ...]]):
    simple = simplify(expr)
    for point in at:
        assert value(simple, point) == value(expr, point)


@given(expressions)
def test_simplify_is_idempotent(expr: AffineExpr):
    assert simplify(simplify(expr)) == simplify(expr)


@given(st.lists(expressions, min_size=2, max_size=4).flatmap(two_orders))
def test_order_of_terms_does_not_matter(orders: tuple[list[AffineExpr], list[AffineExpr]]):
    one, other = (sum(terms, AffineExpr.constant(0)) for terms in orders)
    assert simplify(one) == simplify(other)


@given(expressions)
def test_text_round_trip(expr: AffineExpr):
    text = address_text(address_attr([expr]).data)
    (back,) = parsed(text)
    assert back == simplify(expr)
    assert address_text(address_attr([back]).data) == text


@given(
    expressions, st.tuples(*(st.tuples(st.integers(0, 3), st.integers(0, 2)) for _ in DIMENSIONS))
)
def test_bounds_enclose(expr: AffineExpr, extents: tuple[tuple[int, int], ...]):
    ranges = {
        name: (low, low + more) for name, (low, more) in zip(DIMENSIONS, extents, strict=True)
    }
    low, high = bounds(expr, ranges)
    used = {DIMENSIONS[position] for position in expr.used_dims()}
    axes = [
        range(ranges[name][0], ranges[name][1] + 1) if name in used else range(1)
        for name in DIMENSIONS
    ]
    for point in product(*axes):
        assert low <= value(expr, point) <= high


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("[y * 8, k * 4]", "[y * 8, k * 4]"),
        ("[(y * 4 + x) * 2, 0]", "[y * 8 + x * 2, 0]"),
        ("[3 * i]", "[i * 3]"),
        ("[x + y]", "[y + x]"),
        ("[k mod 3]", "[k mod 3]"),
        ("[k mod 3 + 8 * (k floordiv 3)]", "[(k floordiv 3) * 8 + k mod 3]"),
        ("[k mod 3 + 3 * (k floordiv 3)]", "[k]"),
        ("[k - 3 * (k floordiv 3)]", "[k mod 3]"),
        (
            "[(i floordiv 4) mod 8 * 2 + i mod 4 * 16]",
            "[((i floordiv 4) mod 8) * 2 + (i mod 4) * 16]",
        ),
        ("[i floordiv 4 - 8 * (i floordiv 32)]", "[(i floordiv 4) mod 8]"),
        ("[(i floordiv 4) floordiv 8]", "[i floordiv 32]"),
        ("[(i mod 32) floordiv 4]", "[(i floordiv 4) mod 8]"),
        ("[(y * 8 + k) mod 4]", "[k mod 4]"),
        ("[(y * 2 + 1) floordiv 4]", "[y floordiv 2]"),
        ("[(y * 8 + k * 2 + 3) ceildiv 4]", "[y * 2 + k ceildiv 2 + 1]"),
        ("[w floordiv 2 + k ceildiv 3]", "[k ceildiv 3 + w floordiv 2]"),
        ("[y - y]", "[0]"),
        ("[-x + 1]", "[-x + 1]"),
        ("[1 - x]", "[-x + 1]"),
        ("[- (x - 2) * 3]", "[-x * 3 + 6]"),
        ("[(h * 4) floordiv 2]", "[h * 2]"),
        ("[ind]", "[ind]"),
        ("[]", "[]"),
    ],
)
def test_normal_form(text: str, normal: str):
    results = parsed(text)
    assert address_text(address_attr(results).data) == normal
    assert parsed(normal) == results


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[y * x]", "a tile address is affine: one factor of a product must be a constant"),
        ("[k floordiv x]", "the right side of 'floordiv' must be a positive constant"),
        ("[k ceildiv 0]", "the right side of 'ceildiv' must be a positive constant"),
        ("[k mod -2]", "the right side of 'mod' must be a positive constant"),
        ("[row]", "unknown name 'row' in a tile address; it can use i, y, x, k, h, w, ind"),
        ("[y +]", "expected an expression of a tile address"),
        ("[(y]", "Expected"),
        ("[%a]", "expected an expression of a tile address"),
        ("y", "'[' expected in a tile address"),
    ],
)
def test_parse_errors(text: str, message: str):
    with pytest.raises(ParseError) as error:
        parsed(text)
    assert message in str(error.value)


def test_index_is_a_dimension_only_if_used():
    assert address_attr([dimension("y")]).data.num_dims == 6
    assert address_attr([dimension("ind")]).data.num_dims == 7
    assert address_attr([dimension("ind") - dimension("ind")]).data.num_dims == 6


def test_used_names_and_loops():
    (rows, cols) = parsed("[y * 8 + h, k + i + ind]")
    address = address_attr([rows, cols]).data
    assert used_names(address) == {"y", "h", "k", "i", "ind"}
    assert used_loops(address) == {"h", "k"}
    assert expression_text(rows) == "y * 8 + h"


def test_bounds_of_sums_are_exact():
    (expr,) = parsed("[y * 8 - x * 2 + 3]")
    assert bounds(expr, {"y": (1, 4), "x": (0, 5)}) == (1, 35)
    (expr,) = parsed("[(k * 3) mod 8]")
    assert bounds(expr, {"k": (0, 2)}) == (0, 6)
    assert bounds(expr, {"k": (0, 9)}) == (0, 7)
