builtin.module {
  func.func @matmul(%a: tensor<100x3xf32>, %b: tensor<3x5xf32>, %c: tensor<100x5xf32>) -> tensor<100x5xf32> {
    %0 = tensor.extract_slice %a[0, 0] [12, 3] [1, 1] : tensor<100x3xf32> to tensor<12x3xf32>
    %1 = tensor.extract_slice %c[0, 0] [12, 5] [1, 1] : tensor<100x5xf32> to tensor<12x5xf32>
    %2 = arith.constant 0 : index
    %3 = arith.constant 12 : index
    %4 = arith.constant 6 : index
    %r = scf.for %5 = %2 to %3 step %4 iter_args(%6 = %1) -> (tensor<12x5xf32>) {
      %7 = tensor.extract_slice %0[%5, 0] [6, 3] [1, 1] : tensor<12x3xf32> to tensor<6x3xf32>
      %8 = tensor.extract_slice %6[%5, 0] [6, 5] [1, 1] : tensor<12x5xf32> to tensor<6x5xf32>
      %r_1 = linalg.matmul ins(%7, %b : tensor<6x3xf32>, tensor<3x5xf32>) outs(%8 : tensor<6x5xf32>) -> tensor<6x5xf32>
      %9 = tensor.insert_slice %r_1 into %6[%5, 0] [6, 5] [1, 1] : tensor<6x5xf32> into tensor<12x5xf32>
      scf.yield %9 : tensor<12x5xf32>
    }
    %10 = tensor.insert_slice %r into %c[0, 0] [12, 5] [1, 1] : tensor<12x5xf32> into tensor<100x5xf32>
    %11 = tensor.extract_slice %a[12, 0] [88, 3] [1, 1] : tensor<100x3xf32> to tensor<88x3xf32>
    %12 = tensor.extract_slice %10[12, 0] [88, 5] [1, 1] : tensor<100x5xf32> to tensor<88x5xf32>
    %13 = arith.constant 0 : index
    %14 = arith.constant 88 : index
    %15 = arith.constant 8 : index
    %r_2 = scf.for %16 = %13 to %14 step %15 iter_args(%17 = %12) -> (tensor<88x5xf32>) {
      %18 = tensor.extract_slice %11[%16, 0] [8, 3] [1, 1] : tensor<88x3xf32> to tensor<8x3xf32>
      %19 = tensor.extract_slice %17[%16, 0] [8, 5] [1, 1] : tensor<88x5xf32> to tensor<8x5xf32>
      %r_3 = linalg.matmul ins(%18, %b : tensor<8x3xf32>, tensor<3x5xf32>) outs(%19 : tensor<8x5xf32>) -> tensor<8x5xf32>
      %20 = tensor.insert_slice %r_3 into %17[%16, 0] [8, 5] [1, 1] : tensor<8x5xf32> into tensor<88x5xf32>
      scf.yield %20 : tensor<88x5xf32>
    }
    %r_4 = tensor.insert_slice %r_2 into %10[12, 0] [88, 5] [1, 1] : tensor<88x5xf32> into tensor<100x5xf32>
    func.return %r_4 : tensor<100x5xf32>
  }
}
