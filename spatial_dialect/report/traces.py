"""Events as a trace that chrome://tracing and Perfetto show.

A process for each cell, a thread for each engine, time as the number of an event in the order in
which they happened, and an arrow from what an engine waited for to where it did.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from xdsl.ir import Operation

from spatial_dialect.ir.locations import known_place
from spatial_dialect.machine.code import Act
from spatial_dialect.report.events import Event, Observed, Prefix
from spatial_dialect.report.hangs import Hang
from spatial_dialect.report.names import brief, cell_name, iterations, op_text, short_name

Json: TypeAlias = "dict[str, Json] | Sequence[Json] | str | int | bool | None"
"""What JSON can hold."""


def file_place(op: Operation) -> str | None:
    """`file:line:col`, if that is known."""
    place = known_place(op)
    return None if place is None else str(place)


def event_json(observed: Observed, event: Event) -> dict[str, Json]:
    """An event: who did what, where, in which iterations, as its how manieth event."""
    thread, instruction = observed.thread(event), observed.instruction(event)
    return {
        "engine": short_name(thread),
        "cell": cell_name(observed.machine, thread.cell),
        "op": op_text(instruction.op),
        "location": file_place(instruction.op),
        "loops": dict(iterations(thread.code, event.counters)),
        "number": event.index,
    }


def trace_events(observed: Observed, prefix: Prefix, hang: Hang | None = None) -> list[Json]:
    """The events of a prefix in the trace-event format, with the engines that wait after them."""
    machine = observed.machine
    found: list[Json] = []
    numbers = dict.fromkeys(event.thread for event in prefix.events)
    if hang is not None:
        numbers |= dict.fromkeys(blocked.thread.number for blocked in hang.blocked)
    threads = [machine.threads[number] for number in sorted(numbers)]
    for cell in dict.fromkeys(thread.cell for thread in threads):
        name: dict[str, Json] = {"name": cell_name(machine, cell)}
        found.append({"ph": "M", "name": "process_name", "pid": cell, "args": name})
    for thread in threads:
        found.append(
            {
                "ph": "M",
                "name": "thread_name",
                "pid": thread.cell,
                "tid": thread.number,
                "args": {"name": short_name(thread)},
            }
        )
    for time, event in enumerate(prefix.events):
        thread, instruction = observed.thread(event), observed.instruction(event)
        found.append(
            {
                "ph": "X",
                "name": brief(instruction.op),
                "cat": instruction.act.name.lower(),
                "pid": thread.cell,
                "tid": thread.number,
                "ts": time,
                "dur": 1,
                "args": {
                    "location": file_place(instruction.op),
                    **iterations(thread.code, event.counters),
                },
            }
        )
    for number, (kind, source, target) in enumerate(arrows(observed, prefix)):
        for end, time in (("s", source), ("f", target)):
            thread = observed.thread(prefix.events[time])
            found.append(
                {
                    "ph": end,
                    "id": number,
                    "name": kind,
                    "cat": kind,
                    "pid": thread.cell,
                    "tid": thread.number,
                    "ts": time,
                    **({"bp": "e"} if end == "f" else {}),
                }
            )
    for blocked in () if hang is None else hang.blocked:
        if blocked.instruction is not None:
            found.append(
                {
                    "ph": "X",
                    "name": f"waits: {brief(blocked.instruction.op)}",
                    "cat": "blocked",
                    "pid": blocked.thread.cell,
                    "tid": blocked.thread.number,
                    "ts": len(prefix.events),
                    "dur": 1,
                    "args": {"waits": blocked.reason},
                }
            )
    return found


def arrows(observed: Observed, prefix: Prefix) -> Iterator[tuple[str, int, int]]:
    """What made events possible: its kind, and two numbers of events of the prefix.

    Only what one engine does for another is told.
    """
    layout = observed.machine.layout
    pushes: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    pops: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    """By cell and ring: the event that pushed or popped each page."""
    signals: defaultdict[tuple[int, int], list[tuple[str, int]]] = defaultdict(list)
    """By cell and semaphore: what made its present value."""
    sent: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    """By engine and group: the sends since the last flag."""
    for time, event in enumerate(prefix.events):
        thread, i = observed.thread(event), observed.instruction(event)
        ring = thread.cell, i.ring
        sources: list[tuple[str, int]] = []
        match i.act:
            case Act.PUSH:
                pushes[ring] += [time] * i.count
            case Act.POP:
                pops[ring] += [time] * i.count
            case Act.WAIT:
                sources.append(("push", pushes[ring][len(pops[ring]) + i.count - 1]))
            case Act.RESERVE:
                freed = len(pushes[ring]) + i.count - thread.rings[i.ring].depth - 1
                if freed >= 0:
                    sources.append(("pop", pops[ring][freed]))
            case Act.SEM_SET:
                signals[thread.cell, i.semaphore] = [("set", time)]
            case Act.SEM_INC:
                sender = layout.links[i.group].sender[thread.cell]
                signals[sender, i.semaphore].append(("increment", time))
            case Act.SEND:
                sent[event.thread, i.group].append(time)
            case Act.FLAG:
                sends = sent.pop((event.thread, i.group), [])
                for cell in layout.links[i.group].receivers.get(thread.cell, ()):
                    signals[cell, i.semaphore] = [
                        ("flag", time),
                        *(("send", number) for number in sends),
                    ]
            case Act.SEM_WAIT:
                sources += signals[thread.cell, i.semaphore]
            case _:
                pass
        for kind, source in sources:
            if prefix.events[source].thread != event.thread:
                yield kind, source, time
