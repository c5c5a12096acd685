// RUN: spatial-opt %s --verify-choreography="keep-going=true" 2>&1 | filecheck %s

// Two rings in one memory.

// rule 47, accepted: the other ring is filled when the page has been used.
// CHECK: aliases.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @used_first proved:
spatial.program @used_first(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %q = spatial.buffer depth 1 alias %p : !spatial.buffer<1x1xbf16>
  %t = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %p
    choreo.read_tiles %A[%c0, %c0] into %p
    choreo.read_barrier
    choreo.push %p
    choreo.wait %p
    choreo.write_tiles %p into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %p
    choreo.reserve %t
    choreo.read_tiles %A[%c0, %c0] into %t
    choreo.read_barrier
    choreo.push %t
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.wait %t
    choreo.write_tiles %t into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %t
    choreo.reserve %q
    choreo.read_tiles %A[%c0, %c0] into %q
    choreo.read_barrier
    choreo.push %q
    choreo.wait %q
    choreo.write_tiles %q into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %q
  }
}

// rule 47, rejected: the other ring is filled while the page is in use.
// CHECK: warning: '{{.*}}' op refuted ({{slot-race|contents}}):
spatial.program @in_use(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %q = spatial.buffer depth 1 alias %p : !spatial.buffer<1x1xbf16>
  %t = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %p
    choreo.read_tiles %A[%c0, %c0] into %p
    choreo.read_barrier
    choreo.push %p
    choreo.reserve %t
    choreo.read_tiles %A[%c0, %c0] into %t
    choreo.read_barrier
    choreo.push %t
    choreo.wait %p
    choreo.write_tiles %p into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %p
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.wait %t
    choreo.write_tiles %t into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %t
    choreo.reserve %q
    choreo.read_tiles %A[%c0, %c0] into %q
    choreo.read_barrier
    choreo.push %q
    choreo.wait %q
    choreo.write_tiles %q into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %q
  }
}

// rule 47, rejected: the other ring is filled in order, but the page is wanted again.
spatial.program @filled_over(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %q = spatial.buffer depth 1 alias %p : !spatial.buffer<1x1xbf16>
  %t = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %p
    choreo.read_tiles %A[%c0, %c0] into %p
    choreo.read_barrier
    choreo.push %p
    choreo.reserve %q
    choreo.read_tiles %A[%c0, %c0] into %q
    choreo.read_barrier
    choreo.push %q
    choreo.reserve %t
    choreo.read_tiles %A[%c0, %c0] into %t
    choreo.read_barrier
    choreo.push %t
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.wait %t
    choreo.write_tiles %t into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %t
    choreo.wait %p
    // CHECK: aliases.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.write_tiles' op refuted (contents):
    choreo.write_tiles %p into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %p
    choreo.wait %q
    choreo.write_tiles %q into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %q
  }
}

// rule 47, accepted: the other ring's page lies beside the page that is live.
// CHECK: aliases.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @other_page proved:
spatial.program @other_page(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %q = spatial.buffer depth 2 alias %p : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %q
    choreo.read_tiles %A[%c0, %c0] into %q
    choreo.read_barrier
    choreo.push %q
    choreo.wait %q
    choreo.write_tiles %q into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %q
    choreo.reserve %p
    choreo.read_tiles %A[%c0, %c0] into %p
    choreo.read_barrier
    choreo.push %p
    choreo.wait %p
    choreo.write_tiles %p into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %p
  }
}

// rule 47, accepted: results are added up in the memory that they are stored from.
// CHECK: aliases.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @in_place proved:
spatial.program @in_place(%C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer depth 2 alias %p : !spatial.buffer<1x1xbf16>
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    choreo.reserve %c, 2
    affine.for %i0 = 0 to 2 {
      %acc0 = choreo.acquire 1xbf16
      choreo.reserve %p
      choreo.pack %acc0 into %p
      choreo.push %p
      choreo.release %acc0
    }
    affine.for %i1 = 0 to 2 {
      choreo.wait %p
      choreo.pop %p
    }
    affine.for %i2 = 0 to 2 {
      %acc1 = choreo.acquire 1xbf16
      choreo.pack %acc1 into %c accumulate
      choreo.push %c
      choreo.release %acc1
    }
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

// rule 47, rejected: the pages of the item before may still be stored when partial sums land in
// them.
spatial.program @not_reserved(%C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer depth 2 alias %p : !spatial.buffer<1x1xbf16>
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 2 {
      affine.for %i1 = 0 to 2 {
        %acc0 = choreo.acquire 1xbf16
        choreo.reserve %p
        // CHECK: aliases.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.pack' op refuted (slot-race):
        choreo.pack %acc0 into %p
        choreo.push %p
        choreo.release %acc0
      }
      affine.for %i2 = 0 to 2 {
        choreo.wait %p
        choreo.pop %p
      }
      affine.for %i3 = 0 to 2 {
        %acc1 = choreo.acquire 1xbf16
        choreo.reserve %c
        choreo.pack %acc1 into %c accumulate
        choreo.push %c
        choreo.release %acc1
      }
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i0 = 0 to 4 {
      choreo.wait %c
      choreo.write_tiles %c into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %c
    }
  }
}

// CHECK-NOT: {{warning|remark|error}}:
