"""Scheduled programs for the search of all interleavings: engines as finite lists of events.

What an engine does next never depends on what others do, so each engine of each site of the grid
is unrolled for the trip counts at hand. The place in its list is all that is to know of an engine:
which page of a ring an event means, and how many it has reserved by then, is known beforehand.

What moves on its own is an access, one for each page and receiver, with a bit of its own in the set
of those under way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TypeAlias

from xdsl.ir import Operation, SSAValue

from spatial_dialect.dialects import choreo
from spatial_dialect.dialects.spatial import BufferOp, ProgramOp
from spatial_dialect.ir.attributes import Comparison, FlushCondition

from .code import Act, Code, Jump, Move, Pure
from .environment import Site, Trips, groups_of, sites_of

Blame: TypeAlias = tuple[str, str]
"""The kind of a fault and its reason."""


class TooLong(Exception):
    """An engine has more events than are worth unrolling."""


class Unsound(Exception):
    """A program that is wrong whatever runs when."""

    def __init__(self, kind: str, reason: str):
        super().__init__(reason)
        self.blame: Blame = (kind, reason)


class Kind(IntEnum):
    """What an event waits for, and what it changes of what others can see."""

    FREE = 0
    """Never blocks: starts accesses, computes."""
    WAIT = 1
    RESERVE = 2
    PUSH = 3
    POP = 4
    BARRIER = 5
    SEM_WAIT = 6
    SEM_SET = 7
    ITEM = 8
    """The end of a work item: waits for all engines."""
    END = 9
    """After the last event; never runs."""


class Moves(IntEnum):
    """What an access does when it ends."""

    READ = 0
    """The landing of a read: writes a slot."""
    WRITE = 1
    """The leaving of a write: reads a slot."""
    LEAVING = 2
    """The leaving of a multicast: reads a slot of the sender."""
    DATA = 3
    """The landing of a multicast's data: writes a slot of a receiver."""
    FLAG = 4
    """The landing of a flag: a set."""
    COUNT = 5
    """The landing of an increment."""


@dataclass(eq=False, slots=True)
class Access:
    """Something that moves on its own from its issue until it ends."""

    bit: int
    moves: Moves
    label: str
    slot: int = -1
    stamp: int = 0
    """What a read leaves in its slot."""
    ring: int = -1
    """The receiver's ring of data."""
    index: int = 0
    """The sender's page of data."""
    semaphore: int = -1
    value: int = 0
    before: int = 0
    """The accesses that must have ended before this one can."""
    thread: int = 0
    page: int = 0
    """The page of the ring that a write takes."""


@dataclass(eq=False, slots=True)
class Event:
    """One execution of one op by one engine."""

    kind: Kind
    op: Operation | None
    thread: int
    ring: int = -1
    need: int = 0
    """For WAIT the pages pushed, for RESERVE those popped, counted from the start of the run."""
    value: int = 0
    """The counter afterwards, or the value of a semaphore."""
    exactly: bool = False
    semaphore: int = -1
    reads: tuple[tuple[int, int], ...] = ()
    """Slots, and the stamps that must be in them."""
    writes: tuple[tuple[int, int], ...] = ()
    """Slots, and the stamps put there."""
    accumulates: bool = False
    opens: tuple[Access, ...] = ()
    opened: int = 0
    closes: int = 0
    """The accesses of this engine that a barrier waits for."""
    blame: Blame | None = None
    """What is wrong with it, whatever the others do."""
    slots_read: int = 0
    slots_written: int = 0
    conflicts: int = 0
    """The accesses that it must not meet."""
    at_once: bool = False
    """Waiting with it shows nothing that running it at once would hide."""


@dataclass(eq=False, slots=True)
class Thread:
    """One engine of one site."""

    code: Code
    site: Site
    number: int
    events: list[Event] = field(default_factory=list[Event])
    reserved: dict[int, int] = field(default_factory=dict[int, int])
    waited: dict[int, int] = field(default_factory=dict[int, int])
    reads: int = 0
    """The reads that no barrier has waited for yet, as a set of bits; likewise the next two."""
    writes: int = 0
    leavings: int = 0
    data: list[tuple[Access, SSAValue, bool]] = field(
        default_factory=list[tuple[Access, SSAValue, bool]]
    )
    """Data sent, by group, and whether a flush has come since."""
    held: list[Access] = field(default_factory=list[Access])
    """Data sent since the last multicast that does not hold the path to `path`."""
    path: SSAValue | None = None
    """The group whose path is held."""
    counts: dict[int, int] = field(default_factory=dict[int, int])
    """The last increment of each semaphore, as a bit."""
    accumulator: SSAValue | None = None

    def __str__(self) -> str:
        return f"@{self.code.engine.sym_name.data} at {list(self.site)}"


class Unrolled:
    """A program with all its engines unrolled.

    Args:
        program: the scheduled program.
        items: the run-time trips of each work item, one after the other.
        launches: how often to run all items.
        reduced: whether events that may run at once are to be marked.
    """

    def __init__(self, program: ProgramOp, items: Sequence[Trips], launches: int, *, reduced: bool):
        machine = program.machine
        assert machine is not None
        self.ordered = machine.ordering == "ordered"
        self.modulus = machine.max_pages_counter
        self.groups = groups_of(program)
        self.rings: dict[tuple[Site, SSAValue], int] = {}
        self.ring_names: list[str] = []
        self.depths: list[int] = []
        self.roots: list[tuple[Site, SSAValue]] = []
        self.slots: dict[tuple[Site, SSAValue, int], int] = {}
        self.semaphores: dict[tuple[Site, SSAValue], int] = {}
        self.accesses: list[Access] = []
        self.threads: list[Thread] = []
        self.pushed: dict[int, int] = {}
        self.popped: dict[int, int] = {}
        self._fillers: dict[int, Thread] = {}
        self._takers: dict[int, Thread] = {}
        self._buffers: dict[SSAValue, BufferOp] = {op.buffer: op for op in program.buffers}
        for op in program.body.block.ops:
            if isinstance(op, choreo.EngineOp):
                code = Code.of(op)
                for site in sites_of(op.sites):
                    self.threads.append(Thread(code, site, len(self.threads)))
        self._room = 20_000
        for number, trips in launches * [*enumerate(items)]:
            for thread in self.threads:
                self._unroll(thread, number, trips)
        for thread in self.threads:
            thread.events.append(Event(Kind.END, None, thread.number))
        self._conflicts()
        if reduced:
            self._mark()

    # Names.

    def ring(self, site: Site, buffer: SSAValue) -> int:
        """The number of a ring."""
        found = self.rings.get((site, buffer))
        if found is None:
            op = self._buffers[buffer]
            assert op.pages is not None
            found = self.rings[site, buffer] = len(self.rings)
            self.ring_names.append(f"%{buffer.name_hint or found} at {list(site)}")
            self.depths.append(op.pages)
            root = op
            while root.alias is not None:
                assert isinstance(root.alias.owner, BufferOp)
                root = root.alias.owner
            self.roots.append((site, root.buffer))
            for slot in range(op.pages):
                self.slots.setdefault((site, root.buffer, slot), len(self.slots))
        return found

    def slot(self, ring: int, index: int) -> int:
        """The number of the slot of a page."""
        return self.slots[(*self.roots[ring], index % self.depths[ring])]

    def stamp(self, ring: int, index: int) -> int:
        """The number that a page leaves in its slot; 0 means that there is nothing."""
        return (index << 12) + ring + 1

    def stamp_text(self, stamp: int) -> str:
        """A stamp in words."""
        if not stamp:
            return "nothing"
        return f"page {stamp >> 12} of {self.ring_names[(stamp & 4095) - 1]}"

    def _semaphore(self, site: Site, value: SSAValue) -> int:
        return self.semaphores.setdefault((site, value), len(self.semaphores))

    def semaphore_text(self, number: int) -> str:
        """A semaphore in words."""
        for (site, value), found in self.semaphores.items():
            if found == number:
                return f"%{value.name_hint or number} at {list(site)}"
        raise KeyError(number)

    def text(self, event: Event) -> str:
        """An event in words."""
        thread = self.threads[event.thread]
        if event.op is None:
            return f"{thread}: end"
        words = event.op.name.removeprefix("choreo.")
        names = [f"%{v.name_hint}" for v in event.op.operands if v.name_hint is not None]
        if event.kind == Kind.SEM_WAIT:
            names.append(f"{'eq' if event.exactly else 'ge'} {event.value}")
        elif event.kind == Kind.SEM_SET:
            names.append(str(event.value))
        return " ".join((f"{thread}:", words, *names))

    # Unrolling.

    def _unroll(self, thread: Thread, number: int, trips: Trips) -> None:
        instructions = thread.code.instructions
        registers = [*thread.site, *[0] * max(0, thread.code.size - 2)]
        place = 0
        steps = 0
        while place < len(instructions):
            steps += 1
            if steps > 500_000:
                raise TooLong
            instruction = instructions[place]
            place += 1
            match instruction:
                case Pure():
                    values = [registers[source] for source in instruction.sources]
                    registers[instruction.result] = instruction.function(values)
                case Move():
                    values = [registers[source] for source in instruction.sources]
                    for result, value in zip(instruction.results, values, strict=True):
                        registers[result] = value
                case Jump():
                    if instruction.unless is None or not registers[instruction.unless]:
                        place = instruction.target
                case Act(op=choreo.TripOp()):
                    element = tuple(registers[s] for s in instruction.sources)
                    registers[instruction.results[0]] = trips(element)
                case Act(op=choreo.ItemOp()):
                    registers[instruction.results[0]] = number
                case Act():
                    self._room -= 1
                    if self._room < 0:
                        raise TooLong
                    event = self._event(thread, instruction.op)
                    if event is not None:
                        event.opened = sum(access.bit for access in event.opens)
                        thread.events.append(event)
        last = Event(Kind.ITEM, None, thread.number)
        left = [(r, n, "reserved") for r, n in thread.reserved.items() if n]
        left += [(r, n, "waited for") for r, n in thread.waited.items() if n]
        for ring, pages, what in left:
            last.blame = ("left over", f"{pages} pages of {self.ring_names[ring]} stay {what}")
        if thread.accumulator is not None:
            last.blame = ("accumulator", f"{thread} ends with a live accumulator")
        thread.events.append(last)

    def _filled(self, thread: Thread, buffer: SSAValue) -> int:
        ring = self.ring(thread.site, buffer)
        if (other := self._fillers.setdefault(ring, thread)) is not thread:
            raise Unsound("two engines", f"{other} and {thread} fill {self.ring_names[ring]}")
        return ring

    def _taken(self, thread: Thread, buffer: SSAValue) -> int:
        ring = self.ring(thread.site, buffer)
        if (other := self._takers.setdefault(ring, thread)) is not thread:
            raise Unsound("two engines", f"{other} and {thread} take from {self.ring_names[ring]}")
        return ring

    def _access(self, thread: Thread, moves: Moves, label: str) -> Access:
        access = Access(1 << len(self.accesses), moves, label, thread=thread.number)
        self.accesses.append(access)
        return access

    def _event(self, thread: Thread, op: Operation) -> Event | None:
        event = Event(Kind.FREE, op, thread.number)
        match op:
            case choreo.ReserveOp():
                event.kind, event.ring = Kind.RESERVE, self._filled(thread, op.buffer)
                pages, pushed = op.pages.value.data, self.pushed.get(event.ring, 0)
                most = max(thread.reserved.get(event.ring, 0), pages)
                thread.reserved[event.ring] = most
                event.need = pushed + pages - self.depths[event.ring]
                event.value = pushed + most
            case choreo.PushOp():
                event.kind, event.ring = Kind.PUSH, self._filled(thread, op.buffer)
                pages, pushed = op.pages.value.data, self.pushed.get(event.ring, 0)
                rest = thread.reserved.get(event.ring, 0) - pages
                if rest < 0:
                    event.blame = ("unreserved", f"{thread} pushes what it has not reserved")
                self._around(event, event.ring, pushed, pages, f"{thread} pushes")
                thread.reserved[event.ring] = max(0, rest)
                event.value = self.pushed[event.ring] = pushed + pages
                event.reads = self._stamps(event.ring, pushed, pages)
            case choreo.WaitOp():
                event.kind, event.ring = Kind.WAIT, self._taken(thread, op.buffer)
                pages, popped = op.pages.value.data, self.popped.get(event.ring, 0)
                thread.waited[event.ring] = max(thread.waited.get(event.ring, 0), pages)
                event.need = popped + pages
            case choreo.PopOp():
                event.kind, event.ring = Kind.POP, self._taken(thread, op.buffer)
                pages, popped = op.pages.value.data, self.popped.get(event.ring, 0)
                rest = thread.waited.get(event.ring, 0) - pages
                if rest < 0:
                    event.blame = ("not waited for", f"{thread} pops what it has not waited for")
                self._around(event, event.ring, popped, pages, f"{thread} pops")
                thread.waited[event.ring] = max(0, rest)
                event.value = self.popped[event.ring] = popped + pages
            case choreo.SemWaitOp():
                event.kind = Kind.SEM_WAIT
                event.semaphore = self._semaphore(thread.site, op.semaphore)
                event.value, event.exactly = (
                    op.value.value.data,
                    op.comparison.data == Comparison.EQ,
                )
            case choreo.SemSetOp():
                event.kind = Kind.SEM_SET
                event.semaphore = self._semaphore(thread.site, op.semaphore)
                event.value = op.value.value.data
                if event.value > self.modulus:
                    event.blame = ("overflow", f"{thread} sets more than a counter holds")
            case choreo.SemIncOp():
                self._count(thread, op, event)
            case choreo.McastSendOp():
                self._send(thread, op, event)
            case choreo.McastSetValidOp():
                self._flag(thread, op, event)
            case choreo.FlushOp():
                if op.condition.data == FlushCondition.NEEDS_FLUSH and self.ordered:
                    return None
                event.kind, event.closes = Kind.BARRIER, thread.leavings
                thread.leavings = 0
                thread.data = [(access, group, True) for access, group, _ in thread.data]
            case choreo.ReadBarrierOp():
                event.kind, event.closes = Kind.BARRIER, thread.reads
                thread.reads = 0
            case choreo.WriteBarrierOp():
                event.kind, event.closes = Kind.BARRIER, thread.writes
                thread.writes = 0
            case choreo.ReadTilesOp():
                ring = self._fill(thread, op.buffer, event)
                index = self.pushed.get(ring, 0)
                access = self._access(thread, Moves.READ, self._says(thread, "read", ring, index))
                access.slot, access.stamp = self.slot(ring, index), self.stamp(ring, index)
                thread.reads |= access.bit
                event.opens = (access,)
                if op.rows_from is not None:
                    self._operands(thread, (op.rows_from,), event)
            case choreo.WriteTilesOp():
                self._operands(thread, (op.buffer,), event)
                ring = self.ring(thread.site, op.buffer)
                index = self.popped.get(ring, 0)
                access = self._access(thread, Moves.WRITE, self._says(thread, "write", ring, index))
                access.slot, access.ring, access.page = self.slot(ring, index), ring, index
                thread.writes |= access.bit
                event.opens = (access,)
                if op.rows_from is not None:
                    self._operands(thread, (op.rows_from,), event)
            case choreo.LoadIndexOp():
                self._operands(thread, (op.buffer,), event)
            case choreo.AcquireOp():
                if thread.accumulator is None:
                    thread.accumulator = op.acc
                    return None
                event.blame = ("accumulator", f"{thread} acquires a second accumulator")
            case choreo.AccumulatingOp():
                if thread.accumulator is not op.acc:
                    event.blame = ("accumulator", f"{thread} uses one that is not live")
                elif isinstance(op, choreo.ReleaseOp):
                    thread.accumulator = None
                    return None
                elif isinstance(op, choreo.PackOp):
                    ring = self._fill(thread, op.buffer, event)
                    event.writes = self._stamps(ring, self.pushed.get(ring, 0), 1)
                    event.accumulates = op.accumulate is not None
                else:
                    self._operands(thread, _inputs(op), event)
            case _:
                # An op of the dialect that this search does not know must not pass for harmless.
                raise NotImplementedError(op.name)
        return event

    def _says(self, thread: Thread, what: str, ring: int, index: int) -> str:
        return f"{what} of {thread}, page {index} of {self.ring_names[ring]}"

    def _stamps(self, ring: int, first: int, pages: int) -> tuple[tuple[int, int], ...]:
        indices = range(first, first + pages)
        return tuple((self.slot(ring, i), self.stamp(ring, i)) for i in indices)

    def _fill(self, thread: Thread, buffer: SSAValue, event: Event) -> int:
        ring = self._filled(thread, buffer)
        if thread.reserved.get(ring, 0) < 1:
            event.blame = ("unreserved", f"{thread} fills what it has not reserved")
        return ring

    def _operands(self, thread: Thread, buffers: Sequence[SSAValue], event: Event) -> None:
        for buffer in buffers:
            ring = self._taken(thread, buffer)
            if thread.waited.get(ring, 0) < 1:
                event.blame = ("not waited for", f"{thread} reads what it has not waited for")
            event.reads += self._stamps(ring, self.popped.get(ring, 0), 1)

    def _count(self, thread: Thread, op: choreo.SemIncOp, event: Event) -> None:
        sender = self.groups[op.group].sender.get(thread.site)
        if sender is None:
            event.blame = ("group", f"{thread} tells its sender, but is no receiver")
            return
        semaphore = self._semaphore(sender, op.semaphore)
        access = self._access(thread, Moves.COUNT, f"increment of {thread}")
        access.semaphore, access.value = semaphore, op.value.value.data
        # Increments of one engine to one semaphore land in the order of their issue.
        access.before = thread.counts.get(semaphore, 0)
        thread.counts[semaphore] = access.bit
        event.opens = (access,)

    def _multicast(
        self, thread: Thread, op: choreo.McastSendOp | choreo.McastSetValidOp, event: Event
    ) -> Sequence[Site]:
        receivers = self.groups[op.group].receivers.get(thread.site)
        if receivers is None:
            event.blame = ("group", f"{thread} multicasts, but is no sender")
        if thread.path is not None and thread.path is not op.group:
            event.blame = ("path", f"{thread} holds the path to another group")
        return receivers or ()

    def _around(self, event: Event, ring: int, first: int, pages: int, says: str) -> None:
        """Pages that are moved at once lie side by side."""
        depth = self.depths[ring]
        if event.blame is None and first % depth + pages > depth:
            event.blame = ("wrap", f"{says} pages around the end of {self.ring_names[ring]}")

    def _send(self, thread: Thread, op: choreo.McastSendOp, event: Event) -> None:
        receivers = self._multicast(thread, op, event)
        ring = self._filled(thread, op.buffer)
        pages, pushed = op.pages.value.data, self.pushed.get(ring, 0)
        if thread.reserved.get(ring, 0) < pages:
            event.blame = ("unreserved", f"{thread} sends what it has not reserved")
        self._around(event, ring, pushed, pages, f"{thread} sends")
        event.reads = self._stamps(ring, pushed, pages)
        hold = op.hold_path is not None
        if not hold or thread.path is not op.group:
            thread.held = []
        thread.path = op.group if hold else None
        for index in range(pushed, pushed + pages):
            says = self._says(thread, "multicast", ring, index)
            leaving = self._access(thread, Moves.LEAVING, says)
            leaving.slot = self.slot(ring, index)
            thread.leavings |= leaving.bit
            event.opens += (leaving,)
            for site in receivers:
                data = self._access(thread, Moves.DATA, f"{says}, to {list(site)}")
                data.ring, data.index = self.ring(site, op.buffer), index
                data.slot = self.slot(data.ring, index)
                data.before = leaving.bit
                event.opens += (data,)
                thread.data.append((data, op.group, False))
                if hold:
                    thread.held.append(data)

    def _flag(self, thread: Thread, op: choreo.McastSetValidOp, event: Event) -> None:
        receivers = self._multicast(thread, op, event)
        held = thread.held if self.ordered and thread.path is op.group else []
        for site in receivers:
            flag = self._access(thread, Moves.FLAG, f"flag of {thread}, to {list(site)}")
            flag.semaphore, flag.value = self._semaphore(site, op.semaphore), 1
            earlier = [a for a, group, flushed in thread.data if group is op.group and flushed]
            for data in (*earlier, *held):
                if self.roots[data.ring][0] == site:
                    flag.before |= data.bit
            event.opens += (flag,)
        thread.path = None
        thread.held = []

    # What meets what.

    def parts(self) -> list[list[int]]:
        """The engines, in parts that share no memory and no semaphore with each other."""
        part = list(range(len(self.threads)))

        def find(number: int) -> int:
            while part[number] != number:
                number = part[number]
            return number

        owners: dict[tuple[str, object], int] = {}
        for event in self.events():
            used: list[tuple[str, object]] = []
            if event.ring >= 0:
                used.append(("memory", self.roots[event.ring]))
            if event.semaphore >= 0:
                used.append(("semaphore", event.semaphore))
            used += (("slot", slot) for slot, _ in (*event.reads, *event.writes))
            for access in event.opens:
                if access.ring >= 0:
                    used.append(("memory", self.roots[access.ring]))
                if access.slot >= 0:
                    used.append(("slot", access.slot))
                if access.semaphore >= 0:
                    used.append(("semaphore", access.semaphore))
            for key in used:
                part[find(event.thread)] = find(owners.setdefault(key, event.thread))
        found: dict[int, list[int]] = {}
        for number in range(len(self.threads)):
            found.setdefault(find(number), []).append(number)
        return list(found.values())

    def events(self) -> Iterator[Event]:
        """All events of all engines."""
        return (event for thread in self.threads for event in thread.events)

    def _conflicts(self) -> None:
        """The accesses that each event must not meet, by the table of conflicts."""
        readers, writers = [0] * len(self.slots), [0] * len(self.slots)
        flags, counts = [0] * len(self.semaphores), [0] * len(self.semaphores)
        for access in self.accesses:
            match access.moves:
                case Moves.READ | Moves.DATA:
                    writers[access.slot] |= access.bit
                case Moves.WRITE | Moves.LEAVING:
                    readers[access.slot] |= access.bit
                case Moves.FLAG:
                    flags[access.semaphore] |= access.bit
                case Moves.COUNT:
                    counts[access.semaphore] |= access.bit
        for event in self.events():
            for slot, _ in event.reads:
                event.conflicts |= writers[slot]
                # A push does not read its page: only what is in the slot by then matters.
                if event.kind != Kind.PUSH:
                    event.slots_read |= 1 << slot
            for slot, _ in event.writes:
                event.conflicts |= writers[slot] | readers[slot]
                event.slots_written |= 1 << slot
            for access in event.opens:
                match access.moves:
                    case Moves.READ | Moves.DATA:
                        event.conflicts |= writers[access.slot] | readers[access.slot]
                    case Moves.WRITE | Moves.LEAVING:
                        event.conflicts |= writers[access.slot]
                    case Moves.FLAG:
                        event.conflicts |= flags[access.semaphore] | counts[access.semaphore]
                    case Moves.COUNT:
                        event.conflicts |= flags[access.semaphore]
            match event.kind:
                case Kind.SEM_SET:
                    event.conflicts |= flags[event.semaphore] | counts[event.semaphore]
                case Kind.SEM_WAIT:
                    event.conflicts |= flags[event.semaphore]
                    if event.exactly:
                        event.conflicts |= counts[event.semaphore]
                case _:
                    pass
            event.conflicts &= ~event.opened

    def _mark(self) -> None:
        """Marks the events that may run as soon as they can, before anything else is tried.

        Such an event never gets disabled, and whatever goes wrong if it is put off goes wrong, too,
        if it is not:

        - to wait for pages is seen by nobody else; a pop, and a reserve of a ring that no multicast
          lands in, only let others go on that have to wait otherwise, and they go on being able to;
        - to start an access early is to have it under way for longer. What it demands at its issue
          (contents, a receiver's reserved page) can be late only, so the earliest issue shows it,
          and who takes contents away meets the access then, since its end is not put forward;
        - a slot is private if only one ring of its site has it and no multicast lands there. Its
          reader and its filler take turns by the counters, so nobody but accesses under way can
          meet what they do there, and these are checked when the event runs. The same holds for
          the end of what a barrier waits for, unless its page has been popped already: then the
          filler may come while the access is under way.
        """
        names: dict[tuple[Site, SSAValue], set[int]] = {}
        for ring, root in enumerate(self.roots):
            names.setdefault(root, set()).add(ring)
        landed = {access.ring for access in self.accesses if access.moves == Moves.DATA}
        shared = {root for root, rings in names.items() if len(rings) > 1 or rings & landed}
        private = {
            number for (site, root, _), number in self.slots.items() if (site, root) not in shared
        }
        popped: dict[int, int] = {}
        for event in self.events():
            match event.kind:
                case Kind.WAIT:
                    event.at_once = True
                case Kind.POP:
                    event.at_once = True
                    popped[event.ring] = event.value
                case Kind.RESERVE:
                    event.at_once = event.ring not in landed
                case Kind.PUSH:
                    event.at_once = all(slot in private for slot, _ in event.reads)
                case Kind.FREE:
                    used = [slot for slot, _ in (*event.reads, *event.writes)]
                    if isinstance(event.op, choreo.McastSendOp):
                        used = []
                    elif isinstance(event.op, choreo.WriteTilesOp):
                        used = used[1:]
                    event.at_once = all(slot in private for slot in used)
                case Kind.BARRIER:
                    event.at_once = all(
                        access.slot in private
                        and (
                            access.moves != Moves.WRITE or access.page >= popped.get(access.ring, 0)
                        )
                        for access in self._of(event.closes)
                    )
                case Kind.SEM_WAIT | Kind.SEM_SET | Kind.ITEM | Kind.END:
                    pass
            if event.blame is not None and event.kind != Kind.ITEM:
                event.at_once = True

    def _of(self, bits: int) -> Iterator[Access]:
        while bits:
            low = bits & -bits
            yield self.accesses[low.bit_length() - 1]
            bits ^= low


def _inputs(op: choreo.AccumulatingOp) -> tuple[SSAValue, ...]:
    """The rings whose front pages an op computes on."""
    match op:
        case choreo.MatmulOp():
            return (op.lhs, op.rhs, *(() if op.reload is None else (op.reload,)))
        case choreo.DotOp():
            return (op.lhs, op.rhs)
        case choreo.MapOp() | choreo.AllReduceOp():
            return tuple(op.inputs)
        case choreo.ReduceOp():
            return (op.input,)
        case _:
            # Likewise: a new op that computes is to be added here.
            raise NotImplementedError(op.name)
