builtin.module {
  func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
    func.return %a : tensor<8xf32>
  }
}
