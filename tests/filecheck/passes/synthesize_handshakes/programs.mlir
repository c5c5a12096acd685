// RUN: spatial-opt %s --synthesize-handshakes > %t.once.mlir
// RUN: filecheck %s < %t.once.mlir
// RUN: spatial-opt %t.once.mlir --synthesize-handshakes > %t.twice.mlir
// RUN: diff %t.once.mlir %t.twice.mlir

// The same for whole programs with all that the pass writes.
// RUN: spatial-opt %S/ir_items.mlir --synthesize-handshakes > %t.once.mlir
// RUN: spatial-opt %S/ir_items.mlir --synthesize-handshakes --synthesize-handshakes > %t.twice.mlir
// RUN: diff %t.once.mlir %t.twice.mlir
// RUN: spatial-opt %S/folds.mlir --synthesize-handshakes > %t.once.mlir
// RUN: spatial-opt %t.once.mlir --synthesize-handshakes > %t.twice.mlir
// RUN: diff %t.once.mlir %t.twice.mlir

// Every program of a module is scheduled; one that is scheduled already stays as it is, even if the pass would write another.

// CHECK-LABEL: spatial.program @first(
//  CHECK-SAME: requires [fifo] {
//       CHECK: choreo.engine @move0_0 on move 0 {
//   CHECK-NOT: spatial.{{load|store}}
//       CHECK: choreo.engine @move1_0 on move 1 {
spatial.program @first(%X : memref<32x128xbf16>, %Y : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, k] into %x on move 0
  spatial.store %x into %Y[0, k] on move 1
}

// CHECK-LABEL: spatial.program @by_hand(
//  CHECK-SAME: requires [fifo] {
//  CHECK-NEXT:   %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
//  CHECK-NEXT:   choreo.engine @reader on move 0 {
//  CHECK-NEXT:   ^bb0(%y: index, %x_1: index):
//  CHECK-NEXT:     %c0 = arith.constant 0 : index
//  CHECK-NEXT:     choreo.reserve %x, 2
//  CHECK-NEXT:     choreo.read_tiles %X[%c0, %c0] into %x
//  CHECK-NEXT:     choreo.read_barrier
//  CHECK-NEXT:     choreo.push %x
//  CHECK-NEXT:   }
//  CHECK-NEXT:   choreo.engine @writer on move 1 {
//  CHECK-NEXT:   ^bb0(%y_1: index, %x_2: index):
//  CHECK-NEXT:     %c0_1 = arith.constant 0 : index
//  CHECK-NEXT:     choreo.wait %x
//  CHECK-NEXT:     choreo.write_tiles %x into %Y[%c0_1, %c0_1]
//  CHECK-NEXT:     choreo.write_barrier
//  CHECK-NEXT:     choreo.pop %x
//  CHECK-NEXT:   }
//  CHECK-NEXT: }
spatial.program @by_hand(%X : memref<32x32xbf16>, %Y : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @reader on move 0 {
  ^bb0(%y : index, %x_1 : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %x, 2
    choreo.read_tiles %X[%c0, %c0] into %x
    choreo.read_barrier
    choreo.push %x
  }
  choreo.engine @writer on move 1 {
  ^bb0(%y : index, %x_1 : index):
    %c0 = arith.constant 0 : index
    choreo.wait %x
    choreo.write_tiles %x into %Y[%c0, %c0]
    choreo.write_barrier
    choreo.pop %x
  }
}

// CHECK-LABEL: spatial.program @last(
//  CHECK-SAME: requires [valid_ready] {
//       CHECK: choreo.engine @move0_0 on move 0 {
//       CHECK: choreo.engine @move1_0 on move 1 {
//   CHECK-NOT: spatial.{{load|store}}
spatial.program @last(%X : memref<32x128xbf16>, %Y : memref<32x128xbf16>)
    target #spatial.target<"fabric"> grid [1, 1] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, k] into %x on move 0
  spatial.store %x into %Y[0, k] on move 1
}
