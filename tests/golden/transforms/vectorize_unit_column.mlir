builtin.module {
  func.func @generic(%a0: tensor<12x1xf32>, %a1: tensor<12x20xf32>) -> tensor<12x20xf32> {
    %0 = arith.constant 0 : index
    %1 = ub.poison : f32
    %2 = arith.constant 12 : index
    %3 = vector.create_mask %2 : vector<16xi1>
    %4 = vector.mask %3 {
      %5 = vector.transfer_read %a0[%0, %0], %1 {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d0, 0)>} : tensor<12x1xf32>, vector<16x32xf32>
    } : vector<16xi1> -> vector<16x32xf32>
    %6 = ub.poison : f32
    %7 = arith.constant 12 : index
    %8 = arith.constant 20 : index
    %9 = vector.create_mask %7, %8 : vector<16x32xi1>
    %10 = vector.mask %9 {
      %11 = vector.transfer_read %a1[%0, %0], %6 {in_bounds = [true, true]} : tensor<12x20xf32>, vector<16x32xf32>
    } : vector<16x32xi1> -> vector<16x32xf32>
    %r = arith.addf %4, %10 : vector<16x32xf32>
    %r_1 = vector.mask %9 {
      %12 = vector.transfer_write %r, %a1[%0, %0] {in_bounds = [true, true]} : vector<16x32xf32>, tensor<12x20xf32>
    } : vector<16x32xi1> -> tensor<12x20xf32>
    func.return %r_1 : tensor<12x20xf32>
  }
}
