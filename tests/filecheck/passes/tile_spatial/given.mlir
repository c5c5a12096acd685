// RUN: spatial-opt %s --tile-spatial="target=hopper grid=4x4 m=2 n=4 k=2 sub=1x4" | filecheck %s
// RUN: spatial-opt %s --tile-spatial="target=hopper grid=4x4 sub=2x3" | filecheck %s --check-prefix SUB
// RUN: spatial-opt %s --tile-spatial="target=hopper grid=1x1" --tile-spatial="m=1" | filecheck %s --check-prefix ONCE

spatial.program @given(%A : memref<768x768xbf16>, %B : memref<768x768xbf16>,
                       %C : memref<768x768xbf16>) {
  %a = spatial.buffer : !spatial.buffer<12x12xbf16>
  %b = spatial.buffer : !spatial.buffer<12x12xbf16>
  %c = spatial.buffer : !spatial.buffer<12x12xbf16>
  spatial.load %A[0, 0] into %a
  spatial.load %B[0, 0] into %b
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, 0]
}

// A program takes the target of the option.
//      CHECK: target #spatial.target<"hopper"> loops [i = 18, k = 6, h = 2] {
// CHECK-NEXT:   %a = spatial.buffer : !spatial.buffer<2x2xbf16>
// CHECK-NEXT:   %b = spatial.buffer : !spatial.buffer<2x4xbf16>
// CHECK-NEXT:   %c = spatial.buffer : !spatial.buffer<1x4xbf16>

//        SUB: %c = spatial.buffer : !spatial.buffer<2x3xbf16>

// What is tiled stays as it is.
//       ONCE: spatial.load %A[
//   ONCE-NOT: spatial.load %A[i,
