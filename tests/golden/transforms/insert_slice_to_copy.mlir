builtin.module {
  func.func @f(%a: tensor<3x4xf32>, %b: tensor<3x8xf32>) -> tensor<3x8xf32> {
    %0 = tensor.extract_slice %b[0, 2] [3, 4] [1, 1] : tensor<3x8xf32> to tensor<3x4xf32>
    %1 = linalg.copy {made} ins(%a : tensor<3x4xf32>) outs(%0 : tensor<3x4xf32>) -> tensor<3x4xf32>
    %r = tensor.insert_slice %1 into %b[0, 2] [3, 4] [1, 1] : tensor<3x4xf32> into tensor<3x8xf32>
    func.return %r : tensor<3x8xf32>
  }
}
