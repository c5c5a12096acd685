// RUN: spatial-opt %s --place-spatial="grid=2x2" | filecheck %s
// RUN: spatial-opt %s --place-spatial="grid=2x2" --synthesize-handshakes --verify-choreography 2>&1 >/dev/null | filecheck %s --check-prefix PROOF

// A fabric has no semaphores, so that every site reads for itself.
spatial.program @matmul(%A : memref<64x128xbf16>, %B : memref<128x64xbf16>, %C : memref<64x64xbf16>)
    target #spatial.target<"fabric"> loops [i = 4, k = 4] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %A[i floordiv 2, k] into %a
  spatial.load %B[k, i mod 2] into %b
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[i floordiv 2, i mod 2]
}

//      CHECK: spatial.program @matmul(%A: memref<64x128xbf16>, %B: memref<128x64xbf16>, %C: memref<64x64xbf16>) target #spatial.target<"fabric"> grid [2, 2] loops [k = 4] {
//      CHECK:   spatial.load %A[y, k] into %a on move 0
// CHECK-NEXT:   spatial.load %B[k, x] into %b on move 1
// CHECK-NEXT:   spatial.matmul %a, %b into %c
// CHECK-NEXT:   spatial.store %c into %C[y, x] on move 1

//      PROOF: {{.*}}fabric.mlir:5:1: remark: 'spatial.program' op @matmul proved: {{.*}}
