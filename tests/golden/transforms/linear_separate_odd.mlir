builtin.module {
  func.func @linear_relu(%a: memref<7x1xf16>, %b: memref<1x127xf16>, %bias: memref<127xf16>) -> memref<7x127xf16> {
    %0 = arith.constant 0.000000e+00 : f16
    %1 = arith.constant 1 : index
    %2 = ub.poison : f32
    %3 = ub.poison : f16
    %4 = arith.constant dense<0.000000e+00> : vector<16x64xf32>
    %5 = arith.constant 0 : index
    %empty = memref.alloc() {alignment = 64 : i64} : memref<7x127xf32>
    scf.forall (%6, %7) in (1, 2) {
      %8 = affine.apply affine_map<(d0) -> ((d0 * 16))> (%6)
      %9 = affine.apply affine_map<(d0) -> ((d0 * 64))> (%7)
      %10 = affine.min affine_map<(d0) -> (((d0 * -16) + 7), 16)> (%6)
      %11 = affine.min affine_map<(d0) -> (((d0 * -64) + 127), 64)> (%7)
      %12 = memref.subview %a[%8, 0] [%10, 1] [1, 1] : memref<7x1xf16> to memref<?x1xf16, strided<[1, 1], offset: ?>>
      %13 = memref.subview %b[0, %9] [1, %11] [1, 1] : memref<1x127xf16> to memref<1x?xf16, strided<[127, 1], offset: ?>>
      %product = memref.subview %empty[%8, %9] [%10, %11] [1, 1] : memref<7x127xf32> to memref<?x?xf32, strided<[127, 1], offset: ?>>
      %14 = vector.create_mask %10, %11 : vector<16x64xi1>
      %15 = memref.subview %12[0, %5] [%10, %1] [1, 1] : memref<?x1xf16, strided<[1, 1], offset: ?>> to memref<?x?xf16, strided<[1, 1], offset: ?>>
      %16 = memref.subview %13[%5, 0] [%1, %11] [1, 1] : memref<1x?xf16, strided<[127, 1], offset: ?>> to memref<?x?xf16, strided<[127, 1], offset: ?>>
      %17 = vector.create_mask %10, %1 : vector<16x32xi1>
      %18 = vector.transfer_read %15[%5, %5], %0, %17 {in_bounds = [true, true]} : memref<?x?xf16, strided<[1, 1], offset: ?>>, vector<16x32xf16>
      %19 = vector.create_mask %1, %11 : vector<32x64xi1>
      %20 = vector.transfer_read %16[%5, %5], %0, %19 {in_bounds = [true, true]} : memref<?x?xf16, strided<[127, 1], offset: ?>>, vector<32x64xf16>
      %21 = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %18, %20, %4 : vector<16x32xf16>, vector<32x64xf16> into vector<16x64xf32>
      vector.transfer_write %21, %product[%5, %5], %14 {in_bounds = [true, true]} : vector<16x64xf32>, memref<?x?xf32, strided<[127, 1], offset: ?>>
    } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.descriptors, triton.num_warps = 8 : i64}
    %out = memref.alloc() {alignment = 64 : i64} : memref<7x127xf16>
    scf.forall (%22, %23) in (1, 2) {
      %24 = affine.apply affine_map<(d0) -> ((d0 * 16))> (%22)
      %25 = affine.apply affine_map<(d0) -> ((d0 * 64))> (%23)
      %26 = affine.min affine_map<(d0) -> (((d0 * -16) + 7), 16)> (%22)
      %27 = affine.min affine_map<(d0) -> (((d0 * -64) + 127), 64)> (%23)
      %28 = memref.subview %empty[%24, %25] [%26, %27] [1, 1] : memref<7x127xf32> to memref<?x?xf32, strided<[127, 1], offset: ?>>
      %29 = memref.subview %bias[%25] [%27] [1] : memref<127xf16> to memref<?xf16, strided<[1], offset: ?>>
      %result = memref.subview %out[%24, %25] [%26, %27] [1, 1] : memref<7x127xf16> to memref<?x?xf16, strided<[127, 1], offset: ?>>
      %30 = vector.create_mask %26, %27 : vector<16x64xi1>
      %31 = vector.transfer_read %28[%5, %5], %2, %30 {in_bounds = [true, true]} : memref<?x?xf32, strided<[127, 1], offset: ?>>, vector<16x64xf32>
      %32 = vector.create_mask %27 : vector<64xi1>
      %33 = vector.transfer_read %29[%5], %3, %32 {in_bounds = [true]} : memref<?xf16, strided<[1], offset: ?>>, vector<64xf16>
      %34 = vector.broadcast %33 : vector<64xf16> to vector<16x64xf16>
      %35 = arith.extf %34 : vector<16x64xf16> to vector<16x64xf32>
      %36 = arith.addf %31, %35 : vector<16x64xf32>
      %37 = arith.maximumf %36, %4 : vector<16x64xf32>
      %38 = arith.truncf %37 : vector<16x64xf32> to vector<16x64xf16>
      vector.transfer_write %38, %result[%5, %5], %30 {in_bounds = [true, true]} : vector<16x64xf16>, memref<?x?xf16, strided<[127, 1], offset: ?>>
    } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.descriptors, triton.num_warps = 8 : i64}
    func.return %out : memref<7x127xf16>
  }
}
