// RUN: spatial-opt %s --verify-choreography="keep-going=true" 2>&1 | filecheck %s

// What the proof does not judge, and says so.

// sources, undecided: one of two increments is waited for, and either will do.
spatial.program @either()
    target #spatial.target<"wormhole"> grid [1, 3] requires [semaphore] {
  %g = spatial.group from [0, 0] to [0, 1:3] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    // CHECK: undecided.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.sem_wait' op undecided (sources):
    choreo.sem_wait %g_ready ge 1
    choreo.sem_wait %g_ready ge 2
    choreo.sem_set %g_ready, 0
  }
  choreo.engine @recv on move 0 at [0, 1:3] {
  ^bb0(%y : index, %x : index):
    choreo.sem_inc %g_ready at sender of %g
  }
}

// tensor-both-ways, undecided: a tensor is read and written.
spatial.program @both_ways(%A : memref<32x32xbf16>)
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
    // CHECK: undecided.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.write_tiles' op undecided (tensor-both-ways):
    choreo.write_tiles %p into %A[%c0, %c0]
    choreo.write_barrier
    choreo.pop %p
  }
}

// coordinate-bounds, undecided: a loop goes to a coordinate.
spatial.program @by_column(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo] {
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // CHECK: undecided.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'scf.for' op undecided (coordinate-bounds):
    scf.for %i = %c0 to %x step %c1 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %x step %c1 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// trip-varies, undecided: sender and receiver read the trip at different places.
spatial.program @by_site(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>, %lens : memref<2xi32>)
    target #spatial.target<"wormhole"> grid [1, 2] loops [k = ? max 4] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // CHECK: undecided.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.trip' op undecided (trip-varies):
    %n = choreo.trip %lens[%x]
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
    %n = choreo.trip %lens[%x]
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
    %n = choreo.trip %lens[%x]
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.wait %b
      choreo.write_tiles %b into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %b
    }
  }
}

// trip-varies, accepted: the trip depends on the row, and the group goes along the row.
// CHECK: undecided.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @by_row proved:
spatial.program @by_row(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>, %lens : memref<2xi32>)
    target #spatial.target<"wormhole"> grid [2, 2] loops [k = ? max 4] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0:2, 0] to [0:2, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0:2, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %lens[%y]
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
  choreo.engine @recv on move 0 at [0:2, 1] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %lens[%y]
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.reserve %b
      choreo.sem_set %g_valid, invalid
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_wait %g_valid eq valid
      choreo.push %b
    }
  }
  choreo.engine @take on move 1 at [0:2, 0:2] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %lens[%y]
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.wait %b
      choreo.write_tiles %b into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %b
    }
  }
}

// CHECK-NOT: {{warning|remark|error}}:
