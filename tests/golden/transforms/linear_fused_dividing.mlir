builtin.module {
  func.func @linear_relu(%a: memref<64x32xf16>, %b: memref<32x96xf16>, %bias: memref<96xf16>) -> memref<64x96xf16> {
    %0 = ub.poison : f16
    %1 = arith.constant 16 : index
    %2 = arith.constant 32 : index
    %3 = arith.constant dense<0.000000e+00> : vector<32x32xf32>
    %4 = arith.constant 0 : index
    %out = memref.alloc() {alignment = 64 : i64} : memref<64x96xf16>
    scf.forall (%5, %6) in (2, 3) {
      %7 = affine.apply affine_map<(d0) -> ((d0 * 32))>(%5)
      %8 = affine.apply affine_map<(d0) -> ((d0 * 32))>(%6)
      %9 = memref.subview %a[%7, 0] [32, 32] [1, 1] : memref<64x32xf16> to memref<32x32xf16, strided<[32, 1], offset: ?>>
      %10 = memref.subview %b[0, %8] [32, 32] [1, 1] : memref<32x96xf16> to memref<32x32xf16, strided<[96, 1], offset: ?>>
      %11 = scf.for %12 = %4 to %2 step %1 iter_args(%13 = %3) -> (vector<32x32xf32>) {
        %14 = memref.subview %9[0, %12] [32, 16] [1, 1] : memref<32x32xf16, strided<[32, 1], offset: ?>> to memref<32x16xf16, strided<[32, 1], offset: ?>>
        %15 = memref.subview %10[%12, 0] [16, 32] [1, 1] : memref<32x32xf16, strided<[96, 1], offset: ?>> to memref<16x32xf16, strided<[96, 1], offset: ?>>
        %16 = vector.transfer_read %14[%4, %4], %0 {in_bounds = [true, true]} : memref<32x16xf16, strided<[32, 1], offset: ?>>, vector<32x16xf16>
        %17 = vector.transfer_read %15[%4, %4], %0 {in_bounds = [true, true]} : memref<16x32xf16, strided<[96, 1], offset: ?>>, vector<16x32xf16>
        %product = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %16, %17, %13 : vector<32x16xf16>, vector<16x32xf16> into vector<32x32xf32>
        scf.yield %product : vector<32x32xf32>
      } {triton.num_stages = 3 : i64}
      %18 = memref.subview %bias[%8] [32] [1] : memref<96xf16> to memref<32xf16, strided<[1], offset: ?>>
      %result = memref.subview %out[%7, %8] [32, 32] [1, 1] : memref<64x96xf16> to memref<32x32xf16, strided<[96, 1], offset: ?>>
      %19 = vector.transfer_read %18[%4], %0 {in_bounds = [true]} : memref<32xf16, strided<[1], offset: ?>>, vector<32xf16>
      %20 = vector.broadcast %19 : vector<32xf16> to vector<32x32xf16>
      %wide = arith.extf %20 : vector<32x32xf16> to vector<32x32xf32>
      %sum = arith.addf %11, %wide : vector<32x32xf32>
      %relu = arith.maximumf %sum, %3 : vector<32x32xf32>
      %result_1 = arith.truncf %relu : vector<32x32xf32> to vector<32x32xf16>
      vector.transfer_write %result_1, %result[%4, %4] {in_bounds = [true, true]} : vector<32x32xf16>, memref<32x32xf16, strided<[96, 1], offset: ?>>
    } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.descriptors, triton.num_warps = 8 : i64}
    func.return %out : memref<64x96xf16>
  }
}
