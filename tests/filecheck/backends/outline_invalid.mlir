// RUN: not spatial-opt %s -t outline --split-input-file 2>&1 >/dev/null | filecheck %s --match-full-lines

spatial.program @unscheduled(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"reference"> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, x] into %x on move 0
  spatial.store %x into %Y[y, x] on move 1
}

//      CHECK: {{.*}}outline_invalid.mlir:3:1: error: 'spatial.program' op is placed, not scheduled: it has no engines to list
// CHECK-NEXT:   hint: run synthesize-handshakes first

// -----

builtin.module {
}

// CHECK-NEXT: {{.*}}outline_invalid.mlir:15:1: error: 'builtin.module' op has no scheduled program to list
// CHECK-NEXT:   hint: write a `spatial.program` and run synthesize-handshakes
//  CHECK-NOT: {{.+}}
