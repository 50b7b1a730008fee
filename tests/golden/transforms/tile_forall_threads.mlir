builtin.module {
  func.func @matmul(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %r = scf.forall (%0, %1) in (2, 2) shared_outs(%2 = %c) -> (tensor<64x64xf32>) {
      %3 = affine.apply affine_map<(d0) -> ((d0 * 32))>(%0)
      %4 = affine.apply affine_map<(d0) -> ((d0 * 32))>(%1)
      %5 = tensor.extract_slice %a[%3, 0] [32, 64] [1, 1] : tensor<64x64xf32> to tensor<32x64xf32>
      %6 = tensor.extract_slice %b[0, %4] [64, 32] [1, 1] : tensor<64x64xf32> to tensor<64x32xf32>
      %7 = tensor.extract_slice %2[%3, %4] [32, 32] [1, 1] : tensor<64x64xf32> to tensor<32x32xf32>
      %r_1 = linalg.matmul ins(%5, %6 : tensor<32x64xf32>, tensor<64x32xf32>) outs(%7 : tensor<32x32xf32>) -> tensor<32x32xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %r_1 into %2[%3, %4] [32, 32] [1, 1] : tensor<32x32xf32> into tensor<64x64xf32>
      }
    } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
    func.return %r : tensor<64x64xf32>
  }
}
