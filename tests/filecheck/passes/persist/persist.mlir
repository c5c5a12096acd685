// RUN: spatial-opt %s --synthesize-handshakes --persist --verify-choreography --split-input-file | filecheck %s

// Three items: each engine has a loop over them, whether or not it asks for the item.
// CHECK-LABEL: spatial.program @items(
// CHECK-SAME:    grid [1, 1] requires [fifo] attributes {choreo.verdict = #choreo.verdict<proved
// CHECK:       choreo.engine @move0_0 on move 0 {
// CHECK-NEXT:  ^bb0(%{{.*}}: index, %{{.*}}: index):
// CHECK-NEXT:    affine.for %[[I:.*]] = 0 to 3 {
// CHECK-NEXT:      %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-NEXT:      choreo.reserve %x
// CHECK-NEXT:      choreo.read_tiles %X[%[[I]], %[[ZERO]]] into %x
// CHECK-NEXT:      choreo.read_barrier
// CHECK-NEXT:      choreo.push %x
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// CHECK-NEXT:  choreo.engine @compute_0 on compute {
// CHECK-NEXT:  ^bb0(%{{.*}}: index, %{{.*}}: index):
// CHECK-NEXT:    affine.for %{{.*}} = 0 to 3 {
// CHECK-NEXT:      choreo.wait %x
// CHECK:           choreo.pop %x
// CHECK-NEXT:    }
// CHECK-NEXT:  }
spatial.program @items(%X : memref<96x32xbf16>, %Y : memref<96x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [i = 3] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[i, 0] into %x on move 0
  spatial.map (%x) into %y {
  ^bb0(%v : f32):
    %w = arith.addf %v, %v : f32
    spatial.yield %w : f32
  }
  spatial.store %y into %Y[i, 0] on move 1
}

// -----

// A number of blocks that is the same for all items is read before them; the other loops stay.
// CHECK-LABEL: spatial.program @trip(
// CHECK-SAME:    loops [k = ? max 4] requires [fifo] attributes {choreo.verdict = #choreo.verdict<proved
// CHECK:       choreo.engine @move0_0 on move 0 {
// CHECK-NEXT:  ^bb0(%{{.*}}: index, %{{.*}}: index):
// CHECK-NEXT:    %[[TRIP:.*]] = choreo.trip %n
// CHECK-NEXT:    affine.for %[[I:.*]] = 0 to 3 {
// CHECK:           scf.for %[[K:.*]] = %{{.*}} to %[[TRIP]] step %{{.*}} {
// CHECK-NEXT:        choreo.reserve %x
// CHECK-NEXT:        choreo.read_tiles %X[%[[I]], %[[K]]] into %x
spatial.program @trip(%n : index, %X : memref<96x128xbf16>, %Y : memref<96x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [i = 3, k = ? max 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.trip k = %n
  spatial.load %X[i, k] into %x on move 0
  spatial.store %x into %Y[i, k] on move 1
}

// -----

// One item: there is nothing to go over.
// CHECK-LABEL: spatial.program @one(
// CHECK:       choreo.engine @move0_0 on move 0 {
// CHECK-NEXT:  ^bb0(%{{.*}}: index, %{{.*}}: index):
// CHECK-NEXT:    %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-NEXT:    choreo.reserve %x
// CHECK-NEXT:    choreo.read_tiles %X[%[[ZERO]], %[[ZERO]]] into %x
spatial.program @one(%X : memref<32x32xbf16>, %Y : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, 0] into %x on move 0
  spatial.store %x into %Y[0, 0] on move 1
}
