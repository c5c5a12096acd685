"""What a program is placed on: its target and its grid, from the program and from the options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from spatial_dialect.analysis.costs import DEFAULT_TARGET
from spatial_dialect.analysis.item_digits import Digit, addressed, item_digits
from spatial_dialect.dialects.spatial import (
    GroupOp,
    MoveStageOp,
    Phase,
    ProgramOp,
)
from spatial_dialect.ir.addresses import used_names
from spatial_dialect.ir.attributes import TargetAttr
from spatial_dialect.ir.diagnostics import Findings
from spatial_dialect.targets import Target, get_target

from .distribution import Run


@dataclass(frozen=True)
class Request:
    """A program and what it is to be placed on."""

    program: ProgramOp
    target: TargetAttr
    machine: Target
    grid: tuple[int, int]
    digits: tuple[Digit, ...] | None
    """The digits of its item number; None if the program says itself where its stages are."""

    @staticmethod
    def of(
        program: ProgramOp,
        *,
        target: str | None,
        grid: tuple[int, int] | None,
        chosen: Mapping[str, Run],
        findings: Findings,
    ) -> Request | None:
        """The request for a tiled program, unless there is a reason against it.

        Args:
            program: the program.
            target: the target of the options, if they name one.
            grid: the grid of the options, if they say one.
            chosen: the digits that are asked for, for `y` and for `x`.
            findings: where to tell.
        """
        if program.phase is Phase.TEMPLATE:
            findings.error(
                program,
                "is a template, whose pages are whole matrices: place-spatial expects a tiled "
                "program, with loops",
                hint="run tile-spatial first",
            )
            return None
        found = Findings()
        attr, machine = _target(program, target, found)
        shape = _grid(program, machine, grid, found)
        _check_engines(program, machine, found)
        digits = None if _is_distributed(program) else item_digits(program)
        _check_choice(program, digits, chosen, found)
        findings.errors += found.errors
        if shape is None or found:
            return None
        return Request(program, attr, machine, shape, digits)


def _target(
    program: ProgramOp, wanted: str | None, findings: Findings
) -> tuple[TargetAttr, Target]:
    """The program's target, or else the one that is asked for."""
    machine = program.machine
    if program.target is not None and machine is not None:
        if wanted not in (None, machine.name):
            findings.error(
                program,
                f"is for target '{machine.name}', but place-spatial is asked to place it on "
                f"'{wanted}'",
                hint=f"leave the option out, or start from the template, with target {wanted}",
            )
        return program.target, machine
    name = DEFAULT_TARGET if wanted is None else wanted
    return TargetAttr.of(name), get_target(name)


def _grid(
    program: ProgramOp,
    machine: Target,
    wanted: tuple[int, int] | None,
    findings: Findings,
) -> tuple[int, int] | None:
    """The program's grid, or else the one that is asked for."""
    own = program.grid_shape
    if own is not None and wanted not in (None, own):
        findings.error(
            program,
            f"has grid {_grid_text(own)}, but place-spatial is asked to place it on "
            f"{_grid_text(wanted)}",
            hint="leave one of the two out",
        )
    grid = wanted if own is None else own
    if grid is None:
        findings.error(
            program,
            "has no grid, and place-spatial is not told one",
            hint='say how many rows and columns of sites there are: --place-spatial="grid=8x8"',
        )
        return None
    most = machine.max_grid
    if most is not None and (grid[0] > most[0] or grid[1] > most[1]):
        findings.error(
            program,
            f"is to be placed on grid {_grid_text(grid)}, but target '{machine.name}' has at most "
            f"{_grid_text(most)}",
            hint="use a smaller grid",
        )
    return grid


def _grid_text(grid: tuple[int, int] | None) -> str:
    return str(list(grid or ()))


def _check_engines(program: ProgramOp, machine: Target, findings: Findings) -> None:
    """Engines that the program gives exist on a target that the pass gives."""
    if program.target is not None:
        return
    for stage in program.stages:
        engine = stage.engine_attr
        if isinstance(stage, MoveStageOp) and engine and engine.data >= machine.move_engines:
            count = machine.move_engines
            findings.error(
                stage,
                f"is on `{engine}`, but target '{machine.name}' has {count} movement "
                f"engine{'s' if count > 1 else ''}",
                hint="leave `on` out, or choose another target",
            )


def _is_distributed(program: ProgramOp) -> bool:
    """Whether a program says which sites do what."""
    return any(
        isinstance(op, GroupOp) or op.properties.get("at") is not None
        for op in program.body.block.ops
    ) or any(used_names(address) & {"y", "x"} for _, address in addressed(program))


def _check_choice(
    program: ProgramOp,
    digits: Sequence[Digit] | None,
    chosen: Mapping[str, Run],
    findings: Findings,
) -> None:
    """The digits that are asked for exist."""
    if chosen and digits is None:
        findings.error(
            program,
            f"says itself which sites do what, but place-spatial is told which digits go over "
            f"{' and '.join(chosen)}",
            hint="leave these options out",
        )
        return
    digits = digits or ()
    for axis, run in chosen.items():
        if run[-1] >= len(digits):
            known = ", ".join(digit_text(number, digits) for number in range(len(digits)))
            findings.error(
                program,
                f"has no digit {run[-1]} to go over {axis}: "
                + (f"there are {known}" if digits else "it has one item"),
                hint="choose others, or leave the choice to place-spatial",
            )


def digit_text(number: int, digits: Sequence[Digit]) -> str:
    """A digit as addresses speak of it: `0 (i floordiv 8, 4 values)`."""
    digit = digits[number]
    text = "i" if digit.weight == 1 else f"i floordiv {digit.weight}"
    if number > 0:
        text = f"{text if digit.weight == 1 else f'({text})'} mod {digit.extent}"
    return f"{number} ({text}, {digit.extent} values)"
