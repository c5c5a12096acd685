"""The rules of the proof as `spatial-check` holds them against a run, event by event.

Nothing here is shared with the prover. Each event keeps its whole vector clock, and two states are
compared by who has seen what among all that is alive: slow, and meant to be read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TypeAlias

from xdsl.ir import Operation, SSAValue

from spatial_dialect.dialects import choreo
from spatial_dialect.ir.attributes import Comparison, FlushCondition
from spatial_dialect.ir.types import BufferType
from spatial_dialect.tools.check_code import Frame, Number, Refused, Walk, need
from spatial_dialect.tools.check_grid import Key, Part, Uses, fills

Clock: TypeAlias = tuple[int, ...]
"""By engine, how many of its events have been seen."""


@dataclass(eq=False)
class Record:
    """An event, or something that it has started and that ends at some time."""

    engine: int
    op: Operation
    clock: Clock
    """Of the event."""
    closers: dict[int, int]
    """By engine, its first event before which it has surely ended; an event is its own closer."""
    users: Iterable[int] = ()
    """The engines that it matters to."""
    after: Sequence[Record] = ()
    """Of a flag: what has ended when it lands."""


def seen(record: Record | None, clock: Clock) -> bool:
    """Whether a clock has seen the end of something; what was there from the start, it has."""
    return record is None or any(clock[e] >= index for e, index in record.closers.items())


@dataclass(eq=False)
class Ring:
    """A ring of a cell; pages have absolute indices."""

    depth: int
    pushed: int
    popped: int
    reserved: int = 0
    waited: int = 0
    pushes: dict[int, Record] = field(default_factory=dict[int, Record])
    pops: dict[int, Record] = field(default_factory=dict[int, Record])
    reserves: dict[int, Record] = field(default_factory=dict[int, Record])


@dataclass(eq=False)
class Slot:
    """A page of memory: the ring and index it was filled for, its last write, the reads since."""

    stamp: tuple[SSAValue, int] | None = None
    write: Record | None = None
    reads: list[Record] = field(default_factory=list[Record])

    def read(self, record: Record) -> None:
        """A read comes after the last write; what is over for it need not be remembered."""
        need(seen(self.write, record.clock), "slot race: the page may still be written")
        self.reads = [*(r for r in self.reads if not seen(r, record.clock)), record]

    def fill(self, record: Record, ring: SSAValue, index: int) -> None:
        """A write comes after the last write and all reads since."""
        for first in (self.write, *self.reads):
            need(seen(first, record.clock), "slot race: the page may still be in use")
        self.stamp, self.write, self.reads = (ring, index), record, []


@dataclass(eq=False)
class Epoch:
    """A value that a semaphore was set to, and what happened to it since."""

    base: int
    set: Record | None = None
    increments: list[tuple[Record, int, int]] = field(default_factory=list[tuple[Record, int, int]])
    """Each with its amount, and how many engines it stands for."""
    waits: dict[tuple[int, bool], Record] = field(default_factory=dict[tuple[int, bool], Record])
    """The last one of each engine, for a value or for at least a value."""
    guards: list[tuple[Record, int | None]] = field(default_factory=list[tuple[Record, int | None]])
    """Waits that counted on who increments: after them, or this engine alone."""

    @property
    def value(self) -> int:
        """With all increments."""
        return self.base + sum(amount for _, amount, _ in self.increments)


@dataclass(eq=False)
class Send:
    """A page that an engine has sent."""

    group: SSAValue
    leaving: Record
    landings: dict[int, Record]
    held: bool
    flushed: bool = False


class Thread(Walk):
    """An engine, and what it has seen and started."""

    def __init__(self, part: Part, number: int):
        self.cell, engine = part.threads[number]
        super().__init__(engine, part.program.deciding[engine], part.cells[self.cell])
        self.clock: Clock = (0,) * len(part.threads)
        self.reads: list[Record] = []
        self.writes: list[Record] = []
        self.sends: list[Send] = []


class Replay:
    """A run of a part, event by event."""

    def __init__(
        self,
        part: Part,
        uses: Uses,
        trips: Sequence[int],
        positions: Mapping[Key, int],
        values: Mapping[Key, int],
    ):
        self.part, self.program, self.uses, self.trips = part, part.program, uses, trips
        self.threads = [Thread(part, number) for number in range(len(part.threads))]
        self.rings: dict[Key, Ring] = {}
        for key in product(range(len(part.cells)), self.program.rings):
            start = positions.get(key, 0)
            self.rings[key] = Ring(self.program.depth[key[1]], start, start)
        keys = product(range(len(part.cells)), self.program.semaphores)
        self.epochs: dict[Key, list[Epoch]] = {key: [Epoch(values.get(key, 0))] for key in keys}
        self.first_is_set: dict[Key, bool] = {}
        """Of semaphores that were used."""
        self.matters: set[Key] = set()
        """Semaphores whose value at the start made a difference."""
        self.slots: defaultdict[tuple[int, SSAValue, int], Slot] = defaultdict(Slot)
        self.accesses: list[Record] = []
        self.pumps: list[tuple[int | None, int]] = []
        """Trips of loops that advance in pumps, and by how many iterations."""
        self.events = 0

    # Events

    def fire(self, number: int) -> None:
        """Let the next event of an engine happen, if it is enabled and breaks no rule."""
        thread = self.threads[number]
        op, cell = thread.next, thread.cell
        if op is None:
            raise Refused("order: the engine has ended")
        clock = (*thread.clock[:number], thread.clock[number] + 1, *thread.clock[number + 1 :])
        event = Record(number, op, clock, {number: clock[number]})
        joined: Iterable[Record | None] = ()
        match op:
            case choreo.RingOp():
                joined = (self._ring(op, cell, event),)
            case choreo.ReadTilesOp():
                self._fronts(op, cell, event)
                access = self._start(event, (cell, self.program.memory[op.buffer]))
                thread.reads.append(access)
                self._fill(op.buffer, cell, access)
            case choreo.WriteTilesOp():
                access = self._start(event, (cell, self.program.memory[op.buffer]))
                thread.writes.append(access)
                self._fronts(op, cell, event, access)
            case choreo.ReadBarrierOp():
                close(thread.reads, event)
                thread.reads = []
            case choreo.WriteBarrierOp():
                close(thread.writes, event)
                thread.writes = []
            case choreo.PackOp():
                ring = self.rings[cell, op.buffer]
                stamp = self._slot(cell, op.buffer, ring.pushed).stamp
                need(op.accumulate is None or stamp is not None, "contents: it adds to nothing")
                self._fill(op.buffer, cell, event)
            case choreo.SemWaitOp():
                joined = self._sem_wait(op, (cell, op.semaphore), event)
            case choreo.SemSetOp():
                self._set((cell, op.semaphore), op.value.value.data, event)
            case choreo.SemIncOp():
                self._increment(op, cell, event)
            case choreo.McastSendOp():
                self._send(op, cell, event)
            case choreo.McastSetValidOp():
                self._flag(op, cell, event)
            case choreo.FlushOp():
                if op.condition.data == FlushCondition.ALWAYS or not self.program.ordered:
                    close((send.leaving for send in thread.sends if not send.flushed), event)
                    for send in thread.sends:
                        send.flushed = True
            case choreo.TripOp():
                trip = self.program.trips[op]
                thread.env[op.trip] = Number(self.trips[trip], trip)
            case _:
                self._fronts(op, cell, event)
        clocks = (record.clock for record in joined if record is not None)
        event.clock = thread.clock = tuple(map(max, *(clock, clock), *clocks))
        thread.advance()

    def _start(self, event: Record, key: Key) -> Record:
        """Something that an event starts, and that matters to the users of a thing."""
        access = Record(event.engine, event.op, event.clock, {}, self.uses.users[key])
        self.accesses.append(access)
        return access

    def _ring(self, op: choreo.RingOp, cell: int, event: Record) -> Record | None:
        ring, pages = self.rings[cell, op.buffer], op.pages.value.data
        match op:
            case choreo.ReserveOp():
                room = ring.depth - (ring.pushed - ring.popped)
                need(room >= pages, f"blocked: there is room for {room} pages, not for {pages}")
                for index in range(ring.pushed + ring.reserved, ring.pushed + pages):
                    ring.reserves[index] = event
                ring.reserved = max(ring.reserved, pages)
                return ring.pops.get(ring.pushed + pages - ring.depth - 1)
            case choreo.WaitOp():
                there = ring.pushed - ring.popped
                need(there >= pages, f"blocked: there are {there} pages, not {pages}")
                ring.waited = max(ring.waited, pages)
                return ring.pushes.get(ring.popped + pages - 1)
            case choreo.PushOp():
                need(ring.reserved >= pages, f"request: {ring.reserved} pages are reserved")
                for slot in self._pages(op.buffer, cell, ring.pushed, pages):
                    slot.read(event)
                    ring.pushes[ring.pushed] = event
                    ring.pushed, ring.reserved = ring.pushed + 1, ring.reserved - 1
            case _:
                need(ring.waited >= pages, f"request: {ring.waited} pages are waited for")
                need(ring.popped % ring.depth + pages <= ring.depth, "wrap: around the ring's end")
                for index in range(ring.popped, ring.popped + pages):
                    ring.pops[index] = event
                ring.popped, ring.waited = ring.popped + pages, ring.waited - pages
        return None

    def _slot(self, cell: int, ring: SSAValue, index: int) -> Slot:
        return self.slots[cell, self.program.memory[ring], index % self.program.depth[ring]]

    def _pages(self, ring: SSAValue, cell: int, first: int, pages: int) -> list[Slot]:
        """The slots of pages that lie side by side, and hold what they should."""
        depth = self.program.depth[ring]
        need(first % depth + pages <= depth, "wrap: the pages go around the end of the ring")
        slots = [self._slot(cell, ring, index) for index in range(first, first + pages)]
        for index, slot in enumerate(slots):
            need(slot.stamp == (ring, first + index), "contents: the slot holds something else")
        return slots

    def _fronts(
        self, op: Operation, cell: int, event: Record, leaving: Record | None = None
    ) -> None:
        """Reads of front pages: as they happen, or until the page has left."""
        for place, value in enumerate(op.operands):
            if isinstance(value.type, BufferType) and not fills(op, value):
                ring = self.rings[cell, value]
                need(ring.waited >= 1, "request: it reads a page that it has not waited for")
                (slot,) = self._pages(value, cell, ring.popped, 1)
                slot.read(event if leaving is None or place > 0 else leaving)

    def _fill(self, ring: SSAValue, cell: int, record: Record) -> None:
        state = self.rings[cell, ring]
        need(state.reserved >= 1, "request: it fills a page that it has not reserved")
        self._slot(cell, ring, state.pushed).fill(record, ring, state.pushed)

    def _send(self, op: choreo.McastSendOp, cell: int, event: Record) -> None:
        ring, memory = self.rings[cell, op.buffer], self.program.memory[op.buffer]
        pages, thread = op.pages.value.data, self.threads[event.engine]
        need(ring.reserved >= pages, f"request: {ring.reserved} pages are reserved")
        for send in thread.sends:
            need(not send.held or send.group is op.group, "path: another group's path is held")
            send.held = send.held and op.hold_path is not None
        for index, slot in enumerate(self._pages(op.buffer, cell, ring.pushed, pages), ring.pushed):
            leaving = self._start(event, (cell, memory))
            slot.read(leaving)
            landings: dict[int, Record] = {}
            for there in self.part.receivers.get((op.group, cell), ()):
                other = self.rings[there, op.buffer]
                page = other.pushed + (index - other.pushed) % other.depth
                reserve = other.reserves.get(page)
                right = reserve is not None and page < other.pushed + other.reserved
                need(right, "ring position: no page is reserved there")
                need(seen(reserve, event.clock), "ring position: the page may not be reserved yet")
                landings[there] = self._start(event, (there, memory))
                self._slot(there, op.buffer, page).fill(landings[there], op.buffer, page)
            thread.sends.append(Send(op.group, leaving, landings, op.hold_path is not None))

    def _flag(self, op: choreo.McastSetValidOp, cell: int, event: Record) -> None:
        sends = self.threads[event.engine].sends
        for send in sends:
            need(not send.held or send.group is op.group, "path: another group's path is held")
        before = [s for s in sends if s.group is op.group]
        before = [s for s in before if s.flushed or (s.held and self.program.ordered)]
        for there in self.part.receivers.get((op.group, cell), ()):
            flag = self._start(event, (there, op.semaphore))
            flag.after = [r for send in before for r in (send.landings[there], send.leaving)]
            self._set((there, op.semaphore), 1, flag)
        for send in sends:
            send.held = False

    def _set(self, key: Key, value: int, record: Record) -> None:
        self.first_is_set.setdefault(key, True)
        epoch = self.epochs[key][-1]
        for first in (epoch.set, *(r for r, _, _ in epoch.increments), *epoch.waits.values()):
            need(seen(first, record.clock), "semaphore race: it is set while it is in use")
        need(value <= self.program.modulus, f"modulus: it counts to {self.program.modulus}")
        self.epochs[key].append(Epoch(value, record))

    def _increment(self, op: choreo.SemIncOp, cell: int, event: Record) -> None:
        key = (self.part.sender[op.group, cell], op.semaphore)
        weight = self.part.weight[op.group, cell]
        if not self.first_is_set.setdefault(key, False):
            self.matters.add(key)
        epoch = self.epochs[key][-1]
        for first in (epoch.set, *(wait for (_, least), wait in epoch.waits.items() if not least)):
            need(seen(first, event.clock), "semaphore race: it is incremented while it is in use")
        for wait, only in epoch.guards:
            fine = (only == event.engine and weight == 1) or seen(wait, event.clock)
            need(fine, "sources: the increment may stand in for one that was waited for")
        amount = op.value.value.data * weight
        epoch.increments.append((self._start(event, key), amount, weight))
        need(epoch.value <= self.program.modulus, f"modulus: it counts to {self.program.modulus}")

    def _sem_wait(self, op: choreo.SemWaitOp, key: Key, event: Record) -> list[Record]:
        least, wanted = op.comparison.data == Comparison.GE, op.value.value.data
        epochs, epoch = self.epochs[key], self.epochs[key][-1]
        now = epoch.value
        need(now >= wanted if least else now == wanted, f"blocked: the semaphore is {now}")
        if not self.first_is_set.setdefault(key, False):
            self.matters.add(key)
        known = max(n for n, each in enumerate(epochs) if seen(each.set, event.clock))
        if known < len(epochs) - 1 and epochs[known].set is None:
            self.matters.add(key)
        for n, old in enumerate(epochs[known:-1]):
            sure = [amount for r, amount, _ in old.increments if n == 0 and seen(r, event.clock)]
            low, high = old.base + sum(sure), old.value
            passes = high >= wanted if least else low <= wanted <= high
            need(not passes, "stale wait: an earlier value may let it pass")
        joined = [r for r, _, _ in epoch.increments]
        if least:
            joined = self._enough(epoch, wanted, event)
        close(joined, event)
        if epoch.set is not None:
            if isinstance(epoch.set.op, choreo.McastSetValidOp):
                close((epoch.set, *epoch.set.after), event)
            joined.append(epoch.set)
        epoch.waits[event.engine, least] = event
        return joined

    def _enough(self, epoch: Epoch, wanted: int, event: Record) -> list[Record]:
        """The increments that a wait for at least a value has surely waited for."""
        unknown = [each for each in epoch.increments if not seen(each[0], event.clock)]
        missing = wanted - epoch.value + sum(amount for _, amount, _ in unknown)
        if missing <= 0:
            return []
        engines = {(record.engine, weight) for record, _, weight in unknown}
        joined: list[Record] = []
        if engines == {(unknown[0][0].engine, 1)}:
            epoch.guards.append((event, unknown[0][0].engine))
            for record, amount, _ in unknown:
                joined += [record] * (missing > 0)
                missing -= amount
            return joined
        need(epoch.value == wanted, "sources: several engines may stand in for each other")
        epoch.guards.append((event, None))
        return [record for record, _, _ in unknown]

    # The state

    def past(self, record: Record | None, users: Iterable[int]) -> bool:
        """Whether something has surely ended for all to whom it matters."""
        threads = [self.threads[user] for user in users]
        return record is None or (
            bool(record.closers)
            and all(thread.next is None or seen(record, thread.clock) for thread in threads)
        )

    def state(self) -> object:
        """All that decides what comes, but for the counters of loops; equal for equal states."""
        records: dict[Record, int] = {}
        clocks: dict[Record, int] = {}
        users, waiters = self.uses.users, self.uses.waiters

        def alive(record: Record | None, of: Iterable[int] | None = None) -> int:
            past = record is None or self.past(record, record.users if of is None else of)
            return -1 if record is None or past else records.setdefault(record, len(records))

        def clock(record: Record | None, readers: Iterable[int]) -> int:
            """The clock of something, if it tells anything to those who may wait for it."""
            threads = [self.threads[reader] for reader in readers]
            threads = [thread for thread in threads if thread.next is not None]
            if record is None or all(
                mine <= known
                for thread in threads
                for mine, known in zip(record.clock, thread.clock, strict=True)
            ):
                return -1
            return clocks.setdefault(record, len(clocks))

        self.accesses = [access for access in self.accesses if not access.closers]
        shape: list[object] = [len(self.accesses)]
        for thread in self.threads:
            if thread.next is None:
                shape.append(None)
                continue
            thread.sends = [
                send
                for send in thread.sends
                if send.held
                or not all(self.past(r, r.users) for r in (send.leaving, *send.landings.values()))
            ]
            deciding = (v for v, variable in thread.deciding.items() if not variable)
            shape.append((thread.next, [thread.env.get(value) for value in deciding]))
            shape += ([alive(r) for r in accesses] for accesses in (thread.reads, thread.writes))
            for send in thread.sends:
                landings = [(cell, alive(r)) for cell, r in send.landings.items()]
                shape.append((send.group, send.held, send.flushed, alive(send.leaving), landings))
        positions = {key: ring.pushed for key, ring in self.rings.items()}
        shape.append(self.uses.positions(self.program, positions))
        for key, ring in self.rings.items():
            memory = self.program.memory[key[1]]
            fillers = [n for (k, fill), n in self.uses.ends.items() if k == key and fill]
            takers = [n for (k, fill), n in self.uses.ends.items() if k == key and not fill]
            shape.append((ring.pushed - ring.popped, ring.reserved, ring.waited))
            full, free = (
                range(ring.popped, ring.pushed),
                range(ring.pushed, ring.popped + ring.depth),
            )
            shape.append([clock(ring.pushes.get(index), takers) for index in full])
            shape.append([clock(ring.pops.get(index - ring.depth), fillers) for index in free])
            wanted = range(ring.pushed, ring.pushed + ring.reserved)
            shape.append([alive(ring.reserves.get(i), users[key[0], memory]) for i in wanted])
        for (cell, memory), base in self.rings.items():
            for place in range(base.depth) if memory is self.program.memory[memory] else ():
                slot = self.slots.get((cell, memory, (base.pushed + place) % base.depth))
                if slot is None:
                    continue
                of = users[cell, memory]
                slot.reads = [r for r in slot.reads if not self.past(r, of)]
                page: object = (cell, memory) in self.uses.added and slot.stamp is not None
                if (
                    slot.stamp is not None
                    and slot.stamp[1] >= self.rings[cell, slot.stamp[0]].popped
                ):
                    page = slot.stamp[0], slot.stamp[1] - self.rings[cell, slot.stamp[0]].popped
                told = (page, alive(slot.write, of), [alive(r, of) for r in slot.reads])
                shape += [(cell, memory, place, told)] * (told != (False, -1, []))
        for key, epochs in self.epochs.items():
            while len(epochs) > 1 and self.past(epochs[1].set, waiters[key]):
                del epochs[0]
            of = users[key]
            shape.append((len(epochs), self.first_is_set.get(key)))
            for epoch in epochs:
                shape.append((epoch.base, alive(epoch.set, of), clock(epoch.set, waiters[key])))
                for record, amount, weight in epoch.increments:
                    told = (alive(record, of), clock(record, waiters[key]))
                    shape.append((record.engine, amount, weight, told))
                waits = ((who, alive(wait, of)) for who, wait in sorted(epoch.waits.items()))
                guards = ((only, alive(wait, of)) for wait, only in epoch.guards)
                for told in (waits, guards):
                    shape.append([pair for pair in told if pair[1] >= 0])
        running = [thread.clock for thread in self.threads if thread.next is not None]
        heads = [*running, *(record.clock for record in clocks)]
        listed = list(records)
        for record in listed:  # which grows by what only flags know of
            after = [n for n in map(alive, record.after) if n >= 0]
            shape.append((bool(record.closers), after))
            shape.append([seen(record, head) for head in heads])
            listed += list(records)[len(listed) :]
        return shape

    def counters(self) -> list[list[tuple[Frame, int]]]:
        """By engine, the loops that it is in, and how many iterations came before this one."""
        return [[(frame, frame.counter) for frame in thread.frames] for thread in self.threads]

    def check_end(self) -> None:
        """Everything is over, and rings are empty."""
        for thread in self.threads:
            need(thread.next is None, "deadlock: the order ends before the engine", thread.next)
        for (_, value), ring in self.rings.items():
            assert isinstance(value.owner, Operation)
            left = (ring.pushed - ring.popped, ring.reserved, ring.waited)
            need(left == (0, 0, 0), "leftover: pages, or requests for them", value.owner)
        for access in self.accesses:
            need(access.closers, "in flight at end: nothing waits for its end", access.op)


def close(records: Iterable[Record], event: Record) -> None:
    """Some accesses have surely ended before an event."""
    for record in records:
        record.closers.setdefault(event.engine, event.closers[event.engine])
