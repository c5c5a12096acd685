"""The reference meaning of random programs, against one that works page by page."""

from typing import Any, TypeAlias

import numpy as np
from hypothesis import assume, given, settings
from numpy.typing import NDArray
from spatial_testing.arguments import random_arguments
from spatial_testing.balance import trip_choices
from spatial_testing.environment import Site, Trips
from spatial_testing.programs import programs
from spatial_testing.reference import Reference
from spatial_testing.terms import Terms
from xdsl.context import Context
from xdsl.dialects.arith import Arith
from xdsl.dialects.builtin import Builtin
from xdsl.dialects.math import Math
from xdsl.ir import SSAValue
from xdsl.parser import Parser

from spatial_dialect.dialects.spatial import (
    AllReduceOp,
    DotOp,
    LoadOp,
    MapOp,
    MatmulOp,
    ProgramOp,
    RecvOp,
    ReduceOp,
    Spatial,
    StageOp,
    StoreOp,
    page_type,
)
from spatial_dialect.ir.attributes import Broadcast, PageAxis
from spatial_dialect.machine.elements import storage_type
from spatial_dialect.machine.elementwise import evaluated
from spatial_dialect.machine.reference import argument_names, run

Array: TypeAlias = NDArray[Any]

REDUCED: dict[str, Any] = {"add": np.sum, "max": np.max, "min": np.min}


def program(text: str) -> ProgramOp:
    """The only program of a text."""
    context = Context()
    for dialect in (Builtin, Arith, Math, Spatial):
        context.load_dialect(dialect)
    module = Parser(context, text).parse_module()
    (found,) = (op for op in module.body.block.ops if isinstance(op, ProgramOp))
    return found


class PageByPage(Reference):
    """Pages on demand, each from those it needs: no levels, no streams, one site at a time."""

    def __init__(self, program: ProgramOp, trips: Trips, item: int, tensors: dict[str, Array]):
        super().__init__(program, Terms(), trips, item)
        machine = program.machine
        assert machine is not None
        self.tile = machine.tile
        self.tensors = tensors
        self.cells: dict[tuple[StageOp, Any], Array] = {}

    def cell(self, buffer: SSAValue, site: Site, k: int | None, h: int, w: int) -> Array:
        """The page of a buffer that a stage reads at a point."""
        makers: list[StageOp] = self.makers[buffer]
        if buffer in self.updates:
            done = self.blocks(site) if k is None else k
            makers = [*self.updates[buffer]] if done else makers
            k = done - 1 if done else None
        (maker,) = (stage for stage in makers if site in self.sites[stage])
        return self.made_cell(maker, site, k, h, w)

    def made_cell(self, stage: StageOp, site: Site, k: int | None, h: int, w: int) -> Array:
        """The page that a stage makes at a point."""
        k = (k or 0) if self.in_block(stage) else None
        key = (stage, (site, k, h, w))
        if key not in self.cells:
            self.cells[key] = self.new_cell(stage, site, k, h, w)
        return self.cells[key]

    def place(
        self, stage: LoadOp | StoreOp, site: Site, k: int | None, h: int, w: int
    ) -> tuple[list[int], NDArray[np.int64] | None]:
        """The address at a point, and the rows that an index page names."""
        values = [self.item, *site, k or 0, h, w, 0]
        rows = None
        if stage.index is not None:
            index = self.cell(stage.index, site, k, h, w).astype(np.int64)
            values[-1] = int(index[0, 0])
            rows = index.reshape(-1) if stage.rows is not None else None
        count = stage.address.data.num_dims
        return list(stage.address.data.eval(values[:count], [])), rows

    def elements(
        self, stage: LoadOp | StoreOp, site: Site, k: int | None, h: int, w: int, shape: Site
    ) -> tuple[tuple[Any, ...], NDArray[np.bool_]]:
        """For each element of a page, its place in the tensor, and whether that is inside."""
        address, named = self.place(stage, site, k, h, w)
        p, q = np.indices(shape)
        steps = [1, 1]
        if isinstance(stage, LoadOp) and stage.strides is not None:
            steps = list(stage.strides.get_values())
        (tile_rows, tile_cols), (row, col) = self.tile, address[-2:]
        down = p // tile_rows * steps[0] * tile_rows + p % tile_rows
        along = q // tile_cols * steps[1] * tile_cols + q % tile_cols
        if isinstance(stage, LoadOp) and stage.transpose is not None:
            down, along = along, down
            p = q
        rows = row * tile_rows + down if named is None else named[p]
        cols = col * tile_cols + along
        limits = self.tensors[self.label(stage.tensor)].shape
        inside = (rows >= 0) & (rows < limits[-2]) & (cols >= 0) & (cols < limits[-1])
        for at, limit in zip(address[:-2], limits, strict=False):
            inside &= 0 <= at < limit
        return (*address[:-2], rows, cols), inside

    def label(self, tensor: SSAValue) -> str:
        return argument_names(self.program)[tensor]

    def new_cell(self, stage: StageOp, site: Site, k: int | None, h: int, w: int) -> Array:
        if isinstance(stage, RecvOp):
            sender = self.groups[stage.source].sender[site]
            (sending,) = (s for s in self.senders[stage.source] if sender in self.sites[s])
            return self.made_cell(sending, sender, k, h, w)
        buffer = stage.page_write
        assert buffer is not None
        page = page_type(buffer)
        storage = storage_type(page.element_type)
        shape = page.shape[0] * self.tile[0], page.shape[1] * self.tile[1]
        if isinstance(stage, LoadOp):
            pad = 0 if stage.pad is None else stage.pad.value.data
            result = np.full(shape, pad, storage)
            at, inside = self.elements(stage, site, k, h, w, shape)
            tensor = self.tensors[self.label(stage.tensor)]
            result[inside] = tensor[tuple(np.broadcast_to(i, shape)[inside] for i in at)]
            return result
        wide = np.float32 if storage.kind not in "iub" else np.int32
        if isinstance(stage, MatmulOp):
            total = np.zeros(shape, np.float64 if wide is np.float32 else np.int64)
            for block in range(self.blocks(site)):
                lhs, rhs = (self.cell(b, site, block, 0, 0) for b in stage.page_reads)
                lhs = lhs[h * shape[0] : (h + 1) * shape[0]].astype(total.dtype)
                total += lhs @ rhs[:, w * shape[1] : (w + 1) * shape[1]].astype(total.dtype)
            return total.astype(wide).astype(storage)
        given = [self.cell(b, site, k, h, w).astype(wide) for b in stage.page_reads]
        match stage:
            case DotOp():
                lhs, rhs = given
                result = lhs @ (rhs.T if stage.transpose_b is not None else rhs)
            case MapOp():
                kinds = [Broadcast.NONE] * len(given)
                if stage.broadcasts is not None:
                    kinds = [kind.data for kind in stage.broadcasts]
                rows_of = {Broadcast.ROWS, Broadcast.SCALAR}
                cols_of = {Broadcast.COLS, Broadcast.SCALAR}
                for n, kind in enumerate(kinds):
                    given[n] = given[n][:1] if kind in rows_of else given[n]
                    given[n] = given[n][:, :1] if kind in cols_of else given[n]
                code = evaluated(stage.body.block, given, {}, "")
                result = np.broadcast_to(code, shape)
            case ReduceOp():
                axis = 0 if stage.axis.data == PageAxis.ROWS else 1
                result = np.zeros(shape, wide)
                values = REDUCED[str(stage.kind.data)](given[0], axis=axis)
                result[(0,) if axis == 0 else (slice(None), 0)] = values
            case AllReduceOp():
                result = REDUCED[str(stage.kind.data)](given, axis=0)
            case _:
                raise NotImplementedError(stage.name)
        return result.astype(storage)

    def store_into(self, after: dict[str, Array]) -> None:
        """Write everything that the program stores."""
        for stage in self.stages:
            if not isinstance(stage, StoreOp):
                continue
            for site in self.sites[stage]:
                for point in self._points(site, self.iterated(self._domains[stage])):
                    cell = self.cell(stage.buffer, site, point.k, point.h, point.w)
                    at, inside = self.elements(
                        stage, site, point.k, point.h, point.w, (cell.shape[0], cell.shape[1])
                    )
                    places = tuple(np.broadcast_to(i, cell.shape)[inside] for i in at)
                    after[self.label(stage.tensor)][places] = cell[inside]


@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(programs())
def test_random_programs_page_by_page(text: str):
    found = program(text)
    # Two pages of a scatter may go to one place.
    assume(not any(isinstance(s, StoreOp) and s.index is not None for s in found.stages))
    for trips in trip_choices(found):
        arguments = random_arguments(found, trips)
        try:
            results = run(found, arguments)
        except ValueError as error:
            if "reads outside" not in str(error) or " via " not in str(error):
                raise
            return  # a random index
        tensors = {n: v for n, v in arguments.items() if isinstance(v, np.ndarray)}
        after = {name: tensor.copy() for name, tensor in tensors.items()}
        with np.errstate(all="ignore"):
            for item in range(found.loop_nest.i.size):
                PageByPage(found, trips, item, tensors).store_into(after)
        for name, tensor in results.items():
            expected, have = after[name].astype(np.float64), tensor.astype(np.float64)
            np.testing.assert_allclose(have, expected, rtol=2**-7, atol=1e-5, err_msg=name)
