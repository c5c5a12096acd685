"""When the rings of the compute engine hold pages: two that never do at once may share memory.

A compute engine is sequential. A ring that nobody else uses is empty until it fills it and from
when it pops the last page, whatever the other engines do, so its life is a stretch of the engine's
code. For stages this is the order in which the engine takes them: before the K blocks, in a block,
after them, in each part in the loops that the stages stand in. For engines it is the code itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.dialects import affine, scf
from xdsl.ir import Block, Operation, SSAValue

from spatial_dialect.analysis.dataflow import Dataflow
from spatial_dialect.analysis.domains import BLOCKS, SUB_BLOCKS, Domains, domains
from spatial_dialect.analysis.levels import Level, Levels, levels
from spatial_dialect.analysis.loop_counts import loop_count
from spatial_dialect.analysis.nests import Loop, Nest, Position, nest_of
from spatial_dialect.dialects.spatial import (
    BufferOp,
    ComputeStageOp,
    MatmulOp,
    ProgramOp,
    StageOp,
)


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the code of a compute engine, by the numbers of its first and last step."""

    first: int
    last: int

    def meets(self, other: Span) -> bool:
        """Whether two stretches have a step in common."""
        return self.first <= other.last and other.first <= self.last


Lives: TypeAlias = Mapping[BufferOp, Sequence[Span]]
"""For one compute engine, when rings hold pages; by the buffer that owns the memory."""


@dataclass(frozen=True)
class LiveRanges:
    """When rings hold pages, by the buffers that own their memory."""

    always: frozenset[BufferOp]
    """Those that may hold pages at any time."""

    engines: tuple[Lives, ...]
    """The lives of the others, in compute engines of different sites."""

    known: bool = True
    """Whether they are all that there are; not if an engine has jumps."""

    @staticmethod
    def of(program: ProgramOp) -> LiveRanges:
        """When the rings of a program hold pages, be it of stages or of engines."""
        return _of_stages(program) if program.stages else _of_engines(program)

    def may_share(self, one: BufferOp, other: BufferOp) -> bool:
        """Whether two rings never hold pages at the same time."""
        return not {one, other} & self.always and not any(
            a.meets(b)
            for lives in self.engines
            for a in lives.get(one, ())
            for b in lives.get(other, ())
        )


def memory_of(buffer: BufferOp) -> BufferOp:
    """The buffer whose memory a buffer uses: itself, if it is no alias."""
    while buffer.alias is not None:
        owner = buffer.alias.owner
        assert isinstance(owner, BufferOp)
        buffer = owner
    return buffer


def _memories(program: ProgramOp) -> dict[BufferOp, list[SSAValue]]:
    """The rings of each piece of memory, by the buffer that owns it."""
    found: dict[BufferOp, list[SSAValue]] = {}
    for buffer in program.buffers:
        found.setdefault(memory_of(buffer), []).append(buffer.buffer)
    return found


################################################################################
# In a program of stages                                                       #
################################################################################


def _of_stages(program: ProgramOp) -> LiveRanges:
    flow = Dataflow.of(program)
    found = domains(flow, program.loop_nest)
    numbers = _Numbers.of(levels(flow, found), found)
    # Between K blocks partial sums wait in memory whose ring is empty.
    spills = {stage.spill for stage in flow.stages if isinstance(stage, MatmulOp)}
    lives: dict[BufferOp, tuple[Span, ...]] = {}
    memories = _memories(program)
    for owner, values in memories.items():
        users = [
            user
            for value in values
            for stages in (flow.makers, flow.updates, flow.readers)
            for user in stages.get(value, ())
        ]
        private = users and all(isinstance(user, ComputeStageOp) for user in users)
        if private and spills.isdisjoint(values):
            factor = any(isinstance(u, MatmulOp) and u.output not in values for u in users)
            lives[owner] = (numbers.life(users, factor=factor),)
    return LiveRanges(frozenset(memories.keys() - lives.keys()), (lives,))


@dataclass
class _Numbers:
    """The steps of the compute engine, numbered in the order of its code.

    As if all compute stages stood on one site: every site has some of them, in the same order.
    """

    blocks: Loop
    """The K blocks."""

    stages: dict[StageOp, tuple[tuple[Loop, ...], int]] = field(
        default_factory=dict[StageOp, tuple[tuple[Loop, ...], int]]
    )
    """For a stage, the loops around it, outermost first, and its number."""

    loops: dict[Loop, Span] = field(default_factory=dict[Loop, Span])

    count: int = 0

    @staticmethod
    def of(order: Levels, domains: Domains) -> _Numbers:
        """The numbers of all compute stages."""
        stages = [stage for stage in order.order if isinstance(stage, ComputeStageOp)]

        def position(stage: StageOp) -> Position:
            nest = SUB_BLOCKS if isinstance(stage, MatmulOp) else domains.nest[stage] - BLOCKS
            return domains.iterated(nest)

        def steps(level: Level, *, matmuls: bool = False) -> list[StageOp | Loop]:
            chosen = [
                (stage, position(stage))
                for stage in stages
                if (matmuls if isinstance(stage, MatmulOp) else order.of[stage] is level)
            ]
            return nest_of(chosen, domains.loops).steps

        before, block, after = (steps(level, matmuls=level is Level.AFTER) for level in Level)
        # What comes after the blocks is fused into the last one if there is a matmul.
        fused = any(isinstance(stage, MatmulOp) for stage in stages)
        numbers = _Numbers(Loop("k", Nest((), [*block, *after] if fused else block)))
        numbers.visit([*before, numbers.blocks, *([] if fused else after)], ())
        return numbers

    def visit(self, steps: Sequence[StageOp | Loop], around: tuple[Loop, ...]) -> None:
        """Numbers some steps; to enter a loop and to leave it are steps too."""
        for step in steps:
            self.count += 1
            if isinstance(step, Loop):
                first = self.count
                self.visit(step.body.steps, (*around, step))
                self.count += 1
                self.loops[step] = Span(first, self.count)
            else:
                self.stages[step] = around, self.count

    def life(self, users: Iterable[StageOp], *, factor: bool) -> Span:
        """When a ring holds pages.

        In the innermost loop that all its users share, it is filled and emptied again. A loop
        in there that one of them stands in may run while a page waits, before it or after it.

        Args:
            users: the stages that fill the ring or read it.
            factor: whether a matmul reads it, which holds its pages to the end of a block.
        """
        paths = [self.stages[user] for user in users]
        shared = 0
        while len({loops[shared] if len(loops) > shared else None for loops, _ in paths}) == 1 and (
            len(paths[0][0]) > shared
        ):
            shared += 1
        spans = [
            self.loops[loops[shared]] if len(loops) > shared else Span(number, number)
            for loops, number in paths
        ]
        if factor:
            end = self.loops[self.blocks].last
            spans.append(Span(end, end))
        return Span(min(span.first for span in spans), max(span.last for span in spans))


################################################################################
# In a program of engines                                                      #
################################################################################


def _of_engines(program: ProgramOp) -> LiveRanges:
    # The other dialect need not be loaded for dataflow.
    from spatial_dialect.dialects.choreo import EngineOp

    memories = _memories(program)
    owners = {value: owner for owner, values in memories.items() for value in values}
    always: set[BufferOp] = set()
    engines: list[Lives] = []
    known = True
    for engine in program.body.block.ops:
        if not isinstance(engine, EngineOp):
            continue
        code = _Code(owners)
        uses = [code.block(block) for block in engine.body.blocks]
        if not engine.engine.is_compute:
            always.update(owner for found in uses for owner in found)
        elif len(uses) > 1:
            known = False
        else:
            always |= code.always
            engines.append({owner: use.spans for owner, use in uses[0].items()})
    return LiveRanges(frozenset(always), tuple(engines), known)


@dataclass
class _Use:
    """What a piece of code does to a piece of memory."""

    first: int
    last: int

    balance: dict[SSAValue, tuple[int, int]] = field(
        default_factory=dict[SSAValue, tuple[int, int]]
    )
    """By ring, how many more pages are reserved than pushed, and pushed than popped, if any."""

    spans: list[Span] = field(default_factory=list[Span])
    """When it holds pages, if it holds none at the start."""

    def then(self, use: _Use) -> None:
        """Adds what comes next."""
        if self.balance:
            self.spans[-1] = Span(self.spans[-1].first, use.last)
        elif use.balance:
            self.spans.append(Span(use.first, use.last))
        else:
            self.spans += use.spans
        self.last = use.last
        for ring, (reserved, pushed) in use.balance.items():
            before = self.balance.pop(ring, (0, 0))
            after = before[0] + reserved, before[1] + pushed
            if after != (0, 0):
                self.balance[ring] = after


@dataclass
class _Code:
    """The code of an engine, numbered op by op.

    Where as many pages have been reserved as pushed, and as many pushed as popped, a ring that held
    none before holds none, and nothing is reserved either: a request never reserves more than it
    says.
    """

    owners: Mapping[SSAValue, BufferOp]
    always: set[BufferOp] = field(default_factory=set[BufferOp])
    """The memory of which it cannot be told when it is in use."""
    count: int = 0

    def block(self, block: Block) -> dict[BufferOp, _Use]:
        """What some code does."""
        found: dict[BufferOp, _Use] = {}
        for op in block.ops:
            for owner, use in self.op(op).items():
                found.setdefault(owner, _Use(use.first, use.first)).then(use)
        return found

    def op(self, op: Operation) -> Mapping[BufferOp, _Use]:
        """What an op does."""
        self.count += 1
        if isinstance(op, affine.ForOp | scf.ForOp):
            return self.loop(op)
        if isinstance(op, scf.IfOp):
            return self.branches(op)
        touched = [value for value in op.operands if value in self.owners]
        found = {self.owners[value]: _Use(self.count, self.count) for value in touched}
        for value in touched:
            owner = self.owners[value]
            found[owner].spans = [Span(self.count, self.count)]
            if (change := _change(op)) is not None:
                found[owner].balance[value] = change
            if "accumulate" in op.properties:
                # It adds to a page that a ring may have given back.
                self.always.add(owner)
        return found

    def loop(self, op: affine.ForOp | scf.ForOp) -> Mapping[BufferOp, _Use]:
        """What a loop does; if it leaves as many pages as it finds, its iterations are alike."""
        first, count = self.count, loop_count(op)
        found = self.block(op.body.block)
        self.count += 1
        for owner, use in found.items():
            use.first, use.last = first, self.count
            if use.balance:
                use.spans = [Span(first, self.count)]
                if count is None:
                    self.always.add(owner)
                else:
                    use.balance = {
                        ring: (reserved * count, pushed * count)
                        for ring, (reserved, pushed) in use.balance.items()
                        if count
                    }
        return found

    def branches(self, op: scf.IfOp) -> Mapping[BufferOp, _Use]:
        """What either branch does, of which each must leave as many pages as it finds."""
        first = self.count
        found: dict[BufferOp, _Use] = {}
        for region in op.regions:
            for block in region.blocks:
                for owner, use in self.block(block).items():
                    if use.balance:
                        self.always.add(owner)
                    found.setdefault(owner, _Use(first, first)).spans += use.spans
        self.count += 1
        for use in found.values():
            use.last = self.count
        return found


def _change(op: Operation) -> tuple[int, int] | None:
    """How many more pages of its ring an op reserves than it pushes, and pushes than it pops."""
    from spatial_dialect.dialects.choreo import PopOp, PushOp, ReserveOp

    match op:
        case ReserveOp():
            return op.pages.value.data, 0
        case PushOp():
            return -op.pages.value.data, op.pages.value.data
        case PopOp():
            return 0, -op.pages.value.data
        case _:
            return None
