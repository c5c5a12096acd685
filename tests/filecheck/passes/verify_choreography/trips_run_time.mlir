// RUN: spatial-opt %s --verify-choreography="keep-going=true" 2>&1 | filecheck %s
// RUN: spatial-opt %s --lower-affine --canonicalize --verify-choreography="keep-going=true" 2>&1 | filecheck %s

// Loops to a run-time trip: every trip up to the most counts, and none costs more than its text.

// rule 49, accepted: a stream of up to one page.
// CHECK: trips_run_time.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @stream_1 proved:
spatial.program @stream_1(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 1] requires [fifo] {
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// rule 49, accepted: a stream of up to two pages.
// CHECK: trips_run_time.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @stream_2 proved:
spatial.program @stream_2(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 2] requires [fifo] {
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// rule 49, accepted: a stream of up to one page less than the ring holds.
// CHECK: trips_run_time.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @stream_3 proved:
spatial.program @stream_3(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 3] requires [fifo] {
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// rule 49, accepted: a stream of up to as many pages as the ring holds.
// CHECK: trips_run_time.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @stream_4 proved:
spatial.program @stream_4(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 4] requires [fifo] {
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// rule 49, accepted: a stream of up to one page more than the ring holds.
// CHECK: trips_run_time.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @stream_5 proved:
spatial.program @stream_5(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 5] requires [fifo] {
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// rule 49, accepted: a stream of up to a prime number of pages.
// CHECK: trips_run_time.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @stream_7 proved:
spatial.program @stream_7(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 7] requires [fifo] {
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// rule 49, accepted: a stream of up to a million pages.
// CHECK: trips_run_time.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @stream_1000000 proved:
spatial.program @stream_1000000(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 1000000] requires [fifo] {
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// rule 50, accepted: up to one page before the word.
// CHECK: trips_run_time.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @message_1 proved:
spatial.program @message_1(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 1] requires [fifo] {
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %q = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
    choreo.reserve %q
    choreo.read_tiles %A[%c0, %c0] into %q
    choreo.read_barrier
    choreo.push %q
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    choreo.wait %q
    choreo.write_tiles %q into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %q
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// rule 50, accepted: up to two pages before the word.
// CHECK: trips_run_time.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @message_2 proved:
spatial.program @message_2(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 2] requires [fifo] {
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %q = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
    choreo.reserve %q
    choreo.read_tiles %A[%c0, %c0] into %q
    choreo.read_barrier
    choreo.push %q
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    choreo.wait %q
    choreo.write_tiles %q into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %q
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// rule 50, accepted: up to one page less than the ring holds before the word.
// CHECK: trips_run_time.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @message_3 proved:
spatial.program @message_3(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 3] requires [fifo] {
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %q = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
    choreo.reserve %q
    choreo.read_tiles %A[%c0, %c0] into %q
    choreo.read_barrier
    choreo.push %q
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    choreo.wait %q
    choreo.write_tiles %q into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %q
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// rule 50, accepted: up to as many pages as the ring holds before the word.
// CHECK: trips_run_time.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @message_4 proved:
spatial.program @message_4(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 4] requires [fifo] {
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %q = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
    choreo.reserve %q
    choreo.read_tiles %A[%c0, %c0] into %q
    choreo.read_barrier
    choreo.push %q
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    choreo.wait %q
    choreo.write_tiles %q into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %q
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// rule 50, rejected: up to one page more than the ring holds before the word.
spatial.program @message_5(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 5] requires [fifo] {
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %q = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      // CHECK: trips_run_time.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.reserve' op refuted (deadlock):
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
    choreo.reserve %q
    choreo.read_tiles %A[%c0, %c0] into %q
    choreo.read_barrier
    choreo.push %q
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    choreo.wait %q
    choreo.write_tiles %q into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %q
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// rule 50, rejected: up to a prime number of pages before the word.
spatial.program @message_7(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 7] requires [fifo] {
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %q = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      // CHECK: trips_run_time.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.reserve' op refuted (deadlock):
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
    choreo.reserve %q
    choreo.read_tiles %A[%c0, %c0] into %q
    choreo.read_barrier
    choreo.push %q
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    choreo.wait %q
    choreo.write_tiles %q into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %q
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// rule 50, rejected: up to a million pages before the word.
spatial.program @message_1000000(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 1000000] requires [fifo] {
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %q = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      // CHECK: trips_run_time.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.reserve' op refuted (deadlock):
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
    choreo.reserve %q
    choreo.read_tiles %A[%c0, %c0] into %q
    choreo.read_barrier
    choreo.push %q
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    choreo.wait %q
    choreo.write_tiles %q into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %q
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// rule 28, accepted: the first iteration is peeled off at both ends.
// CHECK: trips_run_time.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @peeled proved:
spatial.program @peeled(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 1000000] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    %m = arith.subi %n, %c1 : index
    choreo.reserve %p
    choreo.read_tiles %A[%c0, %c0] into %p
    choreo.read_barrier
    choreo.push %p
    scf.for %i0 = %c0 to %m step %c1 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    %m = arith.subi %n, %c1 : index
    choreo.wait %p
    choreo.write_tiles %p into %C[%c0, %c0]
    choreo.write_barrier
    choreo.pop %p
    scf.for %i0 = %c0 to %m step %c1 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// rule 28, rejected: the first iteration is peeled off at one end: wrong for no iteration only.
spatial.program @peeled_once(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 1000000] requires [fifo] {
  // CHECK: trips_run_time.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'spatial.buffer' op refuted (leftover):
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    %m = arith.subi %n, %c1 : index
    choreo.reserve %p
    choreo.read_tiles %A[%c0, %c0] into %p
    choreo.read_barrier
    choreo.push %p
    scf.for %i0 = %c0 to %m step %c1 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// rule 28, accepted: a single iteration takes another path, with the same pages.
// CHECK: trips_run_time.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @single proved:
spatial.program @single(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 1000000] requires [fifo] {
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    %one = arith.cmpi eq, %n, %c1 : index
    scf.if %one {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    } else {
      scf.for %i0 = %c0 to %n step %c1 {
        choreo.wait %p
        choreo.write_tiles %p into %C[%c0, %c0]
        choreo.write_barrier
        choreo.pop %p
      }
    }
  }
}

// rule 28, rejected: a single iteration takes another path and forgets its page.
spatial.program @single_forgets(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 1000000] requires [fifo] {
  // CHECK: trips_run_time.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'spatial.buffer' op refuted (leftover):
  %p = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    %one = arith.cmpi eq, %n, %c1 : index
    scf.if %one {
    } else {
      scf.for %i0 = %c0 to %n step %c1 {
        choreo.wait %p
        choreo.write_tiles %p into %C[%c0, %c0]
        choreo.write_barrier
        choreo.pop %p
      }
    }
  }
}

// rule 49, rejected: one page is left in each of the iterations.
spatial.program @leak(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>, %n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 1000000] requires [fifo] {
  // CHECK: trips_run_time.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'spatial.buffer' op refuted (leftover):
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
  }
}

// rule 49, accepted: two loops to trips of their own.
// CHECK: trips_run_time.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @two_trips proved:
spatial.program @two_trips(%A : memref<32x32xbf16>, %C : memref<32x32xbf16>, %n_count : index, %m_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 1000000] requires [fifo] {
  %p = spatial.buffer depth 4 : !spatial.buffer<1x1xbf16>
  %q = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @read on move 0 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    %m = choreo.trip %m_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.reserve %p
      choreo.read_tiles %A[%c0, %c0] into %p
      choreo.read_barrier
      choreo.push %p
    }
    scf.for %i1 = %c0 to %m step %c1 {
      choreo.reserve %q
      choreo.read_tiles %A[%c0, %c0] into %q
      choreo.read_barrier
      choreo.push %q
    }
  }
  choreo.engine @write on move 1 {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    %m = choreo.trip %m_count
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.wait %p
      choreo.write_tiles %p into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %p
    }
    scf.for %i1 = %c0 to %m step %c1 {
      choreo.wait %q
      choreo.write_tiles %q into %C[%c0, %c0]
      choreo.write_barrier
      choreo.pop %q
    }
  }
}

// CHECK-NOT: {{warning|remark|error}}:
