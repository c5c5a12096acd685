// RUN: spatial-opt %s --convert-linalg-to-spatial --split-input-file | filecheck %s

// Ids, as one row, name rows of the table.
// CHECK-LABEL: spatial.program @rows_0
// CHECK-SAME:      (%Ids: memref<1x64xi32>, %Table: memref<300x64xbf16>, %R: memref<64x64xbf16>)
// CHECK:         spatial.load @load_ids %Ids[0, 0] into %ids pad 0 : i32
// CHECK-NEXT:    spatial.load @gather_table %Table[0, 0] into %rows via %ids rows
// CHECK-NEXT:    spatial.store @store %rows into %R[0, 0]
// CHECK:         %0 = tensor.expand_shape %ids [[0 : i64, 1 : i64]] output_shape [1, 64]
// CHECK:         spatial.launch @rows_0(%0, %table, %1)
func.func @rows(%table : tensor<300x64xbf16>, %ids : tensor<64xi32>) -> tensor<64x64xbf16> {
  %e = tensor.empty() : tensor<64x64xbf16>
  %r = linalg.generic {
      indexing_maps = [affine_map<(t, c) -> (t)>, affine_map<(t, c) -> (t, c)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<64xi32>) outs(%e : tensor<64x64xbf16>) {
  ^bb0(%id : i32, %o : bf16):
    %i = arith.index_cast %id : i32 to index
    %c = linalg.index 1 : index
    %v = tensor.extract %table[%i, %c] : tensor<300x64xbf16>
    linalg.yield %v : bf16
  } -> tensor<64x64xbf16>
  func.return %r : tensor<64x64xbf16>
}

// -----

// As JAX writes `jnp.take(table, ids, axis=0, mode="clip") * 8`: ids are brought into the table on
// the site. Beyond the last token, the index page holds what names some row, and the store leaves
// out what that gives.
// CHECK-LABEL: spatial.program @clipped_0
// CHECK-SAME:      (%Ids: memref<1x40xi32>, %Table: memref<300x64xf32>, %Scaled: memref<40x64xf32>)
// CHECK:         spatial.load @load_ids %Ids[0, 0] into %ids pad 0 : i32
// CHECK-NEXT:    spatial.map @minsi (%ids) into %minsi {
// CHECK:           %up = arith.maxsi %ids_1, %0 : i32
// CHECK:           %down = arith.minsi %up, %1 : i32
// CHECK-NEXT:      spatial.yield %down : i32
// CHECK-NEXT:    }
// CHECK-NEXT:    spatial.load @gather_table %Table[0, 0] into %rows via %minsi rows pad 0.0
// CHECK-NEXT:    spatial.map @scaled (%rows) into %scaled {
// CHECK:         spatial.store @store %scaled into %Scaled[0, 0]
func.func @clipped(%table : tensor<300x64xf32>, %ids : tensor<2x20xi32>) -> tensor<2x20x64xf32> {
  %zero = arith.constant 0 : index
  %last = arith.constant 299 : index
  %e = tensor.empty() : tensor<2x20x64xf32>
  %rows = linalg.generic {
      indexing_maps = [affine_map<(b, t, c) -> (b, t, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%e : tensor<2x20x64xf32>) {
  ^bb0(%o : f32):
    %b = linalg.index 0 : index
    %t = linalg.index 1 : index
    %c = linalg.index 2 : index
    %id = tensor.extract %ids[%b, %t] : tensor<2x20xi32>
    %i = arith.index_cast %id : i32 to index
    %up = arith.maxsi %i, %zero : index
    %down = arith.minsi %up, %last : index
    %v = tensor.extract %table[%down, %c] : tensor<300x64xf32>
    linalg.yield %v : f32
  } -> tensor<2x20x64xf32>
  %scaled = linalg.generic {
      indexing_maps = [affine_map<(b, t, c) -> (b, t, c)>, affine_map<(b, t, c) -> (b, t, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%rows : tensor<2x20x64xf32>) outs(%e : tensor<2x20x64xf32>) {
  ^bb0(%v : f32, %o : f32):
    %factor = arith.constant 8.0 : f32
    %m = arith.mulf %v, %factor : f32
    linalg.yield %m : f32
  } -> tensor<2x20x64xf32>
  func.return %scaled : tensor<2x20x64xf32>
}

// -----

// The sum of the rows: tokens lie along the columns of pages, in which the rows of the table stand
// upright. Tokens beyond the last one do not count.
// CHECK-LABEL: spatial.program @summed_0
// CHECK:         spatial.load @load_ids %Ids[0, 0] into %ids pad 0 : i32
// CHECK-NEXT:    spatial.load @gather_table %Table[0, 0] into %rows via %ids rows transpose pad 0.0
// CHECK-NEXT:    spatial.map @select (%position broadcast rows, %rows) into %select {
// CHECK:         spatial.reduce @sum add cols %select into %sum
func.func @summed(%table : tensor<300x64xf32>, %ids : tensor<20xi32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<20x64xf32>
  %rows = linalg.generic {
      indexing_maps = [affine_map<(t, c) -> (t)>, affine_map<(t, c) -> (t, c)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<20xi32>) outs(%e : tensor<20x64xf32>) {
  ^bb0(%id : i32, %o : f32):
    %i = arith.index_cast %id : i32 to index
    %c = linalg.index 1 : index
    %v = tensor.extract %table[%i, %c] : tensor<300x64xf32>
    linalg.yield %v : f32
  } -> tensor<20x64xf32>
  %zero = arith.constant 0.0 : f32
  %f = tensor.empty() : tensor<64xf32>
  %start = linalg.fill ins(%zero : f32) outs(%f : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {
      indexing_maps = [affine_map<(c, t) -> (t, c)>, affine_map<(c, t) -> (c)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%rows : tensor<20x64xf32>) outs(%start : tensor<64xf32>) {
  ^bb0(%v : f32, %o : f32):
    %s = arith.addf %o, %v : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  func.return %sum : tensor<64xf32>
}

// -----

// Half of the columns of a table for each expert: a row is one of all tables together.
// CHECK-LABEL: spatial.program @experts_0
// CHECK-SAME:      %Tables: memref<1200x128xf32>
// CHECK-SAME:      template loops [i = 4]
// CHECK:         spatial.load @load_ids %Ids[i, 0, 0] into %ids pad 0 : i32
// CHECK-NEXT:    spatial.load @load_position %Position[i, 0, 0] into %position
// CHECK-NEXT:    spatial.map @addi (%ids, %position broadcast scalar) into %addi {
// CHECK:         spatial.load @gather_tables %Tables[0, 2] into %rows via %addi rows
// CHECK-NEXT:    spatial.store @store %rows into %R[i, 0, 0]
func.func @experts(%tables : tensor<4x300x128xf32>, %ids : tensor<4x32xi32>)
    -> tensor<4x32x64xf32> {
  %e = tensor.empty() : tensor<4x32x64xf32>
  %part = tensor.extract_slice %tables[0, 0, 64] [4, 300, 64] [1, 1, 1]
      : tensor<4x300x128xf32> to tensor<4x300x64xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(e, t, c) -> (e, t)>, affine_map<(e, t, c) -> (e, t, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%ids : tensor<4x32xi32>) outs(%e : tensor<4x32x64xf32>) {
  ^bb0(%id : i32, %o : f32):
    %x = linalg.index 0 : index
    %i = arith.index_cast %id : i32 to index
    %c = linalg.index 2 : index
    %v = tensor.extract %part[%x, %i, %c] : tensor<4x300x64xf32>
    linalg.yield %v : f32
  } -> tensor<4x32x64xf32>
  func.return %r : tensor<4x32x64xf32>
}
