// RUN: spatial-opt %s --synthesize-handshakes=tag-stages=true | filecheck %s

// An engine is named after its kind and class, but never like a stage, which its ops may name.
spatial.program @copy(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] {
  %x = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  spatial.load @move0_0 %X[0, 0] into %x on move 0
  spatial.store @save %x into %Y[0, 0] on move 1
}

// CHECK: choreo.engine @move0_0_1 on move 0
// CHECK: choreo.push %x for @move0_0
// CHECK: choreo.engine @move1_0 on move 1
// CHECK: choreo.pop %x for @save
