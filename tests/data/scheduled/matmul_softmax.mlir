// The softmax of a product's rows, which fit a tile.
func.func @matmul_softmax(%a: tensor<100x72xbf16>, %b: tensor<72x50xbf16>) -> tensor<100x50xf32> {
  %zero = arith.constant 0.000000e+00 : f32
  %minus_infinity = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<100x50xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<100x50xf32>) -> tensor<100x50xf32>
  %product = linalg.matmul ins(%a, %b : tensor<100x72xbf16>, tensor<72x50xbf16>) outs(%init : tensor<100x50xf32>) -> tensor<100x50xf32>
  %empty_1 = tensor.empty() : tensor<100xf32>
  %init_1 = linalg.fill ins(%minus_infinity : f32) outs(%empty_1 : tensor<100xf32>) -> tensor<100xf32>
  %largest = linalg.reduce { arith.maximumf } ins(%product : tensor<100x50xf32>) outs(%init_1 : tensor<100xf32>) dimensions = [1]
  %empty_2 = tensor.empty() : tensor<100x50xf32>
  %exponential = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%product, %largest : tensor<100x50xf32>, tensor<100xf32>) outs(%empty_2 : tensor<100x50xf32>) {
  ^bb0(%p: f32, %l: f32, %out: f32):
    %0 = arith.subf %p, %l : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<100x50xf32>
  %empty_3 = tensor.empty() : tensor<100xf32>
  %init_2 = linalg.fill ins(%zero : f32) outs(%empty_3 : tensor<100xf32>) -> tensor<100xf32>
  %total = linalg.reduce { arith.addf } ins(%exponential : tensor<100x50xf32>) outs(%init_2 : tensor<100xf32>) dimensions = [1]
  %empty_4 = tensor.empty() : tensor<100x50xf32>
  %softmax = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%exponential, %total : tensor<100x50xf32>, tensor<100xf32>) outs(%empty_4 : tensor<100x50xf32>) {
  ^bb0(%e: f32, %t: f32, %out: f32):
    %0 = arith.divf %e, %t : f32
    linalg.yield %0 : f32
  } -> tensor<100x50xf32>
  return %softmax : tensor<100x50xf32>
}
