func.func @rmsnorm_rope(%x: tensor<1024x8x128xbf16>, %weight: tensor<128xbf16>, %cosine: tensor<1024x64xf32>, %sine: tensor<1024x64xf32>) -> tensor<1024x8x128xbf16> {
  %zero = arith.constant 0.000000e+00 : f32
  %cst = arith.constant 1.280000e+02 : f32
  %cst_1 = arith.constant 1.000000e-06 : f32
  %empty = tensor.empty() : tensor<1024x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1024x8xf32>) -> tensor<1024x8xf32>
  %squares = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<1024x8x128xbf16>) outs(%init : tensor<1024x8xf32>) {
  ^bb0(%x_1: bf16, %acc: f32):
    %0 = arith.extf %x_1 : bf16 to f32
    %1 = arith.mulf %0, %0 : f32
    %2 = arith.addf %1, %acc : f32
    linalg.yield %2 : f32
  } -> tensor<1024x8xf32>
  %empty_1 = tensor.empty() : tensor<1024x8xf32>
  %scale = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%squares : tensor<1024x8xf32>) outs(%empty_1 : tensor<1024x8xf32>) {
  ^bb0(%squares_1: f32, %out: f32):
    %3 = arith.divf %squares_1, %cst : f32
    %4 = arith.addf %3, %cst_1 : f32
    %5 = math.rsqrt %4 : f32
    linalg.yield %5 : f32
  } -> tensor<1024x8xf32>
  %empty_2 = tensor.empty() : tensor<1024x8x128xbf16>
  %rmsnorm = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %scale, %weight : tensor<1024x8x128xbf16>, tensor<1024x8xf32>, tensor<128xbf16>) outs(%empty_2 : tensor<1024x8x128xbf16>) {
  ^bb0(%x_2: bf16, %scale_1: f32, %weight_1: bf16, %out_1: bf16):
    %6 = arith.extf %x_2 : bf16 to f32
    %7 = arith.mulf %6, %scale_1 : f32
    %8 = arith.extf %weight_1 : bf16 to f32
    %9 = arith.mulf %7, %8 : f32
    %10 = arith.truncf %9 : f32 to bf16
    linalg.yield %10 : bf16
  } -> tensor<1024x8x128xbf16>
  %part = tensor.extract_slice %rmsnorm[0, 0, 0] [1024, 8, 64] [1, 1, 1] : tensor<1024x8x128xbf16> to tensor<1024x8x64xbf16>
  %part_1 = tensor.extract_slice %rmsnorm[0, 0, 64] [1024, 8, 64] [1, 1, 1] : tensor<1024x8x128xbf16> to tensor<1024x8x64xbf16>
  %empty_3 = tensor.empty() : tensor<1024x8x64xbf16>
  %empty_4 = tensor.empty() : tensor<1024x8x64xbf16>
  %rope, %rope_1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%part, %part_1, %cosine, %sine : tensor<1024x8x64xbf16>, tensor<1024x8x64xbf16>, tensor<1024x64xf32>, tensor<1024x64xf32>) outs(%empty_3, %empty_4 : tensor<1024x8x64xbf16>, tensor<1024x8x64xbf16>) {
  ^bb0(%first: bf16, %second: bf16, %cosine_1: f32, %sine_1: f32, %out_2: bf16, %out_3: bf16):
    %11 = arith.extf %first : bf16 to f32
    %12 = arith.mulf %11, %cosine_1 : f32
    %13 = arith.extf %second : bf16 to f32
    %14 = arith.mulf %13, %sine_1 : f32
    %15 = arith.subf %12, %14 : f32
    %16 = arith.mulf %13, %cosine_1 : f32
    %17 = arith.mulf %11, %sine_1 : f32
    %18 = arith.addf %16, %17 : f32
    %19 = arith.truncf %15 : f32 to bf16
    %20 = arith.truncf %18 : f32 to bf16
    linalg.yield %19, %20 : bf16, bf16
  } -> (tensor<1024x8x64xbf16>, tensor<1024x8x64xbf16>)
  %empty_5 = tensor.empty() : tensor<1024x8x128xbf16>
  %joined = tensor.insert_slice %rope into %empty_5[0, 0, 0] [1024, 8, 64] [1, 1, 1] : tensor<1024x8x64xbf16> into tensor<1024x8x128xbf16>
  %joined_1 = tensor.insert_slice %rope_1 into %joined[0, 0, 64] [1024, 8, 64] [1, 1, 1] : tensor<1024x8x64xbf16> into tensor<1024x8x128xbf16>
  func.return %joined_1 : tensor<1024x8x128xbf16>
}
