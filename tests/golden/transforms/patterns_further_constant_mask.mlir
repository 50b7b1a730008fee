builtin.module {
  func.func @f(%a: tensor<8x8xf32>) -> vector<8x8xf32> {
    %0 = arith.constant 8 : index
    %c0 = arith.constant 0 : index
    %pad = arith.constant 7.000000e+00 : f32
    %1 = arith.constant 3 : index
    %m = vector.create_mask %1, %0 : vector<8x8xi1>
    %r = vector.transfer_read %a[%c0, %c0], %pad, %m {in_bounds = [true, true]} : tensor<8x8xf32>, vector<8x8xf32>
    func.return %r : vector<8x8xf32>
  }
}
