"""The explicit form of a scheduled program: one engine op for each site and engine."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from spatial_dialect.dialects.choreo import EngineOp
from spatial_dialect.dialects.spatial import Phase, ProgramOp
from spatial_dialect.ir.attributes import SitesAttr
from spatial_dialect.ir.diagnostics import Findings
from spatial_dialect.ir.sites import Rect, Sites


@dataclass(frozen=True)
class ExpandSitesPass(ModulePass):
    """One engine op for each site and engine, with constants for the coordinates.

    The result means the same and is as long as the grid is large: it is for reading and for
    cross-checks. An engine `@move0` becomes `@move0_0_0`, `@move0_0_1`, ... by row and column.
    """

    name = "expand-sites"

    limit: int = 4096
    """The most engines that a program may have afterwards."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        programs = tuple(each for each in op.walk() if isinstance(each, ProgramOp))
        findings = Findings()
        for program in programs:
            self._check(program, findings)
        findings.raise_pass()
        for program in programs:
            _expand(program)

    def _check(self, program: ProgramOp, findings: Findings) -> None:
        """The program has engines, and not too many of them on all its sites."""
        if program.phase != Phase.SCHEDULED:
            findings.error(
                program,
                f"is {program.phase.name.lower()}, but only the engines of a scheduled program "
                "can be expanded",
                hint="run synthesize-handshakes first",
            )
            return
        engines = _engines(program)
        if (count := sum(engine.sites.count for engine in engines)) > self.limit:
            findings.error(
                program,
                f"has {len(engines)} engine ops that run on {count} engines of its sites, but the "
                f"limit is {self.limit}",
                hint=f'raise the limit: --expand-sites="limit={count}"',
            )


def _engines(program: ProgramOp) -> tuple[EngineOp, ...]:
    return tuple(op for op in program.body.block.ops if isinstance(op, EngineOp))


def _expand(program: ProgramOp) -> None:
    """Replaces each engine by its copies."""
    taken = {
        name.data
        for op in program.body.block.ops
        if isinstance(name := op.properties.get("sym_name"), StringAttr)
    }
    grid = program.grid_sites
    for engine in _engines(program):
        copies: list[EngineOp] = []
        for y, x in _coordinates(engine.sites):
            name = _free_name(f"{engine.sym_name.data}_{y}_{x}", taken)
            taken.add(name)
            copies.append(_copy(engine, name, y, x, grid))
        Rewriter.replace_op(engine, copies, [])


def _coordinates(sites: Sites) -> Iterator[tuple[int, int]]:
    """The sites, one by one."""
    for rect in sites.rects:
        for y in range(rect.y0, rect.y1):
            for x in range(rect.x0, rect.x1):
                yield y, x


def _free_name(wanted: str, taken: Container[str]) -> str:
    """The wanted name, with a number behind it if it is taken."""
    name, number = wanted, 0
    while name in taken:
        number += 1
        name = f"{wanted}_{number}"
    return name


def _copy(engine: EngineOp, name: str, y: int, x: int, grid: Sites | None) -> EngineOp:
    """The engine for one of its sites."""
    copy = engine.clone()
    copy.sym_name = StringAttr(name)
    site = Sites.of((Rect(y, y + 1, x, x + 1),))
    copy.at = None if site == grid else SitesAttr(site)
    entry = copy.body.first_block
    assert entry is not None
    for argument, value in reversed(tuple(zip(entry.args, (y, x), strict=True))):
        if argument.uses:
            _make_constant(entry, argument, value, engine)
    return copy


def _make_constant(entry: Block, argument: SSAValue, value: int, engine: EngineOp) -> None:
    """Puts a constant in the place of a coordinate; the argument stays, an engine has two."""
    constant = arith.ConstantOp(IntegerAttr.from_index_int_value(value))
    constant.location = engine.location
    constant.result.name_hint = argument.name_hint
    argument.replace_all_uses_with(constant.result)
    Rewriter.insert_op(constant, InsertPoint.at_start(entry))
