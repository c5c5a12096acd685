// RUN: spatial-opt %s --split-input-file --verify-diagnostics | filecheck %s

// Not where the target wants rings to begin, and outside of what it has for them.
spatial.program @places(%X : memref<64x32xbf16>, %Y : memref<64x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [h = 2] {
  %x = spatial.buffer depth 2 address 103440 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 address 102400 : !spatial.buffer<1x1xbf16>
  %z = spatial.buffer depth 3 address 1495040 : !spatial.buffer<1x1xbf16>
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

// CHECK: error: 'spatial.buffer' op %x has address 103440, but rings of target 'wormhole' begin at multiples of 32 bytes
// CHECK-NEXT: hint: use 103424, or let size-buffers choose the address
// CHECK: error: 'spatial.buffer' op %x is in bytes 103440 to 107536, but %y is in 102400 to 106496, and both may hold pages at the same time
// CHECK-NEXT: hint: move one of them, or let size-buffers choose the addresses
// CHECK: error: 'spatial.buffer' op %y is in bytes 102400 to 106496, but target 'wormhole' has 103424 to 1499136 for buffers
// CHECK-NEXT: hint: let size-buffers choose the address, or make smaller or fewer pages
// CHECK: error: 'spatial.buffer' op %z is in bytes 1495040 to 1501184, but target 'wormhole' has 103424 to 1499136 for buffers
// CHECK-NEXT: hint: let size-buffers choose the address, or make smaller or fewer pages

// -----

// A ring that is filled by a load may hold a page at any time.
spatial.program @loaded(%X : memref<64x32xbf16>, %Y : memref<64x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [h = 2] {
  %x = spatial.buffer depth 2 address 131072 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 1 address 133120 : !spatial.buffer<1x1xbf16>
  %z = spatial.buffer depth 1 address 139264 : !spatial.buffer<1x1xbf16>
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

// CHECK: error: 'spatial.buffer' op %y is in bytes 133120 to 135168, but %x is in 131072 to 135168, and both may hold pages at the same time
// CHECK-NEXT: hint: move one of them, or let size-buffers choose the addresses

// -----

// %t and %v may share memory, but not %t and %u, nor %u and %v: the one is read while the other is
// filled. Nor may %u be where the partial sums of a block wait for the next.
spatial.program @computed(%X : memref<64x128xf32>, %Y : memref<64x32xf32>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  %t = spatial.buffer depth 1 address 131072 : !spatial.buffer<1x1xf32>
  %u = spatial.buffer depth 1 address 135136 : !spatial.buffer<1x1xf32>
  %v = spatial.buffer depth 1 address 131072 : !spatial.buffer<1x1xf32>
  %sum = spatial.buffer depth 2 address 137216 : !spatial.buffer<1x1xf32>
  %y = spatial.buffer depth 1 : !spatial.buffer<1x1xf32>
  spatial.load %X[0, k] into %x on move 0
  spatial.map () into %sum {
    %zero = arith.constant 0.0 : f32
    spatial.yield %zero : f32
  }
  spatial.map (%x) into %t {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map (%t) into %u {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map (%u) into %v {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map (%sum, %v) update %sum {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map (%sum) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[0, 0] on move 1
}

// CHECK: error: 'spatial.buffer' op %u is in bytes 135136 to 139232, but %t is in 131072 to 135168, and both may hold pages at the same time
// CHECK-NEXT: hint: move one of them, or let size-buffers choose the addresses
// CHECK: error: 'spatial.buffer' op %u is in bytes 135136 to 139232, but %v is in 131072 to 135168, and both may hold pages at the same time
// CHECK-NEXT: hint: move one of them, or let size-buffers choose the addresses
// CHECK: error: 'spatial.buffer' op %sum is in bytes 137216 to 145408, but %u is in 135136 to 139232, and both may hold pages at the same time
// CHECK-NEXT: hint: move one of them, or let size-buffers choose the addresses
