// 200x104x136 bf16, made by generate.py with mlir-opt-22.
func.func @f(%arg0: memref<200x136xbf16>, %arg1: memref<136x104xbf16>) -> memref<200x104xf32> {
  %0 = ub.poison : bf16
  %c32 = arith.constant 32 : index
  %c136 = arith.constant 136 : index
  %cst = arith.constant dense<0.000000e+00> : vector<64x64xf32>
  %1 = ub.poison : f32
  %c0 = arith.constant 0 : index
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<200x104xf32>
  scf.forall (%arg2, %arg3) in (4, 2) {
    %2 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg2)
    %3 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg3)
    %4 = affine.min affine_map<(d0) -> (d0 * -64 + 200, 64)>(%arg2)
    %5 = affine.min affine_map<(d0) -> (d0 * -64 + 104, 64)>(%arg3)
    %subview = memref.subview %arg0[%2, 0] [%4, 136] [1, 1] : memref<200x136xbf16> to memref<?x136xbf16, strided<[136, 1], offset: ?>>
    %subview_0 = memref.subview %arg1[0, %3] [136, %5] [1, 1] : memref<136x104xbf16> to memref<136x?xbf16, strided<[104, 1], offset: ?>>
    %subview_1 = memref.subview %alloc[%2, %3] [%4, %5] [1, 1] : memref<200x104xf32> to memref<?x?xf32, strided<[104, 1], offset: ?>>
    %6 = vector.create_mask %4, %5 : vector<64x64xi1>
    %alloc_2 = memref.alloc(%4, %5) {alignment = 64 : i64} : memref<?x?xf32>
    vector.transfer_write %cst, %alloc_2[%c0, %c0], %6 {in_bounds = [true, true]} : vector<64x64xf32>, memref<?x?xf32>
    %subview_3 = memref.subview %alloc_2[0, 0] [%4, %5] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %7 = vector.transfer_read %subview_3[%c0, %c0], %1, %6 {in_bounds = [true, true]} : memref<?x?xf32, strided<[?, 1]>>, vector<64x64xf32>
    %8 = scf.for %arg4 = %c0 to %c136 step %c32 iter_args(%arg5 = %7) -> (vector<64x64xf32>) {
      %11 = affine.min affine_map<(d0) -> (-d0 + 136, 32)>(%arg4)
      %subview_7 = memref.subview %subview[0, %arg4] [%4, %11] [1, 1] : memref<?x136xbf16, strided<[136, 1], offset: ?>> to memref<?x?xbf16, strided<[136, 1], offset: ?>>
      %subview_8 = memref.subview %subview_0[%arg4, 0] [%11, %5] [1, 1] : memref<136x?xbf16, strided<[104, 1], offset: ?>> to memref<?x?xbf16, strided<[104, 1], offset: ?>>
      %12 = vector.create_mask %4, %11 : vector<64x32xi1>
      %13 = vector.transfer_read %subview_7[%c0, %c0], %0, %12 {in_bounds = [true, true]} : memref<?x?xbf16, strided<[136, 1], offset: ?>>, vector<64x32xbf16>
      %14 = vector.create_mask %11, %5 : vector<32x64xi1>
      %15 = vector.transfer_read %subview_8[%c0, %c0], %0, %14 {in_bounds = [true, true]} : memref<?x?xbf16, strided<[104, 1], offset: ?>>, vector<32x64xbf16>
      %16 = vector.create_mask %4, %5, %11 : vector<64x64x32xi1>
      %17 = vector.mask %16 { vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %13, %15, %arg5 : vector<64x32xbf16>, vector<32x64xbf16> into vector<64x64xf32> } : vector<64x64x32xi1> -> vector<64x64xf32>
      scf.yield %17 : vector<64x64xf32>
    } {triton.num_stages = 3 : i64}
    vector.transfer_write %8, %subview_3[%c0, %c0], %6 {in_bounds = [true, true]} : vector<64x64xf32>, memref<?x?xf32, strided<[?, 1]>>
    %subview_4 = memref.subview %alloc_2[0, 0] [%4, %5] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1]>>
    memref.copy %subview_3, %subview_4 : memref<?x?xf32, strided<[?, 1]>> to memref<?x?xf32, strided<[?, 1]>>
    %subview_5 = memref.subview %alloc[%2, %3] [%4, %5] [1, 1] : memref<200x104xf32> to memref<?x?xf32, strided<[104, 1], offset: ?>>
    %9 = vector.transfer_read %alloc_2[%c0, %c0], %1, %6 {in_bounds = [true, true]} : memref<?x?xf32>, vector<64x64xf32>
    %10 = arith.maximumf %9, %cst : vector<64x64xf32>
    vector.transfer_write %10, %subview_5[%c0, %c0], %6 {in_bounds = [true, true]} : vector<64x64xf32>, memref<?x?xf32, strided<[104, 1], offset: ?>>
    %subview_6 = memref.subview %alloc[%2, %3] [%4, %5] [1, 1] : memref<200x104xf32> to memref<?x?xf32, strided<[104, 1], offset: ?>>
    memref.copy %subview_5, %subview_6 : memref<?x?xf32, strided<[104, 1], offset: ?>> to memref<?x?xf32, strided<[104, 1], offset: ?>>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.descriptors, triton.num_warps = 8 : i64}
  return %alloc : memref<200x104xf32>
}
