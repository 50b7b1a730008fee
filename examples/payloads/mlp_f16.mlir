func.func @mlp_relu(%x: tensor<256x1024xf16>, %w1: tensor<1024x1024xf16>, %b1: tensor<1024xf16>, %w2: tensor<1024x1024xf16>, %b2: tensor<1024xf16>) -> tensor<256x1024xf16> {
  %zero = arith.constant 0.000000e+00 : f32
  %empty = tensor.empty() : tensor<256x1024xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x1024xf32>) -> tensor<256x1024xf32>
  %product = linalg.matmul ins(%x, %w1 : tensor<256x1024xf16>, tensor<1024x1024xf16>) outs(%init : tensor<256x1024xf32>) -> tensor<256x1024xf32>
  %empty_1 = tensor.empty() : tensor<256x1024xf16>
  %linear = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%product, %b1 : tensor<256x1024xf32>, tensor<1024xf16>) outs(%empty_1 : tensor<256x1024xf16>) {
  ^bb0(%acc: f32, %bias: f16, %out: f16):
    %0 = arith.extf %bias : f16 to f32
    %1 = arith.addf %acc, %0 : f32
    %2 = arith.maximumf %1, %zero : f32
    %3 = arith.truncf %2 : f32 to f16
    linalg.yield %3 : f16
  } -> tensor<256x1024xf16>
  %empty_2 = tensor.empty() : tensor<256x1024xf32>
  %init_1 = linalg.fill ins(%zero : f32) outs(%empty_2 : tensor<256x1024xf32>) -> tensor<256x1024xf32>
  %product_1 = linalg.matmul ins(%linear, %w2 : tensor<256x1024xf16>, tensor<1024x1024xf16>) outs(%init_1 : tensor<256x1024xf32>) -> tensor<256x1024xf32>
  %empty_3 = tensor.empty() : tensor<256x1024xf16>
  %linear_1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%product_1, %b2 : tensor<256x1024xf32>, tensor<1024xf16>) outs(%empty_3 : tensor<256x1024xf16>) {
  ^bb0(%acc_1: f32, %bias_1: f16, %out_1: f16):
    %4 = arith.extf %bias_1 : f16 to f32
    %5 = arith.addf %acc_1, %4 : f32
    %6 = arith.truncf %5 : f32 to f16
    linalg.yield %6 : f16
  } -> tensor<256x1024xf16>
  func.return %linear_1 : tensor<256x1024xf16>
}
