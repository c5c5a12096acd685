// RUN: spatial-opt %s --synthesize-handshakes -t outline | filecheck %s --strict-whitespace --match-full-lines

// Attention with a running maximum and sum, eight key blocks of one query block per site.
// The reductions of the new maximum and the new sum are stages of their own.

spatial.program @attention(%Q : memref<2048x64xbf16>, %K : memref<512x64xbf16>, %V : memref<512x64xbf16>,
                           %Neg : memref<64x32xbf16>, %O : memref<2048x64xbf16>)
    target #spatial.target<"wormhole"> grid [8, 4] loops [k = 8] {
  %q = spatial.buffer depth 1 : !spatial.buffer<2x2xbf16>
  %neg = spatial.buffer depth 1 : !spatial.buffer<2x1xbf16>
  %kt = spatial.buffer depth 2 : !spatial.buffer<2x2xbf16>
  %v = spatial.buffer depth 2 : !spatial.buffer<2x2xbf16>
  %m = spatial.buffer depth 2 : !spatial.buffer<2x1xf32>
  %l = spatial.buffer depth 2 : !spatial.buffer<2x1xf32>
  %o = spatial.buffer depth 2 : !spatial.buffer<2x2xf32>
  %s = spatial.buffer depth 1 : !spatial.buffer<2x2xf32>
  %sm = spatial.buffer depth 1 : !spatial.buffer<2x1xf32>
  %mx = spatial.buffer depth 1 : !spatial.buffer<2x1xf32>
  %al = spatial.buffer depth 1 : !spatial.buffer<2x1xf32>
  %e = spatial.buffer depth 1 : !spatial.buffer<2x2xbf16>
  %es = spatial.buffer depth 1 : !spatial.buffer<2x1xf32>
  %pv = spatial.buffer depth 1 : !spatial.buffer<2x2xf32>
  %out = spatial.buffer depth 2 : !spatial.buffer<2x2xbf16>
  spatial.load @load_q %Q[(y * 4 + x) * 2, 0] into %q at [0:8, 0:4] on move 0
  spatial.load @load_neg %Neg[0, 0] into %neg at [0:8, 0:4] on move 0
  spatial.load @load_k %K[k * 2, 0] into %kt at [0:8, 0:4] on move 0
  spatial.load @load_v %V[k * 2, 0] into %v at [0:8, 0:4] on move 0
  spatial.map @init_m (%neg) into %m {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @init_l (%neg) into %l {
  ^bb0(%0 : f32):
    %z = arith.constant 0.0 : f32
    spatial.yield %z : f32
  }
  spatial.map @init_o (%q) into %o {
  ^bb0(%0 : f32):
    %z = arith.constant 0.0 : f32
    spatial.yield %z : f32
  }
  spatial.dot @scores %q, %kt transpose_b into %s
  spatial.reduce @row_max max cols %s into %sm
  spatial.map @new_max (%m, %sm) into %mx {
  ^bb0(%0 : f32, %1 : f32):
    %z = arith.maximumf %0, %1 : f32
    spatial.yield %z : f32
  }
  spatial.map @alpha (%m, %mx) into %al {
  ^bb0(%0 : f32, %1 : f32):
    %d = arith.subf %0, %1 : f32
    %z = math.exp %d : f32
    spatial.yield %z : f32
  }
  spatial.map @exp (%s, %mx broadcast cols) into %e {
  ^bb0(%0 : f32, %1 : f32):
    %d = arith.subf %0, %1 : f32
    %z = math.exp %d : f32
    spatial.yield %z : f32
  }
  spatial.dot @pv %e, %v into %pv
  spatial.reduce @row_sum add cols %e into %es
  spatial.map @new_l (%l, %al, %es) update %l {
  ^bb0(%0 : f32, %1 : f32, %2 : f32):
    %d = arith.mulf %0, %1 : f32
    %z = arith.addf %d, %2 : f32
    spatial.yield %z : f32
  }
  spatial.map @new_o (%o, %al broadcast cols, %pv) update %o {
  ^bb0(%0 : f32, %1 : f32, %2 : f32):
    %d = arith.mulf %0, %1 : f32
    %z = arith.addf %d, %2 : f32
    spatial.yield %z : f32
  }
  spatial.map @new_m (%mx) update %m {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @normalise (%o, %l broadcast cols) into %out {
  ^bb0(%0 : f32, %1 : f32):
    %d = arith.divf %0, %1 : f32
    spatial.yield %d : f32
  }
  spatial.store @store %out into %O[(y * 4 + x) * 2, 0] at [0:8, 0:4] on move 1
}

//      CHECK:move 0 at every site
//  CHECK-NEXT:  reserve q
//  CHECK-NEXT:  read_tiles Q -> q
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push q
//  CHECK-NEXT:  reserve neg
//  CHECK-NEXT:  read_tiles Neg -> neg
//  CHECK-NEXT:  read_barrier
//  CHECK-NEXT:  push neg
//  CHECK-NEXT:  for k x 8
//  CHECK-NEXT:    reserve kt
//  CHECK-NEXT:    read_tiles K -> kt
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push kt
//  CHECK-NEXT:    reserve v
//  CHECK-NEXT:    read_tiles V -> v
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push v
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait neg
//  CHECK-NEXT:  acquire 2
//  CHECK-NEXT:  compute init_m(neg)
//  CHECK-NEXT:  reserve m
//  CHECK-NEXT:  pack -> m
//  CHECK-NEXT:  push m
//  CHECK-NEXT:  release
//  CHECK-NEXT:  wait neg
//  CHECK-NEXT:  acquire 2
//  CHECK-NEXT:  compute init_l(neg)
//  CHECK-NEXT:  reserve l
//  CHECK-NEXT:  pack -> l
//  CHECK-NEXT:  push l
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop neg
//  CHECK-NEXT:  wait q
//  CHECK-NEXT:  acquire 4
//  CHECK-NEXT:  compute init_o(q)
//  CHECK-NEXT:  reserve o
//  CHECK-NEXT:  pack -> o
//  CHECK-NEXT:  push o
//  CHECK-NEXT:  release
//  CHECK-NEXT:  for k x 8
//  CHECK-NEXT:    wait q
//  CHECK-NEXT:    wait kt
//  CHECK-NEXT:    acquire 4
//  CHECK-NEXT:    compute scores(q, kt)
//  CHECK-NEXT:    reserve s
//  CHECK-NEXT:    pack -> s
//  CHECK-NEXT:    push s
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop kt
//  CHECK-NEXT:    wait s
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute row_max(s)
//  CHECK-NEXT:    reserve sm
//  CHECK-NEXT:    pack -> sm
//  CHECK-NEXT:    push sm
//  CHECK-NEXT:    release
//  CHECK-NEXT:    wait m
//  CHECK-NEXT:    wait sm
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute new_max(m, sm)
//  CHECK-NEXT:    reserve mx
//  CHECK-NEXT:    pack -> mx
//  CHECK-NEXT:    push mx
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop sm
//  CHECK-NEXT:    wait m
//  CHECK-NEXT:    wait mx
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute alpha(m, mx)
//  CHECK-NEXT:    reserve al
//  CHECK-NEXT:    pack -> al
//  CHECK-NEXT:    push al
//  CHECK-NEXT:    release
//  CHECK-NEXT:    wait s
//  CHECK-NEXT:    wait mx
//  CHECK-NEXT:    acquire 4
//  CHECK-NEXT:    compute exp(s, mx)
//  CHECK-NEXT:    reserve e
//  CHECK-NEXT:    pack -> e
//  CHECK-NEXT:    push e
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop s
//  CHECK-NEXT:    wait e
//  CHECK-NEXT:    wait v
//  CHECK-NEXT:    acquire 4
//  CHECK-NEXT:    compute pv(e, v)
//  CHECK-NEXT:    reserve pv
//  CHECK-NEXT:    pack -> pv
//  CHECK-NEXT:    push pv
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop v
//  CHECK-NEXT:    wait e
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute row_sum(e)
//  CHECK-NEXT:    reserve es
//  CHECK-NEXT:    pack -> es
//  CHECK-NEXT:    push es
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop e
//  CHECK-NEXT:    wait l
//  CHECK-NEXT:    wait al
//  CHECK-NEXT:    wait es
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute new_l(l, al, es)
//  CHECK-NEXT:    reserve l
//  CHECK-NEXT:    pack -> l
//  CHECK-NEXT:    push l
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop es
//  CHECK-NEXT:    pop l
//  CHECK-NEXT:    wait o
//  CHECK-NEXT:    wait al
//  CHECK-NEXT:    wait pv
//  CHECK-NEXT:    acquire 4
//  CHECK-NEXT:    compute new_o(o, al, pv)
//  CHECK-NEXT:    reserve o
//  CHECK-NEXT:    pack -> o
//  CHECK-NEXT:    push o
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop al
//  CHECK-NEXT:    pop pv
//  CHECK-NEXT:    pop o
//  CHECK-NEXT:    wait mx
//  CHECK-NEXT:    acquire 2
//  CHECK-NEXT:    compute new_m(mx)
//  CHECK-NEXT:    reserve m
//  CHECK-NEXT:    pack -> m
//  CHECK-NEXT:    push m
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop mx
//  CHECK-NEXT:    pop m
//  CHECK-NEXT:  wait q
//  CHECK-NEXT:  pop q
//  CHECK-NEXT:  wait m
//  CHECK-NEXT:  pop m
//  CHECK-NEXT:  wait o
//  CHECK-NEXT:  wait l
//  CHECK-NEXT:  acquire 4
//  CHECK-NEXT:  compute normalise(o, l)
//  CHECK-NEXT:  reserve out
//  CHECK-NEXT:  pack -> out
//  CHECK-NEXT:  push out
//  CHECK-NEXT:  release
//  CHECK-NEXT:  pop o
//  CHECK-NEXT:  pop l
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  wait out
//  CHECK-NEXT:  write_tiles out -> O
//  CHECK-NEXT:  write_barrier
//  CHECK-NEXT:  pop out
//   CHECK-NOT:{{.+}}
