builtin.module {
  func.func @f(%a: tensor<8x8xf32>, %n: index) -> tensor<?x8xf32> {
    %s = tensor.extract_slice %a[0, 0] [%n, 8] [1, 1] : tensor<8x8xf32> to tensor<?x8xf32>
    func.return %s : tensor<?x8xf32>
  }
}
