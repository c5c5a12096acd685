// RUN: spatial-opt %s --verify-choreography="keep-going=true" 2>&1 | filecheck %s

// Counters that come round: what is in flight must be less than their modulus.

// rule 14, accepted: a counter that counts to 3 for a ring of 3 pages.
// CHECK: modulus.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @ring_counted proved:
spatial.program @ring_counted(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole" {max_pages_counter = 3}> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 3 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 9 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 9 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// rule 14, accepted: a million pages, of which two are in flight.
// CHECK: modulus.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @many_pages proved:
spatial.program @many_pages(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 1000000 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 1000000 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// rule 14, accepted: a semaphore that counts to 3, incremented to 3.
// CHECK: modulus.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @count_counted proved:
spatial.program @count_counted()
    target #spatial.target<"wormhole" {max_pages_counter = 3}> grid [1, 2] requires [semaphore] {
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    choreo.sem_wait %g_ready ge 3
    choreo.sem_set %g_ready, 0
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    choreo.sem_inc %g_ready at sender of %g
    choreo.sem_inc %g_ready at sender of %g, 2
  }
}

// rule 14, rejected: the same incremented to 4.
spatial.program @count_not_counted()
    target #spatial.target<"wormhole" {max_pages_counter = 3}> grid [1, 2] requires [semaphore] {
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    choreo.sem_wait %g_ready ge 4
    choreo.sem_set %g_ready, 0
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    choreo.sem_inc %g_ready at sender of %g, 2
    // CHECK: modulus.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.sem_inc' op refuted (modulus):
    choreo.sem_inc %g_ready at sender of %g, 2
  }
}

// rule 14, rejected: four receivers of one sender are more than it can count.
spatial.program @receivers_not_counted()
    target #spatial.target<"wormhole" {max_pages_counter = 3}> grid [1, 5] requires [semaphore] {
  %g = spatial.group from [0, 0] to [0, 1:5] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    choreo.sem_wait %g_ready eq 4
    choreo.sem_set %g_ready, 0
  }
  choreo.engine @recv on move 0 at [0, 1:5] {
  ^bb0(%y : index, %x : index):
    // CHECK: modulus.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.sem_inc' op refuted (modulus):
    choreo.sem_inc %g_ready at sender of %g
  }
}

// CHECK-NOT: {{warning|remark|error}}:
