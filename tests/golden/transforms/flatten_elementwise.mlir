builtin.module {
  func.func @f(%x: tensor<4x5xf32>, %y: tensor<4x5xf32>, %o: tensor<4x5xf32>) -> tensor<4x5xf32> {
    %0 = tensor.collapse_shape %x [[0, 1]] : tensor<4x5xf32> into tensor<20xf32>
    %1 = tensor.collapse_shape %y [[0, 1]] : tensor<4x5xf32> into tensor<20xf32>
    %2 = tensor.collapse_shape %o [[0, 1]] : tensor<4x5xf32> into tensor<20xf32>
    %3 = linalg.add {made} ins(%0, %1 : tensor<20xf32>, tensor<20xf32>) outs(%2 : tensor<20xf32>) -> tensor<20xf32>
    %r = tensor.expand_shape %3 [[0, 1]] output_shape [4, 5] : tensor<20xf32> into tensor<4x5xf32>
    func.return %r : tensor<4x5xf32>
  }
}
