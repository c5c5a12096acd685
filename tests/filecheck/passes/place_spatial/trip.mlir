// RUN: spatial-opt %s --place-spatial="grid=6x4" --split-input-file | filecheck %s
// RUN: spatial-opt %s --place-spatial="grid=6x4" --split-input-file --synthesize-handshakes --verify-choreography 2>&1 >/dev/null | filecheck %s --check-prefix PROOF

// No site has a batch beyond the end, for which there would be no trip: of six rows of sites, eight
// batches take four.
spatial.program @ragged(%A : memref<8x512x1024xbf16>, %B : memref<8x1024x64xbf16>,
                        %Lengths : memref<8x1xi32>, %C : memref<8x512x64xbf16>)
    target #spatial.target<"wormhole"> loops [i = 32, k = ? max 8] {
  %a = spatial.buffer depth 2 : !spatial.buffer<4x4xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<4x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<4x2xbf16>
  spatial.trip k = %Lengths[i floordiv 4, 0]
  spatial.load %A[i floordiv 4, (i mod 4) * 4, k * 4] into %a
  spatial.load %B[i floordiv 4, k * 4, 0] into %b
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[i floordiv 4, (i mod 4) * 4, 0]
}

//      CHECK: spatial.program @ragged(%A: memref<8x512x1024xbf16>, %B: memref<8x1024x64xbf16>, %Lengths: memref<8x1xi32>, %C: memref<8x512x64xbf16>) target #spatial.target<"wormhole"> grid [6, 4] loops [i = 2, k = ? max 8] {
//      CHECK:   %b_row = spatial.group from [0:4, 0] to [0:4, 1:4] along x
// CHECK-NEXT:   spatial.trip k = %Lengths[i + y * 2, 0]
// CHECK-NEXT:   spatial.load %A[i + y * 2, x * 4, k * 4] into %a at [0:4, 0:4] on move 0
// CHECK-NEXT:   spatial.load %B[i + y * 2, k * 4, 0] into %b multicast %b_row at [0:4, 0] on move 1
// CHECK-NEXT:   spatial.recv %b_row into %b at [0:4, 1:4] on move 1
// CHECK-NEXT:   spatial.matmul %a, %b into %c at [0:4, 0:4]
// CHECK-NEXT:   spatial.store %c into %C[i + y * 2, x * 4, 0] at [0:4, 0:4] on move 1

//      PROOF: {{.*}}trip.mlir:6:1: remark: 'spatial.program' op @ragged proved: {{.*}}

// -----

// Pages that rows read alike are not sent along a column whose sites have different trips.
spatial.program @shared(%A : memref<4x32x256xbf16>, %B : memref<256x128xbf16>,
                        %Lengths : memref<4x1xi32>, %C : memref<4x32x128xbf16>)
    target #spatial.target<"wormhole"> loops [i = 16, k = ? max 8] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.trip k = %Lengths[i floordiv 4, 0]
  spatial.load %A[i floordiv 4, 0, k] into %a
  spatial.load %B[k, i mod 4] into %b
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[i floordiv 4, 0, i mod 4]
}

//      CHECK: spatial.program @shared(%A: memref<4x32x256xbf16>, %B: memref<256x128xbf16>, %Lengths: memref<4x1xi32>, %C: memref<4x32x128xbf16>) target #spatial.target<"wormhole"> grid [6, 4] loops [k = ? max 8] {
//      CHECK:   %a_row = spatial.group from [0:4, 0] to [0:4, 1:4] along x
// CHECK-NEXT:   spatial.trip k = %Lengths[y, 0]
// CHECK-NEXT:   spatial.load %A[y, 0, k] into %a multicast %a_row at [0:4, 0] on move 0
// CHECK-NEXT:   spatial.recv %a_row into %a at [0:4, 1:4] on move 0
// CHECK-NEXT:   spatial.load %B[k, x] into %b at [0:4, 0:4] on move 1
// CHECK-NEXT:   spatial.matmul %a, %b into %c at [0:4, 0:4]
// CHECK-NEXT:   spatial.store %c into %C[y, 0, x] at [0:4, 0:4] on move 1

// PROOF-NEXT: {{.*}}trip.mlir:33:1: remark: 'spatial.program' op @shared proved: {{.*}}
