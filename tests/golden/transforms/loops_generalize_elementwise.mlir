builtin.module {
  func.func @f(%a: tensor<7x5xf32>, %b: tensor<7x5xf32>) -> tensor<7x5xf32> {
    %e = tensor.empty() : tensor<7x5xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<7x5xf32>) outs(%e : tensor<7x5xf32>) attrs = {made} {
    ^bb0(%1: f32, %2: f32):
      %3 = math.exp %1 : f32
      linalg.yield %3 : f32
    } -> tensor<7x5xf32>
    %4 = linalg.div ins(%0, %b : tensor<7x5xf32>, tensor<7x5xf32>) outs(%e : tensor<7x5xf32>) -> tensor<7x5xf32>
    func.return %4 : tensor<7x5xf32>
  }
}
