// RUN: spatial-opt %s --verify-choreography="keep-going=true" 2>&1 | filecheck %s

// Pages that are moved at once lie side by side: a request does not go around the end of the ring.

// rule 13, accepted: two pages at a time divide the ring.
// CHECK: wrap.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @divides proved:
spatial.program @divides(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
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
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 3 {
      choreo.wait %p, 2
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p, 2
    }
  }
}

// rule 13, rejected: two pages at a time of a ring of three.
spatial.program @goes_around(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
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
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 3 {
      choreo.wait %p, 2
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      // CHECK: wrap.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.pop' op refuted (wrap):
      choreo.pop %p, 2
    }
  }
}

// rule 13, accepted: two pages once, and then one.
// CHECK: wrap.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @never_wraps proved:
spatial.program @never_wraps(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 3 : !spatial.buffer<1x1xbf16>
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
    choreo.wait %p, 2
    choreo.write_tiles %p into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %p, 2
    choreo.wait %p
    choreo.write_tiles %p into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %p
  }
}

// rule 13, accepted: the same in each item, so that the ring comes round.
// CHECK: wrap.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @comes_round proved:
spatial.program @comes_round(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 3 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 12 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 4 {
      choreo.wait %p, 2
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p, 2
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// rule 13, rejected: two pages at a time after a single one.
spatial.program @odd_start(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 8 {
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
    affine.for %i0 = 0 to 3 {
      choreo.wait %p, 2
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      // CHECK: wrap.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.pop' op refuted (wrap):
      choreo.pop %p, 2
    }
    choreo.wait %p
    choreo.pop %p
  }
}

// CHECK-NOT: {{warning|remark|error}}:
