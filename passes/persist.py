"""Gives every engine a loop over its work items."""

from __future__ import annotations

from dataclasses import dataclass, replace

from xdsl.context import Context
from xdsl.dialects import affine, arith
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from spatial_dialect.analysis.fingerprint import has_valid_proof
from spatial_dialect.dialects.choreo import VERDICT, EndOp, EngineOp, ItemOp, TripOp
from spatial_dialect.dialects.spatial import Phase, ProgramOp
from spatial_dialect.ir.attributes import LoopsAttr
from spatial_dialect.ir.diagnostics import Findings
from spatial_dialect.ir.loops import ONE, Loops


@dataclass(frozen=True)
class PersistPass(ModulePass):
    """Wraps the code of each engine in a loop over its work items.

    ```mlir
    %i = choreo.item          // becomes   affine.for %i = 0 to 8 { ... }
    ```

    Afterwards one run of a program does all its items, and its loops name no `i`. An engine goes on
    to its next item without waiting for the others. A number of blocks that is the same for all
    items is still read once, before the loop; if it is another for each, `verify-choreography`
    cannot tell whether engines that are at different items go together (`trip-varies`). A proof
    holds for the code it was made for: the verdict of a program that is changed is removed.
    """

    name = "persist"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Wrap the engines of every scheduled program.

        Raises:
            FindingsPassFailed: a program is not scheduled, or an engine has several blocks.
        """
        findings = Findings()
        programs = [each for each in op.walk() if isinstance(each, ProgramOp)]
        for program in programs:
            _check(program, findings)
        findings.raise_pass()
        for program in programs:
            _persist(program)


def _check(program: ProgramOp, findings: Findings) -> None:
    if program.phase is not Phase.SCHEDULED:
        findings.error(
            program,
            f"has no engines: persist expects a scheduled program, but this one is "
            f"{program.phase.name.lower()}",
            hint="run synthesize-handshakes first",
        )
        return
    for engine in _engines(program):
        if len(engine.body.blocks) > 1:
            findings.error(
                engine,
                f"@{engine.sym_name.data} has {len(engine.body.blocks)} blocks, but the loop over "
                "items goes around a single one",
                hint="run persist before loops become jumps",
            )


def _engines(program: ProgramOp) -> list[EngineOp]:
    return [op for op in program.body.block.ops if isinstance(op, EngineOp)]


def _persist(program: ProgramOp) -> None:
    """Wrap the engines of one program."""
    items = program.loop_nest.i.size
    engines = _engines(program)
    if items == 1 and not any(isinstance(op, ItemOp) for engine in engines for op in engine.walk()):
        return
    for engine in engines:
        _wrap(engine, items)
    rest = replace(program.loop_nest, i=ONE)
    program.loops = None if rest == Loops() else LoopsAttr(rest)
    if not has_valid_proof(program):
        program.attributes.pop(VERDICT, None)


def _wrap(engine: EngineOp, items: int) -> None:
    """Wrap one engine, or give it the only item."""
    block = engine.body.block
    uses = [op for op in engine.walk() if isinstance(op, ItemOp)]
    if items == 1:
        for op in uses:
            zero = arith.ConstantOp.from_int_and_width(0, IndexType())
            parent = op.parent
            assert parent is not None
            parent.insert_op_before(zero, op)
            _replace(op, zero.result)
        return
    body = Block(arg_types=(IndexType(),))
    item = body.args[0]
    item.name_hint = next((op.item.name_hint for op in uses if op.item.name_hint), "i")
    for op in uses:
        _replace(op, item)
    before = _read_once(block, item)
    inside = [op for op in block.ops if op not in before and not isinstance(op, EndOp)]
    for op in inside:
        op.detach()
    body.add_ops([*inside, affine.YieldOp.create()])
    loop = affine.ForOp.from_region([], [], [], [], 0, items, Region(body))
    last = block.last_op
    if last is None:
        block.add_op(loop)
    elif isinstance(last, EndOp):
        block.insert_op_before(loop, last)
    else:
        block.insert_op_after(loop, last)


def _replace(op: ItemOp, value: SSAValue) -> None:
    op.item.replace_all_uses_with(value)
    op.detach()
    op.erase()


def _read_once(block: Block, item: SSAValue) -> set[Operation]:
    """The reads of run-time trips that do not depend on the item, with what they need."""
    inside: set[SSAValue] = {item}
    found: set[Operation] = set()
    for op in block.ops:
        if any(operand in inside for part in op.walk() for operand in part.operands):
            inside.update(op.results)
        elif isinstance(op, TripOp):
            found.add(op)
    waiting = list(found)
    while waiting:
        for operand in waiting.pop().operands:
            owner = operand.owner
            if isinstance(owner, Operation) and owner.parent is block and owner not in found:
                found.add(owner)
                waiting.append(owner)
    return found
