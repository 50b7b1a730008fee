// Numbers of 64 bits: a scalar argument, a literal that 32 bits cannot hold, a sum of rows.
func.func @wide_floats(%a: f64, %x: memref<100x7xf64>, %y: memref<100x7xf64>) -> (memref<100x7xf64>, memref<100xf64>) {
  %pad = arith.constant 0.000000e+00 : f64
  %third = arith.constant dense<0.33333333333333331> : vector<16x8xf64>
  %start = arith.constant dense<0.000000e+00> : vector<16xf64>
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %out = memref.alloc() : memref<100x7xf64>
  %sums = memref.alloc() : memref<100xf64>
  scf.forall (%i) in (7) {
    %o = affine.apply affine_map<(d0) -> (d0 * 16)>(%i)
    %left = affine.min affine_map<(d0) -> (d0 * -16 + 100, 16)>(%i)
    %mask = vector.create_mask %left, %c7 : vector<16x8xi1>
    %rows = vector.create_mask %left : vector<16xi1>
    %v = vector.transfer_read %x[%o, %c0], %pad, %mask {in_bounds = [true, true]} : memref<100x7xf64>, vector<16x8xf64>
    %w = vector.transfer_read %y[%o, %c0], %pad, %mask {in_bounds = [true, true]} : memref<100x7xf64>, vector<16x8xf64>
    %twice = arith.addf %a, %a : f64
    %b = vector.broadcast %twice : f64 to vector<16x8xf64>
    %p = arith.mulf %b, %v : vector<16x8xf64>
    %s = arith.addf %p, %w : vector<16x8xf64>
    %e = math.exp %s : vector<16x8xf64>
    %d = arith.divf %e, %b : vector<16x8xf64>
    %t = arith.mulf %d, %third : vector<16x8xf64>
    vector.transfer_write %t, %out[%o, %c0], %mask {in_bounds = [true, true]} : vector<16x8xf64>, memref<100x7xf64>
    %total = vector.multi_reduction <add>, %s, %start [1] : vector<16x8xf64> to vector<16xf64>
    vector.transfer_write %total, %sums[%o], %rows {in_bounds = [true]} : vector<16xf64>, memref<100xf64>
  } {mapping = [#gpu.block<x>]}
  return %out, %sums : memref<100x7xf64>, memref<100xf64>
}
