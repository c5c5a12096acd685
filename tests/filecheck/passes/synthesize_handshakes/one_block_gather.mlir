// RUN: spatial-opt %s --synthesize-handshakes -t outline 2>/dev/null | filecheck %s --strict-whitespace --match-full-lines

// One block: the index page {h} is read in the K loop, so it is fetched there too, not before it, and
// a ring of one page is enough.
spatial.program @scatter(%V : memref<64x96xbf16>, %I : memref<64x32xi32>, %Y : memref<256x96xbf16>)
    target #spatial.target<"reference"> grid [1, 1] loops [k = 1, h = 2] {
  %v = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %i = spatial.buffer depth 1 : !spatial.buffer<1x1xi32>
  spatial.load %V[h, k] into %v on move 0
  spatial.load %I[h, 0] into %i on move 0
  spatial.store %v into %Y[ind, k] via %i on move 0
}

// CHECK:move 0 at every site
//  CHECK-NEXT:  for k x 1
//  CHECK-NEXT:    for h x 2
//  CHECK-NEXT:      reserve v
//  CHECK-NEXT:      read_tiles V -> v
//  CHECK-NEXT:      read_barrier
//  CHECK-NEXT:      push v
//  CHECK-NEXT:      reserve i
//  CHECK-NEXT:      read_tiles I -> i
//  CHECK-NEXT:      read_barrier
//  CHECK-NEXT:      push i
//  CHECK-NEXT:      wait v
//  CHECK-NEXT:      wait i
//  CHECK-NEXT:      write_tiles v -> Y via i
//  CHECK-NEXT:      write_barrier
//  CHECK-NEXT:      pop v
//  CHECK-NEXT:      pop i
