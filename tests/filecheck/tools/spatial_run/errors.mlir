// RUN: not spatial-run %s 2>&1 | filecheck %s --check-prefix=SEVERAL
// RUN: not spatial-run %s --program three 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not spatial-run %s --program one --arg Z=ones 2>&1 | filecheck %s --check-prefix=UNKNOWN
// RUN: not spatial-run %s --program one --arg X=noise 2>&1 | filecheck %s --check-prefix=FILLER
// RUN: not spatial-run %s --program one --arg X 2>&1 | filecheck %s --check-prefix=SYNTAX
// RUN: not spatial-run %s --program one --arg X=%t.none.npy 2>&1 | filecheck %s --check-prefix=FILE
// RUN: not spatial-run %s --program one --out n=%t.npy 2>&1 | filecheck %s --check-prefix=OUTPUT
// RUN: not spatial-run %s --program one --schedule fair 2>&1 | filecheck %s --check-prefix=SCHEDULE
// RUN: not spatial-run %s --program two 2>&1 | filecheck %s --check-prefix=MISSING
// RUN: not spatial-run %s --program two --arg n=many 2>&1 | filecheck %s --check-prefix=NUMBER
// RUN: not spatial-run %s --program two --arg n=5 2>&1 | filecheck %s --check-prefix=TRIP
// RUN: not spatial-run %s --program unplaced 2>&1 | filecheck %s --check-prefix=UNPLACED

// SEVERAL: spatial-run: error: '{{.*}}errors.mlir' has the programs @one, @two, @unplaced: choose one by --program NAME
// NONE: spatial-run: error: '{{.*}}errors.mlir' has no program @three: it has @one, @two, @unplaced
// UNKNOWN: spatial-run: error: @one has no argument 'Z': its arguments are X, Y
// FILLER: spatial-run: error: argument 'X': 'noise' is neither a .npy file nor one of random, zeros, ones, arange
// SYNTAX: spatial-run: error: --arg takes NAME=VALUE, not 'X'
// FILE: spatial-run: error: argument 'X': cannot read '{{.*}}.none.npy': No such file or directory
// OUTPUT: spatial-run: error: @one has no tensor 'n' to write: it has X, Y
// SCHEDULE: spatial-run: error: unknown schedule 'fair': choose from round-robin, random:SEED, adversarial
// MISSING: spatial-run: error: argument 'n' is missing: it is a number, --arg n=N
// NUMBER: spatial-run: error: argument 'n' is a number, not 'many'
// TRIP: spatial-run: error: @two: the run-time trip of k at site [0, 0] is 5, given by %n, but it is 0 to 4
// UNPLACED: {{.*}}errors.mlir:42:1: error: 'spatial.program' op has no target: synthesize-handshakes expects a sized program

spatial.program @one(%X : memref<2x4xf32>, %Y : memref<2x4xf32>)
    target #spatial.target<"reference" {tile = [2, 4]}> grid [1, 1] loops [k = 1] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  spatial.load %X[0, 0] into %x on move 0
  spatial.store %x into %Y[0, 0] on move 1
}

spatial.program @two(%n : index, %X : memref<2x16xf32>, %Y : memref<2x16xf32>)
    target #spatial.target<"reference" {tile = [2, 4]}> grid [1, 1] loops [k = ? max 4] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xf32>
  spatial.trip k = %n
  spatial.load %X[0, k] into %x on move 0
  spatial.store %x into %Y[0, k] on move 1
}

spatial.program @unplaced(%X : memref<2x4xf32>, %Y : memref<2x4xf32>) {
  %x = spatial.buffer : !spatial.buffer<1x1xf32>
  spatial.load %X[0, 0] into %x
  spatial.store %x into %Y[0, 0]
}
