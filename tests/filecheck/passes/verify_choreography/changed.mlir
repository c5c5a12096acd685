// RUN: spatial-opt %s --verify-choreography | spatial-opt 2>&1 | filecheck %s --check-prefix SAME
// RUN: spatial-opt %s --verify-choreography | sed 's/depth 2/depth 3/' | spatial-opt 2>&1 | filecheck %s --check-prefix CHANGED
// RUN: spatial-opt %s --verify-choreography | sed 's/depth 2/depth 3/' | spatial-opt --verify-choreography -o %t.mlir 2>&1 | filecheck %s --check-prefix AGAIN
// RUN: spatial-opt %t.mlir 2>&1 | filecheck %s --check-prefix SAME

// A program knows what was proved of it: after a change, and unless it is proved again, it says so.
// Names do not matter.

// SAME-NOT: warning
// SAME: choreo.verdict = #choreo.verdict<proved "{{[0-9a-f]+}}">

// CHANGED: warning: 'spatial.program' op @p says that it is proved, but it has changed since
// CHANGED-NEXT: hint: run verify-choreography again

// AGAIN: warning: 'spatial.program' op @p says that it is proved, but it has changed since
// AGAIN: remark: 'spatial.program' op @p proved:

spatial.program @p(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %a
    choreo.read_tiles %A[%c0, %c0] into %a
    choreo.read_barrier
    choreo.push %a
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.wait %a
    choreo.write_tiles %a into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %a
  }
}
