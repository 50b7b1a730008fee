func.func @attention(%q: tensor<2x8x512x128xbf16>, %k: tensor<2x2x512x128xbf16>, %v: tensor<2x2x512x128xbf16>) -> tensor<2x8x512x128xbf16> {
  %zero = arith.constant 0.000000e+00 : f32
  %cst = arith.constant 0.0883883461 : f32
  %c127 = arith.constant 127 : index
  %minus_infinity = arith.constant 0xFF800000 : f32
  %expanded = tensor.expand_shape %q [[0], [1, 2], [3], [4]] output_shape [2, 2, 4, 512, 128] : tensor<2x8x512x128xbf16> into tensor<2x2x4x512x128xbf16>
  %empty = tensor.empty() : tensor<2x2x4x512x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x2x4x512x512xf32>) -> tensor<2x2x4x512x512xf32>
  %product = linalg.contract indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4)>] ins(%expanded, %k : tensor<2x2x4x512x128xbf16>, tensor<2x2x512x128xbf16>) outs(%init : tensor<2x2x4x512x512xf32>) -> tensor<2x2x4x512x512xf32>
  %empty_1 = tensor.empty() : tensor<2x2x4x512x512xf32>
  %scores = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%product : tensor<2x2x4x512x512xf32>) outs(%empty_1 : tensor<2x2x4x512x512xf32>) {
  ^bb0(%acc: f32, %out: f32):
    %0 = arith.mulf %acc, %cst : f32
    %1 = linalg.index 4 : index
    %2 = linalg.index 3 : index
    %3 = arith.cmpi sle, %1, %2 : index
    %4 = arith.subi %2, %c127 : index
    %5 = arith.cmpi sge, %1, %4 : index
    %6 = arith.andi %3, %5 : i1
    %7 = arith.select %6, %0, %minus_infinity : f32
    linalg.yield %7 : f32
  } -> tensor<2x2x4x512x512xf32>
  %empty_2 = tensor.empty() : tensor<2x2x4x512xf32>
  %init_1 = linalg.fill ins(%minus_infinity : f32) outs(%empty_2 : tensor<2x2x4x512xf32>) -> tensor<2x2x4x512xf32>
  %largest = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%scores : tensor<2x2x4x512x512xf32>) outs(%init_1 : tensor<2x2x4x512xf32>) {
  ^bb0(%x: f32, %acc_1: f32):
    %8 = arith.maximumf %x, %acc_1 : f32
    linalg.yield %8 : f32
  } -> tensor<2x2x4x512xf32>
  %empty_3 = tensor.empty() : tensor<2x2x4x512x512xf32>
  %exponential = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%scores, %largest : tensor<2x2x4x512x512xf32>, tensor<2x2x4x512xf32>) outs(%empty_3 : tensor<2x2x4x512x512xf32>) {
  ^bb0(%x_1: f32, %largest_1: f32, %out_1: f32):
    %9 = arith.subf %x_1, %largest_1 : f32
    %10 = math.exp %9 : f32
    linalg.yield %10 : f32
  } -> tensor<2x2x4x512x512xf32>
  %empty_4 = tensor.empty() : tensor<2x2x4x512xf32>
  %init_2 = linalg.fill ins(%zero : f32) outs(%empty_4 : tensor<2x2x4x512xf32>) -> tensor<2x2x4x512xf32>
  %total = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%exponential : tensor<2x2x4x512x512xf32>) outs(%init_2 : tensor<2x2x4x512xf32>) {
  ^bb0(%x_2: f32, %acc_2: f32):
    %11 = arith.addf %x_2, %acc_2 : f32
    linalg.yield %11 : f32
  } -> tensor<2x2x4x512xf32>
  %empty_5 = tensor.empty() : tensor<2x2x4x512x512xbf16>
  %softmax = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %total : tensor<2x2x4x512x512xf32>, tensor<2x2x4x512xf32>) outs(%empty_5 : tensor<2x2x4x512x512xbf16>) {
  ^bb0(%power: f32, %total_1: f32, %out_2: bf16):
    %12 = arith.divf %power, %total_1 : f32
    %13 = arith.truncf %12 : f32 to bf16
    linalg.yield %13 : bf16
  } -> tensor<2x2x4x512x512xbf16>
  %empty_6 = tensor.empty() : tensor<2x2x4x512x128xf32>
  %init_3 = linalg.fill ins(%zero : f32) outs(%empty_6 : tensor<2x2x4x512x128xf32>) -> tensor<2x2x4x512x128xf32>
  %product_1 = linalg.contract indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d5, d4)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4)>] ins(%softmax, %v : tensor<2x2x4x512x512xbf16>, tensor<2x2x512x128xbf16>) outs(%init_3 : tensor<2x2x4x512x128xf32>) -> tensor<2x2x4x512x128xf32>
  %empty_7 = tensor.empty() : tensor<2x2x4x512x128xbf16>
  %cast = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%product_1 : tensor<2x2x4x512x128xf32>) outs(%empty_7 : tensor<2x2x4x512x128xbf16>) {
  ^bb0(%x_3: f32, %out_3: bf16):
    %14 = arith.truncf %x_3 : f32 to bf16
    linalg.yield %14 : bf16
  } -> tensor<2x2x4x512x128xbf16>
  %collapsed = tensor.collapse_shape %cast [[0], [1, 2], [3], [4]] : tensor<2x2x4x512x128xbf16> into tensor<2x8x512x128xbf16>
  func.return %collapsed : tensor<2x8x512x128xbf16>
}
