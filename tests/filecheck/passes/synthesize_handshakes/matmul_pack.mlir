// RUN: spatial-opt %s --synthesize-handshakes -t outline | filecheck %s --strict-whitespace --match-full-lines

// Three blocks or more spilled by pack: the packer adds to the partial sums, and after each block but the last two the ring is
// drained once round, so that the write pointer is back at the page to add to. The last block reloads and makes the result.
// Three blocks have no middle loop.

spatial.program @pack_3_one(%A : memref<32x96xbf16>, %B : memref<96x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 1 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[0, 0] on move 1
}

// CHECK-LABEL:@pack_3_one
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
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  acquire 2
//  CHECK-NEXT:  compute matmul(a, b)
//  CHECK-NEXT:  reserve p
//  CHECK-NEXT:  pack -> p
//  CHECK-NEXT:  push p
//  CHECK-NEXT:  release
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  acquire 2
//  CHECK-NEXT:  compute matmul(a, b)
//  CHECK-NEXT:  reserve p
//  CHECK-NEXT:  pack -> p accumulate
//  CHECK-NEXT:  push p
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  acquire 2
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  compute matmul(a, b) reload p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  reserve c
//  CHECK-NEXT:  pack -> c
//  CHECK-NEXT:  push c
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  wait c
//  CHECK-NEXT:  write_tiles c -> C
//  CHECK-NEXT:  write_barrier
//  CHECK-NEXT:  pop c
//   CHECK-NOT:{{.+}}

spatial.program @pack_4_one(%A : memref<32x128xbf16>, %B : memref<128x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 1 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[0, 0] on move 1
}

// CHECK-LABEL:@pack_4_one
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
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  acquire 2
//  CHECK-NEXT:  compute matmul(a, b)
//  CHECK-NEXT:  reserve p
//  CHECK-NEXT:  pack -> p
//  CHECK-NEXT:  push p
//  CHECK-NEXT:  release
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  for k x 1
//  CHECK-NEXT:    wait a
//  CHECK-NEXT:    wait b
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute matmul(a, b)
//  CHECK-NEXT:    reserve p
//  CHECK-NEXT:    pack -> p accumulate
//  CHECK-NEXT:    push p
//  CHECK-NEXT:    release
//  CHECK-NEXT:    wait p
//  CHECK-NEXT:    pop p
//  CHECK-NEXT:    pop a
//  CHECK-NEXT:    pop b
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  acquire 2
//  CHECK-NEXT:  compute matmul(a, b)
//  CHECK-NEXT:  reserve p
//  CHECK-NEXT:  pack -> p accumulate
//  CHECK-NEXT:  push p
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  acquire 2
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  compute matmul(a, b) reload p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  reserve c
//  CHECK-NEXT:  pack -> c
//  CHECK-NEXT:  push c
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  wait c
//  CHECK-NEXT:  write_tiles c -> C
//  CHECK-NEXT:  write_barrier
//  CHECK-NEXT:  pop c
//   CHECK-NOT:{{.+}}

spatial.program @pack_4_h(%A : memref<64x128xbf16>, %B : memref<128x64xbf16>, %C : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4, h = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[h, 0] on move 1
}

// CHECK-LABEL:@pack_4_h
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
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute matmul(a, b)
//  CHECK-NEXT:    reserve p
//  CHECK-NEXT:    pack -> p
//  CHECK-NEXT:    push p
//  CHECK-NEXT:    release
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  for k x 1
//  CHECK-NEXT:    wait a
//  CHECK-NEXT:    wait b
//  CHECK-NEXT:    for h x 2
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      compute matmul(a, b)
//  CHECK-NEXT:      reserve p
//  CHECK-NEXT:      pack -> p accumulate
//  CHECK-NEXT:      push p
//  CHECK-NEXT:      release
//  CHECK-NEXT:    wait p
//  CHECK-NEXT:    pop p
//  CHECK-NEXT:    wait p
//  CHECK-NEXT:    pop p
//  CHECK-NEXT:    pop a
//  CHECK-NEXT:    pop b
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute matmul(a, b)
//  CHECK-NEXT:    reserve p
//  CHECK-NEXT:    pack -> p accumulate
//  CHECK-NEXT:    push p
//  CHECK-NEXT:    release
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    wait p
//  CHECK-NEXT:    compute matmul(a, b) reload p
//  CHECK-NEXT:    pop p
//  CHECK-NEXT:    reserve c
//  CHECK-NEXT:    pack -> c
//  CHECK-NEXT:    push c
//  CHECK-NEXT:    release
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    wait c
//  CHECK-NEXT:    write_tiles c -> C
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop c
//   CHECK-NOT:{{.+}}

spatial.program @pack_4_w(%A : memref<32x128xbf16>, %B : memref<128x192xbf16>, %C : memref<32x192xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 3 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[0, w * 2] on move 1
}

// CHECK-LABEL:@pack_4_w
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
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  for w x 3
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute matmul(a, b)
//  CHECK-NEXT:    reserve p
//  CHECK-NEXT:    pack -> p
//  CHECK-NEXT:    push p
//  CHECK-NEXT:    release
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  for k x 1
//  CHECK-NEXT:    wait a
//  CHECK-NEXT:    wait b
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      compute matmul(a, b)
//  CHECK-NEXT:      reserve p
//  CHECK-NEXT:      pack -> p accumulate
//  CHECK-NEXT:      push p
//  CHECK-NEXT:      release
//  CHECK-NEXT:    wait p
//  CHECK-NEXT:    pop p
//  CHECK-NEXT:    wait p
//  CHECK-NEXT:    pop p
//  CHECK-NEXT:    wait p
//  CHECK-NEXT:    pop p
//  CHECK-NEXT:    pop a
//  CHECK-NEXT:    pop b
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  for w x 3
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute matmul(a, b)
//  CHECK-NEXT:    reserve p
//  CHECK-NEXT:    pack -> p accumulate
//  CHECK-NEXT:    push p
//  CHECK-NEXT:    release
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  for w x 3
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    wait p
//  CHECK-NEXT:    compute matmul(a, b) reload p
//  CHECK-NEXT:    pop p
//  CHECK-NEXT:    reserve c
//  CHECK-NEXT:    pack -> c
//  CHECK-NEXT:    push c
//  CHECK-NEXT:    release
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for w x 3
//  CHECK-NEXT:    wait c
//  CHECK-NEXT:    write_tiles c -> C
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop c
//   CHECK-NOT:{{.+}}

spatial.program @pack_3_hw(%A : memref<64x96xbf16>, %B : memref<96x192xbf16>, %C : memref<64x192xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3, h = 2, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 6 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[h, w * 2] on move 1
}

// CHECK-LABEL:@pack_3_hw
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
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      compute matmul(a, b)
//  CHECK-NEXT:      reserve p
//  CHECK-NEXT:      pack -> p
//  CHECK-NEXT:      push p
//  CHECK-NEXT:      release
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      compute matmul(a, b)
//  CHECK-NEXT:      reserve p
//  CHECK-NEXT:      pack -> p accumulate
//  CHECK-NEXT:      push p
//  CHECK-NEXT:      release
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      wait p
//  CHECK-NEXT:      compute matmul(a, b) reload p
//  CHECK-NEXT:      pop p
//  CHECK-NEXT:      reserve c
//  CHECK-NEXT:      pack -> c
//  CHECK-NEXT:      push c
//  CHECK-NEXT:      release
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      wait c
//  CHECK-NEXT:      write_tiles c -> C
//  CHECK-NEXT:      write_barrier
//  CHECK-NEXT:      pop c
//   CHECK-NOT:{{.+}}

spatial.program @pack_4_hw(%A : memref<64x128xbf16>, %B : memref<128x192xbf16>, %C : memref<64x192xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4, h = 2, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 6 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[h, w * 2] on move 1
}

// CHECK-LABEL:@pack_4_hw
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
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      compute matmul(a, b)
//  CHECK-NEXT:      reserve p
//  CHECK-NEXT:      pack -> p
//  CHECK-NEXT:      push p
//  CHECK-NEXT:      release
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  for k x 1
//  CHECK-NEXT:    wait a
//  CHECK-NEXT:    wait b
//  CHECK-NEXT:    for h x 2
//  CHECK-NEXT:      for w x 3
//  CHECK-NEXT:        acquire 2
//  CHECK-NEXT:        compute matmul(a, b)
//  CHECK-NEXT:        reserve p
//  CHECK-NEXT:        pack -> p accumulate
//  CHECK-NEXT:        push p
//  CHECK-NEXT:        release
//  CHECK-NEXT:    wait p
//  CHECK-NEXT:    pop p
//  CHECK-NEXT:    wait p
//  CHECK-NEXT:    pop p
//  CHECK-NEXT:    wait p
//  CHECK-NEXT:    pop p
//  CHECK-NEXT:    wait p
//  CHECK-NEXT:    pop p
//  CHECK-NEXT:    wait p
//  CHECK-NEXT:    pop p
//  CHECK-NEXT:    wait p
//  CHECK-NEXT:    pop p
//  CHECK-NEXT:    pop a
//  CHECK-NEXT:    pop b
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      compute matmul(a, b)
//  CHECK-NEXT:      reserve p
//  CHECK-NEXT:      pack -> p accumulate
//  CHECK-NEXT:      push p
//  CHECK-NEXT:      release
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      wait p
//  CHECK-NEXT:      compute matmul(a, b) reload p
//  CHECK-NEXT:      pop p
//  CHECK-NEXT:      reserve c
//  CHECK-NEXT:      pack -> c
//  CHECK-NEXT:      push c
//  CHECK-NEXT:      release
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      wait c
//  CHECK-NEXT:      write_tiles c -> C
//  CHECK-NEXT:      write_barrier
//  CHECK-NEXT:      pop c
//   CHECK-NOT:{{.+}}

spatial.program @pack_5_hw(%A : memref<64x160xbf16>, %B : memref<160x192xbf16>, %C : memref<64x192xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 5, h = 2, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 6 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[h, w * 2] on move 1
}

// CHECK-LABEL:@pack_5_hw
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for k x 5
//  CHECK-NEXT:    reserve a
//  CHECK-NEXT:    read_tiles A -> a
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push a
//  CHECK-NEXT:    reserve b
//  CHECK-NEXT:    read_tiles B -> b
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push b
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      compute matmul(a, b)
//  CHECK-NEXT:      reserve p
//  CHECK-NEXT:      pack -> p
//  CHECK-NEXT:      push p
//  CHECK-NEXT:      release
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  for k x 2
//  CHECK-NEXT:    wait a
//  CHECK-NEXT:    wait b
//  CHECK-NEXT:    for h x 2
//  CHECK-NEXT:      for w x 3
//  CHECK-NEXT:        acquire 2
//  CHECK-NEXT:        compute matmul(a, b)
//  CHECK-NEXT:        reserve p
//  CHECK-NEXT:        pack -> p accumulate
//  CHECK-NEXT:        push p
//  CHECK-NEXT:        release
//  CHECK-NEXT:    wait p
//  CHECK-NEXT:    pop p
//  CHECK-NEXT:    wait p
//  CHECK-NEXT:    pop p
//  CHECK-NEXT:    wait p
//  CHECK-NEXT:    pop p
//  CHECK-NEXT:    wait p
//  CHECK-NEXT:    pop p
//  CHECK-NEXT:    wait p
//  CHECK-NEXT:    pop p
//  CHECK-NEXT:    wait p
//  CHECK-NEXT:    pop p
//  CHECK-NEXT:    pop a
//  CHECK-NEXT:    pop b
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      compute matmul(a, b)
//  CHECK-NEXT:      reserve p
//  CHECK-NEXT:      pack -> p accumulate
//  CHECK-NEXT:      push p
//  CHECK-NEXT:      release
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      wait p
//  CHECK-NEXT:      compute matmul(a, b) reload p
//  CHECK-NEXT:      pop p
//  CHECK-NEXT:      reserve c
//  CHECK-NEXT:      pack -> c
//  CHECK-NEXT:      push c
//  CHECK-NEXT:      release
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      wait c
//  CHECK-NEXT:      write_tiles c -> C
//  CHECK-NEXT:      write_barrier
//  CHECK-NEXT:      pop c
//   CHECK-NOT:{{.+}}
