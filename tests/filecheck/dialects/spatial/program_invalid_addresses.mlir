// RUN: not spatial-opt %s --split-input-file 2>&1 >/dev/null | filecheck %s --match-full-lines

// Pages that reach outside their tensors, tiles that are written twice, and stores off their domain.

spatial.program @outside(%X : memref<256x64xbf16>, %Y : memref<512x64xbf16>)
    target #spatial.target<"wormhole"> grid [8, 1] loops [h = 2] {
  %x = spatial.buffer : !spatial.buffer<1x2xbf16>
  spatial.load %X[y + h, 0] into %x on move 0
  spatial.store %x into %Y[y * 2 + h, 0] on move 1
}

//      CHECK: {{.*}}program_invalid_addresses.mlir:8:3: error: 'spatial.load' op reads outside %X: `y + h` is 8 at y = 7, h = 1, but dimension 0 has 8 whole tiles
// CHECK-NEXT:   hint: use a larger tensor, or an address with smaller steps, or `pad` what lies outside

// -----

spatial.program @page_outside(%X : memref<64x64xbf16>, %Y : memref<64x96xbf16>)
    target #spatial.target<"wormhole"> grid [2, 1] {
  %x = spatial.buffer : !spatial.buffer<1x3xbf16>
  spatial.load %X[y, 0] into %x on move 0
  spatial.store %x into %Y[y, 0] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_addresses.mlir:20:3: error: 'spatial.load' op reads outside %X: `0` is 0 and the page ends at 2, but dimension 1 has 2 whole tiles
// CHECK-NEXT:   hint: use a larger tensor, or an address with smaller steps, or `pad` what lies outside

// -----

// A tile that is only partly in the tensor is outside.
spatial.program @part_of_a_tile(%X : memref<64x80xbf16>, %Y : memref<64x96xbf16>)
    target #spatial.target<"wormhole"> grid [2, 3] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, x] into %x on move 0
  spatial.store %x into %Y[y, x] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_addresses.mlir:33:3: error: 'spatial.load' op reads outside %X: `x` is 2 at x = 2, but dimension 1 has 2 whole tiles (80 elements, tiles of 32)
// CHECK-NEXT:   hint: use a larger tensor, or an address with smaller steps, or `pad` what lies outside

// -----

spatial.program @below_zero(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, x - 1] into %x on move 0
  spatial.store %x into %Y[y, x] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_addresses.mlir:45:3: error: 'spatial.load' op reads outside %X: `x - 1` is -1 at x = 0, in front of dimension 1
// CHECK-NEXT:   hint: use a larger tensor, or an address with smaller steps, or `pad` what lies outside

// -----

spatial.program @leading(%X : memref<3x32x32xbf16>, %Y : memref<4x32x32xbf16>)
    target #spatial.target<"wormhole"> grid [4, 1] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, 0, 0] into %x on move 0
  spatial.store %x into %Y[y, 0, 0] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_addresses.mlir:57:3: error: 'spatial.load' op reads outside %X: `y` is 3 at y = 3, but dimension 0 has 3 elements
// CHECK-NEXT:   hint: use a larger tensor, or an address with smaller steps, or `pad` what lies outside

// -----

spatial.program @strides(%X : memref<128x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] {
  %x = spatial.buffer : !spatial.buffer<2x2xbf16>
  spatial.load %X[0, 0] into %x strides [3, 2] on move 0
  spatial.store %x into %Y[0, 0] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_addresses.mlir:69:3: error: 'spatial.load' op reads outside %X: `0` is 0 and the page ends at 2, but dimension 1 has 2 whole tiles
// CHECK-NEXT:   hint: use a larger tensor, or an address with smaller steps, or `pad` what lies outside

// -----

// The page columns go along the tensor rows.
spatial.program @transpose(%X : memref<32x64xbf16>, %Y : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] {
  %x = spatial.buffer : !spatial.buffer<1x2xbf16>
  spatial.load %X[0, 0] into %x transpose on move 0
  spatial.store %x into %Y[0, 0] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_addresses.mlir:82:3: error: 'spatial.load' op reads outside %X: `0` is 0 and the page ends at 1, but dimension 0 has 1 whole tile
// CHECK-NEXT:   hint: use a larger tensor, or an address with smaller steps, or `pad` what lies outside

// -----

// Each rectangle of sites is looked at on its own: [7, 0] and [0, 7] are fine, [4, 4] is not.
spatial.program @by_rectangle(%X : memref<256x32xbf16>, %Y : memref<256x256xbf16>)
    target #spatial.target<"wormhole"> grid [8, 8] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y + x, 0] into %x at [7, 0] + [0, 7] + [4, 4] on move 0
  spatial.store %x into %Y[y, x] at [7, 0] + [0, 7] + [4, 4] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_addresses.mlir:95:3: error: 'spatial.load' op reads outside %X: `y + x` is 8 at y = 4, x = 4, but dimension 0 has 8 whole tiles
// CHECK-NEXT:   hint: use a larger tensor, or an address with smaller steps, or `pad` what lies outside

// -----

spatial.program @store_outside(%X : memref<64x64xbf16>, %Y : memref<32x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, x] into %x on move 0
  spatial.store %x into %Y[y, x] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_addresses.mlir:108:3: error: 'spatial.store' op writes outside %Y: `y` is 1 at y = 1, but dimension 0 has 1 whole tile
// CHECK-NEXT:   hint: use a larger tensor, or an address with smaller steps; only what a load with `pad` has read may be stored outside

// -----

// What a gather takes the row from is not known; the columns are.
spatial.program @gather(%I : memref<32x32xi32>, %T : memref<64x64xbf16>, %Y : memref<32x128xbf16>)
    target #spatial.target<"wormhole"> grid [1, 2] {
  %ix = spatial.buffer : !spatial.buffer<1x1xi32>
  %t = spatial.buffer : !spatial.buffer<1x2xbf16>
  spatial.load %I[0, 0] into %ix on move 0
  spatial.load %T[ind, x * 2] into %t via %ix on move 0
  spatial.store %t into %Y[0, x * 2] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_addresses.mlir:122:3: error: 'spatial.load' op reads outside %T: `x * 2` is 2 at x = 1 and the page ends at 3, but dimension 1 has 2 whole tiles
// CHECK-NEXT:   hint: use a larger tensor, or an address with smaller steps, or `pad` what lies outside

// -----

// Two corners are inside, yet `mod` leaves the tensor between them.
spatial.program @between(%X : memref<64x32xbf16>, %Y : memref<160x32xbf16>)
    target #spatial.target<"wormhole"> grid [5, 1] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y mod 4, 0] into %x on move 0
  spatial.store %x into %Y[y, 0] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_addresses.mlir:135:3: error: 'spatial.load' op reads outside %X: `y mod 4` is 2 at y = 2, but dimension 0 has 2 whole tiles
// CHECK-NEXT:   hint: use a larger tensor, or an address with smaller steps, or `pad` what lies outside

// -----

// Before the target is known only what does not depend on its tiles.
spatial.program @template(%X : memref<2x64x64xbf16>, %Y : memref<64x64xbf16>) loops [h = 3] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[h, y * 100, -1 - h] into %x
  spatial.store %x into %Y[h, y * 100]
}

// CHECK-NEXT: {{.*}}program_invalid_addresses.mlir:147:3: error: 'spatial.load' op reads outside %X: `h` is 2 at h = 2, but dimension 0 has 2 elements
// CHECK-NEXT:   hint: use a larger tensor, or an address with smaller steps, or `pad` what lies outside
// CHECK-NEXT: {{.*}}program_invalid_addresses.mlir:147:3: error: 'spatial.load' op reads outside %X: `-h - 1` is -1 at h = 0, in front of dimension 2
// CHECK-NEXT:   hint: use a larger tensor, or an address with smaller steps, or `pad` what lies outside

// -----

spatial.program @not_indexed(%X : memref<64x64xbf16>, %Y : memref<64x128xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] loops [h = 1, w = 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, x] into %x on move 0
  spatial.store %x into %Y[y + h, x * 2 + w] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_addresses.mlir:162:3: error: 'spatial.store' op stores one page per {w}, but %x has one per {}: the pages do not depend on w
// CHECK-NEXT:   hint: leave w out of the address, or make %x in these loops too

// -----

spatial.program @not_indexed_by_blocks(%A : memref<32x64xbf16>, %B : memref<64x32xbf16>, %C : memref<64x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = 2] {
  %a = spatial.buffer : !spatial.buffer<1x1xbf16>
  %b = spatial.buffer : !spatial.buffer<1x1xbf16>
  %c = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %A[0, k] into %a on move 0
  spatial.load %B[k, 0] into %b on move 0
  spatial.matmul %a, %b into %c
  spatial.store %c into %C[k, 0] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_addresses.mlir:178:3: error: 'spatial.store' op stores one page per {k}, but %c has one per {}: the pages do not depend on k
// CHECK-NEXT:   hint: leave k out of the address, or make %c in these loops too

// -----

spatial.program @scatter_domain(%I : memref<64x32xi32>, %X : memref<32x32xbf16>, %Y : memref<64x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [h = 2] {
  %ix = spatial.buffer : !spatial.buffer<1x1xi32>
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %I[h, 0] into %ix on move 1
  spatial.load %X[0, 0] into %x on move 0
  spatial.store %x into %Y[ind, 0] via %ix on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_addresses.mlir:192:3: error: 'spatial.store' op stores one page per {h} through %ix, but %x has one per {}: the pages do not depend on h
// CHECK-NEXT:   hint: leave h out of the address, or make %x in these loops too

// -----

spatial.program @same_for_every_h(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 1] loops [h = 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, h] into %x on move 0
  spatial.store %x into %Y[y, 0] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_addresses.mlir:204:3: error: 'spatial.store' op writes the same tiles of %Y for every h: its address does not use h
// CHECK-NEXT:   hint: use h in the address

// -----

spatial.program @same_for_every_item(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 1] loops [i = 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, i] into %x on move 0
  spatial.store %x into %Y[y, 0] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_addresses.mlir:216:3: error: 'spatial.store' op writes the same tiles of %Y for every i: its address does not use i
// CHECK-NEXT:   hint: use i in the address

// -----

spatial.program @same_for_every_column(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, x] into %x on move 0
  spatial.store %x into %Y[y, 0] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_addresses.mlir:228:3: error: 'spatial.store' op writes the same tiles of %Y for every x: its address does not use x
// CHECK-NEXT:   hint: use x in the address

// -----

spatial.program @steps_too_small(%X : memref<1024x64xbf16>, %Y : memref<1024x64xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [h = 8] {
  %x = spatial.buffer : !spatial.buffer<4x2xbf16>
  spatial.load %X[h * 4, 0] into %x on move 0
  spatial.store %x into %Y[h * 3, 0] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_addresses.mlir:240:3: error: 'spatial.store' op writes tile [3, 0] of %Y twice, at h = 0 and at h = 1
// CHECK-NEXT:   hint: let the address step over a whole page

// -----

// No two neighbours meet, but two other points do.
spatial.program @digits(%X : memref<32x768xbf16>, %Y : memref<32x768xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [h = 4, w = 6] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, h * 6 + w] into %x on move 0
  spatial.store %x into %Y[0, h * 5 + w] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_addresses.mlir:253:3: error: 'spatial.store' op writes tile [0, 5] of %Y twice, at h = 0, w = 5 and at h = 1, w = 0
// CHECK-NEXT:   hint: let the address step over a whole page

// -----

spatial.program @both_write(%X : memref<64x64xbf16>, %Y : memref<64x64xbf16>)
    target #spatial.target<"wormhole"> grid [2, 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[y, x] into %x on move 0
  spatial.store @one %x into %Y[y, x] at [0, 0:2] on move 1
  spatial.store @other %x into %Y[y * 0, x] at [1, 0:2] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_addresses.mlir:266:3: error: 'spatial.store' op writes tile [0, 0] of %Y, which 'spatial.store' op @one writes too
// CHECK-NEXT:   hint: let one stage write each tile

// -----

// Two half pages of different heights.
spatial.program @halves(%X : memref<192x32xbf16>, %Y : memref<192x32xbf16>)
    target #spatial.target<"wormhole"> grid [2, 1] {
  %u = spatial.buffer : !spatial.buffer<1x1xbf16>
  %v = spatial.buffer : !spatial.buffer<2x1xbf16>
  spatial.load %X[y * 3, 0] into %u on move 0
  spatial.load %X[y * 3 + 1, 0] into %v on move 0
  spatial.store %u into %Y[y * 3 + 1, 0] on move 1
  spatial.store %v into %Y[y * 3, 0] on move 1
}

// CHECK-NEXT: {{.*}}program_invalid_addresses.mlir:282:3: error: 'spatial.store' op writes tile [1, 0] of %Y, which 'spatial.store' op of %u writes too
// CHECK-NEXT:   hint: let one stage write each tile
//  CHECK-NOT: {{.+}}
