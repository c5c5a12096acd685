"""From tensor code to results: every program is proved, and what it makes is what numpy makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import pytest
from spatial_testing.workloads import WORKLOADS, Array, Workload
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.universe import Universe

from spatial_dialect.dialects.choreo import VERDICT, VerdictAttr
from spatial_dialect.dialects.spatial import ProgramOp
from spatial_dialect.machine import values
from spatial_dialect.passes.spatial_pipeline import SpatialPipelinePass
from spatial_dialect.tools.located_parser import LocatedParser
from spatial_dialect.tools.run_function import FunctionRun, names_of
from spatial_dialect.tools.run_tensors import compared
from spatial_dialect.universe import ALL_DIALECTS

TARGETS = ("wormhole", "blackhole", "hopper")
GRIDS = ("1x1", "2x4", "8x8")


def context() -> Context:
    found = Context()
    for name, factory in {**Universe.get_multiverse().all_dialects, **ALL_DIALECTS}.items():
        found.register_dialect(name, factory)
    return found


@cache
def workload(name: str) -> Workload:
    return WORKLOADS[name]()


def through(text: str, target: str, grid: str) -> ModuleOp:
    """The module after all passes, each of which leaves something that verifies."""
    ctx = context()
    module = LocatedParser(ctx, text, name="workload").parse_module()
    for part in SpatialPipelinePass(target=target, grid=grid).parts:
        part.apply(ctx, module)
        module.verify()
    return module


def on_machine(program: ProgramOp, arguments: Mapping[str, Array | int]) -> Mapping[str, Array]:
    return values.run(program, arguments)


def results(module: ModuleOp, arguments: Sequence[Array | int]) -> list[Array]:
    """What the one function of a module returns."""
    (function,) = (op for op in module.body.block.ops if isinstance(op, FuncOp))
    run = FunctionRun(function, on_machine)
    given = dict(zip(names_of(function).values(), arguments, strict=True))
    return list(run.run(given).values())


@pytest.mark.parametrize("grid", GRIDS)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", WORKLOADS)
def test_workload(name: str, target: str, grid: str):
    given = workload(name)
    module = through(given.text, target, grid)
    programs = [op for op in module.body.block.ops if isinstance(op, ProgramOp)]
    assert programs
    for program in programs:
        verdict = program.attributes.get(VERDICT)
        assert isinstance(verdict, VerdictAttr)
        assert verdict.status.data == "proved", program.sym_name.data
        assert program.grid_shape == tuple(map(int, grid.split("x")))
    (found,) = results(module, given.arguments)
    difference = compared(found, given.expected, given.tolerance)
    assert difference.passes, difference


def test_a_wrong_result_is_told_apart():
    given = workload("matmul 256x256x256")
    module = through(given.text, "wormhole", "2x4")
    (found,) = results(module, given.arguments)
    found[17, 3] += 4
    assert not compared(found, given.expected, given.tolerance).passes
