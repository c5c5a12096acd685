// RUN: spatial-opt %s --synthesize-handshakes -t outline | filecheck %s --strict-whitespace --match-full-lines

// Several matmuls on one site share the K loop, each block running them in rank order, in one nest of sub-blocks.

// The same form.
spatial.program @reload_reload(%A : memref<64x96xbf16>, %B : memref<96x192xbf16>, %V : memref<96x192xbf16>, %C : memref<64x192xbf16>, %D : memref<64x192xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3, h = 2, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %v = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 6 : !spatial.buffer<1x2xbf16>
  %q = spatial.buffer depth 6 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.load %V[k, 0] into %v on move 0
  spatial.matmul @first %a, %b into %c spill %p by reload
  spatial.matmul @second %a, %v into %d spill %q by reload
  spatial.store %c into %C[h, w * 2] on move 1
  spatial.store %d into %D[h, w * 2] on move 1
}

// CHECK-LABEL:@reload_reload
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for k x 3
//  CHECK-NEXT:    reserve a
//  CHECK-NEXT:    read_tiles A -> a
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push a
//  CHECK-NEXT:    reserve b
//  CHECK-NEXT:    read_tiles B -> b
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push b
//  CHECK-NEXT:    reserve v
//  CHECK-NEXT:    read_tiles V -> v
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push v
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  wait v
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      compute first(a, b)
//  CHECK-NEXT:      reserve p
//  CHECK-NEXT:      pack -> p
//  CHECK-NEXT:      push p
//  CHECK-NEXT:      release
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      compute second(a, v)
//  CHECK-NEXT:      reserve q
//  CHECK-NEXT:      pack -> q
//  CHECK-NEXT:      push q
//  CHECK-NEXT:      release
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  pop v
//  CHECK-NEXT:  for k x 1
//  CHECK-NEXT:    wait a
//  CHECK-NEXT:    wait b
//  CHECK-NEXT:    wait v
//  CHECK-NEXT:    for h x 2
//  CHECK-NEXT:      for w x 3
//  CHECK-NEXT:        acquire 2
//  CHECK-NEXT:        wait p
//  CHECK-NEXT:        compute first(a, b) reload p
//  CHECK-NEXT:        pop p
//  CHECK-NEXT:        reserve p
//  CHECK-NEXT:        pack -> p
//  CHECK-NEXT:        push p
//  CHECK-NEXT:        release
//  CHECK-NEXT:        acquire 2
//  CHECK-NEXT:        wait q
//  CHECK-NEXT:        compute second(a, v) reload q
//  CHECK-NEXT:        pop q
//  CHECK-NEXT:        reserve q
//  CHECK-NEXT:        pack -> q
//  CHECK-NEXT:        push q
//  CHECK-NEXT:        release
//  CHECK-NEXT:    pop a
//  CHECK-NEXT:    pop b
//  CHECK-NEXT:    pop v
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  wait v
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      wait p
//  CHECK-NEXT:      compute first(a, b) reload p
//  CHECK-NEXT:      pop p
//  CHECK-NEXT:      reserve c
//  CHECK-NEXT:      pack -> c
//  CHECK-NEXT:      push c
//  CHECK-NEXT:      release
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      wait q
//  CHECK-NEXT:      compute second(a, v) reload q
//  CHECK-NEXT:      pop q
//  CHECK-NEXT:      reserve d
//  CHECK-NEXT:      pack -> d
//  CHECK-NEXT:      push d
//  CHECK-NEXT:      release
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  pop v
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      wait c
//  CHECK-NEXT:      write_tiles c -> C
//  CHECK-NEXT:      write_barrier
//  CHECK-NEXT:      pop c
//  CHECK-NEXT:      wait d
//  CHECK-NEXT:      write_tiles d -> D
//  CHECK-NEXT:      write_barrier
//  CHECK-NEXT:      pop d
//   CHECK-NOT:{{.+}}

// Two forms, four blocks. The last block but one is peeled for pack: reload does there what its middle loop does.
spatial.program @reload_pack(%A : memref<32x128xbf16>, %B : memref<128x128xbf16>, %V : memref<128x128xbf16>, %C : memref<32x128xbf16>, %D : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x4xbf16>
  %v = spatial.buffer depth 2 : !spatial.buffer<1x4xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %q = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.load %V[k, 0] into %v on move 0
  spatial.matmul @first %a, %b into %c spill %p by reload
  spatial.matmul @second %a, %v into %d spill %q by pack
  spatial.store %c into %C[0, w * 2] on move 1
  spatial.store %d into %D[0, w * 2] on move 1
}

// CHECK-LABEL:@reload_pack
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve a
//  CHECK-NEXT:    read_tiles A -> a
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push a
//  CHECK-NEXT:    reserve b
//  CHECK-NEXT:    read_tiles B -> b
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push b
//  CHECK-NEXT:    reserve v
//  CHECK-NEXT:    read_tiles V -> v
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push v
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  wait v
//  CHECK-NEXT:  for w x 2
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute first(a, b)
//  CHECK-NEXT:    reserve p
//  CHECK-NEXT:    pack -> p
//  CHECK-NEXT:    push p
//  CHECK-NEXT:    release
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute second(a, v)
//  CHECK-NEXT:    reserve q
//  CHECK-NEXT:    pack -> q
//  CHECK-NEXT:    push q
//  CHECK-NEXT:    release
//  CHECK-NEXT:  wait q
//  CHECK-NEXT:  pop q
//  CHECK-NEXT:  wait q
//  CHECK-NEXT:  pop q
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  pop v
//  CHECK-NEXT:  for k x 1
//  CHECK-NEXT:    wait a
//  CHECK-NEXT:    wait b
//  CHECK-NEXT:    wait v
//  CHECK-NEXT:    for w x 2
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      wait p
//  CHECK-NEXT:      compute first(a, b) reload p
//  CHECK-NEXT:      pop p
//  CHECK-NEXT:      reserve p
//  CHECK-NEXT:      pack -> p
//  CHECK-NEXT:      push p
//  CHECK-NEXT:      release
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      compute second(a, v)
//  CHECK-NEXT:      reserve q
//  CHECK-NEXT:      pack -> q accumulate
//  CHECK-NEXT:      push q
//  CHECK-NEXT:      release
//  CHECK-NEXT:    wait q
//  CHECK-NEXT:    pop q
//  CHECK-NEXT:    wait q
//  CHECK-NEXT:    pop q
//  CHECK-NEXT:    pop a
//  CHECK-NEXT:    pop b
//  CHECK-NEXT:    pop v
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  wait v
//  CHECK-NEXT:  for w x 2
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    wait p
//  CHECK-NEXT:    compute first(a, b) reload p
//  CHECK-NEXT:    pop p
//  CHECK-NEXT:    reserve p
//  CHECK-NEXT:    pack -> p
//  CHECK-NEXT:    push p
//  CHECK-NEXT:    release
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute second(a, v)
//  CHECK-NEXT:    reserve q
//  CHECK-NEXT:    pack -> q accumulate
//  CHECK-NEXT:    push q
//  CHECK-NEXT:    release
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  pop v
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  wait v
//  CHECK-NEXT:  for w x 2
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    wait p
//  CHECK-NEXT:    compute first(a, b) reload p
//  CHECK-NEXT:    pop p
//  CHECK-NEXT:    reserve c
//  CHECK-NEXT:    pack -> c
//  CHECK-NEXT:    push c
//  CHECK-NEXT:    release
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    wait q
//  CHECK-NEXT:    compute second(a, v) reload q
//  CHECK-NEXT:    pop q
//  CHECK-NEXT:    reserve d
//  CHECK-NEXT:    pack -> d
//  CHECK-NEXT:    push d
//  CHECK-NEXT:    release
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  pop v
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for w x 2
//  CHECK-NEXT:    wait c
//  CHECK-NEXT:    write_tiles c -> C
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop c
//  CHECK-NEXT:    wait d
//  CHECK-NEXT:    write_tiles d -> D
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop d
//   CHECK-NOT:{{.+}}

// In place next to pack: the reservation is the first thing of the item.
spatial.program @in_place_pack(%A : memref<32x128xbf16>, %B : memref<128x128xbf16>, %V : memref<128x128xbf16>, %C : memref<32x128xbf16>, %D : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x4xbf16>
  %v = spatial.buffer depth 2 : !spatial.buffer<1x4xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 2 alias %c : !spatial.buffer<1x2xbf16>
  %q = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.load %V[k, 0] into %v on move 0
  spatial.matmul @first %a, %b into %c spill %p by pack
  spatial.matmul @second %a, %v into %d spill %q by pack
  spatial.store %c into %C[0, w * 2] on move 1
  spatial.store %d into %D[0, w * 2] on move 1
}

// CHECK-LABEL:@in_place_pack
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve a
//  CHECK-NEXT:    read_tiles A -> a
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push a
//  CHECK-NEXT:    reserve b
//  CHECK-NEXT:    read_tiles B -> b
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push b
//  CHECK-NEXT:    reserve v
//  CHECK-NEXT:    read_tiles V -> v
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push v
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  reserve c, 2
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  wait v
//  CHECK-NEXT:  for w x 2
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute first(a, b)
//  CHECK-NEXT:    reserve p
//  CHECK-NEXT:    pack -> p
//  CHECK-NEXT:    push p
//  CHECK-NEXT:    release
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute second(a, v)
//  CHECK-NEXT:    reserve q
//  CHECK-NEXT:    pack -> q
//  CHECK-NEXT:    push q
//  CHECK-NEXT:    release
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  wait q
//  CHECK-NEXT:  pop q
//  CHECK-NEXT:  wait q
//  CHECK-NEXT:  pop q
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  pop v
//  CHECK-NEXT:  for k x 1
//  CHECK-NEXT:    wait a
//  CHECK-NEXT:    wait b
//  CHECK-NEXT:    wait v
//  CHECK-NEXT:    for w x 2
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      compute first(a, b)
//  CHECK-NEXT:      reserve p
//  CHECK-NEXT:      pack -> p accumulate
//  CHECK-NEXT:      push p
//  CHECK-NEXT:      release
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      compute second(a, v)
//  CHECK-NEXT:      reserve q
//  CHECK-NEXT:      pack -> q accumulate
//  CHECK-NEXT:      push q
//  CHECK-NEXT:      release
//  CHECK-NEXT:    wait p
//  CHECK-NEXT:    pop p
//  CHECK-NEXT:    wait p
//  CHECK-NEXT:    pop p
//  CHECK-NEXT:    wait q
//  CHECK-NEXT:    pop q
//  CHECK-NEXT:    wait q
//  CHECK-NEXT:    pop q
//  CHECK-NEXT:    pop a
//  CHECK-NEXT:    pop b
//  CHECK-NEXT:    pop v
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  wait v
//  CHECK-NEXT:  for w x 2
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute first(a, b)
//  CHECK-NEXT:    reserve p
//  CHECK-NEXT:    pack -> p accumulate
//  CHECK-NEXT:    push p
//  CHECK-NEXT:    release
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute second(a, v)
//  CHECK-NEXT:    reserve q
//  CHECK-NEXT:    pack -> q accumulate
//  CHECK-NEXT:    push q
//  CHECK-NEXT:    release
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  pop v
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  wait v
//  CHECK-NEXT:  for w x 2
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute first(a, b)
//  CHECK-NEXT:    pack -> c accumulate
//  CHECK-NEXT:    push c
//  CHECK-NEXT:    release
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    wait q
//  CHECK-NEXT:    compute second(a, v) reload q
//  CHECK-NEXT:    pop q
//  CHECK-NEXT:    reserve d
//  CHECK-NEXT:    pack -> d
//  CHECK-NEXT:    push d
//  CHECK-NEXT:    release
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  pop v
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for w x 2
//  CHECK-NEXT:    wait c
//  CHECK-NEXT:    write_tiles c -> C
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop c
//  CHECK-NEXT:    wait d
//  CHECK-NEXT:    write_tiles d -> D
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop d
//   CHECK-NOT:{{.+}}

// One block, no spill in use.
spatial.program @one_block(%A : memref<32x32xbf16>, %B : memref<32x128xbf16>, %V : memref<32x128xbf16>, %C : memref<32x128xbf16>, %D : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x4xbf16>
  %v = spatial.buffer depth 2 : !spatial.buffer<1x4xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %q = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.load %V[k, 0] into %v on move 0
  spatial.matmul @first %a, %b into %c spill %p by reload
  spatial.matmul @second %a, %v into %d spill %q by pack
  spatial.store %c into %C[0, w * 2] on move 1
  spatial.store %d into %D[0, w * 2] on move 1
}

// CHECK-LABEL:@one_block
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for k x 1
//  CHECK-NEXT:    reserve a
//  CHECK-NEXT:    read_tiles A -> a
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push a
//  CHECK-NEXT:    reserve b
//  CHECK-NEXT:    read_tiles B -> b
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push b
//  CHECK-NEXT:    reserve v
//  CHECK-NEXT:    read_tiles V -> v
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push v
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  wait v
//  CHECK-NEXT:  for w x 2
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute first(a, b)
//  CHECK-NEXT:    reserve c
//  CHECK-NEXT:    pack -> c
//  CHECK-NEXT:    push c
//  CHECK-NEXT:    release
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute second(a, v)
//  CHECK-NEXT:    reserve d
//  CHECK-NEXT:    pack -> d
//  CHECK-NEXT:    push d
//  CHECK-NEXT:    release
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  pop v
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for w x 2
//  CHECK-NEXT:    wait c
//  CHECK-NEXT:    write_tiles c -> C
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop c
//  CHECK-NEXT:    wait d
//  CHECK-NEXT:    write_tiles d -> D
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop d
//   CHECK-NOT:{{.+}}

// A chain stands after the matmul whose page it takes, before the next one if it is written there,
spatial.program @chain_between(%A : memref<32x64xbf16>, %B : memref<64x128xbf16>, %V : memref<64x128xbf16>, %C : memref<32x128xbf16>, %D : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x4xbf16>
  %v = spatial.buffer depth 2 : !spatial.buffer<1x4xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %q = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %e = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.load %V[k, 0] into %v on move 0
  spatial.matmul @first %a, %b into %c spill %p by reload
  spatial.map @negate (%c) into %e {
  ^bb0(%0 : f32):
    %1 = arith.negf %0 : f32
    spatial.yield %1 : f32
  }
  spatial.matmul @second %a, %v into %d spill %q by reload
  spatial.store %e into %C[0, w * 2] on move 1
  spatial.store %d into %D[0, w * 2] on move 1
}

// CHECK-LABEL:@chain_between
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for k x 2
//  CHECK-NEXT:    reserve a
//  CHECK-NEXT:    read_tiles A -> a
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push a
//  CHECK-NEXT:    reserve b
//  CHECK-NEXT:    read_tiles B -> b
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push b
//  CHECK-NEXT:    reserve v
//  CHECK-NEXT:    read_tiles V -> v
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push v
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  wait v
//  CHECK-NEXT:  for w x 2
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute first(a, b)
//  CHECK-NEXT:    reserve p
//  CHECK-NEXT:    pack -> p
//  CHECK-NEXT:    push p
//  CHECK-NEXT:    release
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute second(a, v)
//  CHECK-NEXT:    reserve q
//  CHECK-NEXT:    pack -> q
//  CHECK-NEXT:    push q
//  CHECK-NEXT:    release
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  pop v
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  wait v
//  CHECK-NEXT:  for w x 2
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    wait p
//  CHECK-NEXT:    compute first(a, b) reload p
//  CHECK-NEXT:    pop p
//  CHECK-NEXT:    reserve c
//  CHECK-NEXT:    pack -> c
//  CHECK-NEXT:    push c
//  CHECK-NEXT:    release
//  CHECK-NEXT:    wait c
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute negate(c)
//  CHECK-NEXT:    reserve e
//  CHECK-NEXT:    pack -> e
//  CHECK-NEXT:    push e
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop c
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    wait q
//  CHECK-NEXT:    compute second(a, v) reload q
//  CHECK-NEXT:    pop q
//  CHECK-NEXT:    reserve d
//  CHECK-NEXT:    pack -> d
//  CHECK-NEXT:    push d
//  CHECK-NEXT:    release
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  pop v
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for w x 2
//  CHECK-NEXT:    wait e
//  CHECK-NEXT:    write_tiles e -> C
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop e
//  CHECK-NEXT:    wait d
//  CHECK-NEXT:    write_tiles d -> D
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop d
//   CHECK-NOT:{{.+}}

// and one that takes pages of both after both.
spatial.program @chain_of_both(%A : memref<32x64xbf16>, %B : memref<64x128xbf16>, %V : memref<64x128xbf16>, %C : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x4xbf16>
  %v = spatial.buffer depth 2 : !spatial.buffer<1x4xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %q = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %e = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.load %V[k, 0] into %v on move 0
  spatial.matmul @first %a, %b into %c spill %p by reload
  spatial.matmul @second %a, %v into %d spill %q by reload
  spatial.map @gate (%c, %d) into %e {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %e into %C[0, w * 2] on move 1
}

// CHECK-LABEL:@chain_of_both
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for k x 2
//  CHECK-NEXT:    reserve a
//  CHECK-NEXT:    read_tiles A -> a
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push a
//  CHECK-NEXT:    reserve b
//  CHECK-NEXT:    read_tiles B -> b
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push b
//  CHECK-NEXT:    reserve v
//  CHECK-NEXT:    read_tiles V -> v
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push v
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  wait v
//  CHECK-NEXT:  for w x 2
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute first(a, b)
//  CHECK-NEXT:    reserve p
//  CHECK-NEXT:    pack -> p
//  CHECK-NEXT:    push p
//  CHECK-NEXT:    release
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute second(a, v)
//  CHECK-NEXT:    reserve q
//  CHECK-NEXT:    pack -> q
//  CHECK-NEXT:    push q
//  CHECK-NEXT:    release
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  pop v
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  wait v
//  CHECK-NEXT:  for w x 2
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    wait p
//  CHECK-NEXT:    compute first(a, b) reload p
//  CHECK-NEXT:    pop p
//  CHECK-NEXT:    reserve c
//  CHECK-NEXT:    pack -> c
//  CHECK-NEXT:    push c
//  CHECK-NEXT:    release
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    wait q
//  CHECK-NEXT:    compute second(a, v) reload q
//  CHECK-NEXT:    pop q
//  CHECK-NEXT:    reserve d
//  CHECK-NEXT:    pack -> d
//  CHECK-NEXT:    push d
//  CHECK-NEXT:    release
//  CHECK-NEXT:    wait c
//  CHECK-NEXT:    wait d
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute gate(c, d)
//  CHECK-NEXT:    reserve e
//  CHECK-NEXT:    pack -> e
//  CHECK-NEXT:    push e
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop c
//  CHECK-NEXT:    pop d
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  pop v
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for w x 2
//  CHECK-NEXT:    wait e
//  CHECK-NEXT:    write_tiles e -> C
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop e
//   CHECK-NOT:{{.+}}
