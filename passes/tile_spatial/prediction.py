"""What choices for a template are predicted to take, once they are placed as well as can be.

The digits of the item number go over the rows of sites, the columns or both, as neighbours. What
all sites of a row, or of a column, read alike is read once there, if sites can send to each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from spatial_dialect.analysis.costs import CostModel, Estimate, StageCosts
from spatial_dialect.analysis.page_axes import is_named
from spatial_dialect.dialects.spatial import LoadOp, StoreOp
from spatial_dialect.ir.addresses import used_names
from spatial_dialect.ir.attributes import Spill

from .template import Choice, Shape, Template
from .tiled import tiled


@dataclass(frozen=True)
class Candidate:
    """One way to cut a template, with what is predicted of it."""

    choice: Choice
    estimate: Estimate
    tiles: int
    """Those of all its pages."""
    doubled: bool
    """Whether there is room for second pages."""

    @property
    def cycles(self) -> int:
        """What all items take."""
        found = self.estimate.total_cycles if self.doubled else self.estimate.serial_cycles
        return round(found)

    @property
    def rank(self) -> tuple[int, int, int]:
        """Fewer cycles are better, then less traffic, then larger pages."""
        return self.cycles, self.estimate.dram_bytes, -self.tiles


class Predictions:
    """What is predicted of choices for a template."""

    def __init__(self, template: Template, grid: Shape):
        self.template, self.grid = template, grid
        self.sends = "semaphore" in template.target.handshakes_remote
        self.models: dict[Spill | None, CostModel] = {}
        self.digits = {
            stage: self.digits_of(stage)
            for stage in template.program.stages
            if isinstance(stage, LoadOp | StoreOp)
        }

    def digits_of(self, stage: LoadOp | StoreOp) -> frozenset[int]:
        """The digits that an address depends on: 0 is the matrix, then those of the axes."""
        axes = self.template.axes
        numbers = {axis: number for number, axis in enumerate(axes.cut_by("i"), 1)}
        sides = [(stage.buffer, side) for side in (0, 1) if not is_named(stage, side)]
        found = {numbers[axes.of[side]] for side in sides if axes.of[side] in numbers}
        if "i" in used_names(stage.address.data):
            found.add(0)
        if stage.index is not None:
            for maker in self.template.program.stages:
                if maker.page_write is stage.index:
                    # An index that is computed is not sent on, nor is what it names.
                    every = frozenset(range(len(numbers) + 1))
                    found |= self.digits_of(maker) if isinstance(maker, LoadOp) else every
        return frozenset(found)

    def of(self, choice: Choice) -> Candidate:
        """A choice with what is predicted of it."""
        template = self.template
        if (model := self.models.get(choice.spill)) is None:
            program = tiled(template, choice, general=True)
            model = self.models[choice.spill] = CostModel.of(program, template.target)
        shapes = list(template.shapes(choice).values())
        tiles = sum(rows * cols for rows, cols in shapes)
        if choice.spill is not None:
            # The rings of partial sums come behind the others.
            shapes += (template.shape(stage.output, choice) for stage in template.matmuls)
        loops = template.loops(choice)
        costs = StageCosts(model, dict(zip(model.shapes, shapes, strict=True)), loops)
        extents = [template.program.loop_nest.i.size]
        extents += (choice.count(axis) for axis in template.axes.cut_by("i"))
        traffic = [
            (self.digits[old], isinstance(new, LoadOp), costs.dram_bytes(new))
            for old, new in zip(template.program.stages, model.flow.stages, strict=True)
            if isinstance(old, LoadOp | StoreOp) and isinstance(new, LoadOp | StoreOp)
        ]
        ways = (
            (
                way.items,
                sum(way.moves(digits, self.sends and load) * b for digits, load, b in traffic),
            )
            for way in spreads(extents, self.grid)
        )
        best = model.total(costs, ways)
        doubled = best.local_bytes <= template.target.usable_bytes
        return Candidate(choice, best, tiles, doubled)


@dataclass(frozen=True)
class Spread:
    """A way to share out items: some of their digits go over rows of sites, some over columns."""

    extents: Sequence[int]
    over_y: range
    over_x: range
    items: int
    """Those of a site."""
    sites: Shape
    """The rows and columns of sites that have some."""

    def moves(self, digits: frozenset[int], shared: bool) -> int:
        """How often all sites together move the pages of an item that depend on some digits."""
        moves = self.items * prod(self.sites)
        if not shared:
            return moves
        used = {digit for digit in digits if self.extents[digit] > 1}
        for over, sites in ((self.over_y, self.sites[0]), (self.over_x, self.sites[1])):
            if used.isdisjoint(over):
                moves //= sites
        return moves


def spreads(extents: Sequence[int], grid: Shape) -> Iterator[Spread]:
    """The ways to share out items with digits of these extents over the sites of a grid."""
    every = range(len(extents))
    rows, cols = grid
    items = -(-prod(extents) // (rows * cols))
    used = -(-prod(extents) // items)
    yield Spread(extents, every, every, items, (-(-used // cols), min(used, cols)))
    for cut in range(len(extents) + 1):
        first, last = range(cut), range(cut, len(extents))
        for over_y, over_x in ((first, last), (last, first)):
            high, wide = (prod(extents[digit] for digit in over) for over in (over_y, over_x))
            # Every site of a row has as many items, so that all of them go on together.
            per_row, per_col = -(-high // rows), -(-wide // cols)
            sites = -(-high // per_row), -(-wide // per_col)
            yield Spread(extents, over_y, over_x, per_row * per_col, sites)
