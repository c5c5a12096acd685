"""What reports call things: engines, operations, places in a file, iterations of loops."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import StringIO

from xdsl.dialects import affine, scf
from xdsl.ir import Operation
from xdsl.printer import Printer

from spatial_dialect.ir.locations import known_place
from spatial_dialect.machine.code import Act, Code
from spatial_dialect.machine.semantics import Machine, Thread

LONGEST = 80
"""Longer operations are shown in part."""


def cell_name(machine: Machine, cell: int) -> str:
    """`[0, 1:8]`"""
    layout = machine.layout
    return str(layout.cells[cell] if layout.sites is None else layout.sites[cell])


def short_name(thread: Thread) -> str:
    """`@compute`"""
    return f"@{thread.code.engine.sym_name.data}"


def engine_name(machine: Machine, thread: Thread) -> str:
    """`@compute at [0, 1:8]`"""
    return f"{short_name(thread)} at {cell_name(machine, thread.cell)}"


def seen_from(machine: Machine, thread: Thread, cell: int) -> str:
    """The name of an engine, without its cell where that is understood."""
    return short_name(thread) if thread.cell == cell else engine_name(machine, thread)


def engine_names(machine: Machine, threads: Iterable[Thread], cell: int | None = None) -> str:
    """`@a and @b at [0, 1] and [0, 2:8]`: engines with their cells, but for one that is known."""
    cells: dict[str, list[str]] = {}
    for thread in dict.fromkeys(threads):
        found = cells.setdefault(short_name(thread), [])
        if thread.cell != cell:
            found.append(cell_name(machine, thread.cell))
    return listed(
        [name + (f" at {listed(where)}" if where else "") for name, where in cells.items()]
    )


def location(op: Operation) -> str | None:
    """`12:7`, the place of an operation in its file, if it has one."""
    place = known_place(op)
    return None if place is None else f"{place.line}:{place.column}"


def op_text(op: Operation) -> str:
    """An operation as it is printed, `choreo.wait %b`; its first line, and not too much of it."""
    printed = StringIO()
    Printer(printed).print_op(op)
    text = printed.getvalue().strip().splitlines()[0].removesuffix(" {")
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def brief(op: Operation) -> str:
    """The same without the name of the dialect: `wait %b`."""
    return op_text(op).replace("choreo.", "", 1)


def quoted(op: Operation) -> str:
    """An operation with its place, for hints."""
    where = location(op)
    return f"`{op_text(op)}`" + ("" if where is None else f" at {where}")


def iterations(code: Code, counters: Sequence[int]) -> dict[str, int]:
    """By the name of its variable, where each loop is that an engine is in, outermost first.

    The value of the variable if that is known without running the program, else how many
    iterations came before.
    """
    bounds = {i.loop: i.bounds for i in code.instructions if i.act == Act.LOOP}
    found: dict[str, int] = {}
    for loop, counter in enumerate(counters):
        if counter < 0:
            continue
        op = code.loops[loop].op
        assert isinstance(op, affine.ForOp | scf.ForOp)
        name = op.body.block.args[0].name_hint or f"loop {loop}"
        (low, low_varies), _, (step, step_varies) = bounds[loop]
        constant = not low_varies and not step_varies
        if name in found:
            name = f"{name} of loop {loop}"
        found[name] = low + counter * step if constant else counter
    return found


def iteration_text(code: Code, counters: Sequence[int]) -> str:
    """`k = 3`, or nothing outside of loops."""
    return ", ".join(f"{name} = {value}" for name, value in iterations(code, counters).items())


def place_text(op: Operation, code: Code, counters: Sequence[int]) -> str:
    """` at 12:7 (k = 3)`, as far as there is something to say."""
    where, when = location(op), iteration_text(code, counters)
    return (f" at {where}" if where is not None else "") + (f" ({when})" if when else "")


def count_text(count: int, what: str) -> str:
    """`a page`, `2 pages`."""
    return f"{'an' if what[0] in 'aeiou' else 'a'} {what}" if count == 1 else f"{count} {what}s"


def listed(names: Sequence[str], most: int = 4, what: str = "others") -> str:
    """`a, b and c`, or `a, b, c and 7 others`."""
    if len(names) > most:
        names = [*names[: most - 1], f"{len(names) - most + 1} {what}"]
    return " and ".join((", ".join(names[:-1]), names[-1]) if len(names) > 1 else names)
