builtin.module {
  func.func @matmul(%a: tensor<8x5xf32>, %b: tensor<5x7xf32>, %c: tensor<8x7xf32>) -> tensor<8x7xf32> {
    %0 = tensor.extract_slice %a[0, 0] [8, 2] [1, 1] : tensor<8x5xf32> to tensor<8x2xf32>
    %1 = tensor.extract_slice %b[0, 0] [2, 7] [1, 1] : tensor<5x7xf32> to tensor<2x7xf32>
    %r = linalg.matmul {made} ins(%0, %1 : tensor<8x2xf32>, tensor<2x7xf32>) outs(%c : tensor<8x7xf32>) -> tensor<8x7xf32>
    %2 = tensor.insert_slice %r into %c[0, 0] [8, 7] [1, 1] : tensor<8x7xf32> into tensor<8x7xf32>
    %3 = tensor.extract_slice %a[0, 2] [8, 3] [1, 1] : tensor<8x5xf32> to tensor<8x3xf32>
    %4 = tensor.extract_slice %b[2, 0] [3, 7] [1, 1] : tensor<5x7xf32> to tensor<3x7xf32>
    %r_1 = linalg.matmul {made} ins(%3, %4 : tensor<8x3xf32>, tensor<3x7xf32>) outs(%2 : tensor<8x7xf32>) -> tensor<8x7xf32>
    %r_2 = tensor.insert_slice %r_1 into %2[0, 0] [8, 7] [1, 1] : tensor<8x7xf32> into tensor<8x7xf32>
    func.return %r_2 : tensor<8x7xf32>
  }
}
