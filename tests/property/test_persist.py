"""Engines that go over their items mean and prove the same as engines that are run for each."""

from __future__ import annotations

import os
from typing import Any, TypeAlias

from hypothesis import assume, given, settings
from spatial_testing.arguments import random_arguments
from spatial_testing.balance import trip_choices
from spatial_testing.judge import parsed, schedule
from spatial_testing.programs import programs
from xdsl.context import Context

from spatial_dialect.dialects.choreo import ItemOp, TripOp
from spatial_dialect.dialects.spatial import ProgramOp, StoreOp
from spatial_dialect.machine import values
from spatial_dialect.machine.proof import prove
from spatial_dialect.passes.persist import PersistPass

Arguments: TypeAlias = dict[str, Any]

EXAMPLES = int(os.environ.get("SPATIAL_EXAMPLES", "0"))


def outcome(program: ProgramOp, arguments: Arguments, by: str) -> Arguments | None:
    """What a run makes of the tensors; None if a random index leads outside of a tensor."""
    try:
        return dict(values.run(program, arguments, schedule=by))
    except ValueError as error:
        if " outside " not in str(error):
            raise
        return None


@settings(max_examples=EXAMPLES or 40)
@given(programs())
def test_persisted_programs_are_proved_and_mean_the_same(text: str):
    module = parsed(text)
    (program,) = (op for op in module.body.block.ops if isinstance(op, ProgramOp))
    # Two pages of a scatter may go to one place.
    assume(not any(isinstance(s, StoreOp) and s.index is not None for s in program.stages))
    choices = [random_arguments(program, trips) for trips in trip_choices(program)]
    schedule(module)
    (engines,) = (op for op in module.body.block.ops if isinstance(op, ProgramOp))
    looping = module.clone()
    PersistPass().apply(Context(), looping)
    looping.verify()
    (persisted,) = (op for op in looping.body.block.ops if isinstance(op, ProgramOp))
    assert persisted.loop_nest.i.size == 1
    assert not any(isinstance(op, ItemOp) for op in persisted.walk())
    assert prove(engines).status == "proved"
    verdict = prove(persisted)
    if any(isinstance(op, TripOp) and op.indices for op in persisted.walk()):
        # A trip that is another for each item is read in the loop over items.
        assert verdict.status in ("proved", "undecided")
    else:
        assert verdict.status == "proved", verdict.message
    for arguments in choices:
        for by in ("round-robin", "adversarial"):
            expected = outcome(engines, arguments, by)
            if expected is None:
                continue
            found = values.run(persisted, arguments, schedule=by)
            for name, tensor in found.items():
                assert tensor.tobytes() == expected[name].tobytes(), name
