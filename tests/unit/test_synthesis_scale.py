"""Synthesis of large programs: what comes out depends on the description, not on its numbers."""

import pytest
from xdsl.context import Context
from xdsl.dialects import affine
from xdsl.dialects.arith import Arith
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.ir import Operation
from xdsl.parser import Parser

from spatial_dialect.analysis.loop_counts import loop_count
from spatial_dialect.dialects.choreo import MapOp, PopOp, PushOp, ReserveOp, WaitOp
from spatial_dialect.dialects.spatial import ProgramOp, Spatial
from spatial_dialect.passes.synthesize_handshakes import SynthesizeHandshakesPass


def synthesized(text: str) -> ModuleOp:
    """The scheduled module, which verifies."""
    context = Context()
    for dialect in (Builtin, Arith, Spatial):
        context.load_dialect(dialect)
    module = Parser(context, text).parse_module()
    module.verify()
    SynthesizeHandshakesPass().apply(context, module)
    module.verify()
    return module


def names(module: ModuleOp) -> list[str]:
    """The names of all ops, in order."""
    return [op.name for op in module.walk()]


def count(module: ModuleOp, kind: type[Operation]) -> int:
    """How many ops of a kind there are."""
    return sum(isinstance(op, kind) for op in module.walk())


def matmul_2d(rows: int, cols: int, k: int = 4) -> str:
    """A travels along rows, B down columns; bias and sum make a chain."""
    y, x = 32 * rows, 32 * cols
    return f"""
    spatial.program @matmul(%A : memref<{y}x{32 * k}xbf16>, %B : memref<{32 * k}x{2 * x}xbf16>,
                            %C : memref<{y}x{2 * x}xbf16>)
        target #spatial.target<"wormhole"> grid [{rows}, {cols}] loops [k = {k}, w = 2] {{
      %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
      %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
      %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
      %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
      %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
      %rows = spatial.group from [0:{rows}, 0] to [0:{rows}, 1:{cols}] along x
      %cols = spatial.group from [0, 0:{cols}] to [1:{rows}, 0:{cols}] along y
      spatial.load %A[y, k] into %a multicast %rows at [0:{rows}, 0] on move 0
      spatial.recv %rows into %a at [0:{rows}, 1:{cols}] on move 0
      spatial.load %B[k, x * 2] into %b multicast %cols at [0, 0:{cols}] on move 0
      spatial.recv %cols into %b at [1:{rows}, 0:{cols}] on move 0
      spatial.matmul %a, %b into %c spill %p by pack
      spatial.map (%c) into %d {{
      ^bb0(%0 : f32):
        spatial.yield %0 : f32
      }}
      spatial.store %d into %C[y, x * 2 + w] on move 1
    }}"""


@pytest.mark.parametrize("grid", [(8, 8), (750, 990), (10**6, 10**6)])
def test_no_op_is_made_for_a_site(grid: tuple[int, int]):
    """The ops of a grid are those of any other with the same four classes of sites."""
    assert names(synthesized(matmul_2d(*grid))) == names(synthesized(matmul_2d(3, 4)))


def test_no_op_is_made_for_an_iteration():
    """The ops of a billion K blocks are those of four."""
    assert names(synthesized(matmul_2d(8, 8, 10**9))) == names(synthesized(matmul_2d(8, 8)))


def copy(k: int, h: int, w: int) -> str:
    """A copy over all loops."""
    return f"""
    spatial.program @copy(%X : memref<{32 * k}x{32 * h}x{32 * w}xbf16>,
                          %Y : memref<{32 * k}x{32 * h}x{32 * w}xbf16>)
        target #spatial.target<"wormhole"> grid [1, 1] loops [k = {k}, h = {h}, w = {w}] {{
      %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
      spatial.load %X[k, h, w] into %x on move 0
      spatial.store %x into %Y[k, h, w] on move 1
    }}"""


def test_huge_extents():
    """Each of three loops runs a billion times, and is one loop."""
    huge = 10**9
    module = synthesized(copy(huge, huge, huge))
    assert names(module) == names(synthesized(copy(2, 3, 4)))
    loops = [op for op in module.walk() if isinstance(op, affine.ForOp)]
    assert [loop_count(loop) for loop in loops] == [huge] * 6


def test_long_drain():
    """A ring of ten thousand partial sums is drained by a loop."""

    def text(w: int) -> str:
        return f"""
        spatial.program @drain(%A : memref<32x128xbf16>, %B : memref<128x{32 * w}xbf16>,
                               %C : memref<32x{32 * w}xbf16>)
            target #spatial.target<"reference"> grid [1, 1] loops [k = 4, w = {w}] {{
          %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
          %b = spatial.buffer depth 2 : !spatial.buffer<1x{w}xbf16>
          %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
          %p = spatial.buffer depth {w} : !spatial.buffer<1x1xbf16>
          spatial.load %A[0, k] into %a on move 0
          spatial.load %B[k, 0] into %b on move 0
          spatial.matmul %a, %b into %c spill %p by pack
          spatial.store %c into %C[0, w] on move 1
        }}"""

    assert names(synthesized(text(10_000))) == names(synthesized(text(9)))


def chain(stages: int) -> str:
    """A chain of maps, each reading the page before."""
    buffers = "\n".join(
        f"%b{n} = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>" for n in range(stages + 1)
    )
    maps = "\n".join(
        f"spatial.map (%b{n}) into %b{n + 1} {{\n^bb0(%0 : f32):\n  spatial.yield %0 : f32\n}}"
        for n in range(stages)
    )
    return f"""
    spatial.program @chain(%X : memref<32x128xbf16>, %Y : memref<32x128xbf16>)
        target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {{
      {buffers}
      spatial.load %X[0, k] into %b0 on move 0
      {maps}
      spatial.store %b{stages} into %Y[0, k] on move 1
    }}"""


def test_long_chain():
    """Five thousand stages: each waits, reserves, pushes and pops once, in dataflow order."""
    stages = 5_000
    module = synthesized(chain(stages))
    assert count(module, MapOp) == stages
    for kind in (WaitOp, PopOp, ReserveOp, PushOp):
        assert count(module, kind) == stages + 1
    (program,) = (op for op in module.walk() if isinstance(op, ProgramOp))
    buffers = [op.buffer for op in program.buffers]
    inputs = [op.inputs[0] for op in module.walk() if isinstance(op, MapOp)]
    assert inputs == buffers[:stages]
