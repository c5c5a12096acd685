// RUN: rm -rf %t && mkdir %t
// RUN: spatial-opt %s --synthesize-handshakes --verify-choreography --certificate=%t/c.json -o %t/p.mlir 2>/dev/null
// RUN: spatial-check %t/c.json %t/p.mlir | filecheck %s
// RUN: spatial-check %t/c.json - < %t/p.mlir | filecheck %s --check-prefix=STDIN
// RUN: filecheck %s --check-prefix=JSON < %t/c.json

//  CHECK: p.mlir: @copy: certificate holds (1 runs, {{[0-9]+}} events)
// STDIN: -: @copy: certificate holds
//  CHECK: p.mlir: @runtime: certificate holds (5 runs, {{[0-9]+}} events)
// STDIN: -: @runtime: certificate holds

// JSON: {"format":"spatial-certificate","version":1,"programs":[{"program":"@copy","fingerprint":"{{[0-9a-f]+}}","components":[{"cells":[[0,0,1,0,0,8]],"moduli":{},"runs":[{"start":{"positions":[],"semaphores":[]},"trips":[],"order":[[0,4]
// JSON-SAME: {"program":"@runtime","fingerprint":"{{[0-9a-f]+}}","components":[{"cells":[[0,0,1,0,0,1]],"moduli":{"0":1},"runs":[

spatial.program @copy(%X : memref<32x256xbf16>, %Y : memref<32x256xbf16>)
    target #spatial.target<"reference"> grid [1, 8] loops [k = 1] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, x] into %x on move 0
  spatial.store %x into %Y[0, x] on move 1
}

spatial.program @runtime(%n : index, %X : memref<32x32000xbf16>, %Y : memref<32x32000xbf16>)
    target #spatial.target<"reference"> grid [1, 1] loops [k = ? max 1000] {
  %x = spatial.buffer depth 2 : !spatial.buffer<1x1xbf16>
  spatial.trip k = %n
  spatial.load %X[0, k] into %x on move 0
  spatial.store %x into %Y[0, k] on move 1
}
