// RUN: spatial-opt %s --tile-spatial="m=4 n=4 k=2" --split-input-file | filecheck %s
// RUN: spatial-opt %s --tile-spatial="m=4 n=4 k=2 spill=reload" --split-input-file | filecheck %s --check-prefix RELOAD
// RUN: spatial-opt %s --tile-spatial="m=4 n=4 k=8" --split-input-file | filecheck %s --check-prefix ONE
// RUN: spatial-opt %s --tile-spatial="m=4 n=4 k=4" --split-input-file | filecheck %s --check-prefix TWO
// RUN: spatial-opt %s --tile-spatial="m=2 n=4 k=2" --split-input-file | filecheck %s --check-prefix STAY
// RUN: spatial-opt %s --tile-spatial="m=8 n=8 k=2" --split-input-file | filecheck %s --check-prefix HELD
// RUN: spatial-opt %s --tile-spatial="spill=none" --split-input-file | filecheck %s --check-prefix NONE

// Partial sums leave the accumulators if there are more than these hold, and several K blocks.
spatial.program @plain(%A : memref<256x256xbf16>, %B : memref<256x256xbf16>,
                       %C : memref<256x256xbf16>) target #spatial.target<"wormhole"> {
  %a = spatial.buffer : !spatial.buffer<8x8xbf16>
  %b = spatial.buffer : !spatial.buffer<8x8xbf16>
  %c = spatial.buffer : !spatial.buffer<8x8xbf16>
  spatial.load %A[0, 0] into %a
  spatial.load %B[0, 0] into %b
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, 0]
}

//  CHECK: loops [i = 4, k = 4, h = 2]
//  CHECK:   spatial.matmul %a, %b into %c spill %c_partial by pack

// RELOAD:   spatial.matmul %a, %b into %c spill %c_partial{{$}}

//    ONE: loops [i = 4, h = 2]
//    ONE:   spatial.matmul %a, %b into %c{{$}}

//    TWO: loops [i = 4, k = 2, h = 2]
//    TWO:   spatial.matmul %a, %b into %c spill %c_partial{{$}}

//   STAY: loops [i = 8, k = 4]
//   STAY:   spatial.matmul %a, %b into %c{{$}}

//   NONE:   spatial.matmul %a, %b into %c{{$}}

// -----

// They leave too if a factor is made in each block, or if they cannot stay.
spatial.program @converted(%A : memref<256x256xbf16>, %B : memref<256x32xi8>,
                           %C : memref<256x32xf32>) target #spatial.target<"wormhole"> {
  %a = spatial.buffer : !spatial.buffer<8x8xbf16>
  %b8 = spatial.buffer : !spatial.buffer<8x1xi8>
  %b = spatial.buffer : !spatial.buffer<8x1xbf16>
  %c = spatial.buffer : !spatial.buffer<8x1xf32>
  spatial.load %A[0, 0] into %a
  spatial.load %B[0, 0] into %b8
  spatial.map (%b8) into %b {
  ^bb0(%weight : i32):
    %float = arith.sitofp %weight : i32 to f32
    spatial.yield %float : f32
  }
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, 0]
}

//  CHECK: loops [i = 2, k = 4]
//  CHECK:   spatial.matmul %a, %b into %c spill %c_partial by pack

// -----

// No sums stay, and no packer adds.
spatial.program @other(%A : memref<256x256xbf16>, %B : memref<256x256xbf16>,
                       %C : memref<256x256xbf16>)
    target #spatial.target<"wormhole" {acc_across_k = false, pack_accumulate = false}> {
  %a = spatial.buffer : !spatial.buffer<8x8xbf16>
  %b = spatial.buffer : !spatial.buffer<8x8xbf16>
  %c = spatial.buffer : !spatial.buffer<8x8xbf16>
  spatial.load %A[0, 0] into %a
  spatial.load %B[0, 0] into %b
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, 0]
}

//  CHECK: loops [i = 4, k = 4, h = 2]
//  CHECK:   spatial.matmul %a, %b into %c spill %c_partial{{$}}

//   STAY:   spatial.matmul %a, %b into %c spill %c_partial{{$}}

// -----

// What is made once for each column of sub-blocks, of several, is not there again for the next row
// of them: so there is one row.
spatial.program @held(%A : memref<256x256xbf16>, %B : memref<256x256xbf16>,
                      %Bias : memref<32x256xbf16>, %C : memref<256x256xbf16>)
    target #spatial.target<"wormhole"> {
  %a = spatial.buffer : !spatial.buffer<8x8xbf16>
  %b = spatial.buffer : !spatial.buffer<8x8xbf16>
  %ab = spatial.buffer : !spatial.buffer<8x8xbf16>
  %bias = spatial.buffer : !spatial.buffer<1x8xbf16>
  %twice = spatial.buffer : !spatial.buffer<1x8xbf16>
  %c = spatial.buffer : !spatial.buffer<8x8xbf16>
  spatial.load %A[0, 0] into %a
  spatial.load %B[0, 0] into %b
  spatial.load %Bias[0, 0] into %bias
  spatial.map (%bias, %bias) into %twice {
  ^bb0(%x : f32, %y : f32):
    %z = arith.addf %x, %y : f32
    spatial.yield %z : f32
  }
  spatial.matmul %a, %b into %ab
  spatial.map (%ab, %twice broadcast rows) into %c {
  ^bb0(%x : f32, %y : f32):
    %z = arith.addf %x, %y : f32
    spatial.yield %z : f32
  }
  spatial.store %c into %C[0, 0]
}

//  CHECK: loops [i = 4, k = 4, h = 2]

//   HELD: @held({{.*}} loops [k = 4, w = 8]
//   HELD:   %c = spatial.buffer : !spatial.buffer<8x1xbf16>
