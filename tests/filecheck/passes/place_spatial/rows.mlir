// RUN: spatial-opt %s --place-spatial="grid=8x4" --split-input-file | filecheck %s
// RUN: spatial-opt %s --place-spatial="grid=1x4" --split-input-file | filecheck %s --check-prefix LINE
// RUN: spatial-opt %s --place-spatial="grid=1x1" --split-input-file | filecheck %s --check-prefix ONE

// One digit goes over rows and columns of sites. The one row of factors, which all sites take, is
// read once.
spatial.program @scale(%X : memref<8192x128xbf16>, %Factors : memref<32x128xbf16>,
                       %Y : memref<8192x128xbf16>)
    target #spatial.target<"wormhole"> loops [i = 256] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x4xbf16>
  %f = spatial.buffer depth 2 : !spatial.buffer<1x4xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x4xbf16>
  spatial.load %X[i, 0] into %x
  spatial.load %Factors[0, 0] into %f
  spatial.map @scale (%x, %f broadcast rows) into %y {
  ^bb0(%value : f32, %factor : f32):
    %result = arith.mulf %value, %factor : f32
    spatial.yield %result : f32
  }
  spatial.store %y into %Y[i, 0]
}

//      CHECK: spatial.program @scale(%X: memref<8192x128xbf16>, %Factors: memref<32x128xbf16>, %Y: memref<8192x128xbf16>) target #spatial.target<"wormhole"> grid [8, 4] loops [i = 8] {
//      CHECK:   %f_sites = spatial.group from [0, 0] to [0:8, 0:4] along yx
// CHECK-NEXT:   spatial.load %X[i + y * 32 + x * 8, 0] into %x on move 1
// CHECK-NEXT:   spatial.load %Factors[0, 0] into %f multicast %f_sites at [0, 0] on move 0
// CHECK-NEXT:   spatial.recv %f_sites into %f at [0, 1:4] + [1:8, 0:4] on move 0
// CHECK-NEXT:   spatial.map @scale (%x, %f broadcast rows) into %y {
//      CHECK:   spatial.store %y into %Y[i + y * 32 + x * 8, 0] on move 1

//      LINE: spatial.program @scale(%X: memref<8192x128xbf16>, %Factors: memref<32x128xbf16>, %Y: memref<8192x128xbf16>) target #spatial.target<"wormhole"> grid [1, 4] loops [i = 64] {
//      LINE:   %f_row = spatial.group from [0, 0] to [0, 1:4] along x
// LINE-NEXT:   spatial.load %X[i + x * 64, 0] into %x on move 1
// LINE-NEXT:   spatial.load %Factors[0, 0] into %f multicast %f_row at [0, 0] on move 0
// LINE-NEXT:   spatial.recv %f_row into %f at [0, 1:4] on move 0
// LINE-NEXT:   spatial.map @scale (%x, %f broadcast rows) into %y {
//      LINE:   spatial.store %y into %Y[i + x * 64, 0] on move 1

//      ONE: spatial.program @scale(%X: memref<8192x128xbf16>, %Factors: memref<32x128xbf16>, %Y: memref<8192x128xbf16>) target #spatial.target<"wormhole"> grid [1, 1] loops [i = 256] {
//      ONE:   spatial.load %X[i, 0] into %x on move 0
// ONE-NEXT:   spatial.load %Factors[0, 0] into %f on move 0
// ONE-NEXT:   spatial.map @scale (%x, %f broadcast rows) into %y {
//      ONE:   spatial.store %y into %Y[i, 0] on move 1

// -----

// No more sites than there is work.
spatial.program @few(%X : memref<96x128xbf16>, %Y : memref<96x128xbf16>)
    target #spatial.target<"wormhole"> loops [i = 3] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x4xbf16>
  spatial.load %X[i, 0] into %x
  spatial.store %x into %Y[i, 0]
}

//      CHECK: spatial.program @few(%X: memref<96x128xbf16>, %Y: memref<96x128xbf16>) target #spatial.target<"wormhole"> grid [8, 4] loops [] {
//      CHECK:   spatial.load %X[x, 0] into %x at [0, 0:3] on move 0
// CHECK-NEXT:   spatial.store %x into %Y[x, 0] at [0, 0:3] on move 1

//      LINE: spatial.program @few(%X: memref<96x128xbf16>, %Y: memref<96x128xbf16>) target #spatial.target<"wormhole"> grid [1, 4] loops [] {
//      LINE:   spatial.load %X[x, 0] into %x at [0, 0:3] on move 0
// LINE-NEXT:   spatial.store %x into %Y[x, 0] at [0, 0:3] on move 1

//      ONE: spatial.program @few(%X: memref<96x128xbf16>, %Y: memref<96x128xbf16>) target #spatial.target<"wormhole"> grid [1, 1] loops [i = 3] {
//      ONE:   spatial.load %X[i, 0] into %x on move 0
// ONE-NEXT:   spatial.store %x into %Y[i, 0] on move 1

// -----

// One item.
spatial.program @one(%X : memref<32x128xbf16>, %Y : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> loops [] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x4xbf16>
  spatial.load %X[0, 0] into %x
  spatial.store %x into %Y[0, 0]
}

//      CHECK: spatial.program @one(%X: memref<32x128xbf16>, %Y: memref<32x128xbf16>) target #spatial.target<"wormhole"> grid [8, 4] loops [] {
//      CHECK:   spatial.load %X[0, 0] into %x at [0, 0] on move 0
// CHECK-NEXT:   spatial.store %x into %Y[0, 0] at [0, 0] on move 1

//      LINE: spatial.program @one(%X: memref<32x128xbf16>, %Y: memref<32x128xbf16>) target #spatial.target<"wormhole"> grid [1, 4] loops [] {
//      LINE:   spatial.load %X[0, 0] into %x at [0, 0] on move 0
// LINE-NEXT:   spatial.store %x into %Y[0, 0] at [0, 0] on move 1

//      ONE: spatial.program @one(%X: memref<32x128xbf16>, %Y: memref<32x128xbf16>) target #spatial.target<"wormhole"> grid [1, 1] loops [] {
//      ONE:   spatial.load %X[0, 0] into %x on move 0
// ONE-NEXT:   spatial.store %x into %Y[0, 0] on move 1
