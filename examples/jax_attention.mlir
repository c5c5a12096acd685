builtin.module @jit_attention attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x4x512x64xbf16>, %arg1: tensor<1x4x512x64xbf16>, %arg2: tensor<1x4x512x64xbf16>) -> (tensor<1x4x512x64xbf16> {jax.result_info = "result"}) {
    %cst = arith.constant 0.000000e+00 : bf16
    %cst_1 = arith.constant 0xff800000 : f32
    %cst_2 = arith.constant 0.000000e+00 : f32
    %cst_3 = arith.constant dense<"0x000080ff"> : tensor<f32>
    %cst_4 = arith.constant dense<-1.000000e+30> : tensor<f32>
    %cst_5 = arith.constant dense<1.250000e-01> : tensor<f32>
    %cst_6 = arith.constant dense<true> : tensor<i1>
    %0 = tensor.empty() : tensor<1x4x512x512xf32>
    %1 = linalg.fill ins(%cst_2 : f32) outs(%0 : tensor<1x4x512x512xf32>) -> tensor<1x4x512x512xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<1x4x512x64xbf16>, tensor<1x4x512x64xbf16>) outs(%1 : tensor<1x4x512x512xf32>) {
    ^bb0(%in: bf16, %in_1: bf16, %out: f32):
      %3 = arith.extf %in : bf16 to f32
      %4 = arith.extf %in_1 : bf16 to f32
      %5 = arith.mulf %3, %4 : f32
      %6 = arith.addf %out, %5 : f32
      linalg.yield %6 : f32
    } -> tensor<1x4x512x512xf32>
    %7 = tensor.empty() : tensor<512x512xi1>
    %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%cst_6 : tensor<i1>) outs(%7 : tensor<512x512xi1>) {
    ^bb0(%in_2: i1, %out_1: i1):
      linalg.yield %in_2 : i1
    } -> tensor<512x512xi1>
    %9 = func.call @tril(%8) : (tensor<512x512xi1>) -> tensor<512x512xi1>
    %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> ()>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_5 : tensor<f32>) outs(%0 : tensor<1x4x512x512xf32>) {
    ^bb0(%in_3: f32, %out_2: f32):
      linalg.yield %in_3 : f32
    } -> tensor<1x4x512x512xf32>
    %11 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %10 : tensor<1x4x512x512xf32>, tensor<1x4x512x512xf32>) outs(%0 : tensor<1x4x512x512xf32>) {
    ^bb0(%in_4: f32, %in_5: f32, %out_3: f32):
      %12 = arith.mulf %in_4, %in_5 : f32
      linalg.yield %12 : f32
    } -> tensor<1x4x512x512xf32>
    %13 = func.call @_where(%9, %11, %cst_4) : (tensor<512x512xi1>, tensor<1x4x512x512xf32>, tensor<f32>) -> tensor<1x4x512x512xf32>
    %14 = tensor.empty() : tensor<1x4x512xf32>
    %15 = linalg.fill ins(%cst_1 : f32) outs(%14 : tensor<1x4x512xf32>) -> tensor<1x4x512xf32>
    %16 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%13 : tensor<1x4x512x512xf32>) outs(%15 : tensor<1x4x512xf32>) {
    ^bb0(%in_6: f32, %out_4: f32):
      %17 = arith.maximumf %out_4, %in_6 : f32
      linalg.yield %17 : f32
    } -> tensor<1x4x512xf32>
    %18 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> ()>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%14 : tensor<1x4x512xf32>) {
    ^bb0(%in_7: f32, %out_5: f32):
      linalg.yield %in_7 : f32
    } -> tensor<1x4x512xf32>
    %19 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %16 : tensor<1x4x512xf32>, tensor<1x4x512xf32>) outs(%14 : tensor<1x4x512xf32>) {
    ^bb0(%in_8: f32, %in_9: f32, %out_6: f32):
      %20 = arith.maximumf %in_8, %in_9 : f32
      linalg.yield %20 : f32
    } -> tensor<1x4x512xf32>
    %21 = tensor.empty() : tensor<1x4x512x1xf32>
    %22 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<1x4x512xf32>) outs(%21 : tensor<1x4x512x1xf32>) {
    ^bb0(%in_10: f32, %out_7: f32):
      linalg.yield %in_10 : f32
    } -> tensor<1x4x512x1xf32>
    %23 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<1x4x512x1xf32>) outs(%0 : tensor<1x4x512x512xf32>) {
    ^bb0(%in_11: f32, %out_8: f32):
      linalg.yield %in_11 : f32
    } -> tensor<1x4x512x512xf32>
    %24 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %23 : tensor<1x4x512x512xf32>, tensor<1x4x512x512xf32>) outs(%0 : tensor<1x4x512x512xf32>) {
    ^bb0(%in_12: f32, %in_13: f32, %out_9: f32):
      %25 = arith.subf %in_12, %in_13 : f32
      linalg.yield %25 : f32
    } -> tensor<1x4x512x512xf32>
    %26 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x4x512x512xf32>) outs(%0 : tensor<1x4x512x512xf32>) {
    ^bb0(%in_14: f32, %out_10: f32):
      %27 = math.exp %in_14 : f32
      linalg.yield %27 : f32
    } -> tensor<1x4x512x512xf32>
    %28 = linalg.fill ins(%cst_2 : f32) outs(%14 : tensor<1x4x512xf32>) -> tensor<1x4x512xf32>
    %29 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%26 : tensor<1x4x512x512xf32>) outs(%28 : tensor<1x4x512xf32>) {
    ^bb0(%in_15: f32, %out_11: f32):
      %30 = arith.addf %out_11, %in_15 : f32
      linalg.yield %30 : f32
    } -> tensor<1x4x512xf32>
    %31 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x4x512xf32>) outs(%21 : tensor<1x4x512x1xf32>) {
    ^bb0(%in_16: f32, %out_12: f32):
      linalg.yield %in_16 : f32
    } -> tensor<1x4x512x1xf32>
    %32 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<1x4x512x1xf32>) outs(%0 : tensor<1x4x512x512xf32>) {
    ^bb0(%in_17: f32, %out_13: f32):
      linalg.yield %in_17 : f32
    } -> tensor<1x4x512x512xf32>
    %33 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %32 : tensor<1x4x512x512xf32>, tensor<1x4x512x512xf32>) outs(%0 : tensor<1x4x512x512xf32>) {
    ^bb0(%in_18: f32, %in_19: f32, %out_14: f32):
      %34 = arith.divf %in_18, %in_19 : f32
      linalg.yield %34 : f32
    } -> tensor<1x4x512x512xf32>
    %35 = tensor.empty() : tensor<1x4x512x512xbf16>
    %36 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<1x4x512x512xf32>) outs(%35 : tensor<1x4x512x512xbf16>) {
    ^bb0(%in_20: f32, %out_15: bf16):
      %37 = arith.truncf %in_20 : f32 to bf16
      linalg.yield %37 : bf16
    } -> tensor<1x4x512x512xbf16>
    %38 = tensor.empty() : tensor<1x4x512x64xbf16>
    %39 = linalg.fill ins(%cst : bf16) outs(%38 : tensor<1x4x512x64xbf16>) -> tensor<1x4x512x64xbf16>
    %40 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%36, %arg2 : tensor<1x4x512x512xbf16>, tensor<1x4x512x64xbf16>) outs(%39 : tensor<1x4x512x64xbf16>) {
    ^bb0(%in_21: bf16, %in_22: bf16, %out_16: bf16):
      %41 = arith.mulf %in_21, %in_22 : bf16
      %42 = arith.addf %out_16, %41 : bf16
      linalg.yield %42 : bf16
    } -> tensor<1x4x512x64xbf16>
    func.return %40 : tensor<1x4x512x64xbf16>
  }
  func.func private @tril(%arg0: tensor<512x512xi1>) -> tensor<512x512xi1> {
    %cst = arith.constant dense<false> : tensor<i1>
    %cst_1 = arith.constant dense<0> : tensor<i32>
    %0 = tensor.empty() : tensor<512x512xi32>
    %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<512x512xi32>) {
    ^bb0(%out: i32):
      %2 = linalg.index 0 : index
      %3 = arith.index_cast %2 : index to i32
      linalg.yield %3 : i32
    } -> tensor<512x512xi32>
    %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<i32>) outs(%0 : tensor<512x512xi32>) {
    ^bb0(%in: i32, %out_1: i32):
      linalg.yield %in : i32
    } -> tensor<512x512xi32>
    %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1, %4 : tensor<512x512xi32>, tensor<512x512xi32>) outs(%0 : tensor<512x512xi32>) {
    ^bb0(%in_1: i32, %in_2: i32, %out_2: i32):
      %6 = arith.addi %in_1, %in_2 : i32
      linalg.yield %6 : i32
    } -> tensor<512x512xi32>
    %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<512x512xi32>) {
    ^bb0(%out_3: i32):
      %8 = linalg.index 1 : index
      %9 = arith.index_cast %8 : index to i32
      linalg.yield %9 : i32
    } -> tensor<512x512xi32>
    %10 = tensor.empty() : tensor<512x512xi1>
    %11 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%5, %7 : tensor<512x512xi32>, tensor<512x512xi32>) outs(%10 : tensor<512x512xi1>) {
    ^bb0(%in_3: i32, %in_4: i32, %out_4: i1):
      %12 = arith.cmpi sge, %in_3, %in_4 : i32
      linalg.yield %12 : i1
    } -> tensor<512x512xi1>
    %13 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<i1>) outs(%10 : tensor<512x512xi1>) {
    ^bb0(%in_5: i1, %out_5: i1):
      linalg.yield %in_5 : i1
    } -> tensor<512x512xi1>
    %14 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%11, %arg0, %13 : tensor<512x512xi1>, tensor<512x512xi1>, tensor<512x512xi1>) outs(%10 : tensor<512x512xi1>) {
    ^bb0(%in_6: i1, %in_7: i1, %in_8: i1, %out_6: i1):
      %15 = arith.select %in_6, %in_7, %in_8 : i1
      linalg.yield %15 : i1
    } -> tensor<512x512xi1>
    func.return %14 : tensor<512x512xi1>
  }
  func.func private @_where(%arg0: tensor<512x512xi1>, %arg1: tensor<1x4x512x512xf32>, %arg2: tensor<f32>) -> tensor<1x4x512x512xf32> {
    %0 = tensor.empty() : tensor<1x4x512x512xi1>
    %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<512x512xi1>) outs(%0 : tensor<1x4x512x512xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<1x4x512x512xi1>
    %2 = tensor.empty() : tensor<1x4x512x512xf32>
    %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> ()>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<f32>) outs(%2 : tensor<1x4x512x512xf32>) {
    ^bb0(%in_1: f32, %out_1: f32):
      linalg.yield %in_1 : f32
    } -> tensor<1x4x512x512xf32>
    %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %arg1, %3 : tensor<1x4x512x512xi1>, tensor<1x4x512x512xf32>, tensor<1x4x512x512xf32>) outs(%2 : tensor<1x4x512x512xf32>) {
    ^bb0(%in_2: i1, %in_3: f32, %in_4: f32, %out_2: f32):
      %5 = arith.select %in_2, %in_3, %in_4 : f32
      linalg.yield %5 : f32
    } -> tensor<1x4x512x512xf32>
    func.return %4 : tensor<1x4x512x512xf32>
  }
}

