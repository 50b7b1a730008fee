builtin.module {
  func.func @linear_relu(%a: memref<64x32xf16>, %b: memref<32x96xf16>, %bias: memref<96xf16>) -> memref<64x96xf16> {
    %0 = ub.poison : f32
    %1 = ub.poison : f16
    %2 = arith.constant 16 : index
    %3 = arith.constant 32 : index
    %4 = arith.constant dense<0.000000e+00> : vector<32x32xf32>
    %5 = arith.constant 0 : index
    %empty = memref.alloc() {alignment = 64 : i64} : memref<64x96xf32>
    scf.forall (%6, %7) in (2, 3) {
      %8 = affine.apply affine_map<(d0) -> ((d0 * 32))>(%6)
      %9 = affine.apply affine_map<(d0) -> ((d0 * 32))>(%7)
      %10 = memref.subview %a[%8, 0] [32, 32] [1, 1] : memref<64x32xf16> to memref<32x32xf16, strided<[32, 1], offset: ?>>
      %11 = memref.subview %b[0, %9] [32, 32] [1, 1] : memref<32x96xf16> to memref<32x32xf16, strided<[96, 1], offset: ?>>
      %product = memref.subview %empty[%8, %9] [32, 32] [1, 1] : memref<64x96xf32> to memref<32x32xf32, strided<[96, 1], offset: ?>>
      %12 = scf.for %13 = %5 to %3 step %2 iter_args(%14 = %4) -> (vector<32x32xf32>) {
        %15 = memref.subview %10[0, %13] [32, 16] [1, 1] : memref<32x32xf16, strided<[32, 1], offset: ?>> to memref<32x16xf16, strided<[32, 1], offset: ?>>
        %16 = memref.subview %11[%13, 0] [16, 32] [1, 1] : memref<32x32xf16, strided<[96, 1], offset: ?>> to memref<16x32xf16, strided<[96, 1], offset: ?>>
        %17 = vector.transfer_read %15[%5, %5], %1 {in_bounds = [true, true]} : memref<32x16xf16, strided<[32, 1], offset: ?>>, vector<32x16xf16>
        %18 = vector.transfer_read %16[%5, %5], %1 {in_bounds = [true, true]} : memref<16x32xf16, strided<[96, 1], offset: ?>>, vector<16x32xf16>
        %product_1 = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %17, %18, %14 : vector<32x16xf16>, vector<16x32xf16> into vector<32x32xf32>
        scf.yield %product_1 : vector<32x32xf32>
      } {triton.num_stages = 3 : i64}
      vector.transfer_write %12, %product[%5, %5] {in_bounds = [true, true]} : vector<32x32xf32>, memref<32x32xf32, strided<[96, 1], offset: ?>>
    } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.descriptors, triton.num_warps = 8 : i64}
    %out = memref.alloc() {alignment = 64 : i64} : memref<64x96xf16>
    scf.forall (%19, %20) in (2, 3) {
      %21 = affine.apply affine_map<(d0) -> ((d0 * 32))>(%19)
      %22 = affine.apply affine_map<(d0) -> ((d0 * 32))>(%20)
      %23 = memref.subview %empty[%21, %22] [32, 32] [1, 1] : memref<64x96xf32> to memref<32x32xf32, strided<[96, 1], offset: ?>>
      %24 = memref.subview %bias[%22] [32] [1] : memref<96xf16> to memref<32xf16, strided<[1], offset: ?>>
      %result = memref.subview %out[%21, %22] [32, 32] [1, 1] : memref<64x96xf16> to memref<32x32xf16, strided<[96, 1], offset: ?>>
      %25 = vector.transfer_read %23[%5, %5], %0 {in_bounds = [true, true]} : memref<32x32xf32, strided<[96, 1], offset: ?>>, vector<32x32xf32>
      %26 = vector.transfer_read %24[%5], %1 {in_bounds = [true]} : memref<32xf16, strided<[1], offset: ?>>, vector<32xf16>
      %27 = vector.broadcast %26 : vector<32xf16> to vector<32x32xf16>
      %wide = arith.extf %27 : vector<32x32xf16> to vector<32x32xf32>
      %sum = arith.addf %25, %wide : vector<32x32xf32>
      %relu = arith.maximumf %sum, %4 : vector<32x32xf32>
      %result_1 = arith.truncf %relu : vector<32x32xf32> to vector<32x32xf16>
      vector.transfer_write %result_1, %result[%5, %5] {in_bounds = [true, true]} : vector<32x32xf16>, memref<32x32xf16, strided<[96, 1], offset: ?>>
    } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.descriptors, triton.num_warps = 8 : i64}
    func.return %out : memref<64x96xf16>
  }
}
