// RUN: spatial-opt %s --split-input-file | filecheck %s
// RUN: spatial-opt %s --split-input-file --lower-affine --convert-scf-to-cf | filecheck %s
// RUN: spatial-opt %s --split-input-file --lower-affine --canonicalize | filecheck %s

// Engines that look wrong to a careless check, and are not. Loops cost no more than their text.

// Partial sums and results share their memory: the result's pages are reserved before the first
// block, and the last one pushes them without reserving again.
spatial.program @in_place() target #spatial.target<"reference"> grid [1, 1] requires [fifo] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 1000000 : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer depth 1000000 alias %p : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    choreo.reserve %c, 1000000
    choreo.wait %a
    affine.for %h = 0 to 1000 {
      affine.for %w = 0 to 1000 {
        %acc = choreo.acquire 1xbf16
        choreo.matmul %acc, %a, %a
        choreo.reserve %p
        choreo.pack %acc into %p
        choreo.push %p
        choreo.release %acc
      }
    }
    choreo.pop %a
    choreo.wait %a
    affine.for %h = 0 to 1000 {
      affine.for %w = 0 to 1000 {
        %acc = choreo.acquire 1xbf16
        choreo.matmul %acc, %a, %a
        choreo.pack %acc into %c accumulate
        choreo.push %c
        choreo.release %acc
      }
    }
    choreo.pop %a
  }
}

// CHECK-LABEL: spatial.program @in_place

// -----

// A page that is held over a loop is waited for again inside, and its trip is known at run time
// only; a wait inside the loop is no reason to pop behind it.
spatial.program @held(%n : index) target #spatial.target<"reference"> grid [1, 1] requires [fifo] {
  %q = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %k = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    %trip = choreo.trip %n
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    choreo.wait %k, 2
    scf.for %i = %c0 to %trip step %c1 {
      choreo.wait %q
      choreo.wait %k
      %acc = choreo.acquire 1xbf16
      choreo.dot %acc, %q, %k
      choreo.release %acc
      choreo.pop %k
      choreo.wait %k, 2
    }
    choreo.pop %k, 2
    choreo.wait %q
    choreo.pop %q
  }
}

// CHECK-LABEL: spatial.program @held

// -----

// A loop that takes one of several pages it does not need, down to what it makes sure of itself.
spatial.program @saturates() target #spatial.target<"reference"> grid [1, 1] requires [fifo] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %a, 4
    affine.for %i = 0 to 1000000000 {
      choreo.wait %a, 2
      affine.for %j = 0 to 2 {
        choreo.pop %a
      }
    }
  }
}

// CHECK-LABEL: spatial.program @saturates

// -----

// An accumulator over a loop, both sides of a condition, a loop without an iteration.
spatial.program @paths(%t : index) target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    %acc = choreo.acquire 4xf32
    affine.for %i = 0 to 8 {
      choreo.wait %a
      choreo.pop %a
    }
    %even = arith.cmpi eq, %t, %x : index
    scf.if %even {
      choreo.wait %a, 2
      choreo.pop %a
    } else {
      choreo.wait %a
    }
    choreo.pop %a
    choreo.release %acc
    affine.for %i = 3 to 3 {
      choreo.wait %a
    }
  }
}

// CHECK-LABEL: spatial.program @paths

// -----

// Engines share a ring or the name of a semaphore on different sites.
spatial.program @sites() target #spatial.target<"reference"> grid [2, 2] requires [fifo, semaphore] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %rows = spatial.group from [0:2, 0] to [0:2, 1] along x
  %cols = spatial.group from [0, 0:2] to [1, 0:2] along y
  %rows_ready, %rows_valid = choreo.semaphores %rows
  %cols_ready, %cols_valid = choreo.semaphores %cols
  choreo.engine @left on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    affine.for %i = 0 to 8 {
      choreo.reserve %a
      choreo.mcast_send %a to %rows hold_path
      choreo.mcast_set_valid %rows_valid to %rows
      choreo.mcast_send %a to %cols hold_path
      choreo.mcast_set_valid %cols_valid to %cols
      choreo.push %a
    }
  }
  choreo.engine @right on move 1 at [0, 1] + [1, 0:2] {
  ^bb0(%y : index, %x : index):
    choreo.reserve %a
    choreo.push %a
  }
}

// CHECK-LABEL: spatial.program @sites
