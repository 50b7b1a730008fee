builtin.module {
  func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %pad = arith.constant 0.000000e+00 : f32
    %v = vector.transfer_read %a[%c0], %pad {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>
    %r, %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %a, %v_1 = %v) -> (tensor<8xf32>, vector<4xf32>) {
      %s, %1 = scf.for %j = %c0 to %c4 step %c1 iter_args(%q = %t, %v_2 = %v_1) -> (tensor<8xf32>, vector<4xf32>) {
        %w = arith.addf %v_2, %v_2 : vector<4xf32>
        scf.yield %q, %w : tensor<8xf32>, vector<4xf32>
      }
      scf.yield %s, %1 : tensor<8xf32>, vector<4xf32>
    }
    %u = vector.transfer_write %0, %r[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
    func.return %u : tensor<8xf32>
  }
}
