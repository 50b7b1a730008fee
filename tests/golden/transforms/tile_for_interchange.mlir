builtin.module {
  func.func @matmul(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %0 = arith.constant 0 : index
    %1 = arith.constant 64 : index
    %2 = arith.constant 8 : index
    %r = scf.for %3 = %0 to %1 step %2 iter_args(%4 = %c) -> (tensor<64x64xf32>) {
      %5 = arith.constant 0 : index
      %6 = arith.constant 64 : index
      %7 = arith.constant 32 : index
      %8 = scf.for %9 = %5 to %6 step %7 iter_args(%10 = %4) -> (tensor<64x64xf32>) {
        %11 = arith.constant 0 : index
        %12 = arith.constant 64 : index
        %13 = arith.constant 16 : index
        %14 = scf.for %15 = %11 to %12 step %13 iter_args(%16 = %10) -> (tensor<64x64xf32>) {
          %17 = tensor.extract_slice %a[%9, %3] [32, 8] [1, 1] : tensor<64x64xf32> to tensor<32x8xf32>
          %18 = tensor.extract_slice %b[%3, %15] [8, 16] [1, 1] : tensor<64x64xf32> to tensor<8x16xf32>
          %19 = tensor.extract_slice %16[%9, %15] [32, 16] [1, 1] : tensor<64x64xf32> to tensor<32x16xf32>
          %r_1 = linalg.matmul ins(%17, %18 : tensor<32x8xf32>, tensor<8x16xf32>) outs(%19 : tensor<32x16xf32>) -> tensor<32x16xf32>
          %20 = tensor.insert_slice %r_1 into %16[%9, %15] [32, 16] [1, 1] : tensor<32x16xf32> into tensor<64x64xf32>
          scf.yield %20 : tensor<64x64xf32>
        }
        scf.yield %14 : tensor<64x64xf32>
      }
      scf.yield %8 : tensor<64x64xf32>
    }
    func.return %r : tensor<64x64xf32>
  }
}
