// RUN: SPATIAL_ROUNDTRIP | filecheck %s
// RUN: SPATIAL_GENERIC_ROUNDTRIP | filecheck %s --check-prefix GENERIC

// Every op, with and without what can be left out.

spatial.program @all(%A: memref<256x128xbf16>, %C: memref<256x128xbf16>, %I: memref<256x128xi32>, %B: tensor<256x128x!spatial.bfp8>, %lens: memref<4x2xi32>, %n: index)
    target #spatial.target<"reference"> grid [2, 2] loops [k = ? max 4] requires [fifo, valid_ready, semaphore] {
//        CHECK: spatial.program @all(%A: memref<256x128xbf16>, %C: memref<256x128xbf16>, %I: memref<256x128xi32>, %B: tensor<256x128x!spatial.bfp8>, %lens: memref<4x2xi32>, %n: index) target #spatial.target<"reference"> grid [2, 2] loops [k = ? max 4] requires [fifo, valid_ready, semaphore] {
//      GENERIC: "spatial.program"() <{sym_name = "all", target = #spatial.target<"reference">, grid = array<i64: 2, 2>, loops = #spatial<loops [k = ? max 4]>, requires = [#spatial<handshake fifo>, #spatial<handshake valid_ready>, #spatial<handshake semaphore>]}> ({
// GENERIC-NEXT: ^bb0(%A: memref<256x128xbf16>, %C: memref<256x128xbf16>, %I: memref<256x128xi32>, %B: tensor<256x128x!spatial.bfp8>, %lens: memref<4x2xi32>, %n: index):
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
//   CHECK-NEXT: %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
// GENERIC-NEXT: %a = "spatial.buffer"() <{depth = 2 : i64, handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1x!spatial.bfp8>
//   CHECK-NEXT: %b = spatial.buffer depth 2 : !spatial.buffer<1x1x!spatial.bfp8>
// GENERIC-NEXT: %b = "spatial.buffer"() <{depth = 2 : i64, handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<1x1x!spatial.bfp8>
  %c = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
//   CHECK-NEXT: %c = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
// GENERIC-NEXT: %c = "spatial.buffer"() <{depth = 4 : i64, handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 4 handshake valid_ready : !spatial.buffer<1x1xf32>
//   CHECK-NEXT: %d = spatial.buffer depth 4 handshake valid_ready : !spatial.buffer<1x1xf32>
// GENERIC-NEXT: %d = "spatial.buffer"() <{depth = 4 : i64, handshake = #spatial<handshake valid_ready>}> : () -> !spatial.buffer<1x1xf32>
  %e = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
//   CHECK-NEXT: %e = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
// GENERIC-NEXT: %e = "spatial.buffer"() <{depth = 4 : i64, handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<1x1xbf16>
  %iy = spatial.buffer depth 1 : !spatial.buffer<1x1xi32>
//   CHECK-NEXT: %iy = spatial.buffer depth 1 : !spatial.buffer<1x1xi32>
// GENERIC-NEXT: %iy = "spatial.buffer"() <{depth = 1 : i64, handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<1x1xi32>
  %ix = spatial.buffer depth 1 : !spatial.buffer<1x1xi32>
//   CHECK-NEXT: %ix = spatial.buffer depth 1 : !spatial.buffer<1x1xi32>
// GENERIC-NEXT: %ix = "spatial.buffer"() <{depth = 1 : i64, handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<1x1xi32>
  %rows = spatial.group from [0:2, 0] to [0:2, 1] along x
//   CHECK-NEXT: %rows = spatial.group from [0:2, 0] to [0:2, 1] along x
// GENERIC-NEXT: %rows = "spatial.group"() <{senders = #spatial<sites [0:2, 0]>, receivers = #spatial<sites [0:2, 1]>, along = #spatial<axis x>}> : () -> !spatial.group
  %rows_ready, %rows_valid = choreo.semaphores %rows
//   CHECK-NEXT: %rows_ready, %rows_valid = choreo.semaphores %rows
// GENERIC-NEXT: %rows_ready, %rows_valid = "choreo.semaphores"(%rows) : (!spatial.group) -> (!choreo.ready, !choreo.valid)
  choreo.engine @empty on move 3 {
//   CHECK-NEXT: choreo.engine @empty on move 3 {
// GENERIC-NEXT: "choreo.engine"() <{sym_name = "empty", engine = #spatial<engine move 3>}> ({
  ^bb0(%y: index, %x: index):
//   CHECK-NEXT: ^bb0(%y: index, %x: index):
// GENERIC-NEXT: ^bb0(%y: index, %x: index):
  }
//   CHECK-NEXT: }
// GENERIC-NEXT: "choreo.end"() : () -> ()
// GENERIC-NEXT: }) : () -> ()

  choreo.engine @send on move 0 at [0:2, 0] attributes {note = "kept"} {
//   CHECK-NEXT: choreo.engine @send on move 0 at [0:2, 0] attributes {note = "kept"} {
// GENERIC-NEXT: "choreo.engine"() <{sym_name = "send", engine = #spatial<engine move 0>, at = #spatial<sites [0:2, 0]>}> ({
  ^bb0(%y: index, %x: index):
//   CHECK-NEXT: ^bb0(%y_1: index, %x_1: index):
// GENERIC-NEXT: ^bb0(%y_1: index, %x_1: index):
    %i = choreo.item
//   CHECK-NEXT: %i = choreo.item
// GENERIC-NEXT: %i = "choreo.item"() : () -> index
    %k = choreo.trip %lens[%y, %i] for @trip
//   CHECK-NEXT: %k = choreo.trip %lens[%y_1, %i] for @trip
// GENERIC-NEXT: %k = "choreo.trip"(%lens, %y_1, %i) <{stage = @trip}> : (memref<4x2xi32>, index, index) -> index
    %m = choreo.trip %n
//   CHECK-NEXT: %m = choreo.trip %n
// GENERIC-NEXT: %m = "choreo.trip"(%n) : (index) -> index
    choreo.wait %ix
//   CHECK-NEXT: choreo.wait %ix
// GENERIC-NEXT: "choreo.wait"(%ix) <{pages = 1 : i64}> : (!spatial.buffer<1x1xi32>) -> ()
    %ind = choreo.load_index %ix for @load
//   CHECK-NEXT: %ind = choreo.load_index %ix for @load
// GENERIC-NEXT: %ind = "choreo.load_index"(%ix) <{stage = @load}> : (!spatial.buffer<1x1xi32>) -> index
    choreo.reserve %a, 2 for @load
//   CHECK-NEXT: choreo.reserve %a, 2 for @load
// GENERIC-NEXT: "choreo.reserve"(%a) <{pages = 2 : i64, stage = @load}> : (!spatial.buffer<1x1xbf16>) -> ()
    choreo.read_tiles %A[%ind, %k] into %a
//   CHECK-NEXT: choreo.read_tiles %A[%ind, %k] into %a
// GENERIC-NEXT: "choreo.read_tiles"(%a, %A, %ind, %k) <{operandSegmentSizes = array<i32: 1, 1, 2, 0>}> : (!spatial.buffer<1x1xbf16>, memref<256x128xbf16>, index, index) -> ()
    choreo.read_tiles %A[%ind, %m] into %a rows from %ix strides [1, 2] transpose pad 0.000000e+00 : bf16 for @load
//   CHECK-NEXT: choreo.read_tiles %A[%ind, %m] into %a rows from %ix strides [1, 2] transpose pad 0.000000e+00 : bf16 for @load
// GENERIC-NEXT: "choreo.read_tiles"(%a, %A, %ind, %m, %ix) <{strides = array<i64: 1, 2>, transpose, pad = 0.000000e+00 : bf16, stage = @load, operandSegmentSizes = array<i32: 1, 1, 2, 1>}> : (!spatial.buffer<1x1xbf16>, memref<256x128xbf16>, index, index, !spatial.buffer<1x1xi32>) -> ()
    choreo.read_barrier
//   CHECK-NEXT: choreo.read_barrier
// GENERIC-NEXT: "choreo.read_barrier"() : () -> ()
    choreo.sem_wait %rows_ready eq 1
//   CHECK-NEXT: choreo.sem_wait %rows_ready eq 1
// GENERIC-NEXT: "choreo.sem_wait"(%rows_ready) <{comparison = #choreo<comparison eq>, value = 1 : i64}> : (!choreo.ready) -> ()
    choreo.sem_wait %rows_ready ge 0 for @load
//   CHECK-NEXT: choreo.sem_wait %rows_ready ge 0 for @load
// GENERIC-NEXT: "choreo.sem_wait"(%rows_ready) <{comparison = #choreo<comparison ge>, value = 0 : i64, stage = @load}> : (!choreo.ready) -> ()
    choreo.sem_set %rows_ready, 0
//   CHECK-NEXT: choreo.sem_set %rows_ready, 0
// GENERIC-NEXT: "choreo.sem_set"(%rows_ready) <{value = 0 : i64}> : (!choreo.ready) -> ()
    choreo.mcast_send %a to %rows hold_path
//   CHECK-NEXT: choreo.mcast_send %a to %rows hold_path
// GENERIC-NEXT: "choreo.mcast_send"(%a, %rows) <{hold_path, pages = 1 : i64}> : (!spatial.buffer<1x1xbf16>, !spatial.group) -> ()
    choreo.mcast_set_valid %rows_valid to %rows
//   CHECK-NEXT: choreo.mcast_set_valid %rows_valid to %rows
// GENERIC-NEXT: "choreo.mcast_set_valid"(%rows_valid, %rows) : (!choreo.valid, !spatial.group) -> ()
    choreo.mcast_send %a to %rows, 2 for @load
//   CHECK-NEXT: choreo.mcast_send %a to %rows, 2 for @load
// GENERIC-NEXT: "choreo.mcast_send"(%a, %rows) <{pages = 2 : i64, stage = @load}> : (!spatial.buffer<1x1xbf16>, !spatial.group) -> ()
    choreo.flush
//   CHECK-NEXT: choreo.flush
// GENERIC-NEXT: "choreo.flush"() <{condition = #choreo<flush_condition always>}> : () -> ()
    choreo.flush when needs_flush for @load
//   CHECK-NEXT: choreo.flush when needs_flush for @load
// GENERIC-NEXT: "choreo.flush"() <{condition = #choreo<flush_condition needs_flush>, stage = @load}> : () -> ()
    choreo.mcast_set_valid %rows_valid to %rows for @load
//   CHECK-NEXT: choreo.mcast_set_valid %rows_valid to %rows for @load
// GENERIC-NEXT: "choreo.mcast_set_valid"(%rows_valid, %rows) <{stage = @load}> : (!choreo.valid, !spatial.group) -> ()
    choreo.push %a
//   CHECK-NEXT: choreo.push %a
// GENERIC-NEXT: "choreo.push"(%a) <{pages = 1 : i64}> : (!spatial.buffer<1x1xbf16>) -> ()
    choreo.push %a for @load
//   CHECK-NEXT: choreo.push %a for @load
// GENERIC-NEXT: "choreo.push"(%a) <{stage = @load, pages = 1 : i64}> : (!spatial.buffer<1x1xbf16>) -> ()
    choreo.pop %ix
//   CHECK-NEXT: choreo.pop %ix
// GENERIC-NEXT: "choreo.pop"(%ix) <{pages = 1 : i64}> : (!spatial.buffer<1x1xi32>) -> ()
    choreo.reserve %b
//   CHECK-NEXT: choreo.reserve %b
// GENERIC-NEXT: "choreo.reserve"(%b) <{pages = 1 : i64}> : (!spatial.buffer<1x1x!spatial.bfp8>) -> ()
    choreo.read_tiles %B[%i, %k] into %b
//   CHECK-NEXT: choreo.read_tiles %B[%i, %k] into %b
// GENERIC-NEXT: "choreo.read_tiles"(%b, %B, %i, %k) <{operandSegmentSizes = array<i32: 1, 1, 2, 0>}> : (!spatial.buffer<1x1x!spatial.bfp8>, tensor<256x128x!spatial.bfp8>, index, index) -> ()
    choreo.push %b
//   CHECK-NEXT: choreo.push %b
// GENERIC-NEXT: "choreo.push"(%b) <{pages = 1 : i64}> : (!spatial.buffer<1x1x!spatial.bfp8>) -> ()
  }
//   CHECK-NEXT: }
// GENERIC-NEXT: "choreo.end"() : () -> ()
// GENERIC-NEXT: }) {note = "kept"} : () -> ()

  choreo.engine @receive on move 0 at [0:2, 1] {
//   CHECK-NEXT: choreo.engine @receive on move 0 at [0:2, 1] {
// GENERIC-NEXT: "choreo.engine"() <{sym_name = "receive", engine = #spatial<engine move 0>, at = #spatial<sites [0:2, 1]>}> ({
  ^bb0(%y: index, %x: index):
//   CHECK-NEXT: ^bb0(%y_2: index, %x_2: index):
// GENERIC-NEXT: ^bb0(%y_2: index, %x_2: index):
    choreo.reserve %a
//   CHECK-NEXT: choreo.reserve %a
// GENERIC-NEXT: "choreo.reserve"(%a) <{pages = 1 : i64}> : (!spatial.buffer<1x1xbf16>) -> ()
    choreo.sem_set %rows_valid, invalid
//   CHECK-NEXT: choreo.sem_set %rows_valid, invalid
// GENERIC-NEXT: "choreo.sem_set"(%rows_valid) <{value = 0 : i64}> : (!choreo.valid) -> ()
    choreo.sem_inc %rows_ready at sender of %rows
//   CHECK-NEXT: choreo.sem_inc %rows_ready at sender of %rows
// GENERIC-NEXT: "choreo.sem_inc"(%rows_ready, %rows) <{value = 1 : i64}> : (!choreo.ready, !spatial.group) -> ()
    choreo.sem_inc %rows_ready at sender of %rows, 2 for @load
//   CHECK-NEXT: choreo.sem_inc %rows_ready at sender of %rows, 2 for @load
// GENERIC-NEXT: "choreo.sem_inc"(%rows_ready, %rows) <{value = 2 : i64, stage = @load}> : (!choreo.ready, !spatial.group) -> ()
    choreo.sem_wait %rows_valid eq valid
//   CHECK-NEXT: choreo.sem_wait %rows_valid eq valid
// GENERIC-NEXT: "choreo.sem_wait"(%rows_valid) <{comparison = #choreo<comparison eq>, value = 1 : i64}> : (!choreo.valid) -> ()
    choreo.push %a
//   CHECK-NEXT: choreo.push %a
// GENERIC-NEXT: "choreo.push"(%a) <{pages = 1 : i64}> : (!spatial.buffer<1x1xbf16>) -> ()
  }
//   CHECK-NEXT: }
// GENERIC-NEXT: "choreo.end"() : () -> ()
// GENERIC-NEXT: }) : () -> ()

  choreo.engine @compute on compute {
//   CHECK-NEXT: choreo.engine @compute on compute {
// GENERIC-NEXT: "choreo.engine"() <{sym_name = "compute", engine = #spatial<engine compute>}> ({
  ^bb0(%y: index, %x: index):
//   CHECK-NEXT: ^bb0(%y_3: index, %x_3: index):
// GENERIC-NEXT: ^bb0(%y_3: index, %x_3: index):
    choreo.wait %a, 2
//   CHECK-NEXT: choreo.wait %a, 2
// GENERIC-NEXT: "choreo.wait"(%a) <{pages = 2 : i64}> : (!spatial.buffer<1x1xbf16>) -> ()
    choreo.wait %b
//   CHECK-NEXT: choreo.wait %b
// GENERIC-NEXT: "choreo.wait"(%b) <{pages = 1 : i64}> : (!spatial.buffer<1x1x!spatial.bfp8>) -> ()
    choreo.wait %c
//   CHECK-NEXT: choreo.wait %c
// GENERIC-NEXT: "choreo.wait"(%c) <{pages = 1 : i64}> : (!spatial.buffer<1x1xbf16>) -> ()
    choreo.reserve %c
//   CHECK-NEXT: choreo.reserve %c
// GENERIC-NEXT: "choreo.reserve"(%c) <{pages = 1 : i64}> : (!spatial.buffer<1x1xbf16>) -> ()
    choreo.reserve %d
//   CHECK-NEXT: choreo.reserve %d
// GENERIC-NEXT: "choreo.reserve"(%d) <{pages = 1 : i64}> : (!spatial.buffer<1x1xf32>) -> ()
    %acc = choreo.acquire 1xf32 for @mm
//   CHECK-NEXT: %acc = choreo.acquire 1xf32 for @mm
// GENERIC-NEXT: %acc = "choreo.acquire"() <{stage = @mm}> : () -> !choreo.acc<1xf32>
    choreo.matmul %acc, %a, %b
//   CHECK-NEXT: choreo.matmul %acc, %a, %b
// GENERIC-NEXT: "choreo.matmul"(%a, %b, %acc) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (!spatial.buffer<1x1xbf16>, !spatial.buffer<1x1x!spatial.bfp8>, !choreo.acc<1xf32>) -> ()
    choreo.matmul %acc, %a, %b[%y, %x] reload %c for @mm
//   CHECK-NEXT: choreo.matmul %acc, %a, %b[%y_3, %x_3] reload %c for @mm
// GENERIC-NEXT: "choreo.matmul"(%a, %b, %y_3, %x_3, %c, %acc) <{stage = @mm, operandSegmentSizes = array<i32: 1, 1, 2, 1, 1>}> : (!spatial.buffer<1x1xbf16>, !spatial.buffer<1x1x!spatial.bfp8>, index, index, !spatial.buffer<1x1xbf16>, !choreo.acc<1xf32>) -> ()
    choreo.dot %acc, %a, %b
//   CHECK-NEXT: choreo.dot %acc, %a, %b
// GENERIC-NEXT: "choreo.dot"(%a, %b, %acc) : (!spatial.buffer<1x1xbf16>, !spatial.buffer<1x1x!spatial.bfp8>, !choreo.acc<1xf32>) -> ()
    choreo.dot %acc, %a, %b transpose_b for @mm
//   CHECK-NEXT: choreo.dot %acc, %a, %b transpose_b for @mm
// GENERIC-NEXT: "choreo.dot"(%a, %b, %acc) <{transpose_b, stage = @mm}> : (!spatial.buffer<1x1xbf16>, !spatial.buffer<1x1x!spatial.bfp8>, !choreo.acc<1xf32>) -> ()
    choreo.map %acc (%a, %b broadcast rows, %a broadcast cols, %b broadcast scalar) for @mm {
//   CHECK-NEXT: choreo.map %acc (%a, %b broadcast rows, %a broadcast cols, %b broadcast scalar) for @mm {
// GENERIC-NEXT: "choreo.map"(%a, %b, %a, %b, %acc) <{broadcasts = [#spatial<broadcast none>, #spatial<broadcast rows>, #spatial<broadcast cols>, #spatial<broadcast scalar>], stage = @mm}> ({
    ^bb0(%0: f32, %1: f32, %2: f32, %3: f32):
//   CHECK-NEXT: ^bb0(%0: f32, %1: f32, %2: f32, %3: f32):
// GENERIC-NEXT: ^bb0(%0: f32, %1: f32, %2: f32, %3: f32):
      %4 = arith.addf %0, %1 : f32
//   CHECK-NEXT: %4 = arith.addf %0, %1 : f32
// GENERIC-NEXT: %4 = "arith.addf"(%0, %1) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      spatial.yield %4 : f32
//   CHECK-NEXT: spatial.yield %4 : f32
// GENERIC-NEXT: "spatial.yield"(%4) : (f32) -> ()
    }
//   CHECK-NEXT: }
// GENERIC-NEXT: }) : (!spatial.buffer<1x1xbf16>, !spatial.buffer<1x1x!spatial.bfp8>, !spatial.buffer<1x1xbf16>, !spatial.buffer<1x1x!spatial.bfp8>, !choreo.acc<1xf32>) -> ()
    choreo.map %acc (%a) {
//   CHECK-NEXT: choreo.map %acc (%a) {
// GENERIC-NEXT: "choreo.map"(%a, %acc) ({
    ^bb0(%0: f32):
//   CHECK-NEXT: ^bb0(%5: f32):
// GENERIC-NEXT: ^bb0(%5: f32):
      spatial.yield %0 : f32
//   CHECK-NEXT: spatial.yield %5 : f32
// GENERIC-NEXT: "spatial.yield"(%5) : (f32) -> ()
    }
//   CHECK-NEXT: }
// GENERIC-NEXT: }) : (!spatial.buffer<1x1xbf16>, !choreo.acc<1xf32>) -> ()
    choreo.reduce max cols %acc, %a
//   CHECK-NEXT: choreo.reduce max cols %acc, %a
// GENERIC-NEXT: "choreo.reduce"(%a, %acc) <{kind = #spatial<reduction max>, axis = #spatial<page_axis cols>}> : (!spatial.buffer<1x1xbf16>, !choreo.acc<1xf32>) -> ()
    choreo.reduce add rows %acc, %a for @mm
//   CHECK-NEXT: choreo.reduce add rows %acc, %a for @mm
// GENERIC-NEXT: "choreo.reduce"(%a, %acc) <{kind = #spatial<reduction add>, axis = #spatial<page_axis rows>, stage = @mm}> : (!spatial.buffer<1x1xbf16>, !choreo.acc<1xf32>) -> ()
    choreo.all_reduce min %acc, %a, %b across %rows
//   CHECK-NEXT: choreo.all_reduce min %acc, %a, %b across %rows
// GENERIC-NEXT: "choreo.all_reduce"(%a, %b, %rows, %acc) <{kind = #spatial<reduction min>}> : (!spatial.buffer<1x1xbf16>, !spatial.buffer<1x1x!spatial.bfp8>, !spatial.group, !choreo.acc<1xf32>) -> ()
    choreo.pack %acc into %c
//   CHECK-NEXT: choreo.pack %acc into %c
// GENERIC-NEXT: "choreo.pack"(%c, %acc) : (!spatial.buffer<1x1xbf16>, !choreo.acc<1xf32>) -> ()
    choreo.pack %acc into %d accumulate for @mm
//   CHECK-NEXT: choreo.pack %acc into %d accumulate for @mm
// GENERIC-NEXT: "choreo.pack"(%d, %acc) <{accumulate, stage = @mm}> : (!spatial.buffer<1x1xf32>, !choreo.acc<1xf32>) -> ()
    choreo.release %acc
//   CHECK-NEXT: choreo.release %acc
// GENERIC-NEXT: "choreo.release"(%acc) : (!choreo.acc<1xf32>) -> ()
  }
//   CHECK-NEXT: }
// GENERIC-NEXT: "choreo.end"() : () -> ()
// GENERIC-NEXT: }) : () -> ()

  choreo.engine @store on move 1 {
//   CHECK-NEXT: choreo.engine @store on move 1 {
// GENERIC-NEXT: "choreo.engine"() <{sym_name = "store", engine = #spatial<engine move 1>}> ({
  ^bb0(%y: index, %x: index):
//   CHECK-NEXT: ^bb0(%y_4: index, %x_4: index):
// GENERIC-NEXT: ^bb0(%y_4: index, %x_4: index):
    choreo.wait %e
//   CHECK-NEXT: choreo.wait %e
// GENERIC-NEXT: "choreo.wait"(%e) <{pages = 1 : i64}> : (!spatial.buffer<1x1xbf16>) -> ()
    choreo.wait %iy
//   CHECK-NEXT: choreo.wait %iy
// GENERIC-NEXT: "choreo.wait"(%iy) <{pages = 1 : i64}> : (!spatial.buffer<1x1xi32>) -> ()
    choreo.write_tiles %e into %C[%y, %x]
//   CHECK-NEXT: choreo.write_tiles %e into %C[%y_4, %x_4]
// GENERIC-NEXT: "choreo.write_tiles"(%e, %C, %y_4, %x_4) <{operandSegmentSizes = array<i32: 1, 1, 2, 0>}> : (!spatial.buffer<1x1xbf16>, memref<256x128xbf16>, index, index) -> ()
    choreo.write_tiles %e into %C[%y, %x] rows from %iy for @store
//   CHECK-NEXT: choreo.write_tiles %e into %C[%y_4, %x_4] rows from %iy for @store
// GENERIC-NEXT: "choreo.write_tiles"(%e, %C, %y_4, %x_4, %iy) <{stage = @store, operandSegmentSizes = array<i32: 1, 1, 2, 1>}> : (!spatial.buffer<1x1xbf16>, memref<256x128xbf16>, index, index, !spatial.buffer<1x1xi32>) -> ()
    choreo.write_barrier for @store
//   CHECK-NEXT: choreo.write_barrier for @store
// GENERIC-NEXT: "choreo.write_barrier"() <{stage = @store}> : () -> ()
    choreo.pop %e
//   CHECK-NEXT: choreo.pop %e
// GENERIC-NEXT: "choreo.pop"(%e) <{pages = 1 : i64}> : (!spatial.buffer<1x1xbf16>) -> ()
  }
//   CHECK-NEXT: }
// GENERIC-NEXT: "choreo.end"() : () -> ()
// GENERIC-NEXT: }) : () -> ()

  choreo.engine @blocks on move 2 {
//   CHECK-NEXT: choreo.engine @blocks on move 2 {
// GENERIC-NEXT: "choreo.engine"() <{sym_name = "blocks", engine = #spatial<engine move 2>}> ({
  ^bb0(%y: index, %x: index):
//   CHECK-NEXT: ^bb0(%y_5: index, %x_5: index):
// GENERIC-NEXT: ^bb0(%y_5: index, %x_5: index):
    choreo.read_barrier
//   CHECK-NEXT: choreo.read_barrier
// GENERIC-NEXT: "choreo.read_barrier"() : () -> ()
    cf.br ^bb1(%y : index)
//   CHECK-NEXT: cf.br ^bb1(%y_5 : index)
// GENERIC-NEXT: "cf.br"(%y_5) [^bb1] : (index) -> ()
  ^bb1(%i: index):
//   CHECK-NEXT: ^bb1(%i_1: index):
// GENERIC-NEXT: ^bb1(%i_1: index):
    %more = arith.cmpi slt, %i, %n : index
//   CHECK-NEXT: %more = arith.cmpi slt, %i_1, %n : index
// GENERIC-NEXT: %more = "arith.cmpi"(%i_1, %n) <{predicate = 2 : i64}> : (index, index) -> i1
    cf.cond_br %more, ^bb2, ^bb3
//   CHECK-NEXT: cf.cond_br %more, ^bb2, ^bb3
// GENERIC-NEXT: "cf.cond_br"(%more) [^bb2, ^bb3] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
  ^bb2:
//   CHECK-NEXT: ^bb2:
// GENERIC-NEXT: ^bb2:
    choreo.write_barrier
//   CHECK-NEXT: choreo.write_barrier
// GENERIC-NEXT: "choreo.write_barrier"() : () -> ()
    cf.br ^bb1(%i : index)
//   CHECK-NEXT: cf.br ^bb1(%i_1 : index)
// GENERIC-NEXT: "cf.br"(%i_1) [^bb1] : (index) -> ()
  ^bb3:
//   CHECK-NEXT: ^bb3:
// GENERIC-NEXT: ^bb3:
    choreo.end
//   CHECK-NEXT: choreo.end
// GENERIC-NEXT: "choreo.end"() : () -> ()
  }
//   CHECK-NEXT: }
// GENERIC-NEXT: }) : () -> ()

}
//   CHECK-NEXT: }
// GENERIC-NEXT: }) : () -> ()
