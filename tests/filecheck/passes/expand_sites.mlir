// RUN: spatial-opt %s --expand-sites --split-input-file | filecheck %s
// RUN: spatial-opt %s --expand-sites --expand-sites --split-input-file | filecheck %s --check-prefix TWICE

// One engine for each site; coordinates become constants, where they are used.

spatial.program @copy(%X : memref<128x64xbf16>) target #spatial.target<"reference"> grid [3, 2] requires [fifo] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @load on move 0 at [0, 0] + [2, 0:2] {
  ^bb0(%y : index, %c : index):
    affine.for %k = 0 to 2 {
      choreo.reserve %x
      %r = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)> (%y, %k)
      choreo.read_tiles %X[%r, %k] into %x
      choreo.read_barrier
      choreo.push %x
    }
  }
  // The name that a copy of @load would get is taken.
  choreo.engine @load_2_0 on move 1 at [1, 1] {
  ^bb0(%y : index, %c : index):
    choreo.reserve %x
    choreo.read_tiles %X[%y, %c] into %x
    choreo.read_barrier
    choreo.push %x
  }
}

//       CHECK: choreo.engine @load_0_0 on move 0 at [0, 0] {
//  CHECK-NEXT: ^bb0(%{{.*}}: index, %{{.*}}: index):
//  CHECK-NEXT:   [[Y:%.*]] = arith.constant 0 : index
//  CHECK-NEXT:   affine.for [[K:%.*]] = 0 to 2 {
//  CHECK-NEXT:     choreo.reserve %x
//  CHECK-NEXT:     [[R:%.*]] = affine.apply affine_map<(d0, d1) -> (((d0 * 2) + d1))> ([[Y]], [[K]])
//  CHECK-NEXT:     choreo.read_tiles %X[[[R]], [[K]]] into %x
//  CHECK-NEXT:     choreo.read_barrier
//  CHECK-NEXT:     choreo.push %x
//  CHECK-NEXT:   }
//  CHECK-NEXT: }
//  CHECK-NEXT: choreo.engine @load_2_0_1 on move 0 at [2, 0] {
//  CHECK-NEXT: ^bb0
//  CHECK-NEXT:   arith.constant 2 : index
//  CHECK-NEXT:   affine.for
//       CHECK: choreo.engine @load_2_1 on move 0 at [2, 1] {
//  CHECK-NEXT: ^bb0
//  CHECK-NEXT:   arith.constant 2 : index
//  CHECK-NEXT:   affine.for
//       CHECK: choreo.engine @load_2_0_1_1 on move 1 at [1, 1] {
//  CHECK-NEXT: ^bb0
//  CHECK-NEXT:   [[Y2:%.*]] = arith.constant 1 : index
//  CHECK-NEXT:   [[X2:%.*]] = arith.constant 1 : index
//  CHECK-NEXT:   choreo.reserve %x
//  CHECK-NEXT:   choreo.read_tiles %X[[[Y2]], [[X2]]] into %x
//   CHECK-NOT: choreo.engine

//       TWICE: choreo.engine @load_0_0_0_0 on move 0 at [0, 0] {
//  TWICE-NEXT: ^bb0
//  TWICE-NEXT:   arith.constant 0 : index
//  TWICE-NEXT:   affine.for

// -----

// Code of several blocks, and a grid of one site, which no engine needs to name.
spatial.program @blocks() target #spatial.target<"reference"> grid [1, 1] requires [fifo] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @e on move 0 {
  ^bb0(%y : index, %c : index):
    choreo.reserve %x
    cf.br ^end(%c : index)
  ^end(%z : index):
    choreo.push %x
    choreo.end
  }
}

// CHECK-LABEL: spatial.program @blocks
//       CHECK: choreo.engine @e_0_0 on move 0 {
//  CHECK-NEXT: ^bb0
//  CHECK-NEXT:   [[C:%.*]] = arith.constant 0 : index
//  CHECK-NEXT:   choreo.reserve %x
//  CHECK-NEXT:   cf.br [[END:\^.*]]([[C]] : index)
//  CHECK-NEXT: [[END]](%{{.*}}: index):
//  CHECK-NEXT:   choreo.push %x
//  CHECK-NEXT:   choreo.end
