// RUN: spatial-opt %s --convert-linalg-to-spatial --split-input-file 2>&1 | filecheck %s

// CHECK: memrefs_invalid.mlir:[[# @LINE + 3]]:3: remark: 'linalg.exp' op stays as it is: it reads a tensor that holds nothing
func.func @undefined(%c : memref<64x64xf32>) {
  %t = memref.alloc() : memref<64x64xf32>
  linalg.exp ins(%t : memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  func.return
}

// -----

// CHECK: memrefs_invalid.mlir:[[# @LINE + 4]]:3: remark: 'linalg.exp' op stays as it is: its memref may be seen through others: it, or they, are views
func.func @views(%a : memref<64x64xf32>, %c : memref<64x64xf32>) {
  %part = memref.subview %c[0, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32>
  "test.op"(%part) : (memref<32x64xf32>) -> ()
  linalg.exp ins(%a : memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  func.return
}

// -----

// CHECK: memrefs_invalid.mlir:[[# @LINE + 2]]:3: remark: 'linalg.exp' op stays as it is: the elements of memref<64x64xf32, strided<[128, 1]>> do not follow each other in memory
func.func @gaps(%a : memref<64x64xf32, strided<[128, 1]>>, %c : memref<64x64xf32>) {
  linalg.exp ins(%a : memref<64x64xf32, strided<[128, 1]>>) outs(%c : memref<64x64xf32>)
  func.return
}

// -----

// CHECK: memrefs_invalid.mlir:[[# @LINE + 3]]:8: remark: 'linalg.generic' op stays as it is: it makes a tensor of a memref, which may change before it is used
func.func @mixed(%a : memref<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<64x64xf32>) {
  ^bb0(%o : f32):
    %i = linalg.index 0 : index
    %x = memref.load %a[%i, %i] : memref<64x64xf32>
    linalg.yield %x : f32
  } -> tensor<64x64xf32>
  func.return %r : tensor<64x64xf32>
}

// -----

// CHECK: memrefs_invalid.mlir:[[# @LINE + 3]]:3: remark: 'linalg.fill' op stays as it is: it fills tiles beyond the end of its result with nothing read
func.func @nothing_read(%a : memref<50x33xf32>) {
  %c = arith.constant 1.0 : f32
  linalg.fill ins(%c : f32) outs(%a : memref<50x33xf32>)
  func.return
}
