// RUN: not spatial-opt %s --split-input-file 2>&1 >/dev/null | filecheck %s --match-full-lines

// Where ops may stand.

choreo.read_barrier

//      CHECK: {{.*}}ops_invalid.mlir:5:1: error: 'choreo.read_barrier' op 'choreo.read_barrier' expects ancestor op 'choreo.engine'

// -----

%g = spatial.group from [0, 0] to [1, 0] along y
%ready, %valid = choreo.semaphores %g

// CHECK-NEXT: {{.*}}ops_invalid.mlir:11:6: error: 'spatial.group' op 'spatial.group' expects parent op 'spatial.program'
// CHECK-NEXT: {{.*}}ops_invalid.mlir:12:18: error: 'choreo.semaphores' op 'choreo.semaphores' expects parent op 'spatial.program'

// -----

choreo.engine @e on compute {
^bb0(%y : index, %x : index):
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:19:1: error: 'choreo.engine' op 'choreo.engine' expects parent op 'spatial.program'

// -----

choreo.item

// CHECK-NEXT: {{.*}}ops_invalid.mlir:27:1: error: 'choreo.item' op 'choreo.item' expects ancestor op 'choreo.engine'

// -----

"choreo.end"() : () -> ()

// CHECK-NEXT: {{.*}}ops_invalid.mlir:33:1: error: 'choreo.end' op 'choreo.end' expects parent op 'choreo.engine'

// -----

// Engines.

spatial.program @p() target #spatial.target<"reference"> grid [2, 2] requires [] {
  choreo.engine @e on compute {
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:42:3: error: 'choreo.engine' op its code gets the row and the column of the site: two arguments of type index

// -----

spatial.program @p() target #spatial.target<"reference"> grid [2, 2] requires [] {
  choreo.engine @e on compute {
  ^bb0(%y : i64, %x : i64):
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:51:3: error: 'choreo.engine' op its code gets the row and the column of the site: two arguments of type index

// -----

spatial.program @p() target #spatial.target<"reference"> grid [2, 2] requires [] {
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    "test.op"() : () -> ()
  ^bb1:
    choreo.end
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:61:3: error: 'choreo.engine' op each of its blocks must end in a terminator, `choreo.end`
// CHECK-NEXT: {{.*}}ops_invalid.mlir:63:5: error: 'test.op' op terminates block in multi-block region but is not a terminator

// -----

spatial.program @p() target #spatial.target<"reference"> grid [2, 2] requires [] {
  choreo.engine @e on vector {
  ^bb0(%y : index, %x : index):
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:75:23: error: unknown engine 'vector': a site has `compute` and the movement engines `move 0`, `move 1`, ... of its target
// CHECK-NEXT:     choreo.engine @e on vector {
// CHECK-NEXT:                         ^

// -----

// Values and page counts.

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %q
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:92:17: error: %q is used before it is defined
// CHECK-NEXT:       choreo.wait %q
// CHECK-NEXT:                   ^^

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %n
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:106:17: error: %n is index, which cannot be the buffer of choreo.wait
// CHECK-NEXT:       choreo.wait %n
// CHECK-NEXT:                   ^^

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %a, 3
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:120:5: error: 'choreo.wait' op asks for 3 pages of %a, whose ring holds 2: make the ring deeper or ask for fewer

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    choreo.reserve %a, 0
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:132:5: error: 'choreo.reserve' op asks for 0 pages of %a, at least 1 is due

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo, semaphore] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0:2] to [1, 0:2] along y
  %ready, %valid = choreo.semaphores %g
  choreo.engine @e on move 0 at [0, 0:2] {
  ^bb0(%y : index, %x : index):
    choreo.reserve %a, 2
    choreo.mcast_send %a to %g, 3
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:147:5: error: 'choreo.mcast_send' op asks for 3 pages of %a, whose ring holds 2: make the ring deeper or ask for fewer
// CHECK-NEXT: {{.*}}ops_invalid.mlir:147:5: error: 'choreo.mcast_send' op sends 3 pages of %a, but 2 are reserved at this point
// CHECK-NEXT:   hint: put `choreo.reserve %a, 3` before it

// -----

// Transfers.

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on move 0 {
  ^bb0(%y : index, %x : index):
    %t = choreo.trip %A[%y]
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:163:10: error: 'choreo.trip' op %A is memref<64x64xbf16> and takes 2 indices, got 1

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on move 0 {
  ^bb0(%y : index, %x : index):
    %t = choreo.trip %n[%y]
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:175:10: error: 'choreo.trip' op %n is index and takes 0 indices, got 1

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on move 0 {
  ^bb0(%y : index, %x : index):
    choreo.wait %a
    %i = choreo.load_index %a
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:188:10: error: 'choreo.load_index' op indices are integers, but it reads %a of 1x1xbf16

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on move 0 {
  ^bb0(%y : index, %x : index):
    choreo.reserve %a
    choreo.read_tiles %A[%y] into %a
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:201:5: error: 'choreo.read_tiles' op %A is memref<64x64xbf16> and takes 2 indices, got 1

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %i = spatial.buffer depth 2 : !spatial.buffer<1x1xi32>
  choreo.engine @e on move 0 {
  ^bb0(%y : index, %x : index):
    choreo.reserve %i
    choreo.read_tiles %A[%y, %x] into %i
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:215:5: error: 'choreo.read_tiles' op moves between %A, memref<64x64xbf16>, and %i of 1x1xi32: element types differ

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %i = spatial.buffer depth 2 : !spatial.buffer<1x1xi32>
  choreo.engine @e on move 0 {
  ^bb0(%y : index, %x : index):
    choreo.wait %i
    choreo.write_tiles %i into %A[%y, %x]
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:229:5: error: 'choreo.write_tiles' op moves between %A, memref<64x64xbf16>, and %i of 1x1xi32: element types differ

// -----

// Semaphores.

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [semaphore] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0:2] to [1, 0:2] along y
  %ready, %valid = choreo.semaphores %g
  choreo.engine @e on move 0 at [1, 0:2] {
  ^bb0(%y : index, %x : index):
    choreo.sem_set %valid, 2
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:245:5: error: 'choreo.sem_set' op %valid holds 0 or 1, never 2

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [semaphore] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0:2] to [1, 0:2] along y
  %ready, %valid = choreo.semaphores %g
  choreo.engine @e on move 0 at [1, 0:2] {
  ^bb0(%y : index, %x : index):
    choreo.sem_wait %valid ge 2
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:259:5: error: 'choreo.sem_wait' op %valid holds 0 or 1, never 2

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [semaphore] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0:2] to [1, 0:2] along y
  %ready, %valid = choreo.semaphores %g
  choreo.engine @e on move 0 at [0, 0:2] {
  ^bb0(%y : index, %x : index):
    "choreo.sem_set"(%ready) <{value = -1 : i64}> : (!choreo.ready) -> ()
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:273:5: error: 'choreo.sem_set' op %ready holds a count from 0, never -1

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [semaphore] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0:2] to [1, 0:2] along y
  %ready, %valid = choreo.semaphores %g
  choreo.engine @e on move 0 {
  ^bb0(%y : index, %x : index):
    choreo.sem_wait %ready near 2
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:287:28: error: Expected `eq`, or `ge`.
// CHECK-NEXT:       choreo.sem_wait %ready near 2
// CHECK-NEXT:                              ^^^^

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [semaphore] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0:2] to [1, 0:2] along y
  %ready, %valid = choreo.semaphores %g
  %h = spatial.group from [1, 0:2] to [0, 0:2] along y
  choreo.engine @e on move 0 at [1, 0:2] {
  ^bb0(%y : index, %x : index):
    choreo.sem_inc %ready at sender of %h
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:304:5: error: 'choreo.sem_inc' op %ready belongs to group %g, but it is used with %h
// CHECK-NEXT: {{.*}}ops_invalid.mlir:304:5: error: 'choreo.sem_inc' op runs on [1, 0:2], but the receivers of %h are [0, 0:2]

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [semaphore] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0:2] to [1, 0:2] along y
  %ready, %valid = choreo.semaphores %g
  %h = spatial.group from [1, 0:2] to [0, 0:2] along y
  choreo.engine @e on move 0 at [0, 0:2] {
  ^bb0(%y : index, %x : index):
    choreo.mcast_set_valid %valid to %h
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:320:5: error: 'choreo.mcast_set_valid' op %valid belongs to group %g, but it is used with %h
// CHECK-NEXT: {{.*}}ops_invalid.mlir:320:5: error: 'choreo.mcast_set_valid' op runs on [0, 0:2], but the senders of %h are [1, 0:2]

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [semaphore] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0:2] to [1, 0:2] along y
  %ready, %valid = choreo.semaphores %g
  choreo.engine @e on move 0 at [1, 0:2] {
  ^bb0(%y : index, %x : index):
    choreo.sem_inc %ready at sender of %g, 0
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:335:5: error: 'choreo.sem_inc' op adds 0, but a count only grows

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on move 0 {
  ^bb0(%y : index, %x : index):
    choreo.flush when late
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:347:23: error: Expected `always`, or `needs_flush`.
// CHECK-NEXT:       choreo.flush when late
// CHECK-NEXT:                         ^^^^

// -----

// Accumulators.

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    %acc = choreo.acquire 1x1xbf16
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:363:27: error: an accumulator has a number of tiles, as in 8xf32
// CHECK-NEXT:       %acc = choreo.acquire 1x1xbf16
// CHECK-NEXT:                             ^

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    %acc = choreo.acquire 0xbf16
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:377:5: error: an accumulator has at least one tile, got 0
// CHECK-NEXT:       %acc = choreo.acquire 0xbf16
// CHECK-NEXT:       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    %acc = choreo.acquire 1xindex
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:391:5: error: an accumulator holds floats or integers, got index
// CHECK-NEXT:       %acc = choreo.acquire 1xindex
// CHECK-NEXT:       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %a
    %acc = choreo.acquire 1xbf16
    choreo.matmul %acc, %a, %a[%y]
    choreo.release %acc
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:407:5: error: 'choreo.matmul' op a sub-block has a row and a column: two indices, not 1

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %a
    %acc = choreo.acquire 1xbf16
    choreo.wait %b
    choreo.matmul %acc, %a, %a reload %b
    choreo.release %acc
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:424:5: error: 'choreo.matmul' op reloads %b of 1x2xbf16 into an accumulator of 1 tile

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %a
    %acc = choreo.acquire 1xbf16
    choreo.wait %b
    choreo.map %acc (%b) {
    ^bb0(%0 : f32):
      spatial.yield %0 : f32
    }
    choreo.release %acc
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:441:5: error: 'choreo.map' op reads %b of 1x2xbf16 for an accumulator of 1 tile

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %a
    %acc = choreo.acquire 1xbf16
    choreo.map %acc (%a) {
    ^bb0(%0 : bf16):
      spatial.yield %0 : bf16
    }
    choreo.release %acc
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:459:5: error: 'choreo.map' op its code gets (f32), but has arguments (bf16)

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %a
    %acc = choreo.acquire 1xbf16
    choreo.map %acc (%a) {
    ^bb0(%0 : f32):
      spatial.yield %0, %0 : f32, f32
    }
    choreo.release %acc
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:477:5: error: 'choreo.map' op its code must end by yielding one f32

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %a
    %acc = choreo.acquire 1xbf16
    "choreo.map"(%a, %acc) <{broadcasts = []}> ({
    ^bb0(%0 : f32):
      spatial.yield %0 : f32
    }) : (!spatial.buffer<1x1xbf16>, !choreo.acc<1xbf16>) -> ()
    choreo.release %acc
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:495:5: error: 'choreo.map' op has 1 inputs, but says 0 broadcasts

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %a
    %acc = choreo.acquire 1xbf16
    choreo.reserve %b
    choreo.pack %acc into %b
    choreo.release %acc
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:515:5: error: 'choreo.pack' op packs 1 tile into %b of 1x2xbf16, 2 tiles

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %i = spatial.buffer depth 2 : !spatial.buffer<1x1xi32>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %a
    %acc = choreo.acquire 1xbf16
    choreo.reserve %i
    choreo.pack %acc into %i
    choreo.release %acc
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:532:5: error: 'choreo.pack' op packs bf16 into %i of 1x1xi32

// -----

spatial.program @p(%A : memref<64x64xbf16>, %n : index) target #spatial.target<"reference"> grid [2, 2] requires [fifo] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %a
    %acc = choreo.acquire 1xbf16
    choreo.reduce sum cols %acc, %a
    choreo.release %acc
  }
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:547:19: error: Expected `add`, `max`, or `min`.
// CHECK-NEXT:       choreo.reduce sum cols %acc, %a
// CHECK-NEXT:                     ^^^

//  CHECK-NOT: {{.+}}
