// RUN: spatial-opt %s --place-spatial="grid=8x8" | filecheck %s
// RUN: spatial-opt %s --place-spatial="grid=8x8" --synthesize-handshakes --verify-choreography 2>&1 >/dev/null | filecheck %s --check-prefix PROOF

// Attention of 2 sequences with 8 heads, of which two have their keys and values in common, for 4
// blocks of queries each. The digits of the item: the sequence, the pair of heads, the head of the
// pair, and the block. All sites with one pair read the same keys and values.
spatial.program @attention(%Q : memref<2x8x256x64xbf16>, %K : memref<2x4x512x64xbf16>,
                           %V : memref<2x4x512x64xbf16>, %O : memref<2x8x256x64xbf16>)
    target #spatial.target<"wormhole"> loops [i = 64, k = 8] {
  %q = spatial.buffer depth 1 : !spatial.buffer<2x2xbf16>
  %kt = spatial.buffer depth 2 : !spatial.buffer<2x2xbf16>
  %v = spatial.buffer depth 2 : !spatial.buffer<2x2xbf16>
  %m = spatial.buffer depth 2 : !spatial.buffer<2x1xf32>
  %l = spatial.buffer depth 2 : !spatial.buffer<2x1xf32>
  %o = spatial.buffer depth 2 : !spatial.buffer<2x2xf32>
  %s = spatial.buffer depth 1 : !spatial.buffer<2x2xf32>
  %bm = spatial.buffer depth 1 : !spatial.buffer<2x1xf32>
  %mx = spatial.buffer depth 1 : !spatial.buffer<2x1xf32>
  %al = spatial.buffer depth 1 : !spatial.buffer<2x1xf32>
  %e = spatial.buffer depth 1 : !spatial.buffer<2x2xbf16>
  %es = spatial.buffer depth 1 : !spatial.buffer<2x1xf32>
  %pv = spatial.buffer depth 1 : !spatial.buffer<2x2xf32>
  %out = spatial.buffer depth 2 : !spatial.buffer<2x2xbf16>
  spatial.load @load_q %Q[i floordiv 32, (i floordiv 4) mod 8, (i mod 4) * 2, 0] into %q
  spatial.load @load_k %K[i floordiv 32, (i floordiv 8) mod 4, k * 2, 0] into %kt
  spatial.load @load_v %V[i floordiv 32, (i floordiv 8) mod 4, k * 2, 0] into %v
  spatial.map @init_m () into %m {
    %least = arith.constant -3.0e+38 : f32
    spatial.yield %least : f32
  }
  spatial.map @init_l () into %l {
    %zero = arith.constant 0.0 : f32
    spatial.yield %zero : f32
  }
  spatial.map @init_o () into %o {
    %zero = arith.constant 0.0 : f32
    spatial.yield %zero : f32
  }
  spatial.dot @scores %q, %kt transpose_b into %s
  spatial.reduce @block_max max cols %s into %bm
  spatial.map @new_max (%m, %bm) into %mx {
  ^bb0(%old : f32, %block : f32):
    %scale = arith.constant 0.125 : f32
    %scaled = arith.mulf %block, %scale : f32
    %new = arith.maximumf %old, %scaled : f32
    spatial.yield %new : f32
  }
  spatial.map @alpha (%m, %mx) into %al {
  ^bb0(%old : f32, %new : f32):
    %d = arith.subf %old, %new : f32
    %factor = math.exp %d : f32
    spatial.yield %factor : f32
  }
  spatial.map @exp (%s, %mx broadcast cols) into %e {
  ^bb0(%score : f32, %new : f32):
    %scale = arith.constant 0.125 : f32
    %scaled = arith.mulf %score, %scale : f32
    %d = arith.subf %scaled, %new : f32
    %weight = math.exp %d : f32
    spatial.yield %weight : f32
  }
  spatial.dot @weighted_values %e, %v into %pv
  spatial.reduce @block_sum add cols %e into %es
  spatial.map @new_l (%l, %al, %es) update %l {
  ^bb0(%sum : f32, %factor : f32, %block : f32):
    %kept = arith.mulf %sum, %factor : f32
    %new = arith.addf %kept, %block : f32
    spatial.yield %new : f32
  }
  spatial.map @new_o (%o, %al broadcast cols, %pv) update %o {
  ^bb0(%sum : f32, %factor : f32, %block : f32):
    %kept = arith.mulf %sum, %factor : f32
    %new = arith.addf %kept, %block : f32
    spatial.yield %new : f32
  }
  spatial.map @new_m (%mx) update %m {
  ^bb0(%new : f32):
    spatial.yield %new : f32
  }
  spatial.map @normalise (%o, %l broadcast cols) into %out {
  ^bb0(%sum : f32, %total : f32):
    %result = arith.divf %sum, %total : f32
    spatial.yield %result : f32
  }
  spatial.store @store %out into %O[i floordiv 32, (i floordiv 4) mod 8, (i mod 4) * 2, 0]
}

//      CHECK: spatial.program @attention(%Q: memref<2x8x256x64xbf16>, %K: memref<2x4x512x64xbf16>, %V: memref<2x4x512x64xbf16>, %O: memref<2x8x256x64xbf16>) target #spatial.target<"wormhole"> grid [8, 8] loops [k = 8] {
//      CHECK:   %kt_row = spatial.group from [0:8, 0] to [0:8, 1:8] along x
// CHECK-NEXT:   %v_row = spatial.group from [0:8, 0] to [0:8, 1:8] along x
// CHECK-NEXT:   spatial.load @load_q %Q[y floordiv 4, (y mod 4) * 2 + x floordiv 4, (x mod 4) * 2, 0] into %q on move 0
// CHECK-NEXT:   spatial.load @load_k %K[y floordiv 4, y mod 4, k * 2, 0] into %kt multicast %kt_row at [0:8, 0] on move 0
// CHECK-NEXT:   spatial.recv @recv_k %kt_row into %kt at [0:8, 1:8] on move 0
// CHECK-NEXT:   spatial.load @load_v %V[y floordiv 4, y mod 4, k * 2, 0] into %v multicast %v_row at [0:8, 0] on move 1
// CHECK-NEXT:   spatial.recv @recv_v %v_row into %v at [0:8, 1:8] on move 1
// CHECK-NEXT:   spatial.map @init_m () into %m {
//      CHECK:   spatial.map @init_l () into %l {
//      CHECK:   spatial.map @init_o () into %o {
//      CHECK:   spatial.dot @scores %q, %kt transpose_b into %s
// CHECK-NEXT:   spatial.reduce @block_max max cols %s into %bm
// CHECK-NEXT:   spatial.map @new_max (%m, %bm) into %mx {
//      CHECK:   spatial.map @alpha (%m, %mx) into %al {
//      CHECK:   spatial.map @exp (%s, %mx broadcast cols) into %e {
//      CHECK:   spatial.dot @weighted_values %e, %v into %pv
// CHECK-NEXT:   spatial.reduce @block_sum add cols %e into %es
// CHECK-NEXT:   spatial.map @new_l (%l, %al, %es) update %l {
//      CHECK:   spatial.map @new_o (%o, %al broadcast cols, %pv) update %o {
//      CHECK:   spatial.map @new_m (%mx) update %m {
//      CHECK:   spatial.map @normalise (%o, %l broadcast cols) into %out {
//      CHECK:   spatial.store @store %out into %O[y floordiv 4, (y mod 4) * 2 + x floordiv 4, (x mod 4) * 2, 0] on move 1

//      PROOF: {{.*}}attention.mlir:7:1: remark: 'spatial.program' op @attention proved: {{.*}}
