builtin.module {
  func.func @generic(%a0: tensor<12x20xf32>, %a1: tensor<12x1x20xf32>) -> tensor<12x1x20xf32> {
    %0 = arith.constant 0 : index
    %1 = ub.poison : f32
    %2 = arith.constant 12 : index
    %3 = arith.constant 20 : index
    %4 = vector.create_mask %2, %3 : vector<16x32xi1>
    %5 = vector.mask %4 {
      %6 = vector.transfer_read %a0[%0, %0], %1 {in_bounds = [true, true]} : tensor<12x20xf32>, vector<16x32xf32>
    } : vector<16x32xi1> -> vector<16x32xf32>
    %7 = ub.poison : f32
    %8 = vector.mask %4 {
      %9 = vector.transfer_read %a1[%0, %0, %0], %7 {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2) -> (d0, d2)>} : tensor<12x1x20xf32>, vector<16x32xf32>
    } : vector<16x32xi1> -> vector<16x32xf32>
    %r = arith.addf %5, %8 : vector<16x32xf32>
    %r_1 = vector.mask %4 {
      %10 = vector.transfer_write %r, %a1[%0, %0, %0] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2) -> (d0, d2)>} : vector<16x32xf32>, tensor<12x1x20xf32>
    } : vector<16x32xi1> -> tensor<12x1x20xf32>
    func.return %r_1 : tensor<12x1x20xf32>
  }
}
