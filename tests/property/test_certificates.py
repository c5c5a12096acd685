"""Certificates hold for the programs they are of, and for no program that is wrong."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from spatial_testing.balance import programs_in
from spatial_testing.certificates import TooLong, certified, refusal, second_opinion
from spatial_testing.compared import small_programs
from spatial_testing.judge import parsed, schedule
from spatial_testing.mutants import mutations
from spatial_testing.programs import programs
from spatial_testing.small_systems import RULES, SYSTEMS, system
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import ParseError, PassFailedException, VerifyException

from spatial_dialect.analysis.dataflow import Cycle
from spatial_dialect.dialects.spatial import ProgramOp
from spatial_dialect.machine.proof import prove

_EXAMPLES = int(os.environ.get("SPATIAL_EXAMPLES", "0"))


def _program(module: ModuleOp) -> ProgramOp:
    (program,) = programs_in(module).values()
    return program


def _scheduled(text: str) -> ModuleOp:
    module = parsed(text)
    schedule(module)
    return module


@settings(max_examples=_EXAMPLES or 60)
@given(programs())
def test_certificates_of_synthesised_programs_hold(text: str) -> None:
    program = _program(_scheduled(text))
    verdict = prove(program)
    assert verdict.status == "proved"
    assert refusal(program, certified(program, verdict)) is None


def _judged(module: ModuleOp, most: int, seed: int) -> None:
    """Mutants have certificates that hold, or none, not even that of the program itself."""
    found = certified(_program(module))
    for mutation in mutations(module, seed=seed, most=most).mutations:
        program = _program(mutation.module)
        verdict = prove(program)
        if verdict.status == "proved":
            assert refusal(program, certified(program, verdict)) is None, mutation.description
        else:
            assert refusal(program, found) is not None, mutation.description
        _agree(program, mutation.description)


def _agree(program: ProgramOp, description: str) -> None:
    """What the rules of the checker find without the prover is what the prover finds."""
    verdict = prove(program)
    try:
        broken = second_opinion(program)
    except TooLong:
        return
    if verdict.status != "undecided":
        assert (broken is None) == (verdict.status == "proved"), (
            f"{description}: {verdict.status}, {verdict.check}, but {broken}"
        )


@settings(max_examples=_EXAMPLES or 25)
@given(small_programs())
def test_mutants_of_random_programs(text: str) -> None:
    _judged(_scheduled(text), 6, len(text))


_RIGHT = {
    **{name: (s.text, s.dataflow) for name, s in SYSTEMS.items() if s.verdict == "proved"},
    **{name: (rule.right, False) for name, rule in RULES.items()},
}


@pytest.mark.parametrize("name", _RIGHT)
def test_mutants_of_small_systems(name: str) -> None:
    text, dataflow = _RIGHT[name]
    _judged(_scheduled(text) if dataflow else parsed(text), _EXAMPLES or 12, 3)


@pytest.mark.parametrize("name", [n for n, s in SYSTEMS.items() if s.verdict != "rejected"])
def test_second_opinion_of_small_systems(name: str) -> None:
    known = SYSTEMS[name]
    _agree(_program(_scheduled(known.text) if known.dataflow else parsed(known.text)), name)


def test_size_does_not_grow_with_the_grid_or_the_counts():
    def size(sites: int, count: int) -> int:
        text = system(
            "row",
            f"[1, {sites}]",
            ["b 2", f"g from [0, 0] to [0, 1:{sites}] along x"],
            (
                "move 0 at [0, 0]",
                f"for {count} {{ R b; fill b; wait g_ready eq {sites - 1}; set g_ready 0; "
                "send b g hold; flag g; P b }",
            ),
            (
                f"move 0 at [0, 1:{sites}]",
                f"for {count} {{ R b; set g_valid invalid; inc g; wait g_valid eq valid; P b }}",
            ),
            (f"move 1 at [0, 0:{sites}]", f"for {count} {{ W b; use b; O b }}"),
        )
        program = _program(parsed(text))
        found = certified(program)
        assert refusal(program, found) is None
        return len(json.dumps(found))

    assert size(1000, 10**6) <= size(4, 64) + 30


def test_control_that_depends_on_where_it_is():
    text = system(
        "where",
        "[1, 2]",
        ["p 1"],
        (
            "move 0 at [0, 0:1]",
            "%on = arith.cmpi eq, %x, %c0 : index; scf.if %on {; R p; fill p; P p; W p; O p; }",
        ),
    )
    program = _program(parsed(text))
    assert prove(program).status == "proved"
    assert refusal(program, certified(program)) is None


def test_a_program_without_its_flush():
    known = next(s for s in SYSTEMS.values() if "choreo.flush" in s.text and s.verdict == "proved")
    right = _program(parsed(known.text))
    found = certified(right)
    assert refusal(right, found) is None
    lines = known.text.splitlines(keepends=True)
    wrong = "".join(line for line in lines if "choreo.flush" not in line)
    assert refusal(_program(parsed(wrong)), found) is not None


_CORPUS = sorted(
    (Path(__file__).parents[1] / "filecheck" / "passes" / "verify_choreography").glob("*.mlir")
)


@pytest.mark.slow
@pytest.mark.parametrize("path", _CORPUS, ids=lambda path: path.stem)
def test_corpus_of_rules(path: Path) -> None:
    """Whatever is proved among the golden tests of the proof has a certificate that holds."""
    for text in re.split(r"^// -----.*$", path.read_text(), flags=re.M):
        try:
            module = parsed(text)
            module.verify()
            if any(program.stages for program in programs_in(module).values()):
                schedule(module)
        except (ParseError, VerifyException, PassFailedException, Cycle):
            continue
        for program in programs_in(module).values():
            verdict = prove(program)
            if verdict.status == "proved":
                assert refusal(program, certified(program, verdict)) is None
