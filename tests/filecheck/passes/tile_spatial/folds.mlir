// RUN: spatial-opt %s --tile-spatial="m=2 k=4" --split-input-file | filecheck %s
// RUN: spatial-opt %s --tile-spatial="m=2 k=4" --split-input-file --place-spatial="grid=2x2" --size-buffers --synthesize-handshakes --verify-choreography 2>&1 >/dev/null | filecheck %s --check-prefix PROOF

// Long rows: `k` goes over the columns for the sum of squares, `w` over them again for the result.
spatial.program @rms_norm(%X : memref<256x4096xbf16>, %Gamma : memref<1x4096xbf16>,
                          %Y : memref<256x4096xbf16>) target #spatial.target<"blackhole"> {
  %x = spatial.buffer : !spatial.buffer<8x128xbf16>
  %square = spatial.buffer : !spatial.buffer<8x128xbf16>
  %part = spatial.buffer : !spatial.buffer<8x1xf32>
  %sum = spatial.buffer : !spatial.buffer<8x1xf32>
  %factor = spatial.buffer : !spatial.buffer<8x1xf32>
  %again = spatial.buffer : !spatial.buffer<8x128xbf16>
  %gamma = spatial.buffer : !spatial.buffer<1x128xbf16>
  %y = spatial.buffer : !spatial.buffer<8x128xbf16>
  spatial.load @load_x %X[0, k * 128] into %x
  spatial.map @init () into %sum {
    %zero = arith.constant 0.0 : f32
    spatial.yield %zero : f32
  }
  spatial.map @square (%x) into %square {
  ^bb0(%a : f32):
    %b = arith.mulf %a, %a : f32
    spatial.yield %b : f32
  }
  spatial.reduce @part add cols %square into %part
  spatial.map @add (%sum, %part) update %sum {
  ^bb0(%a : f32, %b : f32):
    %c = arith.addf %a, %b : f32
    spatial.yield %c : f32
  }
  spatial.map @factor (%sum) into %factor {
  ^bb0(%a : f32):
    %b = math.rsqrt %a : f32
    spatial.yield %b : f32
  }
  spatial.load @load_again %X[0, w * 128] into %again
  spatial.load @load_gamma %Gamma[0, w * 128] into %gamma pad 0.0 : bf16
  spatial.map @scale (%again, %factor broadcast cols, %gamma broadcast rows) into %y {
  ^bb0(%a : f32, %b : f32, %c : f32):
    %d = arith.mulf %a, %b : f32
    %e = arith.mulf %d, %c : f32
    spatial.yield %e : f32
  }
  spatial.store @store_y %y into %Y[0, w * 128]
}

//      CHECK: spatial.program @rms_norm(%X: memref<256x4096xbf16>, %Gamma: memref<1x4096xbf16>, %Y: memref<256x4096xbf16>) target #spatial.target<"blackhole"> loops [i = 4, k = 32, w = 32] {
// CHECK-NEXT:   %x = spatial.buffer : !spatial.buffer<2x4xbf16>
// CHECK-NEXT:   %square = spatial.buffer : !spatial.buffer<2x4xbf16>
// CHECK-NEXT:   %part = spatial.buffer : !spatial.buffer<2x1xf32>
// CHECK-NEXT:   %sum = spatial.buffer : !spatial.buffer<2x1xf32>
// CHECK-NEXT:   %factor = spatial.buffer : !spatial.buffer<2x1xf32>
// CHECK-NEXT:   %again = spatial.buffer : !spatial.buffer<2x4xbf16>
// CHECK-NEXT:   %gamma = spatial.buffer : !spatial.buffer<1x4xbf16>
// CHECK-NEXT:   %y = spatial.buffer : !spatial.buffer<2x4xbf16>
// CHECK-NEXT:   spatial.load @load_x %X[i * 2, k * 4] into %x
// CHECK-NEXT:   spatial.map @init () into %sum {
// CHECK-NEXT:     %zero = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     spatial.yield %zero : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   spatial.map @square (%x) into %square {
// CHECK-NEXT:   ^bb0(%a: f32):
// CHECK-NEXT:     %b = arith.mulf %a, %a : f32
// CHECK-NEXT:     spatial.yield %b : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   spatial.reduce @part add cols %square into %part
// CHECK-NEXT:   spatial.map @add (%sum, %part) update %sum {
// CHECK-NEXT:   ^bb0(%a_1: f32, %b_1: f32):
// CHECK-NEXT:     %c = arith.addf %a_1, %b_1 : f32
// CHECK-NEXT:     spatial.yield %c : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   spatial.map @factor (%sum) into %factor {
// CHECK-NEXT:   ^bb0(%a_2: f32):
// CHECK-NEXT:     %b_2 = math.rsqrt %a_2 : f32
// CHECK-NEXT:     spatial.yield %b_2 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   spatial.load @load_again %X[i * 2, w * 4] into %again
// CHECK-NEXT:   spatial.load @load_gamma %Gamma[0, w * 4] into %gamma pad 0.000000e+00 : bf16
// CHECK-NEXT:   spatial.map @scale (%again, %factor broadcast cols, %gamma broadcast rows) into %y {
// CHECK-NEXT:   ^bb0(%a_3: f32, %b_3: f32, %c_1: f32):
// CHECK-NEXT:     %d = arith.mulf %a_3, %b_3 : f32
// CHECK-NEXT:     %e = arith.mulf %d, %c_1 : f32
// CHECK-NEXT:     spatial.yield %e : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   spatial.store @store_y %y into %Y[i * 2, w * 4]
// CHECK-NEXT: }

//      PROOF: {{.*}}folds.mlir:5:1: remark: 'spatial.program' op @rms_norm proved: {{.*}}

// -----

// Attention: eight heads, of which four share keys and values. The queries are cut by items, the
// keys by `k`; what a head has of columns is summed over, or is cut too.
spatial.program @attention(%Q : memref<8x256x64xbf16>, %K : memref<2x512x64xbf16>,
                           %V : memref<2x512x64xbf16>, %O : memref<8x256x64xbf16>)
    target #spatial.target<"reference"> template loops [i = 8] {
  %q = spatial.buffer : !spatial.buffer<8x2xbf16>
  %kt = spatial.buffer : !spatial.buffer<16x2xbf16>
  %v = spatial.buffer : !spatial.buffer<16x2xbf16>
  %l = spatial.buffer : !spatial.buffer<8x1xf32>
  %o = spatial.buffer : !spatial.buffer<8x2xf32>
  %s = spatial.buffer : !spatial.buffer<8x16xf32>
  %e = spatial.buffer : !spatial.buffer<8x16xbf16>
  %es = spatial.buffer : !spatial.buffer<8x1xf32>
  %pv = spatial.buffer : !spatial.buffer<8x2xf32>
  %out = spatial.buffer : !spatial.buffer<8x2xbf16>
  spatial.load @load_q %Q[i, 0, 0] into %q
  spatial.load @load_k %K[i floordiv 4, k * 16, 0] into %kt
  spatial.load @load_v %V[i floordiv 4, k * 16, 0] into %v
  spatial.map @init_l () into %l {
    %zero = arith.constant 0.0 : f32
    spatial.yield %zero : f32
  }
  spatial.map @init_o () into %o {
    %zero = arith.constant 0.0 : f32
    spatial.yield %zero : f32
  }
  spatial.dot @scores %q, %kt transpose_b into %s
  spatial.map @exp (%s) into %e {
  ^bb0(%a : f32):
    %b = math.exp %a : f32
    spatial.yield %b : f32
  }
  spatial.dot @values %e, %v into %pv
  spatial.reduce @sums add cols %e into %es
  spatial.map @new_l (%l, %es) update %l {
  ^bb0(%a : f32, %b : f32):
    %c = arith.addf %a, %b : f32
    spatial.yield %c : f32
  }
  spatial.map @new_o (%o, %pv) update %o {
  ^bb0(%a : f32, %b : f32):
    %c = arith.addf %a, %b : f32
    spatial.yield %c : f32
  }
  spatial.map @normalise (%o, %l broadcast cols) into %out {
  ^bb0(%a : f32, %b : f32):
    %c = arith.divf %a, %b : f32
    spatial.yield %c : f32
  }
  spatial.store @store_o %out into %O[i, 0, 0]
}

//      CHECK: spatial.program @attention(%Q: memref<8x256x64xbf16>, %K: memref<2x512x64xbf16>, %V: memref<2x512x64xbf16>, %O: memref<8x256x64xbf16>) target #spatial.target<"reference"> loops [i = 64, k = 4] {
// CHECK-NEXT:   %q = spatial.buffer : !spatial.buffer<2x2xbf16>
// CHECK-NEXT:   %kt = spatial.buffer : !spatial.buffer<4x2xbf16>
// CHECK-NEXT:   %v = spatial.buffer : !spatial.buffer<4x1xbf16>
// CHECK-NEXT:   %l = spatial.buffer : !spatial.buffer<2x1xf32>
// CHECK-NEXT:   %o = spatial.buffer : !spatial.buffer<2x1xf32>
// CHECK-NEXT:   %s = spatial.buffer : !spatial.buffer<2x4xf32>
// CHECK-NEXT:   %e = spatial.buffer : !spatial.buffer<2x4xbf16>
// CHECK-NEXT:   %es = spatial.buffer : !spatial.buffer<2x1xf32>
// CHECK-NEXT:   %pv = spatial.buffer : !spatial.buffer<2x1xf32>
// CHECK-NEXT:   %out = spatial.buffer : !spatial.buffer<2x1xbf16>
// CHECK-NEXT:   spatial.load @load_q %Q[i floordiv 8, ((i floordiv 2) mod 4) * 2, 0] into %q
// CHECK-NEXT:   spatial.load @load_k %K[i floordiv 32, k * 4, 0] into %kt
// CHECK-NEXT:   spatial.load @load_v %V[i floordiv 32, k * 4, i mod 2] into %v
// CHECK-NEXT:   spatial.map @init_l () into %l {
// CHECK-NEXT:     %zero = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     spatial.yield %zero : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   spatial.map @init_o () into %o {
// CHECK-NEXT:     %zero_1 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     spatial.yield %zero_1 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   spatial.dot @scores %q, %kt transpose_b into %s
// CHECK-NEXT:   spatial.map @exp (%s) into %e {
// CHECK-NEXT:   ^bb0(%a: f32):
// CHECK-NEXT:     %b = math.exp %a : f32
// CHECK-NEXT:     spatial.yield %b : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   spatial.dot @values %e, %v into %pv
// CHECK-NEXT:   spatial.reduce @sums add cols %e into %es
// CHECK-NEXT:   spatial.map @new_l (%l, %es) update %l {
// CHECK-NEXT:   ^bb0(%a_1: f32, %b_1: f32):
// CHECK-NEXT:     %c = arith.addf %a_1, %b_1 : f32
// CHECK-NEXT:     spatial.yield %c : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   spatial.map @new_o (%o, %pv) update %o {
// CHECK-NEXT:   ^bb0(%a_2: f32, %b_2: f32):
// CHECK-NEXT:     %c_1 = arith.addf %a_2, %b_2 : f32
// CHECK-NEXT:     spatial.yield %c_1 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   spatial.map @normalise (%o, %l broadcast cols) into %out {
// CHECK-NEXT:   ^bb0(%a_3: f32, %b_3: f32):
// CHECK-NEXT:     %c_2 = arith.divf %a_3, %b_3 : f32
// CHECK-NEXT:     spatial.yield %c_2 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   spatial.store @store_o %out into %O[i floordiv 8, ((i floordiv 2) mod 4) * 2, i mod 2]
// CHECK-NEXT: }

// PROOF-NEXT: {{.*}}folds.mlir:94:1: remark: 'spatial.program' op @attention proved: {{.*}}
