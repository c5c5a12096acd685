"""The `spatial` dialect: what moves and what is computed on a grid of sites.

A program names buffers, multicast groups and stages. It says nothing about order, waiting or
signalling: those follow from it, see the `choreo` dialect.

It can be described in steps, its phases. A *template* has stages and buffers; a page is a whole
matrix, and if there are several matrices, `template loops [i = n]` says how many. *Tiled*, it has
loops; *placed*, a target, a grid, and an engine for every stage that moves pages; *sized*, a depth
for every buffer; *scheduled*, engines instead of stages. Parts of a later phase can be left out
until then.

A function runs programs with `spatial.launch`.

A compute stage accumulates in 16 bits (`bf16`, or `f16` for pages of that), in `f32` if a page it
is packed to is `f32`, in `i32` for integers. `acc f32` behind its buffers asks for more. The
accumulators of a target hold fewer tiles of 32 bits than of 16. The code of a map computes in f32
or i32 in any case.

Where the pages of a stage differ in size, the smaller is used as its op says: `broadcast rows`
takes the first row of elements of a page of one tile row for all rows, `broadcast cols` the first
column of a page of one tile column for all columns, `broadcast scalar` element [0, 0] of a page
of one tile. A reduction fills that row or that column; what the rest of its tiles holds is not
defined.

Buffers with addresses lie in local memory, aligned as the target wants, and apart, unless only the
compute engine uses them and they never hold pages at the same time. That buffers without addresses
fit is not checked.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import TypeAlias, TypeGuard, cast

from xdsl.dialects.builtin import (
    I64,
    AffineMapAttr,
    ArrayAttr,
    BFloat16Type,
    DenseArrayBase,
    FlatSymbolRefAttrConstr,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    TensorType,
    UnitAttr,
    f32,
    i32,
    i64,
)
from xdsl.dialects.utils import AbstractYieldOperation
from xdsl.ir import Attribute, Block, Dialect, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr
from xdsl.irdl import (
    AttrSizedOperandSegments,
    BaseAttr,
    IRDLOperation,
    irdl_op_definition,
    lazy_traits_def,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    HasParent,
    IsolatedFromAbove,
    IsTerminator,
    MemoryAllocEffect,
    MemoryWriteEffect,
    NoTerminator,
    OptionalSymbolOpInterface,
    Pure,
    SymbolOpInterface,
    SymbolTable,
    SymbolUserOpInterface,
)
from xdsl.utils.exceptions import VerifyException

from spatial_dialect.ir.addresses import used_names
from spatial_dialect.ir.attributes import (
    Axis,
    AxisAttr,
    Broadcast,
    BroadcastAttr,
    EngineAttr,
    Handshake,
    HandshakeAttr,
    LoopNameAttr,
    LoopsAttr,
    PageAxis,
    PageAxisAttr,
    ReductionAttr,
    SitesAttr,
    Spill,
    SpillAttr,
    TargetAttr,
)
from spatial_dialect.ir.diagnostics import value_name
from spatial_dialect.ir.directives import (
    Known,
    KnownList,
    KnownOptional,
    MapInputs,
    Output,
    Placement,
    TileAddress,
)
from spatial_dialect.ir.loops import Loops
from spatial_dialect.ir.multicast import Along, check_group, effective_receivers, ready_count
from spatial_dialect.ir.sites import Sites
from spatial_dialect.ir.types import (
    BFP4Type,
    BFP8Type,
    BufferType,
    GroupType,
    element_name,
    is_element_type,
    is_float,
)
from spatial_dialect.targets import Target, get_target, with_overrides

AnyTensor = MemRefType.constr() | TensorType.constr()
"""A tensor in DRAM; `tensor` for block floats, which a memref does not take."""


TensorInDram: TypeAlias = MemRefType[Attribute] | TensorType[Attribute]
"""The type of a tensor in DRAM."""


def is_tensor(type: Attribute) -> TypeGuard[TensorInDram]:
    """Whether a value of this type is a tensor in DRAM."""
    return isinstance(type, MemRefType | TensorType)


def tensor_type(tensor: SSAValue) -> TensorInDram:
    """The type of a tensor value."""
    return cast(TensorInDram, tensor.type)


class Phase(IntEnum):
    """How far a program is described; each phase has what the ones before it have."""

    TEMPLATE = 0
    """Stages and buffers."""
    TILED = 1
    """Loops."""
    PLACED = 2
    """A grid, and an engine for every stage that moves pages."""
    SIZED = 3
    """A depth for every buffer."""
    SCHEDULED = 4
    """Engines instead of stages."""


################################################################################
# Bases                                                                        #
################################################################################


class StageOp(IRDLOperation, ABC):
    """What all stages have: one instance on every site of a set, an engine, pages in and out."""

    sym_name = opt_prop_def(SymbolNameConstraint())
    at = opt_prop_def(SitesAttr)

    traits = lazy_traits_def(
        lambda: (HasParent(ProgramOp), OptionalSymbolOpInterface(), MemoryWriteEffect())
    )

    @property
    @abstractmethod
    def page_reads(self) -> tuple[SSAValue, ...]:
        """The buffers whose front page the stage reads, in the order of its operands."""

    @property
    @abstractmethod
    def page_write(self) -> SSAValue | None:
        """The buffer that the stage fills, if it fills one."""

    @property
    @abstractmethod
    def engine_attr(self) -> EngineAttr | None:
        """The engine the stage runs on, if it is known yet."""

    @property
    def program(self) -> ProgramOp:
        """The program the stage belongs to."""
        parent = self.parent_op()
        assert isinstance(parent, ProgramOp)
        return parent

    @property
    def sites(self) -> Sites:
        """The sites the stage runs on.

        Raises:
            ValueError: the program has no grid yet and the stage no set of its own.
        """
        return self.program.grid_sites_or_fail if self.at is None else self.at.data


class MoveStageOp(StageOp, ABC):
    """A stage on a movement engine."""

    engine = opt_prop_def(EngineAttr)

    @property
    def engine_attr(self) -> EngineAttr | None:
        return self.engine

    def verify_(self) -> None:
        if self.engine is not None and self.engine.is_compute:
            raise VerifyException(
                "runs on a movement engine, but is placed on `compute`: write `on move 0`"
            )


class ComputeStageOp(StageOp, ABC):
    """A stage on the compute engine."""

    engine = prop_def(EngineAttr, default_value=EngineAttr.compute())
    acc = opt_prop_def(
        BaseAttr(Float32Type)
        | BaseAttr(Float16Type)
        | BaseAttr(BFloat16Type)
        | BaseAttr(IntegerType)
    )
    output = operand_def(BufferType)

    @property
    def page_write(self) -> SSAValue:
        return self.output

    @property
    def engine_attr(self) -> EngineAttr:
        return self.engine

    @property
    def replaces_carry(self) -> bool:
        """Whether the stage replaces the page of a carry instead of making pages of its own."""
        return False

    @property
    def packed_to(self) -> tuple[SSAValue, ...]:
        """The buffers that the stage's accumulator is packed to."""
        return (self.output,)

    @property
    def accumulator_type(self) -> Attribute:
        """Element type of the stage's accumulator.

        `i32` for integers; `f32` where a page it is packed to is `f32` or wider or the stage says
        so; else 16 bits, of the page's own type if that is one.
        """
        if self.acc is not None:
            return self.acc
        types = [page_type(buffer).element_type for buffer in self.packed_to]
        if not all(is_float(type) for type in types):
            return i32
        if any(isinstance(type, Float32Type | Float64Type) for type in types):
            return f32
        return types[0] if isinstance(types[0], Float16Type) else BFloat16Type()

    def verify_(self) -> None:
        if not self.engine.is_compute:
            raise VerifyException(
                f"computes, but is placed on `{self.engine}`: it runs `on compute`, leave `on` out"
            )
        integers = not is_float(page_type(self.output).element_type)
        if self.acc is not None and integers != isinstance(self.acc, IntegerType):
            raise VerifyException(
                f"accumulates in {self.acc}, but fills {buffer_text(self.output)}"
            )


class CarryingStageOp(ComputeStageOp, ABC):
    """A compute stage that may `update` a carry instead of making pages."""

    update = opt_prop_def(UnitAttr)

    @property
    def replaces_carry(self) -> bool:
        return self.update is not None


def page_type(buffer: SSAValue) -> BufferType:
    """The type of a buffer value."""
    assert isinstance(buffer.type, BufferType)
    return buffer.type


def buffer_text(buffer: SSAValue) -> str:
    """A buffer as messages name it: `%a of 8x4xbf16`."""
    type = page_type(buffer)
    rows, cols = type.shape
    return f"{value_name(buffer)} of {rows}x{cols}x{element_name(type.element_type)}"


def _counted(count: int, word: str) -> str:
    """`1 row`, `2 rows`."""
    return f"{count} {word}{'' if count == 1 else 's'}"


def compute_type(type: Attribute) -> Attribute:
    """What elementwise code computes in for pages of this element type: f32 or i32."""
    return f32 if is_float(type) else i32


################################################################################
# The program and what it holds besides stages                                 #
################################################################################


@irdl_op_definition
class ProgramOp(IRDLOperation):
    """One program for a grid of sites.

    Its arguments are tensors in DRAM (`memref`, or `tensor` for block floats) and index scalars.
    Once its stages have been replaced by engines it `requires` the kinds of handshake in use.

    ```mlir
    spatial.program @copy(%X : memref<64x32xbf16>, %Y : memref<64x32xbf16>)
        target #spatial.target<"wormhole"> grid [2, 1] loops [k = 1] {
      %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
      spatial.load %X[y, 0] into %x on move 0
      spatial.store %x into %Y[y, 0] on move 1
    }
    ```
    """

    name = "spatial.program"

    sym_name = prop_def(SymbolNameConstraint())
    target = opt_prop_def(TargetAttr)
    grid = opt_prop_def(DenseArrayBase[I64])
    template = opt_prop_def(UnitAttr)
    loops = opt_prop_def(LoopsAttr)
    requires = opt_prop_def(ArrayAttr[HandshakeAttr])

    body = region_def("single_block")

    traits = traits_def(SymbolOpInterface(), SymbolTable(), IsolatedFromAbove(), NoTerminator())

    def __init__(
        self,
        name: str,
        body: Region,
        *,
        target: TargetAttr | None = None,
        grid: tuple[int, int] | None = None,
        template: bool = False,
        loops: Loops | None = None,
        requires: Sequence[Handshake] | None = None,
    ):
        super().__init__(
            properties={
                "sym_name": StringAttr(name),
                "target": target,
                "grid": None if grid is None else DenseArrayBase.from_list(i64, grid),
                "template": UnitAttr() if template and loops is not None else None,
                "loops": None if loops is None else LoopsAttr(loops),
                "requires": None
                if requires is None
                else ArrayAttr(HandshakeAttr(kind) for kind in requires),
            },
            regions=[body],
        )

    @property
    def grid_shape(self) -> tuple[int, int] | None:
        """Rows and columns of the grid, if it has one yet."""
        if self.grid is None:
            return None
        rows, cols = self.grid.get_values()
        return rows, cols

    @property
    def grid_sites(self) -> Sites | None:
        """All sites of the grid, if the program has one yet."""
        shape = self.grid_shape
        return None if shape is None else Sites.grid(*shape)

    @property
    def grid_sites_or_fail(self) -> Sites:
        """All sites of the grid.

        Raises:
            ValueError: there is no grid yet.
        """
        if (sites := self.grid_sites) is None:
            raise ValueError(f"spatial.program @{self.sym_name.data} has no grid")
        return sites

    @property
    def loop_nest(self) -> Loops:
        """The extents of the loops, 1 where none is given."""
        return Loops() if self.loops is None else self.loops.data

    @property
    def machine(self) -> Target | None:
        """The target with its overrides, if the program has one yet.

        Raises:
            VerifyException: there is no such target, or no such fact to override.
        """
        if self.target is None:
            return None
        try:
            target = get_target(self.target.target.data)
            return with_overrides(target, self.target.override_values())
        except ValueError as error:
            raise VerifyException(str(error)) from error

    @property
    def stages(self) -> tuple[StageOp, ...]:
        """The stages, in textual order."""
        return tuple(op for op in self.body.block.ops if isinstance(op, StageOp))

    @property
    def buffers(self) -> tuple[BufferOp, ...]:
        """The buffers, in textual order."""
        return tuple(op for op in self.body.block.ops if isinstance(op, BufferOp))

    @property
    def phase(self) -> Phase:
        """How far the program is described."""
        stages = self.stages
        if self.requires is not None and not stages:
            return Phase.SCHEDULED
        placed = (
            self.grid is not None
            and self.target is not None
            and all(stage.engine_attr is not None for stage in stages)
        )
        if not placed:
            whole = self.loops is None or self.template is not None
            return Phase.TEMPLATE if whole else Phase.TILED
        sized = all(buffer.depth is not None for buffer in self.buffers)
        return Phase.SIZED if sized else Phase.PLACED

    def verify_(self) -> None:
        for argument in self.body.block.args:
            type = argument.type
            if not is_tensor(type) and not isinstance(type, IndexType):
                raise VerifyException(
                    f"argument {value_name(argument)} is {argument.type}, but arguments of a "
                    "program are tensors in DRAM and index scalars"
                )
            if is_tensor(type) and not (
                type.has_static_shape() and is_element_type(type.element_type)
            ):
                raise VerifyException(
                    f"argument {value_name(argument)} is {argument.type}, but tensors of a "
                    "program have a static shape and elements that tiles can hold"
                )
        shape = None if self.grid is None else self.grid.get_values()
        if shape is not None and (len(shape) != 2 or min(shape) < 1):
            raise VerifyException(
                f"grid [{', '.join(map(str, shape))}] must be [rows, columns], each at least 1"
            )
        _ = self.machine
        # Facts about the program as a whole come from the analyses, which know this dialect;
        # the import stands here, as for canonicalisation patterns in xDSL, to keep the
        # dependency of modules one way.
        from spatial_dialect.analysis.verification import verify_program

        verify_program(self)

    @classmethod
    def parse(cls, parser: Parser) -> ProgramOp:
        name = parser.parse_symbol_name()
        arguments = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: parser.parse_argument()
        )
        properties: dict[str, Attribute] = {"sym_name": name}
        if parser.parse_optional_keyword("target"):
            position = parser.pos
            target = parser.parse_attribute()
            if not isinstance(target, TargetAttr):
                parser.raise_error(
                    'expected a target, as in #spatial.target<"wormhole">', at_position=position
                )
            properties["target"] = target
        if parser.parse_optional_keyword("grid"):
            position = parser.pos
            shape = parser.parse_comma_separated_list(
                parser.Delimiter.SQUARE, lambda: parser.parse_integer(False)
            )
            if len(shape) != 2 or min(shape) < 1:
                parser.raise_error(
                    "a grid is [rows, columns], each at least 1", at_position=position
                )
            properties["grid"] = DenseArrayBase.from_list(i64, shape)
        template = parser.parse_optional_keyword("template") is not None
        if parser.parse_optional_keyword("loops"):
            properties["loops"] = LoopsAttr(LoopsAttr.parse_parameter(parser))
            # A program without loops is a template of itself.
            if template:
                properties["template"] = UnitAttr()
        if parser.parse_optional_keyword("requires"):
            properties["requires"] = ArrayAttr(
                parser.parse_comma_separated_list(
                    parser.Delimiter.SQUARE,
                    lambda: HandshakeAttr(HandshakeAttr.parse_parameter(parser)),
                )
            )
        attributes = parser.parse_optional_attr_dict_with_keyword()
        region = parser.parse_region(arguments)
        if not region.blocks:
            region.add_block(Block())
        program = ProgramOp.create(
            properties=properties,
            attributes={} if attributes is None else attributes.data,
            regions=[region],
        )
        # `at` left out and `at` the whole grid are one thing: keep one of them.
        grid = program.grid_sites
        for op in region.blocks[0].ops:
            at = op.properties.get("at")
            if isinstance(at, SitesAttr) and at.data == grid:
                del op.properties["at"]
        return program

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        with printer.in_parens():
            printer.print_list(self.body.block.args, printer.print_block_argument)
        if self.target is not None:
            printer.print_string(" target ")
            printer.print_attribute(self.target)
        if self.grid is not None:
            printer.print_string(f" grid [{', '.join(map(str, self.grid.get_values()))}]")
        if self.loops is not None:
            printer.print_string(" loops " if self.template is None else " template loops ")
            self.loops.print_parameter(printer)
        if self.requires is not None:
            printer.print_string(" requires ")
            with printer.in_square_brackets():
                printer.print_list(self.requires, lambda kind: kind.print_parameter(printer))
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)


@irdl_op_definition
class BufferOp(IRDLOperation):
    """A ring of `depth` pages in the local memory of every site that uses it.

    `alias` shares the memory of another buffer page for page; `address` is the first byte, once
    sized, and that of an alias is the other's.

    ```mlir
    %a = spatial.buffer depth 2 : !spatial.buffer<8x4xbf16>
    %b = spatial.buffer depth 2 handshake valid_ready alias %a : !spatial.buffer<8x4xbf16>
    ```
    """

    name = "spatial.buffer"

    alias = opt_operand_def(BufferType)
    depth = opt_prop_def(IntegerAttr.constr(i64))
    handshake = prop_def(HandshakeAttr, default_value=HandshakeAttr(Handshake.FIFO))
    address = opt_prop_def(IntegerAttr.constr(i64))
    buffer = result_def(BufferType)

    traits = lazy_traits_def(lambda: (HasParent(ProgramOp), MemoryAllocEffect()))

    assembly_format = (
        "(`depth` $depth^)? (`handshake` $handshake^)? (`address` $address^)? "
        "(`alias` custom<KnownOptional>($alias, type($alias))^)? attr-dict `:` type($buffer)"
    )
    custom_directives = (KnownOptional,)

    def __init__(
        self,
        type: BufferType,
        depth: int | None = None,
        *,
        handshake: Handshake = Handshake.FIFO,
        address: int | None = None,
        alias: SSAValue | None = None,
    ):
        super().__init__(
            operands=[alias],
            result_types=[type],
            properties={
                "depth": None if depth is None else IntegerAttr(depth, i64),
                "handshake": HandshakeAttr(handshake),
                "address": None if address is None else IntegerAttr(address, i64),
            },
        )

    @property
    def page(self) -> BufferType:
        """The type of the buffer's pages."""
        return page_type(self.buffer)

    @property
    def pages(self) -> int | None:
        """The depth of the ring, in pages, if it is known yet."""
        return None if self.depth is None else self.depth.value.data

    def verify_(self) -> None:
        if (pages := self.pages) is not None and pages < 1:
            raise VerifyException(
                f"{value_name(self.buffer)} has depth {pages}, but a ring holds at least one page"
            )
        if self.address is not None and self.address.value.data < 0:
            raise VerifyException(
                f"{value_name(self.buffer)} has address {self.address.value.data}, but addresses "
                "count bytes of local memory from 0"
            )
        if self.handshake.data == Handshake.SEMAPHORE:
            raise VerifyException(
                "a ring meets its two ends on one site, by `fifo` or `valid_ready`; "
                "`semaphore` is for groups, which use it of themselves"
            )


_AXES: dict[Axis, Along] = {Axis.X: "x", Axis.Y: "y", Axis.YX: "yx"}


@irdl_op_definition
class GroupOp(IRDLOperation):
    """A family of multicast groups: each sender sends to the receivers that agree with it.

    They agree on the axes that are not named: `along x` to the receivers in the sender's row,
    `along y` in its column, `along yx` anywhere. The sender itself is skipped.

    ```mlir
    %rows = spatial.group from [0:8, 0] to [0:8, 1:8] along x
    ```
    """

    name = "spatial.group"

    senders = prop_def(SitesAttr)
    receivers = prop_def(SitesAttr)
    along = prop_def(AxisAttr)
    group = result_def(GroupType())

    traits = lazy_traits_def(lambda: (HasParent(ProgramOp), MemoryAllocEffect()))

    assembly_format = "`from` $senders `to` $receivers `along` $along attr-dict"

    def __init__(self, senders: Sites, receivers: Sites, along: Axis):
        super().__init__(
            result_types=[GroupType()],
            properties={
                "senders": SitesAttr(senders),
                "receivers": SitesAttr(receivers),
                "along": AxisAttr(along),
            },
        )

    @property
    def axes(self) -> Along:
        """The axes along which receivers may differ from their sender."""
        return _AXES[self.along.data]

    @property
    def receiving_sites(self) -> Sites:
        """The sites that receive: `to` without the senders."""
        return effective_receivers(self.senders.data, self.receivers.data, self.axes)

    @property
    def ready_count(self) -> int:
        """How many receivers each sender has."""
        return ready_count(self.senders.data, self.receivers.data, self.axes)

    def verify_(self) -> None:
        message = check_group(self.senders.data, self.receivers.data, self.axes)
        if message is not None:
            raise VerifyException(message)


@irdl_op_definition
class TripOp(IRDLOperation):
    """The run-time trip of a loop: an index argument, or an element of a tensor of integers.

    The address uses no coordinate along the axis of a group its site takes part in: senders and
    receivers must agree on the trip.

    ```mlir
    spatial.trip k = %n
    spatial.trip k = %lens[y, 0]
    ```
    """

    name = "spatial.trip"

    loop = prop_def(LoopNameAttr)
    count = operand_def(BaseAttr(IndexType) | AnyTensor)
    address = opt_prop_def(AffineMapAttr)

    traits = lazy_traits_def(lambda: (HasParent(ProgramOp), MemoryWriteEffect()))

    assembly_format = (
        "$loop `=` custom<Known>($count, type($count)) (`` custom<TileAddress>($address)^)? "
        "attr-dict"
    )
    custom_directives = (Known, TileAddress)

    def __init__(self, loop: LoopNameAttr, count: SSAValue, address: AffineMapAttr | None = None):
        super().__init__(operands=[count], properties={"loop": loop, "address": address})

    def verify_(self) -> None:
        name = value_name(self.count)
        if isinstance(self.count.type, IndexType):
            if self.address is not None:
                raise VerifyException(
                    f"{name} is an index, which has no elements: leave the address out"
                )
            return
        type = tensor_type(self.count)
        if self.address is None:
            raise VerifyException(
                f"{name} is {type}: say which element is the trip, as in `{name}[y, 0]`"
            )
        if not isinstance(type.element_type, IntegerType):
            raise VerifyException(f"a trip is an integer, but {name} is {type}")
        if len(self.address.data.results) != type.get_num_dims():
            raise VerifyException(
                f"has an address of {_counted(len(self.address.data.results), 'expression')}, but "
                f"{name} has {_counted(type.get_num_dims(), 'dimension')}"
            )
        if wrong := sorted(used_names(self.address.data) & {"k", "h", "w", "ind"}):
            raise VerifyException(
                f"uses '{wrong[0]}' in its address, but a trip is read once per item: "
                "it can use i, y and x"
            )


################################################################################
# Movement                                                                     #
################################################################################


def _verify_transfer(op: LoadOp | StoreOp, verb: str) -> None:
    """What loads and stores have in common: tensor, page and address fit each other."""
    tensor = value_name(op.tensor)
    type = tensor_type(op.tensor)
    rank = type.get_num_dims()
    if rank < 2:
        raise VerifyException(
            f"{tensor} is {type}, but tiles need two dimensions: give it a shape of rank 2 or more"
        )
    results = op.address.data.results
    if len(results) != rank:
        raise VerifyException(
            f"has an address of {_counted(len(results), 'expression')}, but {tensor} is {type} of "
            f"rank {rank}: write one expression per dimension"
        )
    page = page_type(op.buffer)
    if type.element_type != page.element_type:
        raise VerifyException(
            f"{tensor} holds {element_name(type.element_type)}, but {verb} "
            f"{buffer_text(op.buffer)}: moving a page does not convert it, use a map for that"
        )
    uses_index = "ind" in used_names(op.address.data)
    if op.index is not None:
        index = page_type(op.index)
        if not isinstance(index.element_type, IntegerType):
            raise VerifyException(f"goes via {buffer_text(op.index)}, but indices are integers")
        if op.rows is None and not uses_index:
            raise VerifyException(
                f"goes via {value_name(op.index)}, but its address does not use 'ind': "
                "use it, or say `rows` to take one tensor row per page row"
            )
        if op.rows is not None and results[-2] != AffineExpr.constant(0):
            raise VerifyException(
                f"takes the tensor rows from {value_name(op.index)}, so the row expression of "
                "its address must be 0"
            )
    else:
        if uses_index:
            raise VerifyException(
                "uses 'ind' in its address, but has no index page: add `via` and an index buffer"
            )
        if op.rows is not None:
            raise VerifyException("`rows` needs an index page: add `via` and an index buffer")


@irdl_op_definition
class LoadOp(MoveStageOp):
    """Reads a page from a tensor and, with `multicast`, sends it to the receivers of a group.

    `via %ix` takes `ind` in the address from element [0, 0] of the front page of `%ix`;
    `via %ix rows` reads page row r from tensor row `ix[r]`. `strides` are the steps between
    page rows and columns, in tiles; `transpose` walks the page columns along the tensor rows;
    `pad v` reads v outside the tensor.

    ```mlir
    spatial.load @load_a %A[y * 8, k * 4] into %a multicast %rows at [0:8, 0] on move 0
    spatial.load %T[ind, 0] into %t via %ix on move 0
    spatial.load %X[k, 0] into %x strides [2, 1] transpose pad 0.0 : f32 on move 1
    ```
    """

    name = "spatial.load"

    tensor = operand_def(AnyTensor)
    buffer = operand_def(BufferType)
    group = opt_operand_def(GroupType())
    index = opt_operand_def(BufferType)
    address = prop_def(AffineMapAttr)
    rows = opt_prop_def(UnitAttr)
    strides = opt_prop_def(DenseArrayBase[I64])
    transpose = opt_prop_def(UnitAttr)
    pad = opt_prop_def(FloatAttr.constr() | IntegerAttr.constr())

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    assembly_format = (
        "($sym_name^)? custom<Known>($tensor, type($tensor)) `` custom<TileAddress>($address) "
        "`into` "
        "custom<Known>($buffer, type($buffer)) (`multicast` custom<KnownOptional>($group, "
        "type($group))^)? "
        "(`via` custom<KnownOptional>($index, type($index))^)? (`rows` $rows^)? (`strides` "
        "$strides^)? "
        "(`transpose` $transpose^)? (`pad` $pad^)? custom<Placement>($at) (`on` $engine^)? "
        "attr-dict"
    )
    custom_directives = (Known, KnownOptional, TileAddress, Placement)

    def __init__(
        self,
        tensor: SSAValue,
        address: AffineMapAttr,
        buffer: SSAValue,
        *,
        group: SSAValue | None = None,
        index: SSAValue | None = None,
        properties: Mapping[str, Attribute | None] | None = None,
    ):
        super().__init__(
            operands=[tensor, buffer, group, index],
            properties={"address": address, **(properties or {})},
        )

    @property
    def page_reads(self) -> tuple[SSAValue, ...]:
        return () if self.index is None else (self.index,)

    @property
    def page_write(self) -> SSAValue:
        return self.buffer

    def verify_(self) -> None:
        super().verify_()
        _verify_transfer(self, "fills")
        page = page_type(self.buffer)
        if self.strides is not None:
            strides = self.strides.get_values()
            if len(strides) != 2 or min(strides) < 1:
                raise VerifyException(
                    f"strides [{', '.join(map(str, strides))}] must be [rows, columns], "
                    "each at least 1 tile"
                )
        if self.pad is not None and isinstance(self.pad, FloatAttr) != is_float(page.element_type):
            raise VerifyException(
                f"pads {buffer_text(self.buffer)} with {self.pad}: use a value of its kind"
            )


@irdl_op_definition
class RecvOp(MoveStageOp):
    """The receiving end of a group; may send the page on to the receivers of another.

    ```mlir
    spatial.recv %rows into %a at [0:8, 1:8] on move 0
    spatial.recv %rows into %a multicast %cols at [0, 1:8] on move 0
    ```
    """

    name = "spatial.recv"

    source = operand_def(GroupType())
    buffer = operand_def(BufferType)
    group = opt_operand_def(GroupType())

    assembly_format = (
        "($sym_name^)? custom<Known>($source, type($source)) `into` custom<Known>($buffer, "
        "type($buffer)) "
        "(`multicast` custom<KnownOptional>($group, type($group))^)? custom<Placement>($at) (`on` "
        "$engine^)? "
        "attr-dict"
    )
    custom_directives = (Known, KnownOptional, Placement)

    def __init__(
        self,
        source: SSAValue,
        buffer: SSAValue,
        *,
        group: SSAValue | None = None,
        properties: Mapping[str, Attribute | None] | None = None,
    ):
        super().__init__(operands=[source, buffer, group], properties=dict(properties or {}))

    @property
    def page_reads(self) -> tuple[SSAValue, ...]:
        return ()

    @property
    def page_write(self) -> SSAValue:
        return self.buffer

    def verify_(self) -> None:
        super().verify_()
        if self.group == self.source:
            raise VerifyException(
                f"receives from {value_name(self.source)} and sends on to the same group"
            )


@irdl_op_definition
class StoreOp(MoveStageOp):
    """Writes a page to a tensor; clips what lies outside of it if a load upstream pads.

    `via %ix` and `via %ix rows` scatter as `spatial.load` gathers.

    ```mlir
    spatial.store %c into %C[y * 8 + h * 4, x * 8 + w * 2] on move 1
    ```
    """

    name = "spatial.store"

    buffer = operand_def(BufferType)
    tensor = operand_def(AnyTensor)
    index = opt_operand_def(BufferType)
    address = prop_def(AffineMapAttr)
    rows = opt_prop_def(UnitAttr)

    assembly_format = (
        "($sym_name^)? custom<Known>($buffer, type($buffer)) `into` custom<Known>($tensor, "
        "type($tensor)) `` "
        "custom<TileAddress>($address) (`via` custom<KnownOptional>($index, type($index))^)? "
        "(`rows` $rows^)? "
        "custom<Placement>($at) (`on` $engine^)? attr-dict"
    )
    custom_directives = (Known, KnownOptional, TileAddress, Placement)

    def __init__(
        self,
        buffer: SSAValue,
        tensor: SSAValue,
        address: AffineMapAttr,
        *,
        index: SSAValue | None = None,
        properties: Mapping[str, Attribute | None] | None = None,
    ):
        super().__init__(
            operands=[buffer, tensor, index],
            properties={"address": address, **(properties or {})},
        )

    @property
    def page_reads(self) -> tuple[SSAValue, ...]:
        return (self.buffer,) if self.index is None else (self.buffer, self.index)

    @property
    def page_write(self) -> None:
        return None

    def verify_(self) -> None:
        super().verify_()
        _verify_transfer(self, "drains")


################################################################################
# Computation                                                                  #
################################################################################


@irdl_op_definition
class MatmulOp(ComputeStageOp):
    """Accumulates `a` times `b` over the K blocks of an item.

    `a` is (h * R) x K tiles, `b` is K x (w * C), the result R x C, for h x w sub-blocks. Partial
    sums stay in the accumulator, or `spill` to a ring `by reload` (the default) or `by pack`.

    ```mlir
    spatial.matmul %a, %b into %c
    spatial.matmul %a, %b into %c spill %p by pack at [0:8, 0:8]
    ```
    """

    name = "spatial.matmul"

    lhs = operand_def(BufferType)
    rhs = operand_def(BufferType)
    spill = opt_operand_def(BufferType)
    by = prop_def(SpillAttr, default_value=SpillAttr(Spill.RELOAD))

    assembly_format = (
        "($sym_name^)? custom<Known>($lhs, type($lhs)) `,` custom<Known>($rhs, type($rhs)) `into` "
        "custom<Known>($output, type($output)) (`spill` custom<KnownOptional>($spill, "
        "type($spill))^)? (`by` $by^)? "
        "(`acc` $acc^)? custom<Placement>($at) (`on` $engine^)? attr-dict"
    )
    custom_directives = (Known, KnownOptional, Placement)

    def __init__(
        self,
        lhs: SSAValue,
        rhs: SSAValue,
        output: SSAValue,
        *,
        spill: SSAValue | None = None,
        by: Spill = Spill.RELOAD,
        properties: Mapping[str, Attribute | None] | None = None,
    ):
        super().__init__(
            operands=[lhs, rhs, spill, output],
            properties={"by": SpillAttr(by), **(properties or {})},
        )

    @property
    def page_reads(self) -> tuple[SSAValue, ...]:
        return (self.lhs, self.rhs)

    @property
    def packed_to(self) -> tuple[SSAValue, ...]:
        return (self.output,) if self.spill is None else (self.output, self.spill)

    def verify_(self) -> None:
        super().verify_()
        if self.spill is None and self.by.data != Spill.RELOAD:
            raise VerifyException(
                f"says by {self.by.data}, but spills nowhere: name the ring of the partial sums"
            )
        if self.spill is not None and page_type(self.spill).shape != page_type(self.output).shape:
            raise VerifyException(
                f"spills to {buffer_text(self.spill)}, but makes {buffer_text(self.output)}: "
                "partial sums have the shape of the result"
            )
        if self.spill is self.output:
            raise VerifyException(
                f"spills to its own result {value_name(self.output)}: give the partial sums a "
                "buffer of their own, `alias` for the same memory"
            )
        _verify_product(self, self.lhs, self.rhs)


def _verify_product(op: ComputeStageOp, lhs: SSAValue, rhs: SSAValue) -> None:
    """The factors of a product and its result are all floats or all integers."""
    kinds = {is_float(page_type(value).element_type) for value in (lhs, rhs, op.output)}
    if len(kinds) > 1:
        raise VerifyException(
            f"multiplies {buffer_text(lhs)} by {buffer_text(rhs)} into "
            f"{buffer_text(op.output)}: use floats throughout, or integers throughout"
        )


@irdl_op_definition
class DotOp(CarryingStageOp):
    """One page times one page, without accumulation over k.

    `a` is R x K tiles, `b` K x C (C x K with `transpose_b`), the result R x C.

    ```mlir
    spatial.dot @scores %q, %kt transpose_b into %s
    ```
    """

    name = "spatial.dot"

    lhs = operand_def(BufferType)
    rhs = operand_def(BufferType)
    transpose_b = opt_prop_def(UnitAttr)

    assembly_format = (
        "($sym_name^)? custom<Known>($lhs, type($lhs)) `,` custom<Known>($rhs, type($rhs)) "
        "(`transpose_b` $transpose_b^)? "
        "custom<Output>($output, type($output), $update) (`acc` $acc^)? custom<Placement>($at) "
        "(`on` $engine^)? "
        "attr-dict"
    )
    custom_directives = (Known, Output, Placement)

    def __init__(
        self,
        lhs: SSAValue,
        rhs: SSAValue,
        output: SSAValue,
        *,
        properties: Mapping[str, Attribute | None] | None = None,
    ):
        super().__init__(operands=[lhs, rhs, output], properties=dict(properties or {}))

    @property
    def page_reads(self) -> tuple[SSAValue, ...]:
        return (self.lhs, self.rhs)

    def verify_(self) -> None:
        super().verify_()
        rows, inner = page_type(self.lhs).shape
        other, cols = page_type(self.rhs).shape
        if self.transpose_b is not None:
            other, cols = cols, other
        if inner != other or page_type(self.output).shape != (rows, cols):
            transposed = " transposed" if self.transpose_b is not None else ""
            raise VerifyException(
                f"multiplies {buffer_text(self.lhs)} by {buffer_text(self.rhs)}{transposed} into "
                f"{buffer_text(self.output)}, but R x K times K x C is R x C"
            )
        _verify_product(self, self.lhs, self.rhs)


@irdl_op_definition
class YieldOp(AbstractYieldOperation[Attribute]):
    """Ends the elementwise code of a map with the value of the result.

    ```mlir
    spatial.yield %3 : f32
    ```
    """

    name = "spatial.yield"

    traits = traits_def(IsTerminator(), Pure())


_BROADCAST_SHAPES: dict[Broadcast, str] = {
    Broadcast.NONE: "the shape of the result",
    Broadcast.ROWS: "one row of tiles and the columns of the result",
    Broadcast.COLS: "one column of tiles and the rows of the result",
    Broadcast.SCALAR: "one tile",
}


def verify_elementwise(
    inputs: Sequence[SSAValue],
    broadcasts: Sequence[Broadcast],
    result: tuple[int, int],
    result_text: str,
    body: Region,
    yields: Attribute,
) -> None:
    """Check operands and code of an elementwise computation against each other.

    Raises:
        VerifyException: a shape, a number of arguments or a type does not fit.
    """
    rows, cols = result
    expected = {
        Broadcast.NONE: (rows, cols),
        Broadcast.ROWS: (1, cols),
        Broadcast.COLS: (rows, 1),
        Broadcast.SCALAR: (1, 1),
    }
    for value, kind in zip(inputs, broadcasts, strict=True):
        if page_type(value).shape != expected[kind]:
            how = "" if kind == Broadcast.NONE else f" broadcast {kind}"
            raise VerifyException(
                f"reads {buffer_text(value)}{how} for {result_text}, but needs "
                f"{_BROADCAST_SHAPES[kind]}, {expected[kind][0]}x{expected[kind][1]}"
            )
    arguments = body.block.args
    if len(arguments) != len(inputs):
        raise VerifyException(
            f"has {len(inputs)} inputs, but its code has {len(arguments)} arguments"
        )
    for argument, value in zip(arguments, inputs, strict=True):
        wanted = compute_type(page_type(value).element_type)
        if argument.type != wanted:
            raise VerifyException(
                f"reads {buffer_text(value)}, which its code gets as {wanted}, "
                f"but the argument is {argument.type}"
            )
    last = body.block.last_op
    if not isinstance(last, YieldOp) or tuple(last.arguments.types) != (yields,):
        found = (
            "nothing"
            if last is None
            else f"'{last.name}'"
            if not isinstance(last, YieldOp)
            else ", ".join(map(str, last.arguments.types)) or "nothing"
        )
        raise VerifyException(
            f"its code must end by yielding one {yields} for {result_text}, got {found}"
        )


def broadcast_kinds(
    broadcasts: ArrayAttr[BroadcastAttr] | None, inputs: int
) -> tuple[Broadcast, ...]:
    """How each of the inputs is repeated; no property means none is.

    Raises:
        VerifyException: the property has another number of entries.
    """
    if broadcasts is None:
        return (Broadcast.NONE,) * inputs
    if len(broadcasts) != inputs:
        raise VerifyException(f"has {inputs} inputs, but says {len(broadcasts)} broadcasts")
    return tuple(kind.data for kind in broadcasts)


@irdl_op_definition
class MapOp(CarryingStageOp):
    """Elementwise code on tiles; smaller inputs are `broadcast`.

    The code gets f32 for floats and i32 for integers, one argument per input, and yields one value.

    ```mlir
    spatial.map @bias_relu (%c, %bias broadcast rows) into %d {
    ^bb0(%0 : f32, %1 : f32):
      %2 = arith.addf %0, %1 : f32
      spatial.yield %2 : f32
    }
    ```
    """

    name = "spatial.map"

    inputs = var_operand_def(BufferType)
    broadcasts = opt_prop_def(ArrayAttr[BroadcastAttr])
    body = region_def("single_block")

    assembly_format = (
        "($sym_name^)? custom<MapInputs>($inputs, type($inputs), $broadcasts) "
        "custom<Output>($output, type($output), $update) "
        "(`acc` $acc^)? custom<Placement>($at) (`on` $engine^)? attr-dict-with-keyword $body"
    )
    custom_directives = (MapInputs, Output, Placement)

    def __init__(
        self,
        inputs: Sequence[SSAValue],
        output: SSAValue,
        body: Region,
        *,
        broadcasts: Sequence[Broadcast] | None = None,
        properties: Mapping[str, Attribute | None] | None = None,
    ):
        kinds = None if broadcasts is None else ArrayAttr(BroadcastAttr(k) for k in broadcasts)
        super().__init__(
            operands=[list(inputs), output],
            properties={"broadcasts": kinds, **(properties or {})},
            regions=[body],
        )

    @property
    def page_reads(self) -> tuple[SSAValue, ...]:
        return tuple(self.inputs)

    def verify_(self) -> None:
        super().verify_()
        page = page_type(self.output)
        verify_elementwise(
            self.inputs,
            broadcast_kinds(self.broadcasts, len(self.inputs)),
            page.shape,
            buffer_text(self.output),
            self.body,
            compute_type(page.element_type),
        )


@irdl_op_definition
class ReduceOp(CarryingStageOp):
    """Reduces the rows of a page to one row, or its columns to one column.

    ```mlir
    spatial.reduce max cols %s into %m     // R x C gives R x 1
    ```
    """

    name = "spatial.reduce"

    kind = prop_def(ReductionAttr)
    axis = prop_def(PageAxisAttr)
    input = operand_def(BufferType)

    assembly_format = (
        "($sym_name^)? $kind $axis custom<Known>($input, type($input)) custom<Output>($output, "
        "type($output), $update) "
        "(`acc` $acc^)? custom<Placement>($at) (`on` $engine^)? attr-dict"
    )
    custom_directives = (Known, Output, Placement)

    def __init__(
        self,
        kind: ReductionAttr,
        axis: PageAxisAttr,
        input: SSAValue,
        output: SSAValue,
        *,
        properties: Mapping[str, Attribute | None] | None = None,
    ):
        super().__init__(
            operands=[input, output],
            properties={"kind": kind, "axis": axis, **(properties or {})},
        )

    @property
    def page_reads(self) -> tuple[SSAValue, ...]:
        return (self.input,)

    def verify_(self) -> None:
        super().verify_()
        rows, cols = page_type(self.input).shape
        wanted = (1, cols) if self.axis.data == PageAxis.ROWS else (rows, 1)
        if page_type(self.output).shape != wanted:
            raise VerifyException(
                f"reduces the {self.axis.data} of {buffer_text(self.input)} to "
                f"{wanted[0]}x{wanted[1]}, but fills {buffer_text(self.output)}"
            )


@irdl_op_definition
class AllReduceOp(CarryingStageOp):
    """Combines pages gathered from the sites of a group, element by element, on each of them.

    It is the local part; bringing the pages of the other sites here is the work of other stages.

    ```mlir
    spatial.all_reduce add %mine, %other into %sum across %rows
    ```
    """

    name = "spatial.all_reduce"

    kind = prop_def(ReductionAttr)
    inputs = var_operand_def(BufferType)
    group = operand_def(GroupType())

    assembly_format = (
        "($sym_name^)? $kind custom<KnownList>($inputs, type($inputs)) custom<Output>($output, "
        "type($output), $update) `across` "
        "custom<Known>($group, type($group)) (`acc` $acc^)? custom<Placement>($at) (`on` "
        "$engine^)? attr-dict"
    )
    custom_directives = (Known, KnownList, Output, Placement)

    def __init__(
        self,
        kind: ReductionAttr,
        inputs: Sequence[SSAValue],
        output: SSAValue,
        group: SSAValue,
        *,
        properties: Mapping[str, Attribute | None] | None = None,
    ):
        super().__init__(
            operands=[list(inputs), group, output],
            properties={"kind": kind, **(properties or {})},
        )

    @property
    def page_reads(self) -> tuple[SSAValue, ...]:
        return tuple(self.inputs)

    def verify_(self) -> None:
        super().verify_()
        if not self.inputs:
            raise VerifyException("combines no page: name at least one")
        for value in self.inputs:
            if page_type(value).shape != page_type(self.output).shape:
                raise VerifyException(
                    f"combines {buffer_text(value)} into {buffer_text(self.output)}: "
                    "all pages have one shape"
                )


################################################################################
# The host                                                                     #
################################################################################


def written_arguments(program: ProgramOp) -> tuple[int, ...]:
    """The positions of the arguments that a program, of stages or of engines, writes to."""
    arguments = program.body.block.args
    written: set[SSAValue] = set()
    for op in program.walk():
        if isinstance(op, StoreOp):
            written.add(op.tensor)
        elif op.name == "choreo.write_tiles":
            # Of the other dialect, which need not be loaded for dataflow.
            written.update(operand for operand in op.operands if operand in arguments)
    return tuple(argument.index for argument in arguments if argument in written)


class _LaunchesProgram(SymbolUserOpInterface):
    """A launch names a program of its module, and gives it what it takes."""

    def verify(self, op: Operation) -> None:
        assert isinstance(op, LaunchOp)
        program = SymbolTable.lookup_symbol(op, op.callee)
        name = f"@{op.callee.string_value()}"
        if not isinstance(program, ProgramOp):
            found = "nothing of that name" if program is None else f"a '{program.name}'"
            raise VerifyException(
                f"launches {name}, but its module has {found}: launch a spatial.program"
            )
        wanted = program.body.block.args
        if len(wanted) != len(op.arguments):
            raise VerifyException(
                f"gives {name} {_counted(len(op.arguments), 'argument')}, but it takes "
                f"{len(wanted)}"
            )
        for given, argument in zip(op.arguments, wanted, strict=True):
            if _host_type(given.type) != _host_type(argument.type):
                raise VerifyException(
                    f"gives {given.type} for {value_name(argument)} of {name}, which is "
                    f"{argument.type}: give it the same shape and element type"
                )
        written = [op.arguments[index].type for index in written_arguments(program)]
        results = [type for type in written if is_tensor(type) and isinstance(type, TensorType)]
        if list(op.results_.types) != results:
            given_text = ", ".join(map(str, op.results_.types)) or "nothing"
            wanted_text = ", ".join(map(str, results)) or "nothing"
            raise VerifyException(
                f"gives back {given_text}, but of its arguments {name} writes {wanted_text}: "
                "there is one result for each tensor that is written, in order"
            )


def _host_type(type: Attribute) -> Attribute:
    """A type of an argument without regard to whether it is a tensor or a memref."""
    return TensorType(type.element_type, type.get_shape()) if is_tensor(type) else type


@irdl_op_definition
class LaunchOp(IRDLOperation):
    """Runs a program on its arguments; launches of a function run one after the other.

    A memref is written in place. For each tensor that the program writes there is a result, which
    is what the tensor holds afterwards; what it held before is used up, as with `outs` of linalg.

    ```mlir
    spatial.program @copy(%X : memref<64x32xbf16>, %Y : memref<64x32xbf16>) {
      %x = spatial.buffer : !spatial.buffer<2x1xbf16>
      spatial.load %X[0, 0] into %x
      spatial.store %x into %Y[0, 0]
    }
    func.func @main(%x : tensor<64x32xbf16>, %init : tensor<64x32xbf16>) -> tensor<64x32xbf16> {
      %y = spatial.launch @copy(%x, %init)
          : (tensor<64x32xbf16>, tensor<64x32xbf16>) -> tensor<64x32xbf16>
      func.return %y : tensor<64x32xbf16>
    }
    ```
    """

    name = "spatial.launch"

    callee = prop_def(FlatSymbolRefAttrConstr)
    arguments = var_operand_def(AnyTensor | BaseAttr(IndexType))
    results_ = var_result_def(TensorType.constr())

    traits = traits_def(_LaunchesProgram(), MemoryWriteEffect())

    assembly_format = (
        "$callee `(` $arguments `)` attr-dict `:` functional-type($arguments, $results_)"
    )

    def __init__(
        self, callee: str, arguments: Sequence[SSAValue], results: Sequence[Attribute] = ()
    ):
        super().__init__(
            operands=[list(arguments)],
            result_types=[list(results)],
            properties={"callee": SymbolRefAttr(callee)},
        )


Spatial = Dialect(
    "spatial",
    [
        ProgramOp,
        LaunchOp,
        BufferOp,
        GroupOp,
        TripOp,
        LoadOp,
        RecvOp,
        StoreOp,
        MatmulOp,
        DotOp,
        MapOp,
        ReduceOp,
        AllReduceOp,
        YieldOp,
    ],
    [
        BufferType,
        GroupType,
        BFP8Type,
        BFP4Type,
        SitesAttr,
        EngineAttr,
        LoopsAttr,
        LoopNameAttr,
        TargetAttr,
        HandshakeAttr,
        AxisAttr,
        SpillAttr,
        ReductionAttr,
        PageAxisAttr,
        BroadcastAttr,
    ],
)
