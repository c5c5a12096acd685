// RUN: spatial-opt %s --synthesize-handshakes --verify-choreography 2>&1 | filecheck %s

// rule 49, accepted: each form that K blocks are run in, for as many of them as rings have pages
// less one, as many, one more, a prime and a million. Rings are 2 pages deep; a single block has a
// form of its own.

// A matmul that keeps its sums in the accumulator,

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @registers_1 proved:
spatial.program @registers_1(%A : memref<32x32xbf16>, %B : memref<32x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 1] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, 0] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @registers_2 proved:
spatial.program @registers_2(%A : memref<32x64xbf16>, %B : memref<64x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, 0] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @registers_3 proved:
spatial.program @registers_3(%A : memref<32x96xbf16>, %B : memref<96x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, 0] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @registers_7 proved:
spatial.program @registers_7(%A : memref<32x224xbf16>, %B : memref<224x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 7] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, 0] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @registers_1000000 proved:
spatial.program @registers_1000000(%A : memref<32x32000000xbf16>, %B : memref<32000000x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 1000000] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, 0] on move 1
}

// one that reads them back,

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @reload_1 proved:
spatial.program @reload_1(%A : memref<32x32xbf16>, %B : memref<32x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 1, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by reload
  spatial.store %c into %C[0, w] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @reload_2 proved:
spatial.program @reload_2(%A : memref<32x64xbf16>, %B : memref<64x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by reload
  spatial.store %c into %C[0, w] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @reload_3 proved:
spatial.program @reload_3(%A : memref<32x96xbf16>, %B : memref<96x64xbf16>, %C : memref<32x64xbf16>)
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

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @reload_7 proved:
spatial.program @reload_7(%A : memref<32x224xbf16>, %B : memref<224x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 7, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by reload
  spatial.store %c into %C[0, w] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @reload_1000000 proved:
spatial.program @reload_1000000(%A : memref<32x32000000xbf16>, %B : memref<32000000x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 1000000, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by reload
  spatial.store %c into %C[0, w] on move 1
}

// one whose packer adds to them,

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @pack_1 proved:
spatial.program @pack_1(%A : memref<32x32xbf16>, %B : memref<32x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 1, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[0, w] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @pack_2 proved:
spatial.program @pack_2(%A : memref<32x64xbf16>, %B : memref<64x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[0, w] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @pack_3 proved:
spatial.program @pack_3(%A : memref<32x96xbf16>, %B : memref<96x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[0, w] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @pack_7 proved:
spatial.program @pack_7(%A : memref<32x224xbf16>, %B : memref<224x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 7, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[0, w] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @pack_1000000 proved:
spatial.program @pack_1000000(%A : memref<32x32000000xbf16>, %B : memref<32000000x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 1000000, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[0, w] on move 1
}

// and one that does so in the memory of the result.

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @in_place_1 proved:
spatial.program @in_place_1(%A : memref<32x32xbf16>, %B : memref<32x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 1, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 2 alias %c : !spatial.buffer<1x1xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[0, w] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @in_place_2 proved:
spatial.program @in_place_2(%A : memref<32x64xbf16>, %B : memref<64x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 2 alias %c : !spatial.buffer<1x1xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[0, w] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @in_place_3 proved:
spatial.program @in_place_3(%A : memref<32x96xbf16>, %B : memref<96x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 2 alias %c : !spatial.buffer<1x1xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[0, w] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @in_place_7 proved:
spatial.program @in_place_7(%A : memref<32x224xbf16>, %B : memref<224x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 7, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 2 alias %c : !spatial.buffer<1x1xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[0, w] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @in_place_1000000 proved:
spatial.program @in_place_1000000(%A : memref<32x32000000xbf16>, %B : memref<32000000x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 1000000, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 2 alias %c : !spatial.buffer<1x1xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[0, w] on move 1
}

// A fold.

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @fold_1 proved:
spatial.program @fold_1(%Z : memref<32x32xbf16>, %X : memref<32x32xbf16>, %Y : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 1] {
  %z = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
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

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @fold_2 proved:
spatial.program @fold_2(%Z : memref<32x32xbf16>, %X : memref<32x64xbf16>, %Y : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2] {
  %z = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
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

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @fold_3 proved:
spatial.program @fold_3(%Z : memref<32x32xbf16>, %X : memref<32x96xbf16>, %Y : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3] {
  %z = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
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

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @fold_7 proved:
spatial.program @fold_7(%Z : memref<32x32xbf16>, %X : memref<32x224xbf16>, %Y : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 7] {
  %z = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
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

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @fold_1000000 proved:
spatial.program @fold_1000000(%Z : memref<32x32xbf16>, %X : memref<32x32000000xbf16>, %Y : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 1000000] {
  %z = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
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

// A multicast, on a target that keeps the order of a held path, and on one that does not.

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @multicast_wormhole_1 proved:
spatial.program @multicast_wormhole_1(%X : memref<32x32xbf16>, %Y : memref<96x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 3] loops [k = 1] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:3] along x
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1:3] on move 0
  spatial.store %x into %Y[x, k] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @multicast_wormhole_2 proved:
spatial.program @multicast_wormhole_2(%X : memref<32x64xbf16>, %Y : memref<96x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 3] loops [k = 2] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:3] along x
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1:3] on move 0
  spatial.store %x into %Y[x, k] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @multicast_wormhole_3 proved:
spatial.program @multicast_wormhole_3(%X : memref<32x96xbf16>, %Y : memref<96x96xbf16>)
    target #spatial.target<"wormhole"> grid [1, 3] loops [k = 3] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:3] along x
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1:3] on move 0
  spatial.store %x into %Y[x, k] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @multicast_wormhole_7 proved:
spatial.program @multicast_wormhole_7(%X : memref<32x224xbf16>, %Y : memref<96x224xbf16>)
    target #spatial.target<"wormhole"> grid [1, 3] loops [k = 7] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:3] along x
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1:3] on move 0
  spatial.store %x into %Y[x, k] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @multicast_wormhole_1000000 proved:
spatial.program @multicast_wormhole_1000000(%X : memref<32x32000000xbf16>, %Y : memref<96x32000000xbf16>)
    target #spatial.target<"wormhole"> grid [1, 3] loops [k = 1000000] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:3] along x
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1:3] on move 0
  spatial.store %x into %Y[x, k] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @multicast_blackhole_1 proved:
spatial.program @multicast_blackhole_1(%X : memref<32x32xbf16>, %Y : memref<96x32xbf16>)
    target #spatial.target<"blackhole"> grid [1, 3] loops [k = 1] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:3] along x
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1:3] on move 0
  spatial.store %x into %Y[x, k] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @multicast_blackhole_2 proved:
spatial.program @multicast_blackhole_2(%X : memref<32x64xbf16>, %Y : memref<96x64xbf16>)
    target #spatial.target<"blackhole"> grid [1, 3] loops [k = 2] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:3] along x
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1:3] on move 0
  spatial.store %x into %Y[x, k] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @multicast_blackhole_3 proved:
spatial.program @multicast_blackhole_3(%X : memref<32x96xbf16>, %Y : memref<96x96xbf16>)
    target #spatial.target<"blackhole"> grid [1, 3] loops [k = 3] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:3] along x
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1:3] on move 0
  spatial.store %x into %Y[x, k] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @multicast_blackhole_7 proved:
spatial.program @multicast_blackhole_7(%X : memref<32x224xbf16>, %Y : memref<96x224xbf16>)
    target #spatial.target<"blackhole"> grid [1, 3] loops [k = 7] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:3] along x
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1:3] on move 0
  spatial.store %x into %Y[x, k] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @multicast_blackhole_1000000 proved:
spatial.program @multicast_blackhole_1000000(%X : memref<32x32000000xbf16>, %Y : memref<96x32000000xbf16>)
    target #spatial.target<"blackhole"> grid [1, 3] loops [k = 1000000] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:3] along x
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1:3] on move 0
  spatial.store %x into %Y[x, k] on move 1
}

// The same to a run-time trip: from none to as many, as well.

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @registers_to_1 proved:
spatial.program @registers_to_1(%A : memref<32x32xbf16>, %B : memref<32x64xbf16>, %C : memref<32x64xbf16>, %n : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 1] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.trip k = %n
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, 0] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @registers_to_2 proved:
spatial.program @registers_to_2(%A : memref<32x64xbf16>, %B : memref<64x64xbf16>, %C : memref<32x64xbf16>, %n : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.trip k = %n
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, 0] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @registers_to_3 proved:
spatial.program @registers_to_3(%A : memref<32x96xbf16>, %B : memref<96x64xbf16>, %C : memref<32x64xbf16>, %n : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.trip k = %n
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, 0] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @registers_to_7 proved:
spatial.program @registers_to_7(%A : memref<32x224xbf16>, %B : memref<224x64xbf16>, %C : memref<32x64xbf16>, %n : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 7] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.trip k = %n
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, 0] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @registers_to_1000000 proved:
spatial.program @registers_to_1000000(%A : memref<32x32000000xbf16>, %B : memref<32000000x64xbf16>, %C : memref<32x64xbf16>, %n : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 1000000] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.trip k = %n
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, 0] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @multicast_to_1 proved:
spatial.program @multicast_to_1(%X : memref<32x32xbf16>, %Y : memref<96x32xbf16>, %n : index)
    target #spatial.target<"wormhole"> grid [1, 3] loops [k = ? max 1] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:3] along x
  spatial.trip k = %n
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1:3] on move 0
  spatial.store %x into %Y[x, k] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @multicast_to_2 proved:
spatial.program @multicast_to_2(%X : memref<32x64xbf16>, %Y : memref<96x64xbf16>, %n : index)
    target #spatial.target<"wormhole"> grid [1, 3] loops [k = ? max 2] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:3] along x
  spatial.trip k = %n
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1:3] on move 0
  spatial.store %x into %Y[x, k] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @multicast_to_3 proved:
spatial.program @multicast_to_3(%X : memref<32x96xbf16>, %Y : memref<96x96xbf16>, %n : index)
    target #spatial.target<"wormhole"> grid [1, 3] loops [k = ? max 3] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:3] along x
  spatial.trip k = %n
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1:3] on move 0
  spatial.store %x into %Y[x, k] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @multicast_to_7 proved:
spatial.program @multicast_to_7(%X : memref<32x224xbf16>, %Y : memref<96x224xbf16>, %n : index)
    target #spatial.target<"wormhole"> grid [1, 3] loops [k = ? max 7] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:3] along x
  spatial.trip k = %n
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1:3] on move 0
  spatial.store %x into %Y[x, k] on move 1
}

// CHECK: derived_trips.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @multicast_to_1000000 proved:
spatial.program @multicast_to_1000000(%X : memref<32x32000000xbf16>, %Y : memref<96x32000000xbf16>, %n : index)
    target #spatial.target<"wormhole"> grid [1, 3] loops [k = ? max 1000000] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:3] along x
  spatial.trip k = %n
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1:3] on move 0
  spatial.store %x into %Y[x, k] on move 1
}

// CHECK-NOT: {{warning|remark|error}}:
