builtin.module {
  func.func @matmul(%a: memref<32x32xf32>, %b: memref<32x32xf32>, %c: memref<32x32xf32>) -> memref<32x32xf32> {
    %0 = ub.poison : f32
    %1 = arith.constant 16 : index
    %2 = arith.constant 32 : index
    %3 = arith.constant 0 : index
    %r = memref.alloc() {alignment = 64 : i64} : memref<32x32xf32>
    memref.copy %c, %r : memref<32x32xf32> to memref<32x32xf32>
    scf.forall (%4, %5) in (2, 2) {
      %6 = affine.apply affine_map<(d0) -> ((d0 * 16))>(%4)
      %7 = affine.apply affine_map<(d0) -> ((d0 * 16))>(%5)
      %8 = memref.subview %a[%6, 0] [16, 32] [1, 1] : memref<32x32xf32> to memref<16x32xf32, strided<[32, 1], offset: ?>>
      %9 = memref.subview %b[0, %7] [32, 16] [1, 1] : memref<32x32xf32> to memref<32x16xf32, strided<[32, 1], offset: ?>>
      %r_1 = memref.subview %r[%6, %7] [16, 16] [1, 1] : memref<32x32xf32> to memref<16x16xf32, strided<[32, 1], offset: ?>>
      %10 = vector.transfer_read %r_1[%3, %3], %0 {in_bounds = [true, true]} : memref<16x16xf32, strided<[32, 1], offset: ?>>, vector<16x16xf32>
      %11 = scf.for %12 = %3 to %2 step %1 iter_args(%13 = %10) -> (vector<16x16xf32>) {
        %14 = memref.subview %8[0, %12] [16, 16] [1, 1] : memref<16x32xf32, strided<[32, 1], offset: ?>> to memref<16x16xf32, strided<[32, 1], offset: ?>>
        %15 = memref.subview %9[%12, 0] [16, 16] [1, 1] : memref<32x16xf32, strided<[32, 1], offset: ?>> to memref<16x16xf32, strided<[32, 1], offset: ?>>
        %16 = vector.transfer_read %14[%3, %3], %0 {in_bounds = [true, true]} : memref<16x16xf32, strided<[32, 1], offset: ?>>, vector<16x16xf32>
        %17 = vector.transfer_read %15[%3, %3], %0 {in_bounds = [true, true]} : memref<16x16xf32, strided<[32, 1], offset: ?>>, vector<16x16xf32>
        %r_2 = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %16, %17, %13 : vector<16x16xf32>, vector<16x16xf32> into vector<16x16xf32>
        scf.yield %r_2 : vector<16x16xf32>
      }
      vector.transfer_write %11, %r_1[%3, %3] {in_bounds = [true, true]} : vector<16x16xf32>, memref<16x16xf32, strided<[32, 1], offset: ?>>
    } {mapping = [#gpu.block<y>, #gpu.block<x>]}
    func.return %r : memref<32x32xf32>
  }
}
