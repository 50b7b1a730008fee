builtin.module {
  func.func @matmul(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %0 = arith.constant 0 : index
    %1 = arith.constant 0 : index
    %2 = arith.constant 0 : index
    %3 = arith.constant 64 : index
    %4 = arith.constant 64 : index
    %5 = arith.constant 64 : index
    %6 = arith.constant 8 : index
    %7 = arith.constant 32 : index
    %8 = arith.constant 16 : index
    %r = scf.for %9 = %0 to %3 step %6 iter_args(%10 = %c) -> (tensor<64x64xf32>) {
      %11 = scf.for %12 = %1 to %4 step %7 iter_args(%13 = %10) -> (tensor<64x64xf32>) {
        %14 = scf.for %15 = %2 to %5 step %8 iter_args(%16 = %13) -> (tensor<64x64xf32>) {
          %17 = tensor.extract_slice %a[%12, %9] [32, 8] [1, 1] : tensor<64x64xf32> to tensor<32x8xf32>
          %18 = tensor.extract_slice %b[%9, %15] [8, 16] [1, 1] : tensor<64x64xf32> to tensor<8x16xf32>
          %19 = tensor.extract_slice %16[%12, %15] [32, 16] [1, 1] : tensor<64x64xf32> to tensor<32x16xf32>
          %r_1 = linalg.matmul ins(%17, %18 : tensor<32x8xf32>, tensor<8x16xf32>) outs(%19 : tensor<32x16xf32>) -> tensor<32x16xf32>
          %20 = tensor.insert_slice %r_1 into %16[%12, %15] [32, 16] [1, 1] : tensor<32x16xf32> into tensor<64x64xf32>
          scf.yield %20 : tensor<64x64xf32>
        }
        scf.yield %14 : tensor<64x64xf32>
      }
      scf.yield %11 : tensor<64x64xf32>
    }
    func.return %r : tensor<64x64xf32>
  }
}
