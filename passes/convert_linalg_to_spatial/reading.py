"""Reads the body of a function as a graph of tensors.

Operations that are understood make nodes; all others stay in the function, and what they make is a
tensor like any argument. A memref is read as the tensor that it holds at that point.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf

from xdsl.dialects import arith, func, memref, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    TensorType,
    i32,
)
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation, NamedOperation
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap
from xdsl.traits import SymbolTable

from spatial_dialect.dialects.spatial import LaunchOp, is_tensor
from spatial_dialect.ir.types import element_bits, is_element_type, is_float

from .indices import extracted, is_scatter, scattered
from .scalars import NotUnderstood, combiner, pointwise, width_of
from .tensors import (
    Kind,
    Node,
    Position,
    Reduction,
    Ref,
    Shape,
    Slice,
    Source,
    Splat,
    in_order,
    reshaped,
)


@dataclass
class Reading:
    """What a function's body computes."""

    refs: dict[SSAValue, Ref] = field(default_factory=dict[SSAValue, Ref])
    """The tensors, and the constants, by their values."""
    stays: dict[Operation, str | None] = field(default_factory=dict[Operation, str | None])
    """The operations that stay, in order; with the reason where a user may wonder."""
    made_by: dict[Node, Operation] = field(default_factory=dict[Node, Operation])
    """The operation of the function that each node comes from."""
    labels: dict[Node, str] = field(default_factory=dict[Node, str])
    """The names that the function has for its tensors."""
    contents: dict[Operation, dict[SSAValue, Ref]] = field(
        default_factory=dict[Operation, dict[SSAValue, Ref]]
    )
    """For an operation that stays, what the memrefs hold that must be written before it."""
    since: dict[Node, Operation] = field(default_factory=dict[Node, Operation])
    """For what a memref holds, the operation after which it does so, if not from the start."""


def used_by(op: Operation) -> list[SSAValue]:
    """The values that an operation uses, itself or in its regions."""
    return list(dict.fromkeys(value for inner in op.walk() for value in inner.operands))


def read(block: Block, left: Mapping[Operation, str]) -> Reading:
    """The graph of the one block of a function.

    Args:
        block: the body.
        left: operations that stay in any case, with the reason.
    """
    reader = _Reader(left)
    for argument in block.args:
        reader.source(argument)
    reader.block(block)
    return reader.reading


_NEUTRAL: dict[Kind, float] = {"add": 0, "max": -inf, "min": inf}

_COMBINERS: dict[type[Operation], Kind] = {
    **{arith.AddfOp: "add", arith.AddiOp: "add"},
    **{arith.MaximumfOp: "max", arith.MaxnumfOp: "max", arith.MaxSIOp: "max"},
    **{arith.MinimumfOp: "min", arith.MinnumfOp: "min", arith.MinSIOp: "min"},
}

_SILENT = (
    *(arith.ConstantOp, tensor.EmptyOp, tensor.FromElementsOp, memref.AllocOp, memref.DeallocOp),
    *(func.ReturnOp, func.CallOp, LaunchOp, linalg.IndexOp),
)
"""Operations of which nobody expects that they run on the sites."""


class _Reader:
    def __init__(self, left: Mapping[Operation, str], calls: tuple[Operation, ...] = ()):
        self.left, self.calls = left, calls
        self.reading = Reading()
        self.undefined: set[SSAValue] = set()
        """Tensors that hold nothing yet."""
        self.memory: dict[SSAValue, Ref] = {}
        """What the memrefs are to hold now, where it is not written yet."""
        self.views: set[SSAValue] = set()
        """Memrefs that may be parts of each other."""
        self.op: Operation | None = None
        """The operation that is read."""

    def block(self, block: Block) -> None:
        """Read all operations of a block."""
        for op in block.ops:
            before = dict(self.memory)
            self.op = op
            try:
                if op in self.left:
                    raise NotUnderstood(self.left[op])
                self.operation(op)
                self.own(op)
            except NotUnderstood as reason:
                self.memory = before
                self.stay(op, str(reason))

    def own(self, op: Operation) -> None:
        """Note which nodes are new with an operation."""
        waiting: list[Node] = []
        for value in (*op.results, *op.operands):
            if (ref := self.memory.get(value) or self.reading.refs.get(value)) is None:
                continue
            waiting.append(ref.node)
            if ref.node not in self.reading.made_by:
                self.label(ref.node, value)
        while waiting:
            node = waiting.pop()
            if node not in self.reading.made_by:
                self.reading.made_by[node] = op
                waiting += [ref.node for ref in node.operands]

    def label(self, node: Node, value: SSAValue) -> None:
        """Call a node as the function calls a value."""
        if value.name_hint is not None:
            self.reading.labels.setdefault(node, value.name_hint)

    def source(self, value: SSAValue, since: Operation | None = None) -> None:
        """A tensor that is there, or what a memref holds from here on."""
        type = value.type
        if not is_tensor(type) or not type.has_static_shape():
            return
        if is_element_type(type.element_type):
            node = Source(type.get_shape(), type.element_type, value)
            self.label(node, value)
            self.reading.refs[value] = Ref.to(node)
            if since is not None:
                self.reading.since[node] = since

    def stay(self, op: Operation, reason: str | None) -> None:
        """Leave an operation as it is. What it may see of memory has to be there."""
        touched = {value for value in used_by(op) if _is_memref(value)}
        views = [value for value in op.results if _is_memref(value)]
        if touched and views:
            self.views |= {*touched, *views}
        if isinstance(op, memref.DeallocOp):
            for value in touched:
                self.memory.pop(value, None)
        if isinstance(op, func.ReturnOp):
            written = {value for value in self.memory if value in touched or not _is_local(value)}
        else:
            written = self.overwritten_by(touched)
        self.reading.contents[op] = {
            v: self.memory.pop(v) for v in list(self.memory) if v in written
        }
        for value in touched | written:
            self.undefined.discard(value)
            self.source(value, op)
        self.reading.stays[op] = None if isinstance(op, _SILENT) else reason
        for result in op.results:
            self.source(result)

    def overwritten_by(self, touched: Collection[SSAValue]) -> set[SSAValue]:
        """The memrefs to write before an operation that may read and write some.

        Besides these themselves, those are written that are to hold something made of what is
        overwritten, be it by the operation or by this.
        """
        written = {value for value in self.memory if value in touched}
        gone = {*touched}
        while gone:
            old = {self.reading.refs[value].node for value in gone if value in self.reading.refs}
            rest = [value for value in self.memory if value not in written]
            gone = {value for value in rest if _is_of(self.memory[value], old)}
            written |= gone
        return written

    def ref(self, value: SSAValue) -> Ref:
        """The tensor, or the constant, that a value is now."""
        if value in self.undefined:
            raise NotUnderstood("it reads a tensor that holds nothing")
        self.check_memory(value)
        if _is_memref(value) and self.op is not None and self.op.results:
            raise NotUnderstood("it makes a tensor of a memref, which may change before it is used")
        if (found := self.memory.get(value) or self.reading.refs.get(value)) is None:
            type = value.type
            if is_tensor(type):
                if not type.has_static_shape():
                    raise NotUnderstood(f"the shape of {type} is known at run time only")
                if not is_element_type(type.element_type):
                    raise NotUnderstood(f"tiles hold no {type.element_type}")
            raise NotUnderstood(f"it uses a {type} that is known at run time only")
        return found

    def operation(self, op: Operation) -> None:
        """Read one operation.

        Raises:
            NotUnderstood: it has to stay.
        """
        refs = self.reading.refs
        match op:
            case tensor.EmptyOp():
                if not op.tensor.type.has_static_shape():
                    raise NotUnderstood("its shape is known at run time only")
                self.undefined.add(op.tensor)
                self.reading.stays[op] = None
            case memref.AllocOp():
                self.stay(op, None)
                self.undefined.add(op.memref)
            case arith.ConstantOp():
                refs[op.result] = self.constant(op)
                self.reading.stays[op] = None
            case linalg.FillOp():
                self.fill(op)
            case linalg.BroadcastOp():
                kept = [
                    dim
                    for dim in range(len(_shape(op.init)))
                    if dim not in op.dimensions.get_values()
                ]
                ref = self.ref(op.input).through(kept, _shape(op.init))
                self.result(op, 0, op.init, ref)
            case linalg.ReduceOp():
                self.reduce(op)
            case linalg.GenericOp() | linalg.TransposeOp():
                self.structured(op, op.inputs, op.outputs)
            case NamedOperation():
                self.structured(op, op.inputs, op.outputs)
            case memref.CopyOp():
                self.result(op, 0, op.destination, self.ref(op.source))
            case tensor.ExpandShapeOp() | tensor.CollapseShapeOp() | tensor.ReshapeOp():
                self.reshape(op)
            case tensor.ExtractSliceOp():
                self.slice(op)
            case tensor.ExtractOp() if not op.indices:
                refs[op.result] = self.ref(op.tensor)
            case func.CallOp():
                self.call(op)
            case _ if is_scatter(op):
                start, index, rows = (self.ref(value) for value in op.operands)
                self.result_of(op.results[0], scattered(op, start, index, rows))
            case _:
                raise NotUnderstood("it is not one of the operations that become programs")

    def constant(self, op: arith.ConstantOp) -> Ref:
        value = op.value
        if isinstance(value, FloatAttr | IntegerAttr):
            return Ref.to(Splat((), value.type, value))
        if isinstance(value, DenseIntOrFPElementsAttr) and value.is_splat():
            type = value.get_element_type()
            number = next(iter(value.iter_attrs()))
            return Ref(Splat((), type, number), (), value.get_shape())
        node = Source(_shape(op.result), _element(op.result), op.result)
        if not is_element_type(node.type):
            raise NotUnderstood(f"tiles hold no {node.type}")
        return Ref.to(node)

    def fill(self, op: linalg.FillOp) -> None:
        ref = self.ref(op.inputs[0]).through((), _shape(op.outputs[0]))
        if isinstance(ref.node, Splat):
            # The number of this operation: if it cannot be stored, this is what stays.
            ref = replace(ref, node=replace(ref.node))
        self.result(op, 0, op.outputs[0], ref)

    def result(self, op: Operation, index: int, out: SSAValue, ref: Ref) -> None:
        """What an operation in destination style makes: a result, or what a memref holds."""
        if op.results:
            self.result_of(op.results[index], ref)
            return
        self.check_memory(out)
        self.memory[out] = _checked(ref)
        self.undefined.discard(out)

    def result_of(self, value: SSAValue, ref: Ref) -> None:
        """What the result of an operation is."""
        self.reading.refs[value] = _checked(ref)

    def check_memory(self, value: SSAValue) -> None:
        """Check that a memref is all there is of some memory, without gaps.

        Raises:
            NotUnderstood: it is not.
        """
        if value in self.views:
            raise NotUnderstood("its memref may be seen through others: it, or they, are views")
        type = value.type
        if is_tensor(type) and not isinstance(type, TensorType):
            if not isinstance(type.layout, NoneAttr):
                raise NotUnderstood(f"the elements of {type} do not follow each other in memory")

    ############################################################################
    # linalg                                                                   #
    ############################################################################

    def structured(
        self,
        op: LinalgStructuredOperation,
        ins: Sequence[SSAValue],
        outs: Sequence[SSAValue],
    ) -> None:
        """Read an operation with indexing maps."""
        maps = [each.data for each in op.get_indexing_maps()]
        reduced = {
            dim
            for dim, each in enumerate(op.get_iterator_types())
            if each.data == IteratorType.REDUCTION
        }
        count = len(op.get_iterator_types())
        outputs = maps[len(ins) :]
        if len(op.results) not in (0, len(outs)) or len(set(outputs)) != 1:
            raise NotUnderstood("its results do not share one indexing map")
        order = _dims(outputs[0], _shape(outs[0]))
        if (
            None in order
            or len(set(order)) < len(order)
            or set(order) != set(range(count)) - reduced
        ):
            raise NotUnderstood(f"it writes its result by {outputs[0]}, not one element a step")
        space = [*(dim for dim in order if dim is not None), *sorted(reduced)]
        where = {dim: index for index, dim in enumerate(space)}
        sizes: dict[int, int] = {}
        for value, map in zip((*ins, *outs), maps, strict=True):
            for dim, size in zip(_dims(map, _shape(value)), _shape(value), strict=True):
                if dim is not None:
                    sizes[dim] = size
        shape = tuple(sizes.get(dim, 1) for dim in space)
        # What is combined with one element only is elementwise.
        combines = any(size > 1 for size in shape[len(order) :])
        block = op.regions[0].block
        values: dict[SSAValue, Ref | None] = {}
        for argument, value, map in zip(block.args, (*ins, *outs), maps, strict=True):
            if argument.uses.get_length() == 0 or (combines and argument.index >= len(ins)):
                values[argument] = None
                continue
            access = [None if d is None else where[d] for d in _dims(map, _shape(value))]
            values[argument] = self.ref(value).through(access, shape)
        yielded = block.last_op
        assert yielded is not None
        code = _Code(self, block, values, where, shape)
        for index, (result, out) in enumerate(zip(yielded.operands, outs, strict=True)):
            carried = block.args[len(ins) + index]
            if combines:
                kind, element = _combiner(result, carried)
                node = Reduction(shape[: len(order)], _element(out), kind, code.read(element))
                ref = self.with_start(Ref.to(node), kind, out)
            else:
                ref = _of_type(code.read(result), _element(out), shape)
                ref = reshaped(ref, shape[: len(order)])
            self.result(op, index, out, ref)

    def reduce(self, op: linalg.ReduceOp) -> None:
        gone = op.dimensions.get_values()
        ref = self.ref(op.input)
        kept = [dim for dim in range(len(ref.shape)) if dim not in gone]
        order = [*kept, *gone]
        shape = tuple(ref.shape[dim] for dim in order)
        inner = ref.through([order.index(dim) for dim in range(len(order))], shape)
        block = op.region.block
        last = block.last_op
        assert last is not None
        kind, element = _combiner(last.operands[0], block.args[1])
        code = _Code(self, block, {block.args[0]: inner, block.args[1]: None}, {}, shape)
        node = Reduction(shape[: len(kept)], _element(op.init), kind, code.read(element))
        self.result(op, 0, op.init, self.with_start(Ref.to(node), kind, op.init))

    def with_start(self, ref: Ref, kind: Kind, out: SSAValue) -> Ref:
        """A reduction that starts with what is in its destination."""
        start = self.ref(out)
        if isinstance(start.node, Splat) and _is_neutral(start.node, kind):
            return ref
        return pointwise(combiner(kind, ref.node.type), (start, ref), ref.shape)

    def call(self, op: func.CallOp) -> None:
        """Read what a function makes as if its body stood here."""
        function = SymbolTable.lookup_symbol(op, op.callee)
        if not isinstance(function, func.FuncOp) or len(function.body.blocks) != 1:
            raise NotUnderstood("the function is not here, or has several blocks")
        if function in self.calls:
            raise NotUnderstood("the function calls itself")
        if any(isinstance(type, MemRefType) for type in op.operand_types):
            raise NotUnderstood("the function takes memrefs")
        inner = _Reader({}, (*self.calls, function))
        block = function.body.block
        for argument, value in zip(block.args, op.arguments, strict=True):
            inner.reading.refs[argument] = self.ref(value)
        inner.block(block)
        self.reading.labels |= inner.reading.labels
        for each, reason in inner.reading.stays.items():
            plain = isinstance(each, arith.ConstantOp | tensor.EmptyOp | func.ReturnOp)
            if reason is not None or not plain:
                why = "" if reason is None else f": {reason}"
                raise NotUnderstood(f"in the function that it calls '{each.name}' stays{why}")
        last = block.last_op
        assert last is not None
        for result, value in zip(op.results, last.operands, strict=True):
            self.result_of(result, inner.ref(value))

    ############################################################################
    # Shapes                                                                   #
    ############################################################################

    def reshape(self, op: tensor.ExpandShapeOp | tensor.CollapseShapeOp | tensor.ReshapeOp) -> None:
        ref = self.ref(op.operands[0])
        shape = _shape(op.results[0])
        self.result_of(op.results[0], reshaped(ref, shape))

    def slice(self, op: tensor.ExtractSliceOp) -> None:
        ref = self.ref(op.source)
        offsets = op.static_offsets.get_values()
        sizes = op.static_sizes.get_values()
        steps = op.static_strides.get_values()
        if DYNAMIC_INDEX in (*offsets, *sizes, *steps):
            raise NotUnderstood("its offsets, sizes or strides are known at run time only")
        if isinstance(ref.node, Splat):
            self.result_of(op.result, Ref(ref.node, (), _shape(op.result)))
            return
        node = Slice(tuple(sizes), ref.node.type, ref, tuple(offsets), tuple(steps))
        self.result_of(op.result, reshaped(Ref.to(node), _shape(op.result)))


def _checked(ref: Ref) -> Ref:
    if min(ref.shape, default=1) == 0:
        raise NotUnderstood("its result is empty")
    if min(ref.shape, default=1) < 0:
        raise NotUnderstood("the shape of its result is known at run time only")
    return ref


def _of_type(ref: Ref, type: Attribute, shape: Shape) -> Ref:
    """A result as its tensor holds it: `linalg.copy` converts without saying so in its code."""
    if ref.node.type == type or not (is_float(ref.node.type) and is_float(type)):
        return ref
    (operand,) = Block(arg_types=(ref.node.type,)).args
    wider = element_bits(type) > element_bits(ref.node.type)
    op = (arith.ExtFOp if wider else arith.TruncFOp)(operand, type)
    return pointwise(op, (ref,), shape)


def _is_memref(value: SSAValue) -> bool:
    return isinstance(value.type, MemRefType)


def _is_local(value: SSAValue) -> bool:
    """Whether nobody outside of the function sees a memref unless it is returned."""
    return isinstance(value.owner, memref.AllocOp)


def _is_of(ref: Ref, nodes: Collection[Node]) -> bool:
    """Whether a tensor is made of one of some nodes."""
    return any(node in nodes for node in in_order([ref]))


def _shape(value: SSAValue) -> Shape:
    type = value.type
    return tuple(type.get_shape()) if is_tensor(type) else ()


def _element(value: SSAValue) -> Attribute:
    type = value.type
    return type.element_type if is_tensor(type) else type


def _dims(map: AffineMap, shape: Shape) -> list[int | None]:
    """The dimensions that a map reads, None for an extent of 1 that is read at 0."""
    found: list[int | None] = []
    for expr in map.results:
        match expr:
            case AffineDimExpr(position=position):
                found.append(position)
            case AffineConstantExpr(value=0) if shape[len(found)] == 1:
                found.append(None)
            case _:
                raise NotUnderstood(
                    f"it goes through a tensor by {map}, not dimension by dimension"
                )
    return found


def _is_neutral(splat: Splat, kind: Kind) -> bool:
    value = splat.value.value.data
    if kind == "add":
        return value == 0
    if isinstance(splat.value, IntegerAttr):
        width = width_of(splat.type) or 64
        return value == (-(2 ** (width - 1)) if kind == "max" else 2 ** (width - 1) - 1)
    return value == _NEUTRAL[kind]


def _combiner(result: SSAValue, carried: SSAValue) -> tuple[Kind, SSAValue]:
    """How the code of a reduction combines what it has with what comes, and what that is."""
    op = _behind(result).owner
    if isinstance(op, Operation) and (kind := _COMBINERS.get(type(op))) is not None:
        lhs, rhs = map_behind(op.operands)
        if lhs is carried and rhs is not carried:
            return kind, op.operands[1]
        if rhs is carried and lhs is not carried:
            return kind, op.operands[0]
    raise NotUnderstood("it combines elements in another way than by add, max or min")


def map_behind(values: Iterable[SSAValue]) -> list[SSAValue]:
    """The numbers behind values that may have been put into tensors of one element."""
    return [_behind(value) for value in values]


def _behind(value: SSAValue) -> SSAValue:
    while True:
        owner = value.owner
        if isinstance(owner, tensor.ExtractOp) and not owner.indices:
            inner = owner.tensor.owner
            if isinstance(inner, tensor.FromElementsOp) and len(inner.elements) == 1:
                value = inner.elements[0]
                continue
        return value


@dataclass
class _Code:
    """The code of a linalg operation, read over its space."""

    reader: _Reader
    block: Block
    values: dict[SSAValue, Ref | None]
    where: dict[int, int]
    """The dimension of the space for each dimension of the operation."""
    shape: Shape

    def read(self, value: SSAValue) -> Ref:
        """What a value is; what it is made of is read before it, in order."""
        needed: set[Operation] = set()
        waiting = [value]
        while waiting:
            owner = _behind(waiting.pop()).owner
            if isinstance(owner, Operation) and owner.parent is self.block and owner not in needed:
                needed.add(owner)
                waiting += owner.operands
        for op in self.block.ops:
            if op in needed:
                self.value(op.results[0])
        return self.value(value)

    def value(self, value: SSAValue) -> Ref:
        value = _behind(value)
        if value in self.values:
            found = self.values[value]
            if found is None:
                raise NotUnderstood("its code uses its result in more than one place")
            return found
        if value in self.reader.reading.refs:
            # A number of the function.
            return self.reader.ref(value).through((), self.shape)
        owner = value.owner
        if isinstance(value, BlockArgument) or not isinstance(owner, Operation):
            raise NotUnderstood("its code uses a value from outside")
        found = self.operation(owner)
        self.values[value] = found
        return found

    def operation(self, op: Operation) -> Ref:
        match op:
            case arith.ConstantOp(value=FloatAttr() | IntegerAttr()):
                number = op.value
                assert isinstance(number, FloatAttr | IntegerAttr)
                return Ref(Splat((), number.type, number), (), self.shape)
            case linalg.IndexOp():
                dim = self.where[op.dim.value.data]
                return Ref(Position((self.shape[dim],), i32), (dim,), self.shape)
            case arith.IndexCastOp():
                return self.value(op.input)
            case tensor.ExtractOp() | memref.LoadOp():
                indices = [self.value(index) for index in op.indices]
                return extracted(self.reader.ref(op.operands[0]), indices, self.shape)
            case _:
                pass
        if op.regions or len(op.results) != 1 or not op.name.startswith(("arith.", "math.")):
            raise NotUnderstood(f"its code has '{op.name}'")
        inputs = tuple(self.value(operand) for operand in op.operands)
        return pointwise(op, inputs, self.shape)
