"""Places a tiled program: items on sites, shared pages into multicasts, stages on engines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from spatial_dialect.dialects.spatial import Phase, ProgramOp
from spatial_dialect.ir.diagnostics import Findings
from spatial_dialect.targets import get_target

from .candidates import Choice
from .distribution import Run
from .request import Request


@dataclass(frozen=True)
class PlaceSpatialPass(ModulePass):
    """Shares out the items of every tiled program over the sites of a grid.

    ```mlir
    // loops [i = 64, k = 4]
    spatial.load %A[(i floordiv 8) * 8, k * 4] into %a
    spatial.load %B[k * 4, (i mod 8) * 8] into %b
    // becomes, with grid=8x8: loops [k = 4]
    %a_row = spatial.group from [0:8, 0] to [0:8, 1:8] along x
    %b_column = spatial.group from [0, 0:8] to [1:8, 0:8] along y
    spatial.load %A[y * 8, k * 4] into %a multicast %a_row at [0:8, 0] on move 0
    spatial.recv %a_row into %a at [0:8, 1:8] on move 0
    spatial.load %B[k * 4, x * 8] into %b multicast %b_column at [0, 0:8] on move 1
    spatial.recv %b_column into %b at [1:8, 0:8] on move 1
    ```

    The item number `i` is read as digits, the first of the largest weight: here the block of rows
    and the block of columns. Neighbouring digits go over the rows of sites, over the columns, or
    over both, whatever is predicted to take the fewest cycles; a site does the rest one after the
    other. Where they do not divide, the last sites have items beyond the end, for which their loads
    `pad` and their stores write nothing.

    What several sites of a row or a column read alike is read by the first of them and sent to the
    others, if the target has semaphores. Loads are spread over the movement engines, stores are on
    the last. A program that has a place for its stages already, by `at`, by groups, or by `y` and
    `x` in its addresses, gets engines only; one that is placed stays as it is.
    """

    name = "place-spatial"

    grid: str | None = None
    """The sites, rows x columns, such as `8x8`; left out, those that the program says."""

    target: str | None = None
    """The target; left out, that of the program, or else `wormhole`."""

    multicast: bool = True
    """Whether a page that several sites read is read once and sent on."""

    y: tuple[int, ...] | None = None
    """The digits that go over the rows of sites, such as `0` or `0,1`; left out, the best."""

    x: tuple[int, ...] | None = None
    """The digits that go over the columns; with those of `y`, over both, row by row."""

    explain: bool = False
    """Whether to say what was chosen, and what else there was."""

    def __post_init__(self) -> None:
        """Checks the options that no program is needed for.

        Raises:
            ValueError: one is wrong.
        """
        _ = self.wanted_grid
        if self.target is not None:
            _ = get_target(self.target)
        chosen = self.chosen
        y, x = chosen.get("y", range(0)), chosen.get("x", range(0))
        if y != x and set(y) & set(x):
            raise ValueError(
                f"y is {_numbers(y)} and x is {_numbers(x)}: give both the same digits, to go over "
                "rows and columns, or different ones"
            )

    @property
    def wanted_grid(self) -> tuple[int, int] | None:
        """Rows and columns of the option `grid`.

        Raises:
            ValueError: it says something else.
        """
        if self.grid is None:
            return None
        found = re.fullmatch(r"([1-9]\d*)x([1-9]\d*)", self.grid)
        if found is None:
            raise ValueError(f"grid is '{self.grid}', but sites are ROWSxCOLUMNS, such as 8x8")
        return int(found[1]), int(found[2])

    @property
    def chosen(self) -> Mapping[str, Run]:
        """The digits that are asked for, for `y` and for `x`.

        Raises:
            ValueError: they are no neighbours.
        """
        found: dict[str, Run] = {}
        for name, digits in (("y", self.y), ("x", self.x)):
            if digits is not None:
                run = range(min(digits), max(digits) + 1)
                if list(run) != sorted(digits) or run[0] < 0:
                    raise ValueError(
                        f"{name} is {_numbers(digits)}, but digits that go over an axis are "
                        "neighbours, such as 0,1"
                    )
                found[name] = run
        return found

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        findings = Findings()
        requests: list[Request] = []
        for program in [each for each in op.walk() if isinstance(each, ProgramOp)]:
            if program.phase >= Phase.PLACED:
                continue
            request = Request.of(
                program,
                target=self.target,
                grid=self.wanted_grid,
                chosen=self.chosen,
                findings=findings,
            )
            if request is not None:
                requests.append(request)
        findings.raise_pass()
        for request in requests:
            choice = Choice.of(request, self.chosen, multicast=self.multicast)
            choice.best.carry_out(request.program)
            if self.explain:
                choice.explain()


def _numbers(digits: Iterable[int]) -> str:
    return ",".join(map(str, digits))
