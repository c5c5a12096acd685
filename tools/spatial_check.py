"""`spatial-check`: replays a certificate on its programs, and accepts it only if every rule holds.

The rules are those of the proof in code of its own: nothing here comes from the prover, and nothing
that a certificate says is believed. `docs/certificates.md` tells what is checked, and what must be
trusted.

Exit codes: 0 the certificate holds; 1 it does not, or an input is at fault; 2 wrong usage; 130 the
check was interrupted.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import combinations, product
from math import lcm
from typing import Any, TypeAlias

from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.ir import Operation, SSAValue

from spatial_dialect.dialects import choreo
from spatial_dialect.dialects.spatial import ProgramOp, Spatial
from spatial_dialect.tools.check_code import MIXED, Frame, Refused, need
from spatial_dialect.tools.check_grid import Key, Part, Program, Uses
from spatial_dialect.tools.check_rules import Replay
from spatial_dialect.tools.debug import debugging, describe_exception
from spatial_dialect.tools.reading import read_module
from spatial_dialect.tools.report import place_of

OK, BAD_INPUT, INTERRUPTED = 0, 1, 130
FORMAT, VERSION = "spatial-certificate", 1
MOST_SIDE = 10_000
"""Larger run-time trips are never run one by one."""

Counters: TypeAlias = list[list[tuple[Frame, int]]]
Start: TypeAlias = tuple[frozenset[tuple[Key, int]], frozenset[tuple[Key, int]]]
"""How a run begins: positions of rings and values of semaphores that are not 0."""

################################################################################
# What a certificate says                                                      #
################################################################################

_TRIPLES = [(0, 0, 0)]
_RUN = {
    "start": {"positions": _TRIPLES, "semaphores": _TRIPLES},
    **{"trips": [0], "order": [(0, 0)], "skips": _TRIPLES, "pumps": [(0, 0)]},
}
_COMPONENT = {"cells": [(0,) * 6], "moduli": {"": 0}, "runs": [_RUN]}
_PROGRAM = {"program": "@", "fingerprint": "", "components": [_COMPONENT]}
SHAPE = {"format": "", "version": 0, "programs": [_PROGRAM]}
"""A certificate by example: a list of what is alike, a tuple of a fixed length, counts from 0."""


def check_shape(found: Any, shape: Any, where: str) -> None:
    """Compare JSON with an example."""
    kind: Any = shape.__class__
    name = {dict: "object", str: "text", int: "count"}.get(kind, "list")
    right: bool = type(found) is (list if kind is tuple else kind)
    need(right and (kind is not int or found >= 0), f"{where} is no {name}")
    if kind is tuple:
        need(len(found) == len(shape), f"{where} has not {len(shape)} parts")
    if kind in (tuple, list):
        for number, part in enumerate(found):
            check_shape(part, shape[0], f"{where}[{number}]")
    if kind is dict:
        for each in found if "" in shape else shape:
            need(each in found, f"{where} has no '{each}'")
            check_shape(found[each], shape.get(each, shape.get("")), f"{where}.{each}")


################################################################################
# Runs                                                                         #
################################################################################


def advanced(part: Part, old: Counters, new: Counters) -> list[tuple[Frame, int]]:
    """The loops that differ between two states, one of an engine, and by how many iterations."""
    found: list[tuple[Frame, int]] = []
    for number, (before, after) in enumerate(zip(old, new, strict=True)):
        need(len(before) == len(after), "states: an engine is in other loops")
        steps: list[tuple[Frame, int]] = []
        for (frame, count), (now, larger) in zip(before, after, strict=True):
            same = frame.loop is now.loop and frame.count == now.count
            need(same, "states: an engine is in other loops")
            if count != larger:
                deciding = part.program.deciding[part.threads[number][1]]
                variable = frame.loop.body.block.args[0]
                need(frame is now and larger > count, "states: a loop went back", frame.loop)
                need(variable not in deciding, "states: a loop's variable decides", frame.loop)
                steps.append((frame, larger - count))
        need(len(steps) < 2, "states: two loops of an engine differ")
        found += steps
    return found


def replayed(part: Part, uses: Uses, run: Mapping[str, Any], start: Start) -> Replay:
    """Replay a run to its end."""
    order, skips, pumps = run["order"], run["skips"], run["pumps"]
    marks = {place for first, last, *_ in (*skips, *pumps) for place in (first, last)}
    for first, last, *_ in (*skips, *pumps):
        need(first < last <= len(order), f"intervals: [{first}, {last}] is none")
    for (a, b, *_), (c, d, *_) in combinations((*pumps, *skips), 2):
        apart = b <= c or d <= a or a <= c < d <= b or c <= a < b <= d
        both_skip = [c, d] not in pumps and [a, b] not in pumps
        need(apart or both_skip, f"intervals: [{a}, {b}] and [{c}, {d}] overlap")
    replay = Replay(part, uses, run["trips"], dict(start[0]), dict(start[1]))
    states: dict[int, tuple[object, Counters]] = {}
    events = 0
    try:
        for place, (engine, count) in enumerate([*order, (0, 0)]):
            if place in marks:
                state = replay.state()
                for first, last in pumps:
                    if last == place:
                        need(states[first][0] == state, f"states: {first} and {last} differ")
                        steps = advanced(part, states[first][1], replay.counters())
                        check_pump(replay, steps, (first, last))
                for first, last, skipped in skips:
                    if last == place:
                        need(states[first][0] == state, f"states: {first} and {last} differ")
                        steps = advanced(part, states[first][1], replay.counters())
                        check_skip(steps, skipped)
                        for old, new in zip(states[first][1], replay.counters(), strict=True):
                            for (one, _), (other, _) in zip(old, new, strict=True):
                                if one is not other:
                                    other.cuts.append((one, first, last))
                states[place] = (state, replay.counters())
            need(engine < len(replay.threads), f"order: there is no engine {engine}")
            for _ in range(count):
                events += 1
                op = replay.threads[engine].next
                try:
                    replay.fire(engine)
                except Refused as error:
                    error.op = error.op or op
                    raise
        replay.check_end()
    except Refused as error:
        error.where.insert(0, f"event {events}")
        raise
    replay.events = events
    return replay


def check_skip(steps: Sequence[tuple[Frame, int]], skipped: int) -> None:
    """A period may happen so many more times; lets it."""
    need(steps, "skip: nothing advances, so it never ends")
    for frame, step in steps:
        need(frame.trip is None, "skip: a loop of a run-time trip advances", frame.loop)
        left = frame.count - 1 - frame.counter
        need(step * skipped <= left, f"skip: {left} iterations are left", frame.loop)
        frame.counter += step * skipped


def check_pump(replay: Replay, steps: Sequence[tuple[Frame, int]], pump: tuple[int, int]) -> None:
    """All that advances are loops of one trip, by the same number."""
    trips, by = {frame.trip for frame, _ in steps}, {step for _, step in steps}
    need(len(trips) == len(by) == 1 and None not in trips, "pump: not one trip by one number")
    for frame, step in steps:
        frame.pumps.append(pump)
        replay.pumps.append((frame.trip, step))


def joins(frame: Frame) -> bool:
    """Whether executions of a loop are pumped once that come about where skipped periods meet.

    They are the beginning of one and the end of another: either both of these are pumped before
    they are cut, or both behind it.
    """
    for other, first, last in frame.cuts:
        before = all(
            pump[1] <= cut for f, cut in ((other, first), (frame, last)) for pump in f.pumps
        )
        behind = all(
            pump[0] >= cut for f, cut in ((other, first), (frame, last)) for pump in f.pumps
        )
        if not before and not behind:
            return False
    return True


def pumped_by(replay: Replay, trip: int) -> int | None:
    """By multiples of what a trip may grow without anything new; None if that is not known."""
    for thread in replay.threads:
        frames = [frame for frame in thread.tripping if frame.trip == trip and frame.events]
        if {trip, MIXED} & thread.unruly or any(len(frame.pumps) != 1 for frame in frames):
            return None
        if not all(joins(frame) for frame in frames):
            return None
    return lcm(*(step for each, step in replay.pumps if each == trip))


################################################################################
# Programs                                                                     #
################################################################################


def check_trips(part: Part, runs: Mapping[tuple[int, ...], Replay]) -> dict[int, int]:
    """Whether all trips were run that can make a difference; by trip, what it can be reduced by."""
    variables, most = part.trips, part.program.most
    side = 0
    while len(runs) > side ** len(variables) and side <= MOST_SIDE:
        side += 1
    for trips in product(range(side), repeat=len(variables)):
        need(trips in runs, f"trips: {list(trips)} is missing")
    need(len(runs) == side ** len(variables), "trips: the runs form no square")
    found = {v: modulus(runs, place, v, side) for place, v in enumerate(variables)}
    known = {variable: by for variable, by in found.items() if by is not None}
    if len(known) < len(found):
        need(most is not None and side > most, f"trips: from {side} on nothing is known")
        return {}
    return known


def modulus(
    runs: Mapping[tuple[int, ...], Replay], place: int, variable: int, side: int
) -> int | None:
    """The number by which a trip can be reduced: the last so many counts can be pumped by it."""
    found, larger = 0, 1
    while found < larger <= side:
        found = larger
        last = [replay for trips, replay in runs.items() if trips[place] >= side - found]
        for pump in (pumped_by(replay, variable) for replay in last):
            if pump is None:
                return None
            larger = lcm(larger, pump)
    return found if found == larger else None


def check_component(part: Part, found: Mapping[str, Any]) -> tuple[int, int]:
    """Check all runs of a part; how many there are, and how many events."""
    program, uses = part.program, Uses(part)
    part.check_trips()
    by_start: defaultdict[Start, dict[tuple[int, ...], Replay]] = defaultdict(dict)
    for number, run in enumerate(found["runs"]):
        try:
            start = (
                keys(part, run["start"]["positions"], program.rings),
                keys(part, run["start"]["semaphores"], program.semaphores),
            )
            need(len(run["trips"]) == len(set(program.trips.values())), "trips: not one of each")
            trips = tuple(run["trips"][variable] for variable in part.trips)
            need(trips not in by_start[start], "trips: they are run twice from one start")
            by_start[start][trips] = replayed(part, uses, run, start)
        except Refused as error:
            error.where.insert(0, f"run {number}")
            raise
    moduli: dict[int, int] = {}
    for runs in by_start.values():
        for variable, modulus in check_trips(part, runs).items():
            moduli[variable] = lcm(moduli.get(variable, 1), modulus)
    told = {str(variable): modulus for variable, modulus in moduli.items()}
    need(found["moduli"] == told, f"trips: the moduli are {told}, not {found['moduli']}")
    replays = [replay for runs in by_start.values() for replay in runs.values()]
    check_items(program, uses, list(by_start), replays)
    return len(replays), sum(replay.events for replay in replays)


def keys(
    part: Part, triples: Sequence[Sequence[int]], names: Sequence[SSAValue]
) -> frozenset[tuple[Key, int]]:
    """What is not 0 at the start of a run."""
    for cell, number, _ in triples:
        there = cell < len(part.cells) and number < len(names)
        need(there, f"start: cell {cell} has no number {number}")
    found = {(cell, names[number]): value for cell, number, value in triples}
    need(len(found) == len(triples), "start: something is listed twice")
    return frozenset(found.items())


def check_items(
    program: Program, uses: Uses, starts: Sequence[Start], replays: Sequence[Replay]
) -> None:
    """Every item leaves the machine as some item finds it, the first one among them."""
    matters = {key for replay in replays for key in replay.matters}

    def like(positions: Mapping[Key, int], values: Mapping[Key, int]) -> object:
        rest = frozenset((key, value) for key, value in values.items() if value and key in matters)
        return uses.positions(program, positions), rest

    known = {like(dict(positions), dict(values)) for positions, values in starts}
    need(like({}, {}) in known, "start: no run starts with rings and semaphores at 0")
    read_first = {k for r in replays for k, is_set in r.first_is_set.items() if not is_set}
    for replay in replays:
        positions = {key: ring.pushed for key, ring in replay.rings.items()}
        values = {key: epochs[-1].value for key, epochs in replay.epochs.items()}
        for key in replay.first_is_set:
            assert isinstance(key[1].owner, Operation)
            back = values[key] == 0 or key not in read_first
            need(back, f"semaphore at end: it is {values[key]}, but not set first", key[1].owner)
        need(like(positions, values) in known, "start: no run starts as this one ends")


def check_program(op: ProgramOp, found: Mapping[str, Any]) -> tuple[int, int]:
    """Check all parts of a program; how many runs there are, and how many events."""
    program = Program(op)
    parts = {part.cells: part for part in program.parts()}
    left = {part.like() for part in parts.values()}
    runs = events = 0
    for number, component in enumerate(found["components"]):
        cells = tuple((cell[:3], cell[3:]) for cell in map(tuple, component["cells"]))
        try:
            need(cells in parts, "components: these are no cells that meet")
            more, happened = check_component(parts[cells], component)
        except Refused as error:
            error.where.insert(0, f"component {number}")
            raise
        left.discard(parts[cells].like())
        runs, events = runs + more, events + happened
    need(not left, f"components: {len(left)} are missing")
    return runs, events


################################################################################
# The tool                                                                     #
################################################################################


def read_certificate(file: str) -> dict[str, Any]:
    """The programs of a certificate by their names."""
    try:
        with open(file, encoding="utf-8") as stream:
            found = json.load(stream)
    except OSError as error:
        raise Refused(f"cannot read the certificate: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise Refused(f"this is no JSON: {error}") from error
    head = {"format": "", "version": 0}
    check_shape(found, head, "the certificate")
    need(found["format"] == FORMAT, f"its format is '{found['format']}', not '{FORMAT}'")
    need(found["version"] == VERSION, f"its version is {found['version']}, not {VERSION}")
    check_shape(found, SHAPE, "the certificate")
    programs = {each["program"]: each for each in found["programs"]}
    need(len(programs) == len(found["programs"]), "a program is listed twice")
    return programs


def check(certificate: str, file: str) -> int:
    """Check the certificate of all programs of a file; the result is the exit code."""
    context = Context()
    for name, dialect in get_all_dialects().items():
        context.register_dialect(name, dialect)
    context.load_dialect(Spatial)
    context.load_dialect(choreo.Choreo)
    subject = ""
    try:
        known = read_certificate(certificate)
        if (module := read_module(context, file, warnings=False)) is None:
            return BAD_INPUT
        programs = {f"@{p.sym_name.data}": p for p in module.walk() if isinstance(p, ProgramOp)}
        need(programs, f"'{file}' has no program")
        for name in known:
            need(name in programs, f"'{file}' has no program {name}")
        for subject, program in programs.items():
            need(subject in known, "there is nothing about it")
            runs, events = check_program(program, known[subject])
            print(f"{file}: {subject}: certificate holds ({runs} runs, {events} events)")
    except Refused as error:
        where = [subject] * bool(subject) + [", ".join(error.where)] * bool(error.where)
        if error.op is not None:
            where.append(f"{place_of(error.op, file)}: '{error.op.name}'")
        return refuse(certificate, *where, str(error))
    except Exception as error:
        # A certificate is anybody's text: what goes wrong in its use is a reason to refuse it.
        if debugging() or isinstance(error, BrokenPipeError):
            raise
        return refuse(certificate, *[subject] * bool(subject), describe_exception(error))
    return OK


def refuse(*parts: str) -> int:
    """Print one line; the result is the exit code."""
    first, *rest = (" ".join(part.split()) for part in parts)
    print(": ".join((first, "error", *rest)), file=sys.stderr)
    return BAD_INPUT


def main(args: Sequence[str] | None = None) -> int:
    """Run the tool with these arguments or the command line's; the result is the exit code."""
    parser = argparse.ArgumentParser(
        prog="spatial-check",
        description="Replays a certificate of verify-choreography, and says whether it holds.",
        allow_abbrev=False,
    )
    parser.add_argument("certificate", help="what spatial-opt --certificate has written")
    parser.add_argument(
        "program", help="the scheduled programs, an .mlir file; - is standard input"
    )
    options = parser.parse_args(args)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        code = check(options.certificate, options.program)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has seen enough. Python would complain once more when it flushes at exit.
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    return code


if __name__ == "__main__":
    sys.exit(main())
