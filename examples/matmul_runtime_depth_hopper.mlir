// C = A[:, :64 n] * B[:64 n, :] with n known at run time only, 0 to 64: A 256x4096, B 4096x512
// and C 256x512, bf16, on 2x4 thread blocks of a Hopper cluster, whose tiles are 64x64.
//
// Each block makes 128x128 of C, and keeps the sum in registers over all blocks of K (k), in f32.
// A is sent along the rows of the cluster and B down its columns. Without any block of K, C is
// zero.
spatial.program @matmul(%A : memref<256x4096xbf16>, %B : memref<4096x512xbf16>,
                        %C : memref<256x512xbf16>, %n : index)
    target #spatial.target<"hopper"> grid [2, 4] loops [k = ? max 64] {
  %a = spatial.buffer depth 3 : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer depth 3 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 1 : !spatial.buffer<2x2xbf16>
  %rows = spatial.group from [0:2, 0] to [0:2, 1:4] along x
  %cols = spatial.group from [0, 0:4] to [1, 0:4] along y

  spatial.trip k = %n

  spatial.load %A[y * 2, k] into %a multicast %rows at [0:2, 0] on move 0
  spatial.recv %rows into %a at [0:2, 1:4] on move 0
  spatial.load %B[k, x * 2] into %b multicast %cols at [0, 0:4] on move 0
  spatial.recv %cols into %b at [1, 0:4] on move 0
  spatial.matmul %a, %b into %c acc f32
  spatial.store %c into %C[y * 2, x * 2] on move 1
}
