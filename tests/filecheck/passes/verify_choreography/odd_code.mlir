// RUN: spatial-opt %s --verify-choreography="keep-going=true" 2>&1 >/dev/null | filecheck %s

// Code in which a quick look may be wrong.

// Not true is false: the page is never filled.
// CHECK: refuted (deadlock)
spatial.program @arith_xori_true(%T : memref<32x32xbf16>, %U : memref<32x32xbf16>)
    target #spatial.target<"reference"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 4  : !spatial.buffer<1x1xbf16>
  choreo.engine @a on move 0  {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
%t = arith.constant true
%q = arith.cmpi eq, %c0, %c0 : index
%n = arith.xori %q, %t : i1
scf.if %n {
choreo.reserve %p
choreo.read_tiles %T[%c0, %c0] into %p
choreo.read_barrier
choreo.push %p
}

  }
  choreo.engine @b on move 1  {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
choreo.wait %p
choreo.write_tiles %p into %U[%c0, %c0]
choreo.write_barrier
choreo.pop %p

  }

}

// Numbers that wrap around are not computed.
// CHECK: undecided (unknown-op): computes with i8
spatial.program @arith_i8wrap(%T : memref<32x32xbf16>, %U : memref<32x32xbf16>)
    target #spatial.target<"reference"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 4  : !spatial.buffer<1x1xbf16>
  choreo.engine @a on move 0  {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
%m = arith.constant 127 : i8
%o = arith.constant 1 : i8
%s = arith.addi %m, %o : i8
%z = arith.constant 0 : i8
%q = arith.cmpi sgt, %s, %z : i8
scf.if %q {
choreo.reserve %p
choreo.read_tiles %T[%c0, %c0] into %p
choreo.read_barrier
choreo.push %p
}

  }
  choreo.engine @b on move 1  {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
choreo.wait %p
choreo.write_tiles %p into %U[%c0, %c0]
choreo.write_barrier
choreo.pop %p

  }

}

// A loop in which nothing can be seen may still never end.
// CHECK: undecided (unknown-op): is not understood
spatial.program @while_in_for2(%T : memref<32x32xbf16>, %U : memref<32x32xbf16>)
    target #spatial.target<"reference"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 4  : !spatial.buffer<1x1xbf16>
  choreo.engine @a on move 0  {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
affine.for %i0 = 0 to 4 {
scf.while () : () -> () {
%t = arith.cmpi eq, %c0, %c0 : index
scf.condition(%t)
} do {
scf.yield
}
}
choreo.reserve %p
choreo.read_tiles %T[%c0, %c0] into %p
choreo.read_barrier
choreo.push %p

  }
  choreo.engine @b on move 1  {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
choreo.wait %p
choreo.write_tiles %p into %U[%c0, %c0]
choreo.write_barrier
choreo.pop %p

  }

}

// In code with jumps, the path to one group is held and a flag goes to another.
// CHECK: refuted (request): multicasts while the path
spatial.program @cf_held2(%T : memref<32x32xbf16>, %U : memref<32x32xbf16>)
    target #spatial.target<"reference"> grid [1, 2] requires [fifo, semaphore] {
  %s = spatial.buffer depth 2  : !spatial.buffer<1x1xbf16>
%g = spatial.group from [0, 0] to [0, 1:2] along x
%g_ready, %g_valid = choreo.semaphores %g
%h = spatial.group from [0, 0] to [0, 1:2] along x
%h_ready, %h_valid = choreo.semaphores %h
  choreo.engine @A on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
choreo.reserve %s
choreo.read_tiles %T[%c0, %c0] into %s
choreo.read_barrier
choreo.sem_wait %g_ready eq 1
choreo.sem_set %g_ready, 0
%t = arith.cmpi eq, %c0, %c0 : index
cf.cond_br %t, ^b1, ^b2
^b1:
choreo.mcast_send %s to %g hold_path
cf.br ^b3
^b2:
cf.br ^b3
^b3:
choreo.mcast_set_valid %h_valid to %h
choreo.flush
choreo.mcast_set_valid %g_valid to %g
choreo.push %s
choreo.end

  }
  choreo.engine @C on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
choreo.reserve %s
choreo.sem_set %g_valid, invalid
choreo.sem_set %h_valid, invalid
choreo.sem_inc %g_ready at sender of %g
choreo.sem_wait %h_valid eq valid
choreo.sem_wait %g_valid eq valid
choreo.push %s

  }
  choreo.engine @D on move 1 at [0, 0:2] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
choreo.wait %s
choreo.write_tiles %s into %U[%c0, %c0]
choreo.write_barrier
choreo.pop %s

  }

}

// In code with jumps, an accumulator is used after its release.
// CHECK: refuted (request): uses an accumulator
spatial.program @cf_released_early(%T : memref<32x32xbf16>, %U : memref<32x32xbf16>)
    target #spatial.target<"reference"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 2  : !spatial.buffer<1x1xbf16>
  %o = spatial.buffer depth 2  : !spatial.buffer<1x1xbf16>
  choreo.engine @a on move 0  {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
choreo.reserve %p
choreo.read_tiles %T[%c0, %c0] into %p
choreo.read_barrier
choreo.push %p

  }
  choreo.engine @c on compute  {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
choreo.wait %p
%acc = choreo.acquire 1xbf16
choreo.matmul %acc, %p, %p
%t = arith.cmpi eq, %c0, %c0 : index
cf.cond_br %t, ^b1, ^b2
^b1:
choreo.release %acc
cf.br ^b3
^b2:
cf.br ^b3
^b3:
choreo.reserve %o
choreo.pack %acc into %o
choreo.push %o
choreo.pop %p
choreo.end

  }
  choreo.engine @b on move 1  {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
choreo.wait %o
choreo.write_tiles %o into %U[%c0, %c0]
choreo.write_barrier
choreo.pop %o

  }

}
