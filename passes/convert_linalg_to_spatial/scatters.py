"""Writes rows where an index names them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from xdsl.dialects.builtin import UnitAttr

from spatial_dialect.dialects.spatial import StoreOp
from spatial_dialect.ir.addresses import address_attr

from .kinds import Made, Setting, composed, dims_of, full, leaves, space_of
from .maps import Maps
from .programs import Program
from .tensors import Node, Scatter
from .views import View, placed, whole


def scatter(name: str, node: Scatter, known: Mapping[Node, View], setting: Setting) -> Made:
    """The program that writes rows where an index says.

    An index outside of the tensor is for no row, and so is what lies behind the last index.
    """
    dims = dims_of(node.rows.shape)
    shape = node.rows.shape
    layout = whole(node)
    top = (node.rows.node, composed(node.rows, dims))
    index = (node.index.node, composed(node.index, dims[:1]))
    views = leaves([top, index], {}, shape, known)
    space, _ = space_of(shape, ([0], [1], [], []), views)
    program = Program(name, setting.target, known, space, setting.labels)
    maps = Maps(program, {})
    page = maps.page(*maps.seen(node.rows, dims), type=node.type, full=full(space))
    program.space = replace(space, row=None, col=space.row)
    indices = program.load(*index, pad=-1)
    program.space = space
    place = placed(layout, 0, 1, {}, (1, setting.target.tile[1]))
    store = StoreOp(
        page.buffer,
        program.output(node, place.shape),
        address_attr(place.address),
        index=indices.buffer,
        properties={"rows": UnitAttr()},
    )
    program.pad_loads()
    program.named(store, "scatter")
    return Made(program, node, layout, node.start)
