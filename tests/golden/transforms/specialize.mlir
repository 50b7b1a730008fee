builtin.module {
  func.func @f(%a0: tensor<4x6xf32>, %a1: tensor<6x5xf32>, %a2: tensor<4x5xf32>) -> tensor<4x5xf32> {
    %one = arith.constant 1.000000e+00 : f32
    %r = linalg.matmul {made} ins(%a0, %a1 : tensor<4x6xf32>, tensor<6x5xf32>) outs(%a2 : tensor<4x5xf32>) -> tensor<4x5xf32>
    func.return %r : tensor<4x5xf32>
  }
}
