// RUN: spatial-opt %s --place-spatial="grid=4x4" | filecheck %s
// RUN: spatial-opt %s --place-spatial="grid=4x4" --synthesize-handshakes --verify-choreography 2>&1 >/dev/null | filecheck %s --check-prefix PROOF

// Four products of 4 x 2 blocks: the batches go over rows of sites, the blocks of rows over columns,
// and a site does the two blocks of columns one after the other.
spatial.program @batch_matmul(%A : memref<4x256x128xbf16>, %B : memref<4x128x128xbf16>,
                              %C : memref<4x256x128xbf16>)
    target #spatial.target<"wormhole"> loops [i = 32, k = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x2xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<2x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<2x2xbf16>
  spatial.load %A[i floordiv 8, ((i floordiv 2) mod 4) * 2, k * 2] into %a
  spatial.load %B[i floordiv 8, k * 2, (i mod 2) * 2] into %b
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[i floordiv 8, ((i floordiv 2) mod 4) * 2, (i mod 2) * 2]
}

//      CHECK: spatial.program @batch_matmul(%A: memref<4x256x128xbf16>, %B: memref<4x128x128xbf16>, %C: memref<4x256x128xbf16>) target #spatial.target<"wormhole"> grid [4, 4] loops [i = 2, k = 2] {
//      CHECK:   %b_row = spatial.group from [0:4, 0] to [0:4, 1:4] along x
// CHECK-NEXT:   spatial.load %A[y, x * 2, k * 2] into %a on move 1
// CHECK-NEXT:   spatial.load %B[y, k * 2, i * 2] into %b multicast %b_row at [0:4, 0] on move 0
// CHECK-NEXT:   spatial.recv %b_row into %b at [0:4, 1:4] on move 0
// CHECK-NEXT:   spatial.matmul %a, %b into %c
// CHECK-NEXT:   spatial.store %c into %C[y, x * 2, i * 2] on move 1

//      PROOF: {{.*}}batch_matmul.mlir:6:1: remark: 'spatial.program' op @batch_matmul proved: {{.*}}
