// RUN: not spatial-opt %s --split-input-file 2>&1 >/dev/null | filecheck %s --match-full-lines

// Every message of an operation by itself, and those of the custom format.

spatial.program @argument(%v : vector<4xf32>) {
}

//      CHECK: {{.*}}ops_invalid.mlir:5:1: error: 'spatial.program' op argument %v is vector<4xf32>, but arguments of a program are tensors in DRAM and index scalars

// -----

spatial.program @dynamic(%X : memref<?x64xbf16>) {
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:12:1: error: 'spatial.program' op argument %X is memref<?x64xbf16>, but tensors of a program have a static shape and elements that tiles can hold

// -----

spatial.program @elements(%X : memref<64x64xcomplex<f32>>) {
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:19:1: error: 'spatial.program' op argument %X is memref<64x64xcomplex<f32>>, but tensors of a program have a static shape and elements that tiles can hold

// -----

"spatial.program"() <{sym_name = "rank", grid = array<i64: 2>}> ({
^bb0:
}) : () -> ()

// CHECK-NEXT: {{.*}}ops_invalid.mlir:26:1: error: 'spatial.program' op grid [2] must be [rows, columns], each at least 1

// -----

"spatial.program"() <{sym_name = "sites", grid = array<i64: 2, 0>}> ({
^bb0:
}) : () -> ()

// CHECK-NEXT: {{.*}}ops_invalid.mlir:34:1: error: 'spatial.program' op grid [2, 0] must be [rows, columns], each at least 1

// -----

spatial.program @no_target() target #spatial.target<"wormhle"> {
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:42:1: error: 'spatial.program' op there is no target 'wormhle', did you mean 'wormhole'?; known targets: blackhole, fabric, hopper, reference, wormhole

// -----

spatial.program @no_field() target #spatial.target<"wormhole" {move_engine = 3}> {
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:49:1: error: 'spatial.program' op override of target 'wormhole': there is no field 'move_engine', did you mean 'move_engines'?; fields: tile, handshakes_local, handshakes_remote, ordering, move_engines, acc_tiles_16, acc_tiles_32, acc_across_k, pack_accumulate, local_bytes, reserved_bytes, alignment, element_types, max_pages_counter, max_grid, clock_ghz, link_bytes_per_cycle, hop_cycles, remote_cycles, dram_bytes_per_cycle, dram_cycles, issue_cycles, semaphore_cycles, matmul_cycles_4, matmul_cycles_8, matmul_cycles_16, matmul_cycles_32, map_cycles, reduce_cycles, unpack_bytes_per_cycle, pack_bytes_per_cycle

// -----

spatial.program @bad_field() target #spatial.target<"wormhole" {move_engines = true}> {
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:56:1: error: 'spatial.program' op override of target 'wormhole': move_engines must be a whole number, at least 1, not true

// -----

spatial.program @bad_value() target #spatial.target<"wormhole" {tile = affine_map<() -> ()>}> {
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:63:1: error: 'spatial.program' op override 'tile' of a target is affine_map<() -> ()>, but facts of a target are numbers, booleans, strings, or lists of integers or of strings

// -----

spatial.program @not_a_target() target "wormhole" {
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:70:40: error: expected a target, as in #spatial.target<"wormhole">
// CHECK-NEXT:   spatial.program @not_a_target() target "wormhole" {
// CHECK-NEXT:                                          ^

// -----

spatial.program @flat_grid() grid [8] {
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:79:35: error: a grid is [rows, columns], each at least 1
// CHECK-NEXT:   spatial.program @flat_grid() grid [8] {
// CHECK-NEXT:                                     ^

// -----

spatial.program @empty_grid() grid [8, 0] {
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:88:36: error: a grid is [rows, columns], each at least 1
// CHECK-NEXT:   spatial.program @empty_grid() grid [8, 0] {
// CHECK-NEXT:                                      ^

// -----

spatial.program @depth(%X : memref<32x32xbf16>, %Y : memref<32x32xbf16>) {
  %x = spatial.buffer depth 0 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, 0] into %x
  spatial.store %x into %Y[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:98:8: error: 'spatial.buffer' op %x has depth 0, but a ring holds at least one page

// -----

spatial.program @address(%X : memref<32x32xbf16>, %Y : memref<32x32xbf16>) {
  %x = spatial.buffer address -32 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, 0] into %x
  spatial.store %x into %Y[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:108:8: error: 'spatial.buffer' op %x has address -32, but addresses count bytes of local memory from 0

// -----

spatial.program @handshake(%X : memref<32x32xbf16>, %Y : memref<32x32xbf16>) {
  %x = spatial.buffer handshake semaphore : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, 0] into %x
  spatial.store %x into %Y[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:118:8: error: 'spatial.buffer' op a ring meets its two ends on one site, by `fifo` or `valid_ready`; `semaphore` is for groups, which use it of themselves

// -----

spatial.program @group(%X : memref<32x32xbf16>, %Y : memref<32x32xbf16>) {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0:8, 0] to [0:4, 1:8] along x
  spatial.load %X[0, 0] into %x multicast %g at [0:8, 0]
  spatial.recv %g into %x at [0:4, 1:8]
  spatial.store %x into %Y[0, 0] at [0:8, 0] + [0:4, 1:8]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:129:8: error: 'spatial.group' op sender [4, 0] has no receiver: in row 4 there is none

// -----

%x = spatial.buffer : !spatial.buffer<1x1xbf16>

// CHECK-NEXT: {{.*}}ops_invalid.mlir:139:6: error: 'spatial.buffer' op 'spatial.buffer' expects parent op 'spatial.program'

// -----

spatial.program @trip_index(%n : index, %U : memref<512x512xbf16>, %V : memref<512x512xbf16>) loops [k = ? max 4] {
  %v = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %U[0, 0] into %v
  spatial.trip k = %n[y, 0]
  spatial.store %v into %V[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:148:3: error: 'spatial.trip' op %n is an index, which has no elements: leave the address out

// -----

spatial.program @trip_element(%n : memref<4xi32>, %U : memref<512x512xbf16>, %V : memref<512x512xbf16>) loops [k = ? max 4] {
  %v = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %U[0, 0] into %v
  spatial.trip k = %n
  spatial.store %v into %V[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:159:3: error: 'spatial.trip' op %n is memref<4xi32>: say which element is the trip, as in `%n[y, 0]`

// -----

spatial.program @trip_float(%n : memref<4xf32>, %U : memref<512x512xbf16>, %V : memref<512x512xbf16>) loops [k = ? max 4] {
  %v = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %U[0, 0] into %v
  spatial.trip k = %n[y]
  spatial.store %v into %V[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:170:3: error: 'spatial.trip' op a trip is an integer, but %n is memref<4xf32>

// -----

spatial.program @trip_rank(%n : memref<4x4xi32>, %U : memref<512x512xbf16>, %V : memref<512x512xbf16>) loops [k = ? max 4] {
  %v = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %U[0, 0] into %v
  spatial.trip k = %n[y]
  spatial.store %v into %V[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:181:3: error: 'spatial.trip' op has an address of 1 expression, but %n has 2 dimensions

// -----

spatial.program @trip_loops(%n : memref<4xi32>, %U : memref<512x512xbf16>, %V : memref<512x512xbf16>) loops [k = ? max 4] {
  %v = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %U[0, 0] into %v
  spatial.trip k = %n[h]
  spatial.store %v into %V[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:192:3: error: 'spatial.trip' op uses 'h' in its address, but a trip is read once per item: it can use i, y and x

// -----

spatial.program @rank(%V : memref<64xbf16>, %X_ : memref<512x512xbf16>) {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %V[y] into %x
  spatial.store %x into %X_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:202:3: error: 'spatial.load' op %V is memref<64xbf16>, but tiles need two dimensions: give it a shape of rank 2 or more

// -----

spatial.program @expressions(%X : memref<64x64xbf16>, %X_ : memref<512x512xbf16>) {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y] into %x
  spatial.store %x into %X_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:212:3: error: 'spatial.load' op has an address of 1 expression, but %X is memref<64x64xbf16> of rank 2: write one expression per dimension

// -----

spatial.program @convert(%X : memref<64x64xf32>, %X_ : memref<512x512xbf16>) {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, x] into %x
  spatial.store %x into %X_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:222:3: error: 'spatial.load' op %X holds f32, but fills %x of 1x1xbf16: moving a page does not convert it, use a map for that

// -----

spatial.program @store_convert(%Y : memref<64x64xf32>, %X_ : memref<512x512xbf16>) {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X_[0, 0] into %x
  spatial.store %x into %Y[y, x]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:233:3: error: 'spatial.store' op %Y holds f32, but drains %x of 1x1xbf16: moving a page does not convert it, use a map for that

// -----

spatial.program @float_index(%X : memref<64x64xbf16>, %IX_ : memref<512x512xbf16>, %X_ : memref<512x512xbf16>) {
  %ix = spatial.buffer : !spatial.buffer<1x1xbf16>
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %IX_[0, 0] into %ix
  spatial.load %X[ind, 0] into %x via %ix
  spatial.store %x into %X_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:244:3: error: 'spatial.load' op goes via %ix of 1x1xbf16, but indices are integers

// -----

spatial.program @unused_index(%X : memref<64x64xbf16>, %IX_ : memref<512x512xi32>, %X_ : memref<512x512xbf16>) {
  %ix = spatial.buffer : !spatial.buffer<1x1xi32>
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %IX_[0, 0] into %ix
  spatial.load %X[y, 0] into %x via %ix
  spatial.store %x into %X_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:256:3: error: 'spatial.load' op goes via %ix, but its address does not use 'ind': use it, or say `rows` to take one tensor row per page row

// -----

spatial.program @no_index(%X : memref<64x64xbf16>, %X_ : memref<512x512xbf16>) {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[ind, 0] into %x
  spatial.store %x into %X_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:266:3: error: 'spatial.load' op uses 'ind' in its address, but has no index page: add `via` and an index buffer

// -----

spatial.program @row_address(%X : memref<64x64xbf16>, %IX_ : memref<512x512xi32>, %X_ : memref<512x512xbf16>) {
  %ix = spatial.buffer : !spatial.buffer<1x1xi32>
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %IX_[0, 0] into %ix
  spatial.load %X[y, 0] into %x via %ix rows
  spatial.store %x into %X_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:278:3: error: 'spatial.load' op takes the tensor rows from %ix, so the row expression of its address must be 0

// -----

spatial.program @rows_of_nothing(%X : memref<64x64xbf16>, %X_ : memref<512x512xbf16>) {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, 0] into %x rows
  spatial.store %x into %X_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:288:3: error: 'spatial.load' op `rows` needs an index page: add `via` and an index buffer

// -----

spatial.program @scatter_rows(%Y : memref<64x64xbf16>, %IX_ : memref<512x512xi32>, %X_ : memref<512x512xbf16>) {
  %ix = spatial.buffer : !spatial.buffer<1x1xi32>
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %IX_[0, 0] into %ix
  spatial.load %X_[0, 0] into %x
  spatial.store %x into %Y[y, 0] via %ix rows
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:301:3: error: 'spatial.store' op takes the tensor rows from %ix, so the row expression of its address must be 0

// -----

spatial.program @no_strides(%X : memref<64x64xbf16>, %X_ : memref<512x512xbf16>) {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, 0] into %x strides [1, 0]
  spatial.store %x into %X_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:310:3: error: 'spatial.load' op strides [1, 0] must be [rows, columns], each at least 1 tile

// -----

spatial.program @one_stride(%X : memref<64x64xbf16>, %X_ : memref<512x512xbf16>) {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, 0] into %x strides [2]
  spatial.store %x into %X_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:320:3: error: 'spatial.load' op strides [2] must be [rows, columns], each at least 1 tile

// -----

spatial.program @pad(%X : memref<64x64xbf16>, %X_ : memref<512x512xbf16>) {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, 0] into %x pad 0 : i32
  spatial.store %x into %X_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:330:3: error: 'spatial.load' op pads %x of 1x1xbf16 with 0 : i32: use a value of its kind

// -----

spatial.program @on_compute(%X : memref<64x64xbf16>, %X_ : memref<512x512xbf16>) {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, 0] into %x on compute
  spatial.store %x into %X_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:340:3: error: 'spatial.load' op runs on a movement engine, but is placed on `compute`: write `on move 0`

// -----

spatial.program @to_itself(%X : memref<64x64xbf16>, %X_ : memref<512x512xbf16>) grid [8, 8] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0:8, 0] to [0:8, 1:8] along x
  spatial.load %X[0, 0] into %x multicast %g at [0:8, 0]
  spatial.recv %g into %x multicast %g at [0:8, 1:8]
  spatial.store %x into %X_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:351:3: error: 'spatial.load' op is in a cycle of stages: 'spatial.load' op into %x sends %x for 'spatial.recv' op into %x, 'spatial.recv' op into %x goes with 'spatial.load' op into %x in one group
// CHECK-NEXT:   hint: use a group of its own for each: the stages of a group stand side by side
// CHECK-NEXT: {{.*}}ops_invalid.mlir:352:3: error: 'spatial.recv' op receives from %g and sends on to the same group
// CHECK-NEXT: {{.*}}ops_invalid.mlir:352:3: error: 'spatial.recv' op sends to %g at [0, 1], but the senders of %g are [0:8, 0]
// CHECK-NEXT:   hint: place it at [0:8, 0], or change the group

// -----

spatial.program @on_move(%A_ : memref<512x512xbf16>, %B_ : memref<512x512xbf16>, %C_ : memref<512x512xbf16>) {
  %a = spatial.buffer : !spatial.buffer<2x2xbf16>
  %b = spatial.buffer : !spatial.buffer<2x2xbf16>
  %c = spatial.buffer : !spatial.buffer<2x2xbf16>
  spatial.load %A_[0, 0] into %a
  spatial.load %B_[0, 0] into %b
  spatial.dot %a, %b into %c on move 0
  spatial.store %c into %C_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:370:3: error: 'spatial.dot' op computes, but is placed on `move 0`: it runs `on compute`, leave `on` out

// -----

spatial.program @accumulates(%A_ : memref<512x512xbf16>, %B_ : memref<512x512xbf16>, %C_ : memref<512x512xbf16>) {
  %a = spatial.buffer : !spatial.buffer<2x2xbf16>
  %b = spatial.buffer : !spatial.buffer<2x2xbf16>
  %c = spatial.buffer : !spatial.buffer<2x2xbf16>
  spatial.load %A_[0, 0] into %a
  spatial.load %B_[0, 0] into %b
  spatial.dot %a, %b into %c acc i32
  spatial.store %c into %C_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:384:3: error: 'spatial.dot' op accumulates in i32, but fills %c of 2x2xbf16

// -----

spatial.program @spills_nowhere(%A_ : memref<512x512xbf16>, %B_ : memref<512x512xbf16>, %C_ : memref<512x512xbf16>) {
  %a = spatial.buffer : !spatial.buffer<2x2xbf16>
  %b = spatial.buffer : !spatial.buffer<2x2xbf16>
  %c = spatial.buffer : !spatial.buffer<2x2xbf16>
  spatial.load %A_[0, 0] into %a
  spatial.load %B_[0, 0] into %b
  spatial.matmul %a, %b into %c by pack
  spatial.store %c into %C_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:398:3: error: 'spatial.matmul' op says by pack, but spills nowhere: name the ring of the partial sums

// -----

spatial.program @spill_shape(%A_ : memref<512x512xbf16>, %B_ : memref<512x512xbf16>, %C_ : memref<512x512xbf16>) {
  %a = spatial.buffer : !spatial.buffer<2x2xbf16>
  %b = spatial.buffer : !spatial.buffer<2x2xbf16>
  %c = spatial.buffer : !spatial.buffer<2x2xbf16>
  %p = spatial.buffer : !spatial.buffer<1x2xbf16>
  spatial.load %A_[0, 0] into %a
  spatial.load %B_[0, 0] into %b
  spatial.matmul %a, %b into %c spill %p
  spatial.store %c into %C_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:413:3: error: 'spatial.matmul' op spills to %p of 1x2xbf16, but makes %c of 2x2xbf16: partial sums have the shape of the result

// -----

spatial.program @spill_result(%A_ : memref<512x512xbf16>, %B_ : memref<512x512xbf16>) {
  %a = spatial.buffer : !spatial.buffer<2x2xbf16>
  %b = spatial.buffer : !spatial.buffer<2x2xbf16>
  %c = spatial.buffer : !spatial.buffer<2x2xbf16>
  spatial.load %A_[0, 0] into %a
  spatial.load %B_[0, 0] into %b
  spatial.matmul %a, %b into %c spill %c
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:427:3: error: 'spatial.matmul' op spills to its own result %c: give the partial sums a buffer of their own, `alias` for the same memory

// -----

spatial.program @product(%A_ : memref<512x512xbf16>, %B_ : memref<512x512xi8>, %C_ : memref<512x512xbf16>) {
  %a = spatial.buffer : !spatial.buffer<2x2xbf16>
  %b = spatial.buffer : !spatial.buffer<2x2xi8>
  %c = spatial.buffer : !spatial.buffer<2x2xbf16>
  spatial.load %A_[0, 0] into %a
  spatial.load %B_[0, 0] into %b
  spatial.matmul %a, %b into %c
  spatial.store %c into %C_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:440:3: error: 'spatial.matmul' op multiplies %a of 2x2xbf16 by %b of 2x2xi8 into %c of 2x2xbf16: use floats throughout, or integers throughout

// -----

spatial.program @inner(%A_ : memref<512x512xbf16>, %B_ : memref<512x512xbf16>, %C_ : memref<512x512xbf16>) {
  %a = spatial.buffer : !spatial.buffer<2x3xbf16>
  %b = spatial.buffer : !spatial.buffer<2x2xbf16>
  %c = spatial.buffer : !spatial.buffer<2x2xbf16>
  spatial.load %A_[0, 0] into %a
  spatial.load %B_[0, 0] into %b
  spatial.dot %a, %b into %c
  spatial.store %c into %C_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:454:3: error: 'spatial.dot' op multiplies %a of 2x3xbf16 by %b of 2x2xbf16 into %c of 2x2xbf16, but R x K times K x C is R x C

// -----

spatial.program @inner_transposed(%A_ : memref<512x512xbf16>, %B_ : memref<512x512xbf16>, %C_ : memref<512x512xbf16>) {
  %a = spatial.buffer : !spatial.buffer<2x3xbf16>
  %b = spatial.buffer : !spatial.buffer<3x4xbf16>
  %c = spatial.buffer : !spatial.buffer<2x4xbf16>
  spatial.load %A_[0, 0] into %a
  spatial.load %B_[0, 0] into %b
  spatial.dot %a, %b transpose_b into %c
  spatial.store %c into %C_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:468:3: error: 'spatial.dot' op multiplies %a of 2x3xbf16 by %b of 3x4xbf16 transposed into %c of 2x4xbf16, but R x K times K x C is R x C

// -----

spatial.program @dot_kinds(%A_ : memref<512x512xi8>, %B_ : memref<512x512xi8>, %C_ : memref<512x512xf32>) {
  %a = spatial.buffer : !spatial.buffer<1x1xi8>
  %b = spatial.buffer : !spatial.buffer<1x1xi8>
  %c = spatial.buffer : !spatial.buffer<1x1xf32>
  spatial.load %A_[0, 0] into %a
  spatial.load %B_[0, 0] into %b
  spatial.dot %a, %b into %c
  spatial.store %c into %C_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:482:3: error: 'spatial.dot' op multiplies %a of 1x1xi8 by %b of 1x1xi8 into %c of 1x1xf32: use floats throughout, or integers throughout

// -----

spatial.program @map_shape(%X_ : memref<512x512xbf16>, %Y_ : memref<512x512xbf16>) {
  %x = spatial.buffer : !spatial.buffer<2x1xbf16>
  %y = spatial.buffer : !spatial.buffer<2x2xbf16>
  spatial.load %X_[0, 0] into %x
  spatial.map (%x) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:494:3: error: 'spatial.map' op reads %x of 2x1xbf16 for %y of 2x2xbf16, but needs the shape of the result, 2x2

// -----

spatial.program @map_rows(%X_ : memref<512x512xbf16>, %Y_ : memref<512x512xbf16>) {
  %x = spatial.buffer : !spatial.buffer<2x2xbf16>
  %y = spatial.buffer : !spatial.buffer<2x2xbf16>
  spatial.load %X_[0, 0] into %x
  spatial.map (%x broadcast rows) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:509:3: error: 'spatial.map' op reads %x of 2x2xbf16 broadcast rows for %y of 2x2xbf16, but needs one row of tiles and the columns of the result, 1x2

// -----

spatial.program @map_cols(%X_ : memref<512x512xbf16>, %Y_ : memref<512x512xbf16>) {
  %x = spatial.buffer : !spatial.buffer<1x2xbf16>
  %y = spatial.buffer : !spatial.buffer<2x2xbf16>
  spatial.load %X_[0, 0] into %x
  spatial.map (%x broadcast cols) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:524:3: error: 'spatial.map' op reads %x of 1x2xbf16 broadcast cols for %y of 2x2xbf16, but needs one column of tiles and the rows of the result, 2x1

// -----

spatial.program @map_scalar(%X_ : memref<512x512xbf16>, %Y_ : memref<512x512xbf16>) {
  %x = spatial.buffer : !spatial.buffer<1x2xbf16>
  %y = spatial.buffer : !spatial.buffer<2x2xbf16>
  spatial.load %X_[0, 0] into %x
  spatial.map (%x broadcast scalar) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:539:3: error: 'spatial.map' op reads %x of 1x2xbf16 broadcast scalar for %y of 2x2xbf16, but needs one tile, 1x1

// -----

spatial.program @map_arguments(%X_ : memref<512x512xbf16>, %Y_ : memref<512x512xbf16>) {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X_[0, 0] into %x
  spatial.map (%x) into %y {
  ^bb0(%0 : f32, %1 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:554:3: error: 'spatial.map' op has 1 inputs, but its code has 2 arguments

// -----

spatial.program @map_argument_type(%X_ : memref<512x512xbf16>, %Y_ : memref<512x512xbf16>) {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X_[0, 0] into %x
  spatial.map (%x) into %y {
  ^bb0(%0 : bf16):
    %1 = arith.extf %0 : bf16 to f32
    spatial.yield %1 : f32
  }
  spatial.store %y into %Y_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:569:3: error: 'spatial.map' op reads %x of 1x1xbf16, which its code gets as f32, but the argument is bf16

// -----

spatial.program @map_yield_type(%X_ : memref<512x512xi32>, %Y_ : memref<512x512xbf16>) {
  %x = spatial.buffer : !spatial.buffer<1x1xi32>
  %y = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X_[0, 0] into %x
  spatial.map (%x) into %y {
  ^bb0(%0 : i32):
    spatial.yield %0 : i32
  }
  spatial.store %y into %Y_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:585:3: error: 'spatial.map' op its code must end by yielding one f32 for %y of 1x1xbf16, got i32

// -----

spatial.program @map_yields_two(%X_ : memref<512x512xf32>, %Y_ : memref<512x512xbf16>) {
  %x = spatial.buffer : !spatial.buffer<1x1xf32>
  %y = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X_[0, 0] into %x
  spatial.map (%x) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0, %0 : f32, f32
  }
  spatial.store %y into %Y_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:600:3: error: 'spatial.map' op its code must end by yielding one f32 for %y of 1x1xbf16, got f32, f32

// -----

spatial.program @map_yields_nothing(%X_ : memref<512x512xf32>, %Y_ : memref<512x512xbf16>) {
  %x = spatial.buffer : !spatial.buffer<1x1xf32>
  %y = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X_[0, 0] into %x
  spatial.map (%x) into %y {
  ^bb0(%0 : f32):
    spatial.yield
  }
  spatial.store %y into %Y_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:615:3: error: 'spatial.map' op its code must end by yielding one f32 for %y of 1x1xbf16, got nothing

// -----

spatial.program @map_broadcast(%X_ : memref<512x512xf32>, %Y_ : memref<512x512xbf16>) {
  %x = spatial.buffer : !spatial.buffer<1x1xf32>
  %y = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X_[0, 0] into %x
  spatial.map (%x broadcast all) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:630:29: error: Expected `none`, `rows`, `cols`, or `scalar`.
// CHECK-NEXT:     spatial.map (%x broadcast all) into %y {
// CHECK-NEXT:                               ^^^

// -----

spatial.program @map_broadcasts(%X : memref<512x512xf32>, %Y : memref<512x512xbf16>) {
  %x = spatial.buffer : !spatial.buffer<1x1xf32>
  %y = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, 0] into %x
  "spatial.map"(%x, %y) <{broadcasts = []}> ({
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }) : (!spatial.buffer<1x1xf32>, !spatial.buffer<1x1xbf16>) -> ()
  spatial.store %y into %Y[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:647:3: error: 'spatial.map' op has 1 inputs, but says 0 broadcasts

// -----

spatial.program @reduce_rows(%X_ : memref<512x512xf32>, %Y_ : memref<512x512xf32>) {
  %x = spatial.buffer : !spatial.buffer<2x2xf32>
  %y = spatial.buffer : !spatial.buffer<2x1xf32>
  spatial.load %X_[0, 0] into %x
  spatial.reduce add rows %x into %y
  spatial.store %y into %Y_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:662:3: error: 'spatial.reduce' op reduces the rows of %x of 2x2xf32 to 1x2, but fills %y of 2x1xf32

// -----

spatial.program @reduce_cols(%X_ : memref<512x512xf32>, %Y_ : memref<512x512xf32>) {
  %x = spatial.buffer : !spatial.buffer<2x2xf32>
  %y = spatial.buffer : !spatial.buffer<1x2xf32>
  spatial.load %X_[0, 0] into %x
  spatial.reduce add cols %x into %y
  spatial.store %y into %Y_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:674:3: error: 'spatial.reduce' op reduces the cols of %x of 2x2xf32 to 2x1, but fills %y of 1x2xf32

// -----

spatial.program @all_reduce(%X_ : memref<512x512xf32>, %Y_ : memref<512x512xf32>) {
  %x = spatial.buffer : !spatial.buffer<2x2xf32>
  %y = spatial.buffer : !spatial.buffer<1x2xf32>
  spatial.load %X_[0, 0] into %x
  %g = spatial.group from [0, 0] to [0, 1] along x
  spatial.all_reduce add %x into %y across %g
  spatial.store %y into %Y_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:687:3: error: 'spatial.all_reduce' op combines %x of 2x2xf32 into %y of 1x2xf32: all pages have one shape

// -----

spatial.program @all_reduce_nothing(%Y : memref<512x512xbf16>) {
  %y = spatial.buffer : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  "spatial.all_reduce"(%g, %y) <{kind = #spatial<reduction add>}> : (!spatial.group, !spatial.buffer<1x1xbf16>) -> ()
  spatial.store %y into %Y[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:698:3: error: 'spatial.all_reduce' op combines no page: name at least one

// -----

spatial.program @before(%X : memref<64x64xbf16>) {

  spatial.load %X[0, 0] into %late
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:708:30: error: %late is used before it is defined
// CHECK-NEXT:     spatial.load %X[0, 0] into %late
// CHECK-NEXT:                                ^^^^^

// -----

spatial.program @output(%X_ : memref<512x512xf32>, %Y_ : memref<512x512xf32>) {
  %x = spatial.buffer : !spatial.buffer<1x1xf32>
  %y = spatial.buffer : !spatial.buffer<1x1xf32>
  spatial.load %X_[0, 0] into %x
  spatial.dot %x, %x to %y
  spatial.store %y into %Y_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:721:22: error: Expected one of 'into', 'update' before the buffer
// CHECK-NEXT:     spatial.dot %x, %x to %y
// CHECK-NEXT:                        ^^

// -----

spatial.program @affine(%X : memref<64x64xbf16>, %X_ : memref<512x512xbf16>) {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y * x, 0] into %x
  spatial.store %x into %X_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:733:21: error: a tile address is affine: one factor of a product must be a constant
// CHECK-NEXT:     spatial.load %X[y * x, 0] into %x
// CHECK-NEXT:                       ^

// -----

spatial.program @divisor(%X : memref<64x64xbf16>, %X_ : memref<512x512xbf16>) {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y floordiv 0, 0] into %x
  spatial.store %x into %X_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:745:21: error: the right side of 'floordiv' must be a positive constant
// CHECK-NEXT:     spatial.load %X[y floordiv 0, 0] into %x
// CHECK-NEXT:                       ^

// -----

spatial.program @unknown_name(%X : memref<64x64xbf16>, %X_ : memref<512x512xbf16>) {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[z, 0] into %x
  spatial.store %x into %X_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:757:19: error: unknown name 'z' in a tile address; it can use i, y, x, k, h, w, ind
// CHECK-NEXT:     spatial.load %X[z, 0] into %x
// CHECK-NEXT:                     ^

// -----

spatial.program @no_expression(%X : memref<64x64xbf16>, %X_ : memref<512x512xbf16>) {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y + , 0] into %x
  spatial.store %x into %X_[0, 0]
}

// CHECK-NEXT: {{.*}}ops_invalid.mlir:769:23: error: expected an expression of a tile address
// CHECK-NEXT:     spatial.load %X[y + , 0] into %x
// CHECK-NEXT:                         ^
//  CHECK-NOT: {{.+}}
