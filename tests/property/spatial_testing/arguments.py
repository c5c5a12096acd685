"""Tensors for random programs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from spatial_dialect.dialects.spatial import ProgramOp, is_tensor
from spatial_dialect.machine.arguments import argument_names
from spatial_dialect.machine.elements import storage_type

from .environment import Trips


def random_arguments(program: ProgramOp, trips: Trips) -> dict[str, NDArray[Any] | int]:
    """Arguments of a program: its trips, and small whole numbers, whose sums are exact."""
    rng = np.random.default_rng(0)
    arguments: dict[str, NDArray[Any] | int] = {}
    for argument, name in argument_names(program).items():
        if not is_tensor(argument.type):
            arguments[name] = trips(())
            continue
        shape, storage = argument.type.get_shape(), storage_type(argument.type.element_type)
        if name == "lens":
            values = np.array([trips(place) for place in np.ndindex(shape)]).reshape(shape)
        elif storage.kind in "iub":
            values = rng.integers(0, 2, shape)
        else:
            values = rng.integers(-2, 3, shape)
        arguments[name] = values.astype(storage)
    return arguments
