"""Who waits for whom when no engine can go on.

`describe` has the lines for a user, `hang` the facts. Both take any machine that has come to a
stop, whatever it was run for.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from spatial_dialect.dialects.choreo import value_text
from spatial_dialect.machine.code import Act, Instruction
from spatial_dialect.machine.semantics import Machine, Thread, UnknownNumber
from spatial_dialect.report.names import (
    count_text,
    engine_name,
    engine_names,
    listed,
    location,
    place_text,
    seen_from,
)

LOOKED_AHEAD = 2_000
"""How many steps of an engine are looked ahead for what it would do next."""

MANY = 200
"""If more engines wait, their code is looked at, not what they would do next."""

MOST_LINES = 6
"""How many engines have a line of their own."""


@dataclass(frozen=True)
class Blocked:
    """An engine that waits for ever."""

    thread: Thread
    instruction: Instruction | None
    """At which it waits; None if it goes round in code that does nothing."""
    reason: str
    """What for, and why that never comes: `for a page of %b: ...`."""
    waits_for: tuple[int, ...]
    """The numbers of the engines that could help, but wait too."""
    ended: tuple[int, ...]
    """The numbers of those that could have helped, but have ended."""


@dataclass(frozen=True)
class Hang:
    """Why a machine has come to a stop."""

    machine: Machine
    blocked: tuple[Blocked, ...]
    """By the number of the engine."""
    cycle: tuple[int, ...]
    """The numbers of engines each of which waits for the next, and the last for the first; none if
    an engine waits for what nobody would ever do."""

    @property
    def unserved(self) -> tuple[Blocked, ...]:
        """Who waits for what nobody would ever do, not even if all others went on."""
        return tuple(blocked for blocked in self.blocked if not blocked.waits_for)

    @property
    def culprits(self) -> tuple[Blocked, ...]:
        """Those without whom nobody would wait: who is not served, else the cycle."""
        found = {blocked.thread.number: blocked for blocked in self.blocked}
        return self.unserved or tuple(found[number] for number in self.cycle)

    def lines(self, most: int = MOST_LINES) -> list[str]:
        """A line for each engine that waits, the culprits first, and then the cycle.

        Args:
            most: how many lines there are at most for engines.
        """
        machine = self.machine
        culprits = {blocked.thread.number for blocked in self.culprits}
        round_first = sorted(self.blocked, key=lambda b: b.thread.number not in culprits)
        alike: defaultdict[tuple[str, str, str], list[Blocked]] = defaultdict(list)
        for blocked in round_first:
            thread, instruction = blocked.thread, blocked.instruction
            where = (
                ""
                if instruction is None
                else place_text(instruction.op, thread.code, thread.counters)
            )
            alike[thread.code.engine.sym_name.data, where, blocked.reason].append(blocked)
        lines: list[str] = []
        groups = list(alike.items())
        shown = groups if len(groups) <= most else groups[: most - 1]
        for (name, where, reason), members in shown:
            cells = [engine_name(machine, b.thread).partition(" at ")[2] for b in members]
            verb = "waits" if len(cells) == 1 else "wait"
            lines.append(f"@{name} at {listed(cells)} {verb}{where} {reason}")
        rest = [blocked for _, members in groups[len(shown) :] for blocked in members]
        if rest:
            names = engine_names(machine, (b.thread for b in rest))
            lines.append(f"further engines wait: {names}")
        if self.cycle:
            names = [engine_name(machine, machine.threads[n]) for n in self.cycle]
            if len(names) > 6:
                names = [*names[:4], f"({len(names) - 5} others)", names[-1]]
            lines.append("cycle: " + " -> ".join((*names, names[0])))
        return lines


def describe(machine: Machine) -> list[str]:
    """The lines for a machine that has come to a stop: a line for each engine, and the cycle."""
    return hang(machine).lines()


def hang(machine: Machine, trips: Sequence[int] | None = None) -> Hang:
    """Finds out who waits for whom.

    Args:
        machine: a machine that has come to a stop.
        trips: the run-time trips by number, if they are known.
    """
    return _Hang(machine, trips).result()


_Key: TypeAlias = tuple[Act, int]
"""An act and the ring or the semaphore that it is about."""


@dataclass
class _Future:
    """What an engine would do next."""

    first: dict[_Key, Instruction] = field(default_factory=dict[_Key, Instruction])
    known: bool = True
    """Whether what is not there is never done."""


def _key(instruction: Instruction) -> _Key | None:
    act = instruction.act
    if act in (Act.PUSH, Act.POP):
        return act, instruction.ring
    if act in (Act.SEM_SET, Act.SEM_INC, Act.FLAG):
        return act, instruction.semaphore
    return None


class _Hang:
    def __init__(self, machine: Machine, trips: Sequence[int] | None):
        self.machine = machine
        self.trips = trips
        self.waiting = [thread for thread in machine.threads if not thread.done]
        self.futures: dict[int, _Future] = {}
        self.actors: defaultdict[tuple[int, _Key], list[Thread]] = defaultdict(list)
        """By cell and key: the engines of the cell whose code has it."""
        for thread in machine.threads:
            for key in {k for i in thread.code.instructions if (k := _key(i)) is not None}:
                self.actors[thread.cell, key].append(thread)

    def result(self) -> Hang:
        """Looks at each engine that has not ended, and for a cycle among them."""
        blocked = tuple(self.blocked(thread) for thread in self.waiting)
        served = all(b.waits_for for b in blocked)
        cycle = _cycle({b.thread.number: b.waits_for for b in blocked}) if served else ()
        return Hang(self.machine, blocked, cycle)

    def future(self, thread: Thread) -> _Future:
        """What an engine would do next if nothing held it up."""
        found = self.futures.get(thread.number)
        if found is None:
            found = self.futures[thread.number] = _Future()
            if not thread.done:
                self.look_ahead(thread, found)
        return found

    def look_ahead(self, thread: Thread, found: _Future) -> None:
        """Runs a copy of the engine, without any effect."""
        if len(self.waiting) > MANY:
            found.known = False
        else:
            copy = _copied(thread)
            for _ in range(LOOKED_AHEAD):
                try:
                    instruction = self.machine.next_event(copy)
                except UnknownNumber:
                    found.known = False
                    break
                if copy.done:
                    break
                if instruction is None:
                    continue
                key = _key(instruction)
                if key is not None:
                    found.first.setdefault(key, instruction)
                if instruction.act == Act.TRIP:
                    trip = None if self.trips is None else self.trips[instruction.count]
                    copy.registers[instruction.results[0]] = trip
                copy.place += 1
            else:
                found.known = False
        if not found.known:
            instructions = thread.code.instructions
            for instruction in (*instructions[thread.place :], *instructions):
                if (key := _key(instruction)) is not None:
                    found.first.setdefault(key, instruction)

    def blocked(self, thread: Thread) -> Blocked:
        """What an engine waits for."""
        instruction = self.at(thread)
        if instruction is None or self.machine.enabled(thread, instruction):
            return Blocked(thread, instruction, "for nothing: it goes round for ever", (), ())
        if instruction.act == Act.SEM_WAIT:
            return self.at_semaphore(thread, instruction)
        return self.at_ring(thread, instruction)

    def at(self, thread: Thread) -> Instruction | None:
        """The event that an engine stands at."""
        for _ in range(len(thread.code.instructions) + 1):
            try:
                instruction = self.machine.next_event(thread)
            except UnknownNumber:
                return None
            if instruction is not None or thread.done:
                return instruction
        return None

    def at_ring(self, thread: Thread, instruction: Instruction) -> Blocked:
        """An engine that waits for pages or for room."""
        ring = thread.rings[instruction.ring]
        name = self.machine.numbering.rings[instruction.ring].name
        pages = count_text(instruction.count, "page")
        full = ring.pushed - ring.popped
        what, act, verb = (
            (f"{pages} of {name}", Act.PUSH, "push")
            if instruction.act == Act.WAIT
            else (f"room for {pages} of {name}", Act.POP, "pop")
        )
        state = f"for {what}: {full} of {ring.depth} pages full"
        actors = self.actors[thread.cell, (act, instruction.ring)]
        if not actors:
            does = "pushes" if act == Act.PUSH else "pops"
            return Blocked(thread, instruction, f"{state}; no engine {does} it here", (), ())
        key = act, instruction.ring
        why = [self.would(actor, key, f"next {verb}", thread) for actor in actors]
        return self.made(thread, instruction, f"{state}; {'; '.join(why)}", actors, act)

    def made(
        self,
        thread: Thread,
        instruction: Instruction,
        reason: str,
        actors: Sequence[Thread],
        act: Act,
    ) -> Blocked:
        """A blocked engine with those that could help."""
        number = instruction.ring if instruction.ring >= 0 else instruction.semaphore
        return Blocked(
            thread,
            instruction,
            reason,
            tuple(a.number for a in actors if (act, number) in self.future(a).first),
            tuple(a.number for a in actors if a.done),
        )

    def would(self, actor: Thread, key: _Key, what: str, thread: Thread) -> str:
        """When an engine would do something."""
        name = seen_from(self.machine, actor, thread.cell)
        if actor.done:
            return f"{name}, which {'pushes' if key[0] == Act.PUSH else 'pops'} it, has ended"
        future = self.future(actor)
        found = future.first.get(key)
        if found is None:
            return f"{name} does none any more"
        where = location(found.op)
        at = "" if where is None else f" at {where}"
        if actor is thread:
            return f"the {what} is its own{at}"
        return f"the {what} is due from {name}{at}"

    def at_semaphore(self, thread: Thread, instruction: Instruction) -> Blocked:
        """An engine that waits for a semaphore."""
        machine, cell, number = self.machine, thread.cell, instruction.semaphore
        semaphore = machine.numbering.semaphores[number]
        value, wanted = machine.semaphores[cell][number], instruction.count
        links = machine.layout.links[semaphore.group]
        spelled = value_text(semaphore.value, wanted)
        state = (
            f"for {semaphore.name} {'ge' if instruction.flag else 'eq'} {spelled}: it is "
            f"{value_text(semaphore.value, value)}"
        )

        def would_do(value: int) -> bool:
            return value >= wanted if instruction.flag else value == wanted

        helpers: list[tuple[Thread, _Key, str]] = []
        for actor in self.actors[cell, (Act.SEM_SET, number)]:
            found = self.future(actor).first.get((Act.SEM_SET, number))
            sets = [i for i in actor.code.instructions if _key(i) == (Act.SEM_SET, number)]
            if any(would_do(i.count) for i in sets) and (actor.done or found is not None):
                helpers.append((actor, (Act.SEM_SET, number), "next set"))
        if would_do(1) and (sender := links.sender.get(cell)) is not None:
            for actor in self.actors[sender, (Act.FLAG, number)]:
                helpers.append((actor, (Act.FLAG, number), "next flag"))
        counted = False
        for receiver in links.receivers.get(cell, ()):
            for actor in self.actors[receiver, (Act.SEM_INC, number)]:
                counted = True
                if value < wanted:
                    helpers.append((actor, (Act.SEM_INC, number), "next increment"))
        live = [h for h in helpers if h[1] in self.future(h[0]).first]
        ended = tuple(h[0].number for h in helpers if h[0].done)
        if live:
            by_place: defaultdict[tuple[str, str], list[Thread]] = defaultdict(list)
            for actor, key, what in live:
                where = location(self.future(actor).first[key].op)
                by_place[what, "" if where is None else f" at {where}"].append(actor)
            why = "; ".join(
                f"the {what} is due from {engine_names(machine, actors, cell)}{at}"
                if actors != [thread]
                else f"the {what} is its own{at}"
                for (what, at), actors in by_place.items()
            )
        elif helpers:
            could = [h[0] for h in helpers]
            names = engine_names(machine, could, cell)
            one = len(set(could)) == 1
            why = (
                f"{names}, which could change that, {'has' if one else 'have'} ended"
                if len(ended) == len(helpers)
                else f"{names} {'does' if one else 'do'} nothing to it any more"
            )
        elif counted:
            why = "increments only make it larger, and nobody sets it"
        else:
            why = "no engine would make it so"
        waits_for = tuple(dict.fromkeys(actor.number for actor, _, _ in live))
        return Blocked(thread, instruction, f"{state}; {why}", waits_for, ended)


def _copied(thread: Thread) -> Thread:
    """The same engine at the same point, to be run on its own."""
    copy = Thread(thread.number, thread.cell, thread.code, thread.rings)
    copy.place = thread.place
    copy.registers = list(thread.registers)
    copy.counters = list(thread.counters)
    copy.bounds = list(thread.bounds)
    copy.entries = list(thread.entries)
    return copy


def _cycle(edges: Mapping[int, Sequence[int]]) -> tuple[int, ...]:
    """A cycle, one that is short; none if there is none."""
    best = _any_cycle(edges)
    for start in best:
        found = _shortest_through(start, edges)
        if found is not None and len(found) < len(best):
            best = found
    if not best:
        return ()
    first = best.index(min(best))
    return (*best[first:], *best[:first])


def _any_cycle(edges: Mapping[int, Sequence[int]]) -> tuple[int, ...]:
    """The first cycle that a search in depth meets."""
    finished: set[int] = set()
    for root in edges:
        if root in finished:
            continue
        path: dict[int, Iterator[int]] = {root: iter(edges[root])}
        while path:
            node = next(reversed(path))
            following = next(path[node], None)
            if following is None:
                finished.add(node)
                del path[node]
            elif following in path:
                nodes = list(path)
                return tuple(nodes[nodes.index(following) :])
            elif following not in finished:
                path[following] = iter(edges.get(following, ()))
    return ()


def _shortest_through(start: int, edges: Mapping[int, Sequence[int]]) -> tuple[int, ...] | None:
    """The shortest cycle through a node."""
    before: dict[int, int] = {}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for following in edges.get(node, ()):
            if following == start:
                path = [node]
                while path[-1] != start:
                    path.append(before[path[-1]])
                return tuple(reversed(path))
            if following not in before:
                before[following] = node
                queue.append(following)
    return None
