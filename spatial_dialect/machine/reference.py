"""The reference meaning of a dataflow program: what it makes of its tensors, without choreography.

`run` goes over the work items of all sites, and in each over the stages as they stand in relation
to the K blocks: those before them, then block by block those in them, then those after them. A
stage is evaluated on all its sites and for all its sub-blocks at once. Nothing waits here and
nothing has a size: rings, depths, engines and the form of a matmul do not matter.

What is computed is the ideal that a machine comes close to:

- Code computes in f32 on floats and in i32 on integers (modulo 2^32), whatever `acc` says. So do
  the sums of `matmul`, `dot`, `reduce` and `all_reduce`; products of f32 are not cut to fewer bits.
- A value is rounded where a stage makes a page of it, once, to the page's element type, see
  `elements`. Partial sums of a matmul are not rounded: `spill` changes nothing.
- A block that a run-time trip leaves out is not read, whatever its address or its index. Without
  any block, a matmul makes zeros, and a carry keeps the page it is initialised with.
- `broadcast rows` takes the first row of elements for all rows of the result, `cols` the first
  column, `scalar` the first element.
- `reduce rows` puts its result into the first row of a page of 1 x C tiles, `reduce cols` into the
  first column of a page of R x 1. No reader may count on the other elements. They are zero, as a
  packer leaves them that masks its edges, and so they do not disturb the exponents that block
  floats share. All rows and columns of the input count, padding included.
- A load sees a tensor as it was before the run. A store leaves out what lies outside the tensor if
  a load with `pad` feeds it, directly or not; anything else that lies outside is an error. With
  `pad` this holds for a gather too, so that an index of -1 can stand for no row. Where two pages
  of a scatter write one element, it is not defined which stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from xdsl.dialects.builtin import IndexType
from xdsl.ir import SSAValue

from spatial_dialect.analysis.dataflow import Cycle, Dataflow
from spatial_dialect.analysis.domains import Domains, domains
from spatial_dialect.analysis.levels import Level, Levels, levels
from spatial_dialect.dialects.spatial import (
    AllReduceOp,
    ComputeStageOp,
    DotOp,
    GroupOp,
    LoadOp,
    MapOp,
    MatmulOp,
    ProgramOp,
    RecvOp,
    ReduceOp,
    StageOp,
    StoreOp,
    TripOp,
    broadcast_kinds,
    compute_type,
    is_tensor,
    page_type,
    tensor_type,
)
from spatial_dialect.ir.attributes import Axis
from spatial_dialect.ir.diagnostics import describe, value_name
from spatial_dialect.ir.loops import LoopName
from spatial_dialect.ir.sites import Sites
from spatial_dialect.ir.types import is_float
from spatial_dialect.machine.arguments import argument_names, checked_arguments
from spatial_dialect.machine.computation import all_reduced, mapped, product, reduced
from spatial_dialect.machine.elements import Array, packed, storage_type, unpacked
from spatial_dialect.machine.transfers import Outside, Transfer
from spatial_dialect.machine.transfers import evaluated as evaluated_address


def run(program: ProgramOp, arguments: Mapping[str, Array | int]) -> dict[str, Array]:
    """What a program makes of its tensors.

    Args:
        program: a program of stages with a target and a grid, which verifies; its depths do not
            matter.
        arguments: by `argument_names`, an array of the argument's shape and type for each tensor
            (float32 for block floats), a number for each index. A tensor that is not read can be
            left out; it starts with zeros then.

    Returns:
        All tensors afterwards, by name. Those that are not stored to have their given values, in
        arrays of block floats as the format holds them. No given array is changed.

    Raises:
        ValueError: the program has no meaning yet, an argument is missing or does not fit, a
            run-time trip is above its maximum, a page reaches outside a tensor, or the code of a
            map has an operation that is not known.
    """
    with np.errstate(all="ignore"):
        return _Run(program, arguments).results()


@dataclass
class _Pages:
    """What a buffer holds now, on all sites: the current page of each sub-block."""

    values: Array
    """By site, h, w, row and column; h and w have one value if the pages do not depend on them."""
    made: Array
    """On which sites there is a page."""


@dataclass
class _Run:
    """One run of a program."""

    program: ProgramOp
    arguments: Mapping[str, Array | int]
    pages: dict[SSAValue, _Pages] = field(default_factory=dict[SSAValue, _Pages])
    sums: dict[MatmulOp, Array] = field(default_factory=dict[MatmulOp, Array])
    """The accumulators of the matmuls, by site, row and column of the whole item."""
    item: int = 0

    def __post_init__(self) -> None:
        program = self.program
        self.name = f"@{program.sym_name.data}"
        if not program.stages:
            raise ValueError(
                f"{self.name} has no stages: the reference meaning is that of the dataflow"
            )
        machine, shape = program.machine, program.grid_shape
        if machine is None or shape is None:
            missing = "target" if machine is None else "grid"
            raise ValueError(f"{self.name} has no {missing}, without which it has no meaning yet")
        self.tile = machine.tile
        self.loops = program.loop_nest
        self.grid = shape
        self.flow = Dataflow.of(program)
        try:
            self.domains: Domains = domains(self.flow, self.loops)
            self.levels: Levels = levels(self.flow, self.domains)
        except Cycle as cycle:
            raise ValueError(f"{self.name}: {cycle}") from cycle
        sets = dict.fromkeys(self.flow.sites.values())
        known = {sites: _numbers(sites, shape[1]) for sites in sets}
        self.sites = {stage: known[sites] for stage, sites in self.flow.sites.items()}
        self.names = argument_names(program)
        read = {stage.tensor for stage in self.flow.stages if isinstance(stage, LoadOp)}
        read |= {op.count for op in program.body.block.ops if isinstance(op, TripOp)}
        self.given = checked_arguments(program, self.arguments, read)
        self.after: dict[SSAValue, Array] = {}
        for stage in self.flow.stages:
            if isinstance(stage, StoreOp) and stage.tensor not in self.after:
                self.after[stage.tensor] = self.given[stage.tensor].copy()
        rows, cols = np.divmod(np.arange(shape[0] * shape[1]), shape[1])
        self.rows, self.cols = rows, cols

    # The order of evaluation.

    def results(self) -> dict[str, Array]:
        """Run all items."""
        parts: dict[Level, list[StageOp]] = {level: [] for level in Level}
        for stage in self.levels.order:
            parts[self.levels.of[stage]].append(stage)
        everywhere = np.ones(len(self.rows), np.bool_)
        for self.item in range(self.loops.i.size):
            self.pages.clear()
            self.sums.clear()
            trips = self._trips(parts[Level.BLOCK])
            for stage in parts[Level.BEFORE]:
                self._evaluate(stage, None, everywhere)
            for stage in parts[Level.BLOCK]:
                if isinstance(stage, MatmulOp):
                    self._start_sums(stage, trips)
            for k in range(int(trips.max(initial=0))):
                active, last = trips > k, trips == k + 1
                for stage in parts[Level.BLOCK]:
                    if isinstance(stage, MatmulOp):
                        self._add_block(stage, active, last)
                    else:
                        self._evaluate(stage, k, active)
            if not self.loops.k.is_one:
                self._drop(parts[Level.BLOCK])
            for stage in parts[Level.AFTER]:
                self._evaluate(stage, None, everywhere)
        return {
            name: self.after.get(argument, self.given[argument])
            for argument, name in self.names.items()
            if is_tensor(argument.type)
        }

    def _drop(self, stages: Iterable[StageOp]) -> None:
        """Forget the pages of the last K block: there have been others like them."""
        for stage in stages:
            buffer = stage.page_write
            if buffer is None or isinstance(stage, MatmulOp) or self.flow.is_carry(buffer):
                continue
            if (pages := self.pages.get(buffer)) is not None:
                pages.made[self.sites[stage]] = False

    def _trips(self, stages: Iterable[StageOp]) -> Array:
        """How many K blocks each site runs in this item: none where no stage runs in blocks."""
        count = len(self.rows)
        busy = np.zeros(count, np.bool_)
        for stage in stages:
            busy[self.sites[stage]] = True
        most = self.loops.k.size
        if not self.loops.k.at_run_time:
            return np.where(busy, most, 0)
        trip = next((op for op in self.program.body.block.ops if isinstance(op, TripOp)), None)
        if trip is None:
            raise ValueError(f"{self.name}: nothing gives the run-time trip of k")
        values, source = self.given[trip.count], value_name(trip.count)
        if trip.address is None:
            trips = np.full(count, values)
        else:
            point = {"i": np.asarray(self.item), "y": self.rows, "x": self.cols}
            results = [evaluated_address(e, point) for e in trip.address.data.results]
            indices = np.stack(np.broadcast_arrays(*results, self.rows)[:-1])
            trips = np.zeros(count, np.int64)
            for site in np.flatnonzero(busy):
                index = tuple(indices[:, site].tolist())
                for dimension, (at, size) in enumerate(zip(index, values.shape, strict=True)):
                    if not 0 <= at < size:
                        raise ValueError(
                            f"{self.name}: the run-time trip of k at {self._place(site)} is read "
                            f"outside {source}: index {at} of dimension {dimension}, which has "
                            f"{size}"
                        )
                trips[site] = int(values[index])
        wrong = np.flatnonzero((trips < 0) | (trips > most))
        if len(wrong):
            raise ValueError(
                f"{self.name}: the run-time trip of k at {self._place(wrong[0])} is "
                f"{int(trips[wrong[0]])}, given by {source}, but it is 0 to {most}"
            )
        return np.where(busy, trips, 0)

    def _place(self, site: int | np.integer[Any]) -> str:
        """A site and the item, for messages."""
        text = f"site [{self.rows[site]}, {self.cols[site]}]"
        return text if self.loops.i.is_one else f"{text}, item {self.item}"

    def _where(self, stage: StageOp) -> str:
        """A stage, for messages."""
        return f"{self.name}: {describe(stage)}"

    # Pages.

    def _extent(self, loop: LoopName, of: Iterable[LoopName]) -> int:
        return self.loops[loop].size if loop in of else 1

    def _read(self, stage: StageOp, buffer: SSAValue, sites: Array) -> Array:
        """The current pages of a buffer, in their storage type, on some sites."""
        pages = self.pages.get(buffer)
        missing = sites if pages is None else sites[~pages.made[sites]]
        if pages is None or len(missing):
            raise ValueError(
                f"{self._where(stage)} reads {value_name(buffer)} at {self._place(missing[0])}, "
                "but there is no page at this time: pages of a block are read in that block only"
            )
        return _taken(pages.values, sites)

    def _code(self, stage: StageOp, buffer: SSAValue, sites: Array) -> Array:
        """The current pages of a buffer as code gets them."""
        return unpacked(self._read(stage, buffer, sites), page_type(buffer).element_type)

    def _put(self, stage: StageOp, sites: Array, values: Array) -> None:
        """Make new pages, of values in their storage type."""
        buffer = stage.page_write
        assert buffer is not None
        page = page_type(buffer)
        shape = (
            len(self.rows),
            self._extent("h", self.domains.buffer[buffer]),
            self._extent("w", self.domains.buffer[buffer]),
            page.shape[0] * self.tile[0],
            page.shape[1] * self.tile[1],
        )
        pages = self.pages.get(buffer)
        if pages is None:
            storage = storage_type(page.element_type)
            made = np.zeros(shape[0], np.bool_)
            pages = self.pages[buffer] = _Pages(np.zeros(shape, storage), made)
        if isinstance(stage, ComputeStageOp) and stage.replaces_carry:
            self._check_carry(stage, values, shape)
        pages.values[sites] = np.broadcast_to(values, (len(sites), *shape[1:]))
        pages.made[sites] = True

    def _check_carry(self, stage: ComputeStageOp, values: Array, shape: tuple[int, ...]) -> None:
        """An update replaces the page of every sub-block, once."""
        if values.ndim == 5 and values.shape[1:3] != shape[1:3]:
            raise ValueError(
                f"{self._where(stage)} replaces {values.shape[1]} x {values.shape[2]} pages of "
                f"{value_name(stage.output)} in a block, which has {shape[1]} x {shape[2]} (h x w)"
            )

    def _evaluate(self, stage: StageOp, k: int | None, active: Array) -> None:
        """The pages of a stage, in one K block or outside of the blocks."""
        sites = self.sites[stage]
        sites = sites[active[sites]]
        if not len(sites):
            return
        match stage:
            case LoadOp():
                self._put(stage, sites, self._load(stage, k, sites))
            case RecvOp():
                sending = self._senders[stage.source][sites]
                self._put(stage, sites, self._read(stage, stage.buffer, sending))
            case StoreOp():
                self._store(stage, k, sites)
            case ComputeStageOp():
                result = self._computed(stage, sites)
                self._put(stage, sites, packed(result, page_type(stage.output).element_type))
            case _:
                raise ValueError(f"{self._where(stage)} has no reference meaning")

    # Movement.

    @cached_property
    def _senders(self) -> dict[SSAValue, Array]:
        """For each group, the sender that each site hears."""
        count, width = len(self.rows), self.grid[1]
        found: dict[SSAValue, Array] = {}
        for op in self.program.body.block.ops:
            if not isinstance(op, GroupOp):
                continue
            senders = _numbers(op.senders.data, width)
            match op.along.data:
                case Axis.X:
                    family = self.rows
                case Axis.Y:
                    family = self.cols
                case _:
                    family = np.zeros_like(self.rows)
            sender = np.zeros(count, np.int64)
            sender[family[senders]] = senders
            found[op.group] = sender[family]
        return found

    @cached_property
    def _padded(self) -> set[StageOp]:
        """The stages that a load with padding feeds, directly or not."""
        loads = (s for s in self.flow.stages if isinstance(s, LoadOp) and s.pad is not None)
        return self.flow.fed_by(loads)

    @cached_property
    def _transfers(self) -> dict[StageOp, Transfer]:
        """For each load and store, what its pages have in common."""
        found: dict[StageOp, Transfer] = {}
        for stage in self.flow.stages:
            if isinstance(stage, LoadOp | StoreOp):
                padded = (
                    stage in self._padded if isinstance(stage, StoreOp) else stage.pad is not None
                )
                found[stage] = Transfer(stage, self.tile, padded)
                square = self.tile[0] == self.tile[1]
                if isinstance(stage, LoadOp) and stage.transpose is not None and not square:
                    raise ValueError(
                        f"{self._where(stage)} transposes, but tiles of {self.tile[0]}x"
                        f"{self.tile[1]} are not square"
                    )
        return found

    def _indices(self, stage: LoadOp | StoreOp, sites: Array) -> Array | None:
        """The elements of the index pages, by site, h, w and element."""
        if stage.index is None:
            return None
        pages = self._read(stage, stage.index, sites)
        return pages.reshape(*pages.shape[:3], -1).astype(np.int64)

    def _bases(
        self,
        stage: LoadOp | StoreOp,
        k: int | None,
        sites: Array,
        indices: Array | None,
        counts: tuple[int, int],
    ) -> Array:
        """The values of the address, by site, h and w."""
        point = {
            "i": np.asarray(self.item),
            "y": self.rows[sites][:, None, None],
            "x": self.cols[sites][:, None, None],
            "k": np.asarray(k or 0),
            "h": np.arange(counts[0])[:, None],
            "w": np.arange(counts[1]),
        }
        if indices is not None:
            point["ind"] = indices[..., 0]
        results = [evaluated_address(e, point) for e in stage.address.data.results]
        shape = (len(sites), *counts)
        return np.stack([np.broadcast_to(r, shape) for r in results], axis=-1)

    def _rows(
        self, stage: LoadOp | StoreOp, indices: Array | None, shape: tuple[int, ...]
    ) -> Array | None:
        """The tensor's rows that a page is made of if its index page names them."""
        if stage.rows is None or stage.index is None or indices is None:
            return None
        rows, cols = self._transfers[stage].page_shape
        transposed = isinstance(stage, LoadOp) and stage.transpose is not None
        wanted, have = cols if transposed else rows, indices.shape[-1]
        if have < wanted:
            raise ValueError(
                f"{self._where(stage)} takes {wanted} rows by {value_name(stage.index)}, "
                f"whose pages have {have} elements"
            )
        return np.broadcast_to(indices, (*shape, have))

    def _load(self, stage: LoadOp, k: int | None, sites: Array) -> Array:
        transfer = self._transfers[stage]
        indices = self._indices(stage, sites)
        domain = self.domains.stage[stage]
        counts = self._extent("h", domain), self._extent("w", domain)
        bases = self._bases(stage, k, sites, indices, counts)
        places = bases.shape[:3]
        rows = self._rows(stage, indices, places)
        empty, tensor = transfer.empty, self.given[stage.tensor]
        shape = (*places, *transfer.page_shape)
        pages = (
            np.full(shape, empty[0], empty.dtype)
            if transfer.clips
            else np.empty(shape, empty.dtype)
        )
        for place in np.ndindex(places):
            base = bases[place].tolist()
            try:
                transfer.read(tensor, base, None if rows is None else rows[place], pages[place])
            except Outside as outside:
                where = self._point(stage, sites, place, k, indices)
                raise ValueError(self._outside(stage, outside, where)) from None
        return transfer.settled(pages)

    def _store(self, stage: StoreOp, k: int | None, sites: Array) -> None:
        transfer = self._transfers[stage]
        indices = self._indices(stage, sites)
        pages = self._read(stage, stage.buffer, sites)
        counts = [pages.shape[1], pages.shape[2]]
        if indices is not None:
            counts = [max(pair) for pair in zip(counts, indices.shape[1:3], strict=True)]
        bases = self._bases(stage, k, sites, indices, (counts[0], counts[1]))
        places = bases.shape[:3]
        rows = self._rows(stage, indices, places)
        pages = np.broadcast_to(pages, (*places, *pages.shape[3:]))
        tensor = self.after[stage.tensor]
        for place in np.ndindex(places):
            base = bases[place].tolist()
            try:
                transfer.write(pages[place], base, None if rows is None else rows[place], tensor)
            except Outside as outside:
                where = self._point(stage, sites, place, k, indices)
                raise ValueError(self._outside(stage, outside, where)) from None

    def _point(
        self,
        stage: LoadOp | StoreOp,
        sites: Array,
        place: tuple[int, ...],
        k: int | None,
        indices: Array | None,
    ) -> str:
        """A site and the values of the loops and the index there, for messages."""
        number, h, w = place
        text = self._place(sites[number])
        point = {"k": k, "h": h, "w": w}
        for name in self.domains.iterated(self.domains.stage[stage]):
            text += f", {name} = {point[name]}"
        if indices is not None and stage.rows is None:
            index = indices[number, h % indices.shape[1], w % indices.shape[2], 0]
            text += f", ind = {index}"
        return text

    def _outside(self, stage: LoadOp | StoreOp, outside: Outside, where: str) -> str:
        """The message about a page that reaches outside its tensor."""
        verb = "reads" if isinstance(stage, LoadOp) else "writes"
        via = "" if stage.index is None else f" via {value_name(stage.index)}"
        size = tensor_type(stage.tensor).get_shape()[outside.dimension]
        return (
            f"{self._where(stage)} {verb} outside {value_name(stage.tensor)}{via} at {where}: "
            f"index {outside.index} of dimension {outside.dimension}, which has {size}"
        )

    # Computation.

    def _start_sums(self, stage: MatmulOp, trips: Array) -> None:
        """Zero the accumulators of a matmul, which are its result where there is no block."""
        sites = self.sites[stage]
        rows, cols = (n * t for n, t in zip(page_type(stage.output).shape, self.tile, strict=True))
        shape = (len(self.rows), self.loops.h.size * rows, self.loops.w.size * cols)
        type = compute_type(page_type(stage.output).element_type)
        self.sums[stage] = np.zeros(shape, storage_type(type))
        self._put_sums(stage, sites[trips[sites] == 0])

    def _add_block(self, stage: MatmulOp, active: Array, last: Array) -> None:
        """Add the product of one K block; the last one makes the pages."""
        sites = self.sites[stage]
        sites = sites[active[sites]]
        if not len(sites):
            return
        lhs, rhs = (self._code(stage, buffer, sites)[:, 0, 0] for buffer in stage.page_reads)
        sums, product = self.sums[stage], self._product(stage, lhs, rhs)
        if len(sites) == len(sums):
            sums += product
        else:
            sums[sites] += product
        self._put_sums(stage, sites[last[sites]])

    def _put_sums(self, stage: MatmulOp, sites: Array) -> None:
        """Make the pages of all sub-blocks of a matmul."""
        if not len(sites):
            return
        h, w = self.loops.h.size, self.loops.w.size
        sums = self.sums[stage][sites]
        blocks = sums.reshape(len(sites), h, sums.shape[1] // h, w, sums.shape[2] // w)
        pages = blocks.transpose(0, 1, 3, 2, 4)
        self._put(stage, sites, packed(pages, page_type(stage.output).element_type))

    def _product(self, stage: MatmulOp | DotOp, lhs: Array, rhs: Array) -> Array:
        if lhs.shape[-1] != rhs.shape[-2]:
            raise ValueError(
                f"{self._where(stage)} multiplies {lhs.shape[-2]}x{lhs.shape[-1]} by "
                f"{rhs.shape[-2]}x{rhs.shape[-1]} elements: with tiles of {self.tile[0]}x"
                f"{self.tile[1]} these do not fit"
            )
        return product(lhs, rhs)

    def _computed(self, stage: ComputeStageOp, sites: Array) -> Array:
        """The values of a stage's pages, f32 or i32, by site, h, w, row and column."""
        if isinstance(stage, ReduceOp | AllReduceOp):
            kinds = {is_float(page_type(b).element_type) for b in (*stage.page_reads, stage.output)}
            if len(kinds) > 1:
                raise ValueError(
                    f"{self._where(stage)} reduces floats to integers, or integers to floats: "
                    "convert them by a map"
                )
        match stage:
            case MapOp():
                return self._mapped(stage, sites)
            case DotOp():
                lhs, rhs = (self._code(stage, buffer, sites) for buffer in stage.page_reads)
                if stage.transpose_b is not None:
                    rhs = rhs.swapaxes(-1, -2)
                return self._product(stage, lhs, rhs)
            case ReduceOp():
                values = self._code(stage, stage.input, sites)
                return reduced(values, stage.kind.data, stage.axis.data, self.tile)
            case AllReduceOp():
                pages = [self._code(stage, buffer, sites) for buffer in stage.inputs]
                return all_reduced(pages, stage.kind.data)
            case _:
                raise ValueError(f"{self._where(stage)} has no reference meaning")

    def _mapped(self, stage: MapOp, sites: Array) -> Array:
        inputs = [self._code(stage, buffer, sites) for buffer in stage.inputs]
        kinds = broadcast_kinds(stage.broadcasts, len(stage.inputs))
        indices = {a: v for a, v in self.given.items() if isinstance(a.type, IndexType)}
        rows, cols = page_type(stage.output).shape
        # Also where the code uses no input, or only a part of a page.
        shape = (len(sites), 1, 1, rows * self.tile[0], cols * self.tile[1])
        return mapped(stage.body.block, inputs, kinds, indices, shape, self._where(stage))


def _numbers(sites: Sites, width: int) -> Array:
    """The numbers of sites, row by row of a grid of this width."""
    found = [
        np.arange(rect.y0, rect.y1)[:, None] * width + np.arange(rect.x0, rect.x1)
        for rect in sites.rects
    ]
    return np.sort(np.concatenate([numbers.reshape(-1) for numbers in found]))


def _taken(values: Array, sites: Array) -> Array:
    """The values of some sites: if these are all, without copying them."""
    return values if len(sites) == len(values) else values[sites]
