builtin.module {
  func.func @f(%a: tensor<8x8xf32>, %v: vector<8x8xf32>, %u: vector<8x8xf32>) -> tensor<8x8xf32> {
    %c0 = arith.constant 0 : index
    %r = vector.transfer_write %u, %a[%c0, %c0] {in_bounds = [true, true]} : vector<8x8xf32>, tensor<8x8xf32>
    func.return %r : tensor<8x8xf32>
  }
}
