"""The tiled program: pages, loops and addresses of a template that is cut in a given way."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import AffineMapAttr, IntegerAttr, ModuleOp
from xdsl.ir import BlockArgument, SSAValue
from xdsl.ir.affine import AffineExpr
from xdsl.rewriter import InsertPoint, Rewriter

from spatial_dialect.analysis.dataflow import Dataflow
from spatial_dialect.analysis.page_axes import Axis, is_named, step_of, transferred, unmarked
from spatial_dialect.dialects.spatial import (
    BufferOp,
    LaunchOp,
    LoadOp,
    MatmulOp,
    ProgramOp,
    StoreOp,
    TripOp,
    compute_type,
    page_type,
)
from spatial_dialect.ir.addresses import DIMENSIONS, Bounds, address_attr, dimension, simplify
from spatial_dialect.ir.attributes import LoopsAttr, Spill, SpillAttr, TargetAttr
from spatial_dialect.ir.loops import LOOP_NAMES, Loops
from spatial_dialect.ir.types import BFP4Type, BFP8Type, BufferType, number_attr

from .template import Choice, Template


def replace_by_tiled(template: Template, choice: Choice, module: ModuleOp) -> ProgramOp:
    """Puts the tiled program in the place of the template, and adapts its launches."""
    program = tiled(template, choice)
    _divide_trips(template, choice, module)
    Rewriter.insert_op(program, InsertPoint.before(template.program))
    Rewriter.erase_op(template.program)
    return program


def tiled(template: Template, choice: Choice, *, general: bool = False) -> ProgramOp:
    """A template, cut.

    Args:
        template: the template.
        choice: how to cut it.
        general: whether addresses keep what this choice makes zero: loops and digits that run once.
    """
    source = template.program
    program = source.clone()
    loops = template.loops(choice)
    addresses = _Addresses(template, choice, loops, general=general)
    for old, new in zip(source.body.block.ops, program.body.block.ops, strict=True):
        match old, new:
            case (LoadOp(), LoadOp()) | (StoreOp(), StoreOp()):
                new.address = addresses.transfer(old)
            case TripOp(), TripOp() if old.address is not None:
                new.address = addresses.of_item(old.address)
            case BufferOp(), BufferOp():
                shape = template.shape(old.buffer, choice)
                type = BufferType.of(*shape, old.page.element_type)
                Rewriter.replace_value_with_new_type(new.buffer, type)
            case _:
                pass
    _pad(template, choice, program)
    if choice.spill is not None:
        for stage in program.stages:
            if isinstance(stage, MatmulOp):
                _spill(program, stage, choice.spill)
    program.template = None
    program.loops = LoopsAttr(loops)
    if program.target is None:
        program.target = TargetAttr.of(template.target.name)
    return program


################################################################################
# Addresses                                                                    #
################################################################################


class _Addresses:
    """The addresses of a tiled program."""

    def __init__(self, template: Template, choice: Choice, loops: Loops, *, general: bool):
        self.template, self.choice = template, choice
        self.ranges: dict[str, Bounds] = dict.fromkeys(DIMENSIONS, (-(1 << 62), 1 << 62))
        self.ranges |= {
            name: (0, 1 << 31 if general else loops[name].size - 1) for name in LOOP_NAMES
        }
        # The last axis is the last digit, of weight 1; the matrices of a batch are the first.
        self.digits: dict[Axis, AffineExpr] = {}
        weight, item = 1, dimension("i")
        for axis in reversed(template.axes.cut_by("i")):
            self.digits[axis] = item // weight % choice.count(axis)
            weight *= choice.count(axis)
        self.matrix = item // weight

    def of_item(self, address: AffineMapAttr) -> AffineMapAttr:
        """An address of the template with the matrix that an item belongs to."""
        return self.simplified([self.in_matrix(expr) for expr in address.data.results])

    def transfer(self, stage: LoadOp | StoreOp) -> AffineMapAttr:
        """The address of a load or a store."""
        results = list(stage.address.data.results)
        for side in (0, 1):
            results[transferred(stage, side)] = unmarked(stage, side)
        results = [self.in_matrix(expr) for expr in results]
        for side in (0, 1):
            if not is_named(stage, side):
                start = self.start(stage.buffer, side) * step_of(stage, side)
                dim = transferred(stage, side)
                results[dim] = results[dim] + start
        return self.simplified(results)

    def in_matrix(self, expr: AffineExpr) -> AffineExpr:
        """An expression of the template, whose item number is that of a matrix."""
        dims = [self.matrix if name == "i" else dimension(name) for name in DIMENSIONS]
        return expr.replace_dims_and_symbols(dims, [])

    def simplified(self, results: list[AffineExpr]) -> AffineMapAttr:
        """An address in its shortest form."""
        return address_attr([simplify(expr, self.ranges) for expr in results])

    def start(self, buffer: SSAValue, side: int) -> AffineExpr:
        """Where a page starts, in tiles from the start of its matrix."""
        axis, choice = self.template.axes.of[buffer, side], self.choice
        if axis.cut is None:
            return AffineExpr.constant(0)
        if axis.cut != "i":
            return dimension(axis.cut) * choice.block(axis)
        start = self.digits[axis] * choice.block(axis)
        if axis in choice.subs and buffer not in self.template.operands:
            loop = "h" if axis is self.template.sub_axes.get("h") else "w"
            start = start + dimension(loop) * choice.subs[axis]
        return start


################################################################################
# Stages                                                                       #
################################################################################


def _pad(template: Template, choice: Choice, program: ProgramOp) -> None:
    """Lets loads read beyond the end, and sees to it that every store clips what is there."""
    pairs = list(zip(template.program.stages, program.stages, strict=True))
    hanging = [
        new
        for old, new in pairs
        if isinstance(old, LoadOp | StoreOp)
        and any(choice.hangs_over(template.axes.of[old.buffer, side]) for side in (0, 1))
    ]
    if not hanging:
        return
    loads = [stage for stage in program.stages if isinstance(stage, LoadOp)]
    flow = Dataflow.of(program)
    for load in loads:
        if load in hanging:
            _pad_load(load, flow)
    clipped = flow.fed_by(load for load in loads if load.pad is not None)
    for store in hanging:
        if isinstance(store, StoreOp) and store not in clipped:
            load = next(load for load in loads if store in flow.fed_by((load,)))
            _pad_load(load, flow)
            clipped |= flow.fed_by((load,))


def _pad_load(load: LoadOp, flow: Dataflow) -> None:
    if load.pad is None:
        type = page_type(load.buffer).element_type
        readers = flow.readers.get(load.buffer, ())
        # -1 names no row to write to.
        scatters = any(isinstance(s, StoreOp) and s.index is load.buffer for s in readers)
        # Block floats have no numbers of their own.
        known = compute_type(type) if isinstance(type, BFP8Type | BFP4Type) else type
        load.pad = number_attr(-1 if scatters else 0, known)


def _spill(program: ProgramOp, stage: MatmulOp, how: Spill) -> None:
    """Gives a matmul a ring for its partial sums."""
    shape = page_type(stage.output).shape
    ring = BufferOp(BufferType.of(*shape, stage.accumulator_type))
    ring.location = stage.location
    ring.buffer.name_hint = f"{stage.output.name_hint or 'c'}_partial"
    Rewriter.insert_op(ring, InsertPoint.after(program.buffers[-1]))
    new = MatmulOp(
        stage.lhs,
        stage.rhs,
        stage.output,
        spill=ring.buffer,
        properties={**stage.properties, "by": SpillAttr(how)},
    )
    new.location = stage.location
    Rewriter.insert_op(new, InsertPoint.before(stage))
    Rewriter.erase_op(stage)


################################################################################
# Launches                                                                     #
################################################################################


def _divide_trips(template: Template, choice: Choice, module: ModuleOp) -> None:
    """Has launches pass a number of K blocks where the template counts tiles."""
    block = choice.block(template.trip_axis) if template.trip_axis is not None else 1
    counts = [
        op.count.index
        for op in template.program.body.block.ops
        if isinstance(op, TripOp) and isinstance(op.count, BlockArgument) and op.address is None
    ]
    if block == 1 or not counts:
        return
    for launch in [op for op in module.walk() if isinstance(op, LaunchOp)]:
        if launch.callee.string_value() != template.program.sym_name.data:
            continue
        for count in counts:
            size = arith.ConstantOp(IntegerAttr.from_index_int_value(block))
            blocks = arith.CeilDivUIOp(launch.arguments[count], size.result)
            size.location = blocks.location = launch.location
            Rewriter.insert_op([size, blocks], InsertPoint.before(launch))
            launch.operands[count] = blocks.result
