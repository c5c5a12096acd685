"""Cuts the pages of templates into blocks: which loops there are, and what a page holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Literal

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import AffineMapAttr, IntegerAttr, ModuleOp
from xdsl.ir import BlockArgument, SSAValue
from xdsl.ir.affine import AffineExpr
from xdsl.passes import ModulePass

from spatial_dialect.analysis.costs import DEFAULT_TARGET, CostModel, Estimate, page_bytes
from spatial_dialect.analysis.page_axes import (
    Axis,
    PageAxes,
    is_named,
    mark_of,
    shifted,
    transferred,
)
from spatial_dialect.dialects.spatial import (
    BufferOp,
    ComputeStageOp,
    LaunchOp,
    LoadOp,
    MatmulOp,
    Phase,
    ProgramOp,
    StoreOp,
    TripOp,
    page_type,
)
from spatial_dialect.ir.addresses import DIMENSIONS, address_attr, dimension
from spatial_dialect.ir.attributes import LoopsAttr, Spill, TargetAttr
from spatial_dialect.ir.diagnostics import Findings, value_name
from spatial_dialect.ir.loops import LOOP_NAMES, PAGE_LOOPS, Extent, LoopName, Loops
from spatial_dialect.ir.types import BufferType, element_bits, element_name, number_attr
from spatial_dialect.targets import Target, get_target


@dataclass(frozen=True)
class TileSpatialPass(ModulePass):
    """Cuts the matrices of every template into pages and blocks.

    ```mlir
    spatial.load %A[0, 0] into %a      // a page of 64x16 tiles becomes, for instance, one of 8x4:
                                       //   spatial.load %A[(i floordiv 4) * 8, k * 4] into %a
    ```

    Rows and columns that nothing is summed over are cut into the blocks of items; what a matmul
    sums over into K blocks; its result into sub-blocks h x w that fit the accumulators; other
    dimensions by the loop that an address names. Of the sizes that fit the accumulators and local
    memory those are taken that are predicted to need the fewest cycles. A last block may hang over
    the end: loads pad it and stores leave it out.
    """

    name = "tile-spatial"

    target: str | None = None
    """The machine; the program's own if not given, and `wormhole` if it has none."""

    grid: str | None = None
    """The sites that the items will be spread over; the program's own if not given, or `8x8`."""

    m: int | None = None
    """Rows of the block of an item, in tiles."""

    n: int | None = None
    """Columns of the block of an item, in tiles."""

    k: int | None = None
    """The part of what is summed over that one K block takes, in tiles."""

    sub: str | None = None
    """The sub-block of a matmul, `RxC` tiles."""

    spill: Literal["reload", "pack", "none"] | None = None
    """How partial sums leave the accumulators."""

    explain: bool = False
    """Whether to say why, with the best sizes that were not taken."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Tile every template of a module.

        Raises:
            FindingsPassFailed: a template cannot be cut so that it fits, or an option is wrong.
        """
        findings = Findings()
        programs = [
            each
            for each in op.body.block.ops
            if isinstance(each, ProgramOp) and each.phase is Phase.TEMPLATE and each.stages
        ]
        chosen: list[tuple[_Template, Choice]] = []
        for program in programs:
            target = self.target_for(program, findings)
            grid = self.grid_for(program, findings)
            if target is None or grid is None:
                continue
            template = _Template(program, target)
            choice = _Search(self, template, grid, findings).best()
            if choice is not None:
                chosen.append((template, choice))
        findings.raise_pass()
        for template, choice in chosen:
            template.replace_by(choice)
            _divide_trips(op, template, choice)

    def target_for(self, program: ProgramOp, findings: Findings) -> Target | None:
        """The target, or None after an error."""
        own = program.machine
        if own is not None and self.target not in (None, own.name):
            findings.error(
                program,
                f"@{program.sym_name.data} is made for target '{own.name}', but is to be tiled for "
                f"'{self.target}'",
                hint="leave the option out, or make the program for the other target",
            )
            return None
        try:
            return own or get_target(self.target or DEFAULT_TARGET)
        except ValueError as error:
            findings.error(program, str(error))
            return None

    def grid_for(self, program: ProgramOp, findings: Findings) -> tuple[int, int] | None:
        """The grid, or None after an error."""
        if self.grid is None:
            return program.grid_shape or (8, 8)
        try:
            return parsed_pair(self.grid)
        except ValueError:
            findings.error(
                program, f"'{self.grid}' is no grid: write rows and columns, as in grid=8x8"
            )
            return None


def parsed_pair(text: str) -> tuple[int, int]:
    """`8x4` as two numbers.

    Raises:
        ValueError: it is something else.
    """
    rows, cols = text.split("x")
    pair = int(rows), int(cols)
    if min(pair) < 1:
        raise ValueError(f"{text} has no size")
    return pair


@dataclass(frozen=True)
class Choice:
    """How a template is cut."""

    blocks: Mapping[Axis, int]
    """The block of each axis, in tiles; an axis that is not named stays whole."""
    sub: tuple[int, int] | None
    """Rows and columns of the sub-block of a matmul."""
    spill: Spill | None
    """How partial sums leave the accumulators, if they do."""


class _Template:
    """A template and what can be done to it."""

    def __init__(self, program: ProgramOp, target: Target):
        self.program, self.target = program, target
        self.axes = PageAxes.of_program(program, target)
        self.matmuls = tuple(s for s in program.stages if isinstance(s, MatmulOp))
        self.operands = self._operands()
        of = self.axes.of
        self.rows = {of[stage.output, 0] for stage in self.matmuls}
        self.cols = {of[stage.output, 1] for stage in self.matmuls}
        self.models: dict[bool, CostModel] = {}
        self.name = program.sym_name.data
        self.trips = [
            op.count.index
            for op in program.body.block.ops
            if isinstance(op, TripOp) and isinstance(op.count, BlockArgument)
        ]

    def _operands(self) -> set[SSAValue]:
        """The factors of products, and what they are made of: their pages hold whole blocks."""
        found = {b for stage in self.matmuls for b in (stage.lhs, stage.rhs)}
        for stage in reversed(self.program.stages):
            if isinstance(stage, ComputeStageOp) and stage.page_write in found:
                found.update(stage.page_reads)
        return found

    def cut_by(self, how: str) -> list[Axis]:
        """The axes that are cut in one way."""
        return [axis for axis in self.axes.axes if axis.cut == how]

    def blocks_of(self, axis: Axis, choice: Choice) -> int:
        """How many blocks an axis has."""
        return -(-axis.tiles // choice.blocks.get(axis, axis.tiles))

    def loops(self, choice: Choice) -> Loops:
        """The loops of the tiled program."""
        nest = self.program.loop_nest
        items = nest.i.size * prod(self.blocks_of(axis, choice) for axis in self.cut_by("items"))
        extents = {"k": 1, "h": 1, "w": 1}
        for loop in extents:
            for axis in self.cut_by(loop):
                extents[loop] = self.blocks_of(axis, choice)
        if choice.sub is not None:
            (rows,), (cols,) = self.rows, self.cols
            extents["h"] = choice.blocks[rows] // choice.sub[0]
            extents["w"] = choice.blocks[cols] // choice.sub[1]
        return Loops(
            Extent(items),
            Extent(extents["k"], nest.k.at_run_time),
            Extent(extents["h"]),
            Extent(extents["w"]),
        )

    def side(self, buffer: SSAValue, side: int, choice: Choice) -> int:
        """The extent of a side of a page, in tiles."""
        axis = self.axes.of[buffer, side]
        if choice.sub is not None and buffer not in self.operands:
            if axis in self.rows:
                return choice.sub[0]
            if axis in self.cols:
                return choice.sub[1]
        return choice.blocks.get(axis, axis.tiles)

    def shapes(self, choice: Choice) -> dict[SSAValue, tuple[int, int]]:
        """The pages of all buffers."""
        return {
            b.buffer: (self.side(b.buffer, 0, choice), self.side(b.buffer, 1, choice))
            for b in self.program.buffers
        }

    def estimate(self, choice: Choice, grid: tuple[int, int]) -> Estimate:
        """What the tiled program is predicted to take."""
        spills = choice.spill is not None
        if spills not in self.models:
            self.models[spills] = CostModel.of(self.tiled(choice, keep=True), self.target)
        model = self.models[spills]
        shapes = list(self.shapes(choice).values())
        if choice.spill is not None and choice.sub is not None:
            shapes += [choice.sub] * len(self.matmuls)
        named = zip((b.buffer for b in model.program.buffers), shapes, strict=True)
        return model.estimate(dict(named), self.loops(choice), grid)

    ############################################################################
    # The tiled program                                                        #
    ############################################################################

    def replace_by(self, choice: Choice) -> None:
        """Puts the tiled program in the place of the template."""
        block = self.program.parent
        assert block is not None
        block.insert_op_before(self.tiled(choice), self.program)
        self.program.detach()
        self.program.erase()

    def tiled(self, choice: Choice, *, keep: bool = False) -> ProgramOp:
        """The template, cut; `keep` keeps loops that run once in the addresses."""
        clone = self.program.clone()
        loops = self.loops(choice)
        shapes = list(self.shapes(choice).values())
        addresses = _Addresses(self, choice, loops, keep=keep)
        for old, new in zip(self.program.stages, clone.stages, strict=True):
            if isinstance(old, LoadOp | StoreOp) and isinstance(new, LoadOp | StoreOp):
                new.address = addresses.of(old)
        hanging = [
            (new, any(self.hangs_over(old.buffer, side, choice) for side in (0, 1)))
            for old, new in zip(self.program.stages, clone.stages, strict=True)
            if isinstance(old, LoadOp | StoreOp)
        ]
        stores_over = any(over for stage, over in hanging if isinstance(stage, StoreOp))
        for stage, over in hanging:
            if isinstance(stage, LoadOp) and stage.pad is None and (over or stores_over):
                # What a store leaves out beyond the end has to come from a load that pads.
                stage.pad = number_attr(0, page_type(stage.buffer).element_type)
        for buffer, shape in zip(clone.buffers, shapes, strict=True):
            _retype(buffer, shape)
        if choice.spill is not None and choice.sub is not None:
            for stage in [s for s in clone.stages if isinstance(s, MatmulOp)]:
                _spill(clone, stage, choice.sub, choice.spill)
        clone.template = None
        clone.loops = LoopsAttr(loops)
        if clone.target is None:
            clone.target = TargetAttr.of(self.target.name)
        return clone

    def hangs_over(self, buffer: SSAValue, side: int, choice: Choice) -> bool:
        """Whether the last block of a side of a page goes beyond the end."""
        axis = self.axes.of[buffer, side]
        return axis.tiles % choice.blocks.get(axis, axis.tiles) != 0


class _Addresses:
    """The addresses of a tiled program."""

    def __init__(self, template: _Template, choice: Choice, loops: Loops, *, keep: bool):
        self.template, self.choice, self.loops, self.keep = template, choice, loops, keep
        self.digits: dict[Axis, AffineExpr] = {}
        weight = 1
        item = dimension("i")
        axes = template.cut_by("items")
        matrices = template.program.loop_nest.i.size
        for number, axis in reversed(list(enumerate(axes))):
            count = template.blocks_of(axis, choice)
            digit = item if weight == 1 else item // weight
            outermost = matrices == 1 and all(
                template.blocks_of(each, choice) == 1 for each in axes[:number]
            )
            self.digits[axis] = digit if outermost else digit % count
            if count == 1:
                self.digits[axis] = AffineExpr.constant(0)
            weight *= count
        self.matrix = item if weight == 1 else item // weight

    def of(self, stage: LoadOp | StoreOp) -> AffineMapAttr:
        """The address of a load or a store."""
        results = list(stage.address.data.results)
        for side in (0, 1):
            dim = transferred(stage, side)
            extent = page_type(stage.buffer).shape[side]
            results[dim] = shifted(results[dim], extent, mark_of(stage, side))
        dims = [dimension(name) for name in DIMENSIONS]
        dims[0] = self.matrix
        results = [result.replace_dims_and_symbols(dims, []) for result in results]
        for side in (0, 1):
            if is_named(stage, side):
                continue
            dim = transferred(stage, side)
            results[dim] = results[dim] + self.offset(stage.buffer, side)
        return address_attr(results)

    def offset(self, buffer: SSAValue, side: int) -> AffineExpr:
        """Where the page of a block starts, in tiles from the start of the matrix."""
        template, choice = self.template, self.choice
        axis = template.axes.of[buffer, side]
        block = choice.blocks.get(axis, axis.tiles)
        if axis.cut == "items":
            start = self.digits[axis] * block
            page = template.side(buffer, side, choice)
            if page != block or (self.keep and choice.sub and buffer not in template.operands):
                loop: LoopName = "h" if axis in template.rows else "w"
                if axis in template.rows | template.cols and self.runs(loop):
                    start = start + dimension(loop) * page
            return start
        if axis.cut != "whole" and self.runs(axis.cut):
            return dimension(axis.cut) * block
        return AffineExpr.constant(0)

    def runs(self, loop: LoopName) -> bool:
        """Whether a loop is part of the addresses."""
        return self.keep or not self.loops[loop].is_one


def _retype(buffer: BufferOp, shape: tuple[int, int]) -> None:
    """Give a buffer pages of another shape."""
    if buffer.page.shape == shape:
        return
    new = BufferOp(BufferType.of(*shape, buffer.page.element_type))
    new.buffer.name_hint = buffer.buffer.name_hint
    block = buffer.parent
    assert block is not None
    block.insert_op_before(new, buffer)
    buffer.buffer.replace_all_uses_with(new.buffer)
    buffer.detach()
    buffer.erase()


def _spill(program: ProgramOp, stage: MatmulOp, sub: tuple[int, int], how: Spill) -> None:
    """Give a matmul a ring for its partial sums."""
    wide = stage.accumulator_type
    ring = BufferOp(BufferType.of(*sub, wide))
    ring.buffer.name_hint = f"{stage.output.name_hint or 'c'}_partial"
    last = program.buffers[-1]
    program.body.block.insert_op_after(ring, last)
    new = MatmulOp(
        stage.lhs, stage.rhs, stage.output, spill=ring.buffer, by=how, properties=stage.properties
    )
    program.body.block.insert_op_before(new, stage)
    stage.detach()
    stage.erase()


def _divide_trips(module: ModuleOp, template: _Template, choice: Choice) -> None:
    """Have launches pass a number of blocks where the template counts tiles."""
    blocks_of_k = [choice.blocks.get(axis, axis.tiles) for axis in template.cut_by("k")]
    for index in template.trips:
        block = min(blocks_of_k)
        if block == 1:
            continue
        for launch in [op for op in module.walk() if isinstance(op, LaunchOp)]:
            if launch.callee.string_value() != template.name:
                continue
            size = arith.ConstantOp(IntegerAttr.from_index_int_value(block))
            blocks = arith.CeilDivUIOp(launch.arguments[index], size.result)
            parent = launch.parent
            assert parent is not None
            parent.insert_ops_before([size, blocks], launch)
            launch.operands[index] = blocks.result


################################################################################
# The choice                                                                   #
################################################################################

_USUAL = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
"""The blocks that are tried, in tiles, or what is nearest to them."""


def sizes(extent: int, *, exact: bool, most: int = _USUAL[-1]) -> list[int]:
    """Blocks of an axis that are worth a try: with as little rest as there can be."""
    counts = range(1, extent + 1) if extent <= 4 * most else range(extent // most, extent + 1)
    found = {-(-extent // count) for count in counts}
    found = {size for size in found if size <= most and not (exact and extent % size)}
    if not found:
        return []
    return sorted({min(found, key=lambda size: (abs(size - usual), size)) for usual in _USUAL})


class _Search:
    """The search for the best choice."""

    def __init__(
        self,
        options: TileSpatialPass,
        template: _Template,
        grid: tuple[int, int],
        findings: Findings,
    ):
        self.options, self.template, self.grid, self.findings = options, template, grid, findings
        self.target = template.target

    def error(self, message: str, hint: str, notes: Iterable[str] = ()) -> None:
        self.findings.error(self.template.program, message, hint=hint, notes=notes)

    def best(self) -> Choice | None:
        """The choice with the fewest predicted cycles, or None after an error."""
        template = self.template
        ranked: list[tuple[tuple[float, int, int], int, Choice, Estimate]] = []
        rejected: list[tuple[Choice, Estimate | None, str]] = []
        for number, choice in enumerate(self.candidates()):
            reason = self.too_large(choice)
            if reason is not None:
                rejected.append((choice, None, reason))
                continue
            found = template.estimate(choice, self.grid)
            room = self.target.usable_bytes
            if found.least_bytes > room:
                rejected.append((choice, found, f"{found.least_bytes} bytes of {room}"))
                continue
            tiles = sum(r * c for r, c in template.shapes(choice).values())
            # Without room for second pages, engines wait for each other.
            cycles = found.total_cycles if found.local_bytes <= room else found.serial_cycles
            key = (round(cycles), found.dram_bytes, -tiles)
            ranked.append((key, number, choice, found))
        if not ranked:
            self.no_choice(rejected)
            return None
        ranked.sort(key=lambda entry: entry[:2])
        if self.options.explain:
            self.explain(ranked, rejected)
        return ranked[0][2]

    ############################################################################
    # What is tried                                                            #
    ############################################################################

    def candidates(self) -> Iterator[Choice]:
        """All choices that are worth a look."""
        template, options = self.template, self.options
        dims: list[list[dict[Axis, int]]] = []
        for axis in template.cut_by("items"):
            given = self.given(axis)
            tried = [given] if given is not None else sizes(axis.tiles, exact=axis.exact)
            dims.append([{axis: size} for size in tried])
        for loop in PAGE_LOOPS:
            axes = template.cut_by(loop)
            if axes:
                dims.append(self.loop_blocks(axes, options.k if loop == "k" else None))
        for parts in product(*dims):
            blocks = {axis: size for part in parts for axis, size in part.items()}
            for sub in self.subs(blocks):
                for spill in self.spills(blocks, sub):
                    yield Choice(blocks, sub, spill)

    def given(self, axis: Axis) -> int | None:
        """The block that an option gives an axis."""
        template, options = self.template, self.options
        rows = template.rows or {self.stored(0)}
        cols = template.cols or {self.stored(1)}
        if axis in rows and options.m is not None:
            return min(options.m, axis.tiles)
        if axis in cols and options.n is not None:
            return min(options.n, axis.tiles)
        return None

    def stored(self, side: int) -> Axis | None:
        """The rows or the columns of what is stored."""
        stores = [s for s in self.template.program.stages if isinstance(s, StoreOp)]
        return self.template.axes.of[stores[0].buffer, side] if stores else None

    def loop_blocks(self, axes: list[Axis], given: int | None) -> list[dict[Axis, int]]:
        """Blocks of the axes that one loop cuts, which all have the same number of them."""
        first = axes[0]
        tried = [given] if given is not None else sizes(first.tiles, exact=first.exact)
        found: list[dict[Axis, int]] = []
        for size in tried:
            count = -(-first.tiles // size)
            blocks = {axis: -(-axis.tiles // count) for axis in axes}
            blocks[first] = min(size, first.tiles)
            fits = all(
                -(-axis.tiles // block) == count and not (axis.exact and axis.tiles % block)
                for axis, block in blocks.items()
            )
            if fits:
                found.append(blocks)
        return found

    def subs(self, blocks: Mapping[Axis, int]) -> list[tuple[int, int] | None]:
        """The sub-blocks that fill the accumulators best."""
        template = self.template
        if not template.matmuls:
            return [None]
        if len(template.rows) != 1 or len(template.cols) != 1:
            return [None]
        (rows,), (cols,) = template.rows, template.cols
        m, n = blocks.get(rows, rows.tiles), blocks.get(cols, cols.tiles)
        if self.options.sub is not None:
            return [parsed_pair(self.options.sub)]
        if self.run_time:
            return [(m, n)]
        room = self.room()
        pairs = [(r, c) for r in divisors(m) for c in divisors(n) if r * c <= room]
        most = max(r * c for r, c in pairs)
        return [max((p for p in pairs if p[0] * p[1] == most), key=lambda p: (min(p), p[1]))]

    @property
    def run_time(self) -> bool:
        """Whether the number of blocks is known at run time only."""
        return self.template.program.loop_nest.k.at_run_time

    def room(self) -> int:
        """The tiles of a sub-block that every stage behind a product can hold."""
        template = self.template
        rooms = [
            room_of(stage, self.target)
            for stage in template.program.stages
            if isinstance(stage, ComputeStageOp) and stage.page_write not in template.operands
        ]
        return min(rooms)

    def spills(self, blocks: Mapping[Axis, int], sub: tuple[int, int] | None) -> list[Spill | None]:
        """How partial sums can leave the accumulators."""
        template, wanted = self.template, self.options.spill
        if not template.matmuls or sub is None:
            return [None]
        (rows,), (cols,) = template.rows, template.cols
        count = max((-(-a.tiles // blocks[a]) for a in template.cut_by("k")), default=1)
        subs = blocks.get(rows, rows.tiles) * blocks.get(cols, cols.tiles) // prod(sub)
        stay = count == 1 or (subs == 1 and self.target.acc_across_k)
        if wanted == "none":
            return [None] if stay else []
        if wanted is not None:
            return [Spill(wanted)]
        if stay:
            return [None]
        return [Spill.PACK if self.target.pack_accumulate and count > 2 else Spill.RELOAD]

    ############################################################################
    # What does not fit                                                        #
    ############################################################################

    def too_large(self, choice: Choice) -> str | None:
        """Why a choice does not fit the accumulators, or the blocks each other."""
        template = self.template
        if choice.sub is not None:
            (rows,), (cols,) = template.rows, template.cols
            if (
                choice.blocks.get(rows, rows.tiles) % choice.sub[0]
                or choice.blocks.get(cols, cols.tiles) % choice.sub[1]
            ):
                return f"sub-blocks of {_pair(choice.sub)} tiles do not divide the block"
        shapes = template.shapes(choice)
        for stage in template.program.stages:
            if not isinstance(stage, ComputeStageOp):
                continue
            tiles = prod(shapes[stage.page_write])
            room = room_of(stage, self.target)
            if tiles > room:
                return (
                    f"{value_name(stage.page_write)} of {_pair(shapes[stage.page_write])} tiles, "
                    f"of which the accumulators hold {room}"
                )
        return None

    def no_choice(self, rejected: Sequence[tuple[Choice, Estimate | None, str]]) -> None:
        """Report that nothing fits."""
        name = f"@{self.template.program.sym_name.data}"
        target = self.target
        fitting = [(c, e) for c, e, _ in rejected if e is not None]
        if not rejected:
            self.error(
                f"{name} cannot be cut by the sizes that are given",
                "K blocks have to divide what is summed over if anything but a load makes it; "
                "leave an option out",
            )
            return
        if not fitting:
            self.error(
                f"no block of {name} fits the accumulators of target '{target.name}': the least "
                f"has {rejected[0][2]}",
                "smaller pages need a dimension that can be cut: choose another target, or write "
                "the program for parts of it",
            )
            return
        choice, least = min(fitting, key=lambda pair: pair[1].least_bytes)
        shapes = self.template.shapes(choice)
        notes = [
            f"{value_name(b.buffer)}: {_pair(shapes[b.buffer])} tiles of "
            f"{element_name(b.page.element_type)}, "
            f"{page_bytes(BufferType.of(*shapes[b.buffer], b.page.element_type), target)} bytes "
            "a page"
            for b in self.template.program.buffers
        ]
        self.error(
            f"no block of {name} fits the local memory of target '{target.name}': the least needs "
            f"{least.least_bytes} bytes, of which there are {target.usable_bytes}",
            "choose a target with more memory, or leave out the sizes that are given",
            notes,
        )

    def explain(
        self,
        ranked: Sequence[tuple[tuple[float, int, int], int, Choice, Estimate]],
        rejected: Sequence[tuple[Choice, Estimate | None, str]],
    ) -> None:
        """Tell what was taken, and what was not."""
        program = self.template.program
        _, _, choice, found = ranked[0]
        notes = [
            f"not taken: {self.text(other)}: {_cost(estimate)}"
            for _, _, other, estimate in ranked[1:4]
        ]
        notes += [
            f"does not fit: {self.text(other)}: {reason}" for other, _, reason in rejected[:3]
        ]
        self.findings.remark(
            program,
            f"@{program.sym_name.data} is cut into {self.text(choice)}: {_cost(found)} on "
            f"{_pair(self.grid)} sites, the best of {len(ranked)} that fit, of "
            f"{len(ranked) + len(rejected)}",
            notes=notes,
        )

    def text(self, choice: Choice) -> str:
        """A choice in words."""
        parts = [
            f"{value_name(b.buffer)} {_pair(shape)}"
            for b, shape in zip(
                self.template.program.buffers, self.template.shapes(choice).values(), strict=True
            )
            if any(
                isinstance(s, LoadOp | StoreOp) and s.buffer is b.buffer
                for s in self.template.program.stages
            )
        ]
        loops = self.template.loops(choice)
        named = [f"{n} = {loops[n]}" for n in LOOP_NAMES if not loops[n].is_one]
        spill = "" if choice.spill is None else f", spill by {choice.spill}"
        return f"{', '.join(parts)}, loops [{', '.join(named)}]{spill}"


def room_of(stage: ComputeStageOp, target: Target) -> int:
    """The tiles that a stage can make at a time."""
    wide = element_bits(stage.accumulator_type) > 16
    return target.acc_tiles_32 if wide else target.acc_tiles_16


def divisors(number: int) -> list[int]:
    """The numbers that divide another."""
    return [each for each in range(1, number + 1) if number % each == 0]


def _pair(pair: tuple[int, int]) -> str:
    return f"{pair[0]}x{pair[1]}"


def _cost(found: Estimate) -> str:
    return f"{round(found.total_cycles)} cycles, {found.dram_bytes} bytes from and to DRAM"
