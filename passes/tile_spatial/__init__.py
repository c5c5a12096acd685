"""Cuts the pages of templates into blocks: which loops there are, and what a page holds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from spatial_dialect.analysis.costs import DEFAULT_TARGET
from spatial_dialect.dialects.spatial import Phase, ProgramOp
from spatial_dialect.ir.diagnostics import Findings
from spatial_dialect.targets import Target, get_target

from .candidates import Candidates, Wanted
from .checks import check_template
from .report import explain, report_failure
from .search import Search
from .template import Shape, Template
from .tiled import replace_by_tiled


@dataclass(frozen=True)
class TileSpatialPass(ModulePass):
    """Cuts the matrices of every template into pages and blocks.

    ```mlir
    spatial.load %A[0, 0] into %a      // a page of 64x16 tiles becomes, for instance, one of 8x4:
                                       //   spatial.load %A[(i floordiv 8) * 8, k * 4] into %a
    ```

    Rows and columns that nothing is summed over are cut into the blocks of items; what a matmul
    sums over into K blocks, its result into sub-blocks `h` x `w`; other dimensions by the loop that
    an address names, as in `%K[k * 16, 0]` for a page of 16 rows. A last block may hang over the
    end, where loads pad and stores write nothing; where that would count, as in a sum, blocks
    divide.

    Of the sizes that fit the accumulators, local memory and a form that can be scheduled, those are
    taken that are predicted to need the fewest cycles. Whatever is given is not chosen. Options
    that a program has no use for do nothing to it.

    A trip that is known at run time counts tiles, so that a K block has one. With `k=4` it counts
    blocks of 4: launches round up, and the caller makes sure that what a last block holds beyond
    the trip does not count.
    """

    name = "tile-spatial"

    target: str | None = None
    """The machine; left out, that of the program, or else `wormhole`."""

    grid: str | None = None
    """The sites, rows x columns, that items should be enough for; left out, the program's, or else
    `8x8`."""

    m: int | None = None
    """Rows of the block of an item, in tiles."""

    n: int | None = None
    """Columns of the block of an item, in tiles."""

    k: int | None = None
    """What one K block takes of what is summed over, in tiles."""

    sub: str | None = None
    """The sub-block of a matmul, rows x columns in tiles."""

    spill: Literal["reload", "pack", "none"] | None = None
    """How partial sums leave the accumulators, where there are several K blocks."""

    explain: bool = False
    """Whether to say what was chosen, and what else there was."""

    def __post_init__(self) -> None:
        """Checks the options that no program is needed for.

        Raises:
            ValueError: one is wrong.
        """
        if self.target is not None:
            _ = get_target(self.target)
        _ = self.wanted, self.wanted_grid
        for name, size in (("m", self.m), ("n", self.n), ("k", self.k)):
            if size is not None and size < 1:
                raise ValueError(f"{name} is {size}, but a block has at least one tile")

    @property
    def wanted_grid(self) -> Shape | None:
        """Rows and columns of the option `grid`.

        Raises:
            ValueError: it says something else.
        """
        return None if self.grid is None else _pair("grid", self.grid, "sites are ROWSxCOLUMNS")

    @property
    def wanted(self) -> Wanted:
        """What is not left to the pass.

        Raises:
            ValueError: the sub-block is none.
        """
        sub = None if self.sub is None else _pair("sub", self.sub, "tiles are ROWSxCOLUMNS")
        return Wanted(self.m, self.n, self.k, sub, self.spill)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Tile every template of a module.

        Raises:
            FindingsPassFailed: a template cannot be cut so that it fits, or as is wanted.
        """
        findings = Findings()
        programs = [
            each
            for each in op.walk()
            if isinstance(each, ProgramOp) and each.phase is Phase.TEMPLATE and each.stages
        ]
        found = [search for each in programs if (search := self.search(each, findings))]
        findings.raise_pass()
        for search in found:
            if self.explain:
                explain(search, findings)
            best = search.best
            assert best is not None
            replace_by_tiled(search.template, best, op)

    def search(self, program: ProgramOp, findings: Findings) -> Search | None:
        """The search for the best way to cut a program, None after an error."""
        target = self.target_of(program, findings)
        if target is None:
            return None
        found = Findings()
        check_template(program, target, found)
        if not found:
            template = Template.of(program, target)
            Candidates(template, self.wanted).check(found)
            if not found:
                grid = self.wanted_grid or program.grid_shape or (8, 8)
                search = Search.of(template, self.wanted, grid)
                if search.best is not None:
                    return search
                report_failure(search, found)
        findings.errors += found.errors
        return None

    def target_of(self, program: ProgramOp, findings: Findings) -> Target | None:
        """The target of a program, None after an error."""
        own = program.machine
        if own is not None and self.target not in (None, own.name):
            findings.error(
                program,
                f"is for target '{own.name}', but tile-spatial is asked to cut it for "
                f"'{self.target}'",
                hint=f"leave the option out, or make the template for target {self.target}",
            )
            return None
        return own or get_target(self.target or DEFAULT_TARGET)


def _pair(name: str, text: str, meaning: str) -> Shape:
    found = re.fullmatch(r"([1-9]\d*)x([1-9]\d*)", text)
    if found is None:
        raise ValueError(f"{name} is '{text}', but {meaning}, such as 8x8")
    return int(found[1]), int(found[2])
