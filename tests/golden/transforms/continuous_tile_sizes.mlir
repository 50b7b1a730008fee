builtin.module {
  func.func @matmul(%a: tensor<25x3xf32>, %b: tensor<3x5xf32>, %c: tensor<25x5xf32>) -> tensor<25x5xf32> {
    %0 = tensor.extract_slice %a[0, 0] [21, 3] [1, 1] : tensor<25x3xf32> to tensor<21x3xf32>
    %1 = tensor.extract_slice %c[0, 0] [21, 5] [1, 1] : tensor<25x5xf32> to tensor<21x5xf32>
    %2 = arith.constant 0 : index
    %3 = arith.constant 21 : index
    %4 = arith.constant 7 : index
    %r = scf.for %5 = %2 to %3 step %4 iter_args(%6 = %1) -> (tensor<21x5xf32>) {
      %7 = tensor.extract_slice %0[%5, 0] [7, 3] [1, 1] : tensor<21x3xf32> to tensor<7x3xf32>
      %8 = tensor.extract_slice %6[%5, 0] [7, 5] [1, 1] : tensor<21x5xf32> to tensor<7x5xf32>
      %r_1 = linalg.matmul ins(%7, %b : tensor<7x3xf32>, tensor<3x5xf32>) outs(%8 : tensor<7x5xf32>) -> tensor<7x5xf32>
      %9 = tensor.insert_slice %r_1 into %6[%5, 0] [7, 5] [1, 1] : tensor<7x5xf32> into tensor<21x5xf32>
      scf.yield %9 : tensor<21x5xf32>
    }
    %10 = tensor.insert_slice %r into %c[0, 0] [21, 5] [1, 1] : tensor<21x5xf32> into tensor<25x5xf32>
    %11 = tensor.extract_slice %a[21, 0] [4, 3] [1, 1] : tensor<25x3xf32> to tensor<4x3xf32>
    %12 = tensor.extract_slice %10[21, 0] [4, 5] [1, 1] : tensor<25x5xf32> to tensor<4x5xf32>
    %13 = arith.constant 0 : index
    %14 = arith.constant 4 : index
    %15 = arith.constant 4 : index
    %r_2 = scf.for %16 = %13 to %14 step %15 iter_args(%17 = %12) -> (tensor<4x5xf32>) {
      %18 = tensor.extract_slice %11[%16, 0] [4, 3] [1, 1] : tensor<4x3xf32> to tensor<4x3xf32>
      %19 = tensor.extract_slice %17[%16, 0] [4, 5] [1, 1] : tensor<4x5xf32> to tensor<4x5xf32>
      %r_3 = linalg.matmul ins(%18, %b : tensor<4x3xf32>, tensor<3x5xf32>) outs(%19 : tensor<4x5xf32>) -> tensor<4x5xf32>
      %20 = tensor.insert_slice %r_3 into %17[%16, 0] [4, 5] [1, 1] : tensor<4x5xf32> into tensor<4x5xf32>
      scf.yield %20 : tensor<4x5xf32>
    }
    %r_4 = tensor.insert_slice %r_2 into %10[21, 0] [4, 5] [1, 1] : tensor<4x5xf32> into tensor<25x5xf32>
    func.return %r_4 : tensor<25x5xf32>
  }
}
