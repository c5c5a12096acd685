// RUN: not spatial-opt %s --place-spatial 2>&1 >/dev/null | filecheck %s --match-full-lines

spatial.program @no_grid(%A : memref<128x128xbf16>, %B : memref<128x128xbf16>)
    target #spatial.target<"wormhole"> loops [i = 16] {
  %a = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %A[i floordiv 4, i mod 4] into %a
  spatial.store %a into %B[i floordiv 4, i mod 4]
}

//      CHECK: {{.*}}no_grid.mlir:3:1: error: 'spatial.program' op has no grid, and place-spatial is not told one
// CHECK-NEXT:   hint: say how many rows and columns of sites there are: --place-spatial="grid=8x8"
