"""Why a program is refuted: who does what, in which iteration, and what would be enough.

`explain` finds it all out; a `Counterexample` says it as notes of a diagnostic, or as JSON that is
a trace at the same time. `undecided_notes` says what would let the proof decide.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Operation

from spatial_dialect.dialects.spatial import ProgramOp
from spatial_dialect.ir.diagnostics import value_name
from spatial_dialect.machine.clocks import Access, Clock, Record, seen
from spatial_dialect.machine.code import Act
from spatial_dialect.machine.proof import Verdict
from spatial_dialect.machine.runs import Run
from spatial_dialect.machine.tokens import Reason, Refuted, Undecided
from spatial_dialect.report.events import Event, Observed, Prefix, observe
from spatial_dialect.report.fixes import Fix, least_fix
from spatial_dialect.report.hangs import Hang, hang
from spatial_dialect.report.names import (
    brief,
    cell_name,
    engine_name,
    engine_names,
    iteration_text,
    listed,
    location,
    op_text,
    short_name,
)
from spatial_dialect.report.traces import Json, event_json, file_place, trace_events

MOST_NOTES = 11
"""How many notes there are, without the hint."""

LAST_EVENTS = 8
"""How many events are told in notes."""


@dataclass(frozen=True)
class Involved:
    """An event that a counterexample is about."""

    role: str
    """`first`, `then`, ..."""
    event: Event


@dataclass(frozen=True)
class Counterexample:
    """All there is to say about a program that is refuted."""

    program: ProgramOp
    verdict: Verdict
    observed: Observed | None
    """The run that failed; None if the text of the program alone was refuted."""
    hang: Hang | None
    """If no engine can go on: who waits for whom."""
    accesses: tuple[Involved, ...]
    """The events that it is about, two as a rule."""
    missing: str | None
    """What should be between the two."""
    prefix: Prefix | None
    """The events that lead there, and no others."""
    fix: Fix | None
    """A change that is enough."""

    @property
    def message(self) -> str:
        """What is wrong, with the numbers of pages of the run that is shown."""
        exact = self.observed is not None and not self.observed.skips
        return self.observed.failure.message if exact and self.observed else self.verdict.message

    @property
    def op(self) -> Operation:
        """Where it shows: for a hang, the op of one without whom nobody would wait."""
        for culprit in () if self.hang is None else self.hang.culprits:
            if culprit.instruction is not None:
                return culprit.instruction.op
        return self.verdict.op

    @property
    def hint(self) -> str | None:
        """What to do."""
        if self.fix is not None:
            return f"this is enough: {self.fix.text}"
        if self.verdict.hint is not None or self.hang is None:
            return self.verdict.hint
        if unserved := self.hang.unserved:
            who = engine_name(self.hang.machine, unserved[0].thread)
            if unserved[0].ended:
                return f"{who} needs a partner that does as much: its own has ended"
            return f"{who} needs a partner: no engine does there what it waits for"
        acts = {
            each.instruction.act
            for each in self.hang.blocked
            if each.thread.number in self.hang.cycle and each.instruction is not None
        }
        room = ", or a ring must have room for more pages" if Act.RESERVE in acts else ""
        return f"one engine of the cycle must do its part before it waits{room}"

    @property
    def notes(self) -> tuple[str, ...]:
        """The lines below the message, not too many of them."""
        observed = self.observed
        if observed is None:
            return ()
        lines = _circumstances(observed.run)
        if self.hang is not None:
            lines += self.hang.lines()
        lines += (f"{each.role}: {_event_text(observed, each.event)}" for each in self.accesses)
        if self.missing is not None:
            lines.append(f"missing: {self.missing}")
        if self.prefix is not None:
            lines += self._prefix_lines(observed, self.prefix, MOST_NOTES - len(lines))
        return tuple(lines)

    def _prefix_lines(self, observed: Observed, prefix: Prefix, room: int) -> list[str]:
        machine = observed.machine
        names: list[str] = []
        for number, events in prefix.by_engine().items():
            thread = machine.threads[number]
            when = iteration_text(thread.code, events[-1].counters)
            names.append(
                f"{len(events)} of {engine_name(machine, thread)}" + (f" ({when})" if when else "")
            )
        count = len(prefix.events)
        if not count:
            return []
        what = "1 event leads" if count == 1 else f"{count} events lead"
        lines = [f"{what} there: {listed(names)}"]
        if prefix.skips:
            times = sum(skip.times for skip in prefix.skips)
            lines.append(f"iterations that are like others are left out, {times} in all")
        # Where engines wait, their places say enough.
        room = 0 if self.hang is not None else min(LAST_EVENTS, room - len(lines) - 1)
        known = {each.event for each in self.accesses}
        if room > 0 and any(event not in known for event in prefix.events):
            lines.append("the last of them:" if count > room else "in this order:")
            lines += (f"  {_event_text(observed, event)}" for event in prefix.events[-room:])
        return lines

    def json(self) -> dict[str, Json]:
        """Everything, for programs."""
        observed = self.observed
        found: dict[str, Json] = {
            "check": self.verdict.check,
            "message": self.message,
            "program": f"@{self.program.sym_name.data}",
            "op": op_text(self.verdict.op),
            "location": file_place(self.verdict.op),
            "notes": self.notes,
            "hint": self.hint,
            "trips": {},
            "start": {"positions": [], "semaphores": []},
            "blocked": [],
            "cycle": [],
            "accesses": [],
            "missing": self.missing,
            "prefix": None,
            "fix": None if self.fix is None else {"kind": self.fix.kind, "text": self.fix.text},
        }
        if observed is None:
            return found
        machine, run = observed.machine, observed.run
        found["trips"] = dict(_trips(run))
        found["start"] = {
            "positions": [
                {"ring": ring, "cell": cell, "position": position}
                for ring, cell, position in _positions(run)
            ],
            "semaphores": [
                {"semaphore": name, "cell": cell, "value": value}
                for name, cell, value in _values(run)
            ],
        }
        found["accesses"] = [
            {"role": each.role, **event_json(observed, each.event)} for each in self.accesses
        ]
        if self.hang is not None:
            found["blocked"] = [
                {
                    "engine": short_name(b.thread),
                    "cell": cell_name(machine, b.thread.cell),
                    "op": None if b.instruction is None else op_text(b.instruction.op),
                    "location": None if b.instruction is None else file_place(b.instruction.op),
                    "waits": b.reason,
                    "for": [engine_name(machine, machine.threads[n]) for n in b.waits_for],
                    "ended": [engine_name(machine, machine.threads[n]) for n in b.ended],
                }
                for b in self.hang.blocked
            ]
            found["cycle"] = [engine_name(machine, machine.threads[n]) for n in self.hang.cycle]
        if self.prefix is not None:
            found["prefix"] = {
                "engines": [
                    {
                        "engine": short_name(machine.threads[number]),
                        "cell": cell_name(machine, machine.threads[number].cell),
                        "events": len(events),
                        "loops": event_json(observed, events[-1])["loops"],
                    }
                    for number, events in self.prefix.by_engine().items()
                ],
                "events": [event_json(observed, event) for event in self.prefix.events],
                "left_out": [{"after": skip.at, "times": skip.times} for skip in self.prefix.skips],
            }
        return found

    def trace(self) -> dict[str, Json]:
        """The same as a trace that chrome://tracing and Perfetto show."""
        events: list[Json] = []
        if self.observed is not None and self.prefix is not None:
            events = trace_events(self.observed, self.prefix, self.hang)
        return {"traceEvents": events, "counterexample": self.json()}

    def trace_text(self) -> str:
        """The trace as the text of a file."""
        return json.dumps(self.trace(), indent=1) + "\n"


def explain(verdict: Verdict, *, fix: bool = True, on_full_grid: bool = False) -> Counterexample:
    """Finds out all there is to say about a program that is refuted.

    Args:
        verdict: of the program, which has not been changed since.
        fix: whether to look for a change that is enough.
        on_full_grid: whether every site was run.
    """
    program = _program_of(verdict)
    observed = observe(verdict)
    found = least_fix(program, verdict, on_full_grid=on_full_grid) if fix else None
    if observed is None:
        return Counterexample(program, verdict, None, None, (), None, None, found)
    stuck = None
    if observed.failure.check == "deadlock":
        stuck = hang(observed.machine, observed.run.trips)
    accesses, missing = _accesses(observed)
    prefix = observed.past(_clocks(observed, stuck, accesses))
    return Counterexample(program, verdict, observed, stuck, accesses, missing, prefix, found)


def counterexample_json(verdict: Verdict) -> dict[str, Json]:
    """What there is to say about a program that is refuted, for programs."""
    return explain(verdict).json()


def _program_of(verdict: Verdict) -> ProgramOp:
    op = verdict.op
    while not isinstance(op, ProgramOp):
        parent = op.parent_op()
        assert parent is not None, "a verdict is about a part of a program"
        op = parent
    return op


################################################################################
# Circumstances                                                                #
################################################################################


def _trips(run: Run) -> list[tuple[str, int]]:
    """The run-time trips of a run by their names."""
    return [
        (value_name(op.trip), count)
        for op, count in zip(run.numbering.trip_ops, run.trips, strict=True)
    ]


def _positions(run: Run) -> list[tuple[str, str, int]]:
    """Rings that do not start at their first page: name, cell, position."""
    return [
        (run.numbering.rings[ring].name, str(run.layout.cells[cell]), position)
        for (cell, ring), position in run.start.positions.items()
        if position
    ]


def _values(run: Run) -> list[tuple[str, str, int]]:
    """Semaphores that do not start at 0: name, cell, value."""
    return [
        (run.numbering.semaphores[number].name, str(run.layout.cells[cell]), value)
        for (cell, number), value in run.start.semaphores.items()
        if value
    ]


def _circumstances(run: Run) -> list[str]:
    """What is special about a run."""
    lines: list[str] = []
    if trips := _trips(run):
        lines.append("with trip " + listed([f"{name} = {count}" for name, count in trips]))
    found = [f"{name} of {cell} at position {at}" for name, cell, at in _positions(run)]
    found += (f"{name} of {cell} at {value}" for name, cell, value in _values(run))
    if found:
        lines.append(f"in a later item, one that finds {listed(found)}")
    return lines


################################################################################
# Events                                                                       #
################################################################################


def _event_text(observed: Observed, event: Event) -> str:
    thread, op = observed.thread(event), observed.instruction(event).op
    where, when = location(op), iteration_text(thread.code, event.counters)
    return (
        engine_name(observed.machine, thread)
        + (f", {where}" if where is not None else "")
        + (f" ({when})" if when else "")
        + f": {brief(op)}"
    )


def _clocks(observed: Observed, stuck: Hang | None, accesses: Sequence[Involved]) -> list[Clock]:
    """What must be seen for it to come as it does."""
    threads = observed.run.tokens.threads
    if stuck is not None and stuck.cycle:
        return [threads[number].clock for number in stuck.cycle]
    if stuck is not None:
        # That somebody has ended is part of it.
        numbers = {b.thread.number for b in stuck.blocked}
        numbers |= {n for b in stuck.blocked for n in b.ended}
        return [threads[number].clock for number in sorted(numbers)]
    if observed.failure.check == "leftover" and observed.failure.ring is not None:
        # At the end, that no more comes is part of it.
        ring = observed.failure.ring
        tokens = observed.run.tokens.rings[ring.cell][ring.number]
        ends = [t for t in (tokens.filler, tokens.taker) if t is not None]
        return [threads[t.number].clock for t in ends]
    return [observed.clock_of(each.event) for each in accesses]


def _accesses(observed: Observed) -> tuple[tuple[Involved, ...], str | None]:
    """The events that a failure is about, and what is missing between them."""
    failure, tokens = observed.failure, observed.run.tokens
    found: list[tuple[str, Event | None]] = []
    missing: str | None = None
    latest = observed.events[-1] if observed.events else None
    match failure.check:
        case "deadlock":
            pass
        case "leftover" if failure.ring is not None:
            ring = failure.ring
            ends = tokens.rings[ring.cell][ring.number]
            reached = ring.pushed != ring.popped
            give, take = ((Act.PUSH,), (Act.POP,)) if reached else ((Act.RESERVE,), (Act.WAIT,))
            for role, thread, acts in (
                ("last push" if reached else "last reserve", ends.filler, give),
                ("last pop" if reached else "last wait", ends.taker, take),
            ):
                if thread is not None:
                    found.append((role, observed.last(thread.number, acts, ring=ring.number)))
        case "in-flight-at-end":
            access = next(iter(tokens.open), None)
            if access is not None:
                found.append(("last", observed.event_of(access)))
                missing = _no_closer(observed, access)
        case "semaphore-end" if failure.semaphore is not None:
            cell, number = failure.semaphore
            epoch = tokens.semaphores[cell][number].epochs[-1]
            record = epoch.increments[-1].access if epoch.increments else epoch.set
            if record is not None:
                found.append(("last", observed.event_of(record)))
        case "stale-wait":
            found = [("waits", latest), *_stale(observed)]
        case "two-ends" if latest is not None:
            i = observed.instruction(latest)
            gives = (Act.RESERVE, Act.PUSH, Act.READ, Act.PACK, Act.SEND)
            acts = gives if i.act in gives else (Act.WAIT, Act.POP, Act.WRITE)
            cell = observed.thread(latest).cell
            for event in observed.events:
                other = observed.instruction(event)
                if (
                    event.thread != latest.thread
                    and observed.thread(event).cell == cell
                    and other.act in acts
                    and other.ring == i.ring
                ):
                    found.append(("first", event))
                    break
            found.append(("then", latest))
        case _:
            if failure.other is not None:
                found.append(("first", observed.event_of(failure.other)))
                if latest is not None:
                    missing = _missing(observed, failure.other, latest)
            found.append(("then" if found else "at", latest))
            if failure.check == "ring-position" and failure.ring is not None:
                found.append(("receiver", _receiver(observed, failure)))
    return tuple(Involved(role, event) for role, event in found if event is not None), missing


def _stale(observed: Observed) -> list[tuple[str, Event | None]]:
    """The set that a wait was meant for, and the earlier one with which it may pass."""
    failure, tokens = observed.failure, observed.run.tokens
    found: list[tuple[str, Event | None]] = []
    if failure.semaphore is None or failure.instruction is None or failure.thread is None:
        return found
    cell, number = failure.semaphore
    clock = tokens.threads[failure.thread.number].clock
    epochs = tokens.semaphores[cell][number].epochs
    known = max(n for n, epoch in enumerate(epochs) if seen(epoch.set, clock))
    wanted = failure.instruction.count
    for epoch in epochs[known:-1]:
        most = epoch.base + epoch.sum
        passes = most >= wanted if failure.instruction.flag else epoch.base <= wanted <= most
        if passes and epoch.set is not None:
            found.append(("may pass after", observed.event_of(epoch.set)))
            break
    if failure.other is not None:
        found.append(("is meant for", observed.event_of(failure.other)))
    return found


def _receiver(observed: Observed, failure: Refuted) -> Event | None:
    """What the receiving engine did last, where data lands without a reserved page."""
    assert failure.ring is not None
    ring = failure.ring
    filler = observed.run.tokens.rings[ring.cell][ring.number].filler
    if filler is None or failure.other is not None:
        return None
    return observed.event(filler.number, filler.events)


def _missing(observed: Observed, first: Record, second: Event) -> str | None:
    """Why an engine cannot know that something has ended."""
    machine, clock = observed.machine, observed.run.tokens.threads[second.thread].clock
    if seen(first, clock):
        return None
    late = machine.threads[second.thread]
    if isinstance(first, Access):
        if not first.closers or (first.what == "send" and first.thread is late):
            return _no_closer(observed, first)
        end = first.closers[0]
    else:
        end = first
    closer = observed.event_of(end)
    known = observed.event(end.thread.number, clock[end.thread.number])
    who, whom = engine_name(machine, late), engine_name(machine, end.thread)
    if closer is None:
        return None
    told = (
        f"it ends with {brief(observed.instruction(closer).op)}{_at(observed, closer)}, but "
        if isinstance(first, Access)
        else ""
    )
    if known is None:
        return f"{told}{who} knows of nothing that {whom} has done"
    return (
        f"{told}{who} knows what {whom} has done only up to "
        f"{brief(observed.instruction(known).op)}{_at(observed, known)}"
    )


def _at(observed: Observed, event: Event) -> str:
    where = location(observed.instruction(event).op)
    when = iteration_text(observed.thread(event).code, event.counters)
    return (f" at {where}" if where is not None else "") + (f" ({when})" if when else "")


def _no_closer(observed: Observed, access: Access) -> str:
    """Nothing tells when an access ends."""
    name = engine_name(observed.machine, access.thread)
    match access.what:
        case "fill":
            return f"{name} has done no `choreo.read_barrier` since"
        case "read":
            return f"{name} has done no `choreo.write_barrier` since"
        case "send":
            return f"{name} has done no `choreo.flush` since, and has not heard that it has landed"
        case "landing":
            return "nobody has waited for a flag that the data cannot come after"
        case "increment":
            return "nobody has waited for the increment"
        case _:
            return "nobody has waited for the flag"


################################################################################
# Undecided                                                                    #
################################################################################

_DECIDABLE: dict[Reason, str] = {
    "sources": "wait with `eq` for the sum of all increments, or give each source a group of its "
    "own",
    "tensor-both-ways": "let the program write another tensor than it reads",
    "coordinate-bounds": "what runs may depend on constants and on `choreo.trip`; engines of "
    "different sites can have code of their own",
    "trip-varies": "read the trip at an address that is the same for all sites of the group, and "
    "outside of loops",
    "no-period": "a larger `budget`, or loops whose iterations leave the rings as they find them",
    "grid": "give engines and groups fewer rectangles of sites, with bounds in common",
    "unknown-op": "engines have `choreo` ops, loops that go forwards, branches, index arithmetic",
}


def undecided_notes(verdict: Verdict) -> tuple[tuple[str, ...], str | None]:
    """What stands in the way of a verdict, and what would make the program decidable."""
    lines: list[str] = []
    failure, run = verdict.failure, verdict.run
    if isinstance(failure, Undecided) and run is not None:
        machine = run.machine
        lines += _circumstances(run) if failure.thread is not None else ()
        if failure.thread is not None and failure.instruction is not None:
            thread = machine.threads[failure.thread.number]
            where, when = (
                location(failure.instruction.op),
                iteration_text(thread.code, thread.counters),
            )
            lines.append(
                f"at: {engine_name(machine, thread)}"
                + (f", {where}" if where is not None else "")
                + (f" ({when})" if when else "")
                + f": {brief(failure.instruction.op)}"
            )
        if failure.sources:
            names = engine_names(machine, (machine.threads[n] for n, _ in failure.sources))
            lines.append(f"increments of {names} may come first")
    hint = verdict.hint
    if hint is None:
        hint = next((text for reason, text in _DECIDABLE.items() if reason == verdict.check), None)
    return tuple(lines), hint
