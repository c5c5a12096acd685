// RUN: spatial-opt %s --spatial-pipeline="target=blackhole grid=1x2" 2>/dev/null | filecheck %s
// RUN: spatial-opt %s -p 'convert-linalg-to-spatial{target=blackhole},tile-spatial{target=blackhole grid=1x2},place-spatial{target=blackhole grid=1x2},size-buffers,synthesize-handshakes,persist,verify-choreography' 2>/dev/null | filecheck %s
// RUN: xdsl-opt %s -p 'spatial-pipeline{target=blackhole grid=1x2}' | filecheck %s
// RUN: spatial-opt %s --spatial-pipeline="grid=1x2" --explain -o /dev/null 2>&1 | filecheck %s --check-prefix EXPLAIN
// RUN: ! spatial-opt %s --spatial-pipeline="target=blackhole" 2>&1 | filecheck %s --check-prefix NO-GRID
// RUN: ! spatial-opt %s --spatial-pipeline="gird=1x2" 2>&1 | filecheck %s --check-prefix TYPO
// RUN: ! spatial-opt %s --spatial-pipeline="grid=1x2 target=worm" 2>&1 | filecheck %s --check-prefix TARGET
// RUN: ! spatial-opt %s --spatial-pipeline="grid=many" 2>&1 | filecheck %s --check-prefix GRID
// RUN: ! spatial-opt %s --canonicalize --explain 2>&1 | filecheck %s --check-prefix NOTHING

// CHECK-LABEL: spatial.program @twice_0(
// CHECK-SAME:    target #spatial.target<"blackhole"> grid [1, 2]
// CHECK-SAME:    requires [fifo] attributes {choreo.verdict = #choreo.verdict<proved
// CHECK:         choreo.engine @move0_0 on move 0
// CHECK-LABEL: func.func @twice(
// CHECK:         spatial.launch @twice_0(
func.func @twice(%x : tensor<32x64xf32>) -> tensor<32x64xf32> {
  %empty = tensor.empty() : tensor<32x64xf32>
  %y = linalg.add ins(%x, %x : tensor<32x64xf32>, tensor<32x64xf32>)
      outs(%empty : tensor<32x64xf32>) -> tensor<32x64xf32>
  func.return %y : tensor<32x64xf32>
}

// EXPLAIN: remark: 'spatial.program' op @twice_0 is cut into
// EXPLAIN: remark: 'spatial.program' op
// EXPLAIN: remark: 'spatial.program' op @twice_0 proved

// NO-GRID: spatial-opt: error: pass 'spatial-pipeline': spatial-pipeline requires argument "grid"
// TYPO: spatial-opt: error: pass 'spatial-pipeline':
// TARGET: spatial-opt: error: there is no target 'worm', did you mean 'wormhole'?
// GRID: spatial-opt: error: grid is 'many', but sites are ROWSxCOLUMNS, such as 8x8
// NOTHING: spatial-opt: error: --explain is for passes that choose something: there is none
