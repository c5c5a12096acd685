"""The forms of a matmul: where the partial sums of each K block come from and go to.

A reduction over a loop outside its output's loops spills; inside them it stays in the accumulator.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from spatial_dialect.dialects.spatial import MatmulOp
from spatial_dialect.ir.attributes import Spill

from .facts import root


@dataclass(frozen=True)
class SubBlock:
    """What a matmul does with one sub-block in one K block."""

    target: SSAValue
    """The ring that the accumulator is packed to."""

    reload: SSAValue | None = None
    """The ring that the accumulator starts from; none starts from zero."""

    accumulate: bool = False
    """Whether the packer adds to what the page holds."""

    reserve: bool = True
    """Whether room is made for the page; "in place" it is there since the item began."""

    drain: bool = False
    """Whether the write pointer is brought back to the page that the next block adds to."""


@dataclass(frozen=True)
class Blocks:
    """The K blocks `start..stop`, which all run alike."""

    start: int
    stop: int
    sub_blocks: tuple[SubBlock, ...]
    """For each matmul of the site, what it does."""

    loop: bool = False
    """Whether they are the middle blocks, which have a loop, even if there is only one."""


def is_in_place(matmul: MatmulOp) -> bool:
    """Whether the partial sums live in the memory of the result."""
    return matmul.spill is not None and root(matmul.spill) is root(matmul.output)


def blocks_of(matmul: MatmulOp, blocks: int) -> list[Blocks]:
    """The K blocks of a matmul that does not stay in the accumulator: first, middle, last."""
    result, spill = matmul.output, matmul.spill
    if blocks == 1:
        return [Blocks(0, 1, (SubBlock(result),))]
    assert spill is not None
    if is_in_place(matmul):
        first = SubBlock(spill, drain=True)
        middle = SubBlock(spill, accumulate=True, drain=True)
        last = SubBlock(result, accumulate=True, reserve=False)
        return _peeled(first, middle, (), last, blocks)
    last = SubBlock(result, reload=spill)
    if matmul.by.data == Spill.RELOAD:
        return _peeled(SubBlock(spill), SubBlock(spill, reload=spill), (), last, blocks)
    if blocks == 2:
        return _peeled(SubBlock(spill), None, (), last, blocks)
    first = SubBlock(spill, drain=True)
    middle = SubBlock(spill, accumulate=True, drain=True)
    return _peeled(first, middle, (SubBlock(spill, accumulate=True),), last, blocks)


def _peeled(
    first: SubBlock,
    middle: SubBlock | None,
    before_last: Sequence[SubBlock],
    last: SubBlock,
    blocks: int,
) -> list[Blocks]:
    end = blocks - 1 - len(before_last)
    result = [Blocks(0, 1, (first,))]
    if middle is not None and end > 1:
        result.append(Blocks(1, end, (middle,), loop=True))
    result += [Blocks(end, end + 1, (sub,)) for sub in before_last]
    return [*result, Blocks(blocks - 1, blocks, (last,))]


def joined(matmuls: Sequence[Sequence[Blocks]]) -> list[Blocks]:
    """The K blocks of several matmuls that share them, cut wherever one of them changes."""
    cuts = sorted({block.start for blocks in matmuls for block in blocks})
    end = matmuls[0][-1].stop
    result: list[Blocks] = []
    for start, stop in zip(cuts, [*cuts[1:], end], strict=True):
        here = [next(b for b in blocks if b.start <= start < b.stop) for blocks in matmuls]
        subs = tuple(sub for block in here for sub in block.sub_blocks)
        result.append(Blocks(start, stop, subs, loop=all(block.loop for block in here)))
    return result
