"""The check that every value is defined before it is used, which xDSL's verifier does not make."""

from collections.abc import Iterator

from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region

from spatial_dialect.ir.diagnostics import Finding, Findings, value_name

GRAPH_REGION_OPS = frozenset({"hw.module"})
"""Registered operations whose regions have no order among their operations."""


def check_dominance(root: Operation) -> tuple[Finding, ...]:
    """One error for each operand inside `root` whose definition does not come before its use.

    A definition comes before a use if it stands earlier in the same block, in a block around it, or
    in a block that dominates one of these. The cost is linear in the number of operations.
    """
    check = _Check()
    for region in root.regions:
        check.region(region)
    return tuple(check.findings.errors)


class _Check:
    """Walks the program so that just the definitions seen before, in open blocks, may be used."""

    def __init__(self) -> None:
        self.findings = Findings()
        self.open_blocks: set[Block] = set()
        self.defined: set[Operation] = set()

    def region(self, region: Region) -> None:
        parent = region.parent
        # Like in MLIR, nothing is known about the regions of an unregistered operation.
        ordered = not (
            isinstance(parent, UnregisteredOp)
            or (parent is not None and parent.name in GRAPH_REGION_OPS)
        )
        first = region.first_block
        if first is None:
            return
        if first.next_block is None:
            self.open_blocks.add(first)
            self.block(first, ordered)
            self.open_blocks.remove(first)
            return
        # A block stays open while the blocks it dominates are visited. Unreachable blocks are left
        # out: any definition dominates them.
        children = dominator_tree(region)
        stack: list[tuple[Block, Iterator[Block]]] = []

        def enter(block: Block) -> None:
            self.open_blocks.add(block)
            self.block(block, ordered)
            stack.append((block, iter(children[block])))

        enter(first)
        while stack:
            block, rest = stack[-1]
            if (child := next(rest, None)) is not None:
                enter(child)
            else:
                self.open_blocks.remove(block)
                stack.pop()

    def block(self, block: Block, ordered: bool) -> None:
        if not ordered:
            self.defined.update(block.ops)
        for op in block.ops:
            for index, value in enumerate(op.operands):
                if isinstance(value, OpResult):
                    home = value.op.parent
                    if home in self.open_blocks and value.op in self.defined:
                        continue
                    self.report(op, index, home)
                elif isinstance(value, BlockArgument):
                    if value.block not in self.open_blocks:
                        self.report(op, index, value.block)
            for region in op.regions:
                self.region(region)
            self.defined.add(op)

    def report(self, op: Operation, index: int, home: Block | None) -> None:
        what = f"operand #{index} ({value_name(op.operands[index])})"
        if home is None:
            self.findings.error(op, f"{what} is not defined in the program")
        elif home in self.open_blocks:
            self.findings.error(
                op,
                f"{what} is used before it is defined",
                hint="move the definition in front of its first use",
            )
        else:
            self.findings.error(op, f"{what} is defined in a block that does not dominate its use")


def dominator_tree(region: Region) -> dict[Block, list[Block]]:
    """The blocks that each reachable block of `region` immediately dominates."""
    entry = region.first_block
    if entry is None:
        return {}
    # Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm".
    postorder: list[Block] = []
    seen = {entry}
    stack = [(entry, iter(_successors(entry)))]
    while stack:
        block, rest = stack[-1]
        if (successor := next(rest, None)) is None:
            postorder.append(block)
            stack.pop()
        elif successor not in seen:
            seen.add(successor)
            stack.append((successor, iter(_successors(successor))))
    number = {block: index for index, block in enumerate(postorder)}
    predecessors: dict[Block, list[Block]] = {block: [] for block in postorder}
    for block in postorder:
        for successor in _successors(block):
            predecessors[successor].append(block)

    dominator: dict[Block, Block] = {entry: entry}
    changed = True
    while changed:
        changed = False
        for block in reversed(postorder[:-1]):
            best: Block | None = None
            for other in predecessors[block]:
                if other not in dominator:
                    continue
                if best is None:
                    best = other
                    continue
                while best is not other:
                    while number[best] < number[other]:
                        best = dominator[best]
                    while number[other] < number[best]:
                        other = dominator[other]
            assert best is not None, (
                "a reachable block has a predecessor that was visited before it"
            )
            if dominator.get(block) is not best:
                dominator[block] = best
                changed = True

    children: dict[Block, list[Block]] = {block: [] for block in postorder}
    for block in reversed(postorder[:-1]):
        children[dominator[block]].append(block)
    return children


def _successors(block: Block) -> tuple[Block, ...]:
    last = block.last_op
    if last is None:
        return ()
    return tuple(successor for successor in last.successors if successor.parent is block.parent)
