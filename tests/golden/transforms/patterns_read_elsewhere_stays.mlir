builtin.module {
  func.func @f(%a: tensor<9x8xf32>, %v: vector<8x8xf32>) -> vector<8x8xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %pad = arith.constant 7.000000e+00 : f32
    %w = vector.transfer_write %v, %a[%c0, %c0] {in_bounds = [true, true]} : vector<8x8xf32>, tensor<9x8xf32>
    %r = vector.transfer_read %w[%c1, %c0], %pad {in_bounds = [true, true]} : tensor<9x8xf32>, vector<8x8xf32>
    func.return %r : vector<8x8xf32>
  }
}
