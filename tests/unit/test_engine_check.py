"""The engine-local check finds what running the engine finds, at no cost per iteration."""

import random
import time

import pytest
from xdsl.context import Context
from xdsl.dialects import affine
from xdsl.dialects.builtin import IndexType, ModuleOp, f32
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.transforms.convert_scf_to_cf import ConvertScfToCf
from xdsl.transforms.lower_affine import LowerAffinePass

from spatial_dialect.analysis.engine_check import check_engines
from spatial_dialect.dialects.choreo import (
    EndOp,
    EngineOp,
    PopOp,
    PushOp,
    ReserveOp,
    RingOp,
    WaitOp,
)
from spatial_dialect.dialects.spatial import BufferOp, ProgramOp
from spatial_dialect.ir.attributes import EngineAttr, Handshake, TargetAttr
from spatial_dialect.ir.diagnostics import Findings
from spatial_dialect.ir.types import BufferType


def program(buffer: BufferOp, ops: list[Operation]) -> ProgramOp:
    """A scheduled program with one engine."""
    code = Region(Block((*ops, EndOp()), arg_types=(IndexType(), IndexType())))
    engine = EngineOp("e", EngineAttr.compute(), None, code)
    used = any(isinstance(op, RingOp) for op in engine.walk())
    return ProgramOp(
        "p",
        Region(Block((buffer, engine))),
        target=TargetAttr.of("reference"),
        grid=(1, 1),
        requires=[Handshake.FIFO] if used else [],
    )


def loop(count: int, ops: list[Operation]) -> affine.ForOp:
    block = Block((*ops, affine.YieldOp.get()), arg_types=(IndexType(),))
    return affine.ForOp.from_region((), (), (), (), 0, count, Region(block))


def random_code(source: random.Random, ring: SSAValue, depth: int) -> list[Operation]:
    code: list[Operation] = []
    for _ in range(source.randint(1, 4)):
        if depth and source.random() < 0.4:
            inner = random_code(source, ring, depth - 1)
            code.append(loop(source.choice((1, 2, 3, 7)), inner))
        else:
            kind = source.choice((ReserveOp, WaitOp, PushOp, PopOp))
            code.append(kind(ring, source.choice((1, 1, 2, 9))))
    return code


def faults(ops: list[Operation], state: dict[str, int]) -> bool:
    """Whether running the code pushes or pops what it must not."""
    for op in ops:
        match op:
            case affine.ForOp():
                body = [o for o in op.body.block.ops if not isinstance(o, affine.YieldOp)]
                (count,) = op.upperBoundMap.data.eval((), ())
                if any(faults(body, state) for _ in range(count)):
                    return True
            case ReserveOp() | WaitOp():
                state[op.name] = max(state[op.name], op.pages.value.data)
            case PushOp() | PopOp():
                other = ReserveOp.name if isinstance(op, PushOp) else WaitOp.name
                state[other] -= op.pages.value.data
                if state[other] < 0:
                    return True
            case _:
                pass
    return False


def findings(program: ProgramOp) -> Findings:
    found = Findings()
    check_engines(program, found)
    return found


@pytest.mark.parametrize("seed", range(10))
def test_agrees_with_running(seed: int):
    source = random.Random(seed)
    verdicts: list[bool] = []
    for _ in range(60):
        buffer = BufferOp(BufferType.of(1, 1, f32), 9)
        code = random_code(source, buffer.buffer, 3)
        if source.random() < 0.7:  # else nearly every program is wrong
            code = [ReserveOp(buffer.buffer, 9), WaitOp(buffer.buffer, 9), *code]
        wrong = faults(code, {ReserveOp.name: 0, WaitOp.name: 0})
        verdicts.append(wrong)
        made = program(buffer, code)
        assert bool(findings(made)) == wrong, str(made)
        if not wrong:
            module = ModuleOp([made])
            LowerAffinePass().apply(Context(), module)
            ConvertScfToCf().apply(Context(), module)
            assert not findings(made), str(made)
    assert len(set(verdicts)) == 2


def seconds(stages: int, count: int) -> float:
    """The least time of a check of many stages, each a nest of loops."""
    buffer = BufferOp(BufferType.of(1, 1, f32), 9)
    ring = buffer.buffer
    code: list[Operation] = []
    for _ in range(stages):
        nest = loop(count, [loop(count, [PopOp(ring), ReserveOp(ring), WaitOp(ring, 2)])])
        code += [WaitOp(ring, 2), nest, PopOp(ring)]
    made = program(buffer, code)
    times: list[float] = []
    for _ in range(3):
        start = time.perf_counter()
        assert not findings(made)
        times.append(time.perf_counter() - start)
    return min(times)


def test_cost():
    assert seconds(50, 10**9) < 3 * seconds(50, 2)
    assert seconds(1000, 4) < 25 * seconds(100, 4)
