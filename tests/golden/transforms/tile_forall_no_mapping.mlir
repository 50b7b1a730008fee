builtin.module {
  func.func @matmul(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %r = scf.forall (%0) in (4) shared_outs(%1 = %c) -> (tensor<64x64xf32>) {
      %2 = affine.apply affine_map<(d0) -> ((d0 * 16))>(%0)
      %3 = tensor.extract_slice %a[%2, 0] [16, 64] [1, 1] : tensor<64x64xf32> to tensor<16x64xf32>
      %4 = tensor.extract_slice %1[%2, 0] [16, 64] [1, 1] : tensor<64x64xf32> to tensor<16x64xf32>
      %r_1 = linalg.matmul ins(%3, %b : tensor<16x64xf32>, tensor<64x64xf32>) outs(%4 : tensor<16x64xf32>) -> tensor<16x64xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %r_1 into %1[%2, 0] [16, 64] [1, 1] : tensor<16x64xf32> into tensor<64x64xf32>
      }
    }
    func.return %r : tensor<64x64xf32>
  }
}
