func.func @linear_relu(%a: tensor<512x512xf16>, %b: tensor<512x512xf16>, %bias: tensor<512xf16>) -> tensor<512x512xf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<512x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<512x512xf32>) -> tensor<512x512xf32>
  %product = linalg.matmul ins(%a, %b : tensor<512x512xf16>, tensor<512x512xf16>)
    outs(%init : tensor<512x512xf32>) -> tensor<512x512xf32>
  %out = tensor.empty() : tensor<512x512xf16>
  %result = linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%product, %bias : tensor<512x512xf32>, tensor<512xf16>) outs(%out : tensor<512x512xf16>) {
  ^bb0(%x: f32, %v: f16, %o: f16):
    %wide = arith.extf %v : f16 to f32
    %sum = arith.addf %x, %wide : f32
    %relu = arith.maximumf %sum, %zero : f32
    %narrow = arith.truncf %relu : f32 to f16
    linalg.yield %narrow : f16
  } -> tensor<512x512xf16>
  return %result : tensor<512x512xf16>
}
