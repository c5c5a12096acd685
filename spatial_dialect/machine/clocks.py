"""Who has seen what: vector clocks, the points they speak of, accesses that end at some time.

A clock has one component for each engine of a run: how many of its events have been seen. An engine
event is seen by a clock that counts it. What moves on its own has no place in any engine's order:
it is an `Access`, seen by a clock that counts one of its *closers*, events before which it has
surely ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from spatial_dialect.machine.code import Instruction
from spatial_dialect.machine.semantics import Thread

Clock: TypeAlias = Sequence[int]


@dataclass(slots=True, eq=False)
class Point:
    """An event of an engine."""

    thread: Thread
    index: int
    """Its number among the events of the engine, from 1."""
    instruction: Instruction


@dataclass(slots=True, eq=False)
class Access:
    """Something that an event started and that ends at some time."""

    thread: Thread
    index: int
    instruction: Instruction
    what: str
    """For messages: `the landing of`, ..."""
    users: Sequence[int]
    """The numbers of the engines to which it may matter."""
    closers: list[Point]


Record: TypeAlias = Point | Access


def seen(record: Record | None, clock: Clock) -> bool:
    """Whether a clock has seen something; what was there from the start it has."""
    if record is None:
        return True
    if type(record) is Point:
        return clock[record.thread.number] >= record.index
    assert isinstance(record, Access)
    for point in record.closers:
        if clock[point.thread.number] >= point.index:
            return True
    return False


def join(clock: list[int], other: Clock) -> None:
    """Lets a clock see what another one has seen."""
    clock[:] = map(max, clock, other)
