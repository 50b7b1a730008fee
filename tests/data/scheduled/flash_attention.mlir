// Plain causal attention; its schedule makes it one streaming kernel.
func.func @attention(%q: tensor<2x64x32xf16>, %k: tensor<2x64x32xf16>, %v: tensor<2x64x32xf16>) -> tensor<2x64x32xf16> {
  %zero = arith.constant 0.000000e+00 : f32
  %cst = arith.constant 0.176776692 : f32
  %minus_infinity = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<2x64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %product = linalg.batch_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>] ins(%q, %k : tensor<2x64x32xf16>, tensor<2x64x32xf16>) outs(%init : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %empty_1 = tensor.empty() : tensor<2x64x64xf32>
  %scores = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%product : tensor<2x64x64xf32>) outs(%empty_1 : tensor<2x64x64xf32>) {
  ^bb0(%acc: f32, %out: f32):
    %0 = arith.mulf %acc, %cst : f32
    %1 = linalg.index 2 : index
    %2 = linalg.index 1 : index
    %3 = arith.cmpi sle, %1, %2 : index
    %4 = arith.select %3, %0, %minus_infinity : f32
    linalg.yield %4 : f32
  } -> tensor<2x64x64xf32>
  %empty_2 = tensor.empty() : tensor<2x64xf32>
  %init_1 = linalg.fill ins(%minus_infinity : f32) outs(%empty_2 : tensor<2x64xf32>) -> tensor<2x64xf32>
  %largest = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%scores : tensor<2x64x64xf32>) outs(%init_1 : tensor<2x64xf32>) {
  ^bb0(%x: f32, %acc_1: f32):
    %5 = arith.maximumf %x, %acc_1 : f32
    linalg.yield %5 : f32
  } -> tensor<2x64xf32>
  %empty_3 = tensor.empty() : tensor<2x64x64xf32>
  %exponential = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scores, %largest : tensor<2x64x64xf32>, tensor<2x64xf32>) outs(%empty_3 : tensor<2x64x64xf32>) {
  ^bb0(%x_1: f32, %largest_1: f32, %out_1: f32):
    %6 = arith.subf %x_1, %largest_1 : f32
    %7 = math.exp %6 : f32
    linalg.yield %7 : f32
  } -> tensor<2x64x64xf32>
  %empty_4 = tensor.empty() : tensor<2x64xf32>
  %init_2 = linalg.fill ins(%zero : f32) outs(%empty_4 : tensor<2x64xf32>) -> tensor<2x64xf32>
  %total = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%exponential : tensor<2x64x64xf32>) outs(%init_2 : tensor<2x64xf32>) {
  ^bb0(%x_2: f32, %acc_2: f32):
    %8 = arith.addf %x_2, %acc_2 : f32
    linalg.yield %8 : f32
  } -> tensor<2x64xf32>
  %empty_5 = tensor.empty() : tensor<2x64x64xf16>
  %softmax = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exponential, %total : tensor<2x64x64xf32>, tensor<2x64xf32>) outs(%empty_5 : tensor<2x64x64xf16>) {
  ^bb0(%power: f32, %total_1: f32, %out_2: f16):
    %9 = arith.divf %power, %total_1 : f32
    %10 = arith.truncf %9 : f32 to f16
    linalg.yield %10 : f16
  } -> tensor<2x64x64xf16>
  %empty_6 = tensor.empty() : tensor<2x64x32xf32>
  %init_3 = linalg.fill ins(%zero : f32) outs(%empty_6 : tensor<2x64x32xf32>) -> tensor<2x64x32xf32>
  %product_1 = linalg.batch_matmul ins(%softmax, %v : tensor<2x64x64xf16>, tensor<2x64x32xf16>) outs(%init_3 : tensor<2x64x32xf32>) -> tensor<2x64x32xf32>
  %empty_7 = tensor.empty() : tensor<2x64x32xf16>
  %cast = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%product_1 : tensor<2x64x32xf32>) outs(%empty_7 : tensor<2x64x32xf16>) {
  ^bb0(%x_3: f32, %out_3: f16):
    %11 = arith.truncf %x_3 : f32 to f16
    linalg.yield %11 : f16
  } -> tensor<2x64x32xf16>
  func.return %cast : tensor<2x64x32xf16>
}
