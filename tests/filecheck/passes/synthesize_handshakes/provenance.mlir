// RUN: spatial-opt %s --synthesize-handshakes | filecheck %s
// RUN: spatial-opt %s --synthesize-handshakes=tag-stages=true | filecheck %s --check-prefix TAGGED
// RUN: spatial-opt %s -p 'synthesize-handshakes{tag-stages=true}' | filecheck %s --check-prefix TAGGED

// Which stage an op was made for: the computations of named stages say it, with `tag-stages` all ops do.
// A stage without a name gets one.

spatial.program @named(%X : memref<32x128xbf16>, %Y : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %t = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load @fetch %X[0, k] into %x on move 0
  spatial.map @twice (%x, %x) into %t {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map (%t) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[0, k] on move 1
}

//      CHECK: builtin.module {
// CHECK-NEXT:   spatial.program @named(%X: memref<32x128xbf16>, %Y: memref<32x128xbf16>) target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] requires [fifo] {
// CHECK-NEXT:     %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:     %t = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:     %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:     choreo.engine @move0_0 on move 0 {
// CHECK-NEXT:     ^bb0(%y_1: index, %x_1: index):
// CHECK-NEXT:       %c0 = arith.constant 0 : index
// CHECK-NEXT:       affine.for %k = 0 to 4 {
// CHECK-NEXT:         choreo.reserve %x
// CHECK-NEXT:         choreo.read_tiles %X[%c0, %k] into %x
// CHECK-NEXT:         choreo.read_barrier
// CHECK-NEXT:         choreo.push %x
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     choreo.engine @compute_0 on compute {
// CHECK-NEXT:     ^bb0(%y_2: index, %x_2: index):
// CHECK-NEXT:       affine.for %k_1 = 0 to 4 {
// CHECK-NEXT:         choreo.wait %x
// CHECK-NEXT:         %acc = choreo.acquire 1xbf16
// CHECK-NEXT:         choreo.map %acc (%x, %x) for @twice {
// CHECK-NEXT:         ^bb0(%0: f32, %1: f32):
// CHECK-NEXT:           %2 = arith.addf %0, %1 : f32
// CHECK-NEXT:           spatial.yield %2 : f32
// CHECK-NEXT:         }
// CHECK-NEXT:         choreo.reserve %t
// CHECK-NEXT:         choreo.pack %acc into %t
// CHECK-NEXT:         choreo.push %t
// CHECK-NEXT:         choreo.release %acc
// CHECK-NEXT:         choreo.pop %x
// CHECK-NEXT:         choreo.wait %t
// CHECK-NEXT:         %acc_1 = choreo.acquire 1xbf16
// CHECK-NEXT:         choreo.map %acc_1 (%t) {
// CHECK-NEXT:         ^bb0(%3: f32):
// CHECK-NEXT:           spatial.yield %3 : f32
// CHECK-NEXT:         }
// CHECK-NEXT:         choreo.reserve %y
// CHECK-NEXT:         choreo.pack %acc_1 into %y
// CHECK-NEXT:         choreo.push %y
// CHECK-NEXT:         choreo.release %acc_1
// CHECK-NEXT:         choreo.pop %t
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     choreo.engine @move1_0 on move 1 {
// CHECK-NEXT:     ^bb0(%y_3: index, %x_3: index):
// CHECK-NEXT:       %c0_1 = arith.constant 0 : index
// CHECK-NEXT:       affine.for %k_2 = 0 to 4 {
// CHECK-NEXT:         choreo.wait %y
// CHECK-NEXT:         choreo.write_tiles %y into %Y[%c0_1, %k_2]
// CHECK-NEXT:         choreo.write_barrier
// CHECK-NEXT:         choreo.pop %y
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

//      TAGGED: builtin.module {
// TAGGED-NEXT:   spatial.program @named(%X: memref<32x128xbf16>, %Y: memref<32x128xbf16>) target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] requires [fifo] {
// TAGGED-NEXT:     %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
// TAGGED-NEXT:     %t = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
// TAGGED-NEXT:     %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
// TAGGED-NEXT:     choreo.engine @move0_0 on move 0 {
// TAGGED-NEXT:     ^bb0(%y_1: index, %x_1: index):
// TAGGED-NEXT:       %c0 = arith.constant 0 : index
// TAGGED-NEXT:       affine.for %k = 0 to 4 {
// TAGGED-NEXT:         choreo.reserve %x for @fetch
// TAGGED-NEXT:         choreo.read_tiles %X[%c0, %k] into %x for @fetch
// TAGGED-NEXT:         choreo.read_barrier for @fetch
// TAGGED-NEXT:         choreo.push %x for @fetch
// TAGGED-NEXT:       }
// TAGGED-NEXT:     }
// TAGGED-NEXT:     choreo.engine @compute_0 on compute {
// TAGGED-NEXT:     ^bb0(%y_2: index, %x_2: index):
// TAGGED-NEXT:       affine.for %k_1 = 0 to 4 {
// TAGGED-NEXT:         choreo.wait %x for @twice
// TAGGED-NEXT:         %acc = choreo.acquire 1xbf16 for @twice
// TAGGED-NEXT:         choreo.map %acc (%x, %x) for @twice {
// TAGGED-NEXT:         ^bb0(%0: f32, %1: f32):
// TAGGED-NEXT:           %2 = arith.addf %0, %1 : f32
// TAGGED-NEXT:           spatial.yield %2 : f32
// TAGGED-NEXT:         }
// TAGGED-NEXT:         choreo.reserve %t for @twice
// TAGGED-NEXT:         choreo.pack %acc into %t for @twice
// TAGGED-NEXT:         choreo.push %t for @twice
// TAGGED-NEXT:         choreo.release %acc for @twice
// TAGGED-NEXT:         choreo.pop %x for @twice
// TAGGED-NEXT:         choreo.wait %t for @map_y
// TAGGED-NEXT:         %acc_1 = choreo.acquire 1xbf16 for @map_y
// TAGGED-NEXT:         choreo.map %acc_1 (%t) for @map_y {
// TAGGED-NEXT:         ^bb0(%3: f32):
// TAGGED-NEXT:           spatial.yield %3 : f32
// TAGGED-NEXT:         }
// TAGGED-NEXT:         choreo.reserve %y for @map_y
// TAGGED-NEXT:         choreo.pack %acc_1 into %y for @map_y
// TAGGED-NEXT:         choreo.push %y for @map_y
// TAGGED-NEXT:         choreo.release %acc_1 for @map_y
// TAGGED-NEXT:         choreo.pop %t for @map_y
// TAGGED-NEXT:       }
// TAGGED-NEXT:     }
// TAGGED-NEXT:     choreo.engine @move1_0 on move 1 {
// TAGGED-NEXT:     ^bb0(%y_3: index, %x_3: index):
// TAGGED-NEXT:       %c0_1 = arith.constant 0 : index
// TAGGED-NEXT:       affine.for %k_2 = 0 to 4 {
// TAGGED-NEXT:         choreo.wait %y for @store_y
// TAGGED-NEXT:         choreo.write_tiles %y into %Y[%c0_1, %k_2] for @store_y
// TAGGED-NEXT:         choreo.write_barrier for @store_y
// TAGGED-NEXT:         choreo.pop %y for @store_y
// TAGGED-NEXT:       }
// TAGGED-NEXT:     }
// TAGGED-NEXT:   }
// TAGGED-NEXT: }
