// Partial sums added up by the packer, a chain fused into the last block, flushes.
// RUN: spatial-opt --synthesize-handshakes -t outline %S/../../../examples/matmul_bias_gelu.mlir | filecheck %s --strict-whitespace --match-full-lines
// RUN: xdsl-opt -p synthesize-handshakes -t outline %S/../../../examples/matmul_bias_gelu.mlir | filecheck %s --strict-whitespace --match-full-lines

//      CHECK:move 0 at [0, 0]
// CHECK-NEXT:  for k x 8
// CHECK-NEXT:    reserve a
// CHECK-NEXT:    read_tiles A -> a
// CHECK-NEXT:    read_barrier
// CHECK-NEXT:    sem_wait rows.ready eq 7
// CHECK-NEXT:    sem_set rows.ready, 0
// CHECK-NEXT:    mcast_send a to rows
// CHECK-NEXT:    flush
// CHECK-NEXT:    mcast_set_valid rows.valid to rows
// CHECK-NEXT:    push a
// CHECK-NEXT:    reserve b
// CHECK-NEXT:    read_tiles B -> b
// CHECK-NEXT:    read_barrier
// CHECK-NEXT:    sem_wait cols.ready eq 3
// CHECK-NEXT:    sem_set cols.ready, 0
// CHECK-NEXT:    mcast_send b to cols
// CHECK-NEXT:    flush
// CHECK-NEXT:    mcast_set_valid cols.valid to cols
// CHECK-NEXT:    push b
// CHECK-EMPTY:
// CHECK-NEXT:move 0 at [0, 1:8]
// CHECK-NEXT:  for k x 8
// CHECK-NEXT:    reserve a
// CHECK-NEXT:    sem_set rows.valid, invalid
// CHECK-NEXT:    sem_inc rows.ready at sender, 1
// CHECK-NEXT:    sem_wait rows.valid eq valid
// CHECK-NEXT:    push a
// CHECK-NEXT:    reserve b
// CHECK-NEXT:    read_tiles B -> b
// CHECK-NEXT:    read_barrier
// CHECK-NEXT:    sem_wait cols.ready eq 3
// CHECK-NEXT:    sem_set cols.ready, 0
// CHECK-NEXT:    mcast_send b to cols
// CHECK-NEXT:    flush
// CHECK-NEXT:    mcast_set_valid cols.valid to cols
// CHECK-NEXT:    push b
// CHECK-EMPTY:
// CHECK-NEXT:move 0 at [1:4, 0]
// CHECK-NEXT:  for k x 8
// CHECK-NEXT:    reserve a
// CHECK-NEXT:    read_tiles A -> a
// CHECK-NEXT:    read_barrier
// CHECK-NEXT:    sem_wait rows.ready eq 7
// CHECK-NEXT:    sem_set rows.ready, 0
// CHECK-NEXT:    mcast_send a to rows
// CHECK-NEXT:    flush
// CHECK-NEXT:    mcast_set_valid rows.valid to rows
// CHECK-NEXT:    push a
// CHECK-NEXT:    reserve b
// CHECK-NEXT:    sem_set cols.valid, invalid
// CHECK-NEXT:    sem_inc cols.ready at sender, 1
// CHECK-NEXT:    sem_wait cols.valid eq valid
// CHECK-NEXT:    push b
// CHECK-EMPTY:
// CHECK-NEXT:move 0 at [1:4, 1:8]
// CHECK-NEXT:  for k x 8
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
// CHECK-NEXT:move 1 at every site
// CHECK-NEXT:  for h x 2
// CHECK-NEXT:    for w x 2
// CHECK-NEXT:      reserve bias
// CHECK-NEXT:      read_tiles Bias -> bias
// CHECK-NEXT:      read_barrier
// CHECK-NEXT:      push bias
// CHECK-NEXT:      wait d
// CHECK-NEXT:      write_tiles d -> D
// CHECK-NEXT:      write_barrier
// CHECK-NEXT:      pop d
// CHECK-EMPTY:
// CHECK-NEXT:compute at every site
// CHECK-NEXT:  wait a
// CHECK-NEXT:  wait b
// CHECK-NEXT:  for h x 2
// CHECK-NEXT:    for w x 2
// CHECK-NEXT:      acquire 4
// CHECK-NEXT:      compute matmul(a, b)
// CHECK-NEXT:      reserve p
// CHECK-NEXT:      pack -> p
// CHECK-NEXT:      push p
// CHECK-NEXT:      release
// CHECK-NEXT:  wait p
// CHECK-NEXT:  pop p
// CHECK-NEXT:  wait p
// CHECK-NEXT:  pop p
// CHECK-NEXT:  wait p
// CHECK-NEXT:  pop p
// CHECK-NEXT:  wait p
// CHECK-NEXT:  pop p
// CHECK-NEXT:  pop a
// CHECK-NEXT:  pop b
// CHECK-NEXT:  for k x 5
// CHECK-NEXT:    wait a
// CHECK-NEXT:    wait b
// CHECK-NEXT:    for h x 2
// CHECK-NEXT:      for w x 2
// CHECK-NEXT:        acquire 4
// CHECK-NEXT:        compute matmul(a, b)
// CHECK-NEXT:        reserve p
// CHECK-NEXT:        pack -> p accumulate
// CHECK-NEXT:        push p
// CHECK-NEXT:        release
// CHECK-NEXT:    wait p
// CHECK-NEXT:    pop p
// CHECK-NEXT:    wait p
// CHECK-NEXT:    pop p
// CHECK-NEXT:    wait p
// CHECK-NEXT:    pop p
// CHECK-NEXT:    wait p
// CHECK-NEXT:    pop p
// CHECK-NEXT:    pop a
// CHECK-NEXT:    pop b
// CHECK-NEXT:  wait a
// CHECK-NEXT:  wait b
// CHECK-NEXT:  for h x 2
// CHECK-NEXT:    for w x 2
// CHECK-NEXT:      acquire 4
// CHECK-NEXT:      compute matmul(a, b)
// CHECK-NEXT:      reserve p
// CHECK-NEXT:      pack -> p accumulate
// CHECK-NEXT:      push p
// CHECK-NEXT:      release
// CHECK-NEXT:  pop a
// CHECK-NEXT:  pop b
// CHECK-NEXT:  wait a
// CHECK-NEXT:  wait b
// CHECK-NEXT:  for h x 2
// CHECK-NEXT:    for w x 2
// CHECK-NEXT:      acquire 4
// CHECK-NEXT:      wait p
// CHECK-NEXT:      compute matmul(a, b) reload p
// CHECK-NEXT:      pop p
// CHECK-NEXT:      reserve c
// CHECK-NEXT:      pack -> c
// CHECK-NEXT:      push c
// CHECK-NEXT:      release
// CHECK-NEXT:      wait c
// CHECK-NEXT:      wait bias
// CHECK-NEXT:      acquire 4
// CHECK-NEXT:      compute bias_gelu(c, bias)
// CHECK-NEXT:      reserve d
// CHECK-NEXT:      pack -> d
// CHECK-NEXT:      push d
// CHECK-NEXT:      release
// CHECK-NEXT:      pop c
// CHECK-NEXT:      pop bias
// CHECK-NEXT:  pop a
// CHECK-NEXT:  pop b
