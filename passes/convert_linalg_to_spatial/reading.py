"""Reads the body of a function as a graph of tensors.

Operations that are understood make nodes; all others stay in the function, and what they make is a
tensor like any argument. A memref is read as the tensor that it holds at that point.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

from xdsl.dialects import arith, func, linalg, memref, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    MemRefType,
    i32,
)
from xdsl.dialects.linalg import IteratorType
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation, NamedOperation
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap
from xdsl.traits import SymbolTable

from spatial_dialect.dialects.spatial import LaunchOp, is_tensor
from spatial_dialect.ir.types import is_element_type

from .scalars import NotUnderstood, combiner, pointwise, width_of
from .tensors import (
    Kind,
    Node,
    Position,
    Reduction,
    Ref,
    Reshape,
    Shape,
    Slice,
    Source,
    Splat,
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
    contents: dict[Operation, dict[SSAValue, Ref]] = field(
        default_factory=dict[Operation, dict[SSAValue, Ref]]
    )
    """For an operation that stays, what the memrefs hold that must be written before it."""


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
        """What the memrefs hold now, where that is not what they held at first."""

    def block(self, block: Block) -> None:
        """Read all operations of a block."""
        for op in block.ops:
            before = dict(self.memory)
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
        values = (*op.results, *op.operands)
        refs = [self.memory.get(v) or self.reading.refs.get(v) for v in values]
        waiting = [ref.node for ref in refs if ref is not None]
        while waiting:
            node = waiting.pop()
            if node not in self.reading.made_by:
                self.reading.made_by[node] = op
                waiting += [ref.node for ref in node.operands]

    def source(self, value: SSAValue) -> None:
        """A tensor that is there."""
        type = value.type
        if not is_tensor(type) or not type.has_static_shape():
            return
        if is_element_type(type.element_type):
            node = Source(type.get_shape(), type.element_type, value)
            self.reading.refs[value] = Ref.to(node)

    def stay(self, op: Operation, reason: str | None) -> None:
        """Leave an operation as it is. What it may see of memory has to be there."""
        touched = [value for value in op.operands if isinstance(value.type, MemRefType)]
        last = isinstance(op, func.ReturnOp)
        written = {value: ref for value, ref in self.memory.items() if last or value in touched}
        self.reading.contents[op] = written
        for value in touched:
            self.memory.pop(value, None)
            if value in self.reading.refs:
                self.source(value)
        self.reading.stays[op] = None if isinstance(op, _SILENT) else reason
        for result in op.results:
            self.source(result)

    def ref(self, value: SSAValue) -> Ref:
        """The tensor, or the constant, that a value is now."""
        if value in self.undefined:
            raise NotUnderstood("it reads a tensor that holds nothing")
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
                self.result(op, op.init, ref)
            case linalg.ReduceOp():
                self.reduce(op)
            case linalg.GenericOp() | linalg.TransposeOp():
                self.structured(op, op.inputs, op.outputs)
            case NamedOperation():
                self.structured(op, op.inputs, op.outputs)
            case tensor.ExpandShapeOp() | tensor.CollapseShapeOp() | tensor.ReshapeOp():
                self.reshape(op)
            case tensor.ExtractSliceOp():
                self.slice(op)
            case tensor.ExtractOp() if not op.indices:
                refs[op.result] = self.ref(op.tensor)
            case func.CallOp():
                self.call(op)
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
        number = self.ref(op.inputs[0])
        self.result(op, op.outputs[0], Ref(number.node, number.access, _shape(op.outputs[0])))

    def result(self, op: Operation, out: SSAValue, ref: Ref) -> None:
        """What an operation in destination style makes."""
        if ref.shape and not all(ref.shape):
            raise NotUnderstood("its result is empty")
        if op.results:
            self.reading.refs[op.results[0]] = ref
        else:
            self.undefined.discard(out)
            self.memory[out] = ref

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
        block = op.regions[0].block
        values: dict[SSAValue, Ref | None] = {}
        for argument, value, map in zip(block.args, (*ins, *outs), maps, strict=True):
            if argument.uses.get_length() == 0 or (value in outs and reduced):
                values[argument] = None
                continue
            access = [None if d is None else where[d] for d in _dims(map, _shape(value))]
            values[argument] = self.ref(value).through(access, shape)
        yielded = block.last_op
        assert yielded is not None
        code = _Code(self, values, where, shape)
        for index, (result, out) in enumerate(zip(yielded.operands, outs, strict=True)):
            carried = block.args[len(ins) + index]
            if reduced:
                kind, element = _combiner(result, carried)
                node = Reduction(shape[: len(order)], _element(out), kind, code.value(element))
                ref = self.with_start(Ref.to(node), kind, out)
            else:
                ref = code.value(result)
            if op.results:
                self.result_of(op.results[index], ref)
            else:
                self.undefined.discard(out)
                self.memory[out] = ref

    def result_of(self, value: SSAValue, ref: Ref) -> None:
        if not all(ref.shape):
            raise NotUnderstood("its result is empty")
        self.reading.refs[value] = ref

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
        code = _Code(self, {block.args[0]: inner, block.args[1]: None}, {}, shape)
        node = Reduction(shape[: len(kept)], _element(op.init), kind, code.value(element))
        self.result(op, op.init, self.with_start(Ref.to(node), kind, op.init))

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
        for each, reason in inner.reading.stays.items():
            if reason is not None or isinstance(each, LaunchOp | func.CallOp):
                what = f"'{each.name}', which {reason or 'stays'}"
                raise NotUnderstood(f"the function has {what}")
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


def reshaped(ref: Ref, shape: Shape) -> Ref:
    """A tensor in another shape."""
    if isinstance(ref.node, Splat):
        return Ref(ref.node, (), shape)
    simple = ref.reshaped(shape)
    return Ref.to(Reshape(shape, ref.node.type, ref)) if simple is None else simple


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
    values: dict[SSAValue, Ref | None]
    where: dict[int, int]
    """The dimension of the space for each dimension of the operation."""
    shape: Shape

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
            case tensor.ExtractOp() if not op.indices:
                return self.reader.ref(op.tensor).through((), self.shape)
            case _:
                pass
        if op.regions or len(op.results) != 1 or not op.name.startswith(("arith.", "math.")):
            raise NotUnderstood(f"its code has '{op.name}'")
        inputs = tuple(self.value(operand) for operand in op.operands)
        return pointwise(op, inputs, self.shape)
