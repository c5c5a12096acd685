"""The program of a movement engine: loads, receives and stores of single pages in shared nests."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Region, SSAValue

from spatial_dialect.analysis.levels import Level
from spatial_dialect.analysis.nests import Holding, Loop, Nest, hold, nest_of
from spatial_dialect.dialects.choreo import (
    FlushOp,
    LoadIndexOp,
    McastSendOp,
    McastSetValidOp,
    PushOp,
    ReadBarrierOp,
    ReadTilesOp,
    ReserveOp,
    SemIncOp,
    SemSetOp,
    SemWaitOp,
    WriteBarrierOp,
    WriteTilesOp,
)
from spatial_dialect.dialects.spatial import GroupOp, LoadOp, RecvOp, StageOp, StoreOp
from spatial_dialect.ir.attributes import Comparison, FlushCondition

from .facts import Facts, Semaphores, Site, depth
from .writer import EngineWriter, Provenance

VALID, INVALID = 1, 0


def movement_program(site: Site, provenance: Provenance, semaphores: Semaphores) -> Region:
    """The code of one movement engine, for its stages of one site class."""
    return _MovementEngine(site, provenance, semaphores).write()


class _MovementEngine:
    def __init__(self, site: Site, provenance: Provenance, semaphores: Semaphores):
        self.site = site
        self.facts = site.facts
        self.semaphores = semaphores
        self.writer = EngineWriter(site.facts.program, provenance)
        self.nest = movement_nest(site)
        self.holding = hold_movement(self.facts, self.nest)

    def write(self) -> Region:
        self._steps(self.nest)
        return self.writer.finish()

    def _steps(self, nest: Nest) -> None:
        for step in nest.steps:
            if not isinstance(step, Loop):
                self._stage(step)
                continue
            self.writer.waits(self.holding.waits_before.get(step, {}))
            with self.writer.loop(step.name):
                self._steps(step.body)
            self.writer.pops(self.holding.pops_after.get(step, {}))

    def _stage(self, stage: StageOp) -> None:
        held = self.holding.held.get(stage, set())
        self.writer.waits({page: stage for page in self.facts.reads(stage) if page not in held})
        match stage:
            case LoadOp():
                self._load(stage)
            case RecvOp():
                self._receive(stage)
            case StoreOp():
                self._store(stage)
            case _:
                raise AssertionError(f"not a movement stage: {stage.name}")

    def _pops(self, stage: StageOp) -> None:
        last_read = self.holding.pops.get(stage, ())
        self.writer.pops({page: stage for page in self.facts.reads(stage) if page in last_read})

    def _load(self, stage: LoadOp) -> None:
        add, tag = self.writer.add, self.writer.provenance.of(stage)
        add(ReserveOp.one_page(stage.buffer, tag), stage)
        indices = self._address(stage)
        add(
            ReadTilesOp(
                stage.tensor,
                indices,
                stage.buffer,
                rows_from=stage.index if stage.rows is not None else None,
                stage=tag,
                strides=stage.strides,
                transpose=stage.transpose,
                pad=stage.pad,
            ),
            stage,
        )
        add(ReadBarrierOp(stage=tag), stage)
        self._pops(stage)
        self._send_on(stage)
        add(PushOp.one_page(stage.buffer, tag), stage)

    def _receive(self, stage: RecvOp) -> None:
        add, tag = self.writer.add, self.writer.provenance.of(stage)
        semaphores = self.semaphores[stage.source]
        add(ReserveOp.one_page(stage.buffer, tag), stage)
        # The flag is cleared before the sender is told that there is room, or it could arrive
        # before it is cleared.
        add(SemSetOp(semaphores.valid, INVALID, stage=tag), stage)
        add(SemIncOp(semaphores.ready, stage.source, stage=tag), stage)
        add(SemWaitOp(semaphores.valid, Comparison.EQ, VALID, stage=tag), stage)
        self._send_on(stage)
        add(PushOp.one_page(stage.buffer, tag), stage)

    def _store(self, stage: StoreOp) -> None:
        add, tag = self.writer.add, self.writer.provenance.of(stage)
        indices = self._address(stage)
        add(
            WriteTilesOp(
                stage.buffer,
                stage.tensor,
                indices,
                rows_from=stage.index if stage.rows is not None else None,
                stage=tag,
            ),
            stage,
        )
        add(WriteBarrierOp(stage=tag), stage)
        self._pops(stage)

    def _send_on(self, stage: LoadOp | RecvOp) -> None:
        """The sender's part of a multicast, if the stage has one."""
        if (group := stage.group) is None:
            return
        add, tag = self.writer.add, self.writer.provenance.of(stage)
        semaphores = self.semaphores[group]
        owner = group.owner
        assert isinstance(owner, GroupOp)
        needs_flush = self.facts.target.ordering == "needs_flush"
        add(SemWaitOp(semaphores.ready, Comparison.EQ, owner.ready_count, stage=tag), stage)
        add(SemSetOp(semaphores.ready, 0, stage=tag), stage)
        add(McastSendOp(stage.buffer, group, hold_path=not needs_flush, stage=tag), stage)
        if needs_flush:
            add(FlushOp(FlushCondition.NEEDS_FLUSH, stage=tag), stage)
        add(McastSetValidOp(semaphores.valid, group, stage=tag), stage)
        if depth(stage.buffer) == 1:
            # The next page goes where this one is still being sent from.
            add(FlushOp(stage=tag), stage)

    def _address(self, stage: LoadOp | StoreOp) -> list[SSAValue]:
        index = None
        if stage.index is not None and stage.rows is None:
            op = LoadIndexOp(stage.index, stage=self.writer.provenance.of(stage))
            op.index.name_hint = "ind"
            self.writer.add(op, stage)
            index = op.index
        return self.writer.address(stage.address.data, stage, index)


def movement_nest(site: Site) -> Nest:
    """The stages of a movement engine before, in and after the K loop, which is always a loop."""
    facts = site.facts
    nest = Nest(())
    for level in Level:
        stages = [(stage, facts.position(stage)) for stage in site.at(level)]
        nest.steps += nest_of(stages, facts.domains.loops).steps
    return nest


def hold_movement(facts: Facts, nest: Nest) -> Holding:
    """Where a movement engine waits for pages and pops them; all of it in its one nest."""

    def home(page: SSAValue, path: Sequence[Nest]) -> int:
        homes = [at for at, around in enumerate(path) if around.domain == facts.held_in(page)]
        # A K loop of one block has the domain of what is around it.
        return homes[-1 if facts.is_per_block(page) else 0]

    return hold(nest, facts.reads, home, lambda page: True)
