"""The judge itself: it rejects what is broken, and says why."""

from __future__ import annotations

import pytest
from spatial_testing.balance import balance
from spatial_testing.judge import judge, parsed, printed

_COPY = """
spatial.program @copy(%X : memref<32x96xbf16>, %Y : memref<64x96xbf16>)
    target #spatial.target<"TARGET"> grid [2, 1] loops [k = 3] {
  %x = spatial.buffer depth DEPTH : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [1, 0] along y
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [1, 0] on move 0
  spatial.store %x into %Y[y, k] on move 1
}
"""

_MATMUL = """
spatial.program @matmul(%A : memref<32x96xbf16>, %B : memref<96x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[0, w] on move 1
}
"""

_FOLD = """
spatial.program @fold(%X : memref<32x32xf32>, %V : memref<96x32xf32>, %Y : memref<32x32xf32>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3] {
  %x = spatial.buffer depth 1 : !spatial.buffer<1x1xf32>
  %v = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  %m = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  %y = spatial.buffer depth 1 : !spatial.buffer<1x1xf32>
  spatial.load %X[0, 0] into %x on move 0
  spatial.load %V[k, 0] into %v on move 0
  spatial.map (%x) into %m {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map (%m, %v) update %m {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.subf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map (%m) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[0, 0] on move 1
}
"""


def _copy(target: str = "wormhole", depth: int = 2) -> str:
    return _COPY.replace("TARGET", target).replace("DEPTH", str(depth))


def _verdict(dataflow: str, old: str, new: str) -> str:
    """What is said about the choreography of a program with some of its text replaced."""
    lines = [line.strip() for line in printed(judge(dataflow)).splitlines()]
    before = "\n".join(lines)
    after = before.replace(old, new)
    assert after != before, f"{old!r} is not in:\n{before}"
    return "\n".join(balance(parsed(after), parsed(dataflow)))


@pytest.mark.parametrize(
    "text",
    [_copy(), _copy(depth=1), _copy("blackhole"), _copy("blackhole", 1), _MATMUL, _FOLD],
    ids=["copy", "depth 1", "flush", "flush, depth 1", "matmul", "fold"],
)
def test_right_programs_pass(text: str) -> None:
    judge(text, round_trips=True)


_TELL = "choreo.sem_set %g_valid, invalid\nchoreo.sem_inc %g_ready at sender of %g\n"
_SEND = "choreo.mcast_send %x to %g hold_path\nchoreo.mcast_set_valid %g_valid to %g\n"


@pytest.mark.parametrize(
    ("dataflow", "old", "new", "reason"),
    [
        (_copy(), "choreo.push %x\n", "", "deadlock"),
        (_copy(), "choreo.pop %x\n", "", "deadlock"),
        (_copy(), "choreo.read_barrier\n", "", "before a read_barrier"),
        (_copy(), "choreo.write_barrier\n", "", "before a write_barrier"),
        (_copy(), "choreo.pop %x\n", "choreo.pop %x\nchoreo.wait %x\n", "deadlock"),
        (_copy(), "choreo.reserve %x\n", "", "without a reserved page"),
        (_copy(), "choreo.wait %x\n", "", "without waiting for it"),
        (_copy(), "eq 1", "eq 2", "deadlock"),
        (_copy(), "choreo.sem_set %g_ready, 0\n", "", "other places in a ring"),
        (_copy(), "choreo.sem_set %g_valid, invalid\n", "", "pushes page 1"),
        (_copy(), _TELL, "\n".join([*reversed(_TELL.split("\n")), ""]), "deadlock"),
        (_copy(), _SEND, "\n".join([*reversed(_SEND.split("\n")), ""]), "page"),
        (_copy(), " hold_path", "", "pushes page 0"),
        (_copy(depth=1), "choreo.flush\n", "", "while a multicast may still read"),
        (_copy("blackhole"), "choreo.flush when needs_flush\n", "", "pushes page 0"),
        (_copy(), "%X[%c0, %k]", "%X[%c0, %c0]", "stores to"),
        (_MATMUL, "depth 2 : !spatial.buffer<1x1xf32>", "depth 3 : !spatial.buffer<1x1xf32>", ""),
        (_MATMUL, "depth 2 : !spatial.buffer<1x1xf32>", "depth 1 : !spatial.buffer<1x1xf32>", ""),
        (_MATMUL, " accumulate", "", "stores to"),
        (_MATMUL, " reload %p", "", "stores to"),
        (_MATMUL, "choreo.wait %p\nchoreo.pop %p\n", "", "deadlock"),
        (_MATMUL, "0 to 2", "0 to 1", "deadlock"),
        (
            _FOLD,
            "depth 2 : !spatial.buffer<1x1xf32>\n%y",
            "depth 1 : !spatial.buffer<1x1xf32>\n%y",
            "deadlock",
        ),
        (_FOLD, "arith.subf %1, %2", "arith.subf %2, %1", "stores to"),
    ],
)
def test_broken_choreography_is_rejected(dataflow: str, old: str, new: str, reason: str) -> None:
    verdict = _verdict(dataflow, old, new)
    assert verdict, "it passed"
    assert reason in verdict


def test_a_reader_that_takes_pages_in_another_order_hangs() -> None:
    """Rings of depth 1 that are filled A, B, A, B, ... but read A, A, A, B, B, B."""
    scheduled = """
    spatial.program @order(%X : memref<32x32xbf16>) target #spatial.target<"wormhole"> grid [1, 1]
        requires [fifo] {
      %a = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
      %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
      choreo.engine @move0 on move 0 {
      ^bb0(%y : index, %x : index):
        affine.for %k = 0 to 3 {
          choreo.reserve %a
          choreo.read_tiles %X[%y, %x] into %a
          choreo.read_barrier
          choreo.push %a
          choreo.reserve %b
          choreo.read_tiles %X[%y, %x] into %b
          choreo.read_barrier
          choreo.push %b
        }
      }
      choreo.engine @move1 on move 1 {
      ^bb0(%y : index, %x : index):
        affine.for %k = 0 to 3 {
          choreo.wait %a
          choreo.pop %a
        }
        affine.for %l = 0 to 3 {
          choreo.wait %b
          choreo.pop %b
        }
      }
    }
    """
    (verdict,) = balance(parsed(scheduled))
    assert "deadlock" in verdict
    assert "@move0 at [0, 0] waits at" in verdict
    assert "@move1 at [0, 0] waits at" in verdict
    assert balance(parsed(scheduled.replace("depth 1", "depth 2"))) == []
