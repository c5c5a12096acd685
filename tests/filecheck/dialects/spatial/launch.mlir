// RUN: spatial-opt %s | spatial-opt | filecheck %s
// RUN: SPATIAL_ROUNDTRIP | filecheck %s

// CHECK-LABEL: spatial.program @whole(%X: memref<64x32xbf16>, %Y: memref<64x32xbf16>) {
spatial.program @whole(%X : memref<64x32xbf16>, %Y : memref<64x32xbf16>) {
  %x = spatial.buffer : !spatial.buffer<2x1xbf16>
  spatial.load %X[0, 0] into %x
  spatial.store %x into %Y[0, 0]
}

// Four matrices: the loop of the items does not make a template less of one.
// CHECK-LABEL: spatial.program @each(
// CHECK-SAME:    target #spatial.target<"wormhole"> template loops [i = 4] {
spatial.program @each(%X : memref<4x64x32xbf16>, %n : index, %Y : memref<4x64x32xbf16>)
    target #spatial.target<"wormhole"> template loops [i = 4] {
  %x = spatial.buffer : !spatial.buffer<2x1xbf16>
  spatial.load %X[i, 0, 0] into %x
  spatial.store %x into %Y[i, 0, 0]
}

// Without loops a program is a template, and need not say so.
// CHECK-LABEL: spatial.program @said(
// CHECK-NOT:     template
// CHECK:         spatial.buffer
spatial.program @said(%X : memref<64x32xbf16>, %Y : memref<64x32xbf16>) template {
  %x = spatial.buffer : !spatial.buffer<2x1xbf16>
  spatial.load %X[0, 0] into %x
  spatial.store %x into %Y[0, 0]
}

// A launch gives back the tensors that are written, and nothing for memrefs.
// CHECK-LABEL: func.func @launches
// CHECK:         %[[Y:.*]] = spatial.launch @whole(%{{.*}}, %{{.*}}) : (tensor<64x32xbf16>, tensor<64x32xbf16>) -> tensor<64x32xbf16>
// CHECK-NEXT:    spatial.launch @whole(%[[Y]], %{{.*}}) : (tensor<64x32xbf16>, memref<64x32xbf16>) -> ()
// CHECK-NEXT:    spatial.launch @each(%{{.*}}, %{{.*}}, %{{.*}}) : (memref<4x64x32xbf16>, index, memref<4x64x32xbf16>) -> ()
func.func @launches(%x : tensor<64x32xbf16>, %init : tensor<64x32xbf16>, %y : memref<64x32xbf16>,
                    %n : index, %many : memref<4x64x32xbf16>, %out : memref<4x64x32xbf16>) {
  %once = spatial.launch @whole(%x, %init)
      : (tensor<64x32xbf16>, tensor<64x32xbf16>) -> tensor<64x32xbf16>
  spatial.launch @whole(%once, %y) : (tensor<64x32xbf16>, memref<64x32xbf16>) -> ()
  spatial.launch @each(%many, %n, %out)
      : (memref<4x64x32xbf16>, index, memref<4x64x32xbf16>) -> ()
  func.return
}
