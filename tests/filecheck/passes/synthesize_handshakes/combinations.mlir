// RUN: spatial-opt %s --synthesize-handshakes -t outline | filecheck %s --strict-whitespace --match-full-lines

// Combinations that no table lists; all follow from where a page's domain opens and closes.

// A factor that is loaded once stays to the last block.
spatial.program @once_factor(%A : memref<32x32xbf16>, %B : memref<128x128xbf16>, %C : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x4xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, 0] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.store %c into %C[0, w * 2] on move 1
}

// CHECK-LABEL:@once_factor
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  reserve a
//  CHECK-NEXT:  read_tiles A -> a
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push a
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve b
//  CHECK-NEXT:    read_tiles B -> b
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push b
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
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
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  for k x 1
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
//  CHECK-NEXT:    pop b
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  for w x 2
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute matmul(a, b)
//  CHECK-NEXT:    reserve p
//  CHECK-NEXT:    pack -> p accumulate
//  CHECK-NEXT:    push p
//  CHECK-NEXT:    release
//  CHECK-NEXT:  pop b
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

// The same in registers.
spatial.program @once_factor_registers(%A : memref<32x32xbf16>, %B : memref<128x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %A[0, 0] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, 0] on move 1
}

// CHECK-LABEL:@once_factor_registers
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  reserve a
//  CHECK-NEXT:  read_tiles A -> a
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push a
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve b
//  CHECK-NEXT:    read_tiles B -> b
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push b
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  acquire 2
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait a
//  CHECK-NEXT:    wait b
//  CHECK-NEXT:    compute matmul(a, b)
//  CHECK-NEXT:    pop b
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  reserve c
//  CHECK-NEXT:  pack -> c
//  CHECK-NEXT:  push c
//  CHECK-NEXT:  release
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  wait c
//  CHECK-NEXT:  write_tiles c -> C
//  CHECK-NEXT:  write_barrier
//  CHECK-NEXT:  pop c
//   CHECK-NOT:{{.+}}

// A fold and a matmul share the blocks and a factor: the fold runs at the start of each block, and what it leaves is held around
// the nest of the last one.
spatial.program @both(%A : memref<32x128xbf16>, %B : memref<128x64xbf16>, %Z : memref<32x32xf32>, %D : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %z = spatial.buffer depth 1 : !spatial.buffer<1x1xf32>
  %s = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %Z[0, 0] into %z on move 0
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.map @init (%z) into %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @norm (%s, %a) update %s {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.matmul %a, %b into %c spill %p
  spatial.map @scale (%c, %s) into %d {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.mulf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %d into %D[0, w] on move 1
}

// CHECK-LABEL:@both
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  reserve z
//  CHECK-NEXT:  read_tiles Z -> z
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push z
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
//  CHECK-NEXT:  wait z
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute init(z)
//  CHECK-NEXT:  reserve s
//  CHECK-NEXT:  pack -> s
//  CHECK-NEXT:  push s
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop z
//  CHECK-NEXT:  wait s
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute norm(s, a)
//  CHECK-NEXT:  reserve s
//  CHECK-NEXT:  pack -> s
//  CHECK-NEXT:  push s
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop s
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  for w x 2
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute matmul(a, b)
//  CHECK-NEXT:    reserve p
//  CHECK-NEXT:    pack -> p
//  CHECK-NEXT:    push p
//  CHECK-NEXT:    release
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  for k x 2
//  CHECK-NEXT:    wait s
//  CHECK-NEXT:    wait a
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute norm(s, a)
//  CHECK-NEXT:    reserve s
//  CHECK-NEXT:    pack -> s
//  CHECK-NEXT:    push s
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop s
//  CHECK-NEXT:    wait a
//  CHECK-NEXT:    wait b
//  CHECK-NEXT:    for w x 2
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
//  CHECK-NEXT:  wait s
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute norm(s, a)
//  CHECK-NEXT:  reserve s
//  CHECK-NEXT:  pack -> s
//  CHECK-NEXT:  push s
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop s
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  wait s
//  CHECK-NEXT:  for w x 2
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    wait p
//  CHECK-NEXT:    compute matmul(a, b) reload p
//  CHECK-NEXT:    pop p
//  CHECK-NEXT:    reserve c
//  CHECK-NEXT:    pack -> c
//  CHECK-NEXT:    push c
//  CHECK-NEXT:    release
//  CHECK-NEXT:    wait c
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute scale(c, s)
//  CHECK-NEXT:    reserve d
//  CHECK-NEXT:    pack -> d
//  CHECK-NEXT:    push d
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop c
//  CHECK-NEXT:  pop s
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for w x 2
//  CHECK-NEXT:    wait d
//  CHECK-NEXT:    write_tiles d -> D
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop d
//   CHECK-NOT:{{.+}}

// A chain next to a fold that the blocks do not need stands after them, as what it loads does: before them, it would wait for
// pages that are loaded after them.
spatial.program @side_chain(%Z : memref<32x32xbf16>, %X : memref<32x128xbf16>, %G : memref<32x96xbf16>, %E : memref<32x96xbf16>, %D : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4, w = 3] {
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  %g = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %e = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %Z[0, 0] into %z on move 0
  spatial.load %X[0, k] into %x on move 0
  spatial.map @init (%z) into %s {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.load %G[0, w] into %g on move 0
  spatial.map @side (%g) into %e {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %e into %E[0, w] on move 1
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

// CHECK-LABEL:@side_chain
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
//  CHECK-NEXT:  for w x 3
//  CHECK-NEXT:    reserve g
//  CHECK-NEXT:    read_tiles G -> g
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push g
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
//  CHECK-NEXT:  for w x 3
//  CHECK-NEXT:    wait g
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute side(g)
//  CHECK-NEXT:    reserve e
//  CHECK-NEXT:    pack -> e
//  CHECK-NEXT:    push e
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop g
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  wait d
//  CHECK-NEXT:  write_tiles d -> D
//  CHECK-NEXT:  write_barrier
//  CHECK-NEXT:  pop d
//  CHECK-NEXT:  for w x 3
//  CHECK-NEXT:    wait e
//  CHECK-NEXT:    write_tiles e -> E
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop e
//   CHECK-NOT:{{.+}}

// A fold over pages that are multicast.
spatial.program @fold_multicast(%Z : memref<32x32xbf16>, %X : memref<32x128xbf16>, %D : memref<32x64xbf16>)
    target #spatial.target<"blackhole"> grid [1, 2] loops [k = 4] {
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  %g = spatial.group from [0, 0] to [0, 1] along x
  spatial.load %Z[0, 0] into %z on move 0
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1] on move 0
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
  spatial.store %d into %D[0, x] on move 1
}

// CHECK-LABEL:@fold_multicast
//  CHECK-NEXT:move 0 at [0, 0]
//  CHECK-NEXT:  reserve z
//  CHECK-NEXT:  read_tiles Z -> z
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push z
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    sem_wait g.ready eq 1
//  CHECK-NEXT:    sem_set g.ready, 0
//  CHECK-NEXT:    mcast_send x to g
//  CHECK-NEXT:    flush
//  CHECK-NEXT:    mcast_set_valid g.valid to g
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:move 0 at [0, 1]
//  CHECK-NEXT:  reserve z
//  CHECK-NEXT:  read_tiles Z -> z
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push z
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    sem_set g.valid, invalid
//  CHECK-NEXT:    sem_inc g.ready at sender, 1
//  CHECK-NEXT:    sem_wait g.valid eq valid
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

// Sites that compute and sites that only pass pages through.
spatial.program @mixed_sites(%X : memref<32x128xbf16>, %Y : memref<32x384xbf16>)
    target #spatial.target<"wormhole"> grid [1, 3] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:3] along x
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1:3] on move 0
  spatial.map @f (%x) into %y at [0, 1:3] {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %x into %Y[0, k] at [0, 0] on move 1
  spatial.store %y into %Y[0, x * 4 + k] at [0, 1:3] on move 1
}

// CHECK-LABEL:@mixed_sites
//  CHECK-NEXT:move 0 at [0, 0]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    sem_wait g.ready eq 2
//  CHECK-NEXT:    sem_set g.ready, 0
//  CHECK-NEXT:    mcast_send x to g hold_path
//  CHECK-NEXT:    mcast_set_valid g.valid to g
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:move 0 at [0, 1:3]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    sem_set g.valid, invalid
//  CHECK-NEXT:    sem_inc g.ready at sender, 1
//  CHECK-NEXT:    sem_wait g.valid eq valid
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:compute at [0, 1:3]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute f(x)
//  CHECK-NEXT:    reserve y
//  CHECK-NEXT:    pack -> y
//  CHECK-NEXT:    push y
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop x
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at [0, 0]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    write_tiles x -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop x
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at [0, 1:3]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait y
//  CHECK-NEXT:    write_tiles y -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop y
//   CHECK-NOT:{{.+}}

// What makes a factor may read a page that stays over the blocks: it is waited for in each and retired.
spatial.program @dequantise_scaled(%A : memref<32x96xbf16>, %B : memref<96x128xbf16>, %C : memref<32x128xbf16>, %S : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 3, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x4xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %q = spatial.buffer depth 2 : !spatial.buffer<1x4xbf16>
  %s = spatial.buffer depth 1 : !spatial.buffer<1x4xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %q on move 0
  spatial.load %S[0, 0] into %s on move 0
  spatial.map @dequantise (%q, %s) into %b {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.matmul %a, %b into %c spill %p
  spatial.store %c into %C[0, w * 2] on move 1
}

// CHECK-LABEL:@dequantise_scaled
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
//  CHECK-NEXT:    reserve q
//  CHECK-NEXT:    read_tiles B -> q
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push q
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait q
//  CHECK-NEXT:  wait s
//  CHECK-NEXT:  acquire 4
//  CHECK-NEXT:  compute dequantise(q, s)
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
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  for k x 1
//  CHECK-NEXT:    wait q
//  CHECK-NEXT:    wait s
//  CHECK-NEXT:    acquire 4
//  CHECK-NEXT:    compute dequantise(q, s)
//  CHECK-NEXT:    reserve b
//  CHECK-NEXT:    pack -> b
//  CHECK-NEXT:    push b
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop q
//  CHECK-NEXT:    wait a
//  CHECK-NEXT:    wait b
//  CHECK-NEXT:    for w x 2
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
//  CHECK-NEXT:  wait s
//  CHECK-NEXT:  acquire 4
//  CHECK-NEXT:  compute dequantise(q, s)
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
//  CHECK-NEXT:  wait s
//  CHECK-NEXT:  pop s
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for w x 2
//  CHECK-NEXT:    wait c
//  CHECK-NEXT:    write_tiles c -> C
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop c
//   CHECK-NOT:{{.+}}
