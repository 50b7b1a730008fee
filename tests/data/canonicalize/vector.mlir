// transfer_read: bounds that a static shape tells
// index: 2
func.func @f(%x: tensor<8x8xf32>, %y: tensor<?x8xf32>, %i: index, %m: vector<4x4xi1>) -> (vector<4x4xf32>, vector<4x4xf32>, vector<8x8xf32>, vector<4xf32>, vector<4x4xf32>, vector<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_read %x[%c0, %c4], %p : tensor<8x8xf32>, vector<4x4xf32>
  %1 = vector.transfer_read %x[%c0, %c6], %p : tensor<8x8xf32>, vector<4x4xf32>
  %2 = vector.transfer_read %y[%c0, %c0], %p : tensor<?x8xf32>, vector<8x8xf32>
  %3 = vector.transfer_read %x[%i, %c4], %p : tensor<8x8xf32>, vector<4xf32>
  %4 = vector.transfer_read %x[%i, %c4], %p, %m : tensor<8x8xf32>, vector<4x4xf32>
  %5 = vector.transfer_read %x[%c0, %c0], %p {permutation_map = affine_map<(d0, d1) -> (d1, 0)>} : tensor<8x8xf32>, vector<4x4xf32>
  return %0, %1, %2, %3, %4, %5 : vector<4x4xf32>, vector<4x4xf32>, vector<8x8xf32>, vector<4xf32>, vector<4x4xf32>, vector<4x4xf32>
}
// -----
// transfers: of what was cast
func.func @f(%x: tensor<8x8xf32>, %v: vector<8x8xf32>) -> (vector<4x4xf32>, tensor<?x8xf32>) {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %xc = tensor.cast %x : tensor<8x8xf32> to tensor<?x?xf32>
  %0 = vector.transfer_read %xc[%c0, %c0], %p : tensor<?x?xf32>, vector<4x4xf32>
  %xd = tensor.cast %x : tensor<8x8xf32> to tensor<?x8xf32>
  %1 = vector.transfer_write %v, %xd[%c0, %c0] : vector<8x8xf32>, tensor<?x8xf32>
  return %0, %1 : vector<4x4xf32>, tensor<?x8xf32>
}
// -----
// transfer_read: of what was written there
// index: 2
func.func @f(%x: tensor<16x8xf32>, %u: vector<4x8xf32>, %w: vector<4x8xf32>, %i: index) -> (vector<4x8xf32>, vector<4x8xf32>, vector<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_write %u, %x[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<16x8xf32>
  %1 = vector.transfer_read %0[%c0, %c0], %p {in_bounds = [true, true]} : tensor<16x8xf32>, vector<4x8xf32>
  %2 = vector.transfer_write %w, %0[%c4, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<16x8xf32>
  %3 = vector.transfer_read %2[%c0, %c0], %p {in_bounds = [true, true]} : tensor<16x8xf32>, vector<4x8xf32>
  %4 = vector.transfer_write %w, %2[%i, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<16x8xf32>
  %5 = vector.transfer_read %4[%c0, %c0], %p {in_bounds = [true, true]} : tensor<16x8xf32>, vector<4x8xf32>
  return %1, %3, %5 : vector<4x8xf32>, vector<4x8xf32>, vector<4x8xf32>
}
// -----
// transfer_read: of what was written there in another arrangement
func.func @f(%x: tensor<8x8xf32>, %v: vector<8xf32>, %u: vector<4x8xf32>) -> (vector<4x8xf32>, vector<8x4xf32>) {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_write %v, %x[%c0, %c0] {in_bounds = [true]} : vector<8xf32>, tensor<8x8xf32>
  %1 = vector.transfer_read %0[%c0, %c0], %p {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (0, d1)>} : tensor<8x8xf32>, vector<4x8xf32>
  %2 = vector.transfer_write %u, %x[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<8x8xf32>
  %3 = vector.transfer_read %2[%c0, %c0], %p {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : tensor<8x8xf32>, vector<8x4xf32>
  return %1, %3 : vector<4x8xf32>, vector<8x4xf32>
}
// -----
// transfer_write: what is overwritten, what was read from there
// index: 3
func.func @f(%x: tensor<8x8xf32>, %i: index, %v: vector<8x8xf32>, %m: vector<8x8xi1>, %w: vector<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %0 = vector.transfer_write %v, %x[%c0, %c0] : vector<8x8xf32>, tensor<8x8xf32>
  %1 = vector.transfer_write %w, %0[%c0, %c0] : vector<8x8xf32>, tensor<8x8xf32>
  %r = vector.transfer_read %x[%c0, %c0], %p : tensor<8x8xf32>, vector<8x8xf32>
  %2 = vector.transfer_write %r, %x[%c0, %c0] : vector<8x8xf32>, tensor<8x8xf32>
  %s = vector.transfer_read %x[%c0, %i], %p {in_bounds = [true, true]} : tensor<8x8xf32>, vector<4x4xf32>
  %3 = vector.transfer_write %s, %x[%c0, %i] {in_bounds = [true, true]} : vector<4x4xf32>, tensor<8x8xf32>
  %b = vector.transfer_write %v, %x[%c0, %c0], %m : vector<8x8xf32>, tensor<8x8xf32>
  %4 = vector.transfer_write %w, %b[%c0, %c0], %m : vector<8x8xf32>, tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  %5 = vector.transfer_write %r, %e[%c0, %c0] : vector<8x8xf32>, tensor<8x8xf32>
  return %1, %2, %3, %4, %5 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
// -----
// transfer_write: overwritten behind another
func.func @f(%x: tensor<16x8xf32>, %u: vector<4x8xf32>, %w: vector<4x8xf32>) -> tensor<16x8xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %0 = vector.transfer_write %u, %x[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<16x8xf32>
  %1 = vector.transfer_write %w, %0[%c4, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<16x8xf32>
  %2 = vector.transfer_write %w, %1[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<16x8xf32>
  return %2 : tensor<16x8xf32>
}
// -----
// masks: of constants
// index: 3
func.func @f(%n: index) -> (vector<4x8xi1>, vector<4x8xi1>, vector<4x8xi1>, vector<4x8xi1>, vector<4x8xi1>, vector<8x4xi1>, vector<8x4xi1>, vector<4x8xi1>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %0 = vector.create_mask %c3, %c8 : vector<4x8xi1>
  %1 = vector.create_mask %c4, %c8 : vector<4x8xi1>
  %2 = vector.create_mask %c0, %c8 : vector<4x8xi1>
  %3 = vector.create_mask %n, %c8 : vector<4x8xi1>
  %4 = vector.create_mask %c9, %c9 : vector<4x8xi1>
  %5 = vector.transpose %0, [1, 0] : vector<4x8xi1> to vector<8x4xi1>
  %6 = vector.transpose %3, [1, 0] : vector<4x8xi1> to vector<8x4xi1>
  %7 = vector.constant_mask [4, 8] : vector<4x8xi1>
  return %0, %1, %2, %3, %4, %5, %6, %7 : vector<4x8xi1>, vector<4x8xi1>, vector<4x8xi1>, vector<4x8xi1>, vector<4x8xi1>, vector<8x4xi1>, vector<8x4xi1>, vector<4x8xi1>
}
// -----
// masks: that let every lane through
func.func @f(%v: vector<4x8xf32>, %x: tensor<4x8xf32>, %acc: vector<4xf32>, %n: index) -> (vector<4x8xf32>, vector<4xf32>, vector<4x8xf32>, tensor<4x8xf32>, vector<4x8xf32>, vector<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %p = arith.constant 0.0 : f32
  %zero = arith.constant dense<0.0> : vector<4x8xf32>
  %m = vector.create_mask %c4, %c8 : vector<4x8xi1>
  %k = vector.create_mask %n, %n : vector<4x8xi1>
  %0 = vector.mask %m { vector.transfer_read %x[%c0, %c0], %p : tensor<4x8xf32>, vector<4x8xf32> } : vector<4x8xi1> -> vector<4x8xf32>
  %1 = vector.mask %m { vector.multi_reduction <add>, %v, %acc [1] : vector<4x8xf32> to vector<4xf32> } : vector<4x8xi1> -> vector<4xf32>
  %2 = vector.transfer_read %x[%c0, %c0], %p, %m : tensor<4x8xf32>, vector<4x8xf32>
  %3 = vector.transfer_write %v, %x[%c0, %c0], %m : vector<4x8xf32>, tensor<4x8xf32>
  %4 = arith.select %m, %v, %zero : vector<4x8xi1>, vector<4x8xf32>
  %5 = vector.mask %k { vector.yield %v : vector<4x8xf32> } : vector<4x8xi1> -> vector<4x8xf32>
  return %0, %1, %2, %3, %4, %5 : vector<4x8xf32>, vector<4xf32>, vector<4x8xf32>, tensor<4x8xf32>, vector<4x8xf32>, vector<4x8xf32>
}
// -----
// shapes: broadcast, transpose and shape_cast
func.func @f(%f: f32, %v: vector<8xf32>, %w: vector<4x8xf32>, %t: vector<2x3x4xf32>) -> (vector<8xf32>, vector<4x8xf32>, vector<2x4x8xf32>, vector<4x8xf32>, vector<4x2x3xf32>, vector<2x3x4xf32>, vector<32xf32>, vector<4x8xf32>) {
  %0 = vector.broadcast %v : vector<8xf32> to vector<8xf32>
  %1 = vector.broadcast %f : f32 to vector<8xf32>
  %2 = vector.broadcast %1 : vector<8xf32> to vector<4x8xf32>
  %3 = vector.broadcast %v : vector<8xf32> to vector<4x8xf32>
  %4 = vector.broadcast %3 : vector<4x8xf32> to vector<2x4x8xf32>
  %5 = vector.transpose %w, [0, 1] : vector<4x8xf32> to vector<4x8xf32>
  %6 = vector.transpose %t, [1, 2, 0] : vector<2x3x4xf32> to vector<3x4x2xf32>
  %7 = vector.transpose %6, [1, 2, 0] : vector<3x4x2xf32> to vector<4x2x3xf32>
  %8 = vector.transpose %7, [1, 2, 0] : vector<4x2x3xf32> to vector<2x3x4xf32>
  %9 = vector.shape_cast %w : vector<4x8xf32> to vector<2x16xf32>
  %10 = vector.shape_cast %9 : vector<2x16xf32> to vector<32xf32>
  %11 = vector.shape_cast %10 : vector<32xf32> to vector<4x8xf32>
  return %0, %2, %4, %5, %7, %8, %10, %11 : vector<8xf32>, vector<4x8xf32>, vector<2x4x8xf32>, vector<4x8xf32>, vector<4x2x3xf32>, vector<2x3x4xf32>, vector<32xf32>, vector<4x8xf32>
}
// -----
// shapes: of constants, and of what repeats
func.func @f(%f: f32, %v: vector<8xf32>, %u: vector<1x8xf32>) -> (vector<8x4xf32>, vector<8x4xf32>, vector<8xf32>, vector<32xf32>, vector<8x4xf32>, vector<8x4x8xf32>, vector<4x8xf32>) {
  %c = arith.constant dense<2.0> : vector<4x8xf32>
  %k = arith.constant 3.0 : f32
  %0 = vector.broadcast %f : f32 to vector<4x8xf32>
  %1 = vector.transpose %0, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
  %2 = vector.transpose %c, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
  %3 = vector.broadcast %v : vector<8xf32> to vector<1x8xf32>
  %4 = vector.shape_cast %3 : vector<1x8xf32> to vector<8xf32>
  %5 = vector.shape_cast %0 : vector<4x8xf32> to vector<32xf32>
  %6 = vector.broadcast %v : vector<8xf32> to vector<4x8xf32>
  %7 = vector.transpose %6, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
  %8 = vector.broadcast %v : vector<8xf32> to vector<4x8x8xf32>
  %9 = vector.transpose %8, [1, 0, 2] : vector<4x8x8xf32> to vector<8x4x8xf32>
  %10 = vector.broadcast %k : f32 to vector<4x8xf32>
  return %1, %2, %4, %5, %7, %9, %10 : vector<8x4xf32>, vector<8x4xf32>, vector<8xf32>, vector<32xf32>, vector<8x4xf32>, vector<8x4x8xf32>, vector<4x8xf32>
}
// -----
// elements: extracted from where they come from
func.func @f(%f: f32, %v: vector<8xf32>, %w: vector<4x8xf32>, %t: vector<2x4x8xf32>) -> (f32, f32, vector<8xf32>, vector<8xf32>, f32, f32, f32, vector<8xf32>, f32, f32) {
  %c3 = arith.constant 3 : index
  %c = arith.constant dense<2.0> : vector<4x8xf32>
  %d = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  %0 = vector.extract %c[1, 2] : f32 from vector<4x8xf32>
  %1 = vector.extract %d[1] : f32 from vector<2xf32>
  %b = vector.broadcast %v : vector<8xf32> to vector<4x8xf32>
  %2 = vector.extract %b[2] : vector<8xf32> from vector<4x8xf32>
  %e = vector.extract %t[1] : vector<4x8xf32> from vector<2x4x8xf32>
  %3 = vector.extract %e[2] : vector<8xf32> from vector<4x8xf32>
  %s = vector.broadcast %f : f32 to vector<8xf32>
  %4 = vector.extract %s[%c3] : f32 from vector<8xf32>
  %ins = vector.insert %f, %v[3] : f32 into vector<8xf32>
  %5 = vector.extract %ins[3] : f32 from vector<8xf32>
  %6 = vector.extract %ins[4] : f32 from vector<8xf32>
  %sc = vector.shape_cast %w : vector<4x8xf32> to vector<4x1x8xf32>
  %7 = vector.extract %sc[2, 0] : vector<8xf32> from vector<4x1x8xf32>
  %tr = vector.transpose %w, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
  %8 = vector.extract %tr[1, 2] : f32 from vector<8x4xf32>
  %9 = vector.extract %v[%c3] : f32 from vector<8xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : f32, f32, vector<8xf32>, vector<8xf32>, f32, f32, f32, vector<8xf32>, f32, f32
}
// -----
// elements: inserted
func.func @f(%f: f32, %v: vector<8xf32>, %w: vector<4x8xf32>, %g: vector<1xf32>) -> (vector<8xf32>, vector<1xf32>, vector<2xf32>) {
  %c1 = arith.constant 1.0 : f32
  %d = arith.constant dense<[3.0, 2.0]> : vector<2xf32>
  %0 = vector.insert %c1, %v[3] : f32 into vector<8xf32>
  %1 = vector.insert %f, %0[3] : f32 into vector<8xf32>
  %2 = vector.insert %f, %g[0] : f32 into vector<1xf32>
  %3 = vector.insert %c1, %d[0] : f32 into vector<2xf32>
  return %1, %2, %3 : vector<8xf32>, vector<1xf32>, vector<2xf32>
}
// -----
// elements: put together and taken apart
func.func @f(%f: f32, %g: f32, %v: vector<2xf32>) -> (vector<2xf32>, vector<2xf32>, f32, vector<2xf32>, vector<2xf32>) {
  %c = arith.constant 1.0 : f32
  %d = arith.constant 2.0 : f32
  %0 = vector.from_elements %f, %f : vector<2xf32>
  %1 = vector.from_elements %c, %c : vector<2xf32>
  %2:2 = vector.to_elements %v : vector<2xf32>
  %3 = vector.from_elements %2#0, %2#1 : vector<2xf32>
  %4 = vector.from_elements %f, %g : vector<2xf32>
  %5 = vector.extract %4[1] : f32 from vector<2xf32>
  %6 = vector.from_elements %c, %d : vector<2xf32>
  return %0, %1, %5, %3, %6 : vector<2xf32>, vector<2xf32>, f32, vector<2xf32>, vector<2xf32>
}
// -----
// slices: of everything, of what repeats, put back
func.func @f(%v: vector<8xf32>, %w: vector<4x8xf32>, %f: f32) -> (vector<8xf32>, vector<2x4xf32>, vector<8xf32>, vector<4x8xf32>) {
  %0 = vector.extract_strided_slice %v {offsets = [0], sizes = [8], strides = [1]} : vector<8xf32> to vector<8xf32>
  %b = vector.broadcast %f : f32 to vector<4x8xf32>
  %1 = vector.extract_strided_slice %b {offsets = [1, 2], sizes = [2, 4], strides = [1, 1]} : vector<4x8xf32> to vector<2x4xf32>
  %2 = vector.insert_strided_slice %v, %0 {offsets = [0], strides = [1]} : vector<8xf32> into vector<8xf32>
  %3 = vector.extract_strided_slice %w {offsets = [1, 2], sizes = [2, 4], strides = [1, 1]} : vector<4x8xf32> to vector<2x4xf32>
  %4 = vector.insert_strided_slice %3, %w {offsets = [1, 2], strides = [1, 1]} : vector<2x4xf32> into vector<4x8xf32>
  return %0, %1, %2, %4 : vector<8xf32>, vector<2x4xf32>, vector<8xf32>, vector<4x8xf32>
}
// -----
// reductions: of one lane
func.func @f(%u: vector<1x8xf32>, %o: vector<4x1xf32>, %acc: vector<8xf32>, %a4: vector<4xf32>, %s: f32, %one: vector<1xf32>, %k: vector<1x1xf32>) -> (vector<8xf32>, vector<4xf32>, f32, f32, f32) {
  %0 = vector.multi_reduction <add>, %u, %acc [0] : vector<1x8xf32> to vector<8xf32>
  %1 = vector.multi_reduction <maximumf>, %o, %a4 [1] : vector<4x1xf32> to vector<4xf32>
  %2 = vector.reduction <add>, %one : vector<1xf32> into f32
  %3 = vector.reduction <add>, %one, %s : vector<1xf32> into f32
  %4 = vector.multi_reduction <mul>, %k, %s [0, 1] : vector<1x1xf32> to f32
  return %0, %1, %2, %3, %4 : vector<8xf32>, vector<4xf32>, f32, f32, f32
}
// -----
// contract: onto zero, then added to
// no numbers: the order of additions differs
func.func @f(%x: vector<4x8xf32>, %y: vector<8x4xf32>, %z: vector<4x4xf32>) -> (vector<4x4xf32>, vector<4x4xf32>) {
  %zero = arith.constant dense<0.0> : vector<4x4xf32>
  %nz = arith.constant dense<-0.0> : vector<4x4xf32>
  %0 = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %zero : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
  %1 = arith.addf %z, %0 : vector<4x4xf32>
  %2 = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %nz : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
  %3 = arith.addf %2, %z : vector<4x4xf32>
  return %1, %3 : vector<4x4xf32>, vector<4x4xf32>
}
// -----
// masked read of a masked write
// further: upstream forwards unmasked pairs only
// index: 3
func.func @f(%x: tensor<4x8xf32>, %v: vector<4x8xf32>, %n: index) -> vector<4x8xf32> {
  %c0 = arith.constant 0 : index
  %p = arith.constant 7.0 : f32
  %m = vector.create_mask %n, %n : vector<4x8xi1>
  %w = vector.transfer_write %v, %x[%c0, %c0], %m {in_bounds = [true, true]} : vector<4x8xf32>, tensor<4x8xf32>
  %r = vector.transfer_read %w[%c0, %c0], %p, %m {in_bounds = [true, true]} : tensor<4x8xf32>, vector<4x8xf32>
  return %r : vector<4x8xf32>
}
// -----
// masked reductions
// further: upstream leaves them masked
// index: 3
func.func @f(%v: vector<4x8xf32>, %a: vector<4xf32>, %k: vector<4x8xi32>, %b: vector<4xi32>, %n: index) -> (vector<4xf32>, vector<4xf32>, vector<4xi32>, vector<4xi32>) {
  %m = vector.create_mask %n, %n : vector<4x8xi1>
  %0 = vector.mask %m { vector.multi_reduction <maximumf>, %v, %a [1] : vector<4x8xf32> to vector<4xf32> } : vector<4x8xi1> -> vector<4xf32>
  %1 = vector.mask %m { vector.multi_reduction <maxnumf>, %v, %a [1] : vector<4x8xf32> to vector<4xf32> } : vector<4x8xi1> -> vector<4xf32>
  %2 = vector.mask %m { vector.multi_reduction <minsi>, %k, %b [1] : vector<4x8xi32> to vector<4xi32> } : vector<4x8xi1> -> vector<4xi32>
  %3 = vector.mask %m { vector.multi_reduction <minui>, %k, %b [1] : vector<4x8xi32> to vector<4xi32> } : vector<4x8xi1> -> vector<4xi32>
  return %0, %1, %2, %3 : vector<4xf32>, vector<4xf32>, vector<4xi32>, vector<4xi32>
}
// -----
// masked reductions: of one dimension
// further: upstream leaves them masked
// index: 3
func.func @f(%v: vector<8xf32>, %s: f32, %n: index) -> (f32, f32) {
  %m = vector.create_mask %n : vector<8xi1>
  %0 = vector.mask %m { vector.reduction <minnumf>, %v, %s : vector<8xf32> into f32 } : vector<8xi1> -> f32
  %1 = vector.mask %m { vector.reduction <mul>, %v : vector<8xf32> into f32 } : vector<8xi1> -> f32
  return %0, %1 : f32, f32
}
// -----
// masked contraction: reads that pad with zero
// further: upstream leaves it masked
// index: 3, 5
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %acc: vector<4x4xf32>, %i: index, %k: index) -> vector<4x4xf32> {
  %c0 = arith.constant 0 : index
  %z = ub.poison : f32
  %ma = vector.create_mask %i, %k : vector<4x8xi1>
  %mb = vector.create_mask %k, %i : vector<8x4xi1>
  %m = vector.create_mask %i, %i, %k : vector<4x4x8xi1>
  %va = vector.transfer_read %a[%c0, %c0], %z, %ma {in_bounds = [true, true]} : tensor<4x8xf32>, vector<4x8xf32>
  %vb = vector.transfer_read %b[%c0, %c0], %z, %mb {in_bounds = [true, true]} : tensor<8x4xf32>, vector<8x4xf32>
  %s = vector.mask %m { vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %va, %vb, %acc : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32> } : vector<4x4x8xi1> -> vector<4x4xf32>
  return %s : vector<4x4xf32>
}
// -----
// masked contraction: full along one loop
// further: upstream leaves it masked
// index: 5
func.func @f(%va: vector<4x8xf32>, %vb: vector<8x4xf32>, %acc: vector<4x4xf32>, %k: index) -> vector<4x4xf32> {
  %c4 = arith.constant 4 : index
  %m = vector.create_mask %c4, %c4, %k : vector<4x4x8xi1>
  %s = vector.mask %m { vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %va, %vb, %acc : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32> } : vector<4x4x8xi1> -> vector<4x4xf32>
  return %s : vector<4x4xf32>
}
// -----
// transfers under a mask: are not whole ones
// further: upstream takes them for unmasked
// index: 3
func.func @f(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>, %v: vector<8x8xf32>, %u: vector<8x8xf32>, %n: index) -> (vector<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.constant 7.0 : f32
  %m = vector.create_mask %n, %n : vector<8x8xi1>
  %w = vector.transfer_write %v, %x[%c0, %c0] : vector<8x8xf32>, tensor<8x8xf32>
  %0 = vector.mask %m { vector.transfer_read %w[%c0, %c0], %p {in_bounds = [true, true]} : tensor<8x8xf32>, vector<8x8xf32> } : vector<8x8xi1> -> vector<8x8xf32>
  %1 = vector.mask %m { vector.transfer_write %u, %w[%c0, %c0] {in_bounds = [true, true]} : vector<8x8xf32>, tensor<8x8xf32> } : vector<8x8xi1> -> tensor<8x8xf32>
  %r = vector.transfer_read %x[%c0, %c0], %p : tensor<8x8xf32>, vector<8x8xf32>
  %2 = vector.mask %m { vector.transfer_write %r, %y[%c0, %c0] {in_bounds = [true, true]} : vector<8x8xf32>, tensor<8x8xf32> } : vector<8x8xi1> -> tensor<8x8xf32>
  return %0, %1, %2 : vector<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
