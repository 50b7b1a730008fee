func.func @softcap_attention(%q: tensor<32x4096x128xbf16>, %k: tensor<32x4096x128xbf16>, %v: tensor<32x4096x128xbf16>) -> tensor<32x4096x128xbf16> {
  %zero = arith.constant 0.000000e+00 : f32
  %cst = arith.constant 0.00176776689 : f32
  %cst_1 = arith.constant 5.000000e+01 : f32
  %minus_infinity = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<32x4096x4096xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x4096x4096xf32>) -> tensor<32x4096x4096xf32>
  %product = linalg.batch_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>] ins(%q, %k : tensor<32x4096x128xbf16>, tensor<32x4096x128xbf16>) outs(%init : tensor<32x4096x4096xf32>) -> tensor<32x4096x4096xf32>
  %empty_1 = tensor.empty() : tensor<32x4096x4096xf32>
  %scores = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%product : tensor<32x4096x4096xf32>) outs(%empty_1 : tensor<32x4096x4096xf32>) {
  ^bb0(%acc: f32, %out: f32):
    %0 = arith.mulf %acc, %cst : f32
    %1 = math.tanh %0 : f32
    %2 = arith.mulf %1, %cst_1 : f32
    linalg.yield %2 : f32
  } -> tensor<32x4096x4096xf32>
  %empty_2 = tensor.empty() : tensor<32x4096xf32>
  %init_1 = linalg.fill ins(%minus_infinity : f32) outs(%empty_2 : tensor<32x4096xf32>) -> tensor<32x4096xf32>
  %largest = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%scores : tensor<32x4096x4096xf32>) outs(%init_1 : tensor<32x4096xf32>) {
  ^bb0(%x: f32, %acc_1: f32):
    %3 = arith.maximumf %x, %acc_1 : f32
    linalg.yield %3 : f32
  } -> tensor<32x4096xf32>
  %empty_3 = tensor.empty() : tensor<32x4096x4096xf32>
  %exponential = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scores, %largest : tensor<32x4096x4096xf32>, tensor<32x4096xf32>) outs(%empty_3 : tensor<32x4096x4096xf32>) {
  ^bb0(%x_1: f32, %largest_1: f32, %out_1: f32):
    %4 = arith.subf %x_1, %largest_1 : f32
    %5 = math.exp %4 : f32
    linalg.yield %5 : f32
  } -> tensor<32x4096x4096xf32>
  %empty_4 = tensor.empty() : tensor<32x4096xf32>
  %init_2 = linalg.fill ins(%zero : f32) outs(%empty_4 : tensor<32x4096xf32>) -> tensor<32x4096xf32>
  %total = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%exponential : tensor<32x4096x4096xf32>) outs(%init_2 : tensor<32x4096xf32>) {
  ^bb0(%x_2: f32, %acc_2: f32):
    %6 = arith.addf %x_2, %acc_2 : f32
    linalg.yield %6 : f32
  } -> tensor<32x4096xf32>
  %empty_5 = tensor.empty() : tensor<32x4096x4096xbf16>
  %softmax = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exponential, %total : tensor<32x4096x4096xf32>, tensor<32x4096xf32>) outs(%empty_5 : tensor<32x4096x4096xbf16>) {
  ^bb0(%power: f32, %total_1: f32, %out_2: bf16):
    %7 = arith.divf %power, %total_1 : f32
    %8 = arith.truncf %7 : f32 to bf16
    linalg.yield %8 : bf16
  } -> tensor<32x4096x4096xbf16>
  %empty_6 = tensor.empty() : tensor<32x4096x128xf32>
  %init_3 = linalg.fill ins(%zero : f32) outs(%empty_6 : tensor<32x4096x128xf32>) -> tensor<32x4096x128xf32>
  %product_1 = linalg.batch_matmul ins(%softmax, %v : tensor<32x4096x4096xbf16>, tensor<32x4096x128xbf16>) outs(%init_3 : tensor<32x4096x128xf32>) -> tensor<32x4096x128xf32>
  %empty_7 = tensor.empty() : tensor<32x4096x128xbf16>
  %cast = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%product_1 : tensor<32x4096x128xf32>) outs(%empty_7 : tensor<32x4096x128xbf16>) {
  ^bb0(%x_3: f32, %out_3: bf16):
    %9 = arith.truncf %x_3 : f32 to bf16
    linalg.yield %9 : bf16
  } -> tensor<32x4096x128xbf16>
  func.return %cast : tensor<32x4096x128xbf16>
}
