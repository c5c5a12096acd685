"""Where the pages of loads and stores lie in their tensors: inside, and no two stores in one tile.

An address is looked at over ranges of its dimensions, a rectangle of sites at a time. What affine
reasoning cannot decide is tried out if there are few points, else it is left undecided: a program
is refused only for a point at which it is wrong, and the user is warned of what stays open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product

from xdsl.dialects.builtin import MemRefType, TensorType
from xdsl.ir.affine import AffineExpr

from spatial_dialect.analysis.dataflow import Dataflow
from spatial_dialect.analysis.domains import NOTHING, Domains
from spatial_dialect.analysis.store_overlaps import check_overlaps
from spatial_dialect.dialects.spatial import (
    LoadOp,
    ProgramOp,
    StageOp,
    StoreOp,
    TripOp,
    page_type,
)
from spatial_dialect.ir.addresses import DIMENSIONS, Bounds, bounds, expression_text, used_loops
from spatial_dialect.ir.diagnostics import Findings, value_name
from spatial_dialect.ir.loops import LOOP_NAMES, PAGE_LOOPS, domain_text
from spatial_dialect.ir.sites import Rect, Sites

MOST_POINTS = 4096
"""So many points of an address are tried out where reasoning does not decide."""

MOST_TRIED = 32 * MOST_POINTS
"""So many points of all addresses of a program are tried out."""


def has_extents(program: ProgramOp) -> bool:
    """Whether the extents of the loops are known: those that are not named are 1 then."""
    return program.loops is not None or (program.grid is not None and program.target is not None)


def check_addresses(program: ProgramOp, flow: Dataflow, found: Domains, findings: Findings) -> None:
    """Check the addresses of all loads and stores of a program, and of its run-time trip."""
    check = _Inside(program, flow, findings)
    stores: list[StoreOp] = []
    padded: set[StageOp] | None = None
    for stage in flow.stages:
        if isinstance(stage, LoadOp) and stage.pad is None:
            check.page(stage)
        elif isinstance(stage, StoreOp):
            if padded is None:
                padded = _padded(flow)
            if stage not in padded:
                check.page(stage)
            if _check_store_domain(stage, found, findings):
                stores.append(stage)
    for op in program.body.block.ops:
        if isinstance(op, TripOp) and op.address is not None:
            check.trip(op)
    if program.grid is not None and has_extents(program):
        check_overlaps(flow, found, stores, findings)


def _check_store_domain(store: StoreOp, found: Domains, findings: Findings) -> bool:
    """A store takes one page for every point of the loops its address uses."""
    drained = found.buffer.get(store.buffer, NOTHING)
    used = used_loops(store.address.data)
    through = ""
    if store.index is not None:
        index_domain = found.buffer.get(store.index, NOTHING)
        if set(found.iterated(index_domain)) - used - drained:
            through = f" through {value_name(store.index)}"
        used |= index_domain
    wanted, have = found.iterated(used), found.iterated(drained)
    if extra := [name for name in wanted if name not in have]:
        name = value_name(store.buffer)
        findings.error(
            store,
            f"stores one page per {domain_text(wanted)}{through}, but {name} has one per "
            f"{domain_text(have)}: the pages do not depend on {', '.join(extra)}",
            hint=f"leave {', '.join(extra)} out of the address, or make {name} in these loops too",
        )
        return False
    return True


def _padded(flow: Dataflow) -> set[StageOp]:
    """The stages that a load with padding feeds, directly or through others."""
    return flow.fed_by(s for s in flow.stages if isinstance(s, LoadOp) and s.pad is not None)


################################################################################
# Inside the tensor                                                            #
################################################################################


class _Inside:
    """The check that pages lie inside their tensors."""

    def __init__(self, program: ProgramOp, flow: Dataflow, findings: Findings):
        self.flow, self.findings = flow, findings
        machine = program.machine
        self.tile = None if machine is None else machine.tile
        self.grid = program.grid_sites
        self.tried = 0
        self.loops: dict[str, Bounds] = {}
        if has_extents(program):
            nest = program.loop_nest
            self.loops = {name: (0, nest[name].size - 1) for name in LOOP_NAMES}
        if program.template is not None:
            # Pages are whole matrices: an address names a loop only to say that it will cut them.
            self.loops |= dict.fromkeys(PAGE_LOOPS, (0, 0))
        self._ranges: dict[Sites | None, tuple[Mapping[str, Bounds], ...]] = {}

    def ranges(self, sites: Sites | None) -> tuple[Mapping[str, Bounds], ...]:
        """The values of what is known of an address, a rectangle of sites at a time."""
        if (known := self._ranges.get(sites)) is None:
            if sites is None:
                known = (self.loops,)
            else:
                known = tuple({**self.loops, **site_ranges(rect)} for rect in sites.rects)
            self._ranges[sites] = known
        return known

    def page(self, stage: LoadOp | StoreOp) -> None:
        """All pages of a load or a store."""
        type = stage.tensor.type
        assert isinstance(type, MemRefType | TensorType)
        shape = type.get_shape()
        results = stage.address.data.results
        if len(results) != len(shape) or len(shape) < 2:
            return
        sites = None
        if stage.at is not None or self.grid is not None:
            sites = self.flow.sites[stage]
        tiled = len(shape) - 2
        for dim, (expr, size) in enumerate(zip(results, shape, strict=True)):
            extent, limit, unit = 1, size, "element"
            if dim >= tiled:
                if dim == tiled and stage.rows is not None:
                    continue
                extent = _page_extents(stage)[dim - tiled]
                unit = "whole tile"
                if self.tile is None:
                    limit = None
                else:
                    limit = size // self.tile[dim - tiled]
            self.dimension(stage, dim, expr, extent, limit, unit, size, sites)

    def dimension(
        self,
        stage: LoadOp | StoreOp | TripOp,
        dim: int,
        expr: AffineExpr,
        extent: int,
        limit: int | None,
        unit: str,
        size: int,
        sites: Sites | None,
    ) -> None:
        """One expression of an address: it is at least 0 and ends below the limit, if known."""
        names = [DIMENSIONS[position] for position in sorted(expr.used_dims())]
        for ranges in self.ranges(sites):
            if any(name not in ranges for name in names):
                return
            low, high = bounds(expr, ranges)
            if low >= 0 and (limit is None or high + extent <= limit):
                continue
            most = None if limit is None else limit - extent
            decided, witness = self.outside(expr, names, ranges, most)
            if decided and witness is None:
                continue
            tensor = value_name(stage.count if isinstance(stage, TripOp) else stage.tensor)
            room = "" if limit is None else f", but dimension {dim} has {limit} {unit}"
            if limit is not None and limit != 1:
                room += "s"
            if limit is not None and unit == "whole tile" and self.tile is not None:
                tile = self.tile[dim - (len(_shape(stage)) - 2)]
                if size % tile:
                    room += f" ({size} elements, tiles of {tile})"
            text = expression_text(expr)
            if witness is None:
                self.findings.warning(
                    stage,
                    f"could not decide whether `{text}` stays inside {tensor}: it lies between "
                    f"{low} and {high}{room}",
                    hint="write it without `mod`, `floordiv` and `ceildiv`, or check it yourself",
                )
                return
            point, value = witness
            problem = f"`{text}` is {value}"
            if point:
                problem += f" at {', '.join(f'{name} = {v}' for name, v in point.items())}"
            if value < 0:
                room = f", in front of dimension {dim}"
            elif extent > 1:
                problem += f" and the page ends at {value + extent - 1}"
            hint = "use a larger tensor, or an address with smaller steps"
            if isinstance(stage, LoadOp):
                hint += ", or `pad` what lies outside"
            elif isinstance(stage, StoreOp):
                hint += "; only what a load with `pad` has read may be stored outside"
            verb = "writes" if isinstance(stage, StoreOp) else "reads"
            self.findings.error(stage, f"{verb} outside {tensor}: {problem}{room}", hint=hint)
            return

    def outside(
        self, expr: AffineExpr, names: Sequence[str], ranges: Mapping[str, Bounds], most: int | None
    ) -> tuple[bool, tuple[Mapping[str, int], int] | None]:
        """Whether it could be decided if an expression leaves 0 to `most`, and where it does.

        The second part is a point and the value there, None if no such point was found.
        """
        points = 1
        for name in names:
            points *= ranges[name][1] - ranges[name][0] + 1
        corners = product(*(dict.fromkeys(ranges[name]) for name in names))
        few = points <= MOST_POINTS and self.tried + points <= MOST_TRIED
        every = product(*(range(ranges[n][0], ranges[n][1] + 1) for n in names)) if few else ()
        for values in (*corners, *every):
            value = evaluate(expr, names, values)
            if value < 0 or (most is not None and value > most):
                return True, (dict(zip(names, values, strict=True)), value)
        self.tried += points if few else 0
        return few, None

    def trip(self, trip: TripOp) -> None:
        """The element that a run-time trip is read from."""
        assert trip.address is not None
        shape, results = _shape(trip), trip.address.data.results
        if len(results) != len(shape):
            return
        sites = None
        if self.grid is not None:
            # A site without stages reads nothing.
            used = dict.fromkeys(self.flow.sites.values())
            sites = Sites.of(rect for each in used for rect in each.rects)
        for dim, (expr, size) in enumerate(zip(results, shape, strict=True)):
            self.dimension(trip, dim, expr, 1, size, "element", size, sites)


def _shape(op: LoadOp | StoreOp | TripOp) -> tuple[int, ...]:
    type = op.count.type if isinstance(op, TripOp) else op.tensor.type
    assert isinstance(type, MemRefType | TensorType)
    return type.get_shape()


def site_ranges(rect: Rect) -> dict[str, Bounds]:
    """The rows and columns of a rectangle as ranges of `y` and `x`."""
    return {"y": (rect.y0, rect.y1 - 1), "x": (rect.x0, rect.x1 - 1)}


def _page_extents(stage: LoadOp | StoreOp) -> tuple[int, int]:
    """Rows and columns of the tensor, in tiles, from the first to the last tile of a page."""
    rows, cols = page_type(stage.buffer).shape
    if isinstance(stage, StoreOp):
        return rows, cols
    row_step, col_step = (1, 1) if stage.strides is None else stage.strides.get_values()
    rows, cols = (rows - 1) * row_step + 1, (cols - 1) * col_step + 1
    return (rows, cols) if stage.transpose is None else (cols, rows)


def evaluate(expr: AffineExpr, names: Iterable[str], values: Iterable[int]) -> int:
    """The value of an expression at one point; dimensions that are not named are 0."""
    point = dict(zip(names, values, strict=True))
    return expr.eval([point.get(name, 0) for name in DIMENSIONS], [])
