builtin.module {
  func.func @matmul(%a: tensor<12x3xf16>, %b: tensor<3x7xf16>, %c: tensor<12x7xf32>) -> tensor<12x7xf32> {
    %0 = arith.constant 0 : index
    %1 = ub.poison : f16
    %2 = arith.constant 12 : index
    %3 = arith.constant 3 : index
    %4 = vector.create_mask %2, %3 : vector<16x4xi1>
    %5 = vector.mask %4 {
      %6 = vector.transfer_read %a[%0, %0], %1 {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1) -> (d0, 0, d1)>} : tensor<12x3xf16>, vector<16x8x4xf16>
    } : vector<16x4xi1> -> vector<16x8x4xf16>
    %7 = ub.poison : f16
    %8 = arith.constant 3 : index
    %9 = arith.constant 7 : index
    %10 = vector.create_mask %8, %9 : vector<4x8xi1>
    %11 = vector.mask %10 {
      %12 = vector.transfer_read %b[%0, %0], %7 {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1) -> (0, d1, d0)>} : tensor<3x7xf16>, vector<16x8x4xf16>
    } : vector<4x8xi1> -> vector<16x8x4xf16>
    %13 = ub.poison : f32
    %14 = arith.constant 12 : index
    %15 = arith.constant 7 : index
    %16 = vector.create_mask %14, %15 : vector<16x8xi1>
    %17 = vector.mask %16 {
      %18 = vector.transfer_read %c[%0, %0], %13 {in_bounds = [true, true]} : tensor<12x7xf32>, vector<16x8xf32>
    } : vector<16x8xi1> -> vector<16x8xf32>
    %19 = arith.extf %5 : vector<16x8x4xf16> to vector<16x8x4xf32>
    %20 = arith.extf %11 : vector<16x8x4xf16> to vector<16x8x4xf32>
    %21 = arith.mulf %19, %20 : vector<16x8x4xf32>
    %22 = arith.constant 12 : index
    %23 = arith.constant 7 : index
    %24 = arith.constant 3 : index
    %25 = vector.create_mask %22, %23, %24 : vector<16x8x4xi1>
    %r = vector.mask %25 {
      %26 = vector.multi_reduction <add>, %21, %17 [2] : vector<16x8x4xf32> to vector<16x8xf32>
    } : vector<16x8x4xi1> -> vector<16x8xf32>
    %r_1 = vector.mask %16 {
      %27 = vector.transfer_write %r, %c[%0, %0] {in_bounds = [true, true]} : vector<16x8xf32>, tensor<12x7xf32>
    } : vector<16x8xi1> -> tensor<12x7xf32>
    func.return %r_1 : tensor<12x7xf32>
  }
}
