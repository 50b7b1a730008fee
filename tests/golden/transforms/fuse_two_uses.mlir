builtin.module {
  func.func @f(%a: tensor<24xf32>) -> (tensor<24xf32>, tensor<24xf32>) {
    %c = arith.constant 2.000000e+00 : f32
    %e = tensor.empty() : tensor<24xf32>
    %p = linalg.fill ins(%c : f32) outs(%e : tensor<24xf32>) -> tensor<24xf32>
    %r = scf.forall (%0) in (3) shared_outs(%1 = %a) -> (tensor<24xf32>) {
      %2 = affine.apply affine_map<(d0) -> ((d0 * 8))>(%0)
      %3 = tensor.extract_slice %e[%2] [8] [1] : tensor<24xf32> to tensor<8xf32>
      %p_1 = linalg.fill ins(%c : f32) outs(%3 : tensor<8xf32>) -> tensor<8xf32>
      %4 = tensor.extract_slice %1[%2] [8] [1] : tensor<24xf32> to tensor<8xf32>
      %r_1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%p_1, %p_1 : tensor<8xf32>, tensor<8xf32>) outs(%4 : tensor<8xf32>) {
      ^bb0(%x: f32, %y: f32, %z: f32):
        %s = arith.mulf %x, %y : f32
        %t = arith.addf %s, %z : f32
        linalg.yield %t : f32
      } -> tensor<8xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %r_1 into %1[%2] [8] [1] : tensor<8xf32> into tensor<24xf32>
      }
    } {mapping = [#gpu.block<x>]}
    func.return %p, %r : tensor<24xf32>, tensor<24xf32>
  }
}
