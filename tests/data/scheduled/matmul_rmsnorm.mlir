// A product whose rows fit a tile, each scaled by the root of its mean square.
func.func @matmul_rmsnorm(%a: tensor<100x72xf16>, %b: tensor<72x96xf16>, %weight: tensor<96xf16>) -> tensor<100x96xf16> {
  %zero = arith.constant 0.000000e+00 : f32
  %columns = arith.constant 9.600000e+01 : f32
  %small = arith.constant 1.000000e-06 : f32
  %empty = tensor.empty() : tensor<100x96xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<100x96xf32>) -> tensor<100x96xf32>
  %product = linalg.matmul ins(%a, %b : tensor<100x72xf16>, tensor<72x96xf16>) outs(%init : tensor<100x96xf32>) -> tensor<100x96xf32>
  %empty_1 = tensor.empty() : tensor<100xf32>
  %init_1 = linalg.fill ins(%zero : f32) outs(%empty_1 : tensor<100xf32>) -> tensor<100xf32>
  %squares = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%product : tensor<100x96xf32>) outs(%init_1 : tensor<100xf32>) {
  ^bb0(%p: f32, %acc: f32):
    %0 = arith.mulf %p, %p : f32
    %1 = arith.addf %0, %acc : f32
    linalg.yield %1 : f32
  } -> tensor<100xf32>
  %empty_2 = tensor.empty() : tensor<100x96xf16>
  %norm = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%product, %squares, %weight : tensor<100x96xf32>, tensor<100xf32>, tensor<96xf16>) outs(%empty_2 : tensor<100x96xf16>) {
  ^bb0(%p: f32, %q: f32, %w: f16, %out: f16):
    %0 = arith.divf %q, %columns : f32
    %1 = arith.addf %0, %small : f32
    %2 = math.rsqrt %1 : f32
    %3 = arith.mulf %p, %2 : f32
    %4 = arith.extf %w : f16 to f32
    %5 = arith.mulf %3, %4 : f32
    %6 = arith.truncf %5 : f32 to f16
    linalg.yield %6 : f16
  } -> tensor<100x96xf16>
  return %norm : tensor<100x96xf16>
}
