builtin.module @jit_mlp attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<512x256xbf16>, %arg1: tensor<256x1024xbf16>, %arg2: tensor<1024xbf16>, %arg3: tensor<1024x256xbf16>, %arg4: tensor<256xbf16>) -> (tensor<512x256xbf16> {jax.result_info = "result"}) {
    %cst = arith.constant 0.000000e+00 : bf16
    %cst_1 = arith.constant dense<5.000000e-01> : tensor<bf16>
    %cst_2 = arith.constant dense<1.000000e+00> : tensor<bf16>
    %cst_3 = arith.constant dense<7.968750e-01> : tensor<bf16>
    %cst_4 = arith.constant dense<4.467770e-02> : tensor<bf16>
    %0 = tensor.empty() : tensor<512x1024xbf16>
    %1 = linalg.fill ins(%cst : bf16) outs(%0 : tensor<512x1024xbf16>) -> tensor<512x1024xbf16>
    %2 = linalg.matmul ins(%arg0, %arg1 : tensor<512x256xbf16>, tensor<256x1024xbf16>) outs(%1 : tensor<512x1024xbf16>) -> tensor<512x1024xbf16>
    %3 = tensor.empty() : tensor<1x1024xbf16>
    %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<1024xbf16>) outs(%3 : tensor<1x1024xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<1x1024xbf16>
    %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<1x1024xbf16>) outs(%0 : tensor<512x1024xbf16>) {
    ^bb0(%in_1: bf16, %out_1: bf16):
      linalg.yield %in_1 : bf16
    } -> tensor<512x1024xbf16>
    %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%2, %5 : tensor<512x1024xbf16>, tensor<512x1024xbf16>) outs(%0 : tensor<512x1024xbf16>) {
    ^bb0(%in_2: bf16, %in_3: bf16, %out_2: bf16):
      %7 = arith.addf %in_2, %in_3 : bf16
      linalg.yield %7 : bf16
    } -> tensor<512x1024xbf16>
    %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%6, %6 : tensor<512x1024xbf16>, tensor<512x1024xbf16>) outs(%0 : tensor<512x1024xbf16>) {
    ^bb0(%in_4: bf16, %in_5: bf16, %out_3: bf16):
      %9 = arith.mulf %in_4, %in_5 : bf16
      linalg.yield %9 : bf16
    } -> tensor<512x1024xbf16>
    %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%8, %6 : tensor<512x1024xbf16>, tensor<512x1024xbf16>) outs(%0 : tensor<512x1024xbf16>) {
    ^bb0(%in_6: bf16, %in_7: bf16, %out_4: bf16):
      %11 = arith.mulf %in_6, %in_7 : bf16
      linalg.yield %11 : bf16
    } -> tensor<512x1024xbf16>
    %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%cst_4 : tensor<bf16>) outs(%0 : tensor<512x1024xbf16>) {
    ^bb0(%in_8: bf16, %out_5: bf16):
      linalg.yield %in_8 : bf16
    } -> tensor<512x1024xbf16>
    %13 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%12, %10 : tensor<512x1024xbf16>, tensor<512x1024xbf16>) outs(%0 : tensor<512x1024xbf16>) {
    ^bb0(%in_9: bf16, %in_10: bf16, %out_6: bf16):
      %14 = arith.mulf %in_9, %in_10 : bf16
      linalg.yield %14 : bf16
    } -> tensor<512x1024xbf16>
    %15 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%6, %13 : tensor<512x1024xbf16>, tensor<512x1024xbf16>) outs(%0 : tensor<512x1024xbf16>) {
    ^bb0(%in_11: bf16, %in_12: bf16, %out_7: bf16):
      %16 = arith.addf %in_11, %in_12 : bf16
      linalg.yield %16 : bf16
    } -> tensor<512x1024xbf16>
    %17 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%cst_3 : tensor<bf16>) outs(%0 : tensor<512x1024xbf16>) {
    ^bb0(%in_13: bf16, %out_8: bf16):
      linalg.yield %in_13 : bf16
    } -> tensor<512x1024xbf16>
    %18 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%17, %15 : tensor<512x1024xbf16>, tensor<512x1024xbf16>) outs(%0 : tensor<512x1024xbf16>) {
    ^bb0(%in_14: bf16, %in_15: bf16, %out_9: bf16):
      %19 = arith.mulf %in_14, %in_15 : bf16
      linalg.yield %19 : bf16
    } -> tensor<512x1024xbf16>
    %20 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<512x1024xbf16>) outs(%0 : tensor<512x1024xbf16>) {
    ^bb0(%in_16: bf16, %out_10: bf16):
      %21 = math.tanh %in_16 : bf16
      linalg.yield %21 : bf16
    } -> tensor<512x1024xbf16>
    %22 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%cst_2 : tensor<bf16>) outs(%0 : tensor<512x1024xbf16>) {
    ^bb0(%in_17: bf16, %out_11: bf16):
      linalg.yield %in_17 : bf16
    } -> tensor<512x1024xbf16>
    %23 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%22, %20 : tensor<512x1024xbf16>, tensor<512x1024xbf16>) outs(%0 : tensor<512x1024xbf16>) {
    ^bb0(%in_18: bf16, %in_19: bf16, %out_12: bf16):
      %24 = arith.addf %in_18, %in_19 : bf16
      linalg.yield %24 : bf16
    } -> tensor<512x1024xbf16>
    %25 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<bf16>) outs(%0 : tensor<512x1024xbf16>) {
    ^bb0(%in_20: bf16, %out_13: bf16):
      linalg.yield %in_20 : bf16
    } -> tensor<512x1024xbf16>
    %26 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%25, %23 : tensor<512x1024xbf16>, tensor<512x1024xbf16>) outs(%0 : tensor<512x1024xbf16>) {
    ^bb0(%in_21: bf16, %in_22: bf16, %out_14: bf16):
      %27 = arith.mulf %in_21, %in_22 : bf16
      linalg.yield %27 : bf16
    } -> tensor<512x1024xbf16>
    %28 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%6, %26 : tensor<512x1024xbf16>, tensor<512x1024xbf16>) outs(%0 : tensor<512x1024xbf16>) {
    ^bb0(%in_23: bf16, %in_24: bf16, %out_15: bf16):
      %29 = arith.mulf %in_23, %in_24 : bf16
      linalg.yield %29 : bf16
    } -> tensor<512x1024xbf16>
    %30 = tensor.empty() : tensor<512x256xbf16>
    %31 = linalg.fill ins(%cst : bf16) outs(%30 : tensor<512x256xbf16>) -> tensor<512x256xbf16>
    %32 = linalg.matmul ins(%28, %arg3 : tensor<512x1024xbf16>, tensor<1024x256xbf16>) outs(%31 : tensor<512x256xbf16>) -> tensor<512x256xbf16>
    %33 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0, %32 : tensor<512x256xbf16>, tensor<512x256xbf16>) outs(%30 : tensor<512x256xbf16>) {
    ^bb0(%in_25: bf16, %in_26: bf16, %out_16: bf16):
      %34 = arith.addf %in_25, %in_26 : bf16
      linalg.yield %34 : bf16
    } -> tensor<512x256xbf16>
    %35 = tensor.empty() : tensor<1x256xbf16>
    %36 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<256xbf16>) outs(%35 : tensor<1x256xbf16>) {
    ^bb0(%in_27: bf16, %out_17: bf16):
      linalg.yield %in_27 : bf16
    } -> tensor<1x256xbf16>
    %37 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%36 : tensor<1x256xbf16>) outs(%30 : tensor<512x256xbf16>) {
    ^bb0(%in_28: bf16, %out_18: bf16):
      linalg.yield %in_28 : bf16
    } -> tensor<512x256xbf16>
    %38 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%33, %37 : tensor<512x256xbf16>, tensor<512x256xbf16>) outs(%30 : tensor<512x256xbf16>) {
    ^bb0(%in_29: bf16, %in_30: bf16, %out_19: bf16):
      %39 = arith.addf %in_29, %in_30 : bf16
      linalg.yield %39 : bf16
    } -> tensor<512x256xbf16>
    func.return %38 : tensor<512x256xbf16>
  }
}

