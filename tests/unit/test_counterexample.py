"""Counterexamples: what they say is so, the events lead there, and each change suggested works."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from spatial_testing.balance import programs_in
from spatial_testing.judge import context, parsed, schedule
from spatial_testing.mutants import mutations
from spatial_testing.small_systems import RULES, SYSTEMS, recv_round, send_round, system, take
from xdsl.dialects.builtin import ModuleOp

from spatial_dialect.dialects.spatial import ProgramOp
from spatial_dialect.ir.diagnostics import HINT_PREFIX, Finding, warnings_to
from spatial_dialect.machine.code import Numbering, compiled
from spatial_dialect.machine.layout import classes
from spatial_dialect.machine.proof import Verdict, prove
from spatial_dialect.machine.semantics import Machine
from spatial_dialect.machine.tokens import Reason, Refuted
from spatial_dialect.passes.verify_choreography import VerifyChoreographyPass
from spatial_dialect.report.counterexample import (
    MOST_NOTES,
    Counterexample,
    counterexample_json,
    explain,
    undecided_notes,
)
from spatial_dialect.report.events import replayed
from spatial_dialect.report.hangs import describe, hang
from spatial_dialect.tools.located_parser import LocatedParser
from spatial_dialect.tools.spatial_opt import BAD_INPUT, BAD_USAGE, OK, main

WRONG = {
    **{n: s.text for n, s in SYSTEMS.items() if s.verdict == "refuted" and not s.dataflow},
    **{n: rule.wrong for n, rule in RULES.items() if rule.verifies},
}
"""Programs that verify and are refuted."""


def located(text: str) -> ModuleOp:
    """A module whose ops know their places in `text`."""
    return LocatedParser(context(), text, "small.mlir").parse_module()


def program_of(module: ModuleOp) -> ProgramOp:
    (program,) = programs_in(module).values()
    return program


def refuted(text: str) -> tuple[ProgramOp, Verdict]:
    """A program and its verdict."""
    program = program_of(located(text))
    verdict = prove(program)
    assert verdict.status == "refuted"
    return program, verdict


def local(*codes: str, rings: tuple[str, ...] = ("p 2",), **more: str) -> str:
    """Movement engines of one site."""
    engines = ((f"move {number} at [0, 0]", code) for number, code in enumerate(codes))
    return system("local", "[1, 1]", [*rings], *engines, **more)


################################################################################
# What holds of every counterexample                                           #
################################################################################


def check(program: ProgramOp, verdict: Verdict) -> Counterexample:
    """Checks all that must hold."""
    before = str(program)
    found = explain(verdict)
    assert str(program) == before, "the program is left as it was"
    check_text(found)
    check_fix(program, found)
    check_hang(found)
    check_prefix(found)
    check_json(found)
    return found


def check_text(found: Counterexample) -> None:
    assert len(found.notes) <= MOST_NOTES
    for line in (found.message, *found.notes, found.hint or ""):
        assert "\n" not in line
        assert "<" not in line.replace("spatial.target<", "").replace("affine_map<", ""), line
        assert len(line) < 400


def check_fix(program: ProgramOp, found: Counterexample) -> None:
    if found.fix is None:
        assert found.hint is None or not found.hint.startswith("this is enough")
        return
    changed = found.fix.apply(program)
    changed.verify()
    assert prove(changed).status == "proved", found.fix.text


def check_hang(found: Counterexample) -> None:
    stuck = found.hang
    if found.verdict.check != "deadlock":
        assert stuck is None
        return
    assert stuck is not None
    assert stuck.blocked
    blocked = {each.thread.number: each for each in stuck.blocked}
    assert set(blocked) == {t.number for t in stuck.machine.threads if not t.done}
    for each in stuck.blocked:
        if each.instruction is not None and "goes round" not in each.reason:
            assert not stuck.machine.enabled(each.thread, each.instruction)
    for one, following in zip(stuck.cycle, (*stuck.cycle[1:], *stuck.cycle[:1]), strict=True):
        assert following in blocked[one].waits_for
    assert len(set(stuck.cycle)) == len(stuck.cycle)
    if stuck.cycle:
        assert any(line.startswith("cycle: @") for line in found.notes)


def check_prefix(found: Counterexample) -> None:
    """The events are closed under what comes before, and can happen in their order."""
    observed, prefix = found.observed, found.prefix
    if observed is None or prefix is None:
        return
    counts = {number: len(events) for number, events in prefix.by_engine().items()}
    for number, events in prefix.by_engine().items():
        assert [event.index for event in events] == list(range(1, counts[number] + 1))
    for event in prefix.events:
        for thread, seen in enumerate(observed.clock_of(event)):
            assert seen <= counts.get(thread, 0)
    at_an_event = observed.failure.check not in (
        *("deadlock", "leftover", "in-flight-at-end", "semaphore-end"),
    )
    if at_an_event:
        with pytest.raises(Refuted) as error:
            replayed(prefix, observed.run)
        assert error.value.check == observed.failure.check
    else:
        run = replayed(prefix, observed.run)
        if found.hang is not None:
            check_stuck(run.machine, found)


def check_stuck(machine: Machine, found: Counterexample) -> None:
    """After the events of a hang its engines stay where they are, whatever the others do."""
    assert found.hang is not None
    stuck = found.hang.cycle or tuple(b.thread.number for b in found.hang.blocked)
    before = [machine.threads[number].events for number in stuck]
    for _ in range(200):
        moved = False
        for thread in machine.threads:
            while not thread.done:
                instruction = machine.next_event(thread)
                if instruction is None:
                    moved = not thread.done
                    break
                if not machine.enabled(thread, instruction):
                    break
                try:
                    machine.perform(thread, instruction)
                except Refuted:
                    return
                moved = True
        if not moved:
            break
    assert [machine.threads[number].events for number in stuck] == before


def check_json(found: Counterexample) -> None:
    trace: dict[str, Any] = json.loads(found.trace_text())
    assert set(trace) == {"traceEvents", "counterexample"}
    shown: dict[str, Any] = trace["counterexample"]
    assert set(shown) == {
        *("check", "message", "program", "op", "location", "notes", "hint", "trips", "start"),
        *("blocked", "cycle", "accesses", "missing", "prefix", "fix"),
    }
    assert shown["check"] == found.verdict.check
    if found.prefix is None:
        return
    events: list[dict[str, Any]] = shown["prefix"]["events"]
    assert len(events) == len(found.prefix.events)
    for event in (*events, *shown["accesses"]):
        assert set(event) - {"role"} == {
            *("engine", "cell", "op", "location", "loops", "number"),
        }
        assert event["engine"].startswith("@")
    assert sum(each["events"] for each in shown["prefix"]["engines"]) == len(events)
    assert {b["engine"] for b in shown["blocked"]} >= {
        name.partition(" at ")[0] for name in shown["cycle"]
    }
    check_trace(trace["traceEvents"], len(events) + len(shown["blocked"]))


def check_trace(events: list[dict[str, Any]], most: int) -> None:
    named = {(e["pid"], e["tid"]) for e in events if e["name"] == "thread_name"}
    slices = {(e["pid"], e["tid"], e["ts"]) for e in events if e["ph"] == "X"}
    assert len([e for e in events if e["ph"] == "X"]) <= most
    assert {(pid, tid) for pid, tid, _ in slices} <= named
    starts = {e["id"]: e for e in events if e["ph"] == "s"}
    ends = {e["id"]: e for e in events if e["ph"] == "f"}
    assert set(starts) == set(ends)
    for number, start in starts.items():
        end = ends[number]
        assert start["ts"] < end["ts"]
        assert (start["pid"], start["tid"], start["ts"]) in slices
        assert (end["pid"], end["tid"], end["ts"]) in slices
        assert start["tid"] != end["tid"]


@pytest.mark.parametrize("name", WRONG)
def test_wrong_systems(name: str):
    check(*refuted(WRONG[name]))


RIGHT = {
    **{n: s.text for n, s in SYSTEMS.items() if s.verdict == "proved" and not s.dataflow},
    **{n: rule.right for n, rule in RULES.items()},
}


@pytest.mark.parametrize("name", RIGHT)
def test_mutants(name: str):
    """Whatever slip of the hand has been made."""
    found = [m for m in mutations(RIGHT[name], seed=1)]
    random.Random(name).shuffle(found)
    count = 0
    for mutation in found:
        program = program_of(mutation.module)
        verdict = prove(program, budget=5_000)
        if verdict.status == "refuted":
            check(program, verdict)
            count += 1
        if count == 6:
            break


def wide(receivers: int, count: int) -> str:
    """A multicast to several sites, whose sender waits for some number of increments."""
    return system(
        "wide",
        f"[1, {receivers + 1}]",
        ["b 2", f"g from [0, 0] to [0, 1:{receivers + 1}] along x"],
        ("move 0 at [0, 0]", f"for 4 {{ {send_round(count=count)} }}"),
        (f"move 0 at [0, 1:{receivers + 1}]", f"for 4 {{ {recv_round()} }}"),
        (f"move 1 at [0, 0:{receivers + 1}]", f"for 4 {{ {take()} }}"),
    )


def test_derived_choreography():
    """Ops of a program made by the synthesis have the places of its stages."""
    module = located(SYSTEMS["13"].text)
    schedule(module)
    for mutation in list(mutations(module, seed=3))[::8]:
        program = program_of(mutation.module)
        verdict = prove(program, budget=5_000)
        if verdict.status == "refuted":
            check(program, verdict)


################################################################################
# What they say                                                                #
################################################################################

FIXES = {
    "1": "put `choreo.sem_set %g_valid, invalid` behind `choreo.sem_wait %g_valid eq valid`",
    "8": "wait for 2, the number of receivers, in `choreo.sem_wait %g_ready ge 1`",
    "14, neither": "put `choreo.flush` behind `choreo.mcast_send %b to %g hold_path`",
    "push once too deep": "`depth 2` for %p instead of 1",
    "no path held": "put `choreo.flush` behind `choreo.mcast_send %b to %g`",
    "9, n = 3": "`depth 3` for %p and %q instead of 1",
    "pop at the wrong loop level": "move `choreo.pop %p` at 19:7 behind `affine.for",
    "reader in another order than compute": "`depth 2` for %a instead of 1",
    "load and store not interleaved": "`depth 3` for %p instead of 1",
    "ready count": "wait for 1, the number of receivers, in `choreo.sem_wait %g_ready eq 2`",
    "reset of the ready count missing": "put `choreo.sem_set %g_ready, 0` behind",
    "reset of the ready count after telling": "move `choreo.sem_set %g_ready, 0`",
    "flag cleared after telling the sender": "move `choreo.sem_set %g_valid, invalid`",
    "push before the read barrier": "put `choreo.read_barrier` before `choreo.push %p`",
    "send before the read barrier": "put `choreo.read_barrier` before `choreo.mcast_send",
    "pop before the write barrier": "put `choreo.write_barrier` before `choreo.pop %p`",
    "writes waited for by the wrong barrier": "put `choreo.write_barrier` before `choreo.pop %p`",
    "receiver not ready": "move `choreo.reserve %b` at 26:7 before `choreo.sem_inc",
    "pages moved at once around the end": "`depth 4` for %p instead of 3",
    "page left over": "put `choreo.wait %p` and `choreo.pop %p` behind `choreo.pop %p`",
    "carry ring too shallow": "`depth 2` for %p instead of 1",
}


@pytest.mark.parametrize("name", FIXES)
def test_least_fix(name: str):
    _, verdict = refuted(WRONG[name])
    found = explain(verdict)
    assert found.fix is not None
    assert found.fix.text.startswith(FIXES[name])
    assert found.hint == f"this is enough: {found.fix.text}"


def test_no_fix_leaves_the_hint_of_the_check():
    _, verdict = refuted(WRONG["5"])
    found = explain(verdict)
    assert found.fix is None
    assert found.hint == verdict.hint
    assert explain(verdict, fix=False).fix is None


@pytest.mark.parametrize("more", [1, 2, 3, 5, 6, 11, 40])
def test_depth_is_the_least(more: int):
    text = local(
        f"for {more + 1} {{ R p; fill p; P p }} R q; fill q; P q",
        f"W q; use q; O q; for {more + 1} {{ {take('p')} }}",
        rings=("p 1", "q 1"),
    )
    _, verdict = refuted(text)
    assert explain(verdict).hint == f"this is enough: `depth {more + 1}` for %p instead of 1"


def test_who_waits_for_whom():
    _, verdict = refuted(wide(7, 8))
    assert explain(verdict).notes[:4] == (
        "@move_0_at_0_0 at [0, 0] waits at 13:7 (i0 = 0) for %g_ready eq 8: it is 7; the next "
        "increment is due from @move_0_at_0_1_8 at [0, 1] and [0, 2:8] at 26:7",
        "@move_0_at_0_1_8 at [0, 1] and [0, 2:8] wait at 27:7 (i0 = 0) for %g_valid eq valid: it "
        "is invalid; the next flag is due from @move_0_at_0_0 at [0, 0] at 16:7",
        "@move_1_at_0_0_8 at [0, 0] waits at 35:7 (i0 = 0) for a page of %b: 0 of 2 pages full; "
        "the next push is due from @move_0_at_0_0 at 17:7",
        "@move_1_at_0_0_8 at [0, 1] and [0, 2:8] wait at 35:7 (i0 = 0) for a page of %b: 0 of 2 "
        "pages full; the next push is due from @move_0_at_0_1_8 at 28:7",
    )


@pytest.mark.parametrize(
    ("codes", "reason"),
    [
        (("W p; O p",), "for a page of %p: 0 of 2 pages full; no engine pushes it here"),
        (
            ("for 3 { R p; fill p; P p }",),
            "for room for a page of %p: 2 of 2 pages full; no engine pops it here",
        ),
        (
            (f"{take('p')}; R p; fill p; P p",),
            "for a page of %p: 0 of 2 pages full; the next push is its own at 15:5",
        ),
        (
            ("R p; fill p; P p", "W p 2; use p; O p 2"),
            "for 2 pages of %p: 1 of 2 pages full; @move_0_at_0_0, which pushes it, has ended",
        ),
        (
            ("R p; fill p; P p; W q; O q; ", f"{take('p')}; {take('p')}; R q; fill q; P q"),
            "for a page of %p: 0 of 2 pages full; @move_0_at_0_0 does none any more",
        ),
    ],
)
def test_why_a_page_does_not_come(codes: tuple[str, ...], reason: str):
    _, verdict = refuted(local(*codes, rings=("p 2", "q 1")))
    found = explain(verdict)
    assert found.hang is not None
    assert reason in [each.reason for each in found.hang.blocked]


@pytest.mark.parametrize(
    ("sender", "receiver", "reason"),
    [
        (
            "wait g_ready eq 1",
            "inc g 2",
            "for %g_ready eq 1: it is 2; increments only make it larger, and nobody sets it",
        ),
        (
            "wait g_ready ge 3",
            "inc g 2",
            "for %g_ready ge 3: it is 2; @move_0_at_0_1 at [0, 1], which could change that, has "
            "ended",
        ),
        ("wait g_ready eq 1", "", "for %g_ready eq 1: it is 0; no engine would make it so"),
        (
            "wait g_ready eq 1; set g_ready 1",
            "",
            "for %g_ready eq 1: it is 0; the next set is its own at 9:5",
        ),
    ],
)
def test_why_a_semaphore_does_not_change(sender: str, receiver: str, reason: str):
    head = ["g from [0, 0] to [0, 1] along x"]
    engines = (("move 0 at [0, 0]", sender), ("move 0 at [0, 1]", receiver))
    _, verdict = refuted(system("pair", "[1, 2]", head, *engines))
    found = explain(verdict)
    assert found.hang is not None
    assert reason in [each.reason for each in found.hang.blocked]


def test_many_engines_are_summed_up():
    _, verdict = refuted(wide(7, 8))
    found = explain(verdict)
    assert found.hang is not None
    assert found.hang.lines(2) == [
        found.notes[0],
        "further engines wait: @move_0_at_0_1_8 at [0, 1] and [0, 2:8] and @move_1_at_0_0_8 at "
        "[0, 0], [0, 1] and [0, 2:8]",
        "cycle: @move_0_at_0_0 at [0, 0] -> @move_0_at_0_1_8 at [0, 1] -> @move_0_at_0_0 at [0, 0]",
    ]


def test_on_the_full_grid():
    program = program_of(located(wide(7, 8)))
    verdict = prove(program, on_full_grid=True)
    found = explain(verdict, on_full_grid=True)
    assert found.hang is not None
    assert len(found.hang.blocked) == 16
    assert found.notes[1].startswith(
        "@move_0_at_0_1_8 at [0, 1], [0, 2], [0, 3] and 4 others wait at"
    )
    check_fix(program, found)


def test_the_two_accesses_and_what_is_missing():
    _, verdict = refuted(WRONG["pop before the write barrier"])
    assert explain(verdict).notes[:5] == (
        "first: @move_1_at_0_0 at [0, 0], 19:7 (i0 = 0): write_tiles %p into %U[%c0, %c0]",
        "then: @move_0_at_0_0 at [0, 0], 9:7 (i0 = 1): read_tiles %T[%c0, %c0] into %p",
        "missing: it ends with write_barrier at 21:7 (i0 = 0), but @move_0_at_0_0 at [0, 0] knows "
        "what @move_1_at_0_0 at [0, 0] has done only up to pop %p at 20:7 (i0 = 0)",
        "9 events lead there: 6 of @move_0_at_0_0 at [0, 0] (i0 = 1) and 3 of @move_1_at_0_0 at "
        "[0, 0] (i0 = 0)",
        "the last of them:",
    )


def test_trips_and_items():
    _, verdict = refuted(WRONG["10"])
    assert explain(verdict).notes[0] == "with trip %n = 1"
    shown = counterexample_json(verdict)
    assert shown["trips"] == {"%n": 1}
    _, verdict = refuted(WRONG["flag of the last item"])
    assert explain(verdict).notes[0] == "in a later item, one that finds %g_valid of [0, 1] at 1"
    start: Any = counterexample_json(verdict)["start"]
    assert start["semaphores"] == [{"semaphore": "%g_valid", "cell": "[0, 1]", "value": 1}]


def test_iterations_are_values_of_the_variable():
    text = local("for 9 { R p; fill p; P p }", f"for 8 {{ {take('p')} }}")
    text = text.replace("%i0 = 0 to 9", "%k = 10 to 28 step 2")
    _, verdict = refuted(text)
    assert verdict.check == "leftover"
    notes = explain(verdict).notes
    assert notes[0] == "last push: @move_0_at_0_0 at [0, 0], 11:7 (k = 26): push %p"
    assert notes[1] == "last pop: @move_1_at_0_0 at [0, 0], 21:7 (i0 = 7): pop %p"


@pytest.mark.parametrize("count", [4, 10**6])
def test_iterations_that_are_alike_are_told_once(count: int):
    text = local(
        f"for {count} {{ R p; fill p; P p }}", f"for {count} {{ {take('p')} }} W p; use p; O p"
    )
    found = check(*refuted(text))
    assert found.prefix is not None
    assert bool(found.prefix.skips) == (count > 4)
    assert len(found.prefix.events) < 100
    shown: Any = found.json()["prefix"]
    assert bool(shown["left_out"]) == (count > 4)
    last = shown["engines"][0]["loops"]
    assert last == {"i0": count - 1}


def test_messages_tell_real_pages():
    """Though the proof leaves out what is like before."""
    text = local(
        "for 50 { R p; fill p; P p } W r; P p; O r",
        f"for 50 {{ {take('p')} }} R r; fill r; P r",
        rings=("p 2", "r 1"),
    ).replace("choreo.wait %r\n", "choreo.wait %r\n    choreo.reserve %p\n")
    _, verdict = refuted(text)
    found = explain(verdict)
    assert verdict.check == "contents"
    assert found.message.startswith("pushes page 50 of %p")


def test_without_places():
    program = program_of(parsed(WRONG["push once too deep"]))
    assert (
        explain(prove(program))
        .notes[0]
        .startswith(
            "@move_0_at_0_0 at [0, 0] waits (i0 = 1) for room for a page of %p: 1 of 1 pages full; "
            "the next pop is due from @move_1_at_0_0"
        )
    )


def test_when_the_text_alone_is_refuted():
    text = local("R p; fill p; P p", take("p"), rings=("p 2",)).replace(
        '"reference"', '"reference" {max_pages_counter = 1}'
    )
    program = program_of(located(text))
    verdict = prove(program)
    assert verdict.check == "modulus"
    assert verdict.run is None
    found = explain(verdict)
    assert found.notes == ()
    assert found.hint == verdict.hint
    assert found.trace()["traceEvents"] == []
    check_json(found)


################################################################################
# Runs that are no proofs                                                      #
################################################################################


def stopped(program: ProgramOp) -> Machine:
    """A machine without any reading, at a point from which no engine goes on."""
    numbering = Numbering(program)
    codes = [compiled(op, numbering) for op in numbering.engines]
    machine = Machine(numbering, codes, classes(numbering))
    moved = True
    while moved:
        moved = False
        for thread in machine.threads:
            while not thread.done:
                instruction = machine.next_event(thread)
                if instruction is None:
                    continue
                if not machine.enabled(thread, instruction):
                    break
                machine.perform(thread, instruction)
                moved = True
    return machine


def test_any_machine_can_be_described():
    text = local(
        "for 3 { R p; P p } R q; P q", "W q; O q; for 3 { W p; O p }", rings=("p 2", "q 1")
    )
    machine = stopped(program_of(located(text)))
    assert describe(machine) == [
        "@move_0_at_0_0 at [0, 0] waits at 9:7 (i0 = 2) for room for a page of %p: 2 of 2 pages "
        "full; the next pop is due from @move_1_at_0_0 at 22:7",
        "@move_1_at_0_0 at [0, 0] waits at 18:5 for a page of %q: 0 of 1 pages full; the next push "
        "is due from @move_0_at_0_0 at 13:5",
        "cycle: @move_0_at_0_0 at [0, 0] -> @move_1_at_0_0 at [0, 0] -> @move_0_at_0_0 at [0, 0]",
    ]
    assert describe(machine) == hang(machine).lines()


################################################################################
# What would make it decidable                                                 #
################################################################################


@pytest.mark.parametrize("reason", get_args(Reason))
def test_every_reason_has_a_way_out(reason: Any):
    program = program_of(parsed(local("R p; fill p; P p", take("p"))))
    notes, hint = undecided_notes(Verdict("undecided", program, "", reason))
    assert notes == ()
    assert hint


def test_no_period():
    text = local(
        "for 30 { R p; fill p; P p } R q; fill q; P q",
        f"W q; use q; O q; for 30 {{ {take('p')} }}",
        rings=("p 60", "q 1"),
    )
    verdict = prove(program_of(located(text)), budget=20)
    assert verdict.status == "undecided"
    notes, hint = undecided_notes(verdict)
    assert notes[0].startswith("at: @move_0_at_0_0 at [0, 0], ")
    assert hint is not None
    assert "budget" in hint


################################################################################
# The pass and the tool                                                        #
################################################################################


def findings(text: str, **options: Any) -> Iterator[Finding]:
    """What the pass tells, if it goes on after what is refuted."""
    found: list[Finding] = []
    with warnings_to(found.append):
        VerifyChoreographyPass(keep_going=True, **options).apply(context(), located(text))
    yield from found


def test_the_pass_tells_it():
    (finding,) = findings(WRONG["ready count"])
    assert finding.severity == "warning"
    assert finding.message == "refuted (deadlock): no engine can go on"
    assert finding.notes[0].startswith("@move_0_at_0_0 at [0, 0] waits at 13:7 (i0 = 0) for")
    assert finding.notes[-1].startswith(f"{HINT_PREFIX}this is enough: wait for 1")


def test_the_first_program_is_written(tmp_path: Path):
    path = tmp_path / "first.json"
    second = WRONG["page left over"].replace("@wrong", "@other")
    list(findings(RIGHT["ready count"] + WRONG["ready count"] + second, counterexample=str(path)))
    shown = json.loads(path.read_text())["counterexample"]
    assert (shown["program"], shown["check"]) == ("@wrong", "deadlock")


def test_the_flag(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    wrong, right, out = tmp_path / "wrong.mlir", tmp_path / "right.mlir", tmp_path / "out.json"
    wrong.write_text(WRONG["ready count"])
    right.write_text(RIGHT["ready count"])
    flag = f"--counterexample={out}"
    assert main([str(right), "--verify-choreography", flag]) == OK
    assert not out.exists()
    assert main([str(wrong), "--verify-choreography", flag]) == BAD_INPUT
    shown = json.loads(out.read_text())["counterexample"]
    assert shown["location"] == f"{wrong}:13:7"
    assert main([str(wrong), f'--verify-choreography=counterexample="{out}" keep-going=true']) == OK
    assert set(tmp_path.iterdir()) == {wrong, right, out}
    capsys.readouterr()
    assert main([str(wrong), flag]) == BAD_USAGE
    assert "--counterexample is for --verify-choreography" in capsys.readouterr().err
    assert main([str(wrong), "--verify-choreography", "--split-input-file", flag]) == BAD_USAGE
    nowhere = f"--counterexample={tmp_path / 'none' / 'out.json'}"
    assert main([str(wrong), "--verify-choreography", nowhere]) == BAD_USAGE
    assert "cannot write" in capsys.readouterr().err
