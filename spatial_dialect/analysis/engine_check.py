"""What an engine must do right whatever the others do: the engine-local rules of choreography.

The code of each engine is interpreted abstractly. The state is, for every ring, how many pages are
reserved and how many are waited for, the live accumulator, and the group whose path is held. Loops
cost no more than their text: what a body does to a counter is `x -> max(x - takes, gives)`, a form
closed under composition, so that the state in which the last iteration starts is known without
running the ones before; the body is checked for the first and, if that differs, for the last one.

In structured code a rule must hold on every path. Once an engine has several blocks, paths that
cannot happen look like those that can, so there only what is wrong on every path is reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal, TypeAlias

from xdsl.dialects import affine, scf
from xdsl.dialects.builtin import AnyFloat, IntegerType
from xdsl.ir import Block, Operation, Region, SSAValue

from spatial_dialect.analysis.loop_counts import loop_count
from spatial_dialect.dialects.choreo import (
    AccumulatingOp,
    AcquireOp,
    AllReduceOp,
    DotOp,
    EngineOp,
    FlushOp,
    LoadIndexOp,
    MapOp,
    MatmulOp,
    McastSendOp,
    McastSetValidOp,
    PackOp,
    PopOp,
    PushOp,
    ReadBarrierOp,
    ReadTilesOp,
    ReduceOp,
    ReleaseOp,
    ReserveOp,
    RingOp,
    SemaphoresOp,
    SemIncOp,
    SemSetOp,
    SemWaitOp,
    TransferOp,
    WaitOp,
    WriteBarrierOp,
    WriteTilesOp,
)
from spatial_dialect.dialects.spatial import BufferOp, GroupOp, ProgramOp
from spatial_dialect.ir.attributes import EngineAttr, Handshake
from spatial_dialect.ir.diagnostics import Findings, describe, value_name
from spatial_dialect.ir.sites import Sites
from spatial_dialect.ir.types import AccumulatorType, BufferType, GroupType, ReadyType, ValidType
from spatial_dialect.targets import Target

_MOVES = (
    *(TransferOp, LoadIndexOp, ReadBarrierOp, WriteBarrierOp, FlushOp),
    *(SemWaitOp, SemSetOp, SemIncOp, McastSendOp, McastSetValidOp),
)
"""The ops of movement engines."""

_COMPUTES = (AcquireOp, AccumulatingOp)
"""The ops of compute engines."""


def check_engines(program: ProgramOp, findings: Findings) -> None:
    """Check each engine of a program by itself, and that engines share sites and rings rightly.

    What engines do to each other is not judged here.
    """
    engines = tuple(op for op in program.body.block.ops if isinstance(op, EngineOp))
    if not engines:
        return
    grid, machine = program.grid_sites, program.machine
    if grid is None or machine is None:
        missing = "grid" if grid is None else "target"
        findings.error(program, f"has engines, but no {missing}", hint=f"give it a `{missing}`")
        return
    _check_places(engines, grid, machine, findings)
    used = _Used({}, {}, {})
    for engine in engines:
        _EngineCheck(engine, machine, used, findings).run()
    for (ring, role), users in used.rings.items():
        _check_disjoint(
            users,
            findings,
            f"{role} {value_name(ring)} on sites {{sites}}, where {{other}} does so too",
            "a ring has one engine that fills it and one that empties it: give each its own buffer",
        )
    _check_requires(program, machine, used.kinds, findings)


@dataclass(frozen=True)
class _Used:
    """What the engines of a program use."""

    rings: dict[tuple[SSAValue, str], dict[EngineOp, None]]
    """The engines at each end of a ring."""
    kinds: dict[Handshake, Operation]
    """The kinds of handshake, each with an op that uses it."""
    sides: dict[tuple[SSAValue, str], Sites]
    """The sites of the senders, the receivers or both of a group."""


def _check_places(
    engines: Sequence[EngineOp], grid: Sites, machine: Target, findings: Findings
) -> None:
    """Engines exist, stand inside the grid, and not two of a kind on one site."""
    by_kind: dict[EngineAttr, list[EngineOp]] = {}
    for op in engines:
        by_kind.setdefault(op.engine, []).append(op)
        if op.engine.data >= machine.move_engines:
            findings.error(
                op,
                f"runs on `{op.engine}`, but target '{machine.name}' has "
                f"{machine.move_engines} movement engines, numbered from 0",
            )
        if not op.sites <= grid:
            findings.error(
                op, f"runs on sites {op.sites - grid}, outside the grid, which is {grid}"
            )
    for kind, same in by_kind.items():
        _check_disjoint(
            same,
            findings,
            f"runs on `{kind}` of sites {{sites}}, where {{other}} runs already",
            "each engine of a site has one program: give the two disjoint sets of sites",
        )


def _check_disjoint(
    engines: Iterable[EngineOp], findings: Findings, message: str, hint: str
) -> None:
    """One error for each pair of engines that share sites."""
    engines = tuple(engines)
    union = Sites.of(rect for op in engines for rect in op.sites.rects)
    if union.count == sum(op.sites.count for op in engines):
        return
    for first, second in combinations(engines, 2):
        if common := first.sites & second.sites:
            findings.error(second, message.format(sites=common, other=describe(first)), hint=hint)


def _check_requires(
    program: ProgramOp,
    machine: Target,
    kinds: Mapping[Handshake, Operation],
    findings: Findings,
) -> None:
    """`requires` is what the engines use, and the target provides it."""
    provided = (*machine.handshakes_local, *machine.handshakes_remote)
    for kind, op in kinds.items():
        if str(kind) not in provided:
            findings.error(
                op,
                f"needs the handshake `{kind}`, but target '{machine.name}' provides "
                f"{', '.join(provided)}",
            )
    used = f"[{', '.join(kind for kind in Handshake if kind in kinds)}]"
    if program.requires is None:
        findings.error(
            program, "has engines, but does not say what it requires", hint=f"add requires {used}"
        )
    elif {attr.data for attr in program.requires} != set(kinds):
        said = ", ".join(attr.data for attr in program.requires)
        findings.error(program, f"requires [{said}], but its engines use {used}")


################################################################################
# One engine                                                                   #
################################################################################

_Kind: TypeAlias = Literal["reserved", "waited for"]
_Counter: TypeAlias = tuple[SSAValue, _Kind]
_Changes: TypeAlias = Mapping[_Counter, tuple[int, int]]
"""What code makes of counters: `(takes, gives)` makes `x` into `max(x - takes, gives)`."""

_NOTHING = -(1 << 100)
"""As `gives`: the counter does not depend on a request of this code."""


@dataclass(frozen=True)
class _State:
    """What is known at a point of an engine's code; counters that are not listed are 0."""

    counters: Mapping[_Counter, int]
    accumulators: frozenset[SSAValue | None]
    """What may be the live accumulator; None for none."""
    paths: frozenset[SSAValue | None]
    """The groups whose path may be held; None for none."""


_START = _State({}, frozenset((None,)), frozenset((None,)))


class _EngineCheck:
    """The abstract interpretation of one engine."""

    def __init__(self, engine: EngineOp, machine: Target, used: _Used, findings: Findings):
        self.engine = engine
        self.machine = machine
        self.used = used
        self.findings = findings
        self.sites = engine.sites
        self.strict = len(engine.body.blocks) == 1
        self.later_iteration = False
        self.silent = False
        self.reported: set[Operation] = set()
        self.changes: dict[Operation, _Changes] = {}

    def run(self) -> None:
        """Check the engine."""
        for op in self.engine.body.walk():
            self.check_operands(op)
        end = self.region(self.engine.body, _START)
        if live := self.surely(end.accumulators - {None}, end.accumulators):
            for acc in live:
                assert acc is not None
                assert isinstance(acc.owner, Operation)
                self.error(
                    acc.owner,
                    f"acquires {value_name(acc)}, which is not released at the end of the engine",
                    f"put `choreo.release {value_name(acc)}` behind its last use",
                )

    def error(self, op: Operation, message: str, hint: str | None = None) -> None:
        """Report the first thing wrong about an op."""
        if not self.silent and op not in self.reported:
            self.reported.add(op)
            where = ", in a later iteration of its loop" if self.later_iteration else ""
            self.findings.error(op, message + where, hint=hint)

    def surely(
        self, wrong: frozenset[SSAValue | None], all: frozenset[SSAValue | None]
    ) -> frozenset[SSAValue | None]:
        """What to report of the possibilities that are wrong: in lenient mode all must be."""
        return wrong if self.strict or wrong == all else frozenset()

    # Operands, whatever the state

    def check_operands(self, op: Operation) -> None:
        """What an op names belongs to the program, the engine and its sites."""
        for value in op.operands:
            match value.type:
                case BufferType():
                    self.check_owner(op, value, BufferOp, "ring", "spatial.buffer")
                case GroupType():
                    self.check_owner(op, value, GroupOp, "group", "spatial.group")
                case ReadyType() | ValidType():
                    self.check_owner(op, value, SemaphoresOp, "semaphore", "choreo.semaphores")
                    self.used.kinds.setdefault(Handshake.SEMAPHORE, op)
                case AccumulatorType():
                    self.check_owner(op, value, AcquireOp, "accumulator", "choreo.acquire")
                case _:
                    pass
        if isinstance(op, _COMPUTES if not self.engine.engine.is_compute else _MOVES):
            wanted = "the compute engine" if isinstance(op, _COMPUTES) else "a movement engine"
            self.error(op, f"stands on `{self.engine.engine}`, but is for {wanted}")
        match op:
            case RingOp():
                role = "fills" if isinstance(op, ReserveOp | PushOp) else "empties"
                self.used.rings.setdefault((op.buffer, role), {})[self.engine] = None
                if isinstance(buffer := op.buffer.owner, BufferOp):
                    self.used.kinds.setdefault(buffer.handshake.data, op)
                    if buffer.depth is None:
                        self.error(op, f"uses {value_name(op.buffer)}, which has no depth")
            case AcquireOp():
                self.check_size(op)
            case SemWaitOp() | SemSetOp() if isinstance(op.semaphore.owner, SemaphoresOp):
                # The copy of a flag on a sender is what it is sent from, and a count is of use to
                # senders only.
                counts = isinstance(op.semaphore.type, ReadyType)
                side = "senders" if counts else "receivers"
                self.check_side(op, op.semaphore.owner.group, side)
            case SemIncOp():
                self.check_side(op, op.group, "receivers")
            case McastSendOp():
                self.used.kinds.setdefault(Handshake.SEMAPHORE, op)
                self.check_side(op, op.group, "senders")
            case McastSetValidOp():
                self.check_side(op, op.group, "senders")
            case _:
                pass

    def check_owner(
        self, op: Operation, value: SSAValue, owner: type[Operation], what: str, name: str
    ) -> None:
        """A value comes straight from the op that makes such values."""
        if not isinstance(value.owner, owner):
            self.error(
                op,
                f"uses {value_name(value)} as {what}, which does not come from a `{name}` "
                "of its program",
            )

    def check_side(self, op: Operation, group: SSAValue, side: str) -> None:
        """The engine's sites take part in a group in the right role."""
        if not isinstance(group.owner, GroupOp):
            return
        sites = self.used.sides.get((group, side))
        if sites is None:
            owner = group.owner
            sites = owner.senders.data if side == "senders" else owner.receiving_sites
            self.used.sides[group, side] = sites
        if not self.sites <= sites:
            self.error(
                op,
                f"runs on {self.sites - sites}, but the {side} of {value_name(group)} are {sites}",
            )

    def check_size(self, op: AcquireOp) -> None:
        """An accumulator fits the target."""
        assert isinstance(op.acc.type, AccumulatorType)
        element = op.acc.type.element_type
        assert isinstance(element, AnyFloat | IntegerType)
        wide = element.bitwidth > 16
        room = self.machine.acc_tiles_32 if wide else self.machine.acc_tiles_16
        if op.acc.type.tiles.data > room:
            self.error(
                op,
                f"acquires {op.acc.type.tiles.data} tiles of {element}, but target "
                f"'{self.machine.name}' holds {room} of {32 if wide else 16} bits",
                "make the pages smaller, or use sub-blocks",
            )

    # Control flow

    def region(self, region: Region, state: _State) -> _State:
        """The state behind a region."""
        if (first := region.first_block) is None:
            return state
        if first.next_block is None:
            return self.block(first, state)
        # Several blocks: go round until nothing changes any more, then report.
        entry: dict[Block, _State] = {first: state}
        waiting = {first: None}
        silent, self.silent = self.silent, True
        while waiting:
            block, _ = waiting.popitem()
            after = self.block(block, entry[block])
            for successor in _successors(block):
                before = entry.get(successor)
                joined = after if before is None else self.join(before, after)
                if joined != before:
                    entry[successor] = joined
                    waiting[successor] = None
        self.silent = silent
        ends: list[_State] = []
        for block in region.blocks:
            if block in entry:
                after = self.block(block, entry[block])
                if not _successors(block):
                    ends.append(after)
        return self.join(*ends) if ends else replace(_START, counters=state.counters)

    def join(self, state: _State, *others: _State) -> _State:
        """What is known where paths meet: the least of each counter, or, if lenient, the most."""
        choose = min if self.strict else max
        for other in others:
            keys = dict.fromkeys((*state.counters, *other.counters))
            state = _State(
                _nonzero(
                    {k: choose(state.counters.get(k, 0), other.counters.get(k, 0)) for k in keys}
                ),
                state.accumulators | other.accumulators,
                state.paths | other.paths,
            )
        return state

    def block(self, block: Block, state: _State) -> _State:
        """The state behind a block."""
        for op in block.ops:
            if not op.regions:
                state = self.step(op, state)
            elif isinstance(op, MapOp):
                state = self.step(op, state)
            elif isinstance(op, affine.ForOp | scf.ForOp):
                state = self.loop(op, loop_count(op), state)
            elif isinstance(op, affine.IfOp | scf.IfOp):
                state = self.join(*(self.region(region, state) for region in op.regions))
            else:
                # Nothing is known about other ops: their regions run any number of times.
                state = self.loop(op, None, state)
        return state

    def loop(self, op: Operation, count: int | None, state: _State) -> _State:
        """The state behind a loop; None as count if only the run tells it."""
        first = self.regions(op, state)
        if count == 0:
            return state
        if first == state or count == 1:
            return first
        counters = dict(state.counters)
        changes = self.summary(op.regions)
        for key, (takes, gives) in changes.items():
            before = counters.get(key, 0)
            if count is not None:
                counters[key] = max(before - (count - 1) * takes, gives, 0)
            elif takes == 0 or before <= gives:
                counters[key] = max(before, gives)
            elif gives >= 0:
                counters[key] = gives
            else:
                ring, kind = key
                self.error(
                    op,
                    f"takes {takes} more {_pages(takes)} of {value_name(ring)} than are {kind} "
                    "in each of its iterations, whose number is known at run time only",
                    f"{'reserve' if kind == 'reserved' else 'wait for'} in the loop what it takes",
                )
                counters[key] = before
        last = replace(first, counters=_nonzero(counters))
        later, self.later_iteration = self.later_iteration, True
        after = self.regions(op, last)
        self.later_iteration = later
        return after if count is not None else self.join(state, first, after)

    def regions(self, op: Operation, state: _State) -> _State:
        """The state behind the regions of an op, one after the other."""
        for region in op.regions:
            state = self.region(region, state)
        return state

    def summary(self, regions: Iterable[Region]) -> _Changes:
        """What one run of some regions does to the counters."""
        total: dict[_Counter, tuple[int, int]] = {}

        def then(changes: _Changes) -> None:
            for key, (takes, gives) in changes.items():
                before, least = total.get(key, (0, _NOTHING))
                total[key] = (before + takes, max(least - takes, gives))

        for op in (op for region in regions for block in region.blocks for op in block.ops):
            match op:
                case ReserveOp() | WaitOp():
                    then({_counter(op): (0, op.pages.value.data)})
                case PushOp() | PopOp():
                    then({_counter(op): (op.pages.value.data, _NOTHING)})
                case _ if op.regions and not isinstance(op, MapOp):
                    if op not in self.changes:
                        self.changes[op] = self.nested_summary(op)
                    then(self.changes[op])
                case _:
                    pass
        return {key: change for key, change in total.items() if change != (0, _NOTHING)}

    def nested_summary(self, op: Operation) -> _Changes:
        """What an op with regions does to the counters."""
        if isinstance(op, affine.ForOp | scf.ForOp):
            count = loop_count(op)
            inner = self.summary(op.regions)
            if count is not None:
                return {k: (count * takes, gives) for k, (takes, gives) in inner.items() if count}
            # It may not run at all; that it only gives back as much as it takes is checked there.
            return {k: (takes, gives if takes else _NOTHING) for k, (takes, gives) in inner.items()}
        if isinstance(op, affine.IfOp | scf.IfOp):
            sides = [self.summary((region,)) for region in op.regions]
            keys = dict.fromkeys(key for side in sides for key in side)
            most, least = (max, min) if self.strict else (min, max)
            idle = (0, _NOTHING)
            return {
                key: (
                    most(side.get(key, idle)[0] for side in sides),
                    least(side.get(key, idle)[1] for side in sides),
                )
                for key in keys
            }
        return {}

    # Single ops

    def step(self, op: Operation, state: _State) -> _State:
        """The state behind an op without control flow."""
        match op:
            case ReserveOp() | WaitOp():
                key = _counter(op)
                most = max(state.counters.get(key, 0), op.pages.value.data)
                return replace(state, counters={**state.counters, key: most})
            case PushOp() | PopOp():
                key, pages = _counter(op), op.pages.value.data
                self.need(op, state, *key, pages, "pushes" if isinstance(op, PushOp) else "pops")
                rest = max(0, state.counters.get(key, 0) - pages)
                return replace(state, counters=_nonzero({**state.counters, key: rest}))
            case AcquireOp():
                if live := self.surely(state.accumulators - {None}, state.accumulators):
                    names = " or ".join(value_name(acc) for acc in live if acc is not None)
                    self.error(
                        op,
                        f"acquires a second accumulator while {names} is live",
                        "an engine has one at a time: put a `choreo.release` before it",
                    )
                return replace(state, accumulators=frozenset((op.acc,)))
            case McastSendOp() | McastSetValidOp():
                return self.multicast(op, state)
            case AccumulatingOp():
                wrong = state.accumulators - {op.acc}
                if self.surely(wrong, state.accumulators):
                    self.error(
                        op,
                        f"uses accumulator {value_name(op.acc)}, which is not live at this point",
                        "an accumulator lives from its `choreo.acquire` to its `choreo.release`",
                    )
                if isinstance(op, ReleaseOp):
                    return replace(state, accumulators=frozenset((None,)))
                if isinstance(op, PackOp):
                    self.need(op, state, op.buffer, "reserved", 1, "fills")
            case ReadTilesOp():
                self.need(op, state, op.buffer, "reserved", 1, "fills")
            case _:
                pass
        for buffer in _read_pages(op):
            self.need(op, state, buffer, "waited for", 1, "reads")
        return state

    def multicast(self, op: McastSendOp | McastSetValidOp, state: _State) -> _State:
        """A held path is for the next multicast of the engine only, which must be to its group."""
        held = state.paths - {None, op.group}
        if self.surely(held, state.paths):
            names = " or ".join(value_name(group) for group in held if group is not None)
            self.error(
                op,
                f"multicasts to {value_name(op.group)}, while the path to {names} is held",
                "the next multicast after a `hold_path` send goes to the same group",
            )
        hold = False
        if isinstance(op, McastSendOp):
            self.need(op, state, op.buffer, "reserved", op.pages.value.data, "sends")
            hold = op.hold_path is not None
        return replace(state, paths=frozenset((op.group if hold else None,)))

    def need(
        self, op: Operation, state: _State, ring: SSAValue, kind: _Kind, pages: int, verb: str
    ) -> None:
        """An op needs so many pages that are reserved or waited for."""
        found = state.counters.get((ring, kind), 0)
        if found < pages:
            name, request = value_name(ring), "reserve" if kind == "reserved" else "wait"
            self.error(
                op,
                f"{verb} {pages} {_pages(pages)} of {name}, but {found or 'none'} "
                f"{'is' if found < 2 else 'are'} {kind} at this point",
                f"put `choreo.{request} {name}{'' if pages == 1 else f', {pages}'}` before it",
            )


def _counter(op: ReserveOp | PushOp | WaitOp | PopOp) -> _Counter:
    return op.buffer, "reserved" if isinstance(op, ReserveOp | PushOp) else "waited for"


def _read_pages(op: Operation) -> tuple[SSAValue, ...]:
    """The rings whose front page an op reads."""
    match op:
        case LoadIndexOp():
            return (op.buffer,)
        case WriteTilesOp():
            return (op.buffer,) if op.rows_from is None else (op.buffer, op.rows_from)
        case ReadTilesOp():
            return () if op.rows_from is None else (op.rows_from,)
        case MatmulOp():
            return (op.lhs, op.rhs) if op.reload is None else (op.lhs, op.rhs, op.reload)
        case DotOp():
            return (op.lhs, op.rhs)
        case MapOp() | AllReduceOp():
            return tuple(op.inputs)
        case ReduceOp():
            return (op.input,)
        case _:
            return ()


def _successors(block: Block) -> Sequence[Block]:
    return () if block.last_op is None else block.last_op.successors


def _nonzero(counters: Mapping[_Counter, int]) -> Mapping[_Counter, int]:
    return {key: count for key, count in counters.items() if count}


def _pages(count: int) -> str:
    return "page" if count == 1 else "pages"
