builtin.module {
  func.func @softmax(%x: tensor<5x3000xf32>) -> tensor<5x3000xf32> {
    %minus_infinity = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.000000e+00 : f32
    %empty = tensor.empty() : tensor<5xf32>
    %init = linalg.fill ins(%minus_infinity : f32) outs(%empty : tensor<5xf32>) -> tensor<5xf32>
    %largest = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<5x3000xf32>) outs(%init : tensor<5xf32>) {
    ^bb0(%x_1: f32, %acc: f32):
      %0 = arith.maximumf %x_1, %acc : f32
      linalg.yield %0 : f32
    } -> tensor<5xf32>
    %empty_1 = tensor.empty() : tensor<5x3000xf32>
    %exponential = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %largest : tensor<5x3000xf32>, tensor<5xf32>) outs(%empty_1 : tensor<5x3000xf32>) {
    ^bb0(%x_2: f32, %largest_1: f32, %out: f32):
      %1 = arith.subf %x_2, %largest_1 : f32
      %2 = math.exp %1 : f32
      linalg.yield %2 : f32
    } -> tensor<5x3000xf32>
    %empty_2 = tensor.empty() : tensor<5xf32>
    %init_1 = linalg.fill ins(%zero : f32) outs(%empty_2 : tensor<5xf32>) -> tensor<5xf32>
    %total = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%exponential : tensor<5x3000xf32>) outs(%init_1 : tensor<5xf32>) {
    ^bb0(%x_3: f32, %acc_1: f32):
      %3 = arith.addf %x_3, %acc_1 : f32
      linalg.yield %3 : f32
    } -> tensor<5xf32>
    %empty_3 = tensor.empty() : tensor<5x3000xf32>
    %softmax = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%exponential, %total : tensor<5x3000xf32>, tensor<5xf32>) outs(%empty_3 : tensor<5x3000xf32>) {
    ^bb0(%power: f32, %total_1: f32, %out_1: f32):
      %4 = arith.divf %power, %total_1 : f32
      linalg.yield %4 : f32
    } -> tensor<5x3000xf32>
    func.return %softmax : tensor<5x3000xf32>
  }
}
