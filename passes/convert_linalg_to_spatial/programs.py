"""Builds one template program: its loads and stores, and maps made of scalar operations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import MemRefType, StringAttr, UnitAttr
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.ir.affine import AffineExpr

from spatial_dialect.dialects.spatial import BufferOp, LoadOp, ProgramOp, StoreOp, page_type
from spatial_dialect.ir.addresses import address_attr, dimension
from spatial_dialect.ir.attributes import TargetAttr
from spatial_dialect.ir.loops import LoopName, Loops
from spatial_dialect.ir.types import BufferType, element_name
from spatial_dialect.targets import Target

from .clusters import Dims
from .scalars import NotUnderstood, attribute_of
from .spaces import Space
from .tensors import Kind, Node, Pointwise, Position, Reduction, Ref, Shape, Source
from .views import NoPlace, View, placed, view_of

SUMS: dict[Kind, str] = {"add": "sum", "max": "max", "min": "min"}
"""What comes of combining elements."""


@dataclass(frozen=True)
class Page:
    """A buffer of a program, and along which dimensions of the cluster its elements differ."""

    buffer: SSAValue
    rows: bool
    cols: bool


@dataclass
class Program:
    """A template program in the making.

    Attributes:
        target: the machine, whose tiles the pages are made of.
        known: the tensors that are in DRAM.
        labels: what the function calls its tensors.
    """

    name: str
    target: Target
    known: Mapping[Node, View]
    space: Space
    labels: Mapping[Node, str] = field(default_factory=dict[Node, str])
    block: Block = field(default_factory=Block)
    buffers: list[Operation] = field(default_factory=list[Operation])
    stages: list[Operation] = field(default_factory=list[Operation])
    arguments: dict[tuple[Node, Shape], SSAValue] = field(
        default_factory=dict[tuple[Node, Shape], SSAValue]
    )
    loads: dict[object, Page] = field(default_factory=dict[object, Page])
    names: dict[str, int] = field(default_factory=dict[str, int])
    """Of arguments and buffers."""
    symbols: dict[str, int] = field(default_factory=dict[str, int])
    """Of stages."""
    mark: Mapping[int, LoopName] = field(default_factory=dict[int, LoopName])
    """The loop that will cut a dimension, for the loads and stores that are made now."""

    ############################################################################
    # Parts                                                                    #
    ############################################################################

    def label(self, node: Node) -> str:
        """What to call a tensor: as the function calls it, or else by what makes it."""
        if (found := self.labels.get(node)) is not None:
            return found
        match node:
            case Source(value=BlockArgument(index=index)):
                return f"arg{index}"
            case Source(value=OpResult(op=op)) | Pointwise(op=op):
                return op.name.rpartition(".")[2]
            case Reduction(kind=kind):
                return SUMS[kind]
            case _:
                return type(node).__name__.lower()

    def tiles(self, dim: int | None, axis: int) -> int:
        """The tiles that a dimension takes along the rows (0) or the columns (1) of a page."""
        return 1 if dim is None else -(-self.space.sizes[dim] // self.target.tile[axis])

    def extents(self, rows: bool, cols: bool) -> tuple[int, int]:
        """The shape of a page, in tiles."""
        return (
            self.tiles(self.space.row, 0) if rows else 1,
            self.tiles(self.space.col, 1) if cols else 1,
        )

    def buffer(self, name: str, shape: tuple[int, int], type: Attribute) -> SSAValue:
        """A new buffer."""
        if not _fits(type, self.target):
            raise NotUnderstood(f"target '{self.target.name}' has no {type}")
        op = BufferOp(BufferType.of(*shape, type))
        op.buffer.name_hint = _fresh(f"{name[0].lower()}{name[1:]}", self.names)
        self.buffers.append(op)
        return op.buffer

    def argument(self, node: Node, shape: Shape, name: str) -> SSAValue:
        """The argument for a tensor in DRAM, in the shape that the program gives it."""
        if (found := self.arguments.get((node, shape))) is None:
            found = self.block.insert_arg(MemRefType(node.type, shape), len(self.block.args))
            # Tensors of DRAM are told from pages by their first letter.
            found.name_hint = _fresh(f"{name[0].upper()}{name[1:]}", self.names)
            self.arguments[node, shape] = found
        return found

    def output(self, node: Node, shape: Shape) -> SSAValue:
        """The argument for the tensor that the program makes."""
        return self.argument(node, shape, self.labels.get(node, "out"))

    def named(self, op: Operation, name: str) -> None:
        """Add a stage, with a name."""
        op.properties["sym_name"] = StringAttr(_fresh(name, self.symbols))
        self.stages.append(op)

    ############################################################################
    # Moving                                                                   #
    ############################################################################

    def view(self, node: Node, dims: Dims) -> View | None:
        """A tensor in DRAM as seen from the cluster."""
        view = view_of(Ref.to(node), self.known)
        return None if view is None else self.space.seen(view.through(dims, self.space.inner))

    def load(
        self,
        node: Node,
        dims: Dims,
        *,
        row: int | None = None,
        col: int | None = None,
        pad: float = 0,
        name: str | None = None,
    ) -> Page:
        """Load a tensor of DRAM, with the rows and columns of the space unless given."""
        if row is None and col is None:
            row, col = self.space.row, self.space.col
        view = self.view(node, dims)
        if view is None:
            raise NotUnderstood("it uses a tensor that is not in memory as a program can read it")
        marks = tuple(sorted(self.mark.items()))
        key = (view.base, view.offset, view.strides, row, col, pad, marks)
        if key in self.loads:
            return self.loads[key]
        if isinstance(view.base, Position):
            # Beyond the end is after everything.
            pad = view.base.shape[0]
        rows = row is not None and bool(view.strides[row])
        cols = col is not None and bool(view.strides[col])
        place = placed(view, row, col, self.space.digit_exprs, self.target.tile)
        extents = (self.tiles(row, 0) if rows else 1, self.tiles(col, 1) if cols else 1)
        name = name or self.label(view.base)
        tensor = self.argument(view.base, place.shape, name)
        buffer = self.buffer(name, extents, view.base.type)
        address = self.marked(place.address, place.transpose, (rows, cols), (row, col), extents)
        # A hanging tile, or a row or a column that stands for all of them.
        padded = place.hangs_over
        properties: dict[str, Attribute | None] = {
            "transpose": UnitAttr() if place.transpose else None,
            "pad": attribute_of(pad, view.base.type) if padded else None,
        }
        self.named(
            LoadOp(tensor, address_attr(address), buffer, properties=properties),
            f"load_{buffer.name_hint}",
        )
        page = self.loads[key] = Page(buffer, rows, cols)
        return page

    def marked(
        self,
        address: Sequence[AffineExpr],
        transpose: bool,
        moves: tuple[bool, bool],
        dims: tuple[int | None, int | None],
        extents: tuple[int, int],
    ) -> list[AffineExpr]:
        """An address that says which loops will cut its page."""
        exprs = list(address)
        for axis in (0, 1):
            dim = dims[axis]
            if dim is None or not moves[axis] or (loop := self.mark.get(dim)) is None:
                continue
            at = len(exprs) - 2 + (axis if not transpose else 1 - axis)
            exprs[at] = exprs[at] + dimension(loop) * extents[axis]
        return exprs

    def store(self, page: Page, view: View) -> None:
        """Store a page to the tensor that the program makes."""
        place = placed(
            view, self.space.row, self.space.col, self.space.digit_exprs, self.target.tile
        )
        if place.transpose:
            raise NoPlace("its columns do not follow each other in memory")
        tensor = self.output(view.base, place.shape)
        extents = self.extents(page.rows, page.cols)
        address = self.marked(
            place.address, False, (page.rows, page.cols), (self.space.row, self.space.col), extents
        )
        if place.hangs_over:
            self.pad_loads()
        self.named(StoreOp(page.buffer, tensor, address_attr(address)), "store")

    def pad_loads(self) -> None:
        """Have all loads pad: a store leaves out what is beyond the end only if a load may pad.

        Raises:
            NotUnderstood: there is no load.
        """
        loads = [op for op in self.stages if isinstance(op, LoadOp)]
        if not loads:
            raise NotUnderstood("it fills tiles beyond the end of its result with nothing read")
        for op in loads:
            if op.pad is None:
                op.pad = attribute_of(0, page_type(op.buffer).element_type)

    def finish(self) -> ProgramOp:
        """The program."""
        self.block.add_ops([*self.buffers, *self.stages])
        matrices = self.space.matrices
        return ProgramOp(
            self.name,
            Region(self.block),
            target=TargetAttr.of(self.target.name),
            template=matrices > 1,
            loops=Loops.of({"i": matrices}) if matrices > 1 else None,
        )


def _fits(type: Attribute, target: Target) -> bool:
    return element_name(type) in target.element_types


def _fresh(name: str, taken: dict[str, int]) -> str:
    """The name, or one like it that is not taken; it is taken then.

    Args:
        name: what is wanted.
        taken: by name, how many of this name there are, or would be.
    """
    found = name
    while found in taken:
        taken[name] += 1
        found = f"{name}{_separator(name)}{taken[name]}"
    taken[found] = 1
    return found


def _separator(name: str) -> str:
    # `_2` would not last: what is written so is read as the same name once more.
    return "v" if name[-1].isdigit() else ""
