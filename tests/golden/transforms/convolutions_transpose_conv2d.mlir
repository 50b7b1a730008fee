builtin.module {
  func.func @f(%x: tensor<2x7x6x3xf32>, %w: tensor<4x3x2x3xf32>, %o: tensor<2x3x5x4xf32>) -> tensor<2x3x5x4xf32> {
    %0 = tensor.empty() : tensor<3x2x3x4xf32>
    %1 = linalg.transpose ins(%w : tensor<4x3x2x3xf32>) outs(%0 : tensor<3x2x3x4xf32>) permutation = [1, 2, 3, 0]
    %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%x, %1 : tensor<2x7x6x3xf32>, tensor<3x2x3x4xf32>) outs(%o : tensor<2x3x5x4xf32>) -> tensor<2x3x5x4xf32>
    func.return %r : tensor<2x3x5x4xf32>
  }
}
