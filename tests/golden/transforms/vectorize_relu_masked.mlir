builtin.module {
  func.func @elementwise(%a: tensor<30xf32>) -> tensor<30xf32> {
    %zero = arith.constant 0.000000e+00 : f32
    %e = tensor.empty() : tensor<30xf32>
    %0 = arith.constant 0 : index
    %1 = ub.poison : f32
    %2 = arith.constant 30 : index
    %3 = vector.create_mask %2 : vector<32xi1>
    %4 = vector.mask %3 {
      %5 = vector.transfer_read %a[%0], %1 {in_bounds = [true]} : tensor<30xf32>, vector<32xf32>
    } : vector<32xi1> -> vector<32xf32>
    %6 = arith.constant dense<0.000000e+00> : vector<32xf32>
    %r = arith.maximumf %4, %6 : vector<32xf32>
    %r_1 = vector.mask %3 {
      %7 = vector.transfer_write %r, %e[%0] {in_bounds = [true]} : vector<32xf32>, tensor<30xf32>
    } : vector<32xi1> -> tensor<30xf32>
    func.return %r_1 : tensor<30xf32>
  }
}
