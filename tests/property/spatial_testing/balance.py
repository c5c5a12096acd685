"""The verdict on scheduled programs: no hang, nothing left over, and the right pages stored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import ModuleOp

from spatial_dialect.dialects import choreo
from spatial_dialect.dialects.spatial import ProgramOp, TripOp
from spatial_dialect.ir.attributes import TargetAttr

from .code import Code
from .environment import Trips
from .machine import SCHEDULES, Fault, Machine, Schedule
from .reference import Reference, Stored
from .terms import Terms


def trip_choices(program: ProgramOp) -> tuple[Trips, ...]:
    """Run-time trips worth a run: none at all, one, the most, and different ones at once."""
    extent = program.loop_nest.k
    if not extent.at_run_time:
        return (Trips(0),)
    most = extent.size
    counts = sorted({0, 1, most})
    choices = [Trips(count) for count in counts]
    trip = next((op for op in program.body.block.ops if isinstance(op, TripOp)), None)
    if trip is not None and trip.address is not None:
        choices.append(Trips(1, most + 1))
    return tuple(choices)


def programs_in(module: ModuleOp) -> dict[str, ProgramOp]:
    """The programs of a module by their names."""
    return {op.sym_name.data: op for op in module.body.block.ops if isinstance(op, ProgramOp)}


def balance(
    scheduled: ModuleOp,
    dataflow: ModuleOp | None = None,
    *,
    schedules: Sequence[Schedule] = SCHEDULES,
) -> list[str]:
    """Everything that goes wrong in runs of scheduled programs; nothing if they are right.

    Args:
        scheduled: the programs to judge.
        dataflow: the same programs before they were scheduled. If given, what is stored must be
            what they mean.
        schedules: the schedules to try, each from the start.
    """
    problems: list[str] = []
    before = {} if dataflow is None else programs_in(dataflow)
    if dataflow is not None and before.keys() != programs_in(scheduled).keys():
        problems.append("the programs of the module are not those of the dataflow")
    for name, program in programs_in(scheduled).items():
        source = before.get(name)
        if source is not None and kept(source) != kept(program):
            problems.append(f"@{name}: arguments, target, grid or loops have changed")
        problems += (f"@{name}: {p}" for p in _problems(program, source, schedules))
    return problems


def kept(program: ProgramOp) -> tuple[TargetAttr | None, object, object, object]:
    """What a program keeps when it is scheduled."""
    types = tuple(program.body.block.arg_types)
    return program.target, program.grid_shape, program.loop_nest, types


def _problems(
    program: ProgramOp, source: ProgramOp | None, schedules: Iterable[Schedule]
) -> list[str]:
    item = program.loop_nest.i.size - 1
    codes: dict[choreo.EngineOp, Code] = {}
    for trips in trip_choices(source or program):
        terms = Terms()
        expected = None if source is None else Reference(source, terms, trips, item).stored()
        for schedule in schedules:
            where = (
                f"{schedule.name}, {trips}" if program.loop_nest.k.at_run_time else schedule.name
            )
            machine = Machine(program, terms, trips, schedule, item, codes)
            try:
                machine.run()
            except Fault as fault:
                return [f"[{where}] {fault}"]
            if expected is not None and machine.stored != expected:
                return [f"[{where}] {difference(terms, expected, machine.stored)}"]
    return []


def difference(terms: Terms, expected: Stored, found: Stored) -> str:
    """The first place at which other pages were stored than expected."""
    for place in sorted(expected.keys() | found.keys(), key=repr):
        want, have = expected.get(place, []), found.get(place, [])
        if want != have:
            texts = (", ".join(terms.text(t) for t in pages) or "nothing" for pages in (want, have))
            wanted, got = texts
            return (
                f"site {list(place.site)} stores to {place.tensor}{list(place.tile)}\n"
                f"  wanted: {wanted}\n  stored: {got}"
            )
    return "no difference"
