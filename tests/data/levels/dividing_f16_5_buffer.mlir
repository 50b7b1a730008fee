// 128x192x64 f16, made by generate.py with mlir-opt-22.
func.func @f(%arg0: memref<128x64xf16>, %arg1: memref<64x192xf16>) -> memref<128x192xf32> {
  %0 = ub.poison : f16
  %c32 = arith.constant 32 : index
  %cst = arith.constant dense<0.000000e+00> : vector<64x64xf32>
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<128x192xf32>
  scf.forall (%arg2, %arg3) in (2, 3) {
    %1 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg2)
    %2 = affine.apply affine_map<(d0) -> (d0 * 64)>(%arg3)
    %subview = memref.subview %arg0[%1, 0] [64, 64] [1, 1] : memref<128x64xf16> to memref<64x64xf16, strided<[64, 1], offset: ?>>
    %subview_0 = memref.subview %arg1[0, %2] [64, 64] [1, 1] : memref<64x192xf16> to memref<64x64xf16, strided<[192, 1], offset: ?>>
    %3 = scf.for %arg4 = %c0 to %c64 step %c32 iter_args(%arg5 = %cst) -> (vector<64x64xf32>) {
      %subview_3 = memref.subview %subview[0, %arg4] [64, 32] [1, 1] : memref<64x64xf16, strided<[64, 1], offset: ?>> to memref<64x32xf16, strided<[64, 1], offset: ?>>
      %subview_4 = memref.subview %subview_0[%arg4, 0] [32, 64] [1, 1] : memref<64x64xf16, strided<[192, 1], offset: ?>> to memref<32x64xf16, strided<[192, 1], offset: ?>>
      %5 = vector.transfer_read %subview_3[%c0, %c0], %0 {in_bounds = [true, true]} : memref<64x32xf16, strided<[64, 1], offset: ?>>, vector<64x32xf16>
      %6 = vector.transfer_read %subview_4[%c0, %c0], %0 {in_bounds = [true, true]} : memref<32x64xf16, strided<[192, 1], offset: ?>>, vector<32x64xf16>
      %7 = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %5, %6, %arg5 : vector<64x32xf16>, vector<32x64xf16> into vector<64x64xf32>
      scf.yield %7 : vector<64x64xf32>
    } {triton.num_stages = 3 : i64}
    %subview_1 = memref.subview %alloc[%1, %2] [64, 64] [1, 1] : memref<128x192xf32> to memref<64x64xf32, strided<[192, 1], offset: ?>>
    %4 = arith.maximumf %3, %cst : vector<64x64xf32>
    vector.transfer_write %4, %subview_1[%c0, %c0] {in_bounds = [true, true]} : vector<64x64xf32>, memref<64x64xf32, strided<[192, 1], offset: ?>>
    %subview_2 = memref.subview %alloc[%1, %2] [64, 64] [1, 1] : memref<128x192xf32> to memref<64x64xf32, strided<[192, 1], offset: ?>>
    memref.copy %subview_1, %subview_2 : memref<64x64xf32, strided<[192, 1], offset: ?>> to memref<64x64xf32, strided<[192, 1], offset: ?>>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.descriptors, triton.num_warps = 8 : i64}
  return %alloc : memref<128x192xf32>
}
