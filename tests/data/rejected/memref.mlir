// alloc: a size missing
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: dynamic sizes, has 0, expected 1
  %0 = memref.alloc() : memref<?xf32>
  return
}

// -----
// alloc: a symbol missing
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: symbol operand count does not equal
  %0 = memref.alloc() : memref<4xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
  return
}

// -----
// alloc: an alignment of three
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: power of 2
  %0 = memref.alloc() {alignment = 3 : i64} : memref<4xf32>
  return
}

// -----
// alloca: a symbol too many
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: symbol operand count does not equal
  %0 = memref.alloca()[%n] : memref<4xf32>
  return
}

// -----
// load: too few indices
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: incorrect number of indices
  %0 = memref.load %m[%i] : memref<?x?xf32>
  return
}

// -----
// store: too few indices
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: incorrect number of indices
  memref.store %v, %m[%i] : memref<?x?xf32>
  return
}

// -----
// store: an element of another type
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: '%n'
  memref.store %n, %m[%i, %i] : memref<?x?xf32>
  return
}

// -----
// cast: another size
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: are cast incompatible
  %0 = memref.cast %x : memref<4x8xf32> to memref<5x8xf32>
  return
}

// -----
// cast: another rank
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: are cast incompatible
  %0 = memref.cast %x : memref<4x8xf32> to memref<?xf32>
  return
}

// -----
// cast: another stride
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: are cast incompatible
  %0 = memref.cast %x : memref<4x8xf32> to memref<4x8xf32, strided<[9, 1]>>
  return
}

// -----
// cast: another memory
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: are cast incompatible
  %0 = memref.cast %x : memref<4x8xf32> to memref<4x8xf32, 1>
  return
}

// -----
// cast: from no rank to none
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %u: memref<*xf32>, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: are cast incompatible
  %0 = memref.cast %u : memref<*xf32> to memref<*xf32>
  return
}

// -----
// copy: another type
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: same element type
  memref.copy %x, %b : memref<4x8xf32> to memref<?xi8>
  return
}

// -----
// copy: another shape
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>, %y: memref<8x4xf32>) {
  // error: same shape
  memref.copy %x, %y : memref<4x8xf32> to memref<8x4xf32>
  return
}

// -----
// subview: the layout forgotten
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: expected result type to be 'memref<2x3xf32, strided<[8, 1]>>'
  %0 = memref.subview %x[0, 0] [2, 3] [1, 1] : memref<4x8xf32> to memref<2x3xf32>
  return
}

// -----
// subview: an offset left open
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: rank-reduced version
  %0 = memref.subview %x[0, 0] [2, 3] [1, 1] : memref<4x8xf32> to memref<2x3xf32, strided<[8, 1], offset: ?>>
  return
}

// -----
// subview: another size
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: rank-reduced version
  %0 = memref.subview %x[0, 0] [2, 3] [1, 1] : memref<4x8xf32> to memref<2x4xf32, strided<[8, 1]>>
  return
}

// -----
// subview: the stride of the dropped dimension
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: rank-reduced version
  %0 = memref.subview %x[%i, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<8xf32, strided<[8], offset: ?>>
  return
}

// -----
// subview: past the end
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: runs out-of-bounds: 8 >= 8
  %0 = memref.subview %x[0, 6] [2, 3] [1, 1] : memref<4x8xf32> to memref<2x3xf32, strided<[8, 1], offset: 6>>
  return
}

// -----
// subview: an offset below zero
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: non-negative, but got -1
  %0 = memref.subview %x[-1, 0] [2, 3] [1, 1] : memref<4x8xf32> to memref<2x3xf32, strided<[8, 1], offset: ?>>
  return
}

// -----
// subview: a dimension missing
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: 2 offset values
  %0 = memref.subview %x[0] [2] [1] : memref<4x8xf32> to memref<2xf32>
  return
}

// -----
// subview: another memory
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: different memory spaces
  %0 = memref.subview %x[0, 0] [2, 3] [1, 1] : memref<4x8xf32> to memref<2x3xf32, strided<[8, 1]>, 3>
  return
}

// -----
// expand_shape: sizes that do not multiply
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: must equal reassociation group size (6)
  %0 = memref.expand_shape %x [[0, 1], [2]] output_shape [2, 3, 8] : memref<4x8xf32> into memref<2x3x8xf32>
  return
}

// -----
// expand_shape: a group missing
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: number of reassociation groups: found 1
  %0 = memref.expand_shape %x [[0, 1]] output_shape [2, 2, 8] : memref<4x8xf32> into memref<2x2x8xf32>
  return
}

// -----
// expand_shape: groups that are torn
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: contiguous
  %0 = memref.expand_shape %x [[0, 2], [1]] output_shape [2, 2, 8] : memref<4x8xf32> into memref<2x2x8xf32>
  return
}

// -----
// expand_shape: the layout forgotten
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: strided<[32, 16, 2], offset: 3>
  %0 = memref.expand_shape %st [[0, 1], [2]] output_shape [2, 2, 8] : memref<4x8xf32, strided<[16, 2], offset: 3>> into memref<2x2x8xf32>
  return
}

// -----
// collapse_shape: sizes that do not multiply
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: must equal reassociation group size (32)
  %0 = memref.collapse_shape %x [[0, 1]] : memref<4x8xf32> into memref<33xf32>
  return
}

// -----
// collapse_shape: rows that do not follow each other
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>, %w: memref<4x8xf32, strided<[17, 2]>>) {
  // error: non-contiguous
  %0 = memref.collapse_shape %w [[0, 1]] : memref<4x8xf32, strided<[17, 2]>> into memref<32xf32, strided<[2]>>
  return
}

// -----
// collapse_shape: a size that is not known
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: must be dynamic if and only if
  %0 = memref.collapse_shape %m [[0, 1]] : memref<?x?xf32> into memref<32xf32>
  return
}

// -----
// reinterpret_cast: another size
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: size = 8 instead of 9 in dim = 1
  %0 = memref.reinterpret_cast %x to offset: [0], sizes: [4, 8], strides: [8, 1] : memref<4x8xf32> to memref<4x9xf32>
  return
}

// -----
// reinterpret_cast: another offset
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: offset = 1 instead of 0
  %0 = memref.reinterpret_cast %x to offset: [1], sizes: [4, 8], strides: [8, 1] : memref<4x8xf32> to memref<4x8xf32>
  return
}

// -----
// reinterpret_cast: another stride
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: stride = 7 instead of 8 in dim = 0
  %0 = memref.reinterpret_cast %x to offset: [0], sizes: [4, 8], strides: [7, 1] : memref<4x8xf32> to memref<4x8xf32, strided<[8, 1]>>
  return
}

// -----
// transpose: no permutation
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: expected a permutation map
  %0 = memref.transpose %x (i, j) -> (i, i) : memref<4x8xf32> to memref<4x8xf32>
  return
}

// -----
// transpose: the layout forgotten
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: not equivalent to the canonical transposed
  %0 = memref.transpose %x (i, j) -> (j, i) : memref<4x8xf32> to memref<8x4xf32>
  return
}

// -----
// view: a size too many
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: dynamic sizes, has 1, expected 0
  %0 = memref.view %b[%i][%n] : memref<?xi8> to memref<4xf32>
  return
}

// -----
// memory_space_cast: another shape
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: are cast incompatible
  %0 = memref.memory_space_cast %x : memref<4x8xf32> to memref<4x9xf32, 3>
  return
}

// -----
// assume_alignment: three
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: power of 2
  %0 = memref.assume_alignment %x, 3 : memref<4x8xf32>
  return
}

// -----
// get_global: no such buffer
func.func @f(%m: memref<?x?xf32>, %x: memref<4x8xf32>, %v: f32, %n: index, %i: index, %b: memref<?xi8>, %st: memref<4x8xf32, strided<[16, 2], offset: 3>>) {
  // error: nope
  %0 = memref.get_global @nope : memref<4x8xf32>
  return
}

// -----
// global: a size that is not known
// error: static shaped memref
memref.global @g : memref<?xf32> = uninitialized

// -----
// get_global: of another type
memref.global @g : memref<2xf32> = dense<1.0>
func.func @f() {
  // error: does not match type 'memref<2xf32>'
  %0 = memref.get_global @g : memref<3xf32>
  return
}

// -----
// the type: a stride too few
// error: number of strides to match the rank
func.func @f(%v: memref<?x?xf32, strided<[1]>>) {
  return
}

// -----
// the type: a map of another rank
// error: layout mismatch between rank and affine map: 1 != 2
func.func @f(%v: memref<4xf32, affine_map<(d0, d1) -> (d0)>>) {
  return
}

// -----
// the type: tensors in memory
// error: invalid memref element type
func.func @f(%v: memref<4xtensor<4xf32>>) {
  return
}

// -----
// dim: of rank 0
func.func @f(%m: memref<f32>, %i: index) -> index {
  // error: expected a buffer of at least one dimension
  %0 = memref.dim %m, %i : memref<f32>
  return %0 : index
}

// -----
// prefetch: a locality that does not exist
func.func @f(%m: memref<4xf32>, %i: index) {
  // error: the locality hint must be between 0 and 3
  memref.prefetch %m[%i], read, locality<4>, data : memref<4xf32>
  return
}

// -----
// reshape: a size too many
func.func @f(%m: memref<4xf32>, %s: memref<2xindex>) -> memref<?xf32> {
  // error: length of shape operand differs from the result's memref rank
  %0 = memref.reshape %m(%s) : (memref<4xf32>, memref<2xindex>) -> memref<?xf32>
  return %0 : memref<?xf32>
}
