func.func @linear_rmsnorm(%x: tensor<4096x1024xbf16>, %w: tensor<1024x128xbf16>, %weight: tensor<128xbf16>) -> tensor<4096x128xf32> {
  %zero = arith.constant 0.000000e+00 : f32
  %cst = arith.constant 1.280000e+02 : f32
  %cst_1 = arith.constant 1.000000e-06 : f32
  %empty = tensor.empty() : tensor<4096x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4096x128xf32>) -> tensor<4096x128xf32>
  %product = linalg.matmul ins(%x, %w : tensor<4096x1024xbf16>, tensor<1024x128xbf16>) outs(%init : tensor<4096x128xf32>) -> tensor<4096x128xf32>
  %empty_1 = tensor.empty() : tensor<4096xf32>
  %init_1 = linalg.fill ins(%zero : f32) outs(%empty_1 : tensor<4096xf32>) -> tensor<4096xf32>
  %squares = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%product : tensor<4096x128xf32>) outs(%init_1 : tensor<4096xf32>) {
  ^bb0(%x_1: f32, %acc: f32):
    %0 = arith.mulf %x_1, %x_1 : f32
    %1 = arith.addf %0, %acc : f32
    linalg.yield %1 : f32
  } -> tensor<4096xf32>
  %empty_2 = tensor.empty() : tensor<4096xf32>
  %scale = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%squares : tensor<4096xf32>) outs(%empty_2 : tensor<4096xf32>) {
  ^bb0(%squares_1: f32, %out: f32):
    %2 = arith.divf %squares_1, %cst : f32
    %3 = arith.addf %2, %cst_1 : f32
    %4 = math.rsqrt %3 : f32
    linalg.yield %4 : f32
  } -> tensor<4096xf32>
  %empty_3 = tensor.empty() : tensor<4096x128xf32>
  %rmsnorm = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%product, %scale, %weight : tensor<4096x128xf32>, tensor<4096xf32>, tensor<128xbf16>) outs(%empty_3 : tensor<4096x128xf32>) {
  ^bb0(%x_2: f32, %scale_1: f32, %weight_1: bf16, %out_1: f32):
    %5 = arith.mulf %x_2, %scale_1 : f32
    %6 = arith.extf %weight_1 : bf16 to f32
    %7 = arith.mulf %5, %6 : f32
    linalg.yield %7 : f32
  } -> tensor<4096x128xf32>
  func.return %rmsnorm : tensor<4096x128xf32>
}
