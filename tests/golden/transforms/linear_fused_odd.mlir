builtin.module {
  func.func @linear_relu(%a: memref<7x1xf16>, %b: memref<1x127xf16>, %bias: memref<127xf16>) -> memref<7x127xf16> {
    %0 = arith.constant 0.000000e+00 : f16
    %1 = arith.constant 1 : index
    %2 = ub.poison : f16
    %3 = arith.constant dense<0.000000e+00> : vector<16x64xf32>
    %4 = arith.constant 0 : index
    %out = memref.alloc() {alignment = 64 : i64} : memref<7x127xf16>
    scf.forall (%5, %6) in (1, 2) {
      %7 = affine.apply affine_map<(d0) -> ((d0 * 16))> (%5)
      %8 = affine.apply affine_map<(d0) -> ((d0 * 64))> (%6)
      %9 = affine.min affine_map<(d0) -> (((d0 * -16) + 7), 16)> (%5)
      %10 = affine.min affine_map<(d0) -> (((d0 * -64) + 127), 64)> (%6)
      %11 = memref.subview %a[%7, 0] [%9, 1] [1, 1] : memref<7x1xf16> to memref<?x1xf16, strided<[1, 1], offset: ?>>
      %12 = memref.subview %b[0, %8] [1, %10] [1, 1] : memref<1x127xf16> to memref<1x?xf16, strided<[127, 1], offset: ?>>
      %13 = vector.create_mask %9, %10 : vector<16x64xi1>
      %14 = memref.subview %11[0, %4] [%9, %1] [1, 1] : memref<?x1xf16, strided<[1, 1], offset: ?>> to memref<?x?xf16, strided<[1, 1], offset: ?>>
      %15 = memref.subview %12[%4, 0] [%1, %10] [1, 1] : memref<1x?xf16, strided<[127, 1], offset: ?>> to memref<?x?xf16, strided<[127, 1], offset: ?>>
      %16 = vector.create_mask %9, %1 : vector<16x32xi1>
      %17 = vector.transfer_read %14[%4, %4], %0, %16 {in_bounds = [true, true]} : memref<?x?xf16, strided<[1, 1], offset: ?>>, vector<16x32xf16>
      %18 = vector.create_mask %1, %10 : vector<32x64xi1>
      %19 = vector.transfer_read %15[%4, %4], %0, %18 {in_bounds = [true, true]} : memref<?x?xf16, strided<[127, 1], offset: ?>>, vector<32x64xf16>
      %20 = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %17, %19, %3 : vector<16x32xf16>, vector<32x64xf16> into vector<16x64xf32>
      %21 = memref.subview %bias[%8] [%10] [1] : memref<127xf16> to memref<?xf16, strided<[1], offset: ?>>
      %result = memref.subview %out[%7, %8] [%9, %10] [1, 1] : memref<7x127xf16> to memref<?x?xf16, strided<[127, 1], offset: ?>>
      %22 = vector.create_mask %10 : vector<64xi1>
      %23 = vector.transfer_read %21[%4], %2, %22 {in_bounds = [true]} : memref<?xf16, strided<[1], offset: ?>>, vector<64xf16>
      %24 = vector.broadcast %23 : vector<64xf16> to vector<16x64xf16>
      %25 = arith.extf %24 : vector<16x64xf16> to vector<16x64xf32>
      %26 = arith.addf %20, %25 : vector<16x64xf32>
      %27 = arith.maximumf %26, %3 : vector<16x64xf32>
      %28 = arith.truncf %27 : vector<16x64xf32> to vector<16x64xf16>
      vector.transfer_write %28, %result[%4, %4], %13 {in_bounds = [true, true]} : vector<16x64xf16>, memref<?x?xf16, strided<[127, 1], offset: ?>>
    } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.descriptors, triton.num_warps = 8 : i64}
    func.return %out : memref<7x127xf16>
  }
}
