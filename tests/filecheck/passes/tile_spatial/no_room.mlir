// RUN: not spatial-opt %s --tile-spatial --split-input-file 2>&1 >/dev/null | filecheck %s --match-full-lines

// A whole row of 12 tiles is reduced at once, but the accumulators hold 8.
spatial.program @accumulators(%X : memref<64x384xbf16>, %Y : memref<64x384xbf16>)
    target #spatial.target<"wormhole"> {
  %x = spatial.buffer : !spatial.buffer<2x12xbf16>
  %e = spatial.buffer : !spatial.buffer<2x12xbf16>
  %s = spatial.buffer : !spatial.buffer<2x1xf32>
  %y = spatial.buffer : !spatial.buffer<2x12xbf16>
  spatial.load %X[0, 0] into %x
  spatial.map @exp (%x) into %e {
  ^bb0(%a : f32):
    %b = math.exp %a : f32
    spatial.yield %b : f32
  }
  spatial.reduce @sum add cols %e into %s
  spatial.map @scale (%e, %s broadcast cols) into %y {
  ^bb0(%a : f32, %b : f32):
    %c = arith.divf %a, %b : f32
    spatial.yield %c : f32
  }
  spatial.store %y into %Y[0, 0]
}

//      CHECK: {{.*}}no_room.mlir:4:1: error: 'spatial.program' op no block of @accumulators fits the accumulators of target 'wormhole': 'spatial.map' op @exp makes pages of 1x12 tiles of %e, but they hold 8 of bf16
// CHECK-NEXT:   its columns stay whole: 'spatial.reduce' op @sum goes over the columns of %e in one page
// CHECK-NEXT:   hint: choose a target with more of them, or cut what stays whole by `k`

// -----

// One page of each is more than there is.
spatial.program @memory(%A : memref<128x128xbf16>, %B : memref<128x128xbf16>,
                        %C : memref<128x128xbf16>)
    target #spatial.target<"wormhole" {local_bytes = 8000, reserved_bytes = 3000}> {
  %a = spatial.buffer : !spatial.buffer<4x4xbf16>
  %b = spatial.buffer : !spatial.buffer<4x4xbf16>
  %c = spatial.buffer : !spatial.buffer<4x4xf32>
  %d = spatial.buffer : !spatial.buffer<4x4xbf16>
  spatial.load %A[0, 0] into %a
  spatial.load %B[0, 0] into %b
  spatial.matmul %a, %b into %c
  spatial.map @round (%c) into %d {
  ^bb0(%x : f32):
    spatial.yield %x : f32
  }
  spatial.store %d into %C[0, 0]
}

// CHECK-NEXT: {{.*}}no_room.mlir:32:1: error: 'spatial.program' op no block of @memory fits the local memory of target 'wormhole': the least needs 10240 bytes, but there are 5000
// CHECK-NEXT:   4096 bytes: %c, 1 page of 1x1 tiles of f32
// CHECK-NEXT:   2048 bytes: %a, 1 page of 1x1 tiles of bf16
// CHECK-NEXT:   2048 bytes: %b, 1 page of 1x1 tiles of bf16
// CHECK-NEXT:   2048 bytes: %d, 1 page of 1x1 tiles of bf16
// CHECK-NEXT:   hint: choose a target with more memory, or compute less in one program

// -----

// Each block of columns would store the sums again.
spatial.program @shared(%X : memref<32x512xbf16>, %S : memref<32x32xbf16>,
                        %Y : memref<32x512xbf16>, %Z : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> {
  %x = spatial.buffer : !spatial.buffer<1x16xbf16>
  %s = spatial.buffer : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer : !spatial.buffer<1x16xbf16>
  %z = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, 0] into %x
  spatial.load %S[0, 0] into %s
  spatial.map @scaled (%x, %s broadcast cols) into %y {
  ^bb0(%a : f32, %b : f32):
    %c = arith.mulf %a, %b : f32
    spatial.yield %c : f32
  }
  spatial.map @twice (%s, %s) into %z {
  ^bb0(%a : f32, %b : f32):
    %c = arith.addf %a, %b : f32
    spatial.yield %c : f32
  }
  spatial.store %y into %Y[0, 0]
  spatial.store %z into %Z[0, 0]
}

// CHECK-NEXT: {{.*}}no_room.mlir:59:1: error: 'spatial.program' op no block of @shared fits the accumulators of target 'wormhole': 'spatial.map' op @scaled makes pages of 1x16 tiles of %y, but they hold 8 of bf16
// CHECK-NEXT:   its columns stay whole: the columns of %x are no side of the pages that are stored to %Z, which every block would store again
// CHECK-NEXT:   hint: choose a target with more of them, or cut what stays whole by `k`

// -----

// A product of a product.
spatial.program @chained(%A : memref<512x512xbf16>, %B : memref<512x512xbf16>,
                         %C : memref<512x512xbf16>, %D : memref<512x512xbf16>)
    target #spatial.target<"reference"> {
  %a = spatial.buffer : !spatial.buffer<16x16xbf16>
  %b = spatial.buffer : !spatial.buffer<16x16xbf16>
  %c = spatial.buffer : !spatial.buffer<16x16xbf16>
  %ab = spatial.buffer : !spatial.buffer<16x16xbf16>
  %abc = spatial.buffer : !spatial.buffer<16x16xbf16>
  spatial.load %A[0, 0] into %a
  spatial.load %B[0, 0] into %b
  spatial.load %C[0, 0] into %c
  spatial.matmul @first %a, %b into %ab
  spatial.matmul @second %ab, %c into %abc
  spatial.store %abc into %D[0, 0]
}

// CHECK-NEXT: {{.*}}no_room.mlir:89:1: error: 'spatial.program' op no way to cut @chained can be scheduled: 'spatial.matmul' op reads %ab in every K block, but 'spatial.matmul' op @first makes it after the last one
// CHECK-NEXT:   hint: use `dot` for the first product, or a second program
