// A map that makes an operand of the matmul at the start of each block.
// RUN: spatial-opt --synthesize-handshakes -t outline %S/../../../examples/matmul_int8_weights.mlir | filecheck %s --strict-whitespace --match-full-lines
// RUN: xdsl-opt -p synthesize-handshakes -t outline %S/../../../examples/matmul_int8_weights.mlir | filecheck %s --strict-whitespace --match-full-lines

//      CHECK:move 0 at [0, 0]
// CHECK-NEXT:  for k x 16
// CHECK-NEXT:    reserve a
// CHECK-NEXT:    read_tiles A -> a
// CHECK-NEXT:    read_barrier
// CHECK-NEXT:    sem_wait rows.ready eq 7
// CHECK-NEXT:    sem_set rows.ready, 0
// CHECK-NEXT:    mcast_send a to rows hold_path
// CHECK-NEXT:    mcast_set_valid rows.valid to rows
// CHECK-NEXT:    push a
// CHECK-NEXT:    reserve b8
// CHECK-NEXT:    read_tiles B -> b8
// CHECK-NEXT:    read_barrier
// CHECK-NEXT:    sem_wait cols.ready eq 3
// CHECK-NEXT:    sem_set cols.ready, 0
// CHECK-NEXT:    mcast_send b8 to cols hold_path
// CHECK-NEXT:    mcast_set_valid cols.valid to cols
// CHECK-NEXT:    push b8
// CHECK-EMPTY:
// CHECK-NEXT:move 0 at [0, 1:8]
// CHECK-NEXT:  for k x 16
// CHECK-NEXT:    reserve a
// CHECK-NEXT:    sem_set rows.valid, invalid
// CHECK-NEXT:    sem_inc rows.ready at sender, 1
// CHECK-NEXT:    sem_wait rows.valid eq valid
// CHECK-NEXT:    push a
// CHECK-NEXT:    reserve b8
// CHECK-NEXT:    read_tiles B -> b8
// CHECK-NEXT:    read_barrier
// CHECK-NEXT:    sem_wait cols.ready eq 3
// CHECK-NEXT:    sem_set cols.ready, 0
// CHECK-NEXT:    mcast_send b8 to cols hold_path
// CHECK-NEXT:    mcast_set_valid cols.valid to cols
// CHECK-NEXT:    push b8
// CHECK-EMPTY:
// CHECK-NEXT:move 0 at [1:4, 0]
// CHECK-NEXT:  for k x 16
// CHECK-NEXT:    reserve a
// CHECK-NEXT:    read_tiles A -> a
// CHECK-NEXT:    read_barrier
// CHECK-NEXT:    sem_wait rows.ready eq 7
// CHECK-NEXT:    sem_set rows.ready, 0
// CHECK-NEXT:    mcast_send a to rows hold_path
// CHECK-NEXT:    mcast_set_valid rows.valid to rows
// CHECK-NEXT:    push a
// CHECK-NEXT:    reserve b8
// CHECK-NEXT:    sem_set cols.valid, invalid
// CHECK-NEXT:    sem_inc cols.ready at sender, 1
// CHECK-NEXT:    sem_wait cols.valid eq valid
// CHECK-NEXT:    push b8
// CHECK-EMPTY:
// CHECK-NEXT:move 0 at [1:4, 1:8]
// CHECK-NEXT:  for k x 16
// CHECK-NEXT:    reserve a
// CHECK-NEXT:    sem_set rows.valid, invalid
// CHECK-NEXT:    sem_inc rows.ready at sender, 1
// CHECK-NEXT:    sem_wait rows.valid eq valid
// CHECK-NEXT:    push a
// CHECK-NEXT:    reserve b8
// CHECK-NEXT:    sem_set cols.valid, invalid
// CHECK-NEXT:    sem_inc cols.ready at sender, 1
// CHECK-NEXT:    sem_wait cols.valid eq valid
// CHECK-NEXT:    push b8
// CHECK-EMPTY:
// CHECK-NEXT:compute at every site
// CHECK-NEXT:  wait b8
// CHECK-NEXT:  acquire 8
// CHECK-NEXT:  compute convert(b8)
// CHECK-NEXT:  reserve b
// CHECK-NEXT:  pack -> b
// CHECK-NEXT:  push b
// CHECK-NEXT:  release
// CHECK-NEXT:  pop b8
// CHECK-NEXT:  wait a
// CHECK-NEXT:  wait b
// CHECK-NEXT:  for w x 2
// CHECK-NEXT:    acquire 4
// CHECK-NEXT:    compute matmul(a, b)
// CHECK-NEXT:    reserve p
// CHECK-NEXT:    pack -> p
// CHECK-NEXT:    push p
// CHECK-NEXT:    release
// CHECK-NEXT:  pop a
// CHECK-NEXT:  pop b
// CHECK-NEXT:  for k x 14
// CHECK-NEXT:    wait b8
// CHECK-NEXT:    acquire 8
// CHECK-NEXT:    compute convert(b8)
// CHECK-NEXT:    reserve b
// CHECK-NEXT:    pack -> b
// CHECK-NEXT:    push b
// CHECK-NEXT:    release
// CHECK-NEXT:    pop b8
// CHECK-NEXT:    wait a
// CHECK-NEXT:    wait b
// CHECK-NEXT:    for w x 2
// CHECK-NEXT:      acquire 4
// CHECK-NEXT:      wait p
// CHECK-NEXT:      compute matmul(a, b) reload p
// CHECK-NEXT:      pop p
// CHECK-NEXT:      reserve p
// CHECK-NEXT:      pack -> p
// CHECK-NEXT:      push p
// CHECK-NEXT:      release
// CHECK-NEXT:    pop a
// CHECK-NEXT:    pop b
// CHECK-NEXT:  wait b8
// CHECK-NEXT:  acquire 8
// CHECK-NEXT:  compute convert(b8)
// CHECK-NEXT:  reserve b
// CHECK-NEXT:  pack -> b
// CHECK-NEXT:  push b
// CHECK-NEXT:  release
// CHECK-NEXT:  pop b8
// CHECK-NEXT:  wait a
// CHECK-NEXT:  wait b
// CHECK-NEXT:  for w x 2
// CHECK-NEXT:    acquire 4
// CHECK-NEXT:    wait p
// CHECK-NEXT:    compute matmul(a, b) reload p
// CHECK-NEXT:    pop p
// CHECK-NEXT:    reserve sum
// CHECK-NEXT:    pack -> sum
// CHECK-NEXT:    push sum
// CHECK-NEXT:    release
// CHECK-NEXT:    wait sum
// CHECK-NEXT:    wait scale
// CHECK-NEXT:    acquire 4
// CHECK-NEXT:    compute scale(sum, scale)
// CHECK-NEXT:    reserve c
// CHECK-NEXT:    pack -> c
// CHECK-NEXT:    push c
// CHECK-NEXT:    release
// CHECK-NEXT:    pop sum
// CHECK-NEXT:    pop scale
// CHECK-NEXT:  pop a
// CHECK-NEXT:  pop b
// CHECK-EMPTY:
// CHECK-NEXT:move 1 at every site
// CHECK-NEXT:  for w x 2
// CHECK-NEXT:    reserve scale
// CHECK-NEXT:    read_tiles Scale -> scale
// CHECK-NEXT:    read_barrier
// CHECK-NEXT:    push scale
// CHECK-NEXT:    wait c
// CHECK-NEXT:    write_tiles c -> C
// CHECK-NEXT:    write_barrier
// CHECK-NEXT:    pop c
