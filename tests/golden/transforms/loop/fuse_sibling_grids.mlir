builtin.module {
  func.func @f(%t: tensor<4x6xf32>, %u: tensor<4xf32>) -> (tensor<4x6xf32>, tensor<4xf32>) {
    %q, %r = scf.forall (%i, %j) in (4, 6) shared_outs(%o = %u, %o_1 = %t) -> (tensor<4xf32>, tensor<4x6xf32>) {
      %s = tensor.extract_slice %u[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
      %s_1 = tensor.extract_slice %t[%i, %j] [1, 1] [1, 1] : tensor<4x6xf32> to tensor<1x1xf32>
      %d = linalg.add ins(%s_1, %s_1 : tensor<1x1xf32>, tensor<1x1xf32>) outs(%s_1 : tensor<1x1xf32>) -> tensor<1x1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
        tensor.parallel_insert_slice %d into %o_1[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<4x6xf32>
      }
    } {mapping = [#gpu.block<y>, #gpu.block<x>]}
    func.return %r, %q : tensor<4x6xf32>, tensor<4xf32>
  }
}
