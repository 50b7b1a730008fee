builtin.module {
  func.func @f(%x: tensor<1x7x6x3xf32>, %w: tensor<3x2x3xf32>, %o: tensor<1x3x5x3xf32>) -> tensor<1x3x5x3xf32> {
    %0 = tensor.empty() : tensor<1x3x7x6xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x7x6x3xf32>) outs(%0 : tensor<1x3x7x6xf32>) {
    ^bb0(%2: f32, %3: f32):
      linalg.yield %2 : f32
    } -> tensor<1x3x7x6xf32>
    %4 = tensor.empty() : tensor<3x3x2xf32>
    %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<3x2x3xf32>) outs(%4 : tensor<3x3x2xf32>) {
    ^bb0(%6: f32, %7: f32):
      linalg.yield %6 : f32
    } -> tensor<3x3x2xf32>
    %8 = tensor.empty() : tensor<1x3x3x5xf32>
    %9 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%o : tensor<1x3x5x3xf32>) outs(%8 : tensor<1x3x3x5xf32>) {
    ^bb0(%10: f32, %11: f32):
      linalg.yield %10 : f32
    } -> tensor<1x3x3x5xf32>
    %12 = tensor.empty() : tensor<1x3x3x5x3x2xf32>
    %13 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, ((d2 * 2) + d4), (d3 + d5))>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<1x3x7x6xf32>) outs(%12 : tensor<1x3x3x5x3x2xf32>) {
    ^bb0(%14: f32, %15: f32):
      linalg.yield %14 : f32
    } -> tensor<1x3x3x5x3x2xf32>
    %16 = tensor.collapse_shape %13 [[0, 1], [2, 3], [4, 5]] : tensor<1x3x3x5x3x2xf32> into tensor<3x15x6xf32>
    %17 = tensor.collapse_shape %5 [[0], [1, 2]] : tensor<3x3x2xf32> into tensor<3x6xf32>
    %18 = tensor.collapse_shape %9 [[0, 1], [2, 3]] : tensor<1x3x3x5xf32> into tensor<3x15xf32>
    %19 = linalg.batch_matvec ins(%16, %17 : tensor<3x15x6xf32>, tensor<3x6xf32>) outs(%18 : tensor<3x15xf32>) -> tensor<3x15xf32>
    %20 = tensor.expand_shape %19 [[0, 1], [2, 3]] output_shape [1, 3, 3, 5] : tensor<3x15xf32> into tensor<1x3x3x5xf32>
    %21 = tensor.empty() : tensor<1x3x5x3xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x3x3x5xf32>) outs(%21 : tensor<1x3x5x3xf32>) {
    ^bb0(%22: f32, %23: f32):
      linalg.yield %22 : f32
    } -> tensor<1x3x5x3xf32>
    func.return %r : tensor<1x3x5x3xf32>
  }
}
