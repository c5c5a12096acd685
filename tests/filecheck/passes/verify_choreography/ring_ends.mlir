// RUN: spatial-opt %s --verify-choreography="keep-going=true" 2>&1 | filecheck %s

// Who is at the ends of a ring, and where they stand.

// rule 9, accepted: each consumer has a ring of its own.
// CHECK: ring_ends.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @own_rings proved:
spatial.program @own_rings(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %q = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 3 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
      choreo.reserve %q
      choreo.read_tiles %A[%c0, %c0] into %q
      choreo.read_barrier
      choreo.push %q
    }
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 3 {
      choreo.wait %p
      %acc = choreo.acquire 1xbf16
      choreo.dot %acc, %p, %p
      choreo.release %acc
      choreo.pop %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 3 {
      choreo.wait %q
      choreo.write_tiles %q into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %q
    }
  }
}

// rule 9, accepted: one ring has other ends on other sites.
// CHECK: ring_ends.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @other_sites proved:
spatial.program @other_sites(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 at [0, 0:2] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 3 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 3 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
  choreo.engine @compute on compute at [0, 1] {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 3 {
      choreo.wait %p
      %acc = choreo.acquire 1xbf16
      choreo.dot %acc, %p, %p
      choreo.release %acc
      choreo.pop %p
    }
  }
}

// rule 46, accepted: sender and receiver have pushed one page each.
// CHECK: ring_ends.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @same_position proved:
spatial.program @same_position(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %b
    choreo.read_tiles %A[%c0, %c0] into %b
    choreo.read_barrier
    choreo.push %b
    choreo.reserve %b
    choreo.read_tiles %A[%c0, %c0] into %b
    choreo.read_barrier
    choreo.sem_wait %g_ready eq 1
    choreo.sem_set %g_ready, 0
    choreo.mcast_send %b to %g hold_path
    choreo.mcast_set_valid %g_valid to %g
    choreo.push %b
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %b
    choreo.read_tiles %A[%c0, %c0] into %b
    choreo.read_barrier
    choreo.push %b
    choreo.reserve %b
    choreo.sem_set %g_valid, invalid
    choreo.sem_inc %g_ready at sender of %g
    choreo.sem_wait %g_valid eq valid
    choreo.push %b
  }
  choreo.engine @take on move 1 at [0, 0:2] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.wait %b
      choreo.write_tiles %b into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %b
    }
  }
}

// rule 46, rejected: the receiver has pushed a page more than the sender.
spatial.program @receiver_ahead(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %b
    choreo.read_tiles %A[%c0, %c0] into %b
    choreo.read_barrier
    choreo.sem_wait %g_ready eq 1
    choreo.sem_set %g_ready, 0
    // CHECK: ring_ends.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.mcast_send' op refuted (ring-position):
    choreo.mcast_send %b to %g hold_path
    choreo.mcast_set_valid %g_valid to %g
    choreo.push %b
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %b
    choreo.read_tiles %A[%c0, %c0] into %b
    choreo.read_barrier
    choreo.push %b
    choreo.reserve %b
    choreo.sem_set %g_valid, invalid
    choreo.sem_inc %g_ready at sender of %g
    choreo.sem_wait %g_valid eq valid
    choreo.push %b
  }
  choreo.engine @take0 on move 1 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.wait %b
    choreo.write_tiles %b into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %b
  }
  choreo.engine @take1 on move 1 at [0, 1] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.wait %b
      choreo.write_tiles %b into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %b
    }
  }
}

// rule 46, accepted: the receiver has gone once round the ring more.
// CHECK: ring_ends.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @receiver_around proved:
spatial.program @receiver_around(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %b
    choreo.read_tiles %A[%c0, %c0] into %b
    choreo.read_barrier
    choreo.sem_wait %g_ready eq 1
    choreo.sem_set %g_ready, 0
    choreo.mcast_send %b to %g hold_path
    choreo.mcast_set_valid %g_valid to %g
    choreo.push %b
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.reserve %b
      choreo.read_tiles %A[%c0, %c0] into %b
      choreo.read_barrier
      choreo.push %b
    }
    choreo.reserve %b
    choreo.sem_set %g_valid, invalid
    choreo.sem_inc %g_ready at sender of %g
    choreo.sem_wait %g_valid eq valid
    choreo.push %b
  }
  choreo.engine @take0 on move 1 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.wait %b
    choreo.write_tiles %b into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %b
  }
  choreo.engine @take1 on move 1 at [0, 1] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 3 {
      choreo.wait %b
      choreo.write_tiles %b into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %b
    }
  }
}

// rule 46, rejected: the receiver pushes two pages a round.
spatial.program @two_a_round(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 3 {
      choreo.reserve %b
      choreo.read_tiles %A[%c0, %c0] into %b
      choreo.read_barrier
      choreo.sem_wait %g_ready eq 1
      choreo.sem_set %g_ready, 0
      // CHECK: ring_ends.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.mcast_send' op refuted (ring-position):
      choreo.mcast_send %b to %g hold_path
      choreo.mcast_set_valid %g_valid to %g
      choreo.push %b
    }
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 3 {
      choreo.reserve %b
      choreo.sem_set %g_valid, invalid
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_wait %g_valid eq valid
      choreo.push %b
      choreo.reserve %b
      choreo.read_tiles %A[%c0, %c0] into %b
      choreo.read_barrier
      choreo.push %b
    }
  }
  choreo.engine @take0 on move 1 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 3 {
      choreo.wait %b
      choreo.write_tiles %b into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %b
    }
  }
  choreo.engine @take1 on move 1 at [0, 1] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 6 {
      choreo.wait %b
      choreo.write_tiles %b into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %b
    }
  }
}

// CHECK-NOT: {{warning|remark|error}}:
