// RUN: spatial-opt %s --split-input-file | filecheck %s

// Two texts of one program print the same: rectangles are joined, addresses simplified, defaults and
// loops that run once left out. (`loops []` says that the program is tiled.)
spatial.program @a(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole" {}> grid [2, 2] loops [w = 1, h = 1, k = 1] {
  %x = spatial.buffer handshake fifo : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[0 + y, x * 1 + 0 * h] into %x at [1, 0] + [0:1, 0:2] + [1, 1:2] on move 0
  spatial.map (%x broadcast none) into %y on compute {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[y, x] at [0:2, 0:2] on move 1
}

//      CHECK:   spatial.program @a(%X: memref<64x64xbf16>, %Y: memref<64x64xbf16>) target #spatial.target<"wormhole"> grid [2, 2] loops [] {
// CHECK-NEXT:     %x = spatial.buffer : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:     %y = spatial.buffer : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:     spatial.load %X[y, x] into %x on move 0
// CHECK-NEXT:     spatial.map (%x) into %y {
// CHECK-NEXT:     ^bb0(%0: f32):
// CHECK-NEXT:       spatial.yield %0 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     spatial.store %y into %Y[y, x] on move 1
// CHECK-NEXT:   }

// -----

spatial.program @a(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] loops [] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  %y = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, x] into %x on move 0
  spatial.map (%x) into %y {
  ^bb0(%0 : f32):
    spatial.yield %0 : f32
  }
  spatial.store %y into %Y[y, x] on move 1
}

//      CHECK:   spatial.program @a(%X: memref<64x64xbf16>, %Y: memref<64x64xbf16>) target #spatial.target<"wormhole"> grid [2, 2] loops [] {
// CHECK-NEXT:     %x = spatial.buffer : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:     %y = spatial.buffer : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:     spatial.load %X[y, x] into %x on move 0
// CHECK-NEXT:     spatial.map (%x) into %y {
// CHECK-NEXT:     ^bb0(%0: f32):
// CHECK-NEXT:       spatial.yield %0 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     spatial.store %y into %Y[y, x] on move 1
// CHECK-NEXT:   }

// -----

// Sites: any union of rectangles, overlapping or not, has one form.
"test.op"() {sites = [
  #spatial<sites [0:1, 0:1]>, #spatial<sites [0, 0:2] + [1, 0:2]>, #spatial<sites [4, 0] + [0:2, 0]>,
  #spatial<sites [0:4, 0:2] + [2:6, 1:3]>, #spatial<sites [0, 3] + [0, 0] + [0, 1]>
]} : () -> ()

//      CHECK:   "test.op"() {sites = [#spatial<sites [0, 0]>, #spatial<sites [0:2, 0:2]>, #spatial<sites [0:2, 0] + [4, 0]>, #spatial<sites [0:2, 0:2] + [2:4, 0:3] + [4:6, 1:3]>, #spatial<sites [0, 0:2] + [0, 3]>]} : () -> ()

// -----

// Loops: the order of writing does not matter.
"test.op"() {loops = [#spatial<loops [w = 3, i = 2, h = 1]>, #spatial<loops [i = 2, w = 3]>,
                      #spatial<loops [k = ? max 1]>]} : () -> ()

//      CHECK:   "test.op"() {loops = [#spatial<loops [i = 2, w = 3]>, #spatial<loops [i = 2, w = 3]>, #spatial<loops [k = ? max 1]>]} : () -> ()

// -----

// Addresses: constants are gathered, terms are in the order i, y, x, k, h, w, ind, `mod` stays.
spatial.program @addresses(%I : memref<32x32xi32>, %X : memref<4x40960x40960xbf16>, %Y : memref<40960x4096xbf16>)
    target #spatial.target<"reference"> grid [2, 2] loops [i = 2, k = 4, h = 2, w = 2] {
  %ix = spatial.buffer : !spatial.buffer<1x1xi32>
  %a = spatial.buffer : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %I[0, 0] into %ix on move 0
  spatial.load %X[1 + 1, w + 2 * h + (y * 4 + x) * 2 + 3 - 1, ind * 2 + k - ind] into %a via %ix on move 0
  spatial.load %X[i mod 4, (k * 8 + h) mod 4, w floordiv 2 + k ceildiv 3] into %b on move 0
  spatial.load %X[0, (k + 1) mod 3 * 2 + h - -w, (y - y) + 5 * (x + 2)] into %c on move 0
  spatial.store %a into %Y[((y * 2 + x) * 4 + k) * 2 + h, i * 2 + w] on move 1
  spatial.store %b into %Y[((y * 2 + x) * 4 + k) * 2 + h, i * 2 + w + 4] on move 1
  spatial.store %c into %Y[((y * 2 + x) * 4 + k) * 2 + h, i * 2 + w + 8] on move 1
}

//      CHECK:   spatial.program @addresses(%I: memref<32x32xi32>, %X: memref<4x40960x40960xbf16>, %Y: memref<40960x4096xbf16>) target #spatial.target<"reference"> grid [2, 2] loops [i = 2, k = 4, h = 2, w = 2] {
// CHECK-NEXT:     %ix = spatial.buffer : !spatial.buffer<1x1xi32>
// CHECK-NEXT:     %a = spatial.buffer : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:     %b = spatial.buffer : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:     %c = spatial.buffer : !spatial.buffer<1x1xbf16>
// CHECK-NEXT:     spatial.load %I[0, 0] into %ix on move 0
// CHECK-NEXT:     spatial.load %X[2, y * 8 + x * 2 + h * 2 + w + 2, k + ind] into %a via %ix on move 0
// CHECK-NEXT:     spatial.load %X[i mod 4, h mod 4, k ceildiv 3 + w floordiv 2] into %b on move 0
// CHECK-NEXT:     spatial.load %X[0, h + w + ((k + 1) mod 3) * 2, x * 5 + 10] into %c on move 0
// CHECK-NEXT:     spatial.store %a into %Y[y * 16 + x * 8 + k * 2 + h, i * 2 + w] on move 1
// CHECK-NEXT:     spatial.store %b into %Y[y * 16 + x * 8 + k * 2 + h, i * 2 + w + 4] on move 1
// CHECK-NEXT:     spatial.store %c into %Y[y * 16 + x * 8 + k * 2 + h, i * 2 + w + 8] on move 1
// CHECK-NEXT:   }
