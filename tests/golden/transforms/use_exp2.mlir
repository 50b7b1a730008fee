builtin.module {
  func.func @f(%x: tensor<4x8xf32>, %bias: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>) {
    %zero = arith.constant 0.000000e+00 : f32
    %cap = arith.constant 2.000000e+01 : f32
    %low = arith.constant 0xFF800000 : f32
    %e = tensor.empty() : tensor<4x8xf32>
    %r = tensor.empty() : tensor<4xf32>
    %scores = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %bias : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%s: f32, %b: f32, %o: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %c = arith.cmpi sle, %j, %i : index
      %y = arith.select %c, %s, %low : f32
      linalg.yield %y : f32
    } -> tensor<4x8xf32>
    %start = linalg.fill ins(%low : f32) outs(%r : tensor<4xf32>) -> tensor<4xf32>
    %largest = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%scores : tensor<4x8xf32>) outs(%start : tensor<4xf32>) {
    ^bb0(%s_1: f32, %acc: f32):
      %y_1 = arith.maximumf %s_1, %acc : f32
      linalg.yield %y_1 : f32
    } -> tensor<4xf32>
    %factor = arith.constant 0.360673755 : f32
    %p = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%scores, %largest : tensor<4x8xf32>, tensor<4xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%s_2: f32, %m: f32, %o_1: f32):
      %0 = arith.mulf %s_2, %factor : f32
      %1 = arith.mulf %m, %factor : f32
      %d = arith.subf %0, %1 : f32
      %y_2 = math.exp2 %d : f32
      linalg.yield %y_2 : f32
    } -> tensor<4x8xf32>
    %factor_1 = arith.constant 2.500000e-01 : f32
    %2 = tensor.empty() : tensor<4xf32>
    %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%largest : tensor<4xf32>) outs(%2 : tensor<4xf32>) {
    ^bb0(%4: f32, %5: f32):
      %6 = arith.mulf %4, %factor_1 : f32
      linalg.yield %6 : f32
    } -> tensor<4xf32>
    func.return %p, %3 : tensor<4x8xf32>, tensor<4xf32>
  }
}
