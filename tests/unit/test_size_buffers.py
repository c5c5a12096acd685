"""Depths and addresses: enough, no more than needed, and apart."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given, settings
from spatial_testing.judge import parsed
from spatial_testing.programs import modules
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.utils.exceptions import VerifyException

from spatial_dialect.analysis.live_ranges import LiveRanges
from spatial_dialect.analysis.local_memory import regions
from spatial_dialect.dialects.spatial import BufferOp, ProgramOp
from spatial_dialect.ir.diagnostics import Finding, FindingsPassFailed, warnings_to
from spatial_dialect.machine.proof import prove
from spatial_dialect.passes.persist import PersistPass
from spatial_dialect.passes.size_buffers import SizeBuffersPass
from spatial_dialect.passes.synthesize_handshakes import SynthesizeHandshakesPass

EXAMPLES = [
    path
    for path in sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.mlir"))
    if "spatial.program" in path.read_text()
]

Policy = Literal["throughput", "minimal"]
POLICIES: tuple[Policy, ...] = ("throughput", "minimal")


def programs_of(module: ModuleOp) -> Iterator[ProgramOp]:
    return (op for op in module.walk() if isinstance(op, ProgramOp))


def placed(text: str) -> ModuleOp:
    """The programs of a text, without the depths that they have."""
    module = parsed(re.sub(r" depth \d+", "", text))
    module.verify()
    return module


def sized(text: str, policy: Policy) -> ModuleOp:
    """The same with depths and addresses, verified."""
    module = placed(text)
    SizeBuffersPass(policy=policy).apply(Context(), module)
    module.verify()
    return module


def is_right(module: ModuleOp) -> bool:
    """Whether a sized module is scheduled and proved."""
    copy = module.clone()
    try:
        copy.verify()
        SynthesizeHandshakesPass().apply(Context(), copy)
        copy.verify()
    except (VerifyException, FindingsPassFailed):
        return False
    return all(prove(program).status == "proved" for program in programs_of(copy))


def check_addresses(module: ModuleOp) -> None:
    """Every ring lies inside local memory and is aligned; what overlaps is never in use at once."""
    for program in programs_of(module):
        target = program.machine
        assert target is not None
        found = regions(program, target)
        assert len(found) == sum(buffer.alias is None for buffer in program.buffers)
        ranges = LiveRanges.of(program)
        for number, region in enumerate(found):
            assert target.reserved_bytes <= region.start < region.end <= target.local_bytes
            assert region.start % target.alignment == 0
            for other in found[number + 1 :]:
                assert not region.meets(other) or ranges.may_share(region.owner, other.owner)


def check_least(module: ModuleOp) -> None:
    """With a page less in any ring, and in what shares its memory, something is wrong."""
    for program in programs_of(module):
        buffers = program.buffers
        for buffer in buffers:
            if buffer.alias is not None:
                continue
            shared = [b for b in buffers if b is buffer or b.alias is buffer.buffer]
            depth = buffer.pages
            assert depth is not None
            set_depths(shared, depth - 1)
            assert not is_right(module), buffer
            set_depths(shared, depth)


def set_depths(buffers: list[BufferOp], depth: int) -> None:
    for buffer in buffers:
        buffer.depth = IntegerAttr(depth, i64)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples(path: Path, policy: Policy):
    module = sized(path.read_text(), policy)
    check_addresses(module)
    assert is_right(module)
    # It is done: another time changes nothing.
    again = module.clone()
    SizeBuffersPass(policy="throughput").apply(Context(), again)
    assert again.is_structurally_equivalent(module)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_minimal_is_least(path: Path):
    check_least(sized(path.read_text(), "minimal"))


SHARED = """
spatial.program @shared(%X : memref<96x32xf32>, %Y : memref<96x32xf32>)
    target #spatial.target<"reference"> grid [1, 1] loops [h = 3] {
  %x = spatial.buffer : !spatial.buffer<1x1xf32>
  %y = spatial.buffer alias %x : !spatial.buffer<1x1xf32>
  spatial.load %X[h, 0] into %x on move 0
  spatial.map (%x) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[h, 0] on move 1
}
"""


def test_minimal_is_least_where_rings_share_memory():
    """More than any form needs: a page is made where another still is, unless there are three."""
    module = sized(SHARED, "minimal")
    (program,) = programs_of(module)
    assert [buffer.pages for buffer in program.buffers] == [3, 3]
    check_least(module)


@settings(max_examples=int(os.environ.get("SPATIAL_EXAMPLES", "0")) or 40)
@given(modules())
def test_random_programs(text: str):
    for policy in POLICIES:
        try:
            module = sized(text, policy)
        except FindingsPassFailed as error:
            if " bytes of the local memory " not in str(error):
                raise
            continue
        check_addresses(module)
        assert is_right(module)
        # Also in the code of the engines, rings in the same memory are in use one by one.
        SynthesizeHandshakesPass().apply(Context(), module)
        PersistPass().apply(Context(), module)
        module.verify()


def proofs(module: ModuleOp, policy: Policy) -> int:
    """How many proofs the depths of the only program took."""
    found: list[Finding] = []
    with warnings_to(found.append):
        SizeBuffersPass(policy=policy, explain=True).apply(Context(), module)
    (remark,) = found
    return int(remark.notes[-1].split()[0])


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_one_proof_for_the_least_and_one_for_more(path: Path):
    for program in programs_of(placed(path.read_text())):
        for policy in POLICIES:
            most = 1 if policy == "minimal" else 2
            assert proofs(ModuleOp([program.clone()]), policy) <= most


def chain(stages: int) -> str:
    """A program of so many stages, one after the other."""
    rings = "\n".join(
        f"  %b{n} = spatial.buffer : !spatial.buffer<1x1xbf16>" for n in range(stages)
    )
    maps = "\n".join(
        f"  spatial.map (%b{n}) into %b{n + 1} {{\n  ^bb0(%v{n} : f32):\n"
        f"    spatial.yield %v{n} : f32\n  }}"
        for n in range(stages - 1)
    )
    return f"""
spatial.program @chain(%X : memref<128x32xbf16>, %Y : memref<128x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [h = 4] {{
{rings}
  spatial.load %X[h, 0] into %b0 on move 0
{maps}
  spatial.store %b{stages - 1} into %Y[h, 0] on move 1
}}
"""


def test_a_long_chain_takes_turns():
    """Two places are enough for all rings of the compute engine."""
    module = sized(chain(50), "throughput")
    (program,) = programs_of(module)
    target = program.machine
    assert target is not None
    assert (
        max(region.end for region in regions(program, target)) - target.reserved_bytes == 6 * 2048
    )


@pytest.mark.slow
def test_time_is_linear_in_the_number_of_stages():
    def seconds(stages: int) -> float:
        module = placed(chain(stages))
        start = time.perf_counter()
        SizeBuffersPass().apply(Context(), module)
        module.verify()
        return time.perf_counter() - start

    seconds(20)
    assert seconds(1000) < 25 * seconds(100)
