builtin.module {
  func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>, %x: f32, %c: i1) -> (tensor<8xf32>, tensor<8xf32>, f32, f32, f32) {
    %e = tensor.empty() : tensor<8xf32>
    %0 = linalg.add ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%i: f32, %o: f32):
      %s = arith.mulf %i, %x : f32
      linalg.yield %s : f32
    } -> tensor<8xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%i_1: f32, %o_1: f32):
      %s_1 = arith.addf %i_1, %x : f32
      linalg.yield %s_1 : f32
    } -> tensor<8xf32>
    %3 = scf.if %c -> (f32) {
      %s_2 = arith.addf %x, %x : f32
      scf.yield %s_2 : f32
    } else {
      scf.yield %x : f32
    }
    %4 = scf.if %c -> (f32) {
      %s_3 = arith.subf %x, %x : f32
      scf.yield %s_3 : f32
    } else {
      scf.yield %x : f32
    }
    %t = linalg.sub ins(%1, %1 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    func.return %t, %2, %3, %3, %4 : tensor<8xf32>, tensor<8xf32>, f32, f32, f32
  }
}
