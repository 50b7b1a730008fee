builtin.module {
  func.func @f(%d: tensor<8xf32>) -> tensor<8xf32> {
    %one = arith.constant 1.000000e+00 : f32
    %e = tensor.extract_slice %d[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %s = linalg.fill ins(%one : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %r = tensor.insert_slice %s into %d[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
    func.return %r : tensor<8xf32>
  }
}
