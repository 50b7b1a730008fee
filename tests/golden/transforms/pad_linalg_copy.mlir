builtin.module {
  func.func @matmul(%a: tensor<10x7xf32>, %b: tensor<7x6xf32>, %c: tensor<10x6xf32>) -> tensor<10x6xf32> {
    %0 = linalg.matmul {a} ins(%a, %b : tensor<10x7xf32>, tensor<7x6xf32>) outs(%c : tensor<10x6xf32>) -> tensor<10x6xf32>
    %1 = tensor.extract_slice %0[0, 0] [10, 6] [1, 1] : tensor<10x6xf32> to tensor<10x6xf32>
    %r = linalg.copy {c} ins(%1 : tensor<10x6xf32>) outs(%c : tensor<10x6xf32>) -> tensor<10x6xf32>
    func.return %r : tensor<10x6xf32>
  }
}
