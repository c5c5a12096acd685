// RUN: not spatial-opt %s --place-spatial="grid=8by8" 2>&1 | filecheck %s --check-prefix GRID
// RUN: not spatial-opt %s --place-spatial="grid=0x8" 2>&1 | filecheck %s --check-prefix NONE
// RUN: not spatial-opt %s --place-spatial="target=wormhol" 2>&1 | filecheck %s --check-prefix TARGET
// RUN: not spatial-opt %s --place-spatial="y=0,2" 2>&1 | filecheck %s --check-prefix APART
// RUN: not spatial-opt %s --place-spatial="y=0,1 x=1,2" 2>&1 | filecheck %s --check-prefix OVERLAP

// GRID: spatial-opt: error: pass 'place-spatial': grid is '8by8', but sites are ROWSxCOLUMNS, such as 8x8

// NONE: spatial-opt: error: pass 'place-spatial': grid is '0x8', but sites are ROWSxCOLUMNS, such as 8x8

// TARGET: spatial-opt: error: pass 'place-spatial': there is no target 'wormhol', did you mean 'wormhole'?; known targets: blackhole, fabric, hopper, reference, wormhole

// APART: spatial-opt: error: pass 'place-spatial': y is 0,2, but digits that go over an axis are neighbours, such as 0,1

// OVERLAP: spatial-opt: error: pass 'place-spatial': y is 0,1 and x is 1,2: give both the same digits, to go over rows and columns, or different ones
