"""The proof that a scheduled program neither hangs nor races, whatever its engines' turns.

`prove` runs the engines of the reduced grid once for each run-time trip that can make a difference,
and for each way in which an item can find the rings. The argument why that is enough is in
`docs/proof.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import lcm
from typing import Literal, TypeAlias, cast

from xdsl.ir import Operation

from spatial_dialect.dialects import choreo
from spatial_dialect.dialects.spatial import ProgramOp
from spatial_dialect.ir.diagnostics import value_name
from spatial_dialect.machine.code import (
    Act,
    Code,
    Instruction,
    Numbering,
    Unsupported,
    compiled,
    expression,
)
from spatial_dialect.machine.layout import Layout, TooLarge, full, reduced
from spatial_dialect.machine.runs import Run, SemaphoreEnd, Start
from spatial_dialect.machine.tokens import Check, Reason, Refuted, Undecided
from spatial_dialect.machine.usage import Usage, usage

Status: TypeAlias = Literal["proved", "refuted", "undecided"]

BUDGET = 400_000
"""How many steps of engines a proof may take."""

MOST_STARTS = 64
"""How many ways to find the rings are tried."""


@dataclass(frozen=True)
class Component:
    """What was proved of cells that meet: the runs, for the one who writes it down."""

    layout: Layout
    runs: tuple[ProvedRun, ...]
    moduli: Mapping[int, int]
    """By trip: larger ones than those that were run are like those less a multiple of this."""


@dataclass(frozen=True)
class ProvedRun:
    """A run that broke no rule."""

    start: Start
    trips: tuple[int, ...]
    run: Run


@dataclass(frozen=True)
class Verdict:
    """What is known about a program."""

    status: Status
    op: Operation
    """Where it shows."""
    message: str
    check: Check | Reason | None = None
    """The rule that is broken, or why nothing is known."""
    hint: str | None = None
    failure: Refuted | Undecided | None = None
    run: Run | None = None
    """The run that failed."""
    components: tuple[Component, ...] = ()
    steps: int = 0
    """Events of engines, and rounds, that were run."""
    cells: int = 0
    """Of the reduced grid."""


def prove(program: ProgramOp, *, budget: int = BUDGET, on_full_grid: bool = False) -> Verdict:
    """Judges a scheduled program that verifies.

    Args:
        program: with engines, and no stages.
        budget: the most steps to take.
        on_full_grid: run every site instead of the reduced grid.
    """
    return _Proof(program, budget, on_full_grid).verdict()


@dataclass(eq=False)
class _Proof:
    program: ProgramOp
    budget: int
    on_full_grid: bool
    steps: int = 0
    run: Run | None = None
    cells: int = 0
    components: list[Component] = field(default_factory=list[Component])

    def verdict(self) -> Verdict:
        """Runs everything there is to run."""
        try:
            numbering = Numbering(self.program)
            _check_tensors(numbering)
            _check_counters(numbering)
            codes = [compiled(op, numbering, all_numbers=False) for op in numbering.engines]
            layout = (full if self.on_full_grid else reduced)(numbering)
            self.cells = len(layout.cells)
            placed = any(code.uses_coordinates for code in codes)
            for component in layout.components(placed=placed):
                _check_trips(numbering, component)
                self.components.append(self.component(numbering, codes, component))
        except Unsupported as error:
            return self.undecided("unknown-op", error.op, str(error))
        except TooLarge as error:
            return self.undecided("grid", self.program, str(error))
        except Undecided as error:
            op = self.program if error.instruction is None else error.instruction.op
            message = error.message
            if error.reason == "no-period":
                message += f", {self.steps} in all runs"
            return self.undecided(error.reason, op, message, error)
        except Refuted as error:
            return Verdict(
                "refuted",
                self.place(error),
                error.message,
                error.check,
                error.hint,
                error,
                self.run,
                steps=self.steps,
                cells=self.cells,
            )
        return Verdict(
            "proved",
            self.program,
            "no engine hangs and no two accesses race, whatever their order",
            components=tuple(self.components),
            steps=self.steps,
            cells=self.cells,
        )

    def place(self, error: Refuted) -> Operation:
        """Where a broken rule shows."""
        if error.instruction is not None:
            return error.instruction.op
        if error.ring is not None and self.run is not None:
            return self.run.numbering.rings[error.ring.number].op
        if self.run is not None:
            for thread in self.run.machine.threads:
                if not thread.done:
                    return thread.code.instructions[thread.place].op
        return self.program

    def undecided(
        self, reason: Reason, op: Operation, message: str, error: Undecided | None = None
    ) -> Verdict:
        """The verdict that nothing is known."""
        return Verdict(
            "undecided",
            op,
            message,
            reason,
            failure=error,
            run=self.run,
            steps=self.steps,
            cells=self.cells,
        )

    def component(self, numbering: Numbering, codes: Sequence[Code], layout: Layout) -> Component:
        """Proves the engines of cells that meet, for every trip and every item."""
        used = {engine for engines in layout.engines for engine in engines}
        variables = sorted(
            {i.count for number in used for i in codes[number].instructions if i.act == Act.TRIP}
        )
        extent = self.program.loop_nest.k
        most = extent.size if extent.at_run_time else None
        users = usage(numbering, codes, layout)
        runs = _Runs(self, numbering, codes, layout, users)
        starts = [Start()]
        moduli: dict[int, int] = {}
        for start in starts:
            found = runs.all_trips(start, variables, most)
            if start is starts[0]:
                # Said before the next item shows what comes of it.
                _check_semaphores(self, runs.all, numbering)
            for variable, modulus in found.items():
                moduli[variable] = lcm(moduli.get(variable, 1), modulus)
            ends = [proved.run.semaphore_ends() for proved in runs.all]
            matters = {key for end in ends for key, what in end.items() if what.start_matters}

            def key(start: Start, matters: set[tuple[int, int]] = matters) -> object:
                values = {k: v for k, v in start.semaphores.items() if v and k in matters}
                return _turned(start.positions, users, numbering), tuple(sorted(values.items()))

            known = {key(start) for start in starts}
            for proved, end in zip(runs.all, ends, strict=True):
                values = dict(proved.start.semaphores) | {k: v.value for k, v in end.items()}
                positions = dict(proved.start.positions) | dict(proved.run.end_positions())
                following = Start(positions, {k: v for k, v in values.items() if v})
                if key(following) not in known:
                    known.add(key(following))
                    starts.append(following)
            if len(starts) > MOST_STARTS:
                raise Undecided(
                    "no-period",
                    f"items find rings and semaphores in more than {MOST_STARTS} different states",
                )
        _check_semaphores(self, runs.all, numbering)
        return Component(layout, tuple(runs.all), moduli)


@dataclass(eq=False)
class _Runs:
    """The runs of a component."""

    proof: _Proof
    numbering: Numbering
    codes: Sequence[Code]
    layout: Layout
    users: Usage
    all: list[ProvedRun] = field(default_factory=list[ProvedRun])
    latest: list[ProvedRun] = field(default_factory=list[ProvedRun])
    """Those from the present start."""
    hot: set[tuple[object, ...]] = field(default_factory=set[tuple[object, ...]])

    def one(self, start: Start, trips: Mapping[int, int]) -> Run:
        """One run.

        Raises:
            Refuted, Undecided: it does not end well.
        """
        proof = self.proof
        values = tuple(trips.get(v, 0) for v in range(len(self.numbering.trip_ops)))
        run = proof.run = Run(
            self.numbering,
            self.codes,
            self.layout,
            self.users,
            values,
            start,
            proof.budget - proof.steps,
            self.hot,
        )
        try:
            run.go()
        except Undecided as undecided:
            self.search(run, undecided)
            raise
        finally:
            proof.steps += run.steps
        proved = ProvedRun(start, values, run)
        self.all.append(proved)
        self.latest.append(proved)
        return run

    def search(self, run: Run, undecided: Undecided) -> None:
        """Tries to break a rule where increments may stand in for each other.

        Raises:
            Refuted: letting some increments come late breaks one.
        """
        latest = dict(undecided.sources)
        for spared in latest:
            held = {thread: event for thread, event in latest.items() if thread != spared}
            other = Run(
                run.numbering,
                run.codes,
                run.layout,
                run.users,
                run.trips,
                run.start,
                run.budget,
                held=held,
            )
            try:
                other.go()
            except Undecided:
                continue
            except Refuted:
                self.proof.run = other
                raise

    def all_trips(
        self, start: Start, variables: Sequence[int], most: int | None
    ) -> Mapping[int, int]:
        """Runs every trip that may make a difference; by trip, what larger ones are like."""
        self.latest = []
        if not variables:
            self.one(start, {})
            return {}
        if len(variables) > 2:
            raise Undecided("no-period", f"depends on {len(variables)} run-time trips, more than 2")
        done: dict[tuple[int, ...], Run] = {}
        side = 0
        while True:
            if most is not None and side > most:
                return {}
            # The rest of a square, or of a line, one larger than before.
            for counts in product(range(side + 1), repeat=len(variables)):
                if counts not in done:
                    done[counts] = self.one(start, dict(zip(variables, counts, strict=True)))
            side += 1
            moduli = {
                variable: self.modulus(done, place, variable, side)
                for place, variable in enumerate(variables)
            }
            found = {v: m for v, m in moduli.items() if m is not None}
            if len(found) == len(moduli):
                return found

    def modulus(
        self, done: Mapping[tuple[int, ...], Run], place: int, variable: int, side: int
    ) -> int | None:
        """By what a trip can be reduced, once as many counts in a row can be pumped by it."""
        modulus = 1
        while modulus <= side:
            pumps = [
                run.pumps_by(variable)
                for counts, run in done.items()
                if counts[place] >= side - modulus
            ]
            known = [pump for pump in pumps if pump is not None]
            if len(known) < len(pumps):
                return None
            larger = lcm(modulus, *known)
            if larger == modulus:
                return modulus
            modulus = larger
        return None


################################################################################
# Checks of the text                                                           #
################################################################################


def _check_tensors(numbering: Numbering) -> None:
    """A tensor is only read or only written."""
    readers: dict[object, Operation] = {}
    writers: dict[object, Operation] = {}
    for engine in numbering.engines:
        for op in engine.walk():
            match op:
                case choreo.ReadTilesOp():
                    readers.setdefault(op.tensor, op)
                case choreo.WriteTilesOp():
                    writers.setdefault(op.tensor, op)
                case choreo.TripOp() if op.indices:
                    readers.setdefault(op.count, op)
                case _:
                    pass
    for tensor, op in writers.items():
        if tensor in readers:
            assert isinstance(op, choreo.WriteTilesOp)
            raise Undecided(
                "tensor-both-ways",
                f"writes {value_name(op.tensor)}, which the program also reads: the order of the "
                "two is not judged",
                Instruction(Act.ITEM, op),
            )


def _check_counters(numbering: Numbering) -> None:
    """What can be in flight in a ring is less than its counters can hold."""
    most = numbering.target.max_pages_counter
    for ring in numbering.rings:
        if ring.depth > most:
            raise Refuted(
                "modulus",
                f"{ring.name} holds {ring.depth} pages, but target '{numbering.target.name}' "
                f"counts to {most}",
                instruction=Instruction(Act.ITEM, ring.op),
                hint="make the ring less deep",
            )


def _check_trips(numbering: Numbering, component: Layout) -> None:
    """All cells that meet, directly or through others, have the same trips."""
    spanned = {
        axis: group
        for group, links in zip(numbering.groups, component.links, strict=True)
        if links.sender
        for axis in group.axes
    }
    for engine in sorted({engine for engines in component.engines for engine in engines}):
        for op in numbering.engines[engine].walk():
            if not isinstance(op, choreo.TripOp):
                continue
            used: set[str] = set()
            for value in op.indices:
                _coordinates(expression(value), used, op)
            if crossed := sorted(used & spanned.keys()):
                group = value_name(spanned[crossed[0]].group)
                raise Undecided(
                    "trip-varies",
                    f"reads a trip that depends on {' and '.join(crossed)}, but {group} goes along "
                    "it, so that sites with different trips meet",
                    Instruction(Act.ITEM, op),
                )


def _coordinates(found: object, used: set[str], op: choreo.TripOp) -> None:
    """Collects the coordinates of an expression."""
    if isinstance(found, tuple):
        for part in cast(tuple[object, ...], found)[1:]:
            _coordinates(part, used, op)
    elif isinstance(found, str):
        used.add(found)
    elif not isinstance(found, int):
        raise Undecided(
            "trip-varies",
            "reads a trip at an address that depends on a loop or on data",
            Instruction(Act.ITEM, op),
        )


################################################################################
# From item to item                                                            #
################################################################################


def _turned(positions: Mapping[tuple[int, int], int], users: Usage, numbering: Numbering) -> object:
    """Positions, told from one ring of those that turn together."""
    return tuple(
        tuple(
            (positions.get(ring, 0) - positions.get(group[0], 0)) % numbering.rings[ring[1]].depth
            for ring in group
        )
        for group in users.turning
    ), tuple(positions.get(ring, 0) for ring in users.fixed)


def _check_semaphores(proof: _Proof, runs: Iterable[ProvedRun], numbering: Numbering) -> None:
    """Semaphores are back at their start, or set before anything else is done with them."""
    elsewhere: dict[tuple[int, int], tuple[ProvedRun, SemaphoreEnd]] = {}
    read_first: dict[tuple[int, int], ProvedRun] = {}
    for proved in runs:
        for key, end in proved.run.semaphore_ends().items():
            if end.value != 0:
                elsewhere.setdefault(key, (proved, end))
            if not end.first_is_set:
                read_first.setdefault(key, proved)
    for key, (proved, end) in elsewhere.items():
        if key in read_first:
            cell, number = key
            name = numbering.semaphores[number].name
            epoch = proved.run.tokens.semaphores[cell][number].epochs[-1]
            record = epoch.increments[-1].access if epoch.increments else epoch.set
            assert record is not None
            proof.run = proved.run
            raise Refuted(
                "semaphore-end",
                f"leaves {name} of {proved.run.layout.cells[cell]} at {end.value}, but it starts "
                "at 0, and it is not set before it is used",
                thread=record.thread,
                instruction=record.instruction,
                hint="reset it after the last wait, or set it before its first use",
                semaphore=key,
            )
