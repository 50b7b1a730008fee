builtin.module {
  func.func @f(%x: tensor<2x7x6x3xf32>, %w: tensor<4x3x2x3xf32>, %o: tensor<2x5x5x4xf32>) -> tensor<2x5x5x4xf32> {
    %0 = tensor.collapse_shape %w [[0], [1, 2, 3]] : tensor<4x3x2x3xf32> into tensor<4x18xf32>
    %1 = tensor.collapse_shape %o [[0], [1, 2], [3]] : tensor<2x5x5x4xf32> into tensor<2x25x4xf32>
    %2 = tensor.empty() : tensor<2x25x18xf32>
    %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, ((d1 floordiv 5) + (d2 floordiv 6)), ((d1 mod 5) + ((d2 mod 6) floordiv 3)), (d2 mod 3))>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<2x7x6x3xf32>) outs(%2 : tensor<2x25x18xf32>) {
    ^bb0(%4: f32, %5: f32):
      linalg.yield %4 : f32
    } -> tensor<2x25x18xf32>
    %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%3, %0 : tensor<2x25x18xf32>, tensor<4x18xf32>) outs(%1 : tensor<2x25x4xf32>) {
    ^bb0(%7: f32, %8: f32, %9: f32):
      %10 = arith.mulf %7, %8 : f32
      %11 = arith.addf %10, %9 : f32
      linalg.yield %11 : f32
    } -> tensor<2x25x4xf32>
    %r = tensor.expand_shape %6 [[0], [1, 2], [3]] output_shape [2, 5, 5, 4] : tensor<2x25x4xf32> into tensor<2x5x5x4xf32>
    func.return %r : tensor<2x5x5x4xf32>
  }
}
