builtin.module {
  func.func @f(%x: tensor<2x3x7x6xf32>, %w: tensor<4x3x3x2xf32>, %o: tensor<2x4x3x5xf32>) -> tensor<2x4x3x5xf32> {
    %0 = tensor.collapse_shape %w [[0], [1, 2, 3]] : tensor<4x3x3x2xf32> into tensor<4x18xf32>
    %1 = tensor.collapse_shape %o [[0], [1], [2, 3]] : tensor<2x4x3x5xf32> into tensor<2x4x15xf32>
    %2 = tensor.empty() : tensor<2x18x15xf32>
    %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, (d1 floordiv 6), (((d2 floordiv 5) * 2) + ((d1 mod 6) floordiv 2)), ((d2 mod 5) + (d1 mod 2)))>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<2x3x7x6xf32>) outs(%2 : tensor<2x18x15xf32>) {
    ^bb0(%4: f32, %5: f32):
      linalg.yield %4 : f32
    } -> tensor<2x18x15xf32>
    %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%0, %3 : tensor<4x18xf32>, tensor<2x18x15xf32>) outs(%1 : tensor<2x4x15xf32>) {
    ^bb0(%7: f32, %8: f32, %9: f32):
      %10 = arith.mulf %7, %8 : f32
      %11 = arith.addf %10, %9 : f32
      linalg.yield %11 : f32
    } -> tensor<2x4x15xf32>
    %r = tensor.expand_shape %6 [[0], [1], [2, 3]] output_shape [2, 4, 3, 5] : tensor<2x4x15xf32> into tensor<2x4x3x5xf32>
    func.return %r : tensor<2x4x3x5xf32>
  }
}
