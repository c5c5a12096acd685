// RUN: spatial-opt %s --place-spatial="grid=4x4 explain=true" --split-input-file 2>&1 >/dev/null | filecheck %s --match-full-lines

// What goes where, and what else there was.
spatial.program @matmul(%A : memref<2048x512xbf16>, %B : memref<512x2048xbf16>,
                        %C : memref<2048x2048xbf16>)
    target #spatial.target<"wormhole"> loops [i = 64, k = 4, h = 2, w = 4] {
  %a = spatial.buffer depth 2 : !spatial.buffer<8x4xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<4x8xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<4x2xbf16>
  %p = spatial.buffer depth 8 : !spatial.buffer<4x2xbf16>
  spatial.load @load_a %A[(i floordiv 8) * 8, k * 4] into %a
  spatial.load @load_b %B[k * 4, (i mod 8) * 8] into %b
  spatial.matmul @product %a, %b into %c spill %p by reload
  spatial.store @store_c %c into %C[(i floordiv 8) * 8 + h * 4, (i mod 8) * 8 + w * 2]
}

//      CHECK: {{.*}}explain.mlir:4:1: remark: 'spatial.program' op @matmul goes over the sites of grid [4, 4]: digit 0 over rows, digit 1 over columns
// CHECK-NEXT:   digit 0 (i floordiv 8, 8 values)
// CHECK-NEXT:   digit 1 (i mod 8, 8 values)
// CHECK-NEXT:   digits 0, 1 over rows and columns, 4 items on each of [0:4, 0:4]: {{[0-9]+}} cycles, {{[0-9]+}} bytes of DRAM
// CHECK-NEXT:   digit 0 over rows, digit 1 over columns, 4 items on each of [0:4, 0:4]: {{[0-9]+}} cycles, {{[0-9]+}} bytes of DRAM, chosen
// CHECK-NEXT:   digit 1 over rows, digit 0 over columns, 4 items on each of [0:4, 0:4]: {{[0-9]+}} cycles, {{[0-9]+}} bytes of DRAM
// CHECK-NEXT:   digit 0 over rows and columns, 8 items on each of [0:2, 0:4]: {{[0-9]+}} cycles, {{[0-9]+}} bytes of DRAM
// CHECK-NEXT:   digit 1 over rows and columns, 8 items on each of [0:2, 0:4]: {{[0-9]+}} cycles, {{[0-9]+}} bytes of DRAM
// CHECK-NEXT:   chosen is the least traffic within a tenth of the fewest cycles
// CHECK-NEXT:   %a is read at [0:4, 0] and sent along x to [0:4, 1:4]
// CHECK-NEXT:   %b is read at [0, 0:4] and sent along y to [1:4, 0:4]
// CHECK-NEXT:   cycles of an item: {{[0-9]+}} on compute, {{[0-9]+}} on move 0, {{[0-9]+}} on move 1

// -----

spatial.program @ragged(%A : memref<8x512x1024xbf16>, %B : memref<8x1024x64xbf16>,
                        %Lengths : memref<8x1xi32>, %C : memref<8x512x64xbf16>)
    target #spatial.target<"wormhole"> loops [i = 32, k = ? max 8] {
  %a = spatial.buffer depth 2 : !spatial.buffer<4x4xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<4x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<4x2xbf16>
  spatial.trip k = %Lengths[i floordiv 4, 0]
  spatial.load %A[i floordiv 4, (i mod 4) * 4, k * 4] into %a
  spatial.load %B[i floordiv 4, k * 4, 0] into %b
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[i floordiv 4, (i mod 4) * 4, 0]
}

// CHECK-NEXT: {{.*}}explain.mlir:32:1: remark: 'spatial.program' op @ragged goes over the sites of grid [4, 4]: digit 0 over rows, digit 1 over columns
// CHECK-NEXT:   digit 0 (i floordiv 4, 8 values)
// CHECK-NEXT:   digit 1 (i mod 4, 4 values)
// CHECK-NEXT:   no site can have values beyond the end of digit 0: a run-time trip is read by it, or no store would leave them out
// CHECK-NEXT:   digits 0, 1 over rows and columns, 2 items on each of [0:4, 0:4]: {{[0-9]+}} cycles, {{[0-9]+}} bytes of DRAM
// CHECK-NEXT:   digit 0 over rows, digit 1 over columns, 2 items on each of [0:4, 0:4]: {{[0-9]+}} cycles, {{[0-9]+}} bytes of DRAM, chosen
// CHECK-NEXT:   digit 1 over rows, digit 0 over columns, 2 items on each of [0:4, 0:4]: {{[0-9]+}} cycles, {{[0-9]+}} bytes of DRAM
// CHECK-NEXT:   digit 0 over rows and columns, 4 items on each of [0:2, 0:4]: {{[0-9]+}} cycles, {{[0-9]+}} bytes of DRAM
// CHECK-NEXT:   chosen is the least traffic within a tenth of the fewest cycles
// CHECK-NEXT:   1 more have more items a site, or more traffic
// CHECK-NEXT:   %b is read at [0:4, 0] and sent along x to [0:4, 1:4]
// CHECK-NEXT:   cycles of an item: {{[0-9]+}} on compute, {{[0-9]+}} on move 0, {{[0-9]+}} on move 1

// -----

spatial.program @engines(%A : memref<128x128xbf16>, %B : memref<128x128xbf16>)
    target #spatial.target<"wormhole"> grid [4, 4] loops [] {
  %a = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %A[y, x] into %a
  spatial.store %a into %B[y, x]
}

// CHECK-NEXT: {{.*}}explain.mlir:60:1: remark: 'spatial.program' op @engines says itself which sites do what: its stages get engines
// CHECK-NEXT:   cycles of an item: {{[0-9]+}} on compute, {{[0-9]+}} on move 0, {{[0-9]+}} on move 1
