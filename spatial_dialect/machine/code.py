"""Engines in compact form: a flat list of instructions for each engine op, made once.

An instruction is either an *event*, an op that other engines or a reading of the machine can see,
or control: loops, jumps, and arithmetic on registers. Rings, semaphores, groups and tensors are
numbers here, the same for all engines of a program. All control flow that generic passes make of an
engine's loops is understood, structured or not.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, TypeAlias

from xdsl.dialects import affine, arith, cf, scf
from xdsl.dialects.builtin import AffineMapAttr, IndexType, IntegerAttr, i1
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineMap

from spatial_dialect.dialects import choreo
from spatial_dialect.dialects.spatial import BufferOp, GroupOp, ProgramOp
from spatial_dialect.ir.attributes import Comparison, FlushCondition
from spatial_dialect.ir.diagnostics import value_name
from spatial_dialect.ir.types import BufferType

Number: TypeAlias = Any
"""What a register holds: an int, None where a reading does not know it, or an array of ints."""

Function: TypeAlias = Callable[..., Number]


class Act(IntEnum):
    """What an instruction does. Those up to `ITEM` are events."""

    RESERVE = 0
    PUSH = 1
    WAIT = 2
    POP = 3
    READ = 4
    READ_BARRIER = 5
    WRITE = 6
    WRITE_BARRIER = 7
    SEM_WAIT = 8
    SEM_SET = 9
    SEM_INC = 10
    SEND = 11
    FLAG = 12
    FLUSH = 13
    LOAD_INDEX = 14
    COMPUTE = 15
    PACK = 16
    ACQUIRE = 17
    RELEASE = 18
    TRIP = 19
    ITEM = 20
    # Control.
    LOOP = 21
    NEXT = 22
    PURE = 23
    MOVE = 24
    JUMP = 25
    BRANCH = 26


EVENTS = Act.ITEM + 1
"""Acts below this number are events."""


class Unsupported(Exception):
    """An op that engines do not have, or a form of one that the machine does not know."""

    op: Operation

    def __init__(self, op: Operation, message: str):
        self.op = op
        super().__init__(message)


@dataclass(eq=False, slots=True)
class Instruction:
    """One step of an engine."""

    act: Act
    op: Operation
    ring: int = -1
    """The ring that is filled, waited for, sent from, ..."""
    count: int = 1
    """Pages of a request or a send; the value of a semaphore op."""
    reads: tuple[int, ...] = ()
    """The rings whose front page is read."""
    semaphore: int = -1
    group: int = -1
    flag: bool = False
    """`hold_path` of a send, `accumulate` of a pack, `ge` of a wait, the condition of a flush."""
    sources: tuple[int, ...] = ()
    """Registers of its operands that are numbers."""
    results: tuple[int, ...] = ()
    """Registers of its results that are numbers."""
    function: Function | None = None
    target: int = 0
    """Where a jump goes; where a loop that runs no more goes on; the first op of a body."""
    loop: int = -1
    """The number of the loop, for `LOOP` and `NEXT`."""
    bounds: tuple[tuple[int, bool], ...] = ()
    """Lower bound, upper bound and step of a loop: a number, or a register if True."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop of an engine."""

    op: Operation
    outer: tuple[int, ...]
    """The loops around it, outermost first."""
    trip: TripForm | None
    """If its count is a run-time trip and a constant: which."""
    pinned: bool
    """Its variable decides what else runs; False if all numbers are computed."""


@dataclass(frozen=True, slots=True)
class TripForm:
    """A number that is a run-time trip plus a constant."""

    variable: int
    """The number of the trip in `Numbering.trips`."""
    offset: int


@dataclass(eq=False)
class Code:
    """The code of an engine op."""

    engine: choreo.EngineOp
    instructions: list[Instruction] = field(default_factory=list[Instruction])
    loops: list[Loop] = field(default_factory=list[Loop])
    size: int = 2
    """The number of registers; the first two are the row and the column of the site."""
    stable: list[tuple[int, TripForm, int]] = field(
        default_factory=list[tuple[int, "TripForm", int]]
    )
    """Branches that depend on a trip: instruction, the trip, and the number it is compared with."""
    unruly: bool = False
    """A branch or a loop depends on a trip in a way that is not understood."""
    structured: bool = True
    """It has no jumps between blocks."""
    control: tuple[int, ...] = ()
    """The registers that decide what runs, apart from the variables of loops; none if all numbers
    are computed."""

    @property
    def uses_coordinates(self) -> bool:
        """Whether what runs depends on where the engine is."""
        return 0 in self.control or 1 in self.control

    given: dict[int, SSAValue] = field(default_factory=dict[int, SSAValue])
    """Registers that hold an index which the program is given."""


@dataclass(frozen=True)
class Ring:
    """A buffer, as the machine sees it."""

    op: BufferOp
    depth: int
    memory: int
    """The ring whose memory it uses: itself, or what it is an alias of."""

    @property
    def name(self) -> str:
        """`%a`"""
        return value_name(self.op.buffer)


@dataclass(frozen=True)
class Semaphore:
    """A semaphore, as the machine sees it."""

    value: SSAValue
    group: int

    @property
    def name(self) -> str:
        """`%a_ready`"""
        return value_name(self.value)


TripKey: TypeAlias = object
"""What tells run-time trips apart: where they are read, as nested tuples."""


class Numbering:
    """Numbers for what the engines of a program share."""

    program: ProgramOp
    rings: list[Ring]
    semaphores: list[Semaphore]
    groups: list[GroupOp]
    engines: list[choreo.EngineOp]
    trips: dict[TripKey, int]
    """The run-time trips that occur, numbered."""
    trip_ops: list[choreo.TripOp]
    """One op for each trip."""

    def __init__(self, program: ProgramOp):
        self.program = program
        self.rings, self.semaphores, self.groups, self.engines = [], [], [], []
        self.trips, self.trip_ops = {}, []
        self._numbers: dict[SSAValue, int] = {}
        machine = program.machine
        if machine is None:
            raise Unsupported(program, "has no target")
        self.target = machine
        self.ordered = machine.ordering == "ordered"
        for op in program.body.block.ops:
            match op:
                case BufferOp():
                    number = len(self.rings)
                    self._numbers[op.buffer] = number
                    memory = number if op.alias is None else self.rings[self[op.alias]].memory
                    self.rings.append(Ring(op, op.pages or 0, memory))
                case GroupOp():
                    self._numbers[op.group] = len(self.groups)
                    self.groups.append(op)
                case choreo.SemaphoresOp():
                    for value in op.results:
                        self._numbers[value] = len(self.semaphores)
                        self.semaphores.append(Semaphore(value, self[op.group]))
                case choreo.EngineOp():
                    self.engines.append(op)
                case _:
                    pass

    def __getitem__(self, value: SSAValue) -> int:
        return self._numbers[value]


def compiled(engine: choreo.EngineOp, numbering: Numbering, *, all_numbers: bool = True) -> Code:
    """Compiles an engine.

    Args:
        engine: an engine that verifies.
        numbering: of its program; trips that are met are added to it.
        all_numbers: whether tile addresses are computed. If not, only numbers that decide what
            runs are, and code without events is left out.

    Raises:
        Unsupported: the engine has an op that no engine has.
    """
    return _Compiler(engine, numbering, all_numbers).code


_BINARY: dict[type[Operation], Callable[[Number, Number], Number]] = {
    arith.AddiOp: operator.add,
    arith.SubiOp: operator.sub,
    arith.MuliOp: operator.mul,
    arith.FloorDivSIOp: lambda a, b: a // b,
    arith.CeilDivSIOp: lambda a, b: -(-a // b),
    # Like C: towards zero, the rest with the sign of the dividend.
    arith.DivSIOp: lambda a, b: abs(a) // abs(b) * (1 - 2 * ((a < 0) != (b < 0))),
    arith.RemSIOp: lambda a, b: abs(a) % abs(b) * (1 - 2 * (a < 0)),
    arith.DivUIOp: lambda a, b: a // b,
    arith.RemUIOp: operator.mod,
    arith.MinSIOp: lambda a, b: a + (b - a) * (b < a),
    arith.MaxSIOp: lambda a, b: a + (b - a) * (b > a),
    arith.MinUIOp: lambda a, b: a + (b - a) * (b < a),
    arith.MaxUIOp: lambda a, b: a + (b - a) * (b > a),
    arith.AndIOp: lambda a, b: a & b,
    arith.OrIOp: lambda a, b: a | b,
    arith.XOrIOp: lambda a, b: a ^ b,
}
"""Arithmetic on numbers and on arrays of them alike."""

_UNSIGNED = (arith.DivUIOp, arith.RemUIOp, arith.MinUIOp, arith.MaxUIOp)
_LOGIC = (arith.AndIOp, arith.OrIOp, arith.XOrIOp)

_COMPARE: tuple[Callable[[Number, Number], Number], ...] = (
    operator.eq,
    operator.ne,
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
)
"""By the predicate of `arith.cmpi`; indices are never negative where they are compared unsigned."""


def _unsigned(function: Callable[[Number, Number], Number]) -> Callable[[Number, Number], Number]:
    """The same on numbers that are not negative; what it would be on others is not known."""

    def on_naturals(a: Number, b: Number) -> Number:
        if isinstance(a, int) and isinstance(b, int) and (a < 0 or b < 0):
            return None
        return function(a, b)

    return on_naturals


def _applied(map: AffineMap) -> Function:
    expression = map.results[0]
    dims = map.num_dims

    def function(*values: Number) -> Number:
        return expression.eval(values[:dims], values[dims:])

    return function


def _selected(condition: Number, one: Number, other: Number) -> Number:
    return other + (one - other) * (condition != 0)


class _Compiler:
    """Makes the code of one engine."""

    def __init__(self, engine: choreo.EngineOp, numbering: Numbering, all_numbers: bool):
        self.numbering = numbering
        self.all_numbers = all_numbers
        self.code = Code(engine)
        self.registers: dict[SSAValue, int] = {}
        self.around: list[int] = []
        self.relevant: set[SSAValue] = set() if all_numbers else _control_values(engine)
        self.trip_forms: dict[SSAValue, TripForm] = {}
        self.depends: dict[SSAValue, bool] = {}
        blocks = engine.body.blocks
        self.code.structured = len(blocks) == 1
        for number, argument in enumerate(blocks[0].args):
            self.registers[argument] = number
        starts: dict[Block, int] = {}
        jumps: list[tuple[Instruction, Block | None]] = []
        for block in blocks:
            starts[block] = self.here
            for op in block.ops:
                match op:
                    case cf.BranchOp():
                        self.branch(op, op.successor, op.arguments, jumps)
                    case cf.ConditionalBranchOp():
                        around = self.conditional(op, op.cond)
                        self.branch(op, op.then_block, op.then_arguments, jumps)
                        around.target = self.here
                        self.branch(op, op.else_block, op.else_arguments, jumps)
                    case choreo.EndOp():
                        jumps.append((self.emit(Instruction(Act.JUMP, op)), None))
                    case _:
                        self.op(op)
        for jump, target in jumps:
            jump.target = self.here if target is None else starts[target]
        loop_variables = {
            self.registers[v] for v in self.registers if _is_loop_variable(v) and v in self.relevant
        }
        self.code.control = tuple(
            sorted(
                {self.registers[v] for v in self.relevant if v in self.registers} - loop_variables
            )
        )

    @property
    def here(self) -> int:
        """The number of the next instruction."""
        return len(self.code.instructions)

    def emit(self, instruction: Instruction) -> Instruction:
        """Adds an instruction."""
        self.code.instructions.append(instruction)
        return instruction

    def register(self, value: SSAValue) -> int:
        """The register of a value."""
        found = self.registers.get(value)
        if found is None:
            found = self.registers[value] = self.code.size
            self.code.size += 1
            if isinstance(value.owner, Block) and isinstance(value.owner.parent_op(), ProgramOp):
                self.code.given[found] = value
        return found

    def numbers(self, values: Iterable[SSAValue]) -> tuple[int, ...]:
        """The registers of some values."""
        return tuple(map(self.register, values))

    def wanted(self, value: SSAValue) -> bool:
        """Whether a value is computed at all."""
        return self.all_numbers or value in self.relevant

    def move(self, op: Operation, to: Sequence[SSAValue], of: Sequence[SSAValue]) -> None:
        """Copies values, all at once."""
        pairs = [(t, s) for t, s in zip(to, of, strict=True) if self.wanted(t)]
        if pairs:
            results, sources = zip(*pairs, strict=True)
            self.emit(
                Instruction(
                    Act.MOVE, op, results=self.numbers(results), sources=self.numbers(sources)
                )
            )

    def branch(
        self,
        op: Operation,
        target: Block,
        arguments: Sequence[SSAValue],
        jumps: list[tuple[Instruction, Block | None]],
    ) -> None:
        """Goes to a block."""
        self.move(op, target.args, arguments)
        jumps.append((self.emit(Instruction(Act.JUMP, op)), target))

    def conditional(self, op: Operation, condition: SSAValue) -> Instruction:
        """A branch that is taken unless the condition holds."""
        if self.depends_on_trip(condition):
            compared = self.comparison_with_trip(condition)
            if compared is None:
                self.code.unruly = True
            else:
                self.code.stable.append((self.here, *compared))
        return self.emit(Instruction(Act.BRANCH, op, sources=(self.register(condition),)))

    def op(self, op: Operation) -> None:
        """Compiles an op without successors."""
        # What engines mostly consist of goes first: to tell classes of ops apart takes time.
        if op.name.startswith("choreo."):
            if not isinstance(op, choreo.EndOp):
                self.event(op)
            return
        match op:
            case affine.ForOp() | scf.ForOp():
                self.loop(op)
            case scf.IfOp():
                self.conditional_regions(op)
            case affine.ApplyOp():
                if self.wanted(op.result):
                    self.pure(op, _applied(op.map.data))
            case arith.ConstantOp():
                if isinstance(op.value, IntegerAttr) and self.wanted(op.result):
                    value = op.value.value.data
                    if op.result.type == i1:
                        value &= 1
                    self.pure(op, lambda: value)
            case arith.CmpiOp():
                if self.wanted(op.result):
                    predicate = op.predicate.value.data
                    if op.lhs.type == i1 and predicate > 1:
                        raise Unsupported(op, "compares the size of truth values")
                    compare = _COMPARE[predicate]
                    self.pure(op, _unsigned(compare) if predicate > 5 else compare)
            case arith.SelectOp():
                if self.wanted(op.result):
                    # In this form it works for arrays too.
                    self.pure(op, _selected)
            case arith.IndexCastOp():
                if self.wanted(op.results[0]):
                    self.check_types(op)
                self.move(op, op.results, op.operands)
            case scf.YieldOp() | affine.YieldOp():
                pass
            case _ if (function := _BINARY.get(type(op))) is not None:
                if self.wanted(op.results[0]):
                    if op.results[0].type == i1 and not isinstance(op, _LOGIC):
                        raise Unsupported(op, "computes with truth values")
                    self.pure(op, _unsigned(function) if isinstance(op, _UNSIGNED) else function)
            case _ if _is_plain(op) and not any(map(self.wanted, op.results)):
                pass
            case _:
                raise Unsupported(op, "is not understood in an engine")

    def pure(self, op: Operation, function: Function) -> None:
        """A number made of others.

        Raises:
            Unsupported: it is of a type that may not hold what comes out.
        """
        self.check_types(op)
        self.emit(
            Instruction(
                Act.PURE,
                op,
                function=function,
                sources=self.numbers(op.operands),
                results=self.numbers(op.results),
            )
        )

    def check_types(self, op: Operation) -> None:
        """Numbers are indices or truth values: others wrap around, which is not computed here."""
        for value in (*op.operands, *op.results):
            if value.type not in (i1, IndexType()):
                raise Unsupported(op, f"computes with {value.type}, but control is of index and i1")

    def conditional_regions(self, op: scf.IfOp) -> None:
        """Compiles an `if`, unless nothing in it is ever seen."""
        start = self.here
        unless = self.conditional(op, op.cond)
        self.inline(op, op.true_region.block)
        end = self.emit(Instruction(Act.JUMP, op))
        unless.target = self.here
        if op.false_region.blocks:
            self.inline(op, op.false_region.block)
        end.target = self.here
        if not self.all_numbers and self.here == start + 2:
            del self.code.instructions[start:]

    def inline(self, op: Operation, block: Block) -> None:
        """The ops of a region, and its results."""
        for inner in block.ops:
            self.op(inner)
        if isinstance(last := block.last_op, scf.YieldOp | affine.YieldOp) and op.results:
            self.move(op, op.results, last.operands)

    def loop(self, op: affine.ForOp | scf.ForOp) -> None:
        """Compiles a loop, unless nothing in it is ever seen."""
        body = op.body.block
        inits = op.inits if isinstance(op, affine.ForOp) else op.iter_args
        variable, *carried = body.args
        if not self.all_numbers and not _has_events(op):
            if any(map(self.wanted, op.results)):
                raise Unsupported(op, "computes what decides how often other code runs")
            for inner in op.walk():
                if not _is_plain(inner) and not isinstance(inner, _STRUCTURE):
                    raise Unsupported(inner, "is not understood in an engine")
                if isinstance(inner, scf.ForOp) and (_constant(inner.step) or 0) < 1:
                    raise Unsupported(inner, "may not go forwards")
            return
        bounds = self.bounds(op)
        number = len(self.code.loops)
        trip = self.loop_form(op)
        self.code.loops.append(Loop(op, tuple(self.around), trip, variable in self.relevant))
        self.move(op, carried, inits)
        results = (self.register(variable),) if self.wanted(variable) else ()
        head = self.emit(Instruction(Act.LOOP, op, bounds=bounds, results=results, loop=number))
        first = self.here
        self.around.append(number)
        for inner in body.ops:
            self.op(inner)
        self.around.pop()
        last = body.last_op
        if carried and isinstance(last, scf.YieldOp | affine.YieldOp):
            self.move(op, carried, last.operands)
        self.emit(
            Instruction(Act.NEXT, op, bounds=bounds, results=results, loop=number, target=first)
        )
        head.target = self.here
        self.move(op, op.results, carried)

    def bounds(self, op: affine.ForOp | scf.ForOp) -> tuple[tuple[int, bool], ...]:
        """Lower and upper bound and step."""
        if isinstance(op, scf.ForOp):
            return tuple(self.bound(value) for value in (op.lb, op.ub, op.step))
        return (
            self.mapped(op, op.lowerBoundMap, op.lowerBoundOperands, max),
            self.mapped(op, op.upperBoundMap, op.upperBoundOperands, min),
            (op.step.value.data, False),
        )

    def bound(self, value: SSAValue) -> tuple[int, bool]:
        """A bound that is a value."""
        owner = value.owner
        if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
            return owner.value.value.data, False
        return self.register(value), True

    def mapped(
        self,
        op: Operation,
        map: AffineMapAttr,
        operands: Sequence[SSAValue],
        choose: Callable[[Iterable[int]], int],
    ) -> tuple[int, bool]:
        """A bound that is the largest or least result of a map."""
        data = map.data
        if not operands:
            return choose(data.eval([], [])), False
        dims = data.num_dims

        def function(*values: int) -> int:
            return choose(data.eval(values[:dims], values[dims:]))

        result = self.code.size
        self.code.size += 1
        self.emit(
            Instruction(
                Act.PURE,
                op,
                function=function,
                sources=self.numbers(operands),
                results=(result,),
            )
        )
        return result, True

    # Run-time trips

    def trip_form(self, value: SSAValue) -> TripForm | None:
        """A value as a trip plus a constant."""
        if value in self.trip_forms:
            return self.trip_forms[value]
        owner = value.owner
        match owner:
            case arith.AddiOp() | arith.SubiOp():
                left, right = self.trip_form(owner.lhs), _constant(owner.rhs)
                if left is not None and right is not None:
                    sign = 1 if isinstance(owner, arith.AddiOp) else -1
                    return TripForm(left.variable, left.offset + sign * right)
                left, right = _constant(owner.lhs), self.trip_form(owner.rhs)
                if left is not None and right is not None and isinstance(owner, arith.AddiOp):
                    return TripForm(right.variable, left + right.offset)
            case arith.IndexCastOp():
                return self.trip_form(owner.input)
            case affine.ApplyOp() if len(owner.mapOperands) == 1:
                return self.mapped_trip(owner.map, owner.mapOperands)
            case _:
                pass
        return None

    def mapped_trip(self, map: AffineMapAttr, operands: Sequence[SSAValue]) -> TripForm | None:
        """The result of a map as a trip plus a constant: its slope is 1."""
        if len(operands) != 1 or len(map.data.results) != 1:
            return None
        form = self.trip_form(operands[0])
        if form is None:
            return None
        dims = map.data.num_dims

        def at(n: int) -> int:
            values = [n]
            return map.data.eval(values[:dims], values[dims:])[0]

        expression = str(map.data.results[0])
        if any(word in expression for word in ("mod", "floordiv", "ceildiv")):
            return None
        return TripForm(form.variable, form.offset + at(0)) if at(1) == at(0) + 1 else None

    def depends_on_trip(self, value: SSAValue) -> bool:
        """Whether a trip has any influence on a value."""
        found = self.depends.get(value)
        if found is None:
            self.depends[value] = False  # for cycles through block arguments
            found = self.depends[value] = isinstance(value.owner, choreo.TripOp) or any(
                map(self.depends_on_trip, _made_of(value))
            )
        return found

    def comparison_with_trip(self, condition: SSAValue) -> tuple[TripForm, int] | None:
        """The trip and the constant that a condition compares."""
        owner = condition.owner
        if not isinstance(owner, arith.CmpiOp):
            return None
        for one, other in ((owner.lhs, owner.rhs), (owner.rhs, owner.lhs)):
            form, number = self.trip_form(one), _constant(other)
            if form is not None and number is not None:
                return form, number
        return None

    def loop_form(self, op: affine.ForOp | scf.ForOp) -> TripForm | None:
        """The trip that a loop's count is, up to a constant."""
        if isinstance(op, scf.ForOp):
            lower, step = _constant(op.lb), _constant(op.step)
            upper = self.trip_form(op.ub)
            values = (op.lb, op.ub, op.step)
        else:
            constant = not op.lowerBoundOperands and len(op.lowerBoundMap.data.results) == 1
            lower = op.lowerBoundMap.data.eval([], [])[0] if constant else None
            step = op.step.value.data
            upper = self.mapped_trip(op.upperBoundMap, op.upperBoundOperands)
            values = (*op.lowerBoundOperands, *op.upperBoundOperands)
        if upper is not None and lower is not None and step == 1:
            return TripForm(upper.variable, upper.offset - lower)
        self.code.unruly |= any(map(self.depends_on_trip, values))
        return None

    # Events

    def event(self, op: Operation) -> None:
        """Compiles an op that can be seen."""
        kind = type(op)
        if (act := _RING_ACTS.get(kind)) is not None:
            assert isinstance(op, choreo.RingOp)
            ring, count = self.numbering[op.operands[0]], op.pages.value.data
            self.emit(Instruction(act, op, ring=ring, count=count))
        elif (act := _PLAIN_ACTS.get(kind)) is not None:
            self.emit(Instruction(act, op))
        elif (act := _PAGE_ACTS.get(kind)) is not None:
            self.on_pages(act, op)
        else:
            self.emit(self.signal(op))

    def on_pages(self, act: Act, op: Operation) -> None:
        """An op that fills a page, reads pages or both: operands stand in the order of the text."""
        rings = tuple(
            self.numbering[value] for value in op.operands if type(value.type) is BufferType
        )
        made = Instruction(act, op)
        if act in (Act.COMPUTE, Act.LOAD_INDEX):
            made.reads = rings
        else:
            made.ring, made.reads = rings[0], rings[1:]
        if self.all_numbers:
            made.sources = self.numbers(
                value for value in op.operands if type(value.type) is IndexType
            )
        if act == Act.LOAD_INDEX:
            made.results = self.numbers(op.results)
        elif isinstance(op, choreo.PackOp):
            made.flag = op.accumulate is not None
        self.emit(made)

    def signal(self, op: Operation) -> Instruction:
        """An op on semaphores or for other sites, or one that asks what the run is about."""
        number = self.numbering
        match op:
            case choreo.SemWaitOp():
                return Instruction(
                    Act.SEM_WAIT,
                    op,
                    semaphore=number[op.semaphore],
                    count=op.value.value.data,
                    flag=op.comparison.data == Comparison.GE,
                )
            case choreo.SemSetOp():
                return Instruction(
                    Act.SEM_SET, op, semaphore=number[op.semaphore], count=op.value.value.data
                )
            case choreo.SemIncOp():
                return Instruction(
                    Act.SEM_INC,
                    op,
                    semaphore=number[op.semaphore],
                    group=number[op.group],
                    count=op.value.value.data,
                )
            case choreo.McastSendOp():
                return Instruction(
                    Act.SEND,
                    op,
                    ring=number[op.buffer],
                    group=number[op.group],
                    count=op.pages.value.data,
                    flag=op.hold_path is not None,
                )
            case choreo.McastSetValidOp():
                return Instruction(
                    Act.FLAG, op, semaphore=number[op.semaphore], group=number[op.group]
                )
            case choreo.FlushOp():
                always = op.condition.data == FlushCondition.ALWAYS
                return Instruction(Act.FLUSH, op, flag=always or not number.ordered)
            case choreo.TripOp():
                variable = self.trip_variable(op)
                self.trip_forms[op.trip] = TripForm(variable, 0)
                return Instruction(
                    Act.TRIP,
                    op,
                    count=variable,
                    results=self.numbers(op.results),
                    sources=self.numbers(op.indices) if self.all_numbers else (),
                )
            case choreo.ItemOp():
                return Instruction(Act.ITEM, op, results=self.numbers(op.results))
            case _:
                raise Unsupported(op, "is not understood in an engine")

    def trip_variable(self, op: choreo.TripOp) -> int:
        """The number of a trip: the same for ops that read the same place."""
        key = (op.count, *map(expression, op.indices))
        known = self.numbering.trips
        if key not in known:
            known[key] = len(known)
            self.numbering.trip_ops.append(op)
        return known[key]


_PLAIN_ACTS: dict[type[Operation], Act] = {
    choreo.ReadBarrierOp: Act.READ_BARRIER,
    choreo.WriteBarrierOp: Act.WRITE_BARRIER,
    choreo.AcquireOp: Act.ACQUIRE,
    choreo.ReleaseOp: Act.RELEASE,
}
"""Events that are all the same."""

_PAGE_ACTS: dict[type[Operation], Act] = {
    choreo.ReadTilesOp: Act.READ,
    choreo.WriteTilesOp: Act.WRITE,
    choreo.PackOp: Act.PACK,
    choreo.LoadIndexOp: Act.LOAD_INDEX,
    choreo.MatmulOp: Act.COMPUTE,
    choreo.DotOp: Act.COMPUTE,
    choreo.MapOp: Act.COMPUTE,
    choreo.ReduceOp: Act.COMPUTE,
    choreo.AllReduceOp: Act.COMPUTE,
}
"""Events that fill a page or read front pages."""

_RING_ACTS: dict[type[Operation], Act] = {
    choreo.ReserveOp: Act.RESERVE,
    choreo.PushOp: Act.PUSH,
    choreo.WaitOp: Act.WAIT,
    choreo.PopOp: Act.POP,
}


def expression(value: SSAValue) -> object:
    """How a number comes about, as nested tuples that are equal for equal expressions.

    Coordinates are `y` and `x`, the work item is `i`; what is neither made of these nor of
    constants is the value itself, which equals nothing else.
    """
    owner = value.owner
    if isinstance(value, BlockArgument):
        if isinstance(owner, Block) and isinstance(owner.parent_op(), choreo.EngineOp):
            first = owner.parent is not None and owner.parent.first_block is owner
            return ("y", "x")[value.index] if first else value
        return value
    match owner:
        case arith.ConstantOp() if isinstance(owner.value, IntegerAttr):
            return owner.value.value.data
        case choreo.ItemOp():
            return "i"
        case affine.ApplyOp():
            map = owner.map.data
            try:
                operands = [expression(operand) for operand in owner.mapOperands]
                known = [operand for operand in operands if isinstance(operand, int)]
                if len(known) == len(operands):
                    return map.eval(known[: map.num_dims], known[map.num_dims :])[0]
            except ZeroDivisionError:
                pass
            identity = len(map.results) == 1 and str(map.results[0]) in ("d0", "s0")
            if identity and len(owner.mapOperands) == 1:
                return expression(owner.mapOperands[0])
            return (str(map), *map_expressions(owner.mapOperands))
        case arith.IndexCastOp():
            return expression(owner.input)
        case _ if type(owner) in _BINARY:
            assert isinstance(owner, Operation)
            return (owner.name, *map_expressions(owner.operands))
        case _:
            return value


def map_expressions(values: Iterable[SSAValue]) -> tuple[object, ...]:
    """`expression` of each."""
    return tuple(expression(value) for value in values)


_STRUCTURE = (affine.ForOp, affine.YieldOp, scf.ForOp, scf.IfOp, scf.YieldOp)
"""Control that comes to an end if its loops go forwards."""


def _is_plain(op: Operation) -> bool:
    """Whether an op only makes numbers."""
    names = ("arith.", "affine.apply", "affine.min", "affine.max", "math.", "index.")
    return not op.regions and bool(op.results) and op.name.startswith(names)


def _constant(value: SSAValue) -> int | None:
    found = expression(value)
    return found if isinstance(found, int) else None


def _is_loop_variable(value: SSAValue) -> bool:
    owner = value.owner
    return (
        isinstance(value, BlockArgument)
        and value.index == 0
        and isinstance(owner, Block)
        and isinstance(owner.parent_op(), affine.ForOp | scf.ForOp)
    )


def _has_events(op: Operation) -> bool:
    return any(inner.name.startswith("choreo.") for inner in op.walk())


def _made_of(value: SSAValue) -> tuple[SSAValue, ...]:
    """The values that a value is made of, through control flow; bounds of loops are not."""
    owner = value.owner
    if isinstance(value, OpResult):
        op = value.op
        match op:
            case affine.ForOp() | scf.ForOp():
                inits = op.inits if isinstance(op, affine.ForOp) else op.iter_args
                last = op.body.block.last_op
                yielded = () if last is None else (last.operands[value.index],)
                return (inits[value.index], *yielded)
            case scf.IfOp():
                lasts = [r.block.last_op for r in op.regions if r.blocks]
                return (op.cond, *(last.operands[value.index] for last in lasts if last))
            case _:
                return () if op.name.startswith("choreo.") else tuple(op.operands)
    if not isinstance(value, BlockArgument) or not isinstance(owner, Block):
        return ()
    parent = owner.parent_op()
    match parent:
        case affine.ForOp() | scf.ForOp():
            if value.index == 0:
                return ()
            inits = parent.inits if isinstance(parent, affine.ForOp) else parent.iter_args
            last = owner.last_op
            yielded = () if last is None else (last.operands[value.index - 1],)
            return (inits[value.index - 1], *yielded)
        case choreo.EngineOp():
            found: list[SSAValue] = []
            for block in parent.body.blocks:
                match block.last_op:
                    case cf.BranchOp() as branch if branch.successor is owner:
                        found.append(branch.arguments[value.index])
                    case cf.ConditionalBranchOp() as branch:
                        if branch.then_block is owner:
                            found.append(branch.then_arguments[value.index])
                        if branch.else_block is owner:
                            found.append(branch.else_arguments[value.index])
                        found.append(branch.cond)
                    case _:
                        pass
            return tuple(found)
        case _:
            return ()


def _control_values(engine: choreo.EngineOp) -> set[SSAValue]:
    """The values that decide what an engine runs."""
    waiting: list[SSAValue] = []
    for op in engine.walk():
        if op.name.startswith("choreo."):
            continue
        match op:
            case affine.ForOp():
                waiting += (*op.lowerBoundOperands, *op.upperBoundOperands)
            case scf.ForOp():
                waiting += (op.lb, op.ub, op.step)
            case scf.IfOp() | cf.ConditionalBranchOp():
                waiting.append(op.cond)
            case _:
                pass
    found: set[SSAValue] = set()
    while waiting:
        value = waiting.pop()
        if value not in found:
            found.add(value)
            waiting += _made_of(value)
    return found
