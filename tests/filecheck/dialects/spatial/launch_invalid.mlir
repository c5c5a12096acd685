// RUN: spatial-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: error: 'spatial.launch' op launches @copy, but its module has nothing of that name: launch a spatial.program
func.func @missing(%x : memref<32x32xbf16>) {
  spatial.launch @copy(%x, %x) : (memref<32x32xbf16>, memref<32x32xbf16>) -> ()
  func.return
}

// -----

// CHECK: error: 'spatial.launch' op launches @other, but its module has a 'func.func': launch a spatial.program
func.func private @other()
func.func @function(%x : memref<32x32xbf16>) {
  spatial.launch @other(%x) : (memref<32x32xbf16>) -> ()
  func.return
}

// -----

spatial.program @copy(%X : memref<32x32xbf16>, %Y : memref<32x32xbf16>) {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, 0] into %x
  spatial.store %x into %Y[0, 0]
}
// CHECK: error: 'spatial.launch' op gives @copy 1 argument, but it takes 2
func.func @count(%x : memref<32x32xbf16>) {
  spatial.launch @copy(%x) : (memref<32x32xbf16>) -> ()
  func.return
}

// -----

spatial.program @copy(%X : memref<32x32xbf16>, %Y : memref<32x32xbf16>) {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, 0] into %x
  spatial.store %x into %Y[0, 0]
}
// CHECK: error: 'spatial.launch' op gives memref<64x32xbf16> for %X of @copy, which is memref<32x32xbf16>: give it the same shape and element type
func.func @shape(%x : memref<64x32xbf16>, %y : memref<32x32xbf16>) {
  spatial.launch @copy(%x, %y) : (memref<64x32xbf16>, memref<32x32xbf16>) -> ()
  func.return
}

// -----

spatial.program @copy(%X : memref<32x32xbf16>, %Y : memref<32x32xbf16>) {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, 0] into %x
  spatial.store %x into %Y[0, 0]
}
// CHECK: error: 'spatial.launch' op gives back nothing, but of its arguments @copy writes tensor<32x32xbf16>: there is one result for each tensor that is written, in order
func.func @results(%x : tensor<32x32xbf16>) {
  spatial.launch @copy(%x, %x) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> ()
  func.return
}

// -----

// CHECK: error: 'spatial.program' op is a template, whose pages are whole matrices, but has a loop k = 2
// CHECK: hint: leave `template` out, or the loop
spatial.program @cut(%X : memref<32x64xbf16>, %Y : memref<32x64xbf16>) template loops [k = 2] {
  %x = spatial.buffer : !spatial.buffer<1x1xbf16>
  spatial.load %X[0, k] into %x
  spatial.store %x into %Y[0, k]
}
