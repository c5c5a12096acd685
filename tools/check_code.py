"""What an engine does, as `spatial-check` finds it out: from event to event.

The control flow of an engine is interpreted on numbers of which it is known how they depend on
run-time trips.
"""

from __future__ import annotations

import operator as o
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from xdsl.dialects import affine, arith, cf, scf
from xdsl.dialects.builtin import AffineMapAttr, IntegerAttr
from xdsl.ir import Block, Operation, SSAValue

from spatial_dialect.dialects import choreo

Span: TypeAlias = tuple[int, int, int]
"""A coordinate of the reduced grid: its own index, and the half-open range that it stands for."""
Cell: TypeAlias = tuple[Span, Span]
"""A place with engines, rings and semaphores of its own: a row and a column."""


class Refused(Exception):
    """A rule does not hold, maybe at an op."""

    def __init__(self, message: str, op: Operation | None = None):
        self.op = op
        self.where: list[str] = []
        super().__init__(message)


def need(condition: object, message: str, op: Operation | None = None) -> None:
    """Refuse unless a condition holds."""
    if not condition:
        raise Refused(message, op)


################################################################################
# The control flow of an engine                                                #
################################################################################


class Number(NamedTuple):
    """What an engine computes; None if it depends on coordinates, on the item or on data."""

    value: int | None = None
    trip: int | None = None
    """The run-time trip that it is, up to a constant; MIXED: it depends on trips otherwise."""


def _natural(function: Callable[[int, int], int]) -> Callable[[int, int], int]:
    """Unsigned arithmetic, on numbers that are not negative."""
    return lambda a, b: function(a, b) if a >= 0 <= b else 1 // 0


MIXED = -1
_LESS: tuple[Callable[[int, int], int], ...] = (o.lt, o.le, o.gt, o.ge)
COMPARE: tuple[Callable[[int, int], int], ...] = (o.eq, o.ne, *_LESS, *map(_natural, _LESS))
"""By the predicate of `arith.cmpi`."""
_OF_TWO: dict[type[Operation], Callable[[int, int], int]] = {
    arith.AddiOp: o.add,
    arith.SubiOp: o.sub,
    arith.MuliOp: o.mul,
    arith.AndIOp: lambda a, b: a & b,
    arith.OrIOp: lambda a, b: a | b,
    arith.XOrIOp: lambda a, b: a ^ b,
    arith.MinSIOp: min,
    arith.MaxSIOp: max,
    arith.FloorDivSIOp: lambda a, b: a // b,
    arith.CeilDivSIOp: lambda a, b: -(-a // b),
    arith.DivSIOp: lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
    arith.RemSIOp: lambda a, b: abs(a) % abs(b) * (-1 if a < 0 else 1),
    arith.DivUIOp: _natural(lambda a, b: a // b),
    arith.RemUIOp: _natural(o.mod),
    arith.MinUIOp: _natural(min),
    arith.MaxUIOp: _natural(max),
}


def _selected(condition: int, one: int, other: int) -> int:
    return one if condition else other


ARITH: dict[type[Operation], Callable[..., int]] = {
    **_OF_TWO,
    arith.IndexCastOp: int,
    arith.SelectOp: _selected,
}
"""Arithmetic on numbers."""


def is_event(op: Operation) -> bool:
    """Whether an op is an event of an engine."""
    return op.name.startswith("choreo.") and not isinstance(op, choreo.EndOp)


def last_operands(block: Block) -> Sequence[SSAValue]:
    """What a block yields, or hands on to others."""
    return () if block.last_op is None else block.last_op.operands


def deciding(engine: choreo.EngineOp) -> dict[SSAValue, bool]:
    """The values on which it depends what an engine does; whether each is a variable of a loop."""
    waiting: list[SSAValue] = []
    for op in engine.walk():
        if isinstance(op, affine.ForOp | scf.ForOp):
            waiting += op.operands[: len(op.operands) - len(op.results)]
        elif isinstance(op, scf.IfOp | cf.ConditionalBranchOp):
            waiting.append(op.cond)
    found: dict[SSAValue, bool] = {}
    while waiting:
        if (value := waiting.pop()) not in found:
            block = value.owner if isinstance(value.owner, Block) else None
            op = block.parent_op() if block is not None else value.owner
            loop = isinstance(op, affine.ForOp | scf.ForOp)
            found[value] = loop and block is not None and block.args[0] is value
            if isinstance(op, Operation) and (op is engine or not is_event(op) | found[value]):
                waiting += op.operands
                waiting += (v for r in op.regions for b in r.blocks for v in last_operands(b))
    return found


@dataclass(eq=False)
class Frame:
    """An execution of a loop."""

    loop: affine.ForOp | scf.ForOp
    count: int
    trip: int | None
    """The run-time trip that the count is, up to a constant."""
    counter: int = 0
    events: int = 0
    pumps: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """Where the pumps that it advances in begin and end."""
    cuts: list[tuple[Frame, int, int]] = field(default_factory=list["tuple[Frame, int, int]"])
    """Skipped periods that end in it: the execution in which each began, and where it lies."""


class Walk:
    """An engine of a cell, standing at its next event."""

    def __init__(self, engine: choreo.EngineOp, deciding: Mapping[SSAValue, bool], cell: Cell):
        self.engine, self.deciding = engine, deciding
        # What stands for several coordinates has none of its own.
        own = (Number(low if high == low + 1 else None) for _, low, high in cell)
        self.env: dict[SSAValue, Number] = dict(zip(engine.body.blocks[0].args, own, strict=True))
        self.frames: list[Frame] = []
        self.tripping: list[Frame] = []
        """All executions of loops whose count is a trip, up to a constant."""
        self.unruly: set[int] = set()
        """Trips that may make it do something else if they are larger; MIXED: any may."""
        self.idle = 0
        self._code = self._blocks()
        self.next: Operation | None = next(self._code, None)

    def advance(self) -> None:
        """Go on to the next event."""
        self.idle = 0
        for frame in self.frames:
            frame.events += 1
        self.next = next(self._code, None)

    def _blocks(self) -> Iterator[Operation]:
        block = self.engine.body.blocks[0]
        while True:
            self._step(self.engine)
            yield from self._ops(block)
            match block.last_op:
                case cf.BranchOp() as op:
                    block, values = op.successor, op.arguments
                case cf.ConditionalBranchOp() as op if self._holds(op.cond, op):
                    block, values = op.then_block, op.then_arguments
                case cf.ConditionalBranchOp() as op:
                    block, values = op.else_block, op.else_arguments
                case _:
                    return
            self._bind(block.args, values)

    def _ops(self, block: Block) -> Iterator[Operation]:
        for op in block.ops:
            if is_event(op):
                yield op
            elif isinstance(op, affine.ForOp | scf.ForOp):
                yield from self._loop(op)
            elif isinstance(op, scf.IfOp):
                region = op.true_region if self._holds(op.cond, op) else op.false_region
                if region.blocks:
                    yield from self._ops(region.block)
                    self._bind(op.results, last_operands(region.block))
            elif op.results and op.results[0] in self.deciding:
                self.env[op.results[0]] = self._computed(op)

    def _loop(self, op: affine.ForOp | scf.ForOp) -> Iterator[Operation]:
        body, (variable, *carried) = op.body.block, op.body.block.args
        if isinstance(op, affine.ForOp):
            low = self._mapped(op.lowerBoundMap, op.lowerBoundOperands, max)
            high = self._mapped(op.upperBoundMap, op.upperBoundOperands, min)
            step = Number(op.step.value.data)
        else:
            low, high, step = (self.env.get(v, Number()) for v in (op.lb, op.ub, op.step))
        if low.value is None or high.value is None or step.value is None or step.value < 1:
            raise Refused("bounds: coordinates, the item or data decide how often it runs", op)
        count = max(0, -((low.value - high.value) // step.value))
        steady = (low.trip, step) == (None, Number(1)) and high.trip not in (None, MIXED)
        # A larger trip is more of the same, unless there is nothing yet.
        if high.trip is not None and steady:
            self.unruly |= {high.trip} if count == 0 else set()
        elif {low.trip, high.trip, step.trip} != {None}:
            self.unruly.add(MIXED)
        plain = not any(v in self.deciding for v in (*body.args, *op.results))
        frame = Frame(op, count, high.trip if steady else None)
        self.frames.append(frame)
        self.tripping += [frame] * steady
        self._bind(carried, op.operands[len(op.operands) - len(op.results) :])
        while frame.counter < count:
            self._step(op)
            self.env[variable] = Number(low.value + frame.counter * step.value)
            before = frame.events
            yield from self._ops(body)
            self._bind(carried, last_operands(body))
            if plain and frame.events == before:
                break  # nothing will ever happen in it
            frame.counter += 1
        if steady and not plain and not frame.events:
            self.unruly.add(MIXED)
        self.frames.pop()
        self._bind(op.results, carried)

    def _step(self, op: Operation) -> None:
        self.idle += 1
        need(self.idle < 1_000_000, "deadlock: goes round and round without an event", op)

    def _bind(self, to: Sequence[SSAValue], values: Sequence[SSAValue]) -> None:
        found = [self.env.get(value, Number()) for value in values]
        self.env.update(zip(to, found, strict=True))

    def _holds(self, condition: SSAValue, op: Operation) -> bool:
        value, trip = self.env.get(condition, Number())
        need(value is not None, "bounds: coordinates, the item or data decide what runs", op)
        self.unruly |= {MIXED} if trip is not None else set()
        return bool(value)

    def _computed(self, op: Operation) -> Number:
        match op:
            case arith.ConstantOp(value=IntegerAttr() as constant):
                return Number(constant.value.data)
            case affine.ApplyOp():
                return self._mapped(op.map, op.mapOperands, max)
            case arith.CmpiOp():
                found = self._made(COMPARE[op.predicate.value.data], op.operands)
                (a, s), (b, t) = (self.env.get(operand, Number()) for operand in op.operands)
                if found.value is None or a is None or b is None or MIXED in (s, t):
                    return found
                # A trip that is larger than a number stays so if it grows.
                stays = (t is None and a > b) or (s is None and b > a)
                return Number(found.value) if stays else found
            case _:
                function = ARITH.get(type(op), lambda *_: 1 // 0)
                linear = isinstance(op, arith.AddiOp | arith.SubiOp | arith.IndexCastOp)
                return self._made(function, op.operands, linear)

    def _mapped(
        self, map: AffineMapAttr, operands: Sequence[SSAValue], choose: Callable[..., int]
    ) -> Number:
        dims, text = map.data.num_dims, str(map.data)
        linear = len(map.data.results) == 1 and "mod" not in text and "div" not in text
        return self._made(lambda *a: choose(map.data.eval(a[:dims], a[dims:])), operands, linear)

    def _made(
        self, function: Callable[..., int], operands: Sequence[SSAValue], linear: bool = False
    ) -> Number:
        args = [self.env.get(operand, Number()) for operand in operands]
        values = [arg.value for arg in args if arg.value is not None]
        trips = [arg.trip for arg in args if arg.trip is not None]
        if len(values) < len(args):
            return Number()
        try:
            value = int(function(*values))
        except ZeroDivisionError:
            return Number()
        if not trips:
            return Number(value)
        more = [v + (arg.trip is not None) for v, arg in zip(values, args, strict=True)]
        follows = linear and len(trips) == 1 and function(*more) == value + 1
        return Number(value, trips[0] if follows else MIXED)
