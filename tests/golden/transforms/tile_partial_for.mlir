builtin.module {
  func.func @matmul(%a: tensor<40x20xf32>, %b: tensor<20x24xf32>, %c: tensor<40x24xf32>) -> tensor<40x24xf32> {
    %0 = arith.constant 0 : index
    %1 = arith.constant 20 : index
    %2 = arith.constant 16 : index
    %r = scf.for %3 = %0 to %1 step %2 iter_args(%4 = %c) -> (tensor<40x24xf32>) {
      %5 = affine.min affine_map<(d0) -> (((d0 * -1) + 20), 16)>(%3)
      %6 = tensor.extract_slice %a[0, %3] [40, %5] [1, 1] : tensor<40x20xf32> to tensor<40x?xf32>
      %7 = tensor.extract_slice %b[%3, 0] [%5, 24] [1, 1] : tensor<20x24xf32> to tensor<?x24xf32>
      %r_1 = linalg.matmul ins(%6, %7 : tensor<40x?xf32>, tensor<?x24xf32>) outs(%4 : tensor<40x24xf32>) -> tensor<40x24xf32>
      %8 = tensor.insert_slice %r_1 into %4[0, 0] [40, 24] [1, 1] : tensor<40x24xf32> into tensor<40x24xf32>
      scf.yield %8 : tensor<40x24xf32>
    }
    func.return %r : tensor<40x24xf32>
  }
}
