// Linear layer with a transposed weight, bias, exact gelu and a residual, in f32.
func.func @linear_gelu(%x: memref<128x64xf32>, %w: memref<128x64xf32>, %bias: memref<128xf32>, %res: memref<128x128xf32>) -> memref<128x128xf32> {
  %pad = ub.poison : f32
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.000000e+00> : vector<64x64xf32>
  %half = arith.constant dense<5.000000e-01> : vector<64x64xf32>
  %one = arith.constant dense<1.000000e+00> : vector<64x64xf32>
  %scale = arith.constant dense<0.707106769> : vector<64x64xf32>
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<128x128xf32>
  scf.forall (%i, %j) in (2, 2) {
    %r = affine.apply affine_map<(d0) -> (d0 * 64)>(%i)
    %c = affine.apply affine_map<(d0) -> (d0 * 64)>(%j)
    %acc = scf.for %k = %c0 to %c64 step %c32 iter_args(%a0 = %zero) -> (vector<64x64xf32>) {
      %xv = vector.transfer_read %x[%r, %k], %pad {in_bounds = [true, true]} : memref<128x64xf32>, vector<64x32xf32>
      %wv = vector.transfer_read %w[%c, %k], %pad {in_bounds = [true, true]} : memref<128x64xf32>, vector<64x32xf32>
      %d = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %xv, %wv, %a0 : vector<64x32xf32>, vector<64x32xf32> into vector<64x64xf32>
      scf.yield %d : vector<64x64xf32>
    }
    %bv = vector.transfer_read %bias[%c], %pad {in_bounds = [true]} : memref<128xf32>, vector<64xf32>
    %bb = vector.broadcast %bv : vector<64xf32> to vector<64x64xf32>
    %0 = arith.addf %acc, %bb : vector<64x64xf32>
    %1 = arith.mulf %0, %scale : vector<64x64xf32>
    %2 = math.erf %1 : vector<64x64xf32>
    %3 = arith.addf %2, %one : vector<64x64xf32>
    %4 = arith.mulf %0, %half : vector<64x64xf32>
    %5 = arith.mulf %4, %3 : vector<64x64xf32>
    %rv = vector.transfer_read %res[%r, %c], %pad {in_bounds = [true, true]} : memref<128x128xf32>, vector<64x64xf32>
    %6 = arith.addf %5, %rv : vector<64x64xf32>
    vector.transfer_write %6, %alloc[%r, %c] {in_bounds = [true, true]} : vector<64x64xf32>, memref<128x128xf32>
  } {mapping = [#gpu.block<y>, #gpu.block<x>], triton.num_warps = 4 : i64}
  return %alloc : memref<128x128xf32>
}
