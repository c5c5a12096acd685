// A chain of maps over sub-blocks; the rings are handed over by valid-ready wires.
// RUN: spatial-opt --synthesize-handshakes -t outline %S/../../../examples/fabric_elementwise.mlir | filecheck %s --strict-whitespace --match-full-lines
// RUN: xdsl-opt -p synthesize-handshakes -t outline %S/../../../examples/fabric_elementwise.mlir | filecheck %s --strict-whitespace --match-full-lines

//      CHECK:move 0 at every site
// CHECK-NEXT:  for h x 8
// CHECK-NEXT:    for w x 4
// CHECK-NEXT:      reserve gate
// CHECK-NEXT:      read_tiles Gate -> gate
// CHECK-NEXT:      read_barrier
// CHECK-NEXT:      push gate
// CHECK-NEXT:      reserve up
// CHECK-NEXT:      read_tiles Up -> up
// CHECK-NEXT:      read_barrier
// CHECK-NEXT:      push up
// CHECK-NEXT:      reserve rest
// CHECK-NEXT:      read_tiles Rest -> rest
// CHECK-NEXT:      read_barrier
// CHECK-NEXT:      push rest
// CHECK-EMPTY:
// CHECK-NEXT:compute at every site
// CHECK-NEXT:  for h x 8
// CHECK-NEXT:    for w x 4
// CHECK-NEXT:      wait gate
// CHECK-NEXT:      acquire 2
// CHECK-NEXT:      compute silu(gate)
// CHECK-NEXT:      reserve active
// CHECK-NEXT:      pack -> active
// CHECK-NEXT:      push active
// CHECK-NEXT:      release
// CHECK-NEXT:      pop gate
// CHECK-NEXT:      wait active
// CHECK-NEXT:      wait up
// CHECK-NEXT:      wait rest
// CHECK-NEXT:      acquire 2
// CHECK-NEXT:      compute gate_and_add(active, up, rest)
// CHECK-NEXT:      reserve y
// CHECK-NEXT:      pack -> y
// CHECK-NEXT:      push y
// CHECK-NEXT:      release
// CHECK-NEXT:      pop active
// CHECK-NEXT:      pop up
// CHECK-NEXT:      pop rest
// CHECK-EMPTY:
// CHECK-NEXT:move 1 at every site
// CHECK-NEXT:  for h x 8
// CHECK-NEXT:    for w x 4
// CHECK-NEXT:      wait y
// CHECK-NEXT:      write_tiles y -> Y
// CHECK-NEXT:      write_barrier
// CHECK-NEXT:      pop y
