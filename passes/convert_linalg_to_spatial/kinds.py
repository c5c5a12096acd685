"""The kinds of programs: products, reductions of rows, and what is elementwise throughout."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import inf

from xdsl.dialects import arith
from xdsl.dialects.builtin import UnitAttr, f32, i1, i32
from xdsl.ir import Attribute, Block, Region, SSAValue

from spatial_dialect.analysis.costs import page_bytes
from spatial_dialect.dialects.spatial import (
    MapOp,
    MatmulOp,
    ReduceOp,
    YieldOp,
    compute_type,
)
from spatial_dialect.ir.attributes import PageAxis, PageAxisAttr, ReductionAttr
from spatial_dialect.ir.attributes import Reduction as ReductionKind
from spatial_dialect.ir.types import BufferType, element_bits, is_float
from spatial_dialect.targets import Target

from .clusters import Cluster, Dims, Graph, factors_of, followed, grown
from .gathers import columns_of
from .maps import Maps
from .programs import SUMS, Page, Program
from .scalars import NotUnderstood, combiner, in_code, number, number_in_code
from .spaces import Space, grouped
from .tensors import (
    Gather,
    Kind,
    Node,
    Pointwise,
    Position,
    Reduction,
    Ref,
    Shape,
    Splat,
    reshaped,
)
from .views import View, view_of, whole


@dataclass(frozen=True)
class Setting:
    """What all programs of a function share."""

    target: Target
    accumulate_wide: bool
    """Whether products of 16-bit floats are summed in f32."""
    labels: Mapping[Node, str] = field(default_factory=dict[Node, str])
    """What the function calls its tensors."""


@dataclass(frozen=True)
class Made:
    """A program, and where its result lies in the tensor that it makes."""

    program: Program
    output: Node
    layout: View
    start: Ref | None = None
    """What the tensor holds before, if the program does not write all of it."""


################################################################################
# What all kinds share                                                         #
################################################################################


def own_dims(node: Node) -> Dims:
    """The dimensions of a node as those of its cluster."""
    return dims_of(node.shape)


def dims_of(shape: Shape) -> Dims:
    """The dimensions of a shape; those of extent 1 do not count."""
    return tuple(None if size == 1 else dim for dim, size in enumerate(shape))


def composed(ref: Ref, dims: Dims) -> Dims:
    """The dimensions of a node that is seen from a space of these."""
    return tuple(None if dim is None else dims[dim] for dim in ref.access)


def layout_of(node: Node, graph: Graph) -> View:
    """How a result lies in memory: in the order in which it is seen first."""
    ref = graph.wanted[node]
    places = [dim if place is None else place for dim, place in enumerate(ref.access)]
    return whole(node, sorted(range(len(places)), key=places.__getitem__))


def leaves(
    tops: list[tuple[Node, Dims]],
    members: Mapping[Node, Dims],
    inner: Shape,
    known: Mapping[Node, View],
) -> list[View]:
    """All tensors in DRAM that nodes are made of, as views of the dimensions of their cluster.

    Raises:
        NotUnderstood: something they are made of is no such tensor.
    """
    found: list[View] = []
    waiting = list(tops)
    done: set[tuple[Node, Dims]] = set()
    while waiting:
        node, dims = waiting.pop()
        if (node, dims) in done or isinstance(node, Splat):
            continue
        done.add((node, dims))
        view = view_of(Ref.to(node), known)
        if view is not None and node not in members:
            found.append(view.through(dims, inner))
        elif isinstance(node, Pointwise):
            waiting += [(ref.node, composed(ref, dims)) for ref in node.inputs]
        elif isinstance(node, Reduction) and node in members:
            waiting.append((node.input.node, composed(node.input, space_dims(node, dims, inner))))
        elif isinstance(node, Gather):
            found.append(columns_of(node, known).through(dims, inner))
            waiting.append((node.index.node, composed(node.index, dims[:-1])))
        else:
            raise NotUnderstood("it uses a tensor that is not in memory as a program can read it")
    return found


def space_dims(node: Reduction, dims: Dims, inner: Shape) -> Dims:
    """The dimensions of the space of a reduction, given those of the reduction.

    Those it reduces are the last of its cluster, as they are for the core.
    """
    count = len(node.input.shape) - len(node.shape)
    last = range(len(inner) - count, len(inner))
    return (*dims, *(None if inner[dim] == 1 else dim for dim in last))


def space_of(
    inner: Shape,
    classes: tuple[list[int], list[int], list[int], list[int]],
    views: list[View],
) -> tuple[Space, int | None]:
    """The space of a program: rows, columns, what is summed over, and what chooses the matrix.

    Args:
        inner: the extents of the dimensions of the cluster.
        classes: the dimensions of each of these four, outermost first.
        views: all tensors, as views of these dimensions.

    Returns:
        The space, and the group that is summed over.

    Raises:
        NotUnderstood: what is summed over does not follow in memory.
    """
    rows, cols, summed, others = grouped(inner, classes, views)
    if len(summed) > 1:
        raise NotUnderstood("the dimensions it sums over do not follow each other in memory")
    groups = [*rows, *cols, *summed, *others]
    # All but the last of the rows and the columns choose the matrix, like the others.
    choosing = [*rows[:-1], *cols[:-1], *others]
    return (
        Space(
            inner,
            tuple(groups),
            groups.index(rows[-1]) if rows else None,
            groups.index(cols[-1]) if cols else None,
            tuple(groups.index(group) for group in sorted(choosing)),
        ),
        groups.index(summed[0]) if summed else None,
    )


def full(space: Space) -> tuple[bool, bool]:
    """Whether pages have rows, and columns."""
    return space.row is not None, space.col is not None


################################################################################
# Elementwise throughout                                                       #
################################################################################


def elementwise(
    name: str, output: Node, graph: Graph, known: Mapping[Node, View], setting: Setting
) -> Made:
    """The program of a node that is made elementwise of tensors in DRAM."""
    dims = own_dims(output)
    layout = layout_of(output, graph)
    seen = layout.through(dims, output.shape)
    views = [*leaves([(output, dims)], {}, output.shape, known), seen]
    order = sorted((d for d in dims if d is not None), key=lambda d: -seen.strides[d])
    space, _ = space_of(output.shape, (order[:-1], order[-1:], [], []), views)
    program = Program(name, setting.target, known, space, setting.labels)
    maps = Maps(program, {})
    page = maps.page(*maps.seen(Ref.to(output), dims), type=output.type, full=full(space))
    program.store(page, space.seen(seen))
    return Made(program, output, layout)


################################################################################
# Products                                                                     #
################################################################################


def product_cluster(core: Reduction, graph: Graph) -> tuple[Cluster, dict[Node, Dims]]:
    """The elementwise operations on a product that become part of its program."""

    def joins(node: Node, members: Mapping[Node, Dims]) -> Dims | None:
        found = followed(node, members)
        if not isinstance(node, Pointwise) or found is None:
            return None
        dims = tuple(found.get(d) if size > 1 else None for d, size in enumerate(node.shape))
        complete = sorted(d for d in dims if d is not None) == sorted(
            d for d in own_dims(core) if d is not None
        )
        return dims if complete else None

    return grown(core, graph, joins, own_dims(core))


def product(
    name: str,
    core: Reduction,
    cluster: Cluster,
    members: dict[Node, Dims],
    graph: Graph,
    known: Mapping[Node, View],
    setting: Setting,
) -> Made:
    """The program of a product and what is elementwise behind it."""
    factors = factors_of(core)
    assert factors is not None
    inner = core.input.shape
    space_own = dims_of(inner)
    output = cluster.output
    layout = layout_of(output, graph)
    seen = layout.through(members[output], inner)
    operands = [(ref.node, composed(ref, space_own)) for ref in factors]
    used = [{dim for dim in dims if dim is not None} for _, dims in operands]
    order = sorted((d for d in own_dims(core) if d is not None), key=lambda d: -seen.strides[d])
    if order and order[-1] in used[0] - used[1]:
        # What changes fastest in the result goes along the columns.
        operands.reverse()
        used.reverse()
    if any(dim not in used[0] | used[1] for dim in order):
        raise NotUnderstood("its result has a dimension that no factor has")
    tops = [*operands, (output, members[output])]
    views = [*leaves(tops, {**members, core: own_dims(core)}, inner, known), seen]
    space, summed = space_of(
        inner,
        (
            [dim for dim in order if dim not in used[1]],
            [dim for dim in order if dim not in used[0]],
            [dim for dim in core.reduced],
            [dim for dim in order if dim in used[0] & used[1]],
        ),
        views,
    )
    program = Program(name, setting.target, known, space, setting.labels)
    left = factor(program, *operands[0], row=space.row, col=summed)
    right = factor(program, *operands[1], row=summed, col=space.col)
    program.space = space
    maps = Maps(program, members)
    done, done_dims = maps.seen(Ref.to(output), members[output])
    # The product itself can have the type of the result, if nothing is computed with it.
    type = output.type if done is core else core.type
    page = Page(
        program.buffer(program.label(core), program.extents(*full(space)), type), *full(space)
    )
    narrow = is_float(type) and element_bits(type) <= 16
    wide = f32 if narrow and setting.accumulate_wide else None
    program.named(MatmulOp(left, right, page.buffer, properties={"acc": wide}), "product")
    maps.pages[core, own_dims(core)] = page
    result = maps.page(done, done_dims, type=output.type, full=full(space))
    program.store(result, space.seen(seen))
    return Made(program, output, layout)


def factor(
    program: Program, node: Node, dims: Dims, *, row: int | None, col: int | None
) -> SSAValue:
    """The page of a factor, of which the columns or the rows are summed over."""
    program.space = replace(program.space, row=row, col=col)
    maps = Maps(program, {})
    moves = (row is not None, col is not None)
    return maps.page(*maps.seen(Ref(node, own_access(node), node.shape), dims), full=moves).buffer


def own_access(node: Node) -> tuple[int, ...]:
    """Every dimension of a node as itself."""
    return tuple(range(len(node.shape)))


################################################################################
# Reductions of rows                                                           #
################################################################################


def is_long(core: Reduction, setting: Setting) -> bool:
    """Whether a row that is reduced is too long for a page that is computed.

    Its page has to fit the accumulators, and local memory several times: two of what is read, two
    of what is stored, and some in between.
    """
    elements = 1
    for dim in core.reduced:
        elements *= core.input.shape[dim]
    wide = is_float(core.type) and element_bits(core.type) > 16
    target = setting.target
    room = target.acc_tiles_32 if wide or not is_float(core.type) else target.acc_tiles_16
    tiles = -(-elements // target.tile[1])
    row = page_bytes(BufferType.of(1, tiles, core.type), target)
    return tiles > room or PAGES_OF_A_CHAIN * row > target.usable_bytes


PAGES_OF_A_CHAIN = 8
"""About so many pages as long as a row a program holds at a time."""


def rows_cluster(
    core: Reduction, graph: Graph, setting: Setting
) -> tuple[Cluster, dict[Node, Dims]]:
    """What becomes part of the program of a reduction of rows.

    Further reductions of the same rows, if a row fits a page.
    """
    long = is_long(core, setting)
    inner = core.input.shape
    across = [dim for dim in core.reduced if inner[dim] > 1]
    along = {dim for dim in own_dims(core) if dim is not None}

    def joins(node: Node, members: Mapping[Node, Dims]) -> Dims | None:
        found = followed(node, members)
        if found is None:
            return None
        if isinstance(node, Reduction):
            last = {d for d in node.reduced if node.input.shape[d] > 1}
            same = [found.get(d) for d in sorted(last)] == across
            rest = {d for d, size in enumerate(node.shape) if size > 1}
            fits = same and {found.get(d) for d in rest} == along and factors_of(node) is None
            fits = fits and len(node.reduced) == len(core.reduced)
            return _dims(node.shape, found) if fits and not long else None
        if not isinstance(node, Pointwise):
            return None
        new = [d for d, size in enumerate(node.shape) if size > 1 and d not in found]
        if new:
            if [node.shape[d] for d in new] != [inner[d] for d in across]:
                return None
            found.update(zip(new, across, strict=True))
        dims = _dims(node.shape, found)
        complete = along <= set(dims) or not along
        return (
            dims
            if complete and len(set(dims) - {None}) == sum(d is not None for d in dims)
            else None
        )

    def prefer(node: Node, dims: Mapping[Node, Dims], folds: bool) -> bool:
        # If rows are gone over once more, what is passed on is a number for each row.
        return not folds or not set(across) & set(dims[node])

    return grown(core, graph, joins, own_dims(core), prefer)


def _dims(shape: Shape, found: Mapping[int, int]) -> Dims:
    return tuple(found.get(d) if size > 1 else None for d, size in enumerate(shape))


def rows(
    name: str,
    core: Reduction,
    cluster: Cluster,
    members: dict[Node, Dims],
    graph: Graph,
    known: Mapping[Node, View],
    setting: Setting,
) -> Made:
    """The program of reductions of rows and what is elementwise around them."""
    inner = core.input.shape
    output = cluster.output
    layout = layout_of(output, graph)
    seen = layout.through(members[output], inner)
    inside = {node: dims for node, dims in members.items() if node in cluster.members}
    reductions = [node for node in inside if isinstance(node, Reduction)]
    views = [*leaves([(output, members[output])], inside, inner, known), seen]
    order = [d for d in own_dims(core) if d is not None]
    space, col = space_of(inner, (order, [], list(core.reduced), []), views)
    space = replace(space, col=col)
    program = Program(name, setting.target, known, space, setting.labels)
    maps = Maps(program, inside)
    inputs = [(node.input, space_dims(node, inside[node], inner), node) for node in reductions]
    if is_long(core, setting):
        _fold(maps, inputs[0][0], inputs[0][1], core)
    else:
        tops = [maps.seen(ref, dims) for ref, dims, _ in inputs]
        maps.share([*tops, maps.seen(Ref.to(output), members[output])])
        for ref, dims, node in inputs:
            page = _reduced(maps, ref, dims, node, program.label(node))
            maps.pages[node, inside[node]] = page
    wanted = (space.row is not None, col is not None and _has(members[output], space, col))
    done, dims = maps.seen(Ref.to(output), members[output])
    page = maps.page(done, dims, type=output.type, full=wanted)
    if isinstance(done, Reduction) and is_long(core, setting) and page is maps.pages[done, dims]:
        # A carry is not stored itself.
        page = maps.map(done, dims, type=output.type, full=wanted)
    program.store(page, space.seen(seen))
    return Made(program, output, layout)


def _has(dims: Dims, space: Space, group: int) -> bool:
    return any(space.group_of(dim) == group for dim in dims)


def _reduced(maps: Maps, ref: Ref, dims: Dims, node: Reduction, name: str) -> Page:
    """A stage that reduces the columns of what a reduction reads."""
    program = maps.program
    page = _input(maps, ref, dims, node.kind)
    rows = program.space.row is not None
    type = f32 if is_float(node.type) else i32
    if not is_float(node.type) and node.type != i32:
        raise NotUnderstood(f"it reduces {node.type}, but sites compute in i32")
    buffer = program.buffer(name, program.extents(rows, False), type)
    program.named(
        ReduceOp(
            ReductionAttr(ReductionKind(node.kind)),
            PageAxisAttr(PageAxis.COLS),
            page.buffer,
            buffer,
        ),
        name,
    )
    return Page(buffer, rows, False)


def _input(maps: Maps, ref: Ref, dims: Dims, kind: Kind) -> Page:
    """The page that a reduction reads: what lies beyond the end of a row does not count."""
    space = maps.program.space
    wanted = full(space)
    node, inner = maps.seen(ref, dims)
    length = 1 if space.col is None else space.sizes[space.col]
    if space.col is None or length % maps.program.target.tile[1] == 0:
        return maps.page(node, inner, full=wanted)
    loaded = not isinstance(node, Pointwise | Gather | Splat) and (node, inner) not in maps.pages
    if loaded and kind == "add" and maps.moves(node, inner)[1]:
        # Loads pad with 0.
        return maps.page(node, inner, full=wanted)
    type = node.type if is_float(node.type) else i32
    return maps.page(masked(ref, type, dims, space, kind), dims, full=wanted)


def masked(ref: Ref, type: Attribute, dims: Dims, space: Space, kind: Kind) -> Node:
    """What is reduced, with a number that does not count beyond the end of a row."""
    assert space.col is not None
    group, length = space.groups[space.col], space.sizes[space.col]
    shape = ref.shape
    count = reshaped(Ref.to(Position((length,), i32)), tuple(space.inner[dim] for dim in group))
    position = count.through([dims.index(dim) for dim in group], shape)
    end = Ref(number(length, i32), (), shape)
    left, right = Block(arg_types=(i32, i32)).args
    inside = Pointwise(shape, i1, arith.CmpiOp(left, right, "slt"), (position, end))
    rest = Ref(_neutral(kind, type), (), shape)
    bit, left, right = Block(arg_types=(i1, type, type)).args
    chosen = arith.SelectOp(bit, left, right)
    return Pointwise(shape, type, chosen, (Ref.to(inside), ref, rest))


def _neutral(kind: Kind, type: Attribute) -> Splat:
    if is_float(type):
        numbers: dict[Kind, float] = {"add": 0.0, "max": -inf, "min": inf}
        return number(numbers[kind], f32)
    whole_numbers: dict[Kind, int] = {"add": 0, "max": -(2**31), "min": 2**31 - 1}
    return number(whole_numbers[kind], i32)


def _fold(maps: Maps, ref: Ref, dims: Dims, core: Reduction) -> None:
    """A reduction over blocks of the columns, with a carry; what is behind goes over them again."""
    program = maps.program
    space = program.space
    assert space.col is not None
    program.mark = {space.col: "k"}
    body = Maps(program, {})
    block = _reduced(body, ref, dims, core, f"block_{SUMS[core.kind]}")
    type = f32 if is_float(core.type) else i32
    carry = program.buffer(program.label(core), program.extents(block.rows, False), type)
    start = Block()
    least = number_in_code(_neutral(core.kind, type))
    start.add_ops([least, YieldOp(least.result)])
    program.named(MapOp([], carry, Region(start)), "start")
    wanted = compute_type(type)
    code = Block(arg_types=(wanted, wanted))
    op = in_code(combiner(core.kind, wanted), list(code.args))
    code.add_ops([op, YieldOp(op.results[0])])
    program.named(
        MapOp([carry, block.buffer], carry, Region(code), properties={"update": UnitAttr()}),
        "combine",
    )
    maps.pages[core, own_dims(core)] = Page(carry, block.rows, False)
    program.mark = {space.col: "w"}
