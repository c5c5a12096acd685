"""The search of all interleavings: what it says of programs whose verdict is known."""

from __future__ import annotations

import pytest
from spatial_testing.balance import programs_in, trip_choices
from spatial_testing.environment import Trips
from spatial_testing.explorer import KINDS, Exploration, explore
from spatial_testing.judge import parsed, schedule
from spatial_testing.mutants import mutations
from spatial_testing.small_systems import (
    RULES,
    SYSTEMS,
    Rule,
    recv_round,
    send_round,
    system,
    take,
)
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import VerifyException

from spatial_dialect.dialects.spatial import ProgramOp


def _program(module: ModuleOp) -> ProgramOp:
    (program,) = programs_in(module).values()
    return program


def _scheduled(text: str, *, verify: bool = True) -> ModuleOp:
    module = parsed(text)
    if verify:
        module.verify()
    schedule(module)
    return module


def _explored(text: str, *, verify: bool = False) -> Exploration:
    module = parsed(text)
    if verify:
        module.verify()
    return explore(_program(module))


@pytest.mark.parametrize("name", SYSTEMS)
def test_small_systems(name: str) -> None:
    """Also without leaving out interleavings."""
    known = SYSTEMS[name]
    if known.expected == "rejected":
        with pytest.raises(VerifyException):
            parsed(known.text).verify()
        return
    module = parsed(known.text)
    module.verify()
    if known.dataflow:
        schedule(module)
    for reduced in (True, False):
        found = explore(_program(module), known.trips, reduced=reduced)
        assert found.verdict == known.expected, str(found)
        assert found.verdict == "fine" or found.kind in (known.kinds or KINDS), str(found)


@pytest.mark.parametrize(("n", "verdict"), [(0, "fine"), (1, "fault"), (2, "fine"), (3, "fault")])
def test_a_trip_matters_by_its_parity(n: int, verdict: str) -> None:
    program = _program(parsed(SYSTEMS["10"].text))
    assert explore(program, Trips(n)).verdict == verdict


@pytest.mark.parametrize(
    ("items", "verdict"),
    [((0,), "fine"), ((1,), "fine"), ((0, 1), "fault"), ((1, 0), "fault"), ((1, 1), "fine")],
)
def test_items_run_one_after_the_other(items: tuple[int, ...], verdict: str) -> None:
    """Whatever the first item, in the next round there is one after it."""
    program = _program(parsed(SYSTEMS["11"].text))
    assert explore(program, [Trips(n) for n in items]).verdict == verdict


def test_one_launch_may_be_right_and_the_next_one_wrong() -> None:
    program = _program(parsed(SYSTEMS["flag of the last item"].text))
    assert explore(program, again=False).verdict == "fine"
    assert explore(program).verdict == "fault"


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("reduced", [True, False], ids=["reduced", "full"])
def test_rules(name: str, reduced: bool) -> None:
    rule: Rule = RULES[name]
    right, wrong = parsed(rule.right), parsed(rule.wrong)
    right.verify()
    found = explore(_program(right), reduced=reduced)
    assert found.verdict == "fine", str(found)
    if rule.verifies:
        wrong.verify()
    else:
        with pytest.raises(VerifyException):
            wrong.verify()
    found = explore(_program(wrong), reduced=reduced)
    assert found.verdict == "fault"
    assert found.kind in rule.kinds, str(found)


def _local(*engines: str, rings: tuple[str, ...] = ("p 2",), target: str = '"reference"') -> str:
    placed = [
        (code.split(":", 1)[0] + " at [0, 0]", code.split(":", 1)[1])
        if ":" in code
        else (f"move {number} at [0, 0]", code)
        for number, code in enumerate(engines)
    ]
    return system("local", "[1, 1]", [*rings], *placed, target=target)


def _pair(
    sender: str, receiver: str, *takers: str, target: str = '"reference"', depth: int = 2
) -> str:
    engines = [("move 0 at [0, 0]", sender), ("move 0 at [0, 1]", receiver)]
    engines += (("move 1 at [0, 0:2]", taker) for taker in takers)
    head = [f"b {depth}", "g from [0, 0] to [0, 1] along x"]
    return system("pair", "[1, 2]", head, *engines, target=target)


FAULTS = {
    "accumulator": _local("compute: %a = choreo.acquire 1xbf16"),
    "contents": _local("R p; P p", take("p")),
    "deadlock": _local("R p; fill p; P p", f"W p 2; use p; O p; {take('p')}"),
    "group": _pair("inc g", ""),
    "landing": _pair(
        f"{send_round().replace('wait g_ready eq 1; set g_ready 0; ', '')}; flush",
        recv_round().replace("inc g; ", ""),
        take(),
    ),
    "left over": _local("R p 2; fill p; P p", take("p")),
    "not waited for": _local("R p; fill p; P p", "use p; W p; O p"),
    "open at the end": _local("R p; fill p; P p", "W p; write p; O p"),
    "overflow": _pair("wait g_ready ge 3; set g_ready 0", "inc g 3").replace(
        '"reference"', '"reference" {max_pages_counter = 2}'
    ),
    "path": SYSTEMS["16"].text,
    "semaphore at the end": _pair("wait g_ready eq 1", "inc g"),
    "semaphore race": SYSTEMS["15"].text,
    "slot race": _local("R p; read p; P p; rbar", take("p")),
    "two engines": _local("R p; fill p; P p", take("p"), take("p")),
    "unreserved": _local("fill p; R p; P p", take("p")),
    "wrap": RULES["pages moved at once around the end"].wrong,
}


@pytest.mark.parametrize("kind", FAULTS)
def test_kinds_of_fault(kind: str) -> None:
    found = _explored(FAULTS[kind])
    assert (found.verdict, found.kind) == ("fault", kind), str(found)
    assert found.reason


def test_each_kind_of_fault_has_an_example() -> None:
    assert set(FAULTS) == set(KINDS)


def test_the_trace_leads_to_the_fault() -> None:
    text = _local("R p; fill p; P p; R p; fill p; P p", take("p"), rings=("p 1",))
    found = _explored(text, verify=True)
    assert found.kind == "left over"
    assert [step.split(": ")[1].split()[0] for step in found.trace] == [
        *("reserve", "read_tiles", "read_barrier", "push"),
        *("wait", "write_tiles", "write_barrier", "pop"),
        *("reserve", "read_tiles", "read_barrier", "push"),
    ]


def test_a_fault_in_some_interleaving_is_found() -> None:
    """Only if the flag overtakes the data, and the data the next page's."""
    lazy = send_round().replace(" hold", "")
    receiver = "for 3 { " + recv_round() + " }"
    sender, taker = f"for 3 {{ {lazy} }}", f"for 3 {{ {take()} }}"
    found = _explored(_pair(sender, receiver, taker), verify=True)
    assert found.kind == "slot race"
    assert "while under way: multicast" in found.reason
    flushed = lazy.replace("flag g", "flush; flag g")
    assert _explored(_pair(sender.replace(lazy, flushed), receiver, taker)).verdict == "fine"


def test_a_flush_counts_only_where_the_target_needs_it() -> None:
    lazy = send_round().replace(" hold", "").replace("flag g", "flush when needs_flush; flag g")
    verdicts = {
        target: _explored(_pair(lazy, recv_round(), take(), target=f'"{target}"')).verdict
        for target in ("reference", "wormhole", "blackhole")
    }
    assert verdicts == {"reference": "fault", "wormhole": "fault", "blackhole": "fine"}


def test_a_flag_in_between_takes_the_held_path_away() -> None:
    """Data is ordered before the next flag alone."""
    sender = (
        "R b; fill b; wait g_ready eq 1; set g_ready 0; send b g hold; {0}wait g_ready eq 1; "
        "set g_ready 0; flag g; flush; P b"
    )
    receiver = (
        "R b; set g_valid invalid; inc g; {0}set g_valid invalid; inc g; wait g_valid eq valid; P b"
    )
    held = _pair(sender.format(""), receiver.format(""), take())
    # Without the flag in between the receiver tells twice in a row, which is right for `ge`.
    assert _explored(held).kind == "semaphore race"
    twice = _pair(
        sender.format("flag g; "), receiver.format("wait g_valid eq valid; "), take(), depth=1
    )
    assert _explored(twice).verdict == "fine"
    late = _pair(
        sender.format("")
        .replace("send b g hold; ", "flag g; ")
        .replace("flag g; flush", "send b g; flag g; flush"),
        receiver.format("wait g_valid eq valid; "),
        take(),
        depth=1,
    )
    assert _explored(late).kind == "slot race"


def test_increments_of_one_engine_land_in_order() -> None:
    """The wait needs the first one only, so the second may still be under way."""
    sender = "wait g_ready ge 1; wait g_ready ge 3; set g_ready 0"
    assert _explored(_pair(sender, "inc g 1; inc g 2")).verdict == "fine"
    assert _explored(_pair("wait g_ready ge 1; set g_ready 0", "inc g 1; inc g 2")).kind == (
        "semaphore race"
    )


def test_too_many_states() -> None:
    program = _program(parsed(SYSTEMS["1, right"].text))
    full = explore(program, reduced=False)
    assert full.verdict == "fine"
    assert explore(program, reduced=False, limit=full.states // 3).verdict == "too large"


def test_too_many_events() -> None:
    text = _local("for 1000000 { R p; fill p; P p }", f"for 1000000 {{ {take('p')} }}")
    assert _explored(text).verdict == "too large"


@pytest.mark.parametrize("name", ["1, right", "14, flush", "5"])
def test_what_is_left_out_shows_nothing_else(name: str) -> None:
    """On mutants, the full search says the same."""
    for mutation in mutations(SYSTEMS[name].text, seed=1, most=30):
        program = _program(mutation.module)
        full = explore(program, reduced=False, limit=5_000)
        if full.verdict != "too large":
            assert explore(program).verdict == full.verdict, mutation.description


# Programs that are scheduled by the package.


def _rows(rows: int, cols: int, k: int, depth: int, target: str) -> str:
    return f"""
spatial.program @rows(%X : memref<{rows * 32}x96xbf16>, %Y : memref<{rows * 32}x{cols * 96}xbf16>)
    target #spatial.target<"{target}"> grid [{rows}, {cols}] loops [k = {k}] {{
  %x = spatial.buffer depth {depth} : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0:{rows}, 0] to [0:{rows}, 1:{cols}] along x
  spatial.load %X[y, k] into %x multicast %g at [0:{rows}, 0] on move 0
  spatial.recv %g into %x at [0:{rows}, 1:{cols}] on move 0
  spatial.store %x into %Y[y, x * 3 + k] on move 1
}}
"""


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("target", ["wormhole", "blackhole"])
@pytest.mark.parametrize(("rows", "cols"), [(1, 2), (1, 3), (2, 2)])
def test_multicasts_along_rows(rows: int, cols: int, target: str, depth: int) -> None:
    for k in (1, 2, 3):
        found = explore(_program(_scheduled(_rows(rows, cols, k, depth, target))))
        assert found.verdict == "fine", str(found)


def test_flags_that_overtake_are_found_in_scheduled_programs() -> None:
    """What is right for one target is not for another that keeps less in order."""
    module = _scheduled(_rows(1, 2, 2, 2, "wormhole"))
    text = str(module)
    assert explore(_program(parsed(text))).verdict == "fine"
    assert explore(_program(parsed(text.replace("wormhole", "blackhole")))).verdict == "fault"


CHAIN = """
spatial.program @chain(%X : memref<32x96xbf16>, %V : memref<32x32xbf16>, %Y : memref<32x96xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %v = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %m = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, k] into %x on move 0
  spatial.load %V[0, 0] into %v on move 0
  spatial.dot %x, %v into %m
  spatial.map (%m, %x) into %y {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %y into %Y[0, k] on move 1
}
"""

FOLD = """
spatial.program @fold(%X : memref<32x32xf32>, %V : memref<96x32xf32>, %Y : memref<32x32xf32>,
    %n : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 3] {
  spatial.trip k = %n
  %x = spatial.buffer depth 1 : !spatial.buffer<1x1xf32>
  %v = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  %m = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  %y = spatial.buffer depth 1 : !spatial.buffer<1x1xf32>
  spatial.load %X[0, 0] into %x on move 0
  spatial.load %V[k, 0] into %v on move 0
  spatial.map (%x) into %m {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map (%m, %v) update %m {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.subf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map (%m) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[0, 0] on move 1
}
"""

IN_PLACE = """
spatial.program @in_place(%A : memref<32x96xbf16>, %B : memref<96x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 2 alias %c : !spatial.buffer<1x1xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[0, w] on move 1
}
"""

GATHER = """
spatial.program @gather(%I : memref<32x32xi32>, %T : memref<96x96xbf16>, %X : memref<96x96xbf16>,
    %Y : memref<32x96xbf16>)
    target #spatial.target<"reference"> grid [1, 3] loops [k = 2] {
  %ix = spatial.buffer depth 1 : !spatial.buffer<1x1xi32>
  %a = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %ga = spatial.group from [0, 1] to [0, 0] along x
  %gb = spatial.group from [0, 2] to [0, 0] along x
  spatial.load %I[0, 0] into %ix at [0, 1] on move 0
  spatial.load %T[ind, k] into %a multicast %ga via %ix at [0, 1] on move 0
  spatial.load %X[1, k] into %b multicast %gb at [0, 2] on move 0
  spatial.load %X[0, k] into %c at [0, 0] on move 0
  spatial.recv %ga into %a at [0, 0] on move 1
  spatial.recv %gb into %b at [0, 0] on move 2
  spatial.all_reduce add %a, %b, %c into %s across %ga at [0, 0]
  spatial.store %s into %Y[0, k] at [0, 0] on move 3
  spatial.store %a into %X[2, k] at [0, 1] on move 3
  spatial.store %b into %X[2, k] at [0, 2] on move 3
}
"""

RIGHT = {
    "chain": CHAIN,
    "fold": FOLD,
    "in place": IN_PLACE,
    "gather": GATHER,
    "matmul": SYSTEMS["13"].text,
}


@pytest.mark.parametrize("name", RIGHT)
def test_scheduled_programs_are_fine(name: str) -> None:
    source = parsed(RIGHT[name])
    scheduled = _program(_scheduled(RIGHT[name], verify=False))
    for trips in trip_choices(_program(source)):
        found = explore(scheduled, trips)
        assert found.verdict == "fine", f"{trips}: {found}"
