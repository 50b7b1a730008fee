func.func @batch_matmul(%a: tensor<16x256x128xf16>, %b: tensor<16x128x256xf16>) -> tensor<16x256x256xf16> {
  %zero = arith.constant 0.000000e+00 : f32
  %empty = tensor.empty() : tensor<16x256x256xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x256x256xf32>) -> tensor<16x256x256xf32>
  %product = linalg.batch_matmul ins(%a, %b : tensor<16x256x128xf16>, tensor<16x128x256xf16>) outs(%init : tensor<16x256x256xf32>) -> tensor<16x256x256xf32>
  %empty_1 = tensor.empty() : tensor<16x256x256xf16>
  %cast = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%product : tensor<16x256x256xf32>) outs(%empty_1 : tensor<16x256x256xf16>) {
  ^bb0(%x: f32, %out: f16):
    %0 = arith.truncf %x : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<16x256x256xf16>
  func.return %cast : tensor<16x256x256xf16>
}
