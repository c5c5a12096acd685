// RUN: spatial-opt %s --convert-linalg-to-spatial | filecheck %s

// Two heads: one fold over blocks of keys (k), with the largest score so far, the sum of the weights
// and the weighted values carried along.
// CHECK-LABEL: spatial.program @attention_0(
// CHECK-NEXT: %q = spatial.buffer : !spatial.buffer<2x1xf32>
// CHECK-NEXT: %k = spatial.buffer : !spatial.buffer<3x1xf32>
// CHECK-NEXT: %v = spatial.buffer : !spatial.buffer<3x1xf32>
// CHECK-NEXT: %largest = spatial.buffer : !spatial.buffer<2x1xf32>
// CHECK-NEXT: %total = spatial.buffer : !spatial.buffer<2x1xf32>
// CHECK-NEXT: %weighted = spatial.buffer : !spatial.buffer<2x1xf32>
// CHECK-NEXT: %scores = spatial.buffer : !spatial.buffer<2x3xf32>
// CHECK-NEXT: %block_largest = spatial.buffer : !spatial.buffer<2x1xf32>
// CHECK-NEXT: %new_largest = spatial.buffer : !spatial.buffer<2x1xf32>
// CHECK-NEXT: %scale = spatial.buffer : !spatial.buffer<2x1xf32>
// CHECK-NEXT: %weights = spatial.buffer : !spatial.buffer<2x3xf32>
// CHECK-NEXT: %block_total = spatial.buffer : !spatial.buffer<2x1xf32>
// CHECK-NEXT: %block_weighted = spatial.buffer : !spatial.buffer<2x1xf32>
// CHECK-NEXT: %sum = spatial.buffer : !spatial.buffer<2x1xf32>
// CHECK-NEXT: spatial.load @load_q %Q[i, 0, 0] into %q
// CHECK-NEXT: spatial.load @load_k %K[i, k * 3, 0] into %k
// CHECK-NEXT: spatial.load @load_v %V[i, k * 3, 0] into %v
// CHECK-NEXT: spatial.map @start_largest () into %largest {
// CHECK-NEXT: %{{.*}} = arith.constant -3.000000e+38 : f32
// CHECK-NEXT: spatial.yield %{{.*}} : f32
// CHECK-NEXT: }
// CHECK-NEXT: spatial.map @start_total () into %total {
// CHECK-NEXT: %{{.*}} = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: spatial.yield %{{.*}} : f32
// CHECK-NEXT: }
// CHECK-NEXT: spatial.map @start_weighted () into %weighted {
// CHECK-NEXT: %{{.*}} = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: spatial.yield %{{.*}} : f32
// CHECK-NEXT: }
// CHECK-NEXT: spatial.dot @scores %q, %k transpose_b into %scores
// CHECK-NEXT: spatial.reduce @block_largest max cols %scores into %block_largest
// CHECK-NEXT: spatial.map @new_largest (%largest, %block_largest) into %new_largest {
// CHECK-NEXT: ^bb0({{.*}}):
// CHECK-NEXT: %{{.*}} = arith.maximumf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: spatial.yield %{{.*}} : f32
// CHECK-NEXT: }
// CHECK-NEXT: spatial.map @scale (%largest, %new_largest) into %scale {
// CHECK-NEXT: ^bb0({{.*}}):
// CHECK-NEXT: %{{.*}} = arith.subf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: %{{.*}} = math.exp %{{.*}} : f32
// CHECK-NEXT: spatial.yield %{{.*}} : f32
// CHECK-NEXT: }
// CHECK-NEXT: spatial.map @weights (%scores, %new_largest broadcast cols) into %weights {
// CHECK-NEXT: ^bb0({{.*}}):
// CHECK-NEXT: %{{.*}} = arith.subf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: %{{.*}} = math.exp %{{.*}} : f32
// CHECK-NEXT: spatial.yield %{{.*}} : f32
// CHECK-NEXT: }
// CHECK-NEXT: spatial.reduce @block_total add cols %weights into %block_total
// CHECK-NEXT: spatial.dot @block_weighted %weights, %v into %block_weighted
// CHECK-NEXT: spatial.map @renew_total (%total, %scale, %block_total) update %total {
// CHECK-NEXT: ^bb0({{.*}}):
// CHECK-NEXT: %{{.*}} = arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: %{{.*}} = arith.addf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: spatial.yield %{{.*}} : f32
// CHECK-NEXT: }
// CHECK-NEXT: spatial.map @renew_weighted (%weighted, %scale broadcast cols, %block_weighted) update %weighted {
// CHECK-NEXT: ^bb0({{.*}}):
// CHECK-NEXT: %{{.*}} = arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: %{{.*}} = arith.addf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: spatial.yield %{{.*}} : f32
// CHECK-NEXT: }
// CHECK-NEXT: spatial.map @renew_largest (%new_largest) update %largest {
// CHECK-NEXT: ^bb0({{.*}}):
// CHECK-NEXT: spatial.yield %{{.*}} : f32
// CHECK-NEXT: }
// CHECK-NEXT: spatial.map @sum (%weighted, %total broadcast cols) into %sum {
// CHECK-NEXT: ^bb0({{.*}}):
// CHECK-NEXT: %{{.*}} = arith.divf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: spatial.yield %{{.*}} : f32
// CHECK-NEXT: }
// CHECK-NEXT: spatial.store @store %sum into %Out[i, 0, 0]
// CHECK-NEXT: }
func.func @attention(%q : tensor<2x64x32xf32>, %k : tensor<2x96x32xf32>, %v : tensor<2x96x32xf32>) -> (tensor<2x64x32xf32>) {
%1 = arith.constant 0.0 : f32
%2 = tensor.empty() : tensor<2x64x96xf32>
%3 = linalg.fill ins(%1 : f32) outs(%2 : tensor<2x64x96xf32>) -> tensor<2x64x96xf32>
%4 = linalg.generic {indexing_maps = [affine_map<(b, q, k, d) -> (b, q, d)>, affine_map<(b, q, k, d) -> (b, k, d)>, affine_map<(b, q, k, d) -> (b, q, k)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x64x32xf32>, tensor<2x96x32xf32>) outs(%3 : tensor<2x64x96xf32>) {
^bb0(%a : f32, %b : f32, %out : f32):
%m = arith.mulf %a, %b : f32
%r = arith.addf %out, %m : f32
linalg.yield %r : f32
} -> tensor<2x64x96xf32>
%5 = arith.constant 0xFF800000 : f32
%6 = tensor.empty() : tensor<2x64xf32>
%7 = linalg.fill ins(%5 : f32) outs(%6 : tensor<2x64xf32>) -> tensor<2x64xf32>
%8 = linalg.generic {indexing_maps = [affine_map<(b, q, k) -> (b, q, k)>, affine_map<(b, q, k) -> (b, q)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%4 : tensor<2x64x96xf32>) outs(%7 : tensor<2x64xf32>) {
^bb0(%a : f32, %out : f32):
%r = arith.maximumf %out, %a : f32
linalg.yield %r : f32
} -> tensor<2x64xf32>
%9 = tensor.empty() : tensor<2x64x96xf32>
%10 = linalg.generic {indexing_maps = [affine_map<(b, q, k) -> (b, q, k)>, affine_map<(b, q, k) -> (b, q)>, affine_map<(b, q, k) -> (b, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %8 : tensor<2x64x96xf32>, tensor<2x64xf32>) outs(%9 : tensor<2x64x96xf32>) {
^bb0(%a : f32, %b : f32, %out : f32):
%r = arith.subf %a, %b : f32
linalg.yield %r : f32
} -> tensor<2x64x96xf32>
%11 = tensor.empty() : tensor<2x64x96xf32>
%12 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x64x96xf32>) outs(%11 : tensor<2x64x96xf32>) {
^bb0(%a : f32, %out : f32):
%r = math.exp %a : f32
linalg.yield %r : f32
} -> tensor<2x64x96xf32>
%13 = arith.constant 0.0 : f32
%14 = tensor.empty() : tensor<2x64xf32>
%15 = linalg.fill ins(%13 : f32) outs(%14 : tensor<2x64xf32>) -> tensor<2x64xf32>
%16 = linalg.generic {indexing_maps = [affine_map<(b, q, k) -> (b, q, k)>, affine_map<(b, q, k) -> (b, q)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12 : tensor<2x64x96xf32>) outs(%15 : tensor<2x64xf32>) {
^bb0(%a : f32, %out : f32):
%r = arith.addf %out, %a : f32
linalg.yield %r : f32
} -> tensor<2x64xf32>
%17 = tensor.empty() : tensor<2x64x96xf32>
%18 = linalg.generic {indexing_maps = [affine_map<(b, q, k) -> (b, q, k)>, affine_map<(b, q, k) -> (b, q)>, affine_map<(b, q, k) -> (b, q, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %16 : tensor<2x64x96xf32>, tensor<2x64xf32>) outs(%17 : tensor<2x64x96xf32>) {
^bb0(%a : f32, %b : f32, %out : f32):
%r = arith.divf %a, %b : f32
linalg.yield %r : f32
} -> tensor<2x64x96xf32>
%19 = arith.constant 0.0 : f32
%20 = tensor.empty() : tensor<2x64x32xf32>
%21 = linalg.fill ins(%19 : f32) outs(%20 : tensor<2x64x32xf32>) -> tensor<2x64x32xf32>
%22 = linalg.generic {indexing_maps = [affine_map<(b, q, d, k) -> (b, q, k)>, affine_map<(b, q, d, k) -> (b, k, d)>, affine_map<(b, q, d, k) -> (b, q, d)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%18, %v : tensor<2x64x96xf32>, tensor<2x96x32xf32>) outs(%21 : tensor<2x64x32xf32>) {
^bb0(%a : f32, %b : f32, %out : f32):
%m = arith.mulf %a, %b : f32
%r = arith.addf %out, %m : f32
linalg.yield %r : f32
} -> tensor<2x64x32xf32>
func.return %22 : tensor<2x64x32xf32>
}
