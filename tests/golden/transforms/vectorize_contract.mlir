builtin.module {
  func.func @matmul(%a: tensor<5x11xf16>, %b: tensor<11x9xf16>, %c: tensor<5x9xf32>) -> tensor<5x9xf32> {
    %0 = arith.constant 0 : index
    %1 = arith.constant 0.000000e+00 : f16
    %2 = arith.constant 5 : index
    %3 = arith.constant 11 : index
    %4 = vector.create_mask %2, %3 : vector<8x16xi1>
    %5 = vector.mask %4 {
      %6 = vector.transfer_read %a[%0, %0], %1 {in_bounds = [true, true]} : tensor<5x11xf16>, vector<8x16xf16>
    } : vector<8x16xi1> -> vector<8x16xf16>
    %7 = arith.constant 0.000000e+00 : f16
    %8 = arith.constant 11 : index
    %9 = arith.constant 9 : index
    %10 = vector.create_mask %8, %9 : vector<16x16xi1>
    %11 = vector.mask %10 {
      %12 = vector.transfer_read %b[%0, %0], %7 {in_bounds = [true, true]} : tensor<11x9xf16>, vector<16x16xf16>
    } : vector<16x16xi1> -> vector<16x16xf16>
    %13 = arith.constant 0.000000e+00 : f32
    %14 = arith.constant 5 : index
    %15 = arith.constant 9 : index
    %16 = vector.create_mask %14, %15 : vector<8x16xi1>
    %17 = vector.mask %16 {
      %18 = vector.transfer_read %c[%0, %0], %13 {in_bounds = [true, true]} : tensor<5x9xf32>, vector<8x16xf32>
    } : vector<8x16xi1> -> vector<8x16xf32>
    %19 = arith.constant 5 : index
    %20 = arith.constant 9 : index
    %21 = arith.constant 11 : index
    %22 = vector.create_mask %19, %20, %21 : vector<8x16x16xi1>
    %r = vector.mask %22 {
      %23 = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %5, %11, %17 : vector<8x16xf16>, vector<16x16xf16> into vector<8x16xf32>
    } : vector<8x16x16xi1> -> vector<8x16xf32>
    %24 = arith.constant 5 : index
    %25 = arith.constant 9 : index
    %26 = vector.create_mask %24, %25 : vector<8x16xi1>
    %r_1 = vector.mask %26 {
      %27 = vector.transfer_write %r, %c[%0, %0] {in_bounds = [true, true]} : vector<8x16xf32>, tensor<5x9xf32>
    } : vector<8x16xi1> -> tensor<5x9xf32>
    func.return %r_1 : tensor<5x9xf32>
  }
}
