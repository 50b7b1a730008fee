func.func @matmul_relu(%a: tensor<512x512xf16>, %b: tensor<512x512xf16>) -> tensor<512x512xf16> {
  %zero = arith.constant 0.000000e+00 : f32
  %empty = tensor.empty() : tensor<512x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<512x512xf32>) -> tensor<512x512xf32>
  %product = linalg.matmul ins(%a, %b : tensor<512x512xf16>, tensor<512x512xf16>) outs(%init : tensor<512x512xf32>) -> tensor<512x512xf32>
  %empty_1 = tensor.empty() : tensor<512x512xf16>
  %relu = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%product : tensor<512x512xf32>) outs(%empty_1 : tensor<512x512xf16>) {
  ^bb0(%x: f32, %out: f16):
    %0 = arith.maximumf %x, %zero : f32
    %1 = arith.truncf %0 : f32 to f16
    linalg.yield %1 : f16
  } -> tensor<512x512xf16>
  func.return %relu : tensor<512x512xf16>
}
