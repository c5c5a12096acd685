// RUN: not spatial-opt %s --split-input-file 2>&1 >/dev/null | filecheck %s --match-full-lines

// Programs that do not fit their grid or target, buffers that do not fit each other, run-time trips.

spatial.program @empty() target #spatial.target<"wormhole"> grid [2, 2] {
}

//      CHECK: {{.*}}program_invalid_machine.mlir:5:1: error: 'spatial.program' op has no stages: nothing moves and nothing is computed
// CHECK-NEXT:   hint: add a stage, such as spatial.load, or remove the program

// -----

// Neither is a program with buffers alone one.
spatial.program @template() {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
}

// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:14:1: error: 'spatial.program' op has no stages: nothing moves and nothing is computed
// CHECK-NEXT:   hint: add a stage, such as spatial.load, or remove the program

// -----

spatial.program @requires(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] requires [fifo] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, x] into %x on move 0
  spatial.store %x into %Y[y, x] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:23:1: error: 'spatial.program' op says what it `requires`, but has stages: that follows from its engines
// CHECK-NEXT:   hint: leave `requires` out

// -----

spatial.program @foreign(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, x] into %x on move 0
  %zero = arith.constant 0 : index
  spatial.store %x into %Y[y, x] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:39:11: error: 'arith.constant' op stands in program @foreign, which holds buffers, groups, stages and run-time trips only
// CHECK-NEXT:   hint: move it out of the program, or into the code of a spatial.map

// -----

spatial.program @both(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, x] into %x on move 0
  spatial.store %x into %Y[y, x] on move 1
  choreo.engine @loader on move 0 at [0, 0] {
  ^bb0(%y : index, %x_ : index):
  }
}

// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:48:1: error: 'spatial.program' op has 2 stages and 1 engines, but engines replace stages
// CHECK-NEXT:   hint: leave the stages out, or derive all engines with synthesize-handshakes

// -----

spatial.program @max_grid(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole" {max_grid = [8, 10]}> grid [8, 11] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, x] into %x at [0:2, 0:2] on move 0
  spatial.store %x into %Y[y, x] at [0:2, 0:2] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:63:1: error: 'spatial.program' op has grid [8, 11], but target 'wormhole' has at most [8, 10]
// CHECK-NEXT:   hint: use a smaller grid

// -----

spatial.program @at_outside(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, 0] into %x at [0, 0] + [1:4, 0:3] on move 0
  spatial.store %x into %Y[0, 0] at [0, 0] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:78:3: error: 'spatial.load' op at [0, 0] + [1:4, 0:3] reaches outside the grid [2, 2]: [1, 2] is not in it
// CHECK-NEXT:   hint: make the set smaller, or the grid larger

// -----

spatial.program @group_outside(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1:3] along x
  spatial.load %X[0, 0] into %x multicast %g at [0, 0] on move 0
  spatial.recv %g into %x at [0, 1:3] on move 0
  spatial.store %x into %Y[0, x] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:90:8: error: 'spatial.group' op %g to [0, 1:3] reaches outside the grid [2, 2]: [0, 2] is not in it
// CHECK-NEXT:   hint: make the set smaller, or the grid larger
// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:92:3: error: 'spatial.recv' op at [0, 1:3] reaches outside the grid [2, 2]: [0, 2] is not in it
// CHECK-NEXT:   hint: make the set smaller, or the grid larger

// -----

spatial.program @senders_outside(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0:3, 0] to [0:2, 1] + [2, 1] along x
  spatial.load %X[y, x] into %x multicast %g at [0:2, 0] on move 0
  spatial.recv %g into %x at [0:2, 1] on move 0
  spatial.store %x into %Y[y, x] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:106:8: error: 'spatial.group' op %g from [0:3, 0] reaches outside the grid [2, 2]: [2, 0] is not in it
// CHECK-NEXT:   hint: make the set smaller, or the grid larger
// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:106:8: error: 'spatial.group' op %g to [0:3, 1] reaches outside the grid [2, 2]: [2, 1] is not in it
// CHECK-NEXT:   hint: make the set smaller, or the grid larger

// -----

spatial.program @engine(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, x] into %x on move 0
  spatial.store %x into %Y[y, x] on move 3
}

// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:123:3: error: 'spatial.store' op is on `move 3`, but target 'wormhole' has 2 movement engines
// CHECK-NEXT:   hint: place it on `move 0` to `move 1`

// -----

spatial.program @one_engine(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole" {move_engines = 1}> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, x] into %x on move 1
  spatial.store %x into %Y[y, x] on move 0
}

// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:134:3: error: 'spatial.load' op is on `move 1`, but target 'wormhole' has 1 movement engine
// CHECK-NEXT:   hint: place it on `move 0`

// -----

spatial.program @element_type(%X : memref<64x64xf64>, %Y : memref<64x64xf64>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xf64>
  spatial.load %X[y, x] into %x on move 0
  spatial.store %x into %Y[y, x] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:145:8: error: 'spatial.buffer' op %x holds f64, but target 'wormhole' has tiles of bf16, f16, f32, bfp8, bfp4, i8, i32, ui8, ui16, ui32
// CHECK-NEXT:   hint: convert to one of these, or override `element_types` of the target

// -----

spatial.program @counter(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer depth 65536 : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, x] into %x on move 0
  spatial.store %x into %Y[y, x] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:157:8: error: 'spatial.buffer' op %x is 65536 pages deep, but counters of target 'wormhole' hold at most 65535
// CHECK-NEXT:   hint: make the ring less deep

// -----

spatial.program @alias_bytes(%X : memref<64x64xf32>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xf32>
  %y = spatial.buffer alias %x : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, x] into %x on move 0
  spatial.map (%x) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[y, x] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:170:8: error: 'spatial.buffer' op %y of 1x1xbf16 aliases %x of 1x1xf32, but their pages differ in bytes
// CHECK-NEXT:   hint: use pages of one size, or memory of its own

// -----

spatial.program @alias_depth(%X : memref<64x64xf32>, %Y : memref<64x128xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer depth 1 : !spatial.buffer<1x1xf32>
  %y = spatial.buffer depth 2 alias %x : !spatial.buffer<1x2xbf16>
  spatial.load %X[y, x] into %x on move 0
  spatial.map (%x broadcast cols) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[y, x * 2] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:187:8: error: 'spatial.buffer' op %y is 2 pages deep, but aliases %x, which is 1 deep
// CHECK-NEXT:   hint: make both equally deep: they share memory page for page

// -----

spatial.program @alias_chain(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  %m = spatial.buffer alias %x : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer alias %m : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, x] into %x on move 0
  spatial.map (%x) into %m {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map (%m) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[y, x] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:205:8: error: 'spatial.buffer' op %y aliases %m, which has no memory of its own: it aliases %x
// CHECK-NEXT:   hint: alias %x

// -----

spatial.program @alias_address(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer depth 1 address 131072 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 1 address 133120 alias %x : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, x] into %x on move 0
  spatial.map (%x) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[y, x] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:226:8: error: 'spatial.buffer' op %y is at address 133120, but aliases %x, which is at 131072
// CHECK-NEXT:   hint: leave the address out: it is the other's

// -----

// 8 tiles fit in 16 bits, but not in 32.
spatial.program @accumulator(%X : memref<64x256xf32>, %Y : memref<64x256xf32>)
    target #spatial.target<"wormhole"> grid [1, 1] {
  %x = spatial.buffer : !spatial.buffer<2x4xf32>
  %y = spatial.buffer : !spatial.buffer<2x4xf32>
  spatial.load %X[0, 0] into %x on move 0
  spatial.map (%x) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[0, 0] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:246:3: error: 'spatial.map' op accumulates %y of 2x4xf32, 8 tiles, in f32, but the accumulators of target 'wormhole' hold 4 tiles of 32 bits
// CHECK-NEXT:   hint: make smaller pages, or accumulate in 16 bits

// -----

// The accumulator has the type of the widest page that it is packed to: here the partial sums.
spatial.program @spilled(%A : memref<64x128xbf16>, %B : memref<128x128xbf16>, %C : memref<64x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %a = spatial.buffer : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer : !spatial.buffer<1x4xbf16>
  %c = spatial.buffer : !spatial.buffer<2x4xbf16>
  %p = spatial.buffer : !spatial.buffer<2x4xf32>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p
  spatial.store %c into %C[0, 0] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:267:3: error: 'spatial.matmul' op accumulates %c of 2x4xbf16, 8 tiles, in f32, but the accumulators of target 'wormhole' hold 4 tiles of 32 bits
// CHECK-NEXT:   hint: make smaller pages, in more sub-blocks h and w, or accumulate in 16 bits

// -----

spatial.program @sixteen_bits(%X : memref<64x512xbf16>, %Y : memref<64x512xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] {
  %x = spatial.buffer : !spatial.buffer<2x8xbf16>
  %y = spatial.buffer : !spatial.buffer<2x8xbf16>
  spatial.load %X[0, 0] into %x on move 0
  spatial.map (%x) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[0, 0] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:281:3: error: 'spatial.map' op accumulates %y of 2x8xbf16, 16 tiles, in bf16, but the accumulators of target 'wormhole' hold 8 tiles of 16 bits
// CHECK-NEXT:   hint: make smaller pages

// -----

spatial.program @inner(%A : memref<64x64xbf16>, %B : memref<32x64xbf16>, %C : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] {
  %a = spatial.buffer : !spatial.buffer<2x2xbf16>
  %b = spatial.buffer : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer : !spatial.buffer<2x2xbf16>
  spatial.load %A[0, 0] into %a on move 0
  spatial.load %B[0, 0] into %b on move 0
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, 0] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:300:3: error: 'spatial.matmul' op multiplies %a of 2x2xbf16 by %b of 1x2xbf16 into %c of 2x2xbf16, but K is 2 on the left and 1 on the right
// CHECK-NEXT:   hint: give both operands the same K

// -----

spatial.program @sub_blocks(%A : memref<64x32xbf16>, %B : memref<32x64xbf16>, %C : memref<64x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [h = 2, w = 4] {
  %a = spatial.buffer : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %A[0, 0] into %a on move 0
  spatial.load %B[0, 0] into %b on move 0
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[h, w] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:316:3: error: 'spatial.matmul' op multiplies %a of 2x1xbf16 by %b of 1x2xbf16 into %c of 1x1xbf16, but 2 x 4 sub-blocks (h x w) of 1x1 are 2x4 tiles, not 2x2
// CHECK-NEXT:   hint: the left operand has h * R rows and the right one w * C columns: change the pages or the loops

// -----

// Before the loops are known, the pages must divide the product.
spatial.program @divides(%A : memref<96x32xbf16>, %B : memref<32x64xbf16>, %C : memref<96x64xbf16>) {
  %a = spatial.buffer : !spatial.buffer<3x1xbf16>
  %b = spatial.buffer : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer : !spatial.buffer<2x2xbf16>
  spatial.load %A[0, 0] into %a
  spatial.load %B[0, 0] into %b
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[h, w]
}

// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:332:3: error: 'spatial.matmul' op multiplies %a of 3x1xbf16 by %b of 1x2xbf16 into %c of 2x2xbf16, but 3x2 tiles are no whole number of pages of 2x2
// CHECK-NEXT:   hint: make the result's page divide the product

// -----

spatial.program @operand_domain(%A : memref<64x64xbf16>, %B : memref<64x32xbf16>, %C : memref<64x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2, h = 2] {
  %a = spatial.buffer : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[h, 0] into %b on move 0
  spatial.matmul %a, %b into %c spill %p
  spatial.store %c into %C[h, 0] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:349:3: error: 'spatial.matmul' op takes %b once per K block, but its pages are also indexed by h
// CHECK-NEXT:   hint: load one page with the rows or columns of all sub-blocks, or use spatial.dot

// -----

spatial.program @trip_without(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 1] loops [k = ? max 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, k] into %x on move 0
  spatial.store %x into %Y[y, k] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:358:1: error: 'spatial.program' op says k = ? max 2, but nothing gives the trip at run time
// CHECK-NEXT:   hint: add `spatial.trip k = ...` to its body

// -----

spatial.program @trip_of_constant(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>, %n : index)
    target #spatial.target<"wormhole"> grid [2, 1] loops [k = 2] {
  spatial.trip k = %n
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, k] into %x on move 0
  spatial.store %x into %Y[y, k] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:372:3: error: 'spatial.trip' op gives the trip of k at run time, but the program says k = 2
// CHECK-NEXT:   hint: write `k = ? max 2` in its loops

// -----

spatial.program @trip_of_h(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>, %n : index)
    target #spatial.target<"wormhole"> grid [2, 1] loops [h = 2] {
  spatial.trip h = %n
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, h] into %x on move 0
  spatial.store %x into %Y[y, h] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:385:3: error: 'spatial.trip' op gives the trip of h at run time, but the program says h = 2
// CHECK-NEXT:   hint: only k can have a run-time trip

// -----

spatial.program @two_trips(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>, %n : index, %m : index)
    target #spatial.target<"wormhole"> grid [2, 1] loops [k = ? max 2] {
  spatial.trip k = %n
  spatial.trip k = %m
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, k] into %x on move 0
  spatial.store %x into %Y[y, k] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:399:3: error: 'spatial.trip' op gives the trip of k by %m, but it is given by %n already
// CHECK-NEXT:   hint: remove one of the two

// -----

spatial.program @trip_along(%X : memref<64x64xbf16>, %Y : memref<64x128xbf16>, %lens : memref<2x2xi32>)
    target #spatial.target<"wormhole"> grid [2, 2] loops [k = ? max 2] {
  spatial.trip k = %lens[y, x]
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0:2, 0] to [0:2, 1] along x
  spatial.load %X[y, k] into %x multicast %g at [0:2, 0] on move 0
  spatial.recv %g into %x at [0:2, 1] on move 0
  spatial.store %x into %Y[y, x * 2 + k] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:412:3: error: 'spatial.trip' op reads %lens by 'x', but %g runs along x: its sender and its receivers would read different trips
// CHECK-NEXT:   hint: leave 'x' out of the address

// -----

spatial.program @trip_outside(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>, %lens : memref<1xi32>)
    target #spatial.target<"wormhole"> grid [2, 1] loops [k = ? max 2] {
  spatial.trip k = %lens[y]
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, k] into %x on move 0
  spatial.store %x into %Y[y, k] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:427:3: error: 'spatial.trip' op reads outside %lens: `y` is 1 at y = 1, but dimension 0 has 1 element
// CHECK-NEXT:   hint: use a larger tensor, or an address with smaller steps

// -----

// Everything wrong is said at once, at its own place, in the order of the text.
spatial.program @all(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  %unused = spatial.buffer : !spatial.buffer<1x1xf64>
  spatial.load %X[y * 2, x] into %x on move 2
  spatial.store %x into %Y[y, 0] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:442:13: error: 'spatial.buffer' op %unused holds f64, but target 'wormhole' has tiles of bf16, f16, f32, bfp8, bfp4, i8, i32, ui8, ui16, ui32
// CHECK-NEXT:   hint: convert to one of these, or override `element_types` of the target
// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:442:13: error: 'spatial.buffer' op %unused is never used
// CHECK-NEXT:   hint: remove it
// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:443:3: error: 'spatial.load' op is on `move 2`, but target 'wormhole' has 2 movement engines
// CHECK-NEXT:   hint: place it on `move 0` to `move 1`
// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:443:3: error: 'spatial.load' op reads outside %X: `y * 2` is 2 at y = 1, but dimension 0 has 2 whole tiles
// CHECK-NEXT:   hint: use a larger tensor, or an address with smaller steps, or `pad` what lies outside
// CHECK-NEXT: {{.*}}program_invalid_machine.mlir:444:3: error: 'spatial.store' op writes the same tiles of %Y for every x: its address does not use x
// CHECK-NEXT:   hint: use x in the address
//  CHECK-NOT: {{.+}}
