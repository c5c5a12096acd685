"""The loops that index each stream of pages.

A load's domain is what its address uses, joined with that of its index page; a receiver has its
sender's; a matmul takes `{k}` and makes `{h, w}`; every other stage has the union of its inputs'.
A carry counts as the pages that initialise it.

Rings are first in, first out, so a page can be held only while loops inside its own domain run:
the domain must be a prefix of the nest that reads it. A load that falls short of that fetches its
page again for every point of the missing outer loops: its domain is closed upwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from xdsl.ir import SSAValue

from spatial_dialect.analysis.dataflow import Dataflow
from spatial_dialect.dialects.spatial import (
    ComputeStageOp,
    LoadOp,
    MatmulOp,
    RecvOp,
    StageOp,
    StoreOp,
)
from spatial_dialect.ir.addresses import used_loops
from spatial_dialect.ir.loops import PAGE_LOOPS, Domain, LoopName, Loops

NOTHING: Domain = frozenset()
BLOCKS: Domain = frozenset({"k"})
SUB_BLOCKS: Domain = frozenset({"h", "w"})


@dataclass(frozen=True)
class Domains:
    """Domains of stages and of buffers; a loop of extent 1 may be in them."""

    loops: Loops

    stage: Mapping[StageOp, Domain]
    """The loops that index the pages a stage makes or, for a store, drains."""

    nest: Mapping[StageOp, Domain]
    """The loops a stage reads its pages in: `k` for a matmul; what renews a carry runs in `k`."""

    buffer: Mapping[SSAValue, Domain]
    """The loops that index the pages of a buffer: `k` too if they are made while a carry is
    renewed."""

    def iterated(self, domain: Iterable[LoopName]) -> tuple[LoopName, ...]:
        """A domain without loops of extent 1, outermost first: two that give the same are equal."""
        return self.loops.iterated(domain)

    def same(self, one: Domain, other: Domain) -> bool:
        """Whether two domains are equal but for loops of extent 1."""
        return self.iterated(one) == self.iterated(other)

    def is_prefix(self, domain: Domain, nest: Domain) -> bool:
        """Whether pages of `domain` can be held in `nest` while the rest of its loops run."""
        wanted = self.iterated(domain)
        return self.iterated(nest)[: len(wanted)] == wanted

    def pages(self, domain: Iterable[LoopName]) -> int:
        """Pages per item of a stream, the most if a trip is known at run time only."""
        return self.loops.pages(domain)


def domains(flow: Dataflow, loops: Loops) -> Domains:
    """The domain of every stage and buffer.

    Raises:
        Cycle: the stages cannot be ordered.
    """
    order = flow.flow_order
    raised: dict[SSAValue, Domain] = {}
    while True:
        result = _forward(flow, loops, order, raised)
        closed = _closed(flow, result, order)
        if all(raised.get(buffer, NOTHING) >= domain for buffer, domain in closed.items()):
            return result
        for buffer, domain in closed.items():
            raised[buffer] = raised.get(buffer, NOTHING) | domain


def _forward(
    flow: Dataflow,
    loops: Loops,
    order: Iterable[StageOp],
    raised: Mapping[SSAValue, Domain],
) -> Domains:
    """Domains from sources to users, with those of some buffers raised to what readers need."""
    stage_domain: dict[StageOp, Domain] = {}
    nest: dict[StageOp, Domain] = {}
    buffer_domain: dict[SSAValue, Domain] = {}
    renewed: set[SSAValue] = set()

    def of(buffer: SSAValue) -> Domain:
        return buffer_domain.get(buffer, NOTHING)

    for stage in order:
        match stage:
            case LoadOp():
                domain = used_loops(stage.address.data)
                if stage.index is not None:
                    domain |= of(stage.index)
            case RecvOp():
                domain = NOTHING.union(
                    *(stage_domain[sender] for sender in flow.senders.get(stage.source, ()))
                )
            case StoreOp():
                domain = of(stage.buffer)
            case MatmulOp():
                domain = SUB_BLOCKS
            case _:
                domain = NOTHING.union(*(of(read) for read in flow.reads[stage]))
        buffer = stage.page_write
        if isinstance(stage, LoadOp | RecvOp) and buffer is not None:
            domain |= raised.get(buffer, NOTHING)
        stage_domain[stage] = domain
        if isinstance(stage, MatmulOp):
            nest[stage] = BLOCKS
        else:
            nest[stage] = domain | BLOCKS if stage in flow.renewing else domain
        if buffer is not None and not (isinstance(stage, ComputeStageOp) and stage.replaces_carry):
            buffer_domain[buffer] = of(buffer) | domain
            if stage in flow.renewing:
                renewed.add(buffer)
    # Added at the end: what only reads such a page after the blocks does not run in them.
    buffer_domain.update({buffer: of(buffer) | BLOCKS for buffer in renewed})
    return Domains(loops, stage_domain, nest, buffer_domain)


def _closed(flow: Dataflow, found: Domains, order: tuple[StageOp, ...]) -> dict[SSAValue, Domain]:
    """What the domains of buffers that are moved in must hold for the nests that read them."""
    wanted: dict[SSAValue, Domain] = {}
    nests: dict[SSAValue, tuple[Domain, ...]] = {}
    for stage in reversed(order):
        buffer = stage.page_write
        if buffer is None or not isinstance(stage, LoadOp | RecvOp):
            continue
        domain = wanted.get(buffer, NOTHING) | found.stage[stage]
        if buffer not in nests:
            readers = flow.readers.get(buffer, ())
            nests[buffer] = tuple(dict.fromkeys(found.nest[reader] for reader in readers))
        for nest in nests[buffer]:
            inner = found.iterated(domain)
            if inner and set(inner) <= set(nest):
                outer = PAGE_LOOPS[: PAGE_LOOPS.index(inner[-1])]
                domain |= Domain(name for name in outer if name in nest)
        if stage.group is not None:
            for receiver in flow.receivers.get(stage.group, ()):
                domain |= wanted.get(receiver.buffer, NOTHING)
        wanted[buffer] = domain
    return wanted
