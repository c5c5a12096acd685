"""Custom assembly directives shared by the two dialects.

In the custom format a value is defined above its use, so that its type need not be written: the
operand directives here take the type from the definition. (Their `type` parameter only tells the
format's own checks that nothing else gives the type.)
"""

from __future__ import annotations

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, UnitAttr
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation, VerificationContext
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    OperandVariable,
    OptionalOperandVariable,
    OptionalUnitAttrVariable,
    ParsingState,
    PrintingState,
    TypeDirective,
    VariadicOperandVariable,
    irdl_custom_directive,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from spatial_dialect.ir.addresses import address_text, parse_address, parse_optional_address
from spatial_dialect.ir.attributes import Broadcast, BroadcastAttr, SitesAttr
from spatial_dialect.ir.sites import Sites


def parse_known_operand(
    parser: Parser,
    state: ParsingState,
    variable: OperandVariable | OptionalOperandVariable | VariadicOperandVariable,
) -> tuple[UnresolvedOperand, Attribute]:
    """Parses the use of a value and looks its type up at its definition above."""
    operand = parser.parse_unresolved_operand()
    values = parser.ssa_values.get(operand.operand_name)
    if values is None or operand.index >= len(values):
        parser.raise_error(f"%{operand.operand_name} is used before it is defined", operand.span)
    type = values[operand.index].type
    _, definition = state.op_type.get_irdl_definition().operands[variable.index]
    try:
        definition.constr.verify((type,), VerificationContext())
    except VerifyException:
        what = "among the" if isinstance(variable, VariadicOperandVariable) else "the"
        parser.raise_error(
            f"%{operand.operand_name} is {type}, which cannot be {what} {variable.name} of "
            f"{state.op_type.name}",
            operand.span,
        )
    return operand, type


def _parse_one(
    parser: Parser,
    state: ParsingState,
    variable: OperandVariable | OptionalOperandVariable,
    type: TypeDirective,
) -> None:
    """Parses one operand and hands it and its type to the state."""
    operand, found = parse_known_operand(parser, state, variable)
    variable.set(state, operand)
    type.inner.set_types(state, (found,))


def _parse_list(
    parser: Parser,
    state: ParsingState,
    variable: VariadicOperandVariable,
    types: TypeDirective,
    delimiter: Parser.Delimiter,
) -> None:
    """Parses operands and hands them and their types to the state."""
    known = parser.parse_comma_separated_list(
        delimiter, lambda: parse_known_operand(parser, state, variable)
    )
    variable.set(state, [operand for operand, _ in known])
    types.inner.set_types(state, [type for _, type in known])


@irdl_custom_directive
class Known(CustomDirective):
    """An operand whose type is that of its definition."""

    operand: OperandVariable
    type: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        _parse_one(parser, state, self.operand, self.type)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        self.operand.print(printer, state, op)


@irdl_custom_directive
class KnownOptional(CustomDirective):
    """An optional operand whose type is that of its definition, after a keyword."""

    operand: OptionalOperandVariable
    type: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        _parse_one(parser, state, self.operand, self.type)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        self.operand.print(printer, state, op)

    def set_empty(self, state: ParsingState) -> None:
        self.operand.set_empty(state)
        self.type.inner.set_types(state, ())

    def is_present(self, op: IRDLOperation) -> bool:
        return self.operand.is_present(op)

    def is_anchorable(self) -> bool:
        return True


@irdl_custom_directive
class KnownList(CustomDirective):
    """Any number of operands, separated by commas, whose types are those of their definitions."""

    operands: VariadicOperandVariable
    types: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        _parse_list(parser, state, self.operands, self.types, parser.Delimiter.NONE)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        self.operands.print(printer, state, op)


@irdl_custom_directive
class Indices(CustomDirective):
    """Operands in square brackets: `[%y, %k]`."""

    operands: VariadicOperandVariable
    types: TypeDirective

    def parse(self, parser: Parser, state: ParsingState) -> None:
        _parse_list(parser, state, self.operands, self.types, parser.Delimiter.SQUARE)

    def parse_optional(self, parser: Parser, state: ParsingState) -> None:
        known = parser.parse_optional_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: parse_known_operand(parser, state, self.operands)
        )
        self.operands.set(state, [operand for operand, _ in known or ()])
        self.types.inner.set_types(state, [type for _, type in known or ()])

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        with printer.in_square_brackets():
            printer.print_list(self.operands.get(op), printer.print_ssa_value)
        state.should_emit_space = True
        state.last_was_punctuation = False

    def set_empty(self, state: ParsingState) -> None:
        self.operands.set_empty(state)
        self.types.inner.set_types(state, ())

    def is_present(self, op: IRDLOperation) -> bool:
        return bool(self.operands.get(op))

    def is_anchorable(self) -> bool:
        return True

    def can_start_optional_group(self) -> bool:
        return True


@irdl_custom_directive
class MapInputs(CustomDirective):
    """Inputs of an elementwise stage, `%x, %s broadcast cols`: plain ones say nothing."""

    inputs: VariadicOperandVariable
    types: TypeDirective
    broadcasts: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        broadcasts: list[BroadcastAttr] = []

        def parse_input() -> tuple[UnresolvedOperand, Attribute]:
            known = parse_known_operand(parser, state, self.inputs)
            kind = Broadcast.NONE
            if parser.parse_optional_keyword("broadcast"):
                kind = BroadcastAttr.parse_parameter(parser)
            broadcasts.append(BroadcastAttr(kind))
            return known

        known = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_input)
        self.inputs.set(state, [operand for operand, _ in known])
        self.types.inner.set_types(state, [type for _, type in known])
        if any(broadcast.data != Broadcast.NONE for broadcast in broadcasts):
            self.broadcasts.set(state, ArrayAttr(broadcasts))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        state.print_whitespace(printer)
        broadcasts = self.broadcasts.get(op)
        with printer.in_parens():
            for position, value in enumerate(self.inputs.get(op)):
                if position:
                    printer.print_string(", ")
                printer.print_ssa_value(value)
                if isa(broadcasts, ArrayAttr[BroadcastAttr]):
                    kind = broadcasts.data[position].data
                    if kind != Broadcast.NONE:
                        printer.print_string(f" broadcast {kind}")


@irdl_custom_directive
class TileAddress(CustomDirective):
    """A tile address right behind its tensor: `%A[y * 8, k * 4]`."""

    address: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        self.address.set(state, parse_address(parser))

    def parse_optional(self, parser: Parser, state: ParsingState) -> None:
        if (address := parse_optional_address(parser)) is not None:
            self.address.set(state, address)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        address = self.address.get(op)
        if isinstance(address, AffineMapAttr):
            printer.print_string(address_text(address.data))
        state.should_emit_space = True
        state.last_was_punctuation = False

    def is_present(self, op: IRDLOperation) -> bool:
        return self.address.get(op) is not None

    def is_anchorable(self) -> bool:
        return True

    def can_start_optional_group(self) -> bool:
        return True


def whole_grid(op: IRDLOperation) -> Sites | None:
    """All sites of the program that an op stands in, if it stands in one with a grid."""
    parent = op.parent_op()
    grid = None if parent is None else getattr(parent, "grid_sites", None)
    return grid if isinstance(grid, Sites) else None


@irdl_custom_directive
class Placement(CustomDirective):
    """`at` and a set of sites; left out for the whole grid."""

    sites: AttributeVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        if parser.parse_optional_keyword("at"):
            self.sites.set(state, SitesAttr(SitesAttr.parse_parameter(parser)))

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        sites = self.sites.get(op)
        if isinstance(sites, SitesAttr) and sites.data != whole_grid(op):
            printer.print_string(" at ")
            sites.print_parameter(printer)
            state.should_emit_space = True
            state.last_was_punctuation = False


@irdl_custom_directive
class Output(CustomDirective):
    """`into %b` for a page that is made, `update %b` for a carry whose page is replaced."""

    output: OperandVariable
    type: TypeDirective
    update: OptionalUnitAttrVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        if parser.parse_keyword_in(("into", "update"), " before the buffer") == "update":
            self.update.set(state, UnitAttr())
        _parse_one(parser, state, self.output, self.type)

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        printer.print_string(" into" if self.update.get(op) is None else " update")
        self.output.print(printer, state, op)
