// A fold of eight blocks: carries before, in and after them, the query held over all of them.
// RUN: spatial-opt --synthesize-handshakes -t outline %S/../../../examples/attention.mlir | filecheck %s --strict-whitespace --match-full-lines
// RUN: xdsl-opt -p synthesize-handshakes -t outline %S/../../../examples/attention.mlir | filecheck %s --strict-whitespace --match-full-lines

//      CHECK:move 0 at every site
// CHECK-NEXT:  reserve q
// CHECK-NEXT:  read_tiles Q -> q
// CHECK-NEXT:  read_barrier
// CHECK-NEXT:  push q
// CHECK-NEXT:  for k x 8
// CHECK-NEXT:    reserve kt
// CHECK-NEXT:    read_tiles K -> kt
// CHECK-NEXT:    read_barrier
// CHECK-NEXT:    push kt
// CHECK-NEXT:    reserve v
// CHECK-NEXT:    read_tiles V -> v
// CHECK-NEXT:    read_barrier
// CHECK-NEXT:    push v
// CHECK-EMPTY:
// CHECK-NEXT:compute at every site
// CHECK-NEXT:  acquire 2
// CHECK-NEXT:  compute init_m()
// CHECK-NEXT:  reserve m
// CHECK-NEXT:  pack -> m
// CHECK-NEXT:  push m
// CHECK-NEXT:  release
// CHECK-NEXT:  acquire 2
// CHECK-NEXT:  compute init_l()
// CHECK-NEXT:  reserve l
// CHECK-NEXT:  pack -> l
// CHECK-NEXT:  push l
// CHECK-NEXT:  release
// CHECK-NEXT:  acquire 4
// CHECK-NEXT:  compute init_o()
// CHECK-NEXT:  reserve o
// CHECK-NEXT:  pack -> o
// CHECK-NEXT:  push o
// CHECK-NEXT:  release
// CHECK-NEXT:  for k x 8
// CHECK-NEXT:    wait q
// CHECK-NEXT:    wait kt
// CHECK-NEXT:    acquire 4
// CHECK-NEXT:    compute scores(q, kt)
// CHECK-NEXT:    reserve s
// CHECK-NEXT:    pack -> s
// CHECK-NEXT:    push s
// CHECK-NEXT:    release
// CHECK-NEXT:    pop kt
// CHECK-NEXT:    wait s
// CHECK-NEXT:    acquire 2
// CHECK-NEXT:    compute block_max(s)
// CHECK-NEXT:    reserve bm
// CHECK-NEXT:    pack -> bm
// CHECK-NEXT:    push bm
// CHECK-NEXT:    release
// CHECK-NEXT:    wait m
// CHECK-NEXT:    wait bm
// CHECK-NEXT:    acquire 2
// CHECK-NEXT:    compute new_max(m, bm)
// CHECK-NEXT:    reserve mx
// CHECK-NEXT:    pack -> mx
// CHECK-NEXT:    push mx
// CHECK-NEXT:    release
// CHECK-NEXT:    pop bm
// CHECK-NEXT:    wait m
// CHECK-NEXT:    wait mx
// CHECK-NEXT:    acquire 2
// CHECK-NEXT:    compute alpha(m, mx)
// CHECK-NEXT:    reserve al
// CHECK-NEXT:    pack -> al
// CHECK-NEXT:    push al
// CHECK-NEXT:    release
// CHECK-NEXT:    wait s
// CHECK-NEXT:    wait mx
// CHECK-NEXT:    acquire 4
// CHECK-NEXT:    compute exp(s, mx)
// CHECK-NEXT:    reserve e
// CHECK-NEXT:    pack -> e
// CHECK-NEXT:    push e
// CHECK-NEXT:    release
// CHECK-NEXT:    pop s
// CHECK-NEXT:    wait e
// CHECK-NEXT:    wait v
// CHECK-NEXT:    acquire 4
// CHECK-NEXT:    compute weighted_values(e, v)
// CHECK-NEXT:    reserve pv
// CHECK-NEXT:    pack -> pv
// CHECK-NEXT:    push pv
// CHECK-NEXT:    release
// CHECK-NEXT:    pop v
// CHECK-NEXT:    wait e
// CHECK-NEXT:    acquire 2
// CHECK-NEXT:    compute block_sum(e)
// CHECK-NEXT:    reserve es
// CHECK-NEXT:    pack -> es
// CHECK-NEXT:    push es
// CHECK-NEXT:    release
// CHECK-NEXT:    pop e
// CHECK-NEXT:    wait l
// CHECK-NEXT:    wait al
// CHECK-NEXT:    wait es
// CHECK-NEXT:    acquire 2
// CHECK-NEXT:    compute new_l(l, al, es)
// CHECK-NEXT:    reserve l
// CHECK-NEXT:    pack -> l
// CHECK-NEXT:    push l
// CHECK-NEXT:    release
// CHECK-NEXT:    pop es
// CHECK-NEXT:    pop l
// CHECK-NEXT:    wait o
// CHECK-NEXT:    wait al
// CHECK-NEXT:    wait pv
// CHECK-NEXT:    acquire 4
// CHECK-NEXT:    compute new_o(o, al, pv)
// CHECK-NEXT:    reserve o
// CHECK-NEXT:    pack -> o
// CHECK-NEXT:    push o
// CHECK-NEXT:    release
// CHECK-NEXT:    pop al
// CHECK-NEXT:    pop pv
// CHECK-NEXT:    pop o
// CHECK-NEXT:    wait mx
// CHECK-NEXT:    acquire 2
// CHECK-NEXT:    compute new_m(mx)
// CHECK-NEXT:    reserve m
// CHECK-NEXT:    pack -> m
// CHECK-NEXT:    push m
// CHECK-NEXT:    release
// CHECK-NEXT:    pop mx
// CHECK-NEXT:    pop m
// CHECK-NEXT:  wait q
// CHECK-NEXT:  pop q
// CHECK-NEXT:  wait m
// CHECK-NEXT:  pop m
// CHECK-NEXT:  wait o
// CHECK-NEXT:  wait l
// CHECK-NEXT:  acquire 4
// CHECK-NEXT:  compute normalise(o, l)
// CHECK-NEXT:  reserve out
// CHECK-NEXT:  pack -> out
// CHECK-NEXT:  push out
// CHECK-NEXT:  release
// CHECK-NEXT:  pop o
// CHECK-NEXT:  pop l
// CHECK-EMPTY:
// CHECK-NEXT:move 1 at every site
// CHECK-NEXT:  wait out
// CHECK-NEXT:  write_tiles out -> O
// CHECK-NEXT:  write_barrier
// CHECK-NEXT:  pop out
