func.func @gated_mlp(%x: tensor<512x512xbf16>, %gate: tensor<512x1024xbf16>, %up: tensor<512x1024xbf16>, %down: tensor<1024x512xbf16>) -> tensor<512x512xbf16> {
  %zero = arith.constant 0.000000e+00 : f32
  %one = arith.constant 1.000000e+00 : f32
  %empty = tensor.empty() : tensor<512x1024xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<512x1024xf32>) -> tensor<512x1024xf32>
  %product = linalg.matmul ins(%x, %gate : tensor<512x512xbf16>, tensor<512x1024xbf16>) outs(%init : tensor<512x1024xf32>) -> tensor<512x1024xf32>
  %empty_1 = tensor.empty() : tensor<512x1024xf32>
  %init_1 = linalg.fill ins(%zero : f32) outs(%empty_1 : tensor<512x1024xf32>) -> tensor<512x1024xf32>
  %product_1 = linalg.matmul ins(%x, %up : tensor<512x512xbf16>, tensor<512x1024xbf16>) outs(%init_1 : tensor<512x1024xf32>) -> tensor<512x1024xf32>
  %empty_2 = tensor.empty() : tensor<512x1024xbf16>
  %gated = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%product, %product_1 : tensor<512x1024xf32>, tensor<512x1024xf32>) outs(%empty_2 : tensor<512x1024xbf16>) {
  ^bb0(%gate_1: f32, %up_1: f32, %out: bf16):
    %0 = arith.negf %gate_1 : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %gate_1, %2 : f32
    %4 = arith.mulf %3, %up_1 : f32
    %5 = arith.truncf %4 : f32 to bf16
    linalg.yield %5 : bf16
  } -> tensor<512x1024xbf16>
  %empty_3 = tensor.empty() : tensor<512x512xf32>
  %init_2 = linalg.fill ins(%zero : f32) outs(%empty_3 : tensor<512x512xf32>) -> tensor<512x512xf32>
  %product_2 = linalg.matmul ins(%gated, %down : tensor<512x1024xbf16>, tensor<1024x512xbf16>) outs(%init_2 : tensor<512x512xf32>) -> tensor<512x512xf32>
  %empty_4 = tensor.empty() : tensor<512x512xbf16>
  %cast = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%product_2 : tensor<512x512xf32>) outs(%empty_4 : tensor<512x512xbf16>) {
  ^bb0(%x_1: f32, %out_1: bf16):
    %6 = arith.truncf %x_1 : f32 to bf16
    linalg.yield %6 : bf16
  } -> tensor<512x512xbf16>
  func.return %cast : tensor<512x512xbf16>
}
