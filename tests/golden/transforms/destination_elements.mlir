builtin.module {
  func.func @f(%a: f32, %b: f32) -> tensor<2x1x2xf32> {
    %0 = tensor.empty() : tensor<2x1x2xf32>
    %1 = arith.constant 0 : index
    %2 = arith.constant 1 : index
    %3 = tensor.insert %a into %0[%1, %1, %1] : tensor<2x1x2xf32>
    %4 = tensor.insert %b into %3[%1, %1, %2] : tensor<2x1x2xf32>
    %5 = tensor.insert %a into %4[%2, %1, %1] : tensor<2x1x2xf32>
    %r = tensor.insert %b into %5[%2, %1, %2] {made} : tensor<2x1x2xf32>
    func.return %r : tensor<2x1x2xf32>
  }
}
