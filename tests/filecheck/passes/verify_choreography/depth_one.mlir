// RUN: spatial-opt %s --verify-choreography="keep-going=true" 2>&1 | filecheck %s

// Rings of one page: proved, or rejected with the least depth.

// rule 30, accepted: a stream through one page.
// CHECK: depth_one.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @stream proved:
spatial.program @stream(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 1000 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 1000 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// rule 30, accepted: a chain of three engines through one page each.
// CHECK: depth_one.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @chain proved:
spatial.program @chain(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %q = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 1000 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 1000 {
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
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 1000 {
      choreo.wait %q
      choreo.write_tiles %q into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %q
    }
  }
}

// rule 30, accepted: the reader is one page ahead of what it tells, and there is room for two.
// CHECK: depth_one.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @ahead proved:
spatial.program @ahead(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %q = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %p
    choreo.read_tiles %A[%c0, %c0] into %p
    choreo.read_barrier
    choreo.push %p
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
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 3 {
      choreo.wait %p
      choreo.wait %q
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %q
      choreo.pop %p
    }
    choreo.wait %p
    choreo.write_tiles %p into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %p
  }
}

// rule 30, rejected: the same with room for one.
spatial.program @no_room_ahead(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %q = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %p
    choreo.read_tiles %A[%c0, %c0] into %p
    choreo.read_barrier
    choreo.push %p
    affine.for %i0 = 0 to 3 {
      // CHECK: depth_one.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.reserve' op refuted (deadlock):
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
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 3 {
      choreo.wait %p
      choreo.wait %q
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %q
      choreo.pop %p
    }
    choreo.wait %p
    choreo.write_tiles %p into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %p
  }
}

// rule 30, accepted: a multicast from one page, with a flush before it is read over.
// CHECK: depth_one.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @multicast proved:
spatial.program @multicast(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
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
      choreo.flush
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

// rule 30, rejected: the same without the flush.
spatial.program @multicast_no_flush(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 3 {
      choreo.reserve %b
      // CHECK: depth_one.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.read_tiles' op refuted (slot-race):
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

// CHECK-NOT: {{warning|remark|error}}:
