builtin.module {
  func.func @f(%a: tensor<8x8xf32>, %v: vector<8x8xf32>) -> vector<8x8xf32> {
    func.return %v : vector<8x8xf32>
  }
}
