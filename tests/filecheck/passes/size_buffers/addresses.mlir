// RUN: spatial-opt %s --size-buffers --split-input-file | filecheck %s
// RUN: spatial-opt %s --size-buffers --synthesize-handshakes --verify-choreography --split-input-file 2>&1 >/dev/null | filecheck %s --check-prefix PROOF

// Only the compute engine uses the rings from %max to %sum, one after the other: %max is done with
// before %sum is made, and has the same place. %e is read when %sum is.
// CHECK-LABEL: spatial.program @softmax(
// CHECK:         %s = spatial.buffer depth 2 address 103424 : !spatial.buffer<1x4xbf16>
// CHECK-NEXT:    %max = spatial.buffer depth 1 address 152576 : !spatial.buffer<1x1xf32>
// CHECK-NEXT:    %e = spatial.buffer depth 1 address 136192 : !spatial.buffer<1x4xf32>
// CHECK-NEXT:    %sum = spatial.buffer depth 1 address 152576 : !spatial.buffer<1x1xf32>
// CHECK-NEXT:    %p = spatial.buffer depth 2 address 119808 : !spatial.buffer<1x4xbf16>
// PROOF: remark: 'spatial.program' op @softmax proved
spatial.program @softmax(%S : memref<128x128xbf16>, %P : memref<128x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [h = 4] {
  %s = spatial.buffer : !spatial.buffer<1x4xbf16>
  %max = spatial.buffer : !spatial.buffer<1x1xf32>
  %e = spatial.buffer : !spatial.buffer<1x4xf32>
  %sum = spatial.buffer : !spatial.buffer<1x1xf32>
  %p = spatial.buffer : !spatial.buffer<1x4xbf16>
  spatial.load %S[h, 0] into %s on move 0
  spatial.reduce max cols %s into %max
  spatial.map (%s, %max broadcast cols) into %e {
  ^bb0(%score : f32, %largest : f32):
    %d = arith.subf %score, %largest : f32
    %weight = math.exp %d : f32
    spatial.yield %weight : f32
  }
  spatial.reduce add cols %e into %sum
  spatial.map (%e, %sum broadcast cols) into %p {
  ^bb0(%weight : f32, %total : f32):
    %result = arith.divf %weight, %total : f32
    spatial.yield %result : f32
  }
  spatial.store %p into %P[h, 0] on move 1
}

// -----

// Before, in and after the blocks: a carry holds pages all the while, %t only before, %u only in a
// block, %v only after. %z is made before and read after, over all blocks.
// CHECK-LABEL: spatial.program @parts(
// CHECK:         %t = spatial.buffer depth 1 address 20480 : !spatial.buffer<1x1xf32>
// CHECK-NEXT:    %sum = spatial.buffer depth 2 address 12288 : !spatial.buffer<1x1xf32>
// CHECK-NEXT:    %u = spatial.buffer depth 1 address 20480 : !spatial.buffer<1x1xf32>
// CHECK-NEXT:    %v = spatial.buffer depth 1 address 20480 : !spatial.buffer<1x1xf32>
// CHECK-NEXT:    %z = spatial.buffer depth 1 address 24576 : !spatial.buffer<1x1xf32>
// PROOF: remark: 'spatial.program' op @parts proved
spatial.program @parts(%X : memref<32x128xf32>, %Y : memref<32x32xf32>)
    target #spatial.target<"reference"> grid [1, 1] loops [k = 4] {
  %x = spatial.buffer : !spatial.buffer<1x1xf32>
  %y = spatial.buffer : !spatial.buffer<1x1xf32>
  %t = spatial.buffer : !spatial.buffer<1x1xf32>
  %sum = spatial.buffer : !spatial.buffer<1x1xf32>
  %u = spatial.buffer : !spatial.buffer<1x1xf32>
  %v = spatial.buffer : !spatial.buffer<1x1xf32>
  %z = spatial.buffer : !spatial.buffer<1x1xf32>
  spatial.load %X[0, k] into %x on move 0
  spatial.map () into %t {
    %zero = arith.constant 0.0 : f32
    spatial.yield %zero : f32
  }
  spatial.map (%t) into %z {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map (%t) into %sum {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map (%x) into %u {
  ^bb0(%0 : f32):
    %1 = arith.mulf %0, %0 : f32
    spatial.yield %1 : f32
  }
  spatial.map (%sum, %u) update %sum {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map (%sum) into %v {
  ^bb0(%0 : f32):
    %1 = math.rsqrt %0 : f32
    spatial.yield %1 : f32
  }
  spatial.map (%v, %z) into %y {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %y into %Y[0, 0] on move 1
}

// -----

// A dequantised factor is held to the end of a block, also the last one, in which the result is
// used up. What made the factor is done by then.
// CHECK-LABEL: spatial.program @factor(
// CHECK:         %wide = spatial.buffer depth 1 address [[WIDE:[0-9]+]] : !spatial.buffer<1x1xf32>
// CHECK-NEXT:    %b = spatial.buffer depth 1 address [[B:[0-9]+]] : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:    %c = spatial.buffer depth 1 address [[WIDE]] : !spatial.buffer<1x1xbf16>
// PROOF: remark: 'spatial.program' op @factor proved
spatial.program @factor(%A : memref<32x128xbf16>, %B : memref<128x32xi8>, %D : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %a = spatial.buffer : !spatial.buffer<1x1xbf16>
  %raw = spatial.buffer : !spatial.buffer<1x1xi8>
  %d = spatial.buffer : !spatial.buffer<1x1xbf16>
  %wide = spatial.buffer : !spatial.buffer<1x1xf32>
  %b = spatial.buffer : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %raw on move 0
  spatial.map (%raw) into %wide {
  ^bb0(%0 : i32):
    %1 = arith.sitofp %0 : i32 to f32
    spatial.yield %1 : f32
  }
  spatial.map (%wide) into %b {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.matmul %a, %b into %c spill %p
  spatial.map (%c) into %d {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %d into %D[0, 0] on move 1
}

// -----

// Rings begin where the target wants them to. A ring goes into the smallest gap that it fits.
// CHECK-LABEL: spatial.program @gaps(
// CHECK:         %x = spatial.buffer depth 1 address 7168 : !spatial.buffer<1x1xi8>
// CHECK-NEXT:    %y = spatial.buffer depth 1 address 1024 : !spatial.buffer<1x1xi8>
// CHECK-NEXT:    %t = spatial.buffer depth 1 address 6144 : !spatial.buffer<1x1xi8>
// CHECK-NEXT:    %u = spatial.buffer depth 1 address 8192 : !spatial.buffer<1x1xi8>
spatial.program @gaps(%X : memref<32x32xi8>, %Y : memref<32x32xi8>, %T : memref<32x32xi8>,
                      %U : memref<32x32xi8>)
    target #spatial.target<"reference" {alignment = 1024 : i64, reserved_bytes = 100 : i64}>
    grid [1, 1] {
  %x = spatial.buffer depth 1 : !spatial.buffer<1x1xi8>
  %y = spatial.buffer depth 1 address 1024 : !spatial.buffer<1x1xi8>
  %t = spatial.buffer depth 1 address 6144 : !spatial.buffer<1x1xi8>
  %u = spatial.buffer depth 1 address 8192 : !spatial.buffer<1x1xi8>
  spatial.load %X[0, 0] into %x on move 0
  spatial.store %x into %Y[0, 0] on move 1
  spatial.load %T[0, 0] into %y on move 0
  spatial.map (%y) into %t {
  ^bb0(%0 : i32):
    spatial.yield %0 : i32
  }
  spatial.map (%t) into %u {
  ^bb0(%0 : i32):
    spatial.yield %0 : i32
  }
  spatial.store %u into %U[0, 0] on move 1
}
