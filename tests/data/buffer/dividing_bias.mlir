func.func @linear_relu(%a: memref<512x512xf16>, %b: memref<512x512xf16>, %bias: memref<512xf16>) -> memref<512x512xf16> {
  %pad = ub.poison : f16
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %cst = arith.constant dense<0.000000e+00> : vector<128x128xf32>
  %c0 = arith.constant 0 : index
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<512x512xf16>
  scf.forall (%i, %j) in (4, 4) {
    %1 = affine.apply affine_map<(d0) -> (d0 * 128)>(%i)
    %2 = affine.apply affine_map<(d0) -> (d0 * 128)>(%j)
    %subview = memref.subview %a[%1, 0] [128, 512] [1, 1] : memref<512x512xf16> to memref<128x512xf16, strided<[512, 1], offset: ?>>
    %subview_0 = memref.subview %b[0, %2] [512, 128] [1, 1] : memref<512x512xf16> to memref<512x128xf16, strided<[512, 1], offset: ?>>
    %3 = scf.for %k = %c0 to %c512 step %c64 iter_args(%acc = %cst) -> (vector<128x128xf32>) {
      %subview_2 = memref.subview %subview[0, %k] [128, 64] [1, 1] : memref<128x512xf16, strided<[512, 1], offset: ?>> to memref<128x64xf16, strided<[512, 1], offset: ?>>
      %subview_3 = memref.subview %subview_0[%k, 0] [64, 128] [1, 1] : memref<512x128xf16, strided<[512, 1], offset: ?>> to memref<64x128xf16, strided<[512, 1], offset: ?>>
      %5 = vector.transfer_read %subview_2[%c0, %c0], %pad {in_bounds = [true, true]} : memref<128x64xf16, strided<[512, 1], offset: ?>>, vector<128x64xf16>
      %6 = vector.transfer_read %subview_3[%c0, %c0], %pad {in_bounds = [true, true]} : memref<64x128xf16, strided<[512, 1], offset: ?>>, vector<64x128xf16>
      %7 = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %5, %6, %acc : vector<128x64xf16>, vector<64x128xf16> into vector<128x128xf32>
      scf.yield %7 : vector<128x128xf32>
    } {triton.num_stages = 3 : i64}
    %bs = memref.subview %bias[%2] [128] [1] : memref<512xf16> to memref<128xf16, strided<[1], offset: ?>>
    %subview_1 = memref.subview %alloc[%1, %2] [128, 128] [1, 1] : memref<512x512xf16> to memref<128x128xf16, strided<[512, 1], offset: ?>>
    %bv = vector.transfer_read %bs[%c0], %pad {in_bounds = [true]} : memref<128xf16, strided<[1], offset: ?>>, vector<128xf16>
    %bb = vector.broadcast %bv : vector<128xf16> to vector<128x128xf16>
    %be = arith.extf %bb : vector<128x128xf16> to vector<128x128xf32>
    %s = arith.addf %3, %be : vector<128x128xf32>
    %4 = arith.maximumf %s, %cst : vector<128x128xf32>
    %h = arith.truncf %4 : vector<128x128xf32> to vector<128x128xf16>
    vector.transfer_write %h, %subview_1[%c0, %c0] {in_bounds = [true, true]} : vector<128x128xf16>, memref<128x128xf16, strided<[512, 1], offset: ?>>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.num_warps = 8 : i64}
  return %alloc : memref<512x512xf16>
}
