"""Writes a distribution into a program: addresses, sites, padding and multicasts."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from xdsl.dialects.builtin import (
    AnyFloat,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    f32,
    i32,
)
from xdsl.rewriter import InsertPoint, Rewriter

from spatial_dialect.analysis.dataflow import Dataflow
from spatial_dialect.analysis.item_digits import Digit, addressed, digits_in, in_digits, with_values
from spatial_dialect.dialects.spatial import (
    BufferOp,
    GroupOp,
    LoadOp,
    ProgramOp,
    RecvOp,
    StageOp,
    StoreOp,
    TripOp,
    page_type,
    tensor_type,
)
from spatial_dialect.ir.addresses import Bounds, address_attr, bounds, used_names
from spatial_dialect.ir.attributes import Axis, LoopsAttr, SitesAttr
from spatial_dialect.ir.loops import LOOP_NAMES, Extent
from spatial_dialect.ir.sites import Rect, Sites
from spatial_dialect.ir.types import is_float
from spatial_dialect.targets import Target

from .distribution import UNKNOWN, Distribution


def hanging_digits(
    program: ProgramOp, digits: Sequence[Digit], machine: Target, flow: Dataflow
) -> frozenset[int]:
    """The digits that sites may have values of beyond the end.

    All that is stored for such a value lies outside the tensor, where a store clips it because some
    load upstream pads. A run-time trip has no such value.
    """
    stores = [stage for stage in flow.stages if isinstance(stage, StoreOp)]
    fed = flow.fed_by(stage for stage in flow.stages if isinstance(stage, LoadOp))
    if not fed.issuperset(stores):
        return frozenset()
    counted = frozenset[int]().union(
        *(digits_in(at, digits) for op, at in addressed(program) if isinstance(op, TripOp))
    )
    ranges: dict[str, Bounds] = {name: (0, program.loop_nest[name].size - 1) for name in LOOP_NAMES}
    ranges["ind"] = UNKNOWN
    # A share of digits reaches less than its own size beyond the end.
    ranges |= {f"s{number}": (0, 2 * digit.extent) for number, digit in enumerate(digits)}

    def ends(number: int) -> bool:
        beyond = {**ranges, f"s{number}": (digits[number].extent, 2 * digits[number].extent)}
        return all(_starts_outside(store, digits, beyond, machine) for store in stores)

    return frozenset(n for n in range(len(digits)) if n not in counted and ends(n))


def _starts_outside(
    store: StoreOp, digits: Sequence[Digit], ranges: Mapping[str, Bounds], machine: Target
) -> bool:
    """Whether every page starts behind the end of its tensor, in one and the same dimension."""
    shape, results = tensor_type(store.tensor).get_shape(), store.address.data.results
    units = (1,) * (len(shape) - 2) + machine.tile
    return any(
        bounds(in_digits(expr, digits), ranges)[0] * unit >= size
        for dim, (expr, size, unit) in enumerate(zip(results, shape, units, strict=True))
        if store.rows is None or dim != len(shape) - 2
    )


def place(program: ProgramOp, distribution: Distribution, *, multicast: bool) -> None:
    """Gives each site its items; a page that several sites read is sent on if it may be.

    The program has its target and its grid already, and stages on no engine yet, or on a given one.
    """
    flow = Dataflow.of(program)
    loops = replace(program.loop_nest, i=Extent(distribution.items))
    program.loops = LoopsAttr(loops)
    digits, ranges = distribution.digits, distribution.ranges(loops)
    hanging: list[LoadOp] = []
    for op, address in addressed(program):
        if isinstance(op, LoadOp) and digits_in(address, digits) & distribution.hanging:
            hanging.append(op)
        inner = [in_digits(expr, digits) for expr in address.results]
        op.address = address_attr(
            [with_values(expr, distribution.values, ranges) for expr in inner]
        )
    if distribution.hanging:
        _pad(program, hanging, flow)
    where = dict.fromkeys(flow.stages, distribution.sites)
    shared = _shared(program, flow, where) if multicast else []
    grid = program.grid_sites_or_fail
    for stage, sites in where.items():
        stage.at = None if sites == grid else SitesAttr(sites)
    _send(program, shared)


################################################################################
# Padding                                                                      #
################################################################################


def _pad(program: ProgramOp, hanging: Iterable[LoadOp], flow: Dataflow) -> None:
    """Lets loads read beyond the end, and sees to it that every store clips what is there."""
    for load in hanging:
        _pad_load(load)
    for store in flow.stages:
        if not isinstance(store, StoreOp):
            continue
        loads = [load for load in flow.stages if isinstance(load, LoadOp)]
        feeding = [load for load in loads if store in flow.fed_by((load,))]
        if all(load.pad is None for load in feeding):
            _pad_load(feeding[0])


def _pad_load(load: LoadOp) -> None:
    if load.pad is not None:
        return
    type = page_type(load.buffer).element_type
    if is_float(type):
        load.pad = FloatAttr(0.0, type if isinstance(type, AnyFloat) else f32)
    else:
        load.pad = IntegerAttr(0, cast(IntegerType, type))


################################################################################
# Multicasts                                                                   #
################################################################################


@dataclass(frozen=True, slots=True)
class _Shared:
    """A load whose pages the first sites that want them send to the others."""

    load: LoadOp
    axis: Axis
    senders: Sites
    receivers: Sites


def _shared(program: ProgramOp, flow: Dataflow, where: dict[StageOp, Sites]) -> list[_Shared]:
    """The loads whose pages are wanted by several sites alike, in textual order.

    Says in `where` on which sites a load is left.
    """
    differs = _differences(program, flow)
    found: list[_Shared] = []
    # An index page is wanted where the load that reads it is left: who reads comes first.
    for load in reversed(flow.flow_order):
        if not isinstance(load, LoadOp):
            continue
        readers = flow.readers[load.buffer]
        wanted = Sites.of(rect for reader in readers for rect in where[reader].rects)
        where[load] = wanted
        makers = flow.makers[load.index] if load.index is not None else ()
        # What computes an index does so on all sites, so it must be read on all of them.
        if not wanted.is_rectangle or not all(isinstance(maker, LoadOp) for maker in makers):
            continue
        r = wanted.bounding
        over_rows = r.y1 - r.y0 > 1 and "y" not in differs[load]
        over_cols = r.x1 - r.x0 > 1 and "x" not in differs[load]
        if over_rows or over_cols:
            first = Rect(
                r.y0, r.y0 + 1 if over_rows else r.y1, r.x0, r.x0 + 1 if over_cols else r.x1
            )
            axis = Axis.YX if over_rows and over_cols else Axis.Y if over_rows else Axis.X
            where[load] = Sites.of((first,))
            found.append(_Shared(load, axis, where[load], wanted - where[load]))
    return sorted(found, key=lambda shared: flow.stages.index(shared.load))


def _differences(program: ProgramOp, flow: Dataflow) -> dict[StageOp, frozenset[str]]:
    """The axes along which the pages of a stage differ, or how many of them there are."""
    sites = {"y", "x"}
    trips = frozenset[str]().union(
        *(
            used_names(address) & sites
            for op, address in addressed(program)
            if isinstance(op, TripOp)
        )
    )
    differs: dict[StageOp, frozenset[str]] = {}
    for stage in flow.flow_order:
        own = trips.union(*(differs[source] for source in flow.page_sources(stage)))
        if isinstance(stage, LoadOp):
            own |= used_names(stage.address.data) & sites
        differs[stage] = own
    return differs


_NAMES: Mapping[Axis, str] = {Axis.X: "row", Axis.Y: "column", Axis.YX: "sites"}
"""What a sender and its receivers are together."""


def _send(program: ProgramOp, shared: Iterable[_Shared]) -> None:
    """Adds the groups, and the stages that receive."""
    block = program.body.block
    top = next(op for op in block.ops if not isinstance(op, BufferOp | GroupOp))
    taken = {stage.sym_name.data for stage in program.stages if stage.sym_name is not None}
    grid = program.grid_sites_or_fail
    for each in shared:
        load = each.load
        # The receivers of a rectangle of sites are called by it: a sender skips itself.
        receivers = each.senders | each.receivers if each.axis is Axis.YX else each.receivers
        op = GroupOp(each.senders, receivers, each.axis)
        op.location = load.location
        base = load.buffer.name_hint
        op.group.name_hint = _NAMES[each.axis] if base is None else f"{base}_{_NAMES[each.axis]}"
        Rewriter.insert_op(op, InsertPoint.before(top))
        # Operands of an op that are optional can be set together only.
        load.operands = [
            o for o in (load.tensor, load.buffer, op.group, load.index) if o is not None
        ]
        segments = [1, 1, 1, int(load.index is not None)]
        load.properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, segments)
        at = None if each.receivers == grid else SitesAttr(each.receivers)
        name = None
        if load.sym_name is not None:
            name = StringAttr(_receiver_name(load.sym_name.data, taken))
            taken.add(name.data)
        recv = RecvOp(op.group, load.buffer, properties={"sym_name": name, "at": at})
        recv.engine = load.engine
        recv.location = load.location
        Rewriter.insert_op(recv, InsertPoint.after(load))


def _receiver_name(load: str, taken: Container[str]) -> str:
    """`recv_a` for `load_a`."""
    base = f"recv_{load.removeprefix('load_')}"
    name, number = base, 0
    while name in taken:
        number += 1
        name = f"{base}_{number}"
    return name
