// RUN: spatial-opt %s --verify-choreography="keep-going=true" 2>&1 | filecheck %s

// When all engines have ended, nothing is under way and all is back where it started.

// rule 20, accepted: the last write is waited for.
// CHECK: ends.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @last_write proved:
spatial.program @last_write(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %p
    choreo.read_tiles %A[%c0, %c0] into %p
    choreo.read_barrier
    choreo.push %p
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.wait %p
    choreo.write_tiles %p into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %p
  }
}

// rule 20, rejected: the last write may still be under way at the end.
spatial.program @write_at_end(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %p
    choreo.read_tiles %A[%c0, %c0] into %p
    choreo.read_barrier
    choreo.push %p
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.wait %p
    // CHECK: ends.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.write_tiles' op refuted (in-flight-at-end):
    choreo.write_tiles %p into %C[%c0, %c0]
    choreo.pop %p
  }
}

// rule 20, accepted: one barrier at the end of a loop of writes.
// CHECK: ends.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @late_barrier proved:
spatial.program @late_barrier(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 4 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 4 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.pop %p
    }
    choreo.write_barrier
  }
}

// rule 20, accepted: a flag that somebody waits for.
// CHECK: ends.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @flag_waited_for proved:
spatial.program @flag_waited_for()
    target #spatial.target<"wormhole"> grid [1, 2] requires [semaphore] {
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    choreo.sem_wait %g_ready eq 1
    choreo.sem_set %g_ready, 0
    choreo.mcast_set_valid %g_valid to %g
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    choreo.sem_set %g_valid, invalid
    choreo.sem_inc %g_ready at sender of %g
    choreo.sem_wait %g_valid eq valid
  }
}

// rule 20, rejected: a flag that nobody waits for.
spatial.program @flag_at_end()
    target #spatial.target<"wormhole"> grid [1, 2] requires [semaphore] {
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    // CHECK: ends.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.mcast_set_valid' op refuted (in-flight-at-end):
    choreo.mcast_set_valid %g_valid to %g
  }
}

// rule 20, rejected: an increment that nobody waits for.
spatial.program @increment_at_end()
    target #spatial.target<"wormhole"> grid [1, 2] requires [semaphore] {
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    // CHECK: ends.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.sem_inc' op refuted (in-flight-at-end):
    choreo.sem_inc %g_ready at sender of %g
  }
}

// rule 45, accepted: the count is back at 0, the flag need not be: each round clears it first.
// CHECK: ends.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @back_at_zero proved:
spatial.program @back_at_zero(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
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

// rule 45, rejected: the count is not reset after the last round.
// CHECK: warning: 'choreo.sem_inc' op refuted (semaphore-end):
spatial.program @count_at_end(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %b
    choreo.read_tiles %A[%c0, %c0] into %b
    choreo.read_barrier
    choreo.sem_wait %g_ready eq 1
    choreo.mcast_send %b to %g hold_path
    choreo.mcast_set_valid %g_valid to %g
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

// rule 45, rejected: the flag is not cleared: the next item would go by this one's.
// CHECK: warning: '{{.*}}' op refuted ({{contents|semaphore-race|stale-wait|semaphore-end}}):
spatial.program @flag_for_next_item(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
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
    choreo.flush
    choreo.push %b
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    choreo.reserve %b
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

// rule 45, accepted: the flag is cleared at the end instead of the start.
// CHECK: ends.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @cleared_at_end proved:
spatial.program @cleared_at_end(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
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
    choreo.flush
    choreo.push %b
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    choreo.reserve %b
    choreo.sem_inc %g_ready at sender of %g
    choreo.sem_wait %g_valid eq valid
    choreo.sem_set %g_valid, invalid
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

// CHECK-NOT: {{warning|remark|error}}:
