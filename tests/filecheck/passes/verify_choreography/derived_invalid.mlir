// RUN: not spatial-opt %s --split-input-file --synthesize-handshakes --verify-choreography 2>&1 >/dev/null | filecheck %s

// Dataflow for which there is no right choreography is refused, with what is missing.

// rule 30, rejected: a carry of depth 1; the least depth is told.
spatial.program @carry_of_depth_1(%Z : memref<32x32xbf16>, %X : memref<32x128xbf16>, %Y : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %z = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  // CHECK: derived_invalid.mlir:[[# @LINE + 2]]:8: error: 'spatial.buffer' op %s is a carry of 1 page, {{.*}} but its depth is 1
  // CHECK-NEXT: hint: give it depth 2
  %s = spatial.buffer depth 1 : !spatial.buffer<1x1xf32>
  spatial.load %Z[0, 0] into %z on move 0
  spatial.load %X[0, k] into %x on move 0
  spatial.map (%z) into %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map (%s, %x) update %s {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map (%s) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[0, 0] on move 1
}

// -----

// rule 36, rejected: a ring below the least depth of its matmul; the least depth is told.
spatial.program @below_the_floor(%A : memref<64x96xbf16>, %B : memref<96x192xbf16>, %C : memref<64x192xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3, h = 2, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 5 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  // CHECK: derived_invalid.mlir:[[# @LINE + 2]]:3: error: 'spatial.matmul' op needs at least 6 pages in %p, {{.*}} but its depth is 5
  // CHECK-NEXT: hint: give %p depth 6
  spatial.matmul %a, %b into %c spill %p
  spatial.store %c into %C[h, w * 2] on move 1
}

// -----

// rule 9, rejected: two engines of a site read one buffer.
spatial.program @two_readers(%X : memref<32x128xbf16>, %Y : memref<32x128xbf16>, %Z : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, k] into %x on move 0
  spatial.map @copy (%x) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[0, k] on move 1
  // CHECK: derived_invalid.mlir:[[# @LINE + 1]]:3: error: 'spatial.store' op reads %x on `move 1` {{.*}}, where 'spatial.map' op @copy reads it on `compute`
  spatial.store %x into %Z[0, k] on move 1
}

// -----

// rule 10, rejected: the store takes pages that are not made.
spatial.program @more_stored(%X : memref<32x32xbf16>, %Y : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [w = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, 0] into %x on move 0
  // CHECK: derived_invalid.mlir:[[# @LINE + 1]]:3: error: 'spatial.store' op stores one page per {w}, but %x has one per {}
  spatial.store %x into %Y[0, w] on move 1
}

// -----

// rule 3, rejected: the sender fills its own ring, and nobody takes the pages there.
spatial.program @nobody_reads(%X : memref<32x128xbf16>, %Y : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  // CHECK: derived_invalid.mlir:[[# @LINE + 1]]:3: error: 'spatial.load' op fills %x at [0, 0], but stages read it at [0, 1] only
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1] on move 0
  spatial.store %x into %Y[0, k] at [0, 1] on move 1
}

// -----

// rule 2, rejected: a site sends what it makes of a page that it receives for it.
spatial.program @round_and_round(%Y : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] loops [k = 4] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %h = spatial.group from [0, 1] to [0, 0] along x
  spatial.recv %h into %a multicast %g at [0, 0] on move 0
  // CHECK: derived_invalid.mlir:[[# @LINE + 1]]:3: error: 'spatial.recv' op is in a cycle of stages
  spatial.recv %g into %a multicast %h at [0, 1] on move 0
  spatial.store %a into %Y[x, k] on move 1
}

// -----

// rule 32, rejected: a receiver hears two senders of one group.
spatial.program @two_senders(%X : memref<32x128xbf16>, %Y : memref<96x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 3] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  // CHECK: derived_invalid.mlir:[[# @LINE + 1]]:8: error: 'spatial.group' op receiver [0, 2] hears two senders
  %g = spatial.group from [0, 0:2] to [0, 2] along x
  spatial.load %X[0, k] into %x multicast %g at [0, 0:2] on move 0
  spatial.recv %g into %x at [0, 2] on move 0
  spatial.store %x into %Y[x, k] on move 1
}

// -----

// rule 24, rejected: a result of 8 tiles of 32 bit where the target adds up 4.
spatial.program @too_many_tiles(%A : memref<64x96xbf16>, %B : memref<96x128xbf16>, %C : memref<64x128xf32>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x4xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<2x4xf32>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  // CHECK: derived_invalid.mlir:[[# @LINE + 1]]:3: error: 'spatial.matmul' op accumulates %c of 2x4xf32, 8 tiles, in f32, but
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, 0] on move 1
}

// -----

// rule 6, rejected: a page is needed again, but it was popped.
spatial.program @needed_again(%X : memref<32x96xbf16>, %Y : memref<64x96xbf16>, %Z : memref<64x96xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [h = 2, w = 3] {
  %x = spatial.buffer depth 3 : !spatial.buffer<1x1xbf16>
  %z = spatial.buffer depth 3 : !spatial.buffer<1x1xbf16>
  %t = spatial.buffer depth 3 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 3 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, w] into %x on move 0
  spatial.load %Z[h, w] into %z on move 0
  spatial.map @make (%x) into %t {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  // CHECK: derived_invalid.mlir:[[# @LINE + 1]]:3: error: 'spatial.map' op needs %t again for every iteration of the loops {h, w}
  spatial.map (%t, %z) into %y {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %y into %Y[h, w] on move 1
}

// CHECK-NOT: {{warning|remark|error}}:
