// RUN: spatial-opt %s --synthesize-handshakes | filecheck %s

// Kinds: what a ring says, or what the target has instead of fifo; `requires` is the set in use.

// Fifo where the target has it,
spatial.program @wormhole(%X : memref<32x128xbf16>, %Y : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, k] into %x on move 0
  spatial.store %x into %Y[0, k] on move 1
}

// CHECK-LABEL: spatial.program @wormhole
//  CHECK-SAME: requires [fifo] {
//  CHECK-NEXT: %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
//   CHECK-NOT: choreo.semaphores

// else valid_ready;
spatial.program @fabric(%X : memref<32x128xbf16>, %Y : memref<32x128xbf16>)
    target #spatial.target<"fabric"> grid [1, 1] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, k] into %x on move 0
  spatial.store %x into %Y[0, k] on move 1
}

// CHECK-LABEL: spatial.program @fabric
//  CHECK-SAME: requires [valid_ready] {
//  CHECK-NEXT: %x = spatial.buffer depth 2 handshake valid_ready : !spatial.buffer<1x1xbf16>
//   CHECK-NOT: choreo.semaphores

// what a ring says itself, where the target has that;
spatial.program @explicit(%X : memref<32x128xbf16>, %Y : memref<32x128xbf16>)
    target #spatial.target<"reference"> grid [1, 1] loops [k = 4] {
  %x = spatial.buffer depth 2 handshake valid_ready : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, k] into %x on move 0
  spatial.map (%x) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[0, k] on move 1
}

// CHECK-LABEL: spatial.program @explicit
//  CHECK-SAME: requires [fifo, valid_ready] {
//  CHECK-NEXT: %x = spatial.buffer depth 2 handshake valid_ready : !spatial.buffer<1x1xbf16>
//  CHECK-NEXT: %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
//   CHECK-NOT: choreo.semaphores

// and semaphores for groups.
spatial.program @multicast(%X : memref<32x128xbf16>, %Y : memref<32x256xbf16>)
    target #spatial.target<"reference"> grid [1, 2] loops [k = 4] {
  %x = spatial.buffer depth 2 handshake valid_ready : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1] on move 0
  spatial.store %x into %Y[0, x * 4 + k] on move 1
}

// CHECK-LABEL: spatial.program @multicast
//  CHECK-SAME: requires [valid_ready, semaphore] {
//  CHECK-NEXT: %x = spatial.buffer depth 2 handshake valid_ready : !spatial.buffer<1x1xbf16>
//       CHECK: choreo.semaphores %g

// A mesh that has semaphores takes groups.
spatial.program @fabric_with_semaphores(%X : memref<32x128xbf16>, %Y : memref<32x256xbf16>)
    target #spatial.target<"fabric" {handshakes_remote = ["semaphore"]}> grid [1, 2] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1] on move 0
  spatial.store %x into %Y[0, x * 4 + k] on move 1
}

// CHECK-LABEL: spatial.program @fabric_with_semaphores
//  CHECK-SAME: requires [valid_ready, semaphore] {
//  CHECK-NEXT: %x = spatial.buffer depth 2 handshake valid_ready : !spatial.buffer<1x1xbf16>
//       CHECK: choreo.semaphores %g

// All three.
spatial.program @all_three(%X : memref<32x128xbf16>, %Y : memref<32x256xbf16>)
    target #spatial.target<"reference"> grid [1, 2] loops [k = 4] {
  %x = spatial.buffer depth 2 handshake valid_ready : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  spatial.load %X[0, k] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1] on move 0
  spatial.map (%x) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[0, x * 4 + k] on move 1
}

// CHECK-LABEL: spatial.program @all_three
//  CHECK-SAME: requires [fifo, valid_ready, semaphore] {
//  CHECK-NEXT: %x = spatial.buffer depth 2 handshake valid_ready : !spatial.buffer<1x1xbf16>
//  CHECK-NEXT: %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
//       CHECK: choreo.semaphores %g
