"""How long a program takes, by a closed formula of its target's figures.

Per item of a site, each engine takes the sum of what its stages take; a stage costs the same for
each of its pages. A movement engine issues one move a tile and waits once a page for the way to
DRAM, or to another site, and for the bytes; the compute engine unpacks, computes and packs one
after the other. Engines that are joined by rings of two pages or more work at the same time, so
that an item takes as long as the slowest. All sites share the bandwidth of DRAM. The first block
also fills the pipeline: it waits once for every engine.

Nothing here goes over sites, items or blocks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from spatial_dialect.analysis.dataflow import Dataflow
from spatial_dialect.analysis.domains import Domains, domains
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
from spatial_dialect.ir.loops import Loops
from spatial_dialect.ir.types import BufferType, element_bits
from spatial_dialect.targets import Target, get_target

DEFAULT_TARGET = "wormhole"
"""The machine that programs without a target are for."""


@dataclass(frozen=True)
class Estimate:
    """What a program is predicted to take, in clock cycles of a site and in bytes."""

    item_cycles: float
    """One item of a site."""
    total_cycles: float
    """All items of all sites."""
    compute_cycles: float
    """The compute engine, for an item."""
    move_cycles: tuple[float, ...]
    """Each movement engine, for an item."""
    dram_cycles: float
    """What DRAM needs for all bytes."""
    dram_bytes: int
    """What all sites read from and write to DRAM."""
    local_bytes: int
    """The rings of a site, with the depths that they have, or that they do well with."""
    least_bytes: int
    """The same with a single page where that is enough to go on."""
    serial_cycles: float
    """All items of all sites, if engines cannot work at the same time for lack of room."""


def page_bytes(page: BufferType, target: Target) -> int:
    """The bytes of a page in local memory."""
    elements = page.tiles * prod(target.tile)
    return -(-int(elements * element_bits(page.element_type)) // 8)


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

    Args:
        program: a program with loops.
        target: the machine, if it is not the program's own.
        grid: for a program that is not placed, the sites that its items are spread over.
    """
    model = CostModel.of(program, target or target_of(program))
    shapes: dict[SSAValue, tuple[int, int]] = {
        buffer.buffer: buffer.page.shape for buffer in program.buffers
    }
    return model.estimate(shapes, program.loop_nest, grid)


@dataclass(frozen=True)
class CostModel:
    """A program whose pages and loops may still change in extent."""

    program: ProgramOp
    machine: Target
    flow: Dataflow
    domains: Domains
    """By loops that may have any extent."""

    @staticmethod
    def of(program: ProgramOp, machine: Target) -> CostModel:
        """The model of a program of stages."""
        flow = Dataflow.of(program)
        return CostModel(program, machine, flow, domains(flow, program.loop_nest))

    def estimate(
        self,
        shapes: Mapping[SSAValue, tuple[int, int]],
        loops: Loops,
        grid: tuple[int, int] | None = None,
    ) -> Estimate:
        """What the program takes with pages of these shapes, in tiles, and these loops."""
        return _Sums(self, shapes, loops, grid).result()

    def is_spill(self, buffer: SSAValue) -> bool:
        """Whether a ring takes the partial sums of a matmul."""
        return any(isinstance(s, MatmulOp) and s.spill is buffer for s in self.flow.stages)

    def least_depth(self, buffer: SSAValue, loops: Loops | None = None) -> int:
        """A depth that a ring does well with.

        What its form needs: a page for each sub-block for partial sums, and one more for a carry;
        two pages between engines, so that one can fill while another drains; else one.
        """
        nest = self.program.loop_nest if loops is None else loops
        if self.is_spill(buffer):
            return nest.pages(("h", "w"))
        if buffer in self.flow.updates:
            return nest.pages(self.domains.buffer[buffer] & {"h", "w"}) + 1
        return 2 if _between_engines(buffer, self.flow) else 1

    def is_hand_over(self, buffer: SSAValue) -> bool:
        """Whether two pages of a ring serve two engines to work at the same time."""
        held = self.is_spill(buffer) or buffer in self.flow.updates
        return not held and _between_engines(buffer, self.flow)

    def moving_cycles(self, buffer: SSAValue) -> float:
        """What the engines that move the pages of a ring take for an item."""
        shapes: dict[SSAValue, tuple[int, int]] = {
            each.buffer: each.page.shape for each in self.program.buffers
        }
        sums = _Sums(self, shapes, self.program.loop_nest, None)
        stages = (*self.flow.makers.get(buffer, ()), *self.flow.readers.get(buffer, ()))
        return sum(
            sums.moving(stage) for stage in stages if not isinstance(stage, ComputeStageOp)
        )


class _Sums:
    """The sums over the stages of a program."""

    def __init__(
        self,
        model: CostModel,
        shapes: Mapping[SSAValue, tuple[int, int]],
        loops: Loops,
        grid: tuple[int, int] | None,
    ):
        self.model, self.shapes, self.loops = model, shapes, loops
        self.machine, self.costs = model.machine, model.machine.costs
        items = loops.i.size
        placed = model.program.grid_shape
        self.sites = 0 if placed is not None else min(items, prod(grid or (1, 1)))
        self.items = items if placed is not None else -(-items // self.sites)
        stages = model.flow.stages
        self.compute = sum(self.computing(s) for s in stages if isinstance(s, ComputeStageOp))
        self.dram = sum(self.moved(s) for s in stages if isinstance(s, LoadOp | StoreOp))
        self.moves = [0.0] * self.machine.move_engines
        # A site is at one end of a group: what the other end takes is not on top of it.
        ends = {stage: party for party in model.flow.parties for stage in party}
        slowest: dict[tuple[tuple[StageOp, ...], int], float] = {}
        for stage in stages:
            if not isinstance(stage, ComputeStageOp):
                key = ends.get(stage, (stage,)), _engine(stage, self.machine)
                slowest[key] = max(slowest.get(key, 0.0), self.moving(stage))
        for (_, engine), cycles in slowest.items():
            self.moves[engine] += cycles

    def bytes(self, *buffers: SSAValue) -> int:
        """The bytes of a page of each buffer."""
        total = 0
        for buffer in buffers:
            rows, cols = self.shapes[buffer]
            bits = element_bits(page_type(buffer).element_type)
            total += -(-int(rows * cols * prod(self.machine.tile) * bits) // 8)
        return total

    def tiles(self, buffer: SSAValue) -> int:
        """The tiles of a page."""
        return prod(self.shapes[buffer])

    def result(self) -> Estimate:
        """The whole."""
        flow = self.model.flow
        local = least = 0
        serial = False
        for buffer in self.model.program.buffers:
            if buffer.alias is None:
                size = self.bytes(buffer.buffer)
                depth = buffer.pages or self.model.least_depth(buffer.buffer, self.loops)
                local += depth * size
                single = buffer.pages is None and self.model.is_hand_over(buffer.buffer)
                least += size if single else depth * size
            serial |= buffer.pages == 1 and _between_engines(buffer.buffer, flow)
        engines = (self.compute, *self.moves)
        item = sum(engines) if serial else max(engines)
        dram_cycles = self.dram / self.costs.dram_bytes_per_cycle.value
        filling = (sum(engines) - max(engines)) / max(1, self.loops.k.size)
        total = max(self.items * item, dram_cycles) + filling
        return Estimate(
            item_cycles=item,
            total_cycles=total,
            compute_cycles=self.compute,
            move_cycles=tuple(self.moves),
            dram_cycles=dram_cycles,
            dram_bytes=self.dram,
            local_bytes=local,
            least_bytes=least,
            serial_cycles=max(self.items * sum(engines), dram_cycles),
        )

    def moving(self, stage: StageOp) -> float:
        """What a load, a receive or a store takes for an item."""
        costs = self.costs
        buffer = _moved(stage)
        size = self.bytes(buffer)
        far = not isinstance(stage, RecvOp)
        sends = isinstance(stage, LoadOp | RecvOp) and stage.group is not None
        cycles = (costs.dram_cycles if far else costs.remote_cycles).value
        cycles += size / costs.link_bytes_per_cycle.value
        cycles += self.tiles(buffer) * costs.issue_cycles.value if far else 0.0
        cycles += 2 * costs.semaphore_cycles.value * ((not far) + sends)
        if sends:
            cycles += size / costs.link_bytes_per_cycle.value + costs.issue_cycles.value
        return self.loops.pages(self.model.domains.stage[stage]) * cycles

    def moved(self, stage: LoadOp | StoreOp) -> int:
        """The bytes that a load or a store moves from or to DRAM, for all sites and items."""
        pages = self.loops.pages(self.model.domains.stage[stage])
        count = self.sites or self.model.flow.sites[stage].count
        return pages * self.bytes(_moved(stage)) * count * self.items

    def computing(self, stage: ComputeStageOp) -> float:
        """What a compute stage takes for an item."""
        costs = self.costs
        pack, unpack = costs.pack_bytes_per_cycle.value, costs.unpack_bytes_per_cycle.value
        packed = self.bytes(stage.page_write) / pack
        rows, cols = self.shapes[stage.page_write]
        match stage:
            case MatmulOp():
                blocks, subs = self.loops.pages(("k",)), self.loops.pages(("h", "w"))
                rows, inner = self.shapes[stage.lhs]
                cols = self.shapes[stage.rhs][1]
                cycles = blocks * rows * inner * cols * self.product(stage)
                cycles += blocks * self.bytes(stage.lhs, stage.rhs) / unpack + subs * packed
                if stage.spill is not None:
                    size = self.bytes(stage.spill)
                    cycles += (blocks - 1) * subs * (size / pack + size / unpack)
                return cycles
            case DotOp():
                cycles = rows * self.shapes[stage.lhs][1] * cols * self.product(stage)
            case ReduceOp():
                cycles = self.tiles(stage.input) * costs.reduce_cycles.value
            case MapOp():
                code = [op for op in stage.body.block.ops if not isinstance(op, _FREE)]
                cycles = rows * cols * max(1, len(code)) * costs.map_cycles.value
            case _:
                cycles = rows * cols * len(stage.page_reads) * costs.map_cycles.value
        pages = self.loops.pages(self.model.domains.nest[stage])
        return pages * (cycles + self.bytes(*stage.page_reads) / unpack + packed)

    def product(self, stage: MatmulOp | DotOp) -> float:
        """The cycles of a product of two tiles; the exponents that block floats share are free."""
        costs = self.costs
        bits = max(element_bits(page_type(value).element_type) for value in (stage.lhs, stage.rhs))
        widths = (
            (4, costs.matmul_cycles_4),
            (8, costs.matmul_cycles_8),
            (16, costs.matmul_cycles_16),
        )
        wide = costs.matmul_cycles_32
        return next((figure for width, figure in widths if int(bits) <= width), wide).value


def move_cycles(program: ProgramOp) -> Mapping[StageOp, float]:
    """What each stage that moves pages takes of its engine, for an item."""
    model = CostModel.of(program, target_of(program))
    shapes: dict[SSAValue, tuple[int, int]] = {b.buffer: b.page.shape for b in program.buffers}
    sums = _Sums(model, shapes, program.loop_nest, None)
    stages = (stage for stage in model.flow.stages if not isinstance(stage, ComputeStageOp))
    return {stage: sums.moving(stage) for stage in stages}


_FREE = (YieldOp, arith.ConstantOp)


def _between_engines(buffer: SSAValue, flow: Dataflow) -> bool:
    stages = (*flow.makers.get(buffer, ()), *flow.readers.get(buffer, ()))
    return any(not isinstance(stage, ComputeStageOp) for stage in stages)


def _moved(stage: StageOp) -> SSAValue:
    """The buffer whose pages a stage moves."""
    buffer = stage.buffer if isinstance(stage, StoreOp) else stage.page_write
    assert buffer is not None
    return buffer


def _engine(stage: StageOp, machine: Target) -> int:
    attr = stage.engine_attr
    if attr is not None and not attr.is_compute:
        return min(attr.data, machine.move_engines - 1)
    return machine.move_engines - 1 if isinstance(stage, StoreOp) else 0
