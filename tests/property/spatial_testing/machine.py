"""Runs scheduled programs op by op, on pages that are terms.

Every engine of every site of a small grid is a thread. What moves on its own (reads from tensors,
writes to them, multicasts, flags, counts) lands as early or as late as the schedule wants, within
what the program has ordered. Whatever a correct program never does is a `Fault`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from xdsl.ir import Operation, SSAValue

from spatial_dialect.dialects import choreo
from spatial_dialect.dialects.spatial import BufferOp, ProgramOp
from spatial_dialect.ir.attributes import Comparison, FlushCondition
from spatial_dialect.ir.types import ReadyType

from .code import Act, Code, Jump, Move, Pure
from .environment import Group, Site, Trips, argument_names, groups_of, sites_of
from .reference import Place, Stored
from .terms import Term, Terms, load_head, map_head

Landing: TypeAlias = Literal["early", "late", "random"]
"""When what moves on its own lands."""


class Fault(Exception):
    """Something that a correct program never does."""


@dataclass(frozen=True)
class Schedule:
    """Who runs next, and when moves land."""

    name: str
    order: Literal["round-robin", "greedy", "random"]
    landing: Landing
    backwards: bool = False
    seed: int = 0
    dawdles: bool = False
    """An engine that has told its sender stops there until nobody else can go on."""


SCHEDULES = (
    Schedule("dawdling round robin", "round-robin", "early", dawdles=True),
    Schedule("greedy, late landings", "greedy", "late"),
    Schedule("backwards greedy, late landings", "greedy", "late", backwards=True),
    Schedule("backwards round robin, late landings", "round-robin", "late", backwards=True),
    Schedule("random", "random", "random", seed=1),
)
"""Schedules that differ as much as they can."""


@dataclass(slots=True)
class Stamp:
    """What a slot of memory holds: a page of some ring, and its value."""

    ring: Ring
    index: int
    term: Term


@dataclass(eq=False, slots=True)
class Ring:
    """The state of a buffer on one site."""

    name: str
    site: Site
    depth: int
    memory: list[Stamp | None]
    """Shared with the rings of the same memory."""
    sharing: list[Ring]
    """All rings of the memory, this one included."""
    pushed: int = 0
    popped: int = 0
    reserved: int = 0
    waited: int = 0
    filler: Thread | None = None
    taker: Thread | None = None
    sends: list[Send] = field(default_factory=list["Send"])
    """Those of its pages that may still be read, for all that the sender knows."""

    def filled_by(self, thread: Thread) -> None:
        """A ring has one engine that fills it."""
        if self.filler is None:
            self.filler = thread
        elif self.filler is not thread:
            raise Fault(f"{self} is filled by {self.filler} and by {thread}")

    def taken_by(self, thread: Thread) -> None:
        """A ring has one engine that takes from it."""
        if self.taker is None:
            self.taker = thread
        elif self.taker is not thread:
            raise Fault(f"{self} is read by {self.taker} and by {thread}")

    def fill(self, index: int, term: Term) -> None:
        """Puts a value into the slot of a page."""
        slot = index % self.depth
        old = self.memory[slot]
        if old is not None and old.ring.popped <= old.index < old.ring.pushed:
            raise Fault(f"page {index} of {self} overwrites page {old.index} of {old.ring}")
        if any(send.index % self.depth == slot for send in self.sends if send.index != index):
            raise Fault(f"page {index} of {self} is filled while a multicast may still read there")
        self.memory[slot] = Stamp(self, index, term)

    def holds(self, index: int) -> Stamp | None:
        """The slot of a page, if that is what it holds."""
        stamp = self.memory[index % self.depth]
        return stamp if stamp is not None and stamp.ring is self and stamp.index == index else None

    def read(self, index: int, what: str) -> Term:
        """The value of a page."""
        if (stamp := self.holds(index)) is None:
            old = self.memory[index % self.depth]
            found = "nothing" if old is None else f"page {old.index} of {old.ring}"
            raise Fault(f"{what} page {index} of {self}, but finds {found} there")
        return stamp.term

    def __str__(self) -> str:
        return f"{self.name} at {list(self.site)}"


@dataclass(eq=False, slots=True)
class Send:
    """A page on its way from a sender to all receivers."""

    thread: Thread
    group: SSAValue
    ring: Ring
    index: int
    hold_path: bool
    landings: list[Flight] = field(default_factory=list["Flight"])
    term: Term | None = None
    flushed: bool = False

    def leave(self) -> Term:
        """The source has been read at the latest now."""
        if self.term is None:
            self.term = self.ring.read(self.index, "a multicast still sends")
        return self.term


@dataclass(eq=False, slots=True)
class Flight:
    """Something that lands on a site some time later."""

    kind: Literal["data", "flag", "count"]
    land: Callable[[], None]
    after: list[Flight]
    landed: bool = False


@dataclass(eq=False, slots=True)
class Thread:
    """One engine of one site."""

    code: Code
    site: Site
    registers: list[int]
    place: int = 0
    reads: list[Callable[[], None]] = field(default_factory=list[Callable[[], None]])
    """What the next barrier waits for."""
    writes: list[Callable[[], None]] = field(default_factory=list[Callable[[], None]])
    filling: set[tuple[Ring, int]] = field(default_factory=set[tuple["Ring", int]])
    """The pages that reads may still fill."""
    taking: set[tuple[Ring, int]] = field(default_factory=set[tuple["Ring", int]])
    """The pages that writes may still take."""
    sends: list[Send] = field(default_factory=list[Send])
    """Not all landed yet."""
    leaving: list[Send] = field(default_factory=list[Send])
    """Those that may still read their pages, for all that the engine knows."""
    path: SSAValue | None = None
    """The group whose path is held."""
    held: list[Send] = field(default_factory=list[Send])
    """The sends that hold the path now."""
    accumulator: SSAValue | None = None
    value: Term | None = None
    """What the accumulator holds, but for sums."""
    products: list[Term] = field(default_factory=list[Term])
    done: bool = False
    stopped: bool = False

    @property
    def next_op(self) -> Operation | None:
        """The op the engine stands at."""
        rest = self.code.instructions[self.place : self.place + 1]
        return rest[0].op if rest and isinstance(rest[0], Act) else None

    def __str__(self) -> str:
        return f"@{self.code.engine.sym_name.data} at {list(self.site)}"


class Machine:
    """A run of a scheduled program for one work item."""

    def __init__(
        self,
        program: ProgramOp,
        terms: Terms,
        trips: Trips,
        schedule: Schedule,
        item: int = 0,
        codes: dict[choreo.EngineOp, Code] | None = None,
    ):
        self.program = program
        self.terms = terms
        self.trips = trips
        self.schedule = schedule
        self.item = item
        self.random = random.Random(schedule.seed)
        self.names = argument_names(program)
        self.groups = groups_of(program)
        machine = program.machine
        assert machine is not None
        self.ordered = machine.ordering == "ordered"
        self.stored: Stored = {}
        self.flights: list[Flight] = []
        self.rings: dict[tuple[Site, SSAValue], Ring] = {}
        self.semaphores: dict[tuple[Site, SSAValue], int] = {}
        self.threads: list[Thread] = []
        self.steps = 0
        self._buffers: dict[SSAValue, BufferOp] = {op.buffer: op for op in program.buffers}
        self._ready: dict[SSAValue, SSAValue] = {
            op.ready: op.group
            for op in program.body.block.ops
            if isinstance(op, choreo.SemaphoresOp)
        }
        codes = {} if codes is None else codes
        for op in program.body.block.ops:
            if isinstance(op, choreo.EngineOp):
                code = codes.get(op) or codes.setdefault(op, Code.of(op))
                for site in sites_of(op.sites):
                    registers = [*site, *[0] * (code.size - 2)]
                    self.threads.append(Thread(code, site, registers))

    # State.

    def ring(self, thread_site: Site, buffer: SSAValue) -> Ring:
        """The ring of a buffer on a site."""
        key = (thread_site, buffer)
        found = self.rings.get(key)
        if found is None:
            op = self._buffers[buffer]
            assert op.pages is not None
            name = f"%{buffer.name_hint or len(self.rings)}"
            memory: list[Stamp | None] = [None] * op.pages
            sharing: list[Ring] = []
            if op.alias is not None:
                other = self.ring(thread_site, op.alias)
                memory, sharing = other.memory, other.sharing
            found = self.rings[key] = Ring(name, thread_site, op.pages, memory, sharing)
            sharing.append(found)
        return found

    def _group_of(self, thread: Thread, value: SSAValue) -> Group:
        group = self.groups[value]
        if thread.site not in group.receivers and thread.site not in group.sender:
            raise Fault(f"{thread} takes no part in the group it uses")
        return group

    # Running.

    def run(self) -> None:
        """Runs to the end.

        Raises:
            Fault: the program does something that a correct one never does, or hangs.
        """
        threads = self.threads[::-1] if self.schedule.backwards else [*self.threads]
        burst = {"round-robin": 1, "greedy": 10**9, "random": 0}[self.schedule.order]
        shuffled = self.schedule.order == "random"
        while True:
            moved = False
            if shuffled:
                self.random.shuffle(threads)
            for thread in threads:
                steps = burst or self.random.choice((1, 1, 2, 5, 30))
                while steps and not thread.done and not thread.stopped and self._step(thread):
                    moved = True
                    steps -= 1
            if self.schedule.landing == "random":
                for flight in self.flights:
                    if self.random.random() < 0.3:
                        self._land(flight)
                        moved = True
            self.flights = [flight for flight in self.flights if not flight.landed]
            stopped = [thread for thread in threads if thread.stopped]
            if not moved and stopped:
                stopped[0].stopped = False
                moved = True
            if moved:
                continue
            if not self.flights:
                break
            # A flag lands before data that it is not ordered after, to show if that matters.
            # Backwards counts go first, and then what is under way for the shortest time, so that
            # data stays on its way for as long as can be.
            backwards = self.schedule.backwards
            kinds = ("count", "flag", "data") if backwards else ("flag", "count", "data")
            order = -1 if backwards else 1
            first = min(
                range(len(self.flights)),
                key=lambda i: (kinds.index(self.flights[i].kind), order * i),
            )
            self._land(self.flights[first])
        self._check_end()

    def _land(self, flight: Flight) -> None:
        if flight.landed:
            return
        for other in flight.after:
            self._land(other)
        flight.landed = True
        flight.land()

    def _fly(self, flight: Flight) -> None:
        if self.schedule.landing == "early":
            self._land(flight)
        else:
            self.flights.append(flight)

    def _check_end(self) -> None:
        blocked = [thread for thread in self.threads if not thread.done]
        if blocked:
            lines = "\n".join(f"  {t} waits at: {self._explain(t)}" for t in blocked)
            raise Fault(f"deadlock:\n{lines}")
        for ring in self.rings.values():
            if ring.pushed != ring.popped or ring.reserved or ring.waited:
                raise Fault(
                    f"at the end {ring} has {ring.pushed} pages pushed and {ring.popped} popped, "
                    f"{ring.reserved} still reserved and {ring.waited} waited for"
                )
        for (site, semaphore), value in self.semaphores.items():
            if isinstance(semaphore.type, ReadyType) and value:
                raise Fault(f"at the end a ready semaphore at {list(site)} is {value}, not 0")
        for thread in self.threads:
            if thread.filling or thread.taking or thread.accumulator is not None:
                raise Fault(f"{thread} ends with a read, a write or an accumulator still open")

    def _explain(self, thread: Thread) -> str:
        op = thread.next_op
        if isinstance(op, choreo.RingOp):
            ring = self.ring(thread.site, op.buffer)
            state = f"{ring.pushed - ring.popped} of {ring.depth} pages full"
            return f"{op} ({state}, {ring.pushed} pushed so far)"
        if isinstance(op, choreo.SemWaitOp):
            return f"{op} (it is {self.semaphores.get((thread.site, op.semaphore), 0)})"
        return str(op)

    def _step(self, thread: Thread) -> bool:
        """Runs an engine up to and including its next op that can be seen, if that may run."""
        instructions, registers = thread.code.instructions, thread.registers
        place = thread.place
        while place < len(instructions):
            instruction = instructions[place]
            match instruction:
                case Act():
                    thread.place = place
                    if not self._act(thread, instruction):
                        return False
                    thread.place = place + 1
                    self.steps += 1
                    return True
                case Pure():
                    registers[instruction.result] = instruction.function(
                        [registers[source] for source in instruction.sources]
                    )
                case Move():
                    values = [registers[source] for source in instruction.sources]
                    for result, value in zip(instruction.results, values, strict=True):
                        registers[result] = value
                case Jump():
                    if instruction.unless is None or not registers[instruction.unless]:
                        place = instruction.target
                        continue
            place += 1
        thread.place = place
        thread.done = True
        return True

    def _act(self, thread: Thread, act: Act) -> bool:
        """Runs one op; False if it has to wait."""
        op, site = act.op, thread.site
        match op:
            case choreo.ReserveOp():
                ring = self.ring(site, op.buffer)
                ring.filled_by(thread)
                pages = op.pages.value.data
                if ring.depth - (ring.pushed - ring.popped) < pages:
                    return False
                ring.reserved = max(ring.reserved, pages)
            case choreo.PushOp():
                ring = self.ring(site, op.buffer)
                ring.filled_by(thread)
                pages = op.pages.value.data
                if ring.reserved < pages:
                    raise Fault(
                        f"{thread} pushes {pages} pages of {ring}, {ring.reserved} reserved"
                    )
                for index in range(ring.pushed, ring.pushed + pages):
                    ring.read(index, f"{thread} pushes")
                    if (ring, index) in thread.filling:
                        raise Fault(f"{thread} pushes page {index} of {ring} before a read_barrier")
                ring.pushed += pages
                ring.reserved -= pages
            case choreo.WaitOp():
                ring = self.ring(site, op.buffer)
                ring.taken_by(thread)
                pages = op.pages.value.data
                if ring.pushed - ring.popped < pages:
                    return False
                ring.waited = max(ring.waited, pages)
            case choreo.PopOp():
                ring = self.ring(site, op.buffer)
                ring.taken_by(thread)
                pages = op.pages.value.data
                if ring.waited < pages:
                    raise Fault(f"{thread} pops {pages} pages of {ring}, {ring.waited} waited for")
                for index in range(ring.popped, ring.popped + pages):
                    if (ring, index) in thread.taking:
                        raise Fault(f"{thread} pops page {index} of {ring} before a write_barrier")
                ring.popped += pages
                ring.waited -= pages
            case choreo.SemWaitOp():
                value = self.semaphores.get((site, op.semaphore), 0)
                wanted = op.value.value.data
                exactly = op.comparison.data == Comparison.EQ
                if not (value == wanted if exactly else value >= wanted):
                    return False
                if (group := self._ready.get(op.semaphore)) is not None:
                    # Who is ready for the next page has the last one.
                    self._left(thread, [send for send in thread.leaving if send.group is group])
            case choreo.SemSetOp():
                self.semaphores[site, op.semaphore] = op.value.value.data
            case choreo.SemIncOp():
                self._count(thread, op)
                thread.stopped = self.schedule.dawdles
            case choreo.McastSendOp():
                self._send(thread, op)
            case choreo.McastSetValidOp():
                self._flag(thread, op)
            case choreo.FlushOp():
                if op.condition.data == FlushCondition.ALWAYS or not self.ordered:
                    for send in thread.sends:
                        send.leave()
                        send.flushed = True
                    self._left(thread, thread.leaving)
            case choreo.ReadTilesOp():
                self._read_tiles(thread, op, act)
            case choreo.WriteTilesOp():
                self._write_tiles(thread, op, act)
            case choreo.ReadBarrierOp():
                _all(thread.reads)
                thread.filling.clear()
            case choreo.WriteBarrierOp():
                _all(thread.writes)
                thread.taking.clear()
            case choreo.LoadIndexOp():
                thread.registers[act.results[0]] = self._operand(thread, op.buffer)
            case choreo.ItemOp():
                thread.registers[act.results[0]] = self.item
            case choreo.TripOp():
                element = tuple(thread.registers[s] for s in act.sources)
                thread.registers[act.results[0]] = self.trips(element)
            case _:
                self._compute(thread, op, act)
        return True

    # Between sites.

    def _left(self, thread: Thread, sends: list[Send]) -> None:
        for send in [*sends]:
            thread.leaving.remove(send)
            send.ring.sends.remove(send)

    def _count(self, thread: Thread, op: choreo.SemIncOp) -> None:
        group = self._group_of(thread, op.group)
        if thread.site not in group.sender:
            raise Fault(f"{thread} tells its sender, but is no receiver of the group")
        key = (group.sender[thread.site], op.semaphore)
        amount = op.value.value.data

        def land() -> None:
            self.semaphores[key] = self.semaphores.get(key, 0) + amount

        self._fly(Flight("count", land, []))

    def _receivers(self, thread: Thread, group: SSAValue) -> tuple[Site, ...]:
        receivers = self._group_of(thread, group).receivers.get(thread.site)
        if receivers is None:
            raise Fault(f"{thread} sends, but is no sender of the group")
        if thread.path is not None and thread.path is not group:
            raise Fault(f"{thread} holds the path to one group and multicasts to another")
        return receivers

    def _send(self, thread: Thread, op: choreo.McastSendOp) -> None:
        receivers = self._receivers(thread, op.group)
        ring = self.ring(thread.site, op.buffer)
        ring.filled_by(thread)
        pages = op.pages.value.data
        if ring.reserved < pages:
            raise Fault(f"{thread} sends {pages} pages of {ring}, {ring.reserved} reserved")
        hold_path = op.hold_path is not None
        if not hold_path:
            thread.held.clear()
        thread.path = op.group if hold_path else None
        for page in range(pages):
            index = ring.pushed + page
            ring.read(index, f"{thread} sends")
            if (ring, index) in thread.filling:
                raise Fault(f"{thread} sends page {index} of {ring} before a read_barrier")
            send = Send(thread, op.group, ring, index, hold_path)
            for site in receivers:
                other = self.ring(site, op.buffer)
                theirs = other.pushed + page
                if other.reserved < page + 1:
                    raise Fault(f"{thread} sends to {other}, where no page is reserved")
                if index % ring.depth != theirs % other.depth:
                    raise Fault(
                        f"{thread} sends page {index} of {ring}, but {other} is at page {theirs}: "
                        f"other places in a ring of {ring.depth}"
                    )
                send.landings.append(Flight("data", self._arrive(send, other, theirs), []))
            thread.sends.append(send)
            thread.leaving.append(send)
            ring.sends.append(send)
            if hold_path:
                thread.held.append(send)
            for landing in send.landings:
                self._fly(landing)
        thread.sends = [s for s in thread.sends if not all(f.landed for f in s.landings)]

    def _arrive(self, send: Send, ring: Ring, index: int) -> Callable[[], None]:
        def land() -> None:
            term = send.leave()
            if ring.pushed > index:
                raise Fault(f"data lands in page {index} of {ring}, which is pushed already")
            ring.fill(index, term)

        return land

    def _flag(self, thread: Thread, op: choreo.McastSetValidOp) -> None:
        receivers = self._receivers(thread, op.group)
        before = [
            send
            for send in thread.sends
            if send.group is op.group and (send.flushed or (self.ordered and send in thread.held))
        ]
        for number, site in enumerate(receivers):

            def land(site: Site = site) -> None:
                self.semaphores[site, op.semaphore] = 1

            self._fly(Flight("flag", land, [send.landings[number] for send in before]))
        thread.path = None
        thread.held.clear()

    # Between tensors and pages.

    def _overlaps(self, thread_moves: list[Callable[[], None]], move: Callable[[], None]) -> None:
        """Does a move now, or leaves it to the next barrier."""
        landing = self.schedule.landing
        if landing == "early" or (landing == "random" and self.random.random() < 0.5):
            move()
        else:
            thread_moves.append(move)

    def _read_tiles(self, thread: Thread, op: choreo.ReadTilesOp, act: Act) -> None:
        ring = self.ring(thread.site, op.buffer)
        ring.filled_by(thread)
        if not ring.reserved:
            raise Fault(f"{thread} reads into {ring} without a reserved page")
        rows = () if op.rows_from is None else (self._operand(thread, op.rows_from),)
        tile = tuple(thread.registers[s] for s in act.sources)
        head = load_head(self.names[op.tensor], tile, op.strides, op.transpose, op.pad)
        term = self.terms.make(head, rows)
        index = ring.pushed
        thread.filling.add((ring, index))
        self._overlaps(thread.reads, lambda: ring.fill(index, term))

    def _write_tiles(self, thread: Thread, op: choreo.WriteTilesOp, act: Act) -> None:
        ring = self.ring(thread.site, op.buffer)
        self._operand(thread, op.buffer)
        rows = None if op.rows_from is None else self._operand(thread, op.rows_from)
        tile = tuple(thread.registers[s] for s in act.sources)
        places = self.stored.setdefault(Place(thread.site, self.names[op.tensor], tile, rows), [])
        number = len(places)
        places.append(-1)
        index = ring.popped
        thread.taking.add((ring, index))

        def leave() -> None:
            places[number] = ring.read(index, "a write still takes")

        self._overlaps(thread.writes, leave)

    # Computation.

    def _operand(self, thread: Thread, buffer: SSAValue) -> Term:
        """The front page of a buffer."""
        ring = self.ring(thread.site, buffer)
        ring.taken_by(thread)
        if not ring.waited:
            raise Fault(f"{thread} reads {ring} without waiting for it")
        return ring.read(ring.popped, f"{thread} reads")

    def _compute(self, thread: Thread, op: Operation, act: Act) -> None:
        match op:
            case choreo.AcquireOp():
                if thread.accumulator is not None:
                    raise Fault(f"{thread} acquires a second accumulator")
                thread.accumulator, thread.value = op.acc, None
                thread.products = []
                return
            case choreo.AccumulatingOp():
                if thread.accumulator is not op.acc:
                    raise Fault(f"{thread} uses an accumulator that is not live: {op}")
            case _:
                raise NotImplementedError(op.name)
        match op:
            case choreo.ReleaseOp():
                thread.accumulator = None
            case choreo.PackOp():
                self._pack(thread, op)
            case choreo.MatmulOp():
                self._matmul(thread, op, act)
            case choreo.MapOp():
                head = map_head(op.body.block, op.broadcasts)
                self._set(thread, self._apply(thread, head, tuple(op.inputs)))
            case choreo.DotOp():
                head = ("dot", op.transpose_b is not None)
                self._set(thread, self._apply(thread, head, (op.lhs, op.rhs)))
            case choreo.ReduceOp():
                head = ("reduce", str(op.kind.data), str(op.axis.data))
                self._set(thread, self._apply(thread, head, (op.input,)))
            case choreo.AllReduceOp():
                head = ("all_reduce", str(op.kind.data))
                self._set(thread, self._apply(thread, head, tuple(op.inputs)))
            case _:
                raise NotImplementedError(op.name)

    def _apply(
        self, thread: Thread, head: tuple[object, ...], buffers: tuple[SSAValue, ...]
    ) -> Term:
        return self.terms.make(head, tuple(self._operand(thread, b) for b in buffers))

    def _set(self, thread: Thread, term: Term) -> None:
        if thread.value is not None or thread.products:
            raise Fault(f"{thread} computes into an accumulator that holds something")
        thread.value = term

    def _matmul(self, thread: Thread, op: choreo.MatmulOp, act: Act) -> None:
        if thread.value is not None:
            raise Fault(f"{thread} adds a product to something else")
        if op.reload is not None:
            if thread.products:
                raise Fault(f"{thread} reloads over a sum")
            partial = self.terms.summands(self._operand(thread, op.reload))
            if partial is None:
                raise Fault(f"{thread} reloads a page that is no partial sum")
            thread.products = [*partial]
        block = tuple(thread.registers[s] for s in act.sources) or (0, 0)
        factors = (self._operand(thread, op.lhs), self._operand(thread, op.rhs))
        thread.products.append(self.terms.make(("product", *block), factors))

    def _pack(self, thread: Thread, op: choreo.PackOp) -> None:
        ring = self.ring(thread.site, op.buffer)
        ring.filled_by(thread)
        if not ring.reserved:
            raise Fault(f"{thread} packs into {ring} without a reserved page")
        term = thread.value
        if term is None:
            products = tuple(thread.products)
            if op.accumulate is not None:
                old = ring.memory[ring.pushed % ring.depth]
                partial = None if old is None else self.terms.summands(old.term)
                if partial is None:
                    raise Fault(f"{thread} adds to a page of {ring} that holds no sum")
                products = partial + products
            term = self.terms.sum(products)
        elif op.accumulate is not None:
            raise Fault(f"{thread} adds something that is no sum to a page")
        ring.fill(ring.pushed, term)


def _all(moves: list[Callable[[], None]]) -> None:
    for move in moves:
        move()
    moves.clear()
