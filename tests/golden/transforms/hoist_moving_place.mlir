builtin.module {
  func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %pad = arith.constant 0.000000e+00 : f32
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %a) -> (tensor<8xf32>) {
      %v = vector.transfer_read %t[%i], %pad {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>
      %w = arith.addf %v, %v : vector<4xf32>
      %u = vector.transfer_write %w, %t[%i] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
      scf.yield %u : tensor<8xf32>
    }
    func.return %r : tensor<8xf32>
  }
}
