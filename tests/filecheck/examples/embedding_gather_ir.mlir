// A gather as IR: the rows come from the index page that is held around the loop over columns.
// RUN: spatial-opt --synthesize-handshakes %S/../../../examples/embedding_gather.mlir | filecheck %s
// RUN: xdsl-opt -p synthesize-handshakes %S/../../../examples/embedding_gather.mlir | filecheck %s

// CHECK:        choreo.engine @move0_0 on move 0 {
// CHECK-NEXT:   ^bb{{.*}}(%[[Y:[a-z0-9_]+]]: index, %[[X:[a-z0-9_]+]]: index):
// CHECK-NEXT:     %[[C0:[a-z0-9_]+]] = arith.constant 0 : index
// CHECK-NEXT:     affine.for %[[H:[a-z0-9_]+]] = 0 to 4 {
// CHECK-NEXT:       choreo.reserve %ids
// CHECK-NEXT:       %[[T:[0-9]+]] = affine.apply affine_map<(d0, d1, d2) -> ((((d0 * 32) + (d1 * 4)) + d2))> (%[[Y]], %[[X]], %[[H]])
// CHECK-NEXT:       choreo.read_tiles %Tokens[%[[C0]], %[[T]]] into %ids pad 0 : i32
// CHECK-NEXT:       choreo.read_barrier
// CHECK-NEXT:       choreo.push %ids
// CHECK-NEXT:       choreo.wait %ids
// CHECK-NEXT:       affine.for %[[W:[a-z0-9_]+]] = 0 to 2 {
// CHECK-NEXT:         choreo.reserve %rows
// CHECK-NEXT:         %[[S:[0-9]+]] = affine.apply affine_map<(d0) -> ((d0 * 8))> (%[[W]])
// CHECK-NEXT:         choreo.read_tiles %Table[%[[C0]], %[[S]]] into %rows rows from %ids
// CHECK-NEXT:         choreo.read_barrier
// CHECK-NEXT:         choreo.push %rows
// CHECK-NEXT:       }
// CHECK-NEXT:       choreo.pop %ids
// CHECK-NEXT:     }
// CHECK-NEXT:   }
