builtin.module {
  func.func @f(%x: tensor<2x1x6x3xf32>, %w: tensor<1x2x3x4xf32>, %o: tensor<2x1x5x4xf32>) -> tensor<2x1x5x4xf32> {
    %0 = tensor.extract_slice %x[0, 0, 0, 0] [2, 1, 6, 3] [1, 1, 1, 1] : tensor<2x1x6x3xf32> to tensor<2x6x3xf32>
    %1 = tensor.extract_slice %w[0, 0, 0, 0] [1, 2, 3, 4] [1, 1, 1, 1] : tensor<1x2x3x4xf32> to tensor<2x3x4xf32>
    %2 = tensor.extract_slice %o[0, 0, 0, 0] [2, 1, 5, 4] [1, 1, 1, 1] : tensor<2x1x5x4xf32> to tensor<2x5x4xf32>
    %3 = linalg.conv_1d_nwc_wcf {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%0, %1 : tensor<2x6x3xf32>, tensor<2x3x4xf32>) outs(%2 : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
    %r = tensor.insert_slice %3 into %o[0, 0, 0, 0] [2, 1, 5, 4] [1, 1, 1, 1] : tensor<2x5x4xf32> into tensor<2x1x5x4xf32>
    func.return %r : tensor<2x1x5x4xf32>
  }
}
