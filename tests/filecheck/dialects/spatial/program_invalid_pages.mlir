// RUN: not spatial-opt %s --split-input-file 2>&1 >/dev/null | filecheck %s --match-full-lines

// Who fills, carries, spills to and reads each buffer, who is at the ends of each group, and cycles.

spatial.program @unused(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  %left_over = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, x] into %x on move 0
  spatial.store %x into %Y[y, x] on move 1
}

//      CHECK: {{.*}}program_invalid_pages.mlir:8:16: error: 'spatial.buffer' op %left_over is never used
// CHECK-NEXT:   hint: remove it

// -----

spatial.program @nobody_fills(%Y : memref<64x64xbf16>) target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.store %x into %Y[y, x] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:20:3: error: 'spatial.store' op reads %x, but no stage fills it
// CHECK-NEXT:   hint: fill %x by a load, a recv or a compute stage

// -----

spatial.program @nobody_fills_here(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, x] into %x at [0:2, 0] on move 0
  spatial.store %x into %Y[y, x] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:32:3: error: 'spatial.store' op reads %x at [0, 1], but stages fill it at [0:2, 0] only
// CHECK-NEXT:   hint: fill it there too, or read it at fewer sites

// -----

spatial.program @nobody_reads(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  %z = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load @first %X[y, x] into %x on move 0
  spatial.load %X[x, y] into %z on move 0
  spatial.store %x into %Y[y, x] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:45:3: error: 'spatial.load' op fills %z, but no stage reads it
// CHECK-NEXT:   hint: read %z, or remove the stage

// -----

spatial.program @nobody_reads_here(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, x] into %x on move 0
  spatial.store %x into %Y[y, x] at [0, 0:2] + [1, 0] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:57:3: error: 'spatial.load' op fills %x at [1, 1], but stages read it at [0, 0:2] + [1, 0] only
// CHECK-NEXT:   hint: read it there too, or fill it at fewer sites

// -----

spatial.program @two_makers(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load @row %X[y, x] into %x at [0, 0:2] on move 0
  spatial.load @below %X[y, x] into %x at [1, 0:2] on move 0
  spatial.load @column %X[y, x] into %x at [0:2, 1] on move 0
  spatial.store %x into %Y[y, x] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:71:3: error: 'spatial.load' op fills %x at [0, 1], where 'spatial.load' op @row fills it too
// CHECK-NEXT:   hint: give each a buffer of its own, or sites of its own

// -----

spatial.program @two_engines(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>, %Z : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, x] into %x on move 0
  spatial.map @copy (%x) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %x into %Z[y, x] at [1, 0:2] on move 1
  spatial.store %y into %Y[y, x] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:89:3: error: 'spatial.store' op reads %x on `move 1` at [1, 0], where 'spatial.map' op @copy reads it on `compute`: each would take pages from the other
// CHECK-NEXT:   hint: give each reader a buffer of its own, filled alike, or read on one engine

// -----

// Also where an index page is used by a load and by a map.
spatial.program @two_index_readers(%I : memref<32x32xi32>, %T : memref<64x64xi32>, %Y : memref<64x64xi32>, %Z : memref<64x64xi32>)
    target #spatial.target<"wormhole"> grid [1, 1] {
  %ix = spatial.buffer : !spatial.buffer<1x1xi32>
  %t = spatial.buffer : !spatial.buffer<1x1xi32>
  spatial.load %I[0, 0] into %ix on move 0
  spatial.load @gather %T[ind, 0] into %t via %ix on move 0
  spatial.store %t into %Y[0, 0] on move 1
  spatial.store %ix into %Z[0, 0] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:106:3: error: 'spatial.store' op reads %ix on `move 1` at [0, 0], where 'spatial.load' op @gather reads it on `move 0`: each would take pages from the other
// CHECK-NEXT:   hint: give each reader a buffer of its own, filled alike, or read on one engine

// -----

// Makers that move pages in load them as often as their readers need; a compute stage does not.
spatial.program @maker_domains(%X : memref<64x64xbf16>, %Y : memref<64x128xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] loops [h = 2] {
  %z = spatial.buffer : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load @all %X[y, h] into %x at [0:2, 0] on move 0
  spatial.load %X[y, 0] into %z at [0:2, 1] on move 0
  spatial.map @once (%z) into %x at [0:2, 1] {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %x into %Y[y, x * 2 + h] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:121:3: error: 'spatial.map' op fills %x once per {}, but 'spatial.load' op @all fills it once per {h}
// CHECK-NEXT:   hint: use the same loops in both, or a buffer for each

// -----

spatial.program @moved_carry(%X : memref<32x32xf32>, %Y : memref<32x32xf32>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2] {
  %s = spatial.buffer : !spatial.buffer<1x1xf32>
  spatial.load %X[0, 0] into %s on move 0
  spatial.map @add (%s) update %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %s into %Y[0, 0] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:136:3: error: 'spatial.load' op fills %s, which 'spatial.map' op @add carries from block to block, but only compute stages initialise a carry
// CHECK-NEXT:   hint: move the page into another buffer, and copy it into %s by a map
// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:141:3: error: 'spatial.store' op stores %s, which 'spatial.map' op @add carries from block to block, but only compute stages read a carry
// CHECK-NEXT:   hint: copy it by a map in the epilogue, and move the copy

// -----

spatial.program @indexed_by_carry(%X : memref<32x32xi32>, %Y : memref<32x32xi32>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xi32>
  %s = spatial.buffer : !spatial.buffer<1x1xi32>
  %t = spatial.buffer : !spatial.buffer<1x1xi32>
  spatial.load %X[0, 0] into %x on move 0
  spatial.map @first (%x) into %s {
  ^bb0(%0 : i32):
    spatial.yield %0 : i32
  }
  spatial.map @next (%s) update %s {
  ^bb0(%0 : i32):
    spatial.yield %0 : i32
  }
  spatial.load %X[ind, 0] into %t via %s on move 0
  spatial.store %t into %Y[0, 0] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:165:3: error: 'spatial.load' op reads %s, which 'spatial.map' op @next carries from block to block, but only compute stages read a carry
// CHECK-NEXT:   hint: copy it by a map in the epilogue, and move the copy

// -----

spatial.program @no_initialiser(%X : memref<32x64xf32>, %Y : memref<32x32xf32>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xf32>
  %s = spatial.buffer : !spatial.buffer<1x1xf32>
  %y = spatial.buffer : !spatial.buffer<1x1xf32>
  spatial.load %X[0, k] into %x on move 0
  spatial.map @add (%s, %x) update %s {
  ^bb0(%0 : f32, %1 : f32):
    spatial.yield %0 : f32
  }
  spatial.map (%s) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[0, 0] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:180:3: error: 'spatial.map' op updates %s, but no stage initialises it
// CHECK-NEXT:   hint: fill %s `into` once by a compute stage before the blocks

// -----

spatial.program @no_initialiser_here(%X : memref<32x64xf32>, %Y : memref<64x64xf32>)
    target #spatial.target<"wormhole"> grid [2, 2] loops [k = 2] {
  %z = spatial.buffer : !spatial.buffer<1x1xf32>
  %x = spatial.buffer : !spatial.buffer<1x1xf32>
  %s = spatial.buffer : !spatial.buffer<1x1xf32>
  %y = spatial.buffer : !spatial.buffer<1x1xf32>
  spatial.load %X[0, 0] into %z at [0, 0:2] on move 0
  spatial.load %X[0, k] into %x on move 0
  spatial.map @zero (%z) into %s at [0, 0:2] {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @add (%s, %x) update %s {
  ^bb0(%0 : f32, %1 : f32):
    spatial.yield %0 : f32
  }
  spatial.map (%s) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[y, x] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:208:3: error: 'spatial.map' op updates %s at [1, 0], but no stage initialises it there
// CHECK-NEXT:   hint: fill %s `into` once by a compute stage before the blocks

// -----

spatial.program @no_update_here(%X : memref<32x64xf32>, %Y : memref<64x64xf32>)
    target #spatial.target<"wormhole"> grid [2, 2] loops [k = 2] {
  %z = spatial.buffer : !spatial.buffer<1x1xf32>
  %x = spatial.buffer : !spatial.buffer<1x1xf32>
  %s = spatial.buffer : !spatial.buffer<1x1xf32>
  %y = spatial.buffer : !spatial.buffer<1x1xf32>
  spatial.load %X[0, 0] into %z on move 0
  spatial.load %X[0, k] into %x at [0, 0:2] on move 0
  spatial.map @zero (%z) into %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @add (%s, %x) update %s at [0, 0:2] {
  ^bb0(%0 : f32, %1 : f32):
    spatial.yield %0 : f32
  }
  spatial.map (%s) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[y, x] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:232:3: error: 'spatial.map' op initialises %s at [1, 0], but stages update it at [0, 0:2] only
// CHECK-NEXT:   hint: update it there too, or use another buffer where it is not carried

// -----

spatial.program @two_updates(%X : memref<32x64xf32>, %Y : memref<32x32xf32>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2] {
  %z = spatial.buffer : !spatial.buffer<1x1xf32>
  %x = spatial.buffer : !spatial.buffer<1x1xf32>
  %s = spatial.buffer : !spatial.buffer<1x1xf32>
  %y = spatial.buffer : !spatial.buffer<1x1xf32>
  spatial.load %X[0, 0] into %z on move 0
  spatial.load %X[0, k] into %x on move 0
  spatial.map @zero (%z) into %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @add (%x) update %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @add_again (%x) update %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map (%s) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[0, 0] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:268:3: error: 'spatial.map' op updates %s at [0, 0], where 'spatial.map' op @add updates it too
// CHECK-NEXT:   hint: a carry has one initialiser and one update on each site: give one of the two a buffer of its own

// -----

spatial.program @unread_carry(%X : memref<32x64xf32>, %Y : memref<32x64xf32>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2] {
  %z = spatial.buffer : !spatial.buffer<1x1xf32>
  %x = spatial.buffer : !spatial.buffer<1x1xf32>
  %s = spatial.buffer : !spatial.buffer<1x1xf32>
  %y = spatial.buffer : !spatial.buffer<1x1xf32>
  spatial.load %X[0, 0] into %z on move 0
  spatial.load %X[0, k] into %x on move 0
  spatial.map @zero (%z) into %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @latest (%x) update %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map (%x) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[0, k] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:296:3: error: 'spatial.map' op updates %s, but no stage reads it
// CHECK-NEXT:   hint: read it in the blocks or after them, or remove the carry

// -----

spatial.program @unread_carry_here(%X : memref<32x64xf32>, %Y : memref<32x32xf32>)
    target #spatial.target<"wormhole"> grid [1, 2] loops [k = 2] {
  %z = spatial.buffer : !spatial.buffer<1x1xf32>
  %x = spatial.buffer : !spatial.buffer<1x1xf32>
  %s = spatial.buffer : !spatial.buffer<1x1xf32>
  %y = spatial.buffer : !spatial.buffer<1x1xf32>
  spatial.load %X[0, 0] into %z on move 0
  spatial.load %X[0, k] into %x on move 0
  spatial.map @zero (%z) into %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @latest (%x) update %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map (%s) into %y at [0, 0] {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[0, 0] at [0, 0] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:324:3: error: 'spatial.map' op updates %s at [0, 1], but stages read it at [0, 0] only
// CHECK-NEXT:   hint: read it there too, or carry it at fewer sites

// -----

spatial.program @spill_read(%A : memref<32x64xbf16>, %B : memref<64x32xbf16>, %C : memref<32x32xbf16>, %P : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2] {
  %a = spatial.buffer : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul @mm %a, %b into %c spill %p
  spatial.store %c into %C[0, 0] on move 1
  spatial.store %p into %P[0, 0] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:350:3: error: 'spatial.store' op reads %p, to which 'spatial.matmul' op @mm spills
// CHECK-NEXT:   hint: give the partial sums a ring of their own

// -----

spatial.program @spill_filled(%A : memref<32x64xbf16>, %B : memref<64x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2] {
  %a = spatial.buffer : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.load %C[0, 0] into %p on move 0
  spatial.matmul @mm %a, %b into %c spill %p
  spatial.store %c into %C[0, 0] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:366:3: error: 'spatial.load' op fills %p, to which 'spatial.matmul' op @mm spills
// CHECK-NEXT:   hint: give the partial sums a ring of their own

// -----

spatial.program @spill_shared(%A : memref<32x64xbf16>, %B : memref<64x32xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2] {
  %a = spatial.buffer : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul @left %a, %b into %c spill %p
  spatial.matmul @right %a, %b into %d spill %p
  spatial.store %c into %C[0, 0] on move 1
  spatial.store %d into %C[0, 1] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:386:3: error: 'spatial.matmul' op spills to %p at [0, 0], where 'spatial.matmul' op @left spills to it too
// CHECK-NEXT:   hint: give each a ring of its own

// -----

spatial.program @unused_group(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0:2, 0] to [0:2, 1] along x
  spatial.load %X[y, x] into %x on move 0
  spatial.store %x into %Y[y, x] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:399:8: error: 'spatial.group' op %g is never used
// CHECK-NEXT:   hint: remove it

// -----

spatial.program @no_sender(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0:2, 0] to [0:2, 1] along x
  spatial.load %X[y, x] into %x at [0:2, 0] on move 0
  spatial.recv %g into %x at [0:2, 1] on move 0
  spatial.store %x into %Y[y, x] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:414:3: error: 'spatial.recv' op receives from %g, but no stage sends to it
// CHECK-NEXT:   hint: add `multicast %g` to the load or recv that has the page

// -----

spatial.program @no_receiver(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0:2, 0] to [0:2, 1] along x
  spatial.load %X[y, x] into %x multicast %g at [0:2, 0] on move 0
  spatial.load %X[y, x] into %x at [0:2, 1] on move 0
  spatial.store %x into %Y[y, x] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:427:3: error: 'spatial.load' op sends to %g, but no stage receives from it
// CHECK-NEXT:   hint: add `spatial.recv %g` at [0:2, 1]

// -----

spatial.program @missing_ends(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0:2, 0] to [0:2, 1] along x
  spatial.load %X[y, x] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1] on move 0
  spatial.store %x into %Y[y, x] at [0, 0:2] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:440:8: error: 'spatial.group' op %g has [1, 0] among its senders, but no stage sends to it there
// CHECK-NEXT:   hint: place such a stage at [1, 0], or make the group smaller
// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:440:8: error: 'spatial.group' op %g has [1, 1] among its receivers, but no stage receives from it there
// CHECK-NEXT:   hint: place such a stage at [1, 1], or make the group smaller

// -----

spatial.program @ends_elsewhere(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  spatial.load %X[y, x] into %x multicast %g at [0:2, 0] on move 0
  spatial.recv %g into %x at [0:2, 1] on move 0
  spatial.store %x into %Y[y, x] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:457:3: error: 'spatial.load' op sends to %g at [1, 0], but the senders of %g are [0, 0]
// CHECK-NEXT:   hint: place it at [0, 0], or change the group
// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:458:3: error: 'spatial.recv' op receives from %g at [1, 1], but the receivers of %g are [0, 1]
// CHECK-NEXT:   hint: place it at [0, 1], or change the group

// -----

// A sender among the receivers of its own group is skipped: it has no recv.
spatial.program @sender_receives(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 0:2] along x
  spatial.load %X[y, x] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x on move 0
  spatial.store %x into %Y[y, x] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:475:3: error: 'spatial.recv' op fills %x at [0, 0], where 'spatial.load' op into %x fills it too
// CHECK-NEXT:   hint: give each a buffer of its own, or sites of its own
// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:475:3: error: 'spatial.recv' op receives from %g at [0, 0], but the receivers of %g are [0, 1]
// CHECK-NEXT:   hint: place it at [0, 1], or change the group

// -----

spatial.program @two_senders(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>, %Z : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  %z = spatial.buffer : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0:2, 0] to [0:2, 1] along x
  spatial.load @one %X[y, x] into %x multicast %g at [0:2, 0] on move 0
  spatial.load @other %X[x, y] into %z multicast %g at [1, 0] on move 0
  spatial.recv @end %g into %x at [0:2, 1] on move 0
  spatial.store %x into %Y[y, x] on move 1
  spatial.store %z into %Z[0, 0] at [1, 0] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:492:3: error: 'spatial.load' op sends to %g at [1, 0], where 'spatial.load' op @one sends to it too
// CHECK-NEXT:   hint: leave that site to one of the two
// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:492:3: error: 'spatial.load' op sends to %g and fills %z, but 'spatial.load' op @one fills %x: a page lands at the same place of the same ring
// CHECK-NEXT:   hint: fill %x at both ends

// -----

spatial.program @two_receivers(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0:2, 0] to [0:2, 1] along x
  spatial.load %X[y, x] into %x multicast %g at [0:2, 0] on move 0
  spatial.recv @one %g into %x at [0:2, 1] on move 0
  spatial.recv @other %g into %x at [1, 1] on move 1
  spatial.store %x into %Y[y, x] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:511:3: error: 'spatial.recv' op fills %x at [1, 1], where 'spatial.recv' op @one fills it too
// CHECK-NEXT:   hint: give each a buffer of its own, or sites of its own
// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:511:3: error: 'spatial.recv' op receives from %g at [1, 1], where 'spatial.recv' op @one receives from it too
// CHECK-NEXT:   hint: leave that site to one of the two

// -----

spatial.program @two_buffers(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>, %Z : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0:2, 0] to [0:2, 1] along x
  spatial.load %X[y, 0] into %x multicast %g at [0:2, 0] on move 0
  spatial.recv %g into %z at [0:2, 1] on move 0
  spatial.store %x into %Y[y, 0] at [0:2, 0] on move 1
  spatial.store %z into %Z[y, 0] at [0:2, 1] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:528:3: error: 'spatial.recv' op receives from %g and fills %z, but 'spatial.load' op into %x fills %x: a page lands at the same place of the same ring
// CHECK-NEXT:   hint: fill %x at both ends

// -----

spatial.program @two_types(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>, %Z : memref<64x64xf32>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  %z = spatial.buffer : !spatial.buffer<2x1xf32>
  %g = spatial.group from [0:2, 0] to [0:2, 1] along x
  spatial.load @load_x %X[y, 0] into %x multicast %g at [0:2, 0] on move 0
  spatial.recv %g into %z at [0:2, 1] on move 0
  spatial.store %x into %Y[y, 0] at [0:2, 0] on move 1
  spatial.store %z into %Z[0, y] at [0:2, 1] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:544:3: error: 'spatial.recv' op receives from %g and fills %z of !spatial.buffer<2x1xf32> pages instead of !spatial.buffer<1x1xbf16>, but 'spatial.load' op @load_x fills %x: a page lands at the same place of the same ring
// CHECK-NEXT:   hint: fill %x at both ends

// -----

spatial.program @not_of_the_group(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  spatial.load %X[y, x] into %x on move 0
  spatial.all_reduce add %x into %y across %g
  spatial.store %y into %Y[y, x] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:560:3: error: 'spatial.all_reduce' op reduces across %g at [1, 0], which is not a site of that group, from [0, 0] to [0, 1]
// CHECK-NEXT:   hint: place it on sites of the group

// -----

spatial.program @own_page(%Y : memref<32x32xbf16>) target #spatial.target<"wormhole"> grid [1, 1] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.map @again (%x) into %x {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:571:3: error: 'spatial.map' op waits for its own page: 'spatial.map' op @again makes %x for 'spatial.map' op @again
// CHECK-NEXT:   hint: if the page is that of the block before, carry it: let another stage initialise its buffer, and `update` it in the block

// -----

spatial.program @cycle(%X : memref<32x32xbf16>, %Y : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  %u = spatial.buffer : !spatial.buffer<1x1xbf16>
  %v = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, 0] into %x on move 0
  spatial.map (%x, %v) into %u {
  ^bb0(%0 : f32, %1 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @second (%u) into %v {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %v into %Y[0, 0] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:588:3: error: 'spatial.map' op is in a cycle of stages: 'spatial.map' op @second makes %v for 'spatial.map' op into %u, 'spatial.map' op into %u makes %u for 'spatial.map' op @second
// CHECK-NEXT:   hint: if the page is that of the block before, carry it: let another stage initialise its buffer, and `update` it in the block
// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:596:3: error: 'spatial.store' op reads %v on `move 1` at [0, 0], where 'spatial.map' op into %u reads it on `compute`: each would take pages from the other
// CHECK-NEXT:   hint: give each reader a buffer of its own, filled alike, or read on one engine

// -----

// A cycle across sites.
spatial.program @across(%T : memref<64x64xi32>) target #spatial.target<"wormhole"> grid [1, 2] {
  %a = spatial.buffer : !spatial.buffer<1x1xi32>
  %b = spatial.buffer : !spatial.buffer<1x1xi32>
  %right = spatial.group from [0, 0] to [0, 1] along x
  %left = spatial.group from [0, 1] to [0, 0] along x
  spatial.load @there %T[ind, 0] into %a multicast %right via %b at [0, 0] on move 0
  spatial.recv %right into %a at [0, 1] on move 0
  spatial.load @back %T[ind, 0] into %b multicast %left via %a at [0, 1] on move 0
  spatial.recv %left into %b at [0, 0] on move 0
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:612:3: error: 'spatial.load' op fills %a at [0, 0], but stages read it at [0, 1] only
// CHECK-NEXT:   hint: read it there too, or fill it at fewer sites
// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:612:3: error: 'spatial.load' op is in a cycle of stages: 'spatial.recv' op into %a makes %a for 'spatial.load' op @back, 'spatial.load' op @back sends %b for 'spatial.recv' op into %b, 'spatial.recv' op into %b makes %b for 'spatial.load' op @there, 'spatial.load' op @there sends %a for 'spatial.recv' op into %a
// CHECK-NEXT:   hint: if the page is that of the block before, carry it: let another stage initialise its buffer, and `update` it in the block
// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:614:3: error: 'spatial.load' op fills %b at [0, 1], but stages read it at [0, 0] only
// CHECK-NEXT:   hint: read it there too, or fill it at fewer sites

// -----

// Two carries, each updated from the old page of the other.
spatial.program @swap(%X : memref<32x32xf32>, %Y : memref<32x32xf32>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %x = spatial.buffer : !spatial.buffer<1x1xf32>
  %u = spatial.buffer : !spatial.buffer<1x1xf32>
  %v = spatial.buffer : !spatial.buffer<1x1xf32>
  %y = spatial.buffer : !spatial.buffer<1x1xf32>
  spatial.load %X[0, 0] into %x on move 0
  spatial.map (%x) into %u {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map (%x) into %v {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @next_u (%v) update %u {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @next_v (%u) update %v {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map (%u) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[0, 0] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:643:3: error: 'spatial.map' op is in a cycle of stages: 'spatial.map' op @next_v reads %u before 'spatial.map' op @next_u replaces it, 'spatial.map' op @next_u reads %v before 'spatial.map' op @next_v replaces it
// CHECK-NEXT:   hint: copy one of the old pages by a map first, and let its readers read the copy

// -----

// The ends of a group stand side by side in the order of all engines: the page of @second cannot be
// made from what @first has sent in the same group.
spatial.program @one_group(%X : memref<64x64xi32>, %Y : memref<64x64xi32>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xi32>
  %m = spatial.buffer : !spatial.buffer<1x1xi32>
  %rows = spatial.group from [0:2, 0] to [0:2, 1] along x
  %down = spatial.group from [0, 1] to [1, 0:2] along yx
  spatial.load @first %X[0, 0] into %x multicast %rows at [0, 0] on move 0
  spatial.recv @end %rows into %x at [0:2, 1] on move 0
  spatial.load @between %X[ind, 0] into %m multicast %down via %x at [0, 1] on move 0
  spatial.recv @below %down into %m at [1, 0:2] on move 0
  spatial.load @second %X[ind, 0] into %x multicast %rows via %m at [1, 0] on move 0
  spatial.store %x into %Y[y, x] at [0, 0] + [1, 0:2] on move 1
  spatial.store %m into %Y[0, 1] at [0, 1] on move 1
  spatial.store %m into %Y[1, 1] at [1, 1] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_pages.mlir:671:3: error: 'spatial.load' op is in a cycle of stages: 'spatial.load' op @between sends %m for 'spatial.recv' op @below, 'spatial.recv' op @below makes %m for 'spatial.load' op @second, 'spatial.load' op @second goes with 'spatial.load' op @first in one group, 'spatial.load' op @first sends %x for 'spatial.recv' op @end, 'spatial.recv' op @end makes %x for 'spatial.load' op @between
// CHECK-NEXT:   hint: use a group of its own for each: the stages of a group stand side by side
//  CHECK-NOT: {{.+}}
