builtin.module {
  func.func @f(%a: memref<5x7xf32>, %b: memref<7x9xf32>, %c: memref<5x9xf32>) -> memref<5x9xf32> {
    %0 = arith.constant 0 : index
    %1 = ub.poison : f32
    %2 = arith.constant 5 : index
    %3 = arith.constant 7 : index
    %4 = vector.create_mask %2, %3 : vector<8x8xi1>
    %5 = vector.mask %4 {
      %6 = vector.transfer_read %a[%0, %0], %1 {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1) -> (d0, 0, d1)>} : memref<5x7xf32>, vector<8x16x8xf32>
    } : vector<8x8xi1> -> vector<8x16x8xf32>
    %7 = ub.poison : f32
    %8 = arith.constant 7 : index
    %9 = arith.constant 9 : index
    %10 = vector.create_mask %8, %9 : vector<8x16xi1>
    %11 = vector.mask %10 {
      %12 = vector.transfer_read %b[%0, %0], %7 {in_bounds = [true, true, true], permutation_map = affine_map<(d0, d1) -> (0, d1, d0)>} : memref<7x9xf32>, vector<8x16x8xf32>
    } : vector<8x16xi1> -> vector<8x16x8xf32>
    %13 = ub.poison : f32
    %14 = arith.constant 5 : index
    %15 = arith.constant 9 : index
    %16 = vector.create_mask %14, %15 : vector<8x16xi1>
    %17 = vector.mask %16 {
      %18 = vector.transfer_read %c[%0, %0], %13 {in_bounds = [true, true]} : memref<5x9xf32>, vector<8x16xf32>
    } : vector<8x16xi1> -> vector<8x16xf32>
    %19 = arith.mulf %5, %11 : vector<8x16x8xf32>
    %20 = arith.constant 5 : index
    %21 = arith.constant 9 : index
    %22 = arith.constant 7 : index
    %23 = vector.create_mask %20, %21, %22 : vector<8x16x8xi1>
    %24 = vector.mask %23 {
      %25 = vector.multi_reduction <add>, %19, %17 [2] : vector<8x16x8xf32> to vector<8x16xf32>
    } : vector<8x16x8xi1> -> vector<8x16xf32>
    vector.mask %16 {
      vector.transfer_write %24, %c[%0, %0] {in_bounds = [true, true]} : vector<8x16xf32>, memref<5x9xf32>
    } : vector<8x16xi1>
    func.return %c : memref<5x9xf32>
  }
}
