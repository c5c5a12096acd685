builtin.module @jit_block attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x128x256xf32>, %arg1: tensor<256xf32>, %arg2: tensor<256xf32>, %arg3: tensor<256x256xf32>, %arg4: tensor<256x256xf32>, %arg5: tensor<256x256xf32>, %arg6: tensor<256x256xf32>, %arg7: tensor<256xf32>, %arg8: tensor<256xf32>, %arg9: tensor<256x1024xf32>, %arg10: tensor<1024xf32>, %arg11: tensor<1024x256xf32>, %arg12: tensor<256xf32>) -> (tensor<2x128x256xf32> {jax.result_info = "result"}) {
    %cst = arith.constant 0xff800000 : f32
    %cst_1 = arith.constant dense<5.000000e-01> : tensor<f32>
    %cst_2 = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_3 = arith.constant dense<0.797884583> : tensor<f32>
    %cst_4 = arith.constant dense<4.471500e-02> : tensor<f32>
    %cst_5 = arith.constant dense<"0x000080ff"> : tensor<f32>
    %cst_6 = arith.constant dense<-1.000000e+30> : tensor<f32>
    %cst_7 = arith.constant dense<1.250000e-01> : tensor<f32>
    %cst_8 = arith.constant dense<true> : tensor<i1>
    %cst_9 = arith.constant dense<1.000000e-05> : tensor<f32>
    %cst_10 = arith.constant dense<2.560000e+02> : tensor<f32>
    %cst_11 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x128xf32>
    %1 = linalg.fill ins(%cst_11 : f32) outs(%0 : tensor<2x128xf32>) -> tensor<2x128xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<2x128x256xf32>) outs(%1 : tensor<2x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    } -> tensor<2x128xf32>
    %4 = tensor.empty() : tensor<2x128x1xf32>
    %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<2x128xf32>) outs(%4 : tensor<2x128x1xf32>) {
    ^bb0(%in_1: f32, %out_1: f32):
      linalg.yield %in_1 : f32
    } -> tensor<2x128x1xf32>
    %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> ()>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_10 : tensor<f32>) outs(%4 : tensor<2x128x1xf32>) {
    ^bb0(%in_2: f32, %out_2: f32):
      linalg.yield %in_2 : f32
    } -> tensor<2x128x1xf32>
    %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %6 : tensor<2x128x1xf32>, tensor<2x128x1xf32>) outs(%4 : tensor<2x128x1xf32>) {
    ^bb0(%in_3: f32, %in_4: f32, %out_3: f32):
      %8 = arith.divf %in_3, %in_4 : f32
      linalg.yield %8 : f32
    } -> tensor<2x128x1xf32>
    %9 = tensor.empty() : tensor<2x128x256xf32>
    %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<2x128x1xf32>) outs(%9 : tensor<2x128x256xf32>) {
    ^bb0(%in_5: f32, %out_4: f32):
      linalg.yield %in_5 : f32
    } -> tensor<2x128x256xf32>
    %11 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %10 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%9 : tensor<2x128x256xf32>) {
    ^bb0(%in_6: f32, %in_7: f32, %out_5: f32):
      %12 = arith.subf %in_6, %in_7 : f32
      linalg.yield %12 : f32
    } -> tensor<2x128x256xf32>
    %13 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %11 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%9 : tensor<2x128x256xf32>) {
    ^bb0(%in_8: f32, %in_9: f32, %out_6: f32):
      %14 = arith.mulf %in_8, %in_9 : f32
      linalg.yield %14 : f32
    } -> tensor<2x128x256xf32>
    %15 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%13 : tensor<2x128x256xf32>) outs(%1 : tensor<2x128xf32>) {
    ^bb0(%in_10: f32, %out_7: f32):
      %16 = arith.addf %out_7, %in_10 : f32
      linalg.yield %16 : f32
    } -> tensor<2x128xf32>
    %17 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x128xf32>) outs(%4 : tensor<2x128x1xf32>) {
    ^bb0(%in_11: f32, %out_8: f32):
      linalg.yield %in_11 : f32
    } -> tensor<2x128x1xf32>
    %18 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %6 : tensor<2x128x1xf32>, tensor<2x128x1xf32>) outs(%4 : tensor<2x128x1xf32>) {
    ^bb0(%in_12: f32, %in_13: f32, %out_9: f32):
      %19 = arith.divf %in_12, %in_13 : f32
      linalg.yield %19 : f32
    } -> tensor<2x128x1xf32>
    %20 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> ()>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_9 : tensor<f32>) outs(%4 : tensor<2x128x1xf32>) {
    ^bb0(%in_14: f32, %out_10: f32):
      linalg.yield %in_14 : f32
    } -> tensor<2x128x1xf32>
    %21 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %20 : tensor<2x128x1xf32>, tensor<2x128x1xf32>) outs(%4 : tensor<2x128x1xf32>) {
    ^bb0(%in_15: f32, %in_16: f32, %out_11: f32):
      %22 = arith.addf %in_15, %in_16 : f32
      linalg.yield %22 : f32
    } -> tensor<2x128x1xf32>
    %23 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<2x128x1xf32>) outs(%4 : tensor<2x128x1xf32>) {
    ^bb0(%in_17: f32, %out_12: f32):
      %24 = math.rsqrt %in_17 : f32
      linalg.yield %24 : f32
    } -> tensor<2x128x1xf32>
    %25 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<2x128x1xf32>) outs(%9 : tensor<2x128x256xf32>) {
    ^bb0(%in_18: f32, %out_13: f32):
      linalg.yield %in_18 : f32
    } -> tensor<2x128x256xf32>
    %26 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %25 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%9 : tensor<2x128x256xf32>) {
    ^bb0(%in_19: f32, %in_20: f32, %out_14: f32):
      %27 = arith.mulf %in_19, %in_20 : f32
      linalg.yield %27 : f32
    } -> tensor<2x128x256xf32>
    %28 = tensor.empty() : tensor<1x1x256xf32>
    %29 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<256xf32>) outs(%28 : tensor<1x1x256xf32>) {
    ^bb0(%in_21: f32, %out_15: f32):
      linalg.yield %in_21 : f32
    } -> tensor<1x1x256xf32>
    %30 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29 : tensor<1x1x256xf32>) outs(%9 : tensor<2x128x256xf32>) {
    ^bb0(%in_22: f32, %out_16: f32):
      linalg.yield %in_22 : f32
    } -> tensor<2x128x256xf32>
    %31 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %30 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%9 : tensor<2x128x256xf32>) {
    ^bb0(%in_23: f32, %in_24: f32, %out_17: f32):
      %32 = arith.mulf %in_23, %in_24 : f32
      linalg.yield %32 : f32
    } -> tensor<2x128x256xf32>
    %33 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2 : tensor<256xf32>) outs(%28 : tensor<1x1x256xf32>) {
    ^bb0(%in_25: f32, %out_18: f32):
      linalg.yield %in_25 : f32
    } -> tensor<1x1x256xf32>
    %34 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33 : tensor<1x1x256xf32>) outs(%9 : tensor<2x128x256xf32>) {
    ^bb0(%in_26: f32, %out_19: f32):
      linalg.yield %in_26 : f32
    } -> tensor<2x128x256xf32>
    %35 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31, %34 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%9 : tensor<2x128x256xf32>) {
    ^bb0(%in_27: f32, %in_28: f32, %out_20: f32):
      %36 = arith.addf %in_27, %in_28 : f32
      linalg.yield %36 : f32
    } -> tensor<2x128x256xf32>
    %37 = linalg.fill ins(%cst_11 : f32) outs(%9 : tensor<2x128x256xf32>) -> tensor<2x128x256xf32>
    %38 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%35, %arg3 : tensor<2x128x256xf32>, tensor<256x256xf32>) outs(%37 : tensor<2x128x256xf32>) {
    ^bb0(%in_29: f32, %in_30: f32, %out_21: f32):
      %39 = arith.mulf %in_29, %in_30 : f32
      %40 = arith.addf %out_21, %39 : f32
      linalg.yield %40 : f32
    } -> tensor<2x128x256xf32>
    %expanded = tensor.expand_shape %38 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [2, 128, 4, 64] : tensor<2x128x256xf32> into tensor<2x128x4x64xf32>
    %41 = tensor.empty() : tensor<2x4x128x64xf32>
    %42 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x128x4x64xf32>) outs(%41 : tensor<2x4x128x64xf32>) {
    ^bb0(%in_31: f32, %out_22: f32):
      linalg.yield %in_31 : f32
    } -> tensor<2x4x128x64xf32>
    %43 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%35, %arg4 : tensor<2x128x256xf32>, tensor<256x256xf32>) outs(%37 : tensor<2x128x256xf32>) {
    ^bb0(%in_32: f32, %in_33: f32, %out_23: f32):
      %44 = arith.mulf %in_32, %in_33 : f32
      %45 = arith.addf %out_23, %44 : f32
      linalg.yield %45 : f32
    } -> tensor<2x128x256xf32>
    %expanded_1 = tensor.expand_shape %43 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [2, 128, 4, 64] : tensor<2x128x256xf32> into tensor<2x128x4x64xf32>
    %46 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_1 : tensor<2x128x4x64xf32>) outs(%41 : tensor<2x4x128x64xf32>) {
    ^bb0(%in_34: f32, %out_24: f32):
      linalg.yield %in_34 : f32
    } -> tensor<2x4x128x64xf32>
    %47 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%35, %arg5 : tensor<2x128x256xf32>, tensor<256x256xf32>) outs(%37 : tensor<2x128x256xf32>) {
    ^bb0(%in_35: f32, %in_36: f32, %out_25: f32):
      %48 = arith.mulf %in_35, %in_36 : f32
      %49 = arith.addf %out_25, %48 : f32
      linalg.yield %49 : f32
    } -> tensor<2x128x256xf32>
    %expanded_2 = tensor.expand_shape %47 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] output_shape [2, 128, 4, 64] : tensor<2x128x256xf32> into tensor<2x128x4x64xf32>
    %50 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_2 : tensor<2x128x4x64xf32>) outs(%41 : tensor<2x4x128x64xf32>) {
    ^bb0(%in_37: f32, %out_26: f32):
      linalg.yield %in_37 : f32
    } -> tensor<2x4x128x64xf32>
    %51 = tensor.empty() : tensor<2x4x128x128xf32>
    %52 = linalg.fill ins(%cst_11 : f32) outs(%51 : tensor<2x4x128x128xf32>) -> tensor<2x4x128x128xf32>
    %53 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%42, %46 : tensor<2x4x128x64xf32>, tensor<2x4x128x64xf32>) outs(%52 : tensor<2x4x128x128xf32>) {
    ^bb0(%in_38: f32, %in_39: f32, %out_27: f32):
      %54 = arith.mulf %in_38, %in_39 : f32
      %55 = arith.addf %out_27, %54 : f32
      linalg.yield %55 : f32
    } -> tensor<2x4x128x128xf32>
    %56 = tensor.empty() : tensor<128x128xi1>
    %57 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%cst_8 : tensor<i1>) outs(%56 : tensor<128x128xi1>) {
    ^bb0(%in_40: i1, %out_28: i1):
      linalg.yield %in_40 : i1
    } -> tensor<128x128xi1>
    %58 = func.call @tril(%57) : (tensor<128x128xi1>) -> tensor<128x128xi1>
    %59 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> ()>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_7 : tensor<f32>) outs(%51 : tensor<2x4x128x128xf32>) {
    ^bb0(%in_41: f32, %out_29: f32):
      linalg.yield %in_41 : f32
    } -> tensor<2x4x128x128xf32>
    %60 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53, %59 : tensor<2x4x128x128xf32>, tensor<2x4x128x128xf32>) outs(%51 : tensor<2x4x128x128xf32>) {
    ^bb0(%in_42: f32, %in_43: f32, %out_30: f32):
      %61 = arith.mulf %in_42, %in_43 : f32
      linalg.yield %61 : f32
    } -> tensor<2x4x128x128xf32>
    %62 = func.call @_where(%58, %60, %cst_6) : (tensor<128x128xi1>, tensor<2x4x128x128xf32>, tensor<f32>) -> tensor<2x4x128x128xf32>
    %63 = tensor.empty() : tensor<2x4x128xf32>
    %64 = linalg.fill ins(%cst : f32) outs(%63 : tensor<2x4x128xf32>) -> tensor<2x4x128xf32>
    %65 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%62 : tensor<2x4x128x128xf32>) outs(%64 : tensor<2x4x128xf32>) {
    ^bb0(%in_44: f32, %out_31: f32):
      %66 = arith.maximumf %out_31, %in_44 : f32
      linalg.yield %66 : f32
    } -> tensor<2x4x128xf32>
    %67 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> ()>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_5 : tensor<f32>) outs(%63 : tensor<2x4x128xf32>) {
    ^bb0(%in_45: f32, %out_32: f32):
      linalg.yield %in_45 : f32
    } -> tensor<2x4x128xf32>
    %68 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67, %65 : tensor<2x4x128xf32>, tensor<2x4x128xf32>) outs(%63 : tensor<2x4x128xf32>) {
    ^bb0(%in_46: f32, %in_47: f32, %out_33: f32):
      %69 = arith.maximumf %in_46, %in_47 : f32
      linalg.yield %69 : f32
    } -> tensor<2x4x128xf32>
    %70 = tensor.empty() : tensor<2x4x128x1xf32>
    %71 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%68 : tensor<2x4x128xf32>) outs(%70 : tensor<2x4x128x1xf32>) {
    ^bb0(%in_48: f32, %out_34: f32):
      linalg.yield %in_48 : f32
    } -> tensor<2x4x128x1xf32>
    %72 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71 : tensor<2x4x128x1xf32>) outs(%51 : tensor<2x4x128x128xf32>) {
    ^bb0(%in_49: f32, %out_35: f32):
      linalg.yield %in_49 : f32
    } -> tensor<2x4x128x128xf32>
    %73 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62, %72 : tensor<2x4x128x128xf32>, tensor<2x4x128x128xf32>) outs(%51 : tensor<2x4x128x128xf32>) {
    ^bb0(%in_50: f32, %in_51: f32, %out_36: f32):
      %74 = arith.subf %in_50, %in_51 : f32
      linalg.yield %74 : f32
    } -> tensor<2x4x128x128xf32>
    %75 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73 : tensor<2x4x128x128xf32>) outs(%51 : tensor<2x4x128x128xf32>) {
    ^bb0(%in_52: f32, %out_37: f32):
      %76 = math.exp %in_52 : f32
      linalg.yield %76 : f32
    } -> tensor<2x4x128x128xf32>
    %77 = linalg.fill ins(%cst_11 : f32) outs(%63 : tensor<2x4x128xf32>) -> tensor<2x4x128xf32>
    %78 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%75 : tensor<2x4x128x128xf32>) outs(%77 : tensor<2x4x128xf32>) {
    ^bb0(%in_53: f32, %out_38: f32):
      %79 = arith.addf %out_38, %in_53 : f32
      linalg.yield %79 : f32
    } -> tensor<2x4x128xf32>
    %80 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%78 : tensor<2x4x128xf32>) outs(%70 : tensor<2x4x128x1xf32>) {
    ^bb0(%in_54: f32, %out_39: f32):
      linalg.yield %in_54 : f32
    } -> tensor<2x4x128x1xf32>
    %81 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%80 : tensor<2x4x128x1xf32>) outs(%51 : tensor<2x4x128x128xf32>) {
    ^bb0(%in_55: f32, %out_40: f32):
      linalg.yield %in_55 : f32
    } -> tensor<2x4x128x128xf32>
    %82 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75, %81 : tensor<2x4x128x128xf32>, tensor<2x4x128x128xf32>) outs(%51 : tensor<2x4x128x128xf32>) {
    ^bb0(%in_56: f32, %in_57: f32, %out_41: f32):
      %83 = arith.divf %in_56, %in_57 : f32
      linalg.yield %83 : f32
    } -> tensor<2x4x128x128xf32>
    %84 = linalg.fill ins(%cst_11 : f32) outs(%41 : tensor<2x4x128x64xf32>) -> tensor<2x4x128x64xf32>
    %85 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%82, %50 : tensor<2x4x128x128xf32>, tensor<2x4x128x64xf32>) outs(%84 : tensor<2x4x128x64xf32>) {
    ^bb0(%in_58: f32, %in_59: f32, %out_42: f32):
      %86 = arith.mulf %in_58, %in_59 : f32
      %87 = arith.addf %out_42, %86 : f32
      linalg.yield %87 : f32
    } -> tensor<2x4x128x64xf32>
    %88 = tensor.empty() : tensor<2x128x4x64xf32>
    %89 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%85 : tensor<2x4x128x64xf32>) outs(%88 : tensor<2x128x4x64xf32>) {
    ^bb0(%in_60: f32, %out_43: f32):
      linalg.yield %in_60 : f32
    } -> tensor<2x128x4x64xf32>
    %collapsed = tensor.collapse_shape %89 [[0 : i64], [1 : i64], [2 : i64, 3 : i64]] : tensor<2x128x4x64xf32> into tensor<2x128x256xf32>
    %90 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%collapsed, %arg6 : tensor<2x128x256xf32>, tensor<256x256xf32>) outs(%37 : tensor<2x128x256xf32>) {
    ^bb0(%in_61: f32, %in_62: f32, %out_44: f32):
      %91 = arith.mulf %in_61, %in_62 : f32
      %92 = arith.addf %out_44, %91 : f32
      linalg.yield %92 : f32
    } -> tensor<2x128x256xf32>
    %93 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %90 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%9 : tensor<2x128x256xf32>) {
    ^bb0(%in_63: f32, %in_64: f32, %out_45: f32):
      %94 = arith.addf %in_63, %in_64 : f32
      linalg.yield %94 : f32
    } -> tensor<2x128x256xf32>
    %95 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%93 : tensor<2x128x256xf32>) outs(%1 : tensor<2x128xf32>) {
    ^bb0(%in_65: f32, %out_46: f32):
      %96 = arith.addf %out_46, %in_65 : f32
      linalg.yield %96 : f32
    } -> tensor<2x128xf32>
    %97 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95 : tensor<2x128xf32>) outs(%4 : tensor<2x128x1xf32>) {
    ^bb0(%in_66: f32, %out_47: f32):
      linalg.yield %in_66 : f32
    } -> tensor<2x128x1xf32>
    %98 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97, %6 : tensor<2x128x1xf32>, tensor<2x128x1xf32>) outs(%4 : tensor<2x128x1xf32>) {
    ^bb0(%in_67: f32, %in_68: f32, %out_48: f32):
      %99 = arith.divf %in_67, %in_68 : f32
      linalg.yield %99 : f32
    } -> tensor<2x128x1xf32>
    %100 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98 : tensor<2x128x1xf32>) outs(%9 : tensor<2x128x256xf32>) {
    ^bb0(%in_69: f32, %out_49: f32):
      linalg.yield %in_69 : f32
    } -> tensor<2x128x256xf32>
    %101 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93, %100 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%9 : tensor<2x128x256xf32>) {
    ^bb0(%in_70: f32, %in_71: f32, %out_50: f32):
      %102 = arith.subf %in_70, %in_71 : f32
      linalg.yield %102 : f32
    } -> tensor<2x128x256xf32>
    %103 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101, %101 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%9 : tensor<2x128x256xf32>) {
    ^bb0(%in_72: f32, %in_73: f32, %out_51: f32):
      %104 = arith.mulf %in_72, %in_73 : f32
      linalg.yield %104 : f32
    } -> tensor<2x128x256xf32>
    %105 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%103 : tensor<2x128x256xf32>) outs(%1 : tensor<2x128xf32>) {
    ^bb0(%in_74: f32, %out_52: f32):
      %106 = arith.addf %out_52, %in_74 : f32
      linalg.yield %106 : f32
    } -> tensor<2x128xf32>
    %107 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105 : tensor<2x128xf32>) outs(%4 : tensor<2x128x1xf32>) {
    ^bb0(%in_75: f32, %out_53: f32):
      linalg.yield %in_75 : f32
    } -> tensor<2x128x1xf32>
    %108 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107, %6 : tensor<2x128x1xf32>, tensor<2x128x1xf32>) outs(%4 : tensor<2x128x1xf32>) {
    ^bb0(%in_76: f32, %in_77: f32, %out_54: f32):
      %109 = arith.divf %in_76, %in_77 : f32
      linalg.yield %109 : f32
    } -> tensor<2x128x1xf32>
    %110 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108, %20 : tensor<2x128x1xf32>, tensor<2x128x1xf32>) outs(%4 : tensor<2x128x1xf32>) {
    ^bb0(%in_78: f32, %in_79: f32, %out_55: f32):
      %111 = arith.addf %in_78, %in_79 : f32
      linalg.yield %111 : f32
    } -> tensor<2x128x1xf32>
    %112 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110 : tensor<2x128x1xf32>) outs(%4 : tensor<2x128x1xf32>) {
    ^bb0(%in_80: f32, %out_56: f32):
      %113 = math.rsqrt %in_80 : f32
      linalg.yield %113 : f32
    } -> tensor<2x128x1xf32>
    %114 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%112 : tensor<2x128x1xf32>) outs(%9 : tensor<2x128x256xf32>) {
    ^bb0(%in_81: f32, %out_57: f32):
      linalg.yield %in_81 : f32
    } -> tensor<2x128x256xf32>
    %115 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101, %114 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%9 : tensor<2x128x256xf32>) {
    ^bb0(%in_82: f32, %in_83: f32, %out_58: f32):
      %116 = arith.mulf %in_82, %in_83 : f32
      linalg.yield %116 : f32
    } -> tensor<2x128x256xf32>
    %117 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg7 : tensor<256xf32>) outs(%28 : tensor<1x1x256xf32>) {
    ^bb0(%in_84: f32, %out_59: f32):
      linalg.yield %in_84 : f32
    } -> tensor<1x1x256xf32>
    %118 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117 : tensor<1x1x256xf32>) outs(%9 : tensor<2x128x256xf32>) {
    ^bb0(%in_85: f32, %out_60: f32):
      linalg.yield %in_85 : f32
    } -> tensor<2x128x256xf32>
    %119 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115, %118 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%9 : tensor<2x128x256xf32>) {
    ^bb0(%in_86: f32, %in_87: f32, %out_61: f32):
      %120 = arith.mulf %in_86, %in_87 : f32
      linalg.yield %120 : f32
    } -> tensor<2x128x256xf32>
    %121 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg8 : tensor<256xf32>) outs(%28 : tensor<1x1x256xf32>) {
    ^bb0(%in_88: f32, %out_62: f32):
      linalg.yield %in_88 : f32
    } -> tensor<1x1x256xf32>
    %122 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%121 : tensor<1x1x256xf32>) outs(%9 : tensor<2x128x256xf32>) {
    ^bb0(%in_89: f32, %out_63: f32):
      linalg.yield %in_89 : f32
    } -> tensor<2x128x256xf32>
    %123 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119, %122 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%9 : tensor<2x128x256xf32>) {
    ^bb0(%in_90: f32, %in_91: f32, %out_64: f32):
      %124 = arith.addf %in_90, %in_91 : f32
      linalg.yield %124 : f32
    } -> tensor<2x128x256xf32>
    %125 = tensor.empty() : tensor<2x128x1024xf32>
    %126 = linalg.fill ins(%cst_11 : f32) outs(%125 : tensor<2x128x1024xf32>) -> tensor<2x128x1024xf32>
    %127 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%123, %arg9 : tensor<2x128x256xf32>, tensor<256x1024xf32>) outs(%126 : tensor<2x128x1024xf32>) {
    ^bb0(%in_92: f32, %in_93: f32, %out_65: f32):
      %128 = arith.mulf %in_92, %in_93 : f32
      %129 = arith.addf %out_65, %128 : f32
      linalg.yield %129 : f32
    } -> tensor<2x128x1024xf32>
    %130 = tensor.empty() : tensor<1x1x1024xf32>
    %131 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg10 : tensor<1024xf32>) outs(%130 : tensor<1x1x1024xf32>) {
    ^bb0(%in_94: f32, %out_66: f32):
      linalg.yield %in_94 : f32
    } -> tensor<1x1x1024xf32>
    %132 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%131 : tensor<1x1x1024xf32>) outs(%125 : tensor<2x128x1024xf32>) {
    ^bb0(%in_95: f32, %out_67: f32):
      linalg.yield %in_95 : f32
    } -> tensor<2x128x1024xf32>
    %133 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%127, %132 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%125 : tensor<2x128x1024xf32>) {
    ^bb0(%in_96: f32, %in_97: f32, %out_68: f32):
      %134 = arith.addf %in_96, %in_97 : f32
      linalg.yield %134 : f32
    } -> tensor<2x128x1024xf32>
    %135 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133, %133 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%125 : tensor<2x128x1024xf32>) {
    ^bb0(%in_98: f32, %in_99: f32, %out_69: f32):
      %136 = arith.mulf %in_98, %in_99 : f32
      linalg.yield %136 : f32
    } -> tensor<2x128x1024xf32>
    %137 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%135, %133 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%125 : tensor<2x128x1024xf32>) {
    ^bb0(%in_100: f32, %in_101: f32, %out_70: f32):
      %138 = arith.mulf %in_100, %in_101 : f32
      linalg.yield %138 : f32
    } -> tensor<2x128x1024xf32>
    %139 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> ()>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%125 : tensor<2x128x1024xf32>) {
    ^bb0(%in_102: f32, %out_71: f32):
      linalg.yield %in_102 : f32
    } -> tensor<2x128x1024xf32>
    %140 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%139, %137 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%125 : tensor<2x128x1024xf32>) {
    ^bb0(%in_103: f32, %in_104: f32, %out_72: f32):
      %141 = arith.mulf %in_103, %in_104 : f32
      linalg.yield %141 : f32
    } -> tensor<2x128x1024xf32>
    %142 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133, %140 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%125 : tensor<2x128x1024xf32>) {
    ^bb0(%in_105: f32, %in_106: f32, %out_73: f32):
      %143 = arith.addf %in_105, %in_106 : f32
      linalg.yield %143 : f32
    } -> tensor<2x128x1024xf32>
    %144 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> ()>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%125 : tensor<2x128x1024xf32>) {
    ^bb0(%in_107: f32, %out_74: f32):
      linalg.yield %in_107 : f32
    } -> tensor<2x128x1024xf32>
    %145 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%144, %142 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%125 : tensor<2x128x1024xf32>) {
    ^bb0(%in_108: f32, %in_109: f32, %out_75: f32):
      %146 = arith.mulf %in_108, %in_109 : f32
      linalg.yield %146 : f32
    } -> tensor<2x128x1024xf32>
    %147 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%145 : tensor<2x128x1024xf32>) outs(%125 : tensor<2x128x1024xf32>) {
    ^bb0(%in_110: f32, %out_76: f32):
      %148 = math.tanh %in_110 : f32
      linalg.yield %148 : f32
    } -> tensor<2x128x1024xf32>
    %149 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> ()>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%125 : tensor<2x128x1024xf32>) {
    ^bb0(%in_111: f32, %out_77: f32):
      linalg.yield %in_111 : f32
    } -> tensor<2x128x1024xf32>
    %150 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%149, %147 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%125 : tensor<2x128x1024xf32>) {
    ^bb0(%in_112: f32, %in_113: f32, %out_78: f32):
      %151 = arith.addf %in_112, %in_113 : f32
      linalg.yield %151 : f32
    } -> tensor<2x128x1024xf32>
    %152 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> ()>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%125 : tensor<2x128x1024xf32>) {
    ^bb0(%in_114: f32, %out_79: f32):
      linalg.yield %in_114 : f32
    } -> tensor<2x128x1024xf32>
    %153 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%152, %150 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%125 : tensor<2x128x1024xf32>) {
    ^bb0(%in_115: f32, %in_116: f32, %out_80: f32):
      %154 = arith.mulf %in_115, %in_116 : f32
      linalg.yield %154 : f32
    } -> tensor<2x128x1024xf32>
    %155 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133, %153 : tensor<2x128x1024xf32>, tensor<2x128x1024xf32>) outs(%125 : tensor<2x128x1024xf32>) {
    ^bb0(%in_117: f32, %in_118: f32, %out_81: f32):
      %156 = arith.mulf %in_117, %in_118 : f32
      linalg.yield %156 : f32
    } -> tensor<2x128x1024xf32>
    %157 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%155, %arg11 : tensor<2x128x1024xf32>, tensor<1024x256xf32>) outs(%37 : tensor<2x128x256xf32>) {
    ^bb0(%in_119: f32, %in_120: f32, %out_82: f32):
      %158 = arith.mulf %in_119, %in_120 : f32
      %159 = arith.addf %out_82, %158 : f32
      linalg.yield %159 : f32
    } -> tensor<2x128x256xf32>
    %160 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93, %157 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%9 : tensor<2x128x256xf32>) {
    ^bb0(%in_121: f32, %in_122: f32, %out_83: f32):
      %161 = arith.addf %in_121, %in_122 : f32
      linalg.yield %161 : f32
    } -> tensor<2x128x256xf32>
    %162 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12 : tensor<256xf32>) outs(%28 : tensor<1x1x256xf32>) {
    ^bb0(%in_123: f32, %out_84: f32):
      linalg.yield %in_123 : f32
    } -> tensor<1x1x256xf32>
    %163 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%162 : tensor<1x1x256xf32>) outs(%9 : tensor<2x128x256xf32>) {
    ^bb0(%in_124: f32, %out_85: f32):
      linalg.yield %in_124 : f32
    } -> tensor<2x128x256xf32>
    %164 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%160, %163 : tensor<2x128x256xf32>, tensor<2x128x256xf32>) outs(%9 : tensor<2x128x256xf32>) {
    ^bb0(%in_125: f32, %in_126: f32, %out_86: f32):
      %165 = arith.addf %in_125, %in_126 : f32
      linalg.yield %165 : f32
    } -> tensor<2x128x256xf32>
    func.return %164 : tensor<2x128x256xf32>
  }
  func.func private @tril(%arg0: tensor<128x128xi1>) -> tensor<128x128xi1> {
    %cst = arith.constant dense<false> : tensor<i1>
    %cst_1 = arith.constant dense<0> : tensor<i32>
    %0 = tensor.empty() : tensor<128x128xi32>
    %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<128x128xi32>) {
    ^bb0(%out: i32):
      %2 = linalg.index 0 : index
      %3 = arith.index_cast %2 : index to i32
      linalg.yield %3 : i32
    } -> tensor<128x128xi32>
    %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<i32>) outs(%0 : tensor<128x128xi32>) {
    ^bb0(%in: i32, %out_1: i32):
      linalg.yield %in : i32
    } -> tensor<128x128xi32>
    %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%1, %4 : tensor<128x128xi32>, tensor<128x128xi32>) outs(%0 : tensor<128x128xi32>) {
    ^bb0(%in_1: i32, %in_2: i32, %out_2: i32):
      %6 = arith.addi %in_1, %in_2 : i32
      linalg.yield %6 : i32
    } -> tensor<128x128xi32>
    %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<128x128xi32>) {
    ^bb0(%out_3: i32):
      %8 = linalg.index 1 : index
      %9 = arith.index_cast %8 : index to i32
      linalg.yield %9 : i32
    } -> tensor<128x128xi32>
    %10 = tensor.empty() : tensor<128x128xi1>
    %11 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%5, %7 : tensor<128x128xi32>, tensor<128x128xi32>) outs(%10 : tensor<128x128xi1>) {
    ^bb0(%in_3: i32, %in_4: i32, %out_4: i1):
      %12 = arith.cmpi sge, %in_3, %in_4 : i32
      linalg.yield %12 : i1
    } -> tensor<128x128xi1>
    %13 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<i1>) outs(%10 : tensor<128x128xi1>) {
    ^bb0(%in_5: i1, %out_5: i1):
      linalg.yield %in_5 : i1
    } -> tensor<128x128xi1>
    %14 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%11, %arg0, %13 : tensor<128x128xi1>, tensor<128x128xi1>, tensor<128x128xi1>) outs(%10 : tensor<128x128xi1>) {
    ^bb0(%in_6: i1, %in_7: i1, %in_8: i1, %out_6: i1):
      %15 = arith.select %in_6, %in_7, %in_8 : i1
      linalg.yield %15 : i1
    } -> tensor<128x128xi1>
    func.return %14 : tensor<128x128xi1>
  }
  func.func private @_where(%arg0: tensor<128x128xi1>, %arg1: tensor<2x4x128x128xf32>, %arg2: tensor<f32>) -> tensor<2x4x128x128xf32> {
    %0 = tensor.empty() : tensor<2x4x128x128xi1>
    %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<128x128xi1>) outs(%0 : tensor<2x4x128x128xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<2x4x128x128xi1>
    %2 = tensor.empty() : tensor<2x4x128x128xf32>
    %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> ()>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<f32>) outs(%2 : tensor<2x4x128x128xf32>) {
    ^bb0(%in_1: f32, %out_1: f32):
      linalg.yield %in_1 : f32
    } -> tensor<2x4x128x128xf32>
    %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %arg1, %3 : tensor<2x4x128x128xi1>, tensor<2x4x128x128xf32>, tensor<2x4x128x128xf32>) outs(%2 : tensor<2x4x128x128xf32>) {
    ^bb0(%in_2: i1, %in_3: f32, %in_4: f32, %out_2: f32):
      %5 = arith.select %in_2, %in_3, %in_4 : f32
      linalg.yield %5 : f32
    } -> tensor<2x4x128x128xf32>
    func.return %4 : tensor<2x4x128x128xf32>
  }
}

