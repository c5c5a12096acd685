// On a fabric every ring is handed over by valid-ready wires, and the program requires nothing else.
// RUN: spatial-opt --synthesize-handshakes %S/../../../examples/fabric_elementwise.mlir | filecheck %s
// RUN: xdsl-opt -p synthesize-handshakes %S/../../../examples/fabric_elementwise.mlir | filecheck %s

// CHECK:      spatial.program @gated_silu(
// CHECK-SAME:   requires [valid_ready] {
// CHECK-NEXT:   %gate = spatial.buffer depth 1 handshake valid_ready : !spatial.buffer<1x2xbf16>
// CHECK-NEXT:   %up = spatial.buffer depth 1 handshake valid_ready : !spatial.buffer<1x2xbf16>
// CHECK-NEXT:   %rest = spatial.buffer depth 1 handshake valid_ready : !spatial.buffer<1x2xbf16>
// CHECK-NEXT:   %active = spatial.buffer depth 1 handshake valid_ready : !spatial.buffer<1x2xf32>
// CHECK-NEXT:   %y = spatial.buffer depth 1 handshake valid_ready : !spatial.buffer<1x2xbf16>
// CHECK-NEXT:   choreo.engine @move0_0 on move 0 {
// CHECK-NOT:  sem
