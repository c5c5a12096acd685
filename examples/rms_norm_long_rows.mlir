// Root mean square normalisation of long rows: Y = X / sqrt(mean(X^2) + 1e-6) * Gamma for each
// row of X, with X and Y 2048x4096 and Gamma one row of 4096, all bf16, on 8x8 sites.
//
// A row does not fit a page, so a site goes over its 32 rows twice. First the sum of squares is
// carried over 16 blocks of 256 columns (k). Then, after the blocks, the columns are loaded
// again, in 16 pages (w), and scaled by a factor that is computed once and held.
spatial.program @rms_norm(%X : memref<2048x4096xbf16>, %Gamma : memref<1x4096xbf16>,
                          %Y : memref<2048x4096xbf16>)
    target #spatial.target<"wormhole"> grid [8, 8] loops [k = 16, w = 16] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x8xbf16>
  %square = spatial.buffer depth 1 : !spatial.buffer<1x8xbf16>
  %block_sum = spatial.buffer depth 1 : !spatial.buffer<1x1xf32>
  %sum = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  %factor = spatial.buffer depth 1 : !spatial.buffer<1x1xf32>
  %again = spatial.buffer depth 2 : !spatial.buffer<1x8xbf16>
  %gamma = spatial.buffer depth 2 : !spatial.buffer<1x8xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x8xbf16>

  // The sum of squares.
  spatial.load @load_x %X[y * 8 + x, k * 8] into %x on move 0
  spatial.map @init () into %sum {
    %zero = arith.constant 0.0 : f32
    spatial.yield %zero : f32
  }
  spatial.map @square (%x) into %square {
  ^bb0(%value : f32):
    %product = arith.mulf %value, %value : f32
    spatial.yield %product : f32
  }
  spatial.reduce @block_sum add cols %square into %block_sum
  spatial.map @add (%sum, %block_sum) update %sum {
  ^bb0(%total : f32, %block : f32):
    %new = arith.addf %total, %block : f32
    spatial.yield %new : f32
  }
  spatial.map @factor (%sum) into %factor {
  ^bb0(%total : f32):
    %inverse = arith.constant 0.000244140625 : f32
    %epsilon = arith.constant 1.0e-6 : f32
    %mean = arith.mulf %total, %inverse : f32
    %safe = arith.addf %mean, %epsilon : f32
    %root = math.rsqrt %safe : f32
    spatial.yield %root : f32
  }

  // The scaling.
  spatial.load @load_again %X[y * 8 + x, w * 8] into %again on move 0
  spatial.load @load_gamma %Gamma[0, w * 8] into %gamma pad 0.0 : bf16 on move 1
  spatial.map @scale (%again, %factor broadcast cols, %gamma broadcast rows) into %y {
  ^bb0(%value : f32, %root : f32, %scale : f32):
    %normal = arith.mulf %value, %root : f32
    %result = arith.mulf %normal, %scale : f32
    spatial.yield %result : f32
  }
  spatial.store @store %y into %Y[y * 8 + x, w * 8] on move 1
}
