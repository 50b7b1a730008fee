// 200x104x136 f32, made by generate.py with mlir-opt-22.
func.func @f(%arg0: memref<200x136xf32>, %arg1: memref<136x104xf32>) -> memref<200x104xf32> {
  %c32 = arith.constant 32 : index
  %c136 = arith.constant 136 : index
  %cst = arith.constant dense<0.000000e+00> : vector<64x64xf32>
  %0 = ub.poison : f32
  %c0 = arith.constant 0 : index
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<200x104xf32>
  scf.forall (%arg2, %arg3) in (4, 2) {
    %1 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg2)
    %2 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg3)
    %3 = affine.min affine_map<(d0) -> (d0 * -64 + 200, 64)>(%arg2)
    %4 = affine.min affine_map<(d0) -> (d0 * -64 + 104, 64)>(%arg3)
    %subview = memref.subview %arg0[%1, 0] [%3, 136] [1, 1] : memref<200x136xf32> to memref<?x136xf32, strided<[136, 1], offset: ?>>
    %subview_0 = memref.subview %arg1[0, %2] [136, %4] [1, 1] : memref<136x104xf32> to memref<136x?xf32, strided<[104, 1], offset: ?>>
    %subview_1 = memref.subview %alloc[%1, %2] [%3, %4] [1, 1] : memref<200x104xf32> to memref<?x?xf32, strided<[104, 1], offset: ?>>
    %5 = vector.create_mask %3, %4 : vector<64x64xi1>
    %alloc_2 = memref.alloc(%3, %4) {alignment = 64 : i64} : memref<?x?xf32>
    vector.transfer_write %cst, %alloc_2[%c0, %c0], %5 {in_bounds = [true, true]} : vector<64x64xf32>, memref<?x?xf32>
    %subview_3 = memref.subview %alloc_2[0, 0] [%3, %4] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1]>>
    %6 = vector.transfer_read %subview_3[%c0, %c0], %0, %5 {in_bounds = [true, true]} : memref<?x?xf32, strided<[?, 1]>>, vector<64x64xf32>
    %7 = scf.for %arg4 = %c0 to %c136 step %c32 iter_args(%arg5 = %6) -> (vector<64x64xf32>) {
      %10 = affine.min affine_map<(d0) -> (-d0 + 136, 32)>(%arg4)
      %subview_7 = memref.subview %subview[0, %arg4] [%3, %10] [1, 1] : memref<?x136xf32, strided<[136, 1], offset: ?>> to memref<?x?xf32, strided<[136, 1], offset: ?>>
      %subview_8 = memref.subview %subview_0[%arg4, 0] [%10, %4] [1, 1] : memref<136x?xf32, strided<[104, 1], offset: ?>> to memref<?x?xf32, strided<[104, 1], offset: ?>>
      %11 = vector.create_mask %3, %10 : vector<64x32xi1>
      %12 = vector.transfer_read %subview_7[%c0, %c0], %0, %11 {in_bounds = [true, true]} : memref<?x?xf32, strided<[136, 1], offset: ?>>, vector<64x32xf32>
      %13 = vector.create_mask %10, %4 : vector<32x64xi1>
      %14 = vector.transfer_read %subview_8[%c0, %c0], %0, %13 {in_bounds = [true, true]} : memref<?x?xf32, strided<[104, 1], offset: ?>>, vector<32x64xf32>
      %15 = vector.create_mask %3, %4, %10 : vector<64x64x32xi1>
      %16 = vector.mask %15 { vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %12, %14, %arg5 : vector<64x32xf32>, vector<32x64xf32> into vector<64x64xf32> } : vector<64x64x32xi1> -> vector<64x64xf32>
      scf.yield %16 : vector<64x64xf32>
    } {triton.num_stages = 3 : i64}
    vector.transfer_write %7, %subview_3[%c0, %c0], %5 {in_bounds = [true, true]} : vector<64x64xf32>, memref<?x?xf32, strided<[?, 1]>>
    %subview_4 = memref.subview %alloc_2[0, 0] [%3, %4] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1]>>
    memref.copy %subview_3, %subview_4 : memref<?x?xf32, strided<[?, 1]>> to memref<?x?xf32, strided<[?, 1]>>
    %subview_5 = memref.subview %alloc[%1, %2] [%3, %4] [1, 1] : memref<200x104xf32> to memref<?x?xf32, strided<[104, 1], offset: ?>>
    %8 = vector.transfer_read %alloc_2[%c0, %c0], %0, %5 {in_bounds = [true, true]} : memref<?x?xf32>, vector<64x64xf32>
    %9 = arith.maximumf %8, %cst : vector<64x64xf32>
    vector.transfer_write %9, %subview_5[%c0, %c0], %5 {in_bounds = [true, true]} : vector<64x64xf32>, memref<?x?xf32, strided<[104, 1], offset: ?>>
    %subview_6 = memref.subview %alloc[%1, %2] [%3, %4] [1, 1] : memref<200x104xf32> to memref<?x?xf32, strided<[104, 1], offset: ?>>
    memref.copy %subview_5, %subview_6 : memref<?x?xf32, strided<[104, 1], offset: ?>> to memref<?x?xf32, strided<[104, 1], offset: ?>>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.descriptors, triton.num_warps = 8 : i64}
  return %alloc : memref<200x104xf32>
}
