"""Tensors as a graph of scalar operations: what linalg computes, without loops and without order.

A `Node` makes a tensor of a shape. A `Ref` looks at a node from a space of iterations: it says
which dimension of the space each dimension of the node follows, so that broadcasts and transposes
are no nodes. A node knows nothing of its users.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.ir import Attribute, Operation, SSAValue

Shape: TypeAlias = tuple[int, ...]
Access: TypeAlias = tuple[int | None, ...]
"""For each dimension of a node, the dimension of the space that it follows; None: element 0."""

Kind: TypeAlias = Literal["add", "max", "min"]
"""How a reduction combines elements."""


@dataclass(frozen=True, eq=False)
class Node:
    """Something that makes a tensor."""

    shape: Shape
    type: Attribute
    """The type of its elements."""

    @property
    def operands(self) -> tuple[Ref, ...]:
        """What it is made of."""
        return ()


@dataclass(frozen=True, eq=False)
class Ref:
    """A node as seen from a space of iterations."""

    node: Node
    access: Access
    shape: Shape
    """The extents of the space."""

    @staticmethod
    def to(node: Node) -> Ref:
        """The node itself: the space is its own."""
        return Ref(node, tuple(range(len(node.shape))), node.shape)

    @property
    def is_identity(self) -> bool:
        """Whether the node is seen as it is."""
        return self.shape == self.node.shape and all(
            dim == index or (dim is None and self.shape[index] == 1)
            for index, dim in enumerate(self.access)
        )

    def through(self, access: Sequence[int | None], shape: Shape) -> Ref:
        """The same tensor seen from a space in which its dimension d follows `access[d]`."""
        return Ref(
            self.node, tuple(None if dim is None else access[dim] for dim in self.access), shape
        )

    def reshaped(self, shape: Shape) -> Ref | None:
        """The same elements in another shape, if it differs by dimensions of 1 only."""
        new = [dim for dim, size in enumerate(shape) if size != 1]
        old = [dim for dim, size in enumerate(self.shape) if size != 1]
        if [shape[dim] for dim in new] != [self.shape[dim] for dim in old]:
            return None
        moved: dict[int, int] = dict(zip(old, new, strict=True))
        return self.through([moved.get(dim) for dim in range(len(self.shape))], shape)


@dataclass(frozen=True, eq=False)
class Source(Node):
    """A tensor of the function: an argument, or what an operation makes that stays."""

    value: SSAValue


@dataclass(frozen=True, eq=False)
class Splat(Node):
    """One number; its shape has no dimensions."""

    value: FloatAttr | IntegerAttr


@dataclass(frozen=True)
class Position(Node):
    """The numbers 0, 1, ..., as i32; its shape has one dimension."""


@dataclass(frozen=True, eq=False)
class Pointwise(Node):
    """A scalar operation on elements; its operands are seen from its own space."""

    op: Operation
    """An operation of this kind, which is in some function or nowhere."""
    inputs: tuple[Ref, ...]

    @property
    def operands(self) -> tuple[Ref, ...]:
        return self.inputs


@dataclass(frozen=True, eq=False)
class Reduction(Node):
    """Combines elements over the last dimensions of a space; the others are those of the node."""

    kind: Kind
    input: Ref

    @property
    def operands(self) -> tuple[Ref, ...]:
        return (self.input,)

    @property
    def reduced(self) -> range:
        """The dimensions of the input's space that go away."""
        return range(len(self.shape), len(self.input.shape))


@dataclass(frozen=True, eq=False)
class Reshape(Node):
    """The same elements, in row-major order, in another shape."""

    input: Ref

    @property
    def operands(self) -> tuple[Ref, ...]:
        return (self.input,)


@dataclass(frozen=True, eq=False)
class Slice(Node):
    """Every `steps`-th element of a part of a tensor."""

    input: Ref
    offsets: Shape
    steps: Shape

    @property
    def operands(self) -> tuple[Ref, ...]:
        return (self.input,)


@dataclass(frozen=True, eq=False)
class Gather(Node):
    """Rows of a table: element [..., c] is `table[index[...], c]`."""

    table: Ref
    index: Ref

    @property
    def operands(self) -> tuple[Ref, ...]:
        return (self.table, self.index)


@dataclass(frozen=True, eq=False)
class Scatter(Node):
    """A tensor of which rows are replaced: row `index[r]` becomes `rows[r]`, if it has such one."""

    start: Ref
    """What it was: a tensor as it is in DRAM, or one number."""
    index: Ref
    rows: Ref

    @property
    def operands(self) -> tuple[Ref, ...]:
        return (self.start, self.index, self.rows)


def reshaped(ref: Ref, shape: Shape) -> Ref:
    """A tensor in another shape."""
    if isinstance(ref.node, Splat):
        return Ref(ref.node, (), shape)
    simple = ref.reshaped(shape)
    return Ref.to(Reshape(shape, ref.node.type, ref)) if simple is None else simple


def in_order(
    roots: Iterable[Ref], *, through: type[Node] | tuple[type[Node], ...] = Node
) -> list[Node]:
    """The nodes that the roots are made of, operands first.

    Args:
        roots: where to start.
        through: the kinds of nodes whose operands are looked at.
    """
    found: dict[Node, None] = {}
    waiting = [(ref.node, False) for ref in reversed(list(roots))]
    while waiting:
        node, ready = waiting.pop()
        if node in found:
            continue
        if ready:
            found[node] = None
        else:
            waiting.append((node, True))
            inner = node.operands if isinstance(node, through) else ()
            waiting += [(ref.node, False) for ref in reversed(inner)]
    return list(found)
