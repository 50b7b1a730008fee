builtin.module {
  func.func @matmul(%a: tensor<10x6xf32>, %b: tensor<6x4xf32>, %c: tensor<10x4xf32>) -> tensor<10x4xf32> {
    %0 = tensor.empty() : tensor<3x2x4x3xf32>
    %1 = arith.constant 0.000000e+00 : f32
    %2 = tensor.pad %a low[0, 0] high[2, 0] {
    ^bb0(%3: index, %4: index):
      tensor.yield %1 : f32
    } : tensor<10x6xf32> to tensor<12x6xf32>
    %5 = tensor.expand_shape %2 [[0, 1], [2, 3]] output_shape [3, 4, 2, 3] : tensor<12x6xf32> into tensor<3x4x2x3xf32>
    %6 = linalg.transpose ins(%5 : tensor<3x4x2x3xf32>) outs(%0 : tensor<3x2x4x3xf32>) permutation = [0, 2, 1, 3]
    %7 = tensor.empty() : tensor<2x4x3xf32>
    %8 = arith.constant 0.000000e+00 : f32
    %9 = tensor.pad %b low[0, 0] high[0, 0] {
    ^bb0(%10: index, %11: index):
      tensor.yield %8 : f32
    } : tensor<6x4xf32> to tensor<6x4xf32>
    %12 = tensor.expand_shape %9 [[0, 1], [2]] output_shape [2, 3, 4] : tensor<6x4xf32> into tensor<2x3x4xf32>
    %13 = linalg.transpose ins(%12 : tensor<2x3x4xf32>) outs(%7 : tensor<2x4x3xf32>) permutation = [0, 2, 1]
    %14 = tensor.empty() : tensor<3x4x4xf32>
    %15 = arith.constant 0.000000e+00 : f32
    %16 = tensor.pad %c low[0, 0] high[2, 0] {
    ^bb0(%17: index, %18: index):
      tensor.yield %15 : f32
    } : tensor<10x4xf32> to tensor<12x4xf32>
    %19 = tensor.expand_shape %16 [[0, 1], [2]] output_shape [3, 4, 4] : tensor<12x4xf32> into tensor<3x4x4xf32>
    %20 = linalg.transpose ins(%19 : tensor<3x4x4xf32>) outs(%14 : tensor<3x4x4xf32>) permutation = [0, 2, 1]
    %21 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d2, d1, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3)>], iterator_types = ["parallel", "parallel", "reduction", "parallel", "reduction"]} ins(%6, %13 : tensor<3x2x4x3xf32>, tensor<2x4x3xf32>) outs(%20 : tensor<3x4x4xf32>) {
    ^bb0(%22: f32, %23: f32, %24: f32):
      %25 = arith.mulf %22, %23 : f32
      %26 = arith.addf %24, %25 : f32
      linalg.yield %26 : f32
    } -> tensor<3x4x4xf32>
    %27 = tensor.empty() : tensor<3x4x4xf32>
    %28 = linalg.transpose ins(%21 : tensor<3x4x4xf32>) outs(%27 : tensor<3x4x4xf32>) permutation = [0, 2, 1]
    %29 = tensor.collapse_shape %28 [[0, 1], [2]] : tensor<3x4x4xf32> into tensor<12x4xf32>
    %30 = tensor.extract_slice %29[0, 0] [10, 4] [1, 1] : tensor<12x4xf32> to tensor<10x4xf32>
    %r = linalg.copy ins(%30 : tensor<10x4xf32>) outs(%c : tensor<10x4xf32>) -> tensor<10x4xf32>
    func.return %r : tensor<10x4xf32>
  }
}
