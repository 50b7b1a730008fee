builtin.module {
  func.func @matmul(%a: tensor<16x4xf16>, %b: tensor<4x8xf16>, %c: tensor<16x8xf32>) -> tensor<16x8xf32> {
    %0 = arith.constant 0 : index
    %1 = ub.poison : f16
    %2 = vector.transfer_read %a[%0, %0], %1 {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1) -> (d0, 0, d1)>} : tensor<16x4xf16>, vector<16x8x4xf16>
    %3 = ub.poison : f16
    %4 = vector.transfer_read %b[%0, %0], %3 {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1) -> (0, d1, d0)>} : tensor<4x8xf16>, vector<16x8x4xf16>
    %5 = ub.poison : f32
    %6 = vector.transfer_read %c[%0, %0], %5 {in_bounds = [true, true]} : tensor<16x8xf32>, vector<16x8xf32>
    %7 = arith.extf %2 : vector<16x8x4xf16> to vector<16x8x4xf32>
    %8 = arith.extf %4 : vector<16x8x4xf16> to vector<16x8x4xf32>
    %9 = arith.mulf %7, %8 : vector<16x8x4xf32>
    %r = vector.multi_reduction <add>, %9, %6 [2] : vector<16x8x4xf32> to vector<16x8xf32>
    %r_1 = vector.transfer_write %r, %c[%0, %0] {in_bounds = [true, true]} : vector<16x8xf32>, tensor<16x8xf32>
    func.return %r_1 : tensor<16x8xf32>
  }
}
