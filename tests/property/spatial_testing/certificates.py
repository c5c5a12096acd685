"""Certificates of programs, and what the checker says of them; and a second opinion of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from xdsl.ir import SSAValue

from spatial_dialect.dialects.spatial import ProgramOp
from spatial_dialect.machine.certificate import certificate
from spatial_dialect.machine.proof import Verdict, prove
from spatial_dialect.tools.check_code import Refused
from spatial_dialect.tools.check_grid import Key, Program, Uses
from spatial_dialect.tools.check_rules import Replay
from spatial_dialect.tools.spatial_check import check_program


def certified(program: ProgramOp, verdict: Verdict | None = None) -> dict[str, Any]:
    """The certificate of one program that is proved."""
    found = json.loads(certificate([(program, verdict or prove(program))]))
    (only,) = found["programs"]
    return only


def refusal(program: ProgramOp, found: Mapping[str, Any]) -> str | None:
    """Why the checker refuses a certificate, if it does."""
    try:
        check_program(program, found)
    except Refused as error:
        return f"{', '.join(error.where)}: {error}"
    return None


class TooLong(Exception):
    """A program does too much for a second opinion."""


def second_opinion(program: ProgramOp, most: int = 5, events: int = 30_000) -> str | None:
    """The first rule that breaks if engines run as far as they can, in turn; None if none does.

    Run-time trips are all equal, and up to a number; items are run as long as they find something
    new. Nothing of the prover is used.

    Raises:
        TooLong: there are more events than that.
    """
    try:
        return _second_opinion(Program(program), most, events)
    except Refused as error:
        return str(error)


def _second_opinion(program: Program, most: int, events: int) -> str | None:
    trips = len(set(program.trips.values()))
    counts = range(min(program.most or 0, most) + 1) if trips else (0,)
    for part in program.parts():
        part.check_trips()
        uses = Uses(part)
        known: set[object] = set()
        starts: list[tuple[dict[Key, int], dict[Key, int]]] = [({}, {})]
        while starts and len(known) < 12:
            positions, values = starts.pop()
            name = (_known(positions), _known(values))
            if name in known:
                continue
            known.add(name)
            for count in counts:
                replay = Replay(part, uses, [count] * trips, positions, values)
                if (broken := _run(replay, events)) is not None:
                    return broken
                starts.append(_end(program, replay))
                for key, is_set in replay.first_is_set.items():
                    if not is_set and starts[-1][1][key]:
                        return "semaphore at end"
    return None


def _known(values: Mapping[tuple[int, SSAValue], int]) -> frozenset[object]:
    return frozenset((key, value) for key, value in values.items() if value)


def _run(replay: Replay, events: int) -> str | None:
    moved = True
    while moved:
        moved = False
        for number, thread in enumerate(replay.threads):
            while thread.next is not None:
                try:
                    replay.fire(number)
                except Refused as error:
                    if str(error).startswith("blocked"):
                        break  # not now
                    return str(error)
                moved = True
                events -= 1
                if events < 0:
                    raise TooLong
    try:
        replay.check_end()
    except Refused as error:
        return str(error)
    return None


def _end(program: Program, replay: Replay) -> tuple[dict[Key, int], dict[Key, int]]:
    positions = {key: ring.pushed % program.depth[key[1]] for key, ring in replay.rings.items()}
    return positions, {key: epochs[-1].value for key, epochs in replay.epochs.items()}
