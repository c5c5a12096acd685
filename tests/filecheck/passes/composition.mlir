// RUN: spatial-opt %s --synthesize-handshakes -t outline | filecheck %s --match-full-lines --strict-whitespace
// RUN: spatial-opt %s --synthesize-handshakes --canonicalize --cse --dce --lower-affine --canonicalize --cse --dce -t outline | filecheck %s --match-full-lines --strict-whitespace
// RUN: spatial-opt %s --canonicalize --cse --dce --lower-affine --scf-for-loop-unroll --convert-scf-to-cf --synthesize-handshakes -t outline | filecheck %s --match-full-lines --strict-whitespace
// RUN: spatial-opt %s --synthesize-handshakes --canonicalize --cse --dce --lower-affine --scf-for-loop-unroll --convert-scf-to-cf -t outline | filecheck %s --match-full-lines --strict-whitespace --check-prefix UNROLLED
// RUN: spatial-opt %s --synthesize-handshakes --lower-affine --convert-scf-to-cf --canonicalize --cse --dce -t outline | filecheck %s --match-full-lines --strict-whitespace --check-prefix BLOCKS

// xDSL's own passes leave every op that waits, signals or touches a page where it is.

spatial.program @scale(%X : memref<128x64xbf16>, %Y : memref<64x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] loops [k = 2] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %all = spatial.group from [0, 0] to [0, 1] along x
  spatial.load %X[k * 2, 0] into %x multicast %all at [0, 0] on move 0
  spatial.recv %all into %x at [0, 1] on move 0
  spatial.map @double (%x) into %y {
  ^bb0(%0 : f32):
    %1 = arith.addf %0, %0 : f32
    spatial.yield %1 : f32
  }
  spatial.store %y into %Y[k, x * 2] on move 1
}

//      CHECK:move 0 at [0, 0]
// CHECK-NEXT:  for k x 2
// CHECK-NEXT:    reserve x
// CHECK-NEXT:    read_tiles X -> x
// CHECK-NEXT:    read_barrier
// CHECK-NEXT:    sem_wait all.ready eq 1
// CHECK-NEXT:    sem_set all.ready, 0
// CHECK-NEXT:    mcast_send x to all hold_path
// CHECK-NEXT:    mcast_set_valid all.valid to all
// CHECK-NEXT:    push x
// CHECK-EMPTY:
// CHECK-NEXT:move 0 at [0, 1]
// CHECK-NEXT:  for k x 2
// CHECK-NEXT:    reserve x
// CHECK-NEXT:    sem_set all.valid, invalid
// CHECK-NEXT:    sem_inc all.ready at sender, 1
// CHECK-NEXT:    sem_wait all.valid eq valid
// CHECK-NEXT:    push x
// CHECK-EMPTY:
// CHECK-NEXT:compute at every site
// CHECK-NEXT:  for k x 2
// CHECK-NEXT:    wait x
// CHECK-NEXT:    acquire 2
// CHECK-NEXT:    compute double(x)
// CHECK-NEXT:    reserve y
// CHECK-NEXT:    pack -> y
// CHECK-NEXT:    push y
// CHECK-NEXT:    release
// CHECK-NEXT:    pop x
// CHECK-EMPTY:
// CHECK-NEXT:move 1 at every site
// CHECK-NEXT:  for k x 2
// CHECK-NEXT:    wait y
// CHECK-NEXT:    write_tiles y -> Y
// CHECK-NEXT:    write_barrier
// CHECK-NEXT:    pop y

//      UNROLLED:move 0 at [0, 0]
// UNROLLED-NEXT:  reserve x
// UNROLLED-NEXT:  read_tiles X -> x
// UNROLLED-NEXT:  read_barrier
// UNROLLED-NEXT:  sem_wait all.ready eq 1
// UNROLLED-NEXT:  sem_set all.ready, 0
// UNROLLED-NEXT:  mcast_send x to all hold_path
// UNROLLED-NEXT:  mcast_set_valid all.valid to all
// UNROLLED-NEXT:  push x
// UNROLLED-NEXT:  reserve x
// UNROLLED-NEXT:  read_tiles X -> x
// UNROLLED-NEXT:  read_barrier
// UNROLLED-NEXT:  sem_wait all.ready eq 1
// UNROLLED-NEXT:  sem_set all.ready, 0
// UNROLLED-NEXT:  mcast_send x to all hold_path
// UNROLLED-NEXT:  mcast_set_valid all.valid to all
// UNROLLED-NEXT:  push x
// UNROLLED-EMPTY:
// UNROLLED-NEXT:move 0 at [0, 1]
// UNROLLED-NEXT:  reserve x
// UNROLLED-NEXT:  sem_set all.valid, invalid
// UNROLLED-NEXT:  sem_inc all.ready at sender, 1
// UNROLLED-NEXT:  sem_wait all.valid eq valid
// UNROLLED-NEXT:  push x
// UNROLLED-NEXT:  reserve x
// UNROLLED-NEXT:  sem_set all.valid, invalid
// UNROLLED-NEXT:  sem_inc all.ready at sender, 1
// UNROLLED-NEXT:  sem_wait all.valid eq valid
// UNROLLED-NEXT:  push x
// UNROLLED-EMPTY:
// UNROLLED-NEXT:compute at every site
// UNROLLED-NEXT:  wait x
// UNROLLED-NEXT:  acquire 2
// UNROLLED-NEXT:  compute double(x)
// UNROLLED-NEXT:  reserve y
// UNROLLED-NEXT:  pack -> y
// UNROLLED-NEXT:  push y
// UNROLLED-NEXT:  release
// UNROLLED-NEXT:  pop x
// UNROLLED-NEXT:  wait x
// UNROLLED-NEXT:  acquire 2
// UNROLLED-NEXT:  compute double(x)
// UNROLLED-NEXT:  reserve y
// UNROLLED-NEXT:  pack -> y
// UNROLLED-NEXT:  push y
// UNROLLED-NEXT:  release
// UNROLLED-NEXT:  pop x
// UNROLLED-EMPTY:
// UNROLLED-NEXT:move 1 at every site
// UNROLLED-NEXT:  wait y
// UNROLLED-NEXT:  write_tiles y -> Y
// UNROLLED-NEXT:  write_barrier
// UNROLLED-NEXT:  pop y
// UNROLLED-NEXT:  wait y
// UNROLLED-NEXT:  write_tiles y -> Y
// UNROLLED-NEXT:  write_barrier
// UNROLLED-NEXT:  pop y

//      BLOCKS:move 0 at [0, 0]
// BLOCKS-NEXT:  ^bb0:
// BLOCKS-NEXT:    br ^bb1
// BLOCKS-NEXT:  ^bb1:
// BLOCKS-NEXT:    cond_br ^bb2, ^bb3
// BLOCKS-NEXT:  ^bb2:
// BLOCKS-NEXT:    reserve x
// BLOCKS-NEXT:    read_tiles X -> x
// BLOCKS-NEXT:    read_barrier
// BLOCKS-NEXT:    sem_wait all.ready eq 1
// BLOCKS-NEXT:    sem_set all.ready, 0
// BLOCKS-NEXT:    mcast_send x to all hold_path
// BLOCKS-NEXT:    mcast_set_valid all.valid to all
// BLOCKS-NEXT:    push x
// BLOCKS-NEXT:    br ^bb1
// BLOCKS-NEXT:  ^bb3:
// BLOCKS-NEXT:    end
// BLOCKS-EMPTY:
// BLOCKS-NEXT:move 0 at [0, 1]
// BLOCKS-NEXT:  ^bb0:
// BLOCKS-NEXT:    br ^bb1
// BLOCKS-NEXT:  ^bb1:
// BLOCKS-NEXT:    cond_br ^bb2, ^bb3
// BLOCKS-NEXT:  ^bb2:
// BLOCKS-NEXT:    reserve x
// BLOCKS-NEXT:    sem_set all.valid, invalid
// BLOCKS-NEXT:    sem_inc all.ready at sender, 1
// BLOCKS-NEXT:    sem_wait all.valid eq valid
// BLOCKS-NEXT:    push x
// BLOCKS-NEXT:    br ^bb1
// BLOCKS-NEXT:  ^bb3:
// BLOCKS-NEXT:    end
// BLOCKS-EMPTY:
// BLOCKS-NEXT:compute at every site
// BLOCKS-NEXT:  ^bb0:
// BLOCKS-NEXT:    br ^bb1
// BLOCKS-NEXT:  ^bb1:
// BLOCKS-NEXT:    cond_br ^bb2, ^bb3
// BLOCKS-NEXT:  ^bb2:
// BLOCKS-NEXT:    wait x
// BLOCKS-NEXT:    acquire 2
// BLOCKS-NEXT:    compute double(x)
// BLOCKS-NEXT:    reserve y
// BLOCKS-NEXT:    pack -> y
// BLOCKS-NEXT:    push y
// BLOCKS-NEXT:    release
// BLOCKS-NEXT:    pop x
// BLOCKS-NEXT:    br ^bb1
// BLOCKS-NEXT:  ^bb3:
// BLOCKS-NEXT:    end
// BLOCKS-EMPTY:
// BLOCKS-NEXT:move 1 at every site
// BLOCKS-NEXT:  ^bb0:
// BLOCKS-NEXT:    br ^bb1
// BLOCKS-NEXT:  ^bb1:
// BLOCKS-NEXT:    cond_br ^bb2, ^bb3
// BLOCKS-NEXT:  ^bb2:
// BLOCKS-NEXT:    wait y
// BLOCKS-NEXT:    write_tiles y -> Y
// BLOCKS-NEXT:    write_barrier
// BLOCKS-NEXT:    pop y
// BLOCKS-NEXT:    br ^bb1
// BLOCKS-NEXT:  ^bb3:
// BLOCKS-NEXT:    end
