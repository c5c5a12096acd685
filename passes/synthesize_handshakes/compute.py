"""The program of the compute engine: chains and folds around the K blocks, matmuls inside them.

Before the blocks, in each block, after the blocks: three nests of stages. With a matmul, what comes
after is fused into the nest of the last block, so that each sub-block of the result is used up
directly after it is packed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Operation, Region, SSAValue

from spatial_dialect.analysis.domains import BLOCKS
from spatial_dialect.analysis.levels import Level
from spatial_dialect.analysis.nests import Holding, Loop, Nest, hold, nest_of
from spatial_dialect.dialects import choreo, spatial
from spatial_dialect.dialects.choreo import AcquireOp, PackOp, PushOp, ReleaseOp, ReserveOp
from spatial_dialect.dialects.spatial import ComputeStageOp, MatmulOp, StageOp, page_type
from spatial_dialect.ir.types import AccumulatorType

from .facts import Site
from .matmul_forms import Blocks, SubBlock, blocks_of, is_in_place, joined
from .writer import EngineWriter, Provenance

LONGEST_LISTED_DRAIN = 8
"""Pages up to which taking a ring's pages out is written page by page, which reads best; a longer
one is a loop, so that the code does not grow with the number of sub-blocks."""


def compute_program(site: Site, provenance: Provenance) -> Region:
    """The code of the compute engine, for its stages of one site class."""
    return _ComputeEngine(site, provenance).write()


class ComputeNests:
    """The three nests of a compute engine, and where they take and give back pages."""

    def __init__(self, site: Site):
        facts = site.facts
        self.site = site
        self.facts = facts
        self.matmuls = [stage for stage in site.stages if isinstance(stage, MatmulOp)]
        self.in_registers = not facts.domains.loops.k.is_one and any(
            matmul.spill is None for matmul in self.matmuls
        )
        chains = {
            level: [s for s in site.at(level) if not isinstance(s, MatmulOp)] for level in Level
        }
        self.chains = chains
        self.last_level: dict[SSAValue, Level] = {}
        for level in Level:
            for stage in chains[level]:
                self.last_level.update(dict.fromkeys(facts.reads(stage), level))
        self.factors = {page: m for m in self.matmuls for page in facts.reads(m)}
        self.carries = {
            stage.output: stage
            for stage in chains[Level.BLOCK]
            if isinstance(stage, ComputeStageOp) and stage.replaces_carry
        }
        self.nests = {level: self._nest(chains[level]) for level in Level}
        self.holding = {level: self._hold(level, self.nests[level]) for level in Level}

    def _nest(self, stages: Iterable[StageOp]) -> Nest:
        position = self.facts.position_in_block
        return nest_of([(stage, position(stage)) for stage in stages], self.facts.domains.loops)

    def sub_block_nest(self, last: bool) -> tuple[Nest, Holding]:
        """The nest of the matmuls' sub-blocks, in the last block with what comes after them."""
        facts = self.facts
        after = set(self.chains[Level.AFTER]) if last else set[StageOp]()
        stages = [
            (s, facts.sub_blocks if isinstance(s, MatmulOp) else facts.position_in_block(s))
            for s in self.site.stages
            if isinstance(s, MatmulOp) or s in after
        ]
        nest = nest_of(stages, facts.domains.loops)
        return nest, self._hold(Level.AFTER, nest)

    def _hold(self, level: Level, nest: Nest) -> Holding:
        facts = self.facts

        def home(page: SSAValue, path: Sequence[Nest]) -> int:
            domain = facts.domains.iterated(facts.domains.buffer[page] - BLOCKS)
            return next(at for at, around in enumerate(path) if around.domain == domain)

        def chain_reads(stage: StageOp) -> tuple[SSAValue, ...]:
            # A matmul's factors are waited for and popped around the whole nest of a block.
            return () if isinstance(stage, MatmulOp) else facts.reads(stage)

        return hold(nest, chain_reads, home, lambda page: self.gives_back(page, level))

    def gives_back(self, page: SSAValue, level: Level) -> bool:
        """Whether the pages of a buffer are popped by the stages of this level."""
        if self.last_level[page] is not level:
            return False
        if page in self.factors and not (self.in_registers and level is Level.AFTER):
            return False
        if level is not Level.BLOCK:
            return True
        # In the blocks, a carry is popped by its update, and what was made before them stays.
        if page in self.carries:
            return False
        return self.facts.is_per_block(page) or bool(self.facts.held_in(page))

    def retired(self) -> list[SSAValue]:
        """The buffers whose last pages nobody takes after the blocks, in the order as written."""
        return [op.buffer for op in self.facts.program.buffers if self._is_retired(op.buffer)]

    def _is_retired(self, buffer: SSAValue) -> bool:
        if buffer in self.factors:
            return False
        last = self.last_level.get(buffer)
        if buffer in self.carries:
            return last is not Level.AFTER
        return last is Level.BLOCK and not self.gives_back(buffer, Level.BLOCK)


class _ComputeEngine(ComputeNests):
    def __init__(self, site: Site, provenance: Provenance):
        super().__init__(site)
        self.writer = EngineWriter(site.facts.program, provenance)

    def write(self) -> Region:
        self._nested(self.nests[Level.BEFORE], self.holding[Level.BEFORE])
        if not self.matmuls:
            if self.chains[Level.BLOCK]:
                self._in_blocks(self._chains_of_block)
            self._retire()
            self._nested(self.nests[Level.AFTER], self.holding[Level.AFTER])
        elif self.in_registers:
            self._in_registers(self.matmuls[0])
        else:
            self._spilling(self.facts.domains.loops.k.size)
        return self.writer.finish()

    # Nests of stages ---------------------------------------------------------------------------

    def _nested(
        self, nest: Nest, holding: Holding, subs: dict[MatmulOp, SubBlock] | None = None
    ) -> None:
        for step in nest.steps:
            if isinstance(step, Loop):
                self.writer.waits(holding.waits_before.get(step, {}))
                with self.writer.loop(step.name):
                    self._nested(step.body, holding, subs)
                self.writer.pops(holding.pops_after.get(step, {}))
            elif isinstance(step, MatmulOp):
                assert subs is not None
                self._sub_block(step, subs[step])
            else:
                assert isinstance(step, ComputeStageOp)
                self._chain_stage(step, holding)

    def _chain_stage(self, stage: ComputeStageOp, holding: Holding) -> None:
        held = holding.held.get(stage, set())
        last_read = holding.pops.get(stage, ())
        asked = {page: stage for page in self.facts.reads(stage) if page not in held}
        pops = {page: stage for page in self.facts.reads(stage) if page in last_read}
        if stage.replaces_carry:
            if not any(
                self.facts.levels.of[reader] is Level.BLOCK
                for reader in self.site.readers(stage.output)
            ):
                asked[stage.output] = stage
            pops[stage.output] = stage
        self.writer.waits(asked)
        acc = self._acquire(stage)
        self._compute(stage, acc)
        self._put(stage, acc, SubBlock(stage.output))
        self._release(stage, acc)
        self.writer.pops(pops)

    def _retire(self) -> None:
        for page in self.retired():
            last = next(
                s
                for s in reversed(self.site.stages)
                if page in (*self.facts.reads(s), s.page_write)
            )
            self._take(page, last, self.facts.pages_per_block(page))

    def _take(self, page: SSAValue, stage: StageOp, count: int) -> None:
        """Waits for and pops so many pages, one at a time."""

        def once() -> None:
            self.writer.waits({page: stage})
            self.writer.pops({page: stage})

        if count <= LONGEST_LISTED_DRAIN:
            for _ in range(count):
                once()
        else:
            with self.writer.loop("w", 0, count):
                once()

    # K blocks ----------------------------------------------------------------------------------

    def _in_blocks(self, body: Callable[[], None]) -> None:
        """A body in each of the K blocks; there is no loop for one block."""
        if self.facts.domains.loops.k.is_one:
            body()
        else:
            with self.writer.loop("k"):
                body()

    def _chains_of_block(self) -> None:
        self._nested(self.nests[Level.BLOCK], self.holding[Level.BLOCK])

    def _factors(self, last: bool) -> dict[SSAValue, StageOp]:
        """The matmuls' factors to pop at the end of a block: those made once stay to the last."""
        return {
            page: matmul
            for page, matmul in self.factors.items()
            if last or self.facts.is_per_block(page)
        }

    def _in_registers(self, matmul: MatmulOp) -> None:
        acc = self._acquire(matmul)

        def block() -> None:
            self.writer.waits(self.factors)
            self._compute(matmul, acc)
            self.writer.pops(self._factors(last=False))

        self._in_blocks(block)
        for page in self.factors:
            # Waited for again, since no block may have run.
            if not self.facts.is_per_block(page) and self.last_level.get(page) is not Level.AFTER:
                self._take(page, matmul, 1)
        self._put(matmul, acc, SubBlock(matmul.output))
        self._release(matmul, acc)
        self._retire()
        self._nested(self.nests[Level.AFTER], self.holding[Level.AFTER])

    def _spilling(self, blocks: int) -> None:
        for matmul in self.matmuls:
            if blocks > 1 and is_in_place(matmul):
                pages = self.facts.domains.pages(self.facts.sub_blocks)
                tag = self.writer.provenance.of(matmul)
                self.writer.add(ReserveOp(matmul.output, pages, stage=tag), matmul)
        for part in joined([blocks_of(matmul, blocks) for matmul in self.matmuls]):
            if part.loop:
                with self.writer.loop("k", part.start, part.stop):
                    self._matmul_block(part, last=False)
            else:
                self._matmul_block(part, last=part.stop == blocks)
        self._retire()

    def _matmul_block(self, part: Blocks, last: bool) -> None:
        subs = dict(zip(self.matmuls, part.sub_blocks, strict=True))
        self._chains_of_block()
        self.writer.waits(self.factors)
        nest, holding = self.sub_block_nest(last)
        self._nested(nest, holding, subs)
        for matmul, sub in subs.items():
            if sub.drain:
                pages = self.facts.domains.pages(self.facts.sub_blocks)
                self._take(sub.target, matmul, pages)
        self.writer.pops(self._factors(last))

    def _sub_block(self, matmul: MatmulOp, sub: SubBlock) -> None:
        acc = self._acquire(matmul)
        if sub.reload is not None:
            self.writer.waits({sub.reload: matmul})
        self._compute(matmul, acc, sub.reload)
        if sub.reload is not None:
            self.writer.pops({sub.reload: matmul})
        self._put(matmul, acc, sub)
        self._release(matmul, acc)

    # Single ops --------------------------------------------------------------------------------

    def _acquire(self, stage: ComputeStageOp) -> SSAValue:
        type = AccumulatorType.of(page_type(stage.output).tiles, stage.accumulator_type)
        op = AcquireOp(type, stage=self.writer.provenance.of(stage))
        op.acc.name_hint = "acc"
        self.writer.add(op, stage)
        return op.acc

    def _put(self, stage: ComputeStageOp, acc: SSAValue, sub: SubBlock) -> None:
        tag = self.writer.provenance.of(stage)
        if sub.reserve:
            self.writer.add(ReserveOp.one_page(sub.target, tag), stage)
        pack = PackOp(acc, sub.target, accumulate=sub.accumulate, stage=tag)
        self.writer.add(pack, stage)
        self.writer.add(PushOp.one_page(sub.target, tag), stage)

    def _release(self, stage: ComputeStageOp, acc: SSAValue) -> None:
        self.writer.add(ReleaseOp(acc, stage=self.writer.provenance.of(stage)), stage)

    def _compute(
        self, stage: ComputeStageOp, acc: SSAValue, reload: SSAValue | None = None
    ) -> None:
        tag = self.writer.provenance.of_computation(stage)
        op: Operation
        match stage:
            case MatmulOp():
                block: tuple[SSAValue, ...] = ()
                if self.facts.sub_blocks:
                    block = (self.writer.loop_value("h"), self.writer.loop_value("w"))
                op = choreo.MatmulOp(acc, stage.lhs, stage.rhs, block, reload=reload, stage=tag)
            case spatial.DotOp():
                transpose = UnitAttr() if stage.transpose_b is not None else None
                op = choreo.DotOp(acc, stage.lhs, stage.rhs, transpose_b=transpose, stage=tag)
            case spatial.MapOp():
                body = stage.body.clone()
                op = choreo.MapOp(acc, stage.inputs, body, broadcasts=stage.broadcasts, stage=tag)
            case spatial.ReduceOp():
                op = choreo.ReduceOp(stage.kind, stage.axis, acc, stage.input, stage=tag)
            case spatial.AllReduceOp():
                op = choreo.AllReduceOp(stage.kind, acc, stage.inputs, stage.group, stage=tag)
            case _:
                raise AssertionError(f"not a compute stage: {stage.name}")
        self.writer.add(op, stage)
