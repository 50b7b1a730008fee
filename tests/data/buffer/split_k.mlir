func.func @gemm(%a: memref<64x256xf16>, %b: memref<256x64xf16>) -> memref<64x64xf16> {
  %zero = arith.constant 0.000000e+00 : f16
  %zf = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %step = arith.constant 32 : index
  %end = arith.constant 64 : index
  %cst = arith.constant dense<0.000000e+00> : vector<32x32xf32>
  %part = memref.alloc() : memref<4x64x64xf32>
  %ae = memref.expand_shape %a [[0], [1, 2]] output_shape [64, 4, 64] : memref<64x256xf16> into memref<64x4x64xf16>
  %be = memref.expand_shape %b [[0, 1], [2]] output_shape [4, 64, 64] : memref<256x64xf16> into memref<4x64x64xf16>
  scf.forall (%s, %i, %j) in (4, 2, 2) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
    %n = affine.apply affine_map<(d0) -> (d0 * 32)>(%j)
    %8 = scf.for %k = %c0 to %end step %step iter_args(%acc = %cst) -> (vector<32x32xf32>) {
      %x = vector.transfer_read %ae[%m, %s, %k], %zero {in_bounds = [true, true], permutation_map = affine_map<(d0, d1, d2) -> (d0, d2)>} : memref<64x4x64xf16>, vector<32x32xf16>
      %y = vector.transfer_read %be[%s, %k, %n], %zero {in_bounds = [true, true]} : memref<4x64x64xf16>, vector<32x32xf16>
      %17 = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %acc : vector<32x32xf16>, vector<32x32xf16> into vector<32x32xf32>
      scf.yield %17 : vector<32x32xf32>
    }
    vector.transfer_write %8, %part[%s, %m, %n] {in_bounds = [true, true]} : vector<32x32xf32>, memref<4x64x64xf32>
  } {mapping = [#gpu.block<z>, #gpu.block<y>, #gpu.block<x>]}
  %out = memref.alloc() : memref<64x64xf16>
  scf.forall (%i, %j) in (2, 2) {
    %m = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
    %n = affine.apply affine_map<(d0) -> (d0 * 32)>(%j)
    %8 = scf.for %s = %c0 to %c4 step %c1 iter_args(%acc = %cst) -> (vector<32x32xf32>) {
      %x = vector.transfer_read %part[%s, %m, %n], %zf {in_bounds = [true, true]} : memref<4x64x64xf32>, vector<32x32xf32>
      %y = arith.addf %acc, %x : vector<32x32xf32>
      scf.yield %y : vector<32x32xf32>
    }
    %h = arith.truncf %8 : vector<32x32xf32> to vector<32x32xf16>
    vector.transfer_write %h, %out[%m, %n] {in_bounds = [true, true]} : vector<32x32xf16>, memref<64x64xf16>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.last_arriver}
  return %out : memref<64x64xf16>
}
