// transfer_read: a plain tensor, nothing promised
func.func @f(%x: tensor<?x?xf32>, %i: index, %pad: f32) -> vector<4x8xf32> {
  %0 = vector.transfer_read %x[%i, %i], %pad : tensor<?x?xf32>, vector<4x8xf32>
  return %0 : vector<4x8xf32>
}

// -----
// transfer_read: bounds promised for one dimension
func.func @f(%x: memref<?x?xf16>, %i: index, %pad: f16) -> vector<4x8xf16> {
  %0 = vector.transfer_read %x[%i, %i], %pad {in_bounds = [false, true]} : memref<?x?xf16>, vector<4x8xf16>
  return %0 : vector<4x8xf16>
}

// -----
// transfer_read: transposed, with a repeated dimension, under a mask
func.func @f(%x: tensor<?x?xf32>, %i: index, %pad: f32, %m: vector<8x4xi1>) -> vector<4x2x8xf32> {
  %0 = vector.transfer_read %x[%i, %i], %pad, %m {in_bounds = [true, true, false], permutation_map = affine_map<(d0, d1) -> (d1, 0, d0)>} : tensor<?x?xf32>, vector<4x2x8xf32>
  return %0 : vector<4x2x8xf32>
}

// -----
// transfer_read: a row by a projected permutation
func.func @f(%x: tensor<?x?x?xf32>, %i: index, %pad: f32) -> vector<8xf32> {
  %0 = vector.transfer_read %x[%i, %i, %i], %pad {permutation_map = affine_map<(d0, d1, d2) -> (d1)>} : tensor<?x?x?xf32>, vector<8xf32>
  return %0 : vector<8xf32>
}

// -----
// transfer_read: a lower rank without a map is the innermost dimensions
func.func @f(%x: memref<?x?xf32, strided<[?, 1], offset: ?>>, %i: index, %pad: f32) -> vector<8xf32> {
  %0 = vector.transfer_read %x[%i, %i], %pad {in_bounds = [true]} : memref<?x?xf32, strided<[?, 1], offset: ?>>, vector<8xf32>
  return %0 : vector<8xf32>
}

// -----
// transfer_read: rank 0
func.func @f(%x: tensor<f32>, %y: memref<f32>, %pad: f32) -> (vector<f32>, vector<1xf32>, vector<2x3xf32>) {
  %0 = vector.transfer_read %x[], %pad : tensor<f32>, vector<f32>
  %1 = vector.transfer_read %y[], %pad {permutation_map = affine_map<() -> (0)>} : memref<f32>, vector<1xf32>
  %2 = vector.transfer_read %y[], %pad {permutation_map = affine_map<() -> (0, 0)>} : memref<f32>, vector<2x3xf32>
  return %0, %1, %2 : vector<f32>, vector<1xf32>, vector<2x3xf32>
}

// -----
// transfer_read: rank 0 under a mask of one lane
func.func @f(%x: tensor<f32>, %pad: f32, %m: vector<1xi1>) -> vector<f32> {
  %0 = vector.transfer_read %x[], %pad, %m : tensor<f32>, vector<f32>
  return %0 : vector<f32>
}

// -----
// transfer_read: elements that are vectors
func.func @f(%x: memref<?x?xvector<4x3xf32>>, %i: index, %pad: vector<4x3xf32>) -> vector<1x2x4x3xf32> {
  %0 = vector.transfer_read %x[%i, %i], %pad : memref<?x?xvector<4x3xf32>>, vector<1x2x4x3xf32>
  return %0 : vector<1x2x4x3xf32>
}

// -----
// transfer_read: index and narrow elements, a poison pad, further attributes
func.func @f(%x: tensor<8xindex>, %y: tensor<8xf8E4M3FN>, %z: tensor<8xi1>, %i: index) -> vector<4xindex> {
  %0 = ub.poison : index
  %1 = ub.poison : f8E4M3FN
  %2 = ub.poison : i1
  %3 = vector.transfer_read %x[%i], %0 {some.note = "kept"} : tensor<8xindex>, vector<4xindex>
  %4 = vector.transfer_read %y[%i], %1 {in_bounds = [true]} : tensor<8xf8E4M3FN>, vector<4xf8E4M3FN>
  %5 = vector.transfer_read %z[%i], %2 {in_bounds = [true]} : tensor<8xi1>, vector<4xi1>
  return %3 : vector<4xindex>
}

// -----
// transfer_write: into a tensor, transposed, under a mask
func.func @f(%v: vector<4x8xf32>, %x: tensor<?x?xf32>, %i: index, %m: vector<8x4xi1>) -> tensor<?x?xf32> {
  %0 = vector.transfer_write %v, %x[%i, %i], %m {in_bounds = [false, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<4x8xf32>, tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----
// transfer_write: into a buffer, of a lower rank
func.func @f(%v: vector<8xf32>, %x: memref<4x8xf32>, %i: index) {
  vector.transfer_write %v, %x[%i, %i] : vector<8xf32>, memref<4x8xf32>
  vector.transfer_write %v, %x[%i, %i] {in_bounds = [true]} : vector<8xf32>, memref<4x8xf32>
  return
}

// -----
// transfer_write: rank 0
func.func @f(%v: vector<f32>, %x: tensor<f32>, %y: memref<f32>) -> tensor<f32> {
  %0 = vector.transfer_write %v, %x[] : vector<f32>, tensor<f32>
  vector.transfer_write %v, %y[] : vector<f32>, memref<f32>
  return %0 : tensor<f32>
}

// -----
// contract: a matmul in mixed precision
func.func @f(%a: vector<4x8xf16>, %b: vector<8x5xf16>, %c: vector<4x5xf32>) -> vector<4x5xf32> {
  %0 = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<4x8xf16>, vector<8x5xf16> into vector<4x5xf32>
  return %0 : vector<4x5xf32>
}

// -----
// contract: the traits by their names
#maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>]
#trait = {indexing_maps = #maps, iterator_types = ["reduction"]}
func.func @f(%a: vector<10xf32>, %b: vector<10xf32>, %c: f32) -> f32 {
  %0 = vector.contract #trait %a, %b, %c : vector<10xf32>, vector<10xf32> into f32
  return %0 : f32
}

// -----
// contract: two batch, free and reduction dimensions, attributes kept
func.func @f(%a: vector<7x8x16x15xf32>, %b: vector<8x16x7x5xf32>, %c: vector<8x15x5xf32>) -> vector<8x15x5xf32> {
  %0 = vector.contract {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d4, d1)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d3, d2)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<7x8x16x15xf32>, vector<8x16x7x5xf32> into vector<8x15x5xf32>
  return %0 : vector<8x15x5xf32>
}

// -----
// contract: integers, the largest product
func.func @f(%a: vector<8xi8>, %b: vector<8xi8>, %c: i32) -> i32 {
  %0 = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<maxsi>} %a, %b, %c : vector<8xi8>, vector<8xi8> into i32
  return %0 : i32
}

// -----
// contract: a matrix times a vector, transposed
func.func @f(%a: vector<8x4xbf16>, %b: vector<8xbf16>, %c: vector<4xf32>) -> vector<4xf32> {
  %0 = vector.contract {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<maximumf>} %a, %b, %c : vector<8x4xbf16>, vector<8xbf16> into vector<4xf32>
  return %0 : vector<4xf32>
}

// -----
// outerproduct: with and without an accumulator, by a scalar
func.func @f(%a: vector<4xf32>, %b: vector<8xf32>, %c: vector<4x8xf32>, %s: f32) -> vector<4x8xf32> {
  %0 = vector.outerproduct %a, %b : vector<4xf32>, vector<8xf32>
  %1 = vector.outerproduct %a, %b, %c {kind = #vector.kind<maxnumf>} : vector<4xf32>, vector<8xf32>
  %2 = vector.outerproduct %a, %s : vector<4xf32>, f32
  return %1 : vector<4x8xf32>
}

// -----
// reduction: every kind of float
func.func @f(%v: vector<8xf32>) {
  %0 = vector.reduction <add>, %v : vector<8xf32> into f32
  %1 = vector.reduction <mul>, %v : vector<8xf32> into f32
  %2 = vector.reduction <minimumf>, %v : vector<8xf32> into f32
  %3 = vector.reduction <maximumf>, %v : vector<8xf32> into f32
  %4 = vector.reduction <minnumf>, %v : vector<8xf32> into f32
  %5 = vector.reduction <maxnumf>, %v : vector<8xf32> into f32
  return
}

// -----
// reduction: every kind of integer
func.func @f(%v: vector<8xi32>) {
  %0 = vector.reduction <add>, %v : vector<8xi32> into i32
  %1 = vector.reduction <mul>, %v : vector<8xi32> into i32
  %2 = vector.reduction <minui>, %v : vector<8xi32> into i32
  %3 = vector.reduction <minsi>, %v : vector<8xi32> into i32
  %4 = vector.reduction <maxui>, %v : vector<8xi32> into i32
  %5 = vector.reduction <maxsi>, %v : vector<8xi32> into i32
  %6 = vector.reduction <and>, %v : vector<8xi32> into i32
  %7 = vector.reduction <or>, %v : vector<8xi32> into i32
  %8 = vector.reduction <xor>, %v : vector<8xi32> into i32
  return
}

// -----
// reduction: an accumulator, fastmath, attributes, rank 0
func.func @f(%v: vector<8xf32>, %s: f32, %z: vector<f32>) -> f32 {
  %0 = vector.reduction <add>, %v, %s : vector<8xf32> into f32
  %1 = vector.reduction <add>, %v fastmath<reassoc> : vector<8xf32> into f32
  %2 = vector.reduction <maxnumf>, %v, %s fastmath<nnan> {some.note} : vector<8xf32> into f32
  %3 = vector.reduction <add>, %z : vector<f32> into f32
  return %2 : f32
}

// -----
// multi_reduction: some dimensions
func.func @f(%v: vector<4x8x16xf32>, %acc: vector<8xf32>) -> vector<8xf32> {
  %0 = vector.multi_reduction <add>, %v, %acc [0, 2] : vector<4x8x16xf32> to vector<8xf32>
  return %0 : vector<8xf32>
}

// -----
// multi_reduction: all dimensions, and none
func.func @f(%v: vector<4x8xi32>, %s: i32) -> (i32, vector<4x8xi32>) {
  %0 = vector.multi_reduction <maxui>, %v, %s [0, 1] : vector<4x8xi32> to i32
  %1 = vector.multi_reduction <xor>, %v, %v [] : vector<4x8xi32> to vector<4x8xi32>
  return %0, %1 : i32, vector<4x8xi32>
}

// -----
// multi_reduction: attributes stand before the dimensions
func.func @f(%v: vector<4x8xbf16>, %acc: vector<4xbf16>) -> vector<4xbf16> {
  %0 = vector.multi_reduction <maximumf>, %v, %acc {some.note = 1 : i64} [1] : vector<4x8xbf16> to vector<4xbf16>
  return %0 : vector<4xbf16>
}

// -----
// scan: inclusive, exclusive, along a line
func.func @f(%v: vector<4x8xf32>, %i: vector<4xf32>, %z: vector<f32>) -> vector<4x8xf32> {
  %0, %1 = vector.scan <add>, %v, %i {inclusive = true, reduction_dim = 1 : i64} : vector<4x8xf32>, vector<4xf32>
  %2, %3 = vector.scan <mul>, %v, %i {inclusive = false, reduction_dim = 1 : i64} : vector<4x8xf32>, vector<4xf32>
  %4, %5 = vector.scan <maximumf>, %i, %z {inclusive = true, reduction_dim = 0 : i64} : vector<4xf32>, vector<f32>
  return %0 : vector<4x8xf32>
}

// -----
// broadcast: scalars and vectors, stretched unit dimensions
func.func @f(%s: f32, %z: vector<f32>, %v: vector<8xf32>, %u: vector<4x1xf32>) -> vector<2x4x8xf32> {
  %0 = vector.broadcast %s : f32 to vector<4x8xf32>
  %1 = vector.broadcast %s : f32 to vector<f32>
  %2 = vector.broadcast %z : vector<f32> to vector<4xf32>
  %3 = vector.broadcast %v : vector<8xf32> to vector<4x8xf32>
  %4 = vector.broadcast %u : vector<4x1xf32> to vector<2x4x8xf32>
  return %4 : vector<2x4x8xf32>
}

// -----
// transpose: of rank three and of rank zero
func.func @f(%v: vector<2x3x4xi8>, %z: vector<i8>) -> vector<4x2x3xi8> {
  %0 = vector.transpose %v, [2, 0, 1] : vector<2x3x4xi8> to vector<4x2x3xi8>
  %1 = vector.transpose %z, [] : vector<i8> to vector<i8>
  return %0 : vector<4x2x3xi8>
}

// -----
// shape_cast: expand, collapse, reshape, rank 0
func.func @f(%v: vector<4x6xf32>, %z: vector<f32>) -> vector<2x3x4xf32> {
  %0 = vector.shape_cast %v : vector<4x6xf32> to vector<24xf32>
  %1 = vector.shape_cast %0 : vector<24xf32> to vector<2x3x4xf32>
  %2 = vector.shape_cast %v : vector<4x6xf32> to vector<6x4xf32>
  %3 = vector.shape_cast %z : vector<f32> to vector<1x1xf32>
  return %1 : vector<2x3x4xf32>
}

// -----
// bitcast: wider, narrower, the same width, rank 0
func.func @f(%v: vector<4x8xf32>, %z: vector<f32>) -> vector<4x8xi32> {
  %0 = vector.bitcast %v : vector<4x8xf32> to vector<4x16xbf16>
  %1 = vector.bitcast %v : vector<4x8xf32> to vector<4x4xi64>
  %2 = vector.bitcast %v : vector<4x8xf32> to vector<4x8xi32>
  %3 = vector.bitcast %z : vector<f32> to vector<i32>
  return %2 : vector<4x8xi32>
}

// -----
// create_mask: sizes by values, rank 0
func.func @f(%a: index, %b: index) -> vector<4x8xi1> {
  %0 = vector.create_mask %a, %b : vector<4x8xi1>
  %1 = vector.create_mask %a : vector<i1>
  return %0 : vector<4x8xi1>
}

// -----
// constant_mask: whole, partial, empty, rank 0
func.func @f() -> vector<4x8xi1> {
  %0 = vector.constant_mask [4, 8] : vector<4x8xi1>
  %1 = vector.constant_mask [2, 3] : vector<4x8xi1>
  %2 = vector.constant_mask [0, 0] : vector<4x8xi1>
  %3 = vector.constant_mask [1] : vector<i1>
  return %1 : vector<4x8xi1>
}

// -----
// mask: around a read, with and without a pass-through value
func.func @f(%x: tensor<?xf32>, %i: index, %pad: f32, %m: vector<8xi1>, %p: vector<8xf32>) -> vector<8xf32> {
  %0 = vector.mask %m { vector.transfer_read %x[%i], %pad : tensor<?xf32>, vector<8xf32> } : vector<8xi1> -> vector<8xf32>
  %1 = vector.mask %m, %p { vector.transfer_read %x[%i], %pad : tensor<?xf32>, vector<8xf32> } : vector<8xi1> -> vector<8xf32>
  return %1 : vector<8xf32>
}

// -----
// mask: around a read that transposes
func.func @f(%x: memref<?x?xf32>, %i: index, %pad: f32, %m: vector<8x4xi1>) -> vector<4x8xf32> {
  %0 = vector.mask %m { vector.transfer_read %x[%i, %i], %pad {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<?x?xf32>, vector<4x8xf32> } : vector<8x4xi1> -> vector<4x8xf32>
  return %0 : vector<4x8xf32>
}

// -----
// mask: around writes
func.func @f(%v: vector<8xf32>, %x: tensor<?xf32>, %y: memref<?xf32>, %i: index, %m: vector<8xi1>) -> tensor<?xf32> {
  %0 = vector.mask %m { vector.transfer_write %v, %x[%i] {in_bounds = [true]} : vector<8xf32>, tensor<?xf32> } : vector<8xi1> -> tensor<?xf32>
  vector.mask %m { vector.transfer_write %v, %y[%i] : vector<8xf32>, memref<?xf32> } {some.note} : vector<8xi1>
  return %0 : tensor<?xf32>
}

// -----
// mask: around reductions
func.func @f(%v: vector<4x8xf32>, %acc: vector<4xf32>, %r: vector<8xf32>, %s: f32, %m: vector<4x8xi1>, %n: vector<8xi1>) -> (vector<4xf32>, f32) {
  %0 = vector.mask %m { vector.multi_reduction <add>, %v, %acc [1] : vector<4x8xf32> to vector<4xf32> } : vector<4x8xi1> -> vector<4xf32>
  %1 = vector.mask %n { vector.reduction <maximumf>, %r, %s : vector<8xf32> into f32 } : vector<8xi1> -> f32
  return %0, %1 : vector<4xf32>, f32
}

// -----
// mask: around a contraction, over its loops
func.func @f(%a: vector<4x8xf16>, %b: vector<8x5xf16>, %c: vector<4x5xf32>, %m: vector<4x5x8xi1>) -> vector<4x5xf32> {
  %0 = vector.mask %m { vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<4x8xf16>, vector<8x5xf16> into vector<4x5xf32> } : vector<4x5x8xi1> -> vector<4x5xf32>
  return %0 : vector<4x5xf32>
}

// -----
// mask: around a gather and an outer product
func.func @f(%x: memref<?xf32>, %i: index, %at: vector<8xindex>, %m: vector<8xi1>, %p: vector<8xf32>, %a: vector<4xf32>, %acc: vector<4x8xf32>, %k: vector<4x8xi1>) -> vector<8xf32> {
  %0 = vector.mask %m { vector.gather %x[%i] [%at], %m, %p : memref<?xf32>, vector<8xindex>, vector<8xi1>, vector<8xf32> into vector<8xf32> } : vector<8xi1> -> vector<8xf32>
  %1 = vector.mask %k { vector.outerproduct %a, %p, %acc {kind = #vector.kind<add>} : vector<4xf32>, vector<8xf32> } : vector<4x8xi1> -> vector<4x8xf32>
  return %0 : vector<8xf32>
}

// -----
// mask: nothing inside, or a value passed on
func.func @f(%m: vector<8xi1>, %v: vector<8xf32>) -> vector<8xf32> {
  vector.mask %m { } : vector<8xi1>
  %0 = vector.mask %m { vector.yield %v : vector<8xf32> } : vector<8xi1> -> vector<8xf32>
  return %0 : vector<8xf32>
}

// -----
// extract: lanes and slices, at numbers and at values
func.func @f(%v: vector<4x8x16xf32>, %i: index) -> f32 {
  %0 = vector.extract %v[3] : vector<8x16xf32> from vector<4x8x16xf32>
  %1 = vector.extract %v[0, %i] : vector<16xf32> from vector<4x8x16xf32>
  %2 = vector.extract %v[%i, 7, %i] : f32 from vector<4x8x16xf32>
  %3 = vector.extract %v[] : vector<4x8x16xf32> from vector<4x8x16xf32>
  return %2 : f32
}

// -----
// extract: rank 0, and from nowhere
func.func @f(%z: vector<f32>, %v: vector<4xf32>) -> f32 {
  %0 = vector.extract %z[] : f32 from vector<f32>
  %1 = vector.extract %v[-1] : f32 from vector<4xf32>
  return %0 : f32
}

// -----
// insert: lanes and slices, at numbers and at values
func.func @f(%v: vector<4x8xf32>, %r: vector<8xf32>, %s: f32, %i: index) -> vector<4x8xf32> {
  %0 = vector.insert %r, %v [3] : vector<8xf32> into vector<4x8xf32>
  %1 = vector.insert %s, %0 [%i, 0] : f32 into vector<4x8xf32>
  %2 = vector.insert %1, %v [] : vector<4x8xf32> into vector<4x8xf32>
  return %2 : vector<4x8xf32>
}

// -----
// insert: rank 0
func.func @f(%z: vector<i1>, %s: i1) -> vector<i1> {
  %0 = vector.insert %s, %z [] : i1 into vector<i1>
  return %0 : vector<i1>
}

// -----
// extract_strided_slice: all dimensions, and the leading one
func.func @f(%v: vector<4x8xf32>) -> vector<2x8xf32> {
  %0 = vector.extract_strided_slice %v {offsets = [0, 2], sizes = [2, 4], strides = [1, 1]} : vector<4x8xf32> to vector<2x4xf32>
  %1 = vector.extract_strided_slice %v {offsets = [1], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<2x8xf32>
  return %1 : vector<2x8xf32>
}

// -----
// insert_strided_slice: of the same rank, and of a lower one
func.func @f(%v: vector<4x8xf32>, %b: vector<2x3xf32>, %r: vector<5xf32>) -> vector<4x8xf32> {
  %0 = vector.insert_strided_slice %b, %v {offsets = [2, 5], strides = [1, 1]} : vector<2x3xf32> into vector<4x8xf32>
  %1 = vector.insert_strided_slice %r, %0 {offsets = [1, 3], strides = [1]} : vector<5xf32> into vector<4x8xf32>
  return %1 : vector<4x8xf32>
}

// -----
// from_elements, to_elements: rows, one lane, rank 0
func.func @f(%a: f32, %b: f32) -> f32 {
  %0 = vector.from_elements %a, %b, %b, %a : vector<2x2xf32>
  %1 = vector.from_elements %a : vector<f32>
  %2:4 = vector.to_elements %0 : vector<2x2xf32>
  %3 = vector.to_elements %1 : vector<f32>
  %4 = vector.from_elements %2#1, %3 : vector<2xf32>
  return %2#3 : f32
}

// -----
// fma: three vectors
func.func @f(%a: vector<4x8xf16>, %b: vector<4x8xf16>, %c: vector<4x8xf16>) -> vector<4x8xf16> {
  %0 = vector.fma %a, %b, %c : vector<4x8xf16>
  return %0 : vector<4x8xf16>
}

// -----
// step: the lanes' numbers
func.func @f() -> vector<8xindex> {
  %0 = vector.step : vector<8xindex>
  return %0 : vector<8xindex>
}

// -----
// load, store: rows, blocks, rank 0, attributes
func.func @f(%x: memref<?x?xf32>, %y: memref<?xvector<8xf32>>, %i: index) {
  %0 = vector.load %x[%i, %i] : memref<?x?xf32>, vector<8xf32>
  %1 = vector.load %x[%i, %i] : memref<?x?xf32>, vector<2x8xf32>
  %2 = vector.load %x[%i, %i] {alignment = 16 : i64, nontemporal = true} : memref<?x?xf32>, vector<8xf32>
  %3 = vector.load %x[%i, %i] : memref<?x?xf32>, vector<f32>
  %4 = vector.load %y[%i] : memref<?xvector<8xf32>>, vector<8xf32>
  vector.store %0, %x[%i, %i] : memref<?x?xf32>, vector<8xf32>
  vector.store %1, %x[%i, %i] {alignment = 32 : i64} : memref<?x?xf32>, vector<2x8xf32>
  vector.store %3, %x[%i, %i] {nontemporal = true} : memref<?x?xf32>, vector<f32>
  return
}

// -----
// maskedload, maskedstore: a row, a block
func.func @f(%x: memref<?x?xf32>, %i: index, %m: vector<8xi1>, %p: vector<8xf32>, %k: vector<2x8xi1>, %b: vector<2x8xf32>) {
  %0 = vector.maskedload %x[%i, %i], %m, %p : memref<?x?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  %1 = vector.maskedload %x[%i, %i], %k, %b {alignment = 8 : i64} : memref<?x?xf32>, vector<2x8xi1>, vector<2x8xf32> into vector<2x8xf32>
  vector.maskedstore %x[%i, %i], %m, %0 : memref<?x?xf32>, vector<8xi1>, vector<8xf32>
  vector.maskedstore %x[%i, %i], %k, %1 {alignment = 8 : i64} : memref<?x?xf32>, vector<2x8xi1>, vector<2x8xf32>
  return
}

// -----
// gather: from buffers and tensors, indices of any width
func.func @f(%x: memref<?x?xf32>, %t: tensor<?xf32>, %i: index, %a: vector<8xi32>, %b: vector<2x4xindex>, %m: vector<8xi1>, %n: vector<2x4xi1>, %p: vector<8xf32>, %q: vector<2x4xf32>) -> vector<2x4xf32> {
  %0 = vector.gather %x[%i, %i] [%a], %m, %p : memref<?x?xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  %1 = vector.gather %t[%i] [%b], %n, %q {alignment = 4 : i64} : tensor<?xf32>, vector<2x4xindex>, vector<2x4xi1>, vector<2x4xf32> into vector<2x4xf32>
  return %1 : vector<2x4xf32>
}

// -----
// scatter: into buffers and tensors
func.func @f(%x: memref<?x?xf32>, %t: tensor<?xf32>, %i: index, %a: vector<8xi32>, %m: vector<8xi1>, %p: vector<8xf32>) -> tensor<?xf32> {
  vector.scatter %x[%i, %i] [%a], %m, %p : memref<?x?xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32>
  %0 = vector.scatter %t[%i] [%a], %m, %p : tensor<?xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----
// expandload, compressstore: packed lanes
func.func @f(%x: memref<?x?xf32>, %i: index, %m: vector<8xi1>, %p: vector<8xf32>) {
  %0 = vector.expandload %x[%i, %i], %m, %p : memref<?x?xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  vector.compressstore %x[%i, %i], %m, %0 : memref<?x?xf32>, vector<8xi1>, vector<8xf32>
  return
}

// -----
// shuffle: lanes, rows, rank 0, a lane from nowhere
func.func @f(%a: vector<2xf32>, %b: vector<2x4xf32>, %c: vector<1x4xf32>, %z: vector<f32>) -> vector<3x4xf32> {
  %0 = vector.shuffle %a, %a [0, 3, -1] : vector<2xf32>, vector<2xf32>
  %1 = vector.shuffle %b, %c [2, 0, 1] : vector<2x4xf32>, vector<1x4xf32>
  %2 = vector.shuffle %z, %z [1, 0] : vector<f32>, vector<f32>
  return %1 : vector<3x4xf32>
}

// -----
// interleave, deinterleave: rows, rank 0
func.func @f(%a: vector<2x4xi16>, %z: vector<i16>) -> vector<2x2xi16> {
  %0 = vector.interleave %a, %a : vector<2x4xi16> -> vector<2x8xi16>
  %1 = vector.interleave %z, %z : vector<i16> -> vector<2xi16>
  %2, %3 = vector.deinterleave %a : vector<2x4xi16> -> vector<2x2xi16>
  return %3 : vector<2x2xi16>
}

// -----
// print: values, texts, punctuation
func.func @f(%v: vector<2x3xf32>, %s: i64) {
  vector.print %v : vector<2x3xf32>
  vector.print %s : i64 punctuation <comma>
  vector.print str "text"
  vector.print punctuation <open>
  vector.print
  return
}
