builtin.module {
  func.func @f(%x: tensor<2x3x4x6xf32>, %w: tensor<1x2xf32>, %o: tensor<2x3x1x5xf32>) -> tensor<2x3x1x5xf32> {
    %0 = tensor.extract_slice %x[0, 0, 0, 0] [2, 3, 1, 6] [1, 1, 1, 1] : tensor<2x3x4x6xf32> to tensor<2x3x6xf32>
    %1 = tensor.extract_slice %w[0, 0] [1, 2] [1, 1] : tensor<1x2xf32> to tensor<2xf32>
    %2 = tensor.extract_slice %o[0, 0, 0, 0] [2, 3, 1, 5] [1, 1, 1, 1] : tensor<2x3x1x5xf32> to tensor<2x3x5xf32>
    %3 = linalg.pooling_ncw_max {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%0, %1 : tensor<2x3x6xf32>, tensor<2xf32>) outs(%2 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    %r = tensor.insert_slice %3 into %o[0, 0, 0, 0] [2, 3, 1, 5] [1, 1, 1, 1] : tensor<2x3x5xf32> into tensor<2x3x1x5xf32>
    func.return %r : tensor<2x3x1x5xf32>
  }
}
