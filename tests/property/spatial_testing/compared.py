"""The proof and the search of all interleavings, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import strategies as st
from xdsl.utils.exceptions import PassFailedException

from spatial_dialect.dialects.choreo import EngineOp
from spatial_dialect.dialects.spatial import ProgramOp
from spatial_dialect.machine.proof import Verdict, prove

from .environment import Trips
from .explorer import Exploration, explore
from .judge import parsed, schedule
from .programs import chain_programs, copy_programs, fold_programs, matmul_programs

LIMIT = 30_000
"""States after which the search gives up."""

LARGEST = 200
"""Ops on all sites of the programs that are searched."""


@dataclass(frozen=True)
class Agreement:
    """Two verdicts on one program."""

    proof: Verdict
    search: Exploration

    @property
    def agrees(self) -> bool:
        """Whether they do not contradict each other.

        A proof may give up, and so may a search. A proof judges items in every order of trips, the
        search only in the ones it is given, so that it does not see every semaphore that one item
        leaves elsewhere and another one reads.
        """
        if self.proof.status == "undecided" or self.search.verdict == "too large":
            return True
        if self.proof.check == "semaphore-end" and self.search.verdict == "fine":
            return self.proof.run is not None and bool(self.proof.run.trips)
        return (self.proof.status == "proved") == (self.search.verdict == "fine")

    def __str__(self) -> str:
        return (
            f"proof: {self.proof.status} {self.proof.check} {self.proof.message}\n"
            f"search: {self.search}"
        )


def trips_of(program: ProgramOp) -> Sequence[Sequence[Trips]]:
    """Items to search: none, one, two and the most blocks, and a short one after a long one."""
    extent = program.loop_nest.k
    if not extent.at_run_time:
        return ([Trips(0)],)
    counts = sorted({n for n in (0, 1, 2, extent.size) if n <= extent.size})
    return [*([Trips(n)] for n in counts), [Trips(counts[-1]), Trips(0)]]


def compared(
    program: ProgramOp, items: Sequence[Sequence[Trips]] | None = None, *, limit: int = LIMIT
) -> Agreement:
    """Proves a scheduled program and searches it for a fault.

    Args:
        program: a scheduled program that verifies.
        items: the run-time trips of one item after the other, for each search.
        limit: states after which a search gives up.
    """
    found = Exploration("fine")
    for trips in trips_of(program) if items is None else items:
        search = explore(program, trips, limit=limit)
        if search.verdict != "fine":
            found = search
        if found.verdict == "fault":
            break
    return Agreement(prove(program), found)


def size(program: ProgramOp) -> int:
    """The ops of all engines of all sites."""
    return sum(
        op.sites.count * sum(inner.name.startswith("choreo.") for inner in op.walk())
        for op in program.body.block.ops
        if isinstance(op, EngineOp)
    )


def _is_small(text: str) -> bool:
    module = parsed(text)
    try:
        schedule(module)
    except PassFailedException:
        # A few programs ask for a page again that only a load could bring.
        return False
    return all(size(op) <= LARGEST for op in module.walk() if isinstance(op, ProgramOp))


def small_programs() -> st.SearchStrategy[str]:
    """Dataflow programs whose choreography is small enough to search."""
    families = (copy_programs(), chain_programs(), matmul_programs(), fold_programs())
    return st.one_of(*families).filter(_is_small)
