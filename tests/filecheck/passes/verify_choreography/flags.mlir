// RUN: spatial-opt %s --verify-choreography="keep-going=true" 2>&1 | filecheck %s

// The flag that tells of data: behind it, cleared in time, and nobody else's.

// rule 15, accepted: the flag takes the path that the data holds.
// CHECK: flags.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @held proved:
spatial.program @held(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
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
      choreo.mcast_send %b to %g hold_path
      choreo.mcast_set_valid %g_valid to %g
      choreo.push %b
    }
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 3 {
      choreo.reserve %b
      choreo.sem_set %g_valid, invalid
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_wait %g_valid eq valid
      choreo.push %b
    }
  }
  choreo.engine @take on move 1 at [0, 0:2] {
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

// rule 15, accepted: a flush between data and flag.
// CHECK: flags.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @flushed proved:
spatial.program @flushed(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
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
      choreo.mcast_send %b to %g
      choreo.flush
      choreo.mcast_set_valid %g_valid to %g
      choreo.push %b
    }
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 3 {
      choreo.reserve %b
      choreo.sem_set %g_valid, invalid
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_wait %g_valid eq valid
      choreo.push %b
    }
  }
  choreo.engine @take on move 1 at [0, 0:2] {
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

// rule 15, accepted: a flush on a target that does not keep the order.
// CHECK: flags.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @flushed_where_needed proved:
spatial.program @flushed_where_needed(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"blackhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
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
      choreo.mcast_send %b to %g
      choreo.flush when needs_flush
      choreo.mcast_set_valid %g_valid to %g
      choreo.push %b
    }
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 3 {
      choreo.reserve %b
      choreo.sem_set %g_valid, invalid
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_wait %g_valid eq valid
      choreo.push %b
    }
  }
  choreo.engine @take on move 1 at [0, 0:2] {
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

// rule 15, accepted: a held path does no harm where there is a flush.
// CHECK: flags.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @held_and_flushed proved:
spatial.program @held_and_flushed(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"blackhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
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
      choreo.mcast_send %b to %g hold_path
      choreo.flush
      choreo.mcast_set_valid %g_valid to %g
      choreo.push %b
    }
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 3 {
      choreo.reserve %b
      choreo.sem_set %g_valid, invalid
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_wait %g_valid eq valid
      choreo.push %b
    }
  }
  choreo.engine @take on move 1 at [0, 0:2] {
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

// rule 15, rejected: neither a held path nor a flush: the flag may overtake the data.
spatial.program @overtaken(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
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
      choreo.mcast_send %b to %g
      choreo.mcast_set_valid %g_valid to %g
      choreo.push %b
    }
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 3 {
      choreo.reserve %b
      choreo.sem_set %g_valid, invalid
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_wait %g_valid eq valid
      // CHECK: flags.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.push' op refuted (contents):
      choreo.push %b
    }
  }
  choreo.engine @take on move 1 at [0, 0:2] {
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

// rule 15, rejected: the same on a target that does not keep the order.
spatial.program @overtaken_on_blackhole(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"blackhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
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
      choreo.mcast_send %b to %g
      choreo.mcast_set_valid %g_valid to %g
      choreo.push %b
    }
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 3 {
      choreo.reserve %b
      choreo.sem_set %g_valid, invalid
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_wait %g_valid eq valid
      // CHECK: flags.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.push' op refuted (contents):
      choreo.push %b
    }
  }
  choreo.engine @take on move 1 at [0, 0:2] {
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

// rule 15, rejected: the target does not keep the order of a held path.
spatial.program @held_in_vain(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"blackhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
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
      choreo.mcast_send %b to %g hold_path
      choreo.mcast_set_valid %g_valid to %g
      choreo.push %b
    }
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 3 {
      choreo.reserve %b
      choreo.sem_set %g_valid, invalid
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_wait %g_valid eq valid
      // CHECK: flags.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.push' op refuted (contents):
      choreo.push %b
    }
  }
  choreo.engine @take on move 1 at [0, 0:2] {
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

// rule 15, rejected: the flush is for other targets, and the path is not held.
spatial.program @flush_not_in_force(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
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
      choreo.mcast_send %b to %g
      choreo.flush when needs_flush
      choreo.mcast_set_valid %g_valid to %g
      choreo.push %b
    }
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 3 {
      choreo.reserve %b
      choreo.sem_set %g_valid, invalid
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_wait %g_valid eq valid
      // CHECK: flags.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.push' op refuted (contents):
      choreo.push %b
    }
  }
  choreo.engine @take on move 1 at [0, 0:2] {
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

// rule 15, rejected: the flush comes before the data.
spatial.program @flush_too_early(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
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
      choreo.flush
      choreo.mcast_send %b to %g
      choreo.mcast_set_valid %g_valid to %g
      choreo.push %b
    }
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 3 {
      choreo.reserve %b
      choreo.sem_set %g_valid, invalid
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_wait %g_valid eq valid
      // CHECK: flags.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.push' op refuted (contents):
      choreo.push %b
    }
  }
  choreo.engine @take on move 1 at [0, 0:2] {
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

// rule 15, accepted: two pages and one flag on one held path.
// CHECK: flags.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @two_held proved:
spatial.program @two_held(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %a = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %a
    choreo.reserve %b
    choreo.read_tiles %A[%c0, %c0] into %a
    choreo.read_barrier
    choreo.read_tiles %A[%c0, %c0] into %b
    choreo.read_barrier
    choreo.sem_wait %g_ready eq 1
    choreo.sem_set %g_ready, 0
    choreo.mcast_send %a to %g hold_path
    choreo.mcast_send %b to %g hold_path
    choreo.mcast_set_valid %g_valid to %g
    choreo.flush
    choreo.push %a
    choreo.push %b
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    choreo.reserve %a
    choreo.reserve %b
    choreo.sem_set %g_valid, invalid
    choreo.sem_inc %g_ready at sender of %g
    choreo.sem_wait %g_valid eq valid
    choreo.push %a
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

// rule 15, rejected: the second page lets the path go.
spatial.program @let_go(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %a = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %a
    choreo.reserve %b
    choreo.read_tiles %A[%c0, %c0] into %a
    choreo.read_barrier
    choreo.read_tiles %A[%c0, %c0] into %b
    choreo.read_barrier
    choreo.sem_wait %g_ready eq 1
    choreo.sem_set %g_ready, 0
    choreo.mcast_send %a to %g hold_path
    choreo.mcast_send %b to %g
    choreo.mcast_set_valid %g_valid to %g
    choreo.flush
    choreo.push %a
    choreo.push %b
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    choreo.reserve %a
    choreo.reserve %b
    choreo.sem_set %g_valid, invalid
    choreo.sem_inc %g_ready at sender of %g
    choreo.sem_wait %g_valid eq valid
    // CHECK: flags.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.push' op refuted (contents):
    choreo.push %a
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

// rule 21, accepted: each of two streams closes its path before the other opens one.
// CHECK: flags.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @closed_paths proved:
spatial.program @closed_paths(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %h = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  %h_ready, %h_valid = choreo.semaphores %h
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 3 {
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
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 3 {
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
  }
  choreo.engine @take on move 1 at [0, 0:2] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 3 {
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
}

// rule 17, accepted: a page comes back with a flag behind it.
// CHECK: flags.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @told_by_flag proved:
spatial.program @told_by_flag(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %h = spatial.group from [0, 1] to [0, 0] along x
  %g_ready, %g_valid = choreo.semaphores %g
  %h_ready, %h_valid = choreo.semaphores %h
  choreo.engine @front on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    choreo.reserve %b
    choreo.sem_set %h_valid, invalid
    choreo.sem_inc %h_ready at sender of %h
    choreo.sem_wait %h_valid eq valid
    choreo.push %b
  }
  choreo.engine @back on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %b
    choreo.read_tiles %A[%c0, %c0] into %b
    choreo.read_barrier
    choreo.sem_wait %h_ready eq 1
    choreo.sem_set %h_ready, 0
    choreo.mcast_send %b to %h
    choreo.flush
    choreo.mcast_set_valid %h_valid to %h
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

// rule 17, rejected: it is told of by an increment, which a flush does not order.
spatial.program @told_by_increment(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %h = spatial.group from [0, 1] to [0, 0] along x
  %g_ready, %g_valid = choreo.semaphores %g
  %h_ready, %h_valid = choreo.semaphores %h
  choreo.engine @front on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    choreo.reserve %b
    choreo.sem_inc %h_ready at sender of %h
    choreo.sem_wait %g_ready eq 1
    choreo.sem_set %g_ready, 0
    // CHECK: flags.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.push' op refuted (contents):
    choreo.push %b
  }
  choreo.engine @back on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %b
    choreo.read_tiles %A[%c0, %c0] into %b
    choreo.read_barrier
    choreo.sem_wait %h_ready eq 1
    choreo.sem_set %h_ready, 0
    choreo.mcast_send %b to %h
    choreo.flush
    choreo.sem_inc %g_ready at sender of %g
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

// rule 40, accepted: the receiver clears its flag before it says that it is ready.
// CHECK: flags.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @cleared proved:
spatial.program @cleared(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.reserve %b
      choreo.read_tiles %A[%c0, %c0] into %b
      choreo.read_barrier
      choreo.sem_wait %g_ready eq 1
      choreo.sem_set %g_ready, 0
      choreo.mcast_send %b to %g hold_path
      choreo.mcast_set_valid %g_valid to %g
      choreo.push %b
    }
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 2 {
      choreo.reserve %b
      choreo.sem_set %g_valid, invalid
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_wait %g_valid eq valid
      choreo.push %b
    }
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

// rule 40, rejected: the flag is cleared once, and the second round goes by the first one's.
// CHECK: warning: '{{.*}}' op refuted ({{contents|stale-wait|semaphore-race}}):
spatial.program @cleared_once(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.reserve %b
      choreo.read_tiles %A[%c0, %c0] into %b
      choreo.read_barrier
      choreo.sem_wait %g_ready eq 1
      choreo.sem_set %g_ready, 0
      choreo.mcast_send %b to %g hold_path
      choreo.mcast_set_valid %g_valid to %g
      choreo.push %b
    }
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    choreo.sem_set %g_valid, invalid
    affine.for %i0 = 0 to 2 {
      choreo.reserve %b
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_wait %g_valid eq valid
      choreo.push %b
    }
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

// rule 40, rejected: the flag is cleared after the sender was told.
// CHECK: warning: '{{.*}}' op refuted (semaphore-race):
spatial.program @cleared_late(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.reserve %b
      choreo.read_tiles %A[%c0, %c0] into %b
      choreo.read_barrier
      choreo.sem_wait %g_ready eq 1
      choreo.sem_set %g_ready, 0
      choreo.mcast_send %b to %g hold_path
      choreo.mcast_set_valid %g_valid to %g
      choreo.push %b
    }
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 2 {
      choreo.reserve %b
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_set %g_valid, invalid
      choreo.sem_wait %g_valid eq valid
      choreo.push %b
    }
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

// rule 40, accepted: a flag that is set once is waited for.
// CHECK: flags.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @set_once proved:
spatial.program @set_once()
    target #spatial.target<"wormhole"> grid [1, 2] requires [semaphore] {
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @set on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    choreo.sem_set %g_valid, valid
  }
  choreo.engine @wait on move 1 at [0, 1] {
  ^bb0(%y : index, %x : index):
    choreo.sem_wait %g_valid eq valid
    choreo.sem_set %g_valid, invalid
  }
}

// rule 40, rejected: a flag that is set, cleared and set again: the first time would do as well.
spatial.program @set_twice()
    target #spatial.target<"wormhole"> grid [1, 2] requires [semaphore] {
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @set on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    choreo.sem_set %g_valid, valid
    choreo.sem_set %g_valid, invalid
    choreo.sem_set %g_valid, valid
  }
  choreo.engine @wait on move 1 at [0, 1] {
  ^bb0(%y : index, %x : index):
    // CHECK: flags.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.sem_wait' op refuted (stale-wait):
    choreo.sem_wait %g_valid eq valid
    choreo.sem_set %g_valid, invalid
  }
}

// rule 16, accepted: two pages in one send and one flag for both.
// CHECK: flags.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @flag_for_two proved:
spatial.program @flag_for_two(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %b, 2
    choreo.read_tiles %A[%c0, %c0] into %b
    choreo.read_barrier
    choreo.push %b
    choreo.read_tiles %A[%c0, %c0] into %b
    choreo.read_barrier
    choreo.push %b
    choreo.reserve %b, 2
    choreo.read_tiles %A[%c0, %c0] into %b
    choreo.read_barrier
    choreo.sem_wait %g_ready eq 1
    choreo.sem_set %g_ready, 0
    choreo.mcast_send %b to %g hold_path
    choreo.push %b
    choreo.read_tiles %A[%c0, %c0] into %b
    choreo.read_barrier
    choreo.mcast_send %b to %g hold_path
    choreo.mcast_set_valid %g_valid to %g
    choreo.push %b
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %b, 2
    choreo.read_tiles %A[%c0, %c0] into %b
    choreo.read_barrier
    choreo.push %b
    choreo.read_tiles %A[%c0, %c0] into %b
    choreo.read_barrier
    choreo.push %b
    choreo.reserve %b, 2
    choreo.sem_set %g_valid, invalid
    choreo.sem_inc %g_ready at sender of %g
    choreo.sem_wait %g_valid eq valid
    choreo.push %b, 2
  }
  choreo.engine @take on move 1 at [0, 0:2] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 4 {
      choreo.wait %b
      choreo.write_tiles %b into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %b
    }
  }
}

// rule 16, rejected: two pages, each with its flag, back to back: the first may still be on its
// way.
spatial.program @flag_for_each(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
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
    choreo.reserve %b
    choreo.read_tiles %A[%c0, %c0] into %b
    choreo.read_barrier
    choreo.mcast_send %b to %g hold_path
    // CHECK: flags.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.mcast_set_valid' op refuted (semaphore-race):
    choreo.mcast_set_valid %g_valid to %g
    choreo.push %b
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    choreo.reserve %b, 2
    choreo.sem_set %g_valid, invalid
    choreo.sem_inc %g_ready at sender of %g
    choreo.sem_wait %g_valid eq valid
    choreo.push %b
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

// rule 16, accepted: the sender sends its flag again after an answer to the first.
// CHECK: flags.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @flag_in_turn proved:
spatial.program @flag_in_turn()
    target #spatial.target<"wormhole"> grid [1, 2] requires [semaphore] {
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 2 {
      choreo.sem_wait %g_ready eq 1
      choreo.sem_set %g_ready, 0
      choreo.mcast_set_valid %g_valid to %g
    }
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 2 {
      choreo.sem_set %g_valid, invalid
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_wait %g_valid eq valid
    }
  }
}

// rule 16, rejected: the flag is cleared while the second one may be on its way.
spatial.program @flag_on_its_way()
    target #spatial.target<"wormhole"> grid [1, 2] requires [semaphore] {
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    choreo.sem_wait %g_ready eq 1
    choreo.sem_set %g_ready, 0
    choreo.mcast_set_valid %g_valid to %g
    // CHECK: flags.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.mcast_set_valid' op refuted (semaphore-race):
    choreo.mcast_set_valid %g_valid to %g
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    choreo.sem_set %g_valid, invalid
    choreo.sem_inc %g_ready at sender of %g
    choreo.sem_wait %g_valid eq valid
    choreo.sem_set %g_valid, invalid
    choreo.sem_wait %g_valid eq valid
  }
}

// CHECK-NOT: {{warning|remark|error}}:
