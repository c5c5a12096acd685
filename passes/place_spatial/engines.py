"""Which movement engine a stage runs on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from spatial_dialect.analysis.dataflow import Dataflow
from spatial_dialect.dialects.spatial import (
    LoadOp,
    MoveStageOp,
    ProgramOp,
    RecvOp,
    StageOp,
    StoreOp,
)
from spatial_dialect.ir.attributes import EngineAttr
from spatial_dialect.targets import Target


def assign_engines(program: ProgramOp, machine: Target, cycles: Mapping[StageOp, float]) -> None:
    """Puts the stages that move pages on engines, so that none of these has much more to do.

    Stores are on the last engine. What belongs together stays together: the two ends of a group,
    the readers of one buffer, and an index page with what is read through it. Stages that are on
    an engine already stay there.

    Args:
        program: the program.
        machine: its target.
        cycles: what a stage costs its engine.
    """
    flow = Dataflow.of(program)
    load = [0.0] * machine.move_engines
    waiting: list[Sequence[MoveStageOp]] = []
    for bundle in _bundles(flow):
        given = next((stage.engine for stage in bundle if stage.engine is not None), None)
        if given is None and any(isinstance(stage, StoreOp) for stage in bundle):
            given = EngineAttr.move(machine.move_engines - 1)
        if given is None:
            waiting.append(bundle)
        else:
            _put(bundle, given, load, cycles)
    # The largest first, each where there is least to do.
    for bundle in sorted(waiting, key=lambda bundle: -_sum(bundle, cycles)):
        _put(bundle, EngineAttr.move(load.index(min(load))), load, cycles)


def _put(
    bundle: Iterable[MoveStageOp],
    engine: EngineAttr,
    load: list[float],
    cycles: Mapping[StageOp, float],
) -> None:
    for stage in bundle:
        if stage.engine is None:
            stage.engine = engine
        load[stage.engine.data] += _sum((stage,), cycles)


def _sum(bundle: Iterable[MoveStageOp], cycles: Mapping[StageOp, float]) -> float:
    # A site that receives a page does not read it: of the two, reading takes longer.
    return sum(cycles[stage] for stage in bundle if not isinstance(stage, RecvOp))


def _bundles(flow: Dataflow) -> Sequence[Sequence[MoveStageOp]]:
    """The stages that move pages, those that share an engine together, in textual order."""
    bundle_of: dict[StageOp, list[MoveStageOp]] = {
        stage: [stage] for stage in flow.stages if isinstance(stage, MoveStageOp)
    }

    def join(stages: Iterable[StageOp]) -> None:
        parts = {id(bundle_of[stage]): bundle_of[stage] for stage in stages if stage in bundle_of}
        joined = [stage for part in parts.values() for stage in part]
        bundle_of.update((stage, joined) for stage in joined)

    for party in flow.parties:
        join(party)
    for buffer, readers in flow.readers.items():
        join(readers)
        for reader in readers:
            if isinstance(reader, LoadOp | StoreOp) and reader.index == buffer:
                join((reader, *flow.makers.get(buffer, ())))
    return tuple({id(bundle): bundle for bundle in bundle_of.values()}.values())
