builtin.module {
  func.func @matmul(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %0 = arith.constant 0 : index
    %1 = arith.constant 64 : index
    %2 = arith.constant 16 : index
    %r = scf.for %3 = %0 to %1 step %2 iter_args(%4 = %c) -> (tensor<64x64xf32>) {
      %5 = tensor.extract_slice %a[0, %3] [64, 16] [1, 1] : tensor<64x64xf32> to tensor<64x16xf32>
      %6 = tensor.extract_slice %b[%3, 0] [16, 64] [1, 1] : tensor<64x64xf32> to tensor<16x64xf32>
      %r_1 = linalg.matmul ins(%5, %6 : tensor<64x16xf32>, tensor<16x64xf32>) outs(%4 : tensor<64x64xf32>) -> tensor<64x64xf32>
      %7 = tensor.insert_slice %r_1 into %4[0, 0] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<64x64xf32>
      scf.yield %7 : tensor<64x64xf32>
    }
    func.return %r : tensor<64x64xf32>
  }
}
