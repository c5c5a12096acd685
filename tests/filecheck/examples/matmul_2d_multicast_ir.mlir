// Addresses, loops and semaphores of the matmul with multicasts, as IR.
// RUN: spatial-opt --synthesize-handshakes %S/../../../examples/matmul_2d_multicast.mlir | filecheck %s
// RUN: xdsl-opt -p synthesize-handshakes %S/../../../examples/matmul_2d_multicast.mlir | filecheck %s

// CHECK:      spatial.program @matmul(
// CHECK-SAME:   grid [8, 8] loops [k = 4, h = 2, w = 4] requires [fifo, semaphore] {
// CHECK:        %rows = spatial.group from [0:8, 0] to [0:8, 1:8] along x
// CHECK-NEXT:   %cols = spatial.group from [0, 0:8] to [1:8, 0:8] along y
// CHECK-NEXT:   %rows_ready, %rows_valid = choreo.semaphores %rows
// CHECK-NEXT:   %cols_ready, %cols_valid = choreo.semaphores %cols
// CHECK-NEXT:   choreo.engine @move0_0 on move 0 at [0, 0] {
// CHECK-NEXT:   ^bb{{.*}}(%[[Y:[a-z0-9_]+]]: index, %[[X:[a-z0-9_]+]]: index):
// CHECK-NEXT:     affine.for %[[K:[a-z0-9_]+]] = 0 to 4 {
// CHECK-NEXT:       choreo.reserve %a
// CHECK-NEXT:       %[[R:[0-9]+]] = affine.apply affine_map<(d0) -> ((d0 * 8))> (%[[Y]])
// CHECK-NEXT:       %[[S:[0-9]+]] = affine.apply affine_map<(d0) -> ((d0 * 4))> (%[[K]])
// CHECK-NEXT:       choreo.read_tiles %A[%[[R]], %[[S]]] into %a
// CHECK-NEXT:       choreo.read_barrier
// CHECK-NEXT:       choreo.sem_wait %rows_ready eq 7
// CHECK-NEXT:       choreo.sem_set %rows_ready, 0
// CHECK-NEXT:       choreo.mcast_send %a to %rows hold_path
// CHECK-NEXT:       choreo.mcast_set_valid %rows_valid to %rows
// CHECK-NEXT:       choreo.push %a
// CHECK-NEXT:       choreo.reserve %b
// CHECK-NEXT:       %[[R:[0-9]+]] = affine.apply affine_map<(d0) -> ((d0 * 4))> (%[[K]])
// CHECK-NEXT:       %[[S:[0-9]+]] = affine.apply affine_map<(d0) -> ((d0 * 8))> (%[[X]])
// CHECK-NEXT:       choreo.read_tiles %B[%[[R]], %[[S]]] into %b
// CHECK-NEXT:       choreo.read_barrier
// CHECK-NEXT:       choreo.sem_wait %cols_ready eq 7
// CHECK-NEXT:       choreo.sem_set %cols_ready, 0
// CHECK-NEXT:       choreo.mcast_send %b to %cols hold_path
// CHECK-NEXT:       choreo.mcast_set_valid %cols_valid to %cols
// CHECK-NEXT:       choreo.push %b
// CHECK-NEXT:     }
// CHECK-NEXT:   }

// CHECK:        choreo.engine @move0_3 on move 0 at [1:8, 1:8] {
// CHECK-NEXT:   ^bb{{.*}}:
// CHECK-NEXT:     affine.for %{{.*}} = 0 to 4 {
// CHECK-NEXT:       choreo.reserve %a
// CHECK-NEXT:       choreo.sem_set %rows_valid, invalid
// CHECK-NEXT:       choreo.sem_inc %rows_ready at sender of %rows
// CHECK-NEXT:       choreo.sem_wait %rows_valid eq valid
// CHECK-NEXT:       choreo.push %a
// CHECK-NEXT:       choreo.reserve %b
// CHECK-NEXT:       choreo.sem_set %cols_valid, invalid
// CHECK-NEXT:       choreo.sem_inc %cols_ready at sender of %cols
// CHECK-NEXT:       choreo.sem_wait %cols_valid eq valid
// CHECK-NEXT:       choreo.push %b
// CHECK-NEXT:     }
// CHECK-NEXT:   }

// The middle blocks of K.
// CHECK:        choreo.engine @compute_3 on compute at [1:8, 1:8] {
// CHECK:          affine.for %{{.*}} = 1 to 3 {
// CHECK-NEXT:       choreo.wait %a
// CHECK-NEXT:       choreo.wait %b
// CHECK-NEXT:       affine.for %[[H:[a-z0-9_]+]] = 0 to 2 {
// CHECK-NEXT:         affine.for %[[W:[a-z0-9_]+]] = 0 to 4 {
// CHECK-NEXT:           %[[ACC:[a-z0-9_]+]] = choreo.acquire 8xbf16
// CHECK-NEXT:           choreo.wait %p
// CHECK-NEXT:           choreo.matmul %[[ACC]], %a, %b[%[[H]], %[[W]]] reload %p
// CHECK-NEXT:           choreo.pop %p
// CHECK-NEXT:           choreo.reserve %p
// CHECK-NEXT:           choreo.pack %[[ACC]] into %p
// CHECK-NEXT:           choreo.push %p
// CHECK-NEXT:           choreo.release %[[ACC]]
// CHECK-NEXT:         }
// CHECK-NEXT:       }
// CHECK-NEXT:       choreo.pop %a
// CHECK-NEXT:       choreo.pop %b
// CHECK-NEXT:     }

// CHECK:        choreo.engine @move1_3 on move 1 at [1:8, 1:8] {
// CHECK-NEXT:   ^bb{{.*}}(%[[Y:[a-z0-9_]+]]: index, %[[X:[a-z0-9_]+]]: index):
// CHECK-NEXT:     affine.for %[[H:[a-z0-9_]+]] = 0 to 2 {
// CHECK-NEXT:       affine.for %[[W:[a-z0-9_]+]] = 0 to 4 {
// CHECK-NEXT:         choreo.wait %c
// CHECK-NEXT:         %[[R:[0-9]+]] = affine.apply affine_map<(d0, d1) -> (((d0 * 8) + (d1 * 4)))> (%[[Y]], %[[H]])
// CHECK-NEXT:         %[[S:[0-9]+]] = affine.apply affine_map<(d0, d1) -> (((d0 * 8) + (d1 * 2)))> (%[[X]], %[[W]])
// CHECK-NEXT:         choreo.write_tiles %c into %C[%[[R]], %[[S]]]
// CHECK-NEXT:         choreo.write_barrier
// CHECK-NEXT:         choreo.pop %c
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
