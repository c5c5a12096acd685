// RUN: not spatial-opt %s --synthesize-handshakes 2>&1 | filecheck %s --match-full-lines

// Two programs of three cannot be scheduled: each says why, all that is wrong with it, and nothing is printed.

spatial.program @fine(%X : memref<32x128xbf16>, %Y : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, k] into %x on move 0
  spatial.store %x into %Y[0, k] on move 1
}

spatial.program @not_sized(%X : memref<32x128xbf16>, %Y : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, k] into %x on move 0
  spatial.store %x into %Y[0, k] on move 1
}

spatial.program @two_reasons(%A : memref<32x96xbf16>, %B : memref<96x64xbf16>, %C : memref<32x64xbf16>)
    target #spatial.target<"wormhole" {pack_accumulate = false}> grid [1, 1] loops [k = 3, w = 2] {
  %a = spatial.buffer depth 2 handshake valid_ready : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul @product %a, %b into %c spill %p by pack
  spatial.store %c into %C[0, w] on move 1
}

//      CHECK: {{.*}}errors_in_module.mlir:14:8: error: 'spatial.buffer' op has no depth: synthesize-handshakes expects a sized program, but this one is placed
// CHECK-NEXT:   hint: write `depth 2` or run size-buffers first
// CHECK-NEXT: {{.*}}errors_in_module.mlir:21:8: error: 'spatial.buffer' op %a needs handshake valid_ready, but target 'wormhole' provides fifo on a site
// CHECK-NEXT:   hint: choose another target, or override its handshakes_local
// CHECK-NEXT: {{.*}}errors_in_module.mlir:27:3: error: 'spatial.matmul' op adds up partial sums in memory, but the packer of target 'wormhole' cannot
// CHECK-NEXT:   hint: spill `by reload` to a ring of its own
// CHECK-NOT: {{.+}}
