builtin.module {
  func.func @generic(%a0: tensor<20x12xf32>, %a1: tensor<20xf32>, %a2: tensor<12x20xf32>) -> tensor<12x20xf32> {
    %0 = arith.constant 0 : index
    %1 = ub.poison : f32
    %2 = arith.constant 20 : index
    %3 = arith.constant 12 : index
    %4 = vector.create_mask %2, %3 : vector<32x16xi1>
    %5 = vector.mask %4 {
      %6 = vector.transfer_read %a0[%0, %0], %1 {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : tensor<20x12xf32>, vector<16x32xf32>
    } : vector<32x16xi1> -> vector<16x32xf32>
    %7 = ub.poison : f32
    %8 = arith.constant 20 : index
    %9 = vector.create_mask %8 : vector<32xi1>
    %10 = vector.mask %9 {
      %11 = vector.transfer_read %a1[%0], %7 {in_bounds = [true, true], permutation_map = affine_map<(d0) -> (0, d0)>} : tensor<20xf32>, vector<16x32xf32>
    } : vector<32xi1> -> vector<16x32xf32>
    %r = arith.addf %5, %10 : vector<16x32xf32>
    %12 = arith.constant 12 : index
    %13 = arith.constant 20 : index
    %14 = vector.create_mask %12, %13 : vector<16x32xi1>
    %r_1 = vector.mask %14 {
      %15 = vector.transfer_write %r, %a2[%0, %0] {in_bounds = [true, true]} : vector<16x32xf32>, tensor<12x20xf32>
    } : vector<16x32xi1> -> tensor<12x20xf32>
    func.return %r_1 : tensor<12x20xf32>
  }
}
