// Y = silu(Gate) * Up + Rest, where silu(x) = x / (1 + exp(-x)), with all four 1024x1024 bf16, on
// 4x4 processing elements of a fabric.
//
// Each element takes a block of 256x256 in 8 x 4 pages (h, w) of 1x2 tiles. There are no counters
// and no semaphores: pages go from stage to stage by valid-ready wires.
spatial.program @gated_silu(%Gate : memref<1024x1024xbf16>, %Up : memref<1024x1024xbf16>,
                            %Rest : memref<1024x1024xbf16>, %Y : memref<1024x1024xbf16>)
    target #spatial.target<"fabric"> grid [4, 4] loops [h = 8, w = 4] {
  %gate = spatial.buffer depth 1 : !spatial.buffer<1x2xbf16>
  %up = spatial.buffer depth 1 : !spatial.buffer<1x2xbf16>
  %rest = spatial.buffer depth 1 : !spatial.buffer<1x2xbf16>
  %active = spatial.buffer depth 1 : !spatial.buffer<1x2xf32>
  %y = spatial.buffer depth 1 : !spatial.buffer<1x2xbf16>

  spatial.load %Gate[y * 8 + h, x * 8 + w * 2] into %gate on move 0
  spatial.load %Up[y * 8 + h, x * 8 + w * 2] into %up on move 0
  spatial.load %Rest[y * 8 + h, x * 8 + w * 2] into %rest on move 0
  spatial.map @silu (%gate) into %active {
  ^bb0(%x : f32):
    %one = arith.constant 1.0 : f32
    %minus = arith.negf %x : f32
    %power = math.exp %minus : f32
    %divisor = arith.addf %one, %power : f32
    %result = arith.divf %x, %divisor : f32
    spatial.yield %result : f32
  }
  spatial.map @gate_and_add (%active, %up, %rest) into %y {
  ^bb0(%gate0 : f32, %up0 : f32, %rest0 : f32):
    %product = arith.mulf %gate0, %up0 : f32
    %result = arith.addf %product, %rest0 : f32
    spatial.yield %result : f32
  }
  spatial.store %y into %Y[y * 8 + h, x * 8 + w * 2] on move 1
}
