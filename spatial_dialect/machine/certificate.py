"""Certificates: what was run to prove programs, for a checker that shares nothing with the proof.

A certificate is JSON. It lists, for each program, the cells that were run, and for each run how it
started, in which order the engines took their turns, which periods were skipped, and where it could
be pumped. Whatever follows from the program itself is left for the checker to find out. The format
is described in `docs/certificates.md`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from spatial_dialect.analysis.fingerprint import fingerprint
from spatial_dialect.dialects.spatial import ProgramOp
from spatial_dialect.machine.proof import Component, ProvedRun, Verdict
from spatial_dialect.machine.runs import Interval

FORMAT, VERSION = "spatial-certificate", 1
"""What a certificate says of itself."""

Json: TypeAlias = "dict[str, Json] | Sequence[Json] | str | int"


def certificate(verdicts: Iterable[tuple[ProgramOp, Verdict]]) -> str:
    """The certificate of some programs, as text.

    Args:
        verdicts: programs with what is known about them, which must be that they are proved.
    """
    programs: list[Json] = []
    for program, verdict in verdicts:
        if verdict.status != "proved":
            raise ValueError(f"@{program.sym_name.data} is {verdict.status}")
        programs.append(
            {
                "program": f"@{program.sym_name.data}",
                "fingerprint": fingerprint(program),
                "components": [_component(component) for component in verdict.components],
            }
        )
    whole = {"format": FORMAT, "version": VERSION, "programs": programs}
    return json.dumps(whole, separators=(",", ":")) + "\n"


def _component(component: Component) -> Json:
    return {
        "cells": [
            [span for axis in (cell.y, cell.x) for span in (axis.index, axis.low, axis.high)]
            for cell in component.layout.cells
        ],
        "moduli": {str(trip): modulus for trip, modulus in component.moduli.items()},
        "runs": [_run(run) for run in component.runs],
    }


def _run(proved: ProvedRun) -> Json:
    run, start = proved.run, proved.start
    trips = range(len(proved.trips))
    # Pumps that do not cover all loops of a trip tell nothing.
    pumps = run.pumps if any(run.pumps_by(trip) is not None for trip in trips) else []
    # Periods of nothing but control need no word: a checker goes through it at once.
    skips = [skip for skip in run.skips if _length(run.rounds, skip) and skip.skipped]
    pumps = [pump for pump in pumps if _length(run.rounds, pump)]
    bounds = {run.rounds[r] for interval in (*skips, *pumps) for r in _rounds(interval)}
    order, new = _merged(run.order, bounds)

    def places(interval: Interval) -> list[int]:
        return [new[run.rounds[number]] for number in _rounds(interval)]

    return {
        "start": {
            "positions": _triples(start.positions),
            "semaphores": _triples(start.semaphores),
        },
        "trips": list(proved.trips),
        "order": [[engine, events] for engine, events in order],
        "skips": [[*places(skip), skip.skipped] for skip in skips],
        "pumps": [places(pump) for pump in pumps],
    }


def _rounds(interval: Interval) -> tuple[int, int]:
    return interval.first, interval.last


def _length(rounds: Sequence[int], interval: Interval) -> int:
    """How many turns of engines lie in an interval."""
    return rounds[interval.last] - rounds[interval.first]


def _triples(values: Mapping[tuple[int, int], int]) -> Json:
    """What is not 0, by cell and number."""
    return [[cell, number, value] for (cell, number), value in values.items() if value]


def _merged(
    order: Sequence[tuple[int, int]], bounds: Iterable[int]
) -> tuple[list[tuple[int, int]], Mapping[int, int]]:
    """Turns of one engine that follow each other are one, but for those with a bound in between.

    Returns:
        The order, and for each bound what has become of it.
    """
    kept = set(bounds)
    found: list[tuple[int, int]] = []
    new: dict[int, int] = {}
    for place, (engine, events) in enumerate(order):
        if place in kept:
            new[place] = len(found)
        if found and found[-1][0] == engine and place not in kept:
            found[-1] = (engine, found[-1][1] + events)
        else:
            found.append((engine, events))
    new[len(order)] = len(found)
    return found, new


__all__ = ["FORMAT", "VERSION", "certificate"]
