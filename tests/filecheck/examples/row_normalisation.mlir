// Pages held over sub-blocks, and one chain of reductions and maps in them.
// RUN: spatial-opt --synthesize-handshakes -t outline %S/../../../examples/row_normalisation.mlir | filecheck %s --strict-whitespace --match-full-lines
// RUN: xdsl-opt -p synthesize-handshakes -t outline %S/../../../examples/row_normalisation.mlir | filecheck %s --strict-whitespace --match-full-lines

//      CHECK:move 0 at every site
// CHECK-NEXT:  reserve gamma
// CHECK-NEXT:  read_tiles Gamma -> gamma
// CHECK-NEXT:  read_barrier
// CHECK-NEXT:  push gamma
// CHECK-NEXT:  reserve beta
// CHECK-NEXT:  read_tiles Beta -> beta
// CHECK-NEXT:  read_barrier
// CHECK-NEXT:  push beta
// CHECK-NEXT:  for h x 4
// CHECK-NEXT:    reserve x
// CHECK-NEXT:    read_tiles X -> x
// CHECK-NEXT:    read_barrier
// CHECK-NEXT:    push x
// CHECK-EMPTY:
// CHECK-NEXT:compute at every site
// CHECK-NEXT:  wait gamma
// CHECK-NEXT:  wait beta
// CHECK-NEXT:  for h x 4
// CHECK-NEXT:    wait x
// CHECK-NEXT:    acquire 1
// CHECK-NEXT:    compute row_sum(x)
// CHECK-NEXT:    reserve sum
// CHECK-NEXT:    pack -> sum
// CHECK-NEXT:    push sum
// CHECK-NEXT:    release
// CHECK-NEXT:    wait x
// CHECK-NEXT:    wait sum
// CHECK-NEXT:    acquire 4
// CHECK-NEXT:    compute centre(x, sum)
// CHECK-NEXT:    reserve centred
// CHECK-NEXT:    pack -> centred
// CHECK-NEXT:    push centred
// CHECK-NEXT:    release
// CHECK-NEXT:    pop x
// CHECK-NEXT:    pop sum
// CHECK-NEXT:    wait centred
// CHECK-NEXT:    acquire 4
// CHECK-NEXT:    compute square(centred)
// CHECK-NEXT:    reserve square
// CHECK-NEXT:    pack -> square
// CHECK-NEXT:    push square
// CHECK-NEXT:    release
// CHECK-NEXT:    wait square
// CHECK-NEXT:    acquire 1
// CHECK-NEXT:    compute square_sum(square)
// CHECK-NEXT:    reserve square_sum
// CHECK-NEXT:    pack -> square_sum
// CHECK-NEXT:    push square_sum
// CHECK-NEXT:    release
// CHECK-NEXT:    pop square
// CHECK-NEXT:    wait square_sum
// CHECK-NEXT:    acquire 1
// CHECK-NEXT:    compute factor(square_sum)
// CHECK-NEXT:    reserve factor
// CHECK-NEXT:    pack -> factor
// CHECK-NEXT:    push factor
// CHECK-NEXT:    release
// CHECK-NEXT:    pop square_sum
// CHECK-NEXT:    wait centred
// CHECK-NEXT:    wait factor
// CHECK-NEXT:    acquire 4
// CHECK-NEXT:    compute scale_and_shift(centred, factor, gamma, beta)
// CHECK-NEXT:    reserve y
// CHECK-NEXT:    pack -> y
// CHECK-NEXT:    push y
// CHECK-NEXT:    release
// CHECK-NEXT:    pop centred
// CHECK-NEXT:    pop factor
// CHECK-NEXT:  pop gamma
// CHECK-NEXT:  pop beta
// CHECK-EMPTY:
// CHECK-NEXT:move 1 at every site
// CHECK-NEXT:  for h x 4
// CHECK-NEXT:    wait y
// CHECK-NEXT:    write_tiles y -> Y
// CHECK-NEXT:    write_barrier
// CHECK-NEXT:    pop y
