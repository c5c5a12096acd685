"""The search for the best way to cut a template."""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, ModuleOp, i64

from spatial_dialect.analysis.costs import CostModel, move_cycles
from spatial_dialect.dialects.spatial import ComputeStageOp
from spatial_dialect.ir.diagnostics import Finding, FindingsPassFailed
from spatial_dialect.passes.place_spatial.engines import assign_engines
from spatial_dialect.passes.synthesize_handshakes import SynthesizeHandshakesPass

from .candidates import Candidates, Wanted
from .prediction import Candidate, Predictions
from .template import Choice, Shape, Template
from .tiled import tiled


@dataclass(frozen=True)
class Overfull:
    """A choice with a page that the accumulators cannot hold."""

    choice: Choice
    stage: ComputeStageOp
    shape: Shape


@dataclass
class Search:
    """What was tried for a template, the best first."""

    template: Template
    wanted: Wanted
    grid: Shape
    fitting: list[Candidate] = field(default_factory=list[Candidate])
    """What can be made."""
    unscheduled: list[tuple[Candidate, Finding]] = field(
        default_factory=list[tuple[Candidate, Finding]]
    )
    """What fits, but has no schedule, and why."""
    too_big: list[Candidate] = field(default_factory=list[Candidate])
    """What does not fit local memory, the smallest first."""
    overfull: list[Overfull] = field(default_factory=list[Overfull])
    """What does not fit the accumulators, the smallest blocks first."""
    uneven: list[Choice] = field(default_factory=list[Choice])
    """What has sub-blocks that do not divide its blocks."""

    @staticmethod
    def of(template: Template, wanted: Wanted, grid: Shape) -> Search:
        """Look for the best way to cut a template for so many sites."""
        candidates = Candidates(template, wanted)
        predictions, forms = Predictions(template, grid), Forms(template)
        for narrow in (False, True):
            search = Search(template, wanted, grid)
            for choice in candidates.all(narrow=narrow):
                search.look_at(choice, candidates, predictions)
            search.too_big.sort(key=lambda each: each.estimate.least_bytes)
            search.fitting.sort(key=lambda each: each.rank)
            search.leave_out_unscheduled(forms)
            if search.fitting:
                break
        return search

    @property
    def best(self) -> Choice | None:
        """The best, if there is one."""
        return self.fitting[0].choice if self.fitting else None

    def look_at(self, choice: Choice, candidates: Candidates, predictions: Predictions) -> None:
        """Finds out whether a choice fits."""
        if any(choice.block(axis) % sub for axis, sub in choice.subs.items()):
            self.uneven.append(choice)
        elif (found := candidates.too_large(choice)) is not None:
            self.overfull.append(Overfull(choice, *found))
        else:
            candidate = predictions.of(choice)
            fits = candidate.estimate.least_bytes <= self.template.target.usable_bytes
            (self.fitting if fits else self.too_big).append(candidate)

    def leave_out_unscheduled(self, forms: Forms) -> None:
        """Goes on to the first that has a schedule."""
        for number, candidate in enumerate(self.fitting):
            problem = forms.problem(candidate.choice)
            if problem is None:
                del self.fitting[:number]
                return
            self.unscheduled.append((candidate, problem))
        self.fitting.clear()


class Forms:
    """Which forms of a template can be scheduled; each is tried out once."""

    def __init__(self, template: Template):
        self.template = template
        self.known: dict[object, Finding | None] = {}

    def problem(self, choice: Choice) -> Finding | None:
        """Why a choice cannot be scheduled, if it cannot."""
        loops = self.template.loops(choice)
        # The first, the last and the other K blocks differ; sub-blocks do not.
        form = min(loops.k.size, 3), loops.h.is_one, loops.w.is_one, choice.spill
        if form not in self.known:
            self.known[form] = self.try_out(choice)
        return self.known[form]

    def try_out(self, choice: Choice) -> Finding | None:
        """Schedules a tiled program on one site, with rings as deep as its form needs."""
        program = tiled(self.template, choice)
        program.grid = DenseArrayBase.from_list(i64, (1, 1))
        machine = self.template.target
        assign_engines(program, machine, move_cycles(program))
        model = CostModel.of(program, machine)
        needs = model.needs(program.loop_nest)
        for buffer in program.buffers:
            if buffer.pages is None:
                buffer.depth = IntegerAttr(needs.least(buffer.buffer), i64)
        try:
            SynthesizeHandshakesPass().apply(Context(), ModuleOp([program]))
        except FindingsPassFailed as error:
            return error.findings[0]
        return None
