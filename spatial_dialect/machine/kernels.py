"""What each op of an engine does to pages, worked out once for all its executions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from xdsl.ir import Attribute, Operation, SSAValue

from spatial_dialect.dialects import choreo
from spatial_dialect.dialects.spatial import broadcast_kinds, page_type
from spatial_dialect.ir.types import BufferType, is_float
from spatial_dialect.machine.code import Act, Code, Instruction
from spatial_dialect.machine.computation import all_reduced, mapped, product, reduced
from spatial_dialect.machine.elements import Array, storage_type, unpacked
from spatial_dialect.machine.elementwise import free_values


class Page:
    """What a slot of a ring holds, on all sites of a cell; it never changes."""

    __slots__ = ("_code", "type", "values")

    def __init__(self, values: Array, type: Attribute):
        self.values = values
        """By the two leading axes of the sites, row and column, in the storage type."""
        self.type = type
        """The type of the elements."""
        self._code: Array | None = None

    @property
    def code(self) -> Array:
        """The elements as code gets them, f32 or i32."""
        found = self._code
        if found is None:
            found = self._code = unpacked(self.values, self.type)
        return found

    def is_like(self, other: Page) -> bool:
        """Whether both are pages of one size and element type."""
        return self.type == other.type and self.values.shape[2:] == other.values.shape[2:]


def never_filled(type: BufferType, tile: tuple[int, int]) -> Page:
    """What a page holds that nothing was put into: NaN, and in integers a marker.

    The marker is the least number of the type if it has a sign, else the largest one. So it is for
    floats without NaN.
    """
    storage = storage_type(type.element_type)
    rows, cols = (count * size for count, size in zip(type.shape, tile, strict=True))
    if storage == np.bool_:
        marker = np.ones((), np.bool_)
    elif is_float(type.element_type):
        marker = np.asarray(np.nan, np.float32).astype(storage)
        if not np.isnan(marker.astype(np.float32)):
            marker = np.asarray(np.inf, np.float32).astype(storage)
    else:
        bits, signed = _integer(type.element_type)
        marker = np.asarray(-(1 << bits - 1) if signed else (1 << bits) - 1).astype(storage)
    return Page(np.full((1, 1, rows, cols), marker), type.element_type)


def _integer(type: Attribute) -> tuple[int, bool]:
    text = str(type)
    return int(text.lstrip("sui")), not text.startswith("u")


Kernel: TypeAlias = Callable[[Sequence[Array]], Array]
"""What an op computes of the pages it reads."""


@dataclass(frozen=True)
class SubBlock:
    """The size of a sub-block of a matmul, in elements."""

    rows: int
    cols: int


def page_size(type: BufferType, tile: tuple[int, int]) -> tuple[int, int]:
    """Rows and columns of a page, in elements."""
    return type.shape[0] * tile[0], type.shape[1] * tile[1]


def packed_size(acc: SSAValue, tile: tuple[int, int]) -> tuple[int, int]:
    """Rows and columns of what an accumulator holds, by the page that it is packed into."""
    users = [use.operation for use in acc.uses]
    for op in users:
        if isinstance(op, choreo.PackOp):
            return page_size(page_type(op.buffer), tile)
    for op in users:
        if isinstance(op, choreo.MatmulOp) and op.reload is not None:
            return page_size(page_type(op.reload), tile)
    return 0, 0


def kernel(
    op: Operation, tile: tuple[int, int], given: Mapping[SSAValue, Array], place: str
) -> Kernel:
    """What a compute op other than a matmul makes of its pages.

    Args:
        op: the op.
        tile: rows and columns of a tile.
        given: the indices that the program is given, which the code of a map may use.
        place: where the op stands, for messages.

    Raises:
        ValueError: the code of a map is not known.
    """
    made: Kernel
    match op:
        case choreo.DotOp():
            transposes = op.transpose_b is not None

            def dot(pages: Sequence[Array]) -> Array:
                lhs, rhs = pages
                return product(lhs, rhs.swapaxes(-1, -2) if transposes else rhs)

            made = dot
        case choreo.ReduceOp():
            kind, axis = op.kind.data, op.axis.data

            def reduce(pages: Sequence[Array]) -> Array:
                return reduced(pages[0], kind, axis, tile)

            made = reduce
        case choreo.AllReduceOp():
            combination = op.kind.data

            def all_reduce(pages: Sequence[Array]) -> Array:
                return all_reduced(pages, combination)

            made = all_reduce
        case choreo.MapOp():
            block = op.body.block
            known = free_values(block, given, place)
            kinds = broadcast_kinds(op.broadcasts, len(op.inputs))
            shape = (1, 1, *packed_size(op.acc, tile))

            def map(pages: Sequence[Array]) -> Array:
                return mapped(block, pages, kinds, known, shape, place)

            made = map
        case _:
            raise ValueError(f"{place} is not known here")
    return made


def moves_together(code: Code, rows_differ: bool, cols_differ: bool) -> bool:
    """Whether an engine does the same on sites of different rows or columns.

    Run-time trips are taken to be the same: whoever reads them sees if they are.
    """
    differ = {n for n, differs in enumerate((rows_differ, cols_differ)) if differs}
    if not differ:
        return True
    moves = (Act.LOAD_INDEX, Act.PURE, Act.MOVE)
    instructions = [i for i in code.instructions if i.act in moves]
    before = -1
    while len(differ) != before:
        before = len(differ)
        for instruction in instructions:
            match instruction.act:
                case Act.LOAD_INDEX:
                    differ.update(instruction.results)
                case Act.MOVE:
                    pairs = zip(instruction.results, instruction.sources, strict=True)
                    differ.update(result for result, source in pairs if source in differ)
                case Act.PURE:
                    if not differ.isdisjoint(instruction.sources):
                        differ.update(instruction.results)
                case _:
                    pass
    return not any(_decides(instruction) & differ for instruction in code.instructions)


def _decides(instruction: Instruction) -> set[int]:
    """Registers that decide what an instruction does, or which part of a page it takes."""
    act = instruction.act
    if act == Act.LOOP:
        return {bound for bound, is_register in instruction.bounds if is_register}
    if act == Act.BRANCH or act == Act.COMPUTE:
        return set(instruction.sources)
    return set()


def clipped_writes(codes: Sequence[Code]) -> set[Instruction]:
    """The writes that leave out what lies outside of their tensor: a read with `pad` feeds them.

    Rings are looked at by name: what feeds a ring on one site feeds it on all.
    """
    reads = (i.op for code in codes for i in code.instructions if i.act == Act.READ)
    if all(isinstance(op, choreo.ReadTilesOp) and op.pad is None for op in reads):
        return set()
    rings: set[int] = set()
    accumulators: set[SSAValue] = set()
    registers: set[tuple[int, int]] = set()
    found: set[Instruction] = set()
    before = -1
    while (size := len(rings) + len(accumulators) + len(registers)) != before:
        before = size
        for number, code in enumerate(codes):
            for instruction in code.instructions:
                op, act = instruction.op, instruction.act
                fed = not rings.isdisjoint(instruction.reads) or any(
                    (number, source) in registers for source in instruction.sources
                )
                match op:
                    case choreo.ReadTilesOp():
                        if fed or op.pad is not None:
                            rings.add(instruction.ring)
                    case choreo.WriteTilesOp():
                        if fed or instruction.ring in rings:
                            found.add(instruction)
                    case choreo.PackOp():
                        if op.acc in accumulators:
                            rings.add(instruction.ring)
                    case choreo.AccumulatingOp():
                        if fed:
                            accumulators.add(op.acc)
                    case _ if fed and act in (Act.LOAD_INDEX, Act.PURE, Act.MOVE):
                        registers.update((number, result) for result in instruction.results)
                    case _:
                        pass
    return found
