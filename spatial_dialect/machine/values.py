"""The functional run: what engines make of tensors, on numpy pages.

`run` lets every engine of every site run to its end, for one work item after the other. A page is
whatever the slot of the ring holds at the time that it is read, no more: if the choreography is
wrong, so is the result. A page that was never filled holds NaN, as does one that is being filled
(integers: a marker, see `kernels.never_filled`).

Rounding is that of `reference`, but for what a machine does in addition: partial sums that leave
the accumulator are rounded to the type of their page. Accumulators are f32 or i32, whatever their
type says. A read sees what the tensor holds at that time. A write leaves out what lies outside of
the tensor if a read with `pad` feeds it, directly or not; anything else outside is an error.

Under the schedule `round-robin` everything that moves on its own arrives at once, and the sites of
a class move together, their pages in one array, as long as they do the same. Under `random:SEED`
and `adversarial` every site moves on its own; reads, writes, data, flags and counts land at any
time that the rules allow, or as late as they allow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias, cast

import numpy as np

from spatial_dialect.dialects import choreo
from spatial_dialect.dialects.spatial import ProgramOp, is_tensor, page_type, tensor_type
from spatial_dialect.ir.diagnostics import value_name
from spatial_dialect.ir.sites import Rect, Sites
from spatial_dialect.machine.arguments import argument_names
from spatial_dialect.machine.code import Act, Instruction
from spatial_dialect.machine.computation import product
from spatial_dialect.machine.elements import Array, packed
from spatial_dialect.machine.flights import Flight, Flights, Kind, Send
from spatial_dialect.machine.kernels import (
    Page,
    page_size,
)
from spatial_dialect.machine.layout import Layout
from spatial_dialect.machine.prepared import Prepared, RunError
from spatial_dialect.machine.schedules import Schedule, Scheduler
from spatial_dialect.machine.semantics import Handler, Machine, Thread, UnknownNumber
from spatial_dialect.machine.stacks import Route, Stack
from spatial_dialect.machine.transfers import Outside


class Hang(Exception):
    """Some engines wait for what never happens; `report.hangs.describe` tells for what."""

    machine: Machine

    def __init__(self, machine: Machine):
        self.machine = machine
        names = {t.code.engine.sym_name.data: None for t in machine.threads if not t.done}
        super().__init__("no engine can go on: " + ", ".join(f"@{name}" for name in names))


class _Apart(Exception):
    """Sites of a class must be kept apart: these from each other."""

    def __init__(self, sites: Iterable[Sites]):
        self.sites = tuple(sites)


def run(
    program: ProgramOp,
    arguments: Mapping[str, Array | int],
    *,
    schedule: Schedule | str = "round-robin",
    item: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> dict[str, Array]:
    """What the engines of a scheduled program make of its tensors.

    Args:
        program: a program of engines, which verifies.
        arguments: as `reference.run` takes them: by `argument_names`, an array of the argument's
            shape and type for each tensor (float32 for block floats), a number for each index. A
            tensor that is not read can be left out; it starts with zeros then.
        schedule: `round-robin`, `random:SEED` or `adversarial`.
        item: the only work item to run; all of them if it is left out.
        progress: told now and then how many events have happened.

    Returns:
        All tensors afterwards, by name. No given array is changed.

    Raises:
        RunError: an argument does not fit, a run-time trip is above its maximum, or a page reaches
            outside a tensor.
        Hang: engines wait for ever.
        Unsupported: an engine has an op that engines do not have.
        TooLarge: each site has to move on its own, and there are too many.
    """
    chosen = Schedule.of(schedule) if isinstance(schedule, str) else schedule
    with np.errstate(all="ignore"):
        prepared = Prepared(program, arguments)
        apart: list[Sites] = []
        while True:
            try:
                layout = prepared.layout(chosen, apart)
                return _Run(prepared, layout, chosen, item, progress).results()
            except _Apart as found:
                apart += found.sites


_Places: TypeAlias = Sequence[tuple[tuple[int, int], Sequence[int]]]
"""Places of the leading axes, each with the values of an address."""


def _at(pages: Array, place: tuple[int, int]) -> Array:
    """The page at a place, of pages that may be the same along an axis."""
    rows, cols = pages.shape[:2]
    return pages[place[0] if rows > 1 else 0, place[1] if cols > 1 else 0]


class _Accumulator:
    """The accumulator of an engine."""

    __slots__ = ("owned", "spare", "value")

    def __init__(self) -> None:
        self.value: Array | None = None
        """What it holds; None for zeros."""
        self.owned = False
        """Whether nobody else sees the array."""
        self.spare: Array | None = None
        """An array for products."""


class _Run:
    """A run: the reading of a machine as pages of numbers."""

    def __init__(
        self,
        prepared: Prepared,
        layout: Layout,
        schedule: Schedule,
        item: int | None,
        progress: Callable[[int], None] | None,
    ):
        self.prepared = prepared
        self.numbering = prepared.numbering
        self.layout = layout
        self.flights: Flights | None = schedule.flights()
        self.machine = Machine(self.numbering, prepared.codes, layout)
        self.machine.attach(self)
        self.scheduler = Scheduler(self.machine, self.flights, progress)
        self.item = 0
        items = prepared.program.loop_nest.i.size
        if item is not None and not 0 <= item < items:
            raise RunError(f"{prepared.name} has no item {item}: it has {items}")
        self.items = range(items) if item is None else (item,)
        self.stacks = [
            Stack.of(Sites.of((Rect(y, y + 1, x, x + 1),)) if layout.sites is None else sites)
            for (y, x), sites in (
                (cell.site, Sites.empty() if layout.sites is None else layout.sites[number])
                for number, cell in enumerate(layout.cells)
            )
        ]
        self.routes: dict[tuple[int, int], Route] = {}
        """By group and receiving cell."""
        rings = self.numbering.rings
        depths = [0] * len(rings)
        for ring in rings:
            depths[ring.memory] = max(depths[ring.memory], ring.depth)
        self.slots: list[list[list[Page | None]]] = [
            [[None] * depth for depth in depths] for _ in layout.cells
        ]
        """By cell, memory and position."""
        self.memory = [ring.memory for ring in rings]
        pages = [page_type(ring.op.buffer) for ring in rings]
        self.mixed = [
            any(pages[n] != page for n, memory in enumerate(self.memory) if memory == ring.memory)
            for ring, page in zip(rings, pages, strict=True)
        ]
        """Whether other rings of a ring's memory have other pages."""
        self.accumulators = [_Accumulator() for _ in self.machine.threads]
        self.tensors = {
            value: array.copy() if value in prepared.written else array
            for value, array in prepared.given.items()
        }
        for thread in self.machine.threads:
            stack = self.stacks[thread.cell]
            thread.registers[0], thread.registers[1] = stack.y, stack.x
            for register, value in thread.code.given.items():
                thread.registers[register] = int(prepared.given[value])

    def handlers(self) -> Mapping[Act, Handler]:
        """What happens to pages."""
        found: dict[Act, Handler] = {
            Act.READ: self.read,
            Act.WRITE: self.write,
            Act.SEM_INC: self.count,
            Act.SEND: self.send,
            Act.FLAG: self.flag,
            Act.LOAD_INDEX: self.load_index,
            Act.COMPUTE: self.compute,
            Act.PACK: self.pack,
            Act.ACQUIRE: self.acquire,
            Act.TRIP: self.trip,
            Act.ITEM: self.set_item,
        }
        flights = self.flights
        if flights is not None:
            found[Act.READ_BARRIER] = lambda t, _: flights.barrier(t.number, Kind.READ)
            found[Act.WRITE_BARRIER] = lambda t, _: flights.barrier(t.number, Kind.WRITE)
            found[Act.FLUSH] = lambda t, i: flights.flush(t.number) if i.flag else None
        return found

    def results(self) -> dict[str, Array]:
        """Runs all items.

        Raises:
            Hang: it does not get to the end.
        """
        for self.item in self.items:
            for thread in self.machine.threads:
                thread.place, thread.done = 0, False
            try:
                ended = self.scheduler.run()
            except UnknownNumber as error:
                thread, op = error.thread, error.instruction.op
                raise RunError(
                    f"{self.prepared.where(op)} at {self.site_text(thread)} depends on a number "
                    "that is not known"
                ) from error
            if not ended:
                raise Hang(self.machine)
        names = argument_names(self.prepared.program)
        return {name: self.tensors[value] for value, name in names.items() if is_tensor(value.type)}

    # Places.

    def site_text(self, thread: Thread, place: tuple[int, int] = (0, 0)) -> str:
        """A site, the item and the loops around an engine's op, for messages."""
        y, x = self.stacks[thread.cell].site(place)
        text = f"site [{y}, {x}]"
        if len(self.items) > 1 or self.item:
            text += f", item {self.item}"
        for loop, counter in zip(thread.code.loops, thread.counters, strict=True):
            variable = loop.op.regions[0].block.args[0]
            if counter >= 0 and variable.name_hint is not None:
                text += f", iteration {counter} of {value_name(variable)}"
        return text

    def front(self, thread: Thread, ring: int) -> Page:
        """The front page of a ring."""
        state = thread.rings[ring]
        return self.held(thread.cell, ring, state.popped % state.depth)

    def held(self, cell: int, ring: int, slot: int) -> Page:
        """What a slot of a ring holds."""
        page = self.slots[cell][self.memory[ring]][slot]
        empty = self.prepared.empty[ring]
        if page is None:
            return empty
        if self.mixed[ring] and not page.is_like(empty):
            return empty
        return page

    # Between tensors and pages.

    def _addresses(
        self, thread: Thread, instruction: Instruction, rows: Array | None, page: Array | None
    ) -> tuple[tuple[int, int], _Places]:
        """The leading axes of a transfer, and each place there with the values of its address."""
        registers = thread.registers
        bases = [registers[source] for source in instruction.sources]
        shapes = [np.shape(base) for base in bases if type(base) is not int]
        shapes += [array.shape[:2] for array in (rows, page) if array is not None]
        shape = np.broadcast_shapes((1, 1), *shapes)
        if shape == (1, 1):
            return shape, (((0, 0), [int(base) for base in bases]),)
        places = np.stack([np.broadcast_to(base, shape) for base in bases], axis=-1).tolist()
        return (shape[0], shape[1]), [
            ((a, b), base) for a, row in enumerate(places) for b, base in enumerate(row)
        ]

    def _rows(self, thread: Thread, instruction: Instruction) -> Array | None:
        """The elements of the page that names the tensor's rows, in order."""
        if not instruction.reads:
            return None
        values = self.front(thread, instruction.reads[0]).values
        rows = values.reshape(*values.shape[:2], -1).astype(np.int64)
        transfer = self.prepared.move(instruction).transfer
        page_rows, page_cols = transfer.page_shape
        op = transfer.op
        transposed = isinstance(op, choreo.ReadTilesOp) and op.transpose is not None
        wanted, have = page_cols if transposed else page_rows, rows.shape[-1]
        if have < wanted:
            name = self.numbering.rings[instruction.reads[0]].name
            raise RunError(
                f"{self.prepared.where(op)} takes {wanted} rows by {name}, whose pages have "
                f"{have} elements"
            )
        return rows

    def _outside(
        self, thread: Thread, instruction: Instruction, outside: Outside, place: tuple[int, int]
    ) -> RunError:
        """The error about a page that reaches outside its tensor."""
        verb = "reads" if instruction.act == Act.READ else "writes"
        tensor = self.prepared.move(instruction).tensor
        via = ""
        if instruction.reads:
            via = f" via {self.numbering.rings[instruction.reads[0]].name}"
        size = tensor_type(tensor).get_shape()[outside.dimension]
        return RunError(
            f"{self.prepared.where(instruction.op)} {verb} outside {value_name(tensor)}{via} at "
            f"{self.site_text(thread, place)}: index {outside.index} of dimension "
            f"{outside.dimension}, which has {size}"
        )

    def read(self, thread: Thread, instruction: Instruction) -> None:
        """A page is read from a tensor."""
        move = self.prepared.move(instruction)
        transfer, tensor = move.transfer, self.tensors[move.tensor]
        rows = self._rows(thread, instruction)
        shape, places = self._addresses(thread, instruction, rows, None)
        empty = transfer.empty
        values = np.empty((*shape, *transfer.page_shape), empty.dtype)
        if transfer.clips:
            values[...] = empty[0]
        for place, base in places:
            named = None if rows is None else _at(rows, place)
            try:
                transfer.read(tensor, base, named, values[place])
            except Outside as outside:
                raise self._outside(thread, instruction, outside, place) from None
        ring = thread.rings[instruction.ring]
        slots = self.slots[thread.cell][self.memory[instruction.ring]]
        slot = ring.pushed % ring.depth
        page = Page(transfer.settled(values), self.prepared.empty[instruction.ring].type)
        if self.flights is None:
            slots[slot] = page
            return
        slots[slot] = None

        def land() -> None:
            slots[slot] = page

        self.flights.transfer(thread.number, Kind.READ, land)

    def write(self, thread: Thread, instruction: Instruction) -> None:
        """A page is written to a tensor."""
        move = self.prepared.move(instruction)
        transfer, tensor = move.transfer, self.tensors[move.tensor]
        rows = self._rows(thread, instruction)
        ring = thread.rings[instruction.ring]
        cell, number, slot = thread.cell, instruction.ring, ring.popped % ring.depth
        now = self.held(cell, number, slot).values
        _, places = self._addresses(thread, instruction, rows, now)

        def leave() -> None:
            values = self.held(cell, number, slot).values
            for place, base in places:
                named = None if rows is None else _at(rows, place)
                try:
                    transfer.write(_at(values, place), base, named, tensor)
                except Outside as outside:
                    raise self._outside(thread, instruction, outside, place) from None

        if self.flights is None:
            leave()
        else:
            self.flights.transfer(thread.number, Kind.WRITE, leave)

    def load_index(self, thread: Thread, instruction: Instruction) -> None:
        """An engine gets the first element of a page."""
        found = self.front(thread, instruction.reads[0]).values[:, :, 0, 0].astype(np.int64)
        thread.registers[instruction.results[0]] = found if found.size > 1 else int(found[0, 0])

    # Between sites.

    def _receivers(self, thread: Thread, instruction: Instruction) -> tuple[int, ...]:
        receivers = self.layout.links[instruction.group].receivers.get(thread.cell)
        if receivers is None:
            raise self._stranger(thread, instruction)
        return receivers

    def _stranger(self, thread: Thread, instruction: Instruction) -> RunError:
        group = value_name(self.numbering.groups[instruction.group].group)
        role = "receiver" if instruction.act == Act.SEM_INC else "sender"
        where = self.prepared.where(instruction.op)
        return RunError(f"{where} at {self.site_text(thread)} is at no {role} of {group}")

    def count(self, thread: Thread, instruction: Instruction) -> None:
        """A receiver tells its sender that it is ready."""
        links = self.layout.links[instruction.group]
        if (cell := links.sender.get(thread.cell)) is None:
            raise self._stranger(thread, instruction)
        semaphore = instruction.semaphore
        amount = instruction.count * links.weight[thread.cell]

        def land() -> None:
            self.machine.raise_(cell, semaphore, amount)
            self.scheduler.wake(cell)

        if self.flights is None:
            land()
        else:
            self.flights.count(thread.number, semaphore, land)

    def flag(self, thread: Thread, instruction: Instruction) -> None:
        """A sender tells its receivers that a page is valid."""
        receivers = self._receivers(thread, instruction)
        semaphore = instruction.semaphore

        def landing(cell: int) -> Callable[[], None]:
            def land() -> None:
                self.machine.signal(cell, semaphore)
                self.scheduler.wake(cell)

            return land

        lands = {cell: landing(cell) for cell in receivers}
        if self.flights is None:
            for land in lands.values():
                land()
        else:
            self.flights.flag(thread.number, instruction.group, lands)

    def route(self, group: int, receiver: int) -> Route:
        """How pages go to the receivers of a cell."""
        found = self.routes.get((group, receiver))
        if found is None:
            sender = self.layout.links[group].sender[receiver]
            axes = self.numbering.groups[group].axes
            found = Route.of(self.stacks[sender], self.stacks[receiver], axes)
            self.routes[group, receiver] = found
        return found

    def send(self, thread: Thread, instruction: Instruction) -> None:
        """Pages are sent to all receivers of a group, to the same position of their rings."""
        group, number, cell = instruction.group, instruction.ring, thread.cell
        receivers = self._receivers(thread, instruction)
        ring, memory = thread.rings[number], self.memory[number]
        for page_number in range(instruction.count):
            slot = (ring.pushed + page_number) % ring.depth
            if self.flights is None:
                page = self.held(cell, number, slot)
                for receiver in receivers:
                    route = self.route(group, receiver)
                    if route.sources is not None:
                        page_there = Page(route(page.values), page.type)
                    else:
                        page_there = page
                    self.slots[receiver][memory][slot] = page_there
            else:
                send = self._launched(cell, number, slot, receivers)
                # A flag takes the same path as the data only where writes keep their order.
                send.held = instruction.flag and self.numbering.ordered
                self.flights.send(thread.number, group, send)

    def _launched(self, cell: int, number: int, slot: int, receivers: Iterable[int]) -> Send:
        """A page that starts to its receivers, each a cell of one site."""
        taken: list[Page] = []
        memory = self.memory[number]

        def leave() -> None:
            if not taken:
                taken.append(self.held(cell, number, slot))

        send = Send(leave)

        def landing(receiver: int) -> Callable[[], None]:
            def land() -> None:
                leave()
                self.slots[receiver][memory][slot] = taken[0]

            return land

        for receiver in receivers:
            self.slots[receiver][memory][slot] = None
            send.landings[receiver] = Flight(Kind.DATA, landing(receiver))
        return send

    # Numbers.

    def set_item(self, thread: Thread, instruction: Instruction) -> None:
        """An engine gets the work item."""
        thread.registers[instruction.results[0]] = self.item

    def trip(self, thread: Thread, instruction: Instruction) -> None:
        """An engine gets the run-time trip."""
        op = instruction.op
        assert isinstance(op, choreo.TripOp)
        values = self.tensors[op.count]
        registers = thread.registers
        index = np.broadcast_arrays(
            *(np.asarray(registers[source], np.int64) for source in instruction.sources),
            np.zeros((1, 1), np.int64),
        )[:-1]
        source = value_name(op.count)
        for dimension, (at, size) in enumerate(zip(index, values.shape, strict=True)):
            for place in np.argwhere((at < 0) | (at >= size)):
                where = self.site_text(thread, (int(place[0]), int(place[1])))
                raise RunError(
                    f"{self.prepared.where(op)} at {where} reads outside {source}: index "
                    f"{at[tuple(place)]} of dimension {dimension}, which has {size}"
                )
        trips = np.atleast_2d(values[tuple(index)].astype(np.int64))
        most = self.prepared.program.loop_nest.k.size
        for place in np.argwhere((trips < 0) | (trips > most)):
            where = self.site_text(thread, (int(place[0]), int(place[1])))
            raise RunError(
                f"{self.prepared.name}: the run-time trip of k at {where} is "
                f"{trips[tuple(place)]}, given by {source}, but it is 0 to {most}"
            )
        if (trips != trips[0, 0]).any():
            raise _Apart(self.stacks[thread.cell].parted(trips))
        registers[instruction.results[0]] = int(trips[0, 0])

    # Computation.

    def acquire(self, thread: Thread, instruction: Instruction) -> None:
        """The accumulator is zero."""
        accumulator = self.accumulators[thread.number]
        if accumulator.owned:
            accumulator.spare = accumulator.value
        accumulator.value = None
        accumulator.owned = False

    def compute(self, thread: Thread, instruction: Instruction) -> None:
        """Something is computed from front pages into the accumulator."""
        pages = [self.front(thread, ring) for ring in instruction.reads]
        if isinstance(instruction.op, choreo.MatmulOp):
            self._matmul(thread, instruction, pages)
            return
        accumulator = self.accumulators[thread.number]
        computed = self.prepared.kernel(instruction)
        try:
            accumulator.value = computed([page.code for page in pages])
        except ValueError as error:
            raise RunError(self._shapes(thread, instruction, error)) from error
        accumulator.owned = False

    def _shapes(self, thread: Thread, instruction: Instruction, error: ValueError) -> str:
        return f"{self.prepared.where(instruction.op)} at {self.site_text(thread)}: {error}"

    def _matmul(self, thread: Thread, instruction: Instruction, pages: list[Page]) -> None:
        lhs, rhs = pages[0].code, pages[1].code
        size = self.prepared.sub_block(instruction)
        if size is not None:
            h, w = (cast(int, thread.registers[source]) for source in instruction.sources)
            lhs = lhs[:, :, h * size.rows : (h + 1) * size.rows]
            rhs = rhs[:, :, :, w * size.cols : (w + 1) * size.cols]
        accumulator = self.accumulators[thread.number]
        if len(pages) > 2:
            accumulator.value, accumulator.owned = pages[2].code, False
        spare = accumulator.spare
        shape = (
            *np.broadcast_shapes(lhs.shape[:2], rhs.shape[:2]),
            lhs.shape[2],
            rhs.shape[3],
        )
        out = None
        if spare is not None and spare.shape == shape and spare.dtype == lhs.dtype:
            out = spare
        try:
            new = product(lhs, rhs, out)
        except ValueError as error:
            raise RunError(self._shapes(thread, instruction, error)) from error
        old = accumulator.value
        if old is None:
            # A sum that starts with 0 has no negative zeros.
            new += 0
            accumulator.value, accumulator.owned, accumulator.spare = new, True, None
        elif accumulator.owned and old.shape == new.shape:
            old += new
            accumulator.spare = new
        elif np.broadcast_shapes(old.shape, new.shape) == new.shape:
            new += old
            accumulator.value, accumulator.owned, accumulator.spare = new, True, None
        else:
            accumulator.value, accumulator.owned = old + new, True

    def pack(self, thread: Thread, instruction: Instruction) -> None:
        """The accumulator goes to a page."""
        accumulator = self.accumulators[thread.number]
        ring, number = thread.rings[instruction.ring], instruction.ring
        slot = ring.pushed % ring.depth
        type = self.prepared.empty[number].type
        values = accumulator.value
        size = page_size(page_type(self.numbering.rings[number].op.buffer), self.prepared.tile)
        if values is None:
            values = np.zeros((1, 1, *size), self.prepared.empty[number].code.dtype)
        elif values.shape[2:] != size:
            raise RunError(
                f"{self.prepared.where(instruction.op)} at {self.site_text(thread)} packs "
                f"{values.shape[2]}x{values.shape[3]} elements into a page of {size[0]}x{size[1]}"
            )
        if instruction.flag:
            values = self.held(thread.cell, number, slot).code + values
        page = packed(values, type)
        if page is accumulator.value:
            accumulator.owned = False
        self.slots[thread.cell][self.memory[number]][slot] = Page(page, type)
