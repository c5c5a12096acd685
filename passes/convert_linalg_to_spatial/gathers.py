"""Loads rows of a table that an index names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineExpr

from spatial_dialect.dialects.spatial import LoadOp
from spatial_dialect.ir.addresses import address_attr, linear_form

from .clusters import Dims
from .indices import shifted
from .programs import Page, Program
from .scalars import NotUnderstood, attribute_of
from .spaces import Space
from .tensors import Gather, Node, Ref
from .views import View, placed, view_of


def columns_of(gather: Gather, known: Mapping[Node, View]) -> View:
    """What a gather takes of its table, as a view of its own dimensions: columns of one row.

    Raises:
        NotUnderstood: the table is not in memory.
    """
    table = _table(gather, known)
    strides = (*(0 for _ in gather.index.shape), table.strides[-1])
    return View(table.base, table.offset, strides, gather.shape)


def _table(gather: Gather, known: Mapping[Node, View]) -> View:
    view = view_of(gather.table, known)
    if view is None:
        raise NotUnderstood("it takes rows of a table that is not in memory as a program reads it")
    return view


def loaded(
    program: Program, gather: Gather, dims: Dims, page_of: Callable[[Ref, Dims], Page]
) -> Page:
    """Load the rows of a table that an index names.

    Args:
        program: the program, whose rows and columns are those of the page.
        gather: the rows.
        dims: their dimensions in the cluster.
        page_of: makes the page of an index, given its dimensions in the cluster.

    Raises:
        NotUnderstood: pages of the program do not hold whole rows of the table.
        NoPlace: tiles cannot reach the columns of the table.
    """
    space = program.space
    *along, column = dims
    marks = tuple(sorted(program.mark.items()))
    key = (gather, dims, space.row, space.col, marks)
    if key in program.loads:
        return program.loads[key]
    changes = {space.group_of(dim) for dim in along} - {None, *space.digits}
    tile = program.target.tile
    turned = _is_turned(space, changes, space.group_of(column), may_turn=tile[0] == tile[1])
    down = space.col if turned else space.row
    table = _table(gather, program.known)
    # The index counts rows one by one: tiles of one row.
    place = placed(table, 0, 1, {}, (1, tile[1]))
    first, start = place.address
    index = shifted(gather.index, linear_form(first)[1])
    program.space = replace(space, row=None, col=down if changes else None)
    index_page = page_of(index, tuple(along))
    program.space = space
    rows, cols = bool(changes), column is not None
    if turned:
        rows, cols = cols, rows
    extents = program.extents(rows, cols)
    name = program.label(table.base)
    tensor = program.argument(table.base, place.shape, name)
    buffer = program.buffer("rows", extents, gather.type)
    # The rows are cut where the index is.
    address = program.marked(
        [AffineExpr.constant(0), start],
        turned,
        (rows and turned, cols and not turned),
        (space.row, space.col),
        extents,
    )
    # An index beyond the end names any row, perhaps none of the table.
    count = space.sizes[down] if changes and down is not None else 1
    beyond = count % tile[1 if turned else 0] != 0
    properties: dict[str, Attribute | None] = {
        "rows": UnitAttr(),
        "transpose": UnitAttr() if turned else None,
        "pad": attribute_of(0, gather.type) if beyond or place.hangs_over else None,
    }
    load = LoadOp(
        tensor, address_attr(address), buffer, index=index_page.buffer, properties=properties
    )
    program.named(load, f"gather_{name}")
    page = program.loads[key] = Page(buffer, rows, cols)
    return page


def _is_turned(
    space: Space, changes: set[int | None], column: int | None, *, may_turn: bool
) -> bool:
    """Whether rows of the table become columns of a page.

    Args:
        space: the dimensions of the program.
        changes: the groups, apart from those that choose a matrix, along which the row changes.
        column: the group along the columns of the table.
        may_turn: whether tiles can be transposed.
    """
    if changes <= {space.row} and column in (None, space.col):
        return False
    if may_turn and changes <= {space.col} and column in (None, space.row):
        return True
    raise NotUnderstood("the rows that it takes of a table do not lie along rows of a page")
