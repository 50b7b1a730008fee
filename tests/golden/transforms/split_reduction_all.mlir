builtin.module {
  func.func @generic(%a0: tensor<6x32xf32>, %a1: tensor<6xf32>) -> tensor<6xf32> {
    %0 = tensor.expand_shape %a0 [[0], [1, 2]] output_shape [6, 32, 1] : tensor<6x32xf32> into tensor<6x32x1xf32>
    %1 = tensor.empty() {a} : tensor<6x32xf32>
    %2 = arith.constant 0.000000e+00 : f32
    %3 = linalg.fill {b} ins(%2 : f32) outs(%1 : tensor<6x32xf32>) -> tensor<6x32xf32>
    %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%0 : tensor<6x32x1xf32>) outs(%3 : tensor<6x32xf32>) attrs = {c} {
    ^bb0(%x0: f32, %x1: f32):
      %s = arith.addf %x0, %x1 : f32
      linalg.yield %s : f32
    } -> tensor<6x32xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%4 : tensor<6x32xf32>) outs(%a1 : tensor<6xf32>) attrs = {d} {
    ^bb0(%5: f32, %6: f32):
      %s_1 = arith.addf %5, %6 : f32
      linalg.yield %s_1 : f32
    } -> tensor<6xf32>
    func.return %r : tensor<6xf32>
  }
}
