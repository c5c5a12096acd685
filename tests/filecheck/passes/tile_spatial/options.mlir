// RUN: not spatial-opt %s --tile-spatial="grid=8by8" 2>&1 | filecheck %s --check-prefix GRID
// RUN: not spatial-opt %s --tile-spatial="grid=0x8" 2>&1 | filecheck %s --check-prefix NO-SITE
// RUN: not spatial-opt %s --tile-spatial="sub=4by4" 2>&1 | filecheck %s --check-prefix SUB
// RUN: not spatial-opt %s --tile-spatial="k=0" 2>&1 | filecheck %s --check-prefix K
// RUN: not spatial-opt %s --tile-spatial="target=wormhol" 2>&1 | filecheck %s --check-prefix TARGET

// GRID: spatial-opt: error: pass 'tile-spatial': grid is '8by8', but sites are ROWSxCOLUMNS, such as 8x8

// NO-SITE: spatial-opt: error: pass 'tile-spatial': grid is '0x8', but sites are ROWSxCOLUMNS, such as 8x8

// SUB: spatial-opt: error: pass 'tile-spatial': sub is '4by4', but tiles are ROWSxCOLUMNS, such as 8x8

// K: spatial-opt: error: pass 'tile-spatial': k is 0, but a block has at least one tile

// TARGET: spatial-opt: error: pass 'tile-spatial': there is no target 'wormhol', did you mean 'wormhole'?; known targets: blackhole, fabric, hopper, reference, wormhole
