// RUN: spatial-opt %s --verify-choreography="keep-going=true" 2>&1 | filecheck %s

// Totals may be right where a prefix is not.

// rule 5, accepted: a page is pushed before its answer is waited for.
// CHECK: prefix_balance.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @each_pass proved:
spatial.program @each_pass(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %t = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
      choreo.wait %t
      choreo.pop %t
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.reserve %t
      choreo.read_tiles %A[%c0, %c0] into %t
      choreo.read_barrier
      choreo.push %t
      choreo.pop %p
    }
  }
}

// rule 5, rejected: the push of pass 1 is missing and pass 2 has two; the totals are right.
spatial.program @doubled_later(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %t = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %p
    choreo.read_tiles %A[%c0, %c0] into %p
    choreo.read_barrier
    // CHECK: prefix_balance.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.wait' op refuted (deadlock):
    choreo.wait %t
    choreo.pop %t
    choreo.push %p
    choreo.reserve %p
    choreo.read_tiles %A[%c0, %c0] into %p
    choreo.read_barrier
    choreo.push %p
    choreo.wait %t
    choreo.pop %t
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.reserve %t
      choreo.read_tiles %A[%c0, %c0] into %t
      choreo.read_barrier
      choreo.push %t
      choreo.pop %p
    }
  }
}

// rule 5, rejected: two pages are filled one over the other before both are pushed.
spatial.program @filled_twice(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %p, 2
    choreo.read_tiles %A[%c0, %c0] into %p
    choreo.read_barrier
    choreo.read_tiles %A[%c0, %c0] into %p
    choreo.read_barrier
    choreo.push %p
    // CHECK: prefix_balance.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.push' op refuted (contents):
    choreo.push %p
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

// rule 5, accepted: three pages are waited for with one popped in between.
// CHECK: prefix_balance.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @three_of_four proved:
spatial.program @three_of_four(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
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
    choreo.wait %p, 3
    choreo.write_tiles %p into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %p
    choreo.wait %p, 3
    choreo.write_tiles %p into %C[%c0, %c0]
    choreo.write_barrier
    affine.for %i0 = 0 to 3 {
      choreo.pop %p
    }
  }
}

// rule 5, rejected: as many pages are popped as pushed, but a wait wants one more at once.
spatial.program @four_more(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
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
    choreo.wait %p, 3
    choreo.write_tiles %p into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %p
    // CHECK: prefix_balance.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.wait' op refuted (deadlock):
    choreo.wait %p, 4
    choreo.write_tiles %p into %C[%c0, %c0]
    choreo.write_barrier
    affine.for %i0 = 0 to 3 {
      choreo.pop %p
    }
  }
}

// rule 6, accepted: each wait is followed by its pop.
// CHECK: prefix_balance.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @wait_then_pop proved:
spatial.program @wait_then_pop(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
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
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.wait %p
    choreo.write_tiles %p into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %p
    choreo.wait %p
    choreo.write_tiles %p into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %p
  }
}

// rule 6, accepted: a page that is held may be waited for and used again.
// CHECK: prefix_balance.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @used_again proved:
spatial.program @used_again(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
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
    choreo.wait %p
    choreo.write_tiles %p into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %p
  }
}

// rule 6, rejected: the pop before the second wait is lost: one page is used twice, the other one
// stays.
spatial.program @lost_pop(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  // CHECK: prefix_balance.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'spatial.buffer' op refuted (leftover):
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.wait %p
    choreo.write_tiles %p into %C[%c0, %c0]
    choreo.write_barrier
    choreo.wait %p
    choreo.write_tiles %p into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %p
  }
}

// rule 7, accepted: an engine makes a page before it waits for it.
// CHECK: prefix_balance.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @made_first proved:
spatial.program @made_first()
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %c = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 2 {
      %acc0 = choreo.acquire 1xbf16
      choreo.reserve %c
      choreo.pack %acc0 into %c
      choreo.push %c
      choreo.release %acc0
      choreo.wait %c
      %acc1 = choreo.acquire 1xbf16
      choreo.dot %acc1, %c, %c
      choreo.release %acc1
      choreo.pop %c
    }
  }
}

// rule 7, rejected: an engine waits for a page that it makes after the loop.
spatial.program @made_too_late()
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 2 {
      // CHECK: prefix_balance.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.wait' op refuted (deadlock):
      choreo.wait %c
      %acc0 = choreo.acquire 1xbf16
      choreo.dot %acc0, %c, %c
      choreo.release %acc0
      choreo.pop %c
    }
    affine.for %i1 = 0 to 2 {
      %acc1 = choreo.acquire 1xbf16
      choreo.reserve %c
      choreo.pack %acc1 into %c
      choreo.push %c
      choreo.release %acc1
    }
  }
}

// rule 7, accepted: the same with the loops in the right order.
// CHECK: prefix_balance.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @made_in_time proved:
spatial.program @made_in_time()
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 2 {
      %acc0 = choreo.acquire 1xbf16
      choreo.reserve %c
      choreo.pack %acc0 into %c
      choreo.push %c
      choreo.release %acc0
    }
    affine.for %i1 = 0 to 2 {
      choreo.wait %c
      %acc1 = choreo.acquire 1xbf16
      choreo.dot %acc1, %c, %c
      choreo.release %acc1
      choreo.pop %c
    }
  }
}

// CHECK-NOT: {{warning|remark|error}}:
