// RUN: spatial-opt %s --synthesize-handshakes -t outline | filecheck %s --strict-whitespace --match-full-lines

// The dataflow rank, which every engine of every site takes its stages in.

// A stage comes after those whose pages it takes, wherever it is written.
spatial.program @against_the_text(%X : memref<32x128xbf16>, %Y : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %t = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.store %y into %Y[0, k] on move 0
  spatial.map @second (%t) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @first (%x) into %t {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.load %X[0, k] into %x on move 0
}

// CHECK-LABEL:@against_the_text
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for k x 4
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
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute first(x)
//  CHECK-NEXT:    reserve t
//  CHECK-NEXT:    pack -> t
//  CHECK-NEXT:    push t
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop x
//  CHECK-NEXT:    wait t
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute second(t)
//  CHECK-NEXT:    reserve y
//  CHECK-NEXT:    pack -> y
//  CHECK-NEXT:    push y
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop t
//   CHECK-NOT:{{.+}}

// Ties go by the text.
spatial.program @ties(%X : memref<32x128xbf16>, %Z : memref<32x128xbf16>, %Y : memref<32x128xbf16>, %V : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %t = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %Z[0, k] into %z on move 0
  spatial.load %X[0, k] into %x on move 0
  spatial.map @of_x (%x) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @of_z (%z) into %t {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[0, k] on move 1
  spatial.store %t into %V[0, k] on move 1
}

// CHECK-LABEL:@ties
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve z
//  CHECK-NEXT:    read_tiles Z -> z
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push z
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push x
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute of_x(x)
//  CHECK-NEXT:    reserve y
//  CHECK-NEXT:    pack -> y
//  CHECK-NEXT:    push y
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop x
//  CHECK-NEXT:    wait z
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute of_z(z)
//  CHECK-NEXT:    reserve t
//  CHECK-NEXT:    pack -> t
//  CHECK-NEXT:    push t
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop z
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait y
//  CHECK-NEXT:    write_tiles y -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop y
//  CHECK-NEXT:    wait t
//  CHECK-NEXT:    write_tiles t -> V
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop t
//   CHECK-NOT:{{.+}}

// The first in the text among the ready: `left` could follow `begin` at once, but `other` is written before it.
spatial.program @smallest_ready(%X : memref<32x128xbf16>, %Z : memref<32x128xbf16>, %Y : memref<32x128xbf16>, %V : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %t = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %v = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, k] into %x on move 0
  spatial.load %Z[0, k] into %z on move 0
  spatial.map @begin (%x) into %t {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @other (%z) into %v {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @left (%t) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %v into %V[0, k] on move 1
  spatial.store %y into %Y[0, k] on move 1
}

// CHECK-LABEL:@smallest_ready
//  CHECK-NEXT:move 0 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push x
//  CHECK-NEXT:    reserve z
//  CHECK-NEXT:    read_tiles Z -> z
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push z
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute begin(x)
//  CHECK-NEXT:    reserve t
//  CHECK-NEXT:    pack -> t
//  CHECK-NEXT:    push t
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop x
//  CHECK-NEXT:    wait z
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute other(z)
//  CHECK-NEXT:    reserve v
//  CHECK-NEXT:    pack -> v
//  CHECK-NEXT:    push v
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop z
//  CHECK-NEXT:    wait t
//  CHECK-NEXT:    acquire 1
//  CHECK-NEXT:    compute left(t)
//  CHECK-NEXT:    reserve y
//  CHECK-NEXT:    pack -> y
//  CHECK-NEXT:    push y
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop t
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait v
//  CHECK-NEXT:    write_tiles v -> V
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop v
//  CHECK-NEXT:    wait y
//  CHECK-NEXT:    write_tiles y -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop y
//   CHECK-NOT:{{.+}}

// Two multicasts from one site, their receivers written the other way round: a group's sender and receivers stand side by
// side, so that both sides take the first group first.
spatial.program @opposite_receivers(%X : memref<32x128xbf16>, %Z : memref<32x128xbf16>, %Y : memref<32x256xbf16>, %V : memref<32x256xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %f = spatial.group from [0, 0] to [0, 1] along x
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.load %Z[0, k] into %z multicast %f at [0, 0] on move 0
  spatial.recv %f into %z at [0, 1] on move 0
  spatial.recv %g into %x at [0, 1] on move 0
  spatial.store %x into %Y[0, x * 4 + k] on move 1
  spatial.store %z into %V[0, x * 4 + k] on move 1
}

// CHECK-LABEL:@opposite_receivers
//  CHECK-NEXT:move 0 at [0, 0]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    read_tiles X -> x
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    sem_wait g.ready eq 1
//  CHECK-NEXT:    sem_set g.ready, 0
//  CHECK-NEXT:    mcast_send x to g hold_path
//  CHECK-NEXT:    mcast_set_valid g.valid to g
//  CHECK-NEXT:    push x
//  CHECK-NEXT:    reserve z
//  CHECK-NEXT:    read_tiles Z -> z
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    sem_wait f.ready eq 1
//  CHECK-NEXT:    sem_set f.ready, 0
//  CHECK-NEXT:    mcast_send z to f hold_path
//  CHECK-NEXT:    mcast_set_valid f.valid to f
//  CHECK-NEXT:    push z
// CHECK-EMPTY:
//  CHECK-NEXT:move 0 at [0, 1]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    sem_set g.valid, invalid
//  CHECK-NEXT:    sem_inc g.ready at sender, 1
//  CHECK-NEXT:    sem_wait g.valid eq valid
//  CHECK-NEXT:    push x
//  CHECK-NEXT:    reserve z
//  CHECK-NEXT:    sem_set f.valid, invalid
//  CHECK-NEXT:    sem_inc f.ready at sender, 1
//  CHECK-NEXT:    sem_wait f.valid eq valid
//  CHECK-NEXT:    push z
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    write_tiles x -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop x
//  CHECK-NEXT:    wait z
//  CHECK-NEXT:    write_tiles z -> V
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop z
//   CHECK-NOT:{{.+}}

// Each site sends to the others: the receiver of the first group comes before the sender of the second, though it is written
// after it. In the order of the text, each would wait for the other to be ready.
spatial.program @each_to_the_other(%X : memref<32x128xbf16>, %Z : memref<32x128xbf16>, %Y : memref<32x384xbf16>, %V : memref<32x384xbf16>)
    target #spatial.target<"wormhole"> grid [1, 3] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:3] along x
  %f = spatial.group from [0, 1] to [0, 0:3] along x
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.load %Z[0, k] into %z multicast %f at [0, 1] on move 0
  spatial.recv %f into %z at [0, 0] + [0, 2] on move 0
  spatial.recv %g into %x at [0, 1:3] on move 0
  spatial.store %x into %Y[0, x * 4 + k] on move 1
  spatial.store %z into %V[0, x * 4 + k] on move 1
}

// CHECK-LABEL:@each_to_the_other
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
//  CHECK-NEXT:    reserve z
//  CHECK-NEXT:    sem_set f.valid, invalid
//  CHECK-NEXT:    sem_inc f.ready at sender, 1
//  CHECK-NEXT:    sem_wait f.valid eq valid
//  CHECK-NEXT:    push z
// CHECK-EMPTY:
//  CHECK-NEXT:move 0 at [0, 1]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    sem_set g.valid, invalid
//  CHECK-NEXT:    sem_inc g.ready at sender, 1
//  CHECK-NEXT:    sem_wait g.valid eq valid
//  CHECK-NEXT:    push x
//  CHECK-NEXT:    reserve z
//  CHECK-NEXT:    read_tiles Z -> z
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    sem_wait f.ready eq 2
//  CHECK-NEXT:    sem_set f.ready, 0
//  CHECK-NEXT:    mcast_send z to f hold_path
//  CHECK-NEXT:    mcast_set_valid f.valid to f
//  CHECK-NEXT:    push z
// CHECK-EMPTY:
//  CHECK-NEXT:move 0 at [0, 2]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve x
//  CHECK-NEXT:    sem_set g.valid, invalid
//  CHECK-NEXT:    sem_inc g.ready at sender, 1
//  CHECK-NEXT:    sem_wait g.valid eq valid
//  CHECK-NEXT:    push x
//  CHECK-NEXT:    reserve z
//  CHECK-NEXT:    sem_set f.valid, invalid
//  CHECK-NEXT:    sem_inc f.ready at sender, 1
//  CHECK-NEXT:    sem_wait f.valid eq valid
//  CHECK-NEXT:    push z
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait x
//  CHECK-NEXT:    write_tiles x -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop x
//  CHECK-NEXT:    wait z
//  CHECK-NEXT:    write_tiles z -> V
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop z
//   CHECK-NOT:{{.+}}

// A receiver waits for its group's sender, and that for its index page.
spatial.program @sender_before_receiver(%I : memref<128x32xi32>, %T : memref<1024x32xbf16>, %Z : memref<128x32xbf16>, %Y : memref<128x64xbf16>, %V : memref<128x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] loops [k = 4] {
  %ix = spatial.buffer depth 2 : !spatial.buffer<1x1xi32>
  %t = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  spatial.recv %g into %t at [0, 1] on move 0
  spatial.load %Z[k, 0] into %z at [0, 1] on move 0
  spatial.load %T[ind, 0] into %t multicast %g via %ix at [0, 0] on move 0
  spatial.load %I[k, 0] into %ix at [0, 0] on move 0
  spatial.store %t into %Y[k, x] on move 1
  spatial.store %z into %V[k, 0] at [0, 1] on move 1
}

// CHECK-LABEL:@sender_before_receiver
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
//  CHECK-NEXT:    sem_wait g.ready eq 1
//  CHECK-NEXT:    sem_set g.ready, 0
//  CHECK-NEXT:    mcast_send t to g hold_path
//  CHECK-NEXT:    mcast_set_valid g.valid to g
//  CHECK-NEXT:    push t
// CHECK-EMPTY:
//  CHECK-NEXT:move 0 at [0, 1]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve z
//  CHECK-NEXT:    read_tiles Z -> z
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push z
//  CHECK-NEXT:    reserve t
//  CHECK-NEXT:    sem_set g.valid, invalid
//  CHECK-NEXT:    sem_inc g.ready at sender, 1
//  CHECK-NEXT:    sem_wait g.valid eq valid
//  CHECK-NEXT:    push t
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at [0, 0]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait t
//  CHECK-NEXT:    write_tiles t -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop t
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at [0, 1]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    wait t
//  CHECK-NEXT:    write_tiles t -> Y
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop t
//  CHECK-NEXT:    wait z
//  CHECK-NEXT:    write_tiles z -> V
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop z
//   CHECK-NOT:{{.+}}
