// RUN: spatial-opt %s --convert-linalg-to-spatial --split-input-file 2>&1 | filecheck %s

// CHECK: gather_invalid.mlir:[[# @LINE + 4]]:8: remark: 'linalg.generic' op stays as it is: its code takes another row of a tensor for each column, not whole rows
func.func @a_row_for_each_column(%table : tensor<64x64xf32>, %ids : tensor<64x64xi32>)
    -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(t, c) -> (t, c)>, affine_map<(t, c) -> (t, c)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<64x64xi32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%id : i32, %o : f32):
    %i = arith.index_cast %id : i32 to index
    %c = linalg.index 1 : index
    %v = tensor.extract %table[%i, %c] : tensor<64x64xf32>
    linalg.yield %v : f32
  } -> tensor<64x64xf32>
  func.return %r : tensor<64x64xf32>
}

// -----

// CHECK: gather_invalid.mlir:[[# @LINE + 3]]:8: remark: 'linalg.generic' op stays as it is: target 'wormhole' has no i64
func.func @long_ids(%table : tensor<64x64xf32>, %ids : tensor<64xi64>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(t, c) -> (t)>, affine_map<(t, c) -> (t, c)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<64xi64>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%id : i64, %o : f32):
    %i = arith.index_cast %id : i64 to index
    %c = linalg.index 1 : index
    %v = tensor.extract %table[%i, %c] : tensor<64x64xf32>
    linalg.yield %v : f32
  } -> tensor<64x64xf32>
  func.return %r : tensor<64x64xf32>
}

// -----

// CHECK: gather_invalid.mlir:[[# @LINE + 3]]:8: remark: 'linalg.generic' op stays as it is: its code takes element 63 of a dimension of 50
func.func @too_wide(%table : tensor<64x50xf32>, %ids : tensor<64xi32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(t, c) -> (t)>, affine_map<(t, c) -> (t, c)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<64xi32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%id : i32, %o : f32):
    %i = arith.index_cast %id : i32 to index
    %c = linalg.index 1 : index
    %v = tensor.extract %table[%i, %c] : tensor<64x50xf32>
    linalg.yield %v : f32
  } -> tensor<64x64xf32>
  func.return %r : tensor<64x64xf32>
}

// -----

// Pages have tokens and experts along their sides, both of which choose rows of the table.
// CHECK: gather_invalid.mlir:[[# @LINE + 4]]:8: remark: 'linalg.generic' op stays as it is: the rows that it takes of a table do not lie along rows of a page
func.func @columns_first(%table : tensor<64x64xf32>, %ids : tensor<64x4xi32>)
    -> tensor<64x64x4xf32> {
  %e = tensor.empty() : tensor<64x64x4xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(c, t, e) -> (t, e)>, affine_map<(c, t, e) -> (c, t, e)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%ids : tensor<64x4xi32>) outs(%e : tensor<64x64x4xf32>) {
  ^bb0(%id : i32, %o : f32):
    %i = arith.index_cast %id : i32 to index
    %c = linalg.index 0 : index
    %v = tensor.extract %table[%i, %c] : tensor<64x64xf32>
    linalg.yield %v : f32
  } -> tensor<64x64x4xf32>
  func.return %r : tensor<64x64x4xf32>
}

// -----

// Columns of the table that start inside a tile.
// CHECK: gather_invalid.mlir:[[# @LINE + 4]]:11: remark: 'tensor.extract_slice' op stays as it is: it has pages that start at element 20, which is no whole tile
// CHECK: gather_invalid.mlir:[[# @LINE + 5]]:8: remark: 'linalg.generic' op stays as it is: it has pages that start at element 20, which is no whole tile
func.func @part(%table : tensor<64x64xf32>, %ids : tensor<64xi32>) -> tensor<64x32xf32> {
  %e = tensor.empty() : tensor<64x32xf32>
  %part = tensor.extract_slice %table[0, 20] [64, 32] [1, 1]
      : tensor<64x64xf32> to tensor<64x32xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(t, c) -> (t)>, affine_map<(t, c) -> (t, c)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<64xi32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%id : i32, %o : f32):
    %i = arith.index_cast %id : i32 to index
    %c = linalg.index 1 : index
    %v = tensor.extract %part[%i, %c] : tensor<64x32xf32>
    linalg.yield %v : f32
  } -> tensor<64x32xf32>
  func.return %r : tensor<64x32xf32>
}
