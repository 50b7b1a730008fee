func.func @attention_documents(%q: tensor<2x4x512x64xbf16>, %k: tensor<2x4x512x64xbf16>, %v: tensor<2x4x512x64xbf16>, %documents: tensor<2x512xi32>) -> tensor<2x4x512x64xbf16> {
  %zero = arith.constant 0.000000e+00 : f32
  %cst = arith.constant 0.00416666688 : f32
  %cst_1 = arith.constant 3.000000e+01 : f32
  %minus_infinity = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<2x4x512x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x4x512x512xf32>) -> tensor<2x4x512x512xf32>
  %product = linalg.contract indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>] ins(%q, %k : tensor<2x4x512x64xbf16>, tensor<2x4x512x64xbf16>) outs(%init : tensor<2x4x512x512xf32>) -> tensor<2x4x512x512xf32>
  %empty_1 = tensor.empty() : tensor<2x4x512x512xf32>
  %scores = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%product, %documents, %documents : tensor<2x4x512x512xf32>, tensor<2x512xi32>, tensor<2x512xi32>) outs(%empty_1 : tensor<2x4x512x512xf32>) {
  ^bb0(%acc: f32, %query_document: i32, %key_document: i32, %out: f32):
    %0 = arith.mulf %acc, %cst : f32
    %1 = math.tanh %0 : f32
    %2 = arith.mulf %1, %cst_1 : f32
    %3 = linalg.index 3 : index
    %4 = linalg.index 2 : index
    %5 = arith.cmpi sle, %3, %4 : index
    %6 = arith.cmpi eq, %query_document, %key_document : i32
    %7 = arith.andi %5, %6 : i1
    %8 = arith.select %7, %2, %minus_infinity : f32
    linalg.yield %8 : f32
  } -> tensor<2x4x512x512xf32>
  %empty_2 = tensor.empty() : tensor<2x4x512xf32>
  %init_1 = linalg.fill ins(%minus_infinity : f32) outs(%empty_2 : tensor<2x4x512xf32>) -> tensor<2x4x512xf32>
  %largest = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%scores : tensor<2x4x512x512xf32>) outs(%init_1 : tensor<2x4x512xf32>) {
  ^bb0(%x: f32, %acc_1: f32):
    %9 = arith.maximumf %x, %acc_1 : f32
    linalg.yield %9 : f32
  } -> tensor<2x4x512xf32>
  %empty_3 = tensor.empty() : tensor<2x4x512x512xf32>
  %exponential = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%scores, %largest : tensor<2x4x512x512xf32>, tensor<2x4x512xf32>) outs(%empty_3 : tensor<2x4x512x512xf32>) {
  ^bb0(%x_1: f32, %largest_1: f32, %out_1: f32):
    %10 = arith.subf %x_1, %largest_1 : f32
    %11 = math.exp %10 : f32
    linalg.yield %11 : f32
  } -> tensor<2x4x512x512xf32>
  %empty_4 = tensor.empty() : tensor<2x4x512xf32>
  %init_2 = linalg.fill ins(%zero : f32) outs(%empty_4 : tensor<2x4x512xf32>) -> tensor<2x4x512xf32>
  %total = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exponential : tensor<2x4x512x512xf32>) outs(%init_2 : tensor<2x4x512xf32>) {
  ^bb0(%x_2: f32, %acc_2: f32):
    %12 = arith.addf %x_2, %acc_2 : f32
    linalg.yield %12 : f32
  } -> tensor<2x4x512xf32>
  %empty_5 = tensor.empty() : tensor<2x4x512x512xbf16>
  %softmax = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %total : tensor<2x4x512x512xf32>, tensor<2x4x512xf32>) outs(%empty_5 : tensor<2x4x512x512xbf16>) {
  ^bb0(%power: f32, %total_1: f32, %out_2: bf16):
    %13 = arith.divf %power, %total_1 : f32
    %14 = arith.truncf %13 : f32 to bf16
    linalg.yield %14 : bf16
  } -> tensor<2x4x512x512xbf16>
  %empty_6 = tensor.empty() : tensor<2x4x512x64xf32>
  %init_3 = linalg.fill ins(%zero : f32) outs(%empty_6 : tensor<2x4x512x64xf32>) -> tensor<2x4x512x64xf32>
  %product_1 = linalg.contract indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>] ins(%softmax, %v : tensor<2x4x512x512xbf16>, tensor<2x4x512x64xbf16>) outs(%init_3 : tensor<2x4x512x64xf32>) -> tensor<2x4x512x64xf32>
  %empty_7 = tensor.empty() : tensor<2x4x512x64xbf16>
  %cast = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%product_1 : tensor<2x4x512x64xf32>) outs(%empty_7 : tensor<2x4x512x64xbf16>) {
  ^bb0(%x_3: f32, %out_3: bf16):
    %15 = arith.truncf %x_3 : f32 to bf16
    linalg.yield %15 : bf16
  } -> tensor<2x4x512x64xbf16>
  func.return %cast : tensor<2x4x512x64xbf16>
}
