// One multicast along a row of sites, and sums kept in the accumulator.
// RUN: spatial-opt --synthesize-handshakes -t outline %S/../../../examples/matmul_row.mlir | filecheck %s --strict-whitespace --match-full-lines
// RUN: xdsl-opt -p synthesize-handshakes -t outline %S/../../../examples/matmul_row.mlir | filecheck %s --strict-whitespace --match-full-lines

//      CHECK:move 0 at [0, 0]
// CHECK-NEXT:  for k x 8
// CHECK-NEXT:    reserve a
// CHECK-NEXT:    read_tiles A -> a
// CHECK-NEXT:    read_barrier
// CHECK-NEXT:    sem_wait row.ready eq 3
// CHECK-NEXT:    sem_set row.ready, 0
// CHECK-NEXT:    mcast_send a to row hold_path
// CHECK-NEXT:    mcast_set_valid row.valid to row
// CHECK-NEXT:    push a
// CHECK-EMPTY:
// CHECK-NEXT:move 0 at [0, 1:4]
// CHECK-NEXT:  for k x 8
// CHECK-NEXT:    reserve a
// CHECK-NEXT:    sem_set row.valid, invalid
// CHECK-NEXT:    sem_inc row.ready at sender, 1
// CHECK-NEXT:    sem_wait row.valid eq valid
// CHECK-NEXT:    push a
// CHECK-EMPTY:
// CHECK-NEXT:move 1 at every site
// CHECK-NEXT:  for k x 8
// CHECK-NEXT:    reserve b
// CHECK-NEXT:    read_tiles B -> b
// CHECK-NEXT:    read_barrier
// CHECK-NEXT:    push b
// CHECK-NEXT:  wait c
// CHECK-NEXT:  write_tiles c -> C
// CHECK-NEXT:  write_barrier
// CHECK-NEXT:  pop c
// CHECK-EMPTY:
// CHECK-NEXT:compute at every site
// CHECK-NEXT:  acquire 1
// CHECK-NEXT:  for k x 8
// CHECK-NEXT:    wait a
// CHECK-NEXT:    wait b
// CHECK-NEXT:    compute matmul(a, b)
// CHECK-NEXT:    pop a
// CHECK-NEXT:    pop b
// CHECK-NEXT:  reserve c
// CHECK-NEXT:  pack -> c
// CHECK-NEXT:  push c
// CHECK-NEXT:  release
