builtin.module {
  func.func @f(%a: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %pad = ub.poison : f32
    %m = vector.create_mask %n, %c4 : vector<8x8xi1>
    %v = vector.transfer_read %a[%c0, %c0], %pad, %m {in_bounds = [true, true]} : tensor<8x8xf32>, vector<8x8xf32>
    %r, %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %a, %v_1 = %v) -> (tensor<8x8xf32>, vector<8x8xf32>) {
      %w = arith.addf %v_1, %v_1 : vector<8x8xf32>
      scf.yield %t, %w : tensor<8x8xf32>, vector<8x8xf32>
    }
    %u = vector.transfer_write %0, %r[%c0, %c0], %m {in_bounds = [true, true]} : vector<8x8xf32>, tensor<8x8xf32>
    func.return %u : tensor<8x8xf32>
  }
}
