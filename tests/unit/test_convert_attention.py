"""Attention becomes one fold over blocks of keys, and means what numpy says."""

from __future__ import annotations

import numpy as np
import pytest
from spatial_testing.functions import converted, programs, ran
from spatial_testing.linalg_text import Function, Tensor
from spatial_testing.workloads import Workload, attention, of

from spatial_dialect.dialects.spatial import CarryingStageOp


def check(given: Workload, target: str = "wormhole", *, fused: bool = True) -> None:
    """A workload becomes one fold, or several programs, which compute what it means."""
    module = converted(given.text, target=target)
    assert (len(programs(module)) == 1) is fused
    if fused:
        (program,) = programs(module)
        carries = [s for s in program.stages if isinstance(s, CarryingStageOp) and s.update]
        assert len(carries) == 3
    arrays = [array for array in given.arguments if not isinstance(array, int)]
    (found,) = ran(module, arrays)
    size = np.sqrt(np.mean(given.expected**2))
    wide = np.maximum(np.abs(given.expected), size)
    error = np.abs(found.astype(np.float64) - given.expected) / wide
    assert error.max() < given.tolerance


@pytest.mark.parametrize("element", ["f32", "bf16"])
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize(
    "shape", [(1, 1, 32, 32, 32), (1, 2, 64, 64, 64), (2, 3, 70, 50, 32), (2, 1, 33, 100, 128)]
)
def test_shapes(shape: tuple[int, int, int, int, int], causal: bool, element: str):
    check(attention(*shape, causal=causal, element=element))


@pytest.mark.parametrize("length", [1, 40, 64])
def test_a_length_that_is_known_at_run_time_only(length: int):
    check(attention(1, 2, 32, 64, 32, length=length, element="f32"))
    check(attention(1, 2, 64, 64, 32, length=length, causal=True, element="f32"))


def softmax(f: Function, s: Tensor) -> Tensor:
    largest = f.reduced("max", "bqk->bq", s)
    e = f.apply("exp", f.apply("sub", s, largest, spec="bqk,bq->bqk"))
    total = f.reduced("add", "bqk->bq", e)
    return f.apply("div", e, total, spec="bqk,bq->bqk")


def test_a_mask_that_is_added():
    f = Function()
    q, k, v = f.argument(2, 64, 32), f.argument(2, 96, 32), f.argument(2, 96, 32)
    hidden = np.where(f.random.random((64, 96)) < 0.3, -np.inf, 0.0)
    # The first key is seen by all: a row without keys is no number.
    hidden[:, 0] = 0
    mask = f.given(hidden)
    s = f.apply("add", f.product("bqd,bkd->bqk", q, k), mask, spec="bqk,qk->bqk")
    check(of(f, f.product("bqk,bkd->bqd", softmax(f, s), v), 2e-5))


def test_heads_that_are_columns():
    f = Function()
    parts = [f.reshaped(f.argument(64, 128), 64, 4, 32) for _ in range(3)]
    s = f.product("qhd,khd->hqk", parts[0], parts[1])
    largest = f.reduced("max", "hqk->hq", s)
    e = f.apply("exp", f.apply("sub", s, largest, spec="hqk,hq->hqk"))
    total = f.reduced("add", "hqk->hq", e)
    p = f.apply("div", e, total, spec="hqk,hq->hqk")
    o = f.product("hqk,khd->qhd", p, parts[2])
    check(of(f, f.reshaped(o, 64, 128), 2e-5))


def test_what_is_behind_becomes_part():
    f = Function()
    q, k, v = (f.argument(2, 64, 32) for _ in range(3))
    o = f.product("bqk,bkd->bqd", softmax(f, f.product("bqd,bkd->bqk", q, k)), v)
    check(of(f, f.apply("add", o, q), 2e-5))


def test_probabilities_that_are_returned_are_made_apart():
    f = Function()
    q, k, v = (f.argument(2, 64, 32) for _ in range(3))
    p = softmax(f, f.product("bqd,bkd->bqk", q, k))
    o = f.product("bqk,bkd->bqd", p, v)
    module = converted(f.text(o, p))
    assert len(programs(module)) > 1
    for found, expected in zip(ran(module, f.arrays), (o.value, p.value), strict=True):
        np.testing.assert_allclose(found, expected, 1e-4, 1e-4)


def test_heads_that_do_not_fit_are_made_of_several_programs():
    # 5 tiles of f32 are more than the accumulators hold.
    check(attention(1, 1, 32, 64, 160, element="f32"), fused=False)
    # Tiles of 64x64 elements leave no room for all pages of a fold.
    check(attention(1, 2, 64, 128, 64, element="f32"), target="hopper", fused=False)
