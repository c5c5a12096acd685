"""What a dataflow program means: the pages it stores, stage by stage over the loops.

No choreography is involved: a page is evaluated from the stage that makes it whenever it is asked
for, at a point of the loops. The levels of stages and the domains of stores are found here anew.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import AffineMapAttr, IndexType
from xdsl.ir import SSAValue

from spatial_dialect.dialects.spatial import (
    AllReduceOp,
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
    TripOp,
)
from spatial_dialect.ir.addresses import DIMENSIONS
from spatial_dialect.ir.loops import LoopName

from .environment import Site, Trips, argument_names, groups_of, sites_of
from .terms import Term, Terms, load_head, map_head


@dataclass(frozen=True)
class Place:
    """Where a page is stored: by which site, and to which tile of which tensor."""

    site: Site
    tensor: str
    tile: tuple[int, ...]
    rows: Term | None
    """The index page of a scatter by rows."""


Stored: TypeAlias = dict[Place, list[Term]]
"""The pages stored to each place, first to last."""


@dataclass(frozen=True)
class _Point:
    """A point of the loops; `k` is None outside the K blocks."""

    site: Site
    k: int | None
    h: int
    w: int


class Reference:
    """The meaning of one program for one work item."""

    def __init__(self, program: ProgramOp, terms: Terms, trips: Trips, item: int = 0):
        self.program = program
        self.terms = terms
        self.trips = trips
        self.item = item
        self.loops = program.loop_nest
        self.stages = program.stages
        self.groups = groups_of(program)
        self.names = argument_names(program)
        self.sites = {stage: frozenset(sites_of(stage.sites)) for stage in self.stages}
        self.makers: dict[SSAValue, list[StageOp]] = {}
        self.updates: dict[SSAValue, list[ComputeStageOp]] = {}
        self.senders: dict[SSAValue, list[StageOp]] = {}
        for stage in self.stages:
            buffer = stage.page_write
            if isinstance(stage, ComputeStageOp) and stage.replaces_carry:
                self.updates.setdefault(stage.output, []).append(stage)
            elif buffer is not None:
                self.makers.setdefault(buffer, []).append(stage)
            if isinstance(stage, LoadOp | RecvOp) and stage.group is not None:
                self.senders.setdefault(stage.group, []).append(stage)
        self.trip_op = next((op for op in program.body.block.ops if isinstance(op, TripOp)), None)
        self._renewing = self._find_renewing()
        self._domains = self._find_domains()
        self._pages: dict[tuple[StageOp, _Point], Term] = {}

    # Which stages run in every block, and over which loops.

    def _reading(self, buffer: SSAValue) -> Iterator[StageOp]:
        return (stage for stage in self.stages if buffer in stage.page_reads)

    def _find_renewing(self) -> set[StageOp]:
        """Updates of carries, and what depends on a carry and feeds an update."""
        depends: set[StageOp] = set()
        work = [stage for carry in self.updates for stage in self._reading(carry)]
        while work:
            stage = work.pop()
            if stage in depends:
                continue
            depends.add(stage)
            if stage.page_write is not None and stage.page_write not in self.updates:
                work += self._reading(stage.page_write)
        feeds: set[StageOp] = set()
        work = [stage for stages in self.updates.values() for stage in stages]
        while work:
            stage = work.pop()
            if stage in feeds:
                continue
            feeds.add(stage)
            for buffer in stage.page_reads:
                if buffer not in self.updates:
                    work += self.makers[buffer]
        updates: set[StageOp] = {s for stages in self.updates.values() for s in stages}
        return updates | (depends & feeds)

    def _find_domains(self) -> dict[StageOp, frozenset[str]]:
        """Domains of stages, those of moves closed upwards, by iteration until nothing changes."""
        domains: dict[StageOp, frozenset[str]] = {stage: frozenset() for stage in self.stages}
        of_buffer: dict[SSAValue, frozenset[str]] = {}
        while True:
            before = dict(domains)
            for stage in self.stages:
                domain = domains[stage]
                match stage:
                    case MatmulOp():
                        domain = frozenset({"h", "w"})
                    case RecvOp():
                        domain = domain.union(*(domains[s] for s in self.senders[stage.source]))
                    case _:
                        if isinstance(stage, LoadOp):
                            used = {d for r in stage.address.data.results for d in r.used_dims()}
                            domain |= {DIMENSIONS[d] for d in used} & {"k", "h", "w"}
                        domain = domain.union(
                            *(of_buffer.get(b, frozenset()) for b in stage.page_reads)
                        )
                domains[stage] = domain
                buffer = stage.page_write
                if buffer is not None and not (
                    isinstance(stage, ComputeStageOp) and stage.replaces_carry
                ):
                    of_buffer[buffer] = of_buffer.get(buffer, frozenset()) | domain
            for stage in self.stages:
                nest = domains[stage]
                if isinstance(stage, MatmulOp):
                    nest = frozenset({"k"})
                elif stage in self._renewing:
                    nest |= {"k"}
                for buffer in stage.page_reads:
                    makers = self.makers.get(buffer, ())
                    if buffer in self.updates or not all(
                        isinstance(maker, LoadOp | RecvOp) for maker in makers
                    ):
                        continue
                    wanted = self._closed(of_buffer.get(buffer, frozenset()), nest)
                    for maker in makers:
                        domains[maker] |= wanted
                        if isinstance(maker, RecvOp):
                            for sender in self.senders[maker.source]:
                                domains[sender] |= wanted
            if domains == before:
                return domains

    def _closed(self, domain: frozenset[str], nest: frozenset[str]) -> frozenset[str]:
        iterated = self.iterated(domain)
        around = self.iterated(nest)
        if not iterated or around[: len(iterated)] == iterated or not set(iterated) <= set(around):
            return domain
        return domain | frozenset(around[: around.index(iterated[-1])])

    def iterated(self, domain: frozenset[str]) -> tuple[LoopName, ...]:
        """The loops of a domain that run more than once, outermost first."""
        names: tuple[LoopName, ...] = ("k", "h", "w")
        return tuple(n for n in names if n in domain and not self.loops[n].is_one)

    def in_block(self, stage: StageOp) -> bool:
        """Whether a stage runs once or more in every K block."""
        return stage in self._renewing or "k" in self._domains[stage]

    # Values.

    def blocks(self, site: Site) -> int:
        """The number of K blocks of a site."""
        extent = self.loops.k
        if not extent.at_run_time:
            return extent.size
        assert self.trip_op is not None, "a run-time trip without spatial.trip"
        if isinstance(self.trip_op.count.type, IndexType):
            return self.trips(())
        assert self.trip_op.address is not None
        return self.trips(self._evaluate(self.trip_op.address, _Point(site, None, 0, 0), None))

    def _evaluate(
        self, address: AffineMapAttr, point: _Point, index: Term | None
    ) -> tuple[int, ...]:
        values = [self.item, *point.site, point.k or 0, point.h, point.w]
        if address.data.num_dims > len(values):
            assert index is not None
            values.append(index)
        return tuple(address.data.eval(values, []))

    def _made_at(self, stages: list[StageOp], site: Site) -> StageOp:
        found = [stage for stage in stages if site in self.sites[stage]]
        assert len(found) == 1, f"{len(found)} stages make a page on site {site}"
        return found[0]

    def page(self, buffer: SSAValue, point: _Point) -> Term:
        """The page of a buffer that a stage reads at a point."""
        if buffer not in self.updates:
            return self.made(self._made_at(self.makers[buffer], point.site), point)
        done = self.blocks(point.site) if point.k is None else point.k
        if done == 0:
            first = self._made_at(self.makers[buffer], point.site)
            return self.made(first, _Point(point.site, None, point.h, point.w))
        updates: list[StageOp] = [*self.updates[buffer]]
        update = self._made_at(updates, point.site)
        return self.made(update, _Point(point.site, done - 1, point.h, point.w))

    def made(self, stage: StageOp, point: _Point) -> Term:
        """The page that a stage makes at a point."""
        if not self.in_block(stage):
            point = _Point(point.site, None, point.h, point.w)
        elif point.k is None:
            # Only a page of the only block can be asked for outside of the blocks.
            assert self.loops.k.is_one, "a page made in every block is read outside of the blocks"
            point = _Point(point.site, 0, point.h, point.w)
        key = (stage, point)
        term = self._pages.get(key)
        if term is None:
            term = self._pages[key] = self._make(stage, point)
        return term

    def _make(self, stage: StageOp, point: _Point) -> Term:
        terms = self.terms
        match stage:
            case LoadOp():
                index = None if stage.index is None else self.page(stage.index, point)
                tile = self._evaluate(stage.address, point, index)
                head = load_head(
                    self.names[stage.tensor], tile, stage.strides, stage.transpose, stage.pad
                )
                rows = (index,) if stage.rows is not None and index is not None else ()
                return terms.make(head, rows)
            case RecvOp():
                sender = self.groups[stage.source].sender[point.site]
                sending = self._made_at(self.senders[stage.source], sender)
                return self.made(sending, _Point(sender, point.k, point.h, point.w))
            case MatmulOp():
                products: list[Term] = []
                for k in range(self.blocks(point.site)):
                    block = _Point(point.site, k, 0, 0)
                    factors = (self.page(stage.lhs, block), self.page(stage.rhs, block))
                    products.append(terms.make(("product", point.h, point.w), factors))
                return terms.sum(tuple(products))
            case MapOp():
                head = map_head(stage.body.block, stage.broadcasts)
            case DotOp():
                head = ("dot", stage.transpose_b is not None)
            case ReduceOp():
                head = ("reduce", str(stage.kind.data), str(stage.axis.data))
            case AllReduceOp():
                head = ("all_reduce", str(stage.kind.data))
            case _:
                raise NotImplementedError(stage.name)
        return terms.make(head, tuple(self.page(buffer, point) for buffer in stage.page_reads))

    def stored(self) -> Stored:
        """Every page that the program stores."""
        result: Stored = {}
        for stage in self.stages:
            if not isinstance(stage, StoreOp):
                continue
            names = self.iterated(self._domains[stage])
            for site in sorted(self.sites[stage]):
                for point in self._points(site, names):
                    term = self.page(stage.buffer, point)
                    index = None if stage.index is None else self.page(stage.index, point)
                    tile = self._evaluate(stage.address, point, index)
                    rows = index if stage.rows is not None else None
                    place = Place(site, self.names[stage.tensor], tile, rows)
                    result.setdefault(place, []).append(term)
        return result

    def _points(self, site: Site, names: tuple[str, ...]) -> Iterator[_Point]:
        ks = range(self.blocks(site)) if "k" in names else (None,)
        hs = range(self.loops.h.size if "h" in names else 1)
        ws = range(self.loops.w.size if "w" in names else 1)
        return (_Point(site, k, h, w) for k, h, w in itertools.product(ks, hs, ws))
