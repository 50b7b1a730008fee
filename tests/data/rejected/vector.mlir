// transfer_read: too few indices
func.func @f(%x: tensor<?x?xf32>, %i: index, %s: f32) {
  // error: requires 2 indices
  %0 = vector.transfer_read %x[%i], %s : tensor<?x?xf32>, vector<8xf32>
  return
}

// -----
// transfer_read: a dimension twice
func.func @f(%x: tensor<?x?xf32>, %i: index, %s: f32) {
  // error: found one dim used more than once
  %0 = vector.transfer_read %x[%i, %i], %s {permutation_map = affine_map<(d0, d1) -> (d0, d0)>} : tensor<?x?xf32>, vector<8x8xf32>
  return
}

// -----
// transfer_read: a sum of dimensions
func.func @f(%x: tensor<?x?xf32>, %i: index, %s: f32) {
  // error: requires a projected permutation_map
  %0 = vector.transfer_read %x[%i, %i], %s {permutation_map = affine_map<(d0, d1) -> (d0 + d1)>} : tensor<?x?xf32>, vector<8xf32>
  return
}

// -----
// transfer_read: a constant that is not zero
func.func @f(%x: tensor<?x?xf32>, %i: index, %s: f32) {
  // error: requires a projected permutation_map
  %0 = vector.transfer_read %x[%i, %i], %s {permutation_map = affine_map<(d0, d1) -> (1)>} : tensor<?x?xf32>, vector<8xf32>
  return
}

// -----
// transfer_read: a map of another rank
func.func @f(%x: tensor<?x?xf32>, %i: index, %s: f32) {
  // error: input dims of the same rank as the source
  %0 = vector.transfer_read %x[%i, %i], %s {permutation_map = affine_map<(d0) -> (d0)>} : tensor<?x?xf32>, vector<8xf32>
  return
}

// -----
// transfer_read: a map with symbols
func.func @f(%x: tensor<?x?xf32>, %i: index, %s: f32) {
  // error: without symbols
  %0 = vector.transfer_read %x[%i, %i], %s {permutation_map = affine_map<(d0, d1)[s0] -> (d0)>} : tensor<?x?xf32>, vector<8xf32>
  return
}

// -----
// transfer_read: fewer results than lanes have dimensions
func.func @f(%x: tensor<?x?xf32>, %i: index, %s: f32) {
  // error: result dims of the same rank as the vector
  %0 = vector.transfer_read %x[%i, %i], %s {permutation_map = affine_map<(d0, d1) -> (d0)>} : tensor<?x?xf32>, vector<8x8xf32>
  return
}

// -----
// transfer_read: in_bounds of another length
func.func @f(%x: tensor<?x?xf32>, %i: index, %s: f32) {
  // error: in_bounds attr of same rank
  %0 = vector.transfer_read %x[%i, %i], %s {in_bounds = [true]} : tensor<?x?xf32>, vector<8x8xf32>
  return
}

// -----
// transfer_read: padding of another type
func.func @f(%x: tensor<?x?xf32>, %i: index, %s: f64) {
  // error: f64
  %0 = vector.transfer_read %x[%i, %i], %s : tensor<?x?xf32>, vector<8x8xf32>
  return
}

// -----
// transfer_read: a mask of another shape
func.func @f(%x: tensor<?x?xf32>, %i: index, %s: f32, %m: vector<4x8xi1>) {
  // error: vector<4x8xi1>
  %0 = vector.transfer_read %x[%i, %i], %s, %m : tensor<?x?xf32>, vector<8x8xf32>
  return
}

// -----
// transfer_read: a rank that needs a map
func.func @f(%x: tensor<?x?xf32>, %i: index, %s: f32) {
  // error: expected a custom permutation_map
  %0 = vector.transfer_read %x[%i, %i], %s : tensor<?x?xf32>, vector<2x8x8xf32>
  return
}

// -----
// transfer_read: no vector
func.func @f(%x: tensor<?x?xf32>, %i: index, %s: f32) {
  // error: requires vector type
  %0 = vector.transfer_read %x[%i, %i], %s : tensor<?x?xf32>, f32
  return
}

// -----
// transfer_write: a repeated dimension
func.func @f(%v: vector<4x8xf32>, %x: tensor<?x?xf32>, %i: index) {
  // error: should not have broadcast dimensions
  %0 = vector.transfer_write %v, %x[%i, %i] {permutation_map = affine_map<(d0, d1) -> (d0, 0)>} : vector<4x8xf32>, tensor<?x?xf32>
  return
}

// -----
// transfer_write: a tensor that is not given back
func.func @f(%v: vector<4x8xf32>, %x: tensor<?x?xf32>, %i: index) {
  // error: expected a result of type
  "vector.transfer_write"(%v, %x, %i, %i) <{in_bounds = [false, false], operandSegmentSizes = array<i32: 1, 1, 2, 0>, permutation_map = affine_map<(d0, d1) -> (d0, d1)>}> : (vector<4x8xf32>, tensor<?x?xf32>, index, index) -> ()
  return
}

// -----
// contract: a map missing
func.func @f(%a: vector<4x8xf32>, %b: vector<8x5xf32>, %c: vector<4x5xf32>) {
  // error: an indexing map for each vector operand
  %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>], iterator_types = ["parallel", "parallel", "reduction"]} %a, %b, %c : vector<4x8xf32>, vector<8x5xf32> into vector<4x5xf32>
  return
}

// -----
// contract: a loop kind missing
func.func @f(%a: vector<4x8xf32>, %b: vector<8x5xf32>, %c: vector<4x5xf32>) {
  // error: to have 2 number of inputs
  %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "reduction"]} %a, %b, %c : vector<4x8xf32>, vector<8x5xf32> into vector<4x5xf32>
  return
}

// -----
// contract: an unknown loop kind
func.func @f(%a: vector<4x8xf32>, %b: vector<8x5xf32>, %c: vector<4x5xf32>) {
  // error: unexpected iterator_type (window)
  %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "window"]} %a, %b, %c : vector<4x8xf32>, vector<8x5xf32> into vector<4x5xf32>
  return
}

// -----
// contract: a loop twice in a map
func.func @f(%a: vector<4x8xf32>, %b: vector<8x5xf32>, %c: vector<4x5xf32>) {
  // error: be a projected permutation of its inputs
  %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, m)>], iterator_types = ["parallel", "parallel", "reduction"]} %a, %b, %c : vector<4x8xf32>, vector<8x5xf32> into vector<4x5xf32>
  return
}

// -----
// contract: reduced extents that differ
func.func @f(%a: vector<4x8xf32>, %b: vector<9x5xf32>, %c: vector<4x5xf32>) {
  // error: invalid contracting dimension map
  %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} %a, %b, %c : vector<4x8xf32>, vector<9x5xf32> into vector<4x5xf32>
  return
}

// -----
// contract: an accumulator of another shape
func.func @f(%a: vector<4x8xf32>, %b: vector<8x5xf32>, %c: vector<4x6xf32>) {
  // error: expected: 'vector<4x5xf32>'
  %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} %a, %b, %c : vector<4x8xf32>, vector<8x5xf32> into vector<4x6xf32>
  return
}

// -----
// contract: nothing to reduce
func.func @f(%a: vector<4x8xf32>, %b: vector<8x5xf32>, %c: vector<4x5xf32>) {
  // error: at least one contracting dimension pair
  %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "parallel"]} %a, %b, %c : vector<4x8xf32>, vector<8x5xf32> into vector<4x5xf32>
  return
}

// -----
// contract: factors of two types
func.func @f(%a: vector<4x8xf16>, %b: vector<8x5xf32>, %c: vector<4x5xf32>) {
  // error: same element type
  %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} %a, %b, %c : vector<4x8xf16>, vector<8x5xf32> into vector<4x5xf32>
  return
}

// -----
// contract: an integer kind for floats
func.func @f(%a: vector<4x8xf32>, %b: vector<8x5xf32>, %c: vector<4x5xf32>) {
  // error: unsupported contraction type
  %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<maxsi>} %a, %b, %c : vector<4x8xf32>, vector<8x5xf32> into vector<4x5xf32>
  return
}

// -----
// contract: a loop that no factor has
func.func @f(%a: vector<4x8xf32>, %b: vector<8xf32>, %c: vector<4xf32>) {
  // error: either a LHS or a RHS dimension
  %0 = vector.contract {indexing_maps = [affine_map<(m, k, l) -> (m, k)>, affine_map<(m, k, l) -> (k)>, affine_map<(m, k, l) -> (m)>], iterator_types = ["parallel", "reduction", "parallel"]} %a, %b, %c : vector<4x8xf32>, vector<8xf32> into vector<4xf32>
  return
}

// -----
// multi_reduction: a scalar is no vector of rank 0
func.func @f(%v: vector<4x8xf32>, %r: vector<8xf32>, %s: f32, %i: index, %z: vector<f32>) {
  // error: is incompatible with source type
  %0 = vector.multi_reduction <add>, %v, %z [0, 1] : vector<4x8xf32> to vector<f32>
  return
}

// -----
// multi_reduction: the dimension that is kept
func.func @f(%v: vector<4x8xf32>, %r: vector<8xf32>, %s: f32, %i: index) {
  // error: is incompatible with source type
  %0 = vector.multi_reduction <add>, %v, %r [1] : vector<4x8xf32> to vector<8xf32>
  return
}

// -----
// reduction: of rank two
func.func @f(%v: vector<4x8xf32>, %r: vector<8xf32>, %s: f32, %i: index) {
  // error: unsupported reduction rank: 2
  %0 = vector.reduction <add>, %v : vector<4x8xf32> into f32
  return
}

// -----
// reduction: bits of floats
func.func @f(%v: vector<4x8xf32>, %r: vector<8xf32>, %s: f32, %i: index) {
  // error: unsupported reduction type 'f32' for kind 'or'
  %0 = vector.reduction <or>, %r : vector<8xf32> into f32
  return
}

// -----
// scan: a dimension that is not there
func.func @f(%v: vector<4x8xf32>, %r: vector<8xf32>, %s: f32, %i: index) {
  // error: has to be less than 2
  %0, %1 = vector.scan <add>, %v, %r {inclusive = true, reduction_dim = 2 : i64} : vector<4x8xf32>, vector<8xf32>
  return
}

// -----
// outerproduct: of a matrix
func.func @f(%v: vector<4x8xf32>, %r: vector<8xf32>, %s: f32, %i: index) {
  // error: 1-d vector for operand #1
  %0 = vector.outerproduct %v, %r : vector<4x8xf32>, vector<8xf32>
  return
}

// -----
// broadcast: sizes that do not stretch
func.func @f(%v: vector<4x8xf32>, %r: vector<8xf32>, %s: f32, %i: index) {
  // error: dimension mismatch (8 vs. 4)
  %0 = vector.broadcast %r : vector<8xf32> to vector<8x4xf32>
  return
}

// -----
// broadcast: to a lower rank
func.func @f(%v: vector<4x8xf32>, %r: vector<8xf32>, %s: f32, %i: index) {
  // error: source rank higher than destination rank
  %0 = vector.broadcast %v : vector<4x8xf32> to vector<8xf32>
  return
}

// -----
// broadcast: to another type
func.func @f(%v: vector<4x8xf32>, %r: vector<8xf32>, %s: f32, %i: index) {
  // error: element type
  %0 = vector.broadcast %s : f32 to vector<8xf64>
  return
}

// -----
// transpose: a dimension twice
func.func @f(%v: vector<4x8xf32>, %r: vector<8xf32>, %s: f32, %i: index) {
  // error: duplicate position index: 0
  %0 = vector.transpose %v, [0, 0] : vector<4x8xf32> to vector<4x4xf32>
  return
}

// -----
// transpose: a shape that is not the permuted one
func.func @f(%v: vector<4x8xf32>, %r: vector<8xf32>, %s: f32, %i: index) {
  // error: dimension size mismatch
  %0 = vector.transpose %v, [1, 0] : vector<4x8xf32> to vector<4x8xf32>
  return
}

// -----
// transpose: too short
func.func @f(%v: vector<4x8xf32>, %r: vector<8xf32>, %s: f32, %i: index) {
  // error: transposition length mismatch: 1
  %0 = vector.transpose %v, [0] : vector<4x8xf32> to vector<4x8xf32>
  return
}

// -----
// shape_cast: a lane too many
func.func @f(%v: vector<4x8xf32>, %r: vector<8xf32>, %s: f32, %i: index) {
  // error: different number of elements at source (32) and result (33)
  %0 = vector.shape_cast %v : vector<4x8xf32> to vector<33xf32>
  return
}

// -----
// bitcast: rows of other widths
func.func @f(%v: vector<4x8xf32>, %r: vector<8xf32>, %s: f32, %i: index) {
  // error: bitwidth of the minor 1-D vectors must be equal
  %0 = vector.bitcast %v : vector<4x8xf32> to vector<4x8xf16>
  return
}

// -----
// constant_mask: more lanes than there are
func.func @f(%v: vector<4x8xf32>, %r: vector<8xf32>, %s: f32, %i: index) {
  // error: out of bounds of vector result dimension
  %0 = vector.constant_mask [3, 9] : vector<4x8xi1>
  return
}

// -----
// constant_mask: half empty
func.func @f(%v: vector<4x8xf32>, %r: vector<8xf32>, %s: f32, %i: index) {
  // error: expected all mask dim sizes to be zeros
  %0 = vector.constant_mask [0, 2] : vector<4x8xi1>
  return
}

// -----
// create_mask: a size missing
func.func @f(%v: vector<4x8xf32>, %r: vector<8xf32>, %s: f32, %i: index) {
  // error: an operand for each result vector dimension
  %0 = vector.create_mask %i : vector<4x8xi1>
  return
}

// -----
// mask: two ops
func.func @f(%m: vector<8xi1>, %r: vector<8xf32>, %s: f32) {
  // error: expects only one operation to mask
  %0 = vector.mask %m {
    %1 = vector.reduction <add>, %r : vector<8xf32> into f32
    %2 = vector.reduction <mul>, %r : vector<8xf32> into f32
    vector.yield %2 : f32
  } : vector<8xi1> -> f32
  return
}

// -----
// mask: an op that has no mask
func.func @f(%m: vector<8xi1>, %r: vector<8xf32>, %s: f32) {
  // error: can be masked
  %0 = vector.mask %m { arith.addf %r, %r : vector<8xf32> } : vector<8xi1> -> vector<8xf32>
  return
}

// -----
// mask: of another shape
func.func @f(%m: vector<8xi1>, %r: vector<8xf32>, %s: f32, %n: vector<4xi1>) {
  // error: expects a 'vector<8xi1>' mask
  %0 = vector.mask %n { vector.reduction <add>, %r : vector<8xf32> into f32 } : vector<4xi1> -> f32
  return
}

// -----
// mask: a pass-through value for a scalar
func.func @f(%m: vector<8xi1>, %r: vector<8xf32>, %s: f32) {
  // error: doesn't expect a passthru argument
  %0 = vector.mask %m, %s { vector.reduction <add>, %r : vector<8xf32> into f32 } : vector<8xi1> -> f32
  return
}

// -----
// extract: past the end
func.func @f(%v: vector<4x8xf32>, %r: vector<8xf32>, %s: f32, %i: index) {
  // error: smaller than the corresponding vector dimension
  %0 = vector.extract %v[4] : vector<8xf32> from vector<4x8xf32>
  return
}

// -----
// extract: a type that the indices do not leave
func.func @f(%v: vector<4x8xf32>, %r: vector<8xf32>, %s: f32, %i: index) {
  // error: expected a result of type 'vector<8xf32>'
  %0 = vector.extract %v[0] : f32 from vector<4x8xf32>
  return
}

// -----
// insert: a scalar where a row goes
func.func @f(%v: vector<4x8xf32>, %r: vector<8xf32>, %s: f32, %i: index) {
  // error: expected a source of type 'vector<8xf32>'
  %0 = vector.insert %s, %v [1] : f32 into vector<4x8xf32>
  return
}

// -----
// extract_strided_slice: a box that sticks out
func.func @f(%v: vector<4x8xf32>, %r: vector<8xf32>, %s: f32, %i: index) {
  // error: expected sum(offsets, sizes) dimension 1
  %0 = vector.extract_strided_slice %v {offsets = [1, 2], sizes = [2, 7], strides = [1, 1]} : vector<4x8xf32> to vector<2x7xf32>
  return
}

// -----
// insert_strided_slice: steps of two
func.func @f(%v: vector<4x8xf32>, %r: vector<8xf32>, %s: f32, %i: index) {
  // error: expected strides to be confined
  %0 = vector.insert_strided_slice %r, %v {offsets = [1, 0], strides = [2]} : vector<8xf32> into vector<4x8xf32>
  return
}

// -----
// from_elements: one short
func.func @f(%v: vector<4x8xf32>, %r: vector<8xf32>, %s: f32, %i: index) {
  // error: elements
  %0 = vector.from_elements %s, %s : vector<3xf32>
  return
}

// -----
// load: too few indices
func.func @f(%x: memref<?x?xf32>, %y: memref<?x?xf32, strided<[?, 2]>>, %i: index, %v: vector<8xf32>, %m: vector<8xi1>, %n: vector<4xi1>, %at: vector<4xindex>) {
  // error: requires 2 indices
  %0 = vector.load %x[%i] : memref<?x?xf32>, vector<8xf32>
  return
}

// -----
// load: rows that are not contiguous
func.func @f(%x: memref<?x?xf32>, %y: memref<?x?xf32, strided<[?, 2]>>, %i: index, %v: vector<8xf32>, %m: vector<8xi1>, %n: vector<4xi1>, %at: vector<4xindex>) {
  // error: must have unit stride
  %0 = vector.load %y[%i, %i] : memref<?x?xf32, strided<[?, 2]>>, vector<8xf32>
  return
}

// -----
// store: of another type
func.func @f(%x: memref<?x?xf64>, %y: memref<?x?xf32, strided<[?, 2]>>, %i: index, %v: vector<8xf32>, %m: vector<8xi1>, %n: vector<4xi1>, %at: vector<4xindex>) {
  // error: element types should match
  vector.store %v, %x[%i, %i] : memref<?x?xf64>, vector<8xf32>
  return
}

// -----
// maskedload: a mask of another shape
func.func @f(%x: memref<?x?xf32>, %y: memref<?x?xf32, strided<[?, 2]>>, %i: index, %v: vector<8xf32>, %m: vector<8xi1>, %n: vector<4xi1>, %at: vector<4xindex>) {
  // error: expected result shape to match mask shape
  %0 = vector.maskedload %x[%i, %i], %n, %v : memref<?x?xf32>, vector<4xi1>, vector<8xf32> into vector<8xf32>
  return
}

// -----
// gather: as many indices as lanes
func.func @f(%x: memref<?x?xf32>, %y: memref<?x?xf32, strided<[?, 2]>>, %i: index, %v: vector<8xf32>, %m: vector<8xi1>, %n: vector<4xi1>, %at: vector<4xindex>) {
  // error: expected result dim to match indices dim
  %0 = vector.gather %x[%i, %i] [%at], %m, %v : memref<?x?xf32>, vector<4xindex>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  return
}

// -----
// shuffle: a row that is not there
func.func @f(%v: vector<8xf32>, %r: vector<8xf32>, %s: f32, %i: index) {
  // error: mask index #2 out of range
  %0 = vector.shuffle %v, %v [0, 16] : vector<8xf32>, vector<8xf32>
  return
}

// -----
// interleave: a row too narrow
func.func @f(%v: vector<4x8xf32>, %r: vector<8xf32>, %s: f32, %i: index) {
  // error: double
  %0 = vector.interleave %v, %v : vector<4x8xf32> -> vector<8x8xf32>
  return
}

// -----
// step: of rank two
func.func @f(%v: vector<4x8xf32>, %r: vector<8xf32>, %s: f32, %i: index) {
  // error: dimension
  %0 = vector.step : vector<2x4xindex>
  return
}

// -----
// the type: no lanes
// error: positive constant sizes but got 0
func.func @f(%v: vector<0xf32>) {
  return
}

// -----
// the type: vectors of vectors
// error: a vector's elements are integers, floats or indices
func.func @f(%v: vector<4xvector<4xf32>>) {
  return
}
