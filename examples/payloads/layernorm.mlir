func.func @layernorm(%x: tensor<4096x1024xf16>, %weight: tensor<1024xf16>, %bias: tensor<1024xf16>) -> tensor<4096x1024xf16> {
  %zero = arith.constant 0.000000e+00 : f32
  %cst = arith.constant 1.024000e+03 : f32
  %cst_1 = arith.constant 1.000000e-05 : f32
  %empty = tensor.empty() : tensor<4096xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4096xf32>) -> tensor<4096xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4096x1024xf16>) outs(%init : tensor<4096xf32>) {
  ^bb0(%x_1: f16, %acc: f32):
    %0 = arith.extf %x_1 : f16 to f32
    %1 = arith.addf %0, %acc : f32
    linalg.yield %1 : f32
  } -> tensor<4096xf32>
  %empty_1 = tensor.empty() : tensor<4096xf32>
  %mean = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%sum : tensor<4096xf32>) outs(%empty_1 : tensor<4096xf32>) {
  ^bb0(%total: f32, %out: f32):
    %2 = arith.divf %total, %cst : f32
    linalg.yield %2 : f32
  } -> tensor<4096xf32>
  %empty_2 = tensor.empty() : tensor<4096xf32>
  %init_1 = linalg.fill ins(%zero : f32) outs(%empty_2 : tensor<4096xf32>) -> tensor<4096xf32>
  %squares = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x, %mean : tensor<4096x1024xf16>, tensor<4096xf32>) outs(%init_1 : tensor<4096xf32>) {
  ^bb0(%x_2: f16, %mean_1: f32, %acc_1: f32):
    %3 = arith.extf %x_2 : f16 to f32
    %4 = arith.subf %3, %mean_1 : f32
    %5 = arith.mulf %4, %4 : f32
    %6 = arith.addf %5, %acc_1 : f32
    linalg.yield %6 : f32
  } -> tensor<4096xf32>
  %empty_3 = tensor.empty() : tensor<4096xf32>
  %scale = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%squares : tensor<4096xf32>) outs(%empty_3 : tensor<4096xf32>) {
  ^bb0(%squares_1: f32, %out_1: f32):
    %7 = arith.divf %squares_1, %cst : f32
    %8 = arith.addf %7, %cst_1 : f32
    %9 = math.rsqrt %8 : f32
    linalg.yield %9 : f32
  } -> tensor<4096xf32>
  %empty_4 = tensor.empty() : tensor<4096x1024xf16>
  %layernorm = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %mean, %scale, %weight, %bias : tensor<4096x1024xf16>, tensor<4096xf32>, tensor<4096xf32>, tensor<1024xf16>, tensor<1024xf16>) outs(%empty_4 : tensor<4096x1024xf16>) {
  ^bb0(%x_3: f16, %mean_2: f32, %scale_1: f32, %weight_1: f16, %bias_1: f16, %out_2: f16):
    %10 = arith.extf %x_3 : f16 to f32
    %11 = arith.subf %10, %mean_2 : f32
    %12 = arith.mulf %11, %scale_1 : f32
    %13 = arith.extf %weight_1 : f16 to f32
    %14 = arith.mulf %12, %13 : f32
    %15 = arith.extf %bias_1 : f16 to f32
    %16 = arith.addf %14, %15 : f32
    %17 = arith.truncf %16 : f32 to f16
    linalg.yield %17 : f16
  } -> tensor<4096x1024xf16>
  func.return %layernorm : tensor<4096x1024xf16>
}
