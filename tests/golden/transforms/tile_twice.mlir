builtin.module {
  func.func @matmul(%a: tensor<64x16xf32>, %b: tensor<16x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %r = scf.forall (%0, %1) in (2, 2) shared_outs(%2 = %c) -> (tensor<64x64xf32>) {
      %3 = affine.apply affine_map<(d0) -> ((d0 * 32))>(%0)
      %4 = affine.apply affine_map<(d0) -> ((d0 * 32))>(%1)
      %5 = tensor.extract_slice %a[%3, 0] [32, 16] [1, 1] : tensor<64x16xf32> to tensor<32x16xf32>
      %6 = tensor.extract_slice %b[0, %4] [16, 32] [1, 1] : tensor<16x64xf32> to tensor<16x32xf32>
      %7 = tensor.extract_slice %2[%3, %4] [32, 32] [1, 1] : tensor<64x64xf32> to tensor<32x32xf32>
      %r_1 = scf.forall (%8, %9) in (2, 2) shared_outs(%10 = %7) -> (tensor<32x32xf32>) {
        %11 = affine.apply affine_map<(d0) -> ((d0 * 16))>(%8)
        %12 = affine.apply affine_map<(d0) -> ((d0 * 16))>(%9)
        %13 = tensor.extract_slice %5[%11, 0] [16, 16] [1, 1] : tensor<32x16xf32> to tensor<16x16xf32>
        %14 = tensor.extract_slice %6[0, %12] [16, 16] [1, 1] : tensor<16x32xf32> to tensor<16x16xf32>
        %15 = tensor.extract_slice %10[%11, %12] [16, 16] [1, 1] : tensor<32x32xf32> to tensor<16x16xf32>
        %r_2 = linalg.matmul ins(%13, %14 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%15 : tensor<16x16xf32>) -> tensor<16x16xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %r_2 into %10[%11, %12] [16, 16] [1, 1] : tensor<16x16xf32> into tensor<32x32xf32>
        }
      }
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %r_1 into %2[%3, %4] [32, 32] [1, 1] : tensor<32x32xf32> into tensor<64x64xf32>
      }
    } {mapping = [#gpu.block<y>, #gpu.block<x>]}
    func.return %r : tensor<64x64xf32>
  }
}
