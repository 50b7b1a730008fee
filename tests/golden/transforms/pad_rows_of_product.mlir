builtin.module {
  func.func @f(%a: tensor<4x7xf16>, %b: tensor<7x5xf16>, %c: tensor<4x5xf16>) -> tensor<4x5xf16> {
    %0 = bufferization.alloc_tensor() : tensor<4x8xf16>
    %1 = tensor.extract_slice %0[0, 0] [4, 7] [1, 1] : tensor<4x8xf16> to tensor<4x7xf16>
    %2 = linalg.copy {made} ins(%a : tensor<4x7xf16>) outs(%1 : tensor<4x7xf16>) -> tensor<4x7xf16>
    %3 = bufferization.alloc_tensor() : tensor<7x8xf16>
    %4 = tensor.extract_slice %3[0, 0] [7, 5] [1, 1] : tensor<7x8xf16> to tensor<7x5xf16>
    %5 = linalg.copy {made} ins(%b : tensor<7x5xf16>) outs(%4 : tensor<7x5xf16>) -> tensor<7x5xf16>
    %r = linalg.matmul ins(%2, %5 : tensor<4x7xf16>, tensor<7x5xf16>) outs(%c : tensor<4x5xf16>) -> tensor<4x5xf16>
    func.return %r : tensor<4x5xf16>
  }
}
