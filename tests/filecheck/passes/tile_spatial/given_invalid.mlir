// RUN: not spatial-opt %s --tile-spatial="m=3 n=5 k=7 sub=2x1" --split-input-file 2>&1 >/dev/null | filecheck %s --match-full-lines
// RUN: not spatial-opt %s --tile-spatial="m=16 n=16 sub=4x4" --split-input-file 2>&1 >/dev/null | filecheck %s --match-full-lines --check-prefix LARGE
// RUN: not spatial-opt %s --tile-spatial="m=16 n=16 k=16 spill=none" --split-input-file 2>&1 >/dev/null | filecheck %s --match-full-lines --check-prefix NONE
// RUN: not spatial-opt %s --tile-spatial="k=2" --split-input-file 2>&1 >/dev/null | filecheck %s --match-full-lines --check-prefix TWO

spatial.program @matmul(%A : memref<1024x1024xbf16>, %B : memref<1024x1024xbf16>,
                        %C : memref<1024x1024xbf16>)
    target #spatial.target<"wormhole"> {
  %a = spatial.buffer : !spatial.buffer<32x32xbf16>
  %b = spatial.buffer : !spatial.buffer<32x32xbf16>
  %c = spatial.buffer : !spatial.buffer<32x32xbf16>
  spatial.load %A[0, 0] into %a
  spatial.load %B[0, 0] into %b
  spatial.matmul @product %a, %b into %c
  spatial.store %c into %C[0, 0]
}

//      CHECK: {{.*}}given_invalid.mlir:6:1: error: 'spatial.program' op sub-blocks of 2x1 tiles divide no block of @matmul with m=3 n=5 k=7 sub=2x1
// CHECK-NEXT:   hint: give blocks that they divide, by m and n

//      LARGE: {{.*}}given_invalid.mlir:6:1: error: 'spatial.program' op no block of @matmul with m=16 n=16 sub=4x4 fits the accumulators of target 'wormhole': 'spatial.matmul' op @product makes pages of 4x4 tiles of %c, but they hold 8 of bf16
// LARGE-NEXT:   hint: give other values than m=16 n=16 sub=4x4, or leave them out

//      NONE: {{.*}}given_invalid.mlir:6:1: error: 'spatial.program' op no way to cut @matmul with m=16 n=16 k=16 spill=none can be scheduled: 'spatial.matmul' op keeps its sums in the accumulator over the K blocks, but makes 32 sub-blocks per item (loops {h, w})
// NONE-NEXT:   hint: spill the partial sums to a ring, or use one sub-block

// -----

// A factor that is computed need not be zero beyond the end.
spatial.program @made(%A : memref<1024x1024xbf16>, %B : memref<1024x1024xbf16>,
                      %C : memref<1024x1024xbf16>)
    target #spatial.target<"wormhole"> {
  %a = spatial.buffer : !spatial.buffer<32x32xbf16>
  %b = spatial.buffer : !spatial.buffer<32x32xbf16>
  %e = spatial.buffer : !spatial.buffer<32x32xbf16>
  %c = spatial.buffer : !spatial.buffer<32x32xbf16>
  spatial.load %A[0, 0] into %a
  spatial.load %B[0, 0] into %b
  spatial.map @exp (%b) into %e {
  ^bb0(%x : f32):
    %y = math.exp %x : f32
    spatial.yield %y : f32
  }
  spatial.matmul @product %a, %e into %c
  spatial.store %c into %C[0, 0]
}

// CHECK-NEXT: {{.*}}given_invalid.mlir:30:1: error: 'spatial.program' op is asked to cut 32 tiles into blocks by k=7, but it has to divide them: %e need not be zero beyond the end, so that 'spatial.matmul' op @product would count what lies there
// CHECK-NEXT:   hint: choose another k, or leave it out

// LARGE-NEXT: {{.*}}given_invalid.mlir:30:1: error: 'spatial.program' op no block of @made with m=16 n=16 sub=4x4 fits the accumulators of target 'wormhole': 'spatial.map' op @exp makes pages of 1x16 tiles of %e, but they hold 8 of bf16
// LARGE-NEXT:   hint: give other values than m=16 n=16 sub=4x4, or leave them out

// NONE-NEXT: {{.*}}given_invalid.mlir:30:1: error: 'spatial.program' op no block of @made with m=16 n=16 k=16 spill=none fits the accumulators of target 'wormhole': 'spatial.map' op @exp makes pages of 16x16 tiles of %e, but they hold 8 of bf16
// NONE-NEXT:   hint: give other values than m=16 n=16 k=16 spill=none, or leave them out

// -----

spatial.program @rows(%X : memref<64x128xbf16>, %Y : memref<64x32xbf16>)
    target #spatial.target<"wormhole"> {
  %x = spatial.buffer : !spatial.buffer<2x4xbf16>
  %y = spatial.buffer : !spatial.buffer<2x1xbf16>
  spatial.load %X[0, 0] into %x
  spatial.reduce @sum add cols %x into %y
  spatial.store %y into %Y[0, 0]
}

// -----

// Blocks of 6 and of 5 tiles, as many of both.
spatial.program @uneven(%A : memref<192x192xbf16>, %B : memref<160x192xbf16>,
                        %C : memref<32x32xf32>)
    target #spatial.target<"wormhole"> {
  %a = spatial.buffer : !spatial.buffer<6x1xbf16>
  %b = spatial.buffer : !spatial.buffer<5x1xbf16>
  %sum = spatial.buffer : !spatial.buffer<1x1xf32>
  %sa = spatial.buffer : !spatial.buffer<1x1xf32>
  %sb = spatial.buffer : !spatial.buffer<1x1xf32>
  %x = spatial.buffer : !spatial.buffer<6x1xbf16>
  %y = spatial.buffer : !spatial.buffer<5x1xbf16>
  %c = spatial.buffer : !spatial.buffer<1x1xf32>
  spatial.load %A[k * 6, 0] into %a
  spatial.load %B[k * 5, 0] into %b
  spatial.map () into %sum {
    %zero = arith.constant 0.0 : f32
    spatial.yield %zero : f32
  }
  spatial.map (%a) into %x {
  ^bb0(%p : f32):
    spatial.yield %p : f32
  }
  spatial.map (%b) into %y {
  ^bb0(%p : f32):
    spatial.yield %p : f32
  }
  spatial.reduce add rows %x into %sa
  spatial.reduce add rows %y into %sb
  spatial.map (%sum, %sa, %sb) update %sum {
  ^bb0(%p : f32, %q : f32, %r : f32):
    %s = arith.addf %p, %q : f32
    %t = arith.addf %s, %r : f32
    spatial.yield %t : f32
  }
  spatial.map (%sum) into %c {
  ^bb0(%p : f32):
    spatial.yield %p : f32
  }
  spatial.store %c into %C[0, 0]
}

//      TWO: {{.*}}given_invalid.mlir:71:1: error: 'spatial.program' op `k` cuts 6 and 5 tiles of @uneven, which cannot be as many blocks with k=2
// TWO-NEXT:   hint: give other values than k=2, or leave them out

// -----

spatial.program @trip(%A : memref<128x512xbf16>, %B : memref<512x128xbf16>, %L : memref<1x1xi32>,
                      %C : memref<128x128xbf16>)
    target #spatial.target<"wormhole"> template loops [k = ? max 16] {
  %a = spatial.buffer : !spatial.buffer<4x16xbf16>
  %b = spatial.buffer : !spatial.buffer<16x4xbf16>
  %c = spatial.buffer : !spatial.buffer<4x4xbf16>
  spatial.trip k = %L[0, 0]
  spatial.load %A[0, k * 16] into %a
  spatial.load %B[k * 16, 0] into %b
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, 0]
}

// CHECK-NEXT: {{.*}}given_invalid.mlir:116:1: error: 'spatial.program' op is asked to cut 16 tiles into blocks by k=7, but @trip reads their number from a tensor, which counts tiles
// CHECK-NEXT:   hint: choose another k, or leave it out

// LARGE-NEXT: {{.*}}given_invalid.mlir:116:1: error: 'spatial.program' op no block of @trip with m=16 n=16 sub=4x4 fits the accumulators of target 'wormhole': 'spatial.matmul' op makes pages of 4x4 tiles of %c, but they hold 8 of bf16
// LARGE-NEXT:   hint: give other values than m=16 n=16 sub=4x4, or leave them out

// NONE-NEXT: {{.*}}given_invalid.mlir:116:1: error: 'spatial.program' op no block of @trip with m=16 n=16 k=16 spill=none fits the accumulators of target 'wormhole': 'spatial.matmul' op makes pages of 4x4 tiles of %c, but they hold 8 of bf16
// NONE-NEXT:   hint: give other values than m=16 n=16 k=16 spill=none, or leave them out

// TWO-NEXT: {{.*}}given_invalid.mlir:116:1: error: 'spatial.program' op is asked to cut 16 tiles into blocks by k=2, but @trip reads their number from a tensor, which counts tiles
// TWO-NEXT:   hint: choose another k, or leave it out

// -----

// `w` goes over the columns after the blocks.
spatial.program @marked(%X : memref<32x256xbf16>, %Y : memref<32x256xbf16>)
    target #spatial.target<"wormhole"> template loops [i = 1] {
  %x = spatial.buffer : !spatial.buffer<1x8xbf16>
  spatial.load %X[0, w * 8] into %x
  spatial.store %x into %Y[0, w * 8]
}

// CHECK-NEXT: {{.*}}given_invalid.mlir:144:1: error: 'spatial.program' op is asked to cut 8 tiles into blocks by n=5, but `w` cuts them, which has no option
// CHECK-NEXT:   hint: choose another n, or leave it out

// -----

spatial.program @sums(%A : memref<128x128xbf16>, %B : memref<128x128xbf16>,
                      %C : memref<128x128xbf16>)
    target #spatial.target<"wormhole"> {
  %a = spatial.buffer : !spatial.buffer<4x4xbf16>
  %b = spatial.buffer : !spatial.buffer<4x4xbf16>
  %c = spatial.buffer : !spatial.buffer<4x4xf32>
  %s = spatial.buffer : !spatial.buffer<4x1xf32>
  %d = spatial.buffer : !spatial.buffer<4x4xbf16>
  spatial.load %A[0, 0] into %a
  spatial.load %B[0, 0] into %b
  spatial.matmul %a, %b into %c
  spatial.reduce @sum add cols %c into %s
  spatial.map @scaled (%c, %s broadcast cols) into %d {
  ^bb0(%x : f32, %y : f32):
    %z = arith.divf %x, %y : f32
    spatial.yield %z : f32
  }
  spatial.store %d into %C[0, 0]
}

// CHECK-NEXT: {{.*}}given_invalid.mlir:156:1: error: 'spatial.program' op is asked for sub-blocks of 1 of the 4 columns of %c, which cannot be cut: 'spatial.reduce' op @sum goes over the columns of %c in one page
// CHECK-NEXT:   hint: give sub-blocks all of them, or leave sub out

// LARGE-NEXT: {{.*}}given_invalid.mlir:156:1: error: 'spatial.program' op no block of @sums with m=16 n=16 sub=4x4 fits the accumulators of target 'wormhole': 'spatial.matmul' op makes pages of 4x4 tiles of %c, but they hold 4 of f32
// LARGE-NEXT:   its columns stay whole: 'spatial.reduce' op @sum goes over the columns of %c in one page
// LARGE-NEXT:   hint: give other values than m=16 n=16 sub=4x4, or leave them out
