builtin.module {
  func.func @f(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
    %e = tensor.empty() : tensor<64xf32>
    %q = linalg.square ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %0 = arith.constant 0 : index
    %1 = arith.constant 64 : index
    %2 = arith.constant 16 : index
    %a = scf.for %3 = %0 to %1 step %2 iter_args(%4 = %e) -> (tensor<64xf32>) {
      %5 = tensor.extract_slice %q[%3] [16] [1] : tensor<64xf32> to tensor<16xf32>
      %6 = tensor.extract_slice %4[%3] [16] [1] : tensor<64xf32> to tensor<16xf32>
      %p = linalg.exp ins(%5 : tensor<16xf32>) outs(%6 : tensor<16xf32>) -> tensor<16xf32>
      %7 = tensor.extract_slice %4[%3] [16] [1] : tensor<64xf32> to tensor<16xf32>
      %a_1 = linalg.abs ins(%p : tensor<16xf32>) outs(%7 : tensor<16xf32>) -> tensor<16xf32>
      %8 = tensor.insert_slice %a_1 into %4[%3] [16] [1] : tensor<16xf32> into tensor<64xf32>
      scf.yield %8 : tensor<64xf32>
    }
    %b = scf.forall (%9) in (8) shared_outs(%10 = %e) -> (tensor<64xf32>) {
      %11 = affine.apply affine_map<(d0) -> ((d0 * 8))>(%9)
      %12 = tensor.extract_slice %q[%11] [8] [1] : tensor<64xf32> to tensor<8xf32>
      %13 = tensor.extract_slice %10[%11] [8] [1] : tensor<64xf32> to tensor<8xf32>
      %p_1 = linalg.exp ins(%12 : tensor<8xf32>) outs(%13 : tensor<8xf32>) -> tensor<8xf32>
      %14 = tensor.extract_slice %10[%11] [8] [1] : tensor<64xf32> to tensor<8xf32>
      %b_1 = linalg.add ins(%p_1, %p_1 : tensor<8xf32>, tensor<8xf32>) outs(%14 : tensor<8xf32>) -> tensor<8xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %b_1 into %10[%11] [8] [1] : tensor<8xf32> into tensor<64xf32>
      }
    }
    func.return %a, %b : tensor<64xf32>, tensor<64xf32>
  }
}
