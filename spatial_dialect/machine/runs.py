"""One run of the engines of some cells, with its periods skipped.

The schedule is a function of the state: round by round, each engine runs until it blocks or goes
back to the start of a loop. So if a state repeats, apart from how far loops are, what happened in
between would happen again, and all but the last of the repetitions are skipped.

For run-time trips a run tells more: where it could be pumped, that is, made the run of a larger
trip by repeating parts of it more often.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import lcm

from spatial_dialect.machine.code import Code, Numbering
from spatial_dialect.machine.layout import Layout
from spatial_dialect.machine.semantics import Machine, Thread, UnknownNumber
from spatial_dialect.machine.states import Counters, NormalForm, Outline, counters, normal_form
from spatial_dialect.machine.states import outline as outline_of
from spatial_dialect.machine.tokens import Refuted, Tokens, Undecided
from spatial_dialect.machine.usage import Usage


@dataclass(frozen=True, slots=True)
class Start:
    """How an item finds the machine."""

    positions: Mapping[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])
    """By cell and ring: the position of the next page, modulo the depth; 0 if not listed."""
    semaphores: Mapping[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])
    """By cell and number: values that are not 0."""


KEPT = 64
"""How many states with one outline are remembered."""


@dataclass(slots=True)
class Interval:
    """Two equal states of a run, and what advanced in between."""

    first: int
    last: int
    """Numbers of rounds."""
    steps: dict[int, tuple[int, int]]
    """By engine: the loop that advanced, and by how many iterations."""
    skipped: int = 0
    """How many more times it would have happened."""
    cut: tuple[tuple[int, int, int, int], ...] = ()
    """Loops with a run-time trip that both states are in, each in an execution of its own: by
    engine and loop, the numbers of the two."""


@dataclass(slots=True)
class _Occurrence:
    round: int
    counters: Counters
    entries: Counters
    """By engine and loop, how often it has been reached."""
    form: NormalForm | None


@dataclass(slots=True)
class SemaphoreEnd:
    """What a run did with a semaphore."""

    value: int
    first_is_set: bool
    start_matters: bool
    """Whether anything would be different with another value at the start."""


@dataclass(eq=False)
class Run:
    """One run. `go` makes it happen."""

    numbering: Numbering
    codes: Sequence[Code]
    layout: Layout
    users: Usage
    trips: Sequence[int]
    """The run-time trips, by number."""
    start: Start
    budget: int
    """How many more steps may be made; what is left is told by `steps`."""
    hot: set[Outline] = field(default_factory=set[Outline])
    """Outlines that are known to come again; shared by the runs of a proof."""
    traced: bool = False
    """Whether to keep all events, in order."""
    skipping: bool = True
    """Whether to skip periods."""
    held: Mapping[int, int] | None = None
    """If given: engines that stop before an event until all others are stuck, in search of a broken
    rule."""

    machine: Machine = field(init=False)
    tokens: Tokens = field(init=False)
    order: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """Engines in the order in which they ran, each with a number of events."""
    rounds: list[int] = field(default_factory=list[int])
    """The length of `order` at the end of each round."""
    skips: list[Interval] = field(default_factory=list[Interval])
    pumps: list[Interval] = field(default_factory=list[Interval])
    trace: list[tuple[Thread, int]] = field(default_factory=list[tuple[Thread, int]])
    """Engine and place of all events, if traced."""
    steps: int = 0
    _covered: dict[int, dict[tuple[int, int, int], Interval]] = field(
        default_factory=dict[int, dict[tuple[int, int, int], Interval]]
    )
    """By trip: the executions of loops that advance in one of `pumps`, and in which."""
    _straddles: bool = False

    def __post_init__(self) -> None:
        self.machine = Machine(
            self.numbering, self.codes, self.layout, self.start.positions, self.start.semaphores
        )
        self.tokens = Tokens(self.machine, self.trips, self.users, searching=self.held is not None)
        self._held = dict(self.held or {})
        for thread in self.machine.threads:
            # What stands for several coordinates has none of its own.
            cell = self.layout.cells[thread.cell]
            for register, span in enumerate((cell.y, cell.x)):
                thread.registers[register] = span.index if span.count == 1 else None
        self._seen: dict[Outline, list[_Occurrence]] = {}

    def go(self) -> None:
        """Runs to the end.

        Raises:
            Refuted: a rule is broken.
            Undecided: the rules cannot judge it.
        """
        machine = self.machine
        waiting = list(machine.threads)
        while True:
            moved = False
            for thread in waiting:
                moved |= self._turn(thread)
            waiting = [thread for thread in waiting if not thread.done]
            self.rounds.append(len(self.order))
            if not moved:
                if not self._held:
                    break
                self._held.clear()
            self.steps += len(waiting)
            if self.steps > self.budget:
                busiest = max(machine.threads, key=lambda thread: thread.events)
                code = busiest.code.instructions
                raise Undecided(
                    "no-period",
                    f"no state of the engines has come back after {self.steps} steps of a run",
                    code[min(busiest.place, len(code) - 1)],
                    busiest,
                )
            if self.skipping:
                self._look_back()
        if waiting:
            raise Refuted("deadlock", "no engine can go on")
        self.tokens.check_end()

    def _turn(self, thread: Thread) -> bool:
        """Lets an engine run until it blocks or goes back in a loop; whether it did anything."""
        machine = self.machine
        before = thread.events
        while True:
            try:
                instruction = machine.next_event(thread)
            except UnknownNumber as unknown:
                raise _unknown(unknown) from None
            if instruction is None:
                moved = True
                break
            held = self._held.get(thread.number)
            if (held is not None and thread.events + 1 >= held) or not machine.enabled(
                thread, instruction
            ):
                moved = thread.events > before
                break
            if self.traced:
                self.trace.append((thread, thread.place))
            machine.perform(thread, instruction)
        events = thread.events - before
        if events:
            self.order.append((thread.number, events))
            self.steps += events
        return moved

    # Periods

    def _look_back(self) -> None:
        """Looks for an earlier state that equals this one, and skips what would come again."""
        outline = outline_of(self.machine, self.users)
        here = len(self.rounds) - 1
        known = self._seen.setdefault(outline, [])
        entries = tuple(tuple(thread.entries) for thread in self.machine.threads)
        now = _Occurrence(here, counters(self.machine), entries, None)
        if known:
            self.hot.add(outline)
        if outline in self.hot:
            tried = 0
            for earlier in reversed(known):
                steps = self._advance(earlier.counters, now.counters)
                if steps is None or not self._useful(steps):
                    continue
                if now.form is None:
                    now.form = normal_form(self.tokens)
                if earlier.form is None:
                    continue
                tried += 1
                if earlier.form == now.form:
                    cut = self._cut(earlier, now)
                    self._repeats(Interval(earlier.round, here, steps, cut=cut))
                    now.counters = counters(self.machine)
                    break
                if tried == 8:
                    break
            else:
                if not known:
                    now.form = normal_form(self.tokens)
        known.append(now)
        if len(known) > KEPT:
            del known[0]

    def _advance(self, old: Counters, new: Counters) -> dict[int, tuple[int, int]] | None:
        """The loop of each engine that advanced; None if it is not one, or not forwards."""
        steps: dict[int, tuple[int, int]] = {}
        for number, (before, after) in enumerate(zip(old, new, strict=True)):
            if before == after:
                continue
            code = self.machine.threads[number].code
            differing = [loop for loop, c in enumerate(before) if c != after[loop]]
            loop = differing[0]
            if (
                len(differing) > 1
                or not code.structured
                or code.loops[loop].pinned
                or before[loop] < 0
                or after[loop] < before[loop]
            ):
                return None
            steps[number] = (loop, after[loop] - before[loop])
        return steps

    def _variables(self, steps: Mapping[int, tuple[int, int]]) -> set[int | None]:
        """The trips of the loops that advanced; None stands for loops of constant count."""
        found: set[int | None] = set()
        for number, (loop, _) in steps.items():
            trip = self.machine.threads[number].code.loops[loop].trip
            found.add(None if trip is None else trip.variable)
        return found

    def _useful(self, steps: Mapping[int, tuple[int, int]]) -> bool:
        """Whether anything follows if the two states are equal."""
        if not steps:
            return True
        variables = self._variables(steps)
        if variables == {None}:
            return self._repetitions(steps) > 0
        return len(variables) == 1 and len({d for _, d in steps.values()}) == 1

    def _repetitions(self, steps: Mapping[int, tuple[int, int]]) -> int:
        """How often what advanced loops so far can happen again within their bounds."""
        threads = self.machine.threads
        return min(
            (threads[number].bounds[loop] - 1 - threads[number].counters[loop]) // d
            for number, (loop, d) in steps.items()
        )

    def _cut(self, earlier: _Occurrence, now: _Occurrence) -> tuple[tuple[int, int, int, int], ...]:
        """The loops with a run-time trip whose execution is another one in each of two states.

        Their counters are equal, so that the beginning of the one and the end of the other make up
        a whole execution.
        """
        return tuple(
            (number, loop, first, last)
            for number, thread in enumerate(self.machine.threads)
            for loop, (first, last) in enumerate(
                zip(earlier.entries[number], now.entries[number], strict=True)
            )
            if thread.code.loops[loop].trip is not None
            and first != last
            and now.counters[number][loop] >= 0
        )

    def _repeats(self, interval: Interval) -> None:
        """Two states are equal."""
        steps = interval.steps
        if not steps:
            thread = next(t for t in self.machine.threads if not t.done)
            raise Refuted(
                "deadlock",
                "never ends: the same happens over and over",
                thread=thread,
                instruction=thread.code.instructions[
                    min(thread.place, len(thread.code.instructions) - 1)
                ],
            )
        (variable,) = self._variables(steps)
        if variable is None:
            # What could be pumped must lie in a period as a whole.
            if any(p.first < interval.first < p.last for p in self.pumps):
                self._straddles = True
            interval.skipped = self._repetitions(steps)
            for number, (loop, d) in steps.items():
                self.machine.threads[number].counters[loop] += interval.skipped * d
            self.skips.append(interval)
            return
        executions = {
            (number, loop, self.machine.threads[number].entries[loop])
            for number, (loop, _) in steps.items()
        }
        covered = self._covered.setdefault(variable, {})
        if (
            interval.cut
            or executions & covered.keys()
            or any(
                other.first < interval.first < other.last for other in (*self.pumps, *self.skips)
            )
        ):
            return
        covered.update(dict.fromkeys(executions, interval))
        self.pumps.append(interval)

    # What a run tells about others

    def pumps_by(self, variable: int) -> int | None:
        """By multiples of what a trip may grow without anything new; None if that is not known."""
        if self._straddles or not all(map(self._joins, self.skips)):
            return None
        wanted: set[tuple[int, int, int]] = set()
        n = self.trips[variable]
        for thread in self.machine.threads:
            code = thread.code
            if code.unruly:
                return None
            if any(
                form.variable == variable and n + form.offset <= number
                for _, form, number in code.stable
            ):
                return None
            for loop, what in enumerate(code.loops):
                if what.trip is not None and what.trip.variable == variable:
                    if thread.entries[loop] and n + what.trip.offset <= 0:
                        return None
                    wanted |= {
                        (thread.number, loop, entry + 1) for entry in range(thread.entries[loop])
                    }
        if wanted != self._covered.get(variable, {}).keys():
            return None
        return lcm(
            *(
                d
                for interval in self.pumps
                if self._variables(interval.steps) == {variable}
                for _, d in interval.steps.values()
            )
        )

    def _joins(self, skip: Interval) -> bool:
        """Whether the executions that come about where repetitions of a period meet are pumped
        once: those that its ends cut are both pumped before the cut, or both behind it."""
        for number, loop, first, last in skip.cut:
            trip = self.machine.threads[number].code.loops[loop].trip
            assert trip is not None
            covered = self._covered.get(trip.variable, {})
            one, other = covered.get((number, loop, first)), covered.get((number, loop, last))
            if one is None or other is None:
                return False
            before = one.last <= skip.first and other.last <= skip.last
            behind = one.first >= skip.first and other.first >= skip.last
            if not before and not behind:
                return False
        return True

    def end_positions(self) -> Mapping[tuple[int, int], int]:
        """By cell and number: the position of each ring that was used."""
        return {
            (ring.cell, ring.number): ring.pushed % ring.depth
            for cell in self.machine.rings
            for ring in cell
            if ring.depth and self._used(ring.cell, ring.number)
        }

    def _used(self, cell: int, ring: int) -> bool:
        tokens = self.tokens.rings[cell][ring]
        return tokens.filler is not None or tokens.taker is not None

    def semaphore_ends(self) -> Mapping[tuple[int, int], SemaphoreEnd]:
        """By cell and number: what became of each semaphore that was used."""
        return {
            (cell, number): SemaphoreEnd(
                self.machine.semaphores[cell][number], tokens.first_is_set, tokens.start_matters
            )
            for cell, all_tokens in enumerate(self.tokens.semaphores)
            for number, tokens in enumerate(all_tokens)
            if tokens.first_is_set is not None
        }


def _unknown(unknown: UnknownNumber) -> Undecided:
    """Control depends on a number that a proof does not know."""
    return Undecided(
        "coordinate-bounds",
        "what runs depends on coordinates, on the work item or on data",
        unknown.instruction,
        unknown.thread,
    )
