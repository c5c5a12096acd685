// RUN: spatial-opt %s --synthesize-handshakes -t outline | filecheck %s --strict-whitespace --match-full-lines

// Folds: a chain that carries a value across the K blocks.

// Prologue, K loop, epilogue. The update pops the old page of its carry, after the new one is pushed and its other operands are popped.
spatial.program @sum(%Z : memref<32x32xbf16>, %X : memref<32x128xbf16>, %D : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  spatial.load %Z[0, 0] into %z on move 0
  spatial.load %X[0, k] into %x on move 0
  spatial.map @init (%z) into %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @add (%s, %x) update %s {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map @finish (%s) into %d {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %d into %D[0, 0] on move 1
}

// CHECK-LABEL:@sum
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  reserve z
//  CHECK-NEXT:  read_tiles Z -> z
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push z
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait z
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute init(z)
//  CHECK-NEXT:  reserve s
//  CHECK-NEXT:  pack -> s
//  CHECK-NEXT:  push s
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop z
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait s
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute add(s, x)
//  CHECK-NEXT:    reserve s
//  CHECK-NEXT:    pack -> s
//  CHECK-NEXT:    push s
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop x
//  CHECK-NEXT:    pop s
//  CHECK-NEXT:  wait s
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute finish(s)
//  CHECK-NEXT:  reserve d
//  CHECK-NEXT:  pack -> d
//  CHECK-NEXT:  push d
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop s
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  wait d
//  CHECK-NEXT:  write_tiles d -> D
//  CHECK-NEXT:  write_barrier
//  CHECK-NEXT:  pop d
//   CHECK-NOT:{{.+}}

// A run-time trip.
spatial.program @trip(%Z : memref<32x32xbf16>, %X : memref<32x128xbf16>, %D : memref<32x32xbf16>, %n : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 4] {
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  spatial.trip k = %n
  spatial.load %Z[0, 0] into %z on move 0
  spatial.load %X[0, k] into %x on move 0
  spatial.map @init (%z) into %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @add (%s, %x) update %s {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map @finish (%s) into %d {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %d into %D[0, 0] on move 1
}

// CHECK-LABEL:@trip
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  reserve z
//  CHECK-NEXT:  read_tiles Z -> z
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push z
//  CHECK-NEXT:  for k x trip
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait z
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute init(z)
//  CHECK-NEXT:  reserve s
//  CHECK-NEXT:  pack -> s
//  CHECK-NEXT:  push s
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop z
//  CHECK-NEXT:  for k x trip
//  CHECK-NEXT:    wait s
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute add(s, x)
//  CHECK-NEXT:    reserve s
//  CHECK-NEXT:    pack -> s
//  CHECK-NEXT:    push s
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop x
//  CHECK-NEXT:    pop s
//  CHECK-NEXT:  wait s
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute finish(s)
//  CHECK-NEXT:  reserve d
//  CHECK-NEXT:  pack -> d
//  CHECK-NEXT:  push d
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop s
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  wait d
//  CHECK-NEXT:  write_tiles d -> D
//  CHECK-NEXT:  write_barrier
//  CHECK-NEXT:  pop d
//   CHECK-NOT:{{.+}}

// No loop for one block.
spatial.program @one_block(%Z : memref<32x32xbf16>, %X : memref<32x32xbf16>, %D : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] {
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  spatial.load %Z[0, 0] into %z on move 0
  spatial.load %X[0, k] into %x on move 0
  spatial.map @init (%z) into %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @add (%s, %x) update %s {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map @finish (%s) into %d {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %d into %D[0, 0] on move 1
}

// CHECK-LABEL:@one_block
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  reserve z
//  CHECK-NEXT:  read_tiles Z -> z
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push z
//  CHECK-NEXT:  for k x 1
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait z
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute init(z)
//  CHECK-NEXT:  reserve s
//  CHECK-NEXT:  pack -> s
//  CHECK-NEXT:  push s
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop z
//  CHECK-NEXT:  wait s
//  CHECK-NEXT:  wait x
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute add(s, x)
//  CHECK-NEXT:  reserve s
//  CHECK-NEXT:  pack -> s
//  CHECK-NEXT:  push s
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop x
//  CHECK-NEXT:  pop s
//  CHECK-NEXT:  wait s
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute finish(s)
//  CHECK-NEXT:  reserve d
//  CHECK-NEXT:  pack -> d
//  CHECK-NEXT:  push d
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop s
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  wait d
//  CHECK-NEXT:  write_tiles d -> D
//  CHECK-NEXT:  write_barrier
//  CHECK-NEXT:  pop d
//   CHECK-NOT:{{.+}}

// A carry that nobody reads after the blocks is retired; the stores stand in the K loop.
spatial.program @scan(%Z : memref<32x32xbf16>, %X : memref<32x128xbf16>, %D : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  spatial.load %Z[0, 0] into %z on move 0
  spatial.load %X[0, k] into %x on move 0
  spatial.map @init (%z) into %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @emit (%s, %x) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map @add (%s, %x) update %s {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %D[0, k] on move 1
}

// CHECK-LABEL:@scan
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  reserve z
//  CHECK-NEXT:  read_tiles Z -> z
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push z
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait z
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute init(z)
//  CHECK-NEXT:  reserve s
//  CHECK-NEXT:  pack -> s
//  CHECK-NEXT:  push s
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop z
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait s
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute emit(s, x)
//  CHECK-NEXT:    reserve d
//  CHECK-NEXT:    pack -> d
//  CHECK-NEXT:    push d
//  CHECK-NEXT:    release
//  CHECK-NEXT:    wait s
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute add(s, x)
//  CHECK-NEXT:    reserve s
//  CHECK-NEXT:    pack -> s
//  CHECK-NEXT:    push s
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop x
//  CHECK-NEXT:    pop s
//  CHECK-NEXT:  wait s
//  CHECK-NEXT:  pop s
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait d
//  CHECK-NEXT:    write_tiles d -> D
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop d
//   CHECK-NOT:{{.+}}

// A carry is read before it is updated, wherever the reader is written.
spatial.program @read_before_update(%Z : memref<32x32xbf16>, %X : memref<32x128xbf16>, %D : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  spatial.load %Z[0, 0] into %z on move 0
  spatial.load %X[0, k] into %x on move 0
  spatial.map @init (%z) into %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @add (%s, %x) update %s {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map @emit (%s, %x) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %D[0, k] on move 1
}

// CHECK-LABEL:@read_before_update
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  reserve z
//  CHECK-NEXT:  read_tiles Z -> z
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push z
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait z
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute init(z)
//  CHECK-NEXT:  reserve s
//  CHECK-NEXT:  pack -> s
//  CHECK-NEXT:  push s
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop z
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait s
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute emit(s, x)
//  CHECK-NEXT:    reserve d
//  CHECK-NEXT:    pack -> d
//  CHECK-NEXT:    push d
//  CHECK-NEXT:    release
//  CHECK-NEXT:    wait s
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute add(s, x)
//  CHECK-NEXT:    reserve s
//  CHECK-NEXT:    pack -> s
//  CHECK-NEXT:    push s
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop x
//  CHECK-NEXT:    pop s
//  CHECK-NEXT:  wait s
//  CHECK-NEXT:  pop s
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait d
//  CHECK-NEXT:    write_tiles d -> D
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop d
//   CHECK-NOT:{{.+}}

// A page {} that only the body reads is waited for in every block and retired, in the order of the buffers: %g before %s, whatever the order of the stages.
spatial.program @retire_order(%Z : memref<32x32xbf16>, %X : memref<32x128xbf16>, %G : memref<32x32xbf16>, %H : memref<32x32xbf16>, %D : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %g = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  %h = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  spatial.load %Z[0, 0] into %z on move 0
  spatial.load %X[0, k] into %x on move 0
  spatial.map @init (%z) into %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.load %H[0, 0] into %h on move 0
  spatial.load %G[0, 0] into %g on move 0
  spatial.map @emit (%h, %s, %x, %g) into %d {
  ^bb0(%0 : f32, %1 : f32, %2 : f32, %3 : f32):
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %4, %2 : f32
    %6 = arith.addf %5, %3 : f32
    spatial.yield %6 : f32
  }
  spatial.map @add (%s, %x) update %s {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %D[0, k] on move 1
}

// CHECK-LABEL:@retire_order
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  reserve z
//  CHECK-NEXT:  read_tiles Z -> z
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push z
//  CHECK-NEXT:  reserve h
//  CHECK-NEXT:  read_tiles H -> h
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push h
//  CHECK-NEXT:  reserve g
//  CHECK-NEXT:  read_tiles G -> g
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push g
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait z
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute init(z)
//  CHECK-NEXT:  reserve s
//  CHECK-NEXT:  pack -> s
//  CHECK-NEXT:  push s
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop z
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait h
//  CHECK-NEXT:    wait s
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    wait g
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute emit(h, s, x, g)
//  CHECK-NEXT:    reserve d
//  CHECK-NEXT:    pack -> d
//  CHECK-NEXT:    push d
//  CHECK-NEXT:    release
//  CHECK-NEXT:    wait s
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute add(s, x)
//  CHECK-NEXT:    reserve s
//  CHECK-NEXT:    pack -> s
//  CHECK-NEXT:    push s
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop x
//  CHECK-NEXT:    pop s
//  CHECK-NEXT:  wait g
//  CHECK-NEXT:  pop g
//  CHECK-NEXT:  wait s
//  CHECK-NEXT:  pop s
//  CHECK-NEXT:  wait h
//  CHECK-NEXT:  pop h
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait d
//  CHECK-NEXT:    write_tiles d -> D
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop d
//   CHECK-NOT:{{.+}}

// Read by the body and after it: popped by the last reader after it.
spatial.program @body_and_epilogue(%Z : memref<32x32xbf16>, %X : memref<32x128xbf16>, %G : memref<32x32xbf16>, %D : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  %g = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  spatial.load %Z[0, 0] into %z on move 0
  spatial.load %X[0, k] into %x on move 0
  spatial.map @init (%z) into %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.load %G[0, 0] into %g on move 0
  spatial.map @add (%s, %x, %g) update %s {
  ^bb0(%0 : f32, %1 : f32, %2 : f32):
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    spatial.yield %4 : f32
  }
  spatial.map @finish (%s, %g) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %D[0, 0] on move 1
}

// CHECK-LABEL:@body_and_epilogue
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  reserve z
//  CHECK-NEXT:  read_tiles Z -> z
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push z
//  CHECK-NEXT:  reserve g
//  CHECK-NEXT:  read_tiles G -> g
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push g
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait z
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute init(z)
//  CHECK-NEXT:  reserve s
//  CHECK-NEXT:  pack -> s
//  CHECK-NEXT:  push s
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop z
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait s
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    wait g
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute add(s, x, g)
//  CHECK-NEXT:    reserve s
//  CHECK-NEXT:    pack -> s
//  CHECK-NEXT:    push s
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop x
//  CHECK-NEXT:    pop s
//  CHECK-NEXT:  wait s
//  CHECK-NEXT:  wait g
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute finish(s, g)
//  CHECK-NEXT:  reserve d
//  CHECK-NEXT:  pack -> d
//  CHECK-NEXT:  push d
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop s
//  CHECK-NEXT:  pop g
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  wait d
//  CHECK-NEXT:  write_tiles d -> D
//  CHECK-NEXT:  write_barrier
//  CHECK-NEXT:  pop d
//   CHECK-NOT:{{.+}}

// Read only after the blocks.
spatial.program @epilogue_only(%Z : memref<32x32xbf16>, %X : memref<32x128xbf16>, %G : memref<32x32xbf16>, %D : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  %g = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  spatial.load %Z[0, 0] into %z on move 0
  spatial.load %X[0, k] into %x on move 0
  spatial.map @init (%z) into %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.load %G[0, 0] into %g on move 0
  spatial.map @add (%s, %x) update %s {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map @finish (%g, %s) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %D[0, 0] on move 1
}

// CHECK-LABEL:@epilogue_only
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  reserve z
//  CHECK-NEXT:  read_tiles Z -> z
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push z
//  CHECK-NEXT:  reserve g
//  CHECK-NEXT:  read_tiles G -> g
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push g
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait z
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute init(z)
//  CHECK-NEXT:  reserve s
//  CHECK-NEXT:  pack -> s
//  CHECK-NEXT:  push s
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop z
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait s
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute add(s, x)
//  CHECK-NEXT:    reserve s
//  CHECK-NEXT:    pack -> s
//  CHECK-NEXT:    push s
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop x
//  CHECK-NEXT:    pop s
//  CHECK-NEXT:  wait g
//  CHECK-NEXT:  wait s
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute finish(g, s)
//  CHECK-NEXT:  reserve d
//  CHECK-NEXT:  pack -> d
//  CHECK-NEXT:  push d
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop g
//  CHECK-NEXT:  pop s
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  wait d
//  CHECK-NEXT:  write_tiles d -> D
//  CHECK-NEXT:  write_barrier
//  CHECK-NEXT:  pop d
//   CHECK-NOT:{{.+}}

// Read only before them: by the last reader there.
spatial.program @prologue_only(%Z : memref<32x32xbf16>, %X : memref<32x128xbf16>, %D : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  %t = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  spatial.load %Z[0, 0] into %z on move 0
  spatial.load %X[0, k] into %x on move 0
  spatial.map @prepare (%z) into %t {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @init (%t, %z) into %s {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map @count (%t) into %c {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @add (%s, %x) update %s {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map @more (%c, %x) update %c {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map @finish (%s, %c) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %D[0, 0] on move 1
}

// CHECK-LABEL:@prologue_only
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  reserve z
//  CHECK-NEXT:  read_tiles Z -> z
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push z
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait z
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute prepare(z)
//  CHECK-NEXT:  reserve t
//  CHECK-NEXT:  pack -> t
//  CHECK-NEXT:  push t
//  CHECK-NEXT:  release
//  CHECK-NEXT:  wait t
//  CHECK-NEXT:  wait z
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute init(t, z)
//  CHECK-NEXT:  reserve s
//  CHECK-NEXT:  pack -> s
//  CHECK-NEXT:  push s
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop z
//  CHECK-NEXT:  wait t
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute count(t)
//  CHECK-NEXT:  reserve c
//  CHECK-NEXT:  pack -> c
//  CHECK-NEXT:  push c
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop t
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait s
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute add(s, x)
//  CHECK-NEXT:    reserve s
//  CHECK-NEXT:    pack -> s
//  CHECK-NEXT:    push s
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop s
//  CHECK-NEXT:    wait c
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute more(c, x)
//  CHECK-NEXT:    reserve c
//  CHECK-NEXT:    pack -> c
//  CHECK-NEXT:    push c
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop x
//  CHECK-NEXT:    pop c
//  CHECK-NEXT:  wait s
//  CHECK-NEXT:  wait c
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute finish(s, c)
//  CHECK-NEXT:  reserve d
//  CHECK-NEXT:  pack -> d
//  CHECK-NEXT:  push d
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop s
//  CHECK-NEXT:  pop c
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  wait d
//  CHECK-NEXT:  write_tiles d -> D
//  CHECK-NEXT:  write_barrier
//  CHECK-NEXT:  pop d
//   CHECK-NOT:{{.+}}

// A stage {} that nothing in the blocks needs is in the prologue.
spatial.program @prologue_for_epilogue(%Z : memref<32x32xbf16>, %X : memref<32x128xbf16>, %G : memref<32x32xbf16>, %D : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  %g = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %t = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  spatial.load %Z[0, 0] into %z on move 0
  spatial.load %X[0, k] into %x on move 0
  spatial.map @init (%z) into %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.load %G[0, 0] into %g on move 0
  spatial.map @prepare (%g) into %t {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @add (%s, %x) update %s {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map @finish (%s, %t) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %D[0, 0] on move 1
}

// CHECK-LABEL:@prologue_for_epilogue
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  reserve z
//  CHECK-NEXT:  read_tiles Z -> z
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push z
//  CHECK-NEXT:  reserve g
//  CHECK-NEXT:  read_tiles G -> g
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push g
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait z
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute init(z)
//  CHECK-NEXT:  reserve s
//  CHECK-NEXT:  pack -> s
//  CHECK-NEXT:  push s
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop z
//  CHECK-NEXT:  wait g
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute prepare(g)
//  CHECK-NEXT:  reserve t
//  CHECK-NEXT:  pack -> t
//  CHECK-NEXT:  push t
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop g
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait s
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute add(s, x)
//  CHECK-NEXT:    reserve s
//  CHECK-NEXT:    pack -> s
//  CHECK-NEXT:    push s
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop x
//  CHECK-NEXT:    pop s
//  CHECK-NEXT:  wait s
//  CHECK-NEXT:  wait t
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute finish(s, t)
//  CHECK-NEXT:  reserve d
//  CHECK-NEXT:  pack -> d
//  CHECK-NEXT:  push d
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop s
//  CHECK-NEXT:  pop t
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  wait d
//  CHECK-NEXT:  write_tiles d -> D
//  CHECK-NEXT:  write_barrier
//  CHECK-NEXT:  pop d
//   CHECK-NOT:{{.+}}

// Pages made in the body are popped by their last reader in it, those made after it by theirs.
spatial.program @internal(%Z : memref<32x32xbf16>, %X : memref<32x128xbf16>, %D : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  %t = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %e = spatial.buffer depth 1 : !spatial.buffer<1x1xf32>
  spatial.load %Z[0, 0] into %z on move 0
  spatial.load %X[0, k] into %x on move 0
  spatial.map @init (%z) into %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @square (%x, %x) into %t {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map @add (%s, %t, %x) update %s {
  ^bb0(%0 : f32, %1 : f32, %2 : f32):
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    spatial.yield %4 : f32
  }
  spatial.map @root (%s) into %e {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @finish (%e, %s) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %D[0, 0] on move 1
}

// CHECK-LABEL:@internal
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  reserve z
//  CHECK-NEXT:  read_tiles Z -> z
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push z
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait z
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute init(z)
//  CHECK-NEXT:  reserve s
//  CHECK-NEXT:  pack -> s
//  CHECK-NEXT:  push s
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop z
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute square(x, x)
//  CHECK-NEXT:    reserve t
//  CHECK-NEXT:    pack -> t
//  CHECK-NEXT:    push t
//  CHECK-NEXT:    release
//  CHECK-NEXT:    wait s
//  CHECK-NEXT:    wait t
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute add(s, t, x)
//  CHECK-NEXT:    reserve s
//  CHECK-NEXT:    pack -> s
//  CHECK-NEXT:    push s
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop t
//  CHECK-NEXT:    pop x
//  CHECK-NEXT:    pop s
//  CHECK-NEXT:  wait s
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute root(s)
//  CHECK-NEXT:  reserve e
//  CHECK-NEXT:  pack -> e
//  CHECK-NEXT:  push e
//  CHECK-NEXT:  release
//  CHECK-NEXT:  wait e
//  CHECK-NEXT:  wait s
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute finish(e, s)
//  CHECK-NEXT:  reserve d
//  CHECK-NEXT:  pack -> d
//  CHECK-NEXT:  push d
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop e
//  CHECK-NEXT:  pop s
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  wait d
//  CHECK-NEXT:  write_tiles d -> D
//  CHECK-NEXT:  write_barrier
//  CHECK-NEXT:  pop d
//   CHECK-NOT:{{.+}}

// The running maximum: `peak` depends on {k} pages and feeds updates, which take their places after the readers of their carries.
// The update of %s does not read its own carry: `decay` has waited for the old page, and the update pops it.
spatial.program @running(%Z : memref<32x32xbf16>, %X : memref<32x128xbf16>, %D : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  %m = spatial.buffer depth 1 : !spatial.buffer<1x1xf32>
  %f = spatial.buffer depth 1 : !spatial.buffer<1x1xf32>
  %l = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  spatial.load %Z[0, 0] into %z on move 0
  spatial.load %X[0, k] into %x on move 0
  spatial.map @init (%z) into %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @init_l (%z) into %l {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @peak (%s, %x) into %m {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map @decay (%s, %m) into %f {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map @new_s (%m) update %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @new_l (%l, %f) update %l {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map @finish (%l) into %d {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %d into %D[0, 0] on move 1
}

// CHECK-LABEL:@running
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  reserve z
//  CHECK-NEXT:  read_tiles Z -> z
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push z
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait z
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute init(z)
//  CHECK-NEXT:  reserve s
//  CHECK-NEXT:  pack -> s
//  CHECK-NEXT:  push s
//  CHECK-NEXT:  release
//  CHECK-NEXT:  wait z
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute init_l(z)
//  CHECK-NEXT:  reserve l
//  CHECK-NEXT:  pack -> l
//  CHECK-NEXT:  push l
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop z
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait s
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute peak(s, x)
//  CHECK-NEXT:    reserve m
//  CHECK-NEXT:    pack -> m
//  CHECK-NEXT:    push m
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop x
//  CHECK-NEXT:    wait s
//  CHECK-NEXT:    wait m
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute decay(s, m)
//  CHECK-NEXT:    reserve f
//  CHECK-NEXT:    pack -> f
//  CHECK-NEXT:    push f
//  CHECK-NEXT:    release
//  CHECK-NEXT:    wait m
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute new_s(m)
//  CHECK-NEXT:    reserve s
//  CHECK-NEXT:    pack -> s
//  CHECK-NEXT:    push s
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop m
//  CHECK-NEXT:    pop s
//  CHECK-NEXT:    wait l
//  CHECK-NEXT:    wait f
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute new_l(l, f)
//  CHECK-NEXT:    reserve l
//  CHECK-NEXT:    pack -> l
//  CHECK-NEXT:    push l
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop f
//  CHECK-NEXT:    pop l
//  CHECK-NEXT:  wait s
//  CHECK-NEXT:  pop s
//  CHECK-NEXT:  wait l
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute finish(l)
//  CHECK-NEXT:  reserve d
//  CHECK-NEXT:  pack -> d
//  CHECK-NEXT:  push d
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop l
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  wait d
//  CHECK-NEXT:  write_tiles d -> D
//  CHECK-NEXT:  write_barrier
//  CHECK-NEXT:  pop d
//   CHECK-NOT:{{.+}}

// An update that reads another carry comes before that one's update.
spatial.program @carry_of_carry(%Z : memref<32x32xbf16>, %X : memref<32x128xbf16>, %D : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  %l = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  spatial.load %Z[0, 0] into %z on move 0
  spatial.load %X[0, k] into %x on move 0
  spatial.map @init (%z) into %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @init_l (%z) into %l {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @add (%s, %x) update %s {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map @previous (%s) update %l {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @finish (%l, %s) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %D[0, 0] on move 1
}

// CHECK-LABEL:@carry_of_carry
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  reserve z
//  CHECK-NEXT:  read_tiles Z -> z
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push z
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait z
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute init(z)
//  CHECK-NEXT:  reserve s
//  CHECK-NEXT:  pack -> s
//  CHECK-NEXT:  push s
//  CHECK-NEXT:  release
//  CHECK-NEXT:  wait z
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute init_l(z)
//  CHECK-NEXT:  reserve l
//  CHECK-NEXT:  pack -> l
//  CHECK-NEXT:  push l
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop z
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait s
//  CHECK-NEXT:    wait l
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute previous(s)
//  CHECK-NEXT:    reserve l
//  CHECK-NEXT:    pack -> l
//  CHECK-NEXT:    push l
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop l
//  CHECK-NEXT:    wait s
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute add(s, x)
//  CHECK-NEXT:    reserve s
//  CHECK-NEXT:    pack -> s
//  CHECK-NEXT:    push s
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop x
//  CHECK-NEXT:    pop s
//  CHECK-NEXT:  wait l
//  CHECK-NEXT:  wait s
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute finish(l, s)
//  CHECK-NEXT:  reserve d
//  CHECK-NEXT:  pack -> d
//  CHECK-NEXT:  push d
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop l
//  CHECK-NEXT:  pop s
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  wait d
//  CHECK-NEXT:  write_tiles d -> D
//  CHECK-NEXT:  write_barrier
//  CHECK-NEXT:  pop d
//   CHECK-NOT:{{.+}}

// A carry that no stage reads in the blocks is waited for by its update.
spatial.program @last_page(%Z : memref<32x32xbf16>, %X : memref<32x128xbf16>, %D : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  spatial.load %Z[0, 0] into %z on move 0
  spatial.load %X[0, k] into %x on move 0
  spatial.map @init (%z) into %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @keep (%x) update %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @finish (%s) into %d {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %d into %D[0, 0] on move 1
}

// CHECK-LABEL:@last_page
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  reserve z
//  CHECK-NEXT:  read_tiles Z -> z
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push z
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait z
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute init(z)
//  CHECK-NEXT:  reserve s
//  CHECK-NEXT:  pack -> s
//  CHECK-NEXT:  push s
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop z
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    wait s
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute keep(x)
//  CHECK-NEXT:    reserve s
//  CHECK-NEXT:    pack -> s
//  CHECK-NEXT:    push s
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop x
//  CHECK-NEXT:    pop s
//  CHECK-NEXT:  wait s
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute finish(s)
//  CHECK-NEXT:  reserve d
//  CHECK-NEXT:  pack -> d
//  CHECK-NEXT:  push d
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop s
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  wait d
//  CHECK-NEXT:  write_tiles d -> D
//  CHECK-NEXT:  write_barrier
//  CHECK-NEXT:  pop d
//   CHECK-NOT:{{.+}}

// Over the sub-blocks the ring rotates, one page a sub-block; it holds all of them and a new one. What initialises it is loaded before the K loop.
spatial.program @sub_blocks(%Z : memref<64x96xbf16>, %X : memref<64x384xbf16>, %D : memref<64x96xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4, h = 2, w = 3] {
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 7 : !spatial.buffer<1x1xf32>
  spatial.load %Z[h, w] into %z on move 0
  spatial.load %X[h, k * 3 + w] into %x on move 0
  spatial.map @init (%z) into %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @add (%s, %x) update %s {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map @finish (%s) into %d {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %d into %D[h, w] on move 1
}

// CHECK-LABEL:@sub_blocks
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      reserve z
//  CHECK-NEXT:      read_tiles Z -> z
//  CHECK-NEXT:      read_barrier
//  CHECK-NEXT:      push z
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    for h x 2
//  CHECK-NEXT:      for w x 3
//  CHECK-NEXT:        reserve x
//  CHECK-NEXT:        read_tiles X -> x
//  CHECK-NEXT:        read_barrier
//  CHECK-NEXT:        push x
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      wait z
//  CHECK-NEXT:      acquire 1
//  CHECK-NEXT:      compute init(z)
//  CHECK-NEXT:      reserve s
//  CHECK-NEXT:      pack -> s
//  CHECK-NEXT:      push s
//  CHECK-NEXT:      release
//  CHECK-NEXT:      pop z
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    for h x 2
//  CHECK-NEXT:      for w x 3
//  CHECK-NEXT:        wait s
//  CHECK-NEXT:        wait x
//  CHECK-NEXT:        acquire 1
//  CHECK-NEXT:        compute add(s, x)
//  CHECK-NEXT:        reserve s
//  CHECK-NEXT:        pack -> s
//  CHECK-NEXT:        push s
//  CHECK-NEXT:        release
//  CHECK-NEXT:        pop x
//  CHECK-NEXT:        pop s
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      wait s
//  CHECK-NEXT:      acquire 1
//  CHECK-NEXT:      compute finish(s)
//  CHECK-NEXT:      reserve d
//  CHECK-NEXT:      pack -> d
//  CHECK-NEXT:      push d
//  CHECK-NEXT:      release
//  CHECK-NEXT:      pop s
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      wait d
//  CHECK-NEXT:      write_tiles d -> D
//  CHECK-NEXT:      write_barrier
//  CHECK-NEXT:      pop d
//   CHECK-NOT:{{.+}}

// A page {k} is held around the sub-blocks of its block, and so is one that stays over the blocks.
spatial.program @sub_blocks_held(%Z : memref<64x96xbf16>, %X : memref<32x128xbf16>, %G : memref<32x32xbf16>, %D : memref<64x96xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4, h = 2, w = 3] {
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 7 : !spatial.buffer<1x1xf32>
  %g = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  spatial.load %Z[h, w] into %z on move 0
  spatial.load %X[0, k] into %x on move 0
  spatial.map @init (%z) into %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.load %G[0, 0] into %g on move 0
  spatial.map @add (%s, %x, %g) update %s {
  ^bb0(%0 : f32, %1 : f32, %2 : f32):
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    spatial.yield %4 : f32
  }
  spatial.map @finish (%s) into %d {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %d into %D[h, w] on move 1
}

// CHECK-LABEL:@sub_blocks_held
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  reserve g
//  CHECK-NEXT:  read_tiles G -> g
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push g
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      reserve z
//  CHECK-NEXT:      read_tiles Z -> z
//  CHECK-NEXT:      read_barrier
//  CHECK-NEXT:      push z
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      wait z
//  CHECK-NEXT:      acquire 1
//  CHECK-NEXT:      compute init(z)
//  CHECK-NEXT:      reserve s
//  CHECK-NEXT:      pack -> s
//  CHECK-NEXT:      push s
//  CHECK-NEXT:      release
//  CHECK-NEXT:      pop z
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    wait g
//  CHECK-NEXT:    for h x 2
//  CHECK-NEXT:      for w x 3
//  CHECK-NEXT:        wait s
//  CHECK-NEXT:        acquire 1
//  CHECK-NEXT:        compute add(s, x, g)
//  CHECK-NEXT:        reserve s
//  CHECK-NEXT:        pack -> s
//  CHECK-NEXT:        push s
//  CHECK-NEXT:        release
//  CHECK-NEXT:        pop s
//  CHECK-NEXT:    pop x
//  CHECK-NEXT:  wait g
//  CHECK-NEXT:  pop g
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      wait s
//  CHECK-NEXT:      acquire 1
//  CHECK-NEXT:      compute finish(s)
//  CHECK-NEXT:      reserve d
//  CHECK-NEXT:      pack -> d
//  CHECK-NEXT:      push d
//  CHECK-NEXT:      release
//  CHECK-NEXT:      pop s
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      wait d
//  CHECK-NEXT:      write_tiles d -> D
//  CHECK-NEXT:      write_barrier
//  CHECK-NEXT:      pop d
//   CHECK-NOT:{{.+}}

// All body stages that touch the carry stand in one nest; unread after the blocks, all its pages are retired.
spatial.program @sub_blocks_retired(%Z : memref<64x96xbf16>, %X : memref<64x384xbf16>, %D : memref<64x384xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4, h = 2, w = 3] {
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 7 : !spatial.buffer<1x1xf32>
  spatial.load %Z[h, w] into %z on move 0
  spatial.load %X[h, k * 3 + w] into %x on move 0
  spatial.map @init (%z) into %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @emit (%s, %x) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map @add (%s, %x) update %s {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %D[h, k * 3 + w] on move 1
}

// CHECK-LABEL:@sub_blocks_retired
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      reserve z
//  CHECK-NEXT:      read_tiles Z -> z
//  CHECK-NEXT:      read_barrier
//  CHECK-NEXT:      push z
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    for h x 2
//  CHECK-NEXT:      for w x 3
//  CHECK-NEXT:        reserve x
//  CHECK-NEXT:        read_tiles X -> x
//  CHECK-NEXT:        read_barrier
//  CHECK-NEXT:        push x
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      wait z
//  CHECK-NEXT:      acquire 1
//  CHECK-NEXT:      compute init(z)
//  CHECK-NEXT:      reserve s
//  CHECK-NEXT:      pack -> s
//  CHECK-NEXT:      push s
//  CHECK-NEXT:      release
//  CHECK-NEXT:      pop z
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    for h x 2
//  CHECK-NEXT:      for w x 3
//  CHECK-NEXT:        wait s
//  CHECK-NEXT:        wait x
//  CHECK-NEXT:        acquire 1
//  CHECK-NEXT:        compute emit(s, x)
//  CHECK-NEXT:        reserve d
//  CHECK-NEXT:        pack -> d
//  CHECK-NEXT:        push d
//  CHECK-NEXT:        release
//  CHECK-NEXT:        wait s
//  CHECK-NEXT:        wait x
//  CHECK-NEXT:        acquire 1
//  CHECK-NEXT:        compute add(s, x)
//  CHECK-NEXT:        reserve s
//  CHECK-NEXT:        pack -> s
//  CHECK-NEXT:        push s
//  CHECK-NEXT:        release
//  CHECK-NEXT:        pop x
//  CHECK-NEXT:        pop s
//  CHECK-NEXT:  wait s
//  CHECK-NEXT:  pop s
//  CHECK-NEXT:  wait s
//  CHECK-NEXT:  pop s
//  CHECK-NEXT:  wait s
//  CHECK-NEXT:  pop s
//  CHECK-NEXT:  wait s
//  CHECK-NEXT:  pop s
//  CHECK-NEXT:  wait s
//  CHECK-NEXT:  pop s
//  CHECK-NEXT:  wait s
//  CHECK-NEXT:  pop s
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    for h x 2
//  CHECK-NEXT:      for w x 3
//  CHECK-NEXT:        wait d
//  CHECK-NEXT:        write_tiles d -> D
//  CHECK-NEXT:        write_barrier
//  CHECK-NEXT:        pop d
//   CHECK-NOT:{{.+}}

// A carry over one of the two loops.
spatial.program @sub_blocks_h(%Z : memref<64x32xbf16>, %X : memref<64x128xbf16>, %D : memref<64x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4, h = 2] {
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 3 : !spatial.buffer<1x1xf32>
  spatial.load %Z[h, 0] into %z on move 0
  spatial.load %X[h, k] into %x on move 0
  spatial.map @init (%z) into %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @add (%s, %x) update %s {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map @finish (%s) into %d {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %d into %D[h, 0] on move 1
}

// CHECK-LABEL:@sub_blocks_h
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    reserve z
//  CHECK-NEXT:    read_tiles Z -> z
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push z
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    for h x 2
//  CHECK-NEXT:      reserve x
//  CHECK-NEXT:      read_tiles X -> x
//  CHECK-NEXT:      read_barrier
//  CHECK-NEXT:      push x
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    wait z
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute init(z)
//  CHECK-NEXT:    reserve s
//  CHECK-NEXT:    pack -> s
//  CHECK-NEXT:    push s
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop z
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    for h x 2
//  CHECK-NEXT:      wait s
//  CHECK-NEXT:      wait x
//  CHECK-NEXT:      acquire 1
//  CHECK-NEXT:      compute add(s, x)
//  CHECK-NEXT:      reserve s
//  CHECK-NEXT:      pack -> s
//  CHECK-NEXT:      push s
//  CHECK-NEXT:      release
//  CHECK-NEXT:      pop x
//  CHECK-NEXT:      pop s
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    wait s
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute finish(s)
//  CHECK-NEXT:    reserve d
//  CHECK-NEXT:    pack -> d
//  CHECK-NEXT:    push d
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop s
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    wait d
//  CHECK-NEXT:    write_tiles d -> D
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop d
//   CHECK-NOT:{{.+}}

// Run-time trip and sub-blocks.
spatial.program @sub_blocks_trip(%Z : memref<64x96xbf16>, %X : memref<64x384xbf16>, %D : memref<64x96xbf16>, %n : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 4, h = 2, w = 3] {
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 7 : !spatial.buffer<1x1xf32>
  spatial.trip k = %n
  spatial.load %Z[h, w] into %z on move 0
  spatial.load %X[h, k * 3 + w] into %x on move 0
  spatial.map @init (%z) into %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @add (%s, %x) update %s {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map @finish (%s) into %d {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %d into %D[h, w] on move 1
}

// CHECK-LABEL:@sub_blocks_trip
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      reserve z
//  CHECK-NEXT:      read_tiles Z -> z
//  CHECK-NEXT:      read_barrier
//  CHECK-NEXT:      push z
//  CHECK-NEXT:  for k x trip
//  CHECK-NEXT:    for h x 2
//  CHECK-NEXT:      for w x 3
//  CHECK-NEXT:        reserve x
//  CHECK-NEXT:        read_tiles X -> x
//  CHECK-NEXT:        read_barrier
//  CHECK-NEXT:        push x
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      wait z
//  CHECK-NEXT:      acquire 1
//  CHECK-NEXT:      compute init(z)
//  CHECK-NEXT:      reserve s
//  CHECK-NEXT:      pack -> s
//  CHECK-NEXT:      push s
//  CHECK-NEXT:      release
//  CHECK-NEXT:      pop z
//  CHECK-NEXT:  for k x trip
//  CHECK-NEXT:    for h x 2
//  CHECK-NEXT:      for w x 3
//  CHECK-NEXT:        wait s
//  CHECK-NEXT:        wait x
//  CHECK-NEXT:        acquire 1
//  CHECK-NEXT:        compute add(s, x)
//  CHECK-NEXT:        reserve s
//  CHECK-NEXT:        pack -> s
//  CHECK-NEXT:        push s
//  CHECK-NEXT:        release
//  CHECK-NEXT:        pop x
//  CHECK-NEXT:        pop s
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      wait s
//  CHECK-NEXT:      acquire 1
//  CHECK-NEXT:      compute finish(s)
//  CHECK-NEXT:      reserve d
//  CHECK-NEXT:      pack -> d
//  CHECK-NEXT:      push d
//  CHECK-NEXT:      release
//  CHECK-NEXT:      pop s
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      wait d
//  CHECK-NEXT:      write_tiles d -> D
//  CHECK-NEXT:      write_barrier
//  CHECK-NEXT:      pop d
//   CHECK-NOT:{{.+}}
