"""The reduced grid of a program, as `spatial-check` finds it out, and who touches what in it.

The grid is cut at every bound of a set of sites. What lies between two cuts is represented by two
coordinates, or by one if no group goes along the axis.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, product
from math import prod
from typing import TypeAlias, cast

from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, Operation, SSAValue

from spatial_dialect.dialects import choreo
from spatial_dialect.dialects.spatial import BufferOp, GroupOp, Phase, ProgramOp
from spatial_dialect.ir.sites import Sites
from spatial_dialect.ir.types import BufferType
from spatial_dialect.tools.check_code import ARITH, Cell, Refused, Span, deciding, is_event, need

Key: TypeAlias = tuple[int, SSAValue]
"""A ring, a memory or a semaphore of a cell."""


def expression(value: SSAValue) -> object:
    """How an index of a trip's address comes about; equal for equal ones."""
    owner = value.owner
    if isinstance(owner, Block):
        engine = owner.parent_op()
        if isinstance(engine, choreo.EngineOp) and owner is engine.body.blocks[0]:
            return "y" if value is owner.args[0] else "x"
        raise Refused("trip: its address depends on a loop")
    if isinstance(owner, choreo.ItemOp):
        return "i"
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, IntegerAttr):
        return owner.value.value.data
    need(isinstance(owner, affine.ApplyOp) or type(owner) in ARITH, "trip: reads data", owner)
    parts = [expression(operand) for operand in owner.operands]
    if isinstance(owner, affine.ApplyOp):
        map, numbers = owner.map.data, [part for part in parts if isinstance(part, int)]
        if len(numbers) == len(parts):
            return map.eval(numbers[: map.num_dims], numbers[map.num_dims :])[0]
        plain = len(parts) == 1 and str(map.results[0]) in ("d0", "s0")
        return parts[0] if plain else (str(map), *parts)
    return parts[0] if isinstance(owner, arith.IndexCastOp) else (owner.name, *parts)


def coordinates(found: object) -> Iterator[str]:
    """The coordinates in an expression; its other texts, the item apart, are longer."""
    if isinstance(found, tuple):
        for part in cast("tuple[object, ...]", found)[1:]:
            yield from coordinates(part)
    elif isinstance(found, str) and found in ("y", "x"):
        yield found


class Program:
    """A scheduled program: what its engines share, and whatever its text alone must keep."""

    def __init__(self, op: ProgramOp):
        if op.phase != Phase.SCHEDULED or op.machine is None:
            raise Refused("it has no engines", op)
        self.ordered, self.modulus = op.machine.ordering == "ordered", op.machine.max_pages_counter
        self.most = op.loop_nest.k.size if op.loop_nest.k.at_run_time else None
        """The largest run-time trip."""
        ops = tuple(op.body.block.ops)
        buffers = [each for each in ops if isinstance(each, BufferOp)]
        self.rings: list[SSAValue] = [each.buffer for each in buffers]
        self.depth: dict[SSAValue, int] = {each.buffer: each.pages or 0 for each in buffers}
        self.memory: dict[SSAValue, SSAValue] = {b.buffer: b.alias or b.buffer for b in buffers}
        self.semaphores = [v for s in ops if isinstance(s, choreo.SemaphoresOp) for v in s.results]
        self.groups = [each for each in ops if isinstance(each, GroupOp)]
        self.engines = [each for each in ops if isinstance(each, choreo.EngineOp)]
        self.deciding = {engine: deciding(engine) for engine in self.engines}
        self.events = {e: [each for each in e.body.walk() if is_event(each)] for e in self.engines}
        self.trips: dict[Operation, int] = {}
        """By op, the number of the trip: one for each place that is read."""
        self.along: dict[int, set[str]] = {}
        """By trip, the coordinates that its address depends on."""
        self._check_text()

    def _check_text(self) -> None:
        for ring, depth in self.depth.items():
            assert isinstance(ring.owner, Operation)
            need(depth <= self.modulus, f"modulus: it counts to {self.modulus}", ring.owner)
        events = [event for engine in self.engines for event in self.events[engine]]
        numbers: dict[object, int] = {}
        read: set[SSAValue] = set()
        for op in events:
            if isinstance(op, choreo.TripOp):
                place = (op.count, *map(expression, op.indices))
                self.trips[op] = numbers.setdefault(place, len(numbers))
                self.along[self.trips[op]] = set(coordinates(place))
                read.add(op.count)
            elif isinstance(op, choreo.ReadTilesOp):
                read.add(op.tensor)
        for op in events:
            both = isinstance(op, choreo.WriteTilesOp) and op.tensor in read
            need(not both, "tensor: it is read, too, and the order of the two is not judged", op)

    def parts(self) -> list[Part]:
        """The cells that meet, as long as there are engines in any of them."""
        sets = [engine.sites for engine in self.engines]
        sets += [s for g in self.groups for s in (g.senders.data, g.receivers.data)]
        rects, along = [r for s in sets for r in s.rects], "".join(g.axes for g in self.groups)
        ys = _axis((b for r in rects for b in (r.y0, r.y1)), "y" in along)
        xs = _axis((b for r in rects for b in (r.x0, r.x1)), "x" in along)
        need(len(ys) * len(xs) <= 10_000, "grid: the sets of sites are too ragged")
        cells = list(product(ys, xs))
        links = [link for group in self.groups for link in self._links(group, cells)]
        of = list(range(len(cells)))
        for _, sender, receiver, _ in links:
            old, new = of[receiver], of[sender]
            of = [new if each == old else each for each in of]
        found: list[Part] = []
        for name in sorted(set(of)):
            members = [n for n, each in enumerate(of) if each == name]
            part = Part(self, [cells[n] for n in members])
            for group, sender, receiver, weight in links:
                if of[sender] == name:
                    link = (members.index(sender), members.index(receiver))
                    part.link(group, *link, weight)
            found += [part] * bool(part.threads)
        return found

    def _links(
        self, group: GroupOp, cells: Sequence[Cell]
    ) -> Iterator[tuple[SSAValue, int, int, int]]:
        """Sender, receiver, and how many receivers the latter stands for."""
        senders = [n for n, cell in enumerate(cells) if _inside(cell, group.senders.data)]
        for receiver, cell in enumerate(cells):
            if receiver in senders or not _inside(cell, group.receivers.data):
                continue
            apart = [n for n, name in enumerate("yx") if name not in group.axes]
            across = [n for n in (0, 1) if n not in apart]
            near = [s for s in senders if all(cells[s][n] == cell[n] for n in apart)]
            one = len(near) == 1 and all(_count(cells[near[0]][n]) == 1 for n in across)
            need(one, "group: a receiver has not exactly one sender", group)
            yield group.group, near[0], receiver, prod(_count(cell[n]) for n in across)


def _axis(bounds: Iterable[int], spanned: bool) -> list[Span]:
    """The coordinates of an axis that is cut at some bounds."""
    found: list[Span] = []
    for low, high in pairwise(sorted(set(bounds))):
        middle = low + 1 if spanned else high
        found += [(low, low, middle), *([(middle, middle, high)] if middle < high else [])]
    return found


def _inside(cell: Cell, sites: Sites) -> bool:
    return sites.contains(cell[0][0], cell[1][0])


def _count(span: Span) -> int:
    return span[2] - span[1]


class Part:
    """Cells that meet, and their engines, numbered cell by cell."""

    def __init__(self, program: Program, cells: Sequence[Cell]):
        self.program, self.cells = program, tuple(cells)
        self.threads = [
            (n, engine)
            for n, cell in enumerate(cells)
            for engine in program.engines
            if _inside(cell, engine.sites)
        ]
        self.sender: dict[tuple[SSAValue, int], int] = {}
        self.weight: dict[tuple[SSAValue, int], int] = {}
        self.receivers: dict[tuple[SSAValue, int], list[int]] = {}
        engines = {engine for _, engine in self.threads}
        events = {event for engine in engines for event in program.events[engine]}
        self.trips = sorted({program.trips[op] for op in events & program.trips.keys()})
        """The run-time trips that are read."""
        self.placed = any(a in program.deciding[e] for e in engines for a in e.body.blocks[0].args)
        """Whether it matters where its cells are."""

    def link(self, group: SSAValue, sender: int, receiver: int, weight: int) -> None:
        """Note that a cell sends to another one."""
        self.sender[group, receiver], self.weight[group, receiver] = sender, weight
        self.receivers.setdefault((group, sender), []).append(receiver)

    def like(self) -> object:
        """Equal for parts that do the same."""
        links = (tuple(links.items()) for links in (self.sender, self.weight))
        return tuple(self.threads), *links, self.cells if self.placed else ()

    def check_trips(self) -> None:
        """Who meets has the same trips: their addresses use no coordinate that differs."""
        for trip in self.trips:
            for n, name in enumerate("yx"):
                same = len({cell[n] for cell in self.cells}) == 1
                along = name in self.program.along[trip]
                need(same or not along, f"trip: {name} is another one for cells that meet")


class Uses:
    """Who touches what in a part, and which rings turn together."""

    def __init__(self, part: Part):
        program = part.program
        self.users: defaultdict[Key, dict[int, None]] = defaultdict(dict)
        """Of memories and semaphores."""
        self.waiters: defaultdict[Key, dict[int, None]] = defaultdict(dict)
        self.ends: dict[tuple[Key, bool], int] = {}
        """Of rings: the engine that fills it, and the one that does not."""
        self.joined: dict[tuple[Key, Key], None] = {}
        """Rings whose positions matter to each other: of one memory, or of a multicast."""
        self.fixed: dict[Key, None] = {}
        """Rings whose positions matter, because several pages lie side by side."""
        self.added: set[Key] = set()
        """Memories where pages are added to what is there."""
        for number, (cell, engine) in enumerate(part.threads):
            for op in program.events[engine]:
                for ring in (v for v in op.operands if isinstance(v.type, BufferType)):
                    self.users[cell, program.memory[ring]][number] = None
                    self.joined[(cell, ring), (cell, program.memory[ring])] = None
                    end = ((cell, ring), fills(op, ring))
                    need(self.ends.setdefault(end, number) == number, "two ends of one kind", op)
                match op:
                    case choreo.McastSendOp():
                        for there in part.receivers.get((op.group, cell), ()):
                            self.users[there, program.memory[op.buffer]][number] = None
                            self.joined[(cell, op.buffer), (there, op.buffer)] = None
                    case choreo.PackOp() if op.accumulate is not None:
                        self.added.add((cell, program.memory[op.buffer]))
                    case choreo.SemSetOp() | choreo.SemWaitOp():
                        self.users[cell, op.semaphore][number] = None
                        if isinstance(op, choreo.SemWaitOp):
                            self.waiters[cell, op.semaphore][number] = None
                    case choreo.SemIncOp():
                        need((op.group, cell) in part.sender, "group: no sender hears it", op)
                        self.users[part.sender[op.group, cell], op.semaphore][number] = None
                    case choreo.McastSetValidOp():
                        for there in part.receivers.get((op.group, cell), ()):
                            self.users[there, op.semaphore][number] = None
                    case _:
                        pass
                if isinstance(op, choreo.PushOp | choreo.PopOp | choreo.McastSendOp):
                    if op.pages.value.data > 1:
                        self.fixed[cell, op.buffer] = None

    def positions(self, program: Program, of: Mapping[Key, int]) -> object:
        """Positions of rings as far as they matter: those that turn together may all be turned."""
        apart = ((of.get(b, 0) - of.get(a, 0)) % program.depth[b[1]] for a, b in self.joined)
        return (*apart, *(of.get(ring, 0) % program.depth[ring[1]] for ring in self.fixed))


def fills(op: Operation, ring: SSAValue) -> bool:
    """Whether an op is for the engine that fills a ring; if not, for the one that empties it."""
    if isinstance(op, choreo.ReadTilesOp):
        return ring is op.buffer
    return isinstance(op, choreo.ReserveOp | choreo.PushOp | choreo.McastSendOp | choreo.PackOp)
