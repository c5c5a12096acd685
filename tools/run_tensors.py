"""Tensors for `spatial-run`: from files or made up, to files, and compared with each other."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import ml_dtypes
import numpy as np
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, SSAValue

from spatial_dialect.dialects import choreo
from spatial_dialect.dialects.spatial import (
    LoadOp,
    ProgramOp,
    StoreOp,
    TripOp,
    is_tensor,
    page_type,
    tensor_type,
)
from spatial_dialect.ir.addresses import DIMENSIONS
from spatial_dialect.ir.types import BFP4Type, BFP8Type, is_float
from spatial_dialect.machine.arguments import argument_names
from spatial_dialect.machine.elements import Array, settled, storage_type

FILLERS = ("random", "zeros", "ones", "arange")
"""What a tensor can be filled with."""

CONVERT = ":convert"
"""At the end of a file name: the elements may be converted."""


class BadTensor(Exception):
    """A tensor that cannot be used, in one line."""


class BadArgument(Exception):
    """An argument that nobody could use, in one line."""


def type_text(type: Attribute) -> str:
    """A tensor's shape and elements, `32x256xbf16`."""
    assert is_tensor(type)
    return "x".join((*map(str, type.get_shape()), str(type.element_type)))


def array_text(array: Array) -> str:
    """An array's shape and elements, `32x256xfloat32`."""
    return "x".join((*map(str, array.shape), str(array.dtype)))


################################################################################
# Arguments                                                                    #
################################################################################


def arguments_of(
    program: ProgramOp, given: Mapping[str, str], seed: int
) -> tuple[dict[str, Array | int], dict[str, str]]:
    """The arguments of a run, and where each comes from.

    Args:
        program: what is run, dataflow or choreography.
        given: by name what the user wants: a filler, a file or a number.
        seed: of random numbers.

    Raises:
        BadArgument: there is no such argument, or what is given for it means nothing.
        BadTensor: a file cannot be read, or does not fit.
    """
    names = argument_names(program)
    if unknown := [name for name in given if name not in names.values()]:
        known = ", ".join(names.values())
        raise BadArgument(
            f"@{program.sym_name.data} has no argument '{unknown[0]}': its arguments are {known}"
        )
    read = read_tensors(program)
    bounds = bounds_of(program)
    arguments: dict[str, Array | int] = {}
    sources: dict[str, str] = {}
    for position, (argument, name) in enumerate(names.items()):
        type = argument.type
        if isinstance(type, IndexType):
            if (text := given.get(name)) is None:
                raise BadArgument(f"argument '{name}' is missing: it is a number, --arg {name}=N")
            arguments[name], sources[name] = number_of(name, text), text
            continue
        assert is_tensor(type)
        source = given.get(name, "random" if argument in read else "zeros")
        sources[name] = source
        if source in FILLERS:
            generator = np.random.default_rng([seed, position])
            bound = bounds.get(argument)
            arguments[name] = filled(type.get_shape(), type.element_type, source, generator, bound)
        elif source.removesuffix(CONVERT).endswith(".npy"):
            arguments[name] = loaded(name, source, type.get_shape(), type.element_type)
        else:
            raise BadArgument(
                f"argument '{name}': '{source}' is neither a .npy file nor one of "
                f"{', '.join(FILLERS)}"
            )
    return arguments, sources


def number_of(name: str, text: str) -> int:
    """The number that is given for an argument.

    Raises:
        BadArgument: it is none.
    """
    try:
        return int(text)
    except ValueError:
        raise BadArgument(f"argument '{name}' is a number, not '{text}'") from None


def read_tensors(program: ProgramOp) -> set[SSAValue]:
    """The tensors that a program reads."""
    return {
        op.count if isinstance(op, TripOp | choreo.TripOp) else op.tensor
        for op in program.walk()
        if isinstance(op, LoadOp | TripOp | choreo.ReadTilesOp | choreo.TripOp)
    }


def written_tensors(program: ProgramOp) -> set[SSAValue]:
    """The tensors that a program writes."""
    return {op.tensor for op in program.walk() if isinstance(op, StoreOp | choreo.WriteTilesOp)}


def filled(
    shape: tuple[int, ...],
    type: Attribute,
    filler: str,
    generator: np.random.Generator,
    bound: int | None = None,
) -> Array:
    """A tensor that is made up.

    Args:
        shape: its shape.
        type: of its elements.
        filler: one of `FILLERS`. Random floats have mean 0 and variance 1, random integers are
            small.
        generator: of random numbers.
        bound: integers are below it.
    """
    storage = storage_type(type)
    if filler == "zeros":
        return np.zeros(shape, storage)
    if filler == "ones":
        return settled(np.ones(shape, np.float32).astype(storage), type)
    if filler == "arange":
        count = np.arange(np.prod(shape, dtype=np.int64)).reshape(shape)
        if not is_float(type):
            low, high = _range(storage)
            count = count % (bound or min(high + 1, 2**62))
            return count.astype(storage)
        return settled(count.astype(np.float32).astype(storage), type)
    if is_float(type):
        numbers = generator.standard_normal(shape, np.float32)
        return settled(numbers.astype(storage), type)
    low, high = _range(storage)
    if bound is not None:
        low, high = 0, min(high, bound - 1)
    return generator.integers(
        max(low, -100), min(high, 100) if bound is None else high, shape, endpoint=True
    ).astype(storage)


def _range(storage: np.dtype[Any]) -> tuple[int, int]:
    if storage == np.bool_:
        return 0, 1
    info = ml_dtypes.iinfo(storage)
    return int(info.min), int(info.max)


def bounds_of(program: ProgramOp) -> dict[SSAValue, int]:
    """Tensors of indices and of run-time trips, and what their elements are below."""
    tensors: dict[SSAValue, set[SSAValue]] = {}
    found: dict[SSAValue, int] = {}
    limits: list[tuple[SSAValue, int]] = []
    for op in program.walk():
        match op:
            case TripOp() | choreo.TripOp():
                found[op.count] = program.loop_nest.k.size + 1
            case LoadOp() | StoreOp():
                if isinstance(op, LoadOp):
                    tensors.setdefault(op.buffer, set()).add(op.tensor)
                if op.index is not None:
                    limits.append((op.index, _limit(op)))
            case choreo.ReadTilesOp() | choreo.WriteTilesOp():
                if isinstance(op, choreo.ReadTilesOp):
                    tensors.setdefault(op.buffer, set()).add(op.tensor)
                if op.rows_from is not None:
                    limits.append((op.rows_from, tensor_type(op.tensor).get_shape()[-2]))
            case _:
                pass
    for buffer, limit in limits:
        for tensor in tensors.get(buffer, ()):
            found[tensor] = min(limit, found.get(tensor, limit))
    return found


def _limit(op: LoadOp | StoreOp) -> int:
    """So many values of the index are inside the tensor, as far as that is easily seen."""
    shape = tensor_type(op.tensor).get_shape()
    if op.rows is not None:
        return shape[-2]
    machine = op.program.machine
    tile = (1, 1) if machine is None else machine.tile
    page = page_type(op.buffer).shape
    ends = list(shape)
    for axis in (-2, -1):
        ends[axis] = shape[axis] // tile[axis] - page[axis] + 1
    index = DIMENSIONS.index("ind")
    limit = max(shape)
    for expression, end in zip(op.address.data.results, ends, strict=True):
        if index not in expression.used_dims():
            continue
        point = [0] * len(DIMENSIONS)
        for value in range(limit):
            point[index] = value
            if not 0 <= expression.eval(point, []) < end:
                limit = value
                break
    return max(1, limit)


def loaded(name: str, file: str, shape: tuple[int, ...], type: Attribute) -> Array:
    """A tensor from a file; `:convert` at the end of its name allows other floats or integers.

    Raises:
        BadTensor: it cannot be read, or does not fit.
    """
    path = file.removesuffix(CONVERT)
    converts = path != file
    try:
        found = _from_file(path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadTensor(f"argument '{name}': cannot read '{path}': {reason}") from error
    except (ValueError, EOFError, zipfile.BadZipFile) as error:
        raise BadTensor(f"argument '{name}': '{path}' is no .npy file of numbers") from error
    if not isinstance(found, np.ndarray):
        raise BadTensor(f"argument '{name}': '{path}' is an archive, not one array")
    array = cast(Array, found)
    storage = storage_type(type)
    # numpy forgets what it does not know itself: a bf16 comes back as 2 bytes.
    plain = array.dtype.kind == "V" and array.dtype.names is None
    if plain and storage.isbuiltin != 1 and array.dtype.itemsize == storage.itemsize:
        array = array.view(storage)
    wanted = "x".join((*map(str, shape), str(type)))
    if array.shape != shape:
        raise BadTensor(f"argument '{name}' is {wanted}, but '{path}' has {array_text(array)}")
    if array.dtype != storage:
        if not converts:
            hint = f"; '{path}{CONVERT}' converts it" if _convertible(array, type) else ""
            raise BadTensor(
                f"argument '{name}' is {wanted}, elements of {storage}, but '{path}' has "
                f"{array_text(array)}{hint}"
            )
        if not _convertible(array, type):
            raise BadTensor(
                f"argument '{name}' is {wanted}: the {array.dtype} of '{path}' cannot be "
                "converted to that"
            )
        with np.errstate(all="ignore"):
            array = array.astype(storage)
    return settled(np.ascontiguousarray(array), type)


def _from_file(path: str) -> object:
    """What `numpy.load` makes of a file, also where numpy could write it but cannot read it."""
    with open(path, "rb") as file:
        data = file.read()
    head = data[:_LONGEST_HEADER].replace(b"'<f1'", b"'|V1'", 1)
    return np.load(io.BytesIO(head + data[_LONGEST_HEADER:]), allow_pickle=False)


_LONGEST_HEADER = 1024
"""The type of an array's elements comes before this byte of a file."""


def _convertible(array: Array, type: Attribute) -> bool:
    """Whether elements can become those of a type: numbers a float, integers an integer."""
    return array.dtype.kind in "iub" or (array.dtype.kind == "f" and is_float(type))


def to_save(array: Array, file: str) -> tuple[str, Array]:
    """The name of an output file, and what to write there: with `:convert`, floats as float32."""
    path = file.removesuffix(CONVERT)
    known = array.dtype.isbuiltin == 1
    if path == file:
        # Bytes, which numpy can read. It would do so itself, were it not for some types.
        return path, array if known else array.view(np.dtype((np.void, array.dtype.itemsize)))
    if known:
        return path, array
    whole = str(array.dtype).startswith(("int", "uint"))
    return path, array.astype(np.int8 if whole else np.float32)


################################################################################
# Comparison                                                                   #
################################################################################


@dataclass(frozen=True)
class Difference:
    """How far a tensor is from what it should be."""

    absolute: float
    """The largest error; infinite where only one of the two is a number."""
    absolute_at: tuple[int, ...]
    relative: float
    """The largest error as a part of the number itself, or of a typical one if that is larger."""
    relative_at: tuple[int, ...]
    found: float
    """The number with the largest relative error."""
    expected: float
    tolerance: float
    """How large the relative error may be."""

    @property
    def passes(self) -> bool:
        """Whether the error is small enough."""
        return self.relative <= self.tolerance


def compared(found: Array, expected: Array, tolerance: float) -> Difference:
    """How far a tensor is from what it should be."""
    have, want = (a.astype(np.float64).reshape(found.shape) for a in (found, expected))
    with np.errstate(all="ignore"):
        error = np.abs(have - want)
        same = (have == want) | (np.isnan(have) & np.isnan(want))
        error = np.where(same, 0, np.where(np.isnan(error), np.inf, error))
        finite = want[np.isfinite(want)]
        typical = float(np.sqrt(np.mean(finite**2))) if finite.size else 0.0
        size = np.maximum(np.abs(want), typical)
        relative = np.where(error == 0, 0, np.where(np.isfinite(size), error / size, np.inf))
        relative = np.where(np.isnan(relative), np.inf, relative)
    if not error.size:
        return Difference(0, (), 0, (), 0, 0, tolerance)

    def place(values: Array) -> tuple[int, ...]:
        return tuple(int(n) for n in np.unravel_index(int(np.argmax(values)), values.shape))

    absolute_at, relative_at = place(error), place(relative)
    return Difference(
        float(error[absolute_at]),
        absolute_at,
        float(relative[relative_at]),
        relative_at,
        float(have[relative_at]),
        float(want[relative_at]),
        tolerance,
    )


def tolerances(program: ProgramOp) -> dict[SSAValue, float]:
    """For each tensor that a scheduled program writes, the error that rounding accounts for.

    Four steps of the type of its elements. Where partial sums leave the accumulator they are
    rounded in each K block, which the reference does not do: then it is four steps of the type of
    their pages, times the square root of the number of blocks, if that is more. Integers are exact.
    """
    spilled = 0.0
    for op in program.walk():
        rings: list[SSAValue] = []
        if isinstance(op, choreo.MatmulOp) and op.reload is not None:
            rings.append(op.reload)
        elif isinstance(op, choreo.PackOp) and op.accumulate is not None:
            rings.append(op.buffer)
        for ring in rings:
            spilled = max(spilled, step_of(page_type(ring).element_type))
    spilled *= program.loop_nest.k.size**0.5
    found: dict[SSAValue, float] = {}
    for tensor in written_tensors(program):
        step = step_of(tensor_type(tensor).element_type)
        found[tensor] = 4 * max(step, spilled) if step else 0.0
    return found


def step_of(type: Attribute) -> float:
    """The distance from 1 to the next number of a type."""
    match type:
        case BFP8Type():
            return 2.0**-6
        case BFP4Type():
            return 2.0**-2
        case _ if is_float(type):
            # Code computes in f32.
            info = cast(Any, ml_dtypes.finfo(storage_type(type)))
            return max(2.0**-23, float(info.eps))
        case _:
            return 0.0
