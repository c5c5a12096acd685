"""One function: which programs it becomes, and the launches that replace its operations."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from itertools import count
from math import prod

from xdsl.dialects import arith, bufferization, func, memref, tensor
from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    TensorType,
    i32,
    i64,
)
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue
from xdsl.ir.affine import AffineMap

from spatial_dialect.dialects.spatial import LaunchOp, ProgramOp, is_tensor

from .attention import Attention, attention, attention_cluster, attention_of
from .clusters import Cluster, Dims, Graph, factors_of
from .kinds import Made, Setting, elementwise, product, product_cluster, rows, rows_cluster
from .reading import Reading, read, used_by
from .scalars import NotUnderstood, copied
from .scatters import scatter
from .tensors import (
    Gather,
    Node,
    Pointwise,
    Position,
    Reduction,
    Ref,
    Reshape,
    Scatter,
    Shape,
    Slice,
    Source,
    Splat,
)
from .views import NoPlace, View, whole


@dataclass
class Plan:
    """What a function becomes."""

    reading: Reading
    graph: Graph
    roots: dict[tuple[Operation, SSAValue], Ref]
    """The tensors that operations that stay take, by operation and value."""
    made: list[Made]
    """The programs, in an order in which they can run."""


def planned(block: Block, name: str, setting: Setting, taken: set[str]) -> Plan:
    """The programs that the body of a function becomes; nothing is changed yet.

    Args:
        block: the body.
        name: the name of the function, with which those of its programs begin.
        setting: what all programs share.
        taken: the symbols of the module, to which those of the programs are added.
    """
    left: dict[Operation, str] = {}
    apart: set[Operation] = set()
    unfused: set[Operation] = set()
    while True:
        reading = read(block, left)
        setting = replace(setting, labels=reading.labels)
        roots = _roots(reading)
        graph = Graph(tuple(roots.values()))
        for node in graph.order:
            if isinstance(node, Gather) and reading.made_by[node] in apart:
                graph.want(Ref.to(node))
        try:
            whole = {node for node, op in reading.made_by.items() if op not in unfused}
            made = _programs(graph, name, setting, taken, whole)
            taken |= {each.program.name for each in made}
            return Plan(reading, graph, roots, made)
        except _Failed as failed:
            node = failed.node
            if failed.fused is not None:
                # What is no attention for tiles is made of several programs.
                unfused.add(reading.made_by[failed.fused])
                continue
            if gathers := graph.gathers_of(node):
                # It may be possible if their rows are in DRAM.
                apart |= {reading.made_by[each] for each in gathers}
                continue
            while node not in reading.made_by:
                # A copy of something: that is what cannot be made.
                node = node.operands[0].node
            op = reading.made_by[node]
            assert op not in left, "an operation that stays makes no node"
            left[op] = failed.reason


class _Failed(Exception):
    def __init__(self, node: Node, reason: str, fused: Node | None = None):
        super().__init__(reason)
        self.node, self.reason, self.fused = node, reason, fused


def _before_reshapes(ref: Ref) -> Ref:
    """What the host only has to give another shape, if a program makes it."""
    inner = ref
    while isinstance(inner.node, Reshape) and inner.is_identity:
        inner = inner.node.input
    made = not isinstance(inner.node, Source | Reshape | Slice | Splat | Position)
    return inner if made else ref


def _roots(reading: Reading) -> dict[tuple[Operation, SSAValue], Ref]:
    """What has to be in memory for the operations that stay, as it can be there."""
    found: dict[tuple[Operation, SSAValue], Ref] = {}
    made: dict[tuple[Node, tuple[int | None, ...], Shape], Ref] = {}
    wanted: dict[Node, Ref] = {}

    def root(ref: Ref) -> Ref:
        key = (ref.node, ref.access, ref.shape)
        if key not in made:
            plain = not isinstance(ref.node, Source | Reshape | Slice | Splat | Position)
            moved = sorted(d for d in ref.access if d is not None) == list(range(len(ref.shape)))
            first = wanted.get(ref.node)
            if ref.is_identity and plain and first is None:
                made[key] = ref
            elif plain and moved and first is None:
                made[key] = ref
            else:
                made[key] = Ref.to(copied(ref))
            if plain and made[key] is ref:
                wanted[ref.node] = ref
        return made[key]

    for op in reading.stays:
        for value in used_by(op):
            ref = reading.refs.get(value)
            if ref is None or not isinstance(value.type, TensorType):
                continue
            there = isinstance(ref.node, Source) and ref.node.value is value
            if not there and not isinstance(ref.node, Splat):
                found[op, value] = root(_before_reshapes(ref))
        for value, ref in reading.contents.get(op, {}).items():
            found[op, value] = root(_before_reshapes(ref))
    return found


################################################################################
# Programs                                                                     #
################################################################################


def _programs(
    graph: Graph, name: str, setting: Setting, taken: set[str], whole_ones: set[Node]
) -> list[Made]:
    """All programs that make what is wanted of a graph, in order; attention of some products."""
    jobs: dict[Node, Callable[[str, dict[Node, View]], Made]] = {}
    fused: dict[Node, Node] = {}
    for node in graph.order:
        if not isinstance(node, Reduction) or node not in whole_ones:
            continue
        found = attention_of(node, graph, setting.target)
        if found is not None:
            cluster, members = attention_cluster(found, graph)
            jobs[cluster.output] = _attention_job(found, cluster, members, graph, setting)
            fused[cluster.output] = node
    for node in graph.order:
        if not isinstance(node, Reduction) or node in graph.taken:
            continue
        if factors_of(node) is not None:
            cluster, members = product_cluster(node, graph)
            make = product
        else:
            cluster, members = rows_cluster(node, graph, setting)
            make = rows
        jobs[cluster.output] = _job(make, node, cluster, members, graph, setting)
    for node in graph.wanted:
        if node not in jobs:
            if isinstance(node, Scatter):
                jobs[node] = lambda name, known, node=node: scatter(name, node, known, setting)
                continue
            if not isinstance(node, Pointwise | Gather):
                raise _Failed(node, "it is not one of the operations that become programs")
            jobs[node] = lambda name, known, node=node: elementwise(
                name, node, graph, known, setting
            )
    for output in jobs:
        graph.wanted.setdefault(output, Ref.to(output))
    known: dict[Node, View] = {
        node: whole(node) for node in graph.order if isinstance(node, Source)
    }
    made: list[Made] = []
    names = (each for n in count() if (each := f"{name}_{n}") not in taken)
    for node in graph.order:
        if node not in jobs:
            continue
        try:
            result = jobs[node](next(names), known)
        except (NotUnderstood, NoPlace) as reason:
            raise _Failed(node, str(reason), fused.get(node)) from reason
        known[node] = result.layout
        made.append(result)
    return made


def _attention_job(
    found: Attention,
    cluster: Cluster,
    members: dict[Node, Dims],
    graph: Graph,
    setting: Setting,
) -> Callable[[str, dict[Node, View]], Made]:
    return lambda name, known: attention(name, found, cluster, members, graph, known, setting)


def _job(
    make: Callable[..., Made],
    core: Reduction,
    cluster: Cluster,
    members: dict[Node, Dims],
    graph: Graph,
    setting: Setting,
) -> Callable[[str, dict[Node, View]], Made]:
    return lambda name, known: make(name, core, cluster, members, graph, known, setting)


################################################################################
# The function afterwards                                                      #
################################################################################


def carried_out(plan: Plan, block: Block) -> list[ProgramOp]:
    """Puts launches in the place of operations; the result is the programs to launch."""
    return _Rewriting(plan, block).programs


@dataclass(frozen=True)
class Destination:
    """A memref that a program writes to."""

    memref: SSAValue
    time: int
    """After which operation of the function it may be written."""


@dataclass
class _Rewriting:
    plan: Plan
    block: Block
    programs: list[ProgramOp] = field(default_factory=list[ProgramOp])
    values: dict[Node, SSAValue] = field(default_factory=dict[Node, SSAValue])
    """The tensor of each node that is in memory, in some shape."""
    times: dict[Node, int] = field(default_factory=dict[Node, int])
    """After which operation of the function the tensor is there; -1: from the start."""
    last: dict[int, Operation] = field(default_factory=dict[int, Operation])
    """The last operation that was added after an operation of the function."""

    def __post_init__(self) -> None:
        self.ops = list(self.block.ops)
        self.index = {op: number for number, op in enumerate(self.ops)}
        for node in self.plan.graph.order:
            if isinstance(node, Source):
                self.source(node)
        self.targets = self._destinations()
        for made in self.plan.made:
            self.launch(made)
        for (op, value), ref in self.plan.roots.items():
            self.hand_over(op, value, ref)
        for op in reversed(self.ops):
            stays = op in self.plan.reading.stays
            empty = isinstance(op, tensor.EmptyOp | arith.ConstantOp)
            if isinstance(op, memref.AllocOp):
                self._erase_unused(op)
            elif (not stays or empty) and not any(result.uses for result in op.results):
                op.detach()
                op.erase()

    def source(self, node: Source) -> None:
        """Note where a tensor of the function is, or bring one here from a function it calls."""
        owner = self.plan.reading.since.get(node, node.value.owner)
        self.values[node] = node.value
        self.times[node] = self.index.get(owner, -1) if isinstance(owner, Operation) else -1
        if isinstance(node.value, OpResult) and node.value.op not in self.index:
            constant = node.value.op.clone()
            self.add(-1, [constant])
            self.values[node] = constant.results[node.value.index]

    def _destinations(self) -> dict[Node, Destination]:
        """The memrefs that programs can write to at once.

        What a memref held before is not needed then, and what it holds then stays there for as long
        as the function uses it.
        """
        plan = self.plan
        read: dict[SSAValue, int] = {}
        for node in plan.graph.order:
            if isinstance(node, Source):
                before = read.get(node.value, len(self.ops))
                read[node.value] = min(before, self.times[node])
        roots = [ref.node for ref in plan.roots.values()]
        due = dict.fromkeys(plan.graph.order, len(self.ops))
        for (op, _), ref in plan.roots.items():
            due[ref.node] = min(due[ref.node], self.index[op])
        for node in reversed(plan.graph.order):
            for inner in node.operands:
                due[inner.node] = min(due[inner.node], due[node])
        found: dict[Node, Destination] = {}
        touched: dict[SSAValue, int] = {}
        for op in plan.reading.stays:
            written = plan.reading.contents.get(op, {})
            for value in written:
                ref = plan.roots[op, value]
                owner = value.owner
                start = self.index[owner] if isinstance(owner, Operation) else -1
                time = touched.get(value, start)
                last = isinstance(op, func.ReturnOp) or not plan.graph.users[ref.node]
                alone = roots.count(ref.node) == 1 and ref.is_identity
                alone = alone and not isinstance(ref.node, Scatter)
                free = self.index[op] <= read.get(value, len(self.ops))
                if last and alone and free and time < due[ref.node]:
                    found[ref.node] = Destination(value, time)
            touched |= dict.fromkeys((*used_by(op), *written), self.index[op])
        return found

    def _erase_unused(self, op: memref.AllocOp) -> None:
        """Erase memory that is only freed."""
        users = [use.operation for use in op.memref.uses]
        if all(isinstance(user, memref.DeallocOp) for user in users):
            for each in (*users, op):
                each.detach()
                each.erase()

    def add(self, time: int, ops: Iterable[Operation]) -> None:
        """Insert operations after one of the function and what was inserted there."""
        for op in ops:
            if (before := self.last.get(time)) is not None:
                self.block.insert_op_after(op, before)
            elif time >= 0:
                self.block.insert_op_after(op, self.ops[time])
            else:
                self.block.insert_op_before(op, self.ops[0])
            self.last[time] = op

    def launch(self, made: Made) -> None:
        program = made.program
        launched = program.finish()
        self.programs.append(launched)
        nodes = [node for node, _ in program.arguments]
        inputs = [node for node in nodes if node is not made.output]
        start = None if made.start is None else made.start.node
        if start in self.plan.graph.wanted or isinstance(start, Source):
            inputs.append(start)
        for node in inputs:
            if isinstance(node, Position) and node not in self.values:
                self.times[node] = -1
                self.values[node] = self.positions(node)
        time = max((self.times[node] for node in inputs), default=-1)
        target = self.targets.get(made.output)
        if target is not None:
            time = max(time, target.time)
        operands: list[SSAValue] = []
        for node, shape in program.arguments:
            if node is not made.output:
                operands.append(self.shaped(self.values[node], shape, time))
            elif target is not None:
                operands.append(self.shaped(target.memref, shape, time))
            else:
                operands.append(self.before(made, shape, time))
        output = operands[[node for node, _ in program.arguments].index(made.output)]
        results = [] if target is not None else [output.type]
        op = LaunchOp(launched.sym_name.data, operands, results)
        for result in op.results:
            result.name_hint = self.plan.reading.labels.get(made.output)
        self.add(time, [op])
        self.times[made.output] = time
        self.values[made.output] = output if target is not None else op.results[0]

    def before(self, made: Made, shape: Shape, time: int) -> SSAValue:
        """A tensor for a program to write, with what it leaves there."""
        type = TensorType(made.output.type, shape)
        if made.start is None:
            empty = tensor.EmptyOp((), type)
            self.add(time, [empty])
            return empty.tensor
        node = made.start.node
        if not isinstance(node, Splat):
            return self.shaped(self.values[node], shape, time)
        constant = arith.ConstantOp(node.value)
        splat = tensor.SplatOp(constant.result, [], type)
        self.add(time, [constant, splat])
        return splat.result

    def positions(self, node: Position) -> SSAValue:
        """A tensor of the numbers from 0."""
        empty = tensor.EmptyOp((), TensorType(i32, node.shape))
        body = Block(arg_types=(i32,))
        index = linalg.IndexOp(0)
        cast = arith.IndexCastOp(index.result, i32)
        body.add_ops([index, cast, linalg.YieldOp(cast.result)])
        op = linalg.GenericOp(
            [],
            [empty.tensor],
            Region(body),
            [AffineMapAttr(AffineMap.identity(1))],
            [IteratorTypeAttr.parallel()],
            [empty.tensor.type],
        )
        op.results[0].name_hint = "positions"
        self.add(-1, [empty, op])
        return op.results[0]

    def shaped(self, value: SSAValue, shape: Shape, time: int) -> SSAValue:
        """The same elements in another shape."""
        type = value.type
        assert is_tensor(type)
        if tuple(type.get_shape()) == shape:
            return value
        ops, result = reshaping(value, shape)
        self.add(time, ops)
        return result

    def hand_over(self, op: Operation, value: SSAValue, ref: Ref) -> None:
        """Give an operation that stays the tensor that a program has made."""
        node = ref.node
        made = self.values[node]
        type = value.type
        assert is_tensor(type)
        if isinstance(type, MemRefType):
            if node not in self.targets:
                self.copy_to(value, made, op)
            return
        result = self.shaped(made, tuple(type.get_shape()), self.times[node])
        for inner in op.walk():
            for index, operand in enumerate(inner.operands):
                if operand is value:
                    inner.operands[index] = result

    def copy_to(self, target: SSAValue, made: SSAValue, op: Operation) -> None:
        """Write a tensor to a memref."""
        type = target.type
        assert is_tensor(type)
        ops, result = reshaping(made, tuple(type.get_shape()))
        buffer = bufferization.ToBufferOp.create(operands=[result], result_types=[type])
        for each in (*ops, buffer, memref.CopyOp(buffer.memref, target)):
            self.block.insert_op_before(each, op)


def reshaping(value: SSAValue, shape: Shape) -> tuple[list[Operation], SSAValue]:
    """Operations that give a tensor, or a memref, another shape."""
    type = value.type
    assert is_tensor(type)
    old = tuple(type.get_shape())
    if old == shape:
        return [], value
    if not old or not shape:
        return _one_element(value, shape)
    if (groups := _grouping(old, shape)) is not None:
        return _regrouped(value, groups, shape, expand=True)
    if (groups := _grouping(shape, old)) is not None:
        return _regrouped(value, groups, shape, expand=False)
    first, between = reshaping(value, (prod(old),))
    second, result = reshaping(between, shape)
    return [*first, *second], result


def _one_element(value: SSAValue, shape: Shape) -> tuple[list[Operation], SSAValue]:
    """A tensor of one element in another shape, where one of the shapes has no dimensions."""
    type = value.type
    assert is_tensor(type)
    zero = arith.ConstantOp(IntegerAttr(0, IndexType()))
    extract = tensor.ExtractOp(value, [zero.result] * len(type.get_shape()), type.element_type)
    put = tensor.FromElementsOp.create(
        operands=[extract.result], result_types=[TensorType(type.element_type, shape)]
    )
    return [zero, extract, put], put.results[0]


def _regrouped(
    value: SSAValue, groups: list[list[int]], shape: Shape, *, expand: bool
) -> tuple[list[Operation], SSAValue]:
    type = value.type
    assert is_tensor(type)
    kind = TensorType if isinstance(type, TensorType) else MemRefType
    new = kind(type.element_type, shape)
    properties: dict[str, Attribute] = {
        "reassociation": ArrayAttr(
            ArrayAttr(IntegerAttr(dim, i64) for dim in group) for group in groups
        )
    }
    if not expand:
        collapse = (
            tensor.CollapseShapeOp if isinstance(type, TensorType) else memref.CollapseShapeOp
        )
        op = collapse.create(operands=[value], result_types=[new], properties=properties)
    else:
        sizes = DenseArrayBase.from_list(i64, shape)
        properties["static_output_shape"] = sizes
        widen = tensor.ExpandShapeOp if isinstance(type, TensorType) else memref.ExpandShapeOp
        op = widen.create(operands=[value], result_types=[new], properties=properties)
    return [op], op.results[0]


def _grouping(few: Shape, many: Shape) -> list[list[int]] | None:
    """For each dimension of one shape, those of the other that it is split into."""
    groups: list[list[int]] = []
    position = 0
    for number, size in enumerate(few):
        group: list[int] = []
        total = 1
        last = number == len(few) - 1
        while position < len(many) and (not group or total < size or last):
            group.append(position)
            total *= many[position]
            position += 1
        if total != size or not group:
            return None
        groups.append(group)
    return groups
