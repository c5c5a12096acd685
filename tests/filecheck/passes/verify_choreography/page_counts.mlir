// RUN: spatial-opt %s --verify-choreography="keep-going=true" 2>&1 | filecheck %s

// How many pages are made and how many are taken, in every configuration.

// rule 10, accepted: reader and compute count 6 pages, in different nests.
// CHECK: page_counts.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @same_pages proved:
spatial.program @same_pages(%A : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      affine.for %i1 = 0 to 3 {
        choreo.reserve %p
        choreo.read_tiles %A[%c0, %c0] into %p
        choreo.read_barrier
        choreo.push %p
      }
    }
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 6 {
      choreo.wait %p
      %acc = choreo.acquire 1xbf16
      choreo.dot %acc, %p, %p
      choreo.release %acc
      choreo.pop %p
    }
  }
}

// rule 10, rejected: the reader makes 6 pages, and compute wants them once more.
spatial.program @more_wanted(%A : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      affine.for %i1 = 0 to 3 {
        choreo.reserve %p
        choreo.read_tiles %A[%c0, %c0] into %p
        choreo.read_barrier
        choreo.push %p
      }
    }
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 2 {
      affine.for %i1 = 0 to 2 {
        affine.for %i2 = 0 to 3 {
          // CHECK: page_counts.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.wait' op refuted (deadlock):
          choreo.wait %p
          %acc = choreo.acquire 1xbf16
          choreo.dot %acc, %p, %p
          choreo.release %acc
          choreo.pop %p
        }
      }
    }
  }
}

// rule 10, accepted: three pages a block on both sides, whatever the number of blocks is.
// CHECK: page_counts.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @same_trip proved:
spatial.program @same_trip(%A : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 1000000] requires [fifo] {
  %p = spatial.buffer depth 3 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      affine.for %i1 = 0 to 3 {
        choreo.reserve %p
        choreo.read_tiles %A[%c0, %c0] into %p
        choreo.read_barrier
        choreo.push %p
      }
    }
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
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

// rule 10, rejected: the reader makes one page a block, compute takes two.
spatial.program @twice_the_trip(%A : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 1000000] requires [fifo] {
  %p = spatial.buffer depth 3 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      affine.for %i1 = 0 to 2 {
        // CHECK: page_counts.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.wait' op refuted (deadlock):
        choreo.wait %p
        %acc = choreo.acquire 1xbf16
        choreo.dot %acc, %p, %p
        choreo.release %acc
        choreo.pop %p
      }
    }
  }
}

// rule 10, rejected: reader and compute go by trips of their own.
// CHECK: warning: '{{.*}}' op refuted ({{deadlock|leftover}}):
spatial.program @two_trips(%A : memref<32x32xbf16>, %n_count : index, %m_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 1000000] requires [fifo] {
  %p = spatial.buffer depth 3 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = choreo.trip %m_count
    scf.for %i0 = %c0 to %m step %c1 {
      choreo.wait %p
      %acc = choreo.acquire 1xbf16
      choreo.dot %acc, %p, %p
      choreo.release %acc
      choreo.pop %p
    }
  }
}

// rule 11, accepted: a page that is there or not is taken if it is there.
// CHECK: page_counts.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @optional proved:
spatial.program @optional(%A : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %bias = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.reserve %bias
      choreo.read_tiles %A[%c0, %c0] into %bias
      choreo.read_barrier
      choreo.push %bias
    }
    choreo.reserve %p
    choreo.read_tiles %A[%c0, %c0] into %p
    choreo.read_barrier
    choreo.push %p
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.wait %bias
      %acc0 = choreo.acquire 1xbf16
      choreo.dot %acc0, %bias, %bias
      choreo.release %acc0
      choreo.pop %bias
    }
    choreo.wait %p
    %acc1 = choreo.acquire 1xbf16
    choreo.dot %acc1, %p, %p
    choreo.release %acc1
    choreo.pop %p
  }
}

// rule 11, rejected: without the optional page compute waits for it all the same.
spatial.program @always_wanted(%A : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %bias = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.reserve %bias
      choreo.read_tiles %A[%c0, %c0] into %bias
      choreo.read_barrier
      choreo.push %bias
    }
    choreo.reserve %p
    choreo.read_tiles %A[%c0, %c0] into %p
    choreo.read_barrier
    choreo.push %p
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    // CHECK: page_counts.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.wait' op refuted (deadlock):
    choreo.wait %bias
    %acc0 = choreo.acquire 1xbf16
    choreo.dot %acc0, %bias, %bias
    choreo.release %acc0
    choreo.pop %bias
    choreo.wait %p
    %acc1 = choreo.acquire 1xbf16
    choreo.dot %acc1, %p, %p
    choreo.release %acc1
    choreo.pop %p
  }
}

// rule 11, accepted: both sides ask whether the optional page is there.
// CHECK: page_counts.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @asked proved:
spatial.program @asked(%A : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %bias = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.reserve %bias
      choreo.read_tiles %A[%c0, %c0] into %bias
      choreo.read_barrier
      choreo.push %bias
    }
    choreo.reserve %p
    choreo.read_tiles %A[%c0, %c0] into %p
    choreo.read_barrier
    choreo.push %p
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %n = choreo.trip %n_count
    %none = arith.cmpi eq, %n, %c0 : index
    scf.if %none {
    } else {
      choreo.wait %bias
      %acc0 = choreo.acquire 1xbf16
      choreo.dot %acc0, %bias, %bias
      choreo.release %acc0
      choreo.pop %bias
    }
    choreo.wait %p
    %acc1 = choreo.acquire 1xbf16
    choreo.dot %acc1, %p, %p
    choreo.release %acc1
    choreo.pop %p
  }
}

// rule 11, rejected: without the optional page another one is popped twice.
spatial.program @popped_twice(%A : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %bias = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.reserve %bias
      choreo.read_tiles %A[%c0, %c0] into %bias
      choreo.read_barrier
      choreo.push %bias
    }
    choreo.reserve %p
    choreo.read_tiles %A[%c0, %c0] into %p
    choreo.read_barrier
    choreo.push %p
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %n = choreo.trip %n_count
    %none = arith.cmpi eq, %n, %c0 : index
    choreo.wait %p
    %acc = choreo.acquire 1xbf16
    choreo.dot %acc, %p, %p
    choreo.release %acc
    choreo.pop %p
    scf.if %none {
      // CHECK: page_counts.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.wait' op refuted (deadlock):
      choreo.wait %p
      choreo.pop %p
    } else {
      choreo.wait %bias
      choreo.pop %bias
    }
  }
}

// rule 25, accepted: a page is held while the loop that does not index it runs.
// CHECK: page_counts.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @held proved:
spatial.program @held(%A : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %bias = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %bias
    choreo.read_tiles %A[%c0, %c0] into %bias
    choreo.read_barrier
    choreo.push %bias
    affine.for %i0 = 0 to 4 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %bias
    affine.for %i0 = 0 to 4 {
      choreo.wait %p
      %acc = choreo.acquire 1xbf16
      choreo.dot %acc, %p, %bias
      choreo.release %acc
      choreo.pop %p
    }
    choreo.pop %bias
  }
}

// rule 25, rejected: the pop of the held page is in the loop, its push before it.
spatial.program @popped_in_loop(%A : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %bias = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %bias
    choreo.read_tiles %A[%c0, %c0] into %bias
    choreo.read_barrier
    choreo.push %bias
    affine.for %i0 = 0 to 4 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 4 {
      // CHECK: page_counts.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.wait' op refuted (deadlock):
      choreo.wait %bias
      choreo.wait %p
      %acc = choreo.acquire 1xbf16
      choreo.dot %acc, %p, %bias
      choreo.release %acc
      choreo.pop %p
      choreo.pop %bias
    }
  }
}

// rule 25, rejected: the push of the held page is in the loop, its pop behind it.
spatial.program @pushed_in_loop(%A : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  // CHECK: page_counts.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'spatial.buffer' op refuted (leftover):
  %bias = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 4 {
      choreo.reserve %bias
      choreo.read_tiles %A[%c0, %c0] into %bias
      choreo.read_barrier
      choreo.push %bias
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %bias
    affine.for %i0 = 0 to 4 {
      choreo.wait %p
      %acc = choreo.acquire 1xbf16
      choreo.dot %acc, %p, %bias
      choreo.release %acc
      choreo.pop %p
    }
    choreo.pop %bias
  }
}

// rule 3, accepted: the sender of a multicast has a reader of its own.
// CHECK: page_counts.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @own_reader proved:
spatial.program @own_reader(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
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

// rule 3, rejected: nobody takes the pages of the sender on its own site: it hangs once its ring is
// full.
spatial.program @no_reader(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 3 {
      // CHECK: page_counts.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.reserve' op refuted (deadlock):
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
  choreo.engine @take1 on move 1 at [0, 1] {
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

// rule 3, rejected: the same with as many rounds as its ring has pages: they are left there.
spatial.program @left_at_sender(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  // CHECK: page_counts.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'spatial.buffer' op refuted (leftover):
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

// rule 44, accepted: all pages that are pushed are popped, several at once.
// CHECK: page_counts.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @all_popped proved:
spatial.program @all_popped(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
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
    affine.for %i0 = 0 to 2 {
      choreo.wait %p, 2
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p, 2
    }
  }
}

// rule 44, rejected: a page is left in the ring.
spatial.program @left_over(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  // CHECK: page_counts.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'spatial.buffer' op refuted (leftover):
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 3 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// rule 44, rejected: a page is left in the ring, whenever there are any.
spatial.program @left_over_at_run_time(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 1000000] requires [fifo] {
  // CHECK: page_counts.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'spatial.buffer' op refuted (leftover):
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      affine.for %i1 = 0 to 2 {
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
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.wait %p, 2
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// rule 44, rejected: a page is reserved and never pushed.
spatial.program @reserved_for_nothing(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  // CHECK: page_counts.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'spatial.buffer' op refuted (leftover):
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %p, 2
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

// rule 44, rejected: a page is waited for and never popped.
spatial.program @never_popped(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  // CHECK: page_counts.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'spatial.buffer' op refuted (leftover):
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
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
  }
}

// CHECK-NOT: {{warning|remark|error}}:
