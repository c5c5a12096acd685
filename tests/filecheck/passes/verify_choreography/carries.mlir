// RUN: spatial-opt %s --verify-choreography="keep-going=true" 2>&1 | filecheck %s

// A page that is replaced by one made from it.

// rule 8, accepted: the old page is there while the new one is made: two pages.
// CHECK: carries.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @two_pages proved:
spatial.program @two_pages()
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %s = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    %acc0 = choreo.acquire 1xbf16
    choreo.reserve %s
    choreo.pack %acc0 into %s
    choreo.push %s
    choreo.release %acc0
    affine.for %i0 = 0 to 3 {
      choreo.wait %s
      %acc1 = choreo.acquire 1xbf16
      choreo.dot %acc1, %s, %s
      choreo.reserve %s
      choreo.pack %acc1 into %s
      choreo.push %s
      choreo.release %acc1
      choreo.pop %s
    }
    choreo.wait %s
    %acc2 = choreo.acquire 1xbf16
    choreo.dot %acc2, %s, %s
    choreo.release %acc2
    choreo.pop %s
  }
}

// rule 8, rejected: the same with one page.
spatial.program @one_page()
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %s = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    %acc0 = choreo.acquire 1xbf16
    choreo.reserve %s
    choreo.pack %acc0 into %s
    choreo.push %s
    choreo.release %acc0
    affine.for %i0 = 0 to 3 {
      choreo.wait %s
      %acc1 = choreo.acquire 1xbf16
      choreo.dot %acc1, %s, %s
      // CHECK: carries.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.reserve' op refuted (deadlock):
      choreo.reserve %s
      choreo.pack %acc1 into %s
      choreo.push %s
      choreo.release %acc1
      choreo.pop %s
    }
    choreo.wait %s
    %acc2 = choreo.acquire 1xbf16
    choreo.dot %acc2, %s, %s
    choreo.release %acc2
    choreo.pop %s
  }
}

// rule 8, accepted: the old page is popped before the new one is made: one page is enough.
// CHECK: carries.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @popped_first proved:
spatial.program @popped_first()
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %s = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    %acc0 = choreo.acquire 1xbf16
    choreo.reserve %s
    choreo.pack %acc0 into %s
    choreo.push %s
    choreo.release %acc0
    affine.for %i0 = 0 to 3 {
      choreo.wait %s
      %acc1 = choreo.acquire 1xbf16
      choreo.dot %acc1, %s, %s
      choreo.pop %s
      choreo.reserve %s
      choreo.pack %acc1 into %s
      choreo.push %s
      choreo.release %acc1
    }
    choreo.wait %s
    %acc2 = choreo.acquire 1xbf16
    choreo.dot %acc2, %s, %s
    choreo.release %acc2
    choreo.pop %s
  }
}

// rule 8, accepted: a carry of two pages and one that is made.
// CHECK: carries.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @two_and_one proved:
spatial.program @two_and_one()
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %s = spatial.buffer depth 3 : !spatial.buffer<1x1xbf16>
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 2 {
      %acc0 = choreo.acquire 1xbf16
      choreo.reserve %s
      choreo.pack %acc0 into %s
      choreo.push %s
      choreo.release %acc0
    }
    affine.for %i1 = 0 to 3 {
      affine.for %i2 = 0 to 2 {
        choreo.wait %s
        %acc1 = choreo.acquire 1xbf16
        choreo.dot %acc1, %s, %s
        choreo.reserve %s
        choreo.pack %acc1 into %s
        choreo.push %s
        choreo.release %acc1
        choreo.pop %s
      }
    }
    affine.for %i3 = 0 to 2 {
      choreo.wait %s
      %acc2 = choreo.acquire 1xbf16
      choreo.dot %acc2, %s, %s
      choreo.release %acc2
      choreo.pop %s
    }
  }
}

// rule 8, rejected: the same without room for the one that is made.
spatial.program @two_and_none()
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %s = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 2 {
      %acc0 = choreo.acquire 1xbf16
      choreo.reserve %s
      choreo.pack %acc0 into %s
      choreo.push %s
      choreo.release %acc0
    }
    affine.for %i1 = 0 to 3 {
      affine.for %i2 = 0 to 2 {
        choreo.wait %s
        %acc1 = choreo.acquire 1xbf16
        choreo.dot %acc1, %s, %s
        // CHECK: carries.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.reserve' op refuted (deadlock):
        choreo.reserve %s
        choreo.pack %acc1 into %s
        choreo.push %s
        choreo.release %acc1
        choreo.pop %s
      }
    }
    affine.for %i3 = 0 to 2 {
      choreo.wait %s
      %acc2 = choreo.acquire 1xbf16
      choreo.dot %acc2, %s, %s
      choreo.release %acc2
      choreo.pop %s
    }
  }
}

// rule 8, accepted: a carry over a run-time trip.
// CHECK: carries.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @at_run_time proved:
spatial.program @at_run_time(%n_count : index)
    target #spatial.target<"wormhole"> grid [1, 1] loops [k = ? max 1000000] requires [fifo] {
  %s = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = choreo.trip %n_count
    %acc0 = choreo.acquire 1xbf16
    choreo.reserve %s
    choreo.pack %acc0 into %s
    choreo.push %s
    choreo.release %acc0
    scf.for %i0 = %c0 to %n step %c1 {
      choreo.wait %s
      %acc1 = choreo.acquire 1xbf16
      choreo.dot %acc1, %s, %s
      choreo.reserve %s
      choreo.pack %acc1 into %s
      choreo.push %s
      choreo.release %acc1
      choreo.pop %s
    }
    choreo.wait %s
    %acc2 = choreo.acquire 1xbf16
    choreo.dot %acc2, %s, %s
    choreo.release %acc2
    choreo.pop %s
  }
}

// rule 8, rejected: nobody makes the first page.
spatial.program @no_first_page()
    target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %s = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    affine.for %i0 = 0 to 3 {
      // CHECK: carries.mlir:[[# @LINE + 1]]:{{[0-9]+}}: warning: 'choreo.wait' op refuted (deadlock):
      choreo.wait %s
      %acc = choreo.acquire 1xbf16
      choreo.dot %acc, %s, %s
      choreo.reserve %s
      choreo.pack %acc into %s
      choreo.push %s
      choreo.release %acc
      choreo.pop %s
    }
  }
}

// CHECK-NOT: {{warning|remark|error}}:
