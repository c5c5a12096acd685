// RUN: not spatial-opt %s --split-input-file --synthesize-handshakes 2>/dev/null | filecheck %s --check-prefix OUTPUT
// RUN: not spatial-opt %s --split-input-file --synthesize-handshakes 2>&1 >/dev/null | filecheck %s --match-full-lines

// Nothing is printed of a module that fails, but the lines between the inputs.

//     OUTPUT: // -----
// OUTPUT-NOT: {{[a-z]+}}

// Wrong phase: what is missing, where, and the pass that provides it.

spatial.program @p(%X : memref<32x128xbf16>, %Y : memref<32x128xbf16>) {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, 0] into %x
  spatial.store %x into %Y[0, 0]
}

//      CHECK: {{.*}}errors.mlir:11:1: error: 'spatial.program' op has no target: synthesize-handshakes expects a sized program, but this one is template
// CHECK-NEXT:   hint: write target #spatial.target<"..."> or run place-spatial first

// -----

spatial.program @p(%X : memref<32x128xbf16>, %Y : memref<32x128xbf16>) loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, k] into %x on move 0
  spatial.store %x into %Y[0, k] on move 1
}

// CHECK-NEXT: {{.*}}errors.mlir:22:1: error: 'spatial.program' op has no target: synthesize-handshakes expects a sized program, but this one is tiled
// CHECK-NEXT:   hint: write target #spatial.target<"..."> or run place-spatial first

// -----

spatial.program @p(%X : memref<32x128xbf16>, %Y : memref<32x128xbf16>) target #spatial.target<"wormhole"> loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, k] into %x on move 0
  spatial.store %x into %Y[0, k] on move 1
}

// CHECK-NEXT: {{.*}}errors.mlir:33:1: error: 'spatial.program' op has no grid: synthesize-handshakes expects a sized program, but this one is tiled
// CHECK-NEXT:   hint: write grid [rows, columns] or run place-spatial first

// -----

spatial.program @p(%X : memref<32x128xbf16>, %Y : memref<32x128xbf16>) target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, k] into %x on move 0
  spatial.store %x into %Y[0, k]
}

// CHECK-NEXT: {{.*}}errors.mlir:47:3: error: 'spatial.store' op has no engine: synthesize-handshakes expects a sized program, but this one is tiled
// CHECK-NEXT:   hint: write `on move 0` or run place-spatial first

// -----

spatial.program @p(%X : memref<32x128xbf16>, %Y : memref<32x128xbf16>) target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, k] into %x on move 0
  spatial.store %x into %Y[0, k] on move 1
}

// CHECK-NEXT: {{.*}}errors.mlir:56:8: error: 'spatial.buffer' op has no depth: synthesize-handshakes expects a sized program, but this one is placed
// CHECK-NEXT:   hint: write `depth 2` or run size-buffers first

// -----

// A kind of handshake that the target does not provide.

spatial.program @p(%X : memref<32x128xbf16>, %Y : memref<32x128xbf16>) target #spatial.target<"wormhole" {handshakes_local = []}> grid [1, 1] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, k] into %x on move 0
  spatial.store %x into %Y[0, k] on move 1
}

// CHECK-NEXT: {{.*}}errors.mlir:69:8: error: 'spatial.buffer' op %x needs handshake fifo or valid_ready, but target 'wormhole' provides none on a site
// CHECK-NEXT:   hint: choose another target, or override its handshakes_local

// -----

spatial.program @p(%X : memref<32x128xbf16>, %Y : memref<32x128xbf16>) target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %x = spatial.buffer depth 2 handshake valid_ready : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, k] into %x on move 0
  spatial.store %x into %Y[0, k] on move 1
}

// CHECK-NEXT: {{.*}}errors.mlir:80:8: error: 'spatial.buffer' op %x needs handshake valid_ready, but target 'wormhole' provides fifo on a site
// CHECK-NEXT:   hint: choose another target, or override its handshakes_local

// -----

spatial.program @p(%X : memref<32x128xbf16>, %Y : memref<32x256xbf16>) target #spatial.target<"fabric"> grid [1, 2] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1] on move 0
  spatial.store %x into %Y[0, x * 4 + k] on move 1
}

// CHECK-NEXT: {{.*}}errors.mlir:92:8: error: 'spatial.group' op %g needs handshake semaphore, but target 'fabric' does not provide it across sites
// CHECK-NEXT:   hint: load the page on every site instead, or override handshakes_remote

// -----

// Forms of a matmul.

spatial.program @p(%A : memref<32x128xbf16>, %B : memref<128x64xbf16>, %C : memref<32x64xbf16>, %n : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 4] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 1 : !spatial.buffer<1x2xbf16>
  spatial.trip k = %n
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul @mm %a, %b into %c spill %p
  spatial.store %c into %C[0, 0] on move 1
}

// CHECK-NEXT: {{.*}}errors.mlir:114:3: error: 'spatial.matmul' op spills to %p, but the K loop has a run-time trip
// CHECK-NEXT:   hint: partial sums of a run-time trip stay in the accumulator: leave `spill` out

// -----

spatial.program @p(%A : memref<64x96xbf16>, %B : memref<96x192xbf16>, %C : memref<64x192xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3, h = 2, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[h, w * 2] on move 1
}

// CHECK-NEXT: {{.*}}errors.mlir:130:3: error: 'spatial.matmul' op keeps its sums in the accumulator over the K blocks, but makes 6 sub-blocks per item (loops {h, w})
// CHECK-NEXT:   hint: spill the partial sums to a ring, or use one sub-block

// -----

spatial.program @p(%A : memref<32x128xbf16>, %B : memref<128x192xbf16>, %C : memref<32x192xbf16>, %n : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 4, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.trip k = %n
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, w * 2] on move 1
}

// CHECK-NEXT: {{.*}}errors.mlir:147:3: error: 'spatial.matmul' op keeps its sums in the accumulator over the K blocks, but makes 3 sub-blocks per item (loops {w})
// CHECK-NEXT:   hint: spill the partial sums to a ring, or use one sub-block

// -----

spatial.program @p(%A : memref<32x96xbf16>, %B : memref<96x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole" {acc_across_k = false}> grid [1, 1] loops [k = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, 0] on move 1
}

// CHECK-NEXT: {{.*}}errors.mlir:163:3: error: 'spatial.matmul' op keeps its sums in the accumulator over the K blocks, which target 'wormhole' cannot
// CHECK-NEXT:   hint: spill the partial sums to a ring

// -----

spatial.program @p(%A : memref<32x96xbf16>, %B : memref<96x128xbf16>, %C : memref<32x128xbf16>)
    target #spatial.target<"wormhole" {pack_accumulate = false}> grid [1, 1] loops [k = 3, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x4xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[0, w * 2] on move 1
}

// CHECK-NEXT: {{.*}}errors.mlir:180:3: error: 'spatial.matmul' op adds up partial sums in memory, but the packer of target 'wormhole' cannot
// CHECK-NEXT:   hint: spill `by reload` to a ring of its own

// -----

spatial.program @p(%A : memref<64x96xbf16>, %B : memref<96x192xbf16>, %C : memref<64x192xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3, h = 2, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 7 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[h, w * 2] on move 1
}

// CHECK-NEXT: {{.*}}errors.mlir:197:3: error: 'spatial.matmul' op needs exactly 6 pages in %p, one per sub-block, but its depth is 7
// CHECK-NEXT:   hint: give %p depth 6

// -----

spatial.program @p(%A : memref<64x96xbf16>, %B : memref<96x192xbf16>, %C : memref<64x192xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3, h = 2, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 5 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[h, w * 2] on move 1
}

// CHECK-NEXT: {{.*}}errors.mlir:214:3: error: 'spatial.matmul' op needs exactly 6 pages in %p, one per sub-block, but its depth is 5
// CHECK-NEXT:   hint: give %p depth 6

// -----

spatial.program @p(%A : memref<64x96xbf16>, %B : memref<96x192xbf16>, %C : memref<64x192xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3, h = 2, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 5 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p
  spatial.store %c into %C[h, w * 2] on move 1
}

// CHECK-NEXT: {{.*}}errors.mlir:231:3: error: 'spatial.matmul' op needs at least 6 pages in %p, one per sub-block, but its depth is 5
// CHECK-NEXT:   hint: give %p depth 6

// -----

spatial.program @p(%A : memref<64x64xbf16>, %B : memref<64x192xbf16>, %C : memref<64x192xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2, h = 2, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 5 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[h, w * 2] on move 1
}

// CHECK-NEXT: {{.*}}errors.mlir:248:3: error: 'spatial.matmul' op needs at least 6 pages in %p, one per sub-block, but its depth is 5
// CHECK-NEXT:   hint: give %p depth 6

// -----

spatial.program @p(%A : memref<32x64xbf16>, %B : memref<64x192xbf16>, %C : memref<32x192xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 4 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 4 alias %c : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[0, w * 2] on move 1
}

// CHECK-NEXT: {{.*}}errors.mlir:265:3: error: 'spatial.matmul' op needs exactly 3 pages in %p, one per sub-block, but its depth is 4
// CHECK-NEXT:   hint: give %p depth 3
// CHECK-NEXT: {{.*}}errors.mlir:265:3: error: 'spatial.matmul' op needs exactly 3 pages in %c, one per sub-block, but its depth is 4
// CHECK-NEXT:   hint: give %c depth 3

// -----

spatial.program @p(%A : memref<32x64xbf16>, %B : memref<64x192xbf16>, %C : memref<32x192xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 3 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 3 alias %c : !spatial.buffer<1x2xf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[0, w * 2] on move 1
}

// CHECK-NEXT: {{.*}}errors.mlir:284:3: error: 'spatial.matmul' op adds up in place, but the result is %c of 1x2xbf16 and the partial sums are %p of 1x2xf16
// CHECK-NEXT:   hint: give both one element type, or the partial sums memory of their own

// -----

// Several stages on one site while an accumulator is kept.

spatial.program @p(%A : memref<32x96xbf16>, %B : memref<96x32xbf16>, %C : memref<32x32xbf16>, %D : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul @first %a, %b into %c
  spatial.matmul @second %a, %b into %d spill %p
  spatial.store %c into %C[0, 0] on move 1
  spatial.store %d into %D[0, 0] on move 1
}

// CHECK-NEXT: {{.*}}errors.mlir:304:3: error: 'spatial.matmul' op keeps its accumulator over all K blocks, but 'spatial.matmul' op @second computes in each of them on the same site
// CHECK-NEXT:   hint: spill the partial sums to a ring

// -----

spatial.program @p(%A : memref<32x96xbf16>, %Q : memref<96x32xi8>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %q = spatial.buffer depth 2 : !spatial.buffer<1x1xi8>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %Q[k, 0] into %q on move 0
  spatial.map @dequantise (%q) into %b {
  ^bb0(%0 : i32):
    %1 = arith.sitofp %0 : i32 to f32
    spatial.yield %1 : f32
  }
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, 0] on move 1
}

// CHECK-NEXT: {{.*}}errors.mlir:328:3: error: 'spatial.matmul' op keeps its accumulator over all K blocks, but 'spatial.map' op @dequantise computes in each of them on the same site
// CHECK-NEXT:   hint: spill the partial sums to a ring

// -----

// Pages that are not there when they are read.

spatial.program @p(%A : memref<32x96xbf16>, %B : memref<96x32xbf16>, %V : memref<96x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %v = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %q = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.load %V[k, 0] into %v on move 0
  spatial.matmul @first %a, %b into %c spill %p
  spatial.matmul @second %c, %v into %d spill %q
  spatial.store %d into %C[0, 0] on move 1
}

// CHECK-NEXT: {{.*}}errors.mlir:352:3: error: 'spatial.matmul' op reads %c in every K block, but 'spatial.matmul' op @first makes it after the last one
// CHECK-NEXT:   hint: use `dot` for the first product, or a second program

// -----

// A page needed more often than it is made.

spatial.program @p(%X : memref<64x96xbf16>, %G : memref<32x96xbf16>, %Y : memref<64x96xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [h = 2, w = 3] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %t = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[h, w] into %x on move 0
  spatial.load %G[0, w] into %g on move 0
  spatial.map @once (%g) into %t {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @f (%x, %t) into %y {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %y into %Y[h, w] on move 1
}

// CHECK-NEXT: {{.*}}errors.mlir:375:3: error: 'spatial.map' op needs %t again for every iteration of the loops {h, w}, but its domain is {w}: the page is needed more often than it is made
// CHECK-NEXT:   hint: load it, since a load can fetch a page again, or compute it in these loops

// -----

// Carries.

spatial.program @p(%X : memref<32x128xbf16>, %D : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  spatial.load %X[0, k] into %x on move 0
  spatial.map @init (%x) into %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @emit (%s, %x) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map @add (%s, %x) update %s {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %D[0, k] on move 1
}

// CHECK-NEXT: {{.*}}errors.mlir:396:3: error: 'spatial.map' op initialises carry %s, but runs in every K block
// CHECK-NEXT:   hint: initialise a carry from pages that do not depend on the blocks

// -----

spatial.program @p(%Z : memref<32x32xbf16>, %X : memref<32x128xbf16>, %D : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 1 : !spatial.buffer<1x1xf32>
  spatial.load %Z[0, 0] into %z on move 0
  spatial.load %X[0, k] into %x on move 0
  spatial.map @init (%z) into %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @add (%s, %x) update %s {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map @finish (%s) into %d {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %d into %D[0, 0] on move 1
}

// CHECK-NEXT: {{.*}}errors.mlir:423:8: error: 'spatial.buffer' op %s is a carry of 1 page, replaced while the old one is read, but its depth is 1
// CHECK-NEXT:   hint: give it depth 2

// -----

spatial.program @p(%Z : memref<64x96xbf16>, %X : memref<64x384xbf16>, %D : memref<64x96xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4, h = 2, w = 3] {
  %z = spatial.buffer depth 6 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 6 : !spatial.buffer<1x1xf32>
  spatial.load %Z[h, w] into %z on move 0
  spatial.load %X[h, k * 3 + w] into %x on move 0
  spatial.map @init (%z) into %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @add (%s, %x) update %s {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map @finish (%s) into %d {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %d into %D[h, w] on move 1
}

// CHECK-NEXT: {{.*}}errors.mlir:452:8: error: 'spatial.buffer' op %s is a carry of 6 pages, replaced while the old one is read, but its depth is 6
// CHECK-NEXT:   hint: give it depth 7

// -----

spatial.program @p(%Z : memref<32x96xbf16>, %X : memref<32x384xbf16>, %D : memref<32x96xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4, w = 3] {
  %z = spatial.buffer depth 3 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 4 : !spatial.buffer<1x1xf32>
  spatial.load %Z[0, w] into %z on move 0
  spatial.load %X[0, k * 3 + w] into %x on move 0
  spatial.map @init (%z) into %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @add (%s, %x) update %s {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map @finish (%s, %z) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %D[0, w] on move 1
}

// CHECK-NEXT: {{.*}}errors.mlir:493:3: error: 'spatial.map' op reads %z in a nest of its own, but 'spatial.map' op @init has taken its pages already: the page is needed more often than it is made
// CHECK-NEXT:   hint: give each of them a buffer of its own

// -----

spatial.program @p(%Z : memref<32x96xbf16>, %X : memref<32x128xbf16>, %D : memref<32x96xbf16>, %E : memref<32x96xbf16>, %Y : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] loops [k = 4, w = 3] {
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %e = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  spatial.load @start %Z[0, w] into %z on move 0
  spatial.load %X[0, k] into %x on move 0
  spatial.map @init (%z) into %s at [0, 0] {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @add (%s, %x) update %s at [0, 0] {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map @finish (%s) into %d at [0, 0] {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @emit (%x) into %y at [0, 1] {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @copy (%z) into %e at [0, 1] {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %d into %D[0, w] at [0, 0] on move 1
  spatial.store %e into %E[0, w] at [0, 1] on move 1
  spatial.store %y into %Y[0, k] at [0, 1] on move 1
}

// CHECK-NEXT: {{.*}}errors.mlir:508:8: error: 'spatial.buffer' op %z is filled by 'spatial.load' op @start before the K blocks and read by 'spatial.map' op @copy after the K blocks, so 3 pages wait in it, but its depth is 2
// CHECK-NEXT:   hint: give it depth 3

// -----

spatial.program @p(%Z : memref<32x32xbf16>, %X : memref<32x384xbf16>, %D : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4, w = 3] {
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  spatial.load %Z[0, 0] into %z on move 0
  spatial.load %X[0, k * 3 + w] into %x on move 0
  spatial.map @init (%z) into %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @add (%s, %x) update %s {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map @finish (%s) into %d {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %d into %D[0, 0] on move 1
}

// CHECK-NEXT: {{.*}}errors.mlir:559:3: error: 'spatial.map' op reads carry %s of domain {} in the loops {k, w}, but all stages of a K block that touch a carry stand in its own loops
// CHECK-NEXT:   hint: give the carry the domain of the stages that use it
// CHECK-NEXT: {{.*}}errors.mlir:559:3: error: 'spatial.map' op updates carry %s of domain {} in the loops {k, w}: it must replace every page once per block
// CHECK-NEXT:   hint: initialise the carry in the same sub-block loops

// -----

spatial.program @p(%X : memref<32x128xbf16>, %Z : memref<32x32xbf16>, %D : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %f = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, k] into %x on move 0
  spatial.load %Z[0, 0] into %z on move 0
  spatial.map @init (%z) into %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @decay (%s, %z) into %f {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map @add (%s, %f, %x) update %s {
  ^bb0(%0 : f32, %1 : f32, %2 : f32):
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    spatial.yield %4 : f32
  }
  spatial.map @finish (%s, %f) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %D[0, 0] on move 1
}

// CHECK-NEXT: {{.*}}errors.mlir:602:3: error: 'spatial.map' op reads %f once after the K blocks, but 'spatial.map' op @decay makes a page of it in every block
// CHECK-NEXT:   hint: make it a carry: initialise it before the blocks and update it

// CHECK-NOT: {{.+}}
