// RUN: not spatial-opt %s --split-input-file 2>&1 >/dev/null | filecheck %s --match-full-lines

// What a single engine does wrong, whatever the others do.

// The program as a whole: what it requires, where its engines stand, who is at the ends of a ring.

spatial.program @p() target #spatial.target<"reference"> grid [2, 2] {
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
  }
}

//      CHECK: {{.*}}engines_invalid.mlir:7:1: error: 'spatial.program' op has engines, but does not say what it requires
// CHECK-NEXT:   hint: add requires []

// -----

spatial.program @p() grid [2, 2] requires [] {
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:18:1: error: 'spatial.program' op has engines, but no target
// CHECK-NEXT:   hint: give it a `target`

// -----

spatial.program @p() target #spatial.target<"reference"> requires [] {
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:29:1: error: 'spatial.program' op has engines, but no grid
// CHECK-NEXT:   hint: give it a `grid`

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo, valid_ready] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %a
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:40:1: error: 'spatial.program' op requires [fifo, valid_ready], but its engines use [fifo]

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"fabric"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %a
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:56:5: error: 'choreo.wait' op needs the handshake `fifo`, but target 'fabric' provides valid_ready

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on move 7 {
  ^bb0(%y : index, %x : index):
    choreo.flush
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:66:3: error: 'choreo.engine' op runs on `move 7`, but target 'reference' has 4 movement engines, numbered from 0

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on move 0 at [1:4, 0] {
  ^bb0(%y : index, %x : index):
    choreo.flush
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:78:3: error: 'choreo.engine' op runs on sites [2:4, 0], outside the grid, which is [0:2, 0:2]

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @one on move 0 {
  ^bb0(%y : index, %x : index):
    choreo.flush
  }
  choreo.engine @two on move 0 at [1, 1] {
  ^bb0(%y : index, %x : index):
    choreo.flush
  }
  choreo.engine @three on move 1 at [1, 1] {
  ^bb0(%y : index, %x : index):
    choreo.flush
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:94:3: error: 'choreo.engine' op runs on `move 0` of sites [1, 1], where 'choreo.engine' op @one runs already
// CHECK-NEXT:   hint: each engine of a site has one program: give the two disjoint sets of sites

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @one on move 0 {
  ^bb0(%y : index, %x : index):
    choreo.wait %a
  }
  choreo.engine @two on move 1 at [1, 0:2] {
  ^bb0(%y : index, %x : index):
    choreo.wait %a
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:115:3: error: 'choreo.engine' op empties %a on sites [1, 0:2], where 'choreo.engine' op @one does so too
// CHECK-NEXT:   hint: a ring has one engine that fills it and one that empties it: give each its own buffer

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @one on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    choreo.reserve %a
  }
  choreo.engine @two on compute {
  ^bb0(%y : index, %x : index):
    choreo.reserve %a
    choreo.push %a
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:132:3: error: 'choreo.engine' op fills %a on sites [0, 0], where 'choreo.engine' op @one does so too
// CHECK-NEXT:   hint: a ring has one engine that fills it and one that empties it: give each its own buffer

// -----

// Values from elsewhere, ops on the wrong engine or the wrong site.

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    %q = "test.op"() : () -> !spatial.buffer<1x1xbf16>
    choreo.wait %q
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:151:5: error: 'choreo.wait' op uses %q as ring, which does not come from a `spatial.buffer` of its program

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo, semaphore] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on move 0 {
  ^bb0(%y : index, %x : index):
    %q = "test.op"() : () -> !spatial.group
    choreo.reserve %a
    choreo.mcast_send %a to %q
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:165:5: error: 'choreo.mcast_send' op uses %q as group, which does not come from a `spatial.group` of its program

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [semaphore] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on move 0 {
  ^bb0(%y : index, %x : index):
    %q = "test.op"() : () -> !choreo.ready
    choreo.sem_set %q, 0
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:178:5: error: 'choreo.sem_set' op uses %q as semaphore, which does not come from a `choreo.semaphores` of its program

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    %q = "test.op"() : () -> !choreo.acc<1xbf16>
    choreo.release %q
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:191:5: error: 'choreo.release' op uses %q as accumulator, which does not come from a `choreo.acquire` of its program

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    choreo.read_barrier
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:203:5: error: 'choreo.read_barrier' op stands on `compute`, but is for a movement engine

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on move 0 {
  ^bb0(%y : index, %x : index):
    %acc = choreo.acquire 1xbf16
    choreo.release %acc
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:215:12: error: 'choreo.acquire' op stands on `move 0`, but is for the compute engine
// CHECK-NEXT: {{.*}}engines_invalid.mlir:216:5: error: 'choreo.release' op stands on `move 0`, but is for the compute engine

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [semaphore] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0:2] to [1, 0:2] along y
  %ready, %valid = choreo.semaphores %g
  choreo.engine @e on move 0 {
  ^bb0(%y : index, %x : index):
    choreo.sem_inc %ready at sender of %g
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:231:5: error: 'choreo.sem_inc' op runs on [0, 0:2], but the receivers of %g are [1, 0:2]

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo, semaphore] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0:2] to [1, 0:2] along y
  %ready, %valid = choreo.semaphores %g
  choreo.engine @e on move 0 {
  ^bb0(%y : index, %x : index):
    choreo.reserve %a
    choreo.mcast_send %a to %g
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:246:5: error: 'choreo.mcast_send' op runs on [1, 0:2], but the senders of %g are [0, 0:2]

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 3] requires [semaphore] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0:2] to [1, 0:2] along y
  %ready, %valid = choreo.semaphores %g
  choreo.engine @e on move 0 {
  ^bb0(%y : index, %x : index):
    choreo.sem_wait %ready eq 0
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:260:5: error: 'choreo.sem_wait' op runs on [0, 2] + [1, 0:3], but the senders of %g are [0, 0:2]

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %b
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:273:5: error: 'choreo.wait' op uses %b, which has no depth

// -----

// Accumulators.

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"wormhole"> grid [2, 2] requires [] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    %acc = choreo.acquire 5xf32
    choreo.release %acc
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:287:12: error: 'choreo.acquire' op acquires 5 tiles of f32, but target 'wormhole' holds 4 of 32 bits
// CHECK-NEXT:   hint: make the pages smaller, or use sub-blocks

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"wormhole"> grid [2, 2] requires [] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    %acc = choreo.acquire 9xbf16
    choreo.release %acc
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:301:12: error: 'choreo.acquire' op acquires 9 tiles of bf16, but target 'wormhole' holds 8 of 16 bits
// CHECK-NEXT:   hint: make the pages smaller, or use sub-blocks

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    %acc = choreo.acquire 1xbf16
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:315:12: error: 'choreo.acquire' op acquires %acc, which is not released at the end of the engine
// CHECK-NEXT:   hint: put `choreo.release %acc` behind its last use

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    %one = choreo.acquire 1xbf16
    %two = choreo.acquire 1xbf16
    choreo.release %two
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:329:12: error: 'choreo.acquire' op acquires a second accumulator while %one is live
// CHECK-NEXT:   hint: an engine has one at a time: put a `choreo.release` before it

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    %acc = choreo.acquire 1xbf16
    choreo.release %acc
    choreo.release %acc
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:345:5: error: 'choreo.release' op uses accumulator %acc, which is not live at this point
// CHECK-NEXT:   hint: an accumulator lives from its `choreo.acquire` to its `choreo.release`

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    choreo.reserve %a
    %acc = choreo.acquire 1xbf16
    choreo.release %acc
    choreo.pack %acc into %a
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:361:5: error: 'choreo.pack' op uses accumulator %acc, which is not live at this point
// CHECK-NEXT:   hint: an accumulator lives from its `choreo.acquire` to its `choreo.release`

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    %acc = choreo.acquire 1xbf16
    affine.for %k = 0 to 2 {
      choreo.release %acc
    }
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:376:7: error: 'choreo.release' op uses accumulator %acc, which is not live at this point, in a later iteration of its loop
// CHECK-NEXT:   hint: an accumulator lives from its `choreo.acquire` to its `choreo.release`

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    affine.for %k = 0 to 2 {
      %acc = choreo.acquire 1xbf16
    }
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:391:14: error: 'choreo.acquire' op acquires a second accumulator while %acc is live, in a later iteration of its loop
// CHECK-NEXT:   hint: an engine has one at a time: put a `choreo.release` before it

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    %acc = choreo.acquire 1xbf16
    %t = arith.constant true
    scf.if %t {
      choreo.release %acc
    }
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:405:12: error: 'choreo.acquire' op acquires %acc, which is not released at the end of the engine
// CHECK-NEXT:   hint: put `choreo.release %acc` behind its last use

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %acc = choreo.acquire 1xbf16
    scf.for %k = %c0 to %n step %c1 {
      choreo.release %acc
    }
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:424:12: error: 'choreo.acquire' op acquires %acc, which is not released at the end of the engine
// CHECK-NEXT:   hint: put `choreo.release %acc` behind its last use
// CHECK-NEXT: {{.*}}engines_invalid.mlir:426:7: error: 'choreo.release' op uses accumulator %acc, which is not live at this point, in a later iteration of its loop
// CHECK-NEXT:   hint: an accumulator lives from its `choreo.acquire` to its `choreo.release`

// -----

// Pages: no push without a reserve, no pop without a wait, nothing read or filled before.

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    choreo.push %a
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:444:5: error: 'choreo.push' op pushes 1 page of %a, but none is reserved at this point
// CHECK-NEXT:   hint: put `choreo.reserve %a` before it

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    choreo.reserve %a
    choreo.push %a, 2
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:458:5: error: 'choreo.push' op pushes 2 pages of %a, but 1 is reserved at this point
// CHECK-NEXT:   hint: put `choreo.reserve %a, 2` before it

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %a
    choreo.pop %a
    choreo.pop %a
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:473:5: error: 'choreo.pop' op pops 1 page of %a, but none is waited for at this point
// CHECK-NEXT:   hint: put `choreo.wait %a` before it

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %a
    choreo.push %a
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:487:5: error: 'choreo.push' op pushes 1 page of %a, but none is reserved at this point
// CHECK-NEXT:   hint: put `choreo.reserve %a` before it

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on move 0 {
  ^bb0(%y : index, %x : index):
    choreo.read_tiles %A[%y, %x] into %a
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:500:5: error: 'choreo.read_tiles' op fills 1 page of %a, but none is reserved at this point
// CHECK-NEXT:   hint: put `choreo.reserve %a` before it

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %i = spatial.buffer depth 4 : !spatial.buffer<1x1xi32>
  choreo.engine @e on move 0 {
  ^bb0(%y : index, %x : index):
    choreo.reserve %a
    choreo.read_tiles %A[%y, %x] into %a rows from %i
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:515:5: error: 'choreo.read_tiles' op reads 1 page of %i, but none is waited for at this point
// CHECK-NEXT:   hint: put `choreo.wait %i` before it

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %i = spatial.buffer depth 4 : !spatial.buffer<1x1xi32>
  choreo.engine @e on move 0 {
  ^bb0(%y : index, %x : index):
    choreo.write_tiles %a into %A[%y, %x] rows from %i
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:529:5: error: 'choreo.write_tiles' op reads 1 page of %a, but none is waited for at this point
// CHECK-NEXT:   hint: put `choreo.wait %a` before it

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %i = spatial.buffer depth 4 : !spatial.buffer<1x1xi32>
  choreo.engine @e on move 0 {
  ^bb0(%y : index, %x : index):
    %ind = choreo.load_index %i
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:543:12: error: 'choreo.load_index' op reads 1 page of %i, but none is waited for at this point
// CHECK-NEXT:   hint: put `choreo.wait %i` before it

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo, semaphore] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0:2] to [1, 0:2] along y
  %ready, %valid = choreo.semaphores %g
  choreo.engine @e on move 0 at [0, 0:2] {
  ^bb0(%y : index, %x : index):
    choreo.reserve %a
    choreo.mcast_send %a to %g, 2
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:559:5: error: 'choreo.mcast_send' op sends 2 pages of %a, but 1 is reserved at this point
// CHECK-NEXT:   hint: put `choreo.reserve %a, 2` before it

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %a
    %acc = choreo.acquire 1xbf16
    choreo.matmul %acc, %a, %b reload %d
    choreo.pack %acc into %d accumulate
    choreo.release %acc
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:576:5: error: 'choreo.matmul' op reads 1 page of %b, but none is waited for at this point
// CHECK-NEXT:   hint: put `choreo.wait %b` before it
// CHECK-NEXT: {{.*}}engines_invalid.mlir:577:5: error: 'choreo.pack' op fills 1 page of %d, but none is reserved at this point
// CHECK-NEXT:   hint: put `choreo.reserve %d` before it

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0:2] to [1, 0:2] along y
  %ready, %valid = choreo.semaphores %g
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    %acc = choreo.acquire 1xbf16
    choreo.dot %acc, %a, %b
    choreo.map %acc (%a) {
    ^bb0(%0 : f32):
      spatial.yield %0 : f32
    }
    choreo.reduce max cols %acc, %a
    choreo.all_reduce add %acc, %a across %g
    choreo.release %acc
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:597:5: error: 'choreo.dot' op reads 1 page of %a, but none is waited for at this point
// CHECK-NEXT:   hint: put `choreo.wait %a` before it
// CHECK-NEXT: {{.*}}engines_invalid.mlir:598:5: error: 'choreo.map' op reads 1 page of %a, but none is waited for at this point
// CHECK-NEXT:   hint: put `choreo.wait %a` before it
// CHECK-NEXT: {{.*}}engines_invalid.mlir:602:5: error: 'choreo.reduce' op reads 1 page of %a, but none is waited for at this point
// CHECK-NEXT:   hint: put `choreo.wait %a` before it
// CHECK-NEXT: {{.*}}engines_invalid.mlir:603:5: error: 'choreo.all_reduce' op reads 1 page of %a, but none is waited for at this point
// CHECK-NEXT:   hint: put `choreo.wait %a` before it

// -----

// Loops: a change of each iteration adds up.

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    choreo.reserve %a, 4
    affine.for %h = 0 to 5 {
      choreo.push %a
    }
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:627:7: error: 'choreo.push' op pushes 1 page of %a, but none is reserved at this point, in a later iteration of its loop
// CHECK-NEXT:   hint: put `choreo.reserve %a` before it

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    choreo.reserve %a, 4
    affine.for %h = 0 to 1000000000 {
      affine.for %w = 0 to 2 {
        choreo.push %a
      }
    }
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:644:9: error: 'choreo.push' op pushes 1 page of %a, but none is reserved at this point, in a later iteration of its loop
// CHECK-NEXT:   hint: put `choreo.reserve %a` before it

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    choreo.reserve %a, 4
    affine.for %h = 0 to 1000000000 {
      affine.for %w = 0 to 1000000000 {
        choreo.push %a, 2
        choreo.reserve %a
      }
    }
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:662:9: error: 'choreo.push' op pushes 2 pages of %a, but 1 is reserved at this point, in a later iteration of its loop
// CHECK-NEXT:   hint: put `choreo.reserve %a, 2` before it

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    choreo.wait %a, 4
    scf.for %k = %c0 to %n step %c1 {
      choreo.pop %a
    }
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:681:5: error: 'scf.for' op takes 1 more page of %a than are waited for in each of its iterations, whose number is known at run time only
// CHECK-NEXT:   hint: wait for in the loop what it takes

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %k = %c0 to %n step %c1 {
      choreo.wait %a
    }
    choreo.pop %a
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:701:5: error: 'choreo.pop' op pops 1 page of %a, but none is waited for at this point
// CHECK-NEXT:   hint: put `choreo.wait %a` before it

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    %t = arith.constant true
    scf.if %t {
      choreo.wait %a
    } else {
      choreo.wait %b
    }
    choreo.pop %a
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:721:5: error: 'choreo.pop' op pops 1 page of %a, but none is waited for at this point
// CHECK-NEXT:   hint: put `choreo.wait %a` before it

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %a
    "test.op"() ({
      choreo.pop %a
      "test.termop"() : () -> ()
    }) : () -> ()
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:735:5: error: 'test.op' op takes 1 more page of %a than are waited for in each of its iterations, whose number is known at run time only
// CHECK-NEXT:   hint: wait for in the loop what it takes

// -----

// A held path.

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo, semaphore] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0:2] to [1, 0:2] along y
  %ready, %valid = choreo.semaphores %g
  %h = spatial.group from [0:2, 0] to [0:2, 1] along x
  %h_ready, %h_valid = choreo.semaphores %h
  choreo.engine @e on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    choreo.reserve %a
    choreo.mcast_send %a to %g hold_path
    choreo.mcast_send %a to %h hold_path
    choreo.mcast_set_valid %h_valid to %h
    choreo.push %a
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:759:5: error: 'choreo.mcast_send' op multicasts to %h, while the path to %g is held
// CHECK-NEXT:   hint: the next multicast after a `hold_path` send goes to the same group

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo, semaphore] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0:2] to [1, 0:2] along y
  %ready, %valid = choreo.semaphores %g
  %h = spatial.group from [0:2, 0] to [0:2, 1] along x
  %h_ready, %h_valid = choreo.semaphores %h
  choreo.engine @e on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    affine.for %k = 0 to 2 {
      choreo.reserve %a
      choreo.mcast_send %a to %g
      choreo.mcast_send %a to %h hold_path
      choreo.push %a
    }
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:780:7: error: 'choreo.mcast_send' op multicasts to %g, while the path to %h is held, in a later iteration of its loop
// CHECK-NEXT:   hint: the next multicast after a `hold_path` send goes to the same group

// -----

// Several blocks: what is wrong on every path.

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %a
    cf.br ^head(%y : index)
    ^head(%k : index):
      %more = arith.cmpi slt, %k, %n : index
      cf.cond_br %more, ^body, ^end
    ^body:
      choreo.pop %a
      choreo.push %a
          choreo.reserve %a
      %next = arith.addi %k, %x : index
      cf.br ^head(%next : index)
    ^end:
      choreo.pop %a, 2
      choreo.end
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:810:7: error: 'choreo.pop' op pops 2 pages of %a, but 1 is waited for at this point
// CHECK-NEXT:   hint: put `choreo.wait %a, 2` before it

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    %one = choreo.acquire 1xbf16
    cf.br ^next
    ^next:
      %two = choreo.acquire 1xbf16
      cf.br ^end
    ^end:
      choreo.release %one
      choreo.end
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:827:14: error: 'choreo.acquire' op acquires a second accumulator while %one is live
// CHECK-NEXT:   hint: an engine has one at a time: put a `choreo.release` before it
// CHECK-NEXT: {{.*}}engines_invalid.mlir:830:7: error: 'choreo.release' op uses accumulator %one, which is not live at this point
// CHECK-NEXT:   hint: an accumulator lives from its `choreo.acquire` to its `choreo.release`

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [] {
  %a = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    cf.br ^next
    ^next:
      %acc = choreo.acquire 1xbf16
      cf.br ^end
    ^end:
      choreo.end
  }
}

// CHECK-NEXT: {{.*}}engines_invalid.mlir:848:14: error: 'choreo.acquire' op acquires %acc, which is not released at the end of the engine
// CHECK-NEXT:   hint: put `choreo.release %acc` behind its last use

//  CHECK-NOT: {{.+}}
