"""Reasons against scheduling a program, found before anything is changed."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import SSAValue

from spatial_dialect.analysis.domains import BLOCKS, NOTHING
from spatial_dialect.analysis.levels import Level
from spatial_dialect.analysis.nests import Nest
from spatial_dialect.dialects.spatial import (
    AllReduceOp,
    BufferOp,
    ComputeStageOp,
    DotOp,
    GroupOp,
    LoadOp,
    MapOp,
    MatmulOp,
    Phase,
    ProgramOp,
    RecvOp,
    ReduceOp,
    StageOp,
    StoreOp,
    buffer_text,
    page_type,
)
from spatial_dialect.ir.attributes import Handshake
from spatial_dialect.ir.diagnostics import Findings, describe, value_name
from spatial_dialect.ir.loops import domain_text

from .compute import ComputeNests
from .facts import Facts, Site, buffer_op, depth
from .matmul_forms import blocks_of, is_in_place
from .movement import hold_movement, movement_nest

_KNOWN = (
    *(LoadOp, RecvOp, StoreOp),
    *(MatmulOp, DotOp, MapOp, ReduceOp, AllReduceOp),
)
"""The stages that have a choreography."""


def check_phase(program: ProgramOp, findings: Findings) -> bool:
    """Whether a program is sized; says what is missing and which pass provides it if not."""
    phase = program.phase
    if phase is Phase.SIZED:
        return True

    problem = placing_problem(program)
    if problem is None:
        buffer = next(buffer for buffer in program.buffers if buffer.depth is None)
        problem = buffer, "depth", "write `depth 2` or run size-buffers first"
    op, what, way_out = problem
    findings.error(
        op,
        f"has no {what}: synthesize-handshakes expects a sized program, "
        f"but this one is {phase.name.lower()}",
        hint=way_out,
    )
    return False


def placing_problem(program: ProgramOp) -> tuple[ProgramOp | StageOp, str, str] | None:
    """What a program lacks that is not placed yet: where, what, and how to come by it."""
    placing = "run place-spatial first"
    if program.target is None:
        return program, "target", f'write target #spatial.target<"..."> or {placing}'
    if program.grid is None:
        return program, "grid", f"write grid [rows, columns] or {placing}"
    for stage in program.stages:
        if stage.engine_attr is None:
            return stage, "engine", f"write `on move 0` or {placing}"
    return None


def local_handshakes(facts: Facts, findings: Findings) -> dict[BufferOp, Handshake]:
    """The kind of handshake of every ring: what it says, or what the target has instead of fifo."""
    provided = set(map(str, facts.target.handshakes_local))
    result: dict[BufferOp, Handshake] = {}
    for buffer in facts.program.buffers:
        wanted = buffer.handshake.data
        choices = (wanted, Handshake.VALID_READY) if wanted == Handshake.FIFO else (wanted,)
        kind = next((choice for choice in choices if str(choice) in provided), None)
        if kind is None:
            findings.error(
                buffer,
                f"{value_name(buffer.buffer)} needs handshake {' or '.join(choices)}, but target "
                f"'{facts.target.name}' provides {', '.join(sorted(provided)) or 'none'} on a site",
                hint="choose another target, or override its handshakes_local",
            )
        else:
            result[buffer] = kind
    if str(Handshake.SEMAPHORE) not in set(map(str, facts.target.handshakes_remote)):
        for group in facts.flow.senders:
            owner = group.owner
            assert isinstance(owner, GroupOp)
            findings.error(
                owner,
                f"{value_name(group)} needs handshake semaphore, but target "
                f"'{facts.target.name}' does not provide it across sites",
                hint="load the page on every site instead, or override handshakes_remote",
            )
    return result


def check_program(facts: Facts, findings: Findings) -> None:
    """What holds for the program as a whole."""
    for stage in facts.flow.stages:
        if not isinstance(stage, _KNOWN):
            findings.error(
                stage,
                "is a stage that synthesize-handshakes does not know",
                hint="lower it to stages of the spatial dialect first",
            )
        _check_reads(facts, stage, findings)
        if isinstance(stage, MatmulOp):
            _check_form(facts, stage, findings)
    for buffer, updates in facts.flow.updates.items():
        _check_carry(facts, buffer, updates[0], findings)
    for buffer in facts.flow.readers:
        _check_waiting_pages(facts, buffer, findings)


def check_site(site: Site, findings: Findings) -> None:
    """What holds for the stages that share the sites of one class, engine by engine."""
    movers: dict[int, list[StageOp]] = {}
    computing: list[StageOp] = []
    for stage in site.stages:
        engine = stage.engine_attr
        assert engine is not None
        if engine.is_compute:
            computing.append(stage)
        else:
            movers.setdefault(engine.data, []).append(stage)
    for stages in movers.values():
        here = Site(site.facts, site.sites, tuple(stages))
        nest = movement_nest(here)
        _check_homes(here, [hold_movement(site.facts, nest).homes], findings)
    if computing:
        here = Site(site.facts, site.sites, tuple(computing))
        nests = ComputeNests(here)
        _check_homes(here, [holding.homes for holding in nests.holding.values()], findings)
        _check_accumulators(nests, findings)


def _check_reads(facts: Facts, reader: StageOp, findings: Findings) -> None:
    """Each page that a stage reads is there where it reads it."""
    domains, levels = facts.domains, facts.levels.of
    for buffer in facts.reads(reader):
        name = value_name(buffer)
        carry = facts.flow.is_carry(buffer)
        for maker in facts.flow.makers_for(reader, buffer):
            too_late = isinstance(maker, MatmulOp) or levels[maker] is Level.AFTER
            if levels[reader] is Level.BLOCK and too_late:
                findings.error(
                    reader,
                    f"reads {name} in every K block, but {describe(maker)} makes it after the "
                    "last one",
                    hint="use `dot` for the first product, or a second program",
                )
                return
            if levels[reader] is Level.AFTER and levels[maker] is Level.BLOCK:
                if not carry and not isinstance(maker, MatmulOp):
                    findings.error(
                        reader,
                        f"reads {name} once after the K blocks, but {describe(maker)} makes a "
                        "page of it in every block",
                        hint="make it a carry: initialise it before the blocks and update it",
                    )
                    return
        made, nest = domains.buffer.get(buffer, NOTHING), domains.nest[reader]
        in_block = levels[reader] is Level.BLOCK
        if carry and in_block:
            if not domains.same(made | BLOCKS, nest):
                findings.error(
                    reader,
                    f"reads carry {name} of domain {domain_text(made)} in the loops "
                    f"{domain_text(domains.iterated(nest))}, but all stages of a K block that "
                    "touch a carry stand in its own loops",
                    hint="give the carry the domain of the stages that use it",
                )
        elif not set(domains.iterated(made)) <= set(nest):
            findings.error(
                reader,
                f"takes pages of domain {domain_text(nest)} of {name}, but its domain is "
                f"{domain_text(made)}",
                hint="a matmul takes one page of each factor per K block",
            )
        elif not domains.is_prefix(made, nest):
            findings.error(
                reader,
                f"needs {name} again for every iteration of the loops "
                f"{domain_text(domains.iterated(nest))}, but its domain is {domain_text(made)}: "
                "the page is needed more often than it is made",
                hint="load it, since a load can fetch a page again, or compute it in these loops",
            )


def _check_form(facts: Facts, matmul: MatmulOp, findings: Findings) -> None:
    """The form of a matmul fits loops, target and rings."""
    extent, sub_blocks = facts.domains.loops.k, facts.sub_blocks
    spill = matmul.spill
    target = f"target '{facts.target.name}'"
    if extent.at_run_time and spill is not None:
        findings.error(
            matmul,
            f"spills to {value_name(spill)}, but the K loop has a run-time trip",
            hint="partial sums of a run-time trip stay in the accumulator: leave `spill` out",
        )
        return
    if extent.is_one:
        return
    if spill is None:
        if sub_blocks:
            count = facts.domains.pages(sub_blocks)
            findings.error(
                matmul,
                f"keeps its sums in the accumulator over the K blocks, but makes {count} "
                f"sub-blocks per item (loops {domain_text(sub_blocks)})",
                hint="spill the partial sums to a ring, or use one sub-block",
            )
        elif not facts.target.acc_across_k:
            findings.error(
                matmul,
                f"keeps its sums in the accumulator over the K blocks, which {target} cannot",
                hint="spill the partial sums to a ring",
            )
        return
    pages = facts.needs.spilled
    subs = [sub for blocks in blocks_of(matmul, extent.size) for sub in blocks.sub_blocks]
    if any(sub.accumulate for sub in subs) and not facts.target.pack_accumulate:
        findings.error(
            matmul,
            f"adds up partial sums in memory, but the packer of {target} cannot",
            hint="spill `by reload` to a ring of its own",
        )
    exact = any(sub.drain for sub in subs)
    rings = [spill, matmul.output] if is_in_place(matmul) else [spill]
    for ring in rings:
        if depth(ring) < pages or (exact and depth(ring) != pages):
            findings.error(
                matmul,
                f"needs {'exactly' if exact else 'at least'} {pages} pages in "
                f"{value_name(ring)}, one per sub-block, but its depth is {depth(ring)}",
                hint=f"give {value_name(ring)} depth {pages}",
            )
    types = [page_type(ring).element_type for ring in (matmul.output, spill)]
    if is_in_place(matmul) and types[0] != types[1]:
        findings.error(
            matmul,
            f"adds up in place, but the result is {buffer_text(matmul.output)} and the partial "
            f"sums are {buffer_text(spill)}",
            hint="give both one element type, or the partial sums memory of their own",
        )


def _check_carry(facts: Facts, carry: SSAValue, update: ComputeStageOp, findings: Findings) -> None:
    """A carry is initialised before the blocks and has room for the old page and the new."""
    name = value_name(carry)
    for maker in facts.flow.makers.get(carry, ()):
        if facts.levels.of[maker] is not Level.BEFORE:
            findings.error(
                maker,
                f"initialises carry {name}, but runs {facts.levels.of[maker].value}",
                hint="initialise a carry from pages that do not depend on the blocks",
            )
            return
    made, nest = facts.domains.buffer.get(carry, NOTHING), facts.domains.nest[update]
    if not facts.domains.same(made | BLOCKS, nest | BLOCKS):
        findings.error(
            update,
            f"updates carry {name} of domain {domain_text(made)} in the loops "
            f"{domain_text(facts.domains.iterated(nest))}: it must replace every page once per "
            "block",
            hint="initialise the carry in the same sub-block loops",
        )
        return
    if depth(carry) < (least := facts.needs.least(carry)):
        pages = least - 1
        findings.error(
            buffer_op(carry),
            f"{name} is a carry of {pages} page{'s' if pages > 1 else ''}, replaced while the old "
            f"one is read, but its depth is {depth(carry)}",
            hint=f"give it depth {least}",
        )


def _check_waiting_pages(facts: Facts, buffer: SSAValue, findings: Findings) -> None:
    """What is made before the blocks and taken later all waits in the ring."""
    if (pair := facts.needs.waiting(buffer)) is None:
        return
    early, late = pair
    levels, pages = facts.levels.of, facts.needs.least(buffer)
    if depth(buffer) < pages:
        findings.error(
            buffer_op(buffer),
            f"{value_name(buffer)} is filled by {describe(early)} before the K blocks and read by "
            f"{describe(late)} {levels[late].value}, so {pages} pages wait in it, but its depth "
            f"is {depth(buffer)}",
            hint=f"give it depth {pages}",
        )


def _check_homes(
    site: Site, homes: Iterable[dict[SSAValue, list[Nest]]], findings: Findings
) -> None:
    """A page that loops index is taken from its ring in one nest only.

    The blocks leave as many pages in the ring of a carry as they found: it may be taken from once
    in them and once after them.
    """
    nests: dict[tuple[SSAValue, int], list[Nest]] = {}
    for number, part in enumerate(homes):
        for page, found in part.items():
            key = page, number if site.facts.flow.is_carry(page) else 0
            nests.setdefault(key, []).extend(found)
    for (page, _), found in nests.items():
        if len(found) > 1 and site.facts.domains.iterated(site.facts.domains.buffer[page] - BLOCKS):
            readers = list(site.readers(page))
            findings.error(
                readers[-1],
                f"reads {value_name(page)} in a nest of its own, but {describe(readers[0])} has "
                "taken its pages already: the page is needed more often than it is made",
                hint="give each of them a buffer of its own",
            )


def _check_accumulators(nests: ComputeNests, findings: Findings) -> None:
    """While an accumulator is kept over the blocks, nothing else can use one."""
    if not nests.in_registers:
        return
    kept = [matmul for matmul in nests.matmuls if matmul.spill is None]
    others: list[StageOp] = [*nests.matmuls, *nests.chains[Level.BLOCK]]
    for other in others:
        if other is not kept[0]:
            findings.error(
                kept[0],
                "keeps its accumulator over all K blocks, but "
                f"{describe(other)} computes in each of them on the same site",
                hint="spill the partial sums to a ring",
            )
            return
