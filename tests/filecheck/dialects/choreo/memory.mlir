// RUN: spatial-opt %s --split-input-file | filecheck %s

// Rings of a compute engine in the same memory. In each round, %t is empty again when %u is filled.
// %v is filled in one loop and emptied in the next; %w follows.
// CHECK-LABEL: spatial.program @by_turns(
spatial.program @by_turns()
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %t = spatial.buffer depth 1 address 131072 : !spatial.buffer<1x1xf32>
  %u = spatial.buffer depth 1 address 131072 : !spatial.buffer<1x1xf32>
  %v = spatial.buffer depth 4 address 131072 : !spatial.buffer<1x1xf32>
  %w = spatial.buffer depth 1 address 131072 : !spatial.buffer<1x1xf32>
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    %acc = choreo.acquire 1xf32
    affine.for %i = 0 to 1000 {
      choreo.reserve %t
      choreo.pack %acc into %t
      choreo.push %t
      choreo.wait %t
      choreo.pop %t
      choreo.reserve %u
      choreo.pack %acc into %u
      choreo.push %u
      choreo.wait %u
      choreo.pop %u
    }
    affine.for %i = 0 to 4 {
      choreo.reserve %v
      choreo.pack %acc into %v
      choreo.push %v
    }
    affine.for %i = 0 to 2 {
      choreo.wait %v, 2
      choreo.pop %v, 2
    }
    choreo.reserve %w
    choreo.pack %acc into %w
    choreo.push %w
    choreo.wait %w
    choreo.pop %w
    choreo.release %acc
  }
}

// -----

// Engines of different sites, where the rings are used in another order.
// CHECK-LABEL: spatial.program @sites(
spatial.program @sites()
    target #spatial.target<"wormhole"> grid [1, 2] requires [fifo] {
  %t = spatial.buffer depth 1 address 131072 : !spatial.buffer<1x1xf32>
  %u = spatial.buffer depth 1 address 131072 : !spatial.buffer<1x1xf32>
  choreo.engine @left on compute at [0, 0] {
  ^bb0(%y : index, %x : index):
    choreo.reserve %t
    choreo.push %t
    choreo.wait %t
    choreo.pop %t
    choreo.reserve %u
    choreo.push %u
    choreo.wait %u
    choreo.pop %u
  }
  choreo.engine @right on compute at [0, 1] {
  ^bb0(%y : index, %x : index):
    choreo.reserve %u
    choreo.push %u
    choreo.wait %u
    choreo.pop %u
    choreo.reserve %t
    choreo.push %t
    choreo.wait %t
    choreo.pop %t
  }
}
