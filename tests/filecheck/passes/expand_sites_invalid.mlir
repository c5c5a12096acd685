// RUN: not spatial-opt %s --expand-sites=limit=20 --split-input-file 2>&1 >/dev/null | filecheck %s --match-full-lines

// Counted, not made: nothing depends on how large the grid is.
spatial.program @large() target #spatial.target<"reference"> grid [1000000, 1000000] requires [fifo] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @fill on move 0 {
  ^bb0(%y : index, %c : index):
    choreo.reserve %x
    choreo.push %x
  }
  choreo.engine @empty on move 1 at [0, 0:3] {
  ^bb0(%y : index, %c : index):
    choreo.wait %x
    choreo.pop %x
  }
}

//      CHECK: {{.*}}expand_sites_invalid.mlir:4:1: error: 'spatial.program' op has 2 engine ops that run on 1000000000003 engines of its sites, but the limit is 20
// CHECK-NEXT:   hint: raise the limit: --expand-sites="limit=1000000000003"

// -----

spatial.program @unscheduled(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"reference"> grid [2, 2] loops [k = 1] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, x] into %x on move 0
  spatial.store %x into %Y[y, x] on move 1
}

// CHECK-NEXT: {{.*}}expand_sites_invalid.mlir:23:1: error: 'spatial.program' op is sized, but only the engines of a scheduled program can be expanded
// CHECK-NEXT:   hint: run synthesize-handshakes first
//  CHECK-NOT: {{.+}}
