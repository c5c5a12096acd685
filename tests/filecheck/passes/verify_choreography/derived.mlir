// RUN: spatial-opt %s --synthesize-handshakes --verify-choreography 2>&1 | filecheck %s

// What is derived from the dataflow keeps the rules that people break by hand: everything here is
// proved.

// rule 31, accepted: ready counts are the numbers of receivers, seven in each row and each column.
// rule 32, accepted: rows and columns have a pair of semaphores each.
// CHECK: derived.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @matmul proved:
spatial.program @matmul(%A : memref<2048x512xbf16>, %B : memref<512x2048xbf16>, %C : memref<2048x2048xbf16>)
    target #spatial.target<"wormhole"> grid [8, 8] loops [k = 4, h = 2, w = 4] {
  %a = spatial.buffer depth 2 : !spatial.buffer<8x4xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<4x8xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<4x2xbf16>
  %p = spatial.buffer depth 8 : !spatial.buffer<4x2xbf16>
  %rows = spatial.group from [0:8, 0] to [0:8, 1:8] along x
  %cols = spatial.group from [0, 0:8] to [1:8, 0:8] along y
  spatial.load %A[y * 8, k * 4] into %a multicast %rows at [0:8, 0] on move 0
  spatial.recv %rows into %a at [0:8, 1:8] on move 0
  spatial.load %B[k * 4, x * 8] into %b multicast %cols at [0, 0:8] on move 0
  spatial.recv %cols into %b at [1:8, 0:8] on move 0
  spatial.matmul %a, %b into %c spill %p by reload at [0:8, 0:8]
  spatial.store %c into %C[y * 8 + h * 4, x * 8 + w * 2] at [0:8, 0:8] on move 1
}

// rule 4, accepted: two multicasts of one engine come in one order at all sites.
// rule 43, accepted: a ring of one page is flushed before it is read over.
// CHECK: derived.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @matmul_in_registers proved:
spatial.program @matmul_in_registers(%A : memref<32x64xbf16>, %B : memref<64x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] loops [k = 2] {
  %a = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %rows = spatial.group from [0, 0] to [0, 1] along x
  %back = spatial.group from [0, 1] to [0, 0] along x
  spatial.load %A[0, k] into %a multicast %rows at [0, 0] on move 0
  spatial.recv %rows into %a at [0, 1] on move 0
  spatial.load %B[k, 0] into %b multicast %back at [0, 1] on move 0
  spatial.recv %back into %b at [0, 0] on move 0
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, x] on move 1
}

// rule 15, accepted: on a target that does not keep the order of a held path, a flush stands
// between data and flag.
// CHECK: derived.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @needs_flush proved:
spatial.program @needs_flush(%X : memref<32x128xbf16>, %Y : memref<128x128xbf16>)
    target #spatial.target<"blackhole"> grid [1, 4] loops [k = 4] {
  %x = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:4] along x
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1:4] on move 0
  spatial.store %x into %Y[x, k] on move 1
}

// rule 27, accepted: pages are passed on from site to site.
// CHECK: derived.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @chain proved:
spatial.program @chain(%X : memref<32x128xbf16>, %Y : memref<96x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 3] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %h = spatial.group from [0, 1] to [0, 2] along x
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x multicast %h at [0, 1] on move 0
  spatial.recv %h into %x at [0, 2] on move 0
  spatial.store %x into %Y[x, k] on move 1
}

// rule 25, accepted: a page is waited for and popped where its domain says: once, per row, per page.
// CHECK: derived.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @domains proved:
spatial.program @domains(%X : memref<96x160xbf16>, %R : memref<96x32xbf16>, %S : memref<32x32xbf16>, %Y : memref<96x160xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [h = 3, w = 5] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %r = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  spatial.load %X[h, w] into %x on move 0
  spatial.load %R[h, 0] into %r on move 0
  spatial.load %S[0, 0] into %s on move 0
  spatial.map (%x, %r, %s) into %y {
  ^bb0(%0 : f32, %1 : f32, %2 : f32):
    %3 = arith.mulf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    spatial.yield %4 : f32
  }
  spatial.store %y into %Y[h, w] on move 1
}

// rule 11, accepted: a product with the bias,
// CHECK: derived.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @with_bias proved:
spatial.program @with_bias(%A : memref<32x96xbf16>, %B : memref<96x64xbf16>, %V : memref<32x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %m = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %v = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.load %V[0, w] into %v on move 1
  spatial.matmul %a, %b into %m spill %p by reload
  spatial.map (%m, %v) into %c {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %c into %C[0, w] on move 1
}

// rule 11, accepted: and without it.
// CHECK: derived.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @without_bias proved:
spatial.program @without_bias(%A : memref<32x96xbf16>, %B : memref<96x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by reload
  spatial.store %c into %C[0, w] on move 1
}

// rule 23, accepted: the packer adds from the second block on.
// CHECK: derived.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @packed proved:
spatial.program @packed(%A : memref<32x160xbf16>, %B : memref<160x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 5, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[0, w] on move 1
}

// rule 47, accepted: partial sums in the memory of the result, item after item.
// CHECK: derived.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @in_place proved:
spatial.program @in_place(%A : memref<128x160xbf16>, %B : memref<160x64xbf16>, %C : memref<128x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [i = 4, k = 5, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 2 alias %c : !spatial.buffer<1x1xbf16>
  spatial.load %A[i, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[i, w] on move 1
}

// rule 8, accepted: a fold replaces its carry once a block, for any number of blocks.
// rule 28, accepted: none and one among them.
// CHECK: derived.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @fold proved:
spatial.program @fold(%Z : memref<32x32xbf16>, %X : memref<32x32768xbf16>, %Y : memref<32x32xbf16>, %n : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 1024] {
  %z = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  spatial.trip k = %n
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

// rule 10, accepted: the numbers of pages of a multicast follow the trip of each row.
// CHECK: derived.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @trip_of_each_row proved:
spatial.program @trip_of_each_row(%X : memref<128x256xbf16>, %V : memref<256x32xbf16>, %Y : memref<128x64xbf16>, %lens : memref<4x1xi32>)
    target #spatial.target<"wormhole"> grid [4, 2] loops [k = ? max 8] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %v = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0:4, 0] to [0:4, 1] along x
  spatial.trip k = %lens[y, 0]
  spatial.load %X[y, k] into %x multicast %g at [0:4, 0] on move 0
  spatial.recv %g into %x at [0:4, 1] on move 0
  spatial.load %V[k, 0] into %v on move 1
  spatial.matmul %x, %v into %y
  spatial.store %y into %Y[y, x] on move 1
}

// rule 35, accepted: two ways from one page meet again.
// rule 9, accepted: two engines want the pages of a tensor, and get a ring each.
// CHECK: derived.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @meet_again proved:
spatial.program @meet_again(%X : memref<32x128xbf16>, %Y : memref<32x128xbf16>, %Z : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %x = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %copy = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %u = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %v = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, k] into %x on move 0
  spatial.load %X[0, k] into %copy on move 0
  spatial.map (%x) into %u {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map (%u) into %v {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map (%x, %v) into %y {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %y into %Y[0, k] on move 0
  spatial.store %copy into %Z[0, k] on move 1
}

// rule 37, accepted: loads and stores of one engine come in turns.
// CHECK: derived.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @one_engine proved:
spatial.program @one_engine(%I : memref<128x128xi32>, %T : memref<1024x1024xbf16>, %Y : memref<128x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %ix = spatial.buffer depth 1 : !spatial.buffer<1x1xi32>
  %t = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  spatial.load %I[k, 0] into %ix on move 0
  spatial.load %T[ind, 0] into %t via %ix on move 0
  spatial.map (%t) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[k, 0] on move 0
}

// rule 13, accepted: wires instead of counters take one page at a time.
// CHECK: derived.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @fabric proved:
spatial.program @fabric(%X : memref<32x128xbf16>, %Y : memref<32x128xbf16>)
    target #spatial.target<"fabric"> grid [1, 1] loops [k = 4] {
  %x = spatial.buffer depth 3 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, k] into %x on move 0
  spatial.store %x into %Y[0, k] on move 1
}

// CHECK-NOT: {{warning|remark|error}}:
