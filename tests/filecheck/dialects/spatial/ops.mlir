// RUN: SPATIAL_ROUNDTRIP | filecheck %s
// RUN: SPATIAL_GENERIC_ROUNDTRIP | filecheck %s --check-prefix GENERIC

// Every operation, type and attribute with each of its options.

// Types and attributes by themselves.
"test.op"() {
  buffer = !spatial.buffer<8x4xbf16>,
  integers = !spatial.buffer<1x2xui8>,
  block_floats = [!spatial.buffer<1x1x!spatial.bfp8>, !spatial.buffer<1x1x!spatial.bfp4>],
  group = !spatial.group,
  sites = #spatial<sites [0:2, 0:8] + [6, 3]>,
  engines = [#spatial<engine move 0>, #spatial<engine move 12>, #spatial<engine compute>],
  loops = #spatial<loops [i = 2, k = ? max 16, h = 4, w = 3]>,
  no_loops = #spatial<loops []>,
  loop = [#spatial<loop i>, #spatial<loop k>, #spatial<loop h>, #spatial<loop w>],
  target = #spatial.target<"wormhole">,
  overridden = #spatial.target<"hopper" {acc_across_k = false, max_grid = [8, 10], local_bytes = 1024}>,
  handshakes = [#spatial<handshake fifo>, #spatial<handshake valid_ready>, #spatial<handshake semaphore>],
  axes = [#spatial<axis x>, #spatial<axis y>, #spatial<axis yx>],
  spills = [#spatial<spill reload>, #spatial<spill pack>],
  reductions = [#spatial<reduction add>, #spatial<reduction max>, #spatial<reduction min>],
  page_axes = [#spatial<page_axis rows>, #spatial<page_axis cols>],
  broadcasts = [#spatial<broadcast none>, #spatial<broadcast rows>, #spatial<broadcast cols>, #spatial<broadcast scalar>]
} : () -> ()

//      CHECK:   "test.op"() {buffer = !spatial.buffer<8x4xbf16>, integers = !spatial.buffer<1x2xui8>, block_floats = [!spatial.buffer<1x1x!spatial.bfp8>, !spatial.buffer<1x1x!spatial.bfp4>], group = !spatial.group, sites = #spatial<sites [0:2, 0:8] + [6, 3]>, engines = [#spatial<engine move 0>, #spatial<engine move 12>, #spatial<engine compute>], loops = #spatial<loops [i = 2, k = ? max 16, h = 4, w = 3]>, no_loops = #spatial<loops []>, loop = [#spatial<loop i>, #spatial<loop k>, #spatial<loop h>, #spatial<loop w>], target = #spatial.target<"wormhole">, overridden = #spatial.target<"hopper" {acc_across_k = false, max_grid = [8, 10], local_bytes = 1024}>, handshakes = [#spatial<handshake fifo>, #spatial<handshake valid_ready>, #spatial<handshake semaphore>], axes = [#spatial<axis x>, #spatial<axis y>, #spatial<axis yx>], spills = [#spatial<spill reload>, #spatial<spill pack>], reductions = [#spatial<reduction add>, #spatial<reduction max>, #spatial<reduction min>], page_axes = [#spatial<page_axis rows>, #spatial<page_axis cols>], broadcasts = [#spatial<broadcast none>, #spatial<broadcast rows>, #spatial<broadcast cols>, #spatial<broadcast scalar>]} : () -> ()


// -----

// A template: stages and buffers.
spatial.program @template(%X: memref<64x64xbf16>, %Y: memref<64x64xbf16>) {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, x] into %x
  spatial.store %x into %Y[y, x]
}

//      CHECK:   spatial.program @template(%X: memref<64x64xbf16>, %Y: memref<64x64xbf16>) {
// CHECK-NEXT:     %x = spatial.buffer : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:     spatial.load %X[y, x] into %x
// CHECK-NEXT:     spatial.store %x into %Y[y, x]
// CHECK-NEXT:   }

// GENERIC:   "spatial.program"() <{sym_name = "template"}> ({
// GENERIC:     %x = "spatial.buffer"() <{handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<1x1xbf16>
// GENERIC:     "spatial.load"(%X, %x) <{address = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2)>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<64x64xbf16>, !spatial.buffer<1x1xbf16>) -> ()
// GENERIC:     "spatial.store"(%x, %Y) <{address = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2)>}> : (!spatial.buffer<1x1xbf16>, memref<64x64xbf16>) -> ()

// -----

// Loops, grid, places, engines, groups along each axis, and a page that is sent on.
spatial.program @multicast(%A: memref<256x128xbf16>, %B: memref<128x256xbf16>, %C: memref<256x256xbf16>) target #spatial.target<"blackhole" {ordering = "ordered"}> grid [4, 4] loops [k = 2, h = 2] attributes {note = "kept"} {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x2xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<2x2xbf16>
  %c = spatial.buffer depth 2 address 262144 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 2 alias %c : !spatial.buffer<1x2xbf16>
  %rows = spatial.group from [0:4, 0] to [0:4, 1:4] along x
  %cols = spatial.group from [0, 1:4] to [1:4, 1:4] along y
  %rest = spatial.group from [0, 0] to [1:4, 0] along yx
  spatial.load @load_a %A[y * 2, k * 2] into %a multicast %rows at [0:4, 0] on move 0
  spatial.recv @recv_a %rows into %a at [0:4, 1:4] on move 0
  spatial.load @load_b %B[k * 2, x * 2] into %b multicast %cols at [0, 1:4] on move 0
  spatial.load %B[k * 2, 0] into %b multicast %rest at [0, 0] on move 0
  spatial.recv %cols into %b at [1:4, 1:4] on move 0
  spatial.recv %rest into %b at [1:4, 0] on move 0
  spatial.matmul @mm %a, %b into %c spill %p by pack acc f32
  spatial.store @store_c %c into %C[y * 2 + h, x * 2] on move 1
}

//      CHECK:   spatial.program @multicast(%A: memref<256x128xbf16>, %B: memref<128x256xbf16>, %C: memref<256x256xbf16>) target #spatial.target<"blackhole" {ordering = "ordered"}> grid [4, 4] loops [k = 2, h = 2] attributes {note = "kept"} {
// CHECK-NEXT:     %a = spatial.buffer depth 2 : !spatial.buffer<2x2xbf16>
// CHECK-NEXT:     %b = spatial.buffer depth 2 : !spatial.buffer<2x2xbf16>
// CHECK-NEXT:     %c = spatial.buffer depth 2 address 262144 : !spatial.buffer<1x2xbf16>
// CHECK-NEXT:     %p = spatial.buffer depth 2 alias %c : !spatial.buffer<1x2xbf16>
// CHECK-NEXT:     %rows = spatial.group from [0:4, 0] to [0:4, 1:4] along x
// CHECK-NEXT:     %cols = spatial.group from [0, 1:4] to [1:4, 1:4] along y
// CHECK-NEXT:     %rest = spatial.group from [0, 0] to [1:4, 0] along yx
// CHECK-NEXT:     spatial.load @load_a %A[y * 2, k * 2] into %a multicast %rows at [0:4, 0] on move 0
// CHECK-NEXT:     spatial.recv @recv_a %rows into %a at [0:4, 1:4] on move 0
// CHECK-NEXT:     spatial.load @load_b %B[k * 2, x * 2] into %b multicast %cols at [0, 1:4] on move 0
// CHECK-NEXT:     spatial.load %B[k * 2, 0] into %b multicast %rest at [0, 0] on move 0
// CHECK-NEXT:     spatial.recv %cols into %b at [1:4, 1:4] on move 0
// CHECK-NEXT:     spatial.recv %rest into %b at [1:4, 0] on move 0
// CHECK-NEXT:     spatial.matmul @mm %a, %b into %c spill %p by pack acc f32
// CHECK-NEXT:     spatial.store @store_c %c into %C[y * 2 + h, x * 2] on move 1
// CHECK-NEXT:   }

// GENERIC:   "spatial.program"() <{sym_name = "multicast", target = #spatial.target<"blackhole" {ordering = "ordered"}>, grid = array<i64: 4, 4>, loops = #spatial<loops [k = 2, h = 2]>}> ({
// GENERIC:     %a = "spatial.buffer"() <{depth = 2 : i64, handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<2x2xbf16>
// GENERIC:     %b = "spatial.buffer"() <{depth = 2 : i64, handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<2x2xbf16>
// GENERIC:     %c = "spatial.buffer"() <{depth = 2 : i64, address = 262144 : i64, handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<1x2xbf16>
// GENERIC:     %p = "spatial.buffer"(%c) <{depth = 2 : i64, handshake = #spatial<handshake fifo>}> : (!spatial.buffer<1x2xbf16>) -> !spatial.buffer<1x2xbf16>
// GENERIC:     %rows = "spatial.group"() <{senders = #spatial<sites [0:4, 0]>, receivers = #spatial<sites [0:4, 1:4]>, along = #spatial<axis x>}> : () -> !spatial.group
// GENERIC:     %cols = "spatial.group"() <{senders = #spatial<sites [0, 1:4]>, receivers = #spatial<sites [1:4, 1:4]>, along = #spatial<axis y>}> : () -> !spatial.group
// GENERIC:     %rest = "spatial.group"() <{senders = #spatial<sites [0, 0]>, receivers = #spatial<sites [1:4, 0]>, along = #spatial<axis yx>}> : () -> !spatial.group
// GENERIC:     "spatial.load"(%A, %a, %rows) <{sym_name = "load_a", address = affine_map<(d0, d1, d2, d3, d4, d5) -> ((d1 * 2), (d3 * 2))>, at = #spatial<sites [0:4, 0]>, engine = #spatial<engine move 0>, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (memref<256x128xbf16>, !spatial.buffer<2x2xbf16>, !spatial.group) -> ()
// GENERIC:     "spatial.recv"(%rows, %a) <{sym_name = "recv_a", at = #spatial<sites [0:4, 1:4]>, engine = #spatial<engine move 0>}> : (!spatial.group, !spatial.buffer<2x2xbf16>) -> ()
// GENERIC:     "spatial.load"(%B, %b, %cols) <{sym_name = "load_b", address = affine_map<(d0, d1, d2, d3, d4, d5) -> ((d3 * 2), (d2 * 2))>, at = #spatial<sites [0, 1:4]>, engine = #spatial<engine move 0>, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (memref<128x256xbf16>, !spatial.buffer<2x2xbf16>, !spatial.group) -> ()
// GENERIC:     "spatial.load"(%B, %b, %rest) <{address = affine_map<(d0, d1, d2, d3, d4, d5) -> ((d3 * 2), 0)>, at = #spatial<sites [0, 0]>, engine = #spatial<engine move 0>, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (memref<128x256xbf16>, !spatial.buffer<2x2xbf16>, !spatial.group) -> ()
// GENERIC:     "spatial.recv"(%cols, %b) <{at = #spatial<sites [1:4, 1:4]>, engine = #spatial<engine move 0>}> : (!spatial.group, !spatial.buffer<2x2xbf16>) -> ()
// GENERIC:     "spatial.recv"(%rest, %b) <{at = #spatial<sites [1:4, 0]>, engine = #spatial<engine move 0>}> : (!spatial.group, !spatial.buffer<2x2xbf16>) -> ()
// GENERIC:     "spatial.matmul"(%a, %b, %p, %c) <{sym_name = "mm", by = #spatial<spill pack>, acc = f32, engine = #spatial<engine compute>}> : (!spatial.buffer<2x2xbf16>, !spatial.buffer<2x2xbf16>, !spatial.buffer<1x2xbf16>, !spatial.buffer<1x2xbf16>) -> ()
// GENERIC:     "spatial.store"(%c, %C) <{sym_name = "store_c", address = affine_map<(d0, d1, d2, d3, d4, d5) -> (((d1 * 2) + d4), (d2 * 2))>, engine = #spatial<engine move 1>}> : (!spatial.buffer<1x2xbf16>, memref<256x256xbf16>) -> ()

// -----

// A recv that sends on.
spatial.program @relay(%X: memref<32x32xbf16>, %Y: memref<128x128xbf16>) target #spatial.target<"wormhole"> grid [4, 4] {
  %x = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  %row = spatial.group from [0, 0] to [0, 1:4] along x
  %cols = spatial.group from [0, 1:4] to [1:4, 1:4] along y
  spatial.load %X[0, 0] into %x multicast %row at [0, 0] on move 0
  spatial.recv %row into %x multicast %cols at [0, 1:4] on move 0
  spatial.recv %cols into %x at [1:4, 1:4] on move 0
  spatial.store %x into %Y[y, x] at [0, 0:4] + [1:4, 1:4] on move 1
}

//      CHECK:   spatial.program @relay(%X: memref<32x32xbf16>, %Y: memref<128x128xbf16>) target #spatial.target<"wormhole"> grid [4, 4] {
// CHECK-NEXT:     %x = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:     %row = spatial.group from [0, 0] to [0, 1:4] along x
// CHECK-NEXT:     %cols = spatial.group from [0, 1:4] to [1:4, 1:4] along y
// CHECK-NEXT:     spatial.load %X[0, 0] into %x multicast %row at [0, 0] on move 0
// CHECK-NEXT:     spatial.recv %row into %x multicast %cols at [0, 1:4] on move 0
// CHECK-NEXT:     spatial.recv %cols into %x at [1:4, 1:4] on move 0
// CHECK-NEXT:     spatial.store %x into %Y[y, x] at [0, 0:4] + [1:4, 1:4] on move 1
// CHECK-NEXT:   }

// GENERIC:   "spatial.program"() <{sym_name = "relay", target = #spatial.target<"wormhole">, grid = array<i64: 4, 4>}> ({
// GENERIC:     %x = "spatial.buffer"() <{depth = 1 : i64, handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<1x1xbf16>
// GENERIC:     %row = "spatial.group"() <{senders = #spatial<sites [0, 0]>, receivers = #spatial<sites [0, 1:4]>, along = #spatial<axis x>}> : () -> !spatial.group
// GENERIC:     %cols = "spatial.group"() <{senders = #spatial<sites [0, 1:4]>, receivers = #spatial<sites [1:4, 1:4]>, along = #spatial<axis y>}> : () -> !spatial.group
// GENERIC:     "spatial.load"(%X, %x, %row) <{address = affine_map<(d0, d1, d2, d3, d4, d5) -> (0, 0)>, at = #spatial<sites [0, 0]>, engine = #spatial<engine move 0>, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (memref<32x32xbf16>, !spatial.buffer<1x1xbf16>, !spatial.group) -> ()
// GENERIC:     "spatial.recv"(%row, %x, %cols) <{at = #spatial<sites [0, 1:4]>, engine = #spatial<engine move 0>}> : (!spatial.group, !spatial.buffer<1x1xbf16>, !spatial.group) -> ()
// GENERIC:     "spatial.recv"(%cols, %x) <{at = #spatial<sites [1:4, 1:4]>, engine = #spatial<engine move 0>}> : (!spatial.group, !spatial.buffer<1x1xbf16>) -> ()
// GENERIC:     "spatial.store"(%x, %Y) <{address = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2)>, at = #spatial<sites [0, 0:4] + [1:4, 1:4]>, engine = #spatial<engine move 1>}> : (!spatial.buffer<1x1xbf16>, memref<128x128xbf16>) -> ()

// -----

// Gather, scatter, embedding, strides, transposition and padding; handshakes of rings.
spatial.program @transfers(%I: memref<64x32xi32>, %T: memref<512x32xbf16>, %W: tensor<64x64x!spatial.bfp8>, %Z: memref<4x40x64xbf16>, %Y: memref<512x32xbf16>, %V: memref<128x32xbf16>, %U: tensor<64x64x!spatial.bfp8>, %O: memref<40x64xbf16>) target #spatial.target<"reference"> grid [2, 1] {
  %ix = spatial.buffer depth 2 handshake valid_ready : !spatial.buffer<1x1xi32>
  %t = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %e = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %w = spatial.buffer depth 2 : !spatial.buffer<1x2x!spatial.bfp8>
  %z = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  spatial.load %I[y, 0] into %ix on move 0
  spatial.load %T[ind floordiv 32, 0] into %t via %ix on move 0
  spatial.load %T[0, 0] into %e via %ix rows on move 0
  spatial.load %W[0, y] into %w transpose on move 1
  spatial.load %Z[1, y * 2 - 1, 0] into %z strides [1, 2] pad 0.000000e+00 : bf16 on move 1
  spatial.store %t into %Y[ind, 0] via %ix on move 0
  spatial.store %e into %V[0, 0] via %ix rows on move 0
  spatial.store %w into %U[y, 0] on move 1
  spatial.store @clipped %z into %O[y, 0] on move 1
}

//      CHECK:   spatial.program @transfers(%I: memref<64x32xi32>, %T: memref<512x32xbf16>, %W: tensor<64x64x!spatial.bfp8>, %Z: memref<4x40x64xbf16>, %Y: memref<512x32xbf16>, %V: memref<128x32xbf16>, %U: tensor<64x64x!spatial.bfp8>, %O: memref<40x64xbf16>) target #spatial.target<"reference"> grid [2, 1] {
// CHECK-NEXT:     %ix = spatial.buffer depth 2 handshake valid_ready : !spatial.buffer<1x1xi32>
// CHECK-NEXT:     %t = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:     %e = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:     %w = spatial.buffer depth 2 : !spatial.buffer<1x2x!spatial.bfp8>
// CHECK-NEXT:     %z = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
// CHECK-NEXT:     spatial.load %I[y, 0] into %ix on move 0
// CHECK-NEXT:     spatial.load %T[ind floordiv 32, 0] into %t via %ix on move 0
// CHECK-NEXT:     spatial.load %T[0, 0] into %e via %ix rows on move 0
// CHECK-NEXT:     spatial.load %W[0, y] into %w transpose on move 1
// CHECK-NEXT:     spatial.load %Z[1, y * 2 - 1, 0] into %z strides [1, 2] pad 0.000000e+00 : bf16 on move 1
// CHECK-NEXT:     spatial.store %t into %Y[ind, 0] via %ix on move 0
// CHECK-NEXT:     spatial.store %e into %V[0, 0] via %ix rows on move 0
// CHECK-NEXT:     spatial.store %w into %U[y, 0] on move 1
// CHECK-NEXT:     spatial.store @clipped %z into %O[y, 0] on move 1
// CHECK-NEXT:   }

// GENERIC:   "spatial.program"() <{sym_name = "transfers", target = #spatial.target<"reference">, grid = array<i64: 2, 1>}> ({
// GENERIC:     %ix = "spatial.buffer"() <{depth = 2 : i64, handshake = #spatial<handshake valid_ready>}> : () -> !spatial.buffer<1x1xi32>
// GENERIC:     %t = "spatial.buffer"() <{depth = 2 : i64, handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<1x1xbf16>
// GENERIC:     %e = "spatial.buffer"() <{depth = 2 : i64, handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<1x1xbf16>
// GENERIC:     %w = "spatial.buffer"() <{depth = 2 : i64, handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<1x2x!spatial.bfp8>
// GENERIC:     %z = "spatial.buffer"() <{depth = 2 : i64, handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<1x2xbf16>
// GENERIC:     "spatial.load"(%I, %ix) <{address = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, 0)>, engine = #spatial<engine move 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<64x32xi32>, !spatial.buffer<1x1xi32>) -> ()
// GENERIC:     "spatial.load"(%T, %t, %ix) <{address = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> ((d6 floordiv 32), 0)>, engine = #spatial<engine move 0>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (memref<512x32xbf16>, !spatial.buffer<1x1xbf16>, !spatial.buffer<1x1xi32>) -> ()
// GENERIC:     "spatial.load"(%T, %e, %ix) <{address = affine_map<(d0, d1, d2, d3, d4, d5) -> (0, 0)>, rows, engine = #spatial<engine move 0>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (memref<512x32xbf16>, !spatial.buffer<1x1xbf16>, !spatial.buffer<1x1xi32>) -> ()
// GENERIC:     "spatial.load"(%W, %w) <{address = affine_map<(d0, d1, d2, d3, d4, d5) -> (0, d1)>, transpose, engine = #spatial<engine move 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (tensor<64x64x!spatial.bfp8>, !spatial.buffer<1x2x!spatial.bfp8>) -> ()
// GENERIC:     "spatial.load"(%Z, %z) <{address = affine_map<(d0, d1, d2, d3, d4, d5) -> (1, ((d1 * 2) + -1), 0)>, strides = array<i64: 1, 2>, pad = 0.000000e+00 : bf16, engine = #spatial<engine move 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<4x40x64xbf16>, !spatial.buffer<1x2xbf16>) -> ()
// GENERIC:     "spatial.store"(%t, %Y, %ix) <{address = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d6, 0)>, engine = #spatial<engine move 0>}> : (!spatial.buffer<1x1xbf16>, memref<512x32xbf16>, !spatial.buffer<1x1xi32>) -> ()
// GENERIC:     "spatial.store"(%e, %V, %ix) <{address = affine_map<(d0, d1, d2, d3, d4, d5) -> (0, 0)>, rows, engine = #spatial<engine move 0>}> : (!spatial.buffer<1x1xbf16>, memref<128x32xbf16>, !spatial.buffer<1x1xi32>) -> ()
// GENERIC:     "spatial.store"(%w, %U) <{address = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, 0)>, engine = #spatial<engine move 1>}> : (!spatial.buffer<1x2x!spatial.bfp8>, tensor<64x64x!spatial.bfp8>) -> ()
// GENERIC:     "spatial.store"(%z, %O) <{sym_name = "clipped", address = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, 0)>, engine = #spatial<engine move 1>}> : (!spatial.buffer<1x2xbf16>, memref<40x64xbf16>) -> ()

// -----

// All compute stages.
spatial.program @compute(%X: memref<64x64xf32>, %S: memref<32x32xf32>, %N: memref<64x64xi32>, %O: memref<64x128xf32>, %M: memref<64x128xi32>) target #spatial.target<"wormhole"> grid [1, 2] loops [k = 3] {
  %x = spatial.buffer depth 1 : !spatial.buffer<2x2xf32>
  %s = spatial.buffer depth 1 : !spatial.buffer<1x1xf32>
  %n = spatial.buffer depth 1 : !spatial.buffer<2x2xi32>
  %row = spatial.buffer depth 1 : !spatial.buffer<1x2xf32>
  %col = spatial.buffer depth 1 : !spatial.buffer<2x1xf32>
  %d = spatial.buffer depth 1 : !spatial.buffer<2x2xf32>
  %dt = spatial.buffer depth 1 : !spatial.buffer<2x2xf32>
  %sum = spatial.buffer depth 1 : !spatial.buffer<2x2xf32>
  %total = spatial.buffer depth 2 : !spatial.buffer<2x2xf32>
  %o = spatial.buffer depth 1 : !spatial.buffer<2x2xf32>
  %m = spatial.buffer depth 1 : !spatial.buffer<2x2xi32>
  %most = spatial.buffer depth 1 : !spatial.buffer<2x2xf32>
  %all = spatial.group from [0, 0] to [0, 1] along x
  spatial.load %X[0, 0] into %x on move 0
  spatial.load %S[0, 0] into %s on move 0
  spatial.load %N[0, 0] into %n on move 0
  spatial.reduce @row_sum add rows %x into %row
  spatial.reduce max cols %x into %col
  spatial.dot @product %x, %x into %d
  spatial.dot %x, %x transpose_b into %dt acc f32
  spatial.map @mixed (%x, %row broadcast rows, %col broadcast cols, %s broadcast scalar) into %sum attributes {approximate} {
  ^bb0(%0 : f32, %1 : f32, %2 : f32, %3 : f32):
    %4 = arith.addf %0, %1 : f32
    %5 = arith.mulf %2, %3 : f32
    %6 = arith.addf %4, %5 : f32
    spatial.yield %6 : f32
  }
  spatial.map (%d) into %total {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.all_reduce @gathered min %sum, %dt into %most across %all
  spatial.map (%total, %most) update %total {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.addf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.map () into %m {
    %0 = arith.constant 1 : i32
    spatial.yield %0 : i32
  }
  spatial.map @after (%total, %n) into %o {
  ^bb0(%0 : f32, %1 : i32):
    spatial.yield %0 : f32
  }
  spatial.store %o into %O[0, x * 2] on move 1
  spatial.store %m into %M[0, x * 2] on move 1
}

//      CHECK:   spatial.program @compute(%X: memref<64x64xf32>, %S: memref<32x32xf32>, %N: memref<64x64xi32>, %O: memref<64x128xf32>, %M: memref<64x128xi32>) target #spatial.target<"wormhole"> grid [1, 2] loops [k = 3] {
// CHECK-NEXT:     %x = spatial.buffer depth 1 : !spatial.buffer<2x2xf32>
// CHECK-NEXT:     %s = spatial.buffer depth 1 : !spatial.buffer<1x1xf32>
// CHECK-NEXT:     %n = spatial.buffer depth 1 : !spatial.buffer<2x2xi32>
// CHECK-NEXT:     %row = spatial.buffer depth 1 : !spatial.buffer<1x2xf32>
// CHECK-NEXT:     %col = spatial.buffer depth 1 : !spatial.buffer<2x1xf32>
// CHECK-NEXT:     %d = spatial.buffer depth 1 : !spatial.buffer<2x2xf32>
// CHECK-NEXT:     %dt = spatial.buffer depth 1 : !spatial.buffer<2x2xf32>
// CHECK-NEXT:     %sum = spatial.buffer depth 1 : !spatial.buffer<2x2xf32>
// CHECK-NEXT:     %total = spatial.buffer depth 2 : !spatial.buffer<2x2xf32>
// CHECK-NEXT:     %o = spatial.buffer depth 1 : !spatial.buffer<2x2xf32>
// CHECK-NEXT:     %m = spatial.buffer depth 1 : !spatial.buffer<2x2xi32>
// CHECK-NEXT:     %most = spatial.buffer depth 1 : !spatial.buffer<2x2xf32>
// CHECK-NEXT:     %all = spatial.group from [0, 0] to [0, 1] along x
// CHECK-NEXT:     spatial.load %X[0, 0] into %x on move 0
// CHECK-NEXT:     spatial.load %S[0, 0] into %s on move 0
// CHECK-NEXT:     spatial.load %N[0, 0] into %n on move 0
// CHECK-NEXT:     spatial.reduce @row_sum add rows %x into %row
// CHECK-NEXT:     spatial.reduce max cols %x into %col
// CHECK-NEXT:     spatial.dot @product %x, %x into %d
// CHECK-NEXT:     spatial.dot %x, %x transpose_b into %dt acc f32
// CHECK-NEXT:     spatial.map @mixed (%x, %row broadcast rows, %col broadcast cols, %s broadcast scalar) into %sum attributes {approximate} {
// CHECK-NEXT:     ^bb0(%0: f32, %1: f32, %2: f32, %3: f32):
// CHECK-NEXT:       %4 = arith.addf %0, %1 : f32
// CHECK-NEXT:       %5 = arith.mulf %2, %3 : f32
// CHECK-NEXT:       %6 = arith.addf %4, %5 : f32
// CHECK-NEXT:       spatial.yield %6 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     spatial.map (%d) into %total {
// CHECK-NEXT:     ^bb0(%7: f32):
// CHECK-NEXT:       spatial.yield %7 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     spatial.all_reduce @gathered min %sum, %dt into %most across %all
// CHECK-NEXT:     spatial.map (%total, %most) update %total {
// CHECK-NEXT:     ^bb0(%8: f32, %9: f32):
// CHECK-NEXT:       %10 = arith.addf %8, %9 : f32
// CHECK-NEXT:       spatial.yield %10 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     spatial.map () into %m {
// CHECK-NEXT:       %11 = arith.constant 1 : i32
// CHECK-NEXT:       spatial.yield %11 : i32
// CHECK-NEXT:     }
// CHECK-NEXT:     spatial.map @after (%total, %n) into %o {
// CHECK-NEXT:     ^bb0(%12: f32, %13: i32):
// CHECK-NEXT:       spatial.yield %12 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     spatial.store %o into %O[0, x * 2] on move 1
// CHECK-NEXT:     spatial.store %m into %M[0, x * 2] on move 1
// CHECK-NEXT:   }

// GENERIC:   "spatial.program"() <{sym_name = "compute", target = #spatial.target<"wormhole">, grid = array<i64: 1, 2>, loops = #spatial<loops [k = 3]>}> ({
// GENERIC:     %x = "spatial.buffer"() <{depth = 1 : i64, handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<2x2xf32>
// GENERIC:     %s = "spatial.buffer"() <{depth = 1 : i64, handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<1x1xf32>
// GENERIC:     %n = "spatial.buffer"() <{depth = 1 : i64, handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<2x2xi32>
// GENERIC:     %row = "spatial.buffer"() <{depth = 1 : i64, handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<1x2xf32>
// GENERIC:     %col = "spatial.buffer"() <{depth = 1 : i64, handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<2x1xf32>
// GENERIC:     %d = "spatial.buffer"() <{depth = 1 : i64, handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<2x2xf32>
// GENERIC:     %dt = "spatial.buffer"() <{depth = 1 : i64, handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<2x2xf32>
// GENERIC:     %sum = "spatial.buffer"() <{depth = 1 : i64, handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<2x2xf32>
// GENERIC:     %total = "spatial.buffer"() <{depth = 2 : i64, handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<2x2xf32>
// GENERIC:     %o = "spatial.buffer"() <{depth = 1 : i64, handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<2x2xf32>
// GENERIC:     %m = "spatial.buffer"() <{depth = 1 : i64, handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<2x2xi32>
// GENERIC:     %most = "spatial.buffer"() <{depth = 1 : i64, handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<2x2xf32>
// GENERIC:     %all = "spatial.group"() <{senders = #spatial<sites [0, 0]>, receivers = #spatial<sites [0, 1]>, along = #spatial<axis x>}> : () -> !spatial.group
// GENERIC:     "spatial.load"(%X, %x) <{address = affine_map<(d0, d1, d2, d3, d4, d5) -> (0, 0)>, engine = #spatial<engine move 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<64x64xf32>, !spatial.buffer<2x2xf32>) -> ()
// GENERIC:     "spatial.load"(%S, %s) <{address = affine_map<(d0, d1, d2, d3, d4, d5) -> (0, 0)>, engine = #spatial<engine move 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<32x32xf32>, !spatial.buffer<1x1xf32>) -> ()
// GENERIC:     "spatial.load"(%N, %n) <{address = affine_map<(d0, d1, d2, d3, d4, d5) -> (0, 0)>, engine = #spatial<engine move 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<64x64xi32>, !spatial.buffer<2x2xi32>) -> ()
// GENERIC:     "spatial.reduce"(%x, %row) <{sym_name = "row_sum", kind = #spatial<reduction add>, axis = #spatial<page_axis rows>, engine = #spatial<engine compute>}> : (!spatial.buffer<2x2xf32>, !spatial.buffer<1x2xf32>) -> ()
// GENERIC:     "spatial.reduce"(%x, %col) <{kind = #spatial<reduction max>, axis = #spatial<page_axis cols>, engine = #spatial<engine compute>}> : (!spatial.buffer<2x2xf32>, !spatial.buffer<2x1xf32>) -> ()
// GENERIC:     "spatial.dot"(%x, %x, %d) <{sym_name = "product", engine = #spatial<engine compute>}> : (!spatial.buffer<2x2xf32>, !spatial.buffer<2x2xf32>, !spatial.buffer<2x2xf32>) -> ()
// GENERIC:     "spatial.dot"(%x, %x, %dt) <{transpose_b, acc = f32, engine = #spatial<engine compute>}> : (!spatial.buffer<2x2xf32>, !spatial.buffer<2x2xf32>, !spatial.buffer<2x2xf32>) -> ()
// GENERIC:     "spatial.map"(%x, %row, %col, %s, %sum) <{sym_name = "mixed", broadcasts = [#spatial<broadcast none>, #spatial<broadcast rows>, #spatial<broadcast cols>, #spatial<broadcast scalar>], engine = #spatial<engine compute>}> ({
// GENERIC:       "spatial.yield"(%6) : (f32) -> ()
// GENERIC:     "spatial.map"(%d, %total) <{engine = #spatial<engine compute>}> ({
// GENERIC:       "spatial.yield"(%7) : (f32) -> ()
// GENERIC:     "spatial.all_reduce"(%sum, %dt, %all, %most) <{sym_name = "gathered", kind = #spatial<reduction min>, engine = #spatial<engine compute>}> : (!spatial.buffer<2x2xf32>, !spatial.buffer<2x2xf32>, !spatial.group, !spatial.buffer<2x2xf32>) -> ()
// GENERIC:     "spatial.map"(%total, %most, %total) <{update, engine = #spatial<engine compute>}> ({
// GENERIC:       "spatial.yield"(%10) : (f32) -> ()
// GENERIC:     "spatial.map"(%m) <{engine = #spatial<engine compute>}> ({
// GENERIC:       "spatial.yield"(%11) : (i32) -> ()
// GENERIC:     "spatial.map"(%total, %n, %o) <{sym_name = "after", engine = #spatial<engine compute>}> ({
// GENERIC:       "spatial.yield"(%12) : (f32) -> ()
// GENERIC:     "spatial.store"(%o, %O) <{address = affine_map<(d0, d1, d2, d3, d4, d5) -> (0, (d2 * 2))>, engine = #spatial<engine move 1>}> : (!spatial.buffer<2x2xf32>, memref<64x128xf32>) -> ()
// GENERIC:     "spatial.store"(%m, %M) <{address = affine_map<(d0, d1, d2, d3, d4, d5) -> (0, (d2 * 2))>, engine = #spatial<engine move 1>}> : (!spatial.buffer<2x2xi32>, memref<64x128xi32>) -> ()

// -----

// Run-time trips.
spatial.program @by_argument(%A: memref<32x64xbf16>, %B: memref<64x32xbf16>, %C: memref<32x32xbf16>, %n: index) target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.trip k = %n
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[0, 0] on move 1
}

//      CHECK:   spatial.program @by_argument(%A: memref<32x64xbf16>, %B: memref<64x32xbf16>, %C: memref<32x32xbf16>, %n: index) target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 2] {
// CHECK-NEXT:     %a = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:     %b = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:     %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:     spatial.trip k = %n
// CHECK-NEXT:     spatial.load %A[0, k] into %a on move 0
// CHECK-NEXT:     spatial.load %B[k, 0] into %b on move 0
// CHECK-NEXT:     spatial.matmul %a, %b into %c
// CHECK-NEXT:     spatial.store %c into %C[0, 0] on move 1
// CHECK-NEXT:   }

// GENERIC:   "spatial.program"() <{sym_name = "by_argument", target = #spatial.target<"wormhole">, grid = array<i64: 1, 1>, loops = #spatial<loops [k = ? max 2]>}> ({
// GENERIC:     %a = "spatial.buffer"() <{depth = 2 : i64, handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<1x1xbf16>
// GENERIC:     %b = "spatial.buffer"() <{depth = 2 : i64, handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<1x1xbf16>
// GENERIC:     %c = "spatial.buffer"() <{depth = 2 : i64, handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<1x1xbf16>
// GENERIC:     "spatial.trip"(%n) <{loop = #spatial<loop k>}> : (index) -> ()
// GENERIC:     "spatial.load"(%A, %a) <{address = affine_map<(d0, d1, d2, d3, d4, d5) -> (0, d3)>, engine = #spatial<engine move 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<32x64xbf16>, !spatial.buffer<1x1xbf16>) -> ()
// GENERIC:     "spatial.load"(%B, %b) <{address = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, 0)>, engine = #spatial<engine move 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<64x32xbf16>, !spatial.buffer<1x1xbf16>) -> ()
// GENERIC:     "spatial.matmul"(%a, %b, %c) <{by = #spatial<spill reload>, engine = #spatial<engine compute>}> : (!spatial.buffer<1x1xbf16>, !spatial.buffer<1x1xbf16>, !spatial.buffer<1x1xbf16>) -> ()
// GENERIC:     "spatial.store"(%c, %C) <{address = affine_map<(d0, d1, d2, d3, d4, d5) -> (0, 0)>, engine = #spatial<engine move 1>}> : (!spatial.buffer<1x1xbf16>, memref<32x32xbf16>) -> ()

// -----

spatial.program @by_tensor(%X: memref<64x64xbf16>, %lens: memref<2x8xi64>, %Y: memref<64x64xbf16>) target #spatial.target<"wormhole"> grid [2, 1] loops [k = ? max 2] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.trip k = %lens[y, i + 1]
  spatial.load %X[y, k] into %x on move 0
  spatial.store %x into %Y[y, k] on move 1
}

//      CHECK:   spatial.program @by_tensor(%X: memref<64x64xbf16>, %lens: memref<2x8xi64>, %Y: memref<64x64xbf16>) target #spatial.target<"wormhole"> grid [2, 1] loops [k = ? max 2] {
// CHECK-NEXT:     %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:     spatial.trip k = %lens[y, i + 1]
// CHECK-NEXT:     spatial.load %X[y, k] into %x on move 0
// CHECK-NEXT:     spatial.store %x into %Y[y, k] on move 1
// CHECK-NEXT:   }

// GENERIC:   "spatial.program"() <{sym_name = "by_tensor", target = #spatial.target<"wormhole">, grid = array<i64: 2, 1>, loops = #spatial<loops [k = ? max 2]>}> ({
// GENERIC:     %x = "spatial.buffer"() <{depth = 2 : i64, handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<1x1xbf16>
// GENERIC:     "spatial.trip"(%lens) <{loop = #spatial<loop k>, address = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, (d0 + 1))>}> : (memref<2x8xi64>) -> ()
// GENERIC:     "spatial.load"(%X, %x) <{address = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d3)>, engine = #spatial<engine move 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<64x64xbf16>, !spatial.buffer<1x1xbf16>) -> ()
// GENERIC:     "spatial.store"(%x, %Y) <{address = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d3)>, engine = #spatial<engine move 1>}> : (!spatial.buffer<1x1xbf16>, memref<64x64xbf16>) -> ()

// -----

// Another spill, and an update by every stage that can.
spatial.program @updates(%A: memref<32x64xbf16>, %B: memref<64x32xbf16>, %C: memref<32x64xbf16>) target #spatial.target<"wormhole"> grid [1, 2] loops [k = 2] {
  %a = spatial.buffer : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer : !spatial.buffer<1x1xbf16>
  %u = spatial.buffer : !spatial.buffer<1x1xbf16>
  %v = spatial.buffer : !spatial.buffer<1x1xbf16>
  %w = spatial.buffer : !spatial.buffer<1x1xbf16>
  %z = spatial.buffer : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer : !spatial.buffer<1x1xbf16>
  %g = spatial.group from [0, 0] to [0, 1] along x
  spatial.load %C[0, 0] into %z on move 0
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.reduce add rows %z into %u
  spatial.reduce add rows %z into %v
  spatial.reduce add rows %z into %w
  spatial.dot %a, %u update %u
  spatial.reduce max rows %b update %v
  spatial.all_reduce add %w, %b update %w across %g
  spatial.all_reduce max %u, %v, %w into %c across %g
  spatial.store %c into %C[0, x] on move 1
}

//      CHECK:   spatial.program @updates(%A: memref<32x64xbf16>, %B: memref<64x32xbf16>, %C: memref<32x64xbf16>) target #spatial.target<"wormhole"> grid [1, 2] loops [k = 2] {
// CHECK-NEXT:     %a = spatial.buffer : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:     %b = spatial.buffer : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:     %u = spatial.buffer : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:     %v = spatial.buffer : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:     %w = spatial.buffer : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:     %z = spatial.buffer : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:     %c = spatial.buffer : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:     %g = spatial.group from [0, 0] to [0, 1] along x
// CHECK-NEXT:     spatial.load %C[0, 0] into %z on move 0
// CHECK-NEXT:     spatial.load %A[0, k] into %a on move 0
// CHECK-NEXT:     spatial.load %B[k, 0] into %b on move 0
// CHECK-NEXT:     spatial.reduce add rows %z into %u
// CHECK-NEXT:     spatial.reduce add rows %z into %v
// CHECK-NEXT:     spatial.reduce add rows %z into %w
// CHECK-NEXT:     spatial.dot %a, %u update %u
// CHECK-NEXT:     spatial.reduce max rows %b update %v
// CHECK-NEXT:     spatial.all_reduce add %w, %b update %w across %g
// CHECK-NEXT:     spatial.all_reduce max %u, %v, %w into %c across %g
// CHECK-NEXT:     spatial.store %c into %C[0, x] on move 1
// CHECK-NEXT:   }

// GENERIC:   "spatial.program"() <{sym_name = "updates", target = #spatial.target<"wormhole">, grid = array<i64: 1, 2>, loops = #spatial<loops [k = 2]>}> ({
// GENERIC:     %a = "spatial.buffer"() <{handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<1x1xbf16>
// GENERIC:     %b = "spatial.buffer"() <{handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<1x1xbf16>
// GENERIC:     %u = "spatial.buffer"() <{handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<1x1xbf16>
// GENERIC:     %v = "spatial.buffer"() <{handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<1x1xbf16>
// GENERIC:     %w = "spatial.buffer"() <{handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<1x1xbf16>
// GENERIC:     %z = "spatial.buffer"() <{handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<1x1xbf16>
// GENERIC:     %c = "spatial.buffer"() <{handshake = #spatial<handshake fifo>}> : () -> !spatial.buffer<1x1xbf16>
// GENERIC:     %g = "spatial.group"() <{senders = #spatial<sites [0, 0]>, receivers = #spatial<sites [0, 1]>, along = #spatial<axis x>}> : () -> !spatial.group
// GENERIC:     "spatial.load"(%C, %z) <{address = affine_map<(d0, d1, d2, d3, d4, d5) -> (0, 0)>, engine = #spatial<engine move 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<32x64xbf16>, !spatial.buffer<1x1xbf16>) -> ()
// GENERIC:     "spatial.load"(%A, %a) <{address = affine_map<(d0, d1, d2, d3, d4, d5) -> (0, d3)>, engine = #spatial<engine move 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<32x64xbf16>, !spatial.buffer<1x1xbf16>) -> ()
// GENERIC:     "spatial.load"(%B, %b) <{address = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, 0)>, engine = #spatial<engine move 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<64x32xbf16>, !spatial.buffer<1x1xbf16>) -> ()
// GENERIC:     "spatial.reduce"(%z, %u) <{kind = #spatial<reduction add>, axis = #spatial<page_axis rows>, engine = #spatial<engine compute>}> : (!spatial.buffer<1x1xbf16>, !spatial.buffer<1x1xbf16>) -> ()
// GENERIC:     "spatial.reduce"(%z, %v) <{kind = #spatial<reduction add>, axis = #spatial<page_axis rows>, engine = #spatial<engine compute>}> : (!spatial.buffer<1x1xbf16>, !spatial.buffer<1x1xbf16>) -> ()
// GENERIC:     "spatial.reduce"(%z, %w) <{kind = #spatial<reduction add>, axis = #spatial<page_axis rows>, engine = #spatial<engine compute>}> : (!spatial.buffer<1x1xbf16>, !spatial.buffer<1x1xbf16>) -> ()
// GENERIC:     "spatial.dot"(%a, %u, %u) <{update, engine = #spatial<engine compute>}> : (!spatial.buffer<1x1xbf16>, !spatial.buffer<1x1xbf16>, !spatial.buffer<1x1xbf16>) -> ()
// GENERIC:     "spatial.reduce"(%b, %v) <{kind = #spatial<reduction max>, axis = #spatial<page_axis rows>, update, engine = #spatial<engine compute>}> : (!spatial.buffer<1x1xbf16>, !spatial.buffer<1x1xbf16>) -> ()
// GENERIC:     "spatial.all_reduce"(%w, %b, %g, %w) <{kind = #spatial<reduction add>, update, engine = #spatial<engine compute>}> : (!spatial.buffer<1x1xbf16>, !spatial.buffer<1x1xbf16>, !spatial.group, !spatial.buffer<1x1xbf16>) -> ()
// GENERIC:     "spatial.all_reduce"(%u, %v, %w, %g, %c) <{kind = #spatial<reduction max>, engine = #spatial<engine compute>}> : (!spatial.buffer<1x1xbf16>, !spatial.buffer<1x1xbf16>, !spatial.buffer<1x1xbf16>, !spatial.group, !spatial.buffer<1x1xbf16>) -> ()
// GENERIC:     "spatial.store"(%c, %C) <{address = affine_map<(d0, d1, d2, d3, d4, d5) -> (0, d2)>, engine = #spatial<engine move 1>}> : (!spatial.buffer<1x1xbf16>, memref<32x64xbf16>) -> ()
