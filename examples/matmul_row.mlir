// C = A * B, with A 32x256, B 256x128 and C 32x128, all bf16, on a row of 4 sites.
//
// The first site reads A, one tile per block of K (k), and sends it to the other three. Each site
// makes 32 columns of C, and keeps the sum in its accumulator.
spatial.program @matmul(%A : memref<32x256xbf16>, %B : memref<256x128xbf16>,
                        %C : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 4] loops [k = 8] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %row = spatial.group from [0, 0] to [0, 1:4] along x

  spatial.load %A[0, k] into %a multicast %row at [0, 0] on move 0
  spatial.recv %row into %a at [0, 1:4] on move 0
  spatial.load %B[k, x] into %b on move 1
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, x] on move 1
}
