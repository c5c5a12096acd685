// RUN: spatial-opt %s --split-input-file --verify-diagnostics | filecheck %s

// %u is filled while %t holds a page.
// CHECK: error: 'spatial.buffer' op %u is in bytes 133120 to 137216, but %t is in 131072 to 135168, and both may hold pages at the same time
// CHECK-NEXT: hint: move one of them, or let size-buffers choose the addresses
spatial.program @at_once()
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %t = spatial.buffer depth 1 address 131072 : !spatial.buffer<1x1xf32>
  %u = spatial.buffer depth 1 address 133120 : !spatial.buffer<1x1xf32>
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    choreo.reserve %t
    choreo.push %t
    choreo.reserve %u
    choreo.push %u
    choreo.wait %t
    choreo.pop %t
    choreo.wait %u
    choreo.pop %u
  }
}

// -----

// From round to round, %t holds a page.
// CHECK: error: 'spatial.buffer' op %u is in bytes 131072 to 135168, but %t is in 131072 to 135168, and both
spatial.program @from_round_to_round()
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %t = spatial.buffer depth 1 address 131072 : !spatial.buffer<1x1xf32>
  %u = spatial.buffer depth 1 address 131072 : !spatial.buffer<1x1xf32>
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    choreo.reserve %t
    choreo.push %t
    affine.for %i = 0 to 3 {
      choreo.wait %t
      choreo.pop %t
      choreo.reserve %u
      choreo.push %u
      choreo.wait %u
      choreo.pop %u
      choreo.reserve %t
      choreo.push %t
    }
    choreo.wait %t
    choreo.pop %t
  }
}

// -----

// What is added to stays in memory after its page was popped.
// CHECK: error: 'spatial.buffer' op %u is in bytes 131072 to 135168, but %p is in 131072 to 135168, and both
spatial.program @partial_sums()
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %p = spatial.buffer depth 1 address 131072 : !spatial.buffer<1x1xf32>
  %u = spatial.buffer depth 1 address 131072 : !spatial.buffer<1x1xf32>
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    %acc = choreo.acquire 1xf32
    choreo.reserve %p
    choreo.pack %acc into %p
    choreo.push %p
    choreo.wait %p
    choreo.pop %p
    choreo.reserve %u
    choreo.pack %acc into %u
    choreo.push %u
    choreo.wait %u
    choreo.pop %u
    choreo.reserve %p
    choreo.pack %acc into %p accumulate
    choreo.push %p
    choreo.wait %p
    choreo.pop %p
    choreo.release %acc
  }
}

// -----

// Rounds that are known at run time only may leave pages.
// CHECK: error: 'spatial.buffer' op %t is in bytes 131072 to 139264, but %u is in 131072 to 135168, and both
spatial.program @some_rounds(%n : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 4] requires [fifo] {
  %t = spatial.buffer depth 4 address 131072 : !spatial.buffer<1x1xbf16>
  %u = spatial.buffer depth 2 address 131072 : !spatial.buffer<1x1xbf16>
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    %trip = choreo.trip %n
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %k = %c0 to %trip step %c1 {
      choreo.reserve %t
      choreo.push %t
    }
    scf.for %k = %c0 to %trip step %c1 {
      choreo.wait %t
      choreo.pop %t
    }
    choreo.reserve %u
    choreo.push %u
    choreo.wait %u
    choreo.pop %u
  }
}

// -----

// A movement engine fills %t whenever there is room.
// CHECK: error: 'spatial.buffer' op %u is in bytes 131072 to 135168, but %t is in 131072 to 135168, and both
spatial.program @moved(%X : memref<32x32xf32>)
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %t = spatial.buffer depth 1 address 131072 : !spatial.buffer<1x1xf32>
  %u = spatial.buffer depth 1 address 131072 : !spatial.buffer<1x1xf32>
  choreo.engine @in on move 0 {
  ^bb0(%y : index, %x : index):
    choreo.reserve %t
    choreo.read_tiles %X[%y, %x] into %t
    choreo.read_barrier
    choreo.push %t
  }
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %t
    choreo.pop %t
    choreo.reserve %u
    choreo.push %u
    choreo.wait %u
    choreo.pop %u
  }
}

// -----

// With jumps it is not looked at.
// CHECK: warning: 'spatial.program' op @jumps has rings in the same memory and engines with jumps: whether the rings hold pages at the same time is not checked
spatial.program @jumps()
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %t = spatial.buffer depth 1 address 131072 : !spatial.buffer<1x1xf32>
  %u = spatial.buffer depth 1 address 131072 : !spatial.buffer<1x1xf32>
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    choreo.reserve %t
    choreo.push %t
    choreo.wait %t
    choreo.pop %t
    cf.br ^bb1
  ^bb1:
    choreo.reserve %u
    choreo.push %u
    choreo.wait %u
    choreo.pop %u
    choreo.end
  }
}
