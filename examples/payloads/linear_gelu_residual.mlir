func.func @linear_gelu_residual(%x: tensor<512x512xf16>, %w: tensor<512x512xf16>, %b: tensor<512xf16>, %r: tensor<512x512xf16>) -> tensor<512x512xf16> {
  %zero = arith.constant 0.000000e+00 : f32
  %cst = arith.constant 5.000000e-01 : f32
  %cst_1 = arith.constant 0.707106769 : f32
  %one = arith.constant 1.000000e+00 : f32
  %empty = tensor.empty() : tensor<512x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<512x512xf32>) -> tensor<512x512xf32>
  %product = linalg.matmul ins(%x, %w : tensor<512x512xf16>, tensor<512x512xf16>) outs(%init : tensor<512x512xf32>) -> tensor<512x512xf32>
  %empty_1 = tensor.empty() : tensor<512x512xf16>
  %linear = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%product, %b, %r : tensor<512x512xf32>, tensor<512xf16>, tensor<512x512xf16>) outs(%empty_1 : tensor<512x512xf16>) {
  ^bb0(%acc: f32, %bias: f16, %residual: f16, %out: f16):
    %0 = arith.extf %bias : f16 to f32
    %1 = arith.addf %acc, %0 : f32
    %2 = arith.mulf %1, %cst : f32
    %3 = arith.mulf %1, %cst_1 : f32
    %4 = math.erf %3 : f32
    %5 = arith.addf %4, %one : f32
    %6 = arith.mulf %2, %5 : f32
    %7 = arith.extf %residual : f16 to f32
    %8 = arith.addf %6, %7 : f32
    %9 = arith.truncf %8 : f32 to f16
    linalg.yield %9 : f16
  } -> tensor<512x512xf16>
  func.return %linear : tensor<512x512xf16>
}
