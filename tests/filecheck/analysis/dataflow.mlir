// RUN: spatial-opt %s --test-dataflow | filecheck %s

// A multicast matmul: senders and receivers have one domain and stand side by side in the rank,
// and a site's class is by which stages it hosts.
spatial.program @matmul(%A : memref<128x128xbf16>, %B : memref<128x128xbf16>, %C : memref<128x128xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] loops [k = 4, h = 2] {
  %a = spatial.buffer depth 2 : !spatial.buffer<2x1xbf16>
  %b = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %c = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %p = spatial.buffer depth 2 : !spatial.buffer<1x2xbf16>
  %rows = spatial.group from [0:2, 0] to [0:2, 1] along x
  spatial.load @load_a %A[y * 2, k] into %a multicast %rows at [0:2, 0] on move 0
  spatial.load @load_b %B[k, x * 2] into %b on move 0
  spatial.recv @recv_a %rows into %a at [0:2, 1] on move 0
  spatial.matmul @product %a, %b into %c spill %p
  spatial.store @store_c %c into %C[y * 2 + h, x * 2] on move 1
}

// CHECK-LABEL: spatial.program @matmul
// CHECK-SAME: site_classes = ["[0:2, 0]", "[0:2, 1]"]
// CHECK: spatial.load @load_a {{.*}} {rank = 0 : i64, level = "block", domain = "{k}", pages_per_item = 4 : i64}
// CHECK-NEXT: spatial.load @load_b {{.*}} {rank = 2 : i64, level = "block", domain = "{k}", pages_per_item = 4 : i64}
// CHECK-NEXT: spatial.recv @recv_a {{.*}} {rank = 1 : i64, level = "block", domain = "{k}", pages_per_item = 4 : i64}
// CHECK-NEXT: spatial.matmul @product {{.*}} {rank = 3 : i64, level = "block", domain = "{h, w}", pages_per_item = 2 : i64}
// CHECK-NEXT: spatial.store @store_c {{.*}} {rank = 4 : i64, level = "after", domain = "{h, w}", pages_per_item = 2 : i64}

// A page indexed by w alone is fetched again for every h, as the nest that reads it demands.
spatial.program @closed(%X : memref<64x64xbf16>, %S : memref<32x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [h = 2, w = 2] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %s = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load @load_x %X[h, w] into %x on move 0
  spatial.load @load_s %S[0, w] into %s on move 0
  spatial.map @scale (%x, %s) into %y {
  ^bb0(%0 : f32, %1 : f32):
    %2 = arith.mulf %0, %1 : f32
    spatial.yield %2 : f32
  }
  spatial.store @store_y %y into %Y[h, w] on move 1
}

// CHECK-LABEL: spatial.program @closed
// CHECK: spatial.load @load_x {{.*}} {rank = 0 : i64, level = "after", domain = "{h, w}", pages_per_item = 4 : i64}
// CHECK-NEXT: spatial.load @load_s {{.*}} {rank = 1 : i64, level = "after", domain = "{h, w}", pages_per_item = 4 : i64}

// A fold: the prologue, the body with the update last, the epilogue.
spatial.program @fold(%X : memref<32x128xbf16>, %Y : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %m = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  %d = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  spatial.load @load_x %X[0, k] into %x on move 0
  spatial.map @init () into %m {
    %z = arith.constant 0.0 : f32
    spatial.yield %z : f32
  }
  spatial.map @renew (%x) update %m {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.map @change (%m) into %d {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store @store_d %d into %Y[0, 0] on move 1
}

// CHECK-LABEL: spatial.program @fold
// CHECK: spatial.load @load_x {{.*}} {rank = 0 : i64, level = "block", domain = "{k}", pages_per_item = 4 : i64}
// CHECK-NEXT: spatial.map @init {{.*}} {rank = 1 : i64, level = "before", domain = "{}", pages_per_item = 1 : i64}
// CHECK: spatial.map @renew {{.*}} {rank = 2 : i64, level = "block", domain = "{k}", pages_per_item = 4 : i64}
// CHECK: spatial.map @change {{.*}} {rank = 3 : i64, level = "after", domain = "{}", pages_per_item = 1 : i64}
