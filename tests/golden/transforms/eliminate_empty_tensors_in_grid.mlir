builtin.module {
  func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %one = arith.constant 1.000000e+00 : f32
    %two = arith.constant 2.000000e+00 : f32
    %e = tensor.empty() : tensor<8xf32>
    %i = linalg.fill ins(%one : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %e1 = tensor.empty() : tensor<8xf32>
    %j = linalg.fill ins(%two : f32) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
    %r = scf.forall (%p) in (2) shared_outs(%o = %e) -> (tensor<8xf32>) {
      %at = affine.apply affine_map<(d0) -> ((d0 * 4))>(%p)
      %other = affine.apply affine_map<(d0) -> (((d0 * -4) + 4))>(%p)
      %x = tensor.extract_slice %o[%at] [4] [1] : tensor<8xf32> to tensor<4xf32>
      %t = linalg.fill ins(%two : f32) outs(%x : tensor<4xf32>) -> tensor<4xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %t into %o[%at] [4] [1] : tensor<4xf32> into tensor<8xf32>
      }
    } {mapping = [#gpu.block<x>]}
    func.return %r : tensor<8xf32>
  }
}
