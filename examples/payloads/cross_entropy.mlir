func.func @cross_entropy(%logits: tensor<512x4096xbf16>, %targets: tensor<512xi64>) -> tensor<512xf32> {
  %minus_infinity = arith.constant 0xFF80 : bf16
  %zero = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %c4096 = arith.constant 4096 : index
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
  %loss = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%largest, %total, %targets : tensor<512xbf16>, tensor<512xf32>, tensor<512xi64>) outs(%empty_3 : tensor<512xf32>) {
  ^bb0(%largest_2: bf16, %total_1: f32, %target: i64, %out_1: f32):
    %6 = arith.index_cast %target : i64 to index
    %7 = arith.cmpi sge, %6, %c0 : index
    %8 = arith.cmpi slt, %6, %c4096 : index
    %9 = arith.andi %7, %8 : i1
    %10 = linalg.index 0 : index
    %11 = arith.select %9, %6, %c0 : index
    %logits_1 = tensor.extract %logits[%10, %11] : tensor<512x4096xbf16>
    %12 = math.log %total_1 : f32
    %13 = arith.select %9, %logits_1, %zero_1 : bf16
    %14 = arith.extf %13 : bf16 to f32
    %15 = arith.extf %largest_2 : bf16 to f32
    %16 = arith.subf %14, %15 : f32
    %17 = arith.subf %12, %16 : f32
    linalg.yield %17 : f32
  } -> tensor<512xf32>
  func.return %loss : tensor<512xf32>
}
