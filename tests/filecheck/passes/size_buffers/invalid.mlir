// RUN: spatial-opt %s --size-buffers --split-input-file --verify-diagnostics | filecheck %s

spatial.program @template(%X : memref<32x32xbf16>, %Y : memref<32x32xbf16>) {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, 0] into %x
  spatial.store %x into %Y[0, 0]
}

// CHECK: error: 'spatial.program' op has whole matrices for pages: size-buffers expects a placed program, but this one is template
// CHECK-NEXT: hint: run tile-spatial and place-spatial first

// -----

spatial.program @tiled(%X : memref<64x32xbf16>, %Y : memref<64x32xbf16>)
    target #spatial.target<"wormhole"> loops [i = 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[i, 0] into %x
  spatial.store %x into %Y[i, 0]
}

// CHECK: error: 'spatial.program' op has no grid: size-buffers expects a placed program, but this one is tiled
// CHECK-NEXT: hint: write grid [rows, columns] or run place-spatial first

// -----

spatial.program @half_placed(%X : memref<32x32xbf16>, %Y : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, 0] into %x on move 0
  spatial.store %x into %Y[0, 0]
}

// CHECK: error: 'spatial.store' op has no engine: size-buffers expects a placed program, but this one is template
// CHECK-NEXT: hint: write `on move 0` or run place-spatial first

// -----

// Pages that are too large, whatever the depths: no proof is tried.
spatial.program @large(%X : memref<2048x1024xbf16>, %Y : memref<2048x1024xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] {
  %x = spatial.buffer : !spatial.buffer<32x32xbf16>
  %y = spatial.buffer : !spatial.buffer<32x32xbf16>
  spatial.load %X[0, 0] into %x on move 0
  spatial.store %x into %Y[0, 0] on move 1
  spatial.load %X[32, 0] into %y on move 0
  spatial.store %y into %Y[32, 0] on move 1
}

// CHECK: error: 'spatial.program' op one page of each ring takes 4194304 bytes of the local memory of a site of @large, but target 'wormhole' has 1395712 for buffers
// CHECK-NEXT: 2097152 bytes for %x: 1 x 2097152, least depth 1
// CHECK-NEXT: 2097152 bytes for %y: 1 x 2097152, least depth 1
// CHECK-NEXT: hint: make smaller pages: tile-spatial takes sizes as options

// -----

// Partial sums that are too many.
spatial.program @deep(%A : memref<512x64xbf16>, %B : memref<64x4096xbf16>, %C : memref<512x4096xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2, h = 8, w = 32] {
  %a = spatial.buffer : !spatial.buffer<16x1xbf16>
  %b = spatial.buffer : !spatial.buffer<1x128xbf16>
  %c = spatial.buffer : !spatial.buffer<2x4xbf16>
  %p = spatial.buffer : !spatial.buffer<2x4xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p
  spatial.store %c into %C[h * 2, w * 4] on move 1
}

// CHECK: error: 'spatial.program' op the rings take 4505600 bytes of the local memory of a site of @deep, but target 'wormhole' has 1395712 for buffers
// CHECK-NEXT: 4194304 bytes for %p: 256 x 16384, least depth 256
// CHECK-NEXT: 262144 bytes for %b: 1 x 262144, least depth 1
// CHECK-NEXT: 32768 bytes for %a: 1 x 32768, least depth 1
// CHECK-NEXT: 16384 bytes for %c: 1 x 16384, least depth 1
// CHECK-NEXT: hint: make smaller pages: tile-spatial takes sizes as options

// -----

// A depth that is given, and an alias.
spatial.program @given(%X : memref<64x32xbf16>, %Y : memref<64x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [h = 2] {
  %x = spatial.buffer depth 700 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer alias %x : !spatial.buffer<1x1xbf16>
  spatial.load %X[h, 0] into %x on move 0
  spatial.map (%x) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[h, 0] on move 1
}

// CHECK: error: 'spatial.program' op the rings take 1433600 bytes of the local memory of a site of @given, but target 'wormhole' has 1395712 for buffers
// CHECK-NEXT: 1433600 bytes for %x with %y: 700 x 2048, least depth 1
// CHECK-NEXT: with the least depths: 2048 bytes
// CHECK-NEXT: hint: leave out depths that are given, or give fewer pages

// -----

// A depth that is given and is too small, for a form.
spatial.program @small(%A : memref<64x64xbf16>, %B : memref<64x32xbf16>, %C : memref<64x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2, h = 2] {
  %a = spatial.buffer : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p
  spatial.store %c into %C[h, 0] on move 1
}

// CHECK: error: 'spatial.matmul' op needs at least 2 pages in %p, one per sub-block, but its depth is 1
// CHECK-NEXT: hint: give %p depth 2

// -----

// A depth that is given and is too small, for rings in the same memory.
spatial.program @race(%X : memref<64x32xf32>, %Y : memref<64x32xf32>)
    target #spatial.target<"reference"> grid [1, 1] loops [h = 2] {
  %x = spatial.buffer depth 1 : !spatial.buffer<1x1xf32>
  %y = spatial.buffer alias %x : !spatial.buffer<1x1xf32>
  spatial.load %X[h, 0] into %x on move 0
  spatial.map (%x) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[h, 0] on move 1
}

// CHECK: error: 'spatial.program' op @race is refuted (slot-race) however deep its rings are, with the given depths (%x 1): fills a page where page 0 of %y is, while @move1_0 at [0, 0] may still read it
// CHECK-NEXT: hint: look at rings that are an `alias`, and at depths that are given

// -----

// Something else that cannot be scheduled.
spatial.program @registers(%A : memref<64x64xbf16>, %B : memref<64x32xbf16>, %C : memref<64x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2, h = 2] {
  %a = spatial.buffer : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[h, 0] on move 1
}

// CHECK: error: 'spatial.matmul' op keeps its sums in the accumulator over the K blocks, but makes 2 sub-blocks per item (loops {h})
// CHECK-NEXT: hint: spill the partial sums to a ring, or use one sub-block
