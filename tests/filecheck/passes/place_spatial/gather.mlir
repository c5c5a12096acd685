// RUN: spatial-opt %s --place-spatial="grid=4x2" --split-input-file | filecheck %s
// RUN: spatial-opt %s --place-spatial="grid=4x2" --split-input-file --synthesize-handshakes --verify-choreography 2>&1 >/dev/null | filecheck %s --check-prefix PROOF

// Each site has tokens of its own, and so what they name, but the columns of the table are the same
// for a row of sites: no page is.
spatial.program @tokens(%Tokens : memref<32x256xi32>, %Table : memref<1024x128xbf16>,
                        %Y : memref<256x128xbf16>)
    target #spatial.target<"wormhole"> loops [i = 16] {
  %ids = spatial.buffer depth 2 : !spatial.buffer<1x1xi32>
  %rows = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %Tokens[0, i floordiv 2] into %ids
  spatial.load %Table[0, (i mod 2) * 2] into %rows via %ids rows
  spatial.store %rows into %Y[i floordiv 2, (i mod 2) * 2]
}

//      CHECK: spatial.program @tokens(%Tokens: memref<32x256xi32>, %Table: memref<1024x128xbf16>, %Y: memref<256x128xbf16>) target #spatial.target<"wormhole"> grid [4, 2] loops [i = 2] {
//      CHECK:   spatial.load %Tokens[0, y * 2 + x] into %ids on move 0
// CHECK-NEXT:   spatial.load %Table[0, i * 2] into %rows via %ids rows on move 0
// CHECK-NEXT:   spatial.store %rows into %Y[y * 2 + x, i * 2] on move 1

//      PROOF: {{.*}}gather.mlir:6:1: remark: 'spatial.program' op @tokens proved: {{.*}}

// -----

// A row of sites has one expert: the first site reads which, and the factors of this, and sends
// these on. The others need no index.
spatial.program @experts(%X : memref<128x128xbf16>, %Which : memref<32x128xi32>,
                         %Factors : memref<16x32x128xbf16>, %Y : memref<128x128xbf16>)
    target #spatial.target<"wormhole"> loops [i = 8] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %which = spatial.buffer depth 2 : !spatial.buffer<1x1xi32>
  %f = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load @load_x %X[i floordiv 2, (i mod 2) * 2] into %x
  spatial.load @load_which %Which[0, i floordiv 2] into %which
  spatial.load @load_factor %Factors[ind, 0, 0] into %f via %which
  spatial.map @scale (%x, %f broadcast scalar) into %y {
  ^bb0(%value : f32, %factor : f32):
    %result = arith.mulf %value, %factor : f32
    spatial.yield %result : f32
  }
  spatial.store %y into %Y[i floordiv 2, (i mod 2) * 2]
}

//      CHECK: spatial.program @experts(%X: memref<128x128xbf16>, %Which: memref<32x128xi32>, %Factors: memref<16x32x128xbf16>, %Y: memref<128x128xbf16>) target #spatial.target<"wormhole"> grid [4, 2] loops [] {
//      CHECK:   %f_row = spatial.group from [0:4, 0] to [0:4, 1] along x
// CHECK-NEXT:   spatial.load @load_x %X[y, x * 2] into %x on move 1
// CHECK-NEXT:   spatial.load @load_which %Which[0, y] into %which at [0:4, 0] on move 0
// CHECK-NEXT:   spatial.load @load_factor %Factors[ind, 0, 0] into %f multicast %f_row via %which at [0:4, 0] on move 0
// CHECK-NEXT:   spatial.recv @recv_factor %f_row into %f at [0:4, 1] on move 0
// CHECK-NEXT:   spatial.map @scale (%x, %f broadcast scalar) into %y {
//      CHECK:   spatial.store %y into %Y[y, x * 2] on move 1

// PROOF-NEXT: {{.*}}gather.mlir:27:1: remark: 'spatial.program' op @experts proved: {{.*}}

// -----

// An index that is computed is computed everywhere, and so is read everywhere.
spatial.program @computed(%Which : memref<32x32xi32>, %Table : memref<16x32x32xbf16>,
                          %X : memref<256x32xbf16>, %Y : memref<256x32xbf16>)
    target #spatial.target<"wormhole"> loops [i = 8] {
  %which = spatial.buffer depth 2 : !spatial.buffer<1x1xi32>
  %next = spatial.buffer depth 2 : !spatial.buffer<1x1xi32>
  %t = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %Which[0, 0] into %which
  spatial.map @next (%which) into %next {
  ^bb0(%0 : i32):
    %one = arith.constant 1 : i32
    %1 = arith.addi %0, %one : i32
    spatial.yield %1 : i32
  }
  spatial.load %Table[ind, 0, 0] into %t via %next
  spatial.load %X[i, 0] into %x
  spatial.map @add (%x, %t) into %y {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %y into %Y[i, 0]
}

//      CHECK: spatial.program @computed(%Which: memref<32x32xi32>, %Table: memref<16x32x32xbf16>, %X: memref<256x32xbf16>, %Y: memref<256x32xbf16>) target #spatial.target<"wormhole"> grid [4, 2] loops [] {
//      CHECK:   %which_sites = spatial.group from [0, 0] to [0:4, 0:2] along yx
// CHECK-NEXT:   spatial.load %Which[0, 0] into %which multicast %which_sites at [0, 0] on move 0
// CHECK-NEXT:   spatial.recv %which_sites into %which at [0, 1] + [1:4, 0:2] on move 0
// CHECK-NEXT:   spatial.map @next (%which) into %next {
//      CHECK:   spatial.load %Table[ind, 0, 0] into %t via %next on move 1
// CHECK-NEXT:   spatial.load %X[y * 2 + x, 0] into %x on move 0
// CHECK-NEXT:   spatial.map @add (%x, %t) into %y {
//      CHECK:   spatial.store %y into %Y[y * 2 + x, 0] on move 1

// PROOF-NEXT: {{.*}}gather.mlir:59:1: remark: 'spatial.program' op @computed proved: {{.*}}
