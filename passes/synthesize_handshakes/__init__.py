"""Derives the choreography of a sized program: one sequential program per engine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, FlatSymbolRefAttr, ModuleOp, SymbolRefAttr
from xdsl.ir import Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from spatial_dialect.analysis.dataflow import Dataflow
from spatial_dialect.analysis.domains import domains
from spatial_dialect.analysis.levels import levels
from spatial_dialect.analysis.site_classes import GroupSites, site_classes
from spatial_dialect.dialects.choreo import EngineOp, SemaphoresOp
from spatial_dialect.dialects.spatial import (
    BufferOp,
    GroupOp,
    Phase,
    ProgramOp,
    StageOp,
    TripOp,
)
from spatial_dialect.ir.attributes import EngineAttr, Handshake, HandshakeAttr, SitesAttr
from spatial_dialect.ir.diagnostics import Findings
from spatial_dialect.ir.sites import Sites

from .checks import check_phase, check_program, check_site, local_handshakes
from .compute import compute_program
from .facts import Facts, Site
from .movement import movement_program
from .writer import Provenance


@dataclass(frozen=True)
class SynthesizeHandshakesPass(ModulePass):
    """Replaces the stages of every sized program by one program per site class and engine.

    ```mlir
    spatial.load %X[y, k] into %x on move 0       // becomes, in the K loop of move 0:
                                                  //   choreo.reserve %x
                                                  //   choreo.read_tiles %X[%y, %k] into %x
                                                  //   choreo.read_barrier
                                                  //   choreo.push %x
    ```

    A program that is scheduled already stays as it is. If any program of the module cannot be
    scheduled, none is changed.
    """

    name = "synthesize-handshakes"

    tag_stages: bool = False
    """Whether every op says which stage it was made for, as traces want it."""

    verify: bool = False
    """Whether the result is judged at once, as `verify-choreography` does."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        findings = Findings()
        plans: list[_Plan] = []
        for program in [p for p in op.walk() if isinstance(p, ProgramOp)]:
            if program.phase is Phase.SCHEDULED or not check_phase(program, findings):
                continue
            plan = _Plan.of(program, findings)
            if plan is not None:
                plans.append(plan)
        findings.raise_pass()
        for plan in plans:
            plan.carry_out(self.tag_stages)
        if self.verify:
            # Only now: a synthesis on its own must not pay for loading the proof.
            from spatial_dialect.passes.verify_choreography import VerifyChoreographyPass

            VerifyChoreographyPass().apply(ctx, op)


def schedule(program: ProgramOp, findings: Findings) -> bool:
    """Replaces the stages of one sized program by engines, unless there is a reason against it.

    Args:
        program: a sized program that verifies.
        findings: where reasons against it go.
    """
    plan = _Plan.of(program, findings)
    if plan is not None:
        plan.carry_out(tag_stages=False)
    return plan is not None


@dataclass
class _Plan:
    """What to do to one program, decided before anything is changed."""

    facts: Facts
    handshakes: dict[BufferOp, Handshake]
    classes: tuple[Sites, ...]

    @staticmethod
    def of(program: ProgramOp, findings: Findings) -> _Plan | None:
        """The plan for a program, unless there is a reason against it."""
        target = program.machine
        assert target is not None
        flow = Dataflow.of(program)
        domain = domains(flow, program.loop_nest)
        facts = Facts(program, target, flow, domain, levels(flow, domain))
        found = Findings()
        handshakes = local_handshakes(facts, found)
        check_program(facts, found)
        groups = [
            GroupSites(group.senders.data, group.receivers.data, group.axes)
            for group in _groups(program)
        ]
        classes = site_classes(
            program.grid_sites_or_fail, list(dict.fromkeys(flow.sites.values())), groups
        )
        plan = _Plan(facts, handshakes, classes)
        for site in plan.sites():
            if not found:
                check_site(site, found)
        findings.errors += found.errors
        return None if found else plan

    def sites(self) -> Iterable[Site]:
        """The stages of each site class, in rank order."""
        order = self.facts.levels.order
        where = self.facts.flow.sites
        distinct = set(where.values())
        for sites in self.classes:
            here = {stage_sites for stage_sites in distinct if stage_sites.contains(*sites.first)}
            yield Site(self.facts, sites, tuple(s for s in order if where[s] in here))

    def carry_out(self, tag_stages: bool) -> None:
        """Replaces the stages by engines."""
        program = self.facts.program
        names = _stage_names(program)
        taken = {name.root_reference.data for name in names.values()}
        provenance = Provenance(names, tag_stages)
        for buffer, kind in self.handshakes.items():
            if buffer.handshake.data != kind:
                buffer.handshake = HandshakeAttr(kind)
        semaphores: dict[SSAValue, SemaphoresOp] = {}
        for group in _groups(program):
            if group.group in self.facts.flow.senders:
                op = SemaphoresOp(group.group)
                op.location = group.location
                if (name := group.group.name_hint) is not None:
                    op.ready.name_hint, op.valid.name_hint = f"{name}_ready", f"{name}_valid"
                semaphores[group.group] = op
        engines: list[Operation] = []
        written: dict[tuple[StageOp, ...], Region] = {}
        sites = list(self.sites())
        for engine in _engines(self.facts):
            for number, site in enumerate(sites):
                stages = tuple(s for s in site.stages if s.engine_attr == engine)
                if not stages:
                    continue
                # Classes that differ on other engines only have the same code on this one.
                if (same := written.get(stages)) is not None:
                    body = same.clone()
                elif engine.is_compute:
                    body = compute_program(Site(self.facts, site.sites, stages), provenance)
                else:
                    here = Site(self.facts, site.sites, stages)
                    body = movement_program(here, provenance, semaphores)
                written[stages] = body
                at = None if site.sites == program.grid_sites else SitesAttr(site.sites)
                # Ops may still name stages, which an engine must not be taken for.
                name = _unused(_engine_name(engine, number), taken)
                engines.append(EngineOp(name, engine, at, body))
        block = program.body.block
        for op in list(block.ops):
            if isinstance(op, StageOp | TripOp):
                Rewriter.erase_op(op)
        Rewriter.insert_op([*semaphores.values(), *engines], InsertPoint.at_end(block))
        used = set(self.handshakes.values())
        if semaphores:
            used.add(Handshake.SEMAPHORE)
        program.requires = ArrayAttr(HandshakeAttr(kind) for kind in Handshake if kind in used)


def _groups(program: ProgramOp) -> list[GroupOp]:
    return [op for op in program.body.block.ops if isinstance(op, GroupOp)]


def _engines(facts: Facts) -> list[EngineAttr]:
    """The engines in use, in the order in which the dataflow comes to them."""
    found = (stage.engine_attr for stage in facts.levels.order)
    return list(dict.fromkeys(engine for engine in found if engine is not None))


def _engine_name(engine: EngineAttr, number: int) -> str:
    """`move0_2`: movement engine 0 of the third site class."""
    return f"{str(engine).replace(' ', '')}_{number}"


def _unused(base: str, taken: set[str]) -> str:
    """The name, with a number if it is taken; taken from now on."""
    name, number = base, 0
    while name in taken:
        number += 1
        name = f"{base}_{number}"
    taken.add(name)
    return name


def _stage_names(program: ProgramOp) -> dict[StageOp, FlatSymbolRefAttr]:
    """A symbol for each stage: its own, or one made of what it does and to which buffer."""
    taken = {s.sym_name.data for s in program.stages if s.sym_name is not None}
    names: dict[StageOp, FlatSymbolRefAttr] = {}
    for stage in program.stages:
        if stage.sym_name is not None:
            name = stage.sym_name.data
        else:
            page = stage.page_write or stage.page_reads[0]
            base = stage.name.removeprefix("spatial.")
            base = base if page.name_hint is None else f"{base}_{page.name_hint}"
            name = _unused(base, taken)
        names[stage] = SymbolRefAttr(name)
    return names
