// RUN: spatial-opt %s --verify-choreography="keep-going=true" 2>&1 | filecheck %s

// What one item leaves behind is what the next one finds.

// rule 29, accepted: each item clears the flag first, whatever its trip is.
// CHECK: items.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @cleared_by_each proved:
spatial.program @cleared_by_each(%lens : memref<4xi32>)
    target #spatial.target<"wormhole"> grid [1, 2] loops [i = 4, k = ? max 1000000] requires [semaphore] {
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %item = choreo.item
    %n = choreo.trip %lens[%item]
    choreo.sem_set %g_valid, invalid
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.sem_set %g_valid, valid
    }
  }
}

// rule 29, rejected: an item with trips leaves the flag set, and one without waits for it to be
// clear.
spatial.program @cleared_if_it_runs(%lens : memref<4xi32>)
    target #spatial.target<"wormhole"> grid [1, 2] loops [i = 4, k = ? max 1000000] requires [semaphore] {
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %item = choreo.item
    %n = choreo.trip %lens[%item]
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.sem_set %g_valid, invalid
    }
    choreo.sem_wait %g_valid eq invalid
    scf.for %i1 = %c0 to %n step %c1 {
      // CHECK: items.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.sem_set' op refuted (semaphore-end):
      choreo.sem_set %g_valid, valid
    }
  }
}

// rule 29, accepted: sender and receiver move on by the same local pages, whatever the trip.
// CHECK: items.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @positions_agree proved:
spatial.program @positions_agree(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 2] loops [i = 4, k = ? max 1000000] requires [fifo, semaphore] {
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
      choreo.push %b
    }
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
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
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
    choreo.wait %b
    choreo.write_tiles %b into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %b
  }
}

// rule 29, rejected: the sender alone moves on: right for even trips only.
spatial.program @positions_part(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 2] loops [i = 4, k = ? max 1000000] requires [fifo, semaphore] {
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
      choreo.push %b
    }
    choreo.reserve %b
    choreo.read_tiles %A[%c0, %c0] into %b
    choreo.read_barrier
    choreo.sem_wait %g_ready eq 1
    choreo.sem_set %g_ready, 0
    // CHECK: items.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.mcast_send' op refuted (ring-position):
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
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.wait %b
      choreo.write_tiles %b into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %b
    }
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

// rule 29, accepted: two pages a block bring the ring round.
// CHECK: items.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @positions_come_round proved:
spatial.program @positions_come_round(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 2] loops [i = 4, k = ? max 1000000] requires [fifo, semaphore] {
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
      choreo.push %b
      choreo.reserve %b
      choreo.read_tiles %A[%c0, %c0] into %b
      choreo.read_barrier
      choreo.push %b
    }
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
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.wait %b
      choreo.write_tiles %b into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %b
      choreo.wait %b
      choreo.write_tiles %b into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %b
    }
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

// rule 29, rejected: one page an item on the sender, two on the receiver: right for the first item
// only.
spatial.program @positions_of_items(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] loops [i = 4] requires [fifo, semaphore] {
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
    // CHECK: items.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.mcast_send' op refuted (ring-position):
    choreo.mcast_send %b to %g hold_path
    choreo.mcast_set_valid %g_valid to %g
    choreo.push %b
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
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
    choreo.wait %b
    choreo.write_tiles %b into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %b
    choreo.wait %b
    choreo.write_tiles %b into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %b
  }
}

// CHECK-NOT: {{warning|remark|error}}:
