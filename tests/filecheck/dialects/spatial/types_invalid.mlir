// RUN: not spatial-opt %s --split-input-file 2>&1 >/dev/null | filecheck %s --match-full-lines

// Every message of a type or an attribute, when it is parsed.

"test.op"() {t = !spatial.buffer<8xbf16>} : () -> ()

//      CHECK: {{.*}}types_invalid.mlir:5:34: error: a page has two dimensions, rows x columns of tiles, as in 8x4xbf16
// CHECK-NEXT:   "test.op"() {t = !spatial.buffer<8xbf16>} : () -> ()
// CHECK-NEXT:                                    ^

// -----

"test.op"() {t = !spatial.buffer<2x8x4xbf16>} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:13:34: error: a page has two dimensions, rows x columns of tiles, as in 8x4xbf16
// CHECK-NEXT:   "test.op"() {t = !spatial.buffer<2x8x4xbf16>} : () -> ()
// CHECK-NEXT:                                    ^

// -----

"test.op"() {t = !spatial.buffer<?x4xbf16>} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:21:34: error: a page has two dimensions, rows x columns of tiles, as in 8x4xbf16
// CHECK-NEXT:   "test.op"() {t = !spatial.buffer<?x4xbf16>} : () -> ()
// CHECK-NEXT:                                    ^

// -----

"test.op"() {t = !spatial.buffer<0x4xbf16>} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:29:18: error: a page has at least one tile in each dimension, got 0x4
// CHECK-NEXT:   "test.op"() {t = !spatial.buffer<0x4xbf16>} : () -> ()
// CHECK-NEXT:                    ^^^^^^^^^^^^^^^^^^^^^^^^^

// -----

"test.op"() {t = !spatial.buffer<1x4xindex>} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:37:18: error: tiles hold floats, integers or block floats, got index
// CHECK-NEXT:   "test.op"() {t = !spatial.buffer<1x4xindex>} : () -> ()
// CHECK-NEXT:                    ^^^^^^^^^^^^^^^^^^^^^^^^^^

// -----

"test.op"() {t = !spatial.buffer<1x4xmemref<4xf32>>} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:45:18: error: tiles hold floats, integers or block floats, got memref<4xf32>
// CHECK-NEXT:   "test.op"() {t = !spatial.buffer<1x4xmemref<4xf32>>} : () -> ()
// CHECK-NEXT:                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

// -----

"test.op"() {s = #spatial<sites 0:2, 3>} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:53:33: error: Expected '[' in a set of sites
// CHECK-NEXT:   "test.op"() {s = #spatial<sites 0:2, 3>} : () -> ()
// CHECK-NEXT:                                   ^

// -----

"test.op"() {s = #spatial<sites [0:2]>} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:61:37: error: Expected ',' between the rows and the columns of a set of sites
// CHECK-NEXT:   "test.op"() {s = #spatial<sites [0:2]>} : () -> ()
// CHECK-NEXT:                                       ^

// -----

"test.op"() {s = #spatial<sites [0:2, 3>} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:69:40: error: Expected ']' in a set of sites
// CHECK-NEXT:   "test.op"() {s = #spatial<sites [0:2, 3>} : () -> ()
// CHECK-NEXT:                                          ^

// -----

"test.op"() {s = #spatial<sites [2:2, 3]>} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:77:34: error: the range 2:2 is empty: it is half open, so its end is above its start
// CHECK-NEXT:   "test.op"() {s = #spatial<sites [2:2, 3]>} : () -> ()
// CHECK-NEXT:                                    ^

// -----

"test.op"() {s = #spatial<sites [0:2, 3:1]>} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:85:39: error: the range 3:1 is empty: it is half open, so its end is above its start
// CHECK-NEXT:   "test.op"() {s = #spatial<sites [0:2, 3:1]>} : () -> ()
// CHECK-NEXT:                                         ^

// -----

"test.op"() {s = #spatial<sites [-1, 3]>} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:93:34: error: sites count from 0
// CHECK-NEXT:   "test.op"() {s = #spatial<sites [-1, 3]>} : () -> ()
// CHECK-NEXT:                                    ^

// -----

"test.op"() {s = #spatial<sites [0, 3] + >} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:101:42: error: Expected '[' in a set of sites
// CHECK-NEXT:   "test.op"() {s = #spatial<sites [0, 3] + >} : () -> ()
// CHECK-NEXT:                                            ^

// -----

"test.op"() {e = #spatial<engine cpu>} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:109:34: error: unknown engine 'cpu': a site has `compute` and the movement engines `move 0`, `move 1`, ... of its target
// CHECK-NEXT:   "test.op"() {e = #spatial<engine cpu>} : () -> ()
// CHECK-NEXT:                                    ^

// -----

"test.op"() {e = #spatial<engine 3>} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:117:34: error: unknown engine: a site has `compute` and the movement engines `move 0`, `move 1`, ... of its target
// CHECK-NEXT:   "test.op"() {e = #spatial<engine 3>} : () -> ()
// CHECK-NEXT:                                    ^

// -----

"test.op"() {e = #spatial<engine move -1>} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:125:39: error: Expected integer literal as number of the movement engine
// CHECK-NEXT:   "test.op"() {e = #spatial<engine move -1>} : () -> ()
// CHECK-NEXT:                                         ^

// -----

"test.op"() {e = #spatial<engine move>} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:133:38: error: Expected integer literal as number of the movement engine
// CHECK-NEXT:   "test.op"() {e = #spatial<engine move>} : () -> ()
// CHECK-NEXT:                                        ^

// -----

"test.op"() {l = #spatial<loops [j = 2]>} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:141:34: error: unknown loop 'j': a program has the loops i, k, h, w
// CHECK-NEXT:   "test.op"() {l = #spatial<loops [j = 2]>} : () -> ()
// CHECK-NEXT:                                    ^

// -----

"test.op"() {l = #spatial<loops [h = 2, h = 3]>} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:149:41: error: loop 'h' has two extents
// CHECK-NEXT:   "test.op"() {l = #spatial<loops [h = 2, h = 3]>} : () -> ()
// CHECK-NEXT:                                           ^

// -----

"test.op"() {l = #spatial<loops [h = 0]>} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:157:38: error: loop 'h' has extent 0, but every loop runs at least once
// CHECK-NEXT:   "test.op"() {l = #spatial<loops [h = 0]>} : () -> ()
// CHECK-NEXT:                                        ^

// -----

"test.op"() {l = #spatial<loops [h = -4]>} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:165:38: error: loop 'h' has extent -4, but every loop runs at least once
// CHECK-NEXT:   "test.op"() {l = #spatial<loops [h = -4]>} : () -> ()
// CHECK-NEXT:                                        ^

// -----

"test.op"() {l = #spatial<loops [h = ? max 4]>} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:173:38: error: loop 'h' has a run-time trip, but only 'k' can have one
// CHECK-NEXT:   "test.op"() {l = #spatial<loops [h = ? max 4]>} : () -> ()
// CHECK-NEXT:                                        ^

// -----

"test.op"() {l = #spatial<loops [k = ?]>} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:181:39: error: Expected 'max' after the `?` of a run-time trip
// CHECK-NEXT:   "test.op"() {l = #spatial<loops [k = ?]>} : () -> ()
// CHECK-NEXT:                                         ^

// -----

"test.op"() {l = #spatial<loops [k = ? max 0]>} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:189:38: error: loop 'k' has extent 0, but every loop runs at least once
// CHECK-NEXT:   "test.op"() {l = #spatial<loops [k = ? max 0]>} : () -> ()
// CHECK-NEXT:                                        ^

// -----

"test.op"() {l = #spatial<loops [k]>} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:197:35: error: Expected '='
// CHECK-NEXT:   "test.op"() {l = #spatial<loops [k]>} : () -> ()
// CHECK-NEXT:                                     ^

// -----

"test.op"() {l = #spatial<loop z>} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:205:32: error: unknown loop 'z': a program has the loops i, k, h, w
// CHECK-NEXT:   "test.op"() {l = #spatial<loop z>} : () -> ()
// CHECK-NEXT:                                  ^

// -----

"test.op"() {t = #spatial.target<wormhole>} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:213:34: error: string literal expected as name of the target
// CHECK-NEXT:   "test.op"() {t = #spatial.target<wormhole>} : () -> ()
// CHECK-NEXT:                                    ^^^^^^^^

// -----

"test.op"() {h = #spatial<handshake mutex>} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:221:37: error: Expected `fifo`, `valid_ready`, or `semaphore`.
// CHECK-NEXT:   "test.op"() {h = #spatial<handshake mutex>} : () -> ()
// CHECK-NEXT:                                       ^^^^^

// -----

"test.op"() {a = #spatial<axis xy>} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:229:32: error: Expected `x`, `y`, or `yx`.
// CHECK-NEXT:   "test.op"() {a = #spatial<axis xy>} : () -> ()
// CHECK-NEXT:                                  ^^

// -----

"test.op"() {s = #spatial<spill memory>} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:237:33: error: Expected `reload`, or `pack`.
// CHECK-NEXT:   "test.op"() {s = #spatial<spill memory>} : () -> ()
// CHECK-NEXT:                                   ^^^^^^

// -----

"test.op"() {r = #spatial<reduction mean>} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:245:37: error: Expected `add`, `max`, or `min`.
// CHECK-NEXT:   "test.op"() {r = #spatial<reduction mean>} : () -> ()
// CHECK-NEXT:                                       ^^^^

// -----

"test.op"() {p = #spatial<page_axis x>} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:253:37: error: Expected `rows`, or `cols`.
// CHECK-NEXT:   "test.op"() {p = #spatial<page_axis x>} : () -> ()
// CHECK-NEXT:                                       ^

// -----

"test.op"() {b = #spatial<broadcast all>} : () -> ()

// CHECK-NEXT: {{.*}}types_invalid.mlir:261:37: error: Expected `none`, `rows`, `cols`, or `scalar`.
// CHECK-NEXT:   "test.op"() {b = #spatial<broadcast all>} : () -> ()
// CHECK-NEXT:                                       ^^^
//  CHECK-NOT: {{.+}}
