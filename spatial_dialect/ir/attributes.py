"""Attributes of dataflow and choreography: sites, engines, loops, targets, and small enums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import auto
from typing import TypeAlias

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    i64,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import (
    Attribute,
    Data,
    ParametrizedAttribute,
    SpacedOpaqueSyntaxAttribute,
)
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from spatial_dialect.ir.loops import LOOP_NAMES, Extent, LoopName, Loops
from spatial_dialect.ir.sites import Rect, Sites

PlainValue: TypeAlias = int | float | bool | str | tuple[int, ...] | tuple[str, ...]
"""What a fact of a target can be."""


@irdl_attr_definition
class SitesAttr(Data[Sites], SpacedOpaqueSyntaxAttribute):
    """A set of sites, a union of `[rows, columns]`, half open: `[0:2, 0:8] + [6, 0:8]`."""

    name = "spatial.sites"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Sites:
        rects = [_parse_rect(parser)]
        while parser.parse_optional_punctuation("+"):
            rects.append(_parse_rect(parser))
        return Sites.of(rects)

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(str(self.data))

    def verify(self) -> None:
        if not self.data:
            raise VerifyException("a set of sites holds at least one site")


def _parse_rect(parser: AttrParser) -> Rect:
    parser.parse_punctuation("[", " in a set of sites")
    y0, y1 = _parse_range(parser)
    parser.parse_punctuation(",", " between the rows and the columns of a set of sites")
    x0, x1 = _parse_range(parser)
    parser.parse_punctuation("]", " in a set of sites")
    return Rect(y0, y1, x0, x1)


def _parse_range(parser: AttrParser) -> tuple[int, int]:
    """`a` for one row or column, or `a:b`, half open."""
    position = parser.pos
    start = parser.parse_integer(False, context_msg=" in a set of sites")
    end = start + 1
    if parser.parse_optional_punctuation(":"):
        end = parser.parse_integer(False, context_msg=" in a set of sites")
    if start < 0:
        parser.raise_error("sites count from 0", at_position=position)
    if end <= start:
        parser.raise_error(
            f"the range {start}:{end} is empty: it is half open, so its end is above its start",
            at_position=position,
        )
    return start, end


@irdl_attr_definition
class EngineAttr(Data[int], SpacedOpaqueSyntaxAttribute):
    """An engine of a site: `move 0`, `move 1`, ..., or `compute`."""

    name = "spatial.engine"

    @staticmethod
    def move(number: int) -> EngineAttr:
        """The movement engine with this number."""
        return EngineAttr(number)

    @staticmethod
    def compute() -> EngineAttr:
        """The compute engine."""
        return EngineAttr(-1)

    @property
    def is_compute(self) -> bool:
        """Whether this is the compute engine."""
        return self.data < 0

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> int:
        position = parser.pos
        kind = parser.parse_optional_identifier()
        match kind:
            case "move":
                return parser.parse_integer(False, False, " as number of the movement engine")
            case "compute":
                return -1
            case _:
                parser.raise_error(
                    "unknown engine" + (f" '{kind}'" if kind else "") + ": a site has `compute` "
                    "and the movement engines `move 0`, `move 1`, ... of its target",
                    at_position=position,
                )

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(str(self))

    def __str__(self) -> str:
        return "compute" if self.is_compute else f"move {self.data}"


_LOOP_BY_NAME: dict[str, LoopName] = {name: name for name in LOOP_NAMES}


@irdl_attr_definition
class LoopsAttr(Data[Loops], SpacedOpaqueSyntaxAttribute):
    """The loop nest of a program, `[k = 4, h = 2]`, or `[k = ? max 16]` for a run-time trip."""

    name = "spatial.loops"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Loops:
        extents: dict[LoopName, Extent] = {}

        def parse_loop() -> None:
            position = parser.pos
            name = parser.parse_identifier(context_msg=" as name of a loop")
            loop = _LOOP_BY_NAME.get(name)
            if loop is None:
                parser.raise_error(
                    f"unknown loop '{name}': a program has the loops {', '.join(LOOP_NAMES)}",
                    at_position=position,
                )
            if loop in extents:
                parser.raise_error(f"loop '{name}' has two extents", at_position=position)
            parser.parse_punctuation("=")
            position = parser.pos
            at_run_time = parser.parse_optional_punctuation("?") is not None
            if at_run_time:
                parser.parse_keyword("max", " after the `?` of a run-time trip")
            size = parser.parse_integer(False, context_msg=" as extent of a loop")
            if size < 1:
                parser.raise_error(
                    f"loop '{name}' has extent {size}, but every loop runs at least once",
                    at_position=position,
                )
            if at_run_time and loop != "k":
                parser.raise_error(
                    f"loop '{name}' has a run-time trip, but only 'k' can have one",
                    at_position=position,
                )
            extents[loop] = Extent(size, at_run_time)

        parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parse_loop, " in loops")
        return Loops.of(extents)

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(str(self.data))

    def verify(self) -> None:
        for name in LOOP_NAMES:
            extent = self.data[name]
            if extent.size < 1:
                raise VerifyException(
                    f"loop '{name}' has extent {extent.size}, but every loop runs at least once"
                )
            if extent.at_run_time and name != "k":
                raise VerifyException(
                    f"loop '{name}' has a run-time trip, but only 'k' can have one"
                )


@irdl_attr_definition
class LoopNameAttr(Data[LoopName], SpacedOpaqueSyntaxAttribute):
    """The name of one loop."""

    name = "spatial.loop"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> LoopName:
        position = parser.pos
        name = parser.parse_identifier(context_msg=" as name of a loop")
        if (loop := _LOOP_BY_NAME.get(name)) is not None:
            return loop
        parser.raise_error(
            f"unknown loop '{name}': a program has the loops {', '.join(LOOP_NAMES)}",
            at_position=position,
        )

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(self.data)


@irdl_attr_definition
class TargetAttr(ParametrizedAttribute):
    """The machine a program is for, with overridden facts: `#spatial.target<"hopper" {...}>`."""

    name = "spatial.target"

    target: StringAttr
    overrides: DictionaryAttr

    @staticmethod
    def of(target: str, overrides: Mapping[str, Attribute] | None = None) -> TargetAttr:
        """The target with this name, some of its facts overridden."""
        return TargetAttr(StringAttr(target), DictionaryAttr(dict(overrides or {})))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            target = StringAttr(parser.parse_str_literal(" as name of the target"))
            overrides = parser.parse_optional_dictionary_attr_dict()
        return target, DictionaryAttr(overrides)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string_literal(self.target.data)
            if self.overrides.data:
                printer.print_string(" ")
                with printer.in_braces():
                    printer.print_list(
                        self.overrides.data.items(), lambda item: _print_override(printer, *item)
                    )

    def override_values(self) -> dict[str, PlainValue]:
        """The overridden facts as plain values.

        Raises:
            VerifyException: a value is not an integer, a boolean, a string or a list of those.
        """
        return {name: _plain(name, value) for name, value in self.overrides.data.items()}


def _print_override(printer: Printer, field: str, value: Attribute) -> None:
    printer.print_identifier_or_string_literal(field)
    printer.print_string(" = ")
    _print_plain(printer, value)


def _print_plain(printer: Printer, value: Attribute) -> None:
    """Print a value of an override, integers without the type that they have anyway."""
    match value:
        case IntegerAttr() if value.type == i64:
            printer.print_int(value.value.data)
        case ArrayAttr():
            with printer.in_square_brackets():
                printer.print_list(value.data, lambda element: _print_plain(printer, element))
        case _:
            printer.print_attribute(value)


def _plain(field: str, value: Attribute) -> PlainValue:
    """The plain value of an attribute that overrides a field of a target."""
    match value:
        case StringAttr():
            return value.data
        case IntegerAttr():
            if isinstance(value.type, IntegerType) and value.type.width.data == 1:
                return bool(value.value.data)
            return value.value.data
        case FloatAttr():
            return value.value.data
        case ArrayAttr():
            items = [_plain(field, element) for element in value]
            if all(isinstance(item, str) for item in items):
                return tuple(item for item in items if isinstance(item, str))
            if all(isinstance(item, int) for item in items):
                return tuple(item for item in items if isinstance(item, int))
        case _:
            pass
    raise VerifyException(
        f"override '{field}' of a target is {value}, but facts of a target are numbers, "
        "booleans, strings, or lists of integers or of strings"
    )


class Handshake(StrEnum):
    """How the two ends of a stream of pages agree that a page may move."""

    FIFO = auto()
    """Two counters per ring, pages made and pages taken, on one site."""
    VALID_READY = auto()
    """One wire each way, a page moves in a cycle in which both are up."""
    SEMAPHORE = auto()
    """A count of receivers that have room, and a flag that a page has landed, across sites."""


@irdl_attr_definition
class HandshakeAttr(EnumAttribute[Handshake], SpacedOpaqueSyntaxAttribute):
    """A kind of handshake: `fifo`, `valid_ready` or `semaphore`."""

    name = "spatial.handshake"


class Axis(StrEnum):
    """The axes along which the receivers of a group may differ from its sender."""

    X = auto()
    Y = auto()
    YX = auto()


@irdl_attr_definition
class AxisAttr(EnumAttribute[Axis], SpacedOpaqueSyntaxAttribute):
    """`x` (receivers in the sender's row), `y` (in its column) or `yx` (anywhere)."""

    name = "spatial.axis"


class Spill(StrEnum):
    """How partial sums of a matmul that do not fit the accumulator are added up."""

    RELOAD = auto()
    """The accumulator starts from the partial sums of the blocks before."""
    PACK = auto()
    """The packer adds to the partial sums in memory."""


@irdl_attr_definition
class SpillAttr(EnumAttribute[Spill], SpacedOpaqueSyntaxAttribute):
    """`reload` or `pack`."""

    name = "spatial.spill"


class Reduction(StrEnum):
    """An associative operation."""

    ADD = auto()
    MAX = auto()
    MIN = auto()


@irdl_attr_definition
class ReductionAttr(EnumAttribute[Reduction], SpacedOpaqueSyntaxAttribute):
    """`add`, `max` or `min`."""

    name = "spatial.reduction"


class PageAxis(StrEnum):
    """What a reduction within a page removes."""

    ROWS = auto()
    """All rows become one row: a page of R x C gives 1 x C."""
    COLS = auto()
    """All columns become one column: a page of R x C gives R x 1."""


@irdl_attr_definition
class PageAxisAttr(EnumAttribute[PageAxis], SpacedOpaqueSyntaxAttribute):
    """`rows` or `cols`."""

    name = "spatial.page_axis"


class Broadcast(StrEnum):
    """How an operand that is smaller than the result is repeated."""

    NONE = auto()
    """The operand has the shape of the result."""
    ROWS = auto()
    """The operand has one row, used for all rows: 1 x C for a result of R x C."""
    COLS = auto()
    """The operand has one column, used for all columns: R x 1 for a result of R x C."""
    SCALAR = auto()
    """The operand has one element that counts, the first of its only tile."""


@irdl_attr_definition
class BroadcastAttr(EnumAttribute[Broadcast], SpacedOpaqueSyntaxAttribute):
    """`none`, `rows`, `cols` or `scalar`."""

    name = "spatial.broadcast"


class Comparison(StrEnum):
    """When a wait for a semaphore passes."""

    EQ = auto()
    GE = auto()


@irdl_attr_definition
class ComparisonAttr(EnumAttribute[Comparison], SpacedOpaqueSyntaxAttribute):
    """`eq` or `ge`."""

    name = "choreo.comparison"


class FlushCondition(StrEnum):
    """When a flush is needed."""

    ALWAYS = auto()
    NEEDS_FLUSH = auto()
    """On targets that may deliver a flag before data sent earlier."""


@irdl_attr_definition
class FlushConditionAttr(EnumAttribute[FlushCondition], SpacedOpaqueSyntaxAttribute):
    """`always` or `needs_flush`."""

    name = "choreo.flush_condition"
