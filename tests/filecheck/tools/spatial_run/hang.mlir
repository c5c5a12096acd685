// RUN: not spatial-run %s 2>&1 | filecheck %s
// RUN: not spatial-run %s --json 2>%t | filecheck %s --check-prefix=JSON

// CHECK:      spatial-run: error: @starved hangs under the schedule round-robin:
// CHECK-NEXT: @in at [0:2, 0] waits at 20:7 (k = 2) for room for a page of %x: 2 of 2 pages full; the next pop is due from @out at 38:7
// CHECK-NEXT: @out at [0:2, 0] waits at 32:5 for a page of %y: 0 of 2 pages full; the next push is due from @in at 28:5
// CHECK-NEXT: cycle: @in at [0:2, 0] -> @out at [0:2, 0] -> @in at [0:2, 0]
// CHECK-NOT:  Traceback

// JSON: {"error": "@starved hangs under the schedule round-robin:\n@in at [0:2, 0] waits at 20:7

// Three pages do not fit before the one that the reader wants first.
spatial.program @starved(%X : memref<4x4xf32>, %Y : memref<4x4xf32>)
    target #spatial.target<"reference" {tile = [2, 4]}> grid [2, 1] loops [k = 1] requires [fifo] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  choreo.engine @in on move 0 {
  ^bb0(%r : index, %c : index):
    affine.for %k = 0 to 3 {
      choreo.reserve %x
      choreo.read_tiles %X[%r, %c] into %x
      choreo.read_barrier
      choreo.push %x
    }
    choreo.reserve %y
    choreo.read_tiles %X[%r, %c] into %y
    choreo.read_barrier
    choreo.push %y
  }
  choreo.engine @out on move 1 {
  ^bb0(%r : index, %c : index):
    choreo.wait %y
    choreo.write_tiles %y into %Y[%r, %c]
    choreo.write_barrier
    choreo.pop %y
    affine.for %k = 0 to 3 {
      choreo.wait %x
      choreo.pop %x
    }
  }
}
