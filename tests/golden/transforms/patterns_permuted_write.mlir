builtin.module {
  func.func @f(%a: tensor<4x8xf32>, %v: vector<8x4xf32>) -> tensor<4x8xf32> {
    %c0 = arith.constant 0 : index
    %0 = vector.transpose %v, [1, 0] : vector<8x4xf32> to vector<4x8xf32>
    %r = vector.transfer_write %0, %a[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<4x8xf32>
    func.return %r : tensor<4x8xf32>
  }
}
