builtin.module {
  func.func @linear_relu(%a: memref<7x1xf16>, %b: memref<1x127xf16>, %bias: memref<127xf16>) -> memref<7x127xf16> {
    %0 = arith.constant 0.000000e+00 : f16
    %1 = arith.constant 1 : index
    %2 = arith.constant 7 : index
    %3 = ub.poison : f32
    %4 = ub.poison : f16
    %5 = arith.constant dense<0.000000e+00> : vector<16x64xf32>
    %6 = arith.constant 0 : index
    %empty = memref.alloc() {alignment = 64 : i64} : memref<7x127xf32>
    scf.forall (%7, %8) in (1, 2) {
      %9 = affine.apply affine_map<(d0) -> ((d0 * 64))>(%8)
      %10 = affine.min affine_map<(d0) -> (((d0 * -64) + 127), 64)>(%8)
      %11 = memref.subview %b[0, %9] [1, %10] [1, 1] : memref<1x127xf16> to memref<1x?xf16, strided<[127, 1], offset: ?>>
      %product = memref.subview %empty[0, %9] [7, %10] [1, 1] : memref<7x127xf32> to memref<7x?xf32, strided<[127, 1], offset: ?>>
      %12 = vector.create_mask %2, %10 : vector<16x64xi1>
      %13 = vector.constant_mask [7, 1] : vector<16x32xi1>
      %14 = vector.transfer_read %a[%6, %6], %0, %13 {in_bounds = [true, true]} : memref<7x1xf16>, vector<16x32xf16>
      %15 = vector.create_mask %1, %10 : vector<32x64xi1>
      %16 = vector.transfer_read %11[%6, %6], %0, %15 {in_bounds = [true, true]} : memref<1x?xf16, strided<[127, 1], offset: ?>>, vector<32x64xf16>
      %product_1 = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %14, %16, %5 : vector<16x32xf16>, vector<32x64xf16> into vector<16x64xf32>
      vector.transfer_write %product_1, %product[%6, %6], %12 {in_bounds = [true, true]} : vector<16x64xf32>, memref<7x?xf32, strided<[127, 1], offset: ?>>
    } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.descriptors, triton.num_warps = 8 : i64}
    %out = memref.alloc() {alignment = 64 : i64} : memref<7x127xf16>
    scf.forall (%17, %18) in (1, 2) {
      %19 = affine.apply affine_map<(d0) -> ((d0 * 64))>(%18)
      %20 = affine.min affine_map<(d0) -> (((d0 * -64) + 127), 64)>(%18)
      %21 = memref.subview %empty[0, %19] [7, %20] [1, 1] : memref<7x127xf32> to memref<7x?xf32, strided<[127, 1], offset: ?>>
      %22 = memref.subview %bias[%19] [%20] [1] : memref<127xf16> to memref<?xf16, strided<[1], offset: ?>>
      %result = memref.subview %out[0, %19] [7, %20] [1, 1] : memref<7x127xf16> to memref<7x?xf16, strided<[127, 1], offset: ?>>
      %23 = vector.create_mask %2, %20 : vector<16x64xi1>
      %24 = vector.transfer_read %21[%6, %6], %3, %23 {in_bounds = [true, true]} : memref<7x?xf32, strided<[127, 1], offset: ?>>, vector<16x64xf32>
      %25 = vector.create_mask %20 : vector<64xi1>
      %26 = vector.transfer_read %22[%6], %4, %25 {in_bounds = [true]} : memref<?xf16, strided<[1], offset: ?>>, vector<64xf16>
      %27 = vector.broadcast %26 : vector<64xf16> to vector<16x64xf16>
      %wide = arith.extf %27 : vector<16x64xf16> to vector<16x64xf32>
      %sum = arith.addf %24, %wide : vector<16x64xf32>
      %relu = arith.maximumf %sum, %5 : vector<16x64xf32>
      %result_1 = arith.truncf %relu : vector<16x64xf32> to vector<16x64xf16>
      vector.transfer_write %result_1, %result[%6, %6], %23 {in_bounds = [true, true]} : vector<16x64xf16>, memref<7x?xf16, strided<[127, 1], offset: ?>>
    } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.descriptors, triton.num_warps = 8 : i64}
    func.return %out : memref<7x127xf16>
  }
}
