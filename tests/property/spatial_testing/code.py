"""Engines as flat code: ops that can be seen from outside, and between them moves and jumps.

Values of an engine live in numbered registers. All structured and unstructured control flow that
generic passes make of an engine's loops is understood.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.dialects import affine, arith, cf, scf
from xdsl.dialects.builtin import AffineMapAttr, IntegerAttr
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap

from spatial_dialect.dialects import choreo

Function: TypeAlias = Callable[[list[int]], int]


@dataclass(slots=True)
class Pure:
    """`result = function(sources)`."""

    result: int
    function: Function
    sources: tuple[int, ...]


@dataclass(slots=True)
class Move:
    """Copies registers, all at once."""

    results: tuple[int, ...]
    sources: tuple[int, ...]


@dataclass(slots=True)
class Jump:
    """Goes to a place, if it has a condition: unless that holds."""

    target: int
    unless: int | None = None


@dataclass(slots=True)
class Act:
    """An op that can be seen from outside; its operands and results that are numbers."""

    op: Operation
    sources: tuple[int, ...]
    results: tuple[int, ...]


Instruction: TypeAlias = Pure | Move | Jump | Act

_BINARY: dict[type[Operation], Callable[[int, int], int]] = {
    arith.AddiOp: lambda a, b: a + b,
    arith.SubiOp: lambda a, b: a - b,
    arith.MuliOp: lambda a, b: a * b,
    arith.FloorDivSIOp: lambda a, b: a // b,
    arith.CeilDivSIOp: lambda a, b: -(-a // b),
    # Like C: towards zero, the rest with the sign of the dividend.
    arith.DivSIOp: lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
    arith.RemSIOp: lambda a, b: abs(a) % abs(b) * (-1 if a < 0 else 1),
    arith.DivUIOp: lambda a, b: a // b,
    arith.RemUIOp: lambda a, b: a % b,
    arith.MinSIOp: min,
    arith.MaxSIOp: max,
    arith.MinUIOp: min,
    arith.MaxUIOp: max,
    arith.AndIOp: lambda a, b: a & b,
    arith.OrIOp: lambda a, b: a | b,
    arith.XOrIOp: lambda a, b: a ^ b,
}

_COMPARE: tuple[Callable[[int, int], bool], ...] = (
    lambda a, b: a == b,
    lambda a, b: a != b,
    lambda a, b: a < b,
    lambda a, b: a <= b,
    lambda a, b: a > b,
    lambda a, b: a >= b,
    lambda a, b: a < b,
    lambda a, b: a <= b,
    lambda a, b: a > b,
    lambda a, b: a >= b,
)


def _constant(value: int) -> Function:
    return lambda _: value


def _binary(function: Callable[[int, int], int]) -> Function:
    return lambda values: int(function(values[0], values[1]))


def _mapped(map: AffineMap, result: int) -> Function:
    known: dict[tuple[int, ...], int] = {}
    expression = AffineMap(map.num_dims, map.num_symbols, (map.results[result],))

    def function(values: list[int]) -> int:
        key = tuple(values)
        found = known.get(key)
        if found is None:
            dims, symbols = values[: map.num_dims], values[map.num_dims :]
            (found,) = expression.eval(dims, symbols)
            known[key] = found
        return found

    return function


@dataclass
class Code:
    """The code of one engine."""

    engine: choreo.EngineOp
    instructions: list[Instruction] = field(default_factory=list[Instruction])
    registers: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    size: int = 0
    """The number of registers; the first two are the coordinates of the site."""

    @staticmethod
    def of(engine: choreo.EngineOp) -> Code:
        """Compiles an engine."""
        code = Code(engine)
        first = engine.body.blocks[0]
        for argument in first.args:
            code._register(argument)
        code._region(engine.body)
        return code

    def _fresh(self) -> int:
        self.size += 1
        return self.size - 1

    def _register(self, value: SSAValue) -> int:
        found = self.registers.get(value)
        if found is None:
            found = self.registers[value] = self._fresh()
        return found

    def _numbers(self, values: Sequence[SSAValue]) -> tuple[int, ...]:
        return tuple(map(self._register, values))

    def _emit(self, instruction: Instruction) -> int:
        self.instructions.append(instruction)
        return len(self.instructions) - 1

    @property
    def _here(self) -> int:
        return len(self.instructions)

    def _region(self, region: Region) -> None:
        """An engine's blocks: its last op, wherever it stands, goes to the end of the code."""
        starts: dict[Block, int] = {}
        pending: list[tuple[Jump, Block | None]] = []
        for block in region.blocks:
            starts[block] = self._here
            for op in block.ops:
                match op:
                    case cf.BranchOp():
                        self._branch(op.successor, op.arguments, pending)
                    case cf.ConditionalBranchOp():
                        around = Jump(0, self._register(op.cond))
                        self._emit(around)
                        self._branch(op.then_block, op.then_arguments, pending)
                        around.target = self._here
                        self._branch(op.else_block, op.else_arguments, pending)
                    case choreo.EndOp():
                        pending.append((end := Jump(0), None))
                        self._emit(end)
                    case _:
                        self._op(op)
        for jump, target in pending:
            jump.target = self._here if target is None else starts[target]

    def _branch(
        self,
        target: Block,
        arguments: Sequence[SSAValue],
        pending: list[tuple[Jump, Block | None]],
    ) -> None:
        self._emit(Move(self._numbers(target.args), self._numbers(arguments)))
        pending.append((jump := Jump(0), target))
        self._emit(jump)

    def _op(self, op: Operation) -> None:
        match op:
            case affine.ForOp():
                low = self._bound(op.lowerBoundMap, op.lowerBoundOperands, max)
                high = self._bound(op.upperBoundMap, op.upperBoundOperands, min)
                self._emit(Pure(step := self._fresh(), _constant(op.step.value.data), ()))
                self._loop(op, op.body.block, op.inits, (low, high, step))
            case scf.ForOp():
                bounds = (self._register(op.lb), self._register(op.ub), self._register(op.step))
                self._loop(op, op.body.block, op.iter_args, bounds)
            case scf.IfOp():
                to_else = Jump(0, self._register(op.cond))
                self._emit(to_else)
                self._inline(op.true_region.block, op)
                self._emit(to_end := Jump(0))
                to_else.target = self._here
                if op.false_region.blocks:
                    self._inline(op.false_region.block, op)
                to_end.target = self._here
            case affine.ApplyOp():
                self._emit(
                    Pure(
                        self._register(op.result),
                        _mapped(op.map.data, 0),
                        self._numbers(op.mapOperands),
                    )
                )
            case arith.ConstantOp():
                if isinstance(op.value, IntegerAttr):
                    value = op.value.value.data
                    self._emit(Pure(self._register(op.result), _constant(value), ()))
            case arith.CmpiOp():
                compare = _COMPARE[op.predicate.value.data]
                sources = self._numbers(op.operands)
                self._emit(Pure(self._register(op.result), _binary(compare), sources))
            case arith.SelectOp():
                self._emit(
                    Pure(
                        self._register(op.result),
                        lambda values: values[1] if values[0] else values[2],
                        self._numbers(op.operands),
                    )
                )
            case arith.IndexCastOp():
                self._emit(Move(self._numbers(op.results), self._numbers(op.operands)))
            case choreo.EndOp() | scf.YieldOp() | affine.YieldOp():
                pass
            case _ if (function := _BINARY.get(type(op))) is not None:
                sources = self._numbers(op.operands)
                self._emit(Pure(self._register(op.results[0]), _binary(function), sources))
            case _ if op.name.startswith("choreo."):
                indices: Sequence[SSAValue] = ()
                if isinstance(op, choreo.TripOp | choreo.TransferOp):
                    indices = op.indices
                elif isinstance(op, choreo.MatmulOp):
                    indices = op.block
                results = () if isinstance(op, choreo.AcquireOp) else op.results
                self._emit(Act(op, self._numbers(indices), self._numbers(results)))
            case _:
                raise NotImplementedError(f"{op.name} in an engine")

    def _bound(
        self,
        map: AffineMapAttr,
        operands: Sequence[SSAValue],
        choose: Callable[[Sequence[int]], int],
    ) -> int:
        functions = [_mapped(map.data, i) for i in range(len(map.data.results))]
        result = self._fresh()

        def function(values: list[int]) -> int:
            return choose([f(values) for f in functions])

        self._emit(Pure(result, function, self._numbers(operands)))
        return result

    def _inline(self, block: Block, parent: Operation) -> None:
        for op in block.ops:
            self._op(op)
        if isinstance(last := block.last_op, scf.YieldOp | affine.YieldOp) and parent.results:
            self._emit(Move(self._numbers(parent.results), self._numbers(last.operands)))

    def _loop(
        self,
        op: Operation,
        body: Block,
        inits: Sequence[SSAValue],
        bounds: tuple[int, int, int],
    ) -> None:
        low, high, step = bounds
        variable, *carried = self._numbers(body.args)
        self._emit(Move((variable, *carried), (low, *self._numbers(inits))))
        goes_on = self._fresh()
        head = self._emit(Pure(goes_on, lambda v: int(v[0] < v[1]), (variable, high)))
        leave = Jump(0, goes_on)
        self._emit(leave)
        for inner in body.ops:
            self._op(inner)
        last = body.last_op
        if carried and isinstance(last, scf.YieldOp | affine.YieldOp):
            self._emit(Move(tuple(carried), self._numbers(last.operands)))
        self._emit(Pure(variable, lambda v: v[0] + v[1], (variable, step)))
        self._emit(Jump(head))
        leave.target = self._here
        self._emit(Move(self._numbers(op.results), tuple(carried)))
