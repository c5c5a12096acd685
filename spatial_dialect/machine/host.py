"""Runs functions that launch programs: the little that a host does between launches, on numpy.

Also a reference for tensor code: linalg is evaluated for what it says, one operation after the
other. Every operation rounds to the element type of its result, sums after they are complete; with
`exact`, floats of all types are computed in f64.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects import arith, bufferization, func, memref, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseIntOrFPElementsAttr,
    IndexType,
    MemRefType,
    TensorType,
)
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap
from xdsl.traits import SymbolTable

from spatial_dialect.dialects.spatial import (
    LaunchOp,
    ProgramOp,
    is_tensor,
    written_arguments,
)
from spatial_dialect.ir.diagnostics import describe
from spatial_dialect.ir.types import is_float
from spatial_dialect.machine.elements import Array, storage_type
from spatial_dialect.machine.elementwise import scalar_result

Launch: TypeAlias = Callable[[ProgramOp, Sequence[Array | int]], Sequence[Array]]
"""Runs a program on its arguments, in order, and gives those that it writes, as they are then."""


def run_function(
    function: func.FuncOp,
    arguments: Sequence[Array | int],
    *,
    launch: Launch,
    exact: bool = False,
) -> list[Array]:
    """What a function returns.

    Args:
        function: a function of one block in a module.
        arguments: an array for each tensor and memref, a number for each index and scalar. What is
            written to a memref is written to its array.
        launch: runs a program.
        exact: compute floats of all types in f64; arrays that are returned are f64 then.

    Raises:
        ValueError: the function has an operation that is not known here, or reads a tensor where
            it has no element.
    """
    with np.errstate(all="ignore"):
        return _Host(launch, exact).call(function, list(arguments))


_COMBINED: Mapping[type[Operation], Any] = {
    arith.AddfOp: np.add,
    arith.AddiOp: np.add,
    arith.MulfOp: np.multiply,
    arith.MuliOp: np.multiply,
    arith.MaximumfOp: np.maximum,
    arith.MaxnumfOp: np.fmax,
    arith.MaxSIOp: np.maximum,
    arith.MinimumfOp: np.minimum,
    arith.MinnumfOp: np.fmin,
    arith.MinSIOp: np.minimum,
}
"""The functions that reductions combine elements with."""


@dataclass
class _Host:
    launch: Launch
    exact: bool
    values: dict[SSAValue, Any] = field(default_factory=dict[SSAValue, Any])

    def storage(self, type: Attribute) -> np.dtype[Any]:
        """The numpy type of a value or of the elements of a tensor."""
        element = type.element_type if is_tensor(type) else type
        if isinstance(element, IndexType):
            return np.dtype(np.int64)
        if self.exact and is_float(element):
            return np.dtype(np.float64)
        return storage_type(element)

    def call(self, function: func.FuncOp, arguments: Sequence[Any]) -> list[Any]:
        """Run a function; its values are its own."""
        outer, self.values = self.values, {}
        block = function.body.block
        for argument, value in zip(block.args, arguments, strict=True):
            writable = isinstance(argument.type, MemRefType)
            storage = self.storage(argument.type)
            self.values[argument] = value if writable else np.asarray(value).astype(storage)
        try:
            for op in block.ops:
                if isinstance(op, func.ReturnOp):
                    return [self.values[operand] for operand in op.operands]
                self.run(op)
        finally:
            self.values = outer
        raise ValueError(f"@{function.sym_name.data} does not return")

    def run(self, op: Operation) -> None:
        """Run one operation."""
        results = self.results(op)
        for result, value in zip(op.results, results, strict=True):
            self.values[result] = np.asarray(value)

    def results(self, op: Operation) -> Sequence[Any]:
        """What one operation makes."""
        operands = [self.values[operand] for operand in op.operands]
        match op:
            case tensor.EmptyOp() | memref.AllocOp():
                return [np.zeros(_shape(op.results[0].type), self.storage(op.results[0].type))]
            case memref.DeallocOp():
                return []
            case memref.CopyOp():
                operands[1][...] = operands[0]
                return []
            case arith.ConstantOp():
                return [self.constant(op)]
            case (
                tensor.ExpandShapeOp()
                | tensor.CollapseShapeOp()
                | tensor.ReshapeOp()
                | memref.ExpandShapeOp()
                | memref.CollapseShapeOp()
            ):
                return [operands[0].reshape(_shape(op.results[0].type))]
            case tensor.CastOp() | arith.IndexCastOp() | bufferization.ToBufferOp():
                return [operands[0].astype(self.storage(op.results[0].type))]
            case tensor.FromElementsOp():
                return [np.array(operands).reshape(_shape(op.results[0].type))]
            case tensor.SplatOp():
                return [np.full(_shape(op.results[0].type), operands[0])]
            case tensor.ExtractOp():
                return [operands[0][_element(op, operands[0], operands[1:])]]
            case tensor.InsertOp():
                changed = operands[1].copy()
                changed[_element(op, changed, operands[2:])] = operands[0]
                return [changed]
            case tensor.ExtractSliceOp():
                return [self.values[op.source][self.part(op)].reshape(self.sizes(op))]
            case tensor.InsertSliceOp():
                changed = self.values[op.dest].copy()
                changed[self.part(op)] = self.values[op.source].reshape(self.sizes(op))
                return [changed]
            case tensor.DimOp():
                return [operands[0].shape[int(operands[1])]]
            case linalg.FillOp():
                return self.written(op.outputs[0], np.full(self.extent(op.outputs[0]), operands[0]))
            case linalg.BroadcastOp():
                added = op.dimensions.get_values()
                wide = np.expand_dims(operands[0], tuple(added))
                return self.written(op.init, np.broadcast_to(wide, self.extent(op.init)))
            case linalg.ReduceOp():
                return self.reduced(op)
            case LinalgStructuredOperation():
                return self.structured(op)
            case func.CallOp():
                callee = SymbolTable.lookup_symbol(op, op.callee)
                if not isinstance(callee, func.FuncOp):
                    raise ValueError(f"there is no function {op.callee}")
                return self.call(callee, operands)
            case LaunchOp():
                return self.launched(op, operands)
            case _ if op.name.startswith(("arith.", "math.")) and len(op.results) == 1:
                return [scalar_result(op, operands, describe(op), exact=self.exact)]
            case _:
                raise ValueError(f"{describe(op)} is not known on the host")

    def constant(self, op: arith.ConstantOp) -> Any:
        type = op.result.type
        value = op.value
        if isinstance(value, DenseIntOrFPElementsAttr):
            array = np.array(list(value.get_values()))
            array = np.full(_shape(type), array[0]) if value.is_splat() else array
            return array.reshape(_shape(type)).astype(self.storage(type))
        return scalar_result(op, (), describe(op), exact=self.exact)

    def extent(self, out: SSAValue) -> tuple[int, ...]:
        """The shape that a destination has now."""
        return self.values[out].shape

    def written(self, out: SSAValue, value: Array) -> Sequence[Array]:
        """A result in destination style: a tensor, or what is written to a memref."""
        rounded = value.astype(self.storage(out.type))
        if isinstance(out.type, MemRefType):
            self.values[out][...] = rounded
            return []
        return [rounded]

    def part(self, op: tensor.ExtractSliceOp | tensor.InsertSliceOp) -> tuple[slice, ...]:
        """The part of a tensor that a slice is."""
        offsets = self.mixed(op.static_offsets.get_values(), op.offsets)
        sizes = self.mixed(op.static_sizes.get_values(), op.sizes)
        steps = self.mixed(op.static_strides.get_values(), op.strides)
        return tuple(
            slice(offset, offset + (size - 1) * step + 1 if size else offset, step)
            for offset, size, step in zip(offsets, sizes, steps, strict=True)
        )

    def sizes(self, op: tensor.ExtractSliceOp | tensor.InsertSliceOp) -> tuple[int, ...]:
        """The shape of a slice: extents of 1 may be left out of the type of what is sliced."""
        sizes = self.mixed(op.static_sizes.get_values(), op.sizes)
        if isinstance(op, tensor.InsertSliceOp):
            return tuple(sizes)
        shape = _shape(op.result.type)
        dynamic = iter(size for size in sizes if size != 1)
        return (
            tuple(next(dynamic) if size == DYNAMIC_INDEX else size for size in shape)
            if (DYNAMIC_INDEX in shape and len(shape) < len(sizes))
            else tuple(sizes)
            if len(shape) == len(sizes)
            else shape
        )

    def mixed(self, fixed: Sequence[int], rest: Sequence[SSAValue]) -> list[int]:
        """Numbers of which some are known at run time only."""
        waiting = iter(rest)
        return [
            int(self.values[next(waiting)]) if number == DYNAMIC_INDEX else number
            for number in fixed
        ]

    def launched(self, op: LaunchOp, operands: Sequence[Any]) -> Sequence[Array]:
        program = SymbolTable.lookup_symbol(op, op.callee)
        assert isinstance(program, ProgramOp), "the verifier has checked it"
        given = [
            value.astype(storage_type(operand.type.element_type))
            if is_tensor(operand.type)
            else int(value)
            for value, operand in zip(operands, op.arguments, strict=True)
        ]
        written = written_arguments(program)
        results: list[Array] = []
        for index, after in zip(written, self.launch(program, given), strict=True):
            operand = op.arguments[index]
            results += self.written(operand, after)
        return results

    ############################################################################
    # linalg                                                                   #
    ############################################################################

    def structured(self, op: LinalgStructuredOperation) -> Sequence[Array]:
        """An operation with indexing maps, on its whole space of iterations at once."""
        values = (*op.inputs, *op.outputs)
        maps = [each.data for each in op.get_indexing_maps()]
        reduced = [
            dim
            for dim, each in enumerate(op.get_iterator_types())
            if each.data == IteratorType.REDUCTION
        ]
        shape = [1] * len(op.get_iterator_types())
        for value, map in zip(values, maps, strict=True):
            array = self.values[value]
            for expr, size in zip(map.results, getattr(array, "shape", ()), strict=False):
                if isinstance(expr, AffineDimExpr):
                    shape[expr.position] = size
        space = _Space(self, tuple(shape), tuple(reduced))
        block = op.regions[0].block
        arrays = [space.seen(self.values[v], m) for v, m in zip(values, maps, strict=True)]
        found = space.evaluated(block, arrays, len(op.inputs))
        results: list[Array] = []
        for out, map, array in zip(op.outputs, maps[len(op.inputs) :], found, strict=True):
            results += self.written(out, space.back(array, map, self.extent(out)))
        return results

    def reduced(self, op: linalg.ReduceOp) -> Sequence[Array]:
        array = self.values[op.input]
        gone = tuple(op.dimensions.get_values())
        space = _Space(self, array.shape, gone)
        start = np.expand_dims(self.values[op.init], gone)
        (found,) = space.evaluated(op.region.block, [array, start], 1)
        return self.written(op.init, found.reshape(self.extent(op.init)))


def _element(op: Operation, array: Array, indices: Sequence[Any]) -> tuple[int, ...]:
    """The place of an element, which has to be in the tensor."""
    place = tuple(int(index) for index in indices)
    for index, size in zip(place, array.shape, strict=True):
        if not 0 <= index < size:
            raise ValueError(f"{describe(op)} is for element {index} of a dimension of {size}")
    return place


def _shape(type: Attribute) -> tuple[int, ...]:
    return tuple(type.get_shape()) if isinstance(type, TensorType | MemRefType) else ()


@dataclass
class _Space:
    """The iterations of a linalg operation."""

    host: _Host
    shape: tuple[int, ...]
    reduced: tuple[int, ...]

    def seen(self, array: Any, map: AffineMap) -> Array:
        """A tensor with a dimension for each of the space, of extent 1 where it does not move."""
        array = np.asarray(array)
        dims: list[int] = []
        for axis, expr in reversed(list(enumerate(map.results))):
            match expr:
                case AffineDimExpr(position=position):
                    dims.insert(0, position)
                case AffineConstantExpr(value=value):
                    array = array.take(value, axis)
                case _:
                    raise ValueError(f"the indexing map {map} is not known on the host")
        if len(set(dims)) < len(dims):
            raise ValueError(f"the indexing map {map} is not known on the host")
        order = sorted(range(len(dims)), key=dims.__getitem__)
        extents = dict(zip(dims, array.shape, strict=True))
        return array.transpose(order).reshape(
            [extents.get(dim, 1) for dim in range(len(self.shape))]
        )

    def back(self, array: Array, map: AffineMap, shape: tuple[int, ...]) -> Array:
        """A result of the space as its tensor has it."""
        kept = [n if dim not in self.reduced else 1 for dim, n in enumerate(self.shape)]
        array = np.broadcast_to(array, kept)
        dims = [e.position for e in map.results if isinstance(e, AffineDimExpr)]
        rest = [dim for dim in range(len(self.shape)) if dim not in dims]
        return array.transpose([*dims, *rest]).reshape(shape)

    def evaluated(self, block: Block, arrays: Sequence[Array], inputs: int) -> list[Array]:
        """What the code yields for each output, combined over the dimensions that go away."""
        yielded = block.last_op
        assert yielded is not None
        values: dict[SSAValue, Array] = dict(zip(block.args, arrays, strict=True))
        if not self.reduced:
            return [self.value(operand, values) for operand in yielded.operands]
        return [
            self.combined(block, values, result, block.args[inputs + number])
            for number, result in enumerate(yielded.operands)
        ]

    def combined(
        self, block: Block, values: Mapping[SSAValue, Array], result: SSAValue, carried: SSAValue
    ) -> Array:
        """A reduction, at once if its code is one operation on what it has and what comes."""
        op = _behind(result).owner
        start = values[carried]
        if isinstance(op, Operation) and (function := _COMBINED.get(type(op))) is not None:
            sides = [_behind(operand) for operand in op.operands]
            if sides.count(carried) == 1:
                (element,) = [side for side in sides if side is not carried]
                total = self.product(element, values) if function is np.add else None
                if total is None:
                    wide = self.value(element, values)
                    full = np.broadcast_to(wide, self.shape)
                    if wide.dtype.kind not in "iu" and wide.dtype != np.float64:
                        full = full.astype(np.float32)
                    total = function.reduce(full, axis=self.reduced, keepdims=True)
                return np.asarray(function(start.astype(total.dtype), total)).astype(start.dtype)
        # Step by step, in the order of the loops.
        total = np.broadcast_to(
            start, [1 if d in self.reduced else n for d, n in enumerate(self.shape)]
        )
        for point in product(*(range(self.shape[dim]) for dim in self.reduced)):
            at = dict(zip(self.reduced, point, strict=True))
            here = {
                value: array
                if value is carried
                else array[
                    tuple(
                        slice(at[d], at[d] + 1) if d in at and size > 1 else slice(None)
                        for d, size in enumerate(array.shape)
                    )
                ]
                for value, array in values.items()
            }
            here[carried] = total
            total = self.value(result, here, at)
        return total

    def product(self, element: SSAValue, values: Mapping[SSAValue, Array]) -> Array | None:
        """The sum of a product of two values, which needs no room for all its terms."""
        op = element.owner
        if not isinstance(op, arith.MulfOp | arith.MuliOp):
            return None
        wide = np.dtype(np.float64 if self.host.exact else np.float32)
        factors = [self.value(operand, values) for operand in op.operands]
        if factors[0].dtype.kind in "iu":
            wide = factors[0].dtype
        dims = list(range(len(self.shape)))
        kept = [dim for dim in dims if dim not in self.reduced]
        if any(all(f.shape[dim] == 1 for f in factors) and self.shape[dim] > 1 for dim in dims):
            return None
        terms: list[Any] = []
        for factor in factors:
            moving = [dim for dim in dims if factor.shape[dim] > 1 or self.shape[dim] == 1]
            terms += [factor.astype(wide).reshape([factor.shape[d] for d in moving]), moving]
        total = np.einsum(*terms, kept, optimize=True)
        return np.asarray(total).reshape([1 if d in self.reduced else self.shape[d] for d in dims])

    def value(
        self,
        value: SSAValue,
        values: Mapping[SSAValue, Array],
        at: Mapping[int, int] | None = None,
    ) -> Array:
        """What a value of the code is, all over the space."""
        known = dict(values)
        waiting = [value]
        while waiting:
            here = waiting[-1]
            if here in known or here in self.host.values:
                waiting.pop()
                continue
            op = here.owner
            assert isinstance(op, Operation)
            missing = [o for o in op.operands if o not in known and o not in self.host.values]
            if missing:
                waiting += missing
                continue
            operands = [known[o] if o in known else self.host.values[o] for o in op.operands]
            known[here] = self.operation(op, operands, at or {})
            waiting.pop()
        return known[value] if value in known else self.host.values[value]

    def operation(self, op: Operation, operands: Sequence[Any], at: Mapping[int, int]) -> Array:
        match op:
            case linalg.IndexOp():
                dim = op.dim.value.data
                if dim in at:
                    return np.full([1] * len(self.shape), at[dim])
                extents = [n if d == dim else 1 for d, n in enumerate(self.shape)]
                return np.arange(self.shape[dim]).reshape(extents)
            case arith.IndexCastOp():
                return np.asarray(operands[0]).astype(self.host.storage(op.results[0].type))
            case tensor.FromElementsOp():
                return operands[0]
            case tensor.ExtractOp():
                if not op.indices:
                    return operands[0]
                table = operands[0]
                indices = np.broadcast_arrays(*operands[1:])
                for index, size in zip(indices, table.shape, strict=True):
                    if index.size and not (0 <= index.min() and index.max() < size):
                        raise ValueError(
                            f"{describe(op)} reads element {index.max()} of a dimension of {size}"
                        )
                return table[tuple(indices)]
            case _:
                return scalar_result(op, operands, describe(op), exact=self.host.exact)


def _behind(value: SSAValue) -> SSAValue:
    """The number behind a value that may have been put into a tensor of one element."""
    while isinstance(owner := value.owner, tensor.ExtractOp) and not owner.indices:
        inner = owner.tensor.owner
        if not isinstance(inner, tensor.FromElementsOp):
            break
        value = inner.elements[0]
    return value
