func.func @attention_decoding(%q: tensor<4x32x1x128xbf16>, %k: tensor<4x8x4096x128xbf16>, %v: tensor<4x8x4096x128xbf16>) -> tensor<4x32x1x128xbf16> {
  %zero = arith.constant 0.000000e+00 : f32
  %cst = arith.constant 0.0883883461 : f32
  %minus_infinity = arith.constant 0xFF800000 : f32
  %collapsed = tensor.collapse_shape %q [[0], [1], [2, 3]] : tensor<4x32x1x128xbf16> into tensor<4x32x128xbf16>
  %expanded = tensor.expand_shape %collapsed [[0], [1, 2], [3]] output_shape [4, 8, 4, 128] : tensor<4x32x128xbf16> into tensor<4x8x4x128xbf16>
  %empty = tensor.empty() : tensor<4x8x4x4096xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x8x4x4096xf32>) -> tensor<4x8x4x4096xf32>
  %product = linalg.contract indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>] ins(%expanded, %k : tensor<4x8x4x128xbf16>, tensor<4x8x4096x128xbf16>) outs(%init : tensor<4x8x4x4096xf32>) -> tensor<4x8x4x4096xf32>
  %empty_1 = tensor.empty() : tensor<4x8x4x4096xf32>
  %scores = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%product : tensor<4x8x4x4096xf32>) outs(%empty_1 : tensor<4x8x4x4096xf32>) {
  ^bb0(%acc: f32, %out: f32):
    %0 = arith.mulf %acc, %cst : f32
    linalg.yield %0 : f32
  } -> tensor<4x8x4x4096xf32>
  %empty_2 = tensor.empty() : tensor<4x8x4xf32>
  %init_1 = linalg.fill ins(%minus_infinity : f32) outs(%empty_2 : tensor<4x8x4xf32>) -> tensor<4x8x4xf32>
  %largest = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%scores : tensor<4x8x4x4096xf32>) outs(%init_1 : tensor<4x8x4xf32>) {
  ^bb0(%x: f32, %acc_1: f32):
    %1 = arith.maximumf %x, %acc_1 : f32
    linalg.yield %1 : f32
  } -> tensor<4x8x4xf32>
  %empty_3 = tensor.empty() : tensor<4x8x4x4096xf32>
  %exponential = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%scores, %largest : tensor<4x8x4x4096xf32>, tensor<4x8x4xf32>) outs(%empty_3 : tensor<4x8x4x4096xf32>) {
  ^bb0(%x_1: f32, %largest_1: f32, %out_1: f32):
    %2 = arith.subf %x_1, %largest_1 : f32
    %3 = math.exp %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x8x4x4096xf32>
  %empty_4 = tensor.empty() : tensor<4x8x4xf32>
  %init_2 = linalg.fill ins(%zero : f32) outs(%empty_4 : tensor<4x8x4xf32>) -> tensor<4x8x4xf32>
  %total = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exponential : tensor<4x8x4x4096xf32>) outs(%init_2 : tensor<4x8x4xf32>) {
  ^bb0(%x_2: f32, %acc_2: f32):
    %4 = arith.addf %x_2, %acc_2 : f32
    linalg.yield %4 : f32
  } -> tensor<4x8x4xf32>
  %empty_5 = tensor.empty() : tensor<4x8x4x4096xbf16>
  %softmax = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %total : tensor<4x8x4x4096xf32>, tensor<4x8x4xf32>) outs(%empty_5 : tensor<4x8x4x4096xbf16>) {
  ^bb0(%power: f32, %total_1: f32, %out_2: bf16):
    %5 = arith.divf %power, %total_1 : f32
    %6 = arith.truncf %5 : f32 to bf16
    linalg.yield %6 : bf16
  } -> tensor<4x8x4x4096xbf16>
  %empty_6 = tensor.empty() : tensor<4x8x4x128xf32>
  %init_3 = linalg.fill ins(%zero : f32) outs(%empty_6 : tensor<4x8x4x128xf32>) -> tensor<4x8x4x128xf32>
  %product_1 = linalg.contract indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>] ins(%softmax, %v : tensor<4x8x4x4096xbf16>, tensor<4x8x4096x128xbf16>) outs(%init_3 : tensor<4x8x4x128xf32>) -> tensor<4x8x4x128xf32>
  %empty_7 = tensor.empty() : tensor<4x8x4x128xbf16>
  %cast = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%product_1 : tensor<4x8x4x128xf32>) outs(%empty_7 : tensor<4x8x4x128xbf16>) {
  ^bb0(%x_3: f32, %out_3: bf16):
    %7 = arith.truncf %x_3 : f32 to bf16
    linalg.yield %7 : bf16
  } -> tensor<4x8x4x128xbf16>
  %collapsed_1 = tensor.collapse_shape %cast [[0], [1, 2], [3]] : tensor<4x8x4x128xbf16> into tensor<4x32x128xbf16>
  %expanded_1 = tensor.expand_shape %collapsed_1 [[0], [1], [2, 3]] output_shape [4, 32, 1, 128] : tensor<4x32x128xbf16> into tensor<4x32x1x128xbf16>
  func.return %expanded_1 : tensor<4x32x1x128xbf16>
}
