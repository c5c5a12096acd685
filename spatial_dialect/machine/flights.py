"""What moves on its own under a schedule that lets it: reads, writes, data, flags and counts.

A flight lands once, at some time after it was launched and not before those that it is ordered
after. Barriers and flushes make what they wait for land; anything else may land at any time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from random import Random


class Kind(IntEnum):
    """What a flight is, in the order in which they land if they land as late as possible.

    A flag comes before data that it is not ordered after, to show if that matters.
    """

    FLAG = 0
    COUNT = 1
    READ = 2
    WRITE = 3
    DATA = 4


@dataclass(eq=False, slots=True)
class Flight:
    """Something on its way."""

    kind: Kind
    land: Callable[[], None]
    after: Sequence[Flight] = ()
    """What lands before it."""
    landed: bool = False


@dataclass(eq=False, slots=True)
class Send:
    """A page on its way to the receivers of a group."""

    leave: Callable[[], None]
    """Takes the page out of the sender's memory, once."""
    landings: dict[int, Flight] = field(default_factory=dict[int, Flight])
    """By the cell where it lands."""
    held: bool = False
    """Its engine has held the path ever since."""
    flushed: bool = False

    @property
    def landed(self) -> bool:
        """Whether it has arrived everywhere."""
        return all(flight.landed for flight in self.landings.values())


class Flights:
    """All flights of a run; threads are numbers here."""

    def __init__(self, random: Random | None = None):
        """With `random` they land at random times, else as late as possible."""
        self.random = random
        self.air: list[Flight] = []
        """All that may not have landed."""
        self._many = 64
        """If there are more in the list, those that have landed are taken out."""
        self._until_barrier: defaultdict[tuple[int, Kind], list[Flight]] = defaultdict(list)
        self._counts: dict[tuple[int, int], Flight] = {}
        """The last increment of a thread to a semaphore."""
        self._sends: defaultdict[int, defaultdict[int, list[Send]]] = defaultdict(
            lambda: defaultdict(list)
        )
        """By thread and group, those that a flag may still be ordered after."""

    # Launching

    def launch(self, flight: Flight) -> None:
        """A flight starts."""
        self.air.append(flight)
        if len(self.air) > self._many:
            self.air = [each for each in self.air if not each.landed]
            self._many = max(64, 2 * len(self.air))

    def transfer(self, thread: int, kind: Kind, land: Callable[[], None]) -> None:
        """A read or a write starts, which a barrier of the thread waits for."""
        flight = Flight(kind, land)
        self._until_barrier[thread, kind].append(flight)
        self.launch(flight)

    def count(self, thread: int, semaphore: int, land: Callable[[], None]) -> None:
        """An increment starts; those of a thread to a semaphore land in their order."""
        before = self._counts.get((thread, semaphore))
        flight = Flight(Kind.COUNT, land, () if before is None or before.landed else (before,))
        self._counts[thread, semaphore] = flight
        self.launch(flight)

    def send(self, thread: int, group: int, send: Send) -> None:
        """Data starts, and ends the path of other groups."""
        for other, sends in self._sends[thread].items():
            if not send.held or other != group:
                _let_go(sends)
        known = self._sends[thread][group]
        known[:] = [each for each in known if not each.landed]
        known.append(send)
        for flight in send.landings.values():
            self.launch(flight)

    def flag(self, thread: int, group: int, lands: dict[int, Callable[[], None]]) -> None:
        """A flag starts to some cells, after the data that it is ordered after."""
        before = [s for s in self._sends[thread][group] if s.flushed or s.held]
        for cell, land in lands.items():
            after = [s.landings[cell] for s in before if not s.landings[cell].landed]
            self.launch(Flight(Kind.FLAG, land, after))
        for sends in self._sends[thread].values():
            _let_go(sends)

    # Landing

    def land(self, flight: Flight) -> None:
        """Lets a flight land, and before it those that it is ordered after."""
        if not flight.landed:
            for other in flight.after:
                self.land(other)
            flight.landed = True
            flight.after = ()
            flight.land()

    def barrier(self, thread: int, kind: Kind) -> None:
        """All reads, or writes, of a thread land."""
        flights = self._until_barrier.pop((thread, kind), ())
        for flight in flights:
            self.land(flight)

    def flush(self, thread: int) -> None:
        """All sends of a thread leave, and flags from now on are ordered after them."""
        for sends in self._sends[thread].values():
            for send in sends:
                send.leave()
                send.flushed = True

    def land_some(self) -> None:
        """Under a random schedule, lets something land at times."""
        if self.random is not None and self.air and self.random.random() < 0.4:
            self._land_at(self.random.randrange(len(self.air)))

    def land_one(self, up_to: Kind | None = None) -> bool:
        """Lets something land because nothing else can happen, of no later kind than `up_to`.

        The result is whether there is anything.
        """
        self.air = [flight for flight in self.air if not flight.landed]
        if not self.air:
            return False
        if self.random is not None:
            self._land_at(self.random.randrange(len(self.air)))
            return True
        first = min(range(len(self.air)), key=lambda n: self.air[n].kind)
        if up_to is not None and self.air[first].kind > up_to:
            return False
        self._land_at(first)
        return True

    def land_all(self) -> None:
        """Lets everything land: the run has ended."""
        while self.land_one():
            pass

    def _land_at(self, number: int) -> None:
        flight = self.air[number]
        self.air[number] = self.air[-1]
        self.air.pop()
        self.land(flight)


def _let_go(sends: Iterable[Send]) -> None:
    for send in sends:
        send.held = False
