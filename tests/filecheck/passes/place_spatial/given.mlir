// RUN: spatial-opt %s --place-spatial --split-input-file | filecheck %s

// Where the stages are is said: they get engines, those that have none. What reads an index page is
// on the engine of what fills it, a receiver on that of its sender.
spatial.program @engines(%A : memref<128x512xbf16>, %T : memref<1024x512xbf16>,
                         %Ids : memref<32x128xi32>, %Row : memref<32x512xbf16>,
                         %Y : memref<128x512xbf16>)
    target #spatial.target<"reference"> grid [4, 2] loops [w = 8] {
  %a = spatial.buffer : !spatial.buffer<1x1xbf16>
  %ids = spatial.buffer : !spatial.buffer<1x1xi32>
  %t = spatial.buffer : !spatial.buffer<1x1xbf16>
  %row = spatial.buffer : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer : !spatial.buffer<1x1xbf16>
  %columns = spatial.group from [0, 0:2] to [1:4, 0:2] along y
  spatial.load @a %A[y, x * 8 + w] into %a on move 1
  spatial.load @ids %Ids[0, y] into %ids
  spatial.load @t %T[0, x * 8 + w] into %t via %ids rows
  spatial.load @row %Row[0, x * 8 + w] into %row multicast %columns at [0, 0:2]
  spatial.recv @recv_row %columns into %row at [1:4, 0:2]
  spatial.map @add (%a, %t, %row broadcast rows) into %y {
  ^bb0(%0 : f32, %1 : f32, %2 : f32):
    %3 = arith.addf %0, %1 : f32
    %4 = arith.mulf %3, %2 : f32
    spatial.yield %4 : f32
  }
  spatial.store @y %y into %Y[y, x * 8 + w]
}

//      CHECK: spatial.program @engines(%A: memref<128x512xbf16>, %T: memref<1024x512xbf16>, %Ids: memref<32x128xi32>, %Row: memref<32x512xbf16>, %Y: memref<128x512xbf16>) target #spatial.target<"reference"> grid [4, 2] loops [w = 8] {
//      CHECK:   %columns = spatial.group from [0, 0:2] to [1:4, 0:2] along y
// CHECK-NEXT:   spatial.load @a %A[y, x * 8 + w] into %a on move 1
// CHECK-NEXT:   spatial.load @ids %Ids[0, y] into %ids on move 2
// CHECK-NEXT:   spatial.load @t %T[0, x * 8 + w] into %t via %ids rows on move 2
// CHECK-NEXT:   spatial.load @row %Row[0, x * 8 + w] into %row multicast %columns at [0, 0:2] on move 0
// CHECK-NEXT:   spatial.recv @recv_row %columns into %row at [1:4, 0:2] on move 0
// CHECK-NEXT:   spatial.map @add (%a, %t, %row broadcast rows) into %y {
//      CHECK:   spatial.store @y %y into %Y[y, x * 8 + w] on move 3

// -----

// Two stores of one page take it on one engine.
spatial.program @twice(%A : memref<128x64xbf16>, %B : memref<128x64xbf16>, %C : memref<128x64xbf16>)
    grid [4, 2] loops [] {
  %a = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %A[y, x] into %a
  spatial.store %a into %B[y, x] on move 0
  spatial.store %a into %C[y, x]
}

//      CHECK: spatial.program @twice(%A: memref<128x64xbf16>, %B: memref<128x64xbf16>, %C: memref<128x64xbf16>) target #spatial.target<"wormhole"> grid [4, 2] loops [] {
//      CHECK:   spatial.load %A[y, x] into %a on move 1
// CHECK-NEXT:   spatial.store %a into %B[y, x] on move 0
// CHECK-NEXT:   spatial.store %a into %C[y, x] on move 0

// -----

// Placed already.
spatial.program @placed(%A : memref<128x64xbf16>, %B : memref<128x64xbf16>)
    target #spatial.target<"wormhole"> grid [4, 2] loops [] {
  %a = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %A[y, x] into %a on move 1
  spatial.store %a into %B[y, x] on move 0
}

//      CHECK: spatial.program @placed(%A: memref<128x64xbf16>, %B: memref<128x64xbf16>) target #spatial.target<"wormhole"> grid [4, 2] loops [] {
//      CHECK:   spatial.load %A[y, x] into %a on move 1
// CHECK-NEXT:   spatial.store %a into %B[y, x] on move 0
