"""Which nodes become one program.

A cluster is grown from a core, a product or a reduction, over the elementwise operations behind it.
It makes one tensor: the last node such that nothing outside of the cluster needs what was made
before it. What is in front of the core, elementwise on tensors that are in DRAM, is computed
anew by every cluster that needs it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush

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

MOST_READ = 32
"""How many tensors elementwise code reads, so that a page of each fits a site."""

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
    place: dict[Node, int] = field(init=False)
    """Where each is in the order."""
    users: dict[Node, list[Node]] = field(init=False)
    wanted: dict[Node, Ref] = field(init=False)
    """The nodes that have to be in DRAM, each as it is seen first."""
    taken: set[Node] = field(default_factory=set[Node], init=False)
    """The nodes that are in a cluster."""

    def __post_init__(self) -> None:
        self.order = in_order(self.roots)
        self.place = {node: place for place, node in enumerate(self.order)}
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
                    # What was converted, not what it was converted to, which a site does itself.
                    source = dequantised(ref)
                    self.want(ref if source is None else source)
        self.part()

    def want(self, ref: Ref) -> None:
        """Have a tensor in DRAM, unless it is a view of one."""
        if not isinstance(ref.node, Source | Reshape | Slice):
            self.wanted.setdefault(ref.node, ref)

    def part(self) -> None:
        """Have elementwise code that would read too many tensors in parts."""
        read: dict[Node, frozenset[Node]] = {}
        for node in self.order:
            if isinstance(node, Pointwise):
                inner = [ref.node for ref in node.operands]
                # A bit can be in no page.
                large = [each for each in inner if len(read[each]) > 1 and width_of(each.type) != 1]
                large.sort(key=lambda each: len(read[each]))
                while (
                    large
                    and len(frozenset[Node]().union(*(read[each] for each in inner))) > MOST_READ
                ):
                    self.want(Ref.to(each := large.pop()))
                    read[each] = frozenset({each})
                read[node] = frozenset[Node]().union(*(read[each] for each in inner))
            if not isinstance(node, Pointwise) or node in self.wanted:
                read[node] = frozenset() if isinstance(node, Splat) else frozenset({node})

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


def dequantised(ref: Ref) -> Ref | None:
    """The integers behind floats that are these integers converted."""
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
    # What cannot be a member though it depends on one; what is elementwise of it lies near.
    outside: set[Node] = set()
    near: set[Node] = set()
    folds = False
    waiting = _Waiting(graph)
    waiting.users_of(core)
    while (node := waiting.next()) is not None:
        inner = {ref.node for ref in node.operands}
        found = None if inner & outside or node in graph.taken else joins(node, members)
        if found is not None:
            members[node] = found
            waiting.users_of(node)
            continue
        outside.add(node)
        adjacent = bool(inner & (members.keys() | near))
        if adjacent and isinstance(node, Pointwise):
            near.add(node)
        folds |= adjacent and isinstance(node, Reduction) and factors_of(node) is None
        waiting.users_of(node, counts=node in near)
    candidates = [each for each in _ends(members, graph) if each is not core]
    if prefer is not None:
        candidates = [each for each in candidates if prefer(each, members, folds)]
    output = candidates[-1] if candidates else core
    between = _between(core, output, members)
    # In the order of the graph, not of the set.
    inside = {node: dims for node, dims in members.items() if node in between}
    graph.taken |= inside.keys()
    return Cluster(core, output, frozenset(inside)), inside


@dataclass
class _Waiting:
    """Nodes behind a core in the order of the graph, up to the last one that counts."""

    graph: Graph
    places: list[int] = field(default_factory=list[int])
    last: int = -1

    def users_of(self, node: Node, *, counts: bool = True) -> None:
        """Go over the users of a node too, if anything that counts comes so late."""
        for user in self.graph.users[node]:
            place = self.graph.place[user]
            heappush(self.places, place)
            if counts:
                self.last = max(self.last, place)

    def next(self) -> Node | None:
        """The next node, each once."""
        if not self.places or self.places[0] > self.last:
            return None
        place = heappop(self.places)
        while self.places and self.places[0] == place:
            heappop(self.places)
        return self.graph.order[place]


def _ends(members: Iterable[Node], graph: Graph) -> list[Node]:
    """The members such that all that is made before them is needed by them only."""
    found: list[Node] = []
    done: set[Node] = set()
    # Uses of what has been gone over by what has not.
    open_uses = 0
    for node in members:
        open_uses -= sum(ref.node in done for ref in node.operands)
        if open_uses == 0:
            found.append(node)
        if node in graph.wanted:
            break
        done.add(node)
        open_uses += len(graph.users[node])
    return found


def _between(core: Node, output: Node, members: Collection[Node]) -> set[Node]:
    """The members that the output is made of."""
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
