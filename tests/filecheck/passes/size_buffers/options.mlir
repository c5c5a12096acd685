// RUN: spatial-opt %s --size-buffers='depths="x:3, %%y:1"' | filecheck %s
// RUN: spatial-opt %s --size-buffers='depths="x:3,q:4"' --verify-diagnostics | filecheck %s --check-prefix UNKNOWN
// RUN: spatial-opt %s --size-buffers='depths="z:1"' --verify-diagnostics | filecheck %s --check-prefix TWICE
// RUN: not spatial-opt %s --size-buffers='depths="x:0"' 2>&1 | filecheck %s --check-prefix WRONG
// RUN: not spatial-opt %s --size-buffers='policy=most' 2>&1 | filecheck %s --check-prefix POLICY

// CHECK:      %x = spatial.buffer depth 3 address 103424 : !spatial.buffer<1x1xbf16>
// CHECK-NEXT: %y = spatial.buffer depth 1 address 113664 : !spatial.buffer<1x1xbf16>
// CHECK-NEXT: %z = spatial.buffer depth 2 address 109568 : !spatial.buffer<1x1xbf16>
// UNKNOWN: error: 'builtin.module' op depths says q:4, but no program has a buffer %q
// UNKNOWN-NEXT: hint: the buffers are %x, %y, %z
// TWICE: error: 'spatial.buffer' op %z has depth 2, but depths says z:1
// TWICE-NEXT: hint: leave one of them out
// WRONG: error: pass 'size-buffers': depths is 'x:0', but depths are NAME:PAGES,..., each name once, such as a:3,b:2
// POLICY: error: pass 'size-buffers':
spatial.program @copy(%X : memref<128x32xbf16>, %Y : memref<128x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [h = 4] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer : !spatial.buffer<1x1xbf16>
  %z = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[h, 0] into %x on move 0
  spatial.map (%x) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map (%y) into %z {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %z into %Y[h, 0] on move 1
}
