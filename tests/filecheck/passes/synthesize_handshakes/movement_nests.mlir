// RUN: spatial-opt %s --synthesize-handshakes -t outline | filecheck %s --strict-whitespace --match-full-lines

// Loads and stores of single pages: the three phases of an engine, and the nests that stages share.

// A plain copy, once.
spatial.program @copy(%X : memref<32x32xbf16>, %Y : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, 0] into %x on move 0
  spatial.store %x into %Y[0, 0] on move 1
}

// CHECK-LABEL:@copy
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  reserve x
//  CHECK-NEXT:  read_tiles X -> x
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push x
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  wait x
//  CHECK-NEXT:  write_tiles x -> Y
//  CHECK-NEXT:  write_barrier
//  CHECK-NEXT:  pop x
//   CHECK-NOT:{{.+}}

// On one engine, load and store of a page stand in one nest: one after the other the ring would fill.
spatial.program @copy_on_one_engine(%X : memref<64x128xbf16>, %Y : memref<64x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [h = 2, w = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[h, w] into %x on move 0
  spatial.store %x into %Y[h, w] on move 0
}

// CHECK-LABEL:@copy_on_one_engine
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 4
//  CHECK-NEXT:      reserve x
//  CHECK-NEXT:      read_tiles X -> x
//  CHECK-NEXT:      read_barrier
//  CHECK-NEXT:      push x
//  CHECK-NEXT:      wait x
//  CHECK-NEXT:      write_tiles x -> Y
//  CHECK-NEXT:      write_barrier
//  CHECK-NEXT:      pop x
//   CHECK-NOT:{{.+}}

// All three loops.
spatial.program @copy_all_loops(%X : memref<64x384xbf16>, %Y : memref<64x384xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3, h = 2, w = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[h, k * 4 + w] into %x on move 0
  spatial.store %x into %Y[h, k * 4 + w] on move 1
}

// CHECK-LABEL:@copy_all_loops
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for k x 3
//  CHECK-NEXT:    for h x 2
//  CHECK-NEXT:      for w x 4
//  CHECK-NEXT:        reserve x
//  CHECK-NEXT:        read_tiles X -> x
//  CHECK-NEXT:        read_barrier
//  CHECK-NEXT:        push x
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 3
//  CHECK-NEXT:    for h x 2
//  CHECK-NEXT:      for w x 4
//  CHECK-NEXT:        wait x
//  CHECK-NEXT:        write_tiles x -> Y
//  CHECK-NEXT:        write_barrier
//  CHECK-NEXT:        pop x
//   CHECK-NOT:{{.+}}

// Loops of extent 1 are left out, but for a movement engine's K loop.
spatial.program @extent_1(%X : memref<32x64xbf16>, %Y : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 1, h = 1, w = 2] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[h + k, w] into %x on move 0
  spatial.store %x into %Y[h + k, w] on move 1
}

// CHECK-LABEL:@extent_1
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for k x 1
//  CHECK-NEXT:    for w x 2
//  CHECK-NEXT:      reserve x
//  CHECK-NEXT:      read_tiles X -> x
//  CHECK-NEXT:      read_barrier
//  CHECK-NEXT:      push x
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 1
//  CHECK-NEXT:    for w x 2
//  CHECK-NEXT:      wait x
//  CHECK-NEXT:      write_tiles x -> Y
//  CHECK-NEXT:      write_barrier
//  CHECK-NEXT:      pop x
//   CHECK-NOT:{{.+}}

// A run-time trip; loads of domain {} come before the loop, wherever they are written.
spatial.program @phases(%X : memref<32x256xbf16>, %S : memref<32x32xbf16>, %Y : memref<32x256xbf16>, %n : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 8] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  spatial.trip k = %n
  spatial.load %X[0, k] into %x on move 0
  spatial.load %S[0, 0] into %s on move 0
  spatial.map @scale (%x, %s) into %y {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %y into %Y[0, k] on move 0
}

// CHECK-LABEL:@phases
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  reserve s
//  CHECK-NEXT:  read_tiles S -> s
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push s
//  CHECK-NEXT:  for k x trip
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push x
//  CHECK-NEXT:    wait y
//  CHECK-NEXT:    write_tiles y -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop y
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  for k x trip
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    wait s
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute scale(x, s)
//  CHECK-NEXT:    reserve y
//  CHECK-NEXT:    pack -> y
//  CHECK-NEXT:    push y
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop x
//  CHECK-NEXT:  wait s
//  CHECK-NEXT:  pop s
//   CHECK-NOT:{{.+}}

// Stages over the same loops share a nest at every level; a page of a smaller domain is held around the loops it does not use.
spatial.program @levels_of_nest(%A : memref<96x32xbf16>, %B : memref<192x32xbf16>, %D : memref<192x128xbf16>, %Y : memref<192x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3, h = 2, w = 4] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %A[k, 0] into %a on move 0
  spatial.load %B[k * 2 + h, 0] into %b on move 0
  spatial.load %D[k * 2 + h, w] into %d on move 0
  spatial.map @sum (%a, %b, %d) into %y {
  ^bb0(%0 : f32, %1 : f32, %2 : f32):
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    spatial.yield %4 : f32
  }
  spatial.store %y into %Y[k * 2 + h, w] on move 0
}

// CHECK-LABEL:@levels_of_nest
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for k x 3
//  CHECK-NEXT:    reserve a
//  CHECK-NEXT:    read_tiles A -> a
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push a
//  CHECK-NEXT:    for h x 2
//  CHECK-NEXT:      reserve b
//  CHECK-NEXT:      read_tiles B -> b
//  CHECK-NEXT:      read_barrier
//  CHECK-NEXT:      push b
//  CHECK-NEXT:      for w x 4
//  CHECK-NEXT:        reserve d
//  CHECK-NEXT:        read_tiles D -> d
//  CHECK-NEXT:        read_barrier
//  CHECK-NEXT:        push d
//  CHECK-NEXT:        wait y
//  CHECK-NEXT:        write_tiles y -> Y
//  CHECK-NEXT:        write_barrier
//  CHECK-NEXT:        pop y
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  for k x 3
//  CHECK-NEXT:    wait a
//  CHECK-NEXT:    for h x 2
//  CHECK-NEXT:      wait b
//  CHECK-NEXT:      for w x 4
//  CHECK-NEXT:        wait d
//  CHECK-NEXT:        acquire 1
//  CHECK-NEXT:        compute sum(a, b, d)
//  CHECK-NEXT:        reserve y
//  CHECK-NEXT:        pack -> y
//  CHECK-NEXT:        push y
//  CHECK-NEXT:        release
//  CHECK-NEXT:        pop d
//  CHECK-NEXT:      pop b
//  CHECK-NEXT:    pop a
//   CHECK-NOT:{{.+}}

// All three phases on one engine: once, the K loop, the rest; the page written first is needed last.
spatial.program @before_k_after(%A : memref<32x96xbf16>, %B : memref<96x128xbf16>, %S : memref<32x32xbf16>, %Bias : memref<32x128xbf16>, %D : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3, w = 4] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x4xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %bias = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %Bias[0, w] into %bias on move 0
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.load %S[0, 0] into %s on move 0
  spatial.matmul %a, %b into %c spill %p
  spatial.map @finish (%c, %bias, %s) into %d {
  ^bb0(%0 : f32, %1 : f32, %2 : f32):
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    spatial.yield %4 : f32
  }
  spatial.store %d into %D[0, w] on move 0
}

// CHECK-LABEL:@before_k_after
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  reserve s
//  CHECK-NEXT:  read_tiles S -> s
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push s
//  CHECK-NEXT:  for k x 3
//  CHECK-NEXT:    reserve a
//  CHECK-NEXT:    read_tiles A -> a
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push a
//  CHECK-NEXT:    reserve b
//  CHECK-NEXT:    read_tiles B -> b
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push b
//  CHECK-NEXT:  for w x 4
//  CHECK-NEXT:    reserve bias
//  CHECK-NEXT:    read_tiles Bias -> bias
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push bias
//  CHECK-NEXT:    wait d
//  CHECK-NEXT:    write_tiles d -> D
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop d
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  for w x 4
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute matmul(a, b)
//  CHECK-NEXT:    reserve p
//  CHECK-NEXT:    pack -> p
//  CHECK-NEXT:    push p
//  CHECK-NEXT:    release
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  for k x 1
//  CHECK-NEXT:    wait a
//  CHECK-NEXT:    wait b
//  CHECK-NEXT:    for w x 4
//  CHECK-NEXT:      acquire 1
//  CHECK-NEXT:      wait p
//  CHECK-NEXT:      compute matmul(a, b) reload p
//  CHECK-NEXT:      pop p
//  CHECK-NEXT:      reserve p
//  CHECK-NEXT:      pack -> p
//  CHECK-NEXT:      push p
//  CHECK-NEXT:      release
//  CHECK-NEXT:    pop a
//  CHECK-NEXT:    pop b
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  wait s
//  CHECK-NEXT:  for w x 4
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    wait p
//  CHECK-NEXT:    compute matmul(a, b) reload p
//  CHECK-NEXT:    pop p
//  CHECK-NEXT:    reserve c
//  CHECK-NEXT:    pack -> c
//  CHECK-NEXT:    push c
//  CHECK-NEXT:    release
//  CHECK-NEXT:    wait c
//  CHECK-NEXT:    wait bias
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute finish(c, bias, s)
//  CHECK-NEXT:    reserve d
//  CHECK-NEXT:    pack -> d
//  CHECK-NEXT:    push d
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop c
//  CHECK-NEXT:    pop bias
//  CHECK-NEXT:  pop s
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//   CHECK-NOT:{{.+}}
