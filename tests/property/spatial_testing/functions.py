"""Functions of linalg: their text, and what they do to arrays, before all after a conversion.

`Text` writes a function operation by operation. `ran` runs one whose work is done by launches of
programs, by the reference meaning of these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects import arith, bufferization, func, linalg, math, memref, scf, tensor
from xdsl.dialects.builtin import (
    Builtin,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    ModuleOp,
    TensorType,
    i64,
)
from xdsl.dialects.linalg.ops import FillOp, GenericOp
from xdsl.ir import Operation, SSAValue
from xdsl.parser import Parser

from spatial_dialect.dialects.spatial import (
    LaunchOp,
    ProgramOp,
    Spatial,
    is_tensor,
    written_arguments,
)
from spatial_dialect.machine.arguments import argument_names
from spatial_dialect.machine.elements import storage_type
from spatial_dialect.machine.reference import run
from spatial_dialect.passes.convert_linalg_to_spatial import ConvertLinalgToSpatialPass

Array: TypeAlias = NDArray[Any]
Shape: TypeAlias = tuple[int, ...]

JUNK = 77
"""What is in memory that nobody has written."""

################################################################################
# Text                                                                         #
################################################################################


@dataclass
class Text:
    """A function in the making; its tensors, or memrefs, are known by their names."""

    kind: str = "tensor"
    """`tensor` or `memref`."""
    lines: list[str] = field(default_factory=list[str])
    arguments: list[str] = field(default_factory=list[str])
    types: dict[str, tuple[Shape, str]] = field(default_factory=dict[str, tuple[Shape, str]])
    """The shape and the type of the elements."""

    def type(self, name: str) -> str:
        """The type of a value."""
        shape, element = self.types[name]
        return f"{self.kind}<{''.join(f'{size}x' for size in shape)}{element}>"

    def argument(self, name: str, shape: Shape, element: str = "f32") -> str:
        """A new argument."""
        self.types[f"%{name}"] = shape, element
        self.arguments.append(f"%{name} : {self.type(f'%{name}')}")
        return f"%{name}"

    def made(self, text: str, shape: Shape, element: str = "f32") -> str:
        """What an operation makes, a new value."""
        name = f"%v{len(self.types)}"
        self.types[name] = shape, element
        self.lines.append(f"{name} = {text}")
        return name

    def empty(self, shape: Shape, element: str = "f32") -> str:
        """A tensor, or memory, that holds nothing."""
        name = f"%v{len(self.types)}"
        self.types[name] = shape, element
        op = "tensor.empty()" if self.kind == "tensor" else "memref.alloc()"
        self.lines.append(f"{name} = {op} : {self.type(name)}")
        return name

    def filled(self, value: str, out: str) -> str:
        """A tensor of one number."""
        element = self.types[out][1]
        number = f"%n{len(self.lines)}"
        self.lines.append(f"{number} = arith.constant {value} : {element}")
        text = f"linalg.fill ins({number} : {element}) outs({out} : {self.type(out)})"
        return self.in_place(text, out)

    def in_place(self, text: str, out: str) -> str:
        """What an operation in destination style makes."""
        if self.kind == "tensor":
            shape, element = self.types[out]
            return self.made(f"{text} -> {self.type(out)}", shape, element)
        self.lines.append(text)
        return out

    def generic(
        self, ins: Sequence[str], maps: Sequence[str], kinds: str, body: str, out: str
    ) -> str:
        """A `linalg.generic`.

        Args:
            ins: the inputs, `%i0`, `%i1`, ... in the body.
            maps: what each input and the output follow, `d0, d1`.
            kinds: a letter for each dimension, `p` or `r`.
            body: the code, which gives `%r`.
            out: the output, `%o` in the body.
        """
        dims = ", ".join(f"d{number}" for number in range(len(kinds)))
        iterators = ", ".join(f'"{ {"p": "parallel", "r": "reduction"}[k] }"' for k in kinds)
        where = ", ".join(f"affine_map<({dims}) -> ({each})>" for each in maps)
        element = self.types[out][1]
        args = [f"%i{n} : {self.types[name][1]}" for n, name in enumerate(ins)]
        types = ", ".join(self.type(name) for name in ins)
        given = f"ins({', '.join(ins)} : {types}) " if ins else ""
        return self.in_place(
            f"linalg.generic {{indexing_maps = [{where}], iterator_types = [{iterators}]}} "
            f"{given}outs({out} : {self.type(out)}) {{\n"
            f"^bb0({', '.join([*args, f'%o : {element}'])}):\n"
            f"{body}\nlinalg.yield %r : {element}\n}}",
            out,
        )

    def elementwise(
        self, ins: Sequence[str], body: str, out: str, maps: Sequence[str] | None = None
    ) -> str:
        """Code on the elements of tensors of one shape, or as the maps say."""
        rank = len(self.types[out][0])
        own = ", ".join(f"d{number}" for number in range(rank))
        return self.generic(ins, [*(maps or [own] * len(ins)), own], "p" * rank, body, out)

    def function(self, *results: str) -> str:
        """The text of the function."""
        types = ", ".join(self.type(name) for name in results)
        last = f"func.return {', '.join(results)} : {types}" if results else "func.return"
        head = f"func.func @main({', '.join(self.arguments)}) -> ({types}) {{"
        return "\n".join([head, *self.lines, last, "}"])


################################################################################
# Conversion                                                                   #
################################################################################


def context() -> Context:
    """The dialects of such functions; others are allowed."""
    found = Context(allow_unregistered=True)
    for dialect in (
        *(Builtin, arith.Arith, math.Math, func.Func, linalg.Linalg, tensor.Tensor),
        *(memref.MemRef, scf.Scf, bufferization.Bufferization, Spatial),
    ):
        found.load_dialect(dialect)
    return found


def converted(text: str, **options: Any) -> ModuleOp:
    """A module after `convert-linalg-to-spatial`."""
    ctx = context()
    module = Parser(ctx, text).parse_module()
    module.verify()
    ConvertLinalgToSpatialPass(**options).apply(ctx, module)
    module.verify()
    return module


def programs(module: ModuleOp) -> list[ProgramOp]:
    """The programs of a module."""
    return [op for op in module.ops if isinstance(op, ProgramOp)]


################################################################################
# Running                                                                      #
################################################################################


def ran(
    module: ModuleOp,
    arguments: Sequence[Array],
    calls: Callable[[Sequence[Array]], None] | None = None,
) -> list[Array]:
    """What a function returns; memrefs are changed in place.

    Args:
        module: a module with one function that has a body, which does little but launch programs.
        arguments: those of the function.
        calls: what the functions do that it calls, to their arguments.
    """
    (function,) = (op for op in module.ops if isinstance(op, func.FuncOp) and op.body.blocks)
    block = function.body.block
    frame = _Frame({op.sym_name.data: op for op in programs(module)}, calls)
    frame.values.update(zip(block.args, arguments, strict=True))
    for op in block.ops:
        if isinstance(op, func.ReturnOp):
            return [frame.values[value] for value in op.arguments]
        frame.step(op)
    raise AssertionError("the function does not return")


@dataclass
class _Frame:
    programs: dict[str, ProgramOp]
    calls: Callable[[Sequence[Array]], None] | None
    values: dict[SSAValue, Any] = field(default_factory=dict[SSAValue, Any])

    def step(self, op: Operation) -> None:
        """Run one operation."""
        values = self.values
        given = [values[operand] for operand in op.operands]
        match op:
            case tensor.EmptyOp() | memref.AllocOp():
                values[op.results[0]] = self.full(op.results[0], JUNK)
            case memref.DeallocOp():
                given[0][...] = JUNK
            case tensor.CollapseShapeOp() | tensor.ExpandShapeOp():
                values[op.results[0]] = given[0].reshape(_shape(op.results[0]))
            case memref.CollapseShapeOp() | memref.ExpandShapeOp():
                values[op.results[0]] = given[0].reshape(_shape(op.results[0]))
            case bufferization.ToBufferOp():
                values[op.memref] = given[0].copy()
            case memref.CopyOp():
                given[1][...] = given[0]
            case arith.ConstantOp(value=FloatAttr() | IntegerAttr()):
                number = op.value
                assert isinstance(number, FloatAttr | IntegerAttr)
                values[op.result] = number.value.data
            case FillOp() if not op.results:
                given[1][...] = given[0]
            case tensor.SplatOp():
                values[op.result] = self.full(op.result, given[0])
            case tensor.ExtractOp():
                values[op.result] = given[0][tuple(given[1:])]
            case tensor.FromElementsOp():
                values[op.results[0]] = np.array(given).reshape(_shape(op.results[0]))
            case GenericOp() if not op.inputs and len(_shape(op.results[0])) == 1:
                # The numbers from 0 on are the one thing that is counted, not computed.
                values[op.results[0]] = np.arange(*_shape(op.results[0]), dtype=np.int32)
            case func.CallOp() if self.calls is not None:
                self.calls(given)
            case LaunchOp():
                self.launch(op, given)
            case _:
                raise AssertionError(f"'{op.name}' was left in the function")

    def full(self, value: SSAValue, number: float) -> Array:
        type = value.type
        assert is_tensor(type)
        return np.full(_shape(value), number, storage_type(type.element_type))

    def launch(self, op: LaunchOp, given: Sequence[Array]) -> None:
        program = self.programs[op.callee.string_value()]
        if program.grid is None:
            program = program.clone()
            program.grid = DenseArrayBase.from_list(i64, [1, 1])
        names = list(argument_names(program).values())
        after = run(program, dict(zip(names, given, strict=True)))
        results = iter(op.results)
        for index in written_arguments(program):
            if isinstance(op.arguments[index].type, TensorType):
                self.values[next(results)] = after[names[index]]
            else:
                given[index][...] = after[names[index]]


def _shape(value: SSAValue) -> Shape:
    type = value.type
    assert is_tensor(type)
    return tuple(type.get_shape())
