#map = affine_map<(d0) -> (d0 * 128)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1)>
module attributes {transform.with_named_sequence} {
  func.func @f(%arg0: memref<1024x1024xf16>, %arg1: memref<1024x1024xf16>) -> memref<1024x1024xf32> {
    %0 = ub.poison : f16
    %c64 = arith.constant 64 : index
    %c1024 = arith.constant 1024 : index
    %cst = arith.constant dense<0.000000e+00> : vector<128x128xf32>
    %1 = ub.poison : f32
    %c0 = arith.constant 0 : index
    %alloc = memref.alloc() {alignment = 64 : i64} : memref<1024x1024xf32>
    %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<1024x1024xf32>
    scf.forall (%arg2, %arg3) in (8, 8) {
      %2 = affine.apply #map(%arg2)
      %3 = affine.apply #map(%arg3)
      %subview = memref.subview %arg0[%2, 0] [128, 1024] [1, 1] : memref<1024x1024xf16> to memref<128x1024xf16, strided<[1024, 1], offset: ?>>
      %subview_1 = memref.subview %arg1[0, %3] [1024, 128] [1, 1] : memref<1024x1024xf16> to memref<1024x128xf16, strided<[1024, 1], offset: ?>>
      %subview_2 = memref.subview %alloc_0[%2, %3] [128, 128] [1, 1] : memref<1024x1024xf32> to memref<128x128xf32, strided<[1024, 1], offset: ?>>
      %4 = scf.for %arg4 = %c0 to %c1024 step %c64 iter_args(%arg5 = %cst) -> (vector<128x128xf32>) {
        %subview_4 = memref.subview %subview[0, %arg4] [128, 64] [1, 1] : memref<128x1024xf16, strided<[1024, 1], offset: ?>> to memref<128x64xf16, strided<[1024, 1], offset: ?>>
        %subview_5 = memref.subview %subview_1[%arg4, 0] [64, 128] [1, 1] : memref<1024x128xf16, strided<[1024, 1], offset: ?>> to memref<64x128xf16, strided<[1024, 1], offset: ?>>
        %5 = vector.transfer_read %subview_4[%c0, %c0], %0 {in_bounds = [true, true]} : memref<128x64xf16, strided<[1024, 1], offset: ?>>, vector<128x64xf16>
        %6 = vector.transfer_read %subview_5[%c0, %c0], %0 {in_bounds = [true, true]} : memref<64x128xf16, strided<[1024, 1], offset: ?>>, vector<64x128xf16>
        %7 = vector.contract {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %5, %6, %arg5 : vector<128x64xf16>, vector<64x128xf16> into vector<128x128xf32>
        scf.yield %7 : vector<128x128xf32>
      } {triton.num_stages = 3 : i64}
      vector.transfer_write %4, %subview_2[%c0, %c0] {in_bounds = [true, true]} : vector<128x128xf32>, memref<128x128xf32, strided<[1024, 1], offset: ?>>
      %subview_3 = memref.subview %alloc_0[%2, %3] [128, 128] [1, 1] : memref<1024x1024xf32> to memref<128x128xf32, strided<[1024, 1], offset: ?>>
      memref.copy %subview_2, %subview_3 : memref<128x128xf32, strided<[1024, 1], offset: ?>> to memref<128x128xf32, strided<[1024, 1], offset: ?>>
    } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.descriptors, triton.num_warps = 8 : i64}
    scf.forall (%arg2, %arg3) in (8, 8) {
      %2 = affine.apply #map(%arg2)
      %3 = affine.apply #map(%arg3)
      %subview = memref.subview %alloc_0[%2, %3] [128, 128] [1, 1] : memref<1024x1024xf32> to memref<128x128xf32, strided<[1024, 1], offset: ?>>
      %subview_1 = memref.subview %alloc[%2, %3] [128, 128] [1, 1] : memref<1024x1024xf32> to memref<128x128xf32, strided<[1024, 1], offset: ?>>
      %4 = vector.transfer_read %subview[%c0, %c0], %1 {in_bounds = [true, true]} : memref<128x128xf32, strided<[1024, 1], offset: ?>>, vector<128x128xf32>
      %5 = arith.maximumf %4, %cst : vector<128x128xf32>
      vector.transfer_write %5, %subview_1[%c0, %c0] {in_bounds = [true, true]} : vector<128x128xf32>, memref<128x128xf32, strided<[1024, 1], offset: ?>>
      %subview_2 = memref.subview %alloc[%2, %3] [128, 128] [1, 1] : memref<1024x1024xf32> to memref<128x128xf32, strided<[1024, 1], offset: ?>>
      memref.copy %subview_1, %subview_2 : memref<128x128xf32, strided<[1024, 1], offset: ?>> to memref<128x128xf32, strided<[1024, 1], offset: ?>>
    } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.descriptors, triton.num_warps = 8 : i64}
    return %alloc : memref<1024x1024xf32>
  }
}

