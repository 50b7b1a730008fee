builtin.module {
  func.func @f(%a: tensor<8x8xf32>, %n: index) -> index {
    func.return %n : index
  }
}
