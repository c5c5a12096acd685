"""Engines that go over their items: what is proved, certified and computed stays so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from spatial_testing.certificates import certified, refusal, second_opinion
from spatial_testing.judge import parsed, schedule
from spatial_testing.small_systems import system
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from spatial_dialect.analysis.fingerprint import has_valid_proof
from spatial_dialect.dialects.choreo import VERDICT
from spatial_dialect.dialects.spatial import ProgramOp
from spatial_dialect.ir.attributes import LoopsAttr
from spatial_dialect.ir.loops import Extent
from spatial_dialect.machine.proof import prove
from spatial_dialect.machine.runs import Run
from spatial_dialect.passes.persist import PersistPass
from spatial_dialect.passes.verify_choreography import VerifyChoreographyPass

EXAMPLES = [
    path
    for path in sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.mlir"))
    if "spatial.program" in path.read_text()
]


def programs_of(module: ModuleOp) -> Iterator[ProgramOp]:
    return (op for op in module.walk() if isinstance(op, ProgramOp))


def persist(module: ModuleOp) -> None:
    PersistPass().apply(Context(), module)
    module.verify()


def scheduled(path: Path, items: int) -> ModuleOp:
    """The programs of an example, each run for so many items."""
    module = parsed(path.read_text())
    schedule(module)
    for program in programs_of(module):
        program.loops = LoopsAttr(replace(program.loop_nest, i=Extent(items)))
    return module


@pytest.mark.parametrize("items", [2, 5, 1000])
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_proved_for_all_items(path: Path, items: int):
    module = scheduled(path, items)
    persist(module)
    for program in programs_of(module):
        verdict = prove(program)
        assert verdict.status == "proved", verdict.message
        assert refusal(program, certified(program, verdict)) is None


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_one_item_changes_nothing(path: Path):
    module = scheduled(path, 1)
    VerifyChoreographyPass().apply(Context(), module)
    before = module.clone()
    persist(module)
    assert module.is_structurally_equivalent(before)
    assert all(map(has_valid_proof, programs_of(module)))


def test_a_proof_does_not_outlive_what_it_was_made_for():
    module = scheduled(EXAMPLES[0], 3)
    VerifyChoreographyPass().apply(Context(), module)
    persist(module)
    (program,) = programs_of(module)
    assert VERDICT not in program.attributes
    VerifyChoreographyPass().apply(Context(), module)
    assert has_valid_proof(program)
    # All items are in the engines now.
    before = module.clone()
    persist(module)
    assert module.is_structurally_equivalent(before)


################################################################################
# Run-time trips inside a loop over items                                      #
################################################################################


def engines(*codes: str, rings: Sequence[str] = ("p 2",), most: int = 10**6) -> ProgramOp:
    """Movement engines of one site, with a run-time trip n."""
    found = ((f"move {number} at [0, 0]", code) for number, code in enumerate(codes))
    text = system(
        "items", "[1, 1]", [*rings], *found, loops=f"k = ? max {most}", trips="%count : index"
    )
    (program,) = programs_of(parsed(text))
    program.verify()
    return program


FILL, TAKE = "R p; fill p; P p;", "W p; use p; O p;"


@pytest.mark.parametrize("depth", [1, 2, 3, 5])
@pytest.mark.parametrize("items", [1, 2, 3, 7, 10**6])
def test_one_engine_may_be_at_the_next_item(items: int, depth: int):
    """It may at any depth, so that periods of items cut the loops of a trip."""
    program = engines(
        f"for {items} {{ for n {{ {FILL} }} }}",
        f"for {items} {{ for n {{ {TAKE} }} }}",
        rings=[f"p {depth}"],
    )
    verdict = prove(program)
    assert verdict.status == "proved"
    assert verdict.steps < 10_000
    assert refusal(program, certified(program, verdict)) is None


@pytest.mark.parametrize(
    ("fill", "take"),
    [
        # Once n pages of an item are more than the ring holds, the message comes too late.
        (
            f"for 9 {{ for n {{ {FILL} }} R q; fill q; P q; }}",
            f"for 9 {{ W q; use q; O q; for n {{ {TAKE} }} }}",
        ),
        # A page less for each item: the last one is left over, or missing.
        (f"for 9 {{ for n {{ {FILL} }} }} {FILL}", f"for 9 {{ for n {{ {TAKE} }} }}"),
        (f"for 9 {{ for n {{ {FILL} }} }}", f"for 8 {{ for n {{ {TAKE} }} }}"),
    ],
)
def test_what_is_wrong_is_still_found(fill: str, take: str):
    program = engines(fill, take, rings=["p 4", "q 1"])
    assert prove(program).status == "refuted"
    assert second_opinion(program) is not None


def long_run(program: ProgramOp, trip: int, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A certificate whose last run is of a trip, though shorter ones would be enough."""
    pumps_by = Run.pumps_by

    def only_long(run: Run, variable: int) -> int | None:
        return pumps_by(run, variable) if run.trips[variable] >= trip else None

    monkeypatch.setattr(Run, "pumps_by", only_long)
    return certified(program)


@pytest.mark.parametrize("skip", [18, 20, 22, 24, 26, 28])
@pytest.mark.parametrize("first", [18, 20, 22, 24, 26, 28])
@pytest.mark.parametrize("second", [34, 36, 38, 40, 42, 44])
def test_what_a_period_cuts_is_pumped_on_one_side(
    skip: int, first: int, second: int, monkeypatch: pytest.MonkeyPatch
):
    """Where repetitions of a period meet, the end of one execution follows on the beginning of
    another: with a pump in both of them, or in neither, it would not have n iterations."""
    program = engines(f"for 9 {{ for n {{ {FILL} }} }}", f"for 9 {{ for n {{ {TAKE} }} }}")
    found = long_run(program, 8, monkeypatch)
    run = found["components"][0]["runs"][-1]
    assert (run["trips"], run["skips"]) == ([8], [[18, 34, 6]])
    assert len(run["pumps"]) == 3
    # A turn of each engine is an iteration of each, and an item takes eight of them.
    run["skips"] = [[skip, skip + 16, 6]]
    run["pumps"][1:] = [[first, first + 2], [second, second + 2]]
    before = first < skip and second < skip + 16
    behind = first >= skip and second >= skip + 16
    refused = refusal(program, found)
    assert (refused is None) == (before or behind), refused
