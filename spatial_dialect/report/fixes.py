"""The least change that makes a refuted program right, found by trying.

Each candidate is made on a copy of the program, which is proved anew; only one with which the
program is proved, and verifies, is ever suggested. The work is bounded by numbers of ops and steps,
not by time, so that the same program always gets the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.dialects import affine, scf
from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Block, Operation, OpResult
from xdsl.utils.exceptions import VerifyException

from spatial_dialect.dialects import choreo
from spatial_dialect.dialects.spatial import BufferOp, ProgramOp
from spatial_dialect.ir.diagnostics import warnings_to
from spatial_dialect.machine.code import Act, Instruction
from spatial_dialect.machine.proof import BUDGET, Verdict, prove
from spatial_dialect.machine.tokens import Check, Refuted
from spatial_dialect.report.hangs import Hang, hang
from spatial_dialect.report.names import op_text, quoted

ATTEMPTS = 60
"""The most candidates that are tried."""

WORK = 40_000
"""The most ops and steps of engines that all attempts together may take; about a second."""

STEPS = 1_000
"""The most steps of one attempt, apart from some times as many as it took to refute the program."""

LARGE = 10_000
"""Programs with more ops and steps are left alone."""

DEEPEST = 64
"""By how many pages a ring is deepened at most."""

FARTHEST = 4
"""By how many places an op is moved at most."""

Edit: TypeAlias = Callable[[Sequence[Operation]], None]
"""Changes the ops of a program, which are given in the order of `walk`."""


@dataclass(frozen=True)
class Fix:
    """A change of a program."""

    kind: str
    """`depth`, `insert`, `value` or `move`."""
    text: str
    """What to do, for a hint."""
    edit: Edit = field(repr=False)

    def apply(self, program: ProgramOp) -> ProgramOp:
        """A copy of a program, with the change."""
        copy = program.clone()
        copy.attributes.pop(choreo.VERDICT, None)  # it is about the program as it was
        self.edit(tuple(copy.walk()))
        return copy


def least_fix(program: ProgramOp, verdict: Verdict, *, on_full_grid: bool = False) -> Fix | None:
    """The first of all candidates with which the program is proved.

    Args:
        program: that was refuted.
        verdict: how.
        on_full_grid: whether every site is run.
    """
    if not isinstance(verdict.failure, Refuted) or verdict.run is None:
        return None
    return _Search(program, verdict, on_full_grid).result()


_BARRIERS: dict[Act, tuple[type[choreo.ReadBarrierOp | choreo.WriteBarrierOp], Act]] = {
    Act.READ: (choreo.ReadBarrierOp, Act.PUSH),
    Act.WRITE: (choreo.WriteBarrierOp, Act.POP),
}
"""By what starts a move: the barrier that ends it, and what must not come before."""

_DEEPER: frozenset[Check] = frozenset(
    ("deadlock", "slot-race", "contents", "ring-position", "wrap")
)
"""What a deeper ring may help against."""


class _Search:
    def __init__(self, program: ProgramOp, verdict: Verdict, on_full_grid: bool):
        assert isinstance(verdict.failure, Refuted)
        assert verdict.run is not None
        self.program = program
        self.verdict = verdict
        self.failure = verdict.failure
        self.run = verdict.run
        self.on_full_grid = on_full_grid
        self.ops = tuple(program.walk())
        self.numbers = {op: number for number, op in enumerate(self.ops)}
        self.attempts = 0
        self.work = 0
        self.sure: Fix | None = None
        """A candidate that has been proved already."""
        self.hang: Hang | None = None
        self.involved = self._involved()
        """Instructions that the failure is about, with the number of the engine of each."""

    def result(self) -> Fix | None:
        """The first candidate that is proved."""
        if len(self.ops) + self.verdict.steps > LARGE:
            return None
        for candidates in self.candidates():
            for fix in candidates:
                if fix is self.sure:
                    return fix
                if self.exhausted:
                    return None
                if self.proved(fix).status == "proved":
                    return fix
        return None

    @property
    def exhausted(self) -> bool:
        """Whether to give up."""
        return self.attempts >= ATTEMPTS or self.work >= WORK

    def proved(self, fix: Fix) -> Verdict:
        """The verdict on the program with a change; one that does not verify is not proved."""
        self.attempts += 1
        copy = fix.apply(self.program)
        budget = min(BUDGET, STEPS + 8 * self.verdict.steps)
        verdict = prove(copy, budget=budget, on_full_grid=self.on_full_grid)
        self.work += len(self.ops) + verdict.steps
        if verdict.status == "proved":
            self.work += 2 * len(self.ops)
            try:
                # What there is to say about a program that does not exist is of no interest.
                with warnings_to(lambda _: None):
                    copy.verify()
            except VerifyException as error:
                return Verdict("undecided", copy, str(error))
        return verdict

    # What it is about

    def _involved(self) -> list[tuple[int, Instruction]]:
        found: list[tuple[int, Instruction]] = []
        failure = self.failure
        if failure.check == "deadlock":
            self.hang = hang(self.run.machine, self.run.trips)
            blocked = sorted(
                self.hang.blocked,
                key=lambda b: self.hang is not None and b.thread.number not in self.hang.cycle,
            )
            found += ((b.thread.number, b.instruction) for b in blocked if b.instruction)
        if failure.thread is not None and failure.instruction is not None:
            found.append((failure.thread.number, failure.instruction))
        if failure.other is not None:
            found.append((failure.other.thread.number, failure.other.instruction))
        return found

    def engines(self) -> list[choreo.EngineOp]:
        """The engines that it is about, then those that touch the same rings and semaphores."""
        threads = self.run.machine.threads
        found = dict.fromkeys(threads[number].code.engine for number, _ in self.involved)
        if self.failure.thread is not None:
            found[threads[self.failure.thread.number].code.engine] = None
        rings, semaphores = set(self.rings()), set(self.semaphores())
        for thread in threads:
            if any(i.ring in rings or i.semaphore in semaphores for i in thread.code.instructions):
                found[thread.code.engine] = None
        return list(found)

    def rings(self) -> list[int]:
        """The rings that it is about."""
        rings: list[int] = [i.ring for _, i in self.involved if i.ring >= 0]
        if self.failure.ring is not None:
            rings.append(self.failure.ring.number)
        for _, instruction in self.involved:
            rings += instruction.reads
        return list(dict.fromkeys(rings))

    def semaphores(self) -> list[int]:
        """The semaphores that it is about, and the other ones of their groups."""
        numbering = self.run.numbering
        found = [i.semaphore for _, i in self.involved if i.semaphore >= 0]
        if self.failure.semaphore is not None:
            found.append(self.failure.semaphore[1])
        groups = [numbering.semaphores[number].group for number in found]
        groups += (i.group for _, i in self.involved if i.group >= 0)
        # Whether a sender may go on is told by the semaphores of the group it sends to.
        for ring in self.rings():
            for thread in self.run.machine.threads:
                groups += (
                    i.group
                    for i in thread.code.instructions
                    if i.act == Act.SEND and i.ring == ring
                )
        wanted = set(groups)
        found += (n for n, s in enumerate(numbering.semaphores) if s.group in wanted)
        return list(dict.fromkeys(found))

    def instructions(self, engine: choreo.EngineOp, *acts: Act) -> Iterator[Instruction]:
        """The instructions of an engine that do one of some things."""
        for thread in self.run.machine.threads:
            if thread.code.engine is engine:
                yield from (i for i in thread.code.instructions if i.act in acts)
                return

    # Candidates

    def candidates(self) -> Iterator[Iterable[Fix]]:
        """All candidates, by kind, the lesser changes first."""
        hangs = self.failure.check == "deadlock"
        # Where something is not waited for, a deeper ring may only hide it for a while.
        if hangs:
            yield self.deeper()
        yield self.flushes()
        yield self.barriers()
        if not hangs:
            yield self.deeper()
        yield self.resets()
        yield self.values()
        if self.failure.check == "leftover":
            # A push that is moved may leave a page behind that is filled for nobody.
            yield self.additions()
            yield self.moves()
        else:
            yield self.moves()
            yield self.additions()

    def deeper(self) -> Iterator[Fix]:
        """Rings with more pages."""
        if self.failure.check not in _DEEPER:
            return
        rings = self.rings()
        if self.hang is not None:
            rings = list(
                dict.fromkeys(
                    i.ring for _, i in self.involved if i.act == Act.RESERVE and i.ring >= 0
                )
            )
        for ring in rings:
            yield from self.deeper_ring(ring)

    def deeper_ring(self, ring: int) -> Iterator[Fix]:
        """One ring with more pages: as few more as are enough."""
        failing, more = 0, 1
        while more <= DEEPEST and not self.exhausted:
            fix = self.depth(ring, more)
            verdict = self.proved(fix)
            if verdict.status == "proved":
                # Between what is not enough and what is, the least that is.
                while more - failing > 1 and not self.exhausted:
                    middle = (failing + more) // 2
                    tried = self.depth(ring, middle)
                    if self.proved(tried).status == "proved":
                        more, fix = middle, tried
                    else:
                        failing = middle
                self.sure = fix
                yield fix
                return
            if not self.still_full(verdict, ring):
                return
            failing, more = more, more + 1 if more < 4 else more * 2

    def still_full(self, verdict: Verdict, ring: int) -> bool:
        """Whether a program with a deeper ring fails as if the ring were not deep enough."""
        failure = verdict.failure
        if not isinstance(failure, Refuted) or verdict.run is None:
            return False
        if failure.check != self.failure.check:
            return False
        if failure.check != "deadlock":
            return verdict.run.numbering.rings[ring].depth < 8
        for thread in verdict.run.machine.threads:
            if not thread.done and thread.place < len(thread.code.instructions):
                instruction = thread.code.instructions[thread.place]
                if instruction.act == Act.RESERVE and instruction.ring == ring:
                    return True
        return False

    def depth(self, ring: int, more: int) -> Fix:
        """A ring, and those in the same memory, with more pages."""
        rings = self.run.numbering.rings
        together = [r for r in rings if r.memory == rings[ring].memory]
        depth = rings[ring].depth + more
        numbers = [self.numbers[r.op] for r in together]

        def edit(ops: Sequence[Operation]) -> None:
            for number in numbers:
                op = ops[number]
                assert isinstance(op, BufferOp)
                op.depth = IntegerAttr(depth, i64)

        names = " and ".join(r.name for r in together)
        return Fix("depth", f"`depth {depth}` for {names} instead of {rings[ring].depth}", edit)

    def flushes(self) -> Iterator[Fix]:
        """A flush behind a send or a flag."""
        sends = {number: None for number, i in self.involved if i.act in (Act.SEND, Act.FLAG)}
        threads = self.run.machine.threads
        for thread in threads:
            # A page that nobody has sent yet, or a flag that came too early.
            if self.failure.check == "contents" and any(
                i.act == Act.SEND and i.ring in self.rings() for i in thread.code.instructions
            ):
                sends[thread.number] = None
        for engine in dict.fromkeys(threads[number].code.engine for number in sends):
            for act in (Act.SEND, Act.FLAG):
                for instruction in self.instructions(engine, act):
                    yield self.insert(lambda _: [choreo.FlushOp()], instruction.op, after=True)

    def barriers(self) -> Iterator[Fix]:
        """A barrier between a move and the push or the pop that tells of it."""
        threads = self.run.machine.threads
        moves = dict.fromkeys(
            (threads[number].code.engine, i.ring, i.act)
            for number, i in self.involved
            if i.act in _BARRIERS
        )
        for number, i in self.involved:
            act = {Act.PUSH: Act.READ, Act.SEND: Act.READ, Act.POP: Act.WRITE}.get(i.act)
            if act is not None:
                moves[threads[number].code.engine, i.ring, act] = None
        for engine, ring, act in moves:
            barrier, before = _BARRIERS[act]
            for instruction in self.instructions(engine, before, Act.SEND):
                if instruction.ring == ring and (instruction.act == before or act == Act.READ):
                    yield self.insert(lambda _, make=barrier: [make()], instruction.op, after=False)
            for instruction in self.instructions(engine, act):
                if instruction.ring == ring:
                    yield self.insert(lambda _, make=barrier: [make()], instruction.op, after=True)

    def resets(self) -> Iterator[Fix]:
        """A semaphore that is set back."""
        numbering = self.run.numbering
        for semaphore in self.semaphores():
            value = numbering.semaphores[semaphore].value
            for engine in self.engines():
                made = [
                    (i.op, True)
                    for i in self.instructions(engine, Act.SEM_WAIT)
                    if i.semaphore == semaphore
                ]
                made += (
                    (i.op, False)
                    for i in self.instructions(engine, Act.SEM_INC)
                    if i.group == numbering.semaphores[semaphore].group and i.semaphore != semaphore
                )
                for op, after in made:
                    # An operand of the copy is found by where its op stands.
                    assert isinstance(value, OpResult)
                    number, result = self.numbers[value.op], value.index
                    yield self.insert(
                        lambda ops, number=number, result=result: [
                            choreo.SemSetOp(ops[number].results[result], 0)
                        ],
                        op,
                        after=after,
                    )

    def values(self) -> Iterator[Fix]:
        """Waits for as many increments as there are receivers."""
        layout = self.run.layout
        numbering = self.run.numbering
        for semaphore in self.semaphores():
            group = numbering.semaphores[semaphore].group
            links = layout.links[group]
            for thread in self.run.machine.threads:
                receivers = links.receivers.get(thread.cell, ())
                count = sum(links.weight[cell] for cell in receivers)
                for i in thread.code.instructions:
                    if (
                        i.act == Act.SEM_WAIT
                        and i.semaphore == semaphore
                        and count not in (0, i.count)
                        and isinstance(i.op, choreo.SemWaitOp)
                    ):
                        number = self.numbers[i.op]

                        def edit(
                            ops: Sequence[Operation], number: int = number, count: int = count
                        ) -> None:
                            op = ops[number]
                            assert isinstance(op, choreo.SemWaitOp)
                            op.value = IntegerAttr(count, i64)

                        yield Fix(
                            "value",
                            f"wait for {count}, the number of receivers, in {quoted(i.op)}",
                            edit,
                        )

    # Moves

    _MOVED = (
        (Act.WAIT, Act.RESERVE, Act.PUSH, Act.POP),
        (Act.SEM_SET, Act.READ_BARRIER, Act.WRITE_BARRIER, Act.FLUSH, Act.SEM_INC, Act.SEM_WAIT),
    )

    def moves(self) -> Iterator[Fix]:
        """An op some places further up or down, or in or out of a loop."""
        rings, semaphores = set(self.rings()), set(self.semaphores())
        movable: list[Operation] = []
        for acts in self._MOVED:
            for engine in self.engines():
                movable += (
                    i.op
                    for i in self.instructions(engine, *acts)
                    if (i.ring < 0 or i.ring in rings)
                    and (i.semaphore < 0 or i.semaphore in semaphores)
                )
        first = {i.op for _, i in self.involved}
        movable.sort(key=lambda op: op not in first)
        known: set[tuple[int, int, str]] = set()
        for distance in range(1, FARTHEST + 1):
            for op in movable:
                for anchor, where in self.places(op, distance):
                    key = self.numbers[op], self.numbers[anchor], where
                    if key not in known:
                        known.add(key)
                        yield self.move(op, anchor, where)

    def places(self, op: Operation, distance: int) -> Iterator[tuple[Operation, str]]:
        """Where an op can be moved to over some distance."""
        block = op.parent
        if block is None:
            return
        line = [each for each in block.ops if _matters(each)]
        here = line.index(op)
        for step, where in ((-distance, "before"), (distance, "after")):
            if 0 <= here + step < len(line):
                yield line[here + step], where
        if distance == 1:
            for step, where in ((-1, "at the end of"), (1, "at the start of")):
                if 0 <= here + step < len(line) and _is_loop(line[here + step]):
                    yield line[here + step], where
            parent = block.parent_op()
            if parent is not None and _is_loop(parent):
                yield parent, "before"
                yield parent, "after"

    def move(self, op: Operation, anchor: Operation, where: str) -> Fix:
        """An op somewhere else."""
        number, target = self.numbers[op], self.numbers[anchor]

        def edit(ops: Sequence[Operation]) -> None:
            moved, there = ops[number], ops[target]
            moved.detach()
            block = there.parent
            if where == "before" and block is not None:
                block.insert_op_before(moved, there)
            elif where == "after" and block is not None:
                block.insert_op_after(moved, there)
            else:
                assert isinstance(there, affine.ForOp | scf.ForOp)
                body = there.body.block
                anchor = body.first_op if where == "at the start of" else body.last_op
                if anchor is None:
                    body.add_op(moved)
                else:
                    body.insert_op_before(moved, anchor)

        return Fix("move", f"move {quoted(op)} {_WHERE.get(where, where)} {quoted(anchor)}", edit)

    # Additions

    def additions(self) -> Iterator[Fix]:
        """A page that is taken, or given, once more."""
        rings = self.run.numbering.rings
        if self.failure.check not in ("deadlock", "leftover", "contents", "request"):
            return
        for ring in self.rings():
            buffer = self.numbers[rings[ring].op]
            for engine in self.engines():
                for act, made in (
                    (Act.POP, (choreo.WaitOp, choreo.PopOp)),
                    (Act.WAIT, (choreo.PopOp,)),
                    (Act.WRITE_BARRIER, (choreo.PopOp,)),
                    (Act.COMPUTE, (choreo.PopOp,)),
                    (Act.READ_BARRIER, (choreo.PushOp,)),
                    (Act.PACK, (choreo.PushOp,)),
                ):
                    for i in self.instructions(engine, act):
                        barrier = i.act in (Act.READ_BARRIER, Act.WRITE_BARRIER)
                        if barrier or ring in (i.ring, *i.reads):
                            for anchor in (i.op, *_loops_around(i.op)):
                                yield self.insert(
                                    lambda ops, made=made, buffer=buffer: [
                                        kind(ops[buffer].results[0]) for kind in made
                                    ],
                                    anchor,
                                    after=True,
                                )

    def insert(
        self,
        make: Callable[[Sequence[Operation]], list[choreo.ChoreoOp]],
        anchor: Operation,
        *,
        after: bool,
    ) -> Fix:
        """New ops next to another one."""
        number = self.numbers[anchor]

        def edit(ops: Sequence[Operation]) -> None:
            there = ops[number]
            block = there.parent
            assert isinstance(block, Block)
            if after:
                block.insert_ops_after(make(ops), there)
            else:
                block.insert_ops_before(make(ops), there)

        made = make(self.ops)
        names = " and ".join(f"`{op_text(op)}`" for op in made)
        for op in made:
            op.erase()
        return Fix(
            "insert", f"put {names} {'behind' if after else 'before'} {quoted(anchor)}", edit
        )


_WHERE = {"after": "behind", "at the end of": "to the end of", "at the start of": "to the start of"}


def _is_loop(op: Operation) -> bool:
    return isinstance(op, affine.ForOp | scf.ForOp)


def _loops_around(op: Operation) -> Iterator[Operation]:
    """The loops that an op is in, innermost first."""
    parent = op.parent_op()
    while parent is not None and _is_loop(parent):
        yield parent
        parent = parent.parent_op()


def _matters(op: Operation) -> bool:
    """Whether it makes a difference if something comes before or after an op."""
    return (op.name.startswith("choreo.") and not isinstance(op, choreo.EndOp)) or _is_loop(op)
