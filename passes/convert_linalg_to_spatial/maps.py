"""Elementwise code as stages: which nodes get pages of their own, and the code of the maps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from xdsl.dialects import arith
from xdsl.dialects.builtin import f32
from xdsl.ir import Attribute, Block, Region, SSAValue

from spatial_dialect.dialects.spatial import MapOp, YieldOp, compute_type, page_type
from spatial_dialect.ir.attributes import Broadcast
from spatial_dialect.ir.types import is_float

from .clusters import Dims
from .gathers import loaded
from .programs import Page, Program
from .scalars import CASTS, CONVERSIONS, NotUnderstood, code_type, in_code, number_in_code, width_of
from .tensors import Gather, Node, Pointwise, Ref, Splat
from .views import view_of


@dataclass
class Maps:
    """Makes the pages of a cluster."""

    program: Program
    members: Mapping[Node, Dims]
    """The dimensions of the nodes that depend on the cluster's core, the core included."""
    pages: dict[tuple[Node, Dims], Page] = field(default_factory=dict[tuple[Node, Dims], Page])
    """What has been made so far."""
    shared: set[Node] = field(default_factory=set[Node])
    """Nodes that several stages need, which get pages of their own."""
    judgements: dict[tuple[Node, Dims], tuple[bool, bool]] = field(
        default_factory=dict[tuple[Node, Dims], tuple[bool, bool]]
    )
    """Answers of `moves`, which hold as long as the pages and the space are the same."""
    judged: tuple[int, int | None, int | None] | None = None

    def seen(self, ref: Ref, dims: Dims) -> tuple[Node, Dims]:
        """A node, without changes between floats in front of it, and its dimensions."""
        node = ref.node
        inner = tuple(None if dim is None else dims[dim] for dim in ref.access)
        while isinstance(node, Pointwise) and not self.is_there(node, inner):
            (ref, *_) = node.inputs
            widened = isinstance(node.op, arith.ExtSIOp) and not _is_bit(ref.node.type)
            if not isinstance(node.op, CASTS) and not widened:
                break
            node, inner = ref.node, tuple(None if d is None else inner[d] for d in ref.access)
        return node, inner

    def is_there(self, node: Node, dims: Dims) -> bool:
        """Whether a node has a page, or is a tensor in DRAM."""
        return (node, dims) in self.pages or (
            not isinstance(node, Splat)
            and (isinstance(node, Gather) or view_of(Ref.to(node), self.program.known) is not None)
        )

    def moves(self, node: Node, dims: Dims) -> tuple[bool, bool]:
        """Whether a node has different elements along the rows, and along the columns."""
        space = self.program.space
        # A page may have more than what it is made of.
        state = (len(self.pages), space.row, space.col)
        if state != self.judged:
            self.judged = state
            self.judgements.clear()
        found = self.judgements
        waiting = [(node, dims)]
        while waiting:
            here = waiting[-1]
            inputs = [] if here in found else self.inputs_of(*here)
            if missing := [each for each in inputs if each not in found]:
                waiting += missing
                continue
            if here not in found:
                own = self.own_moves(*here)
                rows, cols = zip(own, *(found[each] for each in inputs), strict=True)
                found[here] = any(rows), any(cols)
            waiting.pop()
        return found[node, dims]

    def inputs_of(self, node: Node, dims: Dims) -> list[tuple[Node, Dims]]:
        """What a node is computed from, unless it has a page or is a tensor in DRAM."""
        if not isinstance(node, Pointwise) or self.is_there(node, dims):
            return []
        return [self.seen(ref, dims) for ref in node.inputs]

    def own_moves(self, node: Node, dims: Dims) -> tuple[bool, bool]:
        """Along what elements differ that are not computed here."""
        if (page := self.pages.get((node, dims))) is not None:
            return page.rows, page.cols
        if isinstance(node, Splat) or self.inputs_of(node, dims):
            return False, False
        space = self.program.space
        used = {space.group_of(dim) for dim in dims} - {None}
        return space.row in used, space.col in used

    def share(self, stages: Iterable[tuple[Node, Dims]]) -> None:
        """Give nodes pages of their own that several of these stages need."""
        needed: dict[Node, set[int]] = {}
        above: dict[Node, set[Node | None]] = {}
        for number, (top, dims) in enumerate(stages):
            waiting: list[tuple[Node, Dims, Node | None]] = [(top, dims, None)]
            done: set[Node] = set()
            while waiting:
                node, inner, parent = waiting.pop()
                if not isinstance(node, Pointwise) or self.is_there(node, inner):
                    continue
                above.setdefault(node, set()).add(parent)
                if node in done:
                    continue
                done.add(node)
                needed.setdefault(node, set()).add(number)
                waiting += [(*self.seen(ref, inner), node) for ref in node.inputs]
        self.shared |= {
            node
            for node, numbers in needed.items()
            if len(numbers) > 1
            and node in self.members
            and any(p is None or needed[p] != numbers for p in above[node])
        }

    def page(
        self,
        node: Node,
        dims: Dims,
        *,
        type: Attribute | None = None,
        full: tuple[bool, bool] | None = None,
        name: str | None = None,
    ) -> Page:
        """The page of a node, which is loaded or computed if it is not there yet.

        Args:
            node: the node.
            dims: its dimensions in the cluster.
            type: the type of the page's elements; any that will do if not given.
            full: whether it has to have rows and columns, whatever it depends on.
            name: what to call the buffer.
        """
        page = self.pages.get((node, dims))
        if page is None and not isinstance(node, Splat) and self.is_there(node, dims):
            page = self.load(node, dims)
        if page is not None:
            same = type is None or page_type(page.buffer).element_type == type
            if same and full in (None, (page.rows, page.cols)):
                return page
        made = self.map(node, dims, type=type, full=full, name=name)
        self.pages.setdefault((node, dims), made)
        return made

    def load(self, node: Node, dims: Dims) -> Page:
        """Load a tensor of DRAM, or rows of one that a page of this program names."""
        if not isinstance(node, Gather) or node in self.program.known:
            return self.program.load(node, dims)
        inner = Maps(self.program, {})
        return loaded(
            self.program, node, dims, lambda ref, along: inner.page(*inner.seen(ref, along))
        )

    def map(
        self,
        node: Node,
        dims: Dims,
        *,
        type: Attribute | None,
        full: tuple[bool, bool] | None,
        name: str | None = None,
    ) -> Page:
        """A map that computes a node, or brings its page into another form."""
        moves = self.moves(node, dims) if full is None else full
        if type is None:
            wide = is_float(node.type) and moves != (True, True)
            type = f32 if wide else node.type
        if _is_bit(type):
            raise NotUnderstood("it makes bits, which pages do not hold")
        code = _Code(self, Block(), node, moves)
        result = code.value(node, dims)
        wanted = compute_type(type)
        if result.type != wanted:
            raise NotUnderstood(f"it makes {node.type} of {result.type}")
        code.block.add_op(YieldOp(result))
        name = name or self.program.label(node)
        buffer = self.program.buffer(name, self.program.extents(*moves), type)
        broadcasts = [_broadcast(page, moves) for page in code.arguments]
        plain = all(kind is Broadcast.NONE for kind in broadcasts)
        op = MapOp(
            [page.buffer for page in code.arguments],
            buffer,
            Region(code.block),
            broadcasts=None if plain else broadcasts,
        )
        self.program.named(op, name)
        return Page(buffer, *moves)


def _is_bit(type: Attribute) -> bool:
    return width_of(type) == 1


def _broadcast(page: Page, moves: tuple[bool, bool]) -> Broadcast:
    rows, cols = page.rows or not moves[0], page.cols or not moves[1]
    if rows and cols:
        return Broadcast.NONE
    if cols and not rows:
        return Broadcast.ROWS if page.cols else Broadcast.SCALAR
    if rows and not cols:
        return Broadcast.COLS if page.rows else Broadcast.SCALAR
    return Broadcast.SCALAR


@dataclass
class _Code:
    """The code of one map."""

    maps: Maps
    block: Block
    top: Node
    moves: tuple[bool, bool]
    arguments: dict[Page, SSAValue] = field(default_factory=dict[Page, SSAValue])
    """The pages that it reads, in order."""
    values: dict[tuple[Node, Dims], SSAValue] = field(
        default_factory=dict[tuple[Node, Dims], SSAValue]
    )

    def value(self, node: Node, dims: Dims) -> SSAValue:
        """The value of a node at an element, in the code."""
        values = self.values
        inputs: dict[tuple[Node, Dims], list[tuple[Node, Dims]]] = {}
        waiting = [(node, dims)]
        while waiting:
            here = waiting[-1]
            if here not in values and here not in inputs:
                is_page = self.is_page(*here)
                inputs[here] = [] if is_page else self.maps.inputs_of(*here)
            if here in values:
                waiting.pop()
            elif missing := [each for each in inputs[here] if each not in values]:
                waiting += reversed(missing)
            else:
                values[here] = self.made(*here, [values[each] for each in inputs[here]])
        return values[node, dims]

    def made(self, node: Node, dims: Dims, operands: list[SSAValue]) -> SSAValue:
        """The value of a node, given those it is computed from; without any, it has a page."""
        if isinstance(node, Splat):
            op = number_in_code(node)
            self.block.add_op(op)
            return op.result
        if not operands or not isinstance(node, Pointwise):
            page = self.maps.page(node, dims)
            if page not in self.arguments:
                type = compute_type(page_type(page.buffer).element_type)
                argument = self.block.insert_arg(type, len(self.block.args))
                argument.name_hint = page.buffer.name_hint
                self.arguments[page] = argument
            return self.arguments[page]
        alone = operands[0]
        if isinstance(node.op, CONVERSIONS) and alone.type == code_type(node.type):
            return alone
        op = in_code(node.op, operands)
        self.block.add_op(op)
        return op.results[0]

    def is_page(self, node: Node, dims: Dims) -> bool:
        """Whether a node is read from a page of its own."""
        if self.maps.is_there(node, dims):
            return True
        if node is self.top or node not in self.maps.members:
            return False
        return node in self.maps.shared or self.maps.moves(node, dims) != self.moves
