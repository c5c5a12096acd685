// RUN: spatial-opt %s --synthesize-handshakes -t outline | filecheck %s --strict-whitespace --match-full-lines

// Chains without a matmul: `W each distinct operand; acq; cmp; R out; pack; P out; rel; O those whose last reader this is`, in the
// loops of their domain.

spatial.program @once(%X : memref<32x32xbf16>, %Y : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, 0] into %x on move 0
  spatial.map @f (%x) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[0, 0] on move 1
}

// CHECK-LABEL:@once
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  reserve x
//  CHECK-NEXT:  read_tiles X -> x
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push x
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait x
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute f(x)
//  CHECK-NEXT:  reserve y
//  CHECK-NEXT:  pack -> y
//  CHECK-NEXT:  push y
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop x
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  wait y
//  CHECK-NEXT:  write_tiles y -> Y
//  CHECK-NEXT:  write_barrier
//  CHECK-NEXT:  pop y
//   CHECK-NOT:{{.+}}

spatial.program @per_block(%X : memref<32x128xbf16>, %Y : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, k] into %x on move 0
  spatial.map @f (%x) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[0, k] on move 1
}

// CHECK-LABEL:@per_block
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
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
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait y
//  CHECK-NEXT:    write_tiles y -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop y
//   CHECK-NOT:{{.+}}

spatial.program @per_column(%X : memref<32x96xbf16>, %Y : memref<32x96xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [w = 3] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, w] into %x on move 0
  spatial.map @f (%x) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[0, w] on move 1
}

// CHECK-LABEL:@per_column
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for w x 3
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  for w x 3
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute f(x)
//  CHECK-NEXT:    reserve y
//  CHECK-NEXT:    pack -> y
//  CHECK-NEXT:    push y
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop x
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for w x 3
//  CHECK-NEXT:    wait y
//  CHECK-NEXT:    write_tiles y -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop y
//   CHECK-NOT:{{.+}}

spatial.program @per_sub_block(%X : memref<64x96xbf16>, %Y : memref<64x96xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [h = 2, w = 3] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[h, w] into %x on move 0
  spatial.map @f (%x) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[h, w] on move 1
}

// CHECK-LABEL:@per_sub_block
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      reserve x
//  CHECK-NEXT:      read_tiles X -> x
//  CHECK-NEXT:      read_barrier
//  CHECK-NEXT:      push x
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      wait x
//  CHECK-NEXT:      acquire 1
//  CHECK-NEXT:      compute f(x)
//  CHECK-NEXT:      reserve y
//  CHECK-NEXT:      pack -> y
//  CHECK-NEXT:      push y
//  CHECK-NEXT:      release
//  CHECK-NEXT:      pop x
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      wait y
//  CHECK-NEXT:      write_tiles y -> Y
//  CHECK-NEXT:      write_barrier
//  CHECK-NEXT:      pop y
//   CHECK-NOT:{{.+}}

spatial.program @all_loops(%X : memref<64x384xbf16>, %Y : memref<64x384xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4, h = 2, w = 3] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[h, k * 3 + w] into %x on move 0
  spatial.map @f (%x) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[h, k * 3 + w] on move 1
}

// CHECK-LABEL:@all_loops
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    for h x 2
//  CHECK-NEXT:      for w x 3
//  CHECK-NEXT:        reserve x
//  CHECK-NEXT:        read_tiles X -> x
//  CHECK-NEXT:        read_barrier
//  CHECK-NEXT:        push x
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    for h x 2
//  CHECK-NEXT:      for w x 3
//  CHECK-NEXT:        wait x
//  CHECK-NEXT:        acquire 1
//  CHECK-NEXT:        compute f(x)
//  CHECK-NEXT:        reserve y
//  CHECK-NEXT:        pack -> y
//  CHECK-NEXT:        push y
//  CHECK-NEXT:        release
//  CHECK-NEXT:        pop x
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    for h x 2
//  CHECK-NEXT:      for w x 3
//  CHECK-NEXT:        wait y
//  CHECK-NEXT:        write_tiles y -> Y
//  CHECK-NEXT:        write_barrier
//  CHECK-NEXT:        pop y
//   CHECK-NOT:{{.+}}

// A page {} is held around the loops.
spatial.program @held(%X : memref<64x96xbf16>, %G : memref<32x32xbf16>, %Y : memref<64x96xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [h = 2, w = 3] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  spatial.load %X[h, w] into %x on move 0
  spatial.load %G[0, 0] into %g on move 0
  spatial.map @f (%x, %g) into %y {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %y into %Y[h, w] on move 1
}

// CHECK-LABEL:@held
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  reserve g
//  CHECK-NEXT:  read_tiles G -> g
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push g
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      reserve x
//  CHECK-NEXT:      read_tiles X -> x
//  CHECK-NEXT:      read_barrier
//  CHECK-NEXT:      push x
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait g
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      wait x
//  CHECK-NEXT:      acquire 1
//  CHECK-NEXT:      compute f(x, g)
//  CHECK-NEXT:      reserve y
//  CHECK-NEXT:      pack -> y
//  CHECK-NEXT:      push y
//  CHECK-NEXT:      release
//  CHECK-NEXT:      pop x
//  CHECK-NEXT:  pop g
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      wait y
//  CHECK-NEXT:      write_tiles y -> Y
//  CHECK-NEXT:      write_barrier
//  CHECK-NEXT:      pop y
//   CHECK-NOT:{{.+}}

// A page {h} around the inner loop.
spatial.program @held_h(%X : memref<64x96xbf16>, %G : memref<64x32xbf16>, %Y : memref<64x96xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [h = 2, w = 3] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[h, w] into %x on move 0
  spatial.load %G[h, 0] into %g on move 0
  spatial.map @f (%x, %g) into %y {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %y into %Y[h, w] on move 1
}

// CHECK-LABEL:@held_h
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    reserve g
//  CHECK-NEXT:    read_tiles G -> g
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push g
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      reserve x
//  CHECK-NEXT:      read_tiles X -> x
//  CHECK-NEXT:      read_barrier
//  CHECK-NEXT:      push x
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    wait g
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      wait x
//  CHECK-NEXT:      acquire 1
//  CHECK-NEXT:      compute f(x, g)
//  CHECK-NEXT:      reserve y
//  CHECK-NEXT:      pack -> y
//  CHECK-NEXT:      push y
//  CHECK-NEXT:      release
//  CHECK-NEXT:      pop x
//  CHECK-NEXT:    pop g
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      wait y
//  CHECK-NEXT:      write_tiles y -> Y
//  CHECK-NEXT:      write_barrier
//  CHECK-NEXT:      pop y
//   CHECK-NOT:{{.+}}

// A page {w} is loaded again for every h.
spatial.program @reloaded_w(%X : memref<64x96xbf16>, %G : memref<32x96xbf16>, %Y : memref<64x96xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [h = 2, w = 3] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[h, w] into %x on move 0
  spatial.load %G[0, w] into %g on move 0
  spatial.map @f (%x, %g) into %y {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %y into %Y[h, w] on move 1
}

// CHECK-LABEL:@reloaded_w
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      reserve x
//  CHECK-NEXT:      read_tiles X -> x
//  CHECK-NEXT:      read_barrier
//  CHECK-NEXT:      push x
//  CHECK-NEXT:      reserve g
//  CHECK-NEXT:      read_tiles G -> g
//  CHECK-NEXT:      read_barrier
//  CHECK-NEXT:      push g
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      wait x
//  CHECK-NEXT:      wait g
//  CHECK-NEXT:      acquire 1
//  CHECK-NEXT:      compute f(x, g)
//  CHECK-NEXT:      reserve y
//  CHECK-NEXT:      pack -> y
//  CHECK-NEXT:      push y
//  CHECK-NEXT:      release
//  CHECK-NEXT:      pop x
//  CHECK-NEXT:      pop g
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      wait y
//  CHECK-NEXT:      write_tiles y -> Y
//  CHECK-NEXT:      write_barrier
//  CHECK-NEXT:      pop y
//   CHECK-NOT:{{.+}}

// A page {k} around the sub-blocks of its block.
spatial.program @held_k(%X : memref<32x384xbf16>, %G : memref<32x128xbf16>, %Y : memref<32x384xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4, w = 3] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, k * 3 + w] into %x on move 0
  spatial.load %G[0, k] into %g on move 0
  spatial.map @f (%x, %g) into %y {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store %y into %Y[0, k * 3 + w] on move 1
}

// CHECK-LABEL:@held_k
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve g
//  CHECK-NEXT:    read_tiles G -> g
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push g
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      reserve x
//  CHECK-NEXT:      read_tiles X -> x
//  CHECK-NEXT:      read_barrier
//  CHECK-NEXT:      push x
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait g
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      wait x
//  CHECK-NEXT:      acquire 1
//  CHECK-NEXT:      compute f(x, g)
//  CHECK-NEXT:      reserve y
//  CHECK-NEXT:      pack -> y
//  CHECK-NEXT:      push y
//  CHECK-NEXT:      release
//  CHECK-NEXT:      pop x
//  CHECK-NEXT:    pop g
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      wait y
//  CHECK-NEXT:      write_tiles y -> Y
//  CHECK-NEXT:      write_barrier
//  CHECK-NEXT:      pop y
//   CHECK-NOT:{{.+}}

// A diamond: the page is popped by its last reader.
spatial.program @diamond(%X : memref<32x128xbf16>, %Y : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %l = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %r = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, k] into %x on move 0
  spatial.map @left (%x) into %l {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @right (%x) into %r {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @join (%r, %l, %x) into %y {
  ^bb0(%0 : f32, %1 : f32, %2 : f32):
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    spatial.yield %4 : f32
  }
  spatial.store %y into %Y[0, k] on move 1
}

// CHECK-LABEL:@diamond
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute left(x)
//  CHECK-NEXT:    reserve l
//  CHECK-NEXT:    pack -> l
//  CHECK-NEXT:    push l
//  CHECK-NEXT:    release
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute right(x)
//  CHECK-NEXT:    reserve r
//  CHECK-NEXT:    pack -> r
//  CHECK-NEXT:    push r
//  CHECK-NEXT:    release
//  CHECK-NEXT:    wait r
//  CHECK-NEXT:    wait l
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute join(r, l, x)
//  CHECK-NEXT:    reserve y
//  CHECK-NEXT:    pack -> y
//  CHECK-NEXT:    push y
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop r
//  CHECK-NEXT:    pop l
//  CHECK-NEXT:    pop x
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait y
//  CHECK-NEXT:    write_tiles y -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop y
//   CHECK-NOT:{{.+}}

// Named twice, waited for and popped once, where it is first mentioned.
spatial.program @twice(%X : memref<32x128xbf16>, %G : memref<32x128xbf16>, %Y : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, k] into %x on move 0
  spatial.load %G[0, k] into %g on move 0
  spatial.map @f (%x, %g, %x) into %y {
  ^bb0(%0 : f32, %1 : f32, %2 : f32):
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    spatial.yield %4 : f32
  }
  spatial.store %y into %Y[0, k] on move 1
}

// CHECK-LABEL:@twice
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push x
//  CHECK-NEXT:    reserve g
//  CHECK-NEXT:    read_tiles G -> g
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push g
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    wait g
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute f(x, g, x)
//  CHECK-NEXT:    reserve y
//  CHECK-NEXT:    pack -> y
//  CHECK-NEXT:    push y
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop x
//  CHECK-NEXT:    pop g
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait y
//  CHECK-NEXT:    write_tiles y -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop y
//   CHECK-NOT:{{.+}}

// A stage whose page the K loop reads stands before it, with what it reads.
spatial.program @before(%X : memref<32x128xbf16>, %G : memref<32x32xbf16>, %Y : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %t = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, k] into %x on move 0
  spatial.load %G[0, 0] into %g on move 0
  spatial.map @f (%x, %t) into %y {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map @once (%g) into %t {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[0, k] on move 1
}

// CHECK-LABEL:@before
//  CHECK-NEXT:move 0 at every site
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
//  CHECK-NEXT:  wait g
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  compute once(g)
//  CHECK-NEXT:  reserve t
//  CHECK-NEXT:  pack -> t
//  CHECK-NEXT:  push t
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop g
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    wait t
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute f(x, t)
//  CHECK-NEXT:    reserve y
//  CHECK-NEXT:    pack -> y
//  CHECK-NEXT:    push y
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop x
//  CHECK-NEXT:  wait t
//  CHECK-NEXT:  pop t
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait y
//  CHECK-NEXT:    write_tiles y -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop y
//   CHECK-NOT:{{.+}}

// A stage that the K loop does not need stands after it.
spatial.program @after(%X : memref<32x128xbf16>, %G : memref<32x96xbf16>, %T : memref<32x96xbf16>, %Y : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4, w = 3] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %t = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, k] into %x on move 0
  spatial.map @f (%x) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.load %G[0, w] into %g on move 0
  spatial.map @late (%g) into %t {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %t into %T[0, w] on move 1
  spatial.store %y into %Y[0, k] on move 1
}

// CHECK-LABEL:@after
//  CHECK-NEXT:move 0 at every site
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
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute f(x)
//  CHECK-NEXT:    reserve y
//  CHECK-NEXT:    pack -> y
//  CHECK-NEXT:    push y
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop x
//  CHECK-NEXT:  for w x 3
//  CHECK-NEXT:    wait g
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute late(g)
//  CHECK-NEXT:    reserve t
//  CHECK-NEXT:    pack -> t
//  CHECK-NEXT:    push t
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop g
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait y
//  CHECK-NEXT:    write_tiles y -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop y
//  CHECK-NEXT:  for w x 3
//  CHECK-NEXT:    wait t
//  CHECK-NEXT:    write_tiles t -> T
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop t
//   CHECK-NOT:{{.+}}

// Stages over the same loops share one nest: one after the other, the ring between them would fill.
spatial.program @shared_nest(%X : memref<64x96xbf16>, %Y : memref<64x96xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [h = 2, w = 3] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %t = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  spatial.load %X[h, w] into %x on move 0
  spatial.map @f (%x) into %t {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @g (%t) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[h, w] on move 1
}

// CHECK-LABEL:@shared_nest
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      reserve x
//  CHECK-NEXT:      read_tiles X -> x
//  CHECK-NEXT:      read_barrier
//  CHECK-NEXT:      push x
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      wait x
//  CHECK-NEXT:      acquire 1
//  CHECK-NEXT:      compute f(x)
//  CHECK-NEXT:      reserve t
//  CHECK-NEXT:      pack -> t
//  CHECK-NEXT:      push t
//  CHECK-NEXT:      release
//  CHECK-NEXT:      pop x
//  CHECK-NEXT:      wait t
//  CHECK-NEXT:      acquire 1
//  CHECK-NEXT:      compute g(t)
//  CHECK-NEXT:      reserve y
//  CHECK-NEXT:      pack -> y
//  CHECK-NEXT:      push y
//  CHECK-NEXT:      release
//  CHECK-NEXT:      pop t
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 3
//  CHECK-NEXT:      wait y
//  CHECK-NEXT:      write_tiles y -> Y
//  CHECK-NEXT:      write_barrier
//  CHECK-NEXT:      pop y
//   CHECK-NOT:{{.+}}

// Every kind of stage.
spatial.program @kinds(%X : memref<64x256xbf16>, %V : memref<64x256xbf16>, %Z : memref<64x256xf32>)
    target #spatial.target<"wormhole"> grid [1, 2] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<2x2xbf16>
  %v = spatial.buffer depth 2 : !spatial.buffer<2x2xbf16>
  %s = spatial.buffer depth 1 : !spatial.buffer<2x2xf32>
  %y = spatial.buffer depth 2 : !spatial.buffer<2x1xf32>
  %z = spatial.buffer depth 2 : !spatial.buffer<2x1xf32>
  %g = spatial.group from [0, 0] to [0, 1] along x
  spatial.load %X[0, k * 2] into %x on move 0
  spatial.load %V[0, k * 2] into %v on move 0
  spatial.dot @product %x, %v transpose_b into %s
  spatial.reduce max cols %s into %y
  spatial.all_reduce add %y, %y into %z across %g
  spatial.store %z into %Z[0, x * 4 + k] on move 1
}

// CHECK-LABEL:@kinds
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push x
//  CHECK-NEXT:    reserve v
//  CHECK-NEXT:    read_tiles V -> v
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push v
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    wait v
//  CHECK-NEXT:    acquire 4
//  CHECK-NEXT:    compute product(x, v)
//  CHECK-NEXT:    reserve s
//  CHECK-NEXT:    pack -> s
//  CHECK-NEXT:    push s
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop x
//  CHECK-NEXT:    pop v
//  CHECK-NEXT:    wait s
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute reduce(s)
//  CHECK-NEXT:    reserve y
//  CHECK-NEXT:    pack -> y
//  CHECK-NEXT:    push y
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop s
//  CHECK-NEXT:    wait y
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute all_reduce(y, y)
//  CHECK-NEXT:    reserve z
//  CHECK-NEXT:    pack -> z
//  CHECK-NEXT:    push z
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop y
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait z
//  CHECK-NEXT:    write_tiles z -> Z
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop z
//   CHECK-NOT:{{.+}}
