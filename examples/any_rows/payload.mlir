// A linear layer of a model that is called with any number of tokens: weights and their
// sizes are known, the rows are not.
//
//     relu(x W + b),  x: ?x1024, W: 1024x512
func.func @linear(%x: tensor<?x1024xf16>, %w: tensor<1024x512xf16>, %bias: tensor<512xf16>) -> tensor<?x512xf16> {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x1024xf16>
  %zero = arith.constant 0.000000e+00 : f32
  %empty = tensor.empty(%rows) : tensor<?x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x512xf32>) -> tensor<?x512xf32>
  %product = linalg.matmul ins(%x, %w : tensor<?x1024xf16>, tensor<1024x512xf16>) outs(%init : tensor<?x512xf32>) -> tensor<?x512xf32>
  %narrow = tensor.empty(%rows) : tensor<?x512xf16>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%product, %bias : tensor<?x512xf32>, tensor<512xf16>) outs(%narrow : tensor<?x512xf16>) {
  ^bb0(%p: f32, %b: f16, %out: f16):
    %wide = arith.extf %b : f16 to f32
    %sum = arith.addf %p, %wide : f32
    %relu = arith.maximumf %sum, %zero : f32
    %rounded = arith.truncf %relu : f32 to f16
    linalg.yield %rounded : f16
  } -> tensor<?x512xf16>
  return %y : tensor<?x512xf16>
}
