// RUN: spatial-opt %s --size-buffers --split-input-file | filecheck %s
// RUN: spatial-opt %s --size-buffers="policy=minimal" --split-input-file | filecheck %s --check-prefix MINIMAL

// What one engine hands to another gets a second page, if more than one page goes by: of %bias
// there is only one. Partial sums need a page for each sub-block.
// CHECK-LABEL:   spatial.program @matmul(
// CHECK:           %a = spatial.buffer depth 2 address 103424 : !spatial.buffer<4x2xbf16>
// CHECK-NEXT:      %b = spatial.buffer depth 2 address 136192 : !spatial.buffer<2x4xbf16>
// CHECK-NEXT:      %bias = spatial.buffer depth 1 address 168960 : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:      %p = spatial.buffer depth 4 address 171008 : !spatial.buffer<2x2xbf16>
// CHECK-NEXT:      %d = spatial.buffer depth 2 address 203776 : !spatial.buffer<2x2xbf16>
// CHECK-NEXT:      %c = spatial.buffer depth 1 address 220160 : !spatial.buffer<2x2xbf16>
// MINIMAL-LABEL: spatial.program @matmul(
// MINIMAL:         %a = spatial.buffer depth 1 address 103424 : !spatial.buffer<4x2xbf16>
// MINIMAL-NEXT:    %b = spatial.buffer depth 1 address 119808 : !spatial.buffer<2x4xbf16>
// MINIMAL-NEXT:    %bias = spatial.buffer depth 1
// MINIMAL-NEXT:    %p = spatial.buffer depth 4
// MINIMAL-NEXT:    %d = spatial.buffer depth 1
// MINIMAL-NEXT:    %c = spatial.buffer depth 1
spatial.program @matmul(%A : memref<128x256xbf16>, %B : memref<256x128xbf16>,
                        %Bias : memref<32x32xbf16>, %D : memref<128x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4, h = 2, w = 2] {
  %a = spatial.buffer : !spatial.buffer<4x2xbf16>
  %b = spatial.buffer : !spatial.buffer<2x4xbf16>
  %bias = spatial.buffer : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer : !spatial.buffer<2x2xbf16>
  %d = spatial.buffer : !spatial.buffer<2x2xbf16>
  %c = spatial.buffer : !spatial.buffer<2x2xbf16>
  spatial.load %A[0, k * 2] into %a on move 0
  spatial.load %B[k * 2, 0] into %b on move 0
  spatial.load %Bias[0, 0] into %bias on move 1
  spatial.matmul %a, %b into %c spill %p
  spatial.map (%c, %bias broadcast scalar) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %D[h * 2, w * 2] on move 1
}

// -----

// In place, a result has as many pages as its partial sums, in the same memory.
// CHECK-LABEL:   spatial.program @in_place(
// CHECK:           %c = spatial.buffer depth 2 address 128000 : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:      %p = spatial.buffer depth 2 alias %c : !spatial.buffer<1x1xbf16>
// MINIMAL-LABEL: spatial.program @in_place(
// MINIMAL:         %c = spatial.buffer depth 2 address 115712 : !spatial.buffer<1x1xbf16>
// MINIMAL-NEXT:    %p = spatial.buffer depth 2 alias %c : !spatial.buffer<1x1xbf16>
spatial.program @in_place(%A : memref<64x128xbf16>, %B : memref<128x32xbf16>, %C : memref<64x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2, h = 2] {
  %a = spatial.buffer : !spatial.buffer<2x2xbf16>
  %b = spatial.buffer : !spatial.buffer<2x1xbf16>
  %c = spatial.buffer : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer alias %c : !spatial.buffer<1x1xbf16>
  spatial.load %A[0, k * 2] into %a on move 0
  spatial.load %B[k * 2, 0] into %b on move 1
  spatial.matmul %a, %b into %c spill %p
  spatial.store %c into %C[h, 0] on move 1
}

// -----

// A carry has a page more than it carries: the old one is read while the new one is made.
// CHECK-LABEL:   spatial.program @fold(
// CHECK:           %x = spatial.buffer depth 2 address
// CHECK-NEXT:      %g = spatial.buffer depth 2 address
// CHECK-NEXT:      %sum = spatial.buffer depth 3 address
// CHECK-NEXT:      %y = spatial.buffer depth 2 address
// MINIMAL-LABEL: spatial.program @fold(
// MINIMAL:         %x = spatial.buffer depth 1 address
// MINIMAL-NEXT:    %g = spatial.buffer depth 1 address
// MINIMAL-NEXT:    %sum = spatial.buffer depth 3 address
// MINIMAL-NEXT:    %y = spatial.buffer depth 1 address
spatial.program @fold(%X : memref<64x128xf32>, %G : memref<64x32xf32>, %Y : memref<64x32xf32>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4, h = 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xf32>
  %g = spatial.buffer : !spatial.buffer<1x1xf32>
  %sum = spatial.buffer : !spatial.buffer<1x1xf32>
  %y = spatial.buffer : !spatial.buffer<1x1xf32>
  spatial.load %X[h, k] into %x on move 0
  spatial.load %G[h, 0] into %g on move 1
  spatial.map (%g) into %sum {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map (%sum, %x) update %sum {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map (%sum) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[h, 0] on move 1
}

// -----

// With one page, the result of the second page would be made where the first still is. So rings
// that share memory can need more than any of them by itself.
// CHECK-LABEL:   spatial.program @shared(
// CHECK:           %x = spatial.buffer depth 2 address 0 : !spatial.buffer<1x1xf32>
// CHECK-NEXT:      %y = spatial.buffer depth 2 alias %x : !spatial.buffer<1x1xf32>
// MINIMAL-LABEL: spatial.program @shared(
// MINIMAL:         %x = spatial.buffer depth 2 address 0 : !spatial.buffer<1x1xf32>
spatial.program @shared(%X : memref<64x32xf32>, %Y : memref<64x32xf32>)
    target #spatial.target<"reference"> grid [1, 1] loops [h = 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xf32>
  %y = spatial.buffer alias %x : !spatial.buffer<1x1xf32>
  spatial.load %X[h, 0] into %x on move 0
  spatial.map (%x) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[h, 0] on move 1
}

// -----

// What is given stays: depths, addresses, and whole programs that are sized.
// CHECK-LABEL:   spatial.program @given(
// CHECK:           %x = spatial.buffer depth 5 address 103424 : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:      %y = spatial.buffer depth 2 address 200000 : !spatial.buffer<1x1xbf16>
// CHECK-LABEL:   spatial.program @sized(
// CHECK:           %x = spatial.buffer depth 7 address 204800 : !spatial.buffer<1x1xbf16>
// CHECK-LABEL:   spatial.program @scheduled(
// CHECK:           %x = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
// MINIMAL-LABEL: spatial.program @given(
// MINIMAL:         %x = spatial.buffer depth 5 address 103424 : !spatial.buffer<1x1xbf16>
// MINIMAL-NEXT:    %y = spatial.buffer depth 1 address 200000 : !spatial.buffer<1x1xbf16>
spatial.program @given(%X : memref<128x32xbf16>, %Y : memref<128x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [h = 4] {
  %x = spatial.buffer depth 5 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer address 200000 : !spatial.buffer<1x1xbf16>
  spatial.load %X[h, 0] into %x on move 0
  spatial.map (%x) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[h, 0] on move 1
}

spatial.program @sized(%X : memref<64x32xbf16>, %Y : memref<64x32xbf16>)
    target #spatial.target<"wormhole"> grid [2, 1] {
  %x = spatial.buffer depth 7 address 204800 : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, 0] into %x on move 0
  spatial.store %x into %Y[y, 0] on move 1
}

spatial.program @scheduled(%X : memref<32x32xbf16>, %Y : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %x = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @in on move 0 {
  ^bb0(%y : index, %x_0 : index):
    choreo.reserve %x
    choreo.read_tiles %X[%y, %x_0] into %x
    choreo.read_barrier
    choreo.push %x
  }
  choreo.engine @out on move 1 {
  ^bb0(%y : index, %x_0 : index):
    choreo.wait %x
    choreo.write_tiles %x into %Y[%y, %x_0]
    choreo.write_barrier
    choreo.pop %x
  }
}
