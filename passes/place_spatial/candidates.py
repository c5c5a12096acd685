"""The ways to place a program, and what is predicted of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects.builtin import DenseArrayBase, i64

from spatial_dialect.analysis.costs import Estimate, estimate, move_cycles
from spatial_dialect.analysis.dataflow import Dataflow
from spatial_dialect.analysis.item_digits import digits_in
from spatial_dialect.dialects.spatial import GroupOp, LoadOp, ProgramOp, page_type
from spatial_dialect.ir.addresses import used_loops
from spatial_dialect.ir.diagnostics import Findings, value_name
from spatial_dialect.ir.types import element_bits

from .distribution import Distribution, Run, distributions
from .engines import assign_engines
from .placement import hanging_digits, place
from .request import Request, digit_text


@dataclass(frozen=True)
class Candidate:
    """One way to place a program."""

    request: Request
    distribution: Distribution | None
    """None if the program says itself which sites do what."""
    multicast: bool
    estimate: Estimate

    @staticmethod
    def of(request: Request, distribution: Distribution | None, *, multicast: bool) -> Candidate:
        """The candidate with what is predicted of it."""
        trial = request.program.clone()
        _place(trial, request, distribution, multicast)
        return Candidate(request, distribution, multicast, estimate(trial))

    @property
    def distribution_text(self) -> str:
        """What goes where, for people."""
        d = self.distribution
        assert d is not None
        return f"{d.text}, {d.items} item{'s' if d.items > 1 else ''} on each of {d.sites}"

    @property
    def prediction(self) -> str:
        """What is predicted of it, for people."""
        return f"{self.estimate.total_cycles:.0f} cycles, {self.estimate.dram_bytes} bytes of DRAM"

    def carry_out(self, program: ProgramOp) -> None:
        """Places the program, or a copy of it, in this way."""
        _place(program, self.request, self.distribution, self.multicast)


def _place(
    program: ProgramOp, request: Request, distribution: Distribution | None, multicast: bool
) -> None:
    program.target = request.target
    program.grid = DenseArrayBase.from_list(i64, request.grid)
    if distribution is not None:
        allowed = multicast and "semaphore" in request.machine.handshakes_remote
        place(program, distribution, multicast=allowed)
    assign_engines(program, request.machine, move_cycles(program))


@dataclass(frozen=True)
class Choice:
    """The candidates for a program, and the best of them."""

    request: Request
    candidates: tuple[Candidate, ...]
    left_out: int
    """How many distributions were not looked at closely."""

    @staticmethod
    def of(request: Request, chosen: Mapping[str, Run], *, multicast: bool) -> Choice:
        """The ways to place a program that are worth a closer look.

        Args:
            request: the program, and what it is placed on.
            chosen: the digits that are asked for, for `y` and for `x`.
            multicast: whether pages that several sites read are sent on.
        """
        digits, program = request.digits, request.program
        if digits is None:
            return Choice(request, (Candidate.of(request, None, multicast=multicast),), 0)
        may_hang = hanging_digits(program, digits, request.machine, Dataflow.of(program))
        loads = [
            (digits_in(load.address.data, digits), _size(load))
            for load in program.stages
            if isinstance(load, LoadOp)
        ]
        found, left_out = distributions(digits, request.grid, may_hang, chosen, loads)
        candidates = tuple(Candidate.of(request, each, multicast=multicast) for each in found)
        return Choice(request, candidates, left_out)

    @cached_property
    def best(self) -> Candidate:
        """The one with the least traffic of those within a tenth of the fastest."""
        # The prediction is no more exact than that, and others want to use DRAM as well.
        most = 1.1 * min(each.estimate.total_cycles for each in self.candidates)
        fast = [each for each in self.candidates if each.estimate.total_cycles <= most]
        return min(fast, key=lambda each: (each.estimate.dram_bytes, each.estimate.total_cycles))

    def explain(self) -> None:
        """Says, once the best is carried out, what it is and what else there was."""
        program, distribution = self.request.program, self.best.distribution
        name, notes = f"@{program.sym_name.data}", list[str]()
        if distribution is None:
            message = f"{name} says itself which sites do what: its stages get engines"
        else:
            grid = list(self.request.grid)
            message = f"{name} goes over the sites of grid {grid}: {distribution.text}"
            digits = distribution.digits
            notes += [f"digit {digit_text(number, digits)}" for number in range(len(digits))]
            kept = [str(n) for n in range(len(digits)) if n not in distribution.may_hang]
            if kept:
                notes.append(
                    f"no site can have values beyond the end of digit {', '.join(kept)}: a "
                    "run-time trip is read by it, or no store would leave them out"
                )
            for each in sorted(self.candidates, key=lambda each: each.estimate.total_cycles):
                end = ", chosen" if each is self.best else ""
                notes.append(f"{each.distribution_text}: {each.prediction}{end}")
            if len(self.candidates) > 1:
                notes.append("chosen is the least traffic within a tenth of the fewest cycles")
            if self.left_out:
                notes.append(f"{self.left_out} more have more items a site, or more traffic")
        for stage in program.stages:
            if isinstance(stage, LoadOp) and stage.group is not None:
                group = stage.group.owner
                assert isinstance(group, GroupOp)
                notes.append(
                    f"{value_name(stage.buffer)} is read at {group.senders.data} and sent along "
                    f"{group.axes} to {group.receiving_sites}"
                )
        moves = (
            f"{cycles:.0f} on move {number}"
            for number, cycles in enumerate(self.best.estimate.move_cycles)
        )
        compute = f"{self.best.estimate.compute_cycles:.0f} on compute"
        notes.append(f"cycles of an item: {', '.join((compute, *moves))}")
        Findings().remark(program, message, notes=notes)


def _size(load: LoadOp) -> float:
    """Bits of the pages of an item, but for a factor that all loads have in common."""
    page = page_type(load.buffer)
    pages = load.program.loop_nest.pages(used_loops(load.address.data))
    return pages * page.tiles * element_bits(page.element_type)
