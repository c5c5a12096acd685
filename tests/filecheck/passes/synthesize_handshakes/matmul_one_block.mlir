// RUN: spatial-opt %s --synthesize-handshakes -t outline | filecheck %s --strict-whitespace --match-full-lines

// One K block: waits; nest{ sub(-, c, no) }; pops, whatever the spill says. The movement engine keeps its K loop.

spatial.program @one_block_one(%A : memref<32x32xbf16>, %B : memref<32x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, 0] on move 1
}

// CHECK-LABEL:@one_block_one
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
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  acquire 2
//  CHECK-NEXT:  compute matmul(a, b)
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

// No spill: sub-blocks are fine where there is one block.
spatial.program @one_block_hw(%A : memref<64x32xbf16>, %B : memref<32x192xbf16>, %C : memref<64x192xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [h = 2, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[h, w * 2] on move 1
}

// CHECK-LABEL:@one_block_hw
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
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      compute matmul(a, b)
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

// A spill that is not needed makes no difference,
spatial.program @one_block_reload_h(%A : memref<64x32xbf16>, %B : memref<32x64xbf16>, %C : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [h = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p
  spatial.store %c into %C[h, 0] on move 1
}

// CHECK-LABEL:@one_block_reload_h
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
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute matmul(a, b)
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

// however it is said,
spatial.program @one_block_pack_w(%A : memref<32x32xbf16>, %B : memref<32x192xbf16>, %C : memref<32x192xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 3 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[0, w * 2] on move 1
}

// CHECK-LABEL:@one_block_pack_w
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
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  for w x 3
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute matmul(a, b)
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

// and even if it shares the memory of the result.
spatial.program @one_block_place_hw(%A : memref<64x32xbf16>, %B : memref<32x192xbf16>, %C : memref<64x192xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [h = 2, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 6 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 6 alias %c : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[h, w * 2] on move 1
}

// CHECK-LABEL:@one_block_place_hw
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
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      compute matmul(a, b)
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
