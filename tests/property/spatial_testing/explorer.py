"""Searches all interleavings of small scheduled programs, and all times at which moves may land.

Written from the rules of choreography alone, on the full grid and for given trip counts: what it
says of a program is what a proof has to say. A state is the place of each engine, the accesses
under way, the counters of rings, the semaphores and what each slot of memory holds, all numbers in
one tuple.

Two steps that are possible in one state must commute by the table of conflicts, or that is a fault,
even if nothing comes of it: two accesses to a slot of which one writes it, and of a semaphore a set
and anything else, and an increment and a wait for one value. An access counts from its issue until
it ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from spatial_dialect.dialects.spatial import ProgramOp

from .environment import Trips
from .explorer_events import Access, Event, Kind, Moves, TooLong, Unrolled, Unsound

State: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class Exploration:
    """What the search has found."""

    verdict: Literal["fine", "fault", "too large"]
    kind: str = ""
    """Of the fault: one of `KINDS`."""
    reason: str = ""
    states: int = 0
    trace: tuple[str, ...] = ()
    """The steps that lead to the fault."""

    def __str__(self) -> str:
        if self.verdict != "fault":
            return f"{self.verdict}, {self.states} states"
        return "\n".join((f"{self.kind}: {self.reason}", *self.trace))


KINDS = (
    "accumulator",
    "contents",
    "deadlock",
    "group",
    "landing",
    "left over",
    "not waited for",
    "open at the end",
    "overflow",
    "path",
    "semaphore at the end",
    "semaphore race",
    "slot race",
    "two engines",
    "unreserved",
    "wrap",
)
"""The kinds of fault."""


class _Fault(Exception):
    def __init__(self, kind: str, reason: str):
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


def explore(
    program: ProgramOp,
    trips: Trips | Sequence[Trips] = Trips(0),
    *,
    limit: int = 200_000,
    reduced: bool = True,
    again: bool = True,
) -> Exploration:
    """Searches all runs of a scheduled program for a fault.

    Args:
        program: the scheduled program.
        trips: the run-time trips, or those of several work items that run one after the other.
        limit: the number of states after which to give up.
        reduced: leave out interleavings that cannot show a fault which others do not show.
        again: run the items once more if they leave semaphores or places in rings other than they
            were, as the next launch would.
    """
    items = [trips] if isinstance(trips, Trips) else [*trips]
    try:
        found, traces = _explore(Unrolled(program, items, 1, reduced=reduced), reduced, limit)
        if found.verdict == "fine" and again and traces:
            twice = Unrolled(program, items, 2, reduced=reduced)
            found, _ = _explore(twice, reduced, limit)
        return found
    except TooLong:
        return Exploration("too large")
    except Unsound as unsound:
        return Exploration("fault", *unsound.blame)


def _explore(unrolled: Unrolled, reduced: bool, limit: int) -> tuple[Exploration, bool]:
    """What a search finds, and whether the run leaves anything other than it was."""
    # Engines that share nothing, directly or through others, cannot tell in which order the others
    # run, nor when: each part is searched by itself.
    parts = unrolled.parts() if reduced else [[*range(len(unrolled.threads))]]
    states, traces, too_large = 0, False, False
    for part in parts:
        search = _Search(unrolled, part, reduced, limit - states)
        found = search.run()
        states += found.states
        traces |= search.leaves_traces
        too_large |= found.verdict == "too large"
        if found.verdict == "fault":
            return replace(found, states=states), traces
    return Exploration("too large" if too_large else "fine", states=states), traces


class _Search:
    """A depth-first search.

    In a state are, in this order, the places of all engines, and then, each from the place that is
    named so, numbers for accesses, rings, semaphores and slots.
    """

    def __init__(self, unrolled: Unrolled, part: Sequence[int], reduced: bool, limit: int):
        self.unrolled = unrolled
        self.reduced = reduced
        self.limit = limit
        self.part = [(number, unrolled.threads[number].events) for number in part]
        """The engines to run, by their numbers, and what they do."""
        self.accesses = unrolled.accesses
        rings, semaphores = len(unrolled.rings), len(unrolled.semaphores)
        self.threads = len(unrolled.threads)
        self.pending = self.threads
        """The accesses under way."""
        self.touched = self.pending + 1
        """The semaphores accessed in this item."""
        self.set_first = self.touched + 1
        """Those of them whose first access was a set."""
        self.pushed = self.set_first + 1
        self.popped = self.pushed + rings
        self.reserved = self.popped + rings
        """The first page that is not reserved."""
        self.semaphores = self.reserved + rings
        self.starts = self.semaphores + semaphores
        """The semaphores at the start of this item."""
        self.slots = self.starts + semaphores
        self.size = self.slots + len(unrolled.slots)
        self.number_of_semaphores = semaphores
        self.leaves_traces = False
        self.log: list[str] | None = None
        self.parents: dict[State, tuple[State, int] | None] = {}
        self.landings = sum(
            access.bit
            for access in self.accesses
            if not reduced or access.moves in (Moves.FLAG, Moves.COUNT)
        )
        """The accesses whose end is a step of its own. In a reduced search an engine's own barrier
        ends its reads, writes and the leaving of its multicasts, and a flag ends what is ordered
        before it. To end them earlier would only take conflicts away, and let nobody go on who
        could not then: every touch of a slot where something is still to land is a fault."""

    def run(self) -> Exploration:
        """Searches until something is wrong or all has been seen."""
        parents = self.parents
        start: State = (0,) * self.size
        state, move = start, -1
        try:
            first = [*start]
            self.settle(first)
            begin = tuple(first)
            parents[begin] = None
            stack = [begin]
            while stack:
                state = stack.pop()
                move = -1
                for move in self.moves(state):
                    after = [*state]
                    self.step(after, move)
                    self.settle(after)
                    new = tuple(after)
                    if new not in parents:
                        parents[new] = (state, move)
                        stack.append(new)
                if len(parents) > self.limit:
                    return Exploration("too large", states=len(parents))
        except _Fault as fault:
            trace = self.trace(None if state is start else state, move)
            return Exploration("fault", fault.kind, fault.reason, len(parents), trace)
        return Exploration("fine", states=len(parents))

    def trace(self, state: State | None, move: int) -> tuple[str, ...]:
        """The steps to a state and one more, taken again to learn their names."""
        path: list[tuple[State, int]] = [] if state is None or move < 0 else [(state, move)]
        while state is not None and (parent := self.parents[state]) is not None:
            path.append(parent)
            state = parent[0]
        log: list[str] = []
        self.log = log
        try:
            self.settle([0] * self.size)
            for before, step in reversed(path):
                after = [*before]
                self.step(after, step)
                self.settle(after)
        except _Fault:
            pass
        self.log = None
        return tuple(log)

    # Steps.

    def enabled(self, state: Sequence[int], event: Event) -> bool:
        """Whether an engine can go on."""
        match event.kind:
            case Kind.FREE | Kind.PUSH | Kind.POP | Kind.SEM_SET:
                return True
            case Kind.WAIT:
                return state[self.pushed + event.ring] >= event.need
            case Kind.RESERVE:
                return state[self.popped + event.ring] >= event.need
            case Kind.BARRIER:
                return self.reduced or not state[self.pending] & event.closes
            case Kind.SEM_WAIT:
                value = state[self.semaphores + event.semaphore]
                return value == event.value if event.exactly else value >= event.value
            case Kind.ITEM | Kind.END:
                return False

    def moves(self, state: State) -> list[int]:
        """The steps that are possible: numbers of engines, and behind them those of accesses.

        Raises:
            _Fault: two of them conflict, or there are none before the end.
        """
        moves: list[int] = []
        active: list[Event] = []
        pending = state[self.pending]
        for number, events in self.part:
            event = events[state[number]]
            if self.enabled(state, event):
                if pending & event.conflicts:
                    self.meets(event, pending)
                moves.append(number)
                if event.slots_read or event.slots_written or event.semaphore >= 0:
                    active.append(event)
        for place, one in enumerate(active):
            for other in active[:place]:
                self.compare(one, other)
        landings = pending & self.landings
        while landings:
            bit = landings & -landings
            landings ^= bit
            access = self.accesses[bit.bit_length() - 1]
            if (access.moves == Moves.FLAG and self.reduced) or not pending & access.before:
                moves.append(self.threads + bit.bit_length() - 1)
        if not moves and any(e[state[n]].kind != Kind.END for n, e in self.part):
            waiting = [
                self.unrolled.text(event)
                for number, events in self.part
                if (event := events[state[number]]).kind not in (Kind.END, Kind.ITEM)
            ]
            raise _Fault("deadlock", "; ".join(waiting))
        return moves

    def compare(self, one: Event, other: Event) -> None:
        """Two steps that are possible at once must commute.

        Raises:
            _Fault: they do not.
        """
        if one.slots_written & (other.slots_read | other.slots_written) or (
            one.slots_read & other.slots_written
        ):
            kind = "slot race"
        elif one.semaphore >= 0 and one.semaphore == other.semaphore:
            if Kind.SEM_SET not in (one.kind, other.kind):
                return
            kind = "semaphore race"
        else:
            return
        text = self.unrolled.text
        raise _Fault(kind, f"in either order: {text(one)}; {text(other)}")

    def meets(self, event: Event, pending: int) -> None:
        """An engine's step meets an access under way.

        Raises:
            _Fault: always.
        """
        bits = pending & event.conflicts
        access = self.accesses[(bits & -bits).bit_length() - 1]
        kind = "slot race" if access.slot >= 0 else "semaphore race"
        raise _Fault(kind, f"{self.unrolled.text(event)}, while under way: {access.label}")

    def settle(self, state: list[int]) -> None:
        """Runs what may run at once, and begins the next item if all engines have done this one."""
        going = True
        while going:
            going = False
            for number, events in self.part:
                event = events[state[number]]
                while event.at_once and self.enabled(state, event):
                    going = True
                    self.perform(state, event)
                    event = events[state[number]]
            if all(e[state[n]].kind == Kind.ITEM for n, e in self.part):
                going = bool(self.part)
                self.end_of_item(state)

    def step(self, state: list[int], move: int) -> None:
        """Takes one step.

        Raises:
            _Fault: it goes wrong.
        """
        if move < self.threads:
            self.perform(state, self.unrolled.threads[move].events[state[move]])
        else:
            self.land(state, self.accesses[move - self.threads])

    def perform(self, state: list[int], event: Event) -> None:
        """Runs an engine's next event, which can go on.

        Raises:
            _Fault: it does what a correct program never does.
        """
        if self.log is not None:
            self.log.append(self.unrolled.text(event))
        if event.blame is not None:
            raise _Fault(*event.blame)
        pending = state[self.pending]
        if pending & event.conflicts:
            self.meets(event, pending)
        for slot, stamp in event.reads:
            if state[self.slots + slot] != stamp:
                self.wrong(event, stamp, state[self.slots + slot])
        for slot, stamp in event.writes:
            if event.accumulates and not state[self.slots + slot]:
                self.wrong(event, stamp, 0)
            state[self.slots + slot] = stamp
        match event.kind:
            case Kind.PUSH:
                state[self.pushed + event.ring] = event.value
            case Kind.POP:
                state[self.popped + event.ring] = event.value
            case Kind.RESERVE:
                state[self.reserved + event.ring] = event.value
            case Kind.SEM_WAIT:
                state[self.touched] |= 1 << event.semaphore
            case Kind.SEM_SET:
                self.set(state, event.semaphore, event.value)
            case Kind.BARRIER:
                if self.reduced:
                    for access in self.under_way(pending & event.closes):
                        self.end(state, access)
            case _:
                for access in event.opens:
                    if access.moves == Moves.DATA and self.receives(state, access) < 0:
                        ring = self.unrolled.ring_names[access.ring]
                        raise _Fault(
                            "landing",
                            f"{self.unrolled.text(event)}: no page reserved for it in {ring}, in "
                            f"the slot of page {access.index} of the sender",
                        )
                state[self.pending] = pending | event.opened
        state[event.thread] += 1

    def under_way(self, bits: int) -> list[Access]:
        """The accesses of a set."""
        found: list[Access] = []
        while bits:
            bit = bits & -bits
            found.append(self.accesses[bit.bit_length() - 1])
            bits ^= bit
        return found

    def receives(self, state: Sequence[int], access: Access) -> int:
        """The page reserved at the receiver where data lands; -1 if there is none."""
        pushed = state[self.pushed + access.ring]
        index = pushed + (access.index - pushed) % self.unrolled.depths[access.ring]
        return index if index < state[self.reserved + access.ring] else -1

    def wrong(self, event: Event, wanted: int, found: int) -> None:
        """A slot does not hold what it should.

        Raises:
            _Fault: always.
        """
        say = self.unrolled.stamp_text
        text = self.unrolled.text(event)
        raise _Fault("contents", f"{text} wants {say(wanted)}, but finds {say(found)}")

    def land(self, state: list[int], access: Access) -> None:
        """An access ends as a step of its own.

        Raises:
            _Fault: it does what it never does in a correct program.
        """
        if self.log is not None:
            self.log.append(f"ends: {access.label}")
        if self.reduced and access.moves == Moves.FLAG:
            for data in self.under_way(state[self.pending] & access.before):
                self.end(state, data)
        self.end(state, access)

    def end(self, state: list[int], access: Access) -> None:
        """What an access does when it ends.

        Raises:
            _Fault: it does what it never does in a correct program.
        """
        state[self.pending] &= ~access.bit
        match access.moves:
            case Moves.READ:
                state[self.slots + access.slot] = access.stamp
            case Moves.DATA:
                # The multicast has left its source before its first landing.
                state[self.pending] &= ~access.before
                index = self.receives(state, access)
                if index < 0:
                    raise _Fault("landing", f"no page is reserved any more: {access.label}")
                stamp = self.unrolled.stamp(access.ring, index)
                state[self.slots + access.slot] = stamp
            case Moves.FLAG:
                self.set(state, access.semaphore, access.value)
            case Moves.COUNT:
                state[self.touched] |= 1 << access.semaphore
                value = state[self.semaphores + access.semaphore] + access.value
                state[self.semaphores + access.semaphore] = value
                if value > self.unrolled.modulus:
                    raise _Fault(
                        "overflow",
                        f"{self.unrolled.semaphore_text(access.semaphore)} gets to {value}",
                    )
            case Moves.WRITE | Moves.LEAVING:
                pass

    def set(self, state: list[int], semaphore: int, value: int) -> None:
        """Sets a semaphore."""
        if not state[self.touched] >> semaphore & 1:
            state[self.touched] |= 1 << semaphore
            state[self.set_first] |= 1 << semaphore
        state[self.semaphores + semaphore] = value

    # Ends.

    def end_of_item(self, state: list[int]) -> None:
        """All engines are done with a work item.

        Raises:
            _Fault: something is not back where it started.
        """
        unrolled = self.unrolled
        for number, events in self.part:
            event = events[state[number]]
            if event.blame is not None:
                raise _Fault(*event.blame)
        if state[self.pending]:
            (access, *_) = self.under_way(state[self.pending])
            raise _Fault("open at the end", f"all engines are done, but not: {access.label}")
        for ring, name in enumerate(unrolled.ring_names):
            pushed, popped = state[self.pushed + ring], state[self.popped + ring]
            if pushed != popped:
                reason = f"{pushed} pages of {name} are pushed, {popped} popped"
                raise _Fault("left over", reason)
            self.leaves_traces |= pushed % unrolled.depths[ring] != 0
        for semaphore in range(self.number_of_semaphores):
            value, start = state[self.semaphores + semaphore], state[self.starts + semaphore]
            if value != start:
                self.leaves_traces = True
                if not state[self.set_first] >> semaphore & 1:
                    name = unrolled.semaphore_text(semaphore)
                    raise _Fault(
                        "semaphore at the end", f"{name} is {value}, and was {start} at the start"
                    )
            state[self.starts + semaphore] = value
        state[self.touched] = state[self.set_first] = 0
        for number, _ in self.part:
            state[number] += 1
