// RUN: spatial-opt %s --verify-choreography="keep-going=true" 2>&1 | filecheck %s

// What fits into a ring, and when.

// rule 1, accepted: two pages and then the word that is waited for: the ring holds them.
// CHECK: capacity.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @fits proved:
spatial.program @fits(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %q = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
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
    affine.for %i0 = 0 to 2 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// rule 1, rejected: the same with one page less: the pop that frees it comes after the word.
spatial.program @does_not_fit(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %q = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      // CHECK: capacity.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.reserve' op refuted (deadlock):
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
    affine.for %i0 = 0 to 2 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// rule 1, accepted: compute holds one page of two while it waits for another ring, filled after the
// second.
// CHECK: capacity.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @room_for_one proved:
spatial.program @room_for_one(%A : memref<32x32xbf16>)
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
    choreo.reserve %p
    choreo.read_tiles %A[%c0, %c0] into %p
    choreo.read_barrier
    choreo.push %p
    choreo.reserve %q
    choreo.read_tiles %A[%c0, %c0] into %q
    choreo.read_barrier
    choreo.push %q
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %p
    choreo.wait %q
    %acc = choreo.acquire 1xbf16
    choreo.dot %acc, %p, %q
    choreo.release %acc
    choreo.pop %q
    choreo.pop %p
    choreo.wait %p
    choreo.pop %p
  }
}

// rule 1, rejected: the same, filled after the third.
spatial.program @holds_and_waits(%A : memref<32x32xbf16>)
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
    choreo.reserve %p
    choreo.read_tiles %A[%c0, %c0] into %p
    choreo.read_barrier
    choreo.push %p
    // CHECK: capacity.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.reserve' op refuted (deadlock):
    choreo.reserve %p
    choreo.read_tiles %A[%c0, %c0] into %p
    choreo.read_barrier
    choreo.push %p
    choreo.reserve %q
    choreo.read_tiles %A[%c0, %c0] into %q
    choreo.read_barrier
    choreo.push %q
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %p
    choreo.wait %q
    %acc = choreo.acquire 1xbf16
    choreo.dot %acc, %p, %q
    choreo.release %acc
    choreo.pop %q
    choreo.pop %p
    choreo.wait %p
    choreo.pop %p
    choreo.wait %p
    choreo.pop %p
  }
}

// rule 12, accepted: all 64 pages of a ring at once.
// CHECK: capacity.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @whole_ring proved:
spatial.program @whole_ring(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 64 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %p, 64
    affine.for %i0 = 0 to 64 {
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.wait %p, 64
    affine.for %i0 = 0 to 64 {
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// rule 12, rejected: each request fits into the ring, but not one beside the other.
spatial.program @not_both(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 5 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 4 {
      // CHECK: capacity.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.reserve' op refuted (deadlock):
      choreo.reserve %p, 3
      affine.for %i1 = 0 to 3 {
        choreo.read_tiles %A[%c0, %c0] into %p
        choreo.read_barrier
        choreo.push %p
      }
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 3 {
      choreo.wait %p, 4
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      affine.for %i1 = 0 to 4 {
        choreo.pop %p
      }
    }
  }
}

// rule 36, accepted: the same with the least depth, 6.
// CHECK: capacity.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @least_depth proved:
spatial.program @least_depth(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 6 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 4 {
      choreo.reserve %p, 3
      affine.for %i1 = 0 to 3 {
        choreo.read_tiles %A[%c0, %c0] into %p
        choreo.read_barrier
        choreo.push %p
      }
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 3 {
      choreo.wait %p, 4
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      affine.for %i1 = 0 to 4 {
        choreo.pop %p
      }
    }
  }
}

// rule 36, accepted: two pages a round and one that is held, depth 3.
// CHECK: capacity.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @floor proved:
spatial.program @floor(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 3 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 3 {
      choreo.reserve %p, 2
      affine.for %i1 = 0 to 2 {
        choreo.read_tiles %A[%c0, %c0] into %p
        choreo.read_barrier
        choreo.push %p
      }
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 5 {
      choreo.wait %p, 2
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
    choreo.pop %p
  }
}

// rule 36, rejected: the same below its least depth.
spatial.program @below_the_floor(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 3 {
      // CHECK: capacity.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.reserve' op refuted (deadlock):
      choreo.reserve %p, 2
      affine.for %i1 = 0 to 2 {
        choreo.read_tiles %A[%c0, %c0] into %p
        choreo.read_barrier
        choreo.push %p
      }
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 5 {
      choreo.wait %p, 2
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
    choreo.pop %p
  }
}

// rule 26, accepted: a window of three pages moves on by one.
// CHECK: capacity.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @window proved:
spatial.program @window(%A : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 3 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 6 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 4 {
      choreo.wait %p, 3
      %acc = choreo.acquire 1xbf16
      choreo.dot %acc, %p, %p
      choreo.release %acc
      choreo.pop %p
    }
    choreo.pop %p
    choreo.pop %p
  }
}

// rule 26, rejected: the window is taken in full again.
spatial.program @window_in_full(%A : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 3 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 6 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 4 {
      // CHECK: capacity.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.wait' op refuted (deadlock):
      choreo.wait %p, 3
      %acc = choreo.acquire 1xbf16
      choreo.dot %acc, %p, %p
      choreo.release %acc
      affine.for %i1 = 0 to 3 {
        choreo.pop %p
      }
    }
  }
}

// rule 35, accepted: two branches meet again, and the ring of the late one holds the skew.
// CHECK: capacity.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @skew_fits proved:
spatial.program @skew_fits(%A : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %early = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %late = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 4 {
      choreo.reserve %late
      choreo.read_tiles %A[%c0, %c0] into %late
      choreo.read_barrier
      choreo.push %late
      choreo.reserve %early
      choreo.read_tiles %A[%c0, %c0] into %early
      choreo.read_barrier
      choreo.push %early
    }
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 4 {
      choreo.wait %early
      %acc0 = choreo.acquire 1xbf16
      choreo.dot %acc0, %early, %early
      choreo.release %acc0
      choreo.pop %early
    }
    affine.for %i1 = 0 to 4 {
      choreo.wait %late
      %acc1 = choreo.acquire 1xbf16
      choreo.dot %acc1, %late, %late
      choreo.release %acc1
      choreo.pop %late
    }
  }
}

// rule 35, rejected: the same with one page less.
spatial.program @skew_too_large(%A : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %early = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %late = spatial.buffer depth 3 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 4 {
      // CHECK: capacity.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.reserve' op refuted (deadlock):
      choreo.reserve %late
      choreo.read_tiles %A[%c0, %c0] into %late
      choreo.read_barrier
      choreo.push %late
      choreo.reserve %early
      choreo.read_tiles %A[%c0, %c0] into %early
      choreo.read_barrier
      choreo.push %early
    }
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 4 {
      choreo.wait %early
      %acc0 = choreo.acquire 1xbf16
      choreo.dot %acc0, %early, %early
      choreo.release %acc0
      choreo.pop %early
    }
    affine.for %i1 = 0 to 4 {
      choreo.wait %late
      %acc1 = choreo.acquire 1xbf16
      choreo.dot %acc1, %late, %late
      choreo.release %acc1
      choreo.pop %late
    }
  }
}

// rule 33, accepted: a loop that was unrolled twice, with its reserves in place.
// CHECK: capacity.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @unrolled proved:
spatial.program @unrolled(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 3 {
      choreo.wait %p, 2
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
    choreo.pop %p
  }
}

// rule 33, rejected: the unrolling moved the second reserve to the first: two pages are in flight
// now.
spatial.program @hoisted(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      // CHECK: capacity.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.reserve' op refuted (deadlock):
      choreo.reserve %p, 2
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 3 {
      choreo.wait %p, 2
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
    choreo.pop %p
  }
}

// CHECK-NOT: {{warning|remark|error}}:
