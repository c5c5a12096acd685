// RUN: spatial-opt %s --verify-choreography="budget=2000 keep-going=true" 2>&1 | filecheck %s
// RUN: spatial-opt %s --lower-affine --convert-scf-to-cf --verify-choreography="budget=2000 keep-going=true" 2>&1 | filecheck %s --check-prefix BLOCKS

// A proof that finds no period within its budget says so; it is no error.

// rule 49, undecided: pages pile up in a ring, so that no state comes back.
// CHECK: warning: {{.*}} undecided ({{budget|no-period}}):
// BLOCKS: warning: {{.*}} undecided ({{budget|no-period}}):
spatial.program @piles_up()
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 60000 : !spatial.buffer<1x1xui8>
  %q = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    affine.for %i = 0 to 60000 {
      %acc0 = choreo.acquire 1xi32
      choreo.reserve %p
      choreo.pack %acc0 into %p
      choreo.push %p
      choreo.release %acc0
    }
    %acc1 = choreo.acquire 1xbf16
    choreo.reserve %q
    choreo.pack %acc1 into %q
    choreo.push %q
    choreo.release %acc1
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    choreo.wait %q
    choreo.pop %q
    affine.for %i = 0 to 60000 {
      choreo.wait %p
      choreo.pop %p
    }
  }
}

// rule 49, undecided: reader and compute go by one trip in nests of which none is a period of the
// other.
// CHECK: warning: {{.*}} undecided ({{budget|no-period}}):
// BLOCKS: warning: {{.*}} undecided ({{budget|no-period}}):
spatial.program @other_nest(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 1000000] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i = %c0 to %n step %c1 {
      affine.for %j = 0 to 3 {
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
    affine.for %j = 0 to 3 {
      scf.for %i = %c0 to %n step %c1 {
        choreo.wait %p
        choreo.write_tiles %p into %C[%c0, %c0]
        choreo.write_barrier
        choreo.pop %p
      }
    }
  }
}

// rule 49, accepted: the same up to a trip that can be run.
// CHECK: budget.mlir:[[# @LINE + 2]]:1: remark: 'spatial.program' op @other_nest_small proved:
// BLOCKS: remark: 'spatial.program' op @other_nest_small proved:
spatial.program @other_nest_small(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 4] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i = %c0 to %n step %c1 {
      affine.for %j = 0 to 3 {
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
    affine.for %j = 0 to 3 {
      scf.for %i = %c0 to %n step %c1 {
        choreo.wait %p
        choreo.write_tiles %p into %C[%c0, %c0]
        choreo.write_barrier
        choreo.pop %p
      }
    }
  }
}

// rule 49, accepted: a long stream comes back to its state. In the form of blocks, where loops are
// not known for what they are, that is not seen.
// CHECK: budget.mlir:[[# @LINE + 2]]:1: remark: 'spatial.program' op @stream proved:
// BLOCKS: warning: {{.*}} undecided ({{budget|no-period}}):
spatial.program @stream(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i = 0 to 1000000 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i = 0 to 1000000 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// CHECK-NOT: {{warning|remark|error}}:
