"""The proof: right where the answer is known, and in agreement with the search of everything."""

from __future__ import annotations

import os
from functools import cache

import pytest
from hypothesis import given, settings
from spatial_testing.balance import programs_in
from spatial_testing.compared import Agreement, compared, small_programs
from spatial_testing.judge import parsed, schedule
from spatial_testing.mutants import mutations
from spatial_testing.programs import modules
from spatial_testing.small_systems import RULES, SYSTEMS, system
from xdsl.dialects.builtin import ModuleOp

from spatial_dialect.dialects.spatial import ProgramOp
from spatial_dialect.machine.proof import Verdict, prove

_EXAMPLES = int(os.environ.get("SPATIAL_EXAMPLES", "0"))


def _program(module: ModuleOp) -> ProgramOp:
    (program,) = programs_in(module).values()
    return program


def _verdict(text: str) -> Verdict:
    module = parsed(text)
    module.verify()
    return prove(_program(module))


def _local(*codes: str, rings: tuple[str, ...] = ("p 2",), loops: str = "") -> str:
    """Movement engines of one site."""
    engines = ((f"move {number} at [0, 0]", code) for number, code in enumerate(codes))
    trips = "%count : index" if loops else ""
    return system("local", "[1, 1]", [*rings], *engines, loops=loops, trips=trips)


@pytest.mark.parametrize("name", [n for n, s in SYSTEMS.items() if s.verdict != "rejected"])
def test_small_systems(name: str) -> None:
    known = SYSTEMS[name]
    module = parsed(known.text)
    module.verify()
    if known.dataflow:
        schedule(module)
    assert prove(_program(module)).status == known.verdict


@pytest.mark.parametrize("name", RULES)
def test_rules(name: str) -> None:
    rule = RULES[name]
    assert _verdict(rule.right).status == "proved"
    if rule.verifies:
        assert _verdict(rule.wrong).status == "refuted"


# Counts and depths.

_COUNTS = (0, 1, 2, 3, 4, 5, 7, 13, 10**6)


@pytest.mark.parametrize("depth", [1, 2, 4])
@pytest.mark.parametrize("count", _COUNTS)
def test_a_stream_of_any_length(count: int, depth: int) -> None:
    rings = (f"p {depth}",)
    fill, take = f"for {count} {{ R p; fill p; P p }}", f"for {count} {{ W p; use p; O p }}"
    assert _verdict(_local(fill, take, rings=rings)).status == "proved"
    more = _local(f"{fill}; R p; fill p; P p", take, rings=rings)
    assert _verdict(more).check == "leftover"
    fewer = _local(fill, f"{take}; W p; use p; O p", rings=rings)
    assert _verdict(fewer).check == "deadlock"


@pytest.mark.parametrize("depth", [1, 2, 4, 37])
@pytest.mark.parametrize("count", _COUNTS)
def test_a_message_after_all_pages(count: int, depth: int) -> None:
    """It hangs exactly if there are more pages than room."""
    text = _local(
        f"for {count} {{ R p; fill p; P p }}; R q; fill q; P q",
        f"W q; use q; O q; for {count} {{ W p; use p; O p }}",
        rings=(f"p {depth}", "q 1"),
    )
    verdict = _verdict(text)
    assert (verdict.status, verdict.check) == (
        ("refuted", "deadlock") if count > depth else ("proved", None)
    )


@pytest.mark.parametrize("depth", [1, 3, 40])
def test_a_leak_is_found_however_late_it_tells(depth: int) -> None:
    """A page less is taken in each round, until the ring is full."""
    text = _local(
        "for 1000000 { R p; fill p; P p; R p; fill p; P p }",
        "for 1000000 { W p; use p; O p }",
        rings=(f"p {depth}",),
    )
    assert _verdict(text).check == "deadlock"


@pytest.mark.parametrize("most", [1, 2, 3, 10, 10**6])
def test_run_time_trips(most: int) -> None:
    """Both sides read the trip; then one of them does one round more, or less."""
    loops = f"k = ? max {most}"
    fill, take = "for n { R p; fill p; P p }", "for n { W p; use p; O p }"
    assert _verdict(_local(fill, take, loops=loops)).status == "proved"
    assert _verdict(_local(f"{fill}; R p; fill p; P p", take, loops=loops)).check == "leftover"
    # The rest of one round is only asked for once there is a second one.
    odd = "for n { W p; use p; O p; W q; use q; O q; R q; fill q; P q }; W q; use q; O q"
    late = _local(fill, f"R q; fill q; P q; {odd}", rings=("p 2", "q 1"), loops=loops)
    assert _verdict(late).status == "proved"
    # Every third page is one too many for a ring that nobody empties.
    full = _local(
        "for n { R p; fill p; P p; R q; fill q; P q }",
        "for n { W p; use p; O p }; for n { W q; use q; O q }",
        rings=("p 2", "q 3"),
        loops=loops,
    )
    verdict = _verdict(full)
    assert (verdict.status, verdict.check) == (
        ("refuted", "deadlock") if most > 3 else ("proved", None)
    )


def test_trips_of_sites_that_meet_elsewhere() -> None:
    """Two rows read trips of their own, and meet at a site that reads none."""
    code = "for n { R p; fill p; P p; W p; use p; O p }"
    along_x, along_y = "g from [0:2, 0] to [0:2, 1] along x", "h from [0, 1] to [1, 1] along y"
    for groups, status in (([along_x], "proved"), ([along_x, along_y], "undecided")):
        text = system(
            "rows",
            "[2, 2]",
            ["p 2", *groups],
            ("move 0 at [0:2, 0]", code),
            loops="k = ? max 9",
            trips="%lens : memref<2xi32>",
        )
        verdict = _verdict(text.replace("choreo.trip %count", "choreo.trip %lens[%y]"))
        assert verdict.status == status
    assert verdict.check == "trip-varies"


def test_loops_inside_loops() -> None:
    text = _local(
        "for 1000 { for 1000 { for 7 { R p; fill p; P p } } }",
        "for 500 { for 14000 { W p; use p; O p } }",
    )
    assert _verdict(text).status == "proved"
    assert _verdict(text.replace("to 500", "to 499")).check in ("leftover", "deadlock")


def test_rings_of_many_depths_repeat_after_one_round() -> None:
    rings = ("p 7", "q 11", "r 13", "s 17")
    fill = " ".join(f"R {r}; fill {r}; P {r};" for r in "pqrs")
    take = " ".join(f"W {r}; use {r}; O {r};" for r in "pqrs")
    verdict = _verdict(
        _local(f"for 1000000 {{ {fill} }}", f"for 1000000 {{ {take} }}", rings=rings)
    )
    assert verdict.status == "proved"
    assert verdict.steps < 2000


def test_no_period_is_undecided() -> None:
    """Pages pile up in a ring that is deep: every state is new."""
    text = _local(
        "for 60000 { R p; fill p; P p }; R q; fill q; P q",
        "W q; use q; O q; for 60000 { W p; use p; O p }",
        rings=("p 60000", "q 1"),
    )
    module = parsed(text)
    module.verify()
    verdict = prove(_program(module), budget=10_000)
    assert (verdict.status, verdict.check) == ("undecided", "no-period")


# Grids.

_MATMUL = """
spatial.program @mm(%A : memref<{m}x{k32}xbf16>, %B : memref<{k32}x{n}xbf16>,
                    %C : memref<{m}x{n}xbf16>)
    target #spatial.target<"reference"> grid [{y}, {x}] loops [k = {k}] {{
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %rows = spatial.group from [0:{y}, 0] to [0:{y}, 1:{x}] along x
  %cols = spatial.group from [0, 0:{x}] to [1:{y}, 0:{x}] along y
  spatial.load %A[y, k] into %a multicast %rows at [0:{y}, 0] on move 0
  spatial.recv %rows into %a at [0:{y}, 1:{x}] on move 0
  spatial.load %B[k, x] into %b multicast %cols at [0, 0:{x}] on move 0
  spatial.recv %cols into %b at [1:{y}, 0:{x}] on move 0
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[y, x] on move 1
}}
"""


@cache
def _matmul(y: int, x: int, k: int) -> ModuleOp:
    module = parsed(_MATMUL.format(m=32 * y, n=32 * x, k32=32 * k, y=y, x=x, k=k))
    schedule(module)
    return module


def test_cost_grows_neither_with_the_grid_nor_with_trips() -> None:
    steps = {
        prove(_program(_matmul(y, x, k))).steps
        for y, x in ((8, 8), (64, 64), (750, 990))
        for k in (64, 10**6)
    }
    assert len(steps) == 1
    assert steps.pop() < 5000


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (4, 5)])
def test_the_reduced_grid_says_what_the_full_grid_says(shape: tuple[int, int]) -> None:
    module = _matmul(*shape, 2)
    for mutation in mutations(module, seed=1, most=60).mutations:
        program = _program(mutation.module)
        assert prove(program).status == prove(program, on_full_grid=True).status, (
            mutation.description
        )


# Random programs.


@settings(max_examples=_EXAMPLES or 60)
@given(modules())
def test_everything_synthesised_is_proved(text: str) -> None:
    module = parsed(text)
    schedule(module)
    for program in programs_in(module).values():
        verdict = prove(program)
        assert verdict.status == "proved", verdict.message


@pytest.mark.parametrize("name", [n for n, s in SYSTEMS.items() if s.verdict != "rejected"])
def test_mutants_of_small_systems(name: str) -> None:
    """As many as there are with one change, and the search of all interleavings agrees."""
    known = SYSTEMS[name]
    for mutation in mutations(known.text, seed=2, most=_EXAMPLES or 12).mutations:
        agreement = compared(_program(mutation.module), [known.trips])
        assert agreement.agrees, f"{mutation.description}: {agreement}"


@settings(max_examples=_EXAMPLES or 25)
@given(small_programs())
def test_mutants_of_random_programs(text: str) -> None:
    """Nothing is refuted that is right, and nothing proved that is wrong."""
    module = parsed(text)
    schedule(module)
    for mutation in mutations(module, seed=len(text), most=5).mutations:
        agreement = compared(_program(mutation.module))
        assert agreement.agrees, f"{mutation.description}: {agreement}"


def test_the_comparison_can_tell_a_difference() -> None:
    wrong = _program(parsed(RULES["page left over"].wrong))
    found = compared(wrong)
    assert (found.proof.status, found.search.verdict) == ("refuted", "fault")
    assert found.agrees
    right = prove(_program(parsed(RULES["page left over"].right)))
    assert not Agreement(right, found.search).agrees
