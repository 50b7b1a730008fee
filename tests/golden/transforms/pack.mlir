builtin.module {
  func.func @matmul(%a: tensor<10x6xf32>, %b: tensor<6x4xf32>, %c: tensor<10x4xf32>) -> tensor<10x4xf32> {
    %0 = tensor.empty() : tensor<3x2x4x3xf32>
    %1 = arith.constant 0.000000e+00 : f32
    %2 = linalg.pack %a padding_value(%1 : f32) inner_dims_pos = [0, 1] inner_tiles = [4, 3] into %0 : tensor<10x6xf32> -> tensor<3x2x4x3xf32>
    %3 = tensor.empty() : tensor<2x4x3xf32>
    %4 = linalg.pack %b inner_dims_pos = [0] inner_tiles = [3] into %3 : tensor<6x4xf32> -> tensor<2x4x3xf32>
    %5 = tensor.empty() : tensor<3x4x4xf32>
    %6 = arith.constant 0.000000e+00 : f32
    %7 = linalg.pack %c padding_value(%6 : f32) inner_dims_pos = [0] inner_tiles = [4] into %5 : tensor<10x4xf32> -> tensor<3x4x4xf32>
    %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d2, d1, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3)>], iterator_types = ["parallel", "parallel", "reduction", "parallel", "reduction"]} ins(%2, %4 : tensor<3x2x4x3xf32>, tensor<2x4x3xf32>) outs(%7 : tensor<3x4x4xf32>) {
    ^bb0(%9: f32, %10: f32, %11: f32):
      %12 = arith.mulf %9, %10 : f32
      %13 = arith.addf %11, %12 : f32
      linalg.yield %13 : f32
    } -> tensor<3x4x4xf32>
    %r = linalg.unpack %8 inner_dims_pos = [0] inner_tiles = [4] into %c : tensor<3x4x4xf32> -> tensor<10x4xf32>
    func.return %r : tensor<10x4xf32>
  }
}
