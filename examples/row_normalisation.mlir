// Layer normalisation: Y = (X - mean) / sqrt(variance + 1e-5) * Gamma + Beta for each row of X,
// with X and Y 8192x128, Gamma and Beta one row of 128, all bf16, on 8x8 sites.
//
// Each site normalises 128 rows, 32 at a time (h): a page holds whole rows, so nothing is summed
// up over more than one page. Gamma and Beta are loaded once and held while h runs. Means and
// variances are R x 1 pages, of which every column of a row page uses the one column.
spatial.program @layer_norm(%X : memref<8192x128xbf16>, %Gamma : memref<1x128xbf16>,
                            %Beta : memref<1x128xbf16>, %Y : memref<8192x128xbf16>)
    target #spatial.target<"wormhole"> grid [8, 8] loops [h = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x4xbf16>
  %gamma = spatial.buffer depth 1 : !spatial.buffer<1x4xbf16>
  %beta = spatial.buffer depth 1 : !spatial.buffer<1x4xbf16>
  %sum = spatial.buffer depth 1 : !spatial.buffer<1x1xf32>
  %centred = spatial.buffer depth 1 : !spatial.buffer<1x4xf32>
  %square = spatial.buffer depth 1 : !spatial.buffer<1x4xf32>
  %square_sum = spatial.buffer depth 1 : !spatial.buffer<1x1xf32>
  %factor = spatial.buffer depth 1 : !spatial.buffer<1x1xf32>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x4xbf16>

  spatial.load %Gamma[0, 0] into %gamma pad 0.0 : bf16 on move 0
  spatial.load %Beta[0, 0] into %beta pad 0.0 : bf16 on move 0
  spatial.load %X[y * 32 + x * 4 + h, 0] into %x on move 0
  spatial.reduce @row_sum add cols %x into %sum
  spatial.map @centre (%x, %sum broadcast cols) into %centred {
  ^bb0(%value : f32, %total : f32):
    %inverse = arith.constant 0.0078125 : f32
    %mean = arith.mulf %total, %inverse : f32
    %difference = arith.subf %value, %mean : f32
    spatial.yield %difference : f32
  }
  spatial.map @square (%centred) into %square {
  ^bb0(%value : f32):
    %product = arith.mulf %value, %value : f32
    spatial.yield %product : f32
  }
  spatial.reduce @square_sum add cols %square into %square_sum
  spatial.map @factor (%square_sum) into %factor {
  ^bb0(%total : f32):
    %inverse = arith.constant 0.0078125 : f32
    %epsilon = arith.constant 1.0e-5 : f32
    %variance = arith.mulf %total, %inverse : f32
    %safe = arith.addf %variance, %epsilon : f32
    %root = math.rsqrt %safe : f32
    spatial.yield %root : f32
  }
  spatial.map @scale_and_shift (%centred, %factor broadcast cols, %gamma broadcast rows,
                                %beta broadcast rows) into %y {
  ^bb0(%value : f32, %root : f32, %scale : f32, %shift : f32):
    %normal = arith.mulf %value, %root : f32
    %scaled = arith.mulf %normal, %scale : f32
    %result = arith.addf %scaled, %shift : f32
    spatial.yield %result : f32
  }
  spatial.store %y into %Y[y * 32 + x * 4 + h, 0] on move 1
}
