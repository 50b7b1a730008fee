builtin.module {
  func.func @generic(%a0: tensor<4x5x8xf32>, %a1: tensor<8xf32>, %a2: tensor<4x5x8xf32>) -> tensor<4x5x8xf32> {
    %a0_flat = tensor.collapse_shape %a0 [[0, 1], [2]] : tensor<4x5x8xf32> into tensor<20x8xf32>
    %a2_flat = tensor.collapse_shape %a2 [[0, 1], [2]] : tensor<4x5x8xf32> into tensor<20x8xf32>
    %r_flat = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a0_flat, %a1 : tensor<20x8xf32>, tensor<8xf32>) outs(%a2_flat : tensor<20x8xf32>) attrs = {made} {
    ^bb0(%x0: f32, %x1: f32, %x2: f32):
      %s = arith.addf %x0, %x1 : f32
      linalg.yield %s : f32
    } -> tensor<20x8xf32>
    %r = tensor.expand_shape %r_flat [[0, 1], [2]] output_shape [4, 5, 8] : tensor<20x8xf32> into tensor<4x5x8xf32>
    func.return %r : tensor<4x5x8xf32>
  }
}
