// RUN: spatial-opt %s --synthesize-handshakes -t outline | filecheck %s --strict-whitespace --match-full-lines

// A stage that makes an operand page {k} of the matmul runs at the start of each block, before `waits`.

spatial.program @dequantise_one_block(%A : memref<32x32xbf16>, %Q : memref<32x192xi8>, %C : memref<32x192xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %q = spatial.buffer depth 2 : !spatial.buffer<1x6xi8>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %Q[k, 0] into %q on move 0
  spatial.map @dequantise (%q) into %b {
  ^bb0(%0 : i32):
    %1 = arith.sitofp %0 : i32 to f32
    spatial.yield %1 : f32
  }
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, w * 2] on move 1
}

// CHECK-LABEL:@dequantise_one_block
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for k x 1
//  CHECK-NEXT:    reserve a
//  CHECK-NEXT:    read_tiles A -> a
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push a
//  CHECK-NEXT:    reserve q
//  CHECK-NEXT:    read_tiles Q -> q
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push q
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait q
//  CHECK-NEXT:  acquire 6
//  CHECK-NEXT:  compute dequantise(q)
//  CHECK-NEXT:  reserve b
//  CHECK-NEXT:  pack -> b
//  CHECK-NEXT:  push b
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop q
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

spatial.program @dequantise_reload(%A : memref<64x96xbf16>, %Q : memref<96x64xi8>, %C : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3, h = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %q = spatial.buffer depth 2 : !spatial.buffer<1x2xi8>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %Q[k, 0] into %q on move 0
  spatial.map @dequantise (%q) into %b {
  ^bb0(%0 : i32):
    %1 = arith.sitofp %0 : i32 to f32
    spatial.yield %1 : f32
  }
  spatial.matmul %a, %b into %c spill %p
  spatial.store %c into %C[h, 0] on move 1
}

// CHECK-LABEL:@dequantise_reload
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for k x 3
//  CHECK-NEXT:    reserve a
//  CHECK-NEXT:    read_tiles A -> a
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push a
//  CHECK-NEXT:    reserve q
//  CHECK-NEXT:    read_tiles Q -> q
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push q
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait q
//  CHECK-NEXT:  acquire 2
//  CHECK-NEXT:  compute dequantise(q)
//  CHECK-NEXT:  reserve b
//  CHECK-NEXT:  pack -> b
//  CHECK-NEXT:  push b
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop q
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
//  CHECK-NEXT:  for k x 1
//  CHECK-NEXT:    wait q
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute dequantise(q)
//  CHECK-NEXT:    reserve b
//  CHECK-NEXT:    pack -> b
//  CHECK-NEXT:    push b
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop q
//  CHECK-NEXT:    wait a
//  CHECK-NEXT:    wait b
//  CHECK-NEXT:    for h x 2
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      wait p
//  CHECK-NEXT:      compute matmul(a, b) reload p
//  CHECK-NEXT:      pop p
//  CHECK-NEXT:      reserve p
//  CHECK-NEXT:      pack -> p
//  CHECK-NEXT:      push p
//  CHECK-NEXT:      release
//  CHECK-NEXT:    pop a
//  CHECK-NEXT:    pop b
//  CHECK-NEXT:  wait q
//  CHECK-NEXT:  acquire 2
//  CHECK-NEXT:  compute dequantise(q)
//  CHECK-NEXT:  reserve b
//  CHECK-NEXT:  pack -> b
//  CHECK-NEXT:  push b
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop q
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

spatial.program @dequantise_pack_2(%A : memref<32x64xbf16>, %Q : memref<64x64xi8>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 1 : !spatial.buffer<1x2xbf16>
  %q = spatial.buffer depth 2 : !spatial.buffer<1x2xi8>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %Q[k, 0] into %q on move 0
  spatial.map @dequantise (%q) into %b {
  ^bb0(%0 : i32):
    %1 = arith.sitofp %0 : i32 to f32
    spatial.yield %1 : f32
  }
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[0, 0] on move 1
}

// CHECK-LABEL:@dequantise_pack_2
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for k x 2
//  CHECK-NEXT:    reserve a
//  CHECK-NEXT:    read_tiles A -> a
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push a
//  CHECK-NEXT:    reserve q
//  CHECK-NEXT:    read_tiles Q -> q
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push q
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait q
//  CHECK-NEXT:  acquire 2
//  CHECK-NEXT:  compute dequantise(q)
//  CHECK-NEXT:  reserve b
//  CHECK-NEXT:  pack -> b
//  CHECK-NEXT:  push b
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop q
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
//  CHECK-NEXT:  wait q
//  CHECK-NEXT:  acquire 2
//  CHECK-NEXT:  compute dequantise(q)
//  CHECK-NEXT:  reserve b
//  CHECK-NEXT:  pack -> b
//  CHECK-NEXT:  push b
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop q
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

spatial.program @dequantise_pack_4(%A : memref<32x128xbf16>, %Q : memref<128x128xi8>, %C : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x4xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %q = spatial.buffer depth 2 : !spatial.buffer<1x4xi8>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %Q[k, 0] into %q on move 0
  spatial.map @dequantise (%q) into %b {
  ^bb0(%0 : i32):
    %1 = arith.sitofp %0 : i32 to f32
    spatial.yield %1 : f32
  }
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[0, w * 2] on move 1
}

// CHECK-LABEL:@dequantise_pack_4
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve a
//  CHECK-NEXT:    read_tiles A -> a
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push a
//  CHECK-NEXT:    reserve q
//  CHECK-NEXT:    read_tiles Q -> q
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push q
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait q
//  CHECK-NEXT:  acquire 4
//  CHECK-NEXT:  compute dequantise(q)
//  CHECK-NEXT:  reserve b
//  CHECK-NEXT:  pack -> b
//  CHECK-NEXT:  push b
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop q
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  for w x 2
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
//  CHECK-NEXT:    wait q
//  CHECK-NEXT:    acquire 4
//  CHECK-NEXT:    compute dequantise(q)
//  CHECK-NEXT:    reserve b
//  CHECK-NEXT:    pack -> b
//  CHECK-NEXT:    push b
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop q
//  CHECK-NEXT:    wait a
//  CHECK-NEXT:    wait b
//  CHECK-NEXT:    for w x 2
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
//  CHECK-NEXT:  wait q
//  CHECK-NEXT:  acquire 4
//  CHECK-NEXT:  compute dequantise(q)
//  CHECK-NEXT:  reserve b
//  CHECK-NEXT:  pack -> b
//  CHECK-NEXT:  push b
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop q
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  for w x 2
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute matmul(a, b)
//  CHECK-NEXT:    reserve p
//  CHECK-NEXT:    pack -> p accumulate
//  CHECK-NEXT:    push p
//  CHECK-NEXT:    release
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  wait q
//  CHECK-NEXT:  acquire 4
//  CHECK-NEXT:  compute dequantise(q)
//  CHECK-NEXT:  reserve b
//  CHECK-NEXT:  pack -> b
//  CHECK-NEXT:  push b
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop q
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  for w x 2
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
//  CHECK-NEXT:  for w x 2
//  CHECK-NEXT:    wait c
//  CHECK-NEXT:    write_tiles c -> C
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop c
//   CHECK-NOT:{{.+}}

spatial.program @dequantise_in_place(%A : memref<64x96xbf16>, %Q : memref<96x64xi8>, %C : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3, h = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 2 alias %c : !spatial.buffer<1x2xbf16>
  %q = spatial.buffer depth 2 : !spatial.buffer<1x2xi8>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %Q[k, 0] into %q on move 0
  spatial.map @dequantise (%q) into %b {
  ^bb0(%0 : i32):
    %1 = arith.sitofp %0 : i32 to f32
    spatial.yield %1 : f32
  }
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[h, 0] on move 1
}

// CHECK-LABEL:@dequantise_in_place
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for k x 3
//  CHECK-NEXT:    reserve a
//  CHECK-NEXT:    read_tiles A -> a
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push a
//  CHECK-NEXT:    reserve q
//  CHECK-NEXT:    read_tiles Q -> q
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push q
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  reserve c, 2
//  CHECK-NEXT:  wait q
//  CHECK-NEXT:  acquire 2
//  CHECK-NEXT:  compute dequantise(q)
//  CHECK-NEXT:  reserve b
//  CHECK-NEXT:  pack -> b
//  CHECK-NEXT:  push b
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop q
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
//  CHECK-NEXT:    wait q
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute dequantise(q)
//  CHECK-NEXT:    reserve b
//  CHECK-NEXT:    pack -> b
//  CHECK-NEXT:    push b
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop q
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
//  CHECK-NEXT:  wait q
//  CHECK-NEXT:  acquire 2
//  CHECK-NEXT:  compute dequantise(q)
//  CHECK-NEXT:  reserve b
//  CHECK-NEXT:  pack -> b
//  CHECK-NEXT:  push b
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop q
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute matmul(a, b)
//  CHECK-NEXT:    pack -> c accumulate
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
