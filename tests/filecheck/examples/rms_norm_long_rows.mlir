// A fold, and after it a loop that holds the page made of its result.
// RUN: spatial-opt --synthesize-handshakes -t outline %S/../../../examples/rms_norm_long_rows.mlir | filecheck %s --strict-whitespace --match-full-lines
// RUN: xdsl-opt -p synthesize-handshakes -t outline %S/../../../examples/rms_norm_long_rows.mlir | filecheck %s --strict-whitespace --match-full-lines

//      CHECK:move 0 at every site
// CHECK-NEXT:  for k x 16
// CHECK-NEXT:    reserve x
// CHECK-NEXT:    read_tiles X -> x
// CHECK-NEXT:    read_barrier
// CHECK-NEXT:    push x
// CHECK-NEXT:  for w x 16
// CHECK-NEXT:    reserve again
// CHECK-NEXT:    read_tiles X -> again
// CHECK-NEXT:    read_barrier
// CHECK-NEXT:    push again
// CHECK-EMPTY:
// CHECK-NEXT:compute at every site
// CHECK-NEXT:  acquire 1
// CHECK-NEXT:  compute init()
// CHECK-NEXT:  reserve sum
// CHECK-NEXT:  pack -> sum
// CHECK-NEXT:  push sum
// CHECK-NEXT:  release
// CHECK-NEXT:  for k x 16
// CHECK-NEXT:    wait x
// CHECK-NEXT:    acquire 8
// CHECK-NEXT:    compute square(x)
// CHECK-NEXT:    reserve square
// CHECK-NEXT:    pack -> square
// CHECK-NEXT:    push square
// CHECK-NEXT:    release
// CHECK-NEXT:    pop x
// CHECK-NEXT:    wait square
// CHECK-NEXT:    acquire 1
// CHECK-NEXT:    compute block_sum(square)
// CHECK-NEXT:    reserve block_sum
// CHECK-NEXT:    pack -> block_sum
// CHECK-NEXT:    push block_sum
// CHECK-NEXT:    release
// CHECK-NEXT:    pop square
// CHECK-NEXT:    wait sum
// CHECK-NEXT:    wait block_sum
// CHECK-NEXT:    acquire 1
// CHECK-NEXT:    compute add(sum, block_sum)
// CHECK-NEXT:    reserve sum
// CHECK-NEXT:    pack -> sum
// CHECK-NEXT:    push sum
// CHECK-NEXT:    release
// CHECK-NEXT:    pop block_sum
// CHECK-NEXT:    pop sum
// CHECK-NEXT:  wait sum
// CHECK-NEXT:  acquire 1
// CHECK-NEXT:  compute factor(sum)
// CHECK-NEXT:  reserve factor
// CHECK-NEXT:  pack -> factor
// CHECK-NEXT:  push factor
// CHECK-NEXT:  release
// CHECK-NEXT:  pop sum
// CHECK-NEXT:  wait factor
// CHECK-NEXT:  for w x 16
// CHECK-NEXT:    wait again
// CHECK-NEXT:    wait gamma
// CHECK-NEXT:    acquire 8
// CHECK-NEXT:    compute scale(again, factor, gamma)
// CHECK-NEXT:    reserve y
// CHECK-NEXT:    pack -> y
// CHECK-NEXT:    push y
// CHECK-NEXT:    release
// CHECK-NEXT:    pop again
// CHECK-NEXT:    pop gamma
// CHECK-NEXT:  pop factor
// CHECK-EMPTY:
// CHECK-NEXT:move 1 at every site
// CHECK-NEXT:  for w x 16
// CHECK-NEXT:    reserve gamma
// CHECK-NEXT:    read_tiles Gamma -> gamma
// CHECK-NEXT:    read_barrier
// CHECK-NEXT:    push gamma
// CHECK-NEXT:    wait y
// CHECK-NEXT:    write_tiles y -> Y
// CHECK-NEXT:    write_barrier
// CHECK-NEXT:    pop y
