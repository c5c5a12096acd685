// RUN: spatial-run %s | filecheck %s --check-prefix=EARLY
// RUN: not spatial-run %s --check 2>&1 | filecheck %s --check-prefix=MISSING
// RUN: not spatial-run %s --check --schedule adversarial --reference %S/Inputs/copy.mlir | filecheck %s

// The page is pushed before it has landed. If it lands at once nobody sees that.

// EARLY:      @copy on 1x1 sites, schedule round-robin
// EARLY-NEXT: Y: 2x4xf32, {{[^ ]+}} to {{[^ ]+$}}

// MISSING: spatial-run: error: @copy is scheduled already: --check needs its dataflow, --reference FILE

// CHECK:      @copy on 1x1 sites, schedule adversarial
// CHECK-NEXT: Y: 2x4xf32, nothing to nothing, 8 not a number
// CHECK-NEXT: Y: largest error inf at [0, 0]; largest relative error inf, above 4.77e-07, at [0, 0]: nan instead of
// CHECK-NEXT: check failed

spatial.program @copy(%X : memref<2x4xf32>, %Y : memref<2x4xf32>)
    target #spatial.target<"reference" {tile = [2, 4]}> grid [1, 1] loops [k = 1] requires [fifo] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  choreo.engine @in on move 0 {
  ^bb0(%y : index, %z : index):
    choreo.reserve %x
    choreo.read_tiles %X[%y, %z] into %x
    choreo.push %x
    choreo.read_barrier
  }
  choreo.engine @out on move 1 {
  ^bb0(%y : index, %z : index):
    choreo.wait %x
    choreo.write_tiles %x into %Y[%y, %z]
    choreo.write_barrier
    choreo.pop %x
  }
}
