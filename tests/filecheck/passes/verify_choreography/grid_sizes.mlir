// RUN: spatial-opt %s --synthesize-handshakes --verify-choreography 2>&1 | filecheck %s

// The proof runs a reduced grid: it takes the same number of steps for 64 sites and for 742500.

// CHECK: grid_sizes.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @grid_8x8 proved: [[STEPS:.*]]
spatial.program @grid_8x8(%A : memref<256x96xbf16>, %B : memref<96x256xbf16>, %C : memref<256x256xbf16>)
    target #spatial.target<"wormhole"> grid [8, 8] loops [k = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %rows = spatial.group from [0:8, 0] to [0:8, 1:8] along x
  %cols = spatial.group from [0, 0:8] to [1:8, 0:8] along y
  spatial.load %A[y, k] into %a multicast %rows at [0:8, 0] on move 0
  spatial.recv %rows into %a at [0:8, 1:8] on move 0
  spatial.load %B[k, x] into %b multicast %cols at [0, 0:8] on move 0
  spatial.recv %cols into %b at [1:8, 0:8] on move 0
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[y, x] on move 1
}

// CHECK: grid_sizes.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @grid_64x64 proved: [[STEPS]]
spatial.program @grid_64x64(%A : memref<2048x96xbf16>, %B : memref<96x2048xbf16>, %C : memref<2048x2048xbf16>)
    target #spatial.target<"wormhole"> grid [64, 64] loops [k = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %rows = spatial.group from [0:64, 0] to [0:64, 1:64] along x
  %cols = spatial.group from [0, 0:64] to [1:64, 0:64] along y
  spatial.load %A[y, k] into %a multicast %rows at [0:64, 0] on move 0
  spatial.recv %rows into %a at [0:64, 1:64] on move 0
  spatial.load %B[k, x] into %b multicast %cols at [0, 0:64] on move 0
  spatial.recv %cols into %b at [1:64, 0:64] on move 0
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[y, x] on move 1
}

// CHECK: grid_sizes.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @grid_750x990 proved: [[STEPS]]
spatial.program @grid_750x990(%A : memref<24000x96xbf16>, %B : memref<96x31680xbf16>, %C : memref<24000x31680xbf16>)
    target #spatial.target<"wormhole"> grid [750, 990] loops [k = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %rows = spatial.group from [0:750, 0] to [0:750, 1:990] along x
  %cols = spatial.group from [0, 0:990] to [1:750, 0:990] along y
  spatial.load %A[y, k] into %a multicast %rows at [0:750, 0] on move 0
  spatial.recv %rows into %a at [0:750, 1:990] on move 0
  spatial.load %B[k, x] into %b multicast %cols at [0, 0:990] on move 0
  spatial.recv %cols into %b at [1:750, 0:990] on move 0
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[y, x] on move 1
}

// A million blocks, through rings of different depths.
// CHECK: grid_sizes.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @blocks proved:
spatial.program @blocks(%A : memref<24000x32000000xbf16>, %B : memref<32000000x31680xbf16>, %C : memref<24000x31680xbf16>)
    target #spatial.target<"wormhole"> grid [750, 990] loops [k = 1000000] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 3 : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %rows = spatial.group from [0:750, 0] to [0:750, 1:990] along x
  %cols = spatial.group from [0, 0:990] to [1:750, 0:990] along y
  spatial.load %A[y, k] into %a multicast %rows at [0:750, 0] on move 0
  spatial.recv %rows into %a at [0:750, 1:990] on move 0
  spatial.load %B[k, x] into %b multicast %cols at [0, 0:990] on move 0
  spatial.recv %cols into %b at [1:750, 0:990] on move 0
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[y, x] on move 1
}

// CHECK-NOT: {{warning|remark|error}}:
