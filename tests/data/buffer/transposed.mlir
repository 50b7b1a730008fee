// a is stored transposed; k is tiled twice; the product is scaled by a tensor of rank 0.
func.func @transposed(%a: memref<128x96xf16>, %b: memref<128x64xf16>, %scale: memref<f32>) -> memref<96x64xf32> {
  %zero16 = arith.constant 0.000000e+00 : f16
  %zero = arith.constant 0.000000e+00 : f32
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %cst = arith.constant dense<0.000000e+00> : vector<32x64xf32>
  %alloc = memref.alloc() : memref<96x64xf32>
  scf.forall (%i) in (3) {
    %r = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
    %acc = scf.for %k = %c0 to %c128 step %c64 iter_args(%x = %cst) -> (vector<32x64xf32>) {
      %inner = scf.for %l = %c0 to %c64 step %c32 iter_args(%y = %x) -> (vector<32x64xf32>) {
        %kk = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%k, %l)
        %va = vector.transfer_read %a[%kk, %r], %zero16 {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<128x96xf16>, vector<32x32xf16>
        %vb = vector.transfer_read %b[%kk, %c0], %zero16 {in_bounds = [true, true]} : memref<128x64xf16>, vector<32x64xf16>
        %d = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %va, %vb, %y : vector<32x32xf16>, vector<32x64xf16> into vector<32x64xf32>
        scf.yield %d : vector<32x64xf32>
      }
      scf.yield %inner : vector<32x64xf32>
    }
    %s = vector.transfer_read %scale[], %zero : memref<f32>, vector<f32>
    %e = vector.broadcast %s : vector<f32> to vector<32x64xf32>
    %p = arith.mulf %acc, %e : vector<32x64xf32>
    vector.transfer_write %p, %alloc[%r, %c0] {in_bounds = [true, true]} : vector<32x64xf32>, memref<96x64xf32>
  } {mapping = [#gpu.block<x>]}
  return %alloc : memref<96x64xf32>
}
