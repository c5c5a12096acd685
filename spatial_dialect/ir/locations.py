"""Where operations stand in the files that they come from."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import (
    ArrayAttr,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    NameLoc,
)
from xdsl.ir import Attribute, Operation


@dataclass(frozen=True)
class Place:
    """A point in a source file; lines and columns count from 1."""

    file: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


def known_place(op: Operation) -> Place | None:
    """The location of an operation, else that of the ones before it, else that of its parents."""
    current: Operation | None = op
    while current is not None:
        before: Operation | None = current
        while before is not None:
            if (place := _file_place(before.location)) is not None:
                return place
            before = before.prev_op
        current = current.parent_op()
    return None


def place_of(op: Operation, file: str) -> Place:
    """The place of an operation, as `known_place` says, else the start of the file."""
    return known_place(op) or Place(file)


def _file_place(location: Attribute) -> Place | None:
    match location:
        case FileLineColLoc():
            return Place(location.filename.data, location.line.data, location.column.data)
        case NameLoc():
            return _file_place(location.location)
        case CallSiteLoc():
            return _file_place(location.callee) or _file_place(location.caller)
        case FusedLoc(locations=ArrayAttr() as parts):
            return next((p for part in parts if (p := _file_place(part)) is not None), None)
        case _:
            return None
