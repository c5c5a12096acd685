// RUN: spatial-opt %s --place-spatial="grid=4x4 y=1 x=0" | filecheck %s --check-prefix SWAPPED
// RUN: spatial-opt %s --place-spatial="grid=4x4 y=1,2 x=1,2" | filecheck %s --check-prefix BOTH
// RUN: spatial-opt %s --place-spatial="grid=4x4 y=0" | filecheck %s --check-prefix REST
// RUN: spatial-opt %s --place-spatial="grid=4x1 y=0,1,2" | filecheck %s --check-prefix ALL

spatial.program @copy(%A : memref<6x128x128xbf16>, %B : memref<6x128x128xbf16>)
    target #spatial.target<"wormhole"> loops [i = 96] {
  %a = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %A[i floordiv 16, (i floordiv 4) mod 4, i mod 4] into %a
  spatial.store %a into %B[i floordiv 16, (i floordiv 4) mod 4, i mod 4]
}

//      SWAPPED: spatial.program @copy(%A: memref<6x128x128xbf16>, %B: memref<6x128x128xbf16>) target #spatial.target<"wormhole"> grid [4, 4] loops [i = 8] {
//      SWAPPED:   spatial.load %A[x * 2 + i floordiv 4, y, i mod 4] into %a at [0:4, 0:3] on move 0
// SWAPPED-NEXT:   spatial.store %a into %B[x * 2 + i floordiv 4, y, i mod 4] at [0:4, 0:3] on move 1

//      BOTH: spatial.program @copy(%A: memref<6x128x128xbf16>, %B: memref<6x128x128xbf16>) target #spatial.target<"wormhole"> grid [4, 4] loops [i = 6] {
//      BOTH:   spatial.load %A[i, y, x] into %a on move 0
// BOTH-NEXT:   spatial.store %a into %B[i, y, x] on move 1

//      REST: spatial.program @copy(%A: memref<6x128x128xbf16>, %B: memref<6x128x128xbf16>) target #spatial.target<"wormhole"> grid [4, 4] loops [i = 8] {
//      REST:   spatial.load %A[y * 2 + i floordiv 4, x, i mod 4] into %a at [0:3, 0:4] on move 0
// REST-NEXT:   spatial.store %a into %B[y * 2 + i floordiv 4, x, i mod 4] at [0:3, 0:4] on move 1

//      ALL: spatial.program @copy(%A: memref<6x128x128xbf16>, %B: memref<6x128x128xbf16>) target #spatial.target<"wormhole"> grid [4, 1] loops [i = 24] {
//      ALL:   spatial.load %A[(i + y * 24) floordiv 16, (y * 6 + i floordiv 4) mod 4, i mod 4] into %a on move 0
// ALL-NEXT:   spatial.store %a into %B[(i + y * 24) floordiv 16, (y * 6 + i floordiv 4) mod 4, i mod 4] on move 1
