builtin.module {
  func.func @f(%a: tensor<8x8xf32>, %p: vector<8x8xf32>) -> vector<8x8xf32> {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %pad = arith.constant 7.000000e+00 : f32
    %m = vector.create_mask %c3, %c5 : vector<8x8xi1>
    %r = vector.mask %m, %p {
      %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : tensor<8x8xf32>, vector<8x8xf32>
    } : vector<8x8xi1> -> vector<8x8xf32>
    func.return %r : vector<8x8xf32>
  }
}
