// RUN: spatial-opt %s --verify-choreography="keep-going=true" 2>&1 | filecheck %s

// A move has ended when its barrier has, and no earlier.

// rule 41, accepted: push behind the read barrier.
// CHECK: barriers.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @read_done proved:
spatial.program @read_done(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// rule 41, rejected: push before the read barrier.
spatial.program @read_under_way(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      // CHECK: barriers.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.push' op refuted (contents):
      choreo.push %p
      choreo.read_barrier
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// rule 41, accepted: one barrier for two reads.
// CHECK: barriers.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @two_reads proved:
spatial.program @two_reads(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %q = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.reserve %p
      choreo.reserve %q
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_tiles %A[%c0, %c0] into %q
      choreo.read_barrier
      choreo.push %p
      choreo.push %q
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
      choreo.wait %q
      choreo.write_tiles %q into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %q
    }
  }
}

// rule 41, rejected: the second read is behind the barrier.
spatial.program @one_read_late(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %q = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.reserve %p
      choreo.reserve %q
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.read_tiles %A[%c0, %c0] into %q
      choreo.push %p
      // CHECK: barriers.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.push' op refuted (contents):
      choreo.push %q
      choreo.read_barrier
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
      choreo.wait %q
      choreo.write_tiles %q into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %q
    }
  }
}

// rule 41, rejected: the page is sent before it has been read.
spatial.program @sent_early(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %b
    choreo.read_tiles %A[%c0, %c0] into %b
    choreo.sem_wait %g_ready eq 1
    choreo.sem_set %g_ready, 0
    // CHECK: barriers.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.mcast_send' op refuted (slot-race):
    choreo.mcast_send %b to %g hold_path
    choreo.mcast_set_valid %g_valid to %g
    choreo.read_barrier
    choreo.push %b
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    choreo.reserve %b
    choreo.sem_set %g_valid, invalid
    choreo.sem_inc %g_ready at sender of %g
    choreo.sem_wait %g_valid eq valid
    choreo.push %b
  }
  choreo.engine @take on move 1 at [0, 0:2] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.wait %b
    choreo.write_tiles %b into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %b
  }
}

// rule 42, accepted: pop behind the write barrier.
// CHECK: barriers.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @write_done proved:
spatial.program @write_done(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// rule 42, rejected: pop before the write barrier.
spatial.program @write_under_way(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.reserve %p
      // CHECK: barriers.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.read_tiles' op refuted (slot-race):
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.pop %p
      choreo.write_barrier
    }
  }
}

// rule 42, rejected: with two pages it takes one round more.
spatial.program @write_under_way_2(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 3 {
      choreo.reserve %p
      // CHECK: barriers.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.read_tiles' op refuted (slot-race):
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 3 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.pop %p
      choreo.write_barrier
    }
  }
}

// rule 42, rejected: a read barrier does not wait for writes.
spatial.program @wrong_barrier(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.reserve %p
      // CHECK: barriers.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.read_tiles' op refuted (slot-race):
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.read_barrier
      choreo.pop %p
      choreo.write_barrier
    }
  }
}

// rule 17, rejected: a flush does not wait for writes.
spatial.program @flush_is_no_barrier(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.reserve %p
      // CHECK: barriers.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.read_tiles' op refuted (slot-race):
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.flush
      choreo.pop %p
      choreo.write_barrier
    }
  }
}

// CHECK-NOT: {{warning|remark|error}}:
