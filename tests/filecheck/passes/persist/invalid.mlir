// RUN: spatial-opt %s --persist --split-input-file --verify-diagnostics | filecheck %s

// CHECK: error: 'spatial.program' op has no engines: persist expects a scheduled program, but this one is sized
// CHECK-NEXT: hint: run synthesize-handshakes first
spatial.program @stages(%X : memref<32x32xbf16>, %Y : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, 0] into %x on move 0
  spatial.store %x into %Y[0, 0] on move 1
}

// -----

// CHECK: error: 'choreo.engine' op @in has 2 blocks, but the loop over items goes around a single one
// CHECK-NEXT: hint: run persist before loops become jumps
spatial.program @jumps(%X : memref<32x32xbf16>, %Y : memref<32x32xbf16>)
    target #spatial.target<"wormhole"> grid [1, 1] loops [i = 2] requires [fifo] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @in on move 0 {
  ^bb0(%y : index, %x_0 : index):
    choreo.reserve %x
    choreo.read_tiles %X[%y, %x_0] into %x
    choreo.read_barrier
    choreo.push %x
    cf.br ^bb1
  ^bb1:
    choreo.end
  }
  choreo.engine @out on move 1 {
  ^bb0(%y : index, %x_0 : index):
    choreo.wait %x
    choreo.write_tiles %x into %Y[%y, %x_0]
    choreo.write_barrier
    choreo.pop %x
  }
}
