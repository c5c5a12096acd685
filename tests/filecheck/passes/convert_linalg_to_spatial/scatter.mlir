// RUN: spatial-opt %s --allow-unregistered-dialect --convert-linalg-to-spatial --split-input-file 2>&1 | filecheck %s

// StableHLO's scatter, which stays when the rest becomes linalg, as JAX writes
// `jnp.zeros((100, 64)).at[ids].set(rows)`: rows that a page has beyond the last one have no place.

// CHECK-LABEL: spatial.program @replaced_0
// CHECK-SAME:      (%Rows: memref<50x64xf32>, %Ids: memref<1x50xi32>, %R: memref<100x64xf32>)
// CHECK:         spatial.load @load_rows %Rows[0, 0] into %rows pad 0.0
// CHECK-NEXT:    spatial.load @load_ids %Ids[0, 0] into %ids pad -1 : i32
// CHECK-NEXT:    spatial.store @scatter %rows into %R[0, 0] via %ids rows
// CHECK:         [[START:%.*]] = tensor.splat
// CHECK-NEXT:    spatial.launch @replaced_0(%rows, {{.*}}, [[START]])
func.func @replaced(%ids : tensor<50x1xi32>, %rows : tensor<50x64xf32>) -> tensor<100x64xf32> {
  %zeros = arith.constant dense<0.0> : tensor<100x64xf32>
  %r = "stablehlo.scatter"(%zeros, %ids, %rows) <{
      indices_are_sorted = false, unique_indices = false,
      scatter_dimension_numbers = #stablehlo.scatter<
          update_window_dims = [1], inserted_window_dims = [0],
          scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%old : tensor<f32>, %new : tensor<f32>):
    "stablehlo.return"(%new) : (tensor<f32>) -> ()
  }) : (tensor<100x64xf32>, tensor<50x1xi32>, tensor<50x64xf32>) -> tensor<100x64xf32>
  func.return %r : tensor<100x64xf32>
}

// -----

// Rows are scaled on their way.

// CHECK-LABEL: spatial.program @scaled_0
// CHECK:         spatial.map @scaled (%rows) into %scaled {
// CHECK:         spatial.store @scatter %scaled into %R[0, 0] via %ids rows
// CHECK:         spatial.launch @scaled_0(%rows, {{.*}}, %start)
func.func @scaled(%start : tensor<128x64xf32>, %ids : tensor<32x1xi32>, %rows : tensor<32x64xf32>)
    -> tensor<128x64xf32> {
  %e = tensor.empty() : tensor<32x64xf32>
  %scaled = linalg.generic {
      indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%rows : tensor<32x64xf32>) outs(%e : tensor<32x64xf32>) {
  ^bb0(%v : f32, %o : f32):
    %d = arith.addf %v, %v : f32
    linalg.yield %d : f32
  } -> tensor<32x64xf32>
  %r = "stablehlo.scatter"(%start, %ids, %scaled) <{
      indices_are_sorted = false, unique_indices = true,
      scatter_dimension_numbers = #stablehlo.scatter<
          update_window_dims = [1], inserted_window_dims = [0],
          scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%old : tensor<f32>, %new : tensor<f32>):
    "stablehlo.return"(%new) : (tensor<f32>) -> ()
  }) : (tensor<128x64xf32>, tensor<32x1xi32>, tensor<32x64xf32>) -> tensor<128x64xf32>
  func.return %r : tensor<128x64xf32>
}

// -----

// CHECK: scatter.mlir:[[# @LINE + 3]]:8: remark: 'stablehlo.scatter' op stays as it is: it combines rows with what is there; only replacing them is known
func.func @added(%start : tensor<128x64xf32>, %ids : tensor<32x1xi32>, %rows : tensor<32x64xf32>)
    -> tensor<128x64xf32> {
  %r = "stablehlo.scatter"(%start, %ids, %rows) <{
      indices_are_sorted = false, unique_indices = true,
      scatter_dimension_numbers = #stablehlo.scatter<
          update_window_dims = [1], inserted_window_dims = [0],
          scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%old : tensor<f32>, %new : tensor<f32>):
    %sum = "stablehlo.add"(%old, %new) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%sum) : (tensor<f32>) -> ()
  }) : (tensor<128x64xf32>, tensor<32x1xi32>, tensor<32x64xf32>) -> tensor<128x64xf32>
  func.return %r : tensor<128x64xf32>
}

// -----

// CHECK: scatter.mlir:[[# @LINE + 3]]:8: remark: 'stablehlo.scatter' op stays as it is: it writes something else than whole rows of a tensor
func.func @columns(%start : tensor<128x64xf32>, %ids : tensor<32x1xi32>, %cols : tensor<128x32xf32>)
    -> tensor<128x64xf32> {
  %r = "stablehlo.scatter"(%start, %ids, %cols) <{
      indices_are_sorted = false, unique_indices = true,
      scatter_dimension_numbers = #stablehlo.scatter<
          update_window_dims = [0], inserted_window_dims = [1],
          scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%old : tensor<f32>, %new : tensor<f32>):
    "stablehlo.return"(%new) : (tensor<f32>) -> ()
  }) : (tensor<128x64xf32>, tensor<32x1xi32>, tensor<128x32xf32>) -> tensor<128x64xf32>
  func.return %r : tensor<128x64xf32>
}
