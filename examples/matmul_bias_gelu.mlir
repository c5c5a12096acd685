// D = gelu(A * B + bias), with A 512x1024, B 1024x1024, D 512x1024 and a bias of 1024, all bf16,
// on 4x8 sites of a Blackhole, whose multicasts need a flush between a page and its flag.
//
// Each site makes a block of 128x128 of D in 2 x 2 sub-blocks (h, w) of 2x2 tiles, over 8 blocks
// of K (k). The packer adds up the partial sums of all blocks, in f32, in the ring %p. Bias and
// gelu (the form with tanh) are computed on each sub-block as soon as its sum is complete. The
// bias is one row; the page is filled up with zeros to whole tiles, and only its first row is
// used.
spatial.program @matmul_bias_gelu(%A : memref<512x1024xbf16>, %B : memref<1024x1024xbf16>,
                                  %Bias : memref<1x1024xbf16>, %D : memref<512x1024xbf16>)
    target #spatial.target<"blackhole"> grid [4, 8] loops [k = 8, h = 2, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<4x4xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<4x4xbf16>
  %bias = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 4 : !spatial.buffer<2x2xf32>
  %c = spatial.buffer depth 2 : !spatial.buffer<2x2xf32>
  %d = spatial.buffer depth 2 : !spatial.buffer<2x2xbf16>
  %rows = spatial.group from [0:4, 0] to [0:4, 1:8] along x
  %cols = spatial.group from [0, 0:8] to [1:4, 0:8] along y

  spatial.load %A[y * 4, k * 4] into %a multicast %rows at [0:4, 0] on move 0
  spatial.recv %rows into %a at [0:4, 1:8] on move 0
  spatial.load %B[k * 4, x * 4] into %b multicast %cols at [0, 0:8] on move 0
  spatial.recv %cols into %b at [1:4, 0:8] on move 0
  spatial.load %Bias[0, x * 4 + w * 2] into %bias pad 0.0 : bf16 on move 1
  spatial.matmul %a, %b into %c spill %p by pack
  spatial.map @bias_gelu (%c, %bias broadcast rows) into %d {
  ^bb0(%sum : f32, %b0 : f32):
    %x = arith.addf %sum, %b0 : f32
    // 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))
    %cubic = arith.constant 0.044715 : f32
    %scale = arith.constant 0.7978845608 : f32
    %one = arith.constant 1.0 : f32
    %half = arith.constant 0.5 : f32
    %x2 = arith.mulf %x, %x : f32
    %x3 = arith.mulf %x2, %x : f32
    %t0 = arith.mulf %cubic, %x3 : f32
    %t1 = arith.addf %x, %t0 : f32
    %t2 = arith.mulf %scale, %t1 : f32
    %t3 = math.tanh %t2 : f32
    %t4 = arith.addf %one, %t3 : f32
    %t5 = arith.mulf %half, %x : f32
    %y = arith.mulf %t5, %t4 : f32
    spatial.yield %y : f32
  }
  spatial.store %d into %D[y * 4 + h * 2, x * 4 + w * 2] on move 1
}
