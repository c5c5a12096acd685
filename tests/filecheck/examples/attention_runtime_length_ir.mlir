// A run-time trip as IR: read once at the top of each engine, by sender and receivers from one element.
// RUN: spatial-opt --synthesize-handshakes %S/../../../examples/attention_runtime_length.mlir | filecheck %s
// RUN: xdsl-opt -p synthesize-handshakes %S/../../../examples/attention_runtime_length.mlir | filecheck %s

// CHECK:        choreo.engine @move0_0 on move 0 at [0:8, 0] {
// CHECK-NEXT:   ^bb{{.*}}(%[[Y:[a-z0-9_]+]]: index, %[[X:[a-z0-9_]+]]: index):
// CHECK-NEXT:     %[[C0:[a-z0-9_]+]] = arith.constant 0 : index
// CHECK-NEXT:     %[[TRIP:[a-z0-9_]+]] = choreo.trip %Blocks[%[[Y]], %[[C0]]]
// CHECK-NEXT:     %[[C1:[a-z0-9_]+]] = arith.constant 1 : index
// CHECK-NEXT:     choreo.reserve %q
// CHECK-NEXT:     %[[R:[0-9]+]] = affine.apply affine_map<(d0) -> ((d0 * 2))> (%[[X]])
// CHECK-NEXT:     choreo.read_tiles %Q[%[[Y]], %[[R]], %[[C0]]] into %q
// CHECK-NEXT:     choreo.read_barrier
// CHECK-NEXT:     choreo.push %q
// CHECK-NEXT:     scf.for %[[K:[a-z0-9_]+]] = %[[C0]] to %[[TRIP]] step %[[C1]] {
// CHECK-NEXT:       choreo.reserve %kt
// CHECK-NEXT:       %[[R:[0-9]+]] = affine.apply affine_map<(d0) -> ((d0 * 2))> (%[[K]])
// CHECK-NEXT:       choreo.read_tiles %K[%[[Y]], %[[R]], %[[C0]]] into %kt
// CHECK-NEXT:       choreo.read_barrier
// CHECK-NEXT:       choreo.sem_wait %k_rows_ready eq 3

// CHECK:        choreo.engine @move0_1 on move 0 at [0:8, 1:4] {
// CHECK-NEXT:   ^bb{{.*}}(%[[Y:[a-z0-9_]+]]: index, %[[X:[a-z0-9_]+]]: index):
// CHECK-NEXT:     %[[C0:[a-z0-9_]+]] = arith.constant 0 : index
// CHECK-NEXT:     %[[TRIP:[a-z0-9_]+]] = choreo.trip %Blocks[%[[Y]], %[[C0]]]
// CHECK:          scf.for %{{.*}} = %[[C0]] to %[[TRIP]] step

// CHECK:        choreo.engine @compute_0 on compute at [0:8, 0] {
// CHECK-NEXT:   ^bb{{.*}}(%[[Y:[a-z0-9_]+]]: index, %[[X:[a-z0-9_]+]]: index):
// CHECK-NEXT:     %[[C0:[a-z0-9_]+]] = arith.constant 0 : index
// CHECK-NEXT:     %[[TRIP:[a-z0-9_]+]] = choreo.trip %Blocks[%[[Y]], %[[C0]]]
// CHECK:          scf.for %{{.*}} = %[[C0]] to %[[TRIP]] step
