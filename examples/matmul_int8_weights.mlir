// C = (A * B) * Scale with weights B of 8 bits: A 256x1024 bf16, B 1024x1024 i8, Scale one row of
// 1024 f32, C 256x1024 bf16, on 4x8 sites.
//
// Each site makes a block of 64x128 of C, over 16 blocks of K (k). The weights are converted to
// bf16 at the start of each block, which the matmul then takes as it takes a page from a load.
// Each column has its own scale, so this is applied to the sum, once.
spatial.program @matmul_int8(%A : memref<256x1024xbf16>, %B : memref<1024x1024xi8>,
                             %Scale : memref<1x1024xf32>, %C : memref<256x1024xbf16>)
    target #spatial.target<"wormhole"> grid [4, 8] loops [k = 16, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x2xbf16>
  %b8 = spatial.buffer depth 2 : !spatial.buffer<2x4xi8>
  %b = spatial.buffer depth 2 : !spatial.buffer<2x4xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<2x2xf32>
  %sum = spatial.buffer depth 2 : !spatial.buffer<2x2xf32>
  %scale = spatial.buffer depth 2 : !spatial.buffer<1x2xf32>
  %c = spatial.buffer depth 2 : !spatial.buffer<2x2xbf16>
  %rows = spatial.group from [0:4, 0] to [0:4, 1:8] along x
  %cols = spatial.group from [0, 0:8] to [1:4, 0:8] along y

  spatial.load %A[y * 2, k * 2] into %a multicast %rows at [0:4, 0] on move 0
  spatial.recv %rows into %a at [0:4, 1:8] on move 0
  spatial.load %B[k * 2, x * 4] into %b8 multicast %cols at [0, 0:8] on move 0
  spatial.recv %cols into %b8 at [1:4, 0:8] on move 0
  spatial.map @convert (%b8) into %b {
  ^bb0(%weight : i32):
    %float = arith.sitofp %weight : i32 to f32
    spatial.yield %float : f32
  }
  spatial.matmul %a, %b into %sum spill %p by reload
  spatial.load %Scale[0, x * 4 + w * 2] into %scale pad 0.0 : f32 on move 1
  spatial.map @scale (%sum, %scale broadcast rows) into %c {
  ^bb0(%value : f32, %factor : f32):
    %result = arith.mulf %value, %factor : f32
    spatial.yield %result : f32
  }
  spatial.store %c into %C[y * 2, x * 4 + w * 2] on move 1
}
