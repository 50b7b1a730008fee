// Row i of tiles sums the tiles on and left of the diagonal; two values change places.
func.func @triangular(%x: memref<64x64xf32>, %row: memref<16xf32>) -> (memref<64x16xf32>, memref<64x16xf32>) {
  %pad = ub.poison : f32
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0.000000e+00> : vector<16x16xf32>
  %one = arith.constant dense<1.000000e+00> : vector<16x16xf32>
  %first = memref.alloc() : memref<64x16xf32>
  %second = memref.alloc() : memref<64x16xf32>
  scf.forall (%i) in (4) {
    %r = affine.apply affine_map<(d0) -> (d0 * 16)>(%i)
    %end = affine.apply affine_map<(d0) -> (d0 * 16 + 16)>(%i)
    %w = vector.transfer_read %row[%c0], %pad {in_bounds = [true, true], permutation_map = affine_map<(d0) -> (d0, 0)>} : memref<16xf32>, vector<16x16xf32>
    %p, %q = scf.for %k = %c0 to %end step %c16 iter_args(%a = %zero, %b = %one) -> (vector<16x16xf32>, vector<16x16xf32>) {
      %v = vector.transfer_read %x[%r, %k], %pad {in_bounds = [true, true]} : memref<64x64xf32>, vector<16x16xf32>
      %t = vector.transpose %v, [1, 0] : vector<16x16xf32> to vector<16x16xf32>
      %u = arith.addf %a, %t : vector<16x16xf32>
      %m = arith.mulf %u, %w : vector<16x16xf32>
      scf.yield %b, %m : vector<16x16xf32>, vector<16x16xf32>
    }
    %f = arith.minimumf %p, %q : vector<16x16xf32>
    vector.transfer_write %f, %first[%r, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<64x16xf32>
    vector.transfer_write %q, %second[%r, %c0] {in_bounds = [true, true]} : vector<16x16xf32>, memref<64x16xf32>
  } {mapping = [#gpu.block<x>]}
  return %first, %second : memref<64x16xf32>, memref<64x16xf32>
}
