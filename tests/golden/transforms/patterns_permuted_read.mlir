builtin.module {
  func.func @f(%a: tensor<4x8xf32>) -> vector<8x2x4xf32> {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 7.000000e+00 : f32
    %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : tensor<4x8xf32>, vector<4x8xf32>
    %1 = vector.broadcast %0 : vector<4x8xf32> to vector<2x4x8xf32>
    %r = vector.transpose %1, [2, 0, 1] : vector<2x4x8xf32> to vector<8x2x4xf32>
    func.return %r : vector<8x2x4xf32>
  }
}
