"""Attention as one program: softmax of scores times values, over blocks of keys.

What is recognised is a product `softmax(f(Q K^T)) V`, where `f` is elementwise: a scale, masks,
code on positions. From block to block of the keys a site carries, for each row of scores, the
largest so far, the sum of `exp(score - largest)`, and that sum times the values. When a block
raises the largest, what was summed before is scaled by `exp(old - new)`. The largest starts at a
finite number far below all scores, so that this factor is 0, and never a NaN, for what an infinite
mask hides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import FloatAttr, UnitAttr, f32
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from spatial_dialect.analysis.costs import page_bytes
from spatial_dialect.dialects.spatial import DotOp, MapOp, ReduceOp, YieldOp
from spatial_dialect.ir.attributes import Broadcast, PageAxis, PageAxisAttr, ReductionAttr
from spatial_dialect.ir.attributes import Reduction as ReductionKind
from spatial_dialect.ir.types import BufferType
from spatial_dialect.targets import Target

from .clusters import Cluster, Dims, Graph, factors_of, without_casts
from .kinds import (
    Made,
    Setting,
    composed,
    dims_of,
    factor,
    layout_of,
    leaves,
    masked,
    own_dims,
    product_cluster,
)
from .maps import Maps
from .programs import Page, Program
from .scalars import NotUnderstood
from .spaces import Space, grouped
from .tensors import Node, Pointwise, Reduction, Ref, in_order
from .views import View

LEAST = -3.0e38
"""Far below all scores, and a number: the first difference to it is no NaN."""


@dataclass(frozen=True, eq=False)
class Attention:
    """The parts of an attention."""

    scores: Reduction
    """The first product."""
    seen: Ref
    """The scores as they go into the softmax, from the space of the second product."""
    output: Reduction
    """The second product."""
    values: Ref
    """The factor of the second product that is no softmax, from its space."""
    inside: frozenset[Node]
    """All nodes that are made within."""


################################################################################
# Recognition                                                                  #
################################################################################


def attention_of(output: Reduction, graph: Graph, target: Target) -> Attention | None:
    """The attention that a product ends, if it is one and fits the accumulators of a target."""
    factors = factors_of(output)
    if factors is None:
        return None
    for weights, values in (factors, factors[::-1]):
        found = _softmax(weights)
        if found is None:
            continue
        seen, made = found
        scores = _scores(seen.node)
        if scores is None:
            continue
        core, between = scores
        needed = {core, *made, *between}
        inside = frozenset({output, *needed, *_terms(output), *_terms(core)})
        wanted = {ref.node for ref in graph.roots}
        alone = all(
            user in inside for node in inside if node is not output for user in graph.users[node]
        ) and not any(node in wanted for node in inside if node is not output)
        width = prod(
            output.input.shape[dim]
            for dim in set(values.access) - set(weights.access)
            if dim is not None
        )
        tiles = -(-width // target.tile[1])
        if alone and tiles <= target.acc_tiles_32 and _fits(tiles, target):
            return Attention(core, seen, output, values, inside)
    return None


def _fits(tiles: int, target: Target) -> bool:
    """Whether the pages of a fold fit local memory, for one row of tiles and heads of so many.

    Of f32 there are eight pages of a column, three of scores and three as wide as a head; then
    there is what is read and stored, and what masks need.
    """
    page = page_bytes(BufferType.of(1, 1, f32), target)
    return (8 + 3 + 3 * tiles + 4 * tiles + 2) * page <= target.usable_bytes


def _through(ref: Ref, kind: type[Operation]) -> tuple[Pointwise, list[Ref]] | None:
    """An operation behind changes between floats, with its operands as the ref sees them."""
    ref = without_casts(ref)
    node = ref.node
    if not isinstance(node, Pointwise) or not isinstance(node.op, kind):
        return None
    return node, [inner.through(ref.access, ref.shape) for inner in node.inputs]


def _casts(ref: Ref) -> list[Node]:
    """The changes between floats in front of a tensor."""
    found: list[Node] = []
    end = without_casts(ref).node
    while ref.node is not end:
        found.append(ref.node)
        assert isinstance(ref.node, Pointwise)
        (ref,) = ref.node.inputs
    return found


def _terms(core: Reduction) -> list[Node]:
    """What a product is a sum of, with changes between floats in front and behind."""
    product = without_casts(core.input)
    assert isinstance(product.node, Pointwise)
    found = [*_casts(core.input), product.node]
    for ref in product.node.inputs:
        found += _casts(ref)
    return found


def _softmax(weights: Ref) -> tuple[Ref, list[Node]] | None:
    """What a softmax is of, as its user sees it, and all nodes that it is made of."""
    quotient = _through(weights, arith.DivfOp)
    if quotient is None:
        return None
    division, (above, below) = quotient
    exponential = _through(above, math.ExpOp)
    total = without_casts(below).node
    if exponential is None or not isinstance(total, Reduction) or total.kind != "add":
        return None
    exp, (shift,) = exponential
    difference = _through(shift, arith.SubfOp)
    if difference is None:
        return None
    subtraction, (score, largest) = difference
    top = without_casts(largest).node
    if not isinstance(top, Reduction) or top.kind != "max":
        return None
    score = without_casts(score)
    same = without_casts(total.input).node is exp and without_casts(top.input).node is score.node
    # The same elements: each row of the softmax is reduced, and no other.
    rows = len(score.node.shape) - 1
    straight = (
        without_casts(total.input).is_identity
        and without_casts(top.input).is_identity
        and len(total.shape) == rows
        and len(top.shape) == rows
    )
    if not same or not straight:
        return None
    made = [division, exp, subtraction, total, top]
    for ref in (weights, above, below, shift, largest, total.input, top.input):
        made += _casts(ref)
    made += _casts(subtraction.inputs[0])
    return score, made


def _scores(top: Node) -> tuple[Reduction, list[Node]] | None:
    """The one product that scores are made of elementwise, and the nodes in between."""
    order = in_order([Ref.to(top)], through=Pointwise)
    products = [
        node for node in order if isinstance(node, Reduction) and factors_of(node) is not None
    ]
    if len(products) != 1:
        return None
    (core,) = products
    depends: set[Node] = {core}
    for node in order:
        if isinstance(node, Pointwise) and any(ref.node in depends for ref in node.operands):
            depends.add(node)
    between = [node for node in order if node in depends and node is not core]
    return core, between


################################################################################
# The program                                                                  #
################################################################################


def attention_cluster(found: Attention, graph: Graph) -> tuple[Cluster, dict[Node, Dims]]:
    """The program of an attention with the elementwise operations behind it."""
    graph.taken |= found.inside
    for node in found.inside - {found.output}:
        graph.wanted.pop(node, None)
    return product_cluster(found.output, graph)


def attention(
    name: str,
    found: Attention,
    cluster: Cluster,
    members: dict[Node, Dims],
    graph: Graph,
    known: Mapping[Node, View],
    setting: Setting,
) -> Made:
    """The fold over blocks of keys."""
    return _Fold(name, found, cluster, members, graph, known, setting).made()


class _Fold:
    def __init__(
        self,
        name: str,
        found: Attention,
        cluster: Cluster,
        members: dict[Node, Dims],
        graph: Graph,
        known: Mapping[Node, View],
        setting: Setting,
    ):
        self.found, self.members, self.known = found, members, known
        outer, scores = found.output.input.shape, found.scores
        heads = [scores.input.shape[dim] for dim in scores.reduced]
        # The dimensions of the second product, then those that the first sums over.
        self.inner = (*outer, *heads)
        self.own = dims_of(outer)
        head = tuple(
            None if size == 1 else len(outer) + number for number, size in enumerate(heads)
        )
        self.score_dims = self.within(found.seen.node, composed(found.seen, self.own))
        self.factor_space = (*self.score_dims, *head)
        self.output = cluster.output
        self.layout = layout_of(self.output, graph)
        self.seen = self.layout.through(members[self.output], self.inner)
        keys = {dim for dim in found.output.reduced if outer[dim] > 1}
        factors = factors_of(scores)
        assert factors is not None
        parts = [(ref.node, composed(ref, self.factor_space)) for ref in factors]
        if not keys <= set(parts[1][1]):
            parts.reverse()
        (self.query, self.key) = parts
        if not keys <= set(self.key[1]) or keys & set(self.query[1]):
            raise NotUnderstood("not one factor of its scores has the keys, and the other not")
        self.value = (found.values.node, composed(found.values, self.own))
        rows = set(self.query[1]) - {*self.value[1], *head, None}
        cols = set(self.value[1]) - {*self.score_dims, None}
        order = sorted(
            (d for d in own_dims(found.output) if d is not None),
            key=lambda d: -self.seen.strides[d],
        )
        views = [self.seen, *leaves([self.query, self.key, self.value], {}, self.inner, known)]
        views += self.around(found.seen.node, composed(found.seen, self.own), found.scores)
        views += self.around(self.output, members[self.output], found.output)
        groups = grouped(
            self.inner,
            (
                [d for d in order if d in rows],
                [d for d in order if d in cols],
                sorted(keys),
                [d for d in head if d is not None],
                [d for d in order if d not in rows | cols],
            ),
            views,
        )
        if any(len(each) > 1 for each in groups[1:4]) or not groups[2]:
            raise NotUnderstood("its keys or its heads do not follow each other in memory")
        every = [group for part in groups for group in part]

        def at(part: int) -> int | None:
            return every.index(groups[part][-1]) if groups[part] else None

        self.row, self.col, self.keys, self.head = at(0), at(1), at(2), at(3)
        digits = sorted([*groups[0][:-1], *groups[4]])
        self.space = Space(
            self.inner,
            tuple(every),
            self.row,
            self.col,
            tuple(every.index(group) for group in digits),
        )
        self.program = Program(name, setting.target, known, self.space, setting.labels)

    def within(self, node: Node, dims: Dims) -> Dims:
        """The dimensions of the first product, below the code on its scores."""
        waiting = [(node, dims)]
        done: set[tuple[Node, Dims]] = set()
        while waiting:
            here, inner = waiting.pop()
            if here is self.found.scores:
                return inner
            if isinstance(here, Pointwise) and (here, inner) not in done:
                done.add((here, inner))
                waiting += [(ref.node, composed(ref, inner)) for ref in here.inputs]
        raise AssertionError("the scores are made of the product")

    def around(self, top: Node, dims: Dims, core: Node) -> list[View]:
        """The tensors that elementwise code on a product reads besides it."""
        found: list[View] = []
        waiting = [(top, dims)]
        done: set[tuple[Node, Dims]] = set()
        while waiting:
            node, inner = waiting.pop()
            if node is core or (node, inner) in done:
                continue
            done.add((node, inner))
            if isinstance(node, Pointwise) and node not in self.known:
                waiting += [(ref.node, composed(ref, inner)) for ref in node.inputs]
            else:
                found += leaves([(node, inner)], {}, self.inner, self.known)
        return found

    def made(self) -> Made:
        """The program."""
        program, space, keys = self.program, self.space, self.keys
        assert keys is not None
        query = factor(program, *self.query, row=self.row, col=self.head)
        program.mark = {keys: "k"}
        key = factor(program, *self.key, row=keys, col=self.head)
        value = factor(program, *self.value, row=keys, col=self.col)
        rows = self.row is not None
        column = replace(space, col=None)
        whole = (rows, self.col is not None)
        program.space = column
        most, total = self.start("largest", LEAST, rows, False), self.start("total", 0, rows, False)
        program.space = space
        sums = self.start("weighted", 0, *whole)

        program.space = replace(space, col=keys)
        products = program.buffer("scores", program.extents(rows, True), f32)
        program.named(DotOp(query, key, products, properties={"transpose_b": UnitAttr()}), "scores")
        scores = self.masked_scores(Page(products, rows, True))
        block = self.reduced("block_largest", "max", scores, rows)
        new = self.map("new_largest", [most, block], rows, False, _larger)
        factor_of_old = self.map("scale", [most, new], rows, False, _exp_of_difference)
        weights = self.map("weights", [scores, new], rows, True, _exp_of_difference)
        part = self.reduced("block_total", "add", weights, rows)
        program.space = space
        products = program.buffer("block_weighted", program.extents(*whole), f32)
        program.named(DotOp(weights.buffer, value, products), "block_weighted")
        self.map("renew_total", [total, factor_of_old, part], rows, False, _scaled_sum, into=total)
        weighted = [sums, factor_of_old, Page(products, *whole)]
        self.map("renew_weighted", weighted, *whole, _scaled_sum, into=sums)
        self.map("renew_largest", [new], rows, False, _same, into=most)
        program.mark = {}

        maps = Maps(program, self.members)
        done, dims = maps.seen(Ref.to(self.output), self.members[self.output])
        type = self.output.type if done is self.found.output else self.found.output.type
        name = program.label(self.found.output)
        result = self.map(name, [sums, total], *whole, _quotient, type=type)
        maps.pages[self.found.output, own_dims(self.found.output)] = result
        page = maps.page(done, dims, type=self.output.type, full=whole)
        program.store(page, space.seen(self.seen))
        return Made(program, self.output, self.layout)

    def masked_scores(self, page: Page) -> Page:
        """The scores after the code on them; keys beyond the end do not count."""
        program, found = self.program, self.found
        maps = Maps(program, {found.scores: self.score_dims})
        maps.pages[found.scores, self.score_dims] = page
        own = composed(found.seen, self.own)
        node, dims = maps.seen(Ref.to(found.seen.node), own)
        full = (page.rows, True)
        assert self.keys is not None
        if self.space.sizes[self.keys] % program.target.tile[1]:
            inner = masked(Ref.to(found.seen.node), f32, own, program.space, "max")
            return maps.page(inner, own, type=f32, full=full, name="seen_scores")
        return maps.page(node, dims, type=f32, full=full, name="seen_scores")

    def start(self, name: str, number: float, rows: bool, cols: bool) -> Page:
        """A carry with what it starts with."""
        buffer = self.program.buffer(name, self.program.extents(rows, cols), f32)
        block = Block()
        constant = arith.ConstantOp(FloatAttr(number, f32))
        block.add_ops([constant, YieldOp(constant.result)])
        self.program.named(MapOp([], buffer, Region(block)), f"start_{name}")
        return Page(buffer, rows, cols)

    def reduced(self, name: str, kind: str, page: Page, rows: bool) -> Page:
        """The largest, or the sum, of each row."""
        buffer = self.program.buffer(name, self.program.extents(rows, False), f32)
        axis = PageAxisAttr(PageAxis.COLS)
        op = ReduceOp(ReductionAttr(ReductionKind(kind)), axis, page.buffer, buffer)
        self.program.named(op, name)
        return Page(buffer, rows, False)

    def map(
        self,
        name: str,
        pages: Sequence[Page],
        rows: bool,
        cols: bool,
        code: Callable[[Block], SSAValue],
        *,
        into: Page | None = None,
        type: Attribute = f32,
    ) -> Page:
        """Elementwise code on pages; those without columns are the same for all."""
        block = Block(arg_types=[f32] * len(pages))
        for argument, page in zip(block.args, pages, strict=True):
            argument.name_hint = page.buffer.name_hint
        result = code(block)
        block.add_op(YieldOp(result))
        kinds = [Broadcast.COLS if cols and not p.cols else Broadcast.NONE for p in pages]
        buffer = (
            self.program.buffer(name, self.program.extents(rows, cols), type)
            if into is None
            else into.buffer
        )
        op = MapOp(
            [page.buffer for page in pages],
            buffer,
            Region(block),
            broadcasts=kinds if Broadcast.COLS in kinds else None,
            properties={"update": None if into is None else UnitAttr()},
        )
        self.program.named(op, name)
        return Page(buffer, rows, cols)


def _larger(block: Block) -> SSAValue:
    old, new = block.args
    op = arith.MaximumfOp(old, new)
    block.add_op(op)
    return op.result


def _exp_of_difference(block: Block) -> SSAValue:
    number, largest = block.args
    difference = arith.SubfOp(number, largest)
    exp = math.ExpOp(difference.result)
    block.add_ops([difference, exp])
    return exp.result


def _scaled_sum(block: Block) -> SSAValue:
    old, scale, new = block.args
    scaled = arith.MulfOp(old, scale)
    total = arith.AddfOp(scaled.result, new)
    block.add_ops([scaled, total])
    return total.result


def _same(block: Block) -> SSAValue:
    return block.args[0]


def _quotient(block: Block) -> SSAValue:
    sums, total = block.args
    op = arith.DivfOp(sums, total)
    block.add_op(op)
    return op.result
