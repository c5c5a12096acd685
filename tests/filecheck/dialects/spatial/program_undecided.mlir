// RUN: spatial-opt %s --split-input-file 2>&1 >/dev/null | filecheck %s --match-full-lines

// What affine reasoning cannot decide and is too large to try out is a warning, not an error.

spatial.program @scatter(%I : memref<64x32xi32>, %X : memref<64x32xbf16>, %Y : memref<64x32xbf16>)
    target #spatial.target<"wormhole"> grid [2, 1] {
  %ix = spatial.buffer : !spatial.buffer<1x1xi32>
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %I[y, 0] into %ix on move 1
  spatial.load %X[y, 0] into %x on move 0
  spatial.store %x into %Y[ind, 0] via %ix on move 1
}

//      CHECK: {{.*}}program_undecided.mlir:11:3: warning: 'spatial.store' op could not decide whether two of its pages have a tile of %Y in common: an index page says where they go
// CHECK-NEXT:   hint: make sure that the indices differ

// -----

spatial.program @overlap(%X : memref<320000x320000xbf16>, %Y : memref<6400320000x32xbf16>)
    target #spatial.target<"wormhole"> grid [10000, 10000] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, x] into %x on move 0
  spatial.store %x into %Y[y * 3 + x * 20000, 0] on move 1
}

// CHECK-NEXT: {{.*}}program_undecided.mlir:23:3: warning: 'spatial.store' op could not decide whether two of its pages have a tile of %Y in common
// CHECK-NEXT:   hint: write the address so that each loop steps over all that the loops with smaller steps write

// -----

spatial.program @inside(%X : memref<320000x320000xbf16>, %Y : memref<320000x320000xbf16>)
    target #spatial.target<"wormhole"> grid [10000, 10000] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[(y * 3) mod 10001, x] into %x on move 0
  spatial.store %x into %Y[y, x] on move 1
}

// CHECK-NEXT: {{.*}}program_undecided.mlir:34:3: warning: 'spatial.load' op could not decide whether `(y * 3) mod 10001` stays inside %X: it lies between 0 and 10000, but dimension 0 has 10000 whole tiles
// CHECK-NEXT:   hint: write it without `mod`, `floordiv` and `ceildiv`, or check it yourself

// -----

spatial.program @two_stores(%X : memref<320000x64xbf16>, %Y : memref<1280000x64xbf16>)
    target #spatial.target<"wormhole"> grid [10000, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, x] into %x on move 0
  spatial.store %x into %Y[y * 4, 0] at [0:10000, 0] on move 1
  spatial.store %x into %Y[y * 2 + 1, 0] at [0:10000, 1] on move 1
}

// CHECK-NEXT: {{.*}}program_undecided.mlir:48:3: warning: 'spatial.store' op could not decide whether it writes a tile of %Y that 'spatial.store' op of %x writes too
// CHECK-NEXT:   hint: make sure that the two write different tiles
//  CHECK-NOT: {{.+}}
