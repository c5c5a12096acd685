// O = softmax(Q * K^T / 8) * V, with Q and O 2048x64, K and V 512x64, all bf16, on 8x4 sites.
//
// Each site makes 64 rows of O. The keys and values come in 8 blocks of 64 rows (k). From block
// to block a site carries, for each of its rows, the largest score so far (%m), the sum of
// exp(score - %m) (%l) and the sum of exp(score - %m) times the values (%o). When a block raises
// the maximum, what was summed before is scaled by exp(old - new). The maximum starts at a finite
// number far below all scores, so that this factor is 0 in the first block, and never a NaN. The
// last stage divides by the sum.
spatial.program @attention(%Q : memref<2048x64xbf16>, %K : memref<512x64xbf16>,
                           %V : memref<512x64xbf16>, %O : memref<2048x64xbf16>)
    target #spatial.target<"wormhole"> grid [8, 4] loops [k = 8] {
  %q = spatial.buffer depth 1 : !spatial.buffer<2x2xbf16>
  %kt = spatial.buffer depth 2 : !spatial.buffer<2x2xbf16>
  %v = spatial.buffer depth 2 : !spatial.buffer<2x2xbf16>
  // The carries: the old page is read while the new one is made.
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

  spatial.load @load_q %Q[y * 8 + x * 2, 0] into %q on move 0
  spatial.load @load_k %K[k * 2, 0] into %kt on move 0
  spatial.load @load_v %V[k * 2, 0] into %v on move 0

  // Before the blocks.
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

  // In each block.
  spatial.dot @scores %q, %kt transpose_b into %s
  spatial.reduce @block_max max cols %s into %bm
  spatial.map @new_max (%m, %bm) into %mx {
  ^bb0(%old : f32, %block : f32):
    // The scores are scaled where they are used: 1 / sqrt(64).
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

  // After the blocks.
  spatial.map @normalise (%o, %l broadcast cols) into %out {
  ^bb0(%sum : f32, %total : f32):
    %result = arith.divf %sum, %total : f32
    spatial.yield %result : f32
  }
  spatial.store @store %out into %O[y * 8 + x * 2, 0] on move 1
}
