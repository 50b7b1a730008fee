builtin.module {
  func.func @generic(%a0: tensor<6x32xf32>, %a1: tensor<6xf32>) -> tensor<6xf32> {
    %0 = tensor.empty() {a} : tensor<6x8xf32>
    %1 = arith.constant 0.000000e+00 : f32
    %2 = linalg.fill {b} ins(%1 : f32) outs(%0 : tensor<6x8xf32>) -> tensor<6x8xf32>
    %3 = tensor.empty() : tensor<8x4xi1>
    %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, ((d1 * 4) + d2))>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a0, %3 : tensor<6x32xf32>, tensor<8x4xi1>) outs(%2 : tensor<6x8xf32>) attrs = {c} {
    ^bb0(%x0: f32, %5: i1, %x1: f32):
      %s = arith.addf %x0, %x1 : f32
      linalg.yield %s : f32
    } -> tensor<6x8xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%4 : tensor<6x8xf32>) outs(%a1 : tensor<6xf32>) attrs = {d} {
    ^bb0(%6: f32, %7: f32):
      %s_1 = arith.addf %6, %7 : f32
      linalg.yield %s_1 : f32
    } -> tensor<6xf32>
    func.return %r : tensor<6xf32>
  }
}
