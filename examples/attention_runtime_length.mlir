// Attention over 8 sequences, each with a length of its own that is known at run time only.
//
// For sequence b: O[b] = softmax(Q[b] * K[b]^T / 8) * V[b], with Q and O 8x256x64 and K and V
// 8x1024x64, all bf16, of which the first Blocks[b] blocks of 64 keys count, 0 to 16 of them. A
// sequence without keys gives zeros. On 8x4 sites: a row of sites takes a sequence, a site 64
// rows of its queries. The keys and values are read by the first site of a row and sent along the
// row, whose sites therefore all run the same number of blocks.
//
// What is carried from block to block is explained in attention.mlir.
spatial.program @attention(%Q : memref<8x256x64xbf16>, %K : memref<8x1024x64xbf16>,
                           %V : memref<8x1024x64xbf16>, %Blocks : memref<8x1xi32>,
                           %O : memref<8x256x64xbf16>)
    target #spatial.target<"wormhole"> grid [8, 4] loops [k = ? max 16] {
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
  %k_rows = spatial.group from [0:8, 0] to [0:8, 1:4] along x
  %v_rows = spatial.group from [0:8, 0] to [0:8, 1:4] along x

  spatial.trip k = %Blocks[y, 0]

  spatial.load @load_q %Q[y, x * 2, 0] into %q on move 0
  spatial.load @load_k %K[y, k * 2, 0] into %kt multicast %k_rows at [0:8, 0] on move 0
  spatial.recv @recv_k %k_rows into %kt at [0:8, 1:4] on move 0
  spatial.load @load_v %V[y, k * 2, 0] into %v multicast %v_rows at [0:8, 0] on move 0
  spatial.recv @recv_v %v_rows into %v at [0:8, 1:4] on move 0

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
    // One block or more make a total of about 1 or more; without any, it is 0 / tiny = 0.
    %tiny = arith.constant 1.0e-30 : f32
    %divisor = arith.maximumf %total, %tiny : f32
    %result = arith.divf %sum, %divisor : f32
    spatial.yield %result : f32
  }
  spatial.store @store %out into %O[y, x * 2, 0] on move 1
}
