"""The long form of the property tests: thousands of random programs and mutants, and a table.

    python tests/property/campaign.py --examples 10000 --jobs 2 --seed 1

Each family makes as many cases. Whatever two ways of telling do not agree on is printed in full,
and the exit code is 1.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from rich.console import Console
from rich.table import Table
from xdsl.utils.exceptions import PassFailedException

sys.path.insert(0, str(Path(__file__).parent))

from spatial_testing.balance import programs_in, trip_choices
from spatial_testing.compared import compared, small_programs
from spatial_testing.judge import parsed, printed, schedule
from spatial_testing.mutants import mutations
from spatial_testing.programs import modules, programs
from spatial_testing.small_systems import RULES, SYSTEMS

from spatial_dialect.dialects.spatial import ProgramOp, StoreOp
from spatial_dialect.machine.proof import prove

CHUNK = 100
"""Cases of one task."""


@dataclass
class Tally:
    """What came of some cases."""

    family: str
    counts: Counter[str] = field(default_factory=Counter[str])
    disagreements: list[str] = field(default_factory=list[str])
    seconds: float = 0.0


def _drawn(strategy: st.SearchStrategy[str], count: int, number: int) -> list[str]:
    """Random texts, the same for the same number."""
    found: list[str] = []

    @seed(number)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=[
            HealthCheck.too_slow,
            HealthCheck.filter_too_much,
            HealthCheck.data_too_large,
            HealthCheck.large_base_example,
        ],
    )
    @given(strategy)
    def draw(text: str) -> None:
        found.append(text)

    draw()
    return found[:count]


@contextmanager
def _case(tally: Tally, text: str) -> Generator[None]:
    """Takes down whatever is raised over a program, and lets the others go on."""
    try:
        yield
    except PassFailedException:
        # A few programs ask for a page again that only a load could bring, and synthesis says so.
        tally.counts["refused by synthesis"] += 1
    except Exception:
        # Nothing may be raised over a right program, whatever it is: it is shown as a disagreement.
        tally.counts["raised"] += 1
        tally.disagreements.append(f"{traceback.format_exc()}\n{text}")


def proved(count: int, number: int, tally: Tally) -> None:
    """Everything that is synthesised is proved."""
    for text in _drawn(modules(), count, number):
        with _case(tally, text):
            module = parsed(text)
            schedule(module)
            for program in programs_in(module).values():
                verdict = prove(program)
                tally.counts[verdict.status] += 1
                if verdict.status != "proved":
                    tally.disagreements.append(f"{verdict.check}: {verdict.message}\n{text}")


def run_under_schedules(count: int, number: int, tally: Tally) -> None:
    """Every schedule gives what the dataflow means."""
    from spatial_testing.arguments import random_arguments
    from test_values import SCHEDULES, close, outcome

    for text in _drawn(programs(), count, number):
        with _case(tally, text):
            module = parsed(text)
            scheduled = module.clone()
            schedule(scheduled)
            (program,), (engines,) = (
                [op for op in each.body.block.ops if isinstance(op, ProgramOp)]
                for each in (module, scheduled)
            )
            if any(isinstance(s, StoreOp) and s.index is not None for s in program.stages):
                # Two pages of a scatter may go to one place: which of them stays is not defined.
                tally.counts["scatters, left out"] += 1
                continue
            for trips in trip_choices(program):
                arguments = random_arguments(program, trips)
                expected, first = outcome(program, arguments, "reference"), None
                for by in SCHEDULES:
                    tensors = outcome(engines, arguments, by)
                    first = first or tensors
                    tally.counts["runs"] += 1
                    same = (tensors is None) == (expected is None)
                    if same and tensors is not None and expected is not None:
                        same = all(
                            close(tensor, expected[name])
                            and first is not None
                            and tensor.tobytes() == first[name].tobytes()
                            for name, tensor in tensors.items()
                        )
                    if not same:
                        tally.disagreements.append(f"{by}, {trips}: other values\n{text}")


def _mutants(texts: Iterable[tuple[str, bool]], most: int, number: int, tally: Tally) -> None:
    for text, dataflow in texts:
        with _case(tally, text):
            module = parsed(text)
            if dataflow:
                schedule(module)
            for mutation in mutations(module, seed=number, most=most).mutations:
                (program,) = programs_in(mutation.module).values()
                agreement = compared(program)
                status, verdict = agreement.proof.status, agreement.search.verdict
                tally.counts[f"{status}/{verdict}"] += 1
                if not agreement.agrees:
                    tally.disagreements.append(
                        f"{mutation.description}\n{agreement}\n{printed(mutation.module)}"
                    )


def mutants_of_random_programs(count: int, number: int, tally: Tally) -> None:
    """The proof and the search of all interleavings agree."""
    texts = _drawn(small_programs(), max(1, count // 10), number)
    _mutants(((text, True) for text in texts), 10, number, tally)


def mutants_of_small_systems(count: int, number: int, tally: Tally) -> None:
    """The same, for systems on which careless readings of the proof go wrong."""
    texts = [
        (s.text, s.dataflow)
        for s in SYSTEMS.values()
        if s.verdict != "rejected" and len(s.trips) == 1
    ]
    texts += [(rule.right, False) for rule in RULES.values()]
    _mutants(texts, max(1, count // len(texts)), number, tally)


FAMILIES: dict[str, Callable[[int, int, Tally], None]] = {
    "synthesised, proved": proved,
    "synthesised, run under every schedule": run_under_schedules,
    "mutants of synthesised programs": mutants_of_random_programs,
    "mutants of small systems": mutants_of_small_systems,
}


def _task(family: str, count: int, number: int) -> Tally:
    tally = Tally(family)
    start = time.monotonic()
    FAMILIES[family](count, number, tally)
    tally.seconds = time.monotonic() - start
    return tally


def main() -> int:
    """Runs all families; 1 if there was a disagreement."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--examples", type=int, default=10_000, help="cases of each family")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--seed", type=int, default=1, help="another one gives other cases")
    args = parser.parse_args()
    totals = {family: Tally(family) for family in FAMILIES}
    with ProcessPoolExecutor(args.jobs) as pool:
        tasks = [
            pool.submit(_task, family, min(CHUNK, args.examples - done), args.seed * 100_003 + done)
            for done in range(0, args.examples, CHUNK)
            for family in FAMILIES
        ]
        for task in as_completed(tasks):
            tally = task.result()
            total = totals[tally.family]
            total.counts += tally.counts
            total.seconds += tally.seconds
            total.disagreements += tally.disagreements
            for disagreement in tally.disagreements:
                print(f"=== {tally.family}\n{disagreement}", file=sys.stderr)
    table = Table("family", "cases", "what came of them", "disagreements", "CPU s")
    for family, total in totals.items():
        parts = ", ".join(f"{count} {what}" for what, count in sorted(total.counts.items()))
        cases = sum(total.counts.values())
        disagreements = len(total.disagreements)
        table.add_row(family, str(cases), parts, str(disagreements), f"{total.seconds:.0f}")
    Console(width=120).print(table)
    return int(any(total.disagreements for total in totals.values()))


if __name__ == "__main__":
    sys.exit(main())
