// Row sum and row maximum in one loop over the columns; two results; 40 x 200 in f16.
func.func @row_statistics(%x: memref<40x200xf16>) -> (memref<40xf32>, memref<40xf16>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c200 = arith.constant 200 : index
  %zero = arith.constant 0.000000e+00 : f16
  %low = arith.constant 0xFC00 : f16
  %lowv = vector.broadcast %low : f16 to vector<32xf16>
  %sum0 = arith.constant dense<0.000000e+00> : vector<32xf32>
  %lowt = vector.broadcast %low : f16 to vector<32x64xf16>
  %sums = memref.alloc() : memref<40xf32>
  %maxima = memref.alloc() : memref<40xf16>
  scf.forall (%i) in (2) {
    %r = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
    %m = affine.min affine_map<(d0) -> (d0 * -32 + 40, 32)>(%i)
    %s, %t = scf.for %k = %c0 to %c200 step %c64 iter_args(%sa = %sum0, %ta = %lowv) -> (vector<32xf32>, vector<32xf16>) {
      %n = affine.min affine_map<(d0) -> (-d0 + 200, 64)>(%k)
      %mask = vector.create_mask %m, %n : vector<32x64xi1>
      %v = vector.transfer_read %x[%r, %k], %zero, %mask {in_bounds = [true, true]} : memref<40x200xf16>, vector<32x64xf16>
      %e = arith.extf %v : vector<32x64xf16> to vector<32x64xf32>
      %s1 = vector.multi_reduction <add>, %e, %sa [1] : vector<32x64xf32> to vector<32xf32>
      %w = arith.select %mask, %v, %lowt : vector<32x64xi1>, vector<32x64xf16>
      %t1 = vector.multi_reduction <maximumf>, %w, %ta [1] : vector<32x64xf16> to vector<32xf16>
      scf.yield %s1, %t1 : vector<32xf32>, vector<32xf16>
    }
    %rm = vector.create_mask %m : vector<32xi1>
    vector.transfer_write %s, %sums[%r], %rm {in_bounds = [true]} : vector<32xf32>, memref<40xf32>
    vector.transfer_write %t, %maxima[%r], %rm {in_bounds = [true]} : vector<32xf16>, memref<40xf16>
  } {mapping = [#gpu.block<x>]}
  return %sums, %maxima : memref<40xf32>, memref<40xf16>
}
