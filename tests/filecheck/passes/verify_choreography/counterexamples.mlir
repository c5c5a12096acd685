// RUN: spatial-opt %s --verify-choreography="keep-going=true" 2>&1 >/dev/null | filecheck %s

// What is told of programs that are refuted, for each check. Places are lines and columns of this
// file.

// deadlock: a cycle through a ring that is too short.
// CHECK:      counterexamples.mlir:21:7: warning: 'choreo.reserve' op refuted (deadlock): no engine can go on
// CHECK-NEXT: @load at [0, 0] waits at 21:7 (k = 1) for room for a page of %p: 1 of 1 pages full; the next pop is due from @store at 42:7
// CHECK-NEXT: @store at [0, 0] waits at 34:5 for a page of %q: 0 of 1 pages full; the next push is due from @load at 29:5
// CHECK-NEXT: cycle: @load at [0, 0] -> @store at [0, 0] -> @load at [0, 0]
// CHECK-NEXT: 4 events lead there: 4 of @load at [0, 0] (k = 0)
// CHECK-NEXT: hint: this is enough: `depth 4` for %p instead of 1
spatial.program @too_short(%T : memref<32x32xbf16>, %U : memref<32x32xbf16>)
    target #spatial.target<"reference"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %q = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @load on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %k = 0 to 4 {
      choreo.reserve %p
      choreo.read_tiles %T[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
    choreo.reserve %q
    choreo.read_tiles %T[%c0, %c0] into %q
    choreo.read_barrier
    choreo.push %q
  }
  choreo.engine @store on move 1 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.wait %q
    choreo.write_tiles %q into %U[%c0, %c0]
    choreo.write_barrier
    choreo.pop %q
    affine.for %k = 0 to 4 {
      choreo.wait %p
      choreo.write_tiles %p into %U[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// deadlock: nobody is left to push.
// CHECK:      counterexamples.mlir:69:7: warning: 'choreo.wait' op refuted (deadlock): no engine can go on
// CHECK-NEXT: @store at [0, 0] waits at 69:7 (k = 2) for a page of %p: 0 of 4 pages full; @load, which pushes it, has ended
// CHECK-NEXT: 16 events lead there: 8 of @load at [0, 0] (k = 1) and 8 of @store at [0, 0] (k = 1)
// CHECK-NEXT: hint: @store at [0, 0] needs a partner that does as much: its own has ended
spatial.program @too_many(%T : memref<32x32xbf16>, %U : memref<32x32xbf16>)
    target #spatial.target<"reference"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @load on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %k = 0 to 2 {
      choreo.reserve %p
      choreo.read_tiles %T[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @store on move 1 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %k = 0 to 3 {
      choreo.wait %p
      choreo.write_tiles %p into %U[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// deadlock: the sender waits for more receivers than there are.
// CHECK:      counterexamples.mlir:98:7: warning: 'choreo.sem_wait' op refuted (deadlock): no engine can go on
// CHECK-NEXT: @send at [0, 0] waits at 98:7 (k = 0) for %g_ready eq 8: it is 7; the next increment is due from @recv at [0, 1] and [0, 2:8] at 111:7
// CHECK-NEXT: @recv at [0, 1] and [0, 2:8] wait at 112:7 (k = 0) for %g_valid eq valid: it is invalid; the next flag is due from @send at [0, 0] at 101:7
// CHECK-NEXT: @take at [0, 0] waits at 120:7 (k = 0) for a page of %b: 0 of 2 pages full; the next push is due from @send at 102:7
// CHECK-NEXT: @take at [0, 1] and [0, 2:8] wait at 120:7 (k = 0) for a page of %b: 0 of 2 pages full; the next push is due from @recv at 113:7
// CHECK-NEXT: cycle: @send at [0, 0] -> @recv at [0, 1] -> @send at [0, 0]
// CHECK-NEXT: 6 events lead there: 3 of @send at [0, 0] (k = 0) and 3 of @recv at [0, 1] (k = 0)
// CHECK-NEXT: hint: this is enough: wait for 7, the number of receivers, in `choreo.sem_wait %g_ready eq 8` at 98:7
spatial.program @count(%T : memref<32x32xbf16>, %U : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 8] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:8] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %k = 0 to 2 {
      choreo.reserve %b
      choreo.read_tiles %T[%c0, %c0] into %b
      choreo.read_barrier
      choreo.sem_wait %g_ready eq 8
      choreo.sem_set %g_ready, 0
      choreo.mcast_send %b to %g hold_path
      choreo.mcast_set_valid %g_valid to %g
      choreo.push %b
    }
  }
  choreo.engine @recv on move 0 at [0, 1:8] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %k = 0 to 2 {
      choreo.reserve %b
      choreo.sem_set %g_valid, invalid
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_wait %g_valid eq valid
      choreo.push %b
    }
  }
  choreo.engine @take on move 1 at [0, 0:8] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %k = 0 to 2 {
      choreo.wait %b
      choreo.write_tiles %b into %U[%c0, %c0]
      choreo.write_barrier
      choreo.pop %b
    }
  }
}

// deadlock: two multicasts in another order; no single change is enough.
// CHECK:      counterexamples.mlir:151:5: warning: 'choreo.sem_wait' op refuted (deadlock): no engine can go on
// CHECK-NEXT: @send at [0, 0] waits at 151:5 for %g1_ready eq 1: it is 0; the next increment is due from @recv at [0, 1] at 175:5
// CHECK-NEXT: @recv at [0, 1] waits at 171:5 for %g2_valid eq valid: it is invalid; the next flag is due from @send at [0, 0] at 162:5
// CHECK-NEXT: @take at [0, 0] waits at 182:5 for a page of %a: 0 of 1 pages full; the next push is due from @send at 155:5
// CHECK-NEXT: @take at [0, 1] waits at 182:5 for a page of %a: 0 of 1 pages full; the next push is due from @recv at 177:5
// CHECK-NEXT: cycle: @send at [0, 0] -> @recv at [0, 1] -> @send at [0, 0]
// CHECK-NEXT: 6 events lead there: 3 of @send at [0, 0] and 3 of @recv at [0, 1]
// CHECK-NEXT: hint: one engine of the cycle must do its part before it waits
spatial.program @two_orders(%T : memref<32x32xbf16>, %U : memref<32x32xbf16>)
    target #spatial.target<"reference"> grid [1, 2] requires [fifo, semaphore] {
  %a = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %g1 = spatial.group from [0, 0] to [0, 1] along x
  %g2 = spatial.group from [0, 0] to [0, 1] along x
  %g1_ready, %g1_valid = choreo.semaphores %g1
  %g2_ready, %g2_valid = choreo.semaphores %g2
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %a
    choreo.read_tiles %T[%c0, %c0] into %a
    choreo.read_barrier
    choreo.sem_wait %g1_ready eq 1
    choreo.sem_set %g1_ready, 0
    choreo.mcast_send %a to %g1 hold_path
    choreo.mcast_set_valid %g1_valid to %g1
    choreo.push %a
    choreo.reserve %b
    choreo.read_tiles %T[%c0, %c0] into %b
    choreo.read_barrier
    choreo.sem_wait %g2_ready eq 1
    choreo.sem_set %g2_ready, 0
    choreo.mcast_send %b to %g2 hold_path
    choreo.mcast_set_valid %g2_valid to %g2
    choreo.push %b
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %b
    choreo.sem_set %g2_valid, invalid
    choreo.sem_inc %g2_ready at sender of %g2
    choreo.sem_wait %g2_valid eq valid
    choreo.push %b
    choreo.reserve %a
    choreo.sem_set %g1_valid, invalid
    choreo.sem_inc %g1_ready at sender of %g1
    choreo.sem_wait %g1_valid eq valid
    choreo.push %a
  }
  choreo.engine @take on move 1 at [0, 0:2] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.wait %a
    choreo.write_tiles %a into %U[%c0, %c0]
    choreo.write_barrier
    choreo.pop %a
    choreo.wait %b
    choreo.write_tiles %b into %U[%c0, %c0]
    choreo.write_barrier
    choreo.pop %b
  }
}

// leftover: a page is pushed that nobody takes.
// CHECK:      counterexamples.mlir:209:8: warning: 'spatial.buffer' op refuted (leftover): leaves 1 page in %p at [0, 0]: 2 pushed, 1 popped
// CHECK-NEXT: last push: @load at [0, 0], 217:7 (k = 1): push %p
// CHECK-NEXT: last pop: @store at [0, 0], 226:5: pop %p
// CHECK-NEXT: 12 events lead there: 8 of @load at [0, 0] (k = 1) and 4 of @store at [0, 0]
// CHECK-NEXT: the last of them:
// CHECK-NEXT:  @store at [0, 0], 224:5: write_tiles %p into %U[%c0, %c0]
// CHECK-NEXT:  @store at [0, 0], 225:5: write_barrier
// CHECK-NEXT:  @store at [0, 0], 226:5: pop %p
// CHECK-NEXT:  @load at [0, 0], 214:7 (k = 1): reserve %p
// CHECK-NEXT:  @load at [0, 0], 215:7 (k = 1): read_tiles %T[%c0, %c0] into %p
// CHECK-NEXT:  @load at [0, 0], 216:7 (k = 1): read_barrier
// CHECK-NEXT:  @load at [0, 0], 217:7 (k = 1): push %p
// CHECK-NEXT: hint: this is enough: put `choreo.wait %p` and `choreo.pop %p` behind `choreo.pop %p` at 226:5
spatial.program @left(%T : memref<32x32xbf16>, %U : memref<32x32xbf16>)
    target #spatial.target<"reference"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @load on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %k = 0 to 2 {
      choreo.reserve %p
      choreo.read_tiles %T[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @store on move 1 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.wait %p
    choreo.write_tiles %p into %U[%c0, %c0]
    choreo.write_barrier
    choreo.pop %p
  }
}

// slot-race: a page is popped before it has been written out.
// CHECK:      counterexamples.mlir:252:7: warning: 'choreo.read_tiles' op refuted (slot-race): fills a page where page 0 of %p is, while @store at [0, 0] may still read it
// CHECK-NEXT: first: @store at [0, 0], 262:7 (k = 0): write_tiles %p into %U[%c0, %c0]
// CHECK-NEXT: then: @load at [0, 0], 252:7 (k = 1): read_tiles %T[%c0, %c0] into %p
// CHECK-NEXT: missing: it ends with write_barrier at 264:7 (k = 0), but @load at [0, 0] knows what @store at [0, 0] has done only up to pop %p at 263:7 (k = 0)
// CHECK-NEXT: 9 events lead there: 6 of @load at [0, 0] (k = 1) and 3 of @store at [0, 0] (k = 0)
// CHECK-NEXT: the last of them:
// CHECK-NEXT:  @load at [0, 0], 254:7 (k = 0): push %p
// CHECK-NEXT:  @store at [0, 0], 261:7 (k = 0): wait %p
// CHECK-NEXT:  @store at [0, 0], 262:7 (k = 0): write_tiles %p into %U[%c0, %c0]
// CHECK-NEXT:  @store at [0, 0], 263:7 (k = 0): pop %p
// CHECK-NEXT:  @load at [0, 0], 251:7 (k = 1): reserve %p
// CHECK-NEXT:  @load at [0, 0], 252:7 (k = 1): read_tiles %T[%c0, %c0] into %p
// CHECK-NEXT: hint: this is enough: put `choreo.write_barrier` before `choreo.pop %p` at 263:7
spatial.program @pop_first(%T : memref<32x32xbf16>, %U : memref<32x32xbf16>)
    target #spatial.target<"reference"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @load on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %k = 0 to 2 {
      choreo.reserve %p
      choreo.read_tiles %T[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @store on move 1 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %k = 0 to 2 {
      choreo.wait %p
      choreo.write_tiles %p into %U[%c0, %c0]
      choreo.pop %p
      choreo.write_barrier
    }
  }
}

// slot-race: a page is filled again while a multicast may still read it.
// CHECK:      counterexamples.mlir:293:7: warning: 'choreo.read_tiles' op refuted (slot-race): fills a page where page 0 of %b is, while @send at [0, 0] may still be sending it
// CHECK-NEXT: first: @send at [0, 0], 297:7 (k = 0): mcast_send %b to %g hold_path
// CHECK-NEXT: then: @send at [0, 0], 293:7 (k = 1): read_tiles %T[%c0, %c0] into %b
// CHECK-NEXT: missing: @send at [0, 0] has done no `choreo.flush` since, and has not heard that it has landed
// CHECK-NEXT: 17 events lead there: 10 of @send at [0, 0] (k = 1), 3 of @recv at [0, 1] (k = 0) and 4 of @take at [0, 0] (k = 0)
// CHECK-NEXT: the last of them:
// CHECK-NEXT:  @take at [0, 0], 317:7 (k = 0): wait %b
// CHECK-NEXT:  @take at [0, 0], 318:7 (k = 0): write_tiles %b into %U[%c0, %c0]
// CHECK-NEXT:  @take at [0, 0], 319:7 (k = 0): write_barrier
// CHECK-NEXT:  @take at [0, 0], 320:7 (k = 0): pop %b
// CHECK-NEXT:  @send at [0, 0], 292:7 (k = 1): reserve %b
// CHECK-NEXT:  @send at [0, 0], 293:7 (k = 1): read_tiles %T[%c0, %c0] into %b
// CHECK-NEXT: hint: this is enough: put `choreo.flush` behind `choreo.mcast_send %b to %g hold_path` at 297:7
spatial.program @no_flush(%T : memref<32x32xbf16>, %U : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:2] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %k = 0 to 2 {
      choreo.reserve %b
      choreo.read_tiles %T[%c0, %c0] into %b
      choreo.read_barrier
      choreo.sem_wait %g_ready eq 1
      choreo.sem_set %g_ready, 0
      choreo.mcast_send %b to %g hold_path
      choreo.mcast_set_valid %g_valid to %g
      choreo.push %b
    }
  }
  choreo.engine @recv on move 0 at [0, 1:2] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %k = 0 to 2 {
      choreo.reserve %b
      choreo.sem_set %g_valid, invalid
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_wait %g_valid eq valid
      choreo.push %b
    }
  }
  choreo.engine @take on move 1 at [0, 0:2] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %k = 0 to 2 {
      choreo.wait %b
      choreo.write_tiles %b into %U[%c0, %c0]
      choreo.write_barrier
      choreo.pop %b
    }
  }
}

// contents: the flag may overtake the data.
// CHECK:      counterexamples.mlir:366:7: warning: 'choreo.push' op refuted (contents): pushes page 0 of %b, which may still be on its way
// CHECK-NEXT: first: @send at [0, 0], 353:7 (k = 0): mcast_send %b to %g
// CHECK-NEXT: then: @recv at [0, 1], 366:7 (k = 0): push %b
// CHECK-NEXT: missing: nobody has waited for a flag that the data cannot come after
// CHECK-NEXT: 12 events lead there: 7 of @send at [0, 0] (k = 0) and 5 of @recv at [0, 1] (k = 0)
// CHECK-NEXT: the last of them:
// CHECK-NEXT:  @send at [0, 0], 351:7 (k = 0): sem_wait %g_ready eq 1
// CHECK-NEXT:  @send at [0, 0], 352:7 (k = 0): sem_set %g_ready, 0
// CHECK-NEXT:  @send at [0, 0], 353:7 (k = 0): mcast_send %b to %g
// CHECK-NEXT:  @send at [0, 0], 354:7 (k = 0): mcast_set_valid %g_valid to %g
// CHECK-NEXT:  @recv at [0, 1], 365:7 (k = 0): sem_wait %g_valid eq valid
// CHECK-NEXT:  @recv at [0, 1], 366:7 (k = 0): push %b
// CHECK-NEXT: hint: this is enough: put `choreo.flush` behind `choreo.mcast_send %b to %g` at 353:7
spatial.program @overtaken(%T : memref<32x32xbf16>, %U : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:2] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %k = 0 to 2 {
      choreo.reserve %b
      choreo.read_tiles %T[%c0, %c0] into %b
      choreo.read_barrier
      choreo.sem_wait %g_ready eq 1
      choreo.sem_set %g_ready, 0
      choreo.mcast_send %b to %g
      choreo.mcast_set_valid %g_valid to %g
      choreo.push %b
    }
  }
  choreo.engine @recv on move 0 at [0, 1:2] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %k = 0 to 2 {
      choreo.reserve %b
      choreo.sem_set %g_valid, invalid
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_wait %g_valid eq valid
      choreo.push %b
    }
  }
  choreo.engine @take on move 1 at [0, 0:2] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %k = 0 to 2 {
      choreo.wait %b
      choreo.write_tiles %b into %U[%c0, %c0]
      choreo.write_barrier
      choreo.pop %b
    }
  }
}

// contents: what is left over from one item lets the next one go on too early.
// CHECK:      counterexamples.mlir:416:5: warning: 'choreo.push' op refuted (contents): pushes page 0 of %b, but there is nothing yet
// CHECK-NEXT: in a later item, one that finds %g_valid of [0, 1] at 1
// CHECK-NEXT: at: @recv at [0, 1], 416:5: push %b
// CHECK-NEXT: 4 events lead there: 4 of @recv at [0, 1]
// CHECK-NEXT: in this order:
// CHECK-NEXT:  @recv at [0, 1], 413:5: reserve %b
// CHECK-NEXT:  @recv at [0, 1], 414:5: sem_inc %g_ready at sender of %g
// CHECK-NEXT:  @recv at [0, 1], 415:5: sem_wait %g_valid eq valid
// CHECK-NEXT:  @recv at [0, 1], 416:5: push %b
// CHECK-NEXT: hint: this is enough: put `choreo.sem_set %g_valid, invalid` behind `choreo.sem_wait %g_valid eq valid` at 415:5
spatial.program @next_item(%T : memref<32x32xbf16>, %U : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:2] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %b
    choreo.read_tiles %T[%c0, %c0] into %b
    choreo.read_barrier
    choreo.sem_wait %g_ready eq 1
    choreo.sem_set %g_ready, 0
    choreo.mcast_send %b to %g hold_path
    choreo.mcast_set_valid %g_valid to %g
    choreo.flush
    choreo.push %b
  }
  choreo.engine @recv on move 0 at [0, 1:2] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %b
    choreo.sem_inc %g_ready at sender of %g
    choreo.sem_wait %g_valid eq valid
    choreo.push %b
  }
  choreo.engine @take on move 1 at [0, 0:2] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.wait %b
    choreo.write_tiles %b into %U[%c0, %c0]
    choreo.write_barrier
    choreo.pop %b
  }
}

// semaphore-race: the count is reset after the receivers were told to go on.
// CHECK:      counterexamples.mlir:467:7: warning: 'choreo.sem_inc' op refuted (semaphore-race): increments %g_ready of [0, 0], not ordered with @send at [0, 0], which sets it
// CHECK-NEXT: first: @send at [0, 0], 457:7 (k = 0): sem_set %g_ready, 0
// CHECK-NEXT: then: @recv at [0, 1], 467:7 (k = 1): sem_inc %g_ready at sender of %g
// CHECK-NEXT: missing: @recv at [0, 1] knows what @send at [0, 0] has done only up to mcast_set_valid %g_valid to %g at 456:7 (k = 0)
// CHECK-NEXT: 15 events lead there: 7 of @send at [0, 0] (k = 0) and 8 of @recv at [0, 1] (k = 1)
// CHECK-NEXT: the last of them:
// CHECK-NEXT:  @send at [0, 0], 457:7 (k = 0): sem_set %g_ready, 0
// CHECK-NEXT:  @recv at [0, 1], 468:7 (k = 0): sem_wait %g_valid eq valid
// CHECK-NEXT:  @recv at [0, 1], 469:7 (k = 0): push %b
// CHECK-NEXT:  @recv at [0, 1], 465:7 (k = 1): reserve %b
// CHECK-NEXT:  @recv at [0, 1], 466:7 (k = 1): sem_set %g_valid, invalid
// CHECK-NEXT:  @recv at [0, 1], 467:7 (k = 1): sem_inc %g_ready at sender of %g
// CHECK-NEXT: hint: this is enough: move `choreo.sem_set %g_ready, 0` at 457:7 before `choreo.mcast_set_valid %g_valid to %g` at 456:7
spatial.program @late_reset(%T : memref<32x32xbf16>, %U : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:2] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %k = 0 to 2 {
      choreo.reserve %b
      choreo.read_tiles %T[%c0, %c0] into %b
      choreo.read_barrier
      choreo.sem_wait %g_ready eq 1
      choreo.mcast_send %b to %g hold_path
      choreo.mcast_set_valid %g_valid to %g
      choreo.sem_set %g_ready, 0
      choreo.push %b
    }
  }
  choreo.engine @recv on move 0 at [0, 1:2] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %k = 0 to 2 {
      choreo.reserve %b
      choreo.sem_set %g_valid, invalid
      choreo.sem_inc %g_ready at sender of %g
      choreo.sem_wait %g_valid eq valid
      choreo.push %b
    }
  }
  choreo.engine @take on move 1 at [0, 0:2] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %k = 0 to 2 {
      choreo.wait %b
      choreo.write_tiles %b into %U[%c0, %c0]
      choreo.write_barrier
      choreo.pop %b
    }
  }
}

// stale-wait: an earlier value satisfies the wait.
// CHECK:      counterexamples.mlir:523:5: warning: 'choreo.sem_wait' op refuted (stale-wait): may pass before @first at [0, 1] sets %g_valid to 1: it may have been 1 already
// CHECK-NEXT: waits: @second at [0, 1], 523:5: sem_wait %g_valid eq valid
// CHECK-NEXT: may pass after: @first at [0, 1], 512:5: sem_set %g_valid, valid
// CHECK-NEXT: is meant for: @first at [0, 1], 516:5: sem_set %g_valid, valid
// CHECK-NEXT: 12 events lead there: 10 of @first at [0, 1] and 2 of @second at [0, 1]
// CHECK-NEXT: the last of them:
// CHECK-NEXT:  @first at [0, 1], 513:5: sem_set %g_valid, invalid
// CHECK-NEXT:  @first at [0, 1], 514:5: write_tiles %p into %U[%c0, %c0]
// CHECK-NEXT:  @first at [0, 1], 515:5: write_barrier
// CHECK-NEXT:  @first at [0, 1], 516:5: sem_set %g_valid, valid
// CHECK-NEXT:  @second at [0, 1], 522:5: reserve %q
// CHECK-NEXT:  @second at [0, 1], 523:5: sem_wait %g_valid eq valid
// CHECK-NEXT: hint: set it to another value before anybody is told to set it to this one
spatial.program @passing_value(%T : memref<32x32xbf16>, %U : memref<32x32xbf16>)
    target #spatial.target<"reference"> grid [1, 2] requires [fifo, semaphore] {
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %q = spatial.buffer depth 1 alias %p : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @first on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %p
    choreo.read_tiles %T[%c0, %c0] into %p
    choreo.read_barrier
    choreo.push %p
    choreo.wait %p
    choreo.sem_set %g_valid, valid
    choreo.sem_set %g_valid, invalid
    choreo.write_tiles %p into %U[%c0, %c0]
    choreo.write_barrier
    choreo.sem_set %g_valid, valid
    choreo.pop %p
  }
  choreo.engine @second on move 1 at [0, 1] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %q
    choreo.sem_wait %g_valid eq valid
    choreo.read_tiles %T[%c0, %c0] into %q
    choreo.read_barrier
    choreo.push %q
    choreo.wait %q
    choreo.write_tiles %q into %U[%c0, %c0]
    choreo.write_barrier
    choreo.pop %q
  }
}

// ring-position: the receiver is one page ahead if the trip is odd.
// CHECK:      counterexamples.mlir:569:5: warning: 'choreo.mcast_send' op refuted (ring-position): sends to position 1 of %b at [0, 1], where position 0 is reserved
// CHECK-NEXT: with trip %n = 1
// CHECK-NEXT: at: @send at [0, 0], 569:5: mcast_send %b to %g hold_path
// CHECK-NEXT: receiver: @recv at [0, 1], 594:5: sem_inc %g_ready at sender of %g
// CHECK-NEXT: 14 events lead there: 11 of @send at [0, 0] and 3 of @recv at [0, 1]
// CHECK-NEXT: the last of them:
// CHECK-NEXT:  @recv at [0, 1], 592:5: reserve %b
// CHECK-NEXT:  @recv at [0, 1], 593:5: sem_set %g_valid, invalid
// CHECK-NEXT:  @recv at [0, 1], 594:5: sem_inc %g_ready at sender of %g
// CHECK-NEXT:  @send at [0, 0], 567:5: sem_wait %g_ready eq 1
// CHECK-NEXT:  @send at [0, 0], 568:5: sem_set %g_ready, 0
// CHECK-NEXT:  @send at [0, 0], 569:5: mcast_send %b to %g hold_path
// CHECK-NEXT: hint: sender and receiver push the same number of pages before each multicast, and the receiver reserves before it says that it is ready
spatial.program @parity(%T : memref<32x32xbf16>, %U : memref<32x32xbf16>, %count : index)
    target #spatial.target<"reference"> grid [1, 2] loops [k = ? max 4] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %count
    scf.for %k = %c0 to %n step %c1 {
      choreo.reserve %b
      choreo.read_tiles %T[%c0, %c0] into %b
      choreo.read_barrier
      choreo.push %b
    }
    choreo.reserve %b
    choreo.read_tiles %T[%c0, %c0] into %b
    choreo.read_barrier
    choreo.sem_wait %g_ready eq 1
    choreo.sem_set %g_ready, 0
    choreo.mcast_send %b to %g hold_path
    choreo.mcast_set_valid %g_valid to %g
    choreo.push %b
  }
  choreo.engine @take on move 1 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %count
    scf.for %k = %c0 to %n step %c1 {
      choreo.wait %b
      choreo.write_tiles %b into %U[%c0, %c0]
      choreo.write_barrier
      choreo.pop %b
    }
    choreo.wait %b
    choreo.write_tiles %b into %U[%c0, %c0]
    choreo.write_barrier
    choreo.pop %b
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.reserve %b
    choreo.sem_set %g_valid, invalid
    choreo.sem_inc %g_ready at sender of %g
    choreo.sem_wait %g_valid eq valid
    choreo.push %b
  }
  choreo.engine @other on move 1 at [0, 1] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.wait %b
    choreo.write_tiles %b into %U[%c0, %c0]
    choreo.write_barrier
    choreo.pop %b
  }
}

// ring-position: the receiver is told before it has room.
// CHECK:      counterexamples.mlir:636:7: warning: 'choreo.mcast_send' op refuted (ring-position): sends to %b at [0, 1], without knowing that the page is reserved there
// CHECK-NEXT: first: @recv at [0, 1], 647:7 (k = 0): reserve %b
// CHECK-NEXT: then: @send at [0, 0], 636:7 (k = 0): mcast_send %b to %g hold_path
// CHECK-NEXT: missing: @send at [0, 0] knows what @recv at [0, 1] has done only up to sem_inc %g_ready at sender of %g at 646:7 (k = 0)
// CHECK-NEXT: 9 events lead there: 6 of @send at [0, 0] (k = 0) and 3 of @recv at [0, 1] (k = 0)
// CHECK-NEXT: the last of them:
// CHECK-NEXT:  @recv at [0, 1], 645:7 (k = 0): sem_set %g_valid, invalid
// CHECK-NEXT:  @recv at [0, 1], 646:7 (k = 0): sem_inc %g_ready at sender of %g
// CHECK-NEXT:  @recv at [0, 1], 647:7 (k = 0): reserve %b
// CHECK-NEXT:  @send at [0, 0], 634:7 (k = 0): sem_wait %g_ready eq 1
// CHECK-NEXT:  @send at [0, 0], 635:7 (k = 0): sem_set %g_ready, 0
// CHECK-NEXT:  @send at [0, 0], 636:7 (k = 0): mcast_send %b to %g hold_path
// CHECK-NEXT: hint: this is enough: move `choreo.reserve %b` at 647:7 before `choreo.sem_inc %g_ready at sender of %g` at 646:7
spatial.program @not_ready(%T : memref<32x32xbf16>, %U : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:2] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %k = 0 to 2 {
      choreo.reserve %b
      choreo.read_tiles %T[%c0, %c0] into %b
      choreo.read_barrier
      choreo.sem_wait %g_ready eq 1
      choreo.sem_set %g_ready, 0
      choreo.mcast_send %b to %g hold_path
      choreo.mcast_set_valid %g_valid to %g
      choreo.push %b
    }
  }
  choreo.engine @recv on move 0 at [0, 1:2] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %k = 0 to 2 {
      choreo.sem_set %g_valid, invalid
      choreo.sem_inc %g_ready at sender of %g
      choreo.reserve %b
      choreo.sem_wait %g_valid eq valid
      choreo.push %b
    }
  }
  choreo.engine @take on move 1 at [0, 0:2] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %k = 0 to 2 {
      choreo.wait %b
      choreo.write_tiles %b into %U[%c0, %c0]
      choreo.write_barrier
      choreo.pop %b
    }
  }
}

// wrap: pages that are popped at once go around the end.
// CHECK:      counterexamples.mlir:698:7: warning: 'choreo.pop' op refuted (wrap): pops 2 pages of %p from position 2, but the ring ends after 3: pages that are moved at once lie side by side
// CHECK-NEXT: at: @store at [0, 0], 698:7 (k = 1): pop %p, 2
// CHECK-NEXT: 24 events lead there: 16 of @load at [0, 0] (k = 3) and 8 of @store at [0, 0] (k = 1)
// CHECK-NEXT: the last of them:
// CHECK-NEXT:  @load at [0, 0], 685:7 (k = 3): reserve %p
// CHECK-NEXT:  @load at [0, 0], 686:7 (k = 3): read_tiles %T[%c0, %c0] into %p
// CHECK-NEXT:  @load at [0, 0], 687:7 (k = 3): read_barrier
// CHECK-NEXT:  @load at [0, 0], 688:7 (k = 3): push %p
// CHECK-NEXT:  @store at [0, 0], 695:7 (k = 1): wait %p, 2
// CHECK-NEXT:  @store at [0, 0], 696:7 (k = 1): write_tiles %p into %U[%c0, %c0]
// CHECK-NEXT:  @store at [0, 0], 697:7 (k = 1): write_barrier
// CHECK-NEXT:  @store at [0, 0], 698:7 (k = 1): pop %p, 2
// CHECK-NEXT: hint: this is enough: `depth 4` for %p instead of 3
spatial.program @around(%T : memref<32x32xbf16>, %U : memref<32x32xbf16>)
    target #spatial.target<"reference"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 3 : !spatial.buffer<1x1xbf16>
  choreo.engine @load on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %k = 0 to 4 {
      choreo.reserve %p
      choreo.read_tiles %T[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @store on move 1 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    affine.for %k = 0 to 2 {
      choreo.wait %p, 2
      choreo.write_tiles %p into %U[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p, 2
    }
  }
}

// in-flight-at-end: nobody waits for the flag.
// CHECK:      counterexamples.mlir:716:5: warning: 'choreo.mcast_set_valid' op refuted (in-flight-at-end): may still be under way when all engines have ended: nothing waits for it
// CHECK-NEXT: last: @send at [0, 0], 716:5: mcast_set_valid %g_valid to %g
// CHECK-NEXT: missing: nobody has waited for the flag
// CHECK-NEXT: 1 event leads there: 1 of @send at [0, 0]
// CHECK-NEXT: hint: let an engine of the site it goes to wait for it
spatial.program @nobody_waits(%T : memref<32x32xbf16>, %U : memref<32x32xbf16>)
    target #spatial.target<"reference"> grid [1, 2] requires [semaphore] {
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.mcast_set_valid %g_valid to %g
  }
}

// semaphore-end: the flag ends at 1 for some trips, and others do not set it first.
// CHECK:      counterexamples.mlir:747:7: warning: 'choreo.sem_set' op refuted (semaphore-end): leaves %g_valid of [0, 1] at 1, but it starts at 0, and it is not set before it is used
// CHECK-NEXT: with trip %n = 1
// CHECK-NEXT: last: @recv at [0, 1], 747:7 (i1 = 0): sem_set %g_valid, valid
// CHECK-NEXT: 5 events lead there: 5 of @recv at [0, 1] (i1 = 0)
// CHECK-NEXT: in this order:
// CHECK-NEXT:  @recv at [0, 1], 740:13: %item = item
// CHECK-NEXT:  @recv at [0, 1], 741:10: %n = trip %lens[%item]
// CHECK-NEXT:  @recv at [0, 1], 743:7 (k = 0): sem_set %g_valid, invalid
// CHECK-NEXT:  @recv at [0, 1], 745:5: sem_wait %g_valid eq invalid
// CHECK-NEXT:  @recv at [0, 1], 747:7 (i1 = 0): sem_set %g_valid, valid
// CHECK-NEXT: hint: this is enough: move `choreo.sem_set %g_valid, invalid` at 743:7 before `scf.for %k = %c0 to %n step %c1` at 742:5
spatial.program @trip_of_each_item(%T : memref<32x32xbf16>, %U : memref<32x32xbf16>, %lens : memref<2xi32>)
    target #spatial.target<"reference"> grid [1, 2] loops [i = 2, k = ? max 1] requires [semaphore] {
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %item = choreo.item
    %n = choreo.trip %lens[%item]
    scf.for %k = %c0 to %n step %c1 {
      choreo.sem_set %g_valid, invalid
    }
    choreo.sem_wait %g_valid eq invalid
    scf.for %i1 = %c0 to %n step %c1 {
      choreo.sem_set %g_valid, valid
    }
  }
}

// modulus: the count gets larger than it can hold.
// CHECK:      counterexamples.mlir:769:5: warning: 'choreo.sem_inc' op refuted (modulus): makes %g_ready 2, but target 'reference' counts to 1
// CHECK-NEXT: at: @recv at [0, 1], 769:5: sem_inc %g_ready at sender of %g, 2
// CHECK-NEXT: 1 event leads there: 1 of @recv at [0, 1]
spatial.program @counter(%T : memref<32x32xbf16>, %U : memref<32x32xbf16>)
    target #spatial.target<"reference" {max_pages_counter = 1}> grid [1, 2] requires [semaphore] {
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.sem_wait %g_ready ge 2
    choreo.sem_set %g_ready, 0
  }
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.sem_inc %g_ready at sender of %g, 2
  }
}
