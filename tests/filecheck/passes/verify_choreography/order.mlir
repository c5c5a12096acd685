// RUN: spatial-opt %s --verify-choreography="keep-going=true" 2>&1 | filecheck %s

// Orders that do not fit together.

// rule 34, accepted: the reader takes turns as compute wants them.
// CHECK: order.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @turns proved:
spatial.program @turns(%A : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %a = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.reserve %a
      choreo.read_tiles %A[%c0, %c0] into %a
      choreo.read_barrier
      choreo.push %a
      choreo.reserve %b
      choreo.read_tiles %A[%c0, %c0] into %b
      choreo.read_barrier
      choreo.push %b
    }
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 2 {
      choreo.wait %a
      choreo.wait %b
      %acc = choreo.acquire 1xbf16
      choreo.dot %acc, %a, %b
      choreo.release %acc
      choreo.pop %a
      choreo.pop %b
    }
  }
}

// rule 34, rejected: all pages of %a and then all of %b, but compute wants them in turns.
spatial.program @merged(%A : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %a = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      // CHECK: order.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.reserve' op refuted (deadlock):
      choreo.reserve %a
      choreo.read_tiles %A[%c0, %c0] into %a
      choreo.read_barrier
      choreo.push %a
    }
    affine.for %i1 = 0 to 2 {
      choreo.reserve %b
      choreo.read_tiles %A[%c0, %c0] into %b
      choreo.read_barrier
      choreo.push %b
    }
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 2 {
      choreo.wait %a
      choreo.wait %b
      %acc = choreo.acquire 1xbf16
      choreo.dot %acc, %a, %b
      choreo.release %acc
      choreo.pop %a
      choreo.pop %b
    }
  }
}

// rule 34, accepted: the same with room for all pages of %a.
// CHECK: order.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @merged_with_room proved:
spatial.program @merged_with_room(%A : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.reserve %a
      choreo.read_tiles %A[%c0, %c0] into %a
      choreo.read_barrier
      choreo.push %a
    }
    affine.for %i1 = 0 to 2 {
      choreo.reserve %b
      choreo.read_tiles %A[%c0, %c0] into %b
      choreo.read_barrier
      choreo.push %b
    }
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 2 {
      choreo.wait %a
      choreo.wait %b
      %acc = choreo.acquire 1xbf16
      choreo.dot %acc, %a, %b
      choreo.release %acc
      choreo.pop %a
      choreo.pop %b
    }
  }
}

// rule 37, accepted: one engine loads and stores in turns.
// CHECK: order.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @interleaved proved:
spatial.program @interleaved(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %q = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 4 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
      choreo.wait %q
      choreo.write_tiles %q into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %q
    }
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 4 {
      choreo.wait %p
      %acc = choreo.acquire 1xbf16
      choreo.dot %acc, %p, %p
      choreo.reserve %q
      choreo.pack %acc into %q
      choreo.push %q
      choreo.release %acc
      choreo.pop %p
    }
  }
}

// rule 37, rejected: one engine loads everything and stores afterwards.
spatial.program @loads_first(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %q = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 4 {
      // CHECK: order.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.reserve' op refuted (deadlock):
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
    affine.for %i1 = 0 to 4 {
      choreo.wait %q
      choreo.write_tiles %q into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %q
    }
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 4 {
      choreo.wait %p
      %acc = choreo.acquire 1xbf16
      choreo.dot %acc, %p, %p
      choreo.reserve %q
      choreo.pack %acc into %q
      choreo.push %q
      choreo.release %acc
      choreo.pop %p
    }
  }
}

// rule 4, accepted: two multicasts in one order at both ends.
// CHECK: order.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @one_order proved:
spatial.program @one_order(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %a = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %h = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  %h_ready, %h_valid = choreo.semaphores %h
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %a
    choreo.read_tiles %A[%c0, %c0] into %a
    choreo.read_barrier
    choreo.sem_wait %g_ready eq 1
    choreo.sem_set %g_ready, 0
    choreo.mcast_send %a to %g hold_path
    choreo.mcast_set_valid %g_valid to %g
    choreo.push %a
    choreo.reserve %b
    choreo.read_tiles %A[%c0, %c0] into %b
    choreo.read_barrier
    choreo.sem_wait %h_ready eq 1
    choreo.sem_set %h_ready, 0
    choreo.mcast_send %b to %h hold_path
    choreo.mcast_set_valid %h_valid to %h
    choreo.push %b
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    choreo.reserve %a
    choreo.sem_set %g_valid, invalid
    choreo.sem_inc %g_ready at sender of %g
    choreo.sem_wait %g_valid eq valid
    choreo.push %a
    choreo.reserve %b
    choreo.sem_set %h_valid, invalid
    choreo.sem_inc %h_ready at sender of %h
    choreo.sem_wait %h_valid eq valid
    choreo.push %b
  }
  choreo.engine @take on move 1 at [0, 0:2] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.wait %a
    choreo.write_tiles %a into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %a
    choreo.wait %b
    choreo.write_tiles %b into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %b
  }
}

// rule 4, rejected: the receiver takes them in the other order.
spatial.program @two_orders(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %a = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %h = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  %h_ready, %h_valid = choreo.semaphores %h
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %a
    choreo.read_tiles %A[%c0, %c0] into %a
    choreo.read_barrier
    // CHECK: order.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.sem_wait' op refuted (deadlock):
    choreo.sem_wait %g_ready eq 1
    choreo.sem_set %g_ready, 0
    choreo.mcast_send %a to %g hold_path
    choreo.mcast_set_valid %g_valid to %g
    choreo.push %a
    choreo.reserve %b
    choreo.read_tiles %A[%c0, %c0] into %b
    choreo.read_barrier
    choreo.sem_wait %h_ready eq 1
    choreo.sem_set %h_ready, 0
    choreo.mcast_send %b to %h hold_path
    choreo.mcast_set_valid %h_valid to %h
    choreo.push %b
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    choreo.reserve %b
    choreo.sem_set %h_valid, invalid
    choreo.sem_inc %h_ready at sender of %h
    choreo.sem_wait %h_valid eq valid
    choreo.push %b
    choreo.reserve %a
    choreo.sem_set %g_valid, invalid
    choreo.sem_inc %g_ready at sender of %g
    choreo.sem_wait %g_valid eq valid
    choreo.push %a
  }
  choreo.engine @take on move 1 at [0, 0:2] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.wait %a
    choreo.write_tiles %a into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %a
    choreo.wait %b
    choreo.write_tiles %b into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %b
  }
}

// rule 4, accepted: two sites send to each other, one after the other.
// CHECK: order.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @there_and_back proved:
spatial.program @there_and_back(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %a = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %h = spatial.group from [0, 1] to [0, 0] along x
  %g_ready, %g_valid = choreo.semaphores %g
  %h_ready, %h_valid = choreo.semaphores %h
  choreo.engine @left on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %a
    choreo.read_tiles %A[%c0, %c0] into %a
    choreo.read_barrier
    choreo.sem_wait %g_ready eq 1
    choreo.sem_set %g_ready, 0
    choreo.mcast_send %a to %g hold_path
    choreo.mcast_set_valid %g_valid to %g
    choreo.push %a
    choreo.reserve %b
    choreo.sem_set %h_valid, invalid
    choreo.sem_inc %h_ready at sender of %h
    choreo.sem_wait %h_valid eq valid
    choreo.push %b
  }
  choreo.engine @right on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %a
    choreo.sem_set %g_valid, invalid
    choreo.sem_inc %g_ready at sender of %g
    choreo.sem_wait %g_valid eq valid
    choreo.push %a
    choreo.reserve %b
    choreo.read_tiles %A[%c0, %c0] into %b
    choreo.read_barrier
    choreo.sem_wait %h_ready eq 1
    choreo.sem_set %h_ready, 0
    choreo.mcast_send %b to %h hold_path
    choreo.mcast_set_valid %h_valid to %h
    choreo.push %b
  }
  choreo.engine @take on move 1 at [0, 0:2] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.wait %a
    choreo.write_tiles %a into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %a
    choreo.wait %b
    choreo.write_tiles %b into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %b
  }
}

// rule 4, rejected: both send first: each multicast alone is right.
spatial.program @both_first(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %a = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %h = spatial.group from [0, 1] to [0, 0] along x
  %g_ready, %g_valid = choreo.semaphores %g
  %h_ready, %h_valid = choreo.semaphores %h
  choreo.engine @left on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %a
    choreo.read_tiles %A[%c0, %c0] into %a
    choreo.read_barrier
    // CHECK: order.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.sem_wait' op refuted (deadlock):
    choreo.sem_wait %g_ready eq 1
    choreo.sem_set %g_ready, 0
    choreo.mcast_send %a to %g hold_path
    choreo.mcast_set_valid %g_valid to %g
    choreo.push %a
    choreo.reserve %b
    choreo.sem_set %h_valid, invalid
    choreo.sem_inc %h_ready at sender of %h
    choreo.sem_wait %h_valid eq valid
    choreo.push %b
  }
  choreo.engine @right on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %b
    choreo.read_tiles %A[%c0, %c0] into %b
    choreo.read_barrier
    choreo.sem_wait %h_ready eq 1
    choreo.sem_set %h_ready, 0
    choreo.mcast_send %b to %h hold_path
    choreo.mcast_set_valid %h_valid to %h
    choreo.push %b
    choreo.reserve %a
    choreo.sem_set %g_valid, invalid
    choreo.sem_inc %g_ready at sender of %g
    choreo.sem_wait %g_valid eq valid
    choreo.push %a
  }
  choreo.engine @take on move 1 at [0, 0:2] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.wait %a
    choreo.write_tiles %a into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %a
    choreo.wait %b
    choreo.write_tiles %b into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %b
  }
}

// rule 4, accepted: both send first, from engines of their own.
// CHECK: order.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @both_at_once proved:
spatial.program @both_at_once(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"reference"> grid [1, 2] requires [fifo, semaphore] {
  %a = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %h = spatial.group from [0, 1] to [0, 0] along x
  %g_ready, %g_valid = choreo.semaphores %g
  %h_ready, %h_valid = choreo.semaphores %h
  choreo.engine @left_send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %a
    choreo.read_tiles %A[%c0, %c0] into %a
    choreo.read_barrier
    choreo.sem_wait %g_ready eq 1
    choreo.sem_set %g_ready, 0
    choreo.mcast_send %a to %g hold_path
    choreo.mcast_set_valid %g_valid to %g
    choreo.push %a
  }
  choreo.engine @left_recv on move 1 at [0, 0] {
  ^bb0(%y : index, %x : index):
    choreo.reserve %b
    choreo.sem_set %h_valid, invalid
    choreo.sem_inc %h_ready at sender of %h
    choreo.sem_wait %h_valid eq valid
    choreo.push %b
  }
  choreo.engine @right_recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    choreo.reserve %a
    choreo.sem_set %g_valid, invalid
    choreo.sem_inc %g_ready at sender of %g
    choreo.sem_wait %g_valid eq valid
    choreo.push %a
  }
  choreo.engine @right_send on move 1 at [0, 1] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %b
    choreo.read_tiles %A[%c0, %c0] into %b
    choreo.read_barrier
    choreo.sem_wait %h_ready eq 1
    choreo.sem_set %h_ready, 0
    choreo.mcast_send %b to %h hold_path
    choreo.mcast_set_valid %h_valid to %h
    choreo.push %b
  }
  choreo.engine @take on move 2 at [0, 0:2] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.wait %a
    choreo.write_tiles %a into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %a
    choreo.wait %b
    choreo.write_tiles %b into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %b
  }
}

// rule 2, accepted: a site stores what it computed from a page behind the receive of that page.
// CHECK: order.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @receive_first proved:
spatial.program @receive_first(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
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
  choreo.engine @take on move 1 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.wait %b
    choreo.write_tiles %b into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %b
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %b
    choreo.sem_set %g_valid, invalid
    choreo.sem_inc %g_ready at sender of %g
    choreo.sem_wait %g_valid eq valid
    choreo.push %b
    choreo.wait %c
    choreo.write_tiles %c into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %c
  }
  choreo.engine @compute on compute at [0, 1] {
  ^bb0(%y : index, %x : index):
    choreo.wait %b
    %acc = choreo.acquire 1xbf16
    choreo.dot %acc, %b, %b
    choreo.reserve %c
    choreo.pack %acc into %c
    choreo.push %c
    choreo.release %acc
    choreo.pop %b
  }
}

// rule 2, rejected: it waits for the result before it receives the page: ring, semaphore and
// compute are in one cycle.
spatial.program @store_first(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
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
  choreo.engine @take on move 1 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.wait %b
    choreo.write_tiles %b into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %b
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    // CHECK: order.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.wait' op refuted (deadlock):
    choreo.wait %c
    choreo.write_tiles %c into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %c
    choreo.reserve %b
    choreo.sem_set %g_valid, invalid
    choreo.sem_inc %g_ready at sender of %g
    choreo.sem_wait %g_valid eq valid
    choreo.push %b
  }
  choreo.engine @compute on compute at [0, 1] {
  ^bb0(%y : index, %x : index):
    choreo.wait %b
    %acc = choreo.acquire 1xbf16
    choreo.dot %acc, %b, %b
    choreo.reserve %c
    choreo.pack %acc into %c
    choreo.push %c
    choreo.release %acc
    choreo.pop %b
  }
}

// CHECK-NOT: {{warning|remark|error}}:
