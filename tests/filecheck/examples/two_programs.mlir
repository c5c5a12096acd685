// Two programs in one module; the first keeps its sums in the accumulator.
// RUN: spatial-opt --synthesize-handshakes -t outline %S/../../../examples/two_programs.mlir | filecheck %s --strict-whitespace --match-full-lines
// RUN: xdsl-opt -p synthesize-handshakes -t outline %S/../../../examples/two_programs.mlir | filecheck %s --strict-whitespace --match-full-lines

//      CHECK:@project
// CHECK-NEXT:move 0 at every site
// CHECK-NEXT:  for k x 4
// CHECK-NEXT:    reserve a
// CHECK-NEXT:    read_tiles A -> a
// CHECK-NEXT:    read_barrier
// CHECK-NEXT:    push a
// CHECK-EMPTY:
// CHECK-NEXT:move 1 at every site
// CHECK-NEXT:  for k x 4
// CHECK-NEXT:    reserve b
// CHECK-NEXT:    read_tiles B -> b
// CHECK-NEXT:    read_barrier
// CHECK-NEXT:    push b
// CHECK-NEXT:  wait s
// CHECK-NEXT:  write_tiles s -> S
// CHECK-NEXT:  write_barrier
// CHECK-NEXT:  pop s
// CHECK-EMPTY:
// CHECK-NEXT:compute at every site
// CHECK-NEXT:  acquire 4
// CHECK-NEXT:  for k x 4
// CHECK-NEXT:    wait a
// CHECK-NEXT:    wait b
// CHECK-NEXT:    compute matmul(a, b)
// CHECK-NEXT:    pop a
// CHECK-NEXT:    pop b
// CHECK-NEXT:  reserve s
// CHECK-NEXT:  pack -> s
// CHECK-NEXT:  push s
// CHECK-NEXT:  release
// CHECK-EMPTY:
// CHECK-NEXT:@softmax
// CHECK-NEXT:move 0 at every site
// CHECK-NEXT:  reserve s
// CHECK-NEXT:  read_tiles S -> s
// CHECK-NEXT:  read_barrier
// CHECK-NEXT:  push s
// CHECK-EMPTY:
// CHECK-NEXT:compute at every site
// CHECK-NEXT:  wait s
// CHECK-NEXT:  acquire 1
// CHECK-NEXT:  compute row_max(s)
// CHECK-NEXT:  reserve max
// CHECK-NEXT:  pack -> max
// CHECK-NEXT:  push max
// CHECK-NEXT:  release
// CHECK-NEXT:  wait s
// CHECK-NEXT:  wait max
// CHECK-NEXT:  acquire 4
// CHECK-NEXT:  compute exp(s, max)
// CHECK-NEXT:  reserve e
// CHECK-NEXT:  pack -> e
// CHECK-NEXT:  push e
// CHECK-NEXT:  release
// CHECK-NEXT:  pop s
// CHECK-NEXT:  pop max
// CHECK-NEXT:  wait e
// CHECK-NEXT:  acquire 1
// CHECK-NEXT:  compute row_sum(e)
// CHECK-NEXT:  reserve sum
// CHECK-NEXT:  pack -> sum
// CHECK-NEXT:  push sum
// CHECK-NEXT:  release
// CHECK-NEXT:  wait e
// CHECK-NEXT:  wait sum
// CHECK-NEXT:  acquire 4
// CHECK-NEXT:  compute divide(e, sum)
// CHECK-NEXT:  reserve p
// CHECK-NEXT:  pack -> p
// CHECK-NEXT:  push p
// CHECK-NEXT:  release
// CHECK-NEXT:  pop e
// CHECK-NEXT:  pop sum
// CHECK-EMPTY:
// CHECK-NEXT:move 1 at every site
// CHECK-NEXT:  wait p
// CHECK-NEXT:  write_tiles p -> P
// CHECK-NEXT:  write_barrier
// CHECK-NEXT:  pop p
