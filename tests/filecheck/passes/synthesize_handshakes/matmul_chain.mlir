// RUN: spatial-opt %s --synthesize-handshakes -t outline | filecheck %s --strict-whitespace --match-full-lines

// A chain that reads the result of a matmul stands in the nest of the last block, directly after the page it takes is packed.

// In registers: after the last block.
spatial.program @chain_registers(%A : memref<32x96xbf16>, %B : memref<96x64xbf16>, %C : memref<32x64xbf16>, %Bias : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %bias = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c
  spatial.load %Bias[0, 0] into %bias on move 1
  spatial.map @bias (%c, %bias) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %C[0, 0] on move 1
}

// CHECK-LABEL:@chain_registers
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
//  CHECK-NEXT:  acquire 2
//  CHECK-NEXT:  for k x 3
//  CHECK-NEXT:    wait a
//  CHECK-NEXT:    wait b
//  CHECK-NEXT:    compute matmul(a, b)
//  CHECK-NEXT:    pop a
//  CHECK-NEXT:    pop b
//  CHECK-NEXT:  reserve c
//  CHECK-NEXT:  pack -> c
//  CHECK-NEXT:  push c
//  CHECK-NEXT:  release
//  CHECK-NEXT:  wait c
//  CHECK-NEXT:  wait bias
//  CHECK-NEXT:  acquire 2
//  CHECK-NEXT:  compute bias(c, bias)
//  CHECK-NEXT:  reserve d
//  CHECK-NEXT:  pack -> d
//  CHECK-NEXT:  push d
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop c
//  CHECK-NEXT:  pop bias
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  reserve bias
//  CHECK-NEXT:  read_tiles Bias -> bias
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push bias
//  CHECK-NEXT:  wait d
//  CHECK-NEXT:  write_tiles d -> C
//  CHECK-NEXT:  write_barrier
//  CHECK-NEXT:  pop d
//   CHECK-NOT:{{.+}}

spatial.program @chain_trip(%A : memref<32x128xbf16>, %B : memref<128x64xbf16>, %C : memref<32x64xbf16>, %Bias : memref<32x64xbf16>, %n : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 4] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %bias = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.trip k = %n
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c
  spatial.load %Bias[0, 0] into %bias on move 1
  spatial.map @bias (%c, %bias) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %C[0, 0] on move 1
}

// CHECK-LABEL:@chain_trip
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for k x trip
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
//  CHECK-NEXT:  acquire 2
//  CHECK-NEXT:  for k x trip
//  CHECK-NEXT:    wait a
//  CHECK-NEXT:    wait b
//  CHECK-NEXT:    compute matmul(a, b)
//  CHECK-NEXT:    pop a
//  CHECK-NEXT:    pop b
//  CHECK-NEXT:  reserve c
//  CHECK-NEXT:  pack -> c
//  CHECK-NEXT:  push c
//  CHECK-NEXT:  release
//  CHECK-NEXT:  wait c
//  CHECK-NEXT:  wait bias
//  CHECK-NEXT:  acquire 2
//  CHECK-NEXT:  compute bias(c, bias)
//  CHECK-NEXT:  reserve d
//  CHECK-NEXT:  pack -> d
//  CHECK-NEXT:  push d
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop c
//  CHECK-NEXT:  pop bias
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  reserve bias
//  CHECK-NEXT:  read_tiles Bias -> bias
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push bias
//  CHECK-NEXT:  wait d
//  CHECK-NEXT:  write_tiles d -> C
//  CHECK-NEXT:  write_barrier
//  CHECK-NEXT:  pop d
//   CHECK-NOT:{{.+}}

spatial.program @chain_one_block(%A : memref<64x32xbf16>, %B : memref<32x192xbf16>, %C : memref<64x192xbf16>, %Bias : memref<64x192xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [h = 2, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %bias = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c
  spatial.load %Bias[h, w * 2] into %bias on move 1
  spatial.map @bias (%c, %bias) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %C[h, w * 2] on move 1
}

// CHECK-LABEL:@chain_one_block
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
//  CHECK-NEXT:      wait c
//  CHECK-NEXT:      wait bias
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      compute bias(c, bias)
//  CHECK-NEXT:      reserve d
//  CHECK-NEXT:      pack -> d
//  CHECK-NEXT:      push d
//  CHECK-NEXT:      release
//  CHECK-NEXT:      pop c
//  CHECK-NEXT:      pop bias
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      reserve bias
//  CHECK-NEXT:      read_tiles Bias -> bias
//  CHECK-NEXT:      read_barrier
//  CHECK-NEXT:      push bias
//  CHECK-NEXT:      wait d
//  CHECK-NEXT:      write_tiles d -> C
//  CHECK-NEXT:      write_barrier
//  CHECK-NEXT:      pop d
//   CHECK-NOT:{{.+}}

spatial.program @chain_in_place(%A : memref<64x96xbf16>, %B : memref<96x192xbf16>, %C : memref<64x192xbf16>, %Bias : memref<64x192xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3, h = 2, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 6 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 6 alias %c : !spatial.buffer<1x2xbf16>
  %bias = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.load %Bias[h, w * 2] into %bias on move 1
  spatial.map @bias (%c, %bias) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %C[h, w * 2] on move 1
}

// CHECK-LABEL:@chain_in_place
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
//  CHECK-NEXT:  reserve c, 6
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
//  CHECK-NEXT:      pack -> c accumulate
//  CHECK-NEXT:      push c
//  CHECK-NEXT:      release
//  CHECK-NEXT:      wait c
//  CHECK-NEXT:      wait bias
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      compute bias(c, bias)
//  CHECK-NEXT:      reserve d
//  CHECK-NEXT:      pack -> d
//  CHECK-NEXT:      push d
//  CHECK-NEXT:      release
//  CHECK-NEXT:      pop c
//  CHECK-NEXT:      pop bias
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      reserve bias
//  CHECK-NEXT:      read_tiles Bias -> bias
//  CHECK-NEXT:      read_barrier
//  CHECK-NEXT:      push bias
//  CHECK-NEXT:      wait d
//  CHECK-NEXT:      write_tiles d -> C
//  CHECK-NEXT:      write_barrier
//  CHECK-NEXT:      pop d
//   CHECK-NOT:{{.+}}

spatial.program @chain_pack_2(%A : memref<64x64xbf16>, %B : memref<64x192xbf16>, %C : memref<64x192xbf16>, %Bias : memref<64x192xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2, h = 2, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 6 : !spatial.buffer<1x2xbf16>
  %bias = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.load %Bias[h, w * 2] into %bias on move 1
  spatial.map @bias (%c, %bias) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %C[h, w * 2] on move 1
}

// CHECK-LABEL:@chain_pack_2
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
//  CHECK-NEXT:      wait c
//  CHECK-NEXT:      wait bias
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      compute bias(c, bias)
//  CHECK-NEXT:      reserve d
//  CHECK-NEXT:      pack -> d
//  CHECK-NEXT:      push d
//  CHECK-NEXT:      release
//  CHECK-NEXT:      pop c
//  CHECK-NEXT:      pop bias
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      reserve bias
//  CHECK-NEXT:      read_tiles Bias -> bias
//  CHECK-NEXT:      read_barrier
//  CHECK-NEXT:      push bias
//  CHECK-NEXT:      wait d
//  CHECK-NEXT:      write_tiles d -> C
//  CHECK-NEXT:      write_barrier
//  CHECK-NEXT:      pop d
//   CHECK-NOT:{{.+}}

spatial.program @chain_pack_4(%A : memref<32x128xbf16>, %B : memref<128x192xbf16>, %C : memref<32x192xbf16>, %Bias : memref<32x192xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 3 : !spatial.buffer<1x2xbf16>
  %bias = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.load %Bias[0, w * 2] into %bias on move 1
  spatial.map @bias (%c, %bias) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %C[0, w * 2] on move 1
}

// CHECK-LABEL:@chain_pack_4
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
//  CHECK-NEXT:    wait c
//  CHECK-NEXT:    wait bias
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute bias(c, bias)
//  CHECK-NEXT:    reserve d
//  CHECK-NEXT:    pack -> d
//  CHECK-NEXT:    push d
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop c
//  CHECK-NEXT:    pop bias
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for w x 3
//  CHECK-NEXT:    reserve bias
//  CHECK-NEXT:    read_tiles Bias -> bias
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push bias
//  CHECK-NEXT:    wait d
//  CHECK-NEXT:    write_tiles d -> C
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop d
//   CHECK-NOT:{{.+}}

spatial.program @chain_reload(%A : memref<64x96xbf16>, %B : memref<96x192xbf16>, %C : memref<64x192xbf16>, %Bias : memref<64x192xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3, h = 2, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 6 : !spatial.buffer<1x2xbf16>
  %bias = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p
  spatial.load %Bias[h, w * 2] into %bias on move 1
  spatial.map @bias (%c, %bias) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %C[h, w * 2] on move 1
}

// CHECK-LABEL:@chain_reload
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
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  for k x 1
//  CHECK-NEXT:    wait a
//  CHECK-NEXT:    wait b
//  CHECK-NEXT:    for h x 2
//  CHECK-NEXT:      for w x 3
//  CHECK-NEXT:        acquire 2
//  CHECK-NEXT:        wait p
//  CHECK-NEXT:        compute matmul(a, b) reload p
//  CHECK-NEXT:        pop p
//  CHECK-NEXT:        reserve p
//  CHECK-NEXT:        pack -> p
//  CHECK-NEXT:        push p
//  CHECK-NEXT:        release
//  CHECK-NEXT:    pop a
//  CHECK-NEXT:    pop b
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
//  CHECK-NEXT:      wait c
//  CHECK-NEXT:      wait bias
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      compute bias(c, bias)
//  CHECK-NEXT:      reserve d
//  CHECK-NEXT:      pack -> d
//  CHECK-NEXT:      push d
//  CHECK-NEXT:      release
//  CHECK-NEXT:      pop c
//  CHECK-NEXT:      pop bias
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      reserve bias
//  CHECK-NEXT:      read_tiles Bias -> bias
//  CHECK-NEXT:      read_barrier
//  CHECK-NEXT:      push bias
//  CHECK-NEXT:      wait d
//  CHECK-NEXT:      write_tiles d -> C
//  CHECK-NEXT:      write_barrier
//  CHECK-NEXT:      pop d
//   CHECK-NOT:{{.+}}

// A page is popped by its last reader.
spatial.program @chain_of_two(%A : memref<32x64xbf16>, %B : memref<64x192xbf16>, %C : memref<32x192xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 3 : !spatial.buffer<1x2xbf16>
  %s = spatial.buffer depth 1 : !spatial.buffer<1x2xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p
  spatial.map @half (%c) into %s {
  ^bb0(%0 : f32):
    %1 = arith.negf %0 : f32
    spatial.yield %1 : f32
  }
  spatial.map @both (%s, %c) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %C[0, w * 2] on move 1
}

// CHECK-LABEL:@chain_of_two
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
//  CHECK-NEXT:    wait c
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute half(c)
//  CHECK-NEXT:    reserve s
//  CHECK-NEXT:    pack -> s
//  CHECK-NEXT:    push s
//  CHECK-NEXT:    release
//  CHECK-NEXT:    wait s
//  CHECK-NEXT:    wait c
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute both(s, c)
//  CHECK-NEXT:    reserve d
//  CHECK-NEXT:    pack -> d
//  CHECK-NEXT:    push d
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop s
//  CHECK-NEXT:    pop c
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for w x 3
//  CHECK-NEXT:    wait d
//  CHECK-NEXT:    write_tiles d -> C
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop d
//   CHECK-NOT:{{.+}}

// Waited for and popped once, however often it is named.
spatial.program @chain_twice(%A : memref<32x64xbf16>, %B : memref<64x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 1 : !spatial.buffer<1x2xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p
  spatial.map @square (%c, %c) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %C[0, 0] on move 1
}

// CHECK-LABEL:@chain_twice
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
//  CHECK-NEXT:  wait c
//  CHECK-NEXT:  acquire 2
//  CHECK-NEXT:  compute square(c, c)
//  CHECK-NEXT:  reserve d
//  CHECK-NEXT:  pack -> d
//  CHECK-NEXT:  push d
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop c
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  wait d
//  CHECK-NEXT:  write_tiles d -> C
//  CHECK-NEXT:  write_barrier
//  CHECK-NEXT:  pop d
//   CHECK-NOT:{{.+}}
