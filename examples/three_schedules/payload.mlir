// relu(A B): what to compute, nothing about how.
func.func @matmul_relu(%a: tensor<64x32xf32>, %b: tensor<32x96xf32>) -> tensor<64x96xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x96xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x96xf32>) -> tensor<64x96xf32>
  %product = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x96xf32>)
    outs(%init : tensor<64x96xf32>) -> tensor<64x96xf32>
  %relu = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%product : tensor<64x96xf32>) outs(%empty : tensor<64x96xf32>) {
  ^bb0(%x: f32, %out: f32):
    %y = arith.maximumf %x, %zero : f32
    linalg.yield %y : f32
  } -> tensor<64x96xf32>
  return %relu : tensor<64x96xf32>
}
