// RUN: spatial-opt %s --synthesize-handshakes -t outline | filecheck %s --strict-whitespace --match-full-lines

// D = relu(A * B + bias) on a row of four sites; the packer accumulates; a target that needs a flush.

spatial.program @matmul_bias_relu(%A : memref<64x640xbf16>, %B : memref<640x512xbf16>, %Bias : memref<64x512xbf16>, %D : memref<64x512xbf16>)
    target #spatial.target<"blackhole"> grid [1, 4] loops [k = 5, h = 1, w = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x4xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<4x4xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<2x2xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<2x2xf32>
  %bias = spatial.buffer depth 2 : !spatial.buffer<2x2xbf16>
  %d = spatial.buffer depth 2 : !spatial.buffer<2x2xbf16>
  %all = spatial.group from [0, 0] to [0, 1:4] along x
  spatial.load %A[0, k * 4] into %a multicast %all at [0, 0] on move 0
  spatial.recv %all into %a at [0, 1:4] on move 0
  spatial.load %B[k * 4, x * 4] into %b at [0, 0:4] on move 0
  spatial.matmul %a, %b into %c spill %p by pack at [0, 0:4]
  spatial.load %Bias[0, x * 4 + w * 2] into %bias at [0, 0:4] on move 1
  spatial.map @bias_relu (%c, %bias) into %d at [0, 0:4] {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    %zero = arith.constant 0.0 : f32
    %3 = arith.maximumf %2, %zero : f32
    spatial.yield %3 : f32
  }
  spatial.store %d into %D[0, x * 4 + w * 2] at [0, 0:4] on move 1
}

//      CHECK:move 0 at [0, 0]
//  CHECK-NEXT:  for k x 5
//  CHECK-NEXT:    reserve a
//  CHECK-NEXT:    read_tiles A -> a
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    sem_wait all.ready eq 3
//  CHECK-NEXT:    sem_set all.ready, 0
//  CHECK-NEXT:    mcast_send a to all
//  CHECK-NEXT:    flush
//  CHECK-NEXT:    mcast_set_valid all.valid to all
//  CHECK-NEXT:    push a
//  CHECK-NEXT:    reserve b
//  CHECK-NEXT:    read_tiles B -> b
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push b
// CHECK-EMPTY:
//  CHECK-NEXT:move 0 at [0, 1:4]
//  CHECK-NEXT:  for k x 5
//  CHECK-NEXT:    reserve a
//  CHECK-NEXT:    sem_set all.valid, invalid
//  CHECK-NEXT:    sem_inc all.ready at sender, 1
//  CHECK-NEXT:    sem_wait all.valid eq valid
//  CHECK-NEXT:    push a
//  CHECK-NEXT:    reserve b
//  CHECK-NEXT:    read_tiles B -> b
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push b
// CHECK-EMPTY:
//  CHECK-NEXT:compute at every site
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  for w x 2
//  CHECK-NEXT:    acquire 4
//  CHECK-NEXT:    compute matmul(a, b)
//  CHECK-NEXT:    reserve p
//  CHECK-NEXT:    pack -> p
//  CHECK-NEXT:    push p
//  CHECK-NEXT:    release
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  wait p
//  CHECK-NEXT:  pop p
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  for k x 2
//  CHECK-NEXT:    wait a
//  CHECK-NEXT:    wait b
//  CHECK-NEXT:    for w x 2
//  CHECK-NEXT:      acquire 4
//  CHECK-NEXT:      compute matmul(a, b)
//  CHECK-NEXT:      reserve p
//  CHECK-NEXT:      pack -> p accumulate
//  CHECK-NEXT:      push p
//  CHECK-NEXT:      release
//  CHECK-NEXT:    wait p
//  CHECK-NEXT:    pop p
//  CHECK-NEXT:    wait p
//  CHECK-NEXT:    pop p
//  CHECK-NEXT:    pop a
//  CHECK-NEXT:    pop b
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  for w x 2
//  CHECK-NEXT:    acquire 4
//  CHECK-NEXT:    compute matmul(a, b)
//  CHECK-NEXT:    reserve p
//  CHECK-NEXT:    pack -> p accumulate
//  CHECK-NEXT:    push p
//  CHECK-NEXT:    release
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
//  CHECK-NEXT:  wait a
//  CHECK-NEXT:  wait b
//  CHECK-NEXT:  for w x 2
//  CHECK-NEXT:    acquire 4
//  CHECK-NEXT:    wait p
//  CHECK-NEXT:    compute matmul(a, b) reload p
//  CHECK-NEXT:    pop p
//  CHECK-NEXT:    reserve c
//  CHECK-NEXT:    pack -> c
//  CHECK-NEXT:    push c
//  CHECK-NEXT:    release
//  CHECK-NEXT:    wait c
//  CHECK-NEXT:    wait bias
//  CHECK-NEXT:    acquire 4
//  CHECK-NEXT:    compute bias_relu(c, bias)
//  CHECK-NEXT:    reserve d
//  CHECK-NEXT:    pack -> d
//  CHECK-NEXT:    push d
//  CHECK-NEXT:    release
//  CHECK-NEXT:    pop c
//  CHECK-NEXT:    pop bias
//  CHECK-NEXT:  pop a
//  CHECK-NEXT:  pop b
// CHECK-EMPTY:
//  CHECK-NEXT:move 1 at every site
//  CHECK-NEXT:  for w x 2
//  CHECK-NEXT:    reserve bias
//  CHECK-NEXT:    read_tiles Bias -> bias
//  CHECK-NEXT:    read_barrier
//  CHECK-NEXT:    push bias
//  CHECK-NEXT:    wait d
//  CHECK-NEXT:    write_tiles d -> D
//  CHECK-NEXT:    write_barrier
//  CHECK-NEXT:    pop d
//   CHECK-NOT:{{.+}}
