"""The operational semantics of choreography: engines, rings and semaphores, op by op.

A `Machine` runs the engines of the cells of a layout. It knows when an event may happen and what it
does to counters; what pages hold, who has seen what, and how long things take is up to a *reading*,
which is told of every event just before the counters change. Which engine goes on is up to whoever
calls `step`.

What moves on its own (data, flags, counts) is handed to the reading too: `signal` and `raise_`
change the semaphore of a cell when a reading says that a flag or a count has landed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeAlias

from spatial_dialect.machine.code import (
    EVENTS,
    Act,
    Code,
    Instruction,
    Number,
    Numbering,
    Unsupported,
)
from spatial_dialect.machine.layout import Layout


class RingState:
    """The counters of a buffer on one cell."""

    __slots__ = ("cell", "depth", "number", "popped", "pushed", "reserved", "waited")

    def __init__(self, cell: int, number: int, depth: int):
        self.cell = cell
        self.number = number
        self.depth = depth
        self.pushed = 0
        self.popped = 0
        self.reserved = 0
        self.waited = 0


class Thread:
    """An engine of one cell."""

    __slots__ = (
        "bounds",
        "cell",
        "code",
        "counters",
        "done",
        "entries",
        "events",
        "number",
        "place",
        "registers",
        "rings",
    )

    def __init__(self, number: int, cell: int, code: Code, rings: Sequence[RingState]):
        self.number = number
        self.cell = cell
        self.code = code
        self.rings = rings
        """The rings of the cell, by their numbers."""
        self.place = 0
        """The instruction it stands at."""
        self.registers: list[Number] = [None] * code.size
        self.counters = [-1] * len(code.loops)
        """How many iterations each loop has begun before this one; -1 outside of it."""
        self.bounds = [0] * len(code.loops)
        """How often each loop runs."""
        self.entries = [0] * len(code.loops)
        """How often each loop has been reached."""
        self.events = 0
        """How many events have happened."""
        self.done = False


class UnknownNumber(Exception):
    """A number decides what runs, but the reading does not know it."""

    def __init__(self, thread: Thread, instruction: Instruction):
        self.thread = thread
        self.instruction = instruction
        super().__init__()


Handler: TypeAlias = Callable[[Thread, Instruction], None]


class Reading(Protocol):
    """What a run is for."""

    def handlers(self) -> Mapping[Act, Handler]:
        """What to call when an event happens, before the counters change."""
        ...


class Machine:
    """Engines, rings and semaphores of the cells of a layout.

    Args:
        numbering: what the engines share.
        codes: the code of each engine op, by its number.
        layout: the cells.
        start: by cell and ring, where its counters start.
        semaphores: by cell and number, values other than 0 to start with.
    """

    def __init__(
        self,
        numbering: Numbering,
        codes: Sequence[Code],
        layout: Layout,
        start: Mapping[tuple[int, int], int] | None = None,
        semaphores: Mapping[tuple[int, int], int] | None = None,
    ):
        self.numbering = numbering
        self.layout = layout
        self.rings = [
            [RingState(cell, number, ring.depth) for number, ring in enumerate(numbering.rings)]
            for cell in range(len(layout.cells))
        ]
        for (cell, number), position in (start or {}).items():
            ring = self.rings[cell][number]
            ring.pushed = ring.popped = position
        self.semaphores = [[0] * len(numbering.semaphores) for _ in layout.cells]
        """By cell and number."""
        for (cell, number), value in (semaphores or {}).items():
            self.semaphores[cell][number] = value
        self.threads: list[Thread] = []
        for cell, engines in enumerate(layout.engines):
            for engine in engines:
                self.threads.append(
                    Thread(len(self.threads), cell, codes[engine], self.rings[cell])
                )
        self._handlers: list[Handler | None] = [None] * EVENTS

    def attach(self, reading: Reading) -> None:
        """Tell a reading of every event from now on."""
        for act, handler in reading.handlers().items():
            self._handlers[act] = handler

    # Engines

    def next_event(self, thread: Thread) -> Instruction | None:
        """Runs control up to the next event, which it returns.

        Returns:
            The event, or None: then the engine has ended if `done`, else it has gone back to the
            start of a loop, which gives a caller the chance to turn to other engines.

        Raises:
            UnknownNumber: control depends on a number that is not known.
            Unsupported: a number is divided by zero, or a loop does not go forwards.
        """
        instructions, registers = thread.code.instructions, thread.registers
        end = len(instructions)
        while thread.place < end:
            instruction = instructions[thread.place]
            act = instruction.act
            if act < EVENTS:
                return instruction
            if act == Act.LOOP:
                self._enter(thread, instruction)
            elif act == Act.NEXT:
                if self._again(thread, instruction):
                    return None
            elif act == Act.PURE:
                values = [registers[source] for source in instruction.sources]
                assert instruction.function is not None
                try:
                    registers[instruction.results[0]] = (
                        None
                        if any(value is None for value in values)
                        else instruction.function(*values)
                    )
                except ZeroDivisionError as error:
                    raise Unsupported(instruction.op, "divides by zero") from error
                thread.place += 1
            elif act == Act.MOVE:
                values = [registers[source] for source in instruction.sources]
                for result, value in zip(instruction.results, values, strict=True):
                    registers[result] = value
                thread.place += 1
            elif act == Act.JUMP:
                back = instruction.target <= thread.place
                thread.place = instruction.target
                if back:
                    return None
            else:
                condition = registers[instruction.sources[0]]
                if condition is None:
                    raise UnknownNumber(thread, instruction)
                thread.place = thread.place + 1 if condition else instruction.target
        thread.done = True
        return None

    def _enter(self, thread: Thread, instruction: Instruction) -> None:
        registers = thread.registers
        low, high, step = (
            registers[b] if is_register else b for b, is_register in instruction.bounds
        )
        if low is None or high is None or step is None:
            raise UnknownNumber(thread, instruction)
        if isinstance(step, int) and step < 1:
            raise Unsupported(
                instruction.op, f"goes on in steps of {step}, but a step is at least 1"
            )
        count = max(0, -((low - high) // step))
        thread.entries[instruction.loop] += 1
        if count == 0:
            thread.place = instruction.target
            return
        thread.counters[instruction.loop] = 0
        thread.bounds[instruction.loop] = count
        if instruction.results:
            registers[instruction.results[0]] = low
        thread.place += 1

    def _again(self, thread: Thread, instruction: Instruction) -> bool:
        """Whether a loop goes on with another iteration."""
        loop, registers = instruction.loop, thread.registers
        counter = thread.counters[loop] + 1
        if counter == thread.bounds[loop]:
            thread.counters[loop] = -1
            thread.place += 1
            return False
        thread.counters[loop] = counter
        if instruction.results:
            low, _, step = (
                registers[b] if is_register else b for b, is_register in instruction.bounds
            )
            registers[instruction.results[0]] = low + counter * step
        thread.place = instruction.target
        return True

    # Events

    def enabled(self, thread: Thread, instruction: Instruction) -> bool:
        """Whether an event may happen now; barriers and flushes are up to the reading."""
        act = instruction.act
        if act == Act.WAIT:
            ring = thread.rings[instruction.ring]
            return ring.pushed - ring.popped >= instruction.count
        if act == Act.RESERVE:
            ring = thread.rings[instruction.ring]
            return ring.depth - (ring.pushed - ring.popped) >= instruction.count
        if act == Act.SEM_WAIT:
            value = self.semaphores[thread.cell][instruction.semaphore]
            return value >= instruction.count if instruction.flag else value == instruction.count
        return True

    def perform(self, thread: Thread, instruction: Instruction) -> None:
        """Lets an event happen: tells the reading, changes the counters, moves on."""
        act = instruction.act
        handler = self._handlers[act]
        if handler is not None:
            handler(thread, instruction)
        if act <= Act.POP:
            ring, count = thread.rings[instruction.ring], instruction.count
            if act == Act.RESERVE:
                ring.reserved = max(ring.reserved, count)
            elif act == Act.PUSH:
                ring.pushed += count
                ring.reserved -= count
            elif act == Act.WAIT:
                ring.waited = max(ring.waited, count)
            else:
                ring.popped += count
                ring.waited -= count
        elif act == Act.SEM_SET:
            self.semaphores[thread.cell][instruction.semaphore] = instruction.count
        thread.events += 1
        thread.place += 1

    # What lands

    def signal(self, cell: int, semaphore: int) -> None:
        """A flag has landed on a cell."""
        self.semaphores[cell][semaphore] = 1

    def raise_(self, cell: int, semaphore: int, amount: int) -> None:
        """Increments have landed on a cell."""
        self.semaphores[cell][semaphore] += amount
