func.func @rmsnorm(%x: tensor<4096x1024xbf16>, %weight: tensor<1024xbf16>) -> tensor<4096x1024xbf16> {
  %zero = arith.constant 0.000000e+00 : f32
  %cst = arith.constant 1.024000e+03 : f32
  %cst_1 = arith.constant 1.000000e-06 : f32
  %empty = tensor.empty() : tensor<4096xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4096xf32>) -> tensor<4096xf32>
  %squares = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4096x1024xbf16>) outs(%init : tensor<4096xf32>) {
  ^bb0(%x_1: bf16, %acc: f32):
    %0 = arith.extf %x_1 : bf16 to f32
    %1 = arith.mulf %0, %0 : f32
    %2 = arith.addf %1, %acc : f32
    linalg.yield %2 : f32
  } -> tensor<4096xf32>
  %empty_1 = tensor.empty() : tensor<4096xf32>
  %scale = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%squares : tensor<4096xf32>) outs(%empty_1 : tensor<4096xf32>) {
  ^bb0(%squares_1: f32, %out: f32):
    %3 = arith.divf %squares_1, %cst : f32
    %4 = arith.addf %3, %cst_1 : f32
    %5 = math.rsqrt %4 : f32
    linalg.yield %5 : f32
  } -> tensor<4096xf32>
  %empty_2 = tensor.empty() : tensor<4096x1024xbf16>
  %rmsnorm = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %scale, %weight : tensor<4096x1024xbf16>, tensor<4096xf32>, tensor<1024xbf16>) outs(%empty_2 : tensor<4096x1024xbf16>) {
  ^bb0(%x_2: bf16, %scale_1: f32, %weight_1: bf16, %out_1: bf16):
    %6 = arith.extf %x_2 : bf16 to f32
    %7 = arith.mulf %6, %scale_1 : f32
    %8 = arith.extf %weight_1 : bf16 to f32
    %9 = arith.mulf %7, %8 : f32
    %10 = arith.truncf %9 : f32 to bf16
    linalg.yield %10 : bf16
  } -> tensor<4096x1024xbf16>
  func.return %rmsnorm : tensor<4096x1024xbf16>
}
