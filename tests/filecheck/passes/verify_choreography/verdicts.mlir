// RUN: not spatial-opt %s --split-input-file --verify-choreography 2>/dev/null | filecheck %s --check-prefix STRICT
// RUN: not spatial-opt %s --split-input-file --verify-choreography 2>&1 >/dev/null | filecheck %s --check-prefix ERROR
// RUN: spatial-opt %s --split-input-file --verify-choreography="keep-going=true" 2>/dev/null | filecheck %s
// RUN: spatial-opt %s --split-input-file --verify-choreography="keep-going=true" 2>&1 >/dev/null | filecheck %s --check-prefix MARK
// RUN: spatial-opt %s --split-input-file --verify-choreography="keep-going=true" 2>/dev/null | spatial-opt --split-input-file --verify-choreography="keep-going=true" 2>/dev/null | filecheck %s

// Each program with engines gets one verdict: a remark, a warning or an error, and an attribute.
// A refuted program is an error, and nothing is printed of its module, unless one keeps going.

// STRICT: spatial.program @right() {{.*}} attributes {choreo.verdict = #choreo.verdict<proved "{{[0-9a-f]+}}">}
//  CHECK: spatial.program @right() {{.*}} attributes {choreo.verdict = #choreo.verdict<proved "{{[0-9a-f]+}}">}
//  ERROR: verdicts.mlir:[[# @LINE + 2]]:1: remark: 'spatial.program' op @right proved:
//   MARK: verdicts.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @right proved:
spatial.program @right() target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %c = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    %acc = choreo.acquire 1xbf16
    choreo.reserve %c
    choreo.pack %acc into %c
    choreo.push %c
    choreo.release %acc
    choreo.wait %c
    choreo.pop %c
  }
}

// -----

// STRICT-NOT: @wrong
//      CHECK: spatial.program @wrong() {{.*}} attributes {choreo.verdict = #choreo.verdict<refuted "deadlock">}
spatial.program @wrong() target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %c = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    %acc = choreo.acquire 1xbf16
    //  ERROR: verdicts.mlir:[[# @LINE + 2]]:5: error: 'choreo.wait' op refuted (deadlock):
    //   MARK: verdicts.mlir:[[# @LINE + 1]]:5: warning: 'choreo.wait' op refuted (deadlock):
    choreo.wait %c
    choreo.pop %c
    choreo.reserve %c
    choreo.pack %acc into %c
    choreo.push %c
    choreo.release %acc
  }
}

// -----

// STRICT: spatial.program @open() {{.*}} attributes {choreo.verdict = #choreo.verdict<undecided "sources">}
//  CHECK: spatial.program @open() {{.*}} attributes {choreo.verdict = #choreo.verdict<undecided "sources">}
spatial.program @open() target #spatial.target<"wormhole"> grid [1, 3] requires [semaphore] {
  %g = spatial.group from [0, 0] to [0, 1:3] along x
  %g_ready, %g_valid = choreo.semaphores %g
  choreo.engine @send on move 0 at [0, 0] {
  ^bb0(%y : index, %x : index):
    //  ERROR: verdicts.mlir:[[# @LINE + 2]]:5: warning: 'choreo.sem_wait' op undecided (sources):
    //   MARK: verdicts.mlir:[[# @LINE + 1]]:5: warning: 'choreo.sem_wait' op undecided (sources):
    choreo.sem_wait %g_ready ge 1
    choreo.sem_wait %g_ready ge 2
    choreo.sem_set %g_ready, 0
  }
  choreo.engine @recv on move 0 at [0, 1:3] {
  ^bb0(%y : index, %x : index):
    choreo.sem_inc %g_ready at sender of %g
  }
}

// -----

// Of a module with a refuted program nothing is printed, but all its verdicts are told.

// STRICT-NOT: @one_right
//      CHECK: spatial.program @one_right() {{.*}} attributes {choreo.verdict = #choreo.verdict<proved "{{[0-9a-f]+}}">}
//  ERROR-DAG: verdicts.mlir:[[# @LINE + 2]]:1: remark: 'spatial.program' op @one_right proved:
//   MARK-DAG: verdicts.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @one_right proved:
spatial.program @one_right() target #spatial.target<"wormhole"> grid [1, 1] requires [] {
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    %acc = choreo.acquire 1xbf16
    choreo.release %acc
  }
}

// STRICT-NOT: @one_wrong
//      CHECK: spatial.program @one_wrong() {{.*}} attributes {choreo.verdict = #choreo.verdict<refuted "leftover">}
//  ERROR-DAG: verdicts.mlir:[[# @LINE + 3]]:{{[0-9]+}}: error: 'spatial.buffer' op refuted (leftover):
//   MARK-DAG: verdicts.mlir:[[# @LINE + 2]]:{{[0-9]+}}: warning: 'spatial.buffer' op refuted (leftover):
spatial.program @one_wrong() target #spatial.target<"wormhole"> grid [1, 1] requires [fifo] {
  %c = spatial.buffer depth 1 : !spatial.buffer<1x1xbf16>
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    %acc = choreo.acquire 1xbf16
    choreo.reserve %c
    choreo.pack %acc into %c
    choreo.push %c
    choreo.release %acc
  }
}

// STRICT-NOT: @another_right
//      CHECK: spatial.program @another_right() {{.*}} attributes {choreo.verdict = #choreo.verdict<proved "{{[0-9a-f]+}}">}
//  ERROR-DAG: verdicts.mlir:[[# @LINE + 2]]:1: remark: 'spatial.program' op @another_right proved:
//   MARK-DAG: verdicts.mlir:[[# @LINE + 1]]:1: remark: 'spatial.program' op @another_right proved:
spatial.program @another_right() target #spatial.target<"wormhole"> grid [1, 1] requires [] {
  choreo.engine @compute on compute {
  ^bb0(%y : index, %x : index):
    %acc = choreo.acquire 2xbf16
    choreo.release %acc
  }
}
