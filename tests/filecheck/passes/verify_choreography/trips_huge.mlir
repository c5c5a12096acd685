// RUN: spatial-opt %s --verify-choreography="keep-going=true" 2>&1 | filecheck %s
// RUN: spatial-opt %s --lower-affine --verify-choreography="keep-going=true" 2>&1 | filecheck %s

// A million iterations cost no more than a few: what comes again is not run again.

// rule 49, accepted: a stream.
// CHECK: trips_huge.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @stream proved:
spatial.program @stream(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
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

// rule 50, rejected: all pages before the word.
spatial.program @message(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %q = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 1000000 {
      // CHECK: trips_huge.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.reserve' op refuted (deadlock):
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
    choreo.reserve %q
    choreo.read_tiles %A[%c0, %c0] into %q
    choreo.read_barrier
    choreo.push %q
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.wait %q
    choreo.write_tiles %q into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %q
    affine.for %i0 = 0 to 1000000 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// rule 49, rejected: one page is wanted that nobody makes.
spatial.program @wanted(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
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
    // CHECK: trips_huge.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.wait' op refuted (deadlock):
    choreo.wait %p
    choreo.write_tiles %p into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %p
  }
}

// rule 49, rejected: one page is left.
spatial.program @left(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  // CHECK: trips_huge.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'spatial.buffer' op refuted (leftover):
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 1000000 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
    choreo.reserve %p
    choreo.read_tiles %A[%c0, %c0] into %p
    choreo.read_barrier
    choreo.push %p
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

// rule 49, accepted: loops in other nests, a million pages each.
// CHECK: trips_huge.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @nests proved:
spatial.program @nests(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 1000 {
      affine.for %i1 = 0 to 1000 {
        choreo.reserve %p
        choreo.read_tiles %A[%c0, %c0] into %p
        choreo.read_barrier
        choreo.push %p
      }
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 500 {
      affine.for %i1 = 0 to 2000 {
        choreo.wait %p
        choreo.write_tiles %p into %C[%c0, %c0]
        choreo.write_barrier
        choreo.pop %p
      }
    }
  }
}

// rule 49, rejected: the same with one page less wanted in each of the outer iterations.
// CHECK: warning: '{{.*}}' op refuted ({{deadlock|leftover}}):
spatial.program @leak(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 1000 {
      affine.for %i1 = 0 to 1000 {
        choreo.reserve %p
        choreo.read_tiles %A[%c0, %c0] into %p
        choreo.read_barrier
        choreo.push %p
      }
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 1000 {
      affine.for %i1 = 0 to 999 {
        choreo.wait %p
        choreo.write_tiles %p into %C[%c0, %c0]
        choreo.write_barrier
        choreo.pop %p
      }
    }
  }
}

// rule 49, accepted: a million rounds of a multicast.
// CHECK: trips_huge.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @multicast proved:
spatial.program @multicast(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 1000000 {
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
    affine.for %i0 = 0 to 1000000 {
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
    affine.for %i0 = 0 to 1000000 {
      choreo.wait %b
      choreo.write_tiles %b into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %b
    }
  }
}

// rule 49, rejected: one round more at the sender.
spatial.program @multicast_more(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 1000000 {
      choreo.reserve %b
      choreo.read_tiles %A[%c0, %c0] into %b
      choreo.read_barrier
      choreo.sem_wait %g_ready eq 1
      choreo.sem_set %g_ready, 0
      choreo.mcast_send %b to %g hold_path
      choreo.mcast_set_valid %g_valid to %g
      choreo.push %b
    }
    choreo.reserve %b
    choreo.read_tiles %A[%c0, %c0] into %b
    choreo.read_barrier
    // CHECK: trips_huge.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.sem_wait' op refuted (deadlock):
    choreo.sem_wait %g_ready eq 1
    choreo.sem_set %g_ready, 0
    choreo.mcast_send %b to %g hold_path
    choreo.mcast_set_valid %g_valid to %g
    choreo.push %b
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 1000000 {
      choreo.reserve %b
      choreo.sem_set %g_valid, invalid
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_wait %g_valid eq valid
      choreo.push %b
    }
  }
  choreo.engine @take0 on move 1 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 1000000 {
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
    affine.for %i0 = 0 to 1000000 {
      choreo.wait %b
      choreo.write_tiles %b into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %b
    }
  }
}

// CHECK-NOT: {{warning|remark|error}}:
