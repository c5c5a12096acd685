"""Types: pages in rings, multicast groups, and the block float formats of tiles."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IndexType,
    IntAttr,
    IntegerAttr,
    IntegerType,
)
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException


@irdl_attr_definition
class BFP8Type(ParametrizedAttribute, TypeAttribute):
    """A tile of 8-bit mantissas that share one exponent per 16: `!spatial.bfp8`.

    A 32x32 tile takes 1024 + 64 = 1088 bytes.
    """

    name = "spatial.bfp8"


@irdl_attr_definition
class BFP4Type(ParametrizedAttribute, TypeAttribute):
    """A tile of 4-bit mantissas that share one exponent per 16: `!spatial.bfp4`.

    A 32x32 tile takes 512 + 64 = 576 bytes.
    """

    name = "spatial.bfp4"


def is_element_type(type: Attribute) -> bool:
    """Whether tiles can have elements of this type: a builtin float or integer, a block float."""
    return isinstance(type, AnyFloat | IntegerType | BFP8Type | BFP4Type)


def is_float(type: Attribute) -> bool:
    """Whether an element type stands for real numbers."""
    return isinstance(type, AnyFloat | BFP8Type | BFP4Type)


def element_bits(type: Attribute) -> float:
    """Bits that one element of a tile takes in memory, shared exponents included."""
    match type:
        case BFP8Type():
            return 8.5
        case BFP4Type():
            return 4.5
        case _ if isinstance(type, AnyFloat | IntegerType):
            return float(type.bitwidth)
        case _:
            raise ValueError(f"not an element type: {type}")


def element_name(type: Attribute) -> str:
    """The name of an element type in the list of a target: `bf16`, `bfp8`, `i32`."""
    match type:
        case BFP8Type() | BFP4Type():
            return type.name.removeprefix("spatial.")
        case _:
            return str(type)


def number_attr(value: float, type: Attribute) -> FloatAttr | IntegerAttr:
    """A number as an attribute of a type of numbers.

    Raises:
        ValueError: the type is none that builtin has.
    """
    match type:
        case _ if isinstance(type, AnyFloat):
            return FloatAttr(float(value), type)
        case IndexType():
            return IntegerAttr.from_index_int_value(int(value))
        case IntegerType():
            return IntegerAttr(int(value), IntegerType(int(type.bitwidth), type.signedness.data))
        case _:
            raise ValueError(f"not a type of numbers: {type}")


@irdl_attr_definition
class BufferType(ParametrizedAttribute, TypeAttribute):
    """A ring of pages, each of `rows` x `cols` tiles: `!spatial.buffer<8x4xbf16>`.

    The tile shape is the target's.
    """

    name = "spatial.buffer"

    rows: IntAttr
    cols: IntAttr
    element_type: Attribute

    @staticmethod
    def of(rows: int, cols: int, element_type: Attribute) -> BufferType:
        """The type of pages of `rows` x `cols` tiles with elements of the given type."""
        return BufferType(IntAttr(rows), IntAttr(cols), element_type)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of a page, in tiles."""
        return self.rows.data, self.cols.data

    @property
    def tiles(self) -> int:
        """Tiles of a page."""
        return self.rows.data * self.cols.data

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            position = parser.pos
            shape, element_type = parser.parse_ranked_shape()
            if len(shape) != 2 or min(shape) < 0:
                parser.raise_error(
                    "a page has two dimensions, rows x columns of tiles, as in 8x4xbf16",
                    at_position=position,
                )
        return (IntAttr(shape[0]), IntAttr(shape[1]), element_type)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.rows.data}x{self.cols.data}x")
            printer.print_attribute(self.element_type)

    def verify(self) -> None:
        if min(self.shape) < 1:
            raise VerifyException(
                f"a page has at least one tile in each dimension, got {self.shape[0]}x"
                f"{self.shape[1]}"
            )
        if not is_element_type(self.element_type):
            raise VerifyException(
                f"tiles hold floats, integers or block floats, got {self.element_type}"
            )


@irdl_attr_definition
class GroupType(ParametrizedAttribute, TypeAttribute):
    """A family of multicast groups: `!spatial.group`."""

    name = "spatial.group"


@irdl_attr_definition
class ReadyType(ParametrizedAttribute, TypeAttribute):
    """The semaphore on which a group's sender counts the receivers that have room."""

    name = "choreo.ready"


@irdl_attr_definition
class ValidType(ParametrizedAttribute, TypeAttribute):
    """The semaphore that tells a receiver that its page has landed: 0 invalid, 1 valid."""

    name = "choreo.valid"


@irdl_attr_definition
class AccumulatorType(ParametrizedAttribute, TypeAttribute):
    """A zeroed block of accumulator tiles: `!choreo.acc<8xf32>`."""

    name = "choreo.acc"

    tiles: IntAttr
    element_type: Attribute

    @staticmethod
    def of(tiles: int, element_type: Attribute) -> AccumulatorType:
        """The type of an accumulator of so many tiles."""
        return AccumulatorType(IntAttr(tiles), element_type)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            position = parser.pos
            shape, element_type = parser.parse_ranked_shape()
            if len(shape) != 1 or shape[0] < 0:
                parser.raise_error(
                    "an accumulator has a number of tiles, as in 8xf32", at_position=position
                )
        return (IntAttr(shape[0]), element_type)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.tiles.data}x")
            printer.print_attribute(self.element_type)

    def verify(self) -> None:
        if self.tiles.data < 1:
            raise VerifyException(f"an accumulator has at least one tile, got {self.tiles.data}")
        if not isinstance(self.element_type, AnyFloat | IntegerType):
            raise VerifyException(
                f"an accumulator holds floats or integers, got {self.element_type}"
            )
