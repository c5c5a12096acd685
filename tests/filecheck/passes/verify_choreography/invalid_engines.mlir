// RUN: not spatial-opt %s --split-input-file --verify-choreography="keep-going=true" 2>&1 >/dev/null | filecheck %s

// What a single engine, or the text of a program, does wrong whatever the others do: the verifier
// refuses it, and nothing is left to prove.

// rule 6, rejected: the pop is moved behind the next wait, which takes nothing; two pops follow one
// page that is waited for.
spatial.program @pop_moved(%C : memref<32x32xbf16>) target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    choreo.wait %p
    choreo.write_tiles %p into %C[%c0, %c0]
    choreo.write_barrier
    choreo.wait %p
    choreo.write_tiles %p into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %p
    // CHECK: invalid_engines.mlir:[[# @LINE + 1]]:5: error: 'choreo.pop' op pops 1 page of %p, but none is waited for
    choreo.pop %p
  }
}

// -----

// rule 9, rejected: two engines of a site empty one ring.
spatial.program @two_poppers() target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %p
    choreo.pop %p
  }
  // CHECK: invalid_engines.mlir:[[# @LINE + 1]]:3: error: 'choreo.engine' op empties %p on sites [0, 0], where 'choreo.engine' op @compute does so too
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    choreo.wait %p
    choreo.pop %p
  }
}

// -----

// rule 9, rejected: one of them only waits.
spatial.program @popper_and_waiter() target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %p
    choreo.pop %p
  }
  // CHECK: invalid_engines.mlir:[[# @LINE + 1]]:3: error: 'choreo.engine' op empties %p on sites [0, 0], where 'choreo.engine' op @compute does so too
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    choreo.wait %p
  }
}

// -----

// rule 9, rejected: two engines of a site fill one ring.
spatial.program @two_pushers() target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @one on move 0 {
  ^bb0(%y : index, %x : index):
    choreo.reserve %p
    choreo.push %p
  }
  // CHECK: invalid_engines.mlir:[[# @LINE + 1]]:3: error: 'choreo.engine' op fills %p on sites [0, 0], where 'choreo.engine' op @one does so too
  choreo.engine @other on move 1 {
  ^bb0(%y : index, %x : index):
    choreo.reserve %p
    choreo.push %p
  }
}

// -----

// rule 12, rejected: 113 pages of a ring that holds 64.
spatial.program @request_too_large() target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 64 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    // CHECK: invalid_engines.mlir:[[# @LINE + 1]]:5: error: 'choreo.reserve' op asks for 113 pages of %p, whose ring holds 64
    choreo.reserve %p, 113
    choreo.push %p, 113
  }
}

// -----

// rule 26, rejected: the window is larger than the ring.
spatial.program @window_too_large() target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    affine.for %i = 0 to 4 {
      // CHECK: invalid_engines.mlir:[[# @LINE + 1]]:7: error: 'choreo.wait' op asks for 3 pages of %p, whose ring holds 2
      choreo.wait %p, 3
      choreo.pop %p
    }
  }
}

// -----

// rule 26, rejected: more is popped than the window moves on by.
spatial.program @window_overtaken() target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %p, 3
    affine.for %i = 0 to 4 {
      // CHECK: invalid_engines.mlir:[[# @LINE + 1]]:7: error: 'choreo.pop' op pops 1 page of %p, but none is waited for
      choreo.pop %p
    }
  }
}

// -----

// rule 14, rejected: a ring of 4 pages on counters that count to 3: full looks like empty.
spatial.program @ring_not_counted() target #spatial.target<"wormhole" {max_pages_counter = 3}> grid [1, 1] requires [] {
  // CHECK: invalid_engines.mlir:[[# @LINE + 1]]:8: error: 'spatial.buffer' op %p is 4 pages deep, but counters of target 'wormhole' hold at most 3
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    choreo.flush
  }
}

// -----

// rule 14, rejected: page 65536 of a ring that has as many.
spatial.program @counter_comes_round() target #spatial.target<"wormhole"> grid [1, 1] requires [] {
  // CHECK: invalid_engines.mlir:[[# @LINE + 1]]:8: error: 'spatial.buffer' op %p is 65536 pages deep, but counters of target 'wormhole' hold at most 65535
  %p = spatial.buffer depth 65536 : !spatial.buffer<1x1xui8>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    choreo.flush
  }
}

// -----

// rule 16, rejected: the sender sets its copy of the flag, from which the flag is sent, next to the
// send.
spatial.program @sender_sets_flag() target #spatial.target<"wormhole"> grid [1, 2] requires [semaphore] {
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    // CHECK: invalid_engines.mlir:[[# @LINE + 1]]:5: error: 'choreo.sem_set' op runs on [0, 0], but the receivers of %g are [0, 1]
    choreo.sem_set %g_valid, valid
    choreo.mcast_set_valid %g_valid to %g
    choreo.sem_set %g_valid, invalid
  }
}

// -----

// rule 19, rejected: a receiver sets a count of its own, which nobody increments.
spatial.program @receiver_sets_count() target #spatial.target<"wormhole"> grid [1, 2] requires [semaphore] {
  %g = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @recv on move 0 at [0, 1] {
  ^bb0(%y : index, %x : index):
    // CHECK: invalid_engines.mlir:[[# @LINE + 1]]:5: error: 'choreo.sem_set' op runs on [0, 1], but the senders of %g are [0, 0]
    choreo.sem_set %g_ready, 0
    choreo.sem_inc %g_ready at sender of %g
  }
}

// -----

// rule 21, rejected: a second stream while the path of the first is held.
spatial.program @two_paths() target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %h = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  %h_ready, %h_valid = choreo.semaphores %h
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    choreo.reserve %a
    choreo.reserve %b
    choreo.mcast_send %a to %g hold_path
    // CHECK: invalid_engines.mlir:[[# @LINE + 1]]:5: error: 'choreo.mcast_send' op multicasts to %h, while the path to %g is held
    choreo.mcast_send %b to %h hold_path
    choreo.mcast_set_valid %g_valid to %g
    choreo.mcast_set_valid %h_valid to %h
    choreo.push %a
    choreo.push %b
  }
}

// -----

// rule 21, rejected: the flag of another stream on a path that is held.
spatial.program @flag_of_another() target #spatial.target<"wormhole"> grid [1, 2] requires [fifo, semaphore] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  %h = spatial.group from [0, 0] to [0, 1] along x
  %g_ready, %g_valid = choreo.semaphores %g
  %h_ready, %h_valid = choreo.semaphores %h
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    choreo.reserve %a
    choreo.mcast_send %a to %g hold_path
    // CHECK: invalid_engines.mlir:[[# @LINE + 1]]:5: error: 'choreo.mcast_set_valid' op multicasts to %h, while the path to %g is held
    choreo.mcast_set_valid %h_valid to %h
    choreo.mcast_set_valid %g_valid to %g
    choreo.push %a
  }
}

// -----

// rule 22, rejected: partial sums are read back without a push and a wait.
spatial.program @read_back_at_once() target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %a
    choreo.reserve %p
    %acc0 = choreo.acquire 1xbf16
    choreo.matmul %acc0, %a, %a
    choreo.pack %acc0 into %p
    choreo.release %acc0
    %acc1 = choreo.acquire 1xbf16
    // CHECK: invalid_engines.mlir:[[# @LINE + 1]]:5: error: 'choreo.matmul' op reads 1 page of %p, but none is waited for
    choreo.matmul %acc1, %a, %a reload %p
    choreo.release %acc1
    choreo.pop %a
  }
}

// -----

// rule 24, rejected: 8 tiles of 32 bit where the target holds 4.
spatial.program @too_many_tiles() target #spatial.target<"wormhole"> grid [1, 1] requires [] {
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    // CHECK: invalid_engines.mlir:[[# @LINE + 1]]:12: error: 'choreo.acquire' op acquires 8 tiles of f32, but target 'wormhole' holds 4 of 32 bits
    %acc = choreo.acquire 8xf32
    choreo.release %acc
  }
}

// -----

// rule 32, rejected: two senders of one group share the count and the flag of a receiver.
spatial.program @two_senders() target #spatial.target<"wormhole"> grid [1, 3] requires [semaphore] {
  // CHECK: invalid_engines.mlir:[[# @LINE + 1]]:8: error: 'spatial.group' op receiver [0, 2] hears two senders, [0, 0] and [0, 1]
  %g = spatial.group from [0, 0:2] to [0, 2] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @recv on move 0 at [0, 2] {
  ^bb0(%y : index, %x : index):
    choreo.sem_inc %g_ready at sender of %g
  }
}

// -----

// rule 48, rejected: an accumulator is packed after its release.
spatial.program @packed_after_release() target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    choreo.reserve %c
    %acc = choreo.acquire 1xbf16
    choreo.release %acc
    // CHECK: invalid_engines.mlir:[[# @LINE + 1]]:5: error: 'choreo.pack' op uses accumulator %acc, which is not live
    choreo.pack %acc into %c
    choreo.push %c
  }
}

// -----

// rule 48, rejected: it is released in each iteration, but acquired once.
spatial.program @released_in_loop() target #spatial.target<"wormhole"> grid [1, 1] requires [] {
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    %acc = choreo.acquire 1xbf16
    affine.for %i = 0 to 2 {
      // CHECK: invalid_engines.mlir:[[# @LINE + 1]]:7: error: 'choreo.release' op uses accumulator %acc, which is not live
      choreo.release %acc
    }
  }
}

// CHECK-NOT: {{warning|remark|error}}:
