"""Who runs next in a run, and when what moves on its own lands."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Literal, TypeAlias

from spatial_dialect.machine.code import Act, Instruction
from spatial_dialect.machine.flights import Flights, Kind
from spatial_dialect.machine.semantics import Machine, Thread

Order: TypeAlias = Literal["round-robin", "random", "adversarial"]
"""How a schedule chooses."""


@dataclass(frozen=True)
class Schedule:
    """One of the many orders in which a program can run."""

    order: Order
    seed: int = 0

    @staticmethod
    def of(text: str) -> Schedule:
        """The schedule of this name: `round-robin`, `random:SEED` or `adversarial`.

        Raises:
            ValueError: there is none.
        """
        name, colon, seed = text.partition(":")
        if name == "random" and (not colon or (seed.isascii() and seed.isdecimal())):
            return Schedule("random", int(seed or 0))
        if text == "round-robin" or text == "adversarial":
            return Schedule(text)
        raise ValueError(
            f"unknown schedule '{text}': choose from round-robin, random:SEED, adversarial"
        )

    @property
    def lands_at_once(self) -> bool:
        """Whether everything arrives as soon as it is sent."""
        return self.order == "round-robin"

    def flights(self) -> Flights | None:
        """What is on its way, in a run under this schedule; None if everything lands at once."""
        if self.lands_at_once:
            return None
        return Flights(Random(self.seed) if self.order == "random" else None)

    def __str__(self) -> str:
        return f"random:{self.seed}" if self.order == "random" else self.order


class Scheduler:
    """Runs the engines of a machine.

    Only engines that may be able to go on are looked at: those of a cell where an engine has run,
    or a flag or a count has landed. Where things land as late as possible, an engine puts off its
    barriers and flushes until nobody else can go on.
    """

    def __init__(
        self,
        machine: Machine,
        flights: Flights | None,
        progress: Callable[[int], None] | None = None,
    ):
        self.machine = machine
        self.flights = flights
        self.progress = progress
        self._puts_off = flights is not None and flights.random is None
        self.events = 0
        """How many events have happened."""
        self._ready: deque[Thread] = deque()
        self._waiting = [True] * len(machine.threads)
        """Whether a thread is in none of the queues."""
        self._late: list[tuple[int, Thread]] = []
        """Engines that put off a barrier or a flush, and how urgent that is: 0 comes first."""
        self._at: list[list[Thread]] = [[] for _ in machine.layout.cells]
        for thread in machine.threads:
            self._at[thread.cell].append(thread)

    def wake(self, cell: int) -> None:
        """Something has changed on a cell."""
        for thread in self._at[cell]:
            if self._waiting[thread.number] and not thread.done:
                self._waiting[thread.number] = False
                self._ready.append(thread)

    def run(self) -> bool:
        """Runs until nothing goes on; the result is whether all engines are done."""
        for cell in range(len(self._at)):
            self.wake(cell)
        flights = self.flights
        random = None if flights is None else flights.random
        while True:
            while self._ready:
                if random is not None:
                    self._ready.rotate(random.randrange(len(self._ready)))
                thread = self._ready.popleft()
                self._waiting[thread.number] = True
                events = thread.events
                limit = 0 if random is None else random.choice((1, 1, 2, 5, 30))
                self._advance(thread, limit)
                if thread.events != events:
                    self.events += thread.events - events
                    self.wake(thread.cell)
                    if self.progress is not None:
                        self.progress(self.events)
                if flights is not None:
                    flights.land_some()
            if flights is None:
                break
            if flights.land_one(Kind.COUNT if self._late else None):
                continue
            if not self._late:
                break
            first = min(range(len(self._late)), key=lambda n: self._late[n][0])
            _, thread = self._late.pop(first)
            self.machine.perform(thread, self._next(thread))
            self._waiting[thread.number] = True
            self.wake(thread.cell)
        return all(thread.done for thread in self.machine.threads)

    def _next(self, thread: Thread) -> Instruction:
        instruction = self.machine.next_event(thread)
        assert instruction is not None, "the engine stands at an event"
        return instruction

    def _advance(self, thread: Thread, limit: int) -> None:
        """Runs an engine until it waits, or for so many events if there is a limit."""
        machine, puts_off = self.machine, self._puts_off
        next_event, enabled, perform = machine.next_event, machine.enabled, machine.perform
        while not thread.done:
            instruction = next_event(thread)
            if instruction is None:
                continue
            if not enabled(thread, instruction):
                return
            if puts_off and instruction.act in _CLOSERS:
                self._waiting[thread.number] = False
                self._late.append((_CLOSERS.index(instruction.act), thread))
                return
            perform(thread, instruction)
            limit -= 1
            if not limit:
                self._waiting[thread.number] = False
                self._ready.append(thread)
                return


_CLOSERS = (Act.WRITE_BARRIER, Act.FLUSH, Act.READ_BARRIER)
"""What makes something land: reads last, so that pages leave before they have come."""
