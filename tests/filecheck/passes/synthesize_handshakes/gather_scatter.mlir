// RUN: spatial-opt %s --synthesize-handshakes -t outline | filecheck %s --strict-whitespace --match-full-lines

// An index page is waited for where the last loop of its own domain opens and popped where that loop closes.

// An index page of domain {} is held over the K loop.
spatial.program @held_over_k(%I : memref<128x128xi32>, %T : memref<1024x1024xbf16>, %Y : memref<128x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %ix = spatial.buffer depth 1 : !spatial.buffer<1x1xi32>
  %t = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %I[0, 0] into %ix on move 0
  spatial.load %T[ind, k] into %t via %ix on move 0
  spatial.store %t into %Y[0, k] on move 1
}

// CHECK-LABEL:@held_over_k
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  reserve ix
//  CHECK-NEXT:  read_tiles I -> ix
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push ix
//  CHECK-NEXT:  wait ix
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve t
//  CHECK-NEXT:    read_tiles T -> t via ix
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push t
//  CHECK-NEXT:  pop ix
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait t
//  CHECK-NEXT:    write_tiles t -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop t
//   CHECK-NOT:{{.+}}

// Made anew for every page.
spatial.program @anew(%I : memref<128x128xi32>, %T : memref<1024x1024xbf16>, %Y : memref<128x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %ix = spatial.buffer depth 2 : !spatial.buffer<1x1xi32>
  %t = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %I[k, 0] into %ix on move 0
  spatial.load %T[ind, 0] into %t via %ix on move 0
  spatial.store %t into %Y[k, 0] on move 1
}

// CHECK-LABEL:@anew
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve ix
//  CHECK-NEXT:    read_tiles I -> ix
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push ix
//  CHECK-NEXT:    wait ix
//  CHECK-NEXT:    reserve t
//  CHECK-NEXT:    read_tiles T -> t via ix
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    pop ix
//  CHECK-NEXT:    push t
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait t
//  CHECK-NEXT:    write_tiles t -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop t
//   CHECK-NOT:{{.+}}

// The index page may come from another engine.
spatial.program @other_engine(%I : memref<128x128xi32>, %T : memref<1024x1024xbf16>, %Y : memref<128x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %ix = spatial.buffer depth 2 : !spatial.buffer<1x1xi32>
  %t = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %I[k, 0] into %ix on move 1
  spatial.load %T[ind, 0] into %t via %ix on move 0
  spatial.store %t into %Y[k, 0] on move 1
}

// CHECK-LABEL:@other_engine
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve ix
//  CHECK-NEXT:    read_tiles I -> ix
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push ix
//  CHECK-NEXT:    wait t
//  CHECK-NEXT:    write_tiles t -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop t
// CHECK-EMPTY:
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait ix
//  CHECK-NEXT:    reserve t
//  CHECK-NEXT:    read_tiles T -> t via ix
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    pop ix
//  CHECK-NEXT:    push t
//   CHECK-NOT:{{.+}}

// Of domain {h}: held while w runs.
spatial.program @held_over_w(%I : memref<128x128xi32>, %T : memref<1024x1024xbf16>, %Y : memref<128x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [h = 2, w = 4] {
  %ix = spatial.buffer depth 2 : !spatial.buffer<1x1xi32>
  %t = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %I[h, 0] into %ix on move 0
  spatial.load %T[ind, w] into %t via %ix on move 0
  spatial.store %t into %Y[h, w] on move 1
}

// CHECK-LABEL:@held_over_w
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    reserve ix
//  CHECK-NEXT:    read_tiles I -> ix
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push ix
//  CHECK-NEXT:    wait ix
//  CHECK-NEXT:    for w x 4
//  CHECK-NEXT:      reserve t
//  CHECK-NEXT:      read_tiles T -> t via ix
//  CHECK-NEXT:      read_barrier
//  CHECK-NEXT:      push t
//  CHECK-NEXT:    pop ix
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 4
//  CHECK-NEXT:      wait t
//  CHECK-NEXT:      write_tiles t -> Y
//  CHECK-NEXT:      write_barrier
//  CHECK-NEXT:      pop t
//   CHECK-NOT:{{.+}}

// Row by row, an embedding.
spatial.program @rows(%I : memref<128x128xi32>, %T : memref<1024x128xbf16>, %Y : memref<128x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %ix = spatial.buffer depth 2 : !spatial.buffer<1x1xi32>
  %t = spatial.buffer depth 2 : !spatial.buffer<1x4xbf16>
  spatial.load %I[k, 0] into %ix on move 0
  spatial.load %T[0, 0] into %t via %ix rows on move 0
  spatial.store %t into %Y[k, 0] on move 1
}

// CHECK-LABEL:@rows
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve ix
//  CHECK-NEXT:    read_tiles I -> ix
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push ix
//  CHECK-NEXT:    wait ix
//  CHECK-NEXT:    reserve t
//  CHECK-NEXT:    read_tiles T -> t via ix
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    pop ix
//  CHECK-NEXT:    push t
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait t
//  CHECK-NEXT:    write_tiles t -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop t
//   CHECK-NOT:{{.+}}

// One index page for two gathers is popped by the last.
spatial.program @shared(%I : memref<128x32xi32>, %T : memref<1024x32xbf16>, %U : memref<1024x32xbf16>, %Y : memref<128x32xbf16>, %Z : memref<128x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %ix = spatial.buffer depth 2 : !spatial.buffer<1x1xi32>
  %t = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %u = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %I[k, 0] into %ix on move 0
  spatial.load %T[ind, 0] into %t via %ix on move 0
  spatial.load %U[ind, 0] into %u via %ix on move 0
  spatial.store %t into %Y[k, 0] on move 1
  spatial.store %u into %Z[k, 0] on move 1
}

// CHECK-LABEL:@shared
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve ix
//  CHECK-NEXT:    read_tiles I -> ix
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push ix
//  CHECK-NEXT:    wait ix
//  CHECK-NEXT:    reserve t
//  CHECK-NEXT:    read_tiles T -> t via ix
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push t
//  CHECK-NEXT:    wait ix
//  CHECK-NEXT:    reserve u
//  CHECK-NEXT:    read_tiles U -> u via ix
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    pop ix
//  CHECK-NEXT:    push u
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait t
//  CHECK-NEXT:    write_tiles t -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop t
//  CHECK-NEXT:    wait u
//  CHECK-NEXT:    write_tiles u -> Z
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop u
//   CHECK-NOT:{{.+}}

// The index page is free again before the page is sent.
spatial.program @gather_multicast(%I : memref<128x32xi32>, %T : memref<1024x32xbf16>, %Y : memref<128x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 4] loops [k = 4] {
  %ix = spatial.buffer depth 2 : !spatial.buffer<1x1xi32>
  %t = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:4] along x
  spatial.load %I[k, 0] into %ix at [0, 0] on move 0
  spatial.load %T[ind, 0] into %t multicast %g via %ix at [0, 0] on move 0
  spatial.recv %g into %t at [0, 1:4] on move 0
  spatial.store %t into %Y[k, x] on move 1
}

// CHECK-LABEL:@gather_multicast
//  CHECK-NEXT:move 0 at [0, 0]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve ix
//  CHECK-NEXT:    read_tiles I -> ix
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push ix
//  CHECK-NEXT:    wait ix
//  CHECK-NEXT:    reserve t
//  CHECK-NEXT:    read_tiles T -> t via ix
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    pop ix
//  CHECK-NEXT:    sem_wait g.ready eq 3
//  CHECK-NEXT:    sem_set g.ready, 0
//  CHECK-NEXT:    mcast_send t to g hold_path
//  CHECK-NEXT:    mcast_set_valid g.valid to g
//  CHECK-NEXT:    push t
// CHECK-EMPTY:
//  CHECK-NEXT:move 0 at [0, 1:4]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve t
//  CHECK-NEXT:    sem_set g.valid, invalid
//  CHECK-NEXT:    sem_inc g.ready at sender, 1
//  CHECK-NEXT:    sem_wait g.valid eq valid
//  CHECK-NEXT:    push t
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait t
//  CHECK-NEXT:    write_tiles t -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop t
//   CHECK-NOT:{{.+}}

// The same, the index page held.
spatial.program @gather_multicast_held(%I : memref<32x32xi32>, %T : memref<1024x128xbf16>, %Y : memref<32x512xbf16>)
    target #spatial.target<"blackhole"> grid [1, 4] loops [k = 4] {
  %ix = spatial.buffer depth 1 : !spatial.buffer<1x1xi32>
  %t = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:4] along x
  spatial.load %I[0, 0] into %ix at [0, 0] on move 0
  spatial.load %T[ind, k] into %t multicast %g via %ix at [0, 0] on move 0
  spatial.recv %g into %t at [0, 1:4] on move 0
  spatial.store %t into %Y[0, x * 4 + k] on move 1
}

// CHECK-LABEL:@gather_multicast_held
//  CHECK-NEXT:move 0 at [0, 0]
//  CHECK-NEXT:  reserve ix
//  CHECK-NEXT:  read_tiles I -> ix
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push ix
//  CHECK-NEXT:  wait ix
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve t
//  CHECK-NEXT:    read_tiles T -> t via ix
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    sem_wait g.ready eq 3
//  CHECK-NEXT:    sem_set g.ready, 0
//  CHECK-NEXT:    mcast_send t to g
//  CHECK-NEXT:    flush
//  CHECK-NEXT:    mcast_set_valid g.valid to g
//  CHECK-NEXT:    push t
//  CHECK-NEXT:  pop ix
// CHECK-EMPTY:
//  CHECK-NEXT:move 0 at [0, 1:4]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve t
//  CHECK-NEXT:    sem_set g.valid, invalid
//  CHECK-NEXT:    sem_inc g.ready at sender, 1
//  CHECK-NEXT:    sem_wait g.valid eq valid
//  CHECK-NEXT:    push t
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait t
//  CHECK-NEXT:    write_tiles t -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop t
//   CHECK-NOT:{{.+}}

// Scatter: the page first, then its index page.
spatial.program @scatter_anew(%I : memref<128x128xi32>, %X : memref<128x128xbf16>, %Y : memref<1024x1024xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %ix = spatial.buffer depth 2 : !spatial.buffer<1x1xi32>
  %t = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[k, 0] into %t on move 0
  spatial.load %I[k, 0] into %ix on move 0
  spatial.store %t into %Y[ind, 0] via %ix on move 1
}

// CHECK-LABEL:@scatter_anew
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve t
//  CHECK-NEXT:    read_tiles X -> t
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push t
//  CHECK-NEXT:    reserve ix
//  CHECK-NEXT:    read_tiles I -> ix
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push ix
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait t
//  CHECK-NEXT:    wait ix
//  CHECK-NEXT:    write_tiles t -> Y via ix
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop t
//  CHECK-NEXT:    pop ix
//   CHECK-NOT:{{.+}}

spatial.program @scatter_rows(%I : memref<128x128xi32>, %X : memref<128x128xbf16>, %Y : memref<1024x1024xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %ix = spatial.buffer depth 2 : !spatial.buffer<1x1xi32>
  %t = spatial.buffer depth 2 : !spatial.buffer<1x4xbf16>
  spatial.load %X[k, 0] into %t on move 0
  spatial.load %I[k, 0] into %ix on move 0
  spatial.store %t into %Y[0, 0] via %ix rows on move 1
}

// CHECK-LABEL:@scatter_rows
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve t
//  CHECK-NEXT:    read_tiles X -> t
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push t
//  CHECK-NEXT:    reserve ix
//  CHECK-NEXT:    read_tiles I -> ix
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push ix
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait t
//  CHECK-NEXT:    wait ix
//  CHECK-NEXT:    write_tiles t -> Y via ix
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop t
//  CHECK-NEXT:    pop ix
//   CHECK-NOT:{{.+}}

spatial.program @scatter_held(%I : memref<128x128xi32>, %X : memref<128x128xbf16>, %Y : memref<1024x1024xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %ix = spatial.buffer depth 1 : !spatial.buffer<1x1xi32>
  %t = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, k] into %t on move 0
  spatial.load %I[0, 0] into %ix on move 0
  spatial.store %t into %Y[ind, k] via %ix on move 1
}

// CHECK-LABEL:@scatter_held
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  reserve ix
//  CHECK-NEXT:  read_tiles I -> ix
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push ix
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve t
//  CHECK-NEXT:    read_tiles X -> t
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push t
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  wait ix
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait t
//  CHECK-NEXT:    write_tiles t -> Y via ix
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop t
//  CHECK-NEXT:  pop ix
//   CHECK-NOT:{{.+}}

spatial.program @scatter_held_over_w(%I : memref<128x128xi32>, %X : memref<128x128xbf16>, %Y : memref<1024x1024xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [h = 2, w = 4] {
  %ix = spatial.buffer depth 2 : !spatial.buffer<1x1xi32>
  %t = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[h, w] into %t on move 0
  spatial.load %I[h, 0] into %ix on move 0
  spatial.store %t into %Y[ind, w] via %ix on move 1
}

// CHECK-LABEL:@scatter_held_over_w
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    reserve ix
//  CHECK-NEXT:    read_tiles I -> ix
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push ix
//  CHECK-NEXT:    for w x 4
//  CHECK-NEXT:      reserve t
//  CHECK-NEXT:      read_tiles X -> t
//  CHECK-NEXT:      read_barrier
//  CHECK-NEXT:      push t
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    wait ix
//  CHECK-NEXT:    for w x 4
//  CHECK-NEXT:      wait t
//  CHECK-NEXT:      write_tiles t -> Y via ix
//  CHECK-NEXT:      write_barrier
//  CHECK-NEXT:      pop t
//  CHECK-NEXT:    pop ix
//   CHECK-NOT:{{.+}}
