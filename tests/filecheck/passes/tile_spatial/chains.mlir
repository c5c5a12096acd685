// RUN: spatial-opt %s --tile-spatial="m=2 n=2" --split-input-file | filecheck %s
// RUN: spatial-opt %s --tile-spatial="m=2 n=2" --split-input-file --place-spatial="grid=2x2" --size-buffers --synthesize-handshakes --verify-choreography 2>&1 >/dev/null | filecheck %s --check-prefix PROOF

// Rows, columns and a scalar have the blocks of what they are used for.
spatial.program @elementwise(%X : memref<3x100x256xbf16>, %Row : memref<3x1x256xbf16>,
                             %Col : memref<100x1xbf16>, %G : memref<32x32xbf16>,
                             %Y : memref<3x100x256xbf16>)
    target #spatial.target<"wormhole"> template loops [i = 3] {
  %x = spatial.buffer : !spatial.buffer<4x8xbf16>
  %row = spatial.buffer : !spatial.buffer<1x8xbf16>
  %col = spatial.buffer : !spatial.buffer<4x1xbf16>
  %g = spatial.buffer : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer : !spatial.buffer<4x8xbf16>
  spatial.load @load_x %X[i, 0, 0] into %x pad 0.0 : bf16
  spatial.load @load_row %Row[i, 0, 0] into %row pad 0.0 : bf16
  spatial.load @load_col %Col[0, 0] into %col pad 0.0 : bf16
  spatial.load @load_g %G[0, 0] into %g
  spatial.map @all (%x, %row broadcast rows, %col broadcast cols, %g broadcast scalar) into %y {
  ^bb0(%a : f32, %b : f32, %c : f32, %d : f32):
    %e = arith.addf %a, %b : f32
    %f = arith.mulf %e, %c : f32
    %h = arith.addf %f, %d : f32
    spatial.yield %h : f32
  }
  spatial.store @store_y %y into %Y[i, 0, 0]
}

//      CHECK: spatial.program @elementwise(%X: memref<3x100x256xbf16>, %Row: memref<3x1x256xbf16>, %Col: memref<100x1xbf16>, %G: memref<32x32xbf16>, %Y: memref<3x100x256xbf16>) target #spatial.target<"wormhole"> loops [i = 24] {
// CHECK-NEXT:   %x = spatial.buffer : !spatial.buffer<2x2xbf16>
// CHECK-NEXT:   %row = spatial.buffer : !spatial.buffer<1x2xbf16>
// CHECK-NEXT:   %col = spatial.buffer : !spatial.buffer<2x1xbf16>
// CHECK-NEXT:   %g = spatial.buffer : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:   %y = spatial.buffer : !spatial.buffer<2x2xbf16>
// CHECK-NEXT:   spatial.load @load_x %X[i floordiv 8, ((i floordiv 4) mod 2) * 2, (i mod 4) * 2] into %x pad 0.000000e+00 : bf16
// CHECK-NEXT:   spatial.load @load_row %Row[i floordiv 8, 0, (i mod 4) * 2] into %row pad 0.000000e+00 : bf16
// CHECK-NEXT:   spatial.load @load_col %Col[((i floordiv 4) mod 2) * 2, 0] into %col pad 0.000000e+00 : bf16
// CHECK-NEXT:   spatial.load @load_g %G[0, 0] into %g
// CHECK-NEXT:   spatial.map @all (%x, %row broadcast rows, %col broadcast cols, %g broadcast scalar) into %y {
// CHECK-NEXT:   ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
// CHECK-NEXT:     %e = arith.addf %a, %b : f32
// CHECK-NEXT:     %f = arith.mulf %e, %c : f32
// CHECK-NEXT:     %h = arith.addf %f, %d : f32
// CHECK-NEXT:     spatial.yield %h : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   spatial.store @store_y %y into %Y[i floordiv 8, ((i floordiv 4) mod 2) * 2, (i mod 4) * 2]
// CHECK-NEXT: }

//      PROOF: {{.*}}chains.mlir:5:1: remark: 'spatial.program' op @elementwise proved: {{.*}}

// -----

// What is reduced within a page stays whole.
spatial.program @softmax(%X : memref<2048x64xbf16>, %Y : memref<2048x64xbf16>)
    target #spatial.target<"wormhole"> {
  %x = spatial.buffer : !spatial.buffer<64x2xbf16>
  %m = spatial.buffer : !spatial.buffer<64x1xbf16>
  %e = spatial.buffer : !spatial.buffer<64x2xbf16>
  %s = spatial.buffer : !spatial.buffer<64x1xf32>
  %y = spatial.buffer : !spatial.buffer<64x2xbf16>
  spatial.load @load_x %X[0, 0] into %x
  spatial.reduce @max max cols %x into %m
  spatial.map @exp (%x, %m broadcast cols) into %e {
  ^bb0(%a : f32, %b : f32):
    %c = arith.subf %a, %b : f32
    %d = math.exp %c : f32
    spatial.yield %d : f32
  }
  spatial.reduce @sum add cols %e into %s
  spatial.map @scale (%e, %s broadcast cols) into %y {
  ^bb0(%a : f32, %b : f32):
    %c = arith.divf %a, %b : f32
    spatial.yield %c : f32
  }
  spatial.store @store_y %y into %Y[0, 0]
}

//      CHECK: spatial.program @softmax(%X: memref<2048x64xbf16>, %Y: memref<2048x64xbf16>) target #spatial.target<"wormhole"> loops [i = 32] {
// CHECK-NEXT:   %x = spatial.buffer : !spatial.buffer<2x2xbf16>
// CHECK-NEXT:   %m = spatial.buffer : !spatial.buffer<2x1xbf16>
// CHECK-NEXT:   %e = spatial.buffer : !spatial.buffer<2x2xbf16>
// CHECK-NEXT:   %s = spatial.buffer : !spatial.buffer<2x1xf32>
// CHECK-NEXT:   %y = spatial.buffer : !spatial.buffer<2x2xbf16>
// CHECK-NEXT:   spatial.load @load_x %X[i * 2, 0] into %x
// CHECK-NEXT:   spatial.reduce @max max cols %x into %m
// CHECK-NEXT:   spatial.map @exp (%x, %m broadcast cols) into %e {
// CHECK-NEXT:   ^bb0(%a: f32, %b: f32):
// CHECK-NEXT:     %c = arith.subf %a, %b : f32
// CHECK-NEXT:     %d = math.exp %c : f32
// CHECK-NEXT:     spatial.yield %d : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   spatial.reduce @sum add cols %e into %s
// CHECK-NEXT:   spatial.map @scale (%e, %s broadcast cols) into %y {
// CHECK-NEXT:   ^bb0(%a_1: f32, %b_1: f32):
// CHECK-NEXT:     %c_1 = arith.divf %a_1, %b_1 : f32
// CHECK-NEXT:     spatial.yield %c_1 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   spatial.store @store_y %y into %Y[i * 2, 0]
// CHECK-NEXT: }

//      PROOF: {{.*}}chains.mlir:53:1: remark: 'spatial.program' op @softmax proved: {{.*}}

// -----

// Of 5 tiles, a last block of 1 hangs over: rows beyond the end are zero, and are not stored.
spatial.program @rest(%X : memref<160x64xbf16>, %Y : memref<160x64xbf16>)
    target #spatial.target<"wormhole"> {
  %x = spatial.buffer : !spatial.buffer<5x2xbf16>
  spatial.load @load_x %X[0, 0] into %x
  spatial.store @store_y %x into %Y[0, 0]
}

//      CHECK: spatial.program @rest(%X: memref<160x64xbf16>, %Y: memref<160x64xbf16>) target #spatial.target<"wormhole"> loops [i = 3] {
// CHECK-NEXT:   %x = spatial.buffer : !spatial.buffer<2x2xbf16>
// CHECK-NEXT:   spatial.load @load_x %X[i * 2, 0] into %x pad 0.000000e+00 : bf16
// CHECK-NEXT:   spatial.store @store_y %x into %Y[i * 2, 0]
// CHECK-NEXT: }

//      PROOF: {{.*}}chains.mlir:105:1: remark: 'spatial.program' op @rest proved: {{.*}}

// -----

// Whatever is loaded can be what pads; a row of it is enough.
spatial.program @broadcast(%X : memref<32x64xbf16>, %Y : memref<160x64xbf16>)
    target #spatial.target<"wormhole"> {
  %x = spatial.buffer : !spatial.buffer<1x2xbf16>
  %y = spatial.buffer : !spatial.buffer<5x2xbf16>
  spatial.load @load_x %X[0, 0] into %x
  spatial.map @copy (%x broadcast rows) into %y {
  ^bb0(%a : f32):
    spatial.yield %a : f32
  }
  spatial.store @store_y %y into %Y[0, 0]
}

//      CHECK: spatial.program @broadcast(%X: memref<32x64xbf16>, %Y: memref<160x64xbf16>) target #spatial.target<"wormhole"> loops [i = 3] {
// CHECK-NEXT:   %x = spatial.buffer : !spatial.buffer<1x2xbf16>
// CHECK-NEXT:   %y = spatial.buffer : !spatial.buffer<2x2xbf16>
// CHECK-NEXT:   spatial.load @load_x %X[0, 0] into %x pad 0.000000e+00 : bf16
// CHECK-NEXT:   spatial.map @copy (%x broadcast rows) into %y {
// CHECK-NEXT:   ^bb0(%a: f32):
// CHECK-NEXT:     spatial.yield %a : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   spatial.store @store_y %y into %Y[i * 2, 0]
// CHECK-NEXT: }

//      PROOF: {{.*}}chains.mlir:123:1: remark: 'spatial.program' op @broadcast proved: {{.*}}

// -----

// Tokens: the index and the rows that it names are cut together.
spatial.program @gather(%Ids : memref<1x100xi32>, %Table : memref<1000x256xbf16>,
                        %Y : memref<100x256xbf16>) target #spatial.target<"wormhole"> {
  %ids = spatial.buffer : !spatial.buffer<1x4xi32>
  %rows = spatial.buffer : !spatial.buffer<4x8xbf16>
  spatial.load @load_ids %Ids[0, 0] into %ids pad 0 : i32
  spatial.load @load_rows %Table[0, 0] into %rows via %ids rows
  spatial.store @store %rows into %Y[0, 0]
}

//      CHECK: spatial.program @gather(%Ids: memref<1x100xi32>, %Table: memref<1000x256xbf16>, %Y: memref<100x256xbf16>) target #spatial.target<"wormhole"> loops [i = 8] {
// CHECK-NEXT:   %ids = spatial.buffer : !spatial.buffer<1x2xi32>
// CHECK-NEXT:   %rows = spatial.buffer : !spatial.buffer<2x2xbf16>
// CHECK-NEXT:   spatial.load @load_ids %Ids[0, (i floordiv 4) * 2] into %ids pad 0 : i32
// CHECK-NEXT:   spatial.load @load_rows %Table[0, (i mod 4) * 2] into %rows via %ids rows
// CHECK-NEXT:   spatial.store @store %rows into %Y[(i floordiv 4) * 2, (i mod 4) * 2]
// CHECK-NEXT: }

//      PROOF: {{.*}}chains.mlir:151:1: remark: 'spatial.program' op @gather proved: {{.*}}

// -----

// Beyond the end, an index of -1 names no row to write to.
spatial.program @scatter(%Ids : memref<32x160xi32>, %X : memref<160x64xbf16>,
                         %Table : memref<1024x64xbf16>) target #spatial.target<"wormhole"> {
  %ids = spatial.buffer : !spatial.buffer<1x5xi32>
  %x = spatial.buffer : !spatial.buffer<5x2xbf16>
  spatial.load @load_ids %Ids[0, 0] into %ids
  spatial.load @load_x %X[0, 0] into %x
  spatial.store @store %x into %Table[0, 0] via %ids rows
}

//      CHECK: spatial.program @scatter(%Ids: memref<32x160xi32>, %X: memref<160x64xbf16>, %Table: memref<1024x64xbf16>) target #spatial.target<"wormhole"> loops [i = 3] {
// CHECK-NEXT:   %ids = spatial.buffer : !spatial.buffer<1x2xi32>
// CHECK-NEXT:   %x = spatial.buffer : !spatial.buffer<2x2xbf16>
// CHECK-NEXT:   spatial.load @load_ids %Ids[0, i * 2] into %ids pad -1 : i32
// CHECK-NEXT:   spatial.load @load_x %X[i * 2, 0] into %x pad 0.000000e+00 : bf16
// CHECK-NEXT:   spatial.store @store %x into %Table[0, 0] via %ids rows
// CHECK-NEXT: }

//      PROOF: {{.*}}chains.mlir:173:1: remark: 'spatial.program' op @scatter proved: {{.*}}

// -----

// Heads lie side by side: behind the end of one there is the next, so blocks divide it.
spatial.program @heads(%X : memref<64x384xbf16>, %Y : memref<64x384xbf16>)
    target #spatial.target<"wormhole"> template loops [i = 3] {
  %x = spatial.buffer : !spatial.buffer<2x4xbf16>
  spatial.load @load_x %X[0, i * 4] into %x
  spatial.store @store_y %x into %Y[0, i * 4]
}

//      CHECK: spatial.program @heads(%X: memref<64x384xbf16>, %Y: memref<64x384xbf16>) target #spatial.target<"wormhole"> loops [i = 6] {
// CHECK-NEXT:   %x = spatial.buffer : !spatial.buffer<2x2xbf16>
// CHECK-NEXT:   spatial.load @load_x %X[0, i * 2] into %x
// CHECK-NEXT:   spatial.store @store_y %x into %Y[0, i * 2]
// CHECK-NEXT: }

//      PROOF: {{.*}}chains.mlir:195:1: remark: 'spatial.program' op @heads proved: {{.*}}
