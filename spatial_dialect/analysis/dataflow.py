"""Who makes, replaces and reads which pages, and the order that follows from it.

Everything here is about stages as written, never about single sites: an edge between two stages
exists if they meet on at least one site, or across sites through a group.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from typing_extensions import TypeVar
from xdsl.ir import SSAValue

from spatial_dialect.analysis.site_index import SiteIndex
from spatial_dialect.dialects.spatial import (
    ComputeStageOp,
    LoadOp,
    MatmulOp,
    ProgramOp,
    RecvOp,
    StageOp,
)
from spatial_dialect.ir.sites import Sites

_StageT = TypeVar("_StageT", bound=StageOp)

_MANY = 16
"""So many stages of one buffer are worth an index by their sites."""


class Cycle(Exception):
    """Stages that wait for each other's pages, each feeding the next, the last the first."""

    stages: tuple[StageOp, ...]

    def __init__(self, stages: tuple[StageOp, ...]):
        super().__init__(f"{len(stages)} stages form a cycle")
        self.stages = stages


@dataclass(frozen=True)
class Dataflow:
    """The edges between the stages of a program."""

    stages: tuple[StageOp, ...]
    """All stages, in textual order."""

    sites: Mapping[StageOp, Sites]
    """Where each stage runs; every site of one row and column if there is no grid yet."""

    reads: Mapping[StageOp, tuple[SSAValue, ...]]
    """For each stage, the buffers whose front page it reads, each once, in first-mention order."""

    makers: Mapping[SSAValue, tuple[StageOp, ...]]
    """For each buffer, the stages that make its pages: for a carry, those that initialise it."""

    updates: Mapping[SSAValue, tuple[ComputeStageOp, ...]]
    """For each carry, the stages that replace its page once per block."""

    readers: Mapping[SSAValue, tuple[StageOp, ...]]
    """For each buffer, the stages that read its pages as operands or indices."""

    senders: Mapping[SSAValue, tuple[StageOp, ...]]
    """For each group, the stages that send to it."""

    receivers: Mapping[SSAValue, tuple[RecvOp, ...]]
    """For each group, the stages that receive from it."""

    _meets: dict[tuple[Sites, Sites], bool] = field(default_factory=dict[tuple[Sites, Sites], bool])

    _indices: dict[int, SiteIndex[StageOp]] = field(default_factory=dict[int, SiteIndex[StageOp]])
    """By the identity of what it files, which `makers` and the others keep alive."""

    @staticmethod
    def of(program: ProgramOp) -> Dataflow:
        """The edges of a program, found in one walk over its stages."""
        makers: dict[SSAValue, list[StageOp]] = {}
        updates: dict[SSAValue, list[ComputeStageOp]] = {}
        readers: dict[SSAValue, list[StageOp]] = {}
        senders: dict[SSAValue, list[StageOp]] = {}
        receivers: dict[SSAValue, list[RecvOp]] = {}
        sites: dict[StageOp, Sites] = {}
        reads: dict[StageOp, tuple[SSAValue, ...]] = {}
        grid = program.grid_sites or Sites.grid(1, 1)
        stages = program.stages
        for stage in stages:
            sites[stage] = grid if stage.at is None else stage.at.data
            buffer = stage.page_write
            if buffer is not None:
                if isinstance(stage, ComputeStageOp) and stage.replaces_carry:
                    updates.setdefault(buffer, []).append(stage)
                else:
                    makers.setdefault(buffer, []).append(stage)
            reads[stage] = tuple(dict.fromkeys(stage.page_reads))
            for read in reads[stage]:
                readers.setdefault(read, []).append(stage)
            if isinstance(stage, LoadOp | RecvOp) and stage.group is not None:
                senders.setdefault(stage.group, []).append(stage)
            if isinstance(stage, RecvOp):
                receivers.setdefault(stage.source, []).append(stage)
        return Dataflow(
            stages,
            sites,
            reads,
            _frozen(makers),
            _frozen(updates),
            _frozen(readers),
            _frozen(senders),
            _frozen(receivers),
        )

    @staticmethod
    def sent_group(stage: StageOp) -> SSAValue | None:
        """The group that a stage sends its pages on to, if it does."""
        return stage.group if isinstance(stage, LoadOp | RecvOp) else None

    def meet(self, one: StageOp, other: StageOp) -> bool:
        """Whether two stages run on a common site."""
        key = (self.sites[one], self.sites[other])
        if key[0] is key[1]:
            return True
        known = self._meets.get(key)
        if known is None:
            known = self._meets[key] = not key[0].isdisjoint(key[1])
        return known

    def is_carry(self, buffer: SSAValue) -> bool:
        """Whether the buffer's page is replaced once per block."""
        return buffer in self.updates

    def makers_for(self, stage: StageOp, buffer: SSAValue) -> Iterable[StageOp]:
        """The stages that make the pages of a buffer that `stage` meets."""
        return self._meeting(stage, self.makers.get(buffer, ()))

    def readers_for(self, stage: StageOp, buffer: SSAValue) -> Iterable[StageOp]:
        """The stages that read the pages of a buffer and that `stage` meets."""
        return self._meeting(stage, self.readers.get(buffer, ()))

    def _meeting(self, stage: StageOp, others: tuple[StageOp, ...]) -> Iterable[StageOp]:
        """Those of some stages that `stage` meets."""
        if len(others) < _MANY:
            return (other for other in others if self.meet(other, stage))
        if (index := self._indices.get(id(others))) is None:
            index = self._indices[id(others)] = SiteIndex(others, self.sites)
        return index.meeting(self.sites[stage])

    def sources(self, stage: StageOp) -> Iterable[StageOp]:
        """The stages whose pages a stage takes, on its sites or across a group.

        For a carry these are its initialisers, not the updates that follow.
        """
        for buffer in self.reads[stage]:
            yield from self.makers_for(stage, buffer)
        if isinstance(stage, ComputeStageOp) and stage.replaces_carry:
            yield from self.makers_for(stage, stage.output)
        if isinstance(stage, RecvOp):
            yield from self.senders.get(stage.source, ())

    @cached_property
    def flow_order(self) -> tuple[StageOp, ...]:
        """The stages so that each comes after those whose pages it takes, ties as written.

        Updates count as readers of their carry only.

        Raises:
            Cycle: there is no such order.
        """
        return ordered(self.stages, {stage: self.sources(stage) for stage in self.stages})

    def users(self, stage: StageOp) -> Iterable[StageOp]:
        """The stages that take the pages of a stage, on its sites or across a group.

        The update of a carry is a user of the stage that initialises it.
        """
        if (buffer := stage.page_write) is not None:
            for users in (self.readers.get(buffer, ()), self.updates.get(buffer, ())):
                yield from (user for user in self._meeting(stage, users) if user is not stage)
        if (group := self.sent_group(stage)) is not None:
            yield from self.receivers.get(group, ())

    def page_sources(self, stage: StageOp) -> Iterable[StageOp]:
        """The stages whose pages a stage takes, carries left out."""
        for buffer in self.reads[stage]:
            if not self.is_carry(buffer):
                yield from self.makers_for(stage, buffer)
        if isinstance(stage, RecvOp):
            yield from self.senders.get(stage.source, ())

    def readers_of(self, buffers: Iterable[SSAValue]) -> set[StageOp]:
        """All stages that read one of the buffers."""
        return {reader for buffer in buffers for reader in self.readers.get(buffer, ())}

    def downstream(self, start: set[StageOp]) -> set[StageOp]:
        """The given stages and all that depend on them through pages that are not carries."""
        found = set(start)
        for stage in self.flow_order:
            if stage not in found and any(s in found for s in self.page_sources(stage)):
                found.add(stage)
        return found

    def fed_by(self, start: Iterable[StageOp]) -> set[StageOp]:
        """The given stages and all that take their pages, directly, by carries or by others."""
        waiting = list(start)
        found = set(waiting)
        while waiting:
            for user in self.users(waiting.pop()):
                if user not in found:
                    found.add(user)
                    waiting.append(user)
        return found

    def upstream(self, start: set[StageOp]) -> set[StageOp]:
        """The given stages and all that they depend on through pages that are not carries."""
        found = set(start)
        for stage in reversed(self.flow_order):
            if stage in found:
                found.update(self.page_sources(stage))
        return found

    @cached_property
    def carry_users(self) -> set[StageOp]:
        """The stages that depend on a carry through pages that are not carries."""
        return self.downstream(self.readers_of(self.updates)) if self.updates else set()

    @cached_property
    def renewing(self) -> set[StageOp]:
        """The stages that run once per block because a carry does: its updates, and what
        depends on a carry and feeds an update."""
        updates: set[StageOp] = {s for stages in self.updates.values() for s in stages}
        return updates | (self.carry_users & self.upstream(updates)) if updates else updates

    @cached_property
    def parties(self) -> tuple[tuple[StageOp, ...], ...]:
        """Stages that act together: the two ends of a group, joined where a page is sent on."""
        party_of: dict[StageOp, list[StageOp]] = {}
        for group in self.senders:
            joined: dict[StageOp, None] = {}
            for stage in (*self.senders[group], *self.receivers.get(group, ())):
                joined.update(dict.fromkeys(party_of.get(stage, [stage])))
            party = list(joined)
            party_of.update((stage, party) for stage in party)
        distinct = {id(party): tuple(party) for party in party_of.values()}
        return tuple(distinct.values())

    @cached_property
    def has_matmul(self) -> bool:
        """Whether some stage accumulates over the K blocks."""
        return any(isinstance(stage, MatmulOp) for stage in self.stages)


def _frozen(lists: Mapping[SSAValue, list[_StageT]]) -> dict[SSAValue, tuple[_StageT, ...]]:
    return {key: tuple(values) for key, values in lists.items()}


def ordered(
    stages: Sequence[StageOp],
    sources: Mapping[StageOp, Iterable[StageOp]],
    parties: Iterable[Sequence[StageOp]] = (),
) -> tuple[StageOp, ...]:
    """The stages so that each comes after its sources, the first written of those ready first.

    The stages of a party follow one another, the party standing where its first stage would.

    Raises:
        Cycle: there is no such order; the exception names the stages of one cycle.
    """
    position = {stage: index for index, stage in enumerate(stages)}
    head = {stage: stage for stage in stages}
    members: dict[StageOp, list[StageOp]] = {}
    for party in parties:
        first = min(party, key=position.__getitem__)
        members[first] = list(party)
        head.update((stage, first) for stage in party)
    heads = [stage for stage in stages if head[stage] is stage]
    before: dict[StageOp, dict[StageOp, StageOp]] = {stage: {} for stage in heads}
    for stage in stages:
        for source in sources[stage]:
            if head[source] is not head[stage] or source is stage:
                before[head[stage]].setdefault(head[source], source)
    after: dict[StageOp, list[StageOp]] = {stage: [] for stage in heads}
    for stage in heads:
        for source in before[stage]:
            after[source].append(stage)
    missing = {stage: len(before[stage]) for stage in heads}
    ready = [position[stage] for stage in heads if not missing[stage]]
    result: list[StageOp] = []
    done = 0
    while ready:
        stage = stages[heapq.heappop(ready)]
        done += 1
        result += _party_order(members.get(stage, [stage]), sources)
        for target in after[stage]:
            missing[target] -= 1
            if not missing[target]:
                heapq.heappush(ready, position[target])
    if done < len(heads):
        raise Cycle(_cycle_among([s for s in heads if missing[s]], before, missing))
    return tuple(result)


def _party_order(
    party: list[StageOp], sources: Mapping[StageOp, Iterable[StageOp]]
) -> Sequence[StageOp]:
    """The stages of a party so that each comes after its sources within the party."""
    if len(party) == 1:
        return party
    inside = set(party)
    return ordered(party, {stage: [s for s in sources[stage] if s in inside] for stage in party})


def _cycle_among(
    stuck: Sequence[StageOp],
    before: Mapping[StageOp, Mapping[StageOp, StageOp]],
    missing: Mapping[StageOp, int],
) -> tuple[StageOp, ...]:
    """The stages of one cycle, each feeding the next: every stuck stage has a stuck source."""
    path = [stuck[0]]
    seen = {stuck[0]: 0}
    while True:
        source = next(s for s in before[path[-1]] if missing[s])
        if source in seen:
            return tuple(reversed(path[seen[source] :]))
        seen[source] = len(path)
        path.append(source)
