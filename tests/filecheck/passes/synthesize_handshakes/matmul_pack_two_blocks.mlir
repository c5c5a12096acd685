// RUN: spatial-opt %s --synthesize-handshakes -t outline | filecheck %s --strict-whitespace --match-full-lines

// Two blocks spilled by pack: waits; nest{ sub(-, p, no) }; pops; waits; nest{ sub(p, c, no) }; pops.

spatial.program @pack_2_one(%A : memref<32x64xbf16>, %B : memref<64x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 1 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[0, 0] on move 1
}

// CHECK-LABEL:@pack_2_one
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

spatial.program @pack_2_h(%A : memref<64x64xbf16>, %B : memref<64x64xbf16>, %C : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2, h = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[h, 0] on move 1
}

// CHECK-LABEL:@pack_2_h
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

spatial.program @pack_2_w(%A : memref<32x64xbf16>, %B : memref<64x192xbf16>, %C : memref<32x192xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 3 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[0, w * 2] on move 1
}

// CHECK-LABEL:@pack_2_w
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

spatial.program @pack_2_hw(%A : memref<64x64xbf16>, %B : memref<64x192xbf16>, %C : memref<64x192xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2, h = 2, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 6 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[h, w * 2] on move 1
}

// CHECK-LABEL:@pack_2_hw
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

// Nothing goes round the ring here, so it may be deeper than one item.
spatial.program @pack_2_deep(%A : memref<32x64xbf16>, %B : memref<64x192xbf16>, %C : memref<32x192xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 4 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[0, w * 2] on move 1
}

// CHECK-LABEL:@pack_2_deep
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
