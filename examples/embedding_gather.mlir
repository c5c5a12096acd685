// Token embedding: Y[t] = sqrt(512) * Table[Tokens[t]] + Positions[t], with 8192 tokens (i32), a
// table of 32768x512, and Positions and Y 8192x512, bf16, on 8x8 sites.
//
// Each site takes 128 tokens, 32 at a time (h). Their ids are the first row of an index page; row
// r of a table page is the row of the table that element r of the index page names. A row of the
// table comes in two pages of 256 columns (w), for both of which the one index page is held.
spatial.program @embedding(%Tokens : memref<1x8192xi32>, %Table : memref<32768x512xbf16>,
                           %Positions : memref<8192x512xbf16>, %Y : memref<8192x512xbf16>)
    target #spatial.target<"wormhole"> grid [8, 8] loops [h = 4, w = 2] {
  %ids = spatial.buffer depth 2 : !spatial.buffer<1x1xi32>
  %rows = spatial.buffer depth 2 : !spatial.buffer<1x8xbf16>
  %positions = spatial.buffer depth 2 : !spatial.buffer<1x8xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x8xbf16>

  spatial.load %Tokens[0, y * 32 + x * 4 + h] into %ids pad 0 : i32 on move 0
  spatial.load %Table[0, w * 8] into %rows via %ids rows on move 0
  spatial.load %Positions[y * 32 + x * 4 + h, w * 8] into %positions on move 1
  spatial.map @add_positions (%rows, %positions) into %y {
  ^bb0(%row : f32, %position : f32):
    %factor = arith.constant 22.627417 : f32
    %scaled = arith.mulf %row, %factor : f32
    %result = arith.addf %scaled, %position : f32
    spatial.yield %result : f32
  }
  spatial.store %y into %Y[y * 32 + x * 4 + h, w * 8] on move 1
}
