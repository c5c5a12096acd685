"""What a run is given: an array for each tensor, a number for each index, by name."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, SSAValue

from spatial_dialect.dialects.spatial import ProgramOp, is_tensor
from spatial_dialect.machine.elements import Array, settled, storage_type


def argument_names(program: ProgramOp) -> dict[SSAValue, str]:
    """The names by which a run takes a program's arguments, in order.

    `A` for `%A`, and `A_1` for the second of the same name (the parser takes `%A_1` for one); an
    argument without a name is `arg0`, `arg1`, ... by its position.
    """
    names: dict[SSAValue, str] = {}
    taken: set[str] = set()
    for argument in program.body.block.args:
        base = name = argument.name_hint or f"arg{argument.index}"
        number = 0
        while name in taken:
            number += 1
            name = f"{base}_{number}"
        taken.add(name)
        names[argument] = name
    return names


def checked_arguments(
    program: ProgramOp,
    arguments: Mapping[str, Array | int],
    read: Collection[SSAValue],
) -> dict[SSAValue, Array]:
    """The given arguments as arrays, block floats as the format holds them.

    Args:
        program: whose arguments they are.
        arguments: what is given, by name.
        read: the arguments that the program reads; the other tensors can be left out, and are
            zeros then.

    Raises:
        ValueError: an argument is missing, unknown, or of another shape or type.
    """
    program_name, names = f"@{program.sym_name.data}", argument_names(program)
    known = names.values()
    if unknown := [name for name in arguments if name not in known]:
        raise ValueError(
            f"{program_name} has no argument '{unknown[0]}': its arguments are {', '.join(known)}"
        )
    given: dict[SSAValue, Array] = {}
    for argument, name in names.items():
        what = f"{program_name}: argument '{name}'"
        value = arguments.get(name)
        type = argument.type
        if isinstance(type, IndexType):
            given[argument] = _checked_index(what, value)
        elif is_tensor(type):
            shape, storage = type.get_shape(), storage_type(type.element_type)
            if value is None and argument not in read:
                given[argument] = np.zeros(shape, storage)
            else:
                array = _checked_tensor(what, value, shape, storage, type)
                given[argument] = settled(array, type.element_type)
    return given


def _checked_index(what: str, value: Array | int | None) -> Array:
    if value is None:
        raise ValueError(f"{what} is missing: it is a number")
    if not np.issubdtype(np.asarray(value).dtype, np.integer) or np.ndim(value):
        raise ValueError(f"{what} is an index, but what is given is {_text(value)}")
    return np.asarray(value, np.int64)


def _checked_tensor(
    what: str,
    value: Array | int | None,
    shape: tuple[int, ...],
    storage: np.dtype[Any],
    type: Attribute,
) -> Array:
    """A given tensor, which must have this shape and storage type."""
    wanted = f"{what} is {type}, an array of {'x'.join(map(str, shape))}x{storage}"
    if value is None:
        raise ValueError(f"{what} is missing: the program reads {type}")
    if not isinstance(value, np.ndarray):
        raise ValueError(f"{wanted}, but what is given is {_text(value)}")
    if value.shape != shape or value.dtype != storage:
        raise ValueError(f"{wanted}, but what is given is {_text(value)}")
    return value


def _text(value: object) -> str:
    """What was given for an argument, for messages."""
    if isinstance(value, np.ndarray):
        array = cast(Array, value)
        shape = "x".join(map(str, array.shape))
        return f"an array of {shape}{'x' if shape else ''}{array.dtype}"
    return repr(value)
