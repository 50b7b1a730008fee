builtin.module {
  func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %pad = arith.constant 7.000000e+00 : f32
    %y = arith.constant -0.000000e+00 : f32
    %z = arith.constant 0.000000e+00 : f32
    %e = tensor.insert %pad into %a[%c0] : tensor<4xf32>
    %f = tensor.insert %y into %e[%c1] : tensor<4xf32>
    %r = tensor.insert %z into %f[%c3] : tensor<4xf32>
    func.return %r : tensor<4xf32>
  }
}
