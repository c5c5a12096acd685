"""Parts of random programs: stages that belong together, on one set of sites.

One strategy a family: `chains` (with plain copies, gathers and scatters), `matmuls` and `folds`.
They are valid by construction: what may feed what is decided before it is drawn, and rings are at
least as deep as the form needs. A part may share its sites with others if both are `roomy`: then
every ring holds what one pass through the sub-blocks brings, and loads and stores have movement
engines of their own, since the compute engine may take the parts one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from hypothesis import strategies as st

from .environment import Site
from .frames import Frame, Route, SiteSet, routes

Kind: TypeAlias = Literal["load", "made", "carry"]
_FLOATS = ("bf16", "bf16", "f32")
_MOST = 4
"""Tiles of a page that compute makes: what every target accumulates, even in f32."""


@dataclass(eq=False)
class Page:
    """A buffer as a part knows it."""

    name: str
    rows: int
    cols: int
    type: str
    domain: frozenset[str]
    kind: Kind
    from_block: bool = False
    """Whether it depends on a page of a K block other than through a carry."""
    taps: list[frozenset[str]] = field(default_factory=list[frozenset[str]])
    """The nests it is read in."""

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns, in tiles."""
        return self.rows, self.cols

    @property
    def is_integer(self) -> bool:
        """Whether its elements are integers."""
        return self.type == "i32"


@dataclass
class Part:
    """The text of a part while it grows."""

    frame: Frame
    name: str
    sites: SiteSet
    draw: st.DrawFn
    roomy: bool
    arguments: list[str] = field(default_factory=list[str])
    buffers: dict[str, str] = field(default_factory=dict[str, str])
    depths: dict[str, int] = field(default_factory=dict[str, int])
    exact: set[str] = field(default_factory=set[str])
    """The buffers whose depth is fixed."""
    pages: list[Page] = field(default_factory=list[Page])
    groups: list[str] = field(default_factory=list[str])
    loads: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    stages: list[str] = field(default_factory=list[str])
    stores: list[str] = field(default_factory=list[str])
    holds_accumulator: bool = False
    """Whether an accumulator is held over the K loop: nothing else can compute in it."""
    wide_groups: list[str] = field(default_factory=list[str])
    """The groups that take in all sites of the part."""
    nests: set[frozenset[str]] = field(default_factory=set[frozenset[str]])

    # Names and places.

    def _fresh(self, what: str, taken: int) -> str:
        return f"%{self.name}{what}{taken}"

    def new_page(
        self,
        rows: int,
        cols: int,
        type: str,
        domain: frozenset[str],
        kind: Kind,
        least: int = 1,
        *,
        exactly: int | None = None,
        alias: Page | None = None,
    ) -> Page:
        """A buffer of the least depth that its use needs, or of the one that it must have."""
        page = Page(self._fresh("", len(self.buffers)), rows, cols, type, domain, kind)
        self.depths[page.name] = least if exactly is None else exactly
        if exactly is not None:
            self.exact.add(page.name)
        tail = f" alias {alias.name}" if alias is not None else ""
        self.buffers[page.name] = f"{tail} : !spatial.buffer<{rows}x{cols}x{type}>"
        self.pages.append(page)
        return page

    def engine(self, role: Literal["load", "store"]) -> str:
        """A movement engine; in a roomy part loads and stores never share one."""
        last = self.frame.engines - 1
        if self.roomy:
            return str(last if role == "store" else self.draw(st.integers(0, last - 1)))
        return str(self.draw(st.integers(0, last)))

    def tensor(self, dims: Sequence[int], type: str) -> str:
        """An argument; the dimensions in elements."""
        name = self._fresh("T", len(self.arguments))
        kind = "tensor" if type.startswith("!") else "memref"
        self.arguments.append(f"{name} : {kind}<{'x'.join(map(str, dims))}x{type}>")
        return name

    # Movement.

    def _address(
        self, page: Page, down: Sequence[str], right: Sequence[str], sites: bool
    ) -> tuple[str, str, int, int]:
        """Row and column of a page in tiles, different for all points; and rows and columns due."""
        frame = self.frame
        texts: list[str] = []
        reach: list[int] = []
        for coordinate, extent, names, tiles in (
            ("y", frame.rows, down, page.rows),
            ("x", frame.cols, right, page.cols),
        ):
            terms: list[tuple[str, int]] = []
            size = tiles
            for name in reversed(names):
                terms.insert(0, (name, size))
                size *= frame.extent(name)
            if sites:
                terms.insert(0, (coordinate, size))
                size *= extent
                if coordinate == "y" and frame.items > 1:
                    terms.insert(0, ("i", size))
                    size *= frame.items
            texts.append(" + ".join(n if s == 1 else f"{n} * {s}" for n, s in terms) or "0")
            reach.append(size)
        return texts[0], texts[1], reach[0], reach[1]

    def load(
        self,
        rows: int,
        cols: int,
        type: str,
        domain: frozenset[str],
        *,
        plain: bool = False,
        sites: SiteSet | None = None,
    ) -> Page:
        """Pages that come from a tensor to all sites of the part, over the given loops.

        Unless they are to be plain, they may be gathered, sent on to other sites, and so on.
        """
        draw, frame = self.draw, self.frame
        where = self.sites if sites is None else sites
        page = self.new_page(rows, cols, type, domain, "load")
        route: Route = () if plain else draw(routes(frame, where))
        received = frozenset[Site]().union(*(hop.receivers for hop in route))
        senders = route[0].senders if route else where
        rest = where - senders - received
        ways = ["tile"] * 5 + ["rank 3", "strides", "transpose", "ind", "rows"]
        if type in ("bf16", "f32"):
            ways.append("pad")
        how = "tile" if plain else draw(st.sampled_from(ways))
        if how in ("ind", "rows") and rest:
            how = "tile"
        engine = self.engine("load")
        loops = [name for name in "khw" if name in domain]
        down = [n for n in loops if n == "h" or (n == "k" and draw(st.booleans()))]
        right = [n for n in loops if n not in down]
        via = tail = ""
        if how in ("ind", "rows"):
            index = self._index(down, domain, senders)
            via = f" via {index.name}" + (" rows" if how == "rows" else "")
            down = []
        row, col, height, width = self._address(page, down, right, draw(st.booleans()))
        match how:
            case "ind":
                row, height = "ind", 8
            case "rows":
                row = "0"
            case "strides":
                steps = draw(st.integers(1, 2)), draw(st.integers(1, 2))
                tail = f" strides [{steps[0]}, {steps[1]}]"
                height, width = height + rows, width + cols
            case "transpose":
                tail = " transpose"
                height, width = height + cols, width + rows
            case "pad":
                tail = f" pad 0.0 : {type}"
                height = max(1, height - 1)
            case _:
                pass
        dims = [height * frame.tile, width * frame.tile]
        address = f"{row}, {col}"
        if how == "rank 3":
            dims.insert(0, frame.items)
            address = f"{'i' if frame.items > 1 else '0'}, {address}"
        head = f"spatial.load {self.tensor(dims, type)}[{address}] into {page.name}"
        order = len(frame.iterated(domain))
        groups: list[str] = []
        for hop in route:
            groups.append(self._fresh("G", len(self.groups)))
            self.groups.append(f"{groups[-1]} = {hop.text}")
        if len(route) == 1 and not rest and sites is None:
            self.wide_groups += groups
        sends = f" multicast {groups[0]}" if route else ""
        self.loads.append((order, f"{head}{sends}{via}{tail}{frame.at(senders)} on move {engine}"))
        for number, hop in enumerate(route):
            sends = f" multicast {groups[number + 1]}" if number + 1 < len(route) else ""
            mover = engine if draw(st.integers(0, 3)) else self.engine("load")
            text = f"spatial.recv {groups[number]} into {page.name}{sends}{frame.at(hop.receivers)}"
            self.loads.append((order, f"{text} on move {mover}"))
        if rest:
            mover = self.engine("load")
            self.loads.append((order, f"{head}{tail}{frame.at(rest)} on move {mover}"))
        return page

    def _index(self, loops: Sequence[str], domain: frozenset[str], sites: SiteSet) -> Page:
        """Index pages over some loops, for a move over the loops of a domain."""
        own = frozenset(loops)
        index = self.load(1, 1, "i32", own, plain=True, sites=sites)
        index.domain = self.frame.closed(own, domain)
        index.taps.append(domain)
        return index

    def store(self, page: Page) -> None:
        """Drains a buffer to a tensor, every page to a tile of its own."""
        draw, frame = self.draw, self.frame
        self.tap([page], page.domain)
        how = draw(st.sampled_from(["tile"] * 6 + ["rank 3", "ind", "rows"]))
        engine = self.engine("store")
        loops = [name for name in "khw" if name in page.domain]
        down = [n for n in loops if n == "h" or (n == "k" and draw(st.booleans()))]
        row, col, height, width = self._address(
            page, down, [n for n in loops if n not in down], True
        )
        via = ""
        if how in ("ind", "rows"):
            index = self._index(down, page.domain, self.sites)
            via = f" via {index.name}" + (" rows" if how == "rows" else "")
            row = "0" if how == "rows" else "ind"
        dims = [height * frame.tile, width * frame.tile]
        address = f"{row}, {col}"
        if how == "rank 3":
            dims.insert(0, frame.items)
            address = f"{'i' if frame.items > 1 else '0'}, {address}"
        tensor = self.tensor(dims, page.type)
        self.stores.append(
            f"spatial.store {page.name} into {tensor}[{address}]{via}{self.at} on move {engine}"
        )

    # Computation.

    def nest_of(self, operands: Sequence[Page]) -> frozenset[str]:
        """The domain of a stage with these operands, loads among them closed as they must be."""
        domain = frozenset[str]().union(*(page.domain for page in operands))
        while True:
            more = domain.union(
                *(self.frame.closed(p.domain, domain) for p in operands if p.kind == "load")
            )
            if more == domain:
                return domain
            domain = more

    def fit(self, operands: Sequence[Page], extra: frozenset[str] = frozenset()) -> bool:
        """Whether a stage may read these pages together."""
        nest = self.nest_of(operands) | extra
        for page in operands:
            if page.kind == "carry":
                # One page a block, for each of its sub-blocks.
                if self.frame.iterated(nest - {"k"}) != self.frame.iterated(page.domain):
                    return False
            elif not self.frame.is_prefix(page.domain, nest) and (page.kind != "load" or page.taps):
                return False
        return True

    def tap(self, operands: Sequence[Page], nest: frozenset[str]) -> None:
        """Notes that pages are read in a nest."""
        self.nests.add(frozenset(self.frame.iterated(nest)))
        for page in dict.fromkeys(operands):
            if page.kind == "load":
                page.domain = self.frame.closed(page.domain, nest)
            page.taps.append(nest)

    @property
    def at(self) -> str:
        """The sites of the part."""
        return self.frame.at(self.sites)

    def map(
        self,
        operands: Sequence[Page],
        shape: tuple[int, int],
        into: Page | None = None,
        extra: frozenset[str] = frozenset(),
        update: bool = False,
    ) -> Page:
        """An elementwise stage, into a new buffer, or into a carry or as its update."""
        draw = self.draw
        nest = self.nest_of(operands) | extra
        self.tap(operands, nest)
        integers = all(page.is_integer for page in operands)
        type = "i32" if integers else draw(st.sampled_from(_FLOATS))
        if into is not None:
            type = into.type
        inputs: list[str] = []
        for page in operands:
            how = ""
            if page.shape != shape:
                how = {(1, shape[1]): " broadcast rows", (shape[0], 1): " broadcast cols"}.get(
                    page.shape, " broadcast scalar"
                )
            inputs.append(page.name + how)
        kind = "i32" if integers else "f32"
        names = [f"%{n}" for n in range(len(operands))]
        lines = [f"  ^bb0({', '.join(f'{n} : {kind}' for n in names)}):"]
        number = len(self.stages) + 1
        literal = str(number) if integers else f"{number}.0"
        lines.append(f"    %c = arith.constant {literal} : {kind}")
        value = "%c"
        binary = ("addi", "muli", "maxsi") if integers else ("addf", "mulf", "maximumf", "subf")
        for count, name in enumerate(names):
            op = draw(st.sampled_from(binary))
            lines.append(f"    %v{count} = arith.{op} {value}, {name} : {kind}")
            value = f"%v{count}"
        lines.append(f"    spatial.yield {value} : {kind}")
        out = into or self.new_page(*shape, type, nest, "made")
        self._inherit(out, operands)
        where = "update" if update else "into"
        code = "\n".join(lines)
        self.stages.append(
            f"spatial.map ({', '.join(inputs)}) {where} {out.name}{self.at} {{\n{code}\n  }}"
        )
        return out

    def _inherit(self, out: Page, operands: Sequence[Page]) -> None:
        out.from_block = any(
            p.from_block or (p.kind == "load" and "k" in p.domain) for p in operands
        )

    def reduce(self, page: Page) -> Page:
        """A reduction within pages."""
        nest = self.nest_of([page])
        self.tap([page], nest)
        kind = self.draw(st.sampled_from(("add", "max", "min")))
        axis = self.draw(st.sampled_from(("rows", "cols")))
        shape = (1, page.cols) if axis == "rows" else (page.rows, 1)
        type = "i32" if page.is_integer else self.draw(st.sampled_from(_FLOATS))
        out = self.new_page(*shape, type, nest, "made")
        self._inherit(out, [page])
        self.stages.append(f"spatial.reduce {kind} {axis} {page.name} into {out.name}{self.at}")
        return out

    def dot(self, page: Page, other: Page, transpose: bool) -> Page:
        """A product of two pages."""
        nest = self.nest_of([page, other])
        self.tap([page, other], nest)
        cols = other.rows if transpose else other.cols
        out = self.new_page(page.rows, cols, self.draw(st.sampled_from(_FLOATS)), nest, "made")
        self._inherit(out, [page, other])
        how = " transpose_b" if transpose else ""
        self.stages.append(f"spatial.dot {page.name}, {other.name}{how} into {out.name}{self.at}")
        return out

    def readable(self, pool: Sequence[Page], with_: Sequence[Page]) -> list[Page]:
        """Those of some pages that a stage can read besides others."""
        return [page for page in pool if self.fit([*with_, page])]

    def broadcastable(
        self, pool: Sequence[Page], with_: Sequence[Page], shape: tuple[int, int]
    ) -> list[Page]:
        """Those of some pages that an elementwise stage can read besides others."""
        shapes = {shape, (1, shape[1]), (shape[0], 1), (1, 1)}
        integer = with_[0].is_integer if with_ else False
        return [
            p for p in self.readable(pool, with_) if p.shape in shapes and p.is_integer == integer
        ]

    def grow(self, pool: list[Page], stages: int, start: Page | None = None) -> None:
        """Stages on pages of a pool, to which their results are added.

        With a start, all of them read something made of it.
        """
        draw = self.draw
        derived = pool if start is None else [start]
        for _ in range(stages):
            heads = [p for p in self.readable(derived, []) if p.rows * p.cols <= _MOST]
            head = draw(st.sampled_from(heads))
            kinds = ("map",) * 5
            if not head.is_integer:
                kinds += ("reduce", "dot", "fresh dot", "all_reduce")
            kind = draw(st.sampled_from(kinds))
            others: list[Page] = []
            transpose = False
            if kind == "dot":
                transpose = draw(st.booleans())
                others = [
                    p
                    for p in self.readable(pool, [head])
                    if (p.cols if transpose else p.rows) == head.cols and not p.is_integer
                ]
            elif kind == "fresh dot":
                domain = self.some(head.domain)
                if self.frame.is_prefix(domain, head.domain):
                    cols = draw(st.integers(1, 2))
                    others = [self.load(head.cols, cols, "bf16", domain)]
            if kind == "reduce":
                made = self.reduce(head)
            elif others:
                made = self.dot(head, draw(st.sampled_from(others)), transpose)
            elif kind == "all_reduce" and self.wide_groups:
                operands = [head]
                same = [p for p in self.readable(pool, [head]) if p.shape == head.shape]
                same = [p for p in same if not p.is_integer and p is not head]
                if same:
                    operands.append(draw(st.sampled_from(same)))
                made = self.all_reduce(operands)
            else:
                made = self.map(self._operands(pool, head), head.shape)
            pool.append(made)
            if derived is not pool:
                derived.append(made)

    def _operands(self, pool: Sequence[Page], head: Page) -> list[Page]:
        """Operands of an elementwise stage; one may be made for it of a page read nowhere else."""
        draw = self.draw
        operands = [head]
        for _ in range(draw(st.integers(0, 2))):
            others = self.broadcastable(pool, operands, head.shape)
            if not others:
                break
            other = draw(st.sampled_from(others))
            nest = self.nest_of([*operands, other])
            if (
                other.kind == "load"
                and not other.taps
                and not other.is_integer
                and other is not head
                and self.frame.is_prefix(other.domain, nest)
                and draw(st.integers(0, 3)) == 0
            ):
                other = self.map([other], other.shape)
            operands.append(other)
        return operands

    def all_reduce(self, operands: Sequence[Page]) -> Page:
        """A combination of pages of several sites."""
        nest = self.nest_of(operands)
        self.tap(operands, nest)
        kind = self.draw(st.sampled_from(("add", "max", "min")))
        group = self.draw(st.sampled_from(self.wide_groups))
        type = self.draw(st.sampled_from(_FLOATS))
        out = self.new_page(*operands[0].shape, type, nest, "made")
        self._inherit(out, operands)
        names = ", ".join(page.name for page in operands)
        self.stages.append(
            f"spatial.all_reduce {kind} {names} into {out.name} across {group}{self.at}"
        )
        return out

    def some(self, domain: frozenset[str]) -> frozenset[str]:
        """A part of a domain."""
        return frozenset(n for n in sorted(domain) if self.draw(st.booleans()))

    def drain(self, pool: Sequence[Page]) -> None:
        """Stores what nobody has read."""
        for page in pool:
            if not page.taps:
                self.store(page)

    # The text.

    def finish(self, *, tight: bool) -> Part:
        """Fixes the depths; without `tight`, rings hold a whole pass through the sub-blocks.

        The order of stages in the text only breaks ties, so it may be any.
        """
        for page in self.pages:
            if page.name in self.exact:
                continue
            if self.roomy or not tight:
                self.depths[page.name] = max(self.depths[page.name], self.frame.pages(page.domain))
            self.depths[page.name] += self.draw(st.sampled_from((0, 0, 1, 2)))
        loads = [text for _, text in sorted(self.loads, key=lambda load: load[0])]
        shuffled = "nothing" if tight else self.draw(st.sampled_from(("nothing", "loads", "all")))
        if shuffled == "loads":
            loads = self.draw(st.permutations(loads))
        self.stages = [*loads, *self.stages, *self.stores]
        if shuffled == "all":
            self.stages = self.draw(st.permutations(self.stages))
        return self

    @property
    def single_nest(self) -> bool:
        """Whether all nests of a phase lie inside each other, so that rings can be shallow."""
        many = [n for n in self.nests if n & {"h", "w"}]
        many += [frozenset(self.frame.iterated(p.domain)) for p in self.pages]
        many = [n for n in many if n & {"h", "w"}]
        return all(
            self.frame.is_prefix(one, other) or self.frame.is_prefix(other, one)
            for one in many
            for other in many
            if ("k" in one) == ("k" in other)
        )


def _domains(frame: Frame) -> st.SearchStrategy[frozenset[str]]:
    return st.frozensets(st.sampled_from(("k", "h", "w")))


def _page_shapes() -> st.SearchStrategy[tuple[int, int]]:
    return st.tuples(st.integers(1, 2), st.integers(1, 2))


@st.composite
def chains(
    draw: st.DrawFn,
    frame: Frame,
    name: str,
    sites: SiteSet,
    *,
    roomy: bool = False,
    block_stages: bool = True,
) -> Part:
    """Elementwise stages, reductions and small products; plain copies; gathers and scatters."""
    part = Part(frame, name, sites, draw, roomy)
    rows, cols = draw(_page_shapes())
    pool: list[Page] = []
    for _ in range(draw(st.integers(1, 3))):
        shape = draw(st.sampled_from(((rows, cols),) * 3 + ((1, cols), (rows, 1), (1, 1))))
        type = draw(st.sampled_from(("bf16", "bf16", "f32", "i32")))
        domain = draw(_domains(frame))
        if not block_stages:
            domain -= {"k"}
        pool.append(part.load(*shape, type, domain))
    part.grow(pool, draw(st.integers(0, 5)))
    part.drain(pool)
    return part.finish(tight=part.single_nest and draw(st.booleans()))


def copies(
    frame: Frame, name: str, sites: SiteSet, *, roomy: bool = False
) -> st.SearchStrategy[Part]:
    """Pages from one tensor to another, without computation, over any loops."""

    @st.composite
    def one(draw: st.DrawFn) -> Part:
        part = Part(frame, name, sites, draw, roomy)
        pool = [
            part.load(*draw(_page_shapes()), "bf16", draw(_domains(frame)))
            for _ in range(draw(st.integers(1, 2)))
        ]
        part.drain(pool)
        return part.finish(tight=part.single_nest and draw(st.booleans()))

    return one()


@st.composite
def matmuls(
    draw: st.DrawFn, frame: Frame, name: str, sites: SiteSet, *, roomy: bool = False
) -> Part:
    """One or two matmuls in any form, with dequantised operands, taps and fused chains."""
    two = frame.trip is None and draw(st.integers(0, 4)) == 0
    part = Part(frame, name, sites, draw, roomy or two)
    shared: Page | None = None
    blocks = frozenset({"k"})
    sub = frozenset({"h", "w"})
    many = frame.h * frame.w
    rows, inner = draw(st.integers(1, 2)), draw(st.integers(1, 2))
    for _ in range(1 + two):
        cols = draw(st.integers(1, 2))
        forms = ["reload"]
        if frame.packs:
            forms += ["pack", "in place"]
        if not two and many == 1:
            forms += ["registers"] * 2
        if not two and frame.k == 1:
            forms += ["block"]
        if frame.trip is not None:
            forms = ["registers"]
        form = draw(st.sampled_from(forms))
        held = form == "registers" and (frame.k > 1 or frame.trip is not None)
        part.holds_accumulator |= held
        if shared is not None and draw(st.booleans()):
            a = shared
        else:
            a = _operand(part, frame.h * rows, inner, blocks, held)
        b = _operand(part, inner, frame.w * cols, blocks, held)
        shared = a
        for operand in {a, b}:
            operand.taps.append(blocks)
            if operand.rows * operand.cols <= _MOST and not held and draw(st.integers(0, 5)) == 0:
                tapped = part.map([operand], operand.shape)
                part.store(tapped)
        type = draw(st.sampled_from(_FLOATS))
        depth = many if form == "in place" else None
        c = part.new_page(rows, cols, type, sub, "made", exactly=depth)
        spill = ""
        if form == "in place":
            p = part.new_page(rows, cols, type, sub, "made", exactly=many, alias=c)
            spill = f" spill {p.name} by pack"
        elif form in ("reload", "pack"):
            exactly = many if form == "pack" and frame.k != 2 else None
            partial = draw(st.sampled_from(_FLOATS))
            p = part.new_page(rows, cols, partial, sub, "made", least=many, exactly=exactly)
            spill = f" spill {p.name}" + draw(
                st.sampled_from((" by pack",) if form == "pack" else ("", " by reload"))
            )
        part.nests.add(sub & frozenset(frame.iterated(sub)))
        part.stages.append(f"spatial.matmul {a.name}, {b.name} into {c.name}{spill}{part.at}")
        pool = [c]
        stages = draw(st.integers(0, 3))
        if stages:
            for _ in range(draw(st.integers(0, 2))):
                shape = draw(
                    st.sampled_from(((rows, cols), (rows, cols), (1, cols), (rows, 1), (1, 1)))
                )
                pool.append(part.load(*shape, "bf16", part.some(sub)))
        part.grow(pool, stages, start=c)
        part.drain(pool)
    return part.finish(tight=part.single_nest and draw(st.booleans()))


def _operand(part: Part, rows: int, cols: int, domain: frozenset[str], held: bool) -> Page:
    """An operand of a matmul, loaded as it is or made of another page in every block."""
    frame, draw = part.frame, part.draw
    if rows * cols > _MOST or held or draw(st.integers(0, 3)):
        return part.load(rows, cols, "bf16", domain)
    packed = {"wormhole": "!spatial.bfp8", "reference": "!spatial.bfp4"}
    type = draw(st.sampled_from((packed.get(frame.target, "f8E4M3FN"), "bf16")))
    operands = [part.load(rows, cols, type, domain)]
    if draw(st.booleans()):
        operands.append(part.load(1, 1, "bf16", part.some(domain), plain=True))
    return part.map(operands, (rows, cols))


@st.composite
def folds(draw: st.DrawFn, frame: Frame, name: str, sites: SiteSet, *, roomy: bool = False) -> Part:
    """Values carried over the K blocks, with prologue, stores in the blocks, and epilogue."""
    part = Part(frame, name, sites, draw, roomy)
    nests = [frozenset[str](), frozenset[str](), frozenset("w"), frozenset("h"), frozenset("hw")]
    over = draw(st.sampled_from(nests))
    block = over | {"k"}
    shape = draw(_page_shapes())
    per_block = frame.pages(over)
    # Before the blocks.
    held: list[Page] = []
    for _ in range(draw(st.integers(0, 2))):
        few = draw(st.sampled_from((shape, (1, 1))))
        held.append(part.load(*few, "bf16", frozenset(), plain=True))
    carries: list[Page] = []
    for number in range(draw(st.integers(1, 3))):
        narrow = (shape, (shape[0], 1)) if number else (shape,)
        size = draw(st.sampled_from(narrow))
        sources = [p for p in held if p.shape in (size, (1, 1))] if not over else []
        if sources and draw(st.booleans()):
            first = draw(st.sampled_from(sources))
        else:
            first = part.load(*size, "bf16", over, plain=True)
            if not over:
                held.append(first)
        carry = part.new_page(
            *size, draw(st.sampled_from(_FLOATS)), over, "carry", least=per_block + 1
        )
        part.map([first], size, into=carry)
        carries.append(carry)
    # The blocks.
    pool: list[Page] = [part.load(*shape, "bf16", block)]
    for _ in range(draw(st.integers(0, 1))):
        pool.append(part.load(*shape, "bf16", part.some(over) | {"k"}))
    for _ in range(draw(st.integers(0, 3))):
        heads = [p for p in part.readable(pool, []) if p.kind == "load" or p.from_block]
        heads = [p for p in heads if p.shape == shape]
        head = draw(st.sampled_from(heads))
        if draw(st.integers(0, 4)) == 0:
            pool.append(part.reduce(head))
            continue
        operands = [head]
        for _ in range(draw(st.integers(0, 2))):
            others = part.broadcastable([*pool, *held, *carries], operands, shape)
            if others:
                operands.append(draw(st.sampled_from(others)))
        pool.append(part.map(operands, shape))
    for number, carry in enumerate(carries):
        # Carries of later updates are not replaced yet, and so may be read.
        shapes = (carry.shape, (carry.rows, 1), (1, 1))
        later = [c for c in carries[number:] if c.shape in shapes]
        inputs: list[Page] = []
        for _ in range(draw(st.integers(0, 2))):
            choices = [p for p in [*pool, *later] if p.shape in shapes and part.fit([*inputs, p])]
            if choices:
                inputs.append(draw(st.sampled_from(choices)))
        full = frame.iterated(part.nest_of(inputs) | {"k"}) == frame.iterated(block)
        if not full or not inputs or not carry.taps:
            inputs.append(carry)
        if draw(st.integers(0, 3)) == 0:
            # A stage on the carry alone, in the blocks because it feeds the update.
            old = draw(st.sampled_from(later))
            inputs.append(part.map([old], old.shape, extra=frozenset("k")))
        part.map(inputs, carry.shape, into=carry, extra=frozenset("k"), update=True)
    part.drain(pool)
    # After the blocks.
    after: list[Page] = []
    for _ in range(draw(st.integers(0, 2))):
        after.append(part.load(*shape, "bf16", over, plain=True))
    mains = [c for c in carries if c.shape == shape]
    results: list[Page] = []
    for _ in range(draw(st.integers(1, 3))):
        heads = [*mains, *(p for p in results if p.shape == shape)]
        head = draw(st.sampled_from(heads))
        operands = [head]
        for _ in range(draw(st.integers(0, 2))):
            others = part.broadcastable([*carries, *held, *after, *results], operands, shape)
            if others:
                operands.append(draw(st.sampled_from(others)))
        results.append(part.map(operands, shape))
    for page in [*after, *held]:
        if not page.taps:
            results.append(part.map([page, mains[0]], shape))
    part.drain(results)
    return part.finish(tight=part.single_nest and draw(st.booleans()))
