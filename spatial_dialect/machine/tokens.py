"""The token reading of a run: who has seen what, and whether all that happens is in order.

Pages hold no values here but stamps, the ring and index they were made for. Every event is checked
against what the rules of the proof ask for, see `docs/proof.md`; the first one that breaks a rule
raises `Refuted`, one that the rules cannot judge raises `Undecided`. If a run ends without either,
every run of the program does, in whatever order the engines take their turns and moves land.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal, TypeAlias

from xdsl.ir import SSAValue

from spatial_dialect.machine.clocks import Access, Clock, Point, Record, join, seen
from spatial_dialect.machine.code import Act, Instruction
from spatial_dialect.machine.semantics import Handler, Machine, RingState, Thread
from spatial_dialect.machine.usage import Usage

Check: TypeAlias = Literal[
    "deadlock",
    "leftover",
    "request",
    "two-ends",
    "slot-race",
    "semaphore-race",
    "stale-wait",
    "contents",
    "wrap",
    "ring-position",
    "in-flight-at-end",
    "semaphore-end",
    "modulus",
]
"""The rules that a program can break."""

Reason: TypeAlias = Literal[
    "sources",
    "tensor-both-ways",
    "coordinate-bounds",
    "trip-varies",
    "no-period",
    "grid",
    "unknown-op",
]
"""Why a program cannot be judged."""


class Refuted(Exception):
    """A rule is broken."""

    def __init__(
        self,
        check: Check,
        message: str,
        *,
        thread: Thread | None = None,
        instruction: Instruction | None = None,
        other: Record | None = None,
        hint: str | None = None,
        ring: RingState | None = None,
        semaphore: tuple[int, int] | None = None,
    ):
        self.check: Check = check
        self.message = message
        self.thread = thread
        """The engine at which it shows."""
        self.instruction = instruction
        """What it does there."""
        self.other = other
        """The access that is in the way, if there is one."""
        self.hint = hint
        self.ring = ring
        """The ring it is about."""
        self.semaphore = semaphore
        """Cell and number of the semaphore it is about."""
        super().__init__(message)


class Undecided(Exception):
    """The rules cannot judge the program."""

    sources: Sequence[tuple[int, int]] = ()
    """Engines whose increments may stand in for each other, with the number of each event."""

    def __init__(
        self,
        reason: Reason,
        message: str,
        instruction: Instruction | None = None,
        thread: Thread | None = None,
    ):
        self.reason: Reason = reason
        self.message = message
        self.instruction = instruction
        self.thread = thread
        super().__init__(message)


Stamp: TypeAlias = tuple[int, int, int]
"""Cell, ring and index of a page."""


@dataclass(slots=True, eq=False)
class Slot:
    """A page of memory."""

    stamp: Stamp | None = None
    write: Record | None = None
    """The last one."""
    readers: dict[int, Point] = field(default_factory=dict[int, Point])
    """The last event of each engine that has read it since."""
    reads: list[Access] = field(default_factory=list[Access])
    """Other reads since."""


@dataclass(slots=True, eq=False)
class Increment:
    """Some increments of a semaphore that one event stands for."""

    access: Access
    clock: Clock
    amount: int
    sources: int
    """How many engines it stands for."""


@dataclass(slots=True, eq=False)
class GeWait:
    """A wait for at least some value, and what later increments must not do behind its back."""

    point: Point
    only: Thread | None
    """If not None: only this engine's increments may come without being after the wait."""


@dataclass(slots=True, eq=False)
class Epoch:
    """A value that a semaphore was set to, and what happened to it since."""

    base: int
    set: Record | None = None
    """None for the value at the start."""
    clock: Clock | None = None
    """Of the event that set it."""
    sum: int = 0
    increments: list[Increment] = field(default_factory=list[Increment])
    eq_waits: dict[int, Point] = field(default_factory=dict[int, Point])
    """The last one of each engine."""
    ge_waits: dict[int, Point] = field(default_factory=dict[int, Point])
    guarded: list[GeWait] = field(default_factory=list[GeWait])
    """Waits that depend on where increments come from."""


@dataclass(slots=True, eq=False)
class SemaphoreTokens:
    """The history of a semaphore on one cell, as far as somebody may not have seen it."""

    epochs: list[Epoch]
    first_is_set: bool | None = None
    """Whether its first access was a set; None before that."""
    start_matters: bool = False
    """Whether anything would be different with another value at the start."""


@dataclass(slots=True, eq=False)
class Send:
    """A multicast of a page, as far as its engine's later events matter to it."""

    group: int
    leaving: Access
    landings: dict[int, Access]
    """By receiving cell."""
    held: bool
    """The next flag takes the same path."""
    flushed: bool = False


@dataclass(slots=True, eq=False)
class RingTokens:
    """What has been seen of a ring on one cell."""

    filler: Thread | None = None
    taker: Thread | None = None
    pushes: dict[int, Clock] = field(default_factory=dict[int, Clock])
    """By position: the clock of the last push of a page there."""
    pops: dict[int, Clock] = field(default_factory=dict[int, Clock])
    reserves: dict[int, Point] = field(default_factory=dict[int, Point])
    """By position: what reserved the page."""


@dataclass(slots=True, eq=False)
class ThreadTokens:
    """What an engine has seen and started."""

    clock: list[int]
    reads: list[Access] = field(default_factory=list[Access])
    """Since its last read barrier."""
    writes: list[Access] = field(default_factory=list[Access])
    sends: list[Send] = field(default_factory=list[Send])
    path: int = -1
    """The group whose path is held, in code with jumps; -1 for none."""
    accumulator: SSAValue | None = None
    """The live one, in code with jumps."""


class Tokens:
    """The token reading of a machine, attached to it when made.

    Args:
        machine: a fresh machine.
        trips: the run-time trips, by number.
        users: who touches what.
        searching: whether only a broken rule is of interest. Then increments that come later than
            those a wait has counted are nobody's concern.
    """

    def __init__(
        self, machine: Machine, trips: Sequence[int], users: Usage, *, searching: bool = False
    ):
        self.searching = searching
        self.machine = machine
        self.users = users
        self.trips = trips
        self.ordered = machine.numbering.ordered
        self.modulus = machine.numbering.target.max_pages_counter
        count = len(machine.threads)
        self.threads = [ThreadTokens([0] * count) for _ in range(count)]
        self.rings = [[RingTokens() for _ in cell] for cell in machine.rings]
        self.semaphores = [
            [SemaphoreTokens([Epoch(value)]) for value in cell] for cell in machine.semaphores
        ]
        self.slots: dict[tuple[int, int, int], Slot] = {}
        """By cell, memory and position."""
        self.open: dict[Access, None] = {}
        """The accesses that nothing closes yet."""
        self._memory = [ring.memory for ring in machine.numbering.rings]
        machine.attach(self)

    def handlers(self) -> Mapping[Act, Handler]:
        """What to do at each event."""
        return {
            Act.RESERVE: self._reserve,
            Act.PUSH: self._push,
            Act.WAIT: self._wait,
            Act.POP: self._pop,
            Act.READ: self._read,
            Act.READ_BARRIER: self._read_barrier,
            Act.WRITE: self._write,
            Act.WRITE_BARRIER: self._write_barrier,
            Act.SEM_WAIT: self._sem_wait,
            Act.SEM_SET: self._sem_set,
            Act.SEM_INC: self._sem_inc,
            Act.SEND: self._send,
            Act.FLAG: self._flag,
            Act.FLUSH: self._flush,
            Act.LOAD_INDEX: self._compute,
            Act.COMPUTE: self._compute,
            Act.PACK: self._pack,
            Act.ACQUIRE: self._acquire,
            Act.RELEASE: self._release,
            Act.TRIP: self._trip,
            Act.ITEM: self._other,
        }

    # Points and accesses

    def _tick(self, thread: Thread) -> list[int]:
        """Counts an event of an engine in its clock."""
        clock = self.threads[thread.number].clock
        clock[thread.number] += 1
        return clock

    def _point(self, thread: Thread, instruction: Instruction) -> Point:
        """The event that is happening."""
        clock = self.threads[thread.number].clock
        return Point(thread, clock[thread.number], instruction)

    def _start(
        self, thread: Thread, instruction: Instruction, what: str, users: Sequence[int]
    ) -> Access:
        """Something that the event starts."""
        clock = self.threads[thread.number].clock
        access = Access(thread, clock[thread.number], instruction, what, users, [])
        self.open[access] = None
        return access

    def _close(self, access: Access, point: Point) -> None:
        # Whoever has seen a later event of an engine has seen the earlier one.
        if all(known.thread is not point.thread for known in access.closers):
            access.closers.append(point)
        self.open.pop(access, None)

    # Rings

    def _ends(self, thread: Thread, instruction: Instruction, *, fills: bool) -> RingTokens:
        """The tokens of a ring; only one engine may be at each of its ends."""
        tokens = self.rings[thread.cell][instruction.ring]
        known = tokens.filler if fills else tokens.taker
        if known is None:
            if fills:
                tokens.filler = thread
            else:
                tokens.taker = thread
        elif known is not thread:
            raise Refuted(
                "two-ends",
                f"is a second engine that {'fills' if fills else 'empties'} "
                f"{self._ring(instruction)} here: {self.name(known)} does so too",
                thread=thread,
                instruction=instruction,
                hint="a ring has one engine at each end: give each its own buffer",
            )
        return tokens

    def _reserve(self, thread: Thread, instruction: Instruction) -> None:
        clock = self._tick(thread)
        tokens = self._ends(thread, instruction, fills=True)
        ring, count = thread.rings[instruction.ring], instruction.count
        freed = ring.pushed + count - ring.depth - 1
        if freed >= 0 and (pop := tokens.pops.get(freed % ring.depth)) is not None:
            join(clock, pop)
        if count > ring.reserved:
            point = self._point(thread, instruction)
            for index in range(ring.pushed + ring.reserved, ring.pushed + count):
                tokens.reserves[index % ring.depth] = point

    def _push(self, thread: Thread, instruction: Instruction) -> None:
        clock = self._tick(thread)
        tokens = self._ends(thread, instruction, fills=True)
        ring, count = thread.rings[instruction.ring], instruction.count
        if ring.reserved < count:
            raise self._request(thread, instruction, "pushes", "reserved", ring.reserved)
        self._check_wrap(thread, instruction, ring, ring.pushed, "pushes")
        snapshot = tuple(clock)
        point = self._point(thread, instruction)
        for index in range(ring.pushed, ring.pushed + count):
            position = index % ring.depth
            slot = self._holding(thread, instruction, instruction.ring, index, "pushes")
            if not seen(slot.write, clock):
                assert slot.write is not None
                raise Refuted(
                    "contents",
                    f"pushes page {index} of {self._ring(instruction)}, which may still be on its "
                    "way",
                    thread=thread,
                    instruction=instruction,
                    other=slot.write,
                    hint=_landing_hint(slot.write),
                    ring=ring,
                )
            # A push is a promise about what the page holds, so that nobody may write there at the
            # same time, even if nobody ever reads the page.
            self._accessed(slot, point, clock, thread, instruction)
            tokens.pushes[position] = snapshot
            tokens.reserves.pop(position, None)

    def _wait(self, thread: Thread, instruction: Instruction) -> None:
        clock = self._tick(thread)
        tokens = self._ends(thread, instruction, fills=False)
        ring = thread.rings[instruction.ring]
        last = ring.popped + instruction.count - 1
        if (push := tokens.pushes.get(last % ring.depth)) is not None:
            join(clock, push)

    def _pop(self, thread: Thread, instruction: Instruction) -> None:
        clock = self._tick(thread)
        tokens = self._ends(thread, instruction, fills=False)
        ring, count = thread.rings[instruction.ring], instruction.count
        if ring.waited < count:
            raise self._request(thread, instruction, "pops", "waited for", ring.waited)
        self._check_wrap(thread, instruction, ring, ring.popped, "pops")
        snapshot = tuple(clock)
        for index in range(ring.popped, ring.popped + count):
            tokens.pops[index % ring.depth] = snapshot

    def _check_wrap(
        self, thread: Thread, instruction: Instruction, ring: RingState, first: int, verb: str
    ) -> None:
        """Pages that are moved at once lie side by side, so they must not go around the end."""
        count, position = instruction.count, first % ring.depth
        if position + count > ring.depth:
            raise Refuted(
                "wrap",
                f"{verb} {count} pages of {self._ring(instruction)} from position {position}, but "
                f"the ring ends after {ring.depth}: pages that are moved at once lie side by side",
                thread=thread,
                instruction=instruction,
                hint=f"make the depth a multiple of {count}, or move the pages one by one",
                ring=ring,
            )

    def _request(
        self, thread: Thread, instruction: Instruction, verb: str, state: str, found: int
    ) -> Refuted:
        return Refuted(
            "request",
            f"{verb} {instruction.count} of {self._ring(instruction)}, but {found or 'none'} "
            f"{'is' if found < 2 else 'are'} {state}",
            thread=thread,
            instruction=instruction,
            hint=f"a page is {state} first",
            ring=thread.rings[instruction.ring] if instruction.ring >= 0 else None,
        )

    # Slots

    def _memory_users(self, cell: int, ring: int) -> Sequence[int]:
        """The engines that use a ring's memory."""
        return self.users.memories[cell, self._memory[ring]]

    def past(self, record: Record | None, users: Sequence[int]) -> bool:
        """Whether all engines that matter and still run have seen something."""
        threads = self.machine.threads
        return all(threads[user].done or seen(record, self.threads[user].clock) for user in users)

    def _slot(self, cell: int, ring: int, index: int) -> Slot:
        position = index % self.machine.rings[cell][ring].depth
        key = (cell, self._memory[ring], position)
        slot = self.slots.get(key)
        if slot is None:
            slot = self.slots[key] = Slot()
        return slot

    def _holding(
        self, thread: Thread, instruction: Instruction, ring: int, index: int, verb: str
    ) -> Slot:
        """The slot of a page, which must hold that page."""
        slot = self._slot(thread.cell, ring, index)
        if slot.stamp != (thread.cell, ring, index):
            name = self.machine.numbering.rings[ring].name
            raise Refuted(
                "contents",
                f"{verb} page {index} of {name}, but there is {self._stamp_text(slot.stamp)}",
                thread=thread,
                instruction=instruction,
                other=slot.write,
                hint=None
                if slot.stamp is not None
                else "a page is filled before: by `read_tiles` or `pack` here, or by a multicast "
                "from another site whose flag has been waited for",
                ring=thread.rings[ring],
            )
        return slot

    def _stamp_text(self, stamp: Stamp | None) -> str:
        if stamp is None:
            return "nothing yet"
        _, ring, index = stamp
        return f"page {index} of {self.machine.numbering.rings[ring].name}"

    def _written(
        self, slot: Slot, record: Record, clock: Clock, thread: Thread, instruction: Instruction
    ) -> None:
        """A write of a slot must come after its last write and all reads since."""
        for first in chain((slot.write,), slot.readers.values(), slot.reads):
            if first is not None and not seen(first, clock):
                raise self._race(slot, first, record, thread, instruction)
        slot.write = record
        slot.readers.clear()
        slot.reads.clear()

    def _accessed(
        self, slot: Slot, record: Record, clock: Clock, thread: Thread, instruction: Instruction
    ) -> None:
        """A read of a slot must come after its last write."""
        if slot.write is not None and not seen(slot.write, clock):
            raise self._race(slot, slot.write, record, thread, instruction)
        if type(record) is Point:
            slot.readers[record.thread.number] = record
        else:
            assert isinstance(record, Access)
            # Only now and then: if they are many, none of them may be past.
            if (count := len(slot.reads)) >= 8 and not count & (count - 1):
                slot.reads = [r for r in slot.reads if not self.past(r, r.users)]
            slot.reads.append(record)

    def _race(
        self,
        slot: Slot,
        first: Record,
        second: Record,
        thread: Thread,
        instruction: Instruction,
    ) -> Refuted:
        name = self._stamp_text(slot.stamp)
        return Refuted(
            "slot-race",
            f"{_doing(second)} where {name} is, while {self.doer(first)} may still "
            f"{_use(first)} it",
            thread=thread,
            instruction=instruction,
            other=first,
            hint=_race_hint(first),
        )

    def _front(
        self, thread: Thread, instruction: Instruction, ring: int, clock: Clock, record: Record
    ) -> None:
        """A read of the front page of a ring."""
        state = thread.rings[ring]
        tokens = self.rings[thread.cell][ring]
        if tokens.taker is not thread or state.waited < 1:
            if tokens.taker is not None and tokens.taker is not thread:
                self._ends(thread, _with_ring(instruction, ring), fills=False)
            raise self._request(
                thread, _with_ring(instruction, ring), "reads", "waited for", state.waited
            )
        slot = self._holding(thread, instruction, ring, state.popped, "reads")
        self._accessed(slot, record, clock, thread, instruction)

    def _filled(self, thread: Thread, instruction: Instruction) -> tuple[Slot, int]:
        """The slot of the page that an event fills, and its index."""
        ring = thread.rings[instruction.ring]
        self._ends(thread, instruction, fills=True)
        if ring.reserved < 1:
            raise self._request(thread, instruction, "fills", "reserved", ring.reserved)
        return self._slot(thread.cell, instruction.ring, ring.pushed), ring.pushed

    # Movement

    def _read(self, thread: Thread, instruction: Instruction) -> None:
        clock = self._tick(thread)
        for ring in instruction.reads:
            self._front(thread, instruction, ring, clock, self._point(thread, instruction))
        slot, index = self._filled(thread, instruction)
        access = self._start(
            thread, instruction, "fill", self._memory_users(thread.cell, instruction.ring)
        )
        self._written(slot, access, clock, thread, instruction)
        slot.stamp = (thread.cell, instruction.ring, index)
        self.threads[thread.number].reads.append(access)

    def _read_barrier(self, thread: Thread, instruction: Instruction) -> None:
        self._tick(thread)
        self._closed(self.threads[thread.number].reads, thread, instruction)

    def _write(self, thread: Thread, instruction: Instruction) -> None:
        clock = self._tick(thread)
        for ring in instruction.reads:
            self._front(thread, instruction, ring, clock, self._point(thread, instruction))
        access = self._start(
            thread, instruction, "read", self._memory_users(thread.cell, instruction.ring)
        )
        self._front(thread, instruction, instruction.ring, clock, access)
        self.threads[thread.number].writes.append(access)

    def _write_barrier(self, thread: Thread, instruction: Instruction) -> None:
        self._tick(thread)
        self._closed(self.threads[thread.number].writes, thread, instruction)

    def _closed(self, accesses: list[Access], thread: Thread, instruction: Instruction) -> None:
        """A barrier: all of these have ended."""
        if accesses:
            point = self._point(thread, instruction)
            for access in accesses:
                self._close(access, point)
            accesses.clear()

    def _compute(self, thread: Thread, instruction: Instruction) -> None:
        clock = self._tick(thread)
        if instruction.act == Act.COMPUTE:
            self._check_live(thread, instruction)
        point = self._point(thread, instruction)
        for ring in instruction.reads:
            self._front(thread, instruction, ring, clock, point)

    def _pack(self, thread: Thread, instruction: Instruction) -> None:
        clock = self._tick(thread)
        self._check_live(thread, instruction)
        slot, index = self._filled(thread, instruction)
        point = self._point(thread, instruction)
        if instruction.flag and slot.stamp is None:
            raise Refuted(
                "contents",
                f"adds to page {index} of {self._ring(instruction)}, but there is nothing yet",
                thread=thread,
                instruction=instruction,
                hint="the first block packs without `accumulate`",
                ring=thread.rings[instruction.ring],
            )
        self._written(slot, point, clock, thread, instruction)
        slot.stamp = (thread.cell, instruction.ring, index)

    def _other(self, thread: Thread, instruction: Instruction) -> None:
        self._tick(thread)

    # In code without jumps the verifier looks after accumulators and held paths.

    def _acquire(self, thread: Thread, instruction: Instruction) -> None:
        self._tick(thread)
        if not thread.code.structured:
            mine = self.threads[thread.number]
            if mine.accumulator is not None:
                raise self._out_of_turn(
                    thread, instruction, "acquires an accumulator while another one is live"
                )
            (mine.accumulator,) = instruction.op.results

    def _release(self, thread: Thread, instruction: Instruction) -> None:
        self._tick(thread)
        self._check_live(thread, instruction)
        self.threads[thread.number].accumulator = None

    def _check_live(self, thread: Thread, instruction: Instruction) -> None:
        """An op works on the live accumulator."""
        if thread.code.structured:
            return
        live = self.threads[thread.number].accumulator
        if live is None or live not in instruction.op.operands:
            raise self._out_of_turn(
                thread, instruction, "uses an accumulator that is not live at this point"
            )

    def _check_path(self, thread: Thread, instruction: Instruction, *, hold: bool) -> None:
        """The multicast after one that holds the path goes to the same group."""
        if thread.code.structured:
            return
        mine = self.threads[thread.number]
        if mine.path not in (-1, instruction.group):
            raise self._out_of_turn(
                thread, instruction, "multicasts while the path to another group is held"
            )
        mine.path = instruction.group if hold else -1

    def _out_of_turn(self, thread: Thread, instruction: Instruction, message: str) -> Refuted:
        return Refuted("request", message, thread=thread, instruction=instruction)

    def _trip(self, thread: Thread, instruction: Instruction) -> None:
        self._tick(thread)
        thread.registers[instruction.results[0]] = self.trips[instruction.count]

    # Multicasts

    def _send(self, thread: Thread, instruction: Instruction) -> None:
        clock = self._tick(thread)
        ring = thread.rings[instruction.ring]
        self._ends(thread, instruction, fills=True)
        if ring.reserved < instruction.count:
            raise self._request(thread, instruction, "sends", "reserved", ring.reserved)
        self._check_wrap(thread, instruction, ring, ring.pushed, "sends")
        self._check_path(thread, instruction, hold=instruction.flag)
        links = self.machine.layout.links[instruction.group]
        sends = self.threads[thread.number].sends
        for send in sends:
            send.held = send.held and instruction.flag and send.group == instruction.group
        for index in range(ring.pushed, ring.pushed + instruction.count):
            slot = self._holding(thread, instruction, instruction.ring, index, "sends")
            leaving = self._start(
                thread, instruction, "send", self._memory_users(thread.cell, instruction.ring)
            )
            self._accessed(slot, leaving, clock, thread, instruction)
            landings: dict[int, Access] = {}
            for cell in links.receivers.get(thread.cell, ()):
                landings[cell] = self._landing(thread, instruction, cell, index, clock)
            sends.append(Send(instruction.group, leaving, landings, instruction.flag))

    def _landing(
        self, thread: Thread, instruction: Instruction, cell: int, index: int, clock: Clock
    ) -> Access:
        """Data of a multicast on one receiver: it lands at the sender's position of the ring."""
        ring = self.machine.rings[cell][instruction.ring]
        position = index % ring.depth
        there = ring.pushed + (position - ring.pushed) % ring.depth
        where = self.machine.layout.cells[cell]
        reserve = self.rings[cell][instruction.ring].reserves.get(position)
        if there >= ring.pushed + ring.reserved or reserve is None:
            raise Refuted(
                "ring-position",
                f"sends to position {position} of {self._ring(instruction)} at {where}, where "
                + (
                    f"position {ring.pushed % ring.depth} is reserved"
                    if ring.reserved
                    else "no page is reserved"
                ),
                thread=thread,
                instruction=instruction,
                hint="sender and receiver push the same number of pages before each multicast, and "
                "the receiver reserves before it says that it is ready",
                ring=ring,
            )
        if not seen(reserve, clock):
            raise Refuted(
                "ring-position",
                f"sends to {self._ring(instruction)} at {where}, without knowing that the page is "
                "reserved there",
                thread=thread,
                instruction=instruction,
                other=reserve,
                hint="the receiver says that it is ready after its `reserve`, and the sender waits "
                "for that",
                ring=ring,
            )
        slot = self._slot(cell, instruction.ring, there)
        access = self._start(
            thread, instruction, "landing", self._memory_users(cell, instruction.ring)
        )
        self._written(slot, access, clock, thread, instruction)
        slot.stamp = (cell, instruction.ring, there)
        return access

    def _flag(self, thread: Thread, instruction: Instruction) -> None:
        clock = self._tick(thread)
        tokens = self.threads[thread.number]
        links = self.machine.layout.links[instruction.group]
        self._check_path(thread, instruction, hold=False)
        snapshot = tuple(clock)
        before = [
            send
            for send in tokens.sends
            if send.group == instruction.group and (send.flushed or (self.ordered and send.held))
        ]
        for cell in links.receivers.get(thread.cell, ()):
            flag = FlagAccess(
                thread,
                clock[thread.number],
                instruction,
                "flag",
                self.users.semaphores[cell, instruction.semaphore],
                [],
                [access for send in before for access in (send.landings[cell], send.leaving)],
            )
            self.open[flag] = None
            self._set(thread, instruction, cell, 1, flag, snapshot)
            self.machine.signal(cell, instruction.semaphore)
        for send in tokens.sends:
            send.held = False
        tokens.sends = [send for send in tokens.sends if not self._settled(send)]

    def _settled(self, send: Send) -> bool:
        """Whether no closer can tell anybody anything new about a send."""
        return all(
            self.past(access, access.users) for access in (send.leaving, *send.landings.values())
        )

    def _flush(self, thread: Thread, instruction: Instruction) -> None:
        self._tick(thread)
        if not instruction.flag:
            return
        tokens = self.threads[thread.number]
        if tokens.sends:
            point = self._point(thread, instruction)
            for send in tokens.sends:
                if not send.flushed:
                    self._close(send.leaving, point)
                    send.flushed = True
            tokens.sends = [send for send in tokens.sends if not self._settled(send)]

    # Semaphores

    def _sem_wait(self, thread: Thread, instruction: Instruction) -> None:
        clock = self._tick(thread)
        tokens = self.semaphores[thread.cell][instruction.semaphore]
        if tokens.first_is_set is None:
            tokens.first_is_set = False
            tokens.start_matters = True
        epoch = tokens.epochs[-1]
        if not seen(epoch.set, clock):
            self._check_stale(thread, instruction, tokens, clock)
        point = self._point(thread, instruction)
        if instruction.flag:
            joined = self._enough(thread, instruction, epoch, clock, point)
            epoch.ge_waits[thread.number] = point
        else:
            joined = epoch.increments
            epoch.eq_waits[thread.number] = point
        if epoch.clock is not None:
            join(clock, epoch.clock)
        if isinstance(epoch.set, FlagAccess):
            self._close(epoch.set, point)
            for access in epoch.set.after:
                self._close(access, point)
        for increment in joined:
            join(clock, increment.clock)
            self._close(increment.access, point)

    def _check_stale(
        self, thread: Thread, instruction: Instruction, tokens: SemaphoreTokens, clock: Clock
    ) -> None:
        """No earlier value, for all that the engine knows, may have let it pass."""
        known = max(i for i, epoch in enumerate(tokens.epochs) if seen(epoch.set, clock))
        tokens.start_matters |= tokens.epochs[known].set is None
        for number, epoch in enumerate(tokens.epochs[known:-1]):
            least = epoch.base
            if number == 0:
                least += sum(i.amount for i in epoch.increments if seen(i.access, clock))
            most = epoch.base + epoch.sum
            value = instruction.count
            if most >= value if instruction.flag else least <= value <= most:
                raise Refuted(
                    "stale-wait",
                    f"may pass before {self.doer(tokens.epochs[-1].set)} sets "
                    f"{self._semaphore(instruction)} to {tokens.epochs[-1].base}: it may have "
                    f"been {value} already",
                    thread=thread,
                    instruction=instruction,
                    other=tokens.epochs[-1].set,
                    hint="set it to another value before anybody is told to set it to this one",
                    semaphore=(thread.cell, instruction.semaphore),
                )

    def _enough(
        self,
        thread: Thread,
        instruction: Instruction,
        epoch: Epoch,
        clock: Clock,
        point: Point,
    ) -> Iterable[Increment]:
        """The increments that a wait for at least a value has surely waited for."""
        unknown: list[Increment] = []
        need = instruction.count - epoch.base
        for increment in epoch.increments:
            if seen(increment.access, clock):
                need -= increment.amount
            else:
                unknown.append(increment)
        if need <= 0:
            return ()
        sources = {increment.access.thread.number for increment in unknown}
        if len(sources) == 1 and all(i.sources == 1 for i in unknown):
            epoch.guarded.append(GeWait(point, unknown[0].access.thread))
            for number, increment in enumerate(unknown):
                need -= increment.amount
                if need <= 0:
                    return unknown[: number + 1]
        if sum(increment.amount for increment in unknown) != need:
            raise self._many_sources(thread, instruction, unknown)
        epoch.guarded.append(GeWait(point, None))
        return unknown

    def _many_sources(
        self, thread: Thread, instruction: Instruction, increments: Sequence[Increment]
    ) -> Undecided:
        undecided = Undecided(
            "sources",
            f"increments of {self._semaphore(instruction)} from several engines may stand in for "
            "each other",
            instruction,
            thread,
        )
        undecided.sources = [(i.access.thread.number, i.access.index) for i in increments]
        return undecided

    def _set(
        self,
        thread: Thread,
        instruction: Instruction,
        cell: int,
        value: int,
        record: Record,
        snapshot: Clock,
    ) -> None:
        """A set must come after all that was done with the value before."""
        tokens = self.semaphores[cell][instruction.semaphore]
        if tokens.first_is_set is None:
            tokens.first_is_set = True
        last = tokens.epochs[-1]
        for first in chain(
            (last.set,),
            (increment.access for increment in last.increments),
            last.eq_waits.values(),
            last.ge_waits.values(),
        ):
            if not seen(first, snapshot):
                assert first is not None
                raise self._semaphore_race(thread, instruction, cell, first)
        self._check_modulus(thread, instruction, cell, value)
        tokens.epochs.append(Epoch(value, record, snapshot))
        # What all who wait for it have seen is past.
        waiters = self.users.waiters.get((cell, instruction.semaphore), ())
        while len(tokens.epochs) > 1 and self.past(tokens.epochs[1].set, waiters):
            del tokens.epochs[0]

    def _semaphore_race(
        self, thread: Thread, instruction: Instruction, cell: int, first: Record
    ) -> Refuted:
        here = self.machine.layout.cells[cell]
        return Refuted(
            "semaphore-race",
            f"{_doing_semaphore(instruction)} {self._semaphore(instruction)} of {here}, "
            f"not ordered with {self.doer(first)}, which {_use_semaphore(first)} it",
            thread=thread,
            instruction=instruction,
            other=first,
            hint="one of the two must be known to have happened before the other",
            semaphore=(cell, instruction.semaphore),
        )

    def _sem_set(self, thread: Thread, instruction: Instruction) -> None:
        clock = self._tick(thread)
        point = self._point(thread, instruction)
        self._set(thread, instruction, thread.cell, instruction.count, point, tuple(clock))

    def _sem_inc(self, thread: Thread, instruction: Instruction) -> None:
        clock = self._tick(thread)
        links = self.machine.layout.links[instruction.group]
        cell, weight = links.sender[thread.cell], links.weight[thread.cell]
        tokens = self.semaphores[cell][instruction.semaphore]
        if tokens.first_is_set is None:
            tokens.first_is_set = False
            tokens.start_matters = True
        epoch = tokens.epochs[-1]
        for first in chain((epoch.set,), epoch.eq_waits.values()):
            if not seen(first, clock):
                assert first is not None
                raise self._semaphore_race(thread, instruction, cell, first)
        for wait in () if self.searching else epoch.guarded:
            alone = wait.only is thread and weight == 1
            if not alone and not seen(wait.point, clock):
                unknown = [i for i in epoch.increments if not seen(i.access, clock)]
                raise self._many_sources(wait.point.thread, wait.point.instruction, unknown)
        access = self._start(
            thread, instruction, "increment", self.users.semaphores[cell, instruction.semaphore]
        )
        amount = instruction.count * weight
        epoch.increments.append(Increment(access, tuple(clock), amount, weight))
        epoch.sum += amount
        self._check_modulus(thread, instruction, cell, epoch.base + epoch.sum)
        self.machine.raise_(cell, instruction.semaphore, amount)

    def _check_modulus(
        self, thread: Thread, instruction: Instruction, cell: int, value: int
    ) -> None:
        """A semaphore can hold a value."""
        if value > self.modulus:
            raise Refuted(
                "modulus",
                f"makes {self._semaphore(instruction)} {value}, but target "
                f"'{self.machine.numbering.target.name}' counts to {self.modulus}",
                thread=thread,
                instruction=instruction,
                semaphore=(cell, instruction.semaphore),
            )

    # The end

    def check_end(self) -> None:
        """All engines have ended: is everything back where it started?

        Raises:
            Refuted: it is not.
        """
        for cell in self.machine.rings:
            for ring in cell:
                self._check_ring(ring)
        for thread, mine in zip(self.machine.threads, self.threads, strict=True):
            if mine.accumulator is not None:
                raise Refuted(
                    "leftover",
                    "leaves an accumulator that is not released",
                    thread=thread,
                    instruction=thread.code.instructions[-1],
                )
        if self.open:
            access = next(iter(self.open))
            raise Refuted(
                "in-flight-at-end",
                "may still be under way when all engines have ended: nothing waits for it",
                thread=access.thread,
                instruction=access.instruction,
                hint=_end_hint(access),
            )

    def _check_ring(self, ring: RingState) -> None:
        tokens = self.rings[ring.cell][ring.number]
        name = self.machine.numbering.rings[ring.number].name
        where = self.machine.layout.cells[ring.cell]
        if ring.pushed != ring.popped:
            left = ring.pushed - ring.popped
            raise Refuted(
                "leftover",
                f"leaves {left} {'page' if left == 1 else 'pages'} in {name} at {where}: "
                f"{ring.pushed} pushed, {ring.popped} popped",
                thread=tokens.filler,
                ring=ring,
                hint="pop each page that is pushed",
            )
        if ring.reserved or ring.waited:
            filler = ring.reserved > 0
            raise Refuted(
                "leftover",
                f"ends with {ring.reserved or ring.waited} of {name} at {where} still "
                + ("reserved" if filler else "waited for"),
                thread=tokens.filler if filler else tokens.taker,
                ring=ring,
                hint="push what is reserved" if filler else "pop what is waited for",
            )

    # Names

    def name(self, thread: Thread) -> str:
        """`@compute at [0, 1:8]`"""
        cell = self.machine.layout.cells[thread.cell]
        return f"@{thread.code.engine.sym_name.data} at {cell}"

    def doer(self, record: Record | None) -> str:
        """The engine that did something."""
        return "nobody" if record is None else self.name(record.thread)

    def _ring(self, instruction: Instruction) -> str:
        return self.machine.numbering.rings[instruction.ring].name

    def _semaphore(self, instruction: Instruction) -> str:
        return self.machine.numbering.semaphores[instruction.semaphore].name


class FlagAccess(Access):
    """A flag on its way, and the accesses that have ended when it lands."""

    __slots__ = ("after",)

    def __init__(
        self,
        thread: Thread,
        index: int,
        instruction: Instruction,
        what: str,
        users: Sequence[int],
        closers: list[Point],
        after: list[Access],
    ):
        super().__init__(thread, index, instruction, what, users, closers)
        self.after = after


def _with_ring(instruction: Instruction, ring: int) -> Instruction:
    return Instruction(instruction.act, instruction.op, ring=ring)


def _doing(record: Record) -> str:
    match record.instruction.act:
        case Act.SEND if isinstance(record, Access) and record.what == "landing":
            return "sends a page to"
        case Act.SEND:
            return "sends from"
        case Act.READ | Act.PACK:
            return "fills a page"
        case Act.PUSH:
            return "pushes a page"
        case _:
            return "reads a page"


def _use(record: Record) -> str:
    match record.instruction.act:
        case Act.SEND if isinstance(record, Access) and record.what == "landing":
            return "be sending to"
        case Act.SEND:
            return "be sending"
        case Act.READ | Act.PACK:
            return "fill"
        case Act.PUSH:
            return "push"
        case _:
            return "read"


def _doing_semaphore(instruction: Instruction) -> str:
    return {Act.SEM_SET: "sets", Act.FLAG: "sets", Act.SEM_INC: "increments"}.get(
        instruction.act, "waits for"
    )


def _use_semaphore(record: Record) -> str:
    return _doing_semaphore(record.instruction)


def _landing_hint(record: Record) -> str:
    if record.instruction.act == Act.READ:
        return "put `choreo.read_barrier` before the push"
    if record.instruction.act == Act.SEND:
        return (
            "the flag must not overtake the data: send with `hold_path` and the flag next, or put "
            "`choreo.flush` between them; and wait for the flag"
        )
    return "the push must come after the fill"


def _race_hint(record: Record) -> str:
    if isinstance(record, Access) and record.closers:
        return "it has ended for the engine that started it, but this one has not been told"
    match record.instruction.act:
        case Act.READ:
            return "put `choreo.read_barrier` in between"
        case Act.WRITE:
            return "put `choreo.write_barrier` before the pop"
        case Act.SEND:
            return "put `choreo.flush` behind the send, or give the ring one more page"
        case _:
            return "the one must be known to have ended before the other starts"


def _end_hint(access: Access) -> str:
    match access.instruction.act:
        case Act.READ:
            return "put `choreo.read_barrier` behind it"
        case Act.WRITE:
            return "put `choreo.write_barrier` behind it"
        case Act.SEND:
            return "put `choreo.flush` behind it, or let the receivers wait for a flag after it"
        case _:
            return "let an engine of the site it goes to wait for it"
