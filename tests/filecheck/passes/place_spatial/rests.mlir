// RUN: spatial-opt %s --place-spatial="grid=4x4" --split-input-file | filecheck %s

// Ten blocks of rows on four rows of sites, three each: the last row of sites has two beyond the
// end, for which its loads pad and its stores write nothing.
spatial.program @rest(%X : memref<320x256xbf16>, %Column : memref<320x32xbf16>,
                      %Row : memref<32x256xbf16>, %Y : memref<320x256xbf16>)
    target #spatial.target<"wormhole"> loops [i = 40] {
  %x = spatial.buffer : !spatial.buffer<1x2xbf16>
  %column = spatial.buffer : !spatial.buffer<1x1xbf16>
  %row = spatial.buffer : !spatial.buffer<1x2xbf16>
  %y = spatial.buffer : !spatial.buffer<1x2xbf16>
  spatial.load %X[i floordiv 4, (i mod 4) * 2] into %x
  spatial.load %Column[i floordiv 4, 0] into %column
  spatial.load %Row[0, (i mod 4) * 2] into %row
  spatial.map @add (%x, %column broadcast cols, %row broadcast rows) into %y {
  ^bb0(%0 : f32, %1 : f32, %2 : f32):
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    spatial.yield %4 : f32
  }
  spatial.store %y into %Y[i floordiv 4, (i mod 4) * 2]
}

//      CHECK: spatial.program @rest(%X: memref<320x256xbf16>, %Column: memref<320x32xbf16>, %Row: memref<32x256xbf16>, %Y: memref<320x256xbf16>) target #spatial.target<"wormhole"> grid [4, 4] loops [i = 3] {
//      CHECK:   %column_row = spatial.group from [0:4, 0] to [0:4, 1:4] along x
// CHECK-NEXT:   %row_column = spatial.group from [0, 0:4] to [1:4, 0:4] along y
// CHECK-NEXT:   spatial.load %X[i + y * 3, x * 2] into %x pad 0.000000e+00 : bf16 on move 0
// CHECK-NEXT:   spatial.load %Column[i + y * 3, 0] into %column multicast %column_row pad 0.000000e+00 : bf16 at [0:4, 0] on move 1
// CHECK-NEXT:   spatial.recv %column_row into %column at [0:4, 1:4] on move 1
// CHECK-NEXT:   spatial.load %Row[0, x * 2] into %row multicast %row_column at [0, 0:4] on move 0
// CHECK-NEXT:   spatial.recv %row_column into %row at [1:4, 0:4] on move 0
// CHECK-NEXT:   spatial.map @add (%x, %column broadcast cols, %row broadcast rows) into %y {
//      CHECK:   spatial.store %y into %Y[i + y * 3, x * 2] on move 1

// -----

// What is beyond the last of the inner blocks would be the first of the next outer one. Together the
// two have one end, and the last site alone is beyond it.
spatial.program @inner(%X : memref<32x768xi32>, %Y : memref<32x768xi32>)
    target #spatial.target<"wormhole"> loops [i = 15] {
  %x = spatial.buffer : !spatial.buffer<1x1xi32>
  spatial.load %X[0, (i floordiv 5) * 8 + i mod 5] into %x
  spatial.store %x into %Y[0, (i floordiv 5) * 8 + i mod 5]
}

//      CHECK: spatial.program @inner(%X: memref<32x768xi32>, %Y: memref<32x768xi32>) target #spatial.target<"wormhole"> grid [4, 4] loops [] {
//      CHECK:   spatial.load %X[0, ((y * 4 + x) floordiv 5) * 8 + (y * 4 + x) mod 5] into %x pad 0 : i32 on move 0
// CHECK-NEXT:   spatial.store %x into %Y[0, ((y * 4 + x) floordiv 5) * 8 + (y * 4 + x) mod 5] on move 1

// -----

// No load whose page is stored: nothing could say that stores leave out what is outside.
spatial.program @constant(%Y : memref<352x32xf32>)
    target #spatial.target<"wormhole"> loops [i = 11] {
  %y = spatial.buffer : !spatial.buffer<1x1xf32>
  spatial.map @one () into %y {
    %0 = arith.constant 1.0 : f32
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[i, 0]
}

//      CHECK: spatial.program @constant(%Y: memref<352x32xf32>) target #spatial.target<"wormhole"> grid [4, 4] loops [] {
//      CHECK:   spatial.map @one () into %y at [0:2, 0:4] + [2, 0:3] {
//      CHECK:   spatial.store %y into %Y[y * 4 + x, 0] at [0:2, 0:4] + [2, 0:3] on move 1

// -----

// The tensor goes on where the items end.
spatial.program @part(%X : memref<640x32xi32>, %Y : memref<640x32xi32>)
    target #spatial.target<"wormhole"> loops [i = 7] {
  %x = spatial.buffer : !spatial.buffer<1x1xi32>
  spatial.load %X[i, 0] into %x
  spatial.store %x into %Y[i, 0]
}

//      CHECK: spatial.program @part(%X: memref<640x32xi32>, %Y: memref<640x32xi32>) target #spatial.target<"wormhole"> grid [4, 4] loops [] {
//      CHECK:   spatial.load %X[y * 4 + x, 0] into %x at [0, 0:4] + [1, 0:3] on move 0
// CHECK-NEXT:   spatial.store %x into %Y[y * 4 + x, 0] at [0, 0:4] + [1, 0:3] on move 1

// -----

// Only the result depends on the rest: the one load pads all the same, so that the store clips.
spatial.program @spread(%X : memref<32x32xi32>, %Y : memref<544x32xi32>)
    target #spatial.target<"wormhole"> loops [i = 17] {
  %x = spatial.buffer : !spatial.buffer<1x1xi32>
  spatial.load %X[0, 0] into %x
  spatial.store %x into %Y[i, 0]
}

//      CHECK: spatial.program @spread(%X: memref<32x32xi32>, %Y: memref<544x32xi32>) target #spatial.target<"wormhole"> grid [4, 4] loops [i = 2] {
//      CHECK:   %x_sites = spatial.group from [0, 0] to [0:3, 0:3] along yx
// CHECK-NEXT:   spatial.load %X[0, 0] into %x multicast %x_sites pad 0 : i32 at [0, 0] on move 0
// CHECK-NEXT:   spatial.recv %x_sites into %x at [0, 1:3] + [1:3, 0:3] on move 0
// CHECK-NEXT:   spatial.store %x into %Y[i + y * 6 + x * 2, 0] at [0:3, 0:3] on move 1

// -----

// An index beyond the end is 0, and what is read by it is stored nowhere; but where it says where a
// page is stored, there is no rest.
spatial.program @gather(%Table : memref<1024x32xf32>, %Ids : memref<32x544xi32>,
                        %Y : memref<544x32xf32>, %Z : memref<1024x32xf32>)
    target #spatial.target<"reference"> loops [i = 17] {
  %ids = spatial.buffer : !spatial.buffer<1x1xi32>
  %rows = spatial.buffer : !spatial.buffer<1x1xf32>
  spatial.load %Ids[0, i] into %ids
  spatial.load %Table[0, 0] into %rows via %ids rows
  spatial.store %rows into %Y[i, 0]
}

//      CHECK: spatial.program @gather(%Table: memref<1024x32xf32>, %Ids: memref<32x544xi32>, %Y: memref<544x32xf32>, %Z: memref<1024x32xf32>) target #spatial.target<"reference"> grid [4, 4] loops [i = 2] {
//      CHECK:   spatial.load %Ids[0, i + y * 6 + x * 2] into %ids pad 0 : i32 at [0:3, 0:3] on move 0
// CHECK-NEXT:   spatial.load %Table[0, 0] into %rows via %ids rows at [0:3, 0:3] on move 0
// CHECK-NEXT:   spatial.store %rows into %Y[i + y * 6 + x * 2, 0] at [0:3, 0:3] on move 3

// -----

spatial.program @scatter(%X : memref<544x32xf32>, %Ids : memref<32x544xi32>,
                         %Y : memref<1024x32xf32>)
    target #spatial.target<"reference"> loops [i = 17] {
  %ids = spatial.buffer : !spatial.buffer<1x1xi32>
  %rows = spatial.buffer : !spatial.buffer<1x1xf32>
  spatial.load %Ids[0, i] into %ids
  spatial.load %X[i, 0] into %rows
  spatial.store %rows into %Y[0, 0] via %ids rows
}

//      CHECK: spatial.program @scatter(%X: memref<544x32xf32>, %Ids: memref<32x544xi32>, %Y: memref<1024x32xf32>) target #spatial.target<"reference"> grid [4, 4] loops [i = 17] {
//      CHECK:   spatial.load %Ids[0, i] into %ids at [0, 0] on move 3
// CHECK-NEXT:   spatial.load %X[i, 0] into %rows at [0, 0] on move 0
// CHECK-NEXT:   spatial.store %rows into %Y[0, 0] via %ids rows at [0, 0] on move 3
