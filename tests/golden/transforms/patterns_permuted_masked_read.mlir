builtin.module {
  func.func @f(%a: tensor<4x8xf32>) -> vector<8x4xf32> {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %pad = arith.constant 7.000000e+00 : f32
    %m = vector.create_mask %c3, %c5 : vector<4x8xi1>
    %0 = vector.transfer_read %a[%c0, %c0], %pad, %m {in_bounds = [true, true]} : tensor<4x8xf32>, vector<4x8xf32>
    %r = vector.transpose %0, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
    func.return %r : vector<8x4xf32>
  }
}
