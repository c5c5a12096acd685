// RUN: spatial-opt %s --verify-choreography="keep-going=true" 2>&1 | filecheck %s

// Engines of several blocks: what the verifier lets pass there, because it may happen on no path, is
// judged by the paths that are taken.

// rule 6, accepted: a page is waited for on both ways to its pop.
// CHECK: blocks.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @both_ways proved:
spatial.program @both_ways(%A : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 1000000] requires [fifo] {
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %p
    choreo.read_tiles %A[%c0, %c0] into %p
    choreo.read_barrier
    choreo.push %p
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %n = choreo.trip %n_count
    %none = arith.cmpi eq, %n, %c0 : index
    cf.cond_br %none, ^none, ^some
  ^none:
    choreo.wait %p
    cf.br ^end
  ^some:
    choreo.wait %p
    cf.br ^end
  ^end:
    choreo.pop %p
    choreo.end
  }
}

// rule 6, rejected: on one of the ways it is not.
spatial.program @one_way(%A : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 1000000] requires [fifo] {
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %p
    choreo.read_tiles %A[%c0, %c0] into %p
    choreo.read_barrier
    choreo.push %p
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %n = choreo.trip %n_count
    %none = arith.cmpi eq, %n, %c0 : index
    cf.cond_br %none, ^none, ^some
  ^none:
    cf.br ^end
  ^some:
    choreo.wait %p
    cf.br ^end
  ^end:
    // CHECK: blocks.mlir:[[# @LINE + 1]]:5: warning: 'choreo.pop' op refuted (request):
    choreo.pop %p
    choreo.end
  }
}

// rule 10, rejected: the reader makes a page on one of the ways only.
spatial.program @made_on_one_way(%A : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 1000000] requires [fifo] {
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    %one = arith.cmpi eq, %n, %c1 : index
    cf.cond_br %one, ^end, ^make
  ^make:
    choreo.reserve %p
    choreo.read_tiles %A[%c0, %c0] into %p
    choreo.read_barrier
    choreo.push %p
    cf.br ^end
  ^end:
    choreo.end
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    // CHECK: blocks.mlir:[[# @LINE + 1]]:5: warning: 'choreo.wait' op refuted (deadlock):
    choreo.wait %p
    choreo.pop %p
  }
}

// A loop that never ends, in blocks: it makes pages for ever, and nobody counts them.
// rule 49, rejected: an engine goes round and round.
// CHECK: warning: {{.*}} refuted (deadlock):
spatial.program @for_ever(%A : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    cf.br ^again
  ^again:
    choreo.reserve %p
    choreo.read_tiles %A[%c0, %c0] into %p
    choreo.read_barrier
    choreo.push %p
    cf.br ^again
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    cf.br ^again
  ^again:
    choreo.wait %p
    choreo.pop %p
    cf.br ^again
  }
}

// CHECK-NOT: {{warning|remark|error}}:
