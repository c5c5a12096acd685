"""The rule: a stage stands where its own domain says, a page is held while its loops stand still.

`nest_of` puts stages into the loops of their domains. At every level the stages of that level come
first, in rank order, then the loops inside it, outermost kind first: a page of a smaller domain is
made and taken before the loops that only hold it, and every engine of every site agrees on the
order, which is what keeps bounded rings from hanging.

`hold` finds where each page is waited for and given back: it is waited for where the last loop of
its domain opens, and popped at the end of that body, by its last reader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.ir import SSAValue

from spatial_dialect.dialects.spatial import StageOp
from spatial_dialect.ir.loops import LOOP_NAMES, LoopName, Loops

Position: TypeAlias = tuple[LoopName, ...]
"""The loops around a stage, outermost first."""


@dataclass(eq=False)
class Nest:
    """Stages and inner loops, in the order in which they run."""

    domain: Position
    """The loops around these steps that run more than once, outermost first."""

    steps: list[StageOp | Loop] = field(default_factory=list["StageOp | Loop"])


@dataclass(eq=False)
class Loop:
    """A loop and what runs in it."""

    name: LoopName
    body: Nest


def nest_of(
    stages: Iterable[tuple[StageOp, Position]], loops: Loops, around: Position = ()
) -> Nest:
    """The stages, given in rank order with their positions inside the loops `around`."""
    nest = Nest(loops.iterated(around))
    inner: dict[LoopName, list[tuple[StageOp, Position]]] = {}
    for stage, position in stages:
        if position:
            inner.setdefault(position[0], []).append((stage, position[1:]))
        else:
            nest.steps.append(stage)
    for name in LOOP_NAMES:
        if name in inner:
            nest.steps.append(Loop(name, nest_of(inner[name], loops, (*around, name))))
    return nest


@dataclass
class Holding:
    """Where the pages that a nest reads are waited for and given back."""

    held: dict[StageOp, set[SSAValue]] = field(default_factory=dict[StageOp, set[SSAValue]])
    """For a stage, the pages that an outer loop has waited for already."""

    pops: dict[StageOp, list[SSAValue]] = field(default_factory=dict[StageOp, list[SSAValue]])
    """For a stage, the pages of which it is the last reader, where it stands."""

    waits_before: dict[Loop, dict[SSAValue, StageOp]] = field(
        default_factory=dict[Loop, dict[SSAValue, StageOp]]
    )
    """For a loop, the pages to hold while it runs, with the first stage that reads them there."""

    pops_after: dict[Loop, dict[SSAValue, StageOp]] = field(
        default_factory=dict[Loop, dict[SSAValue, StageOp]]
    )
    """For a loop, the held pages whose last reader is in it, with that reader."""

    homes: dict[SSAValue, list[Nest]] = field(default_factory=dict[SSAValue, list[Nest]])
    """For a page, the nests that take it from its ring; more than one take more than was made."""


def hold(
    nest: Nest,
    reads: Callable[[StageOp], Sequence[SSAValue]],
    home: Callable[[SSAValue, Sequence[Nest]], int],
    gives_back: Callable[[SSAValue], bool],
) -> Holding:
    """Where the pages that the stages of a nest read are waited for and popped.

    `reads` lists the pages of a stage in order, `home` says which nest of the path to a reader is
    the one a page belongs to, `gives_back` whether a page is popped in this nest at all.
    """
    result = Holding()
    last_use: dict[tuple[SSAValue, Nest], tuple[StageOp, Loop | None]] = {}

    def visit(path: list[Nest], loops: list[Loop]) -> None:
        for step in path[-1].steps:
            if isinstance(step, Loop):
                visit([*path, step.body], [*loops, step])
                continue
            for page in reads(step):
                at = home(page, path)
                homes = result.homes.setdefault(page, [])
                if path[at] not in homes:
                    homes.append(path[at])
                if at == len(path) - 1:
                    last_use[page, path[at]] = step, None
                    continue
                loop = loops[at]
                last_use[page, path[at]] = step, loop
                result.held.setdefault(step, set()).add(page)
                result.waits_before.setdefault(loop, {}).setdefault(page, step)

    visit([nest], [])
    for (page, _), (stage, loop) in last_use.items():
        if not gives_back(page):
            continue
        if loop is None:
            result.pops.setdefault(stage, []).append(page)
        else:
            result.pops_after.setdefault(loop, {})[page] = stage
    return result
