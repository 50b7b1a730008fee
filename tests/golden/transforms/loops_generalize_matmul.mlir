builtin.module {
  func.func @matmul(%a: tensor<8x5xf32>, %b: tensor<5x7xf32>, %c: tensor<8x7xf32>) -> tensor<8x7xf32> {
    %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<8x5xf32>, tensor<5x7xf32>) outs(%c : tensor<8x7xf32>) attrs = {made} {
    ^bb0(%0: f32, %1: f32, %2: f32):
      %3 = arith.mulf %0, %1 : f32
      %4 = arith.addf %2, %3 : f32
      linalg.yield %4 : f32
    } -> tensor<8x7xf32>
    func.return %r : tensor<8x7xf32>
  }
}
