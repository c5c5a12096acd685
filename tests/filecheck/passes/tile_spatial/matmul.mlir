// RUN: spatial-opt %s --tile-spatial="m=8 n=8 k=4" --split-input-file | filecheck %s
// RUN: spatial-opt %s --tile-spatial="m=8 n=8 k=4" --split-input-file --place-spatial="grid=2x2" --size-buffers --synthesize-handshakes --verify-choreography 2>&1 >/dev/null | filecheck %s --check-prefix PROOF

// An item is 8x8 tiles, of which the accumulators hold 8 at a time; the packer adds up the rest.
spatial.program @plain(%A : memref<2048x512xbf16>, %B : memref<512x2048xbf16>,
                       %C : memref<2048x2048xbf16>) target #spatial.target<"wormhole"> {
  %a = spatial.buffer : !spatial.buffer<64x16xbf16>
  %b = spatial.buffer : !spatial.buffer<16x64xbf16>
  %c = spatial.buffer : !spatial.buffer<64x64xbf16>
  spatial.load @load_a %A[0, 0] into %a
  spatial.load @load_b %B[0, 0] into %b
  spatial.matmul @product %a, %b into %c
  spatial.store @store_c %c into %C[0, 0]
}

//      CHECK: spatial.program @plain(%A: memref<2048x512xbf16>, %B: memref<512x2048xbf16>, %C: memref<2048x2048xbf16>) target #spatial.target<"wormhole"> loops [i = 64, k = 4, h = 4, w = 2] {
// CHECK-NEXT:   %a = spatial.buffer : !spatial.buffer<8x4xbf16>
// CHECK-NEXT:   %b = spatial.buffer : !spatial.buffer<4x8xbf16>
// CHECK-NEXT:   %c = spatial.buffer : !spatial.buffer<2x4xbf16>
// CHECK-NEXT:   %c_partial = spatial.buffer : !spatial.buffer<2x4xbf16>
// CHECK-NEXT:   spatial.load @load_a %A[(i floordiv 8) * 8, k * 4] into %a
// CHECK-NEXT:   spatial.load @load_b %B[k * 4, (i mod 8) * 8] into %b
// CHECK-NEXT:   spatial.matmul @product %a, %b into %c spill %c_partial by pack
// CHECK-NEXT:   spatial.store @store_c %c into %C[h * 2 + (i floordiv 8) * 8, w * 4 + (i mod 8) * 8]
// CHECK-NEXT: }

//      PROOF: {{.*}}matmul.mlir:5:1: remark: 'spatial.program' op @plain proved: {{.*}}

// -----

// What follows a product has pages of its sub-blocks.
spatial.program @fused(%A : memref<2048x512xbf16>, %B : memref<512x2048xbf16>,
                       %Bias : memref<1x2048xf32>, %R : memref<2048x2048xbf16>,
                       %Y : memref<2048x2048xbf16>) target #spatial.target<"blackhole"> {
  %a = spatial.buffer : !spatial.buffer<32x8xbf16>
  %b = spatial.buffer : !spatial.buffer<8x32xbf16>
  %c = spatial.buffer : !spatial.buffer<32x32xf32>
  %bias = spatial.buffer : !spatial.buffer<1x32xf32>
  %r = spatial.buffer : !spatial.buffer<32x32xbf16>
  %y = spatial.buffer : !spatial.buffer<32x32xbf16>
  spatial.load @load_a %A[0, 0] into %a
  spatial.load @load_b %B[0, 0] into %b
  spatial.matmul @product %a, %b into %c
  spatial.load @load_bias %Bias[0, 0] into %bias pad 0.0 : f32
  spatial.load @load_r %R[0, 0] into %r
  spatial.map @sum (%c, %bias broadcast rows, %r) into %y {
  ^bb0(%product : f32, %shift : f32, %rest : f32):
    %shifted = arith.addf %product, %shift : f32
    %all = arith.addf %shifted, %rest : f32
    spatial.yield %all : f32
  }
  spatial.store @store_y %y into %Y[0, 0]
}

//      CHECK: spatial.program @fused(%A: memref<2048x512xbf16>, %B: memref<512x2048xbf16>, %Bias: memref<1x2048xf32>, %R: memref<2048x2048xbf16>, %Y: memref<2048x2048xbf16>) target #spatial.target<"blackhole"> loops [i = 16, k = 2, h = 4, w = 4] {
// CHECK-NEXT:   %a = spatial.buffer : !spatial.buffer<8x4xbf16>
// CHECK-NEXT:   %b = spatial.buffer : !spatial.buffer<4x8xbf16>
// CHECK-NEXT:   %c = spatial.buffer : !spatial.buffer<2x2xf32>
// CHECK-NEXT:   %bias = spatial.buffer : !spatial.buffer<1x2xf32>
// CHECK-NEXT:   %r = spatial.buffer : !spatial.buffer<2x2xbf16>
// CHECK-NEXT:   %y = spatial.buffer : !spatial.buffer<2x2xbf16>
// CHECK-NEXT:   %c_partial = spatial.buffer : !spatial.buffer<2x2xf32>
// CHECK-NEXT:   spatial.load @load_a %A[(i floordiv 4) * 8, k * 4] into %a
// CHECK-NEXT:   spatial.load @load_b %B[k * 4, (i mod 4) * 8] into %b
// CHECK-NEXT:   spatial.matmul @product %a, %b into %c spill %c_partial
// CHECK-NEXT:   spatial.load @load_bias %Bias[0, w * 2 + (i mod 4) * 8] into %bias pad 0.000000e+00 : f32
// CHECK-NEXT:   spatial.load @load_r %R[h * 2 + (i floordiv 4) * 8, w * 2 + (i mod 4) * 8] into %r
// CHECK-NEXT:   spatial.map @sum (%c, %bias broadcast rows, %r) into %y {
// CHECK-NEXT:   ^bb0(%product: f32, %shift: f32, %rest: f32):
// CHECK-NEXT:     %shifted = arith.addf %product, %shift : f32
// CHECK-NEXT:     %all = arith.addf %shifted, %rest : f32
// CHECK-NEXT:     spatial.yield %all : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   spatial.store @store_y %y into %Y[h * 2 + (i floordiv 4) * 8, w * 2 + (i mod 4) * 8]
// CHECK-NEXT: }

// PROOF-NEXT: {{.*}}matmul.mlir:32:1: remark: 'spatial.program' op @fused proved: {{.*}}

// -----

// What makes a factor has pages of whole blocks, which the accumulators have to hold.
spatial.program @weights(%A : memref<256x512xbf16>, %B : memref<512x64xi8>,
                         %C : memref<256x64xf32>) target #spatial.target<"wormhole"> {
  %a = spatial.buffer : !spatial.buffer<8x16xbf16>
  %b8 = spatial.buffer : !spatial.buffer<16x2xi8>
  %b = spatial.buffer : !spatial.buffer<16x2xbf16>
  %c = spatial.buffer : !spatial.buffer<8x2xf32>
  spatial.load @load_a %A[0, 0] into %a
  spatial.load @load_b %B[0, 0] into %b8
  spatial.map @convert (%b8) into %b {
  ^bb0(%weight : i32):
    %float = arith.sitofp %weight : i32 to f32
    spatial.yield %float : f32
  }
  spatial.matmul @product %a, %b into %c
  spatial.store @store_c %c into %C[0, 0]
}

//      CHECK: spatial.program @weights(%A: memref<256x512xbf16>, %B: memref<512x64xi8>, %C: memref<256x64xf32>) target #spatial.target<"wormhole"> loops [k = 4, h = 4] {
// CHECK-NEXT:   %a = spatial.buffer : !spatial.buffer<8x4xbf16>
// CHECK-NEXT:   %b8 = spatial.buffer : !spatial.buffer<4x2xi8>
// CHECK-NEXT:   %b = spatial.buffer : !spatial.buffer<4x2xbf16>
// CHECK-NEXT:   %c = spatial.buffer : !spatial.buffer<2x2xf32>
// CHECK-NEXT:   %c_partial = spatial.buffer : !spatial.buffer<2x2xf32>
// CHECK-NEXT:   spatial.load @load_a %A[0, k * 4] into %a
// CHECK-NEXT:   spatial.load @load_b %B[k * 4, 0] into %b8
// CHECK-NEXT:   spatial.map @convert (%b8) into %b {
// CHECK-NEXT:   ^bb0(%weight: i32):
// CHECK-NEXT:     %float = arith.sitofp %weight : i32 to f32
// CHECK-NEXT:     spatial.yield %float : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   spatial.matmul @product %a, %b into %c spill %c_partial by pack
// CHECK-NEXT:   spatial.store @store_c %c into %C[h * 2, 0]
// CHECK-NEXT: }

// PROOF-NEXT: {{.*}}matmul.mlir:82:1: remark: 'spatial.program' op @weights proved: {{.*}}

// -----

// Both factors transposed; every block hangs over. No target: it is for Wormhole.
spatial.program @rest(%A : memref<333x500xbf16>, %B : memref<777x333xbf16>,
                      %C : memref<500x777xbf16>) {
  %a = spatial.buffer : !spatial.buffer<16x11xbf16>
  %b = spatial.buffer : !spatial.buffer<11x25xbf16>
  %c = spatial.buffer : !spatial.buffer<16x25xbf16>
  spatial.load @load_a %A[0, 0] into %a transpose pad 0.0 : bf16
  spatial.load @load_b %B[0, 0] into %b transpose pad 0.0 : bf16
  spatial.matmul @product %a, %b into %c
  spatial.store @store_c %c into %C[0, 0]
}

//      CHECK: spatial.program @rest(%A: memref<333x500xbf16>, %B: memref<777x333xbf16>, %C: memref<500x777xbf16>) target #spatial.target<"wormhole"> loops [i = 8, k = 3, h = 4, w = 2] {
// CHECK-NEXT:   %a = spatial.buffer : !spatial.buffer<8x4xbf16>
// CHECK-NEXT:   %b = spatial.buffer : !spatial.buffer<4x8xbf16>
// CHECK-NEXT:   %c = spatial.buffer : !spatial.buffer<2x4xbf16>
// CHECK-NEXT:   %c_partial = spatial.buffer : !spatial.buffer<2x4xbf16>
// CHECK-NEXT:   spatial.load @load_a %A[k * 4, (i floordiv 4) * 8] into %a transpose pad 0.000000e+00 : bf16
// CHECK-NEXT:   spatial.load @load_b %B[(i mod 4) * 8, k * 4] into %b transpose pad 0.000000e+00 : bf16
// CHECK-NEXT:   spatial.matmul @product %a, %b into %c spill %c_partial by pack
// CHECK-NEXT:   spatial.store @store_c %c into %C[h * 2 + (i floordiv 4) * 8, w * 4 + (i mod 4) * 8]
// CHECK-NEXT: }

// PROOF-NEXT: {{.*}}matmul.mlir:121:1: remark: 'spatial.program' op @rest proved: {{.*}}

// -----

// Two products over the same blocks, with eight heads that share matrices two by two.
spatial.program @batch(%A : memref<8x256x256xbf16>, %B : memref<4x256x256xbf16>,
                       %D : memref<256x2048xbf16>, %Y : memref<8x256x256xbf16>)
    target #spatial.target<"reference"> template loops [i = 8] {
  %a = spatial.buffer : !spatial.buffer<8x8xbf16>
  %b = spatial.buffer : !spatial.buffer<8x8xbf16>
  %d = spatial.buffer : !spatial.buffer<8x8xbf16>
  %ab = spatial.buffer : !spatial.buffer<8x8xbf16>
  %ad = spatial.buffer : !spatial.buffer<8x8xbf16>
  %y = spatial.buffer : !spatial.buffer<8x8xbf16>
  spatial.load @load_a %A[i, 0, 0] into %a
  spatial.load @load_b %B[i floordiv 2, 0, 0] into %b
  spatial.load @load_d %D[0, i * 8] into %d
  spatial.matmul @one %a, %b into %ab
  spatial.matmul @two %a, %d into %ad
  spatial.map @gate (%ab, %ad) into %y {
  ^bb0(%p : f32, %q : f32):
    %r = arith.mulf %p, %q : f32
    spatial.yield %r : f32
  }
  spatial.store @store_y %y into %Y[i, 0, 0]
}

//      CHECK: spatial.program @batch(%A: memref<8x256x256xbf16>, %B: memref<4x256x256xbf16>, %D: memref<256x2048xbf16>, %Y: memref<8x256x256xbf16>) target #spatial.target<"reference"> loops [i = 8, k = 2] {
// CHECK-NEXT:   %a = spatial.buffer : !spatial.buffer<8x4xbf16>
// CHECK-NEXT:   %b = spatial.buffer : !spatial.buffer<4x8xbf16>
// CHECK-NEXT:   %d = spatial.buffer : !spatial.buffer<4x8xbf16>
// CHECK-NEXT:   %ab = spatial.buffer : !spatial.buffer<8x8xbf16>
// CHECK-NEXT:   %ad = spatial.buffer : !spatial.buffer<8x8xbf16>
// CHECK-NEXT:   %y = spatial.buffer : !spatial.buffer<8x8xbf16>
// CHECK-NEXT:   %ab_partial = spatial.buffer : !spatial.buffer<8x8xbf16>
// CHECK-NEXT:   %ad_partial = spatial.buffer : !spatial.buffer<8x8xbf16>
// CHECK-NEXT:   spatial.load @load_a %A[i, 0, k * 4] into %a
// CHECK-NEXT:   spatial.load @load_b %B[i floordiv 2, k * 4, 0] into %b
// CHECK-NEXT:   spatial.load @load_d %D[k * 4, i * 8] into %d
// CHECK-NEXT:   spatial.matmul @one %a, %b into %ab spill %ab_partial
// CHECK-NEXT:   spatial.matmul @two %a, %d into %ad spill %ad_partial
// CHECK-NEXT:   spatial.map @gate (%ab, %ad) into %y {
// CHECK-NEXT:   ^bb0(%p: f32, %q: f32):
// CHECK-NEXT:     %r = arith.mulf %p, %q : f32
// CHECK-NEXT:     spatial.yield %r : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   spatial.store @store_y %y into %Y[i, 0, 0]
// CHECK-NEXT: }

// PROOF-NEXT: {{.*}}matmul.mlir:148:1: remark: 'spatial.program' op @batch proved: {{.*}}
