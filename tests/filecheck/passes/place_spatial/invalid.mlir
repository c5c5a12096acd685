// RUN: not spatial-opt %s --place-spatial="grid=4x4 target=wormhole y=1" --split-input-file 2>&1 >/dev/null | filecheck %s --match-full-lines

spatial.program @template(%A : memref<128x128xbf16>, %B : memref<128x128xbf16>)
    target #spatial.target<"wormhole"> {
  %a = spatial.buffer : !spatial.buffer<4x4xbf16>
  spatial.load %A[0, 0] into %a
  spatial.store %a into %B[0, 0]
}

//      CHECK: {{.*}}invalid.mlir:3:1: error: 'spatial.program' op is a template, whose pages are whole matrices: place-spatial expects a tiled program, with loops
// CHECK-NEXT:   hint: run tile-spatial first

// -----

spatial.program @batches(%A : memref<2x128x128xbf16>, %B : memref<2x128x128xbf16>)
    target #spatial.target<"wormhole"> template loops [i = 2] {
  %a = spatial.buffer : !spatial.buffer<4x4xbf16>
  spatial.load %A[i, 0, 0] into %a
  spatial.store %a into %B[i, 0, 0]
}

// CHECK-NEXT: {{.*}}invalid.mlir:15:1: error: 'spatial.program' op is a template, whose pages are whole matrices: place-spatial expects a tiled program, with loops
// CHECK-NEXT:   hint: run tile-spatial first

// -----

spatial.program @other_target(%A : memref<128x128xbf16>, %B : memref<128x128xbf16>)
    target #spatial.target<"hopper"> loops [i = 4] {
  %a = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %A[i floordiv 2, i mod 2] into %a
  spatial.store %a into %B[i floordiv 2, i mod 2]
}

// CHECK-NEXT: {{.*}}invalid.mlir:27:1: error: 'spatial.program' op is for target 'hopper', but place-spatial is asked to place it on 'wormhole'
// CHECK-NEXT:   hint: leave the option out, or start from the template, with target wormhole

// -----

spatial.program @other_grid(%A : memref<128x128xbf16>, %B : memref<128x128xbf16>)
    target #spatial.target<"wormhole"> grid [4, 2] loops [] {
  %a = spatial.buffer : !spatial.buffer<1x2xbf16>
  spatial.load %A[y, x * 2] into %a
  spatial.store %a into %B[y, x * 2]
}

// CHECK-NEXT: {{.*}}invalid.mlir:39:1: error: 'spatial.program' op has grid [4, 2], but place-spatial is asked to place it on [4, 4]
// CHECK-NEXT:   hint: leave one of the two out
// CHECK-NEXT: {{.*}}invalid.mlir:39:1: error: 'spatial.program' op says itself which sites do what, but place-spatial is told which digits go over y
// CHECK-NEXT:   hint: leave these options out

// -----

spatial.program @too_large(%A : memref<128x128xbf16>, %B : memref<128x128xbf16>)
    target #spatial.target<"wormhole" {max_grid = [2, 8]}> loops [i = 16] {
  %a = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %A[i floordiv 4, i mod 4] into %a
  spatial.store %a into %B[i floordiv 4, i mod 4]
}

// CHECK-NEXT: {{.*}}invalid.mlir:53:1: error: 'spatial.program' op is to be placed on grid [4, 4], but target 'wormhole' has at most [2, 8]
// CHECK-NEXT:   hint: use a smaller grid

// -----

spatial.program @no_engine(%A : memref<128x128xbf16>, %B : memref<128x128xbf16>)
    loops [i = 16] {
  %a = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %A[i floordiv 4, i mod 4] into %a on move 0
  spatial.store %a into %B[i floordiv 4, i mod 4] on move 2
}

// CHECK-NEXT: {{.*}}invalid.mlir:69:3: error: 'spatial.store' op is on `move 2`, but target 'wormhole' has 2 movement engines
// CHECK-NEXT:   hint: leave `on` out, or choose another target

// -----

spatial.program @no_digit(%A : memref<128x128xbf16>, %B : memref<128x128xbf16>)
    target #spatial.target<"wormhole"> loops [i = 4] {
  %a = spatial.buffer : !spatial.buffer<1x4xbf16>
  spatial.load %A[i, 0] into %a
  spatial.store %a into %B[i, 0]
}

// CHECK-NEXT: {{.*}}invalid.mlir:77:1: error: 'spatial.program' op has no digit 1 to go over y: there are 0 (i, 4 values)
// CHECK-NEXT:   hint: choose others, or leave the choice to place-spatial

// -----

spatial.program @one_item(%A : memref<32x128xbf16>, %B : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> loops [] {
  %a = spatial.buffer : !spatial.buffer<1x4xbf16>
  spatial.load %A[0, 0] into %a
  spatial.store %a into %B[0, 0]
}

// CHECK-NEXT: {{.*}}invalid.mlir:89:1: error: 'spatial.program' op has no digit 1 to go over y: it has one item
// CHECK-NEXT:   hint: choose others, or leave the choice to place-spatial

// -----

// A program with several things wrong, and one that is right, which stays as it is.
spatial.program @several(%A : memref<128x128xbf16>, %B : memref<128x128xbf16>)
    target #spatial.target<"blackhole" {max_grid = [2, 2]}> loops [i = 4] {
  %a = spatial.buffer : !spatial.buffer<1x4xbf16>
  spatial.load %A[i, 0] into %a
  spatial.store %a into %B[i, 0]
}

spatial.program @right(%A : memref<128x128xbf16>, %B : memref<128x128xbf16>)
    target #spatial.target<"wormhole"> loops [i = 16] {
  %a = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %A[i floordiv 4, i mod 4] into %a
  spatial.store %a into %B[i floordiv 4, i mod 4]
}

// CHECK-NEXT: {{.*}}invalid.mlir:102:1: error: 'spatial.program' op is for target 'blackhole', but place-spatial is asked to place it on 'wormhole'
// CHECK-NEXT:   hint: leave the option out, or start from the template, with target wormhole
// CHECK-NEXT: {{.*}}invalid.mlir:102:1: error: 'spatial.program' op is to be placed on grid [4, 4], but target 'blackhole' has at most [2, 2]
// CHECK-NEXT:   hint: use a smaller grid
// CHECK-NEXT: {{.*}}invalid.mlir:102:1: error: 'spatial.program' op has no digit 1 to go over y: there are 0 (i, 4 values)
// CHECK-NEXT:   hint: choose others, or leave the choice to place-spatial
