// RUN: not spatial-opt %s --tile-spatial="target=wormhole" --split-input-file 2>&1 >/dev/null | filecheck %s --match-full-lines

// Decided already.

spatial.program @other(%A : memref<128x128xbf16>, %B : memref<128x128xbf16>)
    target #spatial.target<"hopper"> {
  %a = spatial.buffer : !spatial.buffer<2x2xbf16>
  spatial.load %A[0, 0] into %a
  spatial.store %a into %B[0, 0]
}

//      CHECK: {{.*}}invalid.mlir:5:1: error: 'spatial.program' op is for target 'hopper', but tile-spatial is asked to cut it for 'wormhole'
// CHECK-NEXT:   hint: leave the option out, or make the template for target wormhole

// -----

spatial.program @placed(%A : memref<128x128xbf16>, %B : memref<128x128xbf16>)
    target #spatial.target<"wormhole"> grid [2, 1] template loops [i = 1] {
  %a = spatial.buffer : !spatial.buffer<2x4xbf16>
  spatial.load %A[y * 2, 0] into %a
  spatial.store %a into %B[y * 2, 0]
}

// CHECK-NEXT: {{.*}}invalid.mlir:20:3: error: 'spatial.load' op says which sites do what, but its program is a template, which has none yet
// CHECK-NEXT:   hint: write `loops []` if the program is tiled
// CHECK-NEXT: {{.*}}invalid.mlir:21:3: error: 'spatial.store' op says which sites do what, but its program is a template, which has none yet
// CHECK-NEXT:   hint: write `loops []` if the program is tiled

// -----

spatial.program @chosen(%A : memref<128x128xbf16>, %B : memref<128x128xbf16>,
                        %C : memref<128x128xbf16>)
    target #spatial.target<"wormhole"> {
  %a = spatial.buffer : !spatial.buffer<4x4xbf16>
  %b = spatial.buffer : !spatial.buffer<4x4xbf16>
  %c = spatial.buffer : !spatial.buffer<4x4xbf16>
  %p = spatial.buffer alias %c : !spatial.buffer<4x4xbf16>
  spatial.load %A[0, 0] into %a
  spatial.load %B[0, 0] into %b
  spatial.matmul %a, %b into %c spill %p
  spatial.store %c into %C[0, 0]
}

// CHECK-NEXT: {{.*}}invalid.mlir:40:3: error: 'spatial.matmul' op spills to %p, but tile-spatial decides on partial sums
// CHECK-NEXT:   hint: leave `spill` out of a template
// CHECK-NEXT: {{.*}}invalid.mlir:37:8: error: 'spatial.buffer' op %p has the memory of %c, but the pages of a template have no size yet
// CHECK-NEXT:   hint: leave `alias` out of a template

// -----

// No side of the page has 3 tiles.
spatial.program @mark(%A : memref<128x128xbf16>, %B : memref<128x128xbf16>)
    target #spatial.target<"wormhole"> template loops [i = 1] {
  %a = spatial.buffer : !spatial.buffer<4x4xbf16>
  spatial.load %A[k * 3, 0] into %a
  spatial.store %a into %B[k * 3, 0]
}

// CHECK-NEXT: {{.*}}invalid.mlir:55:3: error: 'spatial.load' op uses 'k' in its address, but not to go over %a of 4x4xbf16
// CHECK-NEXT:   hint: write k times the rows or the columns of the page
// CHECK-NEXT: {{.*}}invalid.mlir:56:3: error: 'spatial.store' op uses 'k' in its address, but not to go over %a of 4x4xbf16
// CHECK-NEXT:   hint: write k times the rows or the columns of the page

// -----

// What the target lacks.

spatial.program @types(%A : memref<128x128xi16>, %B : memref<128x128xi16>) {
  %a = spatial.buffer : !spatial.buffer<4x4xi16>
  spatial.load %A[0, 0] into %a
  spatial.store %a into %B[0, 0]
}

// CHECK-NEXT: {{.*}}invalid.mlir:69:8: error: 'spatial.buffer' op %a holds i16, which target 'wormhole' lacks
// CHECK-NEXT:   hint: it has bf16, f16, f32, bfp8, bfp4, i8, i32, ui8, ui16, ui32

// -----

spatial.program @sums(%A : memref<128x128xi8>, %B : memref<128x128xi8>, %C : memref<128x128xi8>)
    target #spatial.target<"wormhole" {element_types = ["i8"]}> {
  %a = spatial.buffer : !spatial.buffer<4x4xi8>
  %b = spatial.buffer : !spatial.buffer<4x4xi8>
  %c = spatial.buffer : !spatial.buffer<4x4xi8>
  spatial.load %A[0, 0] into %a
  spatial.load %B[0, 0] into %b
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, 0]
}

// CHECK-NEXT: {{.*}}invalid.mlir:86:3: error: 'spatial.matmul' op sums up in i32, which target 'wormhole' lacks
// CHECK-NEXT:   hint: it has i8

// -----

// Made for tiles of 16 rows.
spatial.program @tiles(%A : memref<128x128xbf16>, %B : memref<128x128xbf16>) {
  %a = spatial.buffer : !spatial.buffer<8x4xbf16>
  spatial.load %A[0, 0] into %a
  spatial.store %a into %B[0, 0]
}

// CHECK-NEXT: {{.*}}invalid.mlir:98:3: error: 'spatial.load' op moves rows of 8 tiles, but %A has 4 tiles of target 'wormhole' there
// CHECK-NEXT:   hint: tile it for the target whose tiles its pages are made of
// CHECK-NEXT: {{.*}}invalid.mlir:99:3: error: 'spatial.store' op moves rows of 8 tiles, but %B has 4 tiles of target 'wormhole' there
// CHECK-NEXT:   hint: tile it for the target whose tiles its pages are made of
