"""The events of a run that failed, and those of them that led there.

A proof keeps no events, so `observe` runs the same once more and writes them down. It goes through
all iterations if there are few; else what comes round is told once, and a `Skip` says how often.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from spatial_dialect.machine.clocks import Clock, Record
from spatial_dialect.machine.code import Act, Instruction
from spatial_dialect.machine.proof import Verdict
from spatial_dialect.machine.runs import Run
from spatial_dialect.machine.semantics import Handler, Machine, Thread
from spatial_dialect.machine.tokens import Refuted, Undecided

PLAIN = 10_000
"""How many steps a run may take that goes through all iterations."""

MOST_CLOCKS = 4_000_000
"""How many numbers of clocks are kept."""


@dataclass(frozen=True, slots=True)
class Event:
    """One op that one engine executed."""

    thread: int
    """The number of the engine."""
    index: int
    """Its number among the events of the engine, from 1."""
    place: int
    """The number of the instruction."""
    counters: tuple[int, ...]
    """How many iterations came before in each loop; -1 outside of it."""


@dataclass(frozen=True, slots=True)
class Skip:
    """Iterations that are told once."""

    at: int
    """How many events of the run came before."""
    times: int
    """How many more times what came before happens."""
    steps: Mapping[int, tuple[int, int]]
    """By engine: the loop that goes on, and by how many iterations, all times together."""


@dataclass(eq=False)
class Observed:
    """A run that failed, with its events."""

    run: Run
    failure: Refuted
    events: list[Event]
    skips: list[Skip]
    clocks: list[Clock]
    """What each event has seen; none if there would be too many."""
    numbers: dict[tuple[int, int], int] = field(init=False)
    """By engine and index: which event of the run it is."""

    def __post_init__(self) -> None:
        self.numbers = {(e.thread, e.index): n for n, e in enumerate(self.events)}

    @property
    def machine(self) -> Machine:
        """The machine, as the failure left it."""
        return self.run.machine

    def thread(self, event: Event) -> Thread:
        """The engine of an event."""
        return self.machine.threads[event.thread]

    def instruction(self, event: Event) -> Instruction:
        """What an event did."""
        return self.thread(event).code.instructions[event.place]

    def event_of(self, record: Record) -> Event | None:
        """The event that an access was started by, or is."""
        return self.event(record.thread.number, record.index)

    def event(self, thread: int, index: int) -> Event | None:
        """An event by engine and index."""
        number = self.numbers.get((thread, index))
        return None if number is None else self.events[number]

    def last(self, thread: int | None = None, acts: Iterable[Act] = Act, **wanted: int):
        """The last event of an engine, or of any, with an act and some fields."""
        acts = frozenset(acts)
        for event in reversed(self.events):
            if thread is None or event.thread == thread:
                instruction = self.instruction(event)
                if instruction.act in acts and all(
                    getattr(instruction, name) == value for name, value in wanted.items()
                ):
                    return event
        return None

    def clock_of(self, event: Event) -> Clock:
        """What an event has seen; of what is not known, all that came before."""
        number = self.numbers[event.thread, event.index]
        if number < len(self.clocks):
            return self.clocks[number]
        return self.clock_before(number + 1)

    def clock_before(self, count: int) -> Clock:
        """The first events of the run, as a clock."""
        clock = [0] * len(self.machine.threads)
        for event in self.events[:count]:
            clock[event.thread] = event.index
        return clock

    def past(self, clocks: Iterable[Clock]) -> Prefix:
        """The events that some clocks have seen."""
        wanted = [max(column) for column in zip(*clocks, strict=True)]
        if not wanted:
            return Prefix((), ())
        # What comes round is left out of the events, so that all of a period must be there.
        while True:
            last = max(
                (self.numbers[t, n] for t, n in enumerate(wanted) if n),
                default=-1,
            )
            if last == len(self.events) - 1:
                last += 1  # what was skipped at the very end belongs to it, too
            skips = [skip for skip in self.skips if skip.at <= last]
            if not skips:
                break
            all_before = self.clock_before(skips[-1].at)
            merged = [max(pair) for pair in zip(wanted, all_before, strict=True)]
            if merged == wanted:
                break
            wanted = merged
        chosen = [n for n, e in enumerate(self.events) if e.index <= wanted[e.thread]]
        return Prefix(
            tuple(self.events[number] for number in chosen),
            tuple(Skip(bisect_left(chosen, skip.at), skip.times, skip.steps) for skip in skips),
        )


@dataclass(frozen=True, slots=True)
class Prefix:
    """Events with all that must come before them, in an order in which they can happen."""

    events: tuple[Event, ...]
    skips: tuple[Skip, ...]

    def by_engine(self) -> Mapping[int, list[Event]]:
        """The events of each engine that has any."""
        found: dict[int, list[Event]] = {}
        for event in self.events:
            found.setdefault(event.thread, []).append(event)
        return found


class _Recorder:
    """Stands in front of the reading of a run, and writes down what it is told."""

    def __init__(self, run: Run):
        self.run = run
        self.events: list[Event] = []
        self.skips: list[Skip] = []
        self.clocks: list[Clock] = []
        self._inner = run.tokens.handlers()
        run.machine.attach(self)

    def handlers(self) -> Mapping[Act, Handler]:
        return {act: self.recording(handler) for act, handler in self._inner.items()}

    def recording(self, inner: Handler) -> Handler:
        """A handler that writes an event down before it is judged."""

        def handler(thread: Thread, instruction: Instruction) -> None:
            self.note_skips()
            event = Event(thread.number, thread.events + 1, thread.place, tuple(thread.counters))
            self.events.append(event)
            try:
                inner(thread, instruction)
            finally:
                clock = self.run.tokens.threads[thread.number].clock
                if len(self.events) * len(clock) <= MOST_CLOCKS:
                    self.clocks.append(tuple(clock))

        return handler

    def note_skips(self) -> None:
        """Writes down the periods that were skipped since the last event."""
        for interval in self.run.skips[len(self.skips) :]:
            steps = {n: (loop, interval.skipped * d) for n, (loop, d) in interval.steps.items()}
            self.skips.append(Skip(len(self.events), interval.skipped, steps))


def observe(verdict: Verdict) -> Observed | None:
    """Makes the run that was refuted once more; None if there was none."""
    first = verdict.run
    if first is None or not isinstance(verdict.failure, Refuted):
        return None
    for skipping, budget in ((False, min(PLAIN, first.budget)), (True, first.budget)):
        if not skipping and first.steps > budget:
            continue
        run = Run(
            first.numbering,
            first.codes,
            first.layout,
            first.users,
            first.trips,
            first.start,
            budget,
            held=first.held,
            skipping=skipping,
        )
        recorder = _Recorder(run)
        failure = verdict.failure
        try:
            run.go()
        except Undecided:
            continue
        except Refuted as error:
            failure = error
        recorder.note_skips()
        return Observed(run, failure, recorder.events, recorder.skips, recorder.clocks)
    return None


def replayed(prefix: Prefix, run: Run) -> Run:
    """A fresh run in which the events of a prefix, and no others, have happened.

    Args:
        prefix: of a run with the same parameters.
        run: where the parameters are taken from.

    Raises:
        ValueError: an event is not the next one of its engine, or cannot happen.
        Refuted: it breaks a rule.
    """
    fresh = Run(run.numbering, run.codes, run.layout, run.users, run.trips, run.start, run.budget)
    machine = fresh.machine
    skips = list(prefix.skips)

    def skip_up_to(number: int) -> None:
        while skips and skips[0].at <= number:
            for thread, (loop, iterations) in skips.pop(0).steps.items():
                machine.threads[thread].counters[loop] += iterations

    for number, event in enumerate(prefix.events):
        skip_up_to(number)
        thread = machine.threads[event.thread]
        instruction = machine.next_event(thread)
        while instruction is None and not thread.done:
            instruction = machine.next_event(thread)
        if instruction is None or thread.place != event.place:
            raise ValueError(f"event {number} is not what its engine does next")
        if tuple(thread.counters) != event.counters:
            raise ValueError(f"event {number} is in another iteration")
        if not machine.enabled(thread, instruction):
            raise ValueError(f"event {number} cannot happen")
        machine.perform(thread, instruction)
    skip_up_to(len(prefix.events))
    return fresh
