"""Which engines may ever touch a page of memory or a semaphore of a cell.

What all of them have seen is past: no rule will ever hold it against anyone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from spatial_dialect.machine.code import EVENTS, Act, Code, Numbering
from spatial_dialect.machine.layout import Layout

Users = Mapping[tuple[int, int], tuple[int, ...]]
"""By cell and number: engines, as they are numbered in a run of the layout."""


@dataclass(frozen=True)
class Usage:
    """The engines of a layout by what they touch."""

    memories: Users
    """By cell and memory: who fills it, reads it or sends to it."""
    semaphores: Users
    """By cell and semaphore: who waits for it, sets it or increments it."""
    waiters: Users
    """By cell and semaphore: who waits for it."""


def usage(numbering: Numbering, codes: Sequence[Code], layout: Layout) -> Usage:
    """Finds the users of everything."""
    memories: defaultdict[tuple[int, int], dict[int, None]] = defaultdict(dict)
    semaphores: defaultdict[tuple[int, int], dict[int, None]] = defaultdict(dict)
    waiters: defaultdict[tuple[int, int], dict[int, None]] = defaultdict(dict)
    number = -1
    for cell, engines in enumerate(layout.engines):
        for engine in engines:
            number += 1
            for instruction in codes[engine].instructions:
                act = instruction.act
                if act >= EVENTS:
                    continue
                rings = (*instruction.reads, *((instruction.ring,) * (instruction.ring >= 0)))
                for ring in rings:
                    memories[cell, numbering.rings[ring].memory][number] = None
                if act == Act.SEND:
                    memory = numbering.rings[instruction.ring].memory
                    for receiver in layout.links[instruction.group].receivers.get(cell, ()):
                        memories[receiver, memory][number] = None
                elif act == Act.FLAG:
                    for receiver in layout.links[instruction.group].receivers.get(cell, ()):
                        semaphores[receiver, instruction.semaphore][number] = None
                elif act == Act.SEM_INC:
                    sender = layout.links[instruction.group].sender[cell]
                    semaphores[sender, instruction.semaphore][number] = None
                elif act == Act.SEM_SET:
                    semaphores[cell, instruction.semaphore][number] = None
                elif act == Act.SEM_WAIT:
                    semaphores[cell, instruction.semaphore][number] = None
                    waiters[cell, instruction.semaphore][number] = None
    return Usage(_frozen(memories), _frozen(semaphores), _frozen(waiters))


def _frozen(users: Mapping[tuple[int, int], Mapping[int, None]]) -> Users:
    return {key: tuple(found) for key, found in users.items()}
