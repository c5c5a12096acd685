// RUN: spatial-opt %s --place-spatial="grid=8x8" | filecheck %s
// RUN: spatial-opt %s --place-spatial="grid=8x8" --synthesize-handshakes --verify-choreography 2>&1 >/dev/null | filecheck %s --check-prefix PROOF
// RUN: spatial-opt %s --place-spatial="grid=8x8 multicast=false" | filecheck %s --check-prefix ALONE

// The block of rows goes over rows of sites, the block of columns over columns. What a row, or a
// column, of sites reads alike is read by the first of them.
spatial.program @matmul(%A : memref<2048x512xbf16>, %B : memref<512x2048xbf16>,
                        %C : memref<2048x2048xbf16>)
    target #spatial.target<"wormhole"> loops [i = 64, k = 4, h = 2, w = 4] {
  %a = spatial.buffer depth 2 : !spatial.buffer<8x4xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<4x8xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<4x2xbf16>
  %p = spatial.buffer depth 8 : !spatial.buffer<4x2xbf16>
  spatial.load @load_a %A[(i floordiv 8) * 8, k * 4] into %a
  spatial.load @load_b %B[k * 4, (i mod 8) * 8] into %b
  spatial.matmul @product %a, %b into %c spill %p by reload
  spatial.store @store_c %c into %C[(i floordiv 8) * 8 + h * 4, (i mod 8) * 8 + w * 2]
}

//      CHECK: spatial.program @matmul(%A: memref<2048x512xbf16>, %B: memref<512x2048xbf16>, %C: memref<2048x2048xbf16>) target #spatial.target<"wormhole"> grid [8, 8] loops [k = 4, h = 2, w = 4] {
//      CHECK:   %a_row = spatial.group from [0:8, 0] to [0:8, 1:8] along x
// CHECK-NEXT:   %b_column = spatial.group from [0, 0:8] to [1:8, 0:8] along y
// CHECK-NEXT:   spatial.load @load_a %A[y * 8, k * 4] into %a multicast %a_row at [0:8, 0] on move 0
// CHECK-NEXT:   spatial.recv @recv_a %a_row into %a at [0:8, 1:8] on move 0
// CHECK-NEXT:   spatial.load @load_b %B[k * 4, x * 8] into %b multicast %b_column at [0, 0:8] on move 1
// CHECK-NEXT:   spatial.recv @recv_b %b_column into %b at [1:8, 0:8] on move 1
// CHECK-NEXT:   spatial.matmul @product %a, %b into %c spill %p
// CHECK-NEXT:   spatial.store @store_c %c into %C[y * 8 + h * 4, x * 8 + w * 2] on move 1

//      PROOF: {{.*}}matmul.mlir:7:1: remark: 'spatial.program' op @matmul proved: {{.*}}

//      ALONE: spatial.program @matmul(%A: memref<2048x512xbf16>, %B: memref<512x2048xbf16>, %C: memref<2048x2048xbf16>) target #spatial.target<"wormhole"> grid [8, 8] loops [k = 4, h = 2, w = 4] {
//      ALONE:   spatial.load @load_a %A[y * 8, k * 4] into %a on move 0
// ALONE-NEXT:   spatial.load @load_b %B[k * 4, x * 8] into %b on move 1
// ALONE-NEXT:   spatial.matmul @product %a, %b into %c spill %p
// ALONE-NEXT:   spatial.store @store_c %c into %C[y * 8 + h * 4, x * 8 + w * 2] on move 1
