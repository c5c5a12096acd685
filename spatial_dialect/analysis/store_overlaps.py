"""Whether stores write each tile once.

A store writes one page for every item, site and point of its loops. Its pages are disjoint if where
a page lies tells that point: take the dimension of the tensor and the loop with the largest step in
it. If the step is no smaller than what all other loops and the page itself can reach, the position
in this dimension tells the value of the loop, which then counts as known everywhere; and so on, as
the digits of a number with a mixed radix. Two stores whose addresses differ by constants are one
family with one more digit, which store it is.

What this does not decide is tried out if there are few points.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TypeAlias

from xdsl.ir import SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineExpr,
)

from spatial_dialect.analysis.dataflow import Dataflow
from spatial_dialect.analysis.domains import Domains
from spatial_dialect.analysis.stage_text import stage_text
from spatial_dialect.dialects.spatial import StoreOp, page_type
from spatial_dialect.ir.addresses import DIMENSIONS, Bounds, bounds, dimension, linear_form
from spatial_dialect.ir.diagnostics import Findings, value_name
from spatial_dialect.ir.loops import LOOP_NAMES
from spatial_dialect.ir.sites import Rect, Sites

MOST_POINTS = 4096
"""So many points of a store are tried out where reasoning does not decide."""

MOST_TRIED = 32 * MOST_POINTS
"""So many points of all stores of a program are tried out."""

_A_FEW = 3

MOST_PAIRS = 20_000
"""So many pairs of stores that may meet are looked at for one tensor."""

Point: TypeAlias = dict[str, int]
"""Values of the names that an address can use; those that are left out are 0."""

_WHICH = AffineExpr.symbol(0)
"""The digit that tells two stores of a family apart."""


def check_overlaps(
    flow: Dataflow, found: Domains, stores: Sequence[StoreOp], findings: Findings
) -> None:
    """Check that no two pages that the stores of a program write have a tile in common."""
    by_tensor: dict[SSAValue, list[_Store]] = {}
    for op in stores:
        store = _Store.of(op, flow, found)
        if store is not None:
            by_tensor.setdefault(op.tensor, []).append(store)
    check = _Overlaps(findings)
    for family in by_tensor.values():
        for store in family:
            check.alone(store)
        if len(family) > 1:
            check.pairs(family)


@dataclass(frozen=True)
class _Form:
    """A sum of atoms, dimensions or divisions, times constants, plus a constant."""

    terms: Mapping[AffineExpr, int]
    constant: int

    @staticmethod
    def of(expr: AffineExpr) -> _Form:
        return _Form(*linear_form(expr))


@dataclass(frozen=True, eq=False)
class _Store:
    """A store, the points at which it writes a page, and where."""

    op: StoreOp
    sites: Sites
    ranges: Mapping[str, Bounds]
    """The values of all names, of the sites those of the smallest rectangle around them."""
    addresses: Sequence[AffineExpr | None]
    """One expression for each dimension, None where an index page decides."""
    extents: Sequence[int]
    """Tiles, or elements, of a page in each dimension."""
    forms: Sequence[_Form | None] = field(init=False)

    def __post_init__(self) -> None:
        forms = [None if expr is None else _Form.of(expr) for expr in self.addresses]
        object.__setattr__(self, "forms", forms)

    @staticmethod
    def of(op: StoreOp, flow: Dataflow, found: Domains) -> _Store | None:
        """The store, None if its own verifier has to speak first."""
        results = op.address.data.results
        sites = flow.sites[op]
        if len(results) < 2 or not sites:
            return None
        around = sites.bounding
        iterated = {"i", *found.iterated(found.stage[op])}
        ranges: dict[str, Bounds] = {
            name: (0, found.loops[name].size - 1 if name in iterated else 0) for name in LOOP_NAMES
        }
        ranges["y"], ranges["x"] = (around.y0, around.y1 - 1), (around.x0, around.x1 - 1)
        index = len(DIMENSIONS) - 1
        addresses: list[AffineExpr | None] = [
            None if index in expr.used_dims() else expr for expr in results
        ]
        if op.rows is not None:
            addresses[-2] = None
        extents = [1] * (len(results) - 2) + list(page_type(op.buffer).shape)
        return _Store(op, sites, ranges, addresses, extents)

    @property
    def scatters(self) -> bool:
        """Whether an index page decides where some pages go."""
        return None in self.addresses

    @property
    def box(self) -> tuple[Bounds | None, ...]:
        """The tiles that the store writes lie between these, both included."""
        return tuple(_interval(e, n, self.ranges) for e, n in self._parts)

    @property
    def _parts(self) -> Iterator[tuple[AffineExpr | None, int]]:
        return zip(self.addresses, self.extents, strict=True)

    def page(self, point: Point) -> tuple[Bounds, ...]:
        """The tiles of the page of one point, between these, both included.

        ValueError if an index page decides.
        """
        values = [point.get(name, 0) for name in DIMENSIONS]
        result: list[Bounds] = []
        for expr, extent in self._parts:
            if expr is None:
                raise ValueError("an index page decides where the page goes")
            start = expr.eval(values, [])
            result.append((start, start + extent - 1))
        return tuple(result)

    @property
    def count(self) -> int:
        """The number of points."""
        count = self.sites.count
        for name in LOOP_NAMES:
            count *= self.ranges[name][1] + 1
        return count

    @property
    def tiles(self) -> int:
        """Tiles of a page."""
        count = 1
        for extent in self.extents:
            count *= extent
        return count

    @property
    def beginning(self) -> _Store:
        """The store at the first few points of each loop, and the first few sites."""
        r = self.sites.rects[0]
        rect = Rect(r.y0, min(r.y1, r.y0 + _A_FEW), r.x0, min(r.x1, r.x0 + _A_FEW))
        ranges: dict[str, Bounds] = {
            name: (low, min(high, low + _A_FEW - 1)) for name, (low, high) in self.ranges.items()
        }
        return replace(self, sites=Sites.of((rect,)), ranges=ranges)

    @property
    def points(self) -> Iterator[Point]:
        """All points."""
        loops = [range(self.ranges[name][1] + 1) for name in LOOP_NAMES]
        for rect in self.sites.rects:
            for y, x in product(range(rect.y0, rect.y1), range(rect.x0, rect.x1)):
                for values in product(*loops):
                    yield {"y": y, "x": x, **dict(zip(LOOP_NAMES, values, strict=True))}

    @property
    def corners(self) -> Iterator[Point]:
        """The points at the ends of all ranges, at the ends of the first and the last rectangle."""
        loops = [dict.fromkeys(self.ranges[name]) for name in LOOP_NAMES]
        for rect in dict.fromkeys((self.sites.rects[0], self.sites.rects[-1])):
            ys, xs = dict.fromkeys((rect.y0, rect.y1 - 1)), dict.fromkeys((rect.x0, rect.x1 - 1))
            for y, x, *values in product(ys, xs, *loops):
                yield {"y": y, "x": x, **dict(zip(LOOP_NAMES, values, strict=True))}

    def neighbours(self, name: str) -> tuple[Point, Point] | None:
        """Two points that differ in one name only, as little as possible."""
        first: Point = {n: low for n, (low, _) in self.ranges.items()}
        if name not in ("y", "x"):
            other = first | {name: first[name] + 1}
            first["y"], first["x"] = other["y"], other["x"] = self.sites.first
            return first, other
        rows = self.sites if name == "x" else self.sites.transpose()
        for y, _, columns in rows.slabs():
            low, high = columns[0]
            nxt = low + 1 if high > low + 1 else columns[1][0] if len(columns) > 1 else None
            if nxt is not None:
                ends = [{"y": y, "x": c} if name == "x" else {"y": c, "x": y} for c in (low, nxt)]
                return first | ends[0], first | ends[1]
        return None


def _interval(expr: AffineExpr | None, extent: int, ranges: Mapping[str, Bounds]) -> Bounds | None:
    if expr is None:
        return None
    low, high = bounds(expr, ranges)
    return low, high + extent - 1


@dataclass
class _Overlaps:
    """The check of one program."""

    findings: Findings
    tried: int = 0

    def may_try(self, *stores: _Store) -> bool:
        """Whether there are few enough points to try them all out."""
        count = sum(store.count for store in stores)
        if count > MOST_POINTS or any(s.count * s.tiles > 16 * MOST_POINTS for s in stores):
            return False
        self.tried += count
        return self.tried <= MOST_TRIED

    def collision(self, *stores: _Store) -> tuple[bool, tuple[Point, Point] | None]:
        """Whether trying out decides, and two points that write one tile, if some were found.

        Of what is too large to be tried out as a whole the first few points of each loop are.
        """
        if self.may_try(*stores):
            return True, _collision(*stores)
        beginnings = [store.beginning for store in stores]
        pair = _collision(*beginnings) if self.may_try(*beginnings) else None
        return pair is not None, pair

    def alone(self, store: _Store) -> None:
        """The pages of one store."""
        equations = [
            (form.terms, extent)
            for form, extent in zip(store.forms, store.extents, strict=True)
            if form is not None
        ]
        known = _determined(equations, store.ranges)
        open_names = [
            name
            for name, (low, high) in store.ranges.items()
            if low < high and dimension(name) not in known
        ]
        if not open_names:
            return
        # Along a diagonal, say, the row of a site tells its column.
        if len(open_names) == 1 and open_names[0] in ("y", "x"):
            if store.neighbours(open_names[0]) is None:
                return
        tensor = value_name(store.op.tensor)
        if store.scatters:
            self.findings.warning(
                store.op,
                f"could not decide whether two of its pages have a tile of {tensor} in common: an "
                "index page says where they go",
                hint="make sure that the indices differ",
            )
            return
        used = {DIMENSIONS[p] for e in store.addresses if e is not None for p in e.used_dims()}
        for name in open_names:
            pair = store.neighbours(name)
            if pair is not None and _meet(*(store.page(point) for point in pair)):
                if name not in used:
                    what = f"writes the same tiles of {tensor} for every {name}"
                    why = f"its address does not use {name}"
                    self.findings.error(
                        store.op, f"{what}: {why}", hint=f"use {name} in the address"
                    )
                else:
                    self.error(store, pair[0], store, pair[1])
                return
        decided, pair = self.collision(store)
        if pair is not None:
            self.error(store, pair[0], store, pair[1])
        if decided:
            return
        self.findings.warning(
            store.op,
            f"could not decide whether two of its pages have a tile of {tensor} in common",
            hint="write the address so that each loop steps over all that the loops with smaller "
            "steps write",
        )

    def error(self, one: _Store, point: Point, other: _Store, other_point: Point) -> None:
        """A tile is written twice."""
        tile = [
            max(a[0], b[0]) for a, b in zip(one.page(point), other.page(other_point), strict=True)
        ]
        where = f"tile [{', '.join(map(str, tile))}] of {value_name(one.op.tensor)}"
        if one is other:
            names = [n for n in DIMENSIONS if point.get(n, 0) != other_point.get(n, 0)]
            what = (
                f"writes {where} twice, at {_point_text(point, names)} and at "
                f"{_point_text(other_point, names)}"
            )
            hint = "let the address step over a whole page"
        else:
            what = f"writes {where}, which {stage_text(one.op)} writes too"
            hint = "let one stage write each tile"
        self.findings.error(other.op, what, hint=hint)

    def pairs(self, stores: Sequence[_Store]) -> None:
        """The pages of different stores to one tensor."""
        warned = False
        candidates = list(_candidates(stores, MOST_PAIRS + 1))
        for one, other in candidates[:MOST_PAIRS]:
            if _apart(one, other):
                continue
            decided = False
            if not one.scatters and not other.scatters:
                pair = next(
                    (
                        (p, q)
                        for p in one.corners
                        for q in other.corners
                        if _meet(one.page(p), other.page(q))
                    ),
                    None,
                )
                if pair is None:
                    decided, pair = self.collision(one, other)
                if pair is not None:
                    self.error(one, pair[0], other, pair[1])
                    return
            if not decided and not warned:
                warned = True
                self.findings.warning(
                    other.op,
                    f"could not decide whether it writes a tile of {value_name(other.op.tensor)} "
                    f"that {stage_text(one.op)} writes too",
                    hint="make sure that the two write different tiles",
                )
        if len(candidates) > MOST_PAIRS and not warned:
            self.findings.warning(
                stores[0].op,
                f"could not decide whether all {len(stores)} stores to "
                f"{value_name(stores[0].op.tensor)} write different tiles: too many of them are "
                "close to each other",
                hint="make sure that they do",
            )


def _point_text(point: Point, names: Iterable[str]) -> str:
    return ", ".join(f"{name} = {point.get(name, 0)}" for name in names)


def _determined(
    equations: Sequence[tuple[Mapping[AffineExpr, int], int]], ranges: Mapping[str, Bounds]
) -> set[AffineExpr]:
    """The atoms whose value any tile of a page tells.

    An equation is a sum of atoms, of which the tile tells all but what is below the extent.
    """
    known: set[AffineExpr] = set()
    pending = list(equations)
    widths: dict[AffineExpr, int] = {_WHICH: 1}

    def width(atom: AffineExpr) -> int:
        if atom not in widths:
            low, high = bounds(atom, ranges)
            widths[atom] = high - low
        return widths[atom]

    def is_known(atom: AffineExpr) -> bool:
        if atom in known:
            return True
        used = atom.used_dims()
        return bool(used) and all(AffineExpr.dimension(p) in known for p in used)

    progress = True
    while progress:
        progress = False
        for terms, extent in pending:
            rest = [(abs(c), atom) for atom, c in terms.items() if not is_known(atom)]
            rest.sort(key=lambda term: term[0])
            reach = extent + sum(c * width(atom) for c, atom in rest)
            while rest:
                step, atom = rest.pop()
                reach -= step * width(atom)
                if step < reach:
                    break
                known.add(atom)
                progress = True
        if progress:
            pending += _quotients(known)
    return known


def _quotients(known: set[AffineExpr]) -> list[tuple[Mapping[AffineExpr, int], int]]:
    """What is known of dividends whose quotient and remainder are."""
    found: list[tuple[Mapping[AffineExpr, int], int]] = []
    for atom in tuple(known):
        match atom:
            case AffineBinaryOpExpr(kind=AffineBinaryOpKind.FloorDiv, lhs=lhs, rhs=rhs):
                if AffineBinaryOpExpr(AffineBinaryOpKind.Mod, lhs, rhs) in known:
                    found.append((_Form.of(lhs).terms, 1))
            case _:
                pass
    return found


def _meet(one: Sequence[Bounds | None], other: Sequence[Bounds | None]) -> bool:
    """Whether two boxes have a tile in common; None is a whole dimension."""
    return all(
        a is None or b is None or (a[0] <= b[1] and b[0] <= a[1])
        for a, b in zip(one, other, strict=True)
    )


def _collision(*stores: _Store) -> tuple[Point, Point] | None:
    """Two points that write one tile, of two stores or of the only one."""
    owner: dict[tuple[int, ...], tuple[int, Point]] = {}
    for number, store in enumerate(stores):
        for point in store.points:
            spans = (range(low, high + 1) for low, high in store.page(point))
            for tile in product(*spans):
                first = owner.setdefault(tile, (number, point))
                if first[1] is not point and (len(stores) == 1 or first[0] != number):
                    return first[1], point
    return None


def _apart(one: _Store, other: _Store) -> bool:
    """Whether it is certain that two stores write no tile in common."""
    rects = one.sites.rects, other.sites.rects
    if len(rects[0]) * len(rects[1]) <= 64 and not any(
        _meet(_box_at(one, a), _box_at(other, b)) for a, b in product(*rects)
    ):
        return True
    # As one family of stores, with one more digit in each address.
    equations: list[tuple[Mapping[AffineExpr, int], int]] = []
    for a, b, n, m in zip(one.forms, other.forms, one.extents, other.extents, strict=True):
        if a is None or b is None or a.terms != b.terms:
            continue
        terms = dict(a.terms)
        if a.constant != b.constant:
            terms[_WHICH] = b.constant - a.constant
        equations.append((terms, max(n, m)))
    ranges: dict[str, Bounds] = {
        name: (min(low, other.ranges[name][0]), max(high, other.ranges[name][1]))
        for name, (low, high) in one.ranges.items()
    }
    known = _determined(equations, ranges)
    if _WHICH in known:
        return True
    tells_row, tells_column = (dimension(name) in known for name in ("y", "x"))
    if tells_row and tells_column:
        return one.sites.isdisjoint(other.sites)
    if tells_row:
        return _lines(one.sites).isdisjoint(_lines(other.sites))
    if tells_column:
        return _lines(one.sites.transpose()).isdisjoint(_lines(other.sites.transpose()))
    return False


def _lines(sites: Sites) -> Sites:
    """The rows of a set, as a set of one column."""
    return Sites.of(Rect(r.y0, r.y1, 0, 1) for r in sites.rects)


def _box_at(store: _Store, rect: Rect) -> tuple[Bounds | None, ...]:
    ranges = {**store.ranges, "y": (rect.y0, rect.y1 - 1), "x": (rect.x0, rect.x1 - 1)}
    return tuple(
        _interval(expr, extent, ranges)
        for expr, extent in zip(store.addresses, store.extents, strict=True)
    )


def _candidates(stores: Sequence[_Store], most: int) -> Iterator[tuple[_Store, _Store]]:
    """The pairs of stores, in textual order each, whose boxes meet; at most `most`."""
    boxes = [store.box for store in stores]
    ranks = {len(box) for box in boxes}
    if len(ranks) > 1:
        return
    best: tuple[int, int] | None = None
    for dim in range(len(boxes[0])):
        spans = [box[dim] for box in boxes]
        known = [span for span in spans if span is not None]
        lows, highs = sorted(low for low, _ in known), sorted(high for _, high in known)
        apart = sum(len(lows) - bisect_right(lows, high) for high in highs)
        close = len(boxes) * (len(boxes) - 1) // 2 - apart
        if best is None or close < best[0]:
            best = close, dim
    assert best is not None
    dim = best[1]
    order = sorted(range(len(boxes)), key=lambda n: _low(boxes[n][dim]))
    active: list[int] = []
    count = 0
    for n in order:
        low = _low(boxes[n][dim])
        active = [m for m in active if (span := boxes[m][dim]) is None or span[1] >= low]
        for m in active:
            if _meet(boxes[m], boxes[n]):
                yield stores[min(m, n)], stores[max(m, n)]
                count += 1
                if count >= most:
                    return
        active.append(n)


def _low(span: Bounds | None) -> float:
    return float("-inf") if span is None else span[0]
