// Two programs, the second of which takes what the first has made: S = A * B, then P = softmax(S)
// row by row, with A 512x256, B 256x128, S and P 512x128, bf16, on 8x2 and on 16x1 sites.
//
// A site of @project makes 64x64 of S and keeps the sum in its accumulator over 4 blocks of K
// (k). A site of @softmax takes 32 whole rows in one page.
spatial.program @project(%A : memref<512x256xbf16>, %B : memref<256x128xbf16>,
                         %S : memref<512x128xbf16>)
    target #spatial.target<"wormhole"> grid [8, 2] loops [k = 4] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x2xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<2x2xbf16>
  %s = spatial.buffer depth 1 : !spatial.buffer<2x2xbf16>
  spatial.load %A[y * 2, k * 2] into %a on move 0
  spatial.load %B[k * 2, x * 2] into %b on move 1
  spatial.matmul %a, %b into %s acc f32
  spatial.store %s into %S[y * 2, x * 2] on move 1
}

spatial.program @softmax(%S : memref<512x128xbf16>, %P : memref<512x128xbf16>)
    target #spatial.target<"wormhole"> grid [16, 1] {
  %s = spatial.buffer depth 1 : !spatial.buffer<1x4xbf16>
  %max = spatial.buffer depth 1 : !spatial.buffer<1x1xf32>
  %e = spatial.buffer depth 1 : !spatial.buffer<1x4xf32>
  %sum = spatial.buffer depth 1 : !spatial.buffer<1x1xf32>
  %p = spatial.buffer depth 1 : !spatial.buffer<1x4xbf16>
  spatial.load %S[y, 0] into %s on move 0
  spatial.reduce @row_max max cols %s into %max
  spatial.map @exp (%s, %max broadcast cols) into %e {
  ^bb0(%score : f32, %largest : f32):
    %d = arith.subf %score, %largest : f32
    %weight = math.exp %d : f32
    spatial.yield %weight : f32
  }
  spatial.reduce @row_sum add cols %e into %sum
  spatial.map @divide (%e, %sum broadcast cols) into %p {
  ^bb0(%weight : f32, %total : f32):
    %result = arith.divf %weight, %total : f32
    spatial.yield %result : f32
  }
  spatial.store %p into %P[y, 0] on move 1
}
