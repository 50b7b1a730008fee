func.func @cross_entropy(%logits: tensor<512x4096xbf16>, %targets: tensor<512xi64>) -> tensor<512xf32> {
  %minus_infinity = arith.constant 0xFF80 : bf16
  %zero = arith.constant 0.000000e+00 : f32
  %zero_1 = arith.constant 0.000000e+00 : bf16
  %empty = tensor.empty() : tensor<512xbf16>
  %init = linalg.fill ins(%minus_infinity : bf16) outs(%empty : tensor<512xbf16>) -> tensor<512xbf16>
  %largest = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%logits : tensor<512x4096xbf16>) outs(%init : tensor<512xbf16>) {
  ^bb0(%x: bf16, %acc: bf16):
    %0 = arith.maximumf %x, %acc : bf16
    linalg.yield %0 : bf16
  } -> tensor<512xbf16>
  %empty_1 = tensor.empty() : tensor<512x4096xf32>
  %exponential = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%logits, %largest : tensor<512x4096xbf16>, tensor<512xbf16>) outs(%empty_1 : tensor<512x4096xf32>) {
  ^bb0(%x_1: bf16, %largest_1: bf16, %out: f32):
    %1 = arith.extf %x_1 : bf16 to f32
    %2 = arith.extf %largest_1 : bf16 to f32
    %3 = arith.subf %1, %2 : f32
    %4 = math.exp %3 : f32
    linalg.yield %4 : f32
  } -> tensor<512x4096xf32>
  %empty_2 = tensor.empty() : tensor<512xf32>
  %init_1 = linalg.fill ins(%zero : f32) outs(%empty_2 : tensor<512xf32>) -> tensor<512xf32>
  %total = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%exponential : tensor<512x4096xf32>) outs(%init_1 : tensor<512xf32>) {
  ^bb0(%x_2: f32, %acc_1: f32):
    %5 = arith.addf %x_2, %acc_1 : f32
    linalg.yield %5 : f32
  } -> tensor<512xf32>
  %empty_3 = tensor.empty() : tensor<512xf32>
  %init_2 = linalg.fill ins(%zero : f32) outs(%empty_3 : tensor<512xf32>) -> tensor<512xf32>
  %picked = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%logits, %targets : tensor<512x4096xbf16>, tensor<512xi64>) outs(%init_2 : tensor<512xf32>) {
  ^bb0(%x_3: bf16, %target: i64, %acc_2: f32):
    %6 = linalg.index 1 : index
    %7 = arith.index_cast %target : i64 to index
    %8 = arith.cmpi eq, %6, %7 : index
    %9 = arith.select %8, %x_3, %zero_1 : bf16
    %10 = arith.extf %9 : bf16 to f32
    %11 = arith.addf %10, %acc_2 : f32
    linalg.yield %11 : f32
  } -> tensor<512xf32>
  %empty_4 = tensor.empty() : tensor<512xf32>
  %loss = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%largest, %total, %picked : tensor<512xbf16>, tensor<512xf32>, tensor<512xf32>) outs(%empty_4 : tensor<512xf32>) {
  ^bb0(%largest_2: bf16, %total_1: f32, %picked_1: f32, %out_1: f32):
    %12 = math.log %total_1 : f32
    %13 = arith.extf %largest_2 : bf16 to f32
    %14 = arith.subf %picked_1, %13 : f32
    %15 = arith.subf %12, %14 : f32
    linalg.yield %15 : f32
  } -> tensor<512xf32>
  func.return %loss : tensor<512xf32>
}
