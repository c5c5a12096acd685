// RUN: spatial-opt %s --synthesize-handshakes -t outline | filecheck %s --strict-whitespace --match-full-lines

// Sender and receivers of a multicast. The page is reserved before the flag is cleared, and the flag before the sender is told.

// A target that delivers in order holds the path: the flag rides behind the data.
spatial.program @wormhole(%X : memref<32x128xbf16>, %Y : memref<128x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 4] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:4] along x
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1:4] on move 0
  spatial.store %x into %Y[x, k] on move 1
}

// CHECK-LABEL:@wormhole
//  CHECK-NEXT:move 0 at [0, 0]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    sem_wait g.ready eq 3
//  CHECK-NEXT:    sem_set g.ready, 0
//  CHECK-NEXT:    mcast_send x to g hold_path
//  CHECK-NEXT:    mcast_set_valid g.valid to g
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:move 0 at [0, 1:4]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    sem_set g.valid, invalid
//  CHECK-NEXT:    sem_inc g.ready at sender, 1
//  CHECK-NEXT:    sem_wait g.valid eq valid
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    write_tiles x -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop x
//   CHECK-NOT:{{.+}}

// A target that does not flushes between data and flag.
spatial.program @blackhole(%X : memref<32x128xbf16>, %Y : memref<128x128xbf16>)
    target #spatial.target<"blackhole"> grid [1, 4] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:4] along x
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1:4] on move 0
  spatial.store %x into %Y[x, k] on move 1
}

// CHECK-LABEL:@blackhole
//  CHECK-NEXT:move 0 at [0, 0]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    sem_wait g.ready eq 3
//  CHECK-NEXT:    sem_set g.ready, 0
//  CHECK-NEXT:    mcast_send x to g
//  CHECK-NEXT:    flush
//  CHECK-NEXT:    mcast_set_valid g.valid to g
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:move 0 at [0, 1:4]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    sem_set g.valid, invalid
//  CHECK-NEXT:    sem_inc g.ready at sender, 1
//  CHECK-NEXT:    sem_wait g.valid eq valid
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    write_tiles x -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop x
//   CHECK-NOT:{{.+}}

// A ring of one page is flushed before `push` everywhere: the next read would overwrite what is being sent.
spatial.program @wormhole_depth_1(%X : memref<32x128xbf16>, %Y : memref<128x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 4] loops [k = 4] {
  %x = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:4] along x
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1:4] on move 0
  spatial.store %x into %Y[x, k] on move 1
}

// CHECK-LABEL:@wormhole_depth_1
//  CHECK-NEXT:move 0 at [0, 0]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    sem_wait g.ready eq 3
//  CHECK-NEXT:    sem_set g.ready, 0
//  CHECK-NEXT:    mcast_send x to g hold_path
//  CHECK-NEXT:    mcast_set_valid g.valid to g
//  CHECK-NEXT:    flush
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:move 0 at [0, 1:4]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    sem_set g.valid, invalid
//  CHECK-NEXT:    sem_inc g.ready at sender, 1
//  CHECK-NEXT:    sem_wait g.valid eq valid
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    write_tiles x -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop x
//   CHECK-NOT:{{.+}}

spatial.program @blackhole_depth_1(%X : memref<32x128xbf16>, %Y : memref<128x128xbf16>)
    target #spatial.target<"blackhole"> grid [1, 4] loops [k = 4] {
  %x = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:4] along x
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1:4] on move 0
  spatial.store %x into %Y[x, k] on move 1
}

// CHECK-LABEL:@blackhole_depth_1
//  CHECK-NEXT:move 0 at [0, 0]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    sem_wait g.ready eq 3
//  CHECK-NEXT:    sem_set g.ready, 0
//  CHECK-NEXT:    mcast_send x to g
//  CHECK-NEXT:    flush
//  CHECK-NEXT:    mcast_set_valid g.valid to g
//  CHECK-NEXT:    flush
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:move 0 at [0, 1:4]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    sem_set g.valid, invalid
//  CHECK-NEXT:    sem_inc g.ready at sender, 1
//  CHECK-NEXT:    sem_wait g.valid eq valid
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    write_tiles x -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop x
//   CHECK-NOT:{{.+}}

spatial.program @hopper(%X : memref<64x256xbf16>, %Y : memref<256x256xbf16>)
    target #spatial.target<"hopper"> grid [1, 4] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:4] along x
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1:4] on move 0
  spatial.store %x into %Y[x, k] on move 1
}

// CHECK-LABEL:@hopper
//  CHECK-NEXT:move 0 at [0, 0]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    sem_wait g.ready eq 3
//  CHECK-NEXT:    sem_set g.ready, 0
//  CHECK-NEXT:    mcast_send x to g hold_path
//  CHECK-NEXT:    mcast_set_valid g.valid to g
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:move 0 at [0, 1:4]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    sem_set g.valid, invalid
//  CHECK-NEXT:    sem_inc g.ready at sender, 1
//  CHECK-NEXT:    sem_wait g.valid eq valid
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    write_tiles x -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop x
//   CHECK-NOT:{{.+}}

spatial.program @reference(%X : memref<32x128xbf16>, %Y : memref<128x128xbf16>)
    target #spatial.target<"reference"> grid [1, 4] loops [k = 4] {
  %x = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:4] along x
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1:4] on move 0
  spatial.store %x into %Y[x, k] on move 1
}

// CHECK-LABEL:@reference
//  CHECK-NEXT:move 0 at [0, 0]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    sem_wait g.ready eq 3
//  CHECK-NEXT:    sem_set g.ready, 0
//  CHECK-NEXT:    mcast_send x to g hold_path
//  CHECK-NEXT:    mcast_set_valid g.valid to g
//  CHECK-NEXT:    flush
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:move 0 at [0, 1:4]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    sem_set g.valid, invalid
//  CHECK-NEXT:    sem_inc g.ready at sender, 1
//  CHECK-NEXT:    sem_wait g.valid eq valid
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    write_tiles x -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop x
//   CHECK-NOT:{{.+}}

// The rule follows the target's fact, not its name.
spatial.program @overridden(%X : memref<32x128xbf16>, %Y : memref<128x128xbf16>)
    target #spatial.target<"wormhole" {ordering = "needs_flush"}> grid [1, 4] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:4] along x
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1:4] on move 0
  spatial.store %x into %Y[x, k] on move 1
}

// CHECK-LABEL:@overridden
//  CHECK-NEXT:move 0 at [0, 0]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    sem_wait g.ready eq 3
//  CHECK-NEXT:    sem_set g.ready, 0
//  CHECK-NEXT:    mcast_send x to g
//  CHECK-NEXT:    flush
//  CHECK-NEXT:    mcast_set_valid g.valid to g
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:move 0 at [0, 1:4]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    sem_set g.valid, invalid
//  CHECK-NEXT:    sem_inc g.ready at sender, 1
//  CHECK-NEXT:    sem_wait g.valid eq valid
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    write_tiles x -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop x
//   CHECK-NOT:{{.+}}

// Once per item: no loop, before everything else.
spatial.program @once(%X : memref<32x32xbf16>, %Y : memref<128x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:4] along x
  spatial.load %X[0, 0] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1:4] on move 0
  spatial.store %x into %Y[x, 0] on move 1
}

// CHECK-LABEL:@once
//  CHECK-NEXT:move 0 at [0, 0]
//  CHECK-NEXT:  reserve x
//  CHECK-NEXT:  read_tiles X -> x
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  sem_wait g.ready eq 3
//  CHECK-NEXT:  sem_set g.ready, 0
//  CHECK-NEXT:  mcast_send x to g hold_path
//  CHECK-NEXT:  mcast_set_valid g.valid to g
//  CHECK-NEXT:  push x
// CHECK-EMPTY:
//  CHECK-NEXT:move 0 at [0, 1:4]
//  CHECK-NEXT:  reserve x
//  CHECK-NEXT:  sem_set g.valid, invalid
//  CHECK-NEXT:  sem_inc g.ready at sender, 1
//  CHECK-NEXT:  sem_wait g.valid eq valid
//  CHECK-NEXT:  push x
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  wait x
//  CHECK-NEXT:  write_tiles x -> Y
//  CHECK-NEXT:  write_barrier
//  CHECK-NEXT:  pop x
//   CHECK-NOT:{{.+}}

// Over the sub-blocks.
spatial.program @sub_blocks(%X : memref<32x128xbf16>, %Y : memref<128x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 4] loops [w = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:4] along x
  spatial.load %X[0, w] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1:4] on move 0
  spatial.store %x into %Y[x, w] on move 1
}

// CHECK-LABEL:@sub_blocks
//  CHECK-NEXT:move 0 at [0, 0]
//  CHECK-NEXT:  for w x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    sem_wait g.ready eq 3
//  CHECK-NEXT:    sem_set g.ready, 0
//  CHECK-NEXT:    mcast_send x to g hold_path
//  CHECK-NEXT:    mcast_set_valid g.valid to g
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:move 0 at [0, 1:4]
//  CHECK-NEXT:  for w x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    sem_set g.valid, invalid
//  CHECK-NEXT:    sem_inc g.ready at sender, 1
//  CHECK-NEXT:    sem_wait g.valid eq valid
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for w x 4
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    write_tiles x -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop x
//   CHECK-NOT:{{.+}}

// The sender may lie inside the receivers' rectangle; it is not counted.
spatial.program @inside(%X : memref<32x128xbf16>, %Y : memref<128x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 4] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 1] to [0, 0:4] along x
  spatial.load %X[0, k] into %x multicast %g at [0, 1] on move 0
  spatial.recv %g into %x at [0, 0:1] + [0, 2:4] on move 0
  spatial.store %x into %Y[x, k] on move 1
}

// CHECK-LABEL:@inside
//  CHECK-NEXT:move 0 at [0, 0] + [0, 2:4]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    sem_set g.valid, invalid
//  CHECK-NEXT:    sem_inc g.ready at sender, 1
//  CHECK-NEXT:    sem_wait g.valid eq valid
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:move 0 at [0, 1]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    sem_wait g.ready eq 3
//  CHECK-NEXT:    sem_set g.ready, 0
//  CHECK-NEXT:    mcast_send x to g hold_path
//  CHECK-NEXT:    mcast_set_valid g.valid to g
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    write_tiles x -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop x
//   CHECK-NOT:{{.+}}

// A receiver that sends the page on does the sender's part before its `push`.
spatial.program @send_on_wormhole(%X : memref<32x128xbf16>, %Y : memref<128x256xbf16>)
    target #spatial.target<"wormhole"> grid [3, 2] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %first = spatial.group from [0, 0] to [0, 1] along x
  %second = spatial.group from [0, 1] to [1:3, 1] along y
  spatial.load %X[0, k] into %x multicast %first at [0, 0] on move 0
  spatial.recv %first into %x multicast %second at [0, 1] on move 0
  spatial.recv %second into %x at [1:3, 1] on move 0
  spatial.store %x into %Y[y, x * 4 + k] at [0, 0:2] + [1:3, 1] on move 1
}

// CHECK-LABEL:@send_on_wormhole
//  CHECK-NEXT:move 0 at [0, 0]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    sem_wait first.ready eq 1
//  CHECK-NEXT:    sem_set first.ready, 0
//  CHECK-NEXT:    mcast_send x to first hold_path
//  CHECK-NEXT:    mcast_set_valid first.valid to first
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:move 0 at [0, 1]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    sem_set first.valid, invalid
//  CHECK-NEXT:    sem_inc first.ready at sender, 1
//  CHECK-NEXT:    sem_wait first.valid eq valid
//  CHECK-NEXT:    sem_wait second.ready eq 2
//  CHECK-NEXT:    sem_set second.ready, 0
//  CHECK-NEXT:    mcast_send x to second hold_path
//  CHECK-NEXT:    mcast_set_valid second.valid to second
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:move 0 at [1:3, 1]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    sem_set second.valid, invalid
//  CHECK-NEXT:    sem_inc second.ready at sender, 1
//  CHECK-NEXT:    sem_wait second.valid eq valid
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at [0, 0:2] + [1:3, 1]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    write_tiles x -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop x
//   CHECK-NOT:{{.+}}

spatial.program @send_on_blackhole(%X : memref<32x128xbf16>, %Y : memref<128x256xbf16>)
    target #spatial.target<"blackhole"> grid [3, 2] loops [k = 4] {
  %x = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %first = spatial.group from [0, 0] to [0, 1] along x
  %second = spatial.group from [0, 1] to [1:3, 1] along y
  spatial.load %X[0, k] into %x multicast %first at [0, 0] on move 0
  spatial.recv %first into %x multicast %second at [0, 1] on move 0
  spatial.recv %second into %x at [1:3, 1] on move 0
  spatial.store %x into %Y[y, x * 4 + k] at [0, 0:2] + [1:3, 1] on move 1
}

// CHECK-LABEL:@send_on_blackhole
//  CHECK-NEXT:move 0 at [0, 0]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    sem_wait first.ready eq 1
//  CHECK-NEXT:    sem_set first.ready, 0
//  CHECK-NEXT:    mcast_send x to first
//  CHECK-NEXT:    flush
//  CHECK-NEXT:    mcast_set_valid first.valid to first
//  CHECK-NEXT:    flush
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:move 0 at [0, 1]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    sem_set first.valid, invalid
//  CHECK-NEXT:    sem_inc first.ready at sender, 1
//  CHECK-NEXT:    sem_wait first.valid eq valid
//  CHECK-NEXT:    sem_wait second.ready eq 2
//  CHECK-NEXT:    sem_set second.ready, 0
//  CHECK-NEXT:    mcast_send x to second
//  CHECK-NEXT:    flush
//  CHECK-NEXT:    mcast_set_valid second.valid to second
//  CHECK-NEXT:    flush
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:move 0 at [1:3, 1]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    sem_set second.valid, invalid
//  CHECK-NEXT:    sem_inc second.ready at sender, 1
//  CHECK-NEXT:    sem_wait second.valid eq valid
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at [0, 0:2] + [1:3, 1]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    write_tiles x -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop x
//   CHECK-NOT:{{.+}}
