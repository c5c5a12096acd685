"""What the user is told: why nothing fits, or why something was chosen."""

from __future__ import annotations

from spatial_dialect.analysis.costs import CostModel, page_bytes
from spatial_dialect.dialects.spatial import LoadOp, StoreOp
from spatial_dialect.ir.diagnostics import Finding, Findings, describe, value_name
from spatial_dialect.ir.loops import PAGE_LOOPS
from spatial_dialect.ir.types import element_name

from .prediction import Candidate
from .search import Overfull, Search
from .template import Choice, Shape, Template
from .tiled import tiled

MOST_TOLD = 3
"""So many of the choices that were not taken are told, of each kind."""


MOST_RINGS = 16
"""So many rings are told, the largest."""


def report_failure(search: Search, findings: Findings) -> None:
    """Reports that a template cannot be cut."""
    template, wanted = search.template, search.wanted
    program, name, target = template.program, template.name, template.target
    given = wanted.text()
    within = f" with {given}" if given else ""
    hint = f"give other values than {given}, or leave them out" if given else None
    if search.unscheduled:
        _, problem = search.unscheduled[0]
        findings.error(
            program,
            f"no way to cut {name}{within} can be scheduled: {_first_line(problem)}",
            notes=problem.notes,
        )
    elif search.too_big:
        least = search.too_big[0]
        findings.error(
            program,
            f"no block of {name}{within} fits the local memory of target '{target.name}': the "
            f"least needs {least.estimate.least_bytes} bytes, but there are {target.usable_bytes}",
            notes=_rings(search, least),
            hint=hint or "choose a target with more memory, or compute less in one program",
        )
    elif search.overfull:
        _report_overfull(search, search.overfull[0], within, hint, findings)
    elif search.uneven:
        findings.error(
            program,
            f"sub-blocks of {_text(wanted.sub or (1, 1))} tiles divide no block of {name}{within}",
            hint="give blocks that they divide, by m and n",
        )
    else:
        found = [[axis.tiles for axis in template.axes.cut_by(loop)] for loop in PAGE_LOOPS]
        loop, extents = max(zip(PAGE_LOOPS, found, strict=True), key=lambda each: len(set(each[1])))
        findings.error(
            program,
            f"`{loop}` cuts {' and '.join(map(str, dict.fromkeys(extents)))} tiles of {name}, "
            f"which cannot be as many blocks{within}",
            hint=hint or f"mark by `{loop}` only what has as many blocks",
        )


def _report_overfull(
    search: Search, least: Overfull, within: str, hint: str | None, findings: Findings
) -> None:
    template = search.template
    stage, buffer = least.stage, least.stage.page_write
    room, type = template.room(stage), element_name(stage.accumulator_type)
    notes = [
        f"its {what} stay whole: {axis.whole_for}"
        for side, what in enumerate(("rows", "columns"))
        if (axis := template.axes.of[buffer, side]).cut is None and axis.tiles > 1
    ]
    findings.error(
        template.program,
        f"no block of {template.name}{within} fits the accumulators of target "
        f"'{template.target.name}': {describe(stage)} makes pages of {_text(least.shape)} tiles "
        f"of {value_name(buffer)}, but they hold {room} of {type}",
        notes=notes,
        hint=hint or "choose a target with more of them, or cut what stays whole by `k`",
    )


def _rings(search: Search, least: Candidate) -> list[str]:
    """The rings of a choice, the largest first."""
    template = search.template
    program = tiled(template, least.choice)
    needs = CostModel.of(program, template.target).needs(program.loop_nest)
    found: list[tuple[int, str]] = []
    for buffer in program.buffers:
        depth = buffer.pages or needs.least(buffer.buffer)
        size = depth * page_bytes(buffer.page, template.target)
        page = f"{_text(buffer.page.shape)} tiles of {element_name(buffer.page.element_type)}"
        pages = "page" if depth == 1 else "pages"
        found.append(
            (size, f"{size} bytes: {value_name(buffer.buffer)}, {depth} {pages} of {page}")
        )
    found.sort(key=lambda each: -each[0])
    notes = [text for _, text in found[:MOST_RINGS]]
    if rest := found[MOST_RINGS:]:
        notes.append(f"{sum(size for size, _ in rest)} bytes: {len(rest)} smaller ones")
    return notes


def explain(search: Search, findings: Findings) -> None:
    """Tells what was taken, what was not, and why."""
    template, best = search.template, search.fitting[0]
    notes = [f"predicted: {_prediction(best)}"]
    notes += [
        f"not taken: {_choice_text(template, each.choice)}: {_cost(each)}"
        for each in search.fitting[1 : 1 + MOST_TOLD]
    ]
    notes += [
        f"no schedule: {_choice_text(template, each.choice)}: {_first_line(problem)}"
        for each, problem in search.unscheduled[:MOST_TOLD]
    ]
    faster = sorted(search.too_big, key=lambda each: each.rank)
    notes += [
        f"no memory: {_choice_text(template, each.choice)}: {_cost(each)}, but "
        f"{each.estimate.least_bytes} bytes of {template.target.usable_bytes}"
        for each in faster[:MOST_TOLD]
    ]
    notes += [
        f"no room in the accumulators: {_choice_text(template, each.choice)}: "
        f"{value_name(each.stage.page_write)} has {_text(each.shape)} tiles, they hold "
        f"{template.room(each.stage)}"
        for each in search.overfull[:1]
    ]
    if template.trip_axis is not None and search.wanted.k is None:
        notes.append("K blocks have one tile, since a trip that is known at run time counts tiles")
    tried = len(search.fitting) + len(search.unscheduled) + len(search.too_big)
    tried += len(search.overfull) + len(search.uneven)
    findings.remark(
        template.program,
        f"{template.name} is cut into {_choice_text(template, best.choice)}: the best of "
        f"{len(search.fitting)} that fit, of {tried}, for {_text(search.grid)} sites",
        notes=notes,
    )


def _choice_text(template: Template, choice: Choice) -> str:
    """A choice in words: pages that are moved, and loops."""
    moved = [s.buffer for s in template.program.stages if isinstance(s, LoadOp | StoreOp)]
    pages = [f"{value_name(b)} {_text(template.shape(b, choice))}" for b in dict.fromkeys(moved)]
    spill = "" if choice.spill is None else f", spill by {choice.spill}"
    return f"{', '.join(pages)}, loops {template.loops(choice)}{spill}"


def _cost(found: Candidate) -> str:
    return f"{found.cycles} cycles, {found.estimate.dram_bytes} bytes of DRAM"


def _prediction(found: Candidate) -> str:
    estimate = found.estimate
    bytes = estimate.local_bytes if found.doubled else estimate.least_bytes
    pages = "" if found.doubled else ", without second pages"
    cycles = [f"{estimate.compute_cycles:.0f} on compute"]
    cycles += (f"{each:.0f} on move {number}" for number, each in enumerate(estimate.move_cycles))
    return (
        f"{_cost(found)}, {bytes} bytes of local memory{pages}; an item takes {', '.join(cycles)}"
    )


def _first_line(problem: Finding) -> str:
    return problem.text.split("\n", 1)[0]


def _text(shape: Shape) -> str:
    return f"{shape[0]}x{shape[1]}"
