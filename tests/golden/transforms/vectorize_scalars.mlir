builtin.module {
  func.func @f(%p: f32, %q: f32, %o: tensor<8xf32>) -> tensor<8xf32> {
    %0 = arith.constant 0 : index
    %1 = ub.poison : f32
    %2 = vector.transfer_read %o[%0], %1 {in_bounds = [true]} : tensor<8xf32>, vector<8xf32>
    %3 = arith.constant 2.000000e+00 : f32
    %s = arith.mulf %p, %3 : f32
    %t = arith.addf %s, %q : f32
    %4 = vector.broadcast %t : f32 to vector<8xf32>
    %r = arith.mulf %4, %2 : vector<8xf32>
    %r_1 = vector.transfer_write %r, %o[%0] {in_bounds = [true]} : vector<8xf32>, tensor<8xf32>
    func.return %r_1 : tensor<8xf32>
  }
}
