// RUN: spatial-opt %s --synthesize-handshakes | filecheck %s

// The IR itself: coordinates, addresses, loop bounds, the work item, both flushes of a target that needs one at depth 1.

spatial.program @items(%A : memref<128x96xbf16>, %B : memref<96x128xbf16>, %C : memref<128x128xbf16>)
    target #spatial.target<"blackhole"> grid [1, 2] loops [i = 4, k = 3, w = 2] {
  %a = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  %g = spatial.group from [0, 0] to [0, 1] along x
  spatial.load @load_a %A[i, k] into %a multicast %g at [0, 0] on move 0
  spatial.recv @recv_a %g into %a at [0, 1] on move 0
  spatial.load %B[k, x * 2] into %b on move 1
  spatial.matmul @product %a, %b into %c spill %p
  spatial.store %c into %C[i, x * 2 + w] on move 1
}

//      CHECK: builtin.module {
// CHECK-NEXT:   spatial.program @items(%A: memref<128x96xbf16>, %B: memref<96x128xbf16>, %C: memref<128x128xbf16>) target #spatial.target<"blackhole"> grid [1, 2] loops [i = 4, k = 3, w = 2] requires [fifo, semaphore] {
// CHECK-NEXT:     %a = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:     %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
// CHECK-NEXT:     %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:     %p = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
// CHECK-NEXT:     %g = spatial.group from [0, 0] to [0, 1] along x
// CHECK-NEXT:     %g_ready, %g_valid = choreo.semaphores %g
// CHECK-NEXT:     choreo.engine @move0_0 on move 0 at [0, 0] {
// CHECK-NEXT:     ^bb0(%y: index, %x: index):
// CHECK-NEXT:       %i = choreo.item
// CHECK-NEXT:       affine.for %k = 0 to 3 {
// CHECK-NEXT:         choreo.reserve %a
// CHECK-NEXT:         choreo.read_tiles %A[%i, %k] into %a
// CHECK-NEXT:         choreo.read_barrier
// CHECK-NEXT:         choreo.sem_wait %g_ready eq 1
// CHECK-NEXT:         choreo.sem_set %g_ready, 0
// CHECK-NEXT:         choreo.mcast_send %a to %g
// CHECK-NEXT:         choreo.flush when needs_flush
// CHECK-NEXT:         choreo.mcast_set_valid %g_valid to %g
// CHECK-NEXT:         choreo.flush
// CHECK-NEXT:         choreo.push %a
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     choreo.engine @move0_1 on move 0 at [0, 1] {
// CHECK-NEXT:     ^bb0(%y_1: index, %x_1: index):
// CHECK-NEXT:       affine.for %k_1 = 0 to 3 {
// CHECK-NEXT:         choreo.reserve %a
// CHECK-NEXT:         choreo.sem_set %g_valid, invalid
// CHECK-NEXT:         choreo.sem_inc %g_ready at sender of %g
// CHECK-NEXT:         choreo.sem_wait %g_valid eq valid
// CHECK-NEXT:         choreo.push %a
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     choreo.engine @move1_0 on move 1 at [0, 0] {
// CHECK-NEXT:     ^bb0(%y_2: index, %x_2: index):
// CHECK-NEXT:       %i_1 = choreo.item
// CHECK-NEXT:       affine.for %k_2 = 0 to 3 {
// CHECK-NEXT:         choreo.reserve %b
// CHECK-NEXT:         %0 = affine.apply affine_map<(d0) -> ((d0 * 2))> (%x_2)
// CHECK-NEXT:         choreo.read_tiles %B[%k_2, %0] into %b
// CHECK-NEXT:         choreo.read_barrier
// CHECK-NEXT:         choreo.push %b
// CHECK-NEXT:       }
// CHECK-NEXT:       affine.for %w = 0 to 2 {
// CHECK-NEXT:         choreo.wait %c
// CHECK-NEXT:         %1 = affine.apply affine_map<(d0, d1) -> (((d0 * 2) + d1))> (%x_2, %w)
// CHECK-NEXT:         choreo.write_tiles %c into %C[%i_1, %1]
// CHECK-NEXT:         choreo.write_barrier
// CHECK-NEXT:         choreo.pop %c
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     choreo.engine @move1_1 on move 1 at [0, 1] {
// CHECK-NEXT:     ^bb0(%y_3: index, %x_3: index):
// CHECK-NEXT:       %i_2 = choreo.item
// CHECK-NEXT:       affine.for %k_3 = 0 to 3 {
// CHECK-NEXT:         choreo.reserve %b
// CHECK-NEXT:         %2 = affine.apply affine_map<(d0) -> ((d0 * 2))> (%x_3)
// CHECK-NEXT:         choreo.read_tiles %B[%k_3, %2] into %b
// CHECK-NEXT:         choreo.read_barrier
// CHECK-NEXT:         choreo.push %b
// CHECK-NEXT:       }
// CHECK-NEXT:       affine.for %w_1 = 0 to 2 {
// CHECK-NEXT:         choreo.wait %c
// CHECK-NEXT:         %3 = affine.apply affine_map<(d0, d1) -> (((d0 * 2) + d1))> (%x_3, %w_1)
// CHECK-NEXT:         choreo.write_tiles %c into %C[%i_2, %3]
// CHECK-NEXT:         choreo.write_barrier
// CHECK-NEXT:         choreo.pop %c
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     choreo.engine @compute_0 on compute at [0, 0] {
// CHECK-NEXT:     ^bb0(%y_4: index, %x_4: index):
// CHECK-NEXT:       %c0 = arith.constant 0 : index
// CHECK-NEXT:       choreo.wait %a
// CHECK-NEXT:       choreo.wait %b
// CHECK-NEXT:       affine.for %w_2 = 0 to 2 {
// CHECK-NEXT:         %acc = choreo.acquire 1xf32
// CHECK-NEXT:         choreo.matmul %acc, %a, %b[%c0, %w_2] for @product
// CHECK-NEXT:         choreo.reserve %p
// CHECK-NEXT:         choreo.pack %acc into %p
// CHECK-NEXT:         choreo.push %p
// CHECK-NEXT:         choreo.release %acc
// CHECK-NEXT:       }
// CHECK-NEXT:       choreo.pop %a
// CHECK-NEXT:       choreo.pop %b
// CHECK-NEXT:       affine.for %k_4 = 1 to 2 {
// CHECK-NEXT:         choreo.wait %a
// CHECK-NEXT:         choreo.wait %b
// CHECK-NEXT:         affine.for %w_3 = 0 to 2 {
// CHECK-NEXT:           %acc_1 = choreo.acquire 1xf32
// CHECK-NEXT:           choreo.wait %p
// CHECK-NEXT:           choreo.matmul %acc_1, %a, %b[%c0, %w_3] reload %p for @product
// CHECK-NEXT:           choreo.pop %p
// CHECK-NEXT:           choreo.reserve %p
// CHECK-NEXT:           choreo.pack %acc_1 into %p
// CHECK-NEXT:           choreo.push %p
// CHECK-NEXT:           choreo.release %acc_1
// CHECK-NEXT:         }
// CHECK-NEXT:         choreo.pop %a
// CHECK-NEXT:         choreo.pop %b
// CHECK-NEXT:       }
// CHECK-NEXT:       choreo.wait %a
// CHECK-NEXT:       choreo.wait %b
// CHECK-NEXT:       affine.for %w_4 = 0 to 2 {
// CHECK-NEXT:         %acc_2 = choreo.acquire 1xf32
// CHECK-NEXT:         choreo.wait %p
// CHECK-NEXT:         choreo.matmul %acc_2, %a, %b[%c0, %w_4] reload %p for @product
// CHECK-NEXT:         choreo.pop %p
// CHECK-NEXT:         choreo.reserve %c
// CHECK-NEXT:         choreo.pack %acc_2 into %c
// CHECK-NEXT:         choreo.push %c
// CHECK-NEXT:         choreo.release %acc_2
// CHECK-NEXT:       }
// CHECK-NEXT:       choreo.pop %a
// CHECK-NEXT:       choreo.pop %b
// CHECK-NEXT:     }
// CHECK-NEXT:     choreo.engine @compute_1 on compute at [0, 1] {
// CHECK-NEXT:     ^bb0(%y_5: index, %x_5: index):
// CHECK-NEXT:       %c0_1 = arith.constant 0 : index
// CHECK-NEXT:       choreo.wait %a
// CHECK-NEXT:       choreo.wait %b
// CHECK-NEXT:       affine.for %w_5 = 0 to 2 {
// CHECK-NEXT:         %acc_3 = choreo.acquire 1xf32
// CHECK-NEXT:         choreo.matmul %acc_3, %a, %b[%c0_1, %w_5] for @product
// CHECK-NEXT:         choreo.reserve %p
// CHECK-NEXT:         choreo.pack %acc_3 into %p
// CHECK-NEXT:         choreo.push %p
// CHECK-NEXT:         choreo.release %acc_3
// CHECK-NEXT:       }
// CHECK-NEXT:       choreo.pop %a
// CHECK-NEXT:       choreo.pop %b
// CHECK-NEXT:       affine.for %k_5 = 1 to 2 {
// CHECK-NEXT:         choreo.wait %a
// CHECK-NEXT:         choreo.wait %b
// CHECK-NEXT:         affine.for %w_6 = 0 to 2 {
// CHECK-NEXT:           %acc_4 = choreo.acquire 1xf32
// CHECK-NEXT:           choreo.wait %p
// CHECK-NEXT:           choreo.matmul %acc_4, %a, %b[%c0_1, %w_6] reload %p for @product
// CHECK-NEXT:           choreo.pop %p
// CHECK-NEXT:           choreo.reserve %p
// CHECK-NEXT:           choreo.pack %acc_4 into %p
// CHECK-NEXT:           choreo.push %p
// CHECK-NEXT:           choreo.release %acc_4
// CHECK-NEXT:         }
// CHECK-NEXT:         choreo.pop %a
// CHECK-NEXT:         choreo.pop %b
// CHECK-NEXT:       }
// CHECK-NEXT:       choreo.wait %a
// CHECK-NEXT:       choreo.wait %b
// CHECK-NEXT:       affine.for %w_7 = 0 to 2 {
// CHECK-NEXT:         %acc_5 = choreo.acquire 1xf32
// CHECK-NEXT:         choreo.wait %p
// CHECK-NEXT:         choreo.matmul %acc_5, %a, %b[%c0_1, %w_7] reload %p for @product
// CHECK-NEXT:         choreo.pop %p
// CHECK-NEXT:         choreo.reserve %c
// CHECK-NEXT:         choreo.pack %acc_5 into %c
// CHECK-NEXT:         choreo.push %c
// CHECK-NEXT:         choreo.release %acc_5
// CHECK-NEXT:       }
// CHECK-NEXT:       choreo.pop %a
// CHECK-NEXT:       choreo.pop %b
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
