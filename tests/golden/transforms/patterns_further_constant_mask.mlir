builtin.module {
  func.func @f(%a: tensor<8x8xf32>) -> vector<8x8xf32> {
    %c0 = arith.constant 0 : index
    %pad = arith.constant 7.000000e+00 : f32
    %m = vector.constant_mask [3, 8] : vector<8x8xi1>
    %r = vector.transfer_read %a[%c0, %c0], %pad, %m {in_bounds = [true, true]} : tensor<8x8xf32>, vector<8x8xf32>
    func.return %r : vector<8x8xf32>
  }
}
