"""Whether a program is a template that can be cut for a target."""

from __future__ import annotations

from spatial_dialect.analysis.page_axes import is_named, mark_of, step_of, transferred
from spatial_dialect.dialects.spatial import (
    ComputeStageOp,
    DotOp,
    GroupOp,
    LoadOp,
    MatmulOp,
    ProgramOp,
    StoreOp,
    buffer_text,
    page_type,
    tensor_type,
)
from spatial_dialect.ir.addresses import used_names
from spatial_dialect.ir.diagnostics import Findings, value_name
from spatial_dialect.ir.types import element_name
from spatial_dialect.targets import Target


def check_template(program: ProgramOp, target: Target, findings: Findings) -> None:
    """Report what is decided already, and what the target lacks."""
    _check_open(program, findings)
    _check_marks(program, findings)
    _check_types(program, target, findings)
    if program.target is None:
        _check_tiles(program, target, findings)


def _check_open(program: ProgramOp, findings: Findings) -> None:
    """Nothing that a later phase decides is there."""
    for op in program.body.block.ops:
        placed = isinstance(op, GroupOp) or op.properties.get("at") is not None
        if isinstance(op, LoadOp | StoreOp):
            placed |= bool(used_names(op.address.data) & {"y", "x"})
        if placed:
            findings.error(
                op,
                "says which sites do what, but its program is a template, which has none yet",
                hint="write `loops []` if the program is tiled",
            )
    for stage in program.stages:
        if isinstance(stage, MatmulOp) and stage.spill is not None:
            findings.error(
                stage,
                f"spills to {value_name(stage.spill)}, but tile-spatial decides on partial sums",
                hint="leave `spill` out of a template",
            )
    for buffer in program.buffers:
        if buffer.alias is not None:
            findings.error(
                buffer,
                f"{value_name(buffer.buffer)} has the memory of {value_name(buffer.alias)}, but "
                "the pages of a template have no size yet",
                hint="leave `alias` out of a template",
            )


def _check_marks(program: ProgramOp, findings: Findings) -> None:
    """An address names a loop only to say that it cuts a side of the page."""
    for stage in program.stages:
        if not isinstance(stage, LoadOp | StoreOp):
            continue
        marks = {mark for side in (0, 1) if (mark := mark_of(stage, side)) is not None}
        if extra := used_names(stage.address.data) & {"k", "h", "w"} - marks:
            name = sorted(extra)[0]
            findings.error(
                stage,
                f"uses '{name}' in its address, but not to go over {buffer_text(stage.buffer)}",
                hint=f"write {name} times the rows or the columns of the page",
            )


def _check_types(program: ProgramOp, target: Target, findings: Findings) -> None:
    """The target has the types of all pages, and can sum up in those of products."""
    for buffer in program.buffers:
        if (name := element_name(buffer.page.element_type)) not in target.element_types:
            findings.error(
                buffer,
                f"{value_name(buffer.buffer)} holds {name}, which target '{target.name}' lacks",
                hint=f"it has {', '.join(target.element_types)}",
            )
    for stage in program.stages:
        if isinstance(stage, MatmulOp | DotOp):
            _check_sums(stage, target, findings)


def _check_sums(stage: ComputeStageOp, target: Target, findings: Findings) -> None:
    if (name := element_name(stage.accumulator_type)) not in target.element_types:
        findings.error(
            stage,
            f"sums up in {name}, which target '{target.name}' lacks",
            hint=f"it has {', '.join(target.element_types)}",
        )


def _check_tiles(program: ProgramOp, target: Target, findings: Findings) -> None:
    """The pages are made of tiles of the target, if the program does not say of which."""
    for stage in program.stages:
        if not isinstance(stage, LoadOp | StoreOp):
            continue
        shape = tensor_type(stage.tensor).get_shape()
        for side, name in enumerate(("rows", "columns")):
            if is_named(stage, side):
                continue
            dim = transferred(stage, side)
            tile = target.tile[dim - len(shape)]
            extent = (page_type(stage.buffer).shape[side] - 1) * step_of(stage, side) + 1
            if extent > -(-shape[dim] // tile):
                findings.error(
                    stage,
                    f"moves {name} of {extent} tiles, but {value_name(stage.tensor)} has "
                    f"{-(-shape[dim] // tile)} tiles of target '{target.name}' there",
                    hint="tile it for the target whose tiles its pages are made of",
                )
