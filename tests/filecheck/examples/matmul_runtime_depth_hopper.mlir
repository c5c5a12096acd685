// A matmul in registers over a run-time trip.
// RUN: spatial-opt --synthesize-handshakes -t outline %S/../../../examples/matmul_runtime_depth_hopper.mlir | filecheck %s --strict-whitespace --match-full-lines
// RUN: xdsl-opt -p synthesize-handshakes -t outline %S/../../../examples/matmul_runtime_depth_hopper.mlir | filecheck %s --strict-whitespace --match-full-lines

//      CHECK:move 0 at [0, 0]
// CHECK-NEXT:  for k x trip
// CHECK-NEXT:    reserve a
// CHECK-NEXT:    read_tiles A -> a
// CHECK-NEXT:    read_barrier
// CHECK-NEXT:    sem_wait rows.ready eq 3
// CHECK-NEXT:    sem_set rows.ready, 0
// CHECK-NEXT:    mcast_send a to rows hold_path
// CHECK-NEXT:    mcast_set_valid rows.valid to rows
// CHECK-NEXT:    push a
// CHECK-NEXT:    reserve b
// CHECK-NEXT:    read_tiles B -> b
// CHECK-NEXT:    read_barrier
// CHECK-NEXT:    sem_wait cols.ready eq 1
// CHECK-NEXT:    sem_set cols.ready, 0
// CHECK-NEXT:    mcast_send b to cols hold_path
// CHECK-NEXT:    mcast_set_valid cols.valid to cols
// CHECK-NEXT:    push b
// CHECK-EMPTY:
// CHECK-NEXT:move 0 at [0, 1:4]
// CHECK-NEXT:  for k x trip
// CHECK-NEXT:    reserve a
// CHECK-NEXT:    sem_set rows.valid, invalid
// CHECK-NEXT:    sem_inc rows.ready at sender, 1
// CHECK-NEXT:    sem_wait rows.valid eq valid
// CHECK-NEXT:    push a
// CHECK-NEXT:    reserve b
// CHECK-NEXT:    read_tiles B -> b
// CHECK-NEXT:    read_barrier
// CHECK-NEXT:    sem_wait cols.ready eq 1
// CHECK-NEXT:    sem_set cols.ready, 0
// CHECK-NEXT:    mcast_send b to cols hold_path
// CHECK-NEXT:    mcast_set_valid cols.valid to cols
// CHECK-NEXT:    push b
// CHECK-EMPTY:
// CHECK-NEXT:move 0 at [1, 0]
// CHECK-NEXT:  for k x trip
// CHECK-NEXT:    reserve a
// CHECK-NEXT:    read_tiles A -> a
// CHECK-NEXT:    read_barrier
// CHECK-NEXT:    sem_wait rows.ready eq 3
// CHECK-NEXT:    sem_set rows.ready, 0
// CHECK-NEXT:    mcast_send a to rows hold_path
// CHECK-NEXT:    mcast_set_valid rows.valid to rows
// CHECK-NEXT:    push a
// CHECK-NEXT:    reserve b
// CHECK-NEXT:    sem_set cols.valid, invalid
// CHECK-NEXT:    sem_inc cols.ready at sender, 1
// CHECK-NEXT:    sem_wait cols.valid eq valid
// CHECK-NEXT:    push b
// CHECK-EMPTY:
// CHECK-NEXT:move 0 at [1, 1:4]
// CHECK-NEXT:  for k x trip
// CHECK-NEXT:    reserve a
// CHECK-NEXT:    sem_set rows.valid, invalid
// CHECK-NEXT:    sem_inc rows.ready at sender, 1
// CHECK-NEXT:    sem_wait rows.valid eq valid
// CHECK-NEXT:    push a
// CHECK-NEXT:    reserve b
// CHECK-NEXT:    sem_set cols.valid, invalid
// CHECK-NEXT:    sem_inc cols.ready at sender, 1
// CHECK-NEXT:    sem_wait cols.valid eq valid
// CHECK-NEXT:    push b
// CHECK-EMPTY:
// CHECK-NEXT:compute at every site
// CHECK-NEXT:  acquire 4
// CHECK-NEXT:  for k x trip
// CHECK-NEXT:    wait a
// CHECK-NEXT:    wait b
// CHECK-NEXT:    compute matmul(a, b)
// CHECK-NEXT:    pop a
// CHECK-NEXT:    pop b
// CHECK-NEXT:  reserve c
// CHECK-NEXT:  pack -> c
// CHECK-NEXT:  push c
// CHECK-NEXT:  release
// CHECK-EMPTY:
// CHECK-NEXT:move 1 at every site
// CHECK-NEXT:  wait c
// CHECK-NEXT:  write_tiles c -> C
// CHECK-NEXT:  write_barrier
// CHECK-NEXT:  pop c
