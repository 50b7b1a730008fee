// A batch of ragged matrix products: 3 x (40 x 72) x (72 x 24), tiles of 32 x 32 x 32.
func.func @bmm(%a: memref<3x40x72xf16>, %b: memref<3x72x24xf16>) -> memref<3x40x24xf32> {
  %zero16 = arith.constant 0.000000e+00 : f16
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c72 = arith.constant 72 : index
  %cst = arith.constant dense<0.000000e+00> : vector<32x32xf32>
  %alloc = memref.alloc() : memref<3x40x24xf32>
  scf.forall (%g, %i) in (3, 2) {
    %r = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
    %m = affine.min affine_map<(d0) -> (d0 * -32 + 40, 32)>(%i)
    %c24 = arith.constant 24 : index
    %acc = scf.for %k = %c0 to %c72 step %c32 iter_args(%x = %cst) -> (vector<32x32xf32>) {
      %kk = affine.min affine_map<(d0) -> (-d0 + 72, 32)>(%k)
      %sa = memref.subview %a[%g, %r, %k] [1, %m, %kk] [1, 1, 1] : memref<3x40x72xf16> to memref<?x?xf16, strided<[72, 1], offset: ?>>
      %sb = memref.subview %b[%g, %k, 0] [1, %kk, 24] [1, 1, 1] : memref<3x72x24xf16> to memref<?x24xf16, strided<[24, 1], offset: ?>>
      %ma = vector.create_mask %m, %kk : vector<32x32xi1>
      %mb = vector.create_mask %kk, %c24 : vector<32x32xi1>
      %va = vector.transfer_read %sa[%c0, %c0], %zero16, %ma {in_bounds = [true, true]} : memref<?x?xf16, strided<[72, 1], offset: ?>>, vector<32x32xf16>
      %vb = vector.transfer_read %sb[%c0, %c0], %zero16, %mb {in_bounds = [true, true]} : memref<?x24xf16, strided<[24, 1], offset: ?>>, vector<32x32xf16>
      %ea = arith.extf %va : vector<32x32xf16> to vector<32x32xf32>
      %eb = arith.extf %vb : vector<32x32xf16> to vector<32x32xf32>
      %d = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %ea, %eb, %x : vector<32x32xf32>, vector<32x32xf32> into vector<32x32xf32>
      scf.yield %d : vector<32x32xf32>
    } {triton.num_stages = 2 : i64}
    %so = memref.subview %alloc[%g, %r, 0] [1, %m, 24] [1, 1, 1] : memref<3x40x24xf32> to memref<?x24xf32, strided<[24, 1], offset: ?>>
    vector.transfer_write %acc, %so[%c0, %c0] : vector<32x32xf32>, memref<?x24xf32, strided<[24, 1], offset: ?>>
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return %alloc : memref<3x40x24xf32>
}
