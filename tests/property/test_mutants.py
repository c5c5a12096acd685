"""Mutants of right programs: nearly all are wrong, and the search of all interleavings says so."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from spatial_testing.balance import programs_in
from spatial_testing.explorer import explore
from spatial_testing.judge import printed
from spatial_testing.mutants import Mutants, mutations
from spatial_testing.small_systems import SYSTEMS
from xdsl.dialects.builtin import ModuleOp

from spatial_dialect.dialects.spatial import ProgramOp


def _program(module: ModuleOp) -> ProgramOp:
    (program,) = programs_in(module).values()
    return program


@cache
def _mutants(name: str) -> Mutants:
    return mutations(SYSTEMS[name].text, most=150)


@cache
def _verdicts(name: str) -> dict[str, str]:
    """What the search says of each mutant: `fine` or the kind of fault."""
    found: dict[str, str] = {}
    for mutation in _mutants(name):
        exploration = explore(_program(mutation.module))
        assert exploration.verdict != "too large"
        found[mutation.description] = exploration.kind or exploration.verdict
    return found


LEAST = {
    "1, right": 0.7,
    "9, n = 1": 0.5,
    "14, flush": 0.7,
    "14, depth 2": 0.7,
    "14, two rings": 0.6,
    "push just deep enough": 0.5,
}
"""The part of the mutants that is wrong. The rest is right: a second barrier, a deeper ring, ..."""


@pytest.mark.parametrize("name", LEAST)
def test_most_mutants_are_wrong(name: str) -> None:
    verdicts = Counter(_verdicts(name).values())
    assert verdicts.total() - verdicts["fine"] >= LEAST[name] * verdicts.total(), verdicts


# Sender, receivers, and what takes the pages on all sites.
S, R, T = "@move_0_at_0_0", "@move_0_at_0_1_2", "@move_1_at_0_0_2"

KNOWN = {
    "depth of %b +1": "fine",
    f"drop {S}: affine.for (op 2)": "deadlock",
    f"trip +1: {S}: affine.for (op 2)": "deadlock",
    f"duplicate {S}: reserve %b (op 3)": "fine",
    f"drop {S}: read_tiles %b %T %c0 %c0 (op 4)": "contents",
    f"duplicate {S}: read_tiles %b %T %c0 %c0 (op 4)": "slot race",
    f"drop {S}: read_barrier (op 5)": "slot race",
    f"swap {S}: read_barrier (op 5) and {S}: sem_wait %g_ready (op 6)": "fine",
    f"drop {S}: sem_wait %g_ready (op 6)": "landing",
    f"move {S}: sem_wait %g_ready (op 6) behind {S}: affine.for (op 2)": "landing",
    f"value -1: {S}: sem_wait %g_ready (op 6)": "semaphore race",
    f"value +1: {S}: sem_wait %g_ready (op 6)": "deadlock",
    f"ge: {S}: sem_wait %g_ready (op 6)": "fine",
    f"swap {S}: sem_wait %g_ready (op 6) and {S}: sem_set %g_ready (op 7)": "semaphore race",
    f"drop {S}: mcast_send %b %g (op 8)": "contents",
    f"duplicate {S}: mcast_send %b %g (op 8)": "slot race",
    f"path not held: {S}: mcast_send %b %g (op 8)": "slot race",
    f"drop {S}: mcast_set_valid %g_valid %g (op 9)": "deadlock",
    f"duplicate {S}: mcast_set_valid %g_valid %g (op 9)": "semaphore race",
    f"drop {S}: flush (op 10)": "slot race",
    f"swap {S}: flush (op 10) and {S}: push %b (op 11)": "fine",
    f"drop {S}: push %b (op 11)": "deadlock",
    f"drop {R}: sem_set %g_valid (op 4)": "contents",
    f"swap {R}: sem_set %g_valid (op 4) and {R}: sem_inc %g_ready %g (op 5)": "semaphore race",
    f"duplicate {R}: sem_inc %g_ready %g (op 5)": "semaphore race",
    f"value +1: {R}: sem_inc %g_ready %g (op 5)": "deadlock",
    f"drop {R}: sem_wait %g_valid (op 6)": "contents",
    f"swap {R}: sem_wait %g_valid (op 6) and {R}: push %b (op 7)": "contents",
    f"trip -1: {T}: affine.for (op 2)": "left over",
    f"swap {T}: write_barrier (op 5) and {T}: pop %b (op 6)": "slot race",
    f"move {T}: pop %b (op 6) behind {T}: affine.for (op 2)": "left over",
}
"""What is said of some mutants of a multicast with a flush, two rounds on a ring of one page."""


def test_known_mutants() -> None:
    verdicts = _verdicts("14, flush")
    assert {description: verdicts[description] for description in KNOWN} == KNOWN


def test_all_kinds_of_change_are_made() -> None:
    words: set[str] = set()
    for name in ("1, right", "7", "14, flush"):
        mutants = _mutants(name)
        assert mutants.rejected
        words |= {mutation.description.split(" @")[0].rstrip(":") for mutation in mutants}
    assert {
        *("drop", "duplicate", "swap", "move", "one page more", "path not held"),
        *("value -1", "value +1", "ge", "trip -1", "trip +1"),
        *("semaphore %g1_ready", "depth of %b +1"),
    } <= words


def test_an_alias_is_as_deep_as_what_it_shares() -> None:
    deeper = [m for m in _mutants("9, n = 1") if m.description == "depth of %p +1"]
    assert [op.pages for op in _program(deeper[0].module).buffers] == [2, 2, 2]


def test_not_more_than_asked_for() -> None:
    some = mutations(SYSTEMS["1, right"].text, most=20)
    assert len(some) + some.rejected == 20


def test_mutants_are_the_same_for_the_same_seed() -> None:
    text = SYSTEMS["15"].text
    first, again, other = (mutations(text, seed=seed) for seed in (3, 3, 4))
    assert _texts(first) == _texts(again)
    assert first.rejected == again.rejected
    assert _texts(first) != _texts(other)


def _texts(mutants: Mutants) -> list[tuple[str, str]]:
    return [(mutation.description, printed(mutation.module)) for mutation in mutants]
