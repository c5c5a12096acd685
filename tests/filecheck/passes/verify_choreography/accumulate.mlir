// RUN: spatial-opt %s --verify-choreography="keep-going=true" 2>&1 | filecheck %s

// Partial sums: in an accumulator, in a page that is read back, in a page that is added to.

// rule 22, accepted: partial sums are pushed and waited for before they are read back.
// CHECK: accumulate.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @read_back proved:
spatial.program @read_back(%A : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 3 {
      choreo.reserve %a
      choreo.read_tiles %A[%c0, %c0] into %a
      choreo.read_barrier
      choreo.push %a
    }
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %a
    %acc0 = choreo.acquire 1xbf16
    choreo.matmul %acc0, %a, %a
    choreo.reserve %p
    choreo.pack %acc0 into %p
    choreo.push %p
    choreo.release %acc0
    choreo.pop %a
    affine.for %i0 = 0 to 2 {
      choreo.wait %a
      choreo.wait %p
      %acc1 = choreo.acquire 1xbf16
      choreo.matmul %acc1, %a, %a reload %p
      choreo.pop %p
      choreo.reserve %p
      choreo.pack %acc1 into %p
      choreo.push %p
      choreo.release %acc1
      choreo.pop %a
    }
    choreo.wait %p
    choreo.pop %p
  }
}

// rule 22, rejected: they are waited for before they are pushed.
spatial.program @waited_too_early(%A : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.reserve %a
      choreo.read_tiles %A[%c0, %c0] into %a
      choreo.read_barrier
      choreo.push %a
    }
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %a
    %acc0 = choreo.acquire 1xbf16
    choreo.matmul %acc0, %a, %a
    choreo.reserve %p
    choreo.pack %acc0 into %p
    choreo.release %acc0
    choreo.pop %a
    choreo.wait %a
    // CHECK: accumulate.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.wait' op refuted (deadlock):
    choreo.wait %p
    %acc1 = choreo.acquire 1xbf16
    choreo.matmul %acc1, %a, %a reload %p
    choreo.pop %p
    choreo.release %acc1
    choreo.pop %a
    choreo.push %p
  }
}

// rule 23, accepted: the first block packs, the others add.
// CHECK: accumulate.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @first_packs proved:
spatial.program @first_packs(%A : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 4 {
      choreo.reserve %a
      choreo.read_tiles %A[%c0, %c0] into %a
      choreo.read_barrier
      choreo.push %a
    }
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %a
    %acc0 = choreo.acquire 1xbf16
    choreo.matmul %acc0, %a, %a
    choreo.reserve %p
    choreo.pack %acc0 into %p
    choreo.push %p
    choreo.release %acc0
    choreo.wait %p
    choreo.pop %p
    choreo.pop %a
    affine.for %i0 = 0 to 3 {
      choreo.wait %a
      %acc1 = choreo.acquire 1xbf16
      choreo.matmul %acc1, %a, %a
      choreo.reserve %p
      choreo.pack %acc1 into %p accumulate
      choreo.push %p
      choreo.release %acc1
      choreo.wait %p
      choreo.pop %p
      choreo.pop %a
    }
  }
}

// rule 23, rejected: the first block adds to what is not there.
spatial.program @first_adds(%A : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 4 {
      choreo.reserve %a
      choreo.read_tiles %A[%c0, %c0] into %a
      choreo.read_barrier
      choreo.push %a
    }
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 4 {
      choreo.wait %a
      %acc = choreo.acquire 1xbf16
      choreo.matmul %acc, %a, %a
      choreo.reserve %p
      // CHECK: accumulate.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.pack' op refuted (contents):
      choreo.pack %acc into %p accumulate
      choreo.push %p
      choreo.release %acc
      choreo.wait %p
      choreo.pop %p
      choreo.pop %a
    }
  }
}

// rule 23, rejected: the first block reads back what is not there.
spatial.program @first_reads_back(%A : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 4 {
      choreo.reserve %a
      choreo.read_tiles %A[%c0, %c0] into %a
      choreo.read_barrier
      choreo.push %a
    }
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 4 {
      choreo.wait %a
      // CHECK: accumulate.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.wait' op refuted (deadlock):
      choreo.wait %p
      %acc = choreo.acquire 1xbf16
      choreo.matmul %acc, %a, %a reload %p
      choreo.pop %p
      choreo.reserve %p
      choreo.pack %acc into %p
      choreo.push %p
      choreo.release %acc
      choreo.pop %a
    }
    choreo.wait %p
    choreo.pop %p
  }
}

// rule 23, rejected: the second block adds to another page than the first has made.
spatial.program @adds_elsewhere(%A : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.reserve %a
      choreo.read_tiles %A[%c0, %c0] into %a
      choreo.read_barrier
      choreo.push %a
    }
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %a
    %acc0 = choreo.acquire 1xbf16
    choreo.matmul %acc0, %a, %a
    choreo.reserve %p
    choreo.pack %acc0 into %p
    choreo.push %p
    choreo.release %acc0
    choreo.wait %p
    choreo.pop %p
    choreo.pop %a
    choreo.wait %a
    %acc1 = choreo.acquire 1xbf16
    choreo.matmul %acc1, %a, %a
    choreo.reserve %p
    // CHECK: accumulate.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.pack' op refuted (contents):
    choreo.pack %acc1 into %p accumulate
    choreo.push %p
    choreo.release %acc1
    choreo.wait %p
    choreo.pop %p
    choreo.pop %a
  }
}

// rule 24, accepted: 8 tiles of 16 bit, and 4 of 32.
// CHECK: accumulate.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @all_tiles proved:
spatial.program @all_tiles()
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %c = spatial.buffer depth 1 : !spatial.buffer<2x4xbf16>
  %d = spatial.buffer depth 1 : !spatial.buffer<2x2xf32>
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    %acc0 = choreo.acquire 8xbf16
    choreo.reserve %c
    choreo.pack %acc0 into %c
    choreo.push %c
    choreo.release %acc0
    %acc1 = choreo.acquire 4xf32
    choreo.reserve %d
    choreo.pack %acc1 into %d
    choreo.push %d
    choreo.release %acc1
    choreo.wait %c
    choreo.pop %c
    choreo.wait %d
    choreo.pop %d
  }
}

// rule 48, accepted: an accumulator is packed twice before its release.
// CHECK: accumulate.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @packed_twice proved:
spatial.program @packed_twice(%C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    %acc = choreo.acquire 1xbf16
    affine.for %i0 = 0 to 2 {
      choreo.reserve %c
      choreo.pack %acc into %c
      choreo.push %c
    }
    choreo.release %acc
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 2 {
      choreo.wait %c
      choreo.write_tiles %c into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %c
    }
  }
}

// CHECK-NOT: {{warning|remark|error}}:
