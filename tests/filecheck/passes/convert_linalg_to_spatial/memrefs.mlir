// RUN: spatial-opt %s --convert-linalg-to-spatial --split-input-file 2>&1 | filecheck %s

// Programs write where the operations wrote; what only lies between them needs no memory.

// CHECK-LABEL: spatial.program @between_0
// CHECK:         spatial.matmul
// CHECK-NEXT:    spatial.map
// CHECK:       func.func @between
// CHECK-NEXT:    spatial.launch @between_0(%a, %b, %c) : (memref<64x32xf32>, memref<32x64xf32>, memref<64x64xf32>) -> ()
// CHECK-NEXT:    func.return
func.func @between(%a : memref<64x32xf32>, %b : memref<32x64xf32>, %c : memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%zero : f32) outs(%t : memref<64x64xf32>)
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%t : memref<64x64xf32>)
  linalg.generic {
      indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%t : memref<64x64xf32>) outs(%c : memref<64x64xf32>) {
  ^bb0(%x : f32, %o : f32):
    %m = arith.maximumf %x, %zero : f32
    linalg.yield %m : f32
  }
  memref.dealloc %t : memref<64x64xf32>
  func.return
}

// -----

// What the result is added to is read, so that the program writes to other memory first.

// CHECK:       func.func @accumulated
// CHECK-NEXT:    %0 = tensor.empty() : tensor<64x64xf32>
// CHECK-NEXT:    [[SUM:%.*]] = spatial.launch @accumulated_0(%a, %b, %c, %0)
// CHECK-NEXT:    [[BUFFER:%.*]] = bufferization.to_buffer [[SUM]] : tensor<64x64xf32> to memref<64x64xf32>
// CHECK-NEXT:    "memref.copy"([[BUFFER]], %c)
func.func @accumulated(%a : memref<64x32xf32>, %b : memref<32x64xf32>, %c : memref<64x64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
  func.return
}

// -----

// What is unknown sees the memory that it uses as it was, and may change it.

// CHECK:       func.func @called
// CHECK-NEXT:    spatial.launch @called_0(%a, %c)
// CHECK-NEXT:    func.call @unknown(%a)
// CHECK-NEXT:    spatial.launch @called_1(%a, %c, %d)
func.func private @unknown(memref<64x64xf32>)
func.func @called(%a : memref<64x64xf32>, %c : memref<64x64xf32>, %d : memref<64x64xf32>) {
  linalg.generic {
      indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<64x64xf32>) outs(%c : memref<64x64xf32>) {
  ^bb0(%x : f32, %o : f32):
    %m = arith.mulf %x, %x : f32
    linalg.yield %m : f32
  }
  func.call @unknown(%a) : (memref<64x64xf32>) -> ()
  linalg.generic {
      indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>,
                       affine_map<(r, c) -> (r, c)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a, %c : memref<64x64xf32>, memref<64x64xf32>) outs(%d : memref<64x64xf32>) {
  ^bb0(%x : f32, %y : f32, %o : f32):
    %m = arith.addf %x, %y : f32
    linalg.yield %m : f32
  }
  func.return
}
