"""The ways to cut a template that are worth a look."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod

from spatial_dialect.analysis.page_axes import Axis
from spatial_dialect.dialects.spatial import ComputeStageOp, StoreOp
from spatial_dialect.ir.attributes import Spill
from spatial_dialect.ir.diagnostics import Findings, value_name
from spatial_dialect.ir.loops import PAGE_LOOPS

from .template import Choice, Shape, Template

USUAL = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
"""The blocks that are tried, in tiles, or the next smaller ones with less rest."""

MOST_BLOCKS = 800
"""So many combinations of blocks are tried at most."""


@dataclass(frozen=True)
class Wanted:
    """What the user has chosen."""

    m: int | None = None
    n: int | None = None
    k: int | None = None
    sub: Shape | None = None
    spill: str | None = None

    def text(self) -> str:
        """The choices as options."""
        given = {"m": self.m, "n": self.n, "k": self.k, "spill": self.spill}
        if self.sub is not None:
            given["sub"] = f"{self.sub[0]}x{self.sub[1]}"
        return " ".join(f"{name}={value}" for name, value in given.items() if value is not None)


def sizes(extent: int, *, exact: bool) -> list[int]:
    """Blocks of an axis that are worth a try, each with as little rest as its number allows."""
    if exact:
        return sorted({next(s for s in range(u, 0, -1) if extent % s == 0) for u in USUAL})
    return sorted({-(-extent // -(-extent // usual)) for usual in USUAL})


@dataclass(frozen=True)
class Candidates:
    """The choices for a template that leave open what the user has not chosen."""

    template: Template
    wanted: Wanted

    def check(self, findings: Findings) -> None:
        """Report what cannot be as it is wanted, whatever else is chosen."""
        template, wanted = self.template, self.wanted
        program, name = template.program, template.name
        for option, axis, size in self.given_blocks():
            if size is None or size >= axis.tiles:
                continue
            problem = ""
            if axis.cut is None:
                problem = f"but they have to stay whole: {axis.whole_for}"
            elif axis.cut in ("h", "w"):
                problem = f"but `{axis.cut}` cuts them, which has no option"
            elif axis.exact_for and axis.tiles % size:
                problem = f"but it has to divide them: {axis.exact_for}"
            elif axis is template.trip_axis and size > 1 and template.trip_is_read:
                problem = f"but {name} reads their number from a tensor, which counts tiles"
            if problem:
                findings.error(
                    program,
                    f"is asked to cut {axis.tiles} tiles into blocks by {option}={size}, {problem}",
                    hint=f"choose another {option}, or leave it out",
                )
        if wanted.sub is None or not template.matmuls:
            return
        for side, (loop, size) in enumerate(zip("hw", wanted.sub, strict=True)):
            axis = self.side(side)
            if loop not in template.sub_axes and size != axis.tiles:
                what = f"{('rows', 'columns')[side]} of {value_name(template.matmuls[0].output)}"
                reason = axis.whole_for or "another loop cuts them already"
                findings.error(
                    program,
                    f"is asked for sub-blocks of {size} of the {axis.tiles} {what}, which cannot "
                    f"be cut: {reason}",
                    hint="give sub-blocks all of them, or leave sub out",
                )

    def given_blocks(self) -> Iterator[tuple[str, Axis, int | None]]:
        """The axes that options are about, and the blocks that these give them."""
        yield "m", self.side(0), self.wanted.m
        yield "n", self.side(1), self.wanted.n
        for axis in self.template.axes.cut_by("k")[:1]:
            yield "k", self.template.trip_axis or axis, self.wanted.k

    def side(self, side: int) -> Axis:
        """The rows or the columns of what is computed."""
        template = self.template
        outputs = [stage.output for stage in template.matmuls]
        outputs += [s.buffer for s in template.program.stages if isinstance(s, StoreOp)]
        return template.axes.of[outputs[0], side]

    def all(self, *, narrow: bool = False) -> Iterator[Choice]:
        """All choices, the smallest blocks first.

        Args:
            narrow: whether sub-blocks are tried that leave one of their loops out, and partial sums
                that are reloaded.
        """
        for parts in product(*_thinned(list(self.blocks()))):
            blocks = {axis: size for part in parts for axis, size in part.items()}
            for subs in self.subs(blocks, narrow):
                for spill in self.spills(Choice(blocks, subs, None), narrow):
                    yield Choice(blocks, subs, spill)

    def blocks(self) -> Iterator[list[dict[Axis, int]]]:
        """For all axes that can be cut on their own, or have to be together, their blocks."""
        wanted, axes = self.wanted, self.template.axes
        given = {self.side(1): wanted.n, self.side(0): wanted.m}
        for axis in axes.cut_by("i"):
            size = given.get(axis)
            tried = sizes(axis.tiles, exact=bool(axis.exact_for)) if size is None else [size]
            yield [{axis: min(size, axis.tiles)} for size in tried]
        for loop in PAGE_LOOPS:
            if cut := axes.cut_by(loop):
                yield self.loop_blocks(cut, wanted.k if loop == "k" else None)

    def loop_blocks(self, axes: list[Axis], given: int | None) -> list[dict[Axis, int]]:
        """Blocks of the axes that one loop cuts, which all have the same number of them."""
        first = axes[0]
        tried = {*sizes(first.tiles, exact=bool(first.exact_for)), first.tiles}
        if self.template.trip_axis in axes:
            first = self.template.trip_axis
            # The last of larger blocks could hold tiles that the trip does not count.
            tried = {1}
        found: list[dict[Axis, int]] = []
        for size in sorted(tried if given is None else {given}):
            count = -(-first.tiles // size)
            blocks = {axis: -(-axis.tiles // count) for axis in axes}
            blocks[first] = min(size, first.tiles)
            if all(
                -(-axis.tiles // block) == count and not (axis.exact_for and axis.tiles % block)
                for axis, block in blocks.items()
            ):
                found.append(blocks)
        return found

    ############################################################################
    # Matmuls                                                                  #
    ############################################################################

    def subs(self, blocks: Mapping[Axis, int], narrow: bool) -> list[dict[Axis, int]]:
        """The sub-blocks of matmuls that read their factors the fewest times."""
        axes = self.template.sub_axes
        if not axes:
            return [{}]
        whole = {axis: blocks[axis] for axis in axes.values()}
        if self.wanted.sub is not None:
            given = dict(zip("hw", self.wanted.sub, strict=True))
            return [{axis: given[loop] for loop, axis in axes.items()}]
        if self.template.at_run_time:
            return [whole]
        room = min(self.template.room(stage) for stage in self.template.matmuls)
        tried = [
            dict(zip(whole, each, strict=True))
            for each in product(*(_divisors(size) for size in whole.values()))
            if prod(each) <= room
        ]
        tried.sort(key=lambda subs: (sum(1 / size for size in subs.values()), *subs.values()))
        fitting = [next((s for s in tried if self.fits(blocks, s)), tried[-1])]
        for axis in whole if narrow else ():
            fitting += [s for s in tried if s[axis] == whole[axis] and self.fits(blocks, s)][:1]
        return [subs for number, subs in enumerate(fitting) if subs not in fitting[:number]]

    def fits(self, blocks: Mapping[Axis, int], subs: Mapping[Axis, int]) -> bool:
        """Whether the accumulators hold all pages."""
        return self.too_large(Choice(blocks, subs, None)) is None

    def spills(self, choice: Choice, narrow: bool) -> list[Spill | None]:
        """How partial sums can leave the accumulators."""
        template, wanted = self.template, self.wanted.spill
        loops, target = template.loops(choice), template.target
        if not template.matmuls or loops.k.is_one or loops.k.at_run_time or wanted == "none":
            return [None]
        if wanted is not None:
            return [Spill(wanted)]
        found: list[Spill | None] = []
        if loops.h.is_one and loops.w.is_one and target.acc_across_k:
            found.append(None)
        if target.pack_accumulate and loops.k.size > 2:
            found.append(Spill.PACK)
        if narrow or Spill.PACK not in found:
            found.append(Spill.RELOAD)
        return found

    def too_large(self, choice: Choice) -> tuple[ComputeStageOp, Shape] | None:
        """The first stage whose pages the accumulators cannot hold, and these pages."""
        for stage in self.template.program.stages:
            if isinstance(stage, ComputeStageOp):
                shape = self.template.shape(stage.page_write, choice)
                if prod(shape) > self.template.room(stage):
                    return stage, shape
        return None


def _thinned(dims: list[list[dict[Axis, int]]]) -> list[list[dict[Axis, int]]]:
    """Lists without so many combinations; each keeps its first, its last, and even steps."""

    def step(dim: list[dict[Axis, int]], at: int) -> float:
        axis = next(iter(dim[at]))
        return dim[at + 1][axis] / dim[at - 1][axis]

    while prod(map(len, dims)) > MOST_BLOCKS and max(map(len, dims)) > 2:
        longest = max(dims, key=len)
        del longest[min(range(1, len(longest) - 1), key=lambda at: step(longest, at))]
    return dims


def _divisors(number: int) -> list[int]:
    return [each for each in range(1, number + 1) if number % each == 0]
