"""Which engines may ever touch a page of memory or a semaphore of a cell, and which rings meet.

What all users of a thing have seen is past: no rule will ever hold it against anyone.

Where in its memory a ring stands matters only next to rings that share the memory, and to the rings
that multicasts connect it with. Rings that meet in this way *turn* together: if the positions of
all of them are shifted by the same number, everything happens as before, unless several pages are
moved at once, which must not go around the end of the ring.
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
    accumulated: frozenset[tuple[int, int]]
    """By cell and memory: where pages are added to what is there."""
    turning: tuple[tuple[tuple[int, int], ...], ...]
    """Rings, by cell and number, that turn together; rings that turn alone are left out."""
    base: Mapping[tuple[int, int], tuple[int, int]]
    """Of each ring in `turning`: the ring from which its position is told."""
    fixed: tuple[tuple[int, int], ...]
    """Rings that must not turn: several pages are moved at once."""


def usage(numbering: Numbering, codes: Sequence[Code], layout: Layout) -> Usage:
    """Finds the users of everything."""
    memories: defaultdict[tuple[int, int], dict[int, None]] = defaultdict(dict)
    semaphores: defaultdict[tuple[int, int], dict[int, None]] = defaultdict(dict)
    waiters: defaultdict[tuple[int, int], dict[int, None]] = defaultdict(dict)
    accumulated: set[tuple[int, int]] = set()
    fixed: dict[tuple[int, int], None] = {}
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
                if act in (Act.PUSH, Act.POP, Act.SEND) and instruction.count > 1:
                    fixed[cell, instruction.ring] = None
                if act == Act.PACK and instruction.flag:
                    accumulated.add((cell, numbering.rings[instruction.ring].memory))
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
    turning = _turning(numbering, codes, layout)
    return Usage(
        _frozen(memories),
        _frozen(semaphores),
        _frozen(waiters),
        frozenset(accumulated),
        turning,
        {ring: group[0] for group in turning for ring in group},
        tuple(fixed),
    )


def _turning(
    numbering: Numbering, codes: Sequence[Code], layout: Layout
) -> tuple[tuple[tuple[int, int], ...], ...]:
    parent: dict[tuple[int, int], tuple[int, int]] = {}

    def root(ring: tuple[int, int]) -> tuple[int, int]:
        while (up := parent.setdefault(ring, ring)) != ring:
            ring = up
        return ring

    for cell, engines in enumerate(layout.engines):
        for engine in engines:
            for instruction in codes[engine].instructions:
                if instruction.act >= EVENTS or instruction.ring < 0:
                    continue
                here = (cell, instruction.ring)
                parent[root(here)] = root((cell, numbering.rings[instruction.ring].memory))
                if instruction.act == Act.SEND:
                    links = layout.links[instruction.group]
                    for receiver in links.receivers.get(cell, ()):
                        parent[root((receiver, instruction.ring))] = root(here)
    members: defaultdict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for ring in sorted(parent):
        members[root(ring)].append(ring)
    return tuple(tuple(group) for group in members.values() if len(group) > 1)


def _frozen(users: Mapping[tuple[int, int], Mapping[int, None]]) -> Users:
    return {key: tuple(found) for key, found in users.items()}
