// RUN: spatial-opt %s --verify-choreography="keep-going=true" 2>&1 >/dev/null | filecheck %s
// RUN: spatial-opt %s --canonicalize --cse --dce --verify-choreography="keep-going=true" 2>&1 >/dev/null | filecheck %s
// RUN: spatial-opt %s --lower-affine --canonicalize --verify-choreography="keep-going=true" 2>&1 >/dev/null | filecheck %s
// RUN: spatial-opt %s --lower-affine --scf-for-loop-range-folding --cse --verify-choreography="keep-going=true" 2>&1 >/dev/null | filecheck %s
// RUN: spatial-opt %s --lower-affine --scf-for-loop-unroll --canonicalize --verify-choreography="keep-going=true" 2>&1 >/dev/null | filecheck %s
// RUN: spatial-opt %s --lower-affine --convert-scf-to-cf --canonicalize --verify-choreography="keep-going=true" 2>&1 >/dev/null | filecheck %s
// RUN: spatial-opt %s --lower-affine --scf-for-loop-unroll --convert-scf-to-cf --cse --dce --verify-choreography="keep-going=true" 2>&1 >/dev/null | filecheck %s

// rule 33: what is right stays so, and what is wrong does, under passes that keep the order of the
// ops; and it is proved anew, whatever they did.

// rule 33, accepted: a multicast with a taker on each site.
// CHECK: 'spatial.program' op @right proved:
spatial.program @right(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 3] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:3] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    affine.for %h = 0 to 2 {
      affine.for %w = 0 to 3 {
        %c0 = arith.constant 0 : index
        choreo.reserve %b
        choreo.read_tiles %A[%c0, %c0] into %b
        choreo.read_barrier
        choreo.sem_wait %g_ready eq 2
        choreo.sem_set %g_ready, 0
        choreo.mcast_send %b to %g hold_path
        choreo.mcast_set_valid %g_valid to %g
        choreo.push %b
      }
    }
  }
  choreo.engine @recv on move 0 at [0, 1:3] {
  ^bb0(%y : index, %x : index):
    affine.for %h = 0 to 6 {
      choreo.reserve %b
      choreo.sem_set %g_valid, invalid
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_wait %g_valid eq valid
      choreo.push %b
    }
  }
  choreo.engine @take on move 1 {
  ^bb0(%y : index, %x : index):
    affine.for %h = 0 to 3 {
      affine.for %w = 0 to 2 {
        %c0 = arith.constant 0 : index
        choreo.wait %b
        choreo.write_tiles %b into %C[%c0, %c0]
        choreo.write_barrier
        choreo.pop %b
      }
    }
  }
}

// rule 33, rejected: all pages before the word, one more than there is room for.
// CHECK: warning: 'choreo.reserve' op refuted (deadlock):
spatial.program @hangs(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %q = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i = 0 to 3 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
    choreo.reserve %q
    choreo.read_tiles %A[%c0, %c0] into %q
    choreo.read_barrier
    choreo.push %q
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.wait %q
    choreo.write_tiles %q into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %q
    affine.for %i = 0 to 3 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// rule 33, rejected: a page is popped while it is written out.
// CHECK: warning: 'choreo.read_tiles' op refuted (slot-race):
spatial.program @races(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i = 0 to 5 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %i = 0 to 5 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.pop %p
    }
    choreo.write_barrier
  }
}

// CHECK-NOT: {{warning|remark|error}}:
