// RUN: spatial-opt %s -t outline --split-input-file | filecheck %s --match-full-lines --strict-whitespace

// Every op of a listing; the engines of one kind that do the same are listed once.

spatial.program @all(%A : memref<64x64xbf16>, %C : memref<64x64xbf16>, %n : index)
    target #spatial.target<"reference"> grid [2, 3] loops [k = ? max 4] requires [fifo, semaphore] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %ix = spatial.buffer depth 1 : !spatial.buffer<1x1xi32>
  %iy = spatial.buffer depth 1 : !spatial.buffer<1x1xi32>
  %rows = spatial.group from [0:2, 0] to [0:2, 1:3] along x
  %rows_ready, %rows_valid = choreo.semaphores %rows
  choreo.engine @send0 on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    %i = choreo.item
    %trip = choreo.trip %n
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %k = %c0 to %trip step %c1 {
      choreo.wait %ix
      choreo.reserve %a
      %row = choreo.load_index %ix
      %first = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)> (%row, %i)
      choreo.read_tiles %A[%first, %k] into %a
      choreo.read_tiles %A[%i, %k] into %a rows from %ix
      choreo.read_tiles %A[%i, %k] into %a
      choreo.read_barrier
      choreo.sem_wait %rows_ready ge 2
      choreo.sem_set %rows_ready, 0
      choreo.mcast_send %a to %rows hold_path
      choreo.mcast_set_valid %rows_valid to %rows
      choreo.push %a
      choreo.pop %ix
    }
    choreo.reserve %a, 2
    choreo.mcast_send %a to %rows, 2
    choreo.flush when needs_flush
    choreo.flush
    choreo.push %a, 2
  }
  choreo.engine @receive0 on move 0 at [0:2, 1] {
  ^bb0(%y : index, %x : index):
    affine.for %k = 1 to 8 step 3 {
      choreo.reserve %a
      choreo.sem_set %rows_valid, invalid
      choreo.sem_inc %rows_ready at sender of %rows
      choreo.sem_wait %rows_valid eq valid
      choreo.push %a
    }
  }
  choreo.engine @receive1 on move 0 at [0:2, 2] {
  ^bb0(%row : index, %col : index):
    affine.for %k = 0 to 3 {
      choreo.reserve %a
      choreo.sem_set %rows_valid, invalid
      choreo.sem_inc %rows_ready at sender of %rows
      choreo.sem_wait %rows_valid eq valid
      choreo.push %a
    }
  }
  choreo.engine @idle on move 2 {
  ^bb0(%y : index, %x : index):
  }
  choreo.engine @compute on compute at [0, 0:3] {
  ^bb0(%y : index, %x : index):
    choreo.wait %a, 2
    choreo.reserve %c
    %acc = choreo.acquire 1xf32
    choreo.matmul %acc, %a, %a
    choreo.matmul %acc, %a, %a[%y, %x] reload %a for @mm
    choreo.dot %acc, %a, %a transpose_b for @scores
    choreo.map %acc (%a, %a broadcast rows) for @bias_relu {
    ^bb0(%0 : f32, %1 : f32):
      %2 = arith.addf %0, %1 : f32
      spatial.yield %2 : f32
    }
    choreo.map %acc (%a) {
    ^bb0(%0 : f32):
      spatial.yield %0 : f32
    }
    choreo.reduce max cols %acc, %a
    choreo.all_reduce add %acc, %a, %a across %rows
    choreo.pack %acc into %c
    choreo.pack %acc into %c accumulate
    choreo.release %acc
    %last = arith.cmpi eq, %x, %n : index
    scf.if %last {
      choreo.pop %a
    } else {
      choreo.pop %a, 2
    }
  }
  choreo.engine @store on move 1 at [0, 0:3] {
  ^bb0(%y : index, %x : index):
    choreo.wait %c
    choreo.wait %iy
    %row = choreo.load_index %iy
    choreo.write_tiles %c into %C[%row, %x]
    choreo.write_tiles %c into %C[%y, %x] rows from %iy
    choreo.write_tiles %c into %C[%y, %x]
    choreo.write_barrier
  }
  choreo.engine @blocks on move 3 at [1, 0] {
  ^bb0(%y : index, %x : index):
    choreo.reserve %d, 3
    cf.br ^head(%y : index)
  ^head(%k : index):
    %more = arith.cmpi slt, %k, %n : index
    cf.cond_br %more, ^body, ^end
  ^body:
    choreo.push %d
    %next = arith.addi %k, %x : index
    cf.br ^head(%next : index)
  ^end:
    choreo.end
  }
}

//      CHECK:move 0 at [0, 0]
// CHECK-NEXT:  for k x trip
// CHECK-NEXT:    wait ix
// CHECK-NEXT:    reserve a
// CHECK-NEXT:    read_tiles A -> a via ix
// CHECK-NEXT:    read_tiles A -> a via ix
// CHECK-NEXT:    read_tiles A -> a
// CHECK-NEXT:    read_barrier
// CHECK-NEXT:    sem_wait rows.ready ge 2
// CHECK-NEXT:    sem_set rows.ready, 0
// CHECK-NEXT:    mcast_send a to rows hold_path
// CHECK-NEXT:    mcast_set_valid rows.valid to rows
// CHECK-NEXT:    push a
// CHECK-NEXT:    pop ix
// CHECK-NEXT:  reserve a, 2
// CHECK-NEXT:  mcast_send a to rows, 2
// CHECK-NEXT:  flush
// CHECK-NEXT:  flush
// CHECK-NEXT:  push a, 2
// CHECK-EMPTY:
// CHECK-NEXT:move 0 at [0:2, 1:3]
// CHECK-NEXT:  for k x 3
// CHECK-NEXT:    reserve a
// CHECK-NEXT:    sem_set rows.valid, invalid
// CHECK-NEXT:    sem_inc rows.ready at sender, 1
// CHECK-NEXT:    sem_wait rows.valid eq valid
// CHECK-NEXT:    push a
// CHECK-EMPTY:
// CHECK-NEXT:move 2 at every site
// CHECK-EMPTY:
// CHECK-NEXT:compute at [0, 0:3]
// CHECK-NEXT:  wait a, 2
// CHECK-NEXT:  reserve c
// CHECK-NEXT:  acquire 1
// CHECK-NEXT:  compute matmul(a, a)
// CHECK-NEXT:  compute mm(a, a) reload a
// CHECK-NEXT:  compute scores(a, a)
// CHECK-NEXT:  compute bias_relu(a, a)
// CHECK-NEXT:  compute map(a)
// CHECK-NEXT:  compute reduce(a)
// CHECK-NEXT:  compute all_reduce(a, a)
// CHECK-NEXT:  pack -> c
// CHECK-NEXT:  pack -> c accumulate
// CHECK-NEXT:  release
// CHECK-NEXT:  if
// CHECK-NEXT:    pop a
// CHECK-NEXT:  else
// CHECK-NEXT:    pop a, 2
// CHECK-EMPTY:
// CHECK-NEXT:move 1 at [0, 0:3]
// CHECK-NEXT:  wait c
// CHECK-NEXT:  wait iy
// CHECK-NEXT:  write_tiles c -> C via iy
// CHECK-NEXT:  write_tiles c -> C via iy
// CHECK-NEXT:  write_tiles c -> C
// CHECK-NEXT:  write_barrier
// CHECK-EMPTY:
// CHECK-NEXT:move 3 at [1, 0]
// CHECK-NEXT:  ^bb0:
// CHECK-NEXT:    reserve d, 3
// CHECK-NEXT:    br ^bb1
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    cond_br ^bb2, ^bb3
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    push d
// CHECK-NEXT:    br ^bb1
// CHECK-NEXT:  ^bb3:
// CHECK-NEXT:    end

// CHECK-NEXT:{{// ---}}--
// -----

// Names: without a hint a value has a number; where two hints are equal, one gets a number. Several
// programs are listed by their names.

"spatial.program"() <{sym_name = "first", target = #spatial.target<"reference">, grid = array<i64: 1, 1>, requires = [#spatial<handshake fifo>]}> ({
  %0 = "spatial.buffer"() <{depth = 4 : i64}> : () -> !spatial.buffer<1x1xbf16>
  %a = "spatial.buffer"() <{depth = 4 : i64}> : () -> !spatial.buffer<1x1xbf16>
  %1 = "spatial.buffer"() <{depth = 4 : i64}> : () -> !spatial.buffer<1x1xbf16>
  "choreo.engine"() <{sym_name = "e", engine = #spatial<engine compute>}> ({
  ^bb0(%y : index, %x : index):
    "choreo.wait"(%0) : (!spatial.buffer<1x1xbf16>) -> ()
    "choreo.wait"(%1) : (!spatial.buffer<1x1xbf16>) -> ()
    affine.for %2 = 0 to 2 {
      affine.for %h = 0 to 2 {
        affine.for %3 = 0 to 2 {
          choreo.wait %a
        }
      }
    }
    "choreo.end"() : () -> ()
  }) : () -> ()
}) : () -> ()

spatial.program @second(%a : index) target #spatial.target<"reference"> grid [1, 1] requires [fifo] {
  %a_1 = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on compute {
  ^bb0(%y : index, %x : index):
    choreo.wait %a_1
    choreo.wait %b
  }
}

// CHECK-NEXT:@first
// CHECK-NEXT:compute at every site
// CHECK-NEXT:  wait %0
// CHECK-NEXT:  wait %1
// CHECK-NEXT:  for %2 x 2
// CHECK-NEXT:    for h x 2
// CHECK-NEXT:      for %3 x 2
// CHECK-NEXT:        wait a
// CHECK-EMPTY:
// CHECK-NEXT:@second
// CHECK-NEXT:compute at every site
// CHECK-NEXT:  wait a_1
// CHECK-NEXT:  wait b
