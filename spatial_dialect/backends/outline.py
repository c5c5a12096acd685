"""The compact listing of scheduled programs: what each engine does, without addresses and types."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import singledispatchmethod
from typing import IO

from xdsl.context import Context
from xdsl.dialects import affine, cf, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue
from xdsl.traits import is_side_effect_free
from xdsl.utils.target import Target

from spatial_dialect.analysis.loop_counts import loop_count
from spatial_dialect.dialects.choreo import (
    AcquireOp,
    AllReduceOp,
    DotOp,
    EndOp,
    EngineOp,
    FlushOp,
    ItemOp,
    LoadIndexOp,
    MapOp,
    MatmulOp,
    McastSendOp,
    McastSetValidOp,
    PackOp,
    PopOp,
    PushOp,
    ReadBarrierOp,
    ReadTilesOp,
    ReduceOp,
    ReleaseOp,
    ReserveOp,
    SemaphoresOp,
    SemIncOp,
    SemSetOp,
    SemWaitOp,
    TripOp,
    WaitOp,
    WriteBarrierOp,
    WriteTilesOp,
    value_text,
)
from spatial_dialect.dialects.spatial import Phase, ProgramOp
from spatial_dialect.ir.diagnostics import Findings
from spatial_dialect.ir.sites import Sites


class _Names:
    """The names of values: their hints, with a number where two clash; numbers without a hint."""

    def __init__(self, parent: _Names | None = None):
        self.names: dict[SSAValue, str] = {} if parent is None else dict(parent.names)
        self.taken: set[str] = set(self.names.values())
        self.unnamed = 0 if parent is None else parent.unnamed

    def __getitem__(self, value: SSAValue) -> str:
        """The name of a value, the same each time."""
        if value not in self.names:
            self.names[value] = self.fresh(value.name_hint)
        return self.names[value]

    def fresh(self, hint: str | None) -> str:
        """A name that no value has yet."""
        if hint is None:
            name = f"%{self.unnamed}"
            self.unnamed += 1
        else:
            name, number = hint, 0
            while name in self.taken:
                number += 1
                name = f"{hint}_{number}"
        self.taken.add(name)
        return name


class _Lines:
    """The listing of one engine."""

    def __init__(self, names: _Names):
        self.names = names
        self.lines: list[str] = []
        self.level = 0
        self.blocks: dict[Block, str] = {}

    def add(self, text: str) -> None:
        """One line at the current depth."""
        self.lines.append("  " * self.level + text)

    def region(self, region: Region) -> None:
        """The ops of a region, one level deeper; blocks have labels if there are several."""
        self.level += 1
        blocks = region.blocks
        if len(blocks) > 1:
            for block in blocks:
                self.blocks[block] = f"^bb{len(self.blocks)}"
            for block in blocks:
                self.add(f"{self.blocks[block]}:")
                self.level += 1
                self.ops(block.ops)
                self.level -= 1
        else:
            for block in blocks:
                self.ops(op for op in block.ops if not isinstance(op, EndOp))
        self.level -= 1

    def ops(self, ops: Iterable[Operation]) -> None:
        """A line for each op that the listing shows."""
        for op in ops:
            self.print(op)

    def ring(self, buffer: SSAValue, pages: int = 1) -> str:
        """A buffer, and the number of pages if there are several."""
        return self.names[buffer] if pages == 1 else f"{self.names[buffer]}, {pages}"

    def semaphore(self, value: SSAValue) -> str:
        """A semaphore by its group."""
        op = value.owner
        if not isinstance(op, SemaphoresOp):
            return self.names[value]
        return f"{self.names[op.group]}.{'ready' if value is op.ready else 'valid'}"

    def compute(self, op: MatmulOp | DotOp | MapOp | ReduceOp | AllReduceOp, *operands: SSAValue):
        """A computation, named like its stage if that is known."""
        name = op.stage.string_value() if op.stage else op.name.removeprefix("choreo.")
        inputs = ", ".join(self.names[operand] for operand in operands)
        reload = op.reload if isinstance(op, MatmulOp) else None
        self.add(
            f"compute {name}({inputs})"
            + ("" if reload is None else f" reload {self.names[reload]}")
        )

    def via(self, rows_from: SSAValue | None, indices: Sequence[SSAValue]) -> str:
        """The index page that an address comes from, if it comes from one."""
        buffer = rows_from
        for index in indices:
            buffer = buffer or _index_page(index)
        return "" if buffer is None else f" via {self.names[buffer]}"

    @singledispatchmethod
    def print(self, op: Operation) -> None:
        """The lines of one op; those that only compute numbers have none."""
        if op.regions:
            self.add(op.name)
            for region in op.regions:
                self.region(region)
        elif op.successors:
            self.add(f"{op.name} {', '.join(self.blocks[block] for block in op.successors)}")
        elif not is_side_effect_free(op) and not isinstance(op, affine.YieldOp | scf.YieldOp):
            self.add(op.name)

    @print.register
    def _(self, op: LoadIndexOp | ItemOp | TripOp):
        pass

    @print.register
    def _(self, op: EndOp):
        self.add("end")

    @print.register
    def _(self, op: affine.ForOp | scf.ForOp):
        variable = op.body.block.args[0].name_hint or self.names.fresh(None)
        count = loop_count(op)
        self.add(f"for {variable} x {'trip' if count is None else count}")
        self.region(op.body)

    @print.register
    def _(self, op: affine.IfOp | scf.IfOp):
        first, *rest = op.regions
        self.add("if")
        self.region(first)
        for region in rest:
            if region.blocks:
                self.add("else")
                self.region(region)

    @print.register
    def _(self, op: cf.BranchOp):
        self.add(f"br {self.blocks[op.successor]}")

    @print.register
    def _(self, op: cf.ConditionalBranchOp):
        self.add(f"cond_br {self.blocks[op.then_block]}, {self.blocks[op.else_block]}")

    @print.register
    def _(self, op: ReserveOp | PushOp | WaitOp | PopOp):
        self.add(f"{op.name.removeprefix('choreo.')} {self.ring(op.buffer, op.pages.value.data)}")

    @print.register
    def _(self, op: ReadTilesOp):
        via = self.via(op.rows_from, op.indices)
        self.add(f"read_tiles {self.names[op.tensor]} -> {self.names[op.buffer]}{via}")

    @print.register
    def _(self, op: WriteTilesOp):
        via = self.via(op.rows_from, op.indices)
        self.add(f"write_tiles {self.names[op.buffer]} -> {self.names[op.tensor]}{via}")

    @print.register
    def _(self, op: ReadBarrierOp | WriteBarrierOp | FlushOp | ReleaseOp):
        self.add(op.name.removeprefix("choreo."))

    @print.register
    def _(self, op: SemWaitOp):
        value = value_text(op.semaphore, op.value.value.data)
        self.add(f"sem_wait {self.semaphore(op.semaphore)} {op.comparison.data} {value}")

    @print.register
    def _(self, op: SemSetOp):
        value = value_text(op.semaphore, op.value.value.data)
        self.add(f"sem_set {self.semaphore(op.semaphore)}, {value}")

    @print.register
    def _(self, op: SemIncOp):
        self.add(f"sem_inc {self.semaphore(op.semaphore)} at sender, {op.value.value.data}")

    @print.register
    def _(self, op: McastSendOp):
        group = self.ring(op.group, op.pages.value.data)
        hold = "" if op.hold_path is None else " hold_path"
        self.add(f"mcast_send {self.names[op.buffer]} to {group}{hold}")

    @print.register
    def _(self, op: McastSetValidOp):
        self.add(f"mcast_set_valid {self.semaphore(op.semaphore)} to {self.names[op.group]}")

    @print.register
    def _(self, op: AcquireOp):
        self.add(f"acquire {op.tiles}")

    @print.register
    def _(self, op: MatmulOp | DotOp):
        self.compute(op, op.lhs, op.rhs)

    @print.register
    def _(self, op: MapOp | AllReduceOp):
        self.compute(op, *op.inputs)

    @print.register
    def _(self, op: ReduceOp):
        self.compute(op, op.input)

    @print.register
    def _(self, op: PackOp):
        accumulate = "" if op.accumulate is None else " accumulate"
        self.add(f"pack -> {self.names[op.buffer]}{accumulate}")


def _index_page(value: SSAValue) -> SSAValue | None:
    """The buffer whose element a value is computed from, if there is one."""
    if not isinstance(value, OpResult):
        return None
    if isinstance(value.op, LoadIndexOp):
        return value.op.buffer
    return next(
        (page for operand in value.op.operands if (page := _index_page(operand)) is not None), None
    )


def program_outline(program: ProgramOp) -> str:
    """The listing of a scheduled program; engines of one kind with equal code are listed once."""
    names = _Names()
    for value in (
        *program.body.block.args,
        *(r for op in program.body.block.ops for r in op.results),
    ):
        if not isinstance(value.owner, SemaphoresOp):
            names[value]
    engines: dict[tuple[str, tuple[str, ...]], Sites] = {}
    for op in program.body.block.ops:
        if isinstance(op, EngineOp):
            listing = _Lines(_Names(names))
            listing.region(op.body)
            key = (str(op.engine), tuple(listing.lines))
            engines[key] = engines.get(key, Sites.empty()) | op.sites
    return "\n\n".join(
        "\n".join((f"{kind} at {_sites_text(sites, program)}", *lines))
        for (kind, lines), sites in engines.items()
    )


def _sites_text(sites: Sites, program: ProgramOp) -> str:
    return "every site" if sites == program.grid_sites else str(sites)


@dataclass(frozen=True)
class OutlineTarget(Target):
    """Lists what each engine of scheduled programs does, one op a line."""

    name = "outline"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        """Write the listing.

        Raises:
            FindingsPassFailed: there is nothing to list, or a program is not scheduled.
        """
        programs = tuple(op for op in module.walk() if isinstance(op, ProgramOp))
        findings = Findings()
        if not programs:
            findings.error(
                module,
                "has no scheduled program to list",
                hint="write a `spatial.program` and run synthesize-handshakes",
            )
        for program in programs:
            if program.phase != Phase.SCHEDULED:
                findings.error(
                    program,
                    f"is {program.phase.name.lower()}, not scheduled: it has no engines to list",
                    hint="run synthesize-handshakes first",
                )
        findings.raise_pass()
        outlines = [program_outline(program) for program in programs]
        if len(programs) > 1:
            outlines = [
                f"@{program.sym_name.data}\n{outline}".rstrip()
                for program, outline in zip(programs, outlines, strict=True)
            ]
        output.write("\n\n".join(outlines) + "\n")
