// Without a schedule: all of a matrix comes to one number, in one block.
func.func @default_mean(%x: tensor<100x300xbf16>) -> tensor<f32> {
  %zero = arith.constant 0.000000e+00 : f32
  %count = arith.constant 3.000000e+04 : f32
  %empty = tensor.empty() : tensor<f32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<100x300xbf16>) outs(%init : tensor<f32>) {
  ^bb0(%a: bf16, %acc: f32):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.addf %0, %acc : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  %empty_1 = tensor.empty() : tensor<f32>
  %mean = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%sum : tensor<f32>) outs(%empty_1 : tensor<f32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = arith.divf %a, %count : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  return %mean : tensor<f32>
}
