// RUN: spatial-opt %s --synthesize-handshakes -t outline | filecheck %s --strict-whitespace --match-full-lines

// C[2048x2048] = A[2048x512] * B[512x2048] on 8x8 sites. A travels along rows, B down columns.

spatial.program @matmul(%A : memref<2048x512xbf16>, %B : memref<512x2048xbf16>, %C : memref<2048x2048xbf16>)
    target #spatial.target<"wormhole"> grid [8, 8] loops [k = 4, h = 2, w = 4] {
  %a = spatial.buffer depth 2 : !spatial.buffer<8x4xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<4x8xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<4x2xbf16>
  %p = spatial.buffer depth 8 : !spatial.buffer<4x2xbf16>
  %rows = spatial.group from [0:8, 0] to [0:8, 1:8] along x
  %cols = spatial.group from [0, 0:8] to [1:8, 0:8] along y
  spatial.load %A[y * 8, k * 4] into %a multicast %rows at [0:8, 0] on move 0
  spatial.recv %rows into %a at [0:8, 1:8] on move 0
  spatial.load %B[k * 4, x * 8] into %b multicast %cols at [0, 0:8] on move 0
  spatial.recv %cols into %b at [1:8, 0:8] on move 0
  spatial.matmul %a, %b into %c spill %p by reload at [0:8, 0:8]
  spatial.store %c into %C[y * 8 + h * 4, x * 8 + w * 2] at [0:8, 0:8] on move 1
}

//      CHECK:move 0 at [0, 0]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve a
//  CHECK-NEXT:    read_tiles A -> a
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    sem_wait rows.ready eq 7
//  CHECK-NEXT:    sem_set rows.ready, 0
//  CHECK-NEXT:    mcast_send a to rows hold_path
//  CHECK-NEXT:    mcast_set_valid rows.valid to rows
//  CHECK-NEXT:    push a
//  CHECK-NEXT:    reserve b
//  CHECK-NEXT:    read_tiles B -> b
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    sem_wait cols.ready eq 7
//  CHECK-NEXT:    sem_set cols.ready, 0
//  CHECK-NEXT:    mcast_send b to cols hold_path
//  CHECK-NEXT:    mcast_set_valid cols.valid to cols
//  CHECK-NEXT:    push b
// CHECK-EMPTY:
//  CHECK-NEXT:move 0 at [0, 1:8]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve a
//  CHECK-NEXT:    sem_set rows.valid, invalid
//  CHECK-NEXT:    sem_inc rows.ready at sender, 1
//  CHECK-NEXT:    sem_wait rows.valid eq valid
//  CHECK-NEXT:    push a
//  CHECK-NEXT:    reserve b
//  CHECK-NEXT:    read_tiles B -> b
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    sem_wait cols.ready eq 7
//  CHECK-NEXT:    sem_set cols.ready, 0
//  CHECK-NEXT:    mcast_send b to cols hold_path
//  CHECK-NEXT:    mcast_set_valid cols.valid to cols
//  CHECK-NEXT:    push b
// CHECK-EMPTY:
//  CHECK-NEXT:move 0 at [1:8, 0]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve a
//  CHECK-NEXT:    read_tiles A -> a
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    sem_wait rows.ready eq 7
//  CHECK-NEXT:    sem_set rows.ready, 0
//  CHECK-NEXT:    mcast_send a to rows hold_path
//  CHECK-NEXT:    mcast_set_valid rows.valid to rows
//  CHECK-NEXT:    push a
//  CHECK-NEXT:    reserve b
//  CHECK-NEXT:    sem_set cols.valid, invalid
//  CHECK-NEXT:    sem_inc cols.ready at sender, 1
//  CHECK-NEXT:    sem_wait cols.valid eq valid
//  CHECK-NEXT:    push b
// CHECK-EMPTY:
//  CHECK-NEXT:move 0 at [1:8, 1:8]
//  CHECK-NEXT:  for k x 4
//  CHECK-NEXT:    reserve a
//  CHECK-NEXT:    sem_set rows.valid, invalid
//  CHECK-NEXT:    sem_inc rows.ready at sender, 1
//  CHECK-NEXT:    sem_wait rows.valid eq valid
//  CHECK-NEXT:    push a
//  CHECK-NEXT:    reserve b
//  CHECK-NEXT:    sem_set cols.valid, invalid
//  CHECK-NEXT:    sem_inc cols.ready at sender, 1
//  CHECK-NEXT:    sem_wait cols.valid eq valid
//  CHECK-NEXT:    push b
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 4
//  CHECK-NEXT:      acquire 8
//  CHECK-NEXT:      compute matmul(a, b)
//  CHECK-NEXT:      reserve p
//  CHECK-NEXT:      pack -> p
//  CHECK-NEXT:      push p
//  CHECK-NEXT:      release
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  for k x 2
//  CHECK-NEXT:    wait a
//  CHECK-NEXT:    wait b
//  CHECK-NEXT:    for h x 2
//  CHECK-NEXT:      for w x 4
//  CHECK-NEXT:        acquire 8
//  CHECK-NEXT:        wait p
//  CHECK-NEXT:        compute matmul(a, b) reload p
//  CHECK-NEXT:        pop p
//  CHECK-NEXT:        reserve p
//  CHECK-NEXT:        pack -> p
//  CHECK-NEXT:        push p
//  CHECK-NEXT:        release
//  CHECK-NEXT:    pop a
//  CHECK-NEXT:    pop b
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 4
//  CHECK-NEXT:      acquire 8
//  CHECK-NEXT:      wait p
//  CHECK-NEXT:      compute matmul(a, b) reload p
//  CHECK-NEXT:      pop p
//  CHECK-NEXT:      reserve c
//  CHECK-NEXT:      pack -> c
//  CHECK-NEXT:      push c
//  CHECK-NEXT:      release
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for h x 2
//  CHECK-NEXT:    for w x 4
//  CHECK-NEXT:      wait c
//  CHECK-NEXT:      write_tiles c -> C
//  CHECK-NEXT:      write_barrier
//  CHECK-NEXT:      pop c
//   CHECK-NOT:{{.+}}
