builtin.module {
  func.func @f(%x: tensor<8x5xf32>) -> tensor<5xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %empty = tensor.empty() : tensor<8x5xf32>
    %empty_1 = tensor.empty() : tensor<5xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty_1 : tensor<5xf32>) -> tensor<5xf32>
    %sum = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<8x5xf32>) outs(%init : tensor<5xf32>) {
    ^bb0(%x_1: f32, %acc: f32):
      %x_2 = arith.mulf %x_1, %x_1 : f32
      %0 = arith.addf %x_2, %acc : f32
      linalg.yield %0 : f32
    } -> tensor<5xf32>
    func.return %sum : tensor<5xf32>
  }
}
