"""Every page has exactly one maker and some reader, wherever there is one.

A buffer is looked at as a whole: the sites where it is filled, replaced and read are unions of
rectangles, and a single site is named only where they disagree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.ir import SSAValue

from spatial_dialect.analysis.dataflow import Cycle, Dataflow
from spatial_dialect.analysis.domains import Domains
from spatial_dialect.analysis.stage_text import site_text, stage_text
from spatial_dialect.dialects.spatial import (
    GroupOp,
    MatmulOp,
    MoveStageOp,
    ProgramOp,
    RecvOp,
    StageOp,
    StoreOp,
    page_type,
)
from spatial_dialect.ir.diagnostics import Findings, value_name
from spatial_dialect.ir.loops import domain_text
from spatial_dialect.ir.sites import Sites

_CARRY_STORE_HINT = "copy it by a map in the epilogue, and move the copy"


def check_pages(program: ProgramOp, flow: Dataflow, findings: Findings) -> None:
    """Check who fills, replaces and reads each buffer, and who is at the ends of each group."""
    check = _Pages(flow, findings)
    aliased = {buffer.alias for buffer in program.buffers}
    for op in program.buffers:
        buffer = op.buffer
        if buffer in check.spills:
            check.spill(buffer)
        elif buffer in flow.updates:
            check.carry(buffer)
        elif buffer in flow.makers or buffer in flow.readers:
            check.plain(buffer)
        elif buffer not in aliased:
            findings.error(op, f"{value_name(buffer)} is never used", hint="remove it")
    for op in program.body.block.ops:
        if isinstance(op, GroupOp):
            check.group(op)


@dataclass
class _Pages:
    """The check of one program."""

    flow: Dataflow
    findings: Findings
    spills: dict[SSAValue, list[MatmulOp]] = field(init=False)
    """For each ring of partial sums, the matmuls that spill to it."""
    _unions: dict[tuple[Sites, ...], Sites] = field(init=False)
    _rests: dict[tuple[Sites, Sites], Sites] = field(init=False)

    def __post_init__(self) -> None:
        self.spills = {}
        self._unions = {}
        self._rests = {}
        for stage in self.flow.stages:
            if isinstance(stage, MatmulOp) and stage.spill is not None:
                self.spills.setdefault(stage.spill, []).append(stage)

    # Sets of sites. Programs name few different ones, so what was computed is kept.

    def union(self, stages: Iterable[StageOp]) -> Sites:
        """The sites of any of the stages."""
        key = tuple(dict.fromkeys(self.flow.sites[stage] for stage in stages))
        if len(key) == 1:
            return key[0]
        if (known := self._unions.get(key)) is None:
            known = Sites.of(rect for sites in key for rect in sites.rects)
            self._unions[key] = known
        return known

    def rest(self, one: Sites, other: Sites) -> Sites:
        """The sites of `one` that are not in `other`."""
        key = (one, other)
        if (known := self._rests.get(key)) is None:
            known = self._rests[key] = one - other
        return known

    def clash(self, stages: Sequence[StageOp]) -> tuple[StageOp, StageOp, Sites] | None:
        """Two stages that share a site, the later of them first, and the sites they share."""
        if len(stages) < 2:
            return None
        # Sets are disjoint if, and only if, their union has as many sites as they have together.
        total = sum(self.flow.sites[stage].count for stage in stages)
        if self.union(stages).count == total:
            return None
        # Bisection: the first part that overlaps itself, or else its two halves overlap.
        low, high = 1, len(stages)
        while low < high:
            middle = (low + high) // 2
            part = stages[: middle + 1]
            if self.union(part).count == sum(self.flow.sites[s].count for s in part):
                low = middle + 1
            else:
                high = middle
        late = stages[low]
        for early in stages[:low]:
            if common := self.flow.sites[early] & self.flow.sites[late]:
                return late, early, common
        raise AssertionError("the counts say that two of the sets overlap")

    # Buffers.

    def plain(self, buffer: SSAValue) -> None:
        """A buffer that is not carried: one maker and at least one reader on every site."""
        name = value_name(buffer)
        makers, readers = self.flow.makers.get(buffer, ()), self.flow.readers.get(buffer, ())
        if (found := self.clash(makers)) is not None:
            late, early, common = found
            self.findings.error(
                late,
                f"fills {name} at {site_text(common)}, where {stage_text(early)} fills it too",
                hint="give each a buffer of its own, or sites of its own",
            )
        self.read_where_made(buffer, makers, readers)
        self.made_where_read(buffer, makers, readers)
        self.one_reading_engine(buffer, readers)

    def made_where_read(
        self, buffer: SSAValue, makers: Sequence[StageOp], readers: Sequence[StageOp]
    ) -> None:
        """Nobody reads a page that nobody makes."""
        name = value_name(buffer)
        if not makers and readers:
            self.findings.error(
                readers[0],
                f"reads {name}, but no stage fills it",
                hint=f"fill {name} by a load, a recv or a compute stage",
            )
            return
        made = self.union(makers) if makers else Sites.empty()
        if not readers or self.union(readers) <= made:
            return
        for reader in readers:
            if missing := self.rest(self.flow.sites[reader], made):
                self.findings.error(
                    reader,
                    f"reads {name} at {site_text(missing)}, but stages fill it at {made} only",
                    hint="fill it there too, or read it at fewer sites",
                )
                return

    def read_where_made(
        self, buffer: SSAValue, makers: Sequence[StageOp], readers: Sequence[StageOp]
    ) -> None:
        """Every page that somebody makes is read."""
        name = value_name(buffer)
        if makers and not readers:
            self.findings.error(
                makers[0],
                f"fills {name}, but no stage reads it",
                hint=f"read {name}, or remove the stage",
            )
            return
        read = self.union(readers) if readers else Sites.empty()
        if not makers or self.union(makers) <= read:
            return
        for maker in makers:
            if unread := self.rest(self.flow.sites[maker], read):
                self.findings.error(
                    maker,
                    f"fills {name} at {site_text(unread)}, but stages read it at {read} only",
                    hint="read it there too, or fill it at fewer sites",
                )
                return

    def one_reading_engine(self, buffer: SSAValue, readers: Sequence[StageOp]) -> None:
        """On each site, one engine takes all pages of a ring."""
        engines: dict[int, list[StageOp]] = {}
        for reader in readers:
            if (engine := reader.engine_attr) is not None:
                engines.setdefault(engine.data, []).append(reader)
        if len(engines) < 2:
            return
        for engine, here in engines.items():
            others = [r for other, there in engines.items() if other != engine for r in there]
            if self.union(here).isdisjoint(self.union(others)):
                continue
            late, early = next(
                sorted((one, other), key=readers.index, reverse=True)
                for one in here
                for other in others
                if self.flow.meet(one, other)
            )
            common = self.flow.sites[early] & self.flow.sites[late]
            self.findings.error(
                late,
                f"reads {value_name(buffer)} on `{late.engine_attr}` at {site_text(common)}, where "
                f"{stage_text(early)} reads it on `{early.engine_attr}`: each would take pages "
                "from the other",
                hint="give each reader a buffer of its own, filled alike, or read on one engine",
            )
            return

    def carry(self, buffer: SSAValue) -> None:
        """A carry: an initialiser, an update and a reader on every site, all compute stages."""
        name = value_name(buffer)
        makers, readers = self.flow.makers.get(buffer, ()), self.flow.readers.get(buffer, ())
        updates = self.flow.updates[buffer]
        for stage in makers:
            if isinstance(stage, MoveStageOp):
                self.findings.error(
                    stage,
                    f"fills {name}, which {stage_text(updates[0])} carries from block to block, "
                    "but only compute stages initialise a carry",
                    hint=f"move the page into another buffer, and copy it into {name} by a map",
                )
        for stage in readers:
            if isinstance(stage, MoveStageOp):
                verb = (
                    "stores" if isinstance(stage, StoreOp) and stage.buffer is buffer else "reads"
                )
                self.findings.error(
                    stage,
                    f"{verb} {name}, which {stage_text(updates[0])} carries from block to block, "
                    "but only compute stages read a carry",
                    hint=_CARRY_STORE_HINT,
                )
        for stages, verb in ((makers, "initialises"), (updates, "updates")):
            if (found := self.clash(stages)) is not None:
                late, early, common = found
                self.findings.error(
                    late,
                    f"{verb} {name} at {site_text(common)}, where {stage_text(early)} {verb} it "
                    "too",
                    hint="a carry has one initialiser and one update on each site: give one of "
                    "the two a buffer of its own",
                )
        made = self.union(makers) if makers else Sites.empty()
        updated = self.union(updates)
        for update in () if updated <= made else updates:
            if missing := self.rest(self.flow.sites[update], made):
                where = f" at {site_text(missing)}" if makers else ""
                self.findings.error(
                    update,
                    f"updates {name}{where}, but no stage initialises it"
                    + (" there" if makers else ""),
                    hint=f"fill {name} `into` once by a compute stage before the blocks",
                )
                break
        for maker in () if made <= updated else makers:
            if missing := self.rest(self.flow.sites[maker], updated):
                self.findings.error(
                    maker,
                    f"initialises {name} at {site_text(missing)}, but stages update it at "
                    f"{updated} only",
                    hint="update it there too, or use another buffer where it is not carried",
                )
                break
        if not readers:
            self.findings.error(
                updates[0],
                f"updates {name}, but no stage reads it",
                hint="read it in the blocks or after them, or remove the carry",
            )
            return
        self.made_where_read(buffer, (*makers, *updates), readers)
        read = self.union(readers)
        if unread := self.rest(updated, read):
            self.findings.error(
                next(u for u in updates if self.rest(self.flow.sites[u], read)),
                f"updates {name} at {site_text(unread)}, but stages read it at {read} only",
                hint="read it there too, or carry it at fewer sites",
            )

    def spill(self, buffer: SSAValue) -> None:
        """A ring of partial sums: one matmul has it for itself."""
        name, matmuls = value_name(buffer), self.spills[buffer]
        if (found := self.clash(matmuls)) is not None:
            late, early, common = found
            self.findings.error(
                late,
                f"spills to {name} at {site_text(common)}, where {stage_text(early)} spills to it "
                "too",
                hint="give each a ring of its own",
            )
        uses: Mapping[str, Sequence[StageOp]] = {
            "fills": self.flow.makers.get(buffer, ()),
            "updates": self.flow.updates.get(buffer, ()),
            "reads": self.flow.readers.get(buffer, ()),
        }
        for verb, stages in uses.items():
            for stage in stages:
                if isinstance(stage, MatmulOp) and stage.spill == buffer:
                    continue  # which its own verifier refuses
                self.findings.error(
                    stage,
                    f"{verb} {name}, to which {stage_text(matmuls[0])} spills",
                    hint="give the partial sums a ring of their own",
                )

    # Groups.

    def group(self, op: GroupOp) -> None:
        """Both ends of a group are there, on its sites, and fill one buffer."""
        group, name = op.group, value_name(op.group)
        senders = self.flow.senders.get(group, ())
        receivers = self.flow.receivers.get(group, ())
        if not senders and not receivers:
            if not group.uses:
                self.findings.error(op, f"{name} is never used", hint="remove it")
            return
        if not senders:
            self.findings.error(
                receivers[0],
                f"receives from {name}, but no stage sends to it",
                hint=f"add `multicast {name}` to the load or recv that has the page",
            )
        if not receivers:
            self.findings.error(
                senders[0],
                f"sends to {name}, but no stage receives from it",
                hint=f"add `spatial.recv {name}` at {op.receiving_sites}",
            )
        self.group_end(op, senders, op.senders.data, "sends to", "senders")
        self.group_end(op, receivers, op.receiving_sites, "receives from", "receivers")
        first = (*senders, *receivers)[0]
        ours = first.page_write
        for stage in (*senders, *receivers)[1:]:
            theirs = stage.page_write
            if ours is None or theirs is None or theirs == ours:
                continue
            types = (
                f" of {page_type(theirs)} pages instead of {page_type(ours)}"
                if theirs.type != ours.type
                else ""
            )
            verb = "receives from" if stage in receivers else "sends to"
            self.findings.error(
                stage,
                f"{verb} {name} and fills {value_name(theirs)}{types}, but {stage_text(first)} "
                f"fills {value_name(ours)}: a page lands at the same place of the same ring",
                hint=f"fill {value_name(ours)} at both ends",
            )

    def group_end(
        self, op: GroupOp, stages: Sequence[StageOp], wanted: Sites, verb: str, role: str
    ) -> None:
        """One end of a group: every site it names has exactly one stage there."""
        if not stages:
            return
        name = value_name(op.group)
        if (found := self.clash(stages)) is not None:
            late, early, common = found
            self.findings.error(
                late,
                f"{verb} {name} at {site_text(common)}, where {stage_text(early)} {verb} it too",
                hint="leave that site to one of the two",
            )
        for stage in () if self.union(stages) <= wanted else stages:
            if outside := self.rest(self.flow.sites[stage], wanted):
                self.findings.error(
                    stage,
                    f"{verb} {name} at {site_text(outside)}, but the {role} of {name} are {wanted}",
                    hint=f"place it at {wanted}, or change the group",
                )
                break
        if missing := self.rest(wanted, self.union(stages)):
            self.findings.error(
                op,
                f"{name} has {site_text(missing)} among its {role}, but no stage {verb} it there",
                hint=f"place such a stage at {missing}, or make the group smaller",
            )


################################################################################
# Order and domains                                                            #
################################################################################


def report_cycle(cycle: Cycle, flow: Dataflow, findings: Findings) -> None:
    """Say which stages wait for each other, and how to break it."""
    party_of = {stage: party for party in flow.parties for stage in party}
    parties = [party_of.get(stage, (stage,)) for stage in cycle.stages]
    links = [
        _link(flow, party, after)
        for party, after in zip(parties, (*parties[1:], parties[0]), strict=True)
    ]
    steps: list[str] = []
    old_pages = together = False
    for number, (stage, after, takes) in enumerate(links):
        if takes:
            sends = isinstance(after, RecvOp) and stage in flow.senders.get(after.source, ())
            assert stage.page_write is not None
            made = f"{'sends' if sends else 'makes'} {value_name(stage.page_write)}"
            steps.append(f"{stage_text(stage)} {made} for {stage_text(after)}")
        else:
            assert after.page_write is not None
            old_pages = True
            steps.append(
                f"{stage_text(stage)} reads {value_name(after.page_write)} before "
                f"{stage_text(after)} replaces it"
            )
        following = links[(number + 1) % len(links)][0]
        if following is not after:
            together = True
            steps.append(f"{stage_text(after)} goes with {stage_text(following)} in one group")
    if old_pages:
        hint = "copy one of the old pages by a map first, and let its readers read the copy"
    elif together:
        hint = "use a group of its own for each: the stages of a group stand side by side"
    else:
        hint = (
            "if the page is that of the block before, carry it: let another stage initialise its "
            "buffer, and `update` it in the block"
        )
    alone = len(links) == 1 and links[0][0] is links[0][1]
    first = min((stage for stage, _, _ in links), key=flow.stages.index)
    what = "waits for its own page" if alone else "is in a cycle of stages"
    findings.error(first, f"{what}: {', '.join(steps)}", hint=hint)


def _link(
    flow: Dataflow, party: Sequence[StageOp], after: Sequence[StageOp]
) -> tuple[StageOp, StageOp, bool]:
    """How two stages, or the ends of groups, follow each other: by a page, or by an old page."""
    members = set(party)
    for stage in after:
        for source in flow.sources(stage):
            if source in members:
                return source, stage, True
    # The other edges of the rank: who reads the old page of a carry comes before its update.
    for stage in after:
        carry = stage.page_write
        for reader in flow.readers.get(carry, ()) if carry is not None else ():
            if reader in members and carry in flow.updates:
                return reader, stage, False
    raise AssertionError("a cycle has an edge between each stage and the next")


def check_domains(flow: Dataflow, found: Domains, findings: Findings) -> None:
    """All makers of a buffer make as many pages, whatever the site."""
    for buffer, makers in flow.makers.items():
        for maker in makers[1:]:
            if not found.same(found.stage[maker], found.stage[makers[0]]):
                findings.error(
                    maker,
                    f"fills {value_name(buffer)} once per "
                    f"{domain_text(found.iterated(found.stage[maker]))}, but "
                    f"{stage_text(makers[0])} fills it once per "
                    f"{domain_text(found.iterated(found.stage[makers[0]]))}",
                    hint="use the same loops in both, or a buffer for each",
                )
                break
