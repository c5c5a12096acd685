"""The state of a run up to what does not matter for what comes: when two states repeat.

`outline` is the part that is cheap to compare: where engines stand, counters of rings, semaphores.
`normal_form` is everything: also what is under way, what pages hold, and the order of all live
records, in which a clock is told by how many of the points that still matter it has seen of each
engine. Positions in rings, and the slots of their memory, are told from one ring of those that turn
together (see `usage`), pages relative to the counters. Two runs that continue from states with
equal normal forms do the same for ever, up to a turn of their rings, apart from how often loops
still run, which `Counters` tells.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from operator import le
from typing import TypeAlias

from spatial_dialect.machine.clocks import Access, Clock, Point, Record
from spatial_dialect.machine.semantics import Machine
from spatial_dialect.machine.tokens import FlagAccess, Slot, Tokens
from spatial_dialect.machine.usage import Usage

Outline: TypeAlias = tuple[object, ...]
NormalForm: TypeAlias = tuple[object, ...]
Counters: TypeAlias = tuple[tuple[int, ...], ...]
"""By engine and loop, how many iterations came before this one; -1 outside of the loop."""


def counters(machine: Machine) -> Counters:
    """How far all loops are."""
    return tuple(tuple(thread.counters) for thread in machine.threads)


def outline(machine: Machine, users: Usage) -> Outline:
    """What is cheap to compare of a state, without the counters of loops that decide nothing."""
    rings = machine.rings
    return (
        *(thread.place if not thread.done else -1 for thread in machine.threads),
        *(
            (ring.pushed - ring.popped, ring.reserved, ring.waited)
            for cell in rings
            for ring in cell
        ),
        *(
            (rings[cell][ring].pushed - rings[base[0]][base[1]].pushed) % rings[cell][ring].depth
            for (cell, ring), base in users.base.items()
        ),
        *(rings[cell][ring].pushed % rings[cell][ring].depth for cell, ring in users.fixed),
        *map(tuple, machine.semaphores),
        *(
            (
                *(thread.registers[r] for r in thread.code.control),
                *(c for c, loop in zip(thread.counters, thread.code.loops) if loop.pinned),
            )
            for thread in machine.threads
            if thread.code.control or any(loop.pinned for loop in thread.code.loops)
        ),
    )


def normal_form(tokens: Tokens) -> NormalForm:
    """The state of a run, without the counters of loops."""
    return _NormalForm(tokens).result


class _NormalForm:
    """Collects the live records and clocks in a fixed order, then compares them."""

    def __init__(self, tokens: Tokens):
        self.tokens = tokens
        self.machine = tokens.machine
        count = len(self.machine.threads)
        self.numbers: dict[Record, int] = {}
        self.records: list[Record] = []
        self.clocks: list[Clock] = []
        self.clock_numbers: dict[int, int] = {}
        shape = (outline(self.machine, tokens.users), tuple(self.shape()))
        points: list[set[int]] = [set() for _ in range(count)]
        described: list[object] = []
        # Records that flags bring along are found on the way, so the list grows.
        kinds = [self.kind(record) for record in self.iterate_records()]
        for record in self.records:
            for point in _points(record):
                points[point.thread.number].add(point.index)
        ranks = [sorted(indices) for indices in points]
        for record in self.records:
            described.append(
                tuple(
                    sorted(
                        (p.thread.number, bisect_right(ranks[p.thread.number], p.index))
                        for p in _points(record)
                    )
                )
            )
        compared = [(engine, rank) for engine, rank in enumerate(ranks) if rank]
        orders = tuple(
            tuple(bisect_right(rank, clock[engine]) for engine, rank in compared)
            for clock in self.clocks
        )
        self.result: NormalForm = (shape, tuple(kinds), tuple(described), orders)

    def iterate_records(self) -> Sequence[Record]:
        """All records, those included that only flags know of."""
        index = 0
        while index < len(self.records):
            record = self.records[index]
            if isinstance(record, FlagAccess):
                for access in record.after:
                    self.record(access, access.users)
            index += 1
        return self.records

    def kind(self, record: Record) -> object:
        """What a record is, apart from its place in the order."""
        if isinstance(record, Point):
            return None
        after = record.after if isinstance(record, FlagAccess) else ()
        return (
            record.what,
            record.thread.number,
            bool(record.closers),
            *(self.numbers.get(access, -2) for access in after),
        )

    def record(self, record: Record | None, users: Sequence[int]) -> int:
        """The number of a record; -1 for what was there from the start, -2 for the past."""
        if record is None:
            return -1
        if self.tokens.past(record, users):
            return -2
        number = self.numbers.get(record)
        if number is None:
            number = self.numbers[record] = len(self.records)
            self.records.append(record)
        return number

    def access(self, access: Access) -> int:
        """The number of an access, among those to whom it matters."""
        return self.record(access, access.users)

    def clock(self, clock: Clock | None, readers: Iterable[int]) -> int:
        """The number of a clock; -2 if it holds nothing new for those who may ever join it."""
        if clock is None:
            return -1
        threads = self.machine.threads
        if all(
            threads[reader].done or all(map(le, clock, self.tokens.threads[reader].clock))
            for reader in readers
        ):
            return -2
        number = self.clock_numbers.get(id(clock))
        if number is None:
            number = self.clock_numbers[id(clock)] = len(self.clocks)
            self.clocks.append(clock)
        return number

    def shape(self) -> Sequence[object]:
        """Everything that is alive, with numbers in place of records and clocks."""
        tokens, machine = self.tokens, self.machine
        found: list[object] = []
        memories = [ring.memory for ring in machine.numbering.rings]
        for thread in machine.threads:
            if thread.done:
                continue
            mine = tokens.threads[thread.number]
            self.clocks.append(mine.clock)
            found += (
                mine.path,
                mine.accumulator,
                tuple(map(self.access, mine.reads)),
                tuple(map(self.access, mine.writes)),
                tuple(
                    (
                        send.group,
                        send.held,
                        send.flushed,
                        self.access(send.leaving),
                        *((cell, self.access(a)) for cell, a in send.landings.items()),
                    )
                    for send in mine.sends
                ),
            )
        for cell in machine.rings:
            for ring in cell:
                state = tokens.rings[ring.cell][ring.number]
                if state.filler is None and state.taker is None:
                    continue
                depth = ring.depth
                users = tokens.users.memories[ring.cell, memories[ring.number]]
                takers = users if state.taker is None else (state.taker.number,)
                fillers = users if state.filler is None else (state.filler.number,)
                found += (
                    -1 if state.filler is None else state.filler.number,
                    -1 if state.taker is None else state.taker.number,
                    tuple(
                        self.clock(state.pushes.get(index % depth), takers)
                        for index in range(ring.popped, ring.pushed)
                    ),
                    tuple(
                        (place, number)
                        for place, clock in sorted(
                            ((position - ring.pushed) % depth, clock)
                            for position, clock in state.pops.items()
                        )
                        if place < ring.popped + depth - ring.pushed
                        and (number := self.clock(clock, fillers)) != -2
                    ),
                    tuple(
                        self.record(state.reserves.get(index % depth), users)
                        for index in range(ring.pushed, ring.pushed + ring.reserved)
                    ),
                )
        found += self.slots()
        for cell, semaphores in enumerate(tokens.semaphores):
            for number, semaphore in enumerate(semaphores):
                users = tokens.users.semaphores.get((cell, number), ())
                waiters = tokens.users.waiters.get((cell, number), ())
                if semaphore.first_is_set is not None:
                    found += (
                        (
                            epoch.base,
                            epoch.sum,
                            self.record(epoch.set, users),
                            self.clock(epoch.clock, waiters),
                            tuple(
                                (
                                    self.access(i.access),
                                    self.clock(i.clock, waiters),
                                    i.amount,
                                    i.sources,
                                    i.access.thread.number,
                                )
                                for i in epoch.increments
                            ),
                            tuple(
                                (n, self.record(p, users))
                                for n, p in sorted(epoch.eq_waits.items())
                            ),
                            tuple(
                                (n, self.record(p, users))
                                for n, p in sorted(epoch.ge_waits.items())
                            ),
                            tuple(
                                (
                                    self.record(w.point, users),
                                    None if w.only is None else w.only.number,
                                )
                                for w in epoch.guarded
                            ),
                        )
                        for epoch in semaphore.epochs
                    )
                    found.append(semaphore.first_is_set)
        found.append(tuple(map(self.access, tokens.open)))
        return found

    def slots(self) -> Sequence[object]:
        """All pages of memory about which something is left to say."""
        rings, users = self.machine.rings, self.tokens.users
        found: list[tuple[tuple[int, int, int], Slot]] = []
        for (cell, memory, position), slot in self.tokens.slots.items():
            base = users.base.get((cell, memory), (cell, memory))
            turn = rings[base[0]][base[1]].pushed
            found.append(((cell, memory, (position - turn) % rings[cell][memory].depth), slot))
        found.sort(key=lambda pair: pair[0])
        told = ((key, self.slot(slot, key[0], key[1])) for key, slot in found)
        return [(key, slot) for key, slot in told if slot is not None]

    def slot(self, slot: Slot, cell: int, memory: int) -> tuple[object, ...] | None:
        """What a page holds relative to the ring's counter, and who uses it; None if nothing."""
        users = self.tokens.users.memories[cell, memory]
        stamp = None
        if slot.stamp is not None:
            at, ring, index = slot.stamp
            popped = self.machine.rings[at][ring].popped
            if index >= popped:
                stamp = (at, ring, index - popped)
            elif (cell, memory) in self.tokens.users.accumulated:
                # A page that was popped is never asked for again, but can be added to.
                stamp = ()
        # What is past is dropped for good, which saves asking again.
        if self.tokens.past(slot.write, users):
            slot.write = None
        if slot.readers:
            slot.readers = {
                n: point for n, point in slot.readers.items() if not self.tokens.past(point, users)
            }
        if slot.reads:
            slot.reads = [access for access in slot.reads if not self.tokens.past(access, users)]
        if stamp is None and slot.write is None and not slot.readers and not slot.reads:
            return None
        return (
            stamp,
            self.record(slot.write, users),
            tuple((n, self.record(point, users)) for n, point in sorted(slot.readers.items())),
            tuple(map(self.access, slot.reads)),
        )


def _points(record: Record) -> Sequence[Point]:
    return (record,) if isinstance(record, Point) else record.closers
