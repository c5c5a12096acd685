"""Valid dataflow programs: they verify, are scheduled, and their choreography is right.

`SPATIAL_EXAMPLES=N` makes N programs of each family instead of the few of a normal run.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spatial_testing.judge import judge
from spatial_testing.programs import (
    chain_programs,
    copy_programs,
    fold_programs,
    matmul_programs,
    modules,
    side_by_side_programs,
)

_EXAMPLES = int(os.environ.get("SPATIAL_EXAMPLES", "0"))

_FAMILIES: dict[str, tuple[Callable[[], st.SearchStrategy[str]], int]] = {
    "copies": (copy_programs, 30),
    "chains": (chain_programs, 45),
    "matmuls": (matmul_programs, 60),
    "folds": (fold_programs, 40),
    "side by side": (side_by_side_programs, 40),
}


@pytest.mark.parametrize("family", _FAMILIES)
def test_scheduled_programs_are_right(family: str) -> None:
    """No hang, nothing left over, and the right pages stored, under every schedule."""
    strategy, examples = _FAMILIES[family]

    @settings(max_examples=_EXAMPLES or examples)
    @given(strategy())
    def check(text: str) -> None:
        judge(text)

    check()


@settings(max_examples=_EXAMPLES or 40)
@given(modules())
def test_modules_parse_again_to_what_they_were(text: str) -> None:
    """Before and after scheduling, from the custom and from the generic format."""
    judge(text, round_trips=True)
