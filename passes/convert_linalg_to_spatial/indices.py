"""Elements and rows of tensors at indices that are computed: read by code, or written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod

from xdsl.dialects import arith
from xdsl.dialects.builtin import UnregisteredOp, i32
from xdsl.ir import Block, Operation

from .scalars import NotUnderstood, copied, number, pointwise
from .tensors import (
    Access,
    Gather,
    Node,
    Pointwise,
    Position,
    Ref,
    Scatter,
    Shape,
    Slice,
    Source,
    Splat,
    reshaped,
)


def extracted(tensor: Ref, indices: Sequence[Ref], shape: Shape) -> Ref:
    """The element of a tensor at the indices, for every point of a space.

    Indices that are numbers, or follow the dimensions of the space, make a view. Otherwise all but
    the last index, which has to follow the space, name rows of a table. If it does not, elements
    are rows of one column, and all indices name them.

    Raises:
        NotUnderstood: which row it is changes along the row.
    """
    if isinstance(tensor.node, Splat):
        return Ref(tensor.node, (), shape)
    spans = [_span(ref) for ref in indices]
    known = [span for span in spans if span is not None]
    if len(known) == len(spans):
        return _part(tensor, known, shape)
    column = spans[-1]
    if column is None:
        column = _Span(None, 0, 1)
        outer, width = tensor.shape, 1
    else:
        *outer, width = tensor.shape
    index = Ref(number(0, i32), (), shape)
    rows = 1
    for ref, extent in reversed(list(zip(indices, outer, strict=False))):
        index = _sum(index, _times(ref, rows)) if extent > 1 else index
        rows *= extent
    order = [dim for dim in tensor.access if dim is not None]
    if order != sorted(order):
        # Rows of the table have to lie in memory as they are taken.
        tensor = Ref.to(copied(tensor))
    table = reshaped(tensor, (rows, width))
    inside = [_Span(0, 0, rows), replace(column, dim=1)]
    table = _part(table, inside, (rows, column.size))
    along = sorted(_followed(index))
    if column.dim in along and column.size > 1:
        raise NotUnderstood(
            "its code takes another row of a tensor for each column, not whole rows"
        )
    inner = tuple(shape[dim] for dim in along)
    narrow = _Narrowed({dim: place for place, dim in enumerate(along)}, inner).ref(index)
    if column.size == 1:
        # Pages have rows, or columns, of single elements, not both.
        elements = Gather(
            (prod(inner), 1), tensor.node.type, table, reshaped(narrow, (prod(inner),))
        )
        return reshaped(Ref.to(elements), inner).through(along, shape)
    node = Gather((*inner, column.size), tensor.node.type, table, narrow)
    return Ref(node, (*along, column.dim), shape)


_SCATTER = "stablehlo.scatter"


def is_scatter(op: Operation) -> bool:
    """Whether an operation is a scatter, which no dialect of linalg and tensors has.

    It is StableHLO's, as its conversion to linalg leaves it where it is.
    """
    return isinstance(op, UnregisteredOp) and op.op_name.data == _SCATTER


def scattered(op: Operation, start: Ref, index: Ref, rows: Ref) -> Ref:
    """What a tensor is after a scatter.

    Args:
        op: the scatter.
        start: what the tensor was.
        index: the row that each row is written to.
        rows: the rows.

    Raises:
        NotUnderstood: it does something else than to replace whole rows.
    """
    window = len(start.shape) - 1
    batch = len(rows.shape) - window
    plain = (
        _numbers(op, "inserted_window_dims") == [0]
        and _numbers(op, "scatter_dims_to_operand_dims") == [0]
        and _numbers(op, "update_window_dims") == list(range(batch, len(rows.shape)))
        and not _numbers(op, "input_batching_dims")
        and rows.shape[batch:] == start.shape[1:]
        and prod(index.shape) == prod(rows.shape[:batch])
    )
    if not plain or window == 0:
        raise NotUnderstood("it writes something else than whole rows of a tensor")
    block = op.regions[0].block
    last = block.last_op
    if last is None or list(last.operands) != [block.args[1]]:
        raise NotUnderstood("it combines rows with what is there; only replacing them is known")
    count, width = prod(index.shape), prod(start.shape[1:])
    alone = start.is_identity and isinstance(start.node, Source)
    if not alone and not isinstance(start.node, Splat):
        start = Ref.to(copied(start))
    node = Scatter(
        (start.shape[0], width),
        start.node.type,
        start,
        reshaped(index, (count,)),
        reshaped(rows, (count, width)),
    )
    return reshaped(Ref.to(node), start.shape)


def _numbers(op: Operation, name: str) -> list[int]:
    """A list of numbers in the text of an attribute that no dialect knows."""
    text = str({**op.properties, **op.attributes}.get("scatter_dimension_numbers", ""))
    found = re.search(rf"\b{name} = \[([^\]]*)\]", text)
    return [] if found is None else [int(number) for number in re.findall(r"\d+", found[1])]


@dataclass(frozen=True)
class _Span:
    """An index that counts from a number along a dimension of a space, or is this number."""

    dim: int | None
    start: int
    size: int


def _span(index: Ref) -> _Span | None:
    """What an index takes, if it need not be computed."""
    match index:
        case Ref(node=Splat() as splat):
            return _Span(None, int(splat.value.value.data), 1)
        case Ref(node=Position(), access=(None,)):
            return _Span(None, 0, 1)
        case Ref(node=Position(), access=(int() as dim,)):
            return _Span(dim, 0, index.shape[dim])
        case _:
            return None


def _part(tensor: Ref, spans: Sequence[_Span], shape: Shape) -> Ref:
    """The part of a tensor that indices take, seen from a space."""
    for span, extent in zip(spans, tensor.shape, strict=True):
        if not 0 <= span.start <= extent - span.size:
            last = span.start + span.size - 1
            raise NotUnderstood(f"its code takes element {last} of a dimension of {extent}")
    sizes = tuple(span.size for span in spans)
    if sizes != tensor.shape:
        starts, steps = tuple(span.start for span in spans), (1,) * len(spans)
        tensor = Ref.to(Slice(sizes, tensor.node.type, tensor, starts, steps))
    return tensor.through([span.dim for span in spans], shape)


def _sum(left: Ref, right: Ref) -> Ref:
    """The sum of two indices, of which the first may be 0."""
    if isinstance(left.node, Splat) and left.node.value.value.data == 0:
        return right
    lhs, rhs = Block(arg_types=(i32, i32)).args
    return pointwise(arith.AddiOp(lhs, rhs), (left, right), left.shape)


def _times(index: Ref, factor: int) -> Ref:
    """An index times a number."""
    if factor == 1:
        return index
    times = Ref(number(factor, i32), (), index.shape)
    lhs, rhs = Block(arg_types=(i32, i32)).args
    return pointwise(arith.MuliOp(lhs, rhs), (index, times), index.shape)


def shifted(index: Ref, by: int) -> Ref:
    """An index plus a number."""
    return _sum(Ref(number(by, i32), (), index.shape), index)


def _followed(index: Ref) -> set[int]:
    """The dimensions of its space along which an index really changes."""
    found: set[int] = set()
    done: set[tuple[Node, Access]] = set()
    waiting = [index]
    while waiting:
        ref = waiting.pop()
        if (ref.node, ref.access) in done:
            continue
        done.add((ref.node, ref.access))
        if isinstance(ref.node, Pointwise):
            waiting += [inner.through(ref.access, ref.shape) for inner in ref.node.inputs]
        else:
            found |= {dim for dim in ref.access if dim is not None and ref.shape[dim] > 1}
    return found


@dataclass
class _Narrowed:
    """An index without the dimensions along which it does not change."""

    where: Mapping[int, int]
    """The new dimension for each that stays."""
    shape: Shape
    """The extents of those that stay."""
    made: dict[tuple[Node, Access], Ref] = field(default_factory=dict[tuple[Node, Access], Ref])

    def ref(self, ref: Ref) -> Ref:
        """A tensor as seen from the smaller space."""
        key = ref.node, ref.access
        if key not in self.made:
            self.made[key] = self._made(ref)
        return self.made[key]

    def _made(self, ref: Ref) -> Ref:
        node = ref.node
        gone = {dim for dim in ref.access if dim not in self.where}
        if not isinstance(node, Pointwise) or all(d is None or ref.shape[d] == 1 for d in gone):
            access = [None if dim is None else self.where.get(dim) for dim in ref.access]
            return Ref(node, tuple(access), self.shape)
        inputs = tuple(self.ref(inner.through(ref.access, ref.shape)) for inner in node.inputs)
        return Ref.to(Pointwise(self.shape, node.type, node.op, inputs))
