// RUN: spatial-opt %s --synthesize-handshakes -t outline | filecheck %s --strict-whitespace --match-full-lines

// A factor that is made once is held over the blocks. With a run-time trip perhaps no block runs, so
// it is waited for again before it is popped.
spatial.program @trip(%A : memref<32x32xbf16>, %B : memref<128x32xbf16>, %C : memref<32x32xbf16>, %n : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 4] {
  %a = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  spatial.trip k = %n
  spatial.load %A[0, 0] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, 0] on move 1
}

// CHECK:compute at every site
//  CHECK-NEXT:  acquire 1
//  CHECK-NEXT:  for k x trip
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
