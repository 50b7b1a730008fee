func.func @mlp_relu(%x: tensor<256x1024xf32>, %w1: tensor<1024x1024xf32>, %b1: tensor<1024xf32>, %w2: tensor<1024x1024xf32>, %b2: tensor<1024xf32>) -> tensor<256x1024xf32> {
  %zero = arith.constant 0.000000e+00 : f32
  %empty = tensor.empty() : tensor<256x1024xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x1024xf32>) -> tensor<256x1024xf32>
  %product = linalg.matmul ins(%x, %w1 : tensor<256x1024xf32>, tensor<1024x1024xf32>) outs(%init : tensor<256x1024xf32>) -> tensor<256x1024xf32>
  %empty_1 = tensor.empty() : tensor<256x1024xf32>
  %linear = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%product, %b1 : tensor<256x1024xf32>, tensor<1024xf32>) outs(%empty_1 : tensor<256x1024xf32>) {
  ^bb0(%acc: f32, %bias: f32, %out: f32):
    %0 = arith.addf %acc, %bias : f32
    %1 = arith.maximumf %0, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<256x1024xf32>
  %empty_2 = tensor.empty() : tensor<256x1024xf32>
  %init_1 = linalg.fill ins(%zero : f32) outs(%empty_2 : tensor<256x1024xf32>) -> tensor<256x1024xf32>
  %product_1 = linalg.matmul ins(%linear, %w2 : tensor<256x1024xf32>, tensor<1024x1024xf32>) outs(%init_1 : tensor<256x1024xf32>) -> tensor<256x1024xf32>
  %empty_3 = tensor.empty() : tensor<256x1024xf32>
  %linear_1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%product_1, %b2 : tensor<256x1024xf32>, tensor<1024xf32>) outs(%empty_3 : tensor<256x1024xf32>) {
  ^bb0(%acc_1: f32, %bias_1: f32, %out_1: f32):
    %2 = arith.addf %acc_1, %bias_1 : f32
    linalg.yield %2 : f32
  } -> tensor<256x1024xf32>
  func.return %linear_1 : tensor<256x1024xf32>
}
