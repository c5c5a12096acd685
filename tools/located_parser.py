"""xDSL's parser, with the two things it lacks: locations on operations, and located errors only."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, NoReturn

from xdsl.context import Context
from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    FileLineColLoc,
    IndexType,
    IntAttr,
    IntegerType,
    ModuleOp,
    StringAttr,
    UnknownLoc,
)
from xdsl.frontend.mlir import MLIRFrontend
from xdsl.ir import Attribute, AttributeInvT, Operation, SSAValue, TypeAttribute
from xdsl.parser import AttrParser, Parser, ParserState, UnresolvedOperand
from xdsl.utils.exceptions import ParseError, VerifyException
from xdsl.utils.lexer import Input, Position, Span
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRTokenKind

from spatial_dialect.frontends.stablehlo import StableHLOFrontend
from spatial_dialect.tools.debug import debugging, describe_exception


class InvalidConstructError(ParseError):
    """The text is well formed, but what it denotes does not verify."""


class ParseErrors(ParseError):
    """Several errors found at once; `span` and `msg` are those of the first."""

    errors: tuple[ParseError, ...]

    def __init__(self, errors: Sequence[ParseError]):
        self.errors = tuple(errors)
        super().__init__(errors[0].span, errors[0].msg)


class LinearLexer(MLIRLexer):
    """xDSL's lexer, which takes exponential time for a string that does not end."""

    # The same strings, but what was read once is not tried again in other portions.
    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"')


class LocatedParser(Parser):
    """Gives every operation the location of its name in the text, unless the text has a `loc(...)`.

    Everything that goes wrong while parsing is raised as a `ParseError` at the innermost attribute,
    type or operation in question.
    """

    # xDSL makes the elements of this inner class, which has no other name.
    class _TensorLiteralElement(Parser._TensorLiteralElement):  # pyright: ignore[reportPrivateUsage]
        """An element of a dense literal; `0x...` for a float is its bits, not a number."""

        def to_type(
            self, parser: AttrParser, type: AnyFloat | IntegerType | IndexType | ComplexType
        ) -> float | int | tuple[float, float] | tuple[int, int]:
            if isinstance(type, AnyFloat) and self.span.text.startswith("0x"):
                assert isinstance(self.value, int)
                try:
                    return type.unpack(self.value.to_bytes(type.size, "little"), 1)[0]
                except OverflowError:
                    parser.raise_error(
                        f"{self.span.text} has more bits than {type}", at_position=self.span
                    )
            return super().to_type(parser, type)

    def __init__(self, ctx: Context, input: str, name: str):
        self._file = StringAttr(name)
        self._line_starts = [0]
        while (newline := input.find("\n", self._line_starts[-1])) >= 0:
            self._line_starts.append(newline + 1)
        self._name_positions: list[Position] = []
        self._forward_references: dict[str, Span] = {}
        super().__init__(ctx, "", name)
        self._parser_state = ParserState(LinearLexer(Input(input, name)))

    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        """Parse the whole text.

        Raises:
            ParseError: the text is empty, or is not a module.
            ParseErrors: one error for each value that is used but not defined.
        """
        if self._at_end():
            self.raise_error("expected an operation, but the input is empty")
        try:
            return super().parse_module(allow_implicit_module)
        except ParseError as error:
            undefined = [
                ParseError(span, f"{span.text} is used but not defined")
                for name in self.forward_ssa_references
                if (span := self._forward_references.get(name)) is not None
            ]
            # What stays undefined after another error may only not have been read.
            if undefined and self._at_end() and error.msg.startswith("values used"):
                raise ParseErrors(undefined) from error
            raise

    def _at_end(self) -> bool:
        return self._current_token.kind == MLIRTokenKind.EOF

    def parse_operation(self) -> Operation:
        """Parse an operation and set its location."""
        start = self.pos
        depth = len(self._name_positions)
        try:
            operation = super().parse_operation()
        except ParseError:
            raise
        except Exception as error:
            self._raise_located(error, start)
        name_position = self._name_positions[depth]
        del self._name_positions[depth:]
        if isinstance(operation.location, UnknownLoc):
            operation.location = self._location(name_position)
        return operation

    def _parse_op_result_list(self) -> list[tuple[Span, int]]:
        results = super()._parse_op_result_list()
        # The token after the results is the operation's name, which is what mlir-opt points at.
        self._name_positions.append(self.pos)
        return results

    def _get_op_by_name(self, name: str) -> type[Operation]:
        try:
            return super()._get_op_by_name(name)
        except ParseError as error:
            # xDSL points at the token after the name.
            start = self._name_positions[-1]
            quoted = self.lexer.input.at(start) == '"'
            span = Span(start, start + len(name) + 2 * quoted, self.lexer.input)
            raise ParseError(span, error.msg) from error

    def parse_optional_type(self) -> TypeAttribute | None:
        """Parse a type, if there is one."""
        start = self.pos
        try:
            return super().parse_optional_type()
        except VerifyException as error:
            self._raise_located(error, start)

    def parse_optional_attribute(self) -> Attribute | None:
        """Parse an attribute, if there is one."""
        start = self.pos
        try:
            return super().parse_optional_attribute()
        except VerifyException as error:
            self._raise_located(error, start)

    def resolve_operand(
        self, operand: UnresolvedOperand, type: AttributeInvT
    ) -> SSAValue[AttributeInvT]:
        """Find the value that an operand names, or stand in for it until it is defined."""
        if operand.operand_name not in self.ssa_values:
            self._forward_references.setdefault(operand.operand_name, operand.span)
        return super().resolve_operand(operand, type)

    def _location(self, position: Position) -> FileLineColLoc:
        line = bisect_right(self._line_starts, position)
        column = position - self._line_starts[line - 1] + 1
        return FileLineColLoc(self._file, IntAttr(line), IntAttr(column))

    def _raise_located(self, error: Exception, start: Position) -> NoReturn:
        if debugging():
            raise error
        end = start
        if start < self.pos:
            text = self.lexer.input.slice(start, self.pos) or ""
            end = start + len(text.split("\n", 1)[0].rstrip())
        error_type = InvalidConstructError if isinstance(error, VerifyException) else ParseError
        raise error_type(Span(start, end, self.lexer.input), describe_exception(error)) from error


@dataclass(frozen=True)
class LocatedFrontend(MLIRFrontend):
    """The frontend for `.mlir` files that uses `LocatedParser`."""

    def parse(self, ctx: Context, input: IO[bytes], input_name: str = "input") -> ModuleOp:
        """Parse a module.

        Raises:
            ParseError: the text is not valid.
            UnicodeDecodeError: the input is not text.
        """
        text = input.read().decode("utf-8")
        return LocatedParser(ctx, text, input_name).parse_module(not self.no_implicit_module)


class LocatedStableHLOFrontend(StableHLOFrontend):
    """The frontend for what JAX prints that uses `LocatedParser`."""

    def linalg(self, ctx: Context, text: str, input_name: str) -> ModuleOp:
        """Parse what jaxlib has made; operations have the locations of the text that it read."""
        return LocatedParser(ctx, text, input_name).parse_module()
