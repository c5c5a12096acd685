"""Which nodes become one program.

A cluster is grown from a core, a product or a reduction, over the elementwise operations behind it.
It makes one tensor: the last node such that nothing outside of the cluster needs what was made
before it. What is in front of the core, elementwise on tensors that are in DRAM, is computed
anew by every cluster that needs it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from xdsl.dialects import arith

from .scalars import CASTS, width_of
from .tensors import (
    Gather,
    Node,
    Pointwise,
    Reduction,
    Ref,
    Reshape,
    Scatter,
    Slice,
    Source,
    Splat,
    in_order,
)

Dims = tuple[int | None, ...]
"""For each dimension of a node, the dimension of its cluster; None where the extent is 1."""


@dataclass(frozen=True, eq=False)
class Cluster:
    """Nodes that become one program."""

    core: Node | None
    """The product or reduction it was grown from; None if it is elementwise throughout."""
    output: Node
    """What it makes."""
    members: frozenset[Node]
    """The core, the output and what is between them."""


@dataclass
class Graph:
    """All nodes that are needed, with who needs them."""

    roots: tuple[Ref, ...]
    """What has to be in DRAM."""
    order: list[Node] = field(init=False)
    """Every node after what it is made of."""
    users: dict[Node, list[Node]] = field(init=False)
    wanted: dict[Node, Ref] = field(init=False)
    """The nodes that have to be in DRAM, each as it is seen first."""
    taken: set[Node] = field(default_factory=set[Node], init=False)
    """The nodes that are in a cluster."""

    def __post_init__(self) -> None:
        self.order = in_order(self.roots)
        self.users = {node: [] for node in self.order}
        self.wanted = {}
        for ref in self.roots:
            self.want(ref)
        for node in self.order:
            for ref in node.operands:
                self.users[ref.node].append(node)
            if isinstance(node, Reshape | Slice):
                self.want(node.input)
            elif isinstance(node, Gather):
                self.want(node.table)
            elif isinstance(node, Scatter):
                self.want(Ref.to(node))
                self.want(node.index)
                if not isinstance(node.start.node, Splat):
                    self.want(node.start)
            elif isinstance(node, Reduction) and (factors := factors_of(node)) is not None:
                for ref in factors:
                    self.want(_operand(ref, node))

    def want(self, ref: Ref) -> None:
        """Have a tensor in DRAM, unless it is a view of one."""
        if not isinstance(ref.node, Source | Reshape | Slice):
            self.wanted.setdefault(ref.node, ref)

    def gathers_of(self, node: Node) -> list[Gather]:
        """The gathers behind a node, as far as it is made of them anew."""
        found: list[Gather] = []
        waiting = [ref.node for ref in node.operands]
        done: set[Node] = set()
        while waiting:
            inner = waiting.pop()
            if inner in done or inner in self.wanted:
                continue
            done.add(inner)
            if isinstance(inner, Gather):
                found.append(inner)
            waiting += [ref.node for ref in inner.operands]
        return found


def without_casts(ref: Ref) -> Ref:
    """The tensor before changes between floats."""
    while isinstance(ref.node, Pointwise) and isinstance(ref.node.op, CASTS):
        (inner,) = ref.node.inputs
        ref = inner.through(ref.access, ref.shape)
    return ref


def factors_of(node: Reduction) -> tuple[Ref, Ref] | None:
    """The two factors, seen from the space of the reduction, if it is a product of matrices.

    Each factor follows the dimensions that are summed over, and at least one of them follows a
    dimension of the result that the other does not.
    """
    if node.kind != "add":
        return None
    product = without_casts(node.input)
    if not isinstance(product.node, Pointwise) or not isinstance(
        product.node.op, arith.MulfOp | arith.MuliOp
    ):
        return None
    left, right = (
        _widened(ref.through(product.access, product.shape)) for ref in product.node.inputs
    )
    seen = [set(ref.access) for ref in (left, right)]
    summed = {dim for dim in node.reduced if node.input.shape[dim] > 1}
    if not all(summed <= dims for dims in seen):
        return None
    free = [
        {dim for dim in dims if dim is not None and node.input.shape[dim] > 1} - summed
        for dims in seen
    ]
    return (left, right) if free[0] != free[1] else None


def _widened(ref: Ref) -> Ref:
    """A factor before it was changed to the type of the sum, which the matrix unit does itself."""
    ref = without_casts(ref)
    while isinstance(ref.node, Pointwise) and isinstance(ref.node.op, arith.ExtSIOp):
        (inner,) = ref.node.inputs
        ref = inner.through(ref.access, ref.shape)
    return ref


def _operand(ref: Ref, node: Node) -> Ref:
    """What of a factor has to be in DRAM: a scaled or converted one is made on the site."""
    del node
    source = dequantised(ref)
    return ref if source is None else source


def dequantised(ref: Ref) -> Ref | None:
    """The integers behind floats that are these integers, converted and perhaps scaled."""
    node = ref.node
    if not isinstance(node, Pointwise):
        return None
    if not isinstance(node.op, arith.SIToFPOp | arith.UIToFPOp):
        return None
    (source,) = node.inputs
    # Tensors of bits, as of a comparison, are none that can be in DRAM.
    return None if width_of(source.node.type) == 1 else source.through(ref.access, ref.shape)


################################################################################
# Growing                                                                      #
################################################################################


def grown(
    core: Node,
    graph: Graph,
    joins: Callable[[Node, Mapping[Node, Dims]], Dims | None],
    dims: Dims,
    prefer: Callable[[Node, Mapping[Node, Dims], bool], bool] | None = None,
) -> tuple[Cluster, dict[Node, Dims]]:
    """The cluster around a core; its nodes are taken then.

    Args:
        core: the node to grow from.
        graph: all nodes.
        joins: the dimensions of a node in the cluster, given those of the members; None if it
            cannot be a member.
        dims: the dimensions of the core.
        prefer: whether a member may be what the cluster makes, given the dimensions of all and
            whether another reduction of what is elementwise behind the core needs a program.
    """
    members: dict[Node, Dims] = {core: dims}
    tainted: set[Node] = set()
    near: set[Node] = set()
    folds = False
    for node in graph.order[graph.order.index(core) + 1 :]:
        inner = {ref.node for ref in node.operands}
        if not inner & (members.keys() | tainted):
            continue
        found = None if inner & tainted or node in graph.taken else joins(node, members)
        if found is not None:
            members[node] = found
            continue
        tainted.add(node)
        if inner & (members.keys() | near):
            if isinstance(node, Pointwise):
                near.add(node)
            folds |= isinstance(node, Reduction) and factors_of(node) is None
    for output in reversed(members):
        inside = _between(core, output, members)
        free = all(
            user in inside for node in inside if node is not output for user in graph.users[node]
        ) and not any(node in graph.wanted for node in inside if node is not output)
        if free and (output is core or prefer is None or prefer(output, members, folds)):
            graph.taken |= inside
            return Cluster(core, output, frozenset(inside)), members
    raise AssertionError("the core alone is a cluster")


def _between(core: Node, output: Node, members: Iterable[Node]) -> set[Node]:
    """The members that the output is made of."""
    members = set(members)
    found: set[Node] = set()
    waiting = [output]
    while waiting:
        node = waiting.pop()
        if node in found or node not in members:
            continue
        found.add(node)
        if node is not core:
            waiting += [ref.node for ref in node.operands]
    return found


def followed(node: Node, members: Mapping[Node, Dims]) -> dict[int, int] | None:
    """The dimension of the cluster for each dimension of a node that follows a member's.

    None if two members disagree.
    """
    found: dict[int, int] = {}
    for ref in node.operands:
        if (inner := members.get(ref.node)) is None:
            continue
        for own, dim in zip(ref.access, inner, strict=True):
            if own is None or dim is None:
                continue
            if found.setdefault(own, dim) != dim:
                return None
    return found
