builtin.module {
  func.func @matmul(%a: tensor<40x20xf32>, %b: tensor<20x24xf32>, %c: tensor<40x24xf32>) -> tensor<40x24xf32> {
    %r = scf.forall (%0, %1) in (2, 1) shared_outs(%2 = %c) -> (tensor<40x24xf32>) {
      %3 = affine.apply affine_map<(d0) -> ((d0 * 32))>(%0)
      %4 = affine.apply affine_map<(d0) -> ((d0 * 32))>(%1)
      %5 = affine.min affine_map<(d0) -> (((d0 * -1) + 40), 32)>(%3)
      %6 = affine.min affine_map<(d0) -> (((d0 * -1) + 24), 32)>(%4)
      %7 = tensor.extract_slice %a[%3, 0] [%5, 20] [1, 1] : tensor<40x20xf32> to tensor<?x20xf32>
      %8 = tensor.extract_slice %b[0, %4] [20, %6] [1, 1] : tensor<20x24xf32> to tensor<20x?xf32>
      %9 = tensor.extract_slice %2[%3, %4] [%5, %6] [1, 1] : tensor<40x24xf32> to tensor<?x?xf32>
      %r_1 = linalg.matmul ins(%7, %8 : tensor<?x20xf32>, tensor<20x?xf32>) outs(%9 : tensor<?x?xf32>) -> tensor<?x?xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %r_1 into %2[%3, %4] [%5, %6] [1, 1] : tensor<?x?xf32> into tensor<40x24xf32>
      }
    } {mapping = [#gpu.block<y>, #gpu.block<x>]}
    func.return %r : tensor<40x24xf32>
  }
}
