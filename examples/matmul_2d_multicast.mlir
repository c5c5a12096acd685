// C = A * B, with A 2048x512, B 512x2048 and C 2048x2048, all bf16, on 8x8 sites.
//
// Each site makes a block of 256x256 of C, 8x8 tiles. The block of A that a row of sites needs is
// read once, by the first site of the row, and sent along the row; B likewise down the columns.
// The block of C does not fit the accumulators, so a site makes it in 2 x 4 sub-blocks (h, w) of
// 4x2 tiles, over 4 blocks of K (k). Between these the partial sums wait in the ring %p, and are
// reloaded.
spatial.program @matmul(%A : memref<2048x512xbf16>, %B : memref<512x2048xbf16>,
                        %C : memref<2048x2048xbf16>)
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
  spatial.matmul %a, %b into %c spill %p by reload
  spatial.store %c into %C[y * 8 + h * 4, x * 8 + w * 2] on move 1
}
