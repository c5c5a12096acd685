// RUN: spatial-opt %s --verify-choreography="keep-going=true" 2>&1 | filecheck %s

// Ready counts: who is counted, when, and by whom they are reset.

// rule 38, accepted: sender and receiver agree on two rounds.
// CHECK: handshakes.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @two_rounds proved:
spatial.program @two_rounds(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
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

// rule 38, rejected: the receiver goes for a third round.
spatial.program @receives_more(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
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
    affine.for %i0 = 0 to 3 {
      choreo.reserve %b
      choreo.sem_set %g_valid, invalid
      choreo.sem_inc %g_ready at sender of %g
      // CHECK: handshakes.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.sem_wait' op refuted (deadlock):
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

// rule 38, rejected: the sender goes for a third round.
spatial.program @sends_more(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
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
      // CHECK: handshakes.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.sem_wait' op refuted (deadlock):
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

// rule 38, accepted: the rounds are a run-time trip of both.
// CHECK: handshakes.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @rounds_at_run_time proved:
spatial.program @rounds_at_run_time(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 2] loops [k = ? max 1000000] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
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
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
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
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.wait %b
      choreo.write_tiles %b into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %b
    }
  }
}

// rule 38, rejected: only the sender goes by the run-time trip.
spatial.program @rounds_differ(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 2] loops [k = ? max 1000000] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
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
      // CHECK: handshakes.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.sem_wait' op refuted (deadlock):
      choreo.sem_wait %g_valid eq valid
      choreo.push %b
    }
  }
  choreo.engine @take0 on move 1 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.wait %b
      choreo.write_tiles %b into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %b
    }
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

// rule 31, accepted: two receivers, and the sender waits for two.
// CHECK: handshakes.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @counts_two proved:
spatial.program @counts_two(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 3] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:3] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.reserve %b
      choreo.read_tiles %A[%c0, %c0] into %b
      choreo.read_barrier
      choreo.sem_wait %g_ready eq 2
      choreo.sem_set %g_ready, 0
      choreo.mcast_send %b to %g hold_path
      choreo.mcast_set_valid %g_valid to %g
      choreo.push %b
    }
  }
  choreo.engine @recv on move 0 at [0, 1:3] {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 2 {
      choreo.reserve %b
      choreo.sem_set %g_valid, invalid
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_wait %g_valid eq valid
      choreo.push %b
    }
  }
  choreo.engine @take on move 1 at [0, 0:3] {
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

// rule 31, rejected: the sender waits for three.
spatial.program @counts_three(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 3] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:3] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.reserve %b
      choreo.read_tiles %A[%c0, %c0] into %b
      choreo.read_barrier
      // CHECK: handshakes.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.sem_wait' op refuted (deadlock):
      choreo.sem_wait %g_ready eq 3
      choreo.sem_set %g_ready, 0
      choreo.mcast_send %b to %g hold_path
      choreo.mcast_set_valid %g_valid to %g
      choreo.push %b
    }
  }
  choreo.engine @recv on move 0 at [0, 1:3] {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 2 {
      choreo.reserve %b
      choreo.sem_set %g_valid, invalid
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_wait %g_valid eq valid
      choreo.push %b
    }
  }
  choreo.engine @take on move 1 at [0, 0:3] {
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

// rule 31, rejected: the sender goes on after one of two.
spatial.program @counts_one(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 3] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:3] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.reserve %b
      choreo.read_tiles %A[%c0, %c0] into %b
      choreo.read_barrier
      choreo.sem_wait %g_ready ge 1
      choreo.sem_set %g_ready, 0
      // CHECK: handshakes.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.mcast_send' op refuted (ring-position):
      choreo.mcast_send %b to %g hold_path
      choreo.mcast_set_valid %g_valid to %g
      choreo.push %b
    }
  }
  choreo.engine @recv on move 0 at [0, 1:3] {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 2 {
      choreo.reserve %b
      choreo.sem_set %g_valid, invalid
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_wait %g_valid eq valid
      choreo.push %b
    }
  }
  choreo.engine @take on move 1 at [0, 0:3] {
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

// rule 31, accepted: 63 receivers in a row, and the sender waits for 63.
// CHECK: handshakes.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @counts_many proved:
spatial.program @counts_many(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 64] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:64] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.reserve %b
      choreo.read_tiles %A[%c0, %c0] into %b
      choreo.read_barrier
      choreo.sem_wait %g_ready eq 63
      choreo.sem_set %g_ready, 0
      choreo.mcast_send %b to %g hold_path
      choreo.mcast_set_valid %g_valid to %g
      choreo.push %b
    }
  }
  choreo.engine @recv on move 0 at [0, 1:64] {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 2 {
      choreo.reserve %b
      choreo.sem_set %g_valid, invalid
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_wait %g_valid eq valid
      choreo.push %b
    }
  }
  choreo.engine @take on move 1 at [0, 0:64] {
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

// rule 31, rejected: the sender waits for 64, as if it were one of them.
spatial.program @counts_itself(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 64] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:64] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.reserve %b
      choreo.read_tiles %A[%c0, %c0] into %b
      choreo.read_barrier
      // CHECK: handshakes.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.sem_wait' op refuted (deadlock):
      choreo.sem_wait %g_ready eq 64
      choreo.sem_set %g_ready, 0
      choreo.mcast_send %b to %g hold_path
      choreo.mcast_set_valid %g_valid to %g
      choreo.push %b
    }
  }
  choreo.engine @recv on move 0 at [0, 1:64] {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 2 {
      choreo.reserve %b
      choreo.sem_set %g_valid, invalid
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_wait %g_valid eq valid
      choreo.push %b
    }
  }
  choreo.engine @take on move 1 at [0, 0:64] {
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

// rule 27, accepted: each receiver has reserved a page when it says that it is ready.
// CHECK: handshakes.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @room_first proved:
spatial.program @room_first(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 3] requires [fifo, semaphore] {
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:3] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %b
    choreo.read_tiles %A[%c0, %c0] into %b
    choreo.read_barrier
    choreo.sem_wait %g_ready eq 2
    choreo.sem_set %g_ready, 0
    choreo.mcast_send %b to %g hold_path
    choreo.mcast_set_valid %g_valid to %g
    choreo.push %b
  }
  choreo.engine @recv on move 0 at [0, 1:3] {
  ^bb0(%y : index, %x : index):
    choreo.reserve %b
    choreo.sem_set %g_valid, invalid
    choreo.sem_inc %g_ready at sender of %g
    choreo.sem_wait %g_valid eq valid
    choreo.push %b
  }
  choreo.engine @take on move 1 at [0, 0:3] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.wait %b
    choreo.write_tiles %b into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %b
  }
}

// rule 27, rejected: the receivers say that they are ready and reserve afterwards.
spatial.program @ready_first(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 3] requires [fifo, semaphore] {
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:3] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %b
    choreo.read_tiles %A[%c0, %c0] into %b
    choreo.read_barrier
    choreo.sem_wait %g_ready eq 2
    choreo.sem_set %g_ready, 0
    // CHECK: handshakes.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.mcast_send' op refuted (ring-position):
    choreo.mcast_send %b to %g hold_path
    choreo.mcast_set_valid %g_valid to %g
    choreo.push %b
  }
  choreo.engine @recv on move 0 at [0, 1:3] {
  ^bb0(%y : index, %x : index):
    choreo.sem_set %g_valid, invalid
    choreo.sem_inc %g_ready at sender of %g
    choreo.reserve %b
    choreo.sem_wait %g_valid eq valid
    choreo.push %b
  }
  choreo.engine @take on move 1 at [0, 0:3] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.wait %b
    choreo.write_tiles %b into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %b
  }
}

// rule 27, rejected: one ready receiver, and two pages sent one after the other.
spatial.program @sent_twice(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
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
    choreo.reserve %b
    choreo.read_tiles %A[%c0, %c0] into %b
    choreo.read_barrier
    // CHECK: handshakes.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.mcast_send' op refuted (ring-position):
    choreo.mcast_send %b to %g hold_path
    choreo.mcast_set_valid %g_valid to %g
    choreo.push %b
    choreo.sem_wait %g_ready eq 1
    choreo.sem_set %g_ready, 0
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

// rule 27, accepted: two pages are sent to a receiver that has reserved two.
// CHECK: handshakes.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @two_at_once proved:
spatial.program @two_at_once(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 3 {
      choreo.reserve %b, 2
      choreo.sem_wait %g_ready eq 1
      choreo.sem_set %g_ready, 0
      choreo.read_tiles %A[%c0, %c0] into %b
      choreo.read_barrier
      choreo.mcast_send %b to %g hold_path
      choreo.push %b
      choreo.read_tiles %A[%c0, %c0] into %b
      choreo.read_barrier
      choreo.mcast_send %b to %g hold_path
      choreo.mcast_set_valid %g_valid to %g
      choreo.push %b
    }
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 3 {
      choreo.reserve %b, 2
      choreo.sem_set %g_valid, invalid
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_wait %g_valid eq valid
      choreo.push %b, 2
    }
  }
  choreo.engine @take on move 1 at [0, 0:2] {
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

// rule 27, accepted: a chain of three sites passes pages on.
// CHECK: handshakes.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @chain proved:
spatial.program @chain(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 3] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %h = spatial.group from [0, 1] to [0, 2] along x
  %g_ready, %g_valid = choreo.semaphores %g
  %h_ready, %h_valid = choreo.semaphores %h
  choreo.engine @first on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 4 {
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
  choreo.engine @middle on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 4 {
      choreo.reserve %b
      choreo.sem_set %g_valid, invalid
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_wait %g_valid eq valid
      choreo.sem_wait %h_ready eq 1
      choreo.sem_set %h_ready, 0
      choreo.mcast_send %b to %h hold_path
      choreo.mcast_set_valid %h_valid to %h
      choreo.push %b
    }
  }
  choreo.engine @last on move 0 at [0, 2] {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 4 {
      choreo.reserve %b
      choreo.sem_set %h_valid, invalid
      choreo.sem_inc %h_ready at sender of %h
      choreo.sem_wait %h_valid eq valid
      choreo.push %b
    }
  }
  choreo.engine @take on move 1 at [0, 0:3] {
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

// rule 27, rejected: the middle one passes its page on while the next one may already land in it.
spatial.program @chain_of_one_page(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 3] requires [fifo, semaphore] {
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %h = spatial.group from [0, 1] to [0, 2] along x
  %g_ready, %g_valid = choreo.semaphores %g
  %h_ready, %h_valid = choreo.semaphores %h
  choreo.engine @first on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 4 {
      choreo.reserve %b
      choreo.read_tiles %A[%c0, %c0] into %b
      choreo.read_barrier
      choreo.sem_wait %g_ready eq 1
      choreo.sem_set %g_ready, 0
      // CHECK: handshakes.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.mcast_send' op refuted (slot-race):
      choreo.mcast_send %b to %g hold_path
      choreo.mcast_set_valid %g_valid to %g
      choreo.flush
      choreo.push %b
    }
  }
  choreo.engine @middle on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 4 {
      choreo.reserve %b
      choreo.sem_set %g_valid, invalid
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_wait %g_valid eq valid
      choreo.sem_wait %h_ready eq 1
      choreo.sem_set %h_ready, 0
      choreo.mcast_send %b to %h hold_path
      choreo.mcast_set_valid %h_valid to %h
      choreo.push %b
    }
  }
  choreo.engine @last on move 0 at [0, 2] {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 4 {
      choreo.reserve %b
      choreo.sem_set %h_valid, invalid
      choreo.sem_inc %h_ready at sender of %h
      choreo.sem_wait %h_valid eq valid
      choreo.push %b
    }
  }
  choreo.engine @take on move 1 at [0, 0:3] {
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

// rule 18, accepted: a count that runs on is waited for with `ge`.
// CHECK: handshakes.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @at_least proved:
spatial.program @at_least()
    target #spatial.target<"wormhole"> grid [1, 2] requires [semaphore] {
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    choreo.sem_wait %g_ready ge 1
    choreo.sem_wait %g_ready ge 2
    choreo.sem_set %g_ready, 0
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    choreo.sem_inc %g_ready at sender of %g
    choreo.sem_inc %g_ready at sender of %g
  }
}

// rule 18, rejected: the same with `eq`: the count may pass 1 before anybody looks.
// CHECK: warning: '{{.*}}' op refuted ({{deadlock|semaphore-race}}):
spatial.program @exactly()
    target #spatial.target<"wormhole"> grid [1, 2] requires [semaphore] {
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    choreo.sem_wait %g_ready eq 1
    choreo.sem_wait %g_ready eq 2
    choreo.sem_set %g_ready, 0
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    choreo.sem_inc %g_ready at sender of %g
    choreo.sem_inc %g_ready at sender of %g
  }
}

// rule 18, accepted: `eq` where the second increment waits for an answer to the first.
// CHECK: handshakes.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @exactly_in_turn proved:
spatial.program @exactly_in_turn()
    target #spatial.target<"wormhole"> grid [1, 2] requires [semaphore] {
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    choreo.sem_wait %g_ready eq 1
    choreo.mcast_set_valid %g_valid to %g
    choreo.sem_wait %g_ready eq 2
    choreo.sem_set %g_ready, 0
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    choreo.sem_set %g_valid, invalid
    choreo.sem_inc %g_ready at sender of %g
    choreo.sem_wait %g_valid eq valid
    choreo.sem_inc %g_ready at sender of %g
  }
}

// rule 19, accepted: the count is reset where all increments are known and none can come.
// CHECK: handshakes.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @reset_in_order proved:
spatial.program @reset_in_order(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
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

// rule 19, rejected: the count is reset while a receiver may increment it.
// CHECK: warning: '{{.*}}' op refuted (semaphore-race):
spatial.program @reset_at_the_start(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
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
    choreo.sem_set %g_ready, 0
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

// rule 19, rejected: another engine of the sender's site resets the count, too.
// CHECK: warning: '{{.*}}' op refuted (semaphore-race):
spatial.program @two_reset(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
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
  choreo.engine @take0 on move 1 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.sem_set %g_ready, 0
    choreo.wait %b
    choreo.write_tiles %b into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %b
  }
  choreo.engine @take1 on move 1 at [0, 1] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.wait %b
    choreo.write_tiles %b into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %b
  }
}

// rule 32, accepted: two engines multicast to one site, each with a credit of its own.
// CHECK: handshakes.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @two_credits proved:
spatial.program @two_credits(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"reference"> grid [1, 2] requires [fifo, semaphore] {
  %a = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %h = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  %h_ready, %h_valid = choreo.semaphores %h
  choreo.engine @send_a on move 0 at [0, 0] {
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
  choreo.engine @send_b on move 1 at [0, 0] {
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

// rule 32, rejected: both take the same credit.
// CHECK: warning: '{{.*}}' op refuted ({{semaphore-race|stale-wait|ring-position}}):
spatial.program @one_credit(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"reference"> grid [1, 2] requires [fifo, semaphore] {
  %a = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send_a on move 0 at [0, 0] {
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
  choreo.engine @send_b on move 1 at [0, 0] {
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
    choreo.reserve %a
    choreo.sem_set %g_valid, invalid
    choreo.sem_inc %g_ready at sender of %g
    choreo.sem_wait %g_valid eq valid
    choreo.push %a
    choreo.reserve %b
    choreo.sem_set %g_valid, invalid
    choreo.sem_inc %g_ready at sender of %g
    choreo.sem_wait %g_valid eq valid
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

// rule 39, accepted: the count is reset between the wait and the next send.
// CHECK: handshakes.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @reset_each_round proved:
spatial.program @reset_each_round(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
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

// rule 39, rejected: the count is never reset.
// CHECK: warning: '{{.*}}' op refuted ({{ring-position|semaphore-race|deadlock}}):
spatial.program @no_reset(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
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

// rule 39, rejected: the count is never reset, and `ge` passes at once in round 2.
spatial.program @no_reset_ge(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
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
      choreo.sem_wait %g_ready ge 1
      // CHECK: handshakes.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.mcast_send' op refuted (ring-position):
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

// rule 39, rejected: the count is reset after the receiver was told to go on.
// CHECK: warning: '{{.*}}' op refuted (semaphore-race):
spatial.program @reset_late(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
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
      choreo.mcast_send %b to %g hold_path
      choreo.mcast_set_valid %g_valid to %g
      choreo.sem_set %g_ready, 0
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

// CHECK-NOT: {{warning|remark|error}}:
