builtin.module {
  func.func @f(%a: tensor<200x104xf32>, %b: tensor<104x136xf32>, %c: tensor<200x136xf32>) -> tensor<200x136xf32> {
    %0 = arith.constant 0 : index
    %1 = arith.constant 0 : index
    %2 = arith.constant 200 : index
    %3 = arith.constant 136 : index
    %4 = arith.constant 64 : index
    %5 = arith.constant 32 : index
    %r = scf.forall (%6, %7) in (4, 5) shared_outs(%8 = %c) -> (tensor<200x136xf32>) {
      %9 = affine.apply affine_map<(d0) -> ((d0 * 64))>(%6)
      %10 = affine.apply affine_map<(d0) -> ((d0 * 32))>(%7)
      %11 = affine.min affine_map<(d0) -> (((d0 * -1) + 200), 64)>(%9)
      %12 = affine.min affine_map<(d0) -> (((d0 * -1) + 136), 32)>(%10)
      %13 = tensor.extract_slice %a[%9, 0] [%11, 104] [1, 1] : tensor<200x104xf32> to tensor<?x104xf32>
      %14 = tensor.extract_slice %b[0, %10] [104, %12] [1, 1] : tensor<104x136xf32> to tensor<104x?xf32>
      %15 = tensor.extract_slice %8[%9, %10] [%11, %12] [1, 1] : tensor<200x136xf32> to tensor<?x?xf32>
      %r_1 = linalg.matmul ins(%13, %14 : tensor<?x104xf32>, tensor<104x?xf32>) outs(%15 : tensor<?x?xf32>) -> tensor<?x?xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %r_1 into %8[%9, %10] [%11, %12] [1, 1] : tensor<?x?xf32> into tensor<200x136xf32>
      }
    } {mapping = [#gpu.block<y>, #gpu.block<x>]}
    func.return %r : tensor<200x136xf32>
  }
}
