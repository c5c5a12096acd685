"""Symbolic pages: terms that are shared, so that two of them are equal if and only if they are one.

A term is a number; a table tells its head and its arguments. Without sharing, a value carried over
K blocks would grow exponentially.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeAlias

from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Attribute, Block, SSAValue

from spatial_dialect.ir.attributes import Broadcast, BroadcastAttr

Term: TypeAlias = int
"""A symbolic page."""

Head: TypeAlias = tuple[Hashable, ...]


class Terms:
    """The table of all terms of one comparison."""

    def __init__(self) -> None:
        self._known: dict[tuple[Head, tuple[Term, ...]], Term] = {}
        self._nodes: list[tuple[Head, tuple[Term, ...]]] = []

    def make(self, head: Head, arguments: tuple[Term, ...] = ()) -> Term:
        """The term with this head and these arguments."""
        key = (head, arguments)
        term = self._known.get(key)
        if term is None:
            term = self._known[key] = len(self._nodes)
            self._nodes.append(key)
        return term

    def sum(self, products: tuple[Term, ...]) -> Term:
        """A sum, in this order."""
        return self.make(("sum",), products)

    def summands(self, term: Term) -> tuple[Term, ...] | None:
        """The summands of a sum, None for any other term."""
        head, arguments = self._nodes[term]
        return arguments if head == ("sum",) else None

    def text(self, term: Term, depth: int = 5) -> str:
        """A term as people read it, cut off below `depth`."""
        head, arguments = self._nodes[term]
        name = " ".join(map(str, head))
        if not arguments:
            return name
        if not depth:
            return f"{name}(...)"
        return f"{name}({', '.join(self.text(argument, depth - 1) for argument in arguments)})"


def code_key(body: Block) -> Hashable:
    """Elementwise code up to the names of its values."""
    numbers: dict[SSAValue, int] = {value: i for i, value in enumerate(body.args)}
    lines: list[Hashable] = []
    for op in body.ops:
        for result in op.results:
            numbers[result] = len(numbers)
        attributes = sorted(f"{k}={v}" for k, v in (op.properties | op.attributes).items())
        lines.append((op.name, tuple(attributes), tuple(numbers.get(v, -1) for v in op.operands)))
    return tuple(lines)


def map_head(body: Block, broadcasts: ArrayAttr[BroadcastAttr] | None) -> Head:
    """The head of an elementwise stage."""
    kinds = () if broadcasts is None else tuple(kind.data for kind in broadcasts)
    if all(kind == Broadcast.NONE for kind in kinds):
        kinds = ()
    return ("map", code_key(body), kinds)


def load_head(
    tensor: str,
    tile: tuple[int, ...],
    strides: Attribute | None,
    transpose: Attribute | None,
    pad: Attribute | None,
) -> Head:
    """The head of a page that comes from a tensor."""
    how = tuple(
        f"{name} {attribute}"
        for name, attribute in (("strides", strides), ("transpose", transpose), ("pad", pad))
        if attribute is not None
    )
    return ("load", tensor, tile, *how)
