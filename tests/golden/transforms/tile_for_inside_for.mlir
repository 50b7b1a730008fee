builtin.module {
  func.func @matmul(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %0 = arith.constant 0 : index
    %1 = arith.constant 64 : index
    %2 = arith.constant 32 : index
    %r = scf.for %3 = %0 to %1 step %2 iter_args(%4 = %c) -> (tensor<64x64xf32>) {
      %5 = tensor.extract_slice %a[0, %3] [64, 32] [1, 1] : tensor<64x64xf32> to tensor<64x32xf32>
      %6 = tensor.extract_slice %b[%3, 0] [32, 64] [1, 1] : tensor<64x64xf32> to tensor<32x64xf32>
      %7 = arith.constant 0 : index
      %8 = arith.constant 32 : index
      %9 = arith.constant 8 : index
      %r_1 = scf.for %10 = %7 to %8 step %9 iter_args(%11 = %4) -> (tensor<64x64xf32>) {
        %12 = tensor.extract_slice %5[0, %10] [64, 8] [1, 1] : tensor<64x32xf32> to tensor<64x8xf32>
        %13 = tensor.extract_slice %6[%10, 0] [8, 64] [1, 1] : tensor<32x64xf32> to tensor<8x64xf32>
        %r_2 = linalg.matmul ins(%12, %13 : tensor<64x8xf32>, tensor<8x64xf32>) outs(%11 : tensor<64x64xf32>) -> tensor<64x64xf32>
        %14 = tensor.insert_slice %r_2 into %11[0, 0] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<64x64xf32>
        scf.yield %14 : tensor<64x64xf32>
      }
      %15 = tensor.insert_slice %r_1 into %4[0, 0] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<64x64xf32>
      scf.yield %15 : tensor<64x64xf32>
    }
    func.return %r : tensor<64x64xf32>
  }
}
