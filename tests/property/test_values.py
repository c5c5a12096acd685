"""The functional run of random programs: every schedule gives what the dataflow means."""

from __future__ import annotations

import os
from typing import Any, TypeAlias

import numpy as np
from hypothesis import assume, given, settings
from numpy.typing import NDArray
from spatial_testing.arguments import random_arguments
from spatial_testing.balance import trip_choices
from spatial_testing.judge import parsed, schedule
from spatial_testing.programs import programs

from spatial_dialect.dialects.spatial import ProgramOp, StoreOp
from spatial_dialect.machine import reference, values

Array: TypeAlias = NDArray[Any]
Arguments: TypeAlias = dict[str, Array | int]

EXAMPLES = int(os.environ.get("SPATIAL_EXAMPLES", "0"))

SCHEDULES = ("round-robin", "random:1", "random:2", "adversarial")


def outcome(program: ProgramOp, arguments: Arguments, by: str) -> dict[str, Array] | None:
    """What a run makes of the tensors; None if a random index leads outside of a tensor."""
    try:
        if by == "reference":
            return reference.run(program, arguments)
        return values.run(program, arguments, schedule=by)
    except ValueError as error:
        if " outside " not in str(error):
            raise
        return None


def close(have: Array, want: Array) -> bool:
    """Whether two tensors are the same up to rounding.

    Partial sums of a matmul are rounded by a run and not by the reference, and what is computed of
    them can be small by cancellation: what counts is the size of the largest element. A wrong page
    of random numbers is far from that.
    """
    have, want = have.astype(np.float64), want.astype(np.float64)
    finite = want[np.isfinite(want)]
    size = float(np.abs(finite).max()) if finite.size else 0.0
    return np.allclose(have, want, rtol=2**-3, atol=1e-5 + size * 2**-4, equal_nan=True)


@settings(max_examples=EXAMPLES or 60)
@given(programs())
def test_every_schedule_gives_what_is_meant(text: str):
    module = parsed(text)
    scheduled = module.clone()
    schedule(scheduled)
    (program,) = (op for op in module.body.block.ops if isinstance(op, ProgramOp))
    (engines,) = (op for op in scheduled.body.block.ops if isinstance(op, ProgramOp))
    # Two pages of a scatter may go to one place.
    assume(not any(isinstance(s, StoreOp) and s.index is not None for s in program.stages))
    for trips in trip_choices(program):
        arguments = random_arguments(program, trips)
        expected = outcome(program, arguments, "reference")
        found = {by: outcome(engines, arguments, by) for by in SCHEDULES}
        if expected is None:
            assert all(tensors is None for tensors in found.values())
            continue
        first = found["round-robin"]
        assert first is not None
        for by, tensors in found.items():
            assert tensors is not None, by
            for name, tensor in tensors.items():
                assert tensor.tobytes() == first[name].tobytes(), f"{name} under {by}"
        for name, tensor in first.items():
            assert close(tensor, expected[name]), name
