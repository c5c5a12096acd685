"""The `choreo` dialect: what every engine of every site does, in order.

A `spatial.program` whose stages have been replaced by engines. Buffers, groups, target and grid
stay as they were. Every op that waits, signals or touches a page has a write effect, and buffers,
groups and semaphores are allocations, so that generic passes neither drop, merge nor reorder them.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping, Sequence
from typing import Self

from xdsl.dialects.builtin import (
    I64,
    ArrayAttr,
    DenseArrayBase,
    FlatSymbolRefAttr,
    FlatSymbolRefAttrConstr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolNameConstraint,
    UnitAttr,
    i64,
)
from xdsl.ir import (
    Attribute,
    Block,
    Dialect,
    ParametrizedAttribute,
    Region,
    SSAValue,
)
from xdsl.irdl import (
    AttrSizedOperandSegments,
    BaseAttr,
    IRDLOperation,
    irdl_attr_definition,
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
)
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    OperandVariable,
    ParsingState,
    PrintingState,
    RegionVariable,
    TypeDirective,
    irdl_custom_directive,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.traits import (
    HasAncestor,
    HasParent,
    IsTerminator,
    MemoryAllocEffect,
    MemoryReadEffect,
    MemoryWriteEffect,
    Pure,
    SymbolOpInterface,
)
from xdsl.utils.exceptions import VerifyException

from spatial_dialect.dialects.spatial import (
    AnyTensor,
    BufferOp,
    ProgramOp,
    YieldOp,
    broadcast_kinds,
    buffer_text,
    compute_type,
    is_tensor,
    page_type,
    tensor_type,
)
from spatial_dialect.ir.attributes import (
    Broadcast,
    BroadcastAttr,
    Comparison,
    ComparisonAttr,
    EngineAttr,
    FlushCondition,
    FlushConditionAttr,
    PageAxisAttr,
    ReductionAttr,
    SitesAttr,
)
from spatial_dialect.ir.diagnostics import value_name
from spatial_dialect.ir.directives import (
    Indices,
    Known,
    KnownList,
    KnownOptional,
    MapInputs,
    Placement,
)
from spatial_dialect.ir.sites import Sites
from spatial_dialect.ir.types import (
    AccumulatorType,
    BufferType,
    GroupType,
    ReadyType,
    ValidType,
    is_float,
)

ONE_PAGE = IntegerAttr(1, i64)
"""The number of pages of a request that does not say it."""

################################################################################
# Directives and bases                                                         #
################################################################################


VERDICT = "choreo.verdict"
"""The attribute of a program that says what is known about its choreography."""


@irdl_attr_definition
class VerdictAttr(ParametrizedAttribute):
    """What is known about the choreography of a program: `#choreo.verdict<proved "...">`.

    `proved` comes with a fingerprint of the program that was proved, `refuted` with the rule that
    is broken, `undecided` with the reason.
    """

    name = VERDICT

    status: StringAttr
    detail: StringAttr

    @staticmethod
    def of(status: str, detail: str) -> VerdictAttr:
        """The verdict with these words."""
        return VerdictAttr(StringAttr(status), StringAttr(detail))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            status = parser.parse_optional_keyword_in(("proved", "refuted", "undecided"))
            if status is None:
                parser.raise_error("a verdict is `proved`, `refuted` or `undecided`")
            detail = parser.parse_str_literal(" with what the verdict is about")
        return StringAttr(status), StringAttr(detail)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.status.data} ")
            printer.print_string_literal(self.detail.data)


@irdl_custom_directive
class SemaphoreValue(CustomDirective):
    """A value of a semaphore; those of a flag are spelled `invalid` (0) and `valid` (1)."""

    semaphore: OperandVariable
    value: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        word = parser.parse_optional_keyword_in(("invalid", "valid"))
        value = int(word == "valid") if word else parser.parse_integer(False, False)
        self.value.set(state, IntegerAttr(value, i64))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        state.print_whitespace(printer)
        value = self.value.get(op)
        assert isinstance(value, IntegerAttr)
        number = value.value.data
        printer.print_string(value_text(self.semaphore.get(op), number))


def value_text(semaphore: SSAValue, value: int) -> str:
    """A value of a semaphore as users write it."""
    if isinstance(semaphore.type, ValidType) and value in (0, 1):
        return "valid" if value else "invalid"
    return str(value)


@irdl_custom_directive
class AccumulatorShape(CustomDirective):
    """Tiles and element type of an accumulator, `8xf32`."""

    type: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        position = parser.pos
        shape, element_type = parser.parse_ranked_shape()
        if len(shape) != 1:
            parser.raise_error(
                "an accumulator has a number of tiles, as in 8xf32", at_position=position
            )
        self.type.inner.set_types(state, (AccumulatorType.of(shape[0], element_type),))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        state.print_whitespace(printer)
        (type,) = self.type.inner.get_types(op)
        assert isinstance(type, AccumulatorType)
        printer.print_string(f"{type.tiles.data}x")
        printer.print_attribute(type.element_type)


@irdl_custom_directive
class EngineBody(CustomDirective):
    """The code of an engine; `choreo.end` is left out if there is only one block."""

    body: RegionVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        region = parser.parse_region()
        if not region.blocks:
            region.add_block(Block())
        if len(region.blocks) == 1 and not isinstance(region.block.last_op, EndOp):
            region.block.add_op(EndOp())
        self.body.set(state, region)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        state.print_whitespace(printer)
        region = self.body.get(op)
        printer.print_region(region, print_block_terminators=len(region.blocks) > 1)


class ChoreoOp(IRDLOperation, ABC):
    """An op of an engine; `for @stage` tells which stage of the dataflow it was made for."""

    stage = opt_prop_def(FlatSymbolRefAttrConstr)

    traits = lazy_traits_def(lambda: (HasAncestor(EngineOp), MemoryWriteEffect()))


def stage_properties(
    stage: FlatSymbolRefAttr | None, **properties: Attribute | None
) -> Mapping[str, Attribute | None]:
    """Properties of an op together with its provenance."""
    return {"stage": stage, **properties}


class RingOp(ChoreoOp, ABC):
    """An op on one or more pages of a ring."""

    buffer = operand_def(BufferType)
    pages = prop_def(IntegerAttr.constr(i64), default_value=ONE_PAGE)

    assembly_format = (
        "custom<Known>($buffer, type($buffer)) (`,` $pages^)? (`for` $stage^)? attr-dict"
    )
    custom_directives = (Known,)

    def __init__(
        self,
        buffer: SSAValue,
        pages: int = 1,
        *,
        stage: FlatSymbolRefAttr | None = None,
    ):
        super().__init__(
            operands=[buffer],
            properties=stage_properties(
                stage, pages=ONE_PAGE if pages == 1 else IntegerAttr(pages, i64)
            ),
        )

    @classmethod
    def one_page(cls, buffer: SSAValue, stage: FlatSymbolRefAttr | None = None) -> Self:
        """The op on one page of a ring: what engines mostly consist of, so made the quick way."""
        properties: dict[str, Attribute] = {"pages": ONE_PAGE}
        if stage is not None:
            properties["stage"] = stage
        return cls.create(operands=[buffer], properties=properties)

    def verify_(self) -> None:
        verify_pages(self.buffer, self.pages)


def verify_pages(buffer: SSAValue, pages: IntegerAttr) -> None:
    """A request is for at least one page, and never for more than the ring holds.

    Raises:
        VerifyException: it is not.
    """
    count = pages.value.data
    if count < 1:
        raise VerifyException(f"asks for {count} pages of {value_name(buffer)}, at least 1 is due")
    owner = buffer.owner
    depth = owner.pages if isinstance(owner, BufferOp) else None
    if depth is not None and count > depth:
        raise VerifyException(
            f"asks for {count} pages of {value_name(buffer)}, whose ring holds {depth}: "
            "make the ring deeper or ask for fewer"
        )


################################################################################
# Engines and semaphores                                                       #
################################################################################


@irdl_op_definition
class SemaphoresOp(IRDLOperation):
    """The two semaphores of a group: receivers that are ready, and a page that is valid.

    Both exist on every site of the group, and start at 0.

    ```mlir
    %a_ready, %a_valid = choreo.semaphores %rows
    ```
    """

    name = "choreo.semaphores"

    group = operand_def(GroupType())
    ready = result_def(ReadyType())
    valid = result_def(ValidType())

    traits = traits_def(HasParent(ProgramOp), MemoryAllocEffect())

    assembly_format = "custom<Known>($group, type($group)) attr-dict"
    custom_directives = (Known,)

    def __init__(self, group: SSAValue):
        super().__init__(operands=[group], result_types=[ReadyType(), ValidType()])


@irdl_op_definition
class EngineOp(IRDLOperation):
    """One thread on every site of a set; its arguments are the row and column of the site.

    ```mlir
    choreo.engine @move0_0 on move 0 at [0:8, 0] {
    ^bb0(%y : index, %x : index):
      choreo.reserve %a
      choreo.push %a
    }
    ```
    """

    name = "choreo.engine"

    sym_name = prop_def(SymbolNameConstraint())
    engine = prop_def(EngineAttr)
    at = opt_prop_def(SitesAttr)
    body = region_def()

    traits = traits_def(HasParent(ProgramOp), SymbolOpInterface())

    assembly_format = (
        "$sym_name `on` $engine custom<Placement>($at) attr-dict-with-keyword "
        "custom<EngineBody>($body)"
    )
    custom_directives = (Placement, EngineBody)

    def __init__(self, name: str, engine: EngineAttr, at: SitesAttr | None, body: Region):
        super().__init__(
            properties={"sym_name": StringAttr(name), "engine": engine, "at": at},
            regions=[body],
        )

    @property
    def program(self) -> ProgramOp:
        """The program the engine belongs to."""
        parent = self.parent_op()
        assert isinstance(parent, ProgramOp)
        return parent

    @property
    def sites(self) -> Sites:
        """The sites the engine runs on.

        Raises:
            ValueError: the program has no grid and the engine no set of its own.
        """
        return self.program.grid_sites_or_fail if self.at is None else self.at.data

    def verify_(self) -> None:
        first = self.body.first_block
        if first is None or tuple(first.arg_types) != (IndexType(), IndexType()):
            raise VerifyException(
                "its code gets the row and the column of the site: two arguments of type index"
            )
        for block in self.body.blocks:
            last = block.last_op
            if last is None or not last.has_trait(IsTerminator, value_if_unregistered=True):
                raise VerifyException("each of its blocks must end in a terminator, `choreo.end`")


@irdl_op_definition
class EndOp(IRDLOperation):
    """The end of an engine's program; printed only if the engine has several blocks.

    ```mlir
    choreo.end
    ```
    """

    name = "choreo.end"

    traits = traits_def(HasParent(EngineOp), IsTerminator(), Pure())

    assembly_format = "attr-dict"

    def __init__(self) -> None:
        super().__init__()


@irdl_op_definition
class ItemOp(IRDLOperation):
    """The work item that this run of the engine is for.

    ```mlir
    %i = choreo.item
    ```
    """

    name = "choreo.item"

    item = result_def(IndexType())

    traits = traits_def(HasAncestor(EngineOp), MemoryReadEffect())

    assembly_format = "attr-dict"

    def __init__(self) -> None:
        super().__init__(result_types=[IndexType()])


@irdl_op_definition
class TripOp(ChoreoOp):
    """The run-time trip of the K loop, from an index or an element of a tensor.

    More than the `max` of the program's loop is an error at run time.

    ```mlir
    %n = choreo.trip %lens[%y, %c0]
    %m = choreo.trip %count
    ```
    """

    name = "choreo.trip"

    count = operand_def(BaseAttr(IndexType) | AnyTensor)
    indices = var_operand_def(IndexType())
    trip = result_def(IndexType())

    traits = traits_def(MemoryReadEffect())

    assembly_format = (
        "custom<Known>($count, type($count)) (`` custom<Indices>($indices, type($indices))^)? "
        "(`for` $stage^)? attr-dict"
    )
    custom_directives = (Known, Indices)

    def __init__(
        self,
        count: SSAValue,
        indices: Sequence[SSAValue] = (),
        *,
        stage: FlatSymbolRefAttr | None = None,
    ):
        super().__init__(
            operands=[count, indices],
            result_types=[IndexType()],
            properties=stage_properties(stage),
        )

    def verify_(self) -> None:
        type = self.count.type
        dims = type.get_num_dims() if is_tensor(type) else 0
        if len(self.indices) != dims:
            raise VerifyException(
                f"{value_name(self.count)} is {type} and takes {dims} indices, "
                f"got {len(self.indices)}"
            )


################################################################################
# Rings                                                                        #
################################################################################


@irdl_op_definition
class ReserveOp(RingOp):
    """Blocks until there is room for the pages; then the engine may fill them.

    ```mlir
    choreo.reserve %a
    choreo.reserve %c, 8
    ```
    """

    name = "choreo.reserve"


@irdl_op_definition
class PushOp(RingOp):
    """Makes reserved pages visible to the reader.

    ```mlir
    choreo.push %a
    ```
    """

    name = "choreo.push"


@irdl_op_definition
class WaitOp(RingOp):
    """Blocks until there are that many pages; waiting again is allowed and takes nothing.

    ```mlir
    choreo.wait %a
    ```
    """

    name = "choreo.wait"


@irdl_op_definition
class PopOp(RingOp):
    """Gives the first pages back to the writer.

    ```mlir
    choreo.pop %a
    ```
    """

    name = "choreo.pop"


################################################################################
# Movement                                                                     #
################################################################################


@irdl_op_definition
class LoadIndexOp(ChoreoOp):
    """Element [0, 0] of the front page of a buffer of indices.

    ```mlir
    %ind = choreo.load_index %ix
    ```
    """

    name = "choreo.load_index"

    buffer = operand_def(BufferType)
    index = result_def(IndexType())

    assembly_format = "custom<Known>($buffer, type($buffer)) (`for` $stage^)? attr-dict"
    custom_directives = (Known,)

    def __init__(self, buffer: SSAValue, *, stage: FlatSymbolRefAttr | None = None):
        super().__init__(
            operands=[buffer], result_types=[IndexType()], properties=stage_properties(stage)
        )

    def verify_(self) -> None:
        if not isinstance(page_type(self.buffer).element_type, IntegerType):
            raise VerifyException(f"indices are integers, but it reads {buffer_text(self.buffer)}")


class TransferOp(ChoreoOp, ABC):
    """A move between a page and a tensor; it runs on after the op, until a barrier."""

    buffer = operand_def(BufferType)
    tensor = operand_def(AnyTensor)
    indices = var_operand_def(IndexType())
    rows_from = opt_operand_def(BufferType)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (Known, KnownOptional, Indices)

    def verify_(self) -> None:
        type = tensor_type(self.tensor)
        if len(self.indices) != type.get_num_dims():
            raise VerifyException(
                f"{value_name(self.tensor)} is {type} and takes {type.get_num_dims()} indices, "
                f"got {len(self.indices)}"
            )
        if type.element_type != page_type(self.buffer).element_type:
            raise VerifyException(
                f"moves between {value_name(self.tensor)}, {type}, and "
                f"{buffer_text(self.buffer)}: element types differ"
            )


@irdl_op_definition
class ReadTilesOp(TransferOp):
    """Starts reading a page of a tensor into the reserved page.

    The indices are the page's first tile, counted in tiles in the last two dimensions. With
    `rows from %ix`, page row r comes from tensor row `ix[r]`.

    ```mlir
    choreo.read_tiles %A[%r, %s] into %a
    choreo.read_tiles %T[%c0, %s] into %t rows from %ix
    ```
    """

    name = "choreo.read_tiles"

    strides = opt_prop_def(DenseArrayBase[I64])
    transpose = opt_prop_def(UnitAttr)
    pad = opt_prop_def(FloatAttr.constr() | IntegerAttr.constr())

    assembly_format = (
        "custom<Known>($tensor, type($tensor)) `` custom<Indices>($indices, type($indices)) `into` "
        "custom<Known>($buffer, type($buffer)) "
        "(`rows` `from` custom<KnownOptional>($rows_from, type($rows_from))^)? (`strides` "
        "$strides^)? "
        "(`transpose` $transpose^)? (`pad` $pad^)? (`for` $stage^)? attr-dict"
    )

    def __init__(
        self,
        tensor: SSAValue,
        indices: Sequence[SSAValue],
        buffer: SSAValue,
        *,
        rows_from: SSAValue | None = None,
        stage: FlatSymbolRefAttr | None = None,
        strides: DenseArrayBase[I64] | None = None,
        transpose: UnitAttr | None = None,
        pad: Attribute | None = None,
    ):
        super().__init__(
            operands=[buffer, tensor, indices, rows_from],
            properties=stage_properties(stage, strides=strides, transpose=transpose, pad=pad),
        )


@irdl_op_definition
class ReadBarrierOp(ChoreoOp):
    """Blocks until all reads of this engine have landed.

    ```mlir
    choreo.read_barrier
    ```
    """

    name = "choreo.read_barrier"

    assembly_format = "(`for` $stage^)? attr-dict"

    def __init__(self, *, stage: FlatSymbolRefAttr | None = None):
        super().__init__(properties=stage_properties(stage))


@irdl_op_definition
class WriteTilesOp(TransferOp):
    """Starts writing the front page to a tensor.

    ```mlir
    choreo.write_tiles %c into %C[%r, %s]
    ```
    """

    name = "choreo.write_tiles"

    assembly_format = (
        "custom<Known>($buffer, type($buffer)) `into` custom<Known>($tensor, type($tensor)) `` "
        "custom<Indices>($indices, type($indices)) "
        "(`rows` `from` custom<KnownOptional>($rows_from, type($rows_from))^)? (`for` $stage^)? "
        "attr-dict"
    )

    def __init__(
        self,
        buffer: SSAValue,
        tensor: SSAValue,
        indices: Sequence[SSAValue],
        *,
        rows_from: SSAValue | None = None,
        stage: FlatSymbolRefAttr | None = None,
    ):
        super().__init__(
            operands=[buffer, tensor, indices, rows_from], properties=stage_properties(stage)
        )


@irdl_op_definition
class WriteBarrierOp(ChoreoOp):
    """Blocks until all writes of this engine are acknowledged.

    ```mlir
    choreo.write_barrier
    ```
    """

    name = "choreo.write_barrier"

    assembly_format = "(`for` $stage^)? attr-dict"

    def __init__(self, *, stage: FlatSymbolRefAttr | None = None):
        super().__init__(properties=stage_properties(stage))


################################################################################
# Between sites                                                                #
################################################################################


@irdl_op_definition
class SemWaitOp(ChoreoOp):
    """Blocks until the semaphore of this site is equal to, or at least, a value.

    ```mlir
    choreo.sem_wait %a_ready eq 7
    choreo.sem_wait %a_valid eq valid
    ```
    """

    name = "choreo.sem_wait"

    semaphore = operand_def(BaseAttr(ReadyType) | BaseAttr(ValidType))
    comparison = prop_def(ComparisonAttr)
    value = prop_def(IntegerAttr.constr(i64))

    assembly_format = (
        "custom<Known>($semaphore, type($semaphore)) $comparison "
        "custom<SemaphoreValue>(ref($semaphore), $value) "
        "(`for` $stage^)? attr-dict"
    )
    custom_directives = (Known, SemaphoreValue)

    def __init__(
        self,
        semaphore: SSAValue,
        comparison: Comparison,
        value: int,
        *,
        stage: FlatSymbolRefAttr | None = None,
    ):
        super().__init__(
            operands=[semaphore],
            properties=stage_properties(
                stage, comparison=ComparisonAttr(comparison), value=IntegerAttr(value, i64)
            ),
        )

    def verify_(self) -> None:
        _verify_semaphore_value(self.semaphore, self.value)


def _verify_semaphore_value(semaphore: SSAValue, value: IntegerAttr) -> None:
    number = value.value.data
    if number < 0 or (isinstance(semaphore.type, ValidType) and number > 1):
        range = "0 or 1" if isinstance(semaphore.type, ValidType) else "a count from 0"
        raise VerifyException(f"{value_name(semaphore)} holds {range}, never {number}")


@irdl_op_definition
class SemSetOp(ChoreoOp):
    """Sets the semaphore of this site.

    ```mlir
    choreo.sem_set %a_ready, 0
    choreo.sem_set %a_valid, invalid
    ```
    """

    name = "choreo.sem_set"

    semaphore = operand_def(BaseAttr(ReadyType) | BaseAttr(ValidType))
    value = prop_def(IntegerAttr.constr(i64))

    assembly_format = (
        "custom<Known>($semaphore, type($semaphore)) `,` custom<SemaphoreValue>(ref($semaphore), "
        "$value) "
        "(`for` $stage^)? attr-dict"
    )
    custom_directives = (Known, SemaphoreValue)

    def __init__(self, semaphore: SSAValue, value: int, *, stage: FlatSymbolRefAttr | None = None):
        super().__init__(
            operands=[semaphore],
            properties=stage_properties(stage, value=IntegerAttr(value, i64)),
        )

    def verify_(self) -> None:
        _verify_semaphore_value(self.semaphore, self.value)


def _verify_semaphore_group(semaphore: SSAValue, group: SSAValue) -> None:
    owner = semaphore.owner
    if isinstance(owner, SemaphoresOp) and owner.group != group:
        raise VerifyException(
            f"{value_name(semaphore)} belongs to group {value_name(owner.group)}, "
            f"but it is used with {value_name(group)}"
        )


@irdl_op_definition
class SemIncOp(ChoreoOp):
    """Adds to the semaphore on the sender of this site's group; it lands some time later.

    ```mlir
    choreo.sem_inc %a_ready at sender of %rows
    ```
    """

    name = "choreo.sem_inc"

    semaphore = operand_def(ReadyType())
    group = operand_def(GroupType())
    value = prop_def(IntegerAttr.constr(i64), default_value=ONE_PAGE)

    assembly_format = (
        "custom<Known>($semaphore, type($semaphore)) `at` `sender` `of` custom<Known>($group, "
        "type($group)) (`,` $value^)? "
        "(`for` $stage^)? attr-dict"
    )
    custom_directives = (Known,)

    def __init__(
        self,
        semaphore: SSAValue,
        group: SSAValue,
        value: int = 1,
        *,
        stage: FlatSymbolRefAttr | None = None,
    ):
        super().__init__(
            operands=[semaphore, group],
            properties=stage_properties(stage, value=IntegerAttr(value, i64)),
        )

    def verify_(self) -> None:
        _verify_semaphore_group(self.semaphore, self.group)
        if self.value.value.data < 1:
            raise VerifyException(f"adds {self.value.value.data}, but a count only grows")


@irdl_op_definition
class McastSendOp(ChoreoOp):
    """Starts sending the reserved pages to the same ring position on every receiver of a group.

    With `hold_path` the flag that follows takes the same path and cannot overtake the data.

    ```mlir
    choreo.mcast_send %a to %rows hold_path
    ```
    """

    name = "choreo.mcast_send"

    buffer = operand_def(BufferType)
    group = operand_def(GroupType())
    pages = prop_def(IntegerAttr.constr(i64), default_value=ONE_PAGE)
    hold_path = opt_prop_def(UnitAttr)

    assembly_format = (
        "custom<Known>($buffer, type($buffer)) `to` custom<Known>($group, type($group)) (`,` "
        "$pages^)? "
        "(`hold_path` $hold_path^)? (`for` $stage^)? attr-dict"
    )
    custom_directives = (Known,)

    def __init__(
        self,
        buffer: SSAValue,
        group: SSAValue,
        pages: int = 1,
        *,
        hold_path: bool = False,
        stage: FlatSymbolRefAttr | None = None,
    ):
        super().__init__(
            operands=[buffer, group],
            properties=stage_properties(
                stage,
                pages=IntegerAttr(pages, i64),
                hold_path=UnitAttr() if hold_path else None,
            ),
        )

    def verify_(self) -> None:
        verify_pages(self.buffer, self.pages)


@irdl_op_definition
class McastSetValidOp(ChoreoOp):
    """Sends `valid` to the semaphore of every receiver of a group.

    It may overtake a data send of the same engine, unless that send holds the path or a `flush`
    lies between.

    ```mlir
    choreo.mcast_set_valid %a_valid to %rows
    ```
    """

    name = "choreo.mcast_set_valid"

    semaphore = operand_def(ValidType())
    group = operand_def(GroupType())

    assembly_format = (
        "custom<Known>($semaphore, type($semaphore)) `to` custom<Known>($group, type($group)) "
        "(`for` $stage^)? attr-dict"
    )
    custom_directives = (Known,)

    def __init__(
        self, semaphore: SSAValue, group: SSAValue, *, stage: FlatSymbolRefAttr | None = None
    ):
        super().__init__(operands=[semaphore, group], properties=stage_properties(stage))

    def verify_(self) -> None:
        _verify_semaphore_group(self.semaphore, self.group)


@irdl_op_definition
class FlushOp(ChoreoOp):
    """Blocks until all sends of this engine have left, in order.

    `when needs_flush` says that it is there for targets that may deliver a flag before the data.

    ```mlir
    choreo.flush
    choreo.flush when needs_flush
    ```
    """

    name = "choreo.flush"

    condition = prop_def(
        FlushConditionAttr, default_value=FlushConditionAttr(FlushCondition.ALWAYS)
    )

    assembly_format = "(`when` $condition^)? (`for` $stage^)? attr-dict"

    def __init__(
        self,
        condition: FlushCondition = FlushCondition.ALWAYS,
        *,
        stage: FlatSymbolRefAttr | None = None,
    ):
        super().__init__(
            properties=stage_properties(stage, condition=FlushConditionAttr(condition))
        )


################################################################################
# Computation                                                                  #
################################################################################


@irdl_op_definition
class AcquireOp(ChoreoOp):
    """A zeroed accumulator; an engine has one at a time.

    ```mlir
    %acc = choreo.acquire 8xbf16
    ```
    """

    name = "choreo.acquire"

    acc = result_def(AccumulatorType)

    assembly_format = "custom<AccumulatorShape>(type($acc)) (`for` $stage^)? attr-dict"
    custom_directives = (AccumulatorShape,)

    def __init__(self, type: AccumulatorType, *, stage: FlatSymbolRefAttr | None = None):
        super().__init__(result_types=[type], properties=stage_properties(stage))

    @property
    def tiles(self) -> int:
        """Tiles of the accumulator."""
        assert isinstance(self.acc.type, AccumulatorType)
        return self.acc.type.tiles.data


def _tiles(count: int) -> str:
    return f"{count} tile" + ("" if count == 1 else "s")


class AccumulatingOp(ChoreoOp, ABC):
    """An op that works on a live accumulator."""

    acc = operand_def(AccumulatorType)

    @property
    def tiles(self) -> int:
        """Tiles of the accumulator."""
        assert isinstance(self.acc.type, AccumulatorType)
        return self.acc.type.tiles.data


@irdl_op_definition
class MatmulOp(AccumulatingOp):
    """Adds the product of two front pages, or of the sub-block `[%h, %w]` of them.

    With `reload`, the accumulator first takes the front page of a ring.

    ```mlir
    choreo.matmul %acc, %a, %b[%h, %w] reload %p
    ```
    """

    name = "choreo.matmul"

    lhs = operand_def(BufferType)
    rhs = operand_def(BufferType)
    block = var_operand_def(IndexType())
    reload = opt_operand_def(BufferType)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    assembly_format = (
        "custom<Known>($acc, type($acc)) `,` custom<Known>($lhs, type($lhs)) `,` "
        "custom<Known>($rhs, type($rhs)) "
        "(`` custom<Indices>($block, type($block))^)? (`reload` custom<KnownOptional>($reload, "
        "type($reload))^)? "
        "(`for` $stage^)? attr-dict"
    )
    custom_directives = (Known, KnownOptional, Indices)

    def __init__(
        self,
        acc: SSAValue,
        lhs: SSAValue,
        rhs: SSAValue,
        block: Sequence[SSAValue] = (),
        *,
        reload: SSAValue | None = None,
        stage: FlatSymbolRefAttr | None = None,
    ):
        super().__init__(
            operands=[lhs, rhs, block, reload, acc], properties=stage_properties(stage)
        )

    def verify_(self) -> None:
        if len(self.block) not in (0, 2):
            raise VerifyException(
                f"a sub-block has a row and a column: two indices, not {len(self.block)}"
            )
        if self.reload is not None and page_type(self.reload).tiles != self.tiles:
            raise VerifyException(
                f"reloads {buffer_text(self.reload)} into an accumulator of {_tiles(self.tiles)}"
            )


@irdl_op_definition
class DotOp(AccumulatingOp):
    """The product of two front pages.

    ```mlir
    choreo.dot %acc, %q, %kt transpose_b
    ```
    """

    name = "choreo.dot"

    lhs = operand_def(BufferType)
    rhs = operand_def(BufferType)
    transpose_b = opt_prop_def(UnitAttr)

    assembly_format = (
        "custom<Known>($acc, type($acc)) `,` custom<Known>($lhs, type($lhs)) `,` "
        "custom<Known>($rhs, type($rhs)) "
        "(`transpose_b` $transpose_b^)? (`for` $stage^)? attr-dict"
    )
    custom_directives = (Known,)

    def __init__(
        self,
        acc: SSAValue,
        lhs: SSAValue,
        rhs: SSAValue,
        *,
        transpose_b: UnitAttr | None = None,
        stage: FlatSymbolRefAttr | None = None,
    ):
        super().__init__(
            operands=[lhs, rhs, acc],
            properties=stage_properties(stage, transpose_b=transpose_b),
        )


@irdl_op_definition
class MapOp(AccumulatingOp):
    """Elementwise code on front pages.

    ```mlir
    choreo.map %acc (%c, %bias broadcast rows) {
    ^bb0(%0 : f32, %1 : f32):
      %2 = arith.addf %0, %1 : f32
      spatial.yield %2 : f32
    }
    ```
    """

    name = "choreo.map"

    inputs = var_operand_def(BufferType)
    broadcasts = opt_prop_def(ArrayAttr[BroadcastAttr])
    body = region_def("single_block")

    assembly_format = (
        "custom<Known>($acc, type($acc)) custom<MapInputs>($inputs, type($inputs), $broadcasts) "
        "(`for` $stage^)? "
        "attr-dict-with-keyword $body"
    )
    custom_directives = (Known, MapInputs)

    def __init__(
        self,
        acc: SSAValue,
        inputs: Sequence[SSAValue],
        body: Region,
        *,
        broadcasts: ArrayAttr[BroadcastAttr] | None = None,
        stage: FlatSymbolRefAttr | None = None,
    ):
        super().__init__(
            operands=[inputs, acc],
            properties=stage_properties(stage, broadcasts=broadcasts),
            regions=[body],
        )

    def verify_(self) -> None:
        kinds = broadcast_kinds(self.broadcasts, len(self.inputs))
        for value, kind in zip(self.inputs, kinds, strict=True):
            tiles = page_type(value).tiles
            if self.tiles % tiles or (kind == Broadcast.NONE and tiles != self.tiles):
                raise VerifyException(
                    f"reads {buffer_text(value)} for an accumulator of {_tiles(self.tiles)}"
                )
        wanted = [compute_type(page_type(value).element_type) for value in self.inputs]
        if list(self.body.block.arg_types) != wanted:
            raise VerifyException(
                f"its code gets ({', '.join(map(str, wanted))}), but has arguments "
                f"({', '.join(map(str, self.body.block.arg_types))})"
            )
        last = self.body.block.last_op
        assert isinstance(self.acc.type, AccumulatorType)
        result = compute_type(self.acc.type.element_type)
        if not isinstance(last, YieldOp) or tuple(last.arguments.types) != (result,):
            raise VerifyException(f"its code must end by yielding one {result}")


@irdl_op_definition
class ReduceOp(AccumulatingOp):
    """Reduces the rows or the columns of a front page.

    ```mlir
    choreo.reduce max cols %acc, %s
    ```
    """

    name = "choreo.reduce"

    kind = prop_def(ReductionAttr)
    axis = prop_def(PageAxisAttr)
    input = operand_def(BufferType)

    assembly_format = (
        "$kind $axis custom<Known>($acc, type($acc)) `,` custom<Known>($input, type($input)) "
        "(`for` $stage^)? attr-dict"
    )
    custom_directives = (Known,)

    def __init__(
        self,
        kind: ReductionAttr,
        axis: PageAxisAttr,
        acc: SSAValue,
        input: SSAValue,
        *,
        stage: FlatSymbolRefAttr | None = None,
    ):
        super().__init__(
            operands=[input, acc], properties=stage_properties(stage, kind=kind, axis=axis)
        )


@irdl_op_definition
class AllReduceOp(AccumulatingOp):
    """Combines front pages gathered from the sites of a group, element by element.

    ```mlir
    choreo.all_reduce add %acc, %mine, %other across %rows
    ```
    """

    name = "choreo.all_reduce"

    kind = prop_def(ReductionAttr)
    inputs = var_operand_def(BufferType)
    group = operand_def(GroupType())

    assembly_format = (
        "$kind custom<Known>($acc, type($acc)) `,` custom<KnownList>($inputs, type($inputs)) "
        "`across` custom<Known>($group, type($group)) "
        "(`for` $stage^)? attr-dict"
    )
    custom_directives = (Known, KnownList)

    def __init__(
        self,
        kind: ReductionAttr,
        acc: SSAValue,
        inputs: Sequence[SSAValue],
        group: SSAValue,
        *,
        stage: FlatSymbolRefAttr | None = None,
    ):
        super().__init__(
            operands=[inputs, group, acc], properties=stage_properties(stage, kind=kind)
        )


@irdl_op_definition
class PackOp(AccumulatingOp):
    """Converts the accumulator to the page's type into the reserved page, or adds to it there.

    ```mlir
    choreo.pack %acc into %c
    choreo.pack %acc into %p accumulate
    ```
    """

    name = "choreo.pack"

    buffer = operand_def(BufferType)
    accumulate = opt_prop_def(UnitAttr)

    assembly_format = (
        "custom<Known>($acc, type($acc)) `into` custom<Known>($buffer, type($buffer)) "
        "(`accumulate` $accumulate^)? "
        "(`for` $stage^)? attr-dict"
    )
    custom_directives = (Known,)

    def __init__(
        self,
        acc: SSAValue,
        buffer: SSAValue,
        *,
        accumulate: bool = False,
        stage: FlatSymbolRefAttr | None = None,
    ):
        super().__init__(
            operands=[buffer, acc],
            properties=stage_properties(stage, accumulate=UnitAttr() if accumulate else None),
        )

    def verify_(self) -> None:
        page = page_type(self.buffer)
        assert isinstance(self.acc.type, AccumulatorType)
        if page.tiles != self.tiles:
            raise VerifyException(
                f"packs {_tiles(self.tiles)} into {buffer_text(self.buffer)}, {_tiles(page.tiles)}"
            )
        if is_float(page.element_type) != is_float(self.acc.type.element_type):
            raise VerifyException(
                f"packs {self.acc.type.element_type} into {buffer_text(self.buffer)}"
            )


@irdl_op_definition
class ReleaseOp(AccumulatingOp):
    """Ends the life of an accumulator.

    ```mlir
    choreo.release %acc
    ```
    """

    name = "choreo.release"

    assembly_format = "custom<Known>($acc, type($acc)) (`for` $stage^)? attr-dict"
    custom_directives = (Known,)

    def __init__(self, acc: SSAValue, *, stage: FlatSymbolRefAttr | None = None):
        super().__init__(operands=[acc], properties=stage_properties(stage))


Choreo = Dialect(
    "choreo",
    [
        SemaphoresOp,
        EngineOp,
        EndOp,
        ItemOp,
        TripOp,
        ReserveOp,
        PushOp,
        WaitOp,
        PopOp,
        LoadIndexOp,
        ReadTilesOp,
        ReadBarrierOp,
        WriteTilesOp,
        WriteBarrierOp,
        SemWaitOp,
        SemSetOp,
        SemIncOp,
        McastSendOp,
        McastSetValidOp,
        FlushOp,
        AcquireOp,
        MatmulOp,
        DotOp,
        MapOp,
        ReduceOp,
        AllReduceOp,
        PackOp,
        ReleaseOp,
    ],
    [
        *(ReadyType, ValidType, AccumulatorType),
        *(ComparisonAttr, FlushConditionAttr, VerdictAttr),
    ],
)
