"""Facts a program must have as a whole, which no verifier of a single operation can see.

Everything is decided by rectangle algebra on whole sets of sites: nothing here costs more because
a grid is larger. All errors of a program are found in one run.
"""

from __future__ import annotations

from typing import TypeAlias

from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation

from spatial_dialect.analysis.addresses_check import check_addresses, has_extents
from spatial_dialect.analysis.dataflow import Cycle, Dataflow
from spatial_dialect.analysis.domains import Domains, domains
from spatial_dialect.analysis.levels import levels
from spatial_dialect.analysis.local_memory import check_local_memory
from spatial_dialect.analysis.pages_check import check_domains, check_pages, report_cycle
from spatial_dialect.analysis.stage_text import site_text
from spatial_dialect.dialects.spatial import (
    AllReduceOp,
    BufferOp,
    ComputeStageOp,
    GroupOp,
    MatmulOp,
    MoveStageOp,
    Phase,
    ProgramOp,
    StageOp,
    TripOp,
    buffer_text,
    page_type,
)
from spatial_dialect.ir.addresses import used_names
from spatial_dialect.ir.attributes import Axis
from spatial_dialect.ir.diagnostics import Findings, value_name
from spatial_dialect.ir.loops import LoopName
from spatial_dialect.ir.sites import Sites
from spatial_dialect.ir.types import element_bits, element_name
from spatial_dialect.targets import Target

_Shape: TypeAlias = tuple[int, int]


def verify_program(program: ProgramOp) -> None:
    """Check a program against its target and its own parts against each other.

    Raises:
        FindingsVerifyException: something is wrong; it holds all that is.
    """
    findings = Findings()
    body = tuple(program.body.block.ops)
    stages = tuple(op for op in body if isinstance(op, StageOp))
    engines = tuple(op for op in body if op.name == "choreo.engine")
    _check_grid(program, findings)
    _check_buffers(program, findings)
    if stages and engines:
        findings.error(
            program,
            f"has {len(stages)} stages and {len(engines)} engines, but engines replace stages",
            hint="leave the stages out, or derive all engines with synthesize-handshakes",
        )
    elif engines:
        # The checks of engines know the other dialect, which need not be loaded for dataflow.
        from spatial_dialect.analysis.engine_check import check_engines
        from spatial_dialect.analysis.fingerprint import is_stale

        check_engines(program, findings)
        if is_stale(program):
            findings.warning(
                program,
                f"@{program.sym_name.data} says that it is proved, but it has changed since",
                hint="run verify-choreography again",
            )
    elif stages:
        _check_dataflow(program, body, findings)
    else:
        findings.error(
            program,
            "has no stages: nothing moves and nothing is computed",
            hint="add a stage, such as spatial.load, or remove the program",
        )
    if not findings and (machine := program.machine) is not None:
        check_local_memory(program, machine, findings)
    findings.raise_verify()


def _check_dataflow(program: ProgramOp, body: tuple[Operation, ...], findings: Findings) -> None:
    """Check a program of stages."""
    _check_template(program, findings)
    if program.requires is not None:
        findings.error(
            program,
            "says what it `requires`, but has stages: that follows from its engines",
            hint="leave `requires` out",
        )
    for op in body:
        if not isinstance(op, StageOp | BufferOp | GroupOp | TripOp):
            findings.error(
                op,
                f"stands in program @{program.sym_name.data}, which holds buffers, groups, stages "
                "and run-time trips only",
                hint="move it out of the program, or into the code of a spatial.map",
            )
    machine = program.machine
    _check_trips(program, body, findings)
    flow = Dataflow.of(program)
    if _check_stages(program, machine, flow, findings):
        # Who meets whom is doubtful as long as the sets are.
        return
    check_pages(program, flow, findings)
    try:
        found = domains(flow, program.loop_nest)
        levels(flow, found)
    except Cycle as cycle:
        report_cycle(cycle, flow, findings)
        return
    check_domains(flow, found, findings)
    _check_products(program, flow, found, findings)
    check_addresses(program, flow, found, findings)


def _check_template(program: ProgramOp, findings: Findings) -> None:
    """A template has no loop but that of its items, and a run-time trip."""
    if program.template is None:
        return
    loops = program.loop_nest
    names: tuple[LoopName, ...] = ("k", "h", "w")
    for name in names:
        if loops[name].size > 1 and not loops[name].at_run_time:
            findings.error(
                program,
                f"is a template, whose pages are whole matrices, but has a loop {name} = "
                f"{loops[name]}",
                hint="leave `template` out, or the loop",
            )


################################################################################
# The grid and the target                                                      #
################################################################################


def _check_grid(program: ProgramOp, findings: Findings) -> None:
    """The grid fits the target; groups lie inside the grid."""
    grid, machine, shape = program.grid_sites, program.machine, program.grid_shape
    if grid is None or shape is None:
        return
    if machine is not None and machine.max_grid is not None:
        rows, cols = machine.max_grid
        if shape[0] > rows or shape[1] > cols:
            findings.error(
                program,
                f"has grid [{shape[0]}, {shape[1]}], but target '{machine.name}' has at most "
                f"[{rows}, {cols}]",
                hint="use a smaller grid",
            )
    for op in program.body.block.ops:
        if isinstance(op, GroupOp):
            for word, sites in (("from", op.senders.data), ("to", op.receivers.data)):
                _check_inside(op, f"{value_name(op.group)} {word}", sites, grid, shape, findings)


def _check_inside(
    op: IRDLOperation, what: str, sites: Sites, grid: Sites, shape: _Shape, findings: Findings
) -> None:
    """Some sites that an operation names are sites of the grid."""
    if not sites <= grid:
        findings.error(
            op,
            f"{what} {sites} reaches outside the grid [{shape[0]}, {shape[1]}]: "
            f"{(sites - grid).rects[0]} is not in it",
            hint="make the set smaller, or the grid larger",
        )


def _check_buffers(program: ProgramOp, findings: Findings) -> None:
    """Element types and depths are the target's; an alias shares pages of the same size."""
    machine = program.machine
    wrong: dict[Attribute, bool] = {}
    for buffer in program.buffers:
        type = buffer.page.element_type
        if machine is not None:
            if type not in wrong:
                wrong[type] = element_name(type) not in machine.element_types
            if wrong[type]:
                findings.error(
                    buffer,
                    f"{value_name(buffer.buffer)} holds {element_name(type)}, but target "
                    f"'{machine.name}' has tiles of {', '.join(machine.element_types)}",
                    hint="convert to one of these, or override `element_types` of the target",
                )
            if buffer.pages is not None and buffer.pages > machine.max_pages_counter:
                findings.error(
                    buffer,
                    f"{value_name(buffer.buffer)} is {buffer.pages} pages deep, but counters of "
                    f"target '{machine.name}' hold at most {machine.max_pages_counter}",
                    hint="make the ring less deep",
                )
        if buffer.alias is not None:
            _check_alias(buffer, findings)


def _check_alias(buffer: BufferOp, findings: Findings) -> None:
    """A buffer that shares the memory of another has pages like it."""
    other = buffer.alias
    assert other is not None
    name, owner = value_name(buffer.buffer), other.owner
    if not isinstance(owner, BufferOp):
        return
    if owner.alias is not None:
        findings.error(
            buffer,
            f"{name} aliases {value_name(other)}, which has no memory of its own: it aliases "
            f"{value_name(owner.alias)}",
            hint=f"alias {value_name(owner.alias)}",
        )
        return
    mine, theirs = buffer.page, owner.page
    bits = [page.tiles * element_bits(page.element_type) for page in (mine, theirs)]
    if bits[0] != bits[1]:
        findings.error(
            buffer,
            f"{buffer_text(buffer.buffer)} aliases {buffer_text(other)}, but their pages differ "
            "in bytes",
            hint="use pages of one size, or memory of its own",
        )
    if buffer.pages is not None and owner.pages is not None and buffer.pages != owner.pages:
        findings.error(
            buffer,
            f"{name} is {buffer.pages} pages deep, but aliases {value_name(other)}, which is "
            f"{owner.pages} deep",
            hint="make both equally deep: they share memory page for page",
        )
    if buffer.address is not None and owner.address is not None and buffer.address != owner.address:
        findings.error(
            buffer,
            f"{name} is at address {buffer.address.value.data}, but aliases {value_name(other)}, "
            f"which is at {owner.address.value.data}",
            hint="leave the address out: it is the other's",
        )


################################################################################
# Stages                                                                       #
################################################################################


def _check_stages(
    program: ProgramOp, machine: Target | None, flow: Dataflow, findings: Findings
) -> bool:
    """Every stage lies in the grid, on an engine of the target, and fits its accumulators.

    The result is whether some stage, or some group, reaches outside the grid.
    """
    grid, shape = program.grid_sites, program.grid_shape
    whole = program.phase is Phase.TEMPLATE
    inside: dict[Sites, bool] = {}
    if grid is not None:
        for op in program.body.block.ops:
            if isinstance(op, GroupOp):
                for sites in (op.senders.data, op.receivers.data):
                    inside[sites] = sites <= grid
    for stage in flow.stages:
        sites = flow.sites[stage]
        if grid is not None and shape is not None:
            if sites not in inside:
                inside[sites] = sites <= grid
            if not inside[sites]:
                _check_inside(stage, "at", sites, grid, shape, findings)
        if isinstance(stage, AllReduceOp):
            _check_all_reduce(stage, sites, grid, findings)
        if machine is None:
            continue
        if isinstance(stage, MoveStageOp):
            engine = stage.engine_attr
            if engine is not None and engine.data >= machine.move_engines:
                count = machine.move_engines
                findings.error(
                    stage,
                    f"is on `{engine}`, but target '{machine.name}' has {count} movement "
                    f"engine{'s' if count > 1 else ''}",
                    hint="place it on `move 0`" + (f" to `move {count - 1}`" if count > 1 else ""),
                )
        elif isinstance(stage, ComputeStageOp) and not whole:
            # The pages of a template are whole matrices, which are still to be cut.
            _check_accumulator(stage, machine, findings)
    return not all(inside.values())


def _check_all_reduce(
    stage: AllReduceOp, sites: Sites, grid: Sites | None, findings: Findings
) -> None:
    """A reduction across a group stands on sites of the group."""
    group = stage.group.owner
    if grid is None or not isinstance(group, GroupOp):
        return
    taking_part = group.senders.data | group.receivers.data
    if not sites <= taking_part:
        findings.error(
            stage,
            f"reduces across {value_name(stage.group)} at {site_text(sites - taking_part)}, which "
            f"is not a site of that group, from {group.senders.data} to {group.receivers.data}",
            hint="place it on sites of the group",
        )


def _check_accumulator(stage: ComputeStageOp, machine: Target, findings: Findings) -> None:
    """The tiles that a stage makes at a time fit the accumulators."""
    type = stage.accumulator_type
    wide = element_bits(type) > 16
    room = machine.acc_tiles_32 if wide else machine.acc_tiles_16
    tiles = page_type(stage.output).tiles
    if tiles > room:
        what = f"accumulates {buffer_text(stage.output)}, {tiles} tiles, in {element_name(type)}"
        findings.error(
            stage,
            f"{what}, but the accumulators of target '{machine.name}' hold {room} tiles of "
            f"{32 if wide else 16} bits",
            hint="make smaller pages"
            + (", in more sub-blocks h and w" if isinstance(stage, MatmulOp) else "")
            + (", or accumulate in 16 bits" if wide and tiles <= machine.acc_tiles_16 else ""),
        )


def _check_products(program: ProgramOp, flow: Dataflow, found: Domains, findings: Findings) -> None:
    """Operands of a matmul hold the rows and columns of all sub-blocks of one K block."""
    loops = program.loop_nest if has_extents(program) else None
    blocks: frozenset[LoopName] = frozenset({"k"})
    for stage in flow.stages:
        if not isinstance(stage, MatmulOp):
            continue
        rows, inner = page_type(stage.lhs).shape
        other, cols = page_type(stage.rhs).shape
        page_rows, page_cols = page_type(stage.output).shape
        what = (
            f"multiplies {buffer_text(stage.lhs)} by {buffer_text(stage.rhs)} into "
            f"{buffer_text(stage.output)}"
        )
        if inner != other:
            findings.error(
                stage,
                f"{what}, but K is {inner} on the left and {other} on the right",
                hint="give both operands the same K",
            )
        elif loops is None and (rows % page_rows or cols % page_cols):
            findings.error(
                stage,
                f"{what}, but {rows}x{cols} tiles are no whole number of pages of "
                f"{page_rows}x{page_cols}",
                hint="make the result's page divide the product",
            )
        elif loops is not None:
            h, w = loops.h.size, loops.w.size
            if (rows, cols) != (h * page_rows, w * page_cols):
                findings.error(
                    stage,
                    f"{what}, but {h} x {w} sub-blocks (h x w) of {page_rows}x{page_cols} are "
                    f"{h * page_rows}x{w * page_cols} tiles, not {rows}x{cols}",
                    hint="the left operand has h * R rows and the right one w * C columns: "
                    "change the pages or the loops",
                )
        for operand in dict.fromkeys(stage.page_reads):
            domain = found.buffer.get(operand, frozenset())
            if wrong := set(found.iterated(domain)) - blocks:
                names = ", ".join(name for name in found.iterated(domain) if name in wrong)
                findings.error(
                    stage,
                    f"takes {value_name(operand)} once per K block, but its pages are also "
                    f"indexed by {names}",
                    hint="load one page with the rows or columns of all sub-blocks, or use "
                    "spatial.dot",
                )


################################################################################
# Run-time trips                                                               #
################################################################################


def _check_trips(program: ProgramOp, body: tuple[Operation, ...], findings: Findings) -> None:
    """A loop has a run-time trip if, and only if, something gives it."""
    loops = program.loop_nest
    first: TripOp | None = None
    for op in body:
        if not isinstance(op, TripOp):
            continue
        loop = op.loop.data
        if not loops[loop].at_run_time:
            findings.error(
                op,
                f"gives the trip of {loop} at run time, but the program says {loop} = "
                f"{loops[loop]}",
                hint=f"write `k = ? max {loops.k.size}` in its loops"
                if loop == "k"
                else "only k can have a run-time trip",
            )
        elif first is not None:
            findings.error(
                op,
                f"gives the trip of {loop} by {value_name(op.count)}, but it is given by "
                f"{value_name(first.count)} already",
                hint="remove one of the two",
            )
        else:
            first = op
            _check_agreement(op, body, findings)
    if loops.k.at_run_time and first is None:
        findings.error(
            program,
            f"says k = {loops.k}, but nothing gives the trip at run time",
            hint="add `spatial.trip k = ...` to its body",
        )


def _check_agreement(trip: TripOp, body: tuple[Operation, ...], findings: Findings) -> None:
    """All sites of a multicast group read the same trip."""
    if trip.address is None:
        return
    used = used_names(trip.address.data)
    for op in body:
        if not isinstance(op, GroupOp):
            continue
        axes = {Axis.X: "x", Axis.Y: "y", Axis.YX: "yx"}[op.along.data]
        if shared := sorted(used & set(axes)):
            findings.error(
                trip,
                f"reads {value_name(trip.count)} by '{shared[0]}', but {value_name(op.group)} "
                f"runs along {axes}: its sender and its receivers would read different trips",
                hint=f"leave '{shared[0]}' out of the address",
            )
            return
