builtin.module {
  func.func @linear_relu(%a: memref<7x1xf16>, %b: memref<1x127xf16>, %bias: memref<127xf16>) -> memref<7x127xf16> {
    %0 = arith.constant 0.000000e+00 : f16
    %1 = arith.constant 1 : index
    %2 = arith.constant 7 : index
    %3 = ub.poison : f16
    %4 = arith.constant dense<0.000000e+00> : vector<16x64xf32>
    %5 = arith.constant 0 : index
    %out = memref.alloc() {alignment = 64 : i64} : memref<7x127xf16>
    scf.forall (%6, %7) in (1, 2) {
      %8 = affine.apply affine_map<(d0) -> ((d0 * 64))>(%7)
      %9 = affine.min affine_map<(d0) -> (((d0 * -64) + 127), 64)>(%7)
      %10 = memref.subview %b[0, %8] [1, %9] [1, 1] : memref<1x127xf16> to memref<1x?xf16, strided<[127, 1], offset: ?>>
      %11 = vector.constant_mask [7, 1] : vector<16x32xi1>
      %12 = vector.transfer_read %a[%5, %5], %0, %11 {in_bounds = [true, true]} : memref<7x1xf16>, vector<16x32xf16>
      %13 = vector.create_mask %1, %9 : vector<32x64xi1>
      %14 = vector.transfer_read %10[%5, %5], %0, %13 {in_bounds = [true, true]} : memref<1x?xf16, strided<[127, 1], offset: ?>>, vector<32x64xf16>
      %15 = memref.subview %bias[%8] [%9] [1] : memref<127xf16> to memref<?xf16, strided<[1], offset: ?>>
      %result = memref.subview %out[0, %8] [7, %9] [1, 1] : memref<7x127xf16> to memref<7x?xf16, strided<[127, 1], offset: ?>>
      %16 = vector.create_mask %2, %9 : vector<16x64xi1>
      %17 = vector.create_mask %9 : vector<64xi1>
      %18 = vector.transfer_read %15[%5], %3, %17 {in_bounds = [true]} : memref<?xf16, strided<[1], offset: ?>>, vector<64xf16>
      %19 = vector.broadcast %18 : vector<64xf16> to vector<16x64xf16>
      %wide = arith.extf %19 : vector<16x64xf16> to vector<16x64xf32>
      %sum = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %12, %14, %wide : vector<16x32xf16>, vector<32x64xf16> into vector<16x64xf32>
      %relu = arith.maximumf %sum, %4 : vector<16x64xf32>
      %result_1 = arith.truncf %relu : vector<16x64xf32> to vector<16x64xf16>
      vector.transfer_write %result_1, %result[%5, %5], %16 {in_bounds = [true, true]} : vector<16x64xf16>, memref<7x?xf16, strided<[127, 1], offset: ?>>
    } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.descriptors, triton.num_warps = 8 : i64}
    func.return %out : memref<7x127xf16>
  }
}
