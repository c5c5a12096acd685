// RUN: spatial-opt %s --synthesize-handshakes -t outline | filecheck %s --strict-whitespace --match-full-lines

// Operands of a smaller domain than the nest are held around the loops they do not use; without a nest they are ordinary operands.

// Domain {}: W after `waits`, O before `pops`, of the one block whose nest reads it.
spatial.program @held_one_block(%A : memref<64x32xbf16>, %B : memref<32x192xbf16>, %C : memref<64x192xbf16>, %Bias : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [h = 2, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
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
  spatial.store %d into %C[h, w * 2] on move 1
}

// CHECK-LABEL:@held_one_block
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
//  CHECK-NEXT:  wait bias
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      compute matmul(a, b)
//  CHECK-NEXT:      reserve c
//  CHECK-NEXT:      pack -> c
//  CHECK-NEXT:      push c
//  CHECK-NEXT:      release
//  CHECK-NEXT:      wait c
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      compute bias(c, bias)
//  CHECK-NEXT:      reserve d
//  CHECK-NEXT:      pack -> d
//  CHECK-NEXT:      push d
//  CHECK-NEXT:      release
//  CHECK-NEXT:      pop c
//  CHECK-NEXT:  pop bias
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  reserve bias
//  CHECK-NEXT:  read_tiles Bias -> bias
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push bias
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      wait d
//  CHECK-NEXT:      write_tiles d -> C
//  CHECK-NEXT:      write_barrier
//  CHECK-NEXT:      pop d
//   CHECK-NOT:{{.+}}

spatial.program @held_in_place(%A : memref<64x96xbf16>, %B : memref<96x192xbf16>, %C : memref<64x192xbf16>, %Bias : memref<32x64xbf16>)
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
  spatial.load %Bias[0, 0] into %bias on move 1
  spatial.map @bias (%c, %bias) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %C[h, w * 2] on move 1
}

// CHECK-LABEL:@held_in_place
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
//  CHECK-NEXT:  wait bias
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      compute matmul(a, b)
//  CHECK-NEXT:      pack -> c accumulate
//  CHECK-NEXT:      push c
//  CHECK-NEXT:      release
//  CHECK-NEXT:      wait c
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      compute bias(c, bias)
//  CHECK-NEXT:      reserve d
//  CHECK-NEXT:      pack -> d
//  CHECK-NEXT:      push d
//  CHECK-NEXT:      release
//  CHECK-NEXT:      pop c
//  CHECK-NEXT:  pop bias
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  reserve bias
//  CHECK-NEXT:  read_tiles Bias -> bias
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push bias
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      wait d
//  CHECK-NEXT:      write_tiles d -> C
//  CHECK-NEXT:      write_barrier
//  CHECK-NEXT:      pop d
//   CHECK-NOT:{{.+}}

spatial.program @held_pack_2(%A : memref<32x64xbf16>, %B : memref<64x192xbf16>, %C : memref<32x192xbf16>, %Bias : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 3 : !spatial.buffer<1x2xbf16>
  %bias = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.load %Bias[0, 0] into %bias on move 1
  spatial.map @bias (%c, %bias) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %C[0, w * 2] on move 1
}

// CHECK-LABEL:@held_pack_2
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
//  CHECK-NEXT:  wait bias
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
//  CHECK-NEXT:    compute bias(c, bias)
//  CHECK-NEXT:    reserve d
//  CHECK-NEXT:    pack -> d
//  CHECK-NEXT:    push d
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop c
//  CHECK-NEXT:  pop bias
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  reserve bias
//  CHECK-NEXT:  read_tiles Bias -> bias
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push bias
//  CHECK-NEXT:  for w x 3
//  CHECK-NEXT:    wait d
//  CHECK-NEXT:    write_tiles d -> C
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop d
//   CHECK-NOT:{{.+}}

spatial.program @held_pack_3(%A : memref<64x96xbf16>, %B : memref<96x64xbf16>, %C : memref<64x64xbf16>, %Bias : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3, h = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %bias = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.load %Bias[0, 0] into %bias on move 1
  spatial.map @bias (%c, %bias) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %C[h, 0] on move 1
}

// CHECK-LABEL:@held_pack_3
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
//  CHECK-NEXT:  wait bias
//  CHECK-NEXT:  for h x 2
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
//  CHECK-NEXT:    compute bias(c, bias)
//  CHECK-NEXT:    reserve d
//  CHECK-NEXT:    pack -> d
//  CHECK-NEXT:    push d
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop c
//  CHECK-NEXT:  pop bias
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  reserve bias
//  CHECK-NEXT:  read_tiles Bias -> bias
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push bias
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    wait d
//  CHECK-NEXT:    write_tiles d -> C
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop d
//   CHECK-NOT:{{.+}}

spatial.program @held_reload(%A : memref<64x64xbf16>, %B : memref<64x192xbf16>, %C : memref<64x192xbf16>, %Bias : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2, h = 2, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 6 : !spatial.buffer<1x2xbf16>
  %bias = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p
  spatial.load %Bias[0, 0] into %bias on move 1
  spatial.map @bias (%c, %bias) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %C[h, w * 2] on move 1
}

// CHECK-LABEL:@held_reload
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
//  CHECK-NEXT:  wait bias
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
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      compute bias(c, bias)
//  CHECK-NEXT:      reserve d
//  CHECK-NEXT:      pack -> d
//  CHECK-NEXT:      push d
//  CHECK-NEXT:      release
//  CHECK-NEXT:      pop c
//  CHECK-NEXT:  pop bias
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  reserve bias
//  CHECK-NEXT:  read_tiles Bias -> bias
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push bias
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      wait d
//  CHECK-NEXT:      write_tiles d -> C
//  CHECK-NEXT:      write_barrier
//  CHECK-NEXT:      pop d
//   CHECK-NOT:{{.+}}

// Domain {h}: held while w runs.
spatial.program @held_h(%A : memref<64x64xbf16>, %B : memref<64x192xbf16>, %C : memref<64x192xbf16>, %Bias : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2, h = 2, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 6 : !spatial.buffer<1x2xbf16>
  %bias = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p
  spatial.load %Bias[h, 0] into %bias on move 1
  spatial.map @bias (%c, %bias) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %C[h, w * 2] on move 1
}

// CHECK-LABEL:@held_h
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
//  CHECK-NEXT:    wait bias
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
//  CHECK-NEXT:      acquire 2
//  CHECK-NEXT:      compute bias(c, bias)
//  CHECK-NEXT:      reserve d
//  CHECK-NEXT:      pack -> d
//  CHECK-NEXT:      push d
//  CHECK-NEXT:      release
//  CHECK-NEXT:      pop c
//  CHECK-NEXT:    pop bias
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    reserve bias
//  CHECK-NEXT:    read_tiles Bias -> bias
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push bias
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      wait d
//  CHECK-NEXT:      write_tiles d -> C
//  CHECK-NEXT:      write_barrier
//  CHECK-NEXT:      pop d
//   CHECK-NOT:{{.+}}

// Domain {w} is no prefix of the nest: the page is loaded again for every h.
spatial.program @held_w(%A : memref<64x64xbf16>, %B : memref<64x192xbf16>, %C : memref<64x192xbf16>, %Bias : memref<32x192xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2, h = 2, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 6 : !spatial.buffer<1x2xbf16>
  %bias = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p
  spatial.load %Bias[0, w * 2] into %bias on move 1
  spatial.map @bias (%c, %bias) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %C[h, w * 2] on move 1
}

// CHECK-LABEL:@held_w
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

// Loops of extent 1 do not count: {w} is {} here, and {h} all there is.
spatial.program @held_w_of_1(%A : memref<64x64xbf16>, %B : memref<64x64xbf16>, %C : memref<64x64xbf16>, %Bias : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2, h = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %bias = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p
  spatial.load %Bias[0, w * 2] into %bias on move 1
  spatial.map @bias (%c, %bias) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %C[h, 0] on move 1
}

// CHECK-LABEL:@held_w_of_1
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
//  CHECK-NEXT:  wait bias
//  CHECK-NEXT:  for h x 2
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
//  CHECK-NEXT:    compute bias(c, bias)
//  CHECK-NEXT:    reserve d
//  CHECK-NEXT:    pack -> d
//  CHECK-NEXT:    push d
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop c
//  CHECK-NEXT:  pop bias
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  reserve bias
//  CHECK-NEXT:  read_tiles Bias -> bias
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push bias
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    wait d
//  CHECK-NEXT:    write_tiles d -> C
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop d
//   CHECK-NOT:{{.+}}

// A stage of domain {} runs before the first block,
spatial.program @once(%A : memref<32x64xbf16>, %B : memref<64x192xbf16>, %C : memref<32x192xbf16>, %Raw : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 3 : !spatial.buffer<1x2xbf16>
  %raw = spatial.buffer depth 1 : !spatial.buffer<1x2xbf16>
  %bias = spatial.buffer depth 1 : !spatial.buffer<1x2xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p
  spatial.load %Raw[0, 0] into %raw on move 1
  spatial.map @prepare (%raw) into %bias {
  ^bb0(%0 : f32):
    %1 = arith.negf %0 : f32
    spatial.yield %1 : f32
  }
  spatial.map @bias (%c, %bias) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %C[0, w * 2] on move 1
}

// CHECK-LABEL:@once
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
//  CHECK-NEXT:  wait raw
//  CHECK-NEXT:  acquire 2
//  CHECK-NEXT:  compute prepare(raw)
//  CHECK-NEXT:  reserve bias
//  CHECK-NEXT:  pack -> bias
//  CHECK-NEXT:  push bias
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop raw
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
//  CHECK-NEXT:  wait bias
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
//  CHECK-NEXT:    compute bias(c, bias)
//  CHECK-NEXT:    reserve d
//  CHECK-NEXT:    pack -> d
//  CHECK-NEXT:    push d
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop c
//  CHECK-NEXT:  pop bias
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  reserve raw
//  CHECK-NEXT:  read_tiles Raw -> raw
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push raw
//  CHECK-NEXT:  for w x 3
//  CHECK-NEXT:    wait d
//  CHECK-NEXT:    write_tiles d -> C
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop d
//   CHECK-NOT:{{.+}}

// in every form,
spatial.program @once_in_place(%A : memref<32x96xbf16>, %B : memref<96x192xbf16>, %C : memref<32x192xbf16>, %Raw : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3, w = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x6xbf16>
  %c = spatial.buffer depth 3 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 3 alias %c : !spatial.buffer<1x2xbf16>
  %raw = spatial.buffer depth 1 : !spatial.buffer<1x2xbf16>
  %bias = spatial.buffer depth 1 : !spatial.buffer<1x2xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.load %Raw[0, 0] into %raw on move 1
  spatial.map @prepare (%raw) into %bias {
  ^bb0(%0 : f32):
    %1 = arith.negf %0 : f32
    spatial.yield %1 : f32
  }
  spatial.map @bias (%c, %bias) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %C[0, w * 2] on move 1
}

// CHECK-LABEL:@once_in_place
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
//  CHECK-NEXT:  wait raw
//  CHECK-NEXT:  acquire 2
//  CHECK-NEXT:  compute prepare(raw)
//  CHECK-NEXT:  reserve bias
//  CHECK-NEXT:  pack -> bias
//  CHECK-NEXT:  push bias
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop raw
//  CHECK-NEXT:  reserve c, 3
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
//  CHECK-NEXT:  wait bias
//  CHECK-NEXT:  for w x 3
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute matmul(a, b)
//  CHECK-NEXT:    pack -> c accumulate
//  CHECK-NEXT:    push c
//  CHECK-NEXT:    release
//  CHECK-NEXT:    wait c
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute bias(c, bias)
//  CHECK-NEXT:    reserve d
//  CHECK-NEXT:    pack -> d
//  CHECK-NEXT:    push d
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop c
//  CHECK-NEXT:  pop bias
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  reserve raw
//  CHECK-NEXT:  read_tiles Raw -> raw
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push raw
//  CHECK-NEXT:  for w x 3
//  CHECK-NEXT:    wait d
//  CHECK-NEXT:    write_tiles d -> C
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop d
//   CHECK-NOT:{{.+}}

// in registers before the accumulator is acquired.
spatial.program @once_registers(%A : memref<32x96xbf16>, %B : memref<96x64xbf16>, %C : memref<32x64xbf16>, %Raw : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %raw = spatial.buffer depth 1 : !spatial.buffer<1x2xbf16>
  %bias = spatial.buffer depth 1 : !spatial.buffer<1x2xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c
  spatial.load %Raw[0, 0] into %raw on move 1
  spatial.map @prepare (%raw) into %bias {
  ^bb0(%0 : f32):
    %1 = arith.negf %0 : f32
    spatial.yield %1 : f32
  }
  spatial.map @bias (%c, %bias) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %C[0, 0] on move 1
}

// CHECK-LABEL:@once_registers
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
//  CHECK-NEXT:  wait raw
//  CHECK-NEXT:  acquire 2
//  CHECK-NEXT:  compute prepare(raw)
//  CHECK-NEXT:  reserve bias
//  CHECK-NEXT:  pack -> bias
//  CHECK-NEXT:  push bias
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop raw
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
//  CHECK-NEXT:  reserve raw
//  CHECK-NEXT:  read_tiles Raw -> raw
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push raw
//  CHECK-NEXT:  wait d
//  CHECK-NEXT:  write_tiles d -> C
//  CHECK-NEXT:  write_barrier
//  CHECK-NEXT:  pop d
//   CHECK-NOT:{{.+}}
