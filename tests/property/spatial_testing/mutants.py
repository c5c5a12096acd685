"""Small changes to scheduled programs, most of which break them.

Each mutant differs from its program in one place, as a slip of the hand or of a pass would. Those
that the verifier refuses are left out, but counted.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects import affine, scf
from xdsl.dialects.builtin import AffineMapAttr, IntegerAttr, ModuleOp, i64
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.utils.exceptions import VerifyException

from spatial_dialect.dialects import choreo
from spatial_dialect.dialects.spatial import BufferOp
from spatial_dialect.ir.attributes import Comparison, ComparisonAttr
from spatial_dialect.tools.dominance import check_dominance

from .judge import parsed

Change: TypeAlias = Callable[[list[Operation]], None]
"""Changes a copy of a module, given all its ops in the order of a walk."""


@dataclass(frozen=True)
class Mutation:
    """A program with one change."""

    description: str
    module: ModuleOp


@dataclass(frozen=True)
class Mutants:
    """All changes of a program that were asked for."""

    mutations: list[Mutation]
    rejected: int
    """How many more the verifier refuses."""

    def __iter__(self) -> Iterator[Mutation]:
        return iter(self.mutations)

    def __len__(self) -> int:
        return len(self.mutations)


def mutations(source: str | ModuleOp, *, seed: int = 0, most: int | None = None) -> Mutants:
    """The mutants of a scheduled program.

    Args:
        source: a module with scheduled programs, or its text.
        seed: chooses where ops move to, and which mutants to take if there are too many.
        most: the number of changes to try, in their order in the program.
    """
    module = parsed(source) if isinstance(source, str) else source
    chosen = list(_changes(module, random.Random(seed)))
    if most is not None and len(chosen) > most:
        places = sorted(random.Random(seed).sample(range(len(chosen)), most))
        chosen = [chosen[place] for place in places]
    found: list[Mutation] = []
    for description, change in chosen:
        mutant = module.clone()
        change(list(mutant.walk()))
        try:
            mutant.verify()
        except VerifyException:
            continue
        if not check_dominance(mutant):
            found.append(Mutation(description, mutant))
    return Mutants(found, len(chosen) - len(found))


def _acts(op: Operation) -> bool:
    """Whether an op can be seen from outside, or is a loop of such."""
    return isinstance(op, choreo.ChoreoOp | affine.ForOp | scf.ForOp)


def _engine(op: Operation) -> choreo.EngineOp | None:
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, choreo.EngineOp):
        parent = parent.parent_op()
    return parent


def _says(op: Operation) -> str:
    engine = _engine(op)
    names = [f"%{v.name_hint}" for v in op.operands if v.name_hint is not None]
    where = "" if engine is None else f"@{engine.sym_name.data}: "
    number = "" if engine is None else f" (op {list(engine.walk()).index(op)})"
    return " ".join((f"{where}{op.name.removeprefix('choreo.')}", *names)) + number


def _changes(module: ModuleOp, source: random.Random) -> Iterator[tuple[str, Change]]:
    ops = list(module.walk())
    numbers = {op: number for number, op in enumerate(ops)}
    for number, op in enumerate(ops):
        if isinstance(op, BufferOp):
            yield from _depths(number, op)
        if _engine(op) is None or not _acts(op):
            continue
        says = _says(op)
        if not op.results:
            yield f"drop {says}", _drop(number)
            yield f"duplicate {says}", _duplicate(number)
        following = op.next_op
        if following is not None and _acts(following):
            after = numbers[following]
            yield f"swap {says} and {_says(following)}", _move(number, after, before=False)
        for other, before in _destinations(op, source):
            word = "before" if before else "behind"
            change = _move(number, numbers[other], before=before)
            yield f"move {says} {word} {_says(other)}", change
        yield from _values(number, op, says)
        yield from _targets(number, op, says, ops)


def _drop(number: int) -> Change:
    def change(ops: list[Operation]) -> None:
        ops[number].detach()
        ops[number].erase()

    return change


def _block(op: Operation) -> Block:
    block = op.parent_block()
    assert block is not None
    return block


def _duplicate(number: int) -> Change:
    def change(ops: list[Operation]) -> None:
        op = ops[number]
        _block(op).insert_op_after(op.clone(), op)

    return change


def _move(number: int, other: int, *, before: bool) -> Change:
    def change(ops: list[Operation]) -> None:
        op, place = ops[number], ops[other]
        op.detach()
        if before:
            _block(place).insert_op_before(op, place)
        else:
            _block(place).insert_op_after(op, place)

    return change


def _destinations(op: Operation, source: random.Random) -> list[tuple[Operation, bool]]:
    """Where an op moves to: out of its loop, into the ones beside it, and to any one place."""
    found: list[tuple[Operation, bool]] = []
    parent = op.parent_op()
    if isinstance(parent, affine.ForOp | scf.ForOp):
        found += [(parent, True), (parent, False)]
    for neighbour, first in ((op.next_op, True), (op.prev_op, False)):
        if isinstance(neighbour, affine.ForOp | scf.ForOp):
            inside = [inner for inner in neighbour.body.block.ops if _acts(inner)]
            if inside:
                found.append((inside[0], True) if first else (inside[-1], False))
    engine = _engine(op)
    assert engine is not None
    others = [
        other
        for other in engine.walk()
        if _acts(other) and other is not op and not op.is_ancestor(other)
    ]
    if others:
        found.append((source.choice(others), source.random() < 0.5))
    return found


def _depths(number: int, op: BufferOp) -> Iterator[tuple[str, Change]]:
    """Rings of the same memory change together."""
    if op.alias is not None or op.pages is None:
        return
    for more in (-1, 1):
        pages = op.pages + more

        def change(ops: list[Operation], pages: int = pages) -> None:
            memory: set[SSAValue] = set()
            for other in ops:
                if isinstance(other, BufferOp) and (other is ops[number] or other.alias in memory):
                    memory.add(other.buffer)
                    other.depth = IntegerAttr(pages, i64)

        yield f"depth of %{op.buffer.name_hint} {more:+}", change


def _property(number: int, name: str, value: int) -> Change:
    def change(ops: list[Operation]) -> None:
        ops[number].properties[name] = IntegerAttr(value, i64)

    return change


def _values(number: int, op: Operation, says: str) -> Iterator[tuple[str, Change]]:
    """Other counts."""
    match op:
        case choreo.RingOp():
            yield f"one page more: {says}", _property(number, "pages", op.pages.value.data + 1)
        case choreo.McastSendOp():
            yield f"one page more: {says}", _property(number, "pages", op.pages.value.data + 1)
            if op.hold_path is not None:

                def loosen(ops: list[Operation]) -> None:
                    del ops[number].properties["hold_path"]

                yield f"path not held: {says}", loosen
        case choreo.SemWaitOp() | choreo.SemSetOp() | choreo.SemIncOp():
            for more in (-1, 1):
                value = op.value.value.data + more
                yield f"value {more:+}: {says}", _property(number, "value", value)
            if isinstance(op, choreo.SemWaitOp):
                exactly = op.comparison.data == Comparison.EQ

                def compare(ops: list[Operation]) -> None:
                    other = Comparison.GE if exactly else Comparison.EQ
                    ops[number].properties["comparison"] = ComparisonAttr(other)

                yield f"{'ge' if exactly else 'eq'}: {says}", compare
        case affine.ForOp() if not op.upperBoundOperands:
            (bound,) = op.upperBoundMap.data.eval((), ())
            for more in (-1, 1):

                def resize(ops: list[Operation], trip: int = bound + more) -> None:
                    attribute = AffineMapAttr(AffineMap.constant_map(trip))
                    ops[number].properties["upperBoundMap"] = attribute

                yield f"trip {more:+}: {says}", resize
        case _:
            pass


def _targets(
    number: int, op: Operation, says: str, ops: list[Operation]
) -> Iterator[tuple[str, Change]]:
    """Other semaphores, with their groups, other groups, and other rings of the same type."""
    match op:
        case choreo.SemWaitOp() | choreo.SemSetOp() | choreo.SemIncOp() | choreo.McastSetValidOp():
            for place, other in enumerate(ops):
                if not isinstance(other, choreo.SemaphoresOp) or op.semaphore in other.results:
                    continue

                def retarget(new: list[Operation], place: int = place) -> None:
                    semaphores, mutant = new[place], new[number]
                    assert isinstance(semaphores, choreo.SemaphoresOp)
                    ready = op.semaphore.type == semaphores.ready.type
                    mutant.operands[0] = semaphores.ready if ready else semaphores.valid
                    if len(mutant.operands) > 1:
                        mutant.operands[1] = semaphores.group

                yield f"semaphore %{other.ready.name_hint}: {says}", retarget
        case choreo.RingOp() | choreo.McastSendOp():
            for place, other in enumerate(ops):
                if (
                    isinstance(other, BufferOp)
                    and other.buffer is not op.buffer
                    and other.buffer.type == op.buffer.type
                ):

                    def reroute(new: list[Operation], place: int = place) -> None:
                        new[number].operands[0] = new[place].results[0]

                    yield f"ring %{other.buffer.name_hint}: {says}", reroute
        case _:
            pass
