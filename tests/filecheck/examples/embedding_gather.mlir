// An index page held over the columns of the rows it names.
// RUN: spatial-opt --synthesize-handshakes -t outline %S/../../../examples/embedding_gather.mlir | filecheck %s --strict-whitespace --match-full-lines
// RUN: xdsl-opt -p synthesize-handshakes -t outline %S/../../../examples/embedding_gather.mlir | filecheck %s --strict-whitespace --match-full-lines

//      CHECK:move 0 at every site
// CHECK-NEXT:  for h x 4
// CHECK-NEXT:    reserve ids
// CHECK-NEXT:    read_tiles Tokens -> ids
// CHECK-NEXT:    read_barrier
// CHECK-NEXT:    push ids
// CHECK-NEXT:    wait ids
// CHECK-NEXT:    for w x 2
// CHECK-NEXT:      reserve rows
// CHECK-NEXT:      read_tiles Table -> rows via ids
// CHECK-NEXT:      read_barrier
// CHECK-NEXT:      push rows
// CHECK-NEXT:    pop ids
// CHECK-EMPTY:
// CHECK-NEXT:move 1 at every site
// CHECK-NEXT:  for h x 4
// CHECK-NEXT:    for w x 2
// CHECK-NEXT:      reserve positions
// CHECK-NEXT:      read_tiles Positions -> positions
// CHECK-NEXT:      read_barrier
// CHECK-NEXT:      push positions
// CHECK-NEXT:      wait y
// CHECK-NEXT:      write_tiles y -> Y
// CHECK-NEXT:      write_barrier
// CHECK-NEXT:      pop y
// CHECK-EMPTY:
// CHECK-NEXT:compute at every site
// CHECK-NEXT:  for h x 4
// CHECK-NEXT:    for w x 2
// CHECK-NEXT:      wait rows
// CHECK-NEXT:      wait positions
// CHECK-NEXT:      acquire 8
// CHECK-NEXT:      compute add_positions(rows, positions)
// CHECK-NEXT:      reserve y
// CHECK-NEXT:      pack -> y
// CHECK-NEXT:      push y
// CHECK-NEXT:      release
// CHECK-NEXT:      pop rows
// CHECK-NEXT:      pop positions
