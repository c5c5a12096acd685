// RUN: spatial-opt %s --size-buffers="explain=true" --split-input-file 2>&1 >/dev/null | filecheck %s --match-full-lines

// There is room for all second pages.
spatial.program @roomy(%A : memref<64x256xbf16>, %B : memref<256x64xbf16>, %C : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %a = spatial.buffer : !spatial.buffer<2x2xbf16>
  %b = spatial.buffer : !spatial.buffer<2x2xbf16>
  %c = spatial.buffer : !spatial.buffer<2x2xbf16>
  spatial.load %A[0, k * 2] into %a on move 0
  spatial.load %B[k * 2, 0] into %b on move 1
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, 0] on move 1
}

// CHECK: {{.*}}room.mlir:{{.*}}: remark: 'spatial.program' op the rings of @roomy take 40960 of 1395712 bytes
// CHECK-NEXT:   %a: 2 x 8192 bytes at 103424, a second page hides up to 2864 cycles per item
// CHECK-NEXT:   %b: 2 x 8192 bytes at 119808, a second page hides up to 2864 cycles per item
// CHECK-NEXT:   %c: 1 x 8192 bytes at 136192, the least
// CHECK-NEXT:   5096 cycles predicted, 11160 with the least depths
// CHECK-NEXT:   2 proofs

// -----

// There is room for one of three: that of %scale hides most cycles per byte.
spatial.program @tight(%X : memref<128x128xbf16>, %S : memref<128x32xbf16>, %Y : memref<128x128xbf16>)
    target #spatial.target<"wormhole" {local_bytes = 131072 : i64, reserved_bytes = 106496 : i64}>
    grid [1, 1] loops [h = 4] {
  %x = spatial.buffer : !spatial.buffer<1x4xbf16>
  %scale = spatial.buffer : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer : !spatial.buffer<1x4xbf16>
  spatial.load %X[h, 0] into %x on move 0
  spatial.load %S[h, 0] into %scale on move 1
  spatial.map (%x, %scale broadcast cols) into %y {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.mulf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %y into %Y[h, 0] on move 1
}

// CHECK: {{.*}}room.mlir:{{.*}}: remark: 'spatial.program' op the rings of @tight take 20480 of 24576 bytes
// CHECK-NEXT:   %x: 1 x 8192 bytes at 106496, the least: a second page would hide up to 1664 cycles per item
// CHECK-NEXT:   %scale: 2 x 2048 bytes at 114688, a second page hides up to 1616 cycles per item
// CHECK-NEXT:   %y: 1 x 8192 bytes at 118784, the least: a second page would hide up to 1664 cycles per item
// CHECK-NEXT:   13536 cycles predicted, 13536 with the least depths
// CHECK-NEXT:   2 proofs

// -----

// What is given, and rings in the same memory.
spatial.program @given(%X : memref<64x32xf32>, %Y : memref<64x32xf32>)
    target #spatial.target<"reference"> grid [1, 1] loops [h = 2] {
  %x = spatial.buffer depth 3 : !spatial.buffer<1x1xf32>
  %y = spatial.buffer : !spatial.buffer<1x1xf32>
  %z = spatial.buffer alias %y : !spatial.buffer<1x1xf32>
  spatial.load %X[h, 0] into %x on move 0
  spatial.map (%x) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map (%y) into %z {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %z into %Y[h, 0] on move 1
}

// CHECK: {{.*}}room.mlir:{{.*}}: remark: 'spatial.program' op the rings of @given take 20480 of 1073741824 bytes
// CHECK-NEXT:   %x: 3 x 4096 bytes at 0, as given
// CHECK-NEXT:   %y with %z: 2 x 4096 bytes at 12288, the least
// CHECK-NEXT:   1160 cycles predicted, 1160 with the least depths
// CHECK-NEXT:   2 proofs
