builtin.module {
  func.func @generic(%a0: tensor<9x40xf32>, %a1: tensor<40xf32>, %a2: tensor<40x9xf32>) -> tensor<40x9xf32> {
    %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a0, %a1 : tensor<9x40xf32>, tensor<40xf32>) outs(%a2 : tensor<40x9xf32>) attrs = {made} {
    ^bb0(%x0: f32, %x1: f32, %x2: f32):
      %i = linalg.index 0 : index
      %c = arith.index_cast %i : index to i32
      %f = arith.sitofp %c : i32 to f32
      %p = arith.mulf %x0, %x1 : f32
      %s = arith.addf %p, %f : f32
      linalg.yield %s : f32
    } -> tensor<40x9xf32>
    func.return %r : tensor<40x9xf32>
  }
}
