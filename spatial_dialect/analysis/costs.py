"""How long a program takes, by a closed formula of its target's figures.

Per item of a site, each engine takes the sum of what its stages take, and a stage the same for each
of its pages:

- a movement engine issues one move a tile, then waits once a page for the way to DRAM or to the
  other site, and for the bytes to pass the port of the site; what it sends on passes the port
  again, and each end of a multicast sets or tests semaphores;
- the compute engine unpacks, computes and packs one after the other. A matmul unpacks its factors
  for each sub-block; partial sums that are reloaded are packed and unpacked once a K block, those
  that the packer adds to are unpacked once an item.

Engines that are joined by rings of two pages or more work at the same time, so that an item takes
as long as the slowest of them; if one page is all that some ring has, as long as all of them. Items
follow each other, and the site with the most to do decides. All sites share the bandwidth of DRAM,
to which only the senders of a multicast go. The first block also fills the pipeline: it waits once
for every engine.

Nothing here goes over sites, items or blocks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import ceil, prod

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from spatial_dialect.analysis.dataflow import Dataflow
from spatial_dialect.analysis.domains import BLOCKS, SUB_BLOCKS, Domains, domains
from spatial_dialect.analysis.levels import Levels, levels
from spatial_dialect.analysis.ring_needs import RingNeeds
from spatial_dialect.analysis.site_classes import site_classes
from spatial_dialect.dialects.spatial import (
    ComputeStageOp,
    DotOp,
    LoadOp,
    MapOp,
    MatmulOp,
    ProgramOp,
    RecvOp,
    ReduceOp,
    StageOp,
    StoreOp,
    YieldOp,
    page_type,
)
from spatial_dialect.ir.attributes import Spill
from spatial_dialect.ir.loops import PAGE_LOOPS, LoopName, Loops
from spatial_dialect.ir.sites import Sites
from spatial_dialect.ir.types import BufferType, element_bits
from spatial_dialect.targets import Target, get_target

DEFAULT_TARGET = "wormhole"
"""The machine that programs without a target are for."""


@dataclass(frozen=True)
class Estimate:
    """What a program is predicted to take, in clock cycles of a site and in bytes."""

    item_cycles: float
    """One item, on the site that takes longest."""
    total_cycles: float
    """All items of all sites."""
    serial_cycles: float
    """The same without room for second pages, so that no two engines work at the same time."""
    compute_cycles: float
    """The compute engine, for an item, where it takes longest."""
    move_cycles: tuple[float, ...]
    """Each movement engine, for an item, where it takes longest."""
    dram_cycles: float
    """What DRAM needs for all bytes."""
    dram_bytes: int
    """What all sites read from and write to DRAM."""
    local_bytes: int
    """The rings of a site, with the depths that they have, or that they do well with."""
    least_bytes: int
    """The same with no second pages for engines to work at the same time."""


def page_bytes(page: BufferType, target: Target) -> int:
    """The bytes of a page in local memory."""
    return ceil(page.tiles * prod(target.tile) * element_bits(page.element_type) / 8)


def target_of(program: ProgramOp) -> Target:
    """The target of a program, or the one that programs are for if they say none."""
    return program.machine or get_target(DEFAULT_TARGET)


def estimate(
    program: ProgramOp,
    *,
    target: Target | None = None,
    grid: tuple[int, int] | None = None,
) -> Estimate:
    """What a program of stages is predicted to take.

    Without a place for its stages, loads count on the first movement engine and stores on the last,
    and every site reads its own pages.

    Args:
        program: a program with loops.
        target: the machine, if it is not the program's own.
        grid: for a program that is not placed, the sites that its items are spread over.
    """
    model = CostModel.of(program, target or target_of(program))
    return model.estimate(model.shapes, program.loop_nest, grid)


def move_cycles(program: ProgramOp) -> Mapping[StageOp, float]:
    """What each stage that moves pages takes of its engine, for an item."""
    model = CostModel.of(program, target_of(program))
    costs = StageCosts(model, model.shapes, program.loop_nest)
    stages = (stage for stage in model.flow.stages if not isinstance(stage, ComputeStageOp))
    return {stage: costs.moving(stage) for stage in stages}


@dataclass(frozen=True)
class CostModel:
    """A program whose pages and loops may still change in extent.

    Its addresses have to name the loops, even those that the program runs once.
    """

    program: ProgramOp
    machine: Target
    flow: Dataflow
    shapes: Mapping[SSAValue, tuple[int, int]]
    """The pages that the program has, in tiles."""
    tile_bytes: Mapping[SSAValue, float]
    """The bytes of a tile of each buffer."""
    depths: Mapping[SSAValue, int | None]
    """The depths of the rings that have memory of their own, as far as they are known."""
    handed_over: frozenset[SSAValue]
    """The rings that one engine fills and another drains."""
    _orders: dict[tuple[LoopName, ...], tuple[Domains, Levels]] = field(
        default_factory=dict[tuple[LoopName, ...], tuple[Domains, Levels]]
    )
    """By which loops run more than once: only these decide."""

    @staticmethod
    def of(program: ProgramOp, machine: Target) -> CostModel:
        """The model of a program of stages."""
        flow, buffers = Dataflow.of(program), program.buffers
        elements = prod(machine.tile)
        moving = [stage for stage in flow.stages if not isinstance(stage, ComputeStageOp)]
        ends = {value for stage in moving for value in (*stage.page_reads, stage.page_write)}
        return CostModel(
            program,
            machine,
            flow,
            shapes={each.buffer: each.page.shape for each in buffers},
            tile_bytes={
                each.buffer: elements * element_bits(each.page.element_type) / 8 for each in buffers
            },
            depths={each.buffer: each.pages for each in buffers if each.alias is None},
            handed_over=frozenset(value for value in ends if value is not None),
        )

    def needs(self, loops: Loops) -> RingNeeds:
        """What the rings must hold at once, with loops of these extents."""
        key = loops.iterated(PAGE_LOOPS)
        if key not in self._orders:
            found = domains(self.flow, loops)
            self._orders[key] = found, levels(self.flow, found)
        found, order = self._orders[key]
        return RingNeeds(self.flow, replace(found, loops=loops), order)

    def estimate(
        self,
        shapes: Mapping[SSAValue, tuple[int, int]],
        loops: Loops,
        grid: tuple[int, int] | None = None,
    ) -> Estimate:
        """What the program takes with pages of these shapes, in tiles, and these loops."""
        costs = StageCosts(self, shapes, loops)
        items = per_site = loops.i.size
        placed = self.program.grid_shape is not None
        if not placed:
            per_site = -(-items // prod(grid or (1, 1)))
        dram_bytes = sum(
            costs.dram_bytes(stage) * items * (self.flow.sites[stage].count if placed else 1)
            for stage in self.flow.stages
            if isinstance(stage, LoadOp | StoreOp)
        )
        return self.total(costs, [(per_site, dram_bytes)])

    def total(self, costs: StageCosts, spreads: Iterable[tuple[int, int]]) -> Estimate:
        """What the program takes if its items are shared out in the best of some ways.

        Args:
            costs: those of its stages.
            spreads: for each way, the most items of a site, and the bytes from and to DRAM.
        """
        local, least, serial = self._rings(costs)
        engines = self._engines(costs)
        together = max(map(sum, engines), default=0.0)
        item = together if serial else max(map(max, engines), default=0.0)
        filling = max((sum(site) - max(site) for site in engines), default=0.0)
        rate = self.machine.costs.dram_bytes_per_cycle.value
        items, dram_bytes = min(
            spreads, key=lambda spread: (max(spread[0] * item, spread[1] / rate), spread[1])
        )
        dram_cycles = dram_bytes / rate
        compute, *moves = (max(cycles, default=0.0) for cycles in zip(*engines, strict=True))
        return Estimate(
            item_cycles=item,
            total_cycles=max(items * item, dram_cycles) + filling / max(1, costs.loops.k.size),
            serial_cycles=max(items * together, dram_cycles),
            compute_cycles=compute,
            move_cycles=tuple(moves),
            dram_cycles=dram_cycles,
            dram_bytes=dram_bytes,
            local_bytes=local,
            least_bytes=least,
        )

    def _rings(self, costs: StageCosts) -> tuple[int, int, bool]:
        """The bytes of all rings, with second pages and without, and whether some have none."""
        local = least = 0
        serial = False
        for buffer, depth in self.depths.items():
            size, handed_over = costs.bytes(buffer), buffer in self.handed_over
            needed = depth or costs.needs.least(buffer)
            usual = depth or max(needed, 2 if handed_over else 1)
            local, least = local + usual * size, least + needed * size
            serial |= depth == 1 and handed_over
        return local, least, serial

    def _engines(self, costs: StageCosts) -> list[tuple[float, ...]]:
        """For each kind of site, what its engines take for an item, the compute engine first."""
        sums: dict[Sites, list[float]] = {}
        for stage in self.flow.stages:
            cycles = sums.setdefault(
                self.flow.sites[stage], [0.0] * (1 + self.machine.move_engines)
            )
            if isinstance(stage, ComputeStageOp):
                cycles[0] += costs.computing(stage)
            else:
                cycles[1 + _engine(stage, self.machine)] += costs.moving(stage)
        if len(sums) < 2:
            return [tuple(cycles) for cycles in sums.values()]
        grid = self.program.grid_sites or Sites.grid(1, 1)
        found: list[tuple[float, ...]] = []
        for kind in site_classes(grid, tuple(sums), ()):
            here = [cycles for sites, cycles in sums.items() if sites.contains(*kind.first)]
            found.append(tuple(sum(engine) for engine in zip(*here, strict=True)))
        return found


class StageCosts:
    """What single stages take, with pages of given shapes and loops of given extents."""

    def __init__(self, model: CostModel, shapes: Mapping[SSAValue, tuple[int, int]], loops: Loops):
        self.shapes, self.loops = shapes, loops
        self.machine, self.costs = model.machine, model.machine.costs
        self.needs = model.needs(loops)
        self.domains = self.needs.domains
        self.tiles = {buffer: rows * cols for buffer, (rows, cols) in shapes.items()}
        self._bytes = {
            buffer: ceil(tiles * model.tile_bytes[buffer]) for buffer, tiles in self.tiles.items()
        }

    def bytes(self, *buffers: SSAValue) -> int:
        """The bytes of a page of each buffer."""
        return sum(self._bytes[buffer] for buffer in buffers)

    def dram_bytes(self, stage: LoadOp | StoreOp) -> int:
        """The bytes that a load or a store moves from or to DRAM, for an item."""
        return self.loops.pages(self.domains.stage[stage]) * self.bytes(stage.buffer)

    def moving(self, stage: StageOp) -> float:
        """What a load, a receive or a store takes for an item."""
        costs = self.costs
        buffer = stage.buffer if isinstance(stage, StoreOp) else stage.page_write
        assert buffer is not None
        port = self.bytes(buffer) / costs.link_bytes_per_cycle.value
        sends = isinstance(stage, LoadOp | RecvOp) and stage.group is not None
        if isinstance(stage, RecvOp):
            cycles = costs.remote_cycles.value + port + 2 * costs.semaphore_cycles.value
        else:
            cycles = costs.dram_cycles.value + port + self.tiles[buffer] * costs.issue_cycles.value
        if sends:
            cycles += port + costs.issue_cycles.value + 2 * costs.semaphore_cycles.value
        return self.loops.pages(self.domains.stage[stage]) * cycles

    def computing(self, stage: ComputeStageOp) -> float:
        """What a compute stage takes for an item."""
        if isinstance(stage, MatmulOp):
            return self.multiplying(stage)
        costs, output = self.costs, stage.page_write
        match stage:
            case DotOp():
                inner = self.shapes[stage.lhs][1]
                cycles = self.tiles[output] * inner * self.product_cycles(stage)
            case ReduceOp():
                cycles = self.tiles[stage.input] * costs.reduce_cycles.value
            case MapOp():
                code = [op for op in stage.body.block.ops if not isinstance(op, _FREE)]
                cycles = self.tiles[output] * max(1, len(code)) * costs.map_cycles.value
            case _:
                cycles = self.tiles[output] * len(stage.page_reads) * costs.map_cycles.value
        cycles += self.unpacking(*stage.page_reads) + self.packing(output)
        return self.loops.pages(self.domains.nest[stage]) * cycles

    def multiplying(self, stage: MatmulOp) -> float:
        """What a matmul takes for an item."""
        blocks, subs = self.loops.pages(BLOCKS), self.loops.pages(SUB_BLOCKS)
        rows, inner = self.shapes[stage.lhs]
        cols = self.shapes[stage.rhs][1]
        cycles = blocks * rows * inner * cols * self.product_cycles(stage)
        cycles += blocks * self.loops.pages(("w",)) * self.unpacking(stage.lhs)
        cycles += blocks * self.loops.pages(("h",)) * self.unpacking(stage.rhs)
        cycles += subs * self.packing(stage.output)
        if stage.spill is not None and blocks > 1:
            adds = stage.by.data == Spill.PACK
            cycles += (blocks - 1) * subs * self.packing(stage.spill)
            cycles += (1 if adds else blocks - 1) * subs * self.unpacking(stage.spill)
        return cycles

    def product_cycles(self, stage: MatmulOp | DotOp) -> float:
        """The cycles of a product of two tiles; the exponents that block floats share are free."""
        costs = self.costs
        bits = int(max(element_bits(page_type(b).element_type) for b in (stage.lhs, stage.rhs)))
        widths = (
            (4, costs.matmul_cycles_4),
            (8, costs.matmul_cycles_8),
            (16, costs.matmul_cycles_16),
        )
        wide = costs.matmul_cycles_32
        return next((figure for width, figure in widths if bits <= width), wide).value

    def unpacking(self, *buffers: SSAValue) -> float:
        """What it takes to bring a page of each buffer to the compute engine."""
        return self.bytes(*buffers) / self.costs.unpack_bytes_per_cycle.value

    def packing(self, buffer: SSAValue) -> float:
        """What it takes to bring a page back to local memory."""
        return self.bytes(buffer) / self.costs.pack_bytes_per_cycle.value


_FREE = (YieldOp, arith.ConstantOp)
"""What takes no time in the code of a map."""


def _engine(stage: StageOp, machine: Target) -> int:
    attr = stage.engine_attr
    if attr is not None and not attr.is_compute:
        return min(attr.data, machine.move_engines - 1)
    return machine.move_engines - 1 if isinstance(stage, StoreOp) else 0
