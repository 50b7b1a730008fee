func.func @fp8_matmul(%a: tensor<512x512xf8E4M3FN>, %b: tensor<512x512xf8E4M3FN>, %a_scale: tensor<512xf32>, %b_scale: tensor<512xf32>) -> tensor<512x512xbf16> {
  %zero = arith.constant 0.000000e+00 : f32
  %empty = tensor.empty() : tensor<512x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<512x512xf32>) -> tensor<512x512xf32>
  %product = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%a, %b : tensor<512x512xf8E4M3FN>, tensor<512x512xf8E4M3FN>) outs(%init : tensor<512x512xf32>) -> tensor<512x512xf32>
  %empty_1 = tensor.empty() : tensor<512x512xbf16>
  %scaled = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%product, %a_scale, %b_scale : tensor<512x512xf32>, tensor<512xf32>, tensor<512xf32>) outs(%empty_1 : tensor<512x512xbf16>) {
  ^bb0(%acc: f32, %a_scale_1: f32, %b_scale_1: f32, %out: bf16):
    %0 = arith.mulf %acc, %a_scale_1 : f32
    %1 = arith.mulf %0, %b_scale_1 : f32
    %2 = arith.truncf %1 : f32 to bf16
    linalg.yield %2 : bf16
  } -> tensor<512x512xbf16>
  func.return %scaled : tensor<512x512xbf16>
}
