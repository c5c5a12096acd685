"""Where stages stand in relation to the K blocks: before them, in each of them, or after them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from spatial_dialect.analysis.dataflow import Dataflow, ordered
from spatial_dialect.analysis.domains import Domains
from spatial_dialect.dialects.spatial import MatmulOp, MoveStageOp, StageOp


class Level(Enum):
    """A part of an item, in the order in which the parts run."""

    BEFORE = "before the K blocks"
    """The prologue."""
    BLOCK = "in every K block"
    """The body."""
    AFTER = "after the K blocks"
    """The epilogue."""


@dataclass(frozen=True)
class Levels:
    """Level of each stage, and the order all engines of all sites take their stages in."""

    of: Mapping[StageOp, Level]

    order: tuple[StageOp, ...]
    """The dataflow rank: a stage comes after those whose pages it takes, and in a block a carry
    is read before it is updated; ties as written."""


def levels(flow: Dataflow, domains: Domains) -> Levels:
    """The level of each stage and the dataflow rank.

    Both are statements about the whole program, never about one site: two sites that ordered the
    stages they share differently could hang. For the same reason a group's sender and receivers
    have one level and stand side by side in the rank: while the sender waits for its receivers,
    no other multicast may come between them.

    Raises:
        Cycle: the stages cannot be ordered.
    """
    of = _levels(flow, domains)
    sources: dict[StageOp, list[StageOp]] = {s: list(flow.sources(s)) for s in flow.stages}
    for carry, updates in flow.updates.items():
        for update in updates:
            sources[update] += (
                reader
                for reader in flow.readers_for(update, carry)
                if reader is not update and of[reader] is Level.BLOCK
            )
    return Levels(of, ordered(flow.stages, sources, flow.parties))


def _levels(flow: Dataflow, domains: Domains) -> dict[StageOp, Level]:
    matmuls = [stage for stage in flow.stages if isinstance(stage, MatmulOp)]
    late = flow.carry_users | flow.downstream(flow.readers_of(m.output for m in matmuls))
    early: set[StageOp] = set()
    while True:
        result: dict[StageOp, Level] = {}
        for stage in reversed(flow.flow_order):
            if "k" in domains.nest[stage]:
                result[stage] = Level.BLOCK
            elif stage in early:
                result[stage] = Level.BEFORE
            elif stage in late or not _runs_before(flow, domains, stage, result):
                result[stage] = Level.AFTER
            else:
                result[stage] = Level.BEFORE
        pulled = {
            stage
            for party in flow.parties
            if any(result[member] is Level.BEFORE for member in party)
            for stage in party
        }
        if pulled <= early:
            return result
        early |= pulled


def _runs_before(
    flow: Dataflow, domains: Domains, stage: StageOp, levels: Mapping[StageOp, Level]
) -> bool:
    """Whether a stage that depends on no block runs before the blocks.

    It does if its page is needed there or in a block. So does what moves a page in once per item,
    and what computes one where a matmul or a carry makes up the blocks: what is needed once is
    got out of the way first.
    """
    once = not domains.iterated(domains.stage[stage]) and stage.page_write is not None
    if once and (isinstance(stage, MoveStageOp) or flow.has_matmul or bool(flow.updates)):
        return True
    return any(levels[user] is not Level.AFTER for user in flow.users(stage))
