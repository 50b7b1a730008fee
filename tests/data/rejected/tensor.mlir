// empty: a dynamic size that is not given
func.func @f() {
  // error: expected 1 dynamic sizes for 'tensor<?xf32>', got 0
  %r = tensor.empty() : tensor<?xf32>
  return
}

// -----
// empty: a size for a static dimension
func.func @f(%i: index) {
  // error: expected 0 dynamic sizes for 'tensor<4xf32>', got 1
  %r = tensor.empty(%i) : tensor<4xf32>
  return
}

// -----
// extract_slice: a result of another size
func.func @f(%t: tensor<8x8xf32>) {
  // error: expected 'tensor<4x4xf32>', or that without unit dimensions, got 'tensor<4x5xf32>'
  %r = tensor.extract_slice %t[0, 0] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x5xf32>
  return
}

// -----
// extract_slice: a dynamic result of a static size
func.func @f(%t: tensor<8x8xf32>) {
  // error: expected 'tensor<4x4xf32>'
  %r = tensor.extract_slice %t[0, 0] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<?x4xf32>
  return
}

// -----
// extract_slice: a static result of a dynamic size
func.func @f(%t: tensor<8x8xf32>, %i: index) {
  // error: expected 'tensor<?x4xf32>'
  %r = tensor.extract_slice %t[0, 0] [%i, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
  return
}

// -----
// extract_slice: other elements
func.func @f(%t: tensor<8x8xf32>) {
  // error: expected elements of type 'f32'
  %r = tensor.extract_slice %t[0, 0] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf16>
  return
}

// -----
// extract_slice: out of bounds at the end
func.func @f(%t: tensor<8x8xf32>) {
  // error: it takes element 9 of dimension 0, which has 8 elements
  %r = tensor.extract_slice %t[6, 0] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
  return
}

// -----
// extract_slice: out of bounds by its stride
func.func @f(%t: tensor<8x8xf32>) {
  // error: it takes element 9 of dimension 0
  %r = tensor.extract_slice %t[0, 0] [4, 4] [3, 1] : tensor<8x8xf32> to tensor<4x4xf32>
  return
}

// -----
// extract_slice: a negative offset
func.func @f(%t: tensor<8x8xf32>) {
  // error: offset -1 of dimension 0 is negative
  %r = tensor.extract_slice %t[-1, 0] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
  return
}

// -----
// extract_slice: an offset behind the end
func.func @f(%t: tensor<8x8xf32>, %i: index) {
  // error: offset 8 is out of bounds: dimension 0 has 8 elements
  %r = tensor.extract_slice %t[8, 0] [%i, 4] [1, 1] : tensor<8x8xf32> to tensor<?x4xf32>
  return
}

// -----
// extract_slice: a negative size
func.func @f(%t: tensor<8x8xf32>) {
  // error: size -4 of dimension 0 is negative
  %r = tensor.extract_slice %t[0, 0] [-4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
  return
}

// -----
// extract_slice: of another rank
func.func @f(%t: tensor<8x8xf32>) {
  // error: expected 2 offsets, sizes and strides each
  %r = tensor.extract_slice %t[0] [4] [1] : tensor<8x8xf32> to tensor<4xf32>
  return
}

// -----
// extract_slice: drops a dimension that is not 1
func.func @f(%t: tensor<8x8xf32>) {
  // error: expected 'tensor<4x2xf32>', or that without unit dimensions
  %r = tensor.extract_slice %t[0, 0] [4, 2] [1, 1] : tensor<8x8xf32> to tensor<4xf32>
  return
}

// -----
// extract_slice: a result of a larger rank
func.func @f(%t: tensor<8x8xf32>) {
  // error: expected 'tensor<4x1xf32>'
  %r = tensor.extract_slice %t[0, 0] [4, 1] [1, 1] : tensor<8x8xf32> to tensor<4x1x1xf32>
  return
}

// -----
// insert_slice: out of bounds
func.func @f(%t: tensor<8x8xf32>) {
  // error: it takes element 8 of dimension 0, which has 8 elements
  %r = tensor.insert_slice %t into %t[1, 0] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<8x8xf32>
  return
}

// -----
// insert_slice: a source of another size
func.func @f(%t: tensor<8x8xf32>, %v: tensor<4xf32>) {
  // error: expected 'tensor<1x8xf32>', or that without unit dimensions, got 'tensor<4xf32>'
  %r = tensor.insert_slice %v into %t[0, 0] [1, 8] [1, 1] : tensor<4xf32> into tensor<8x8xf32>
  return
}

// -----
// insert_slice: other elements
func.func @f(%t: tensor<8x8xf32>, %h: tensor<8x8xf16>) {
  // error: expected elements of type 'f32'
  %r = tensor.insert_slice %h into %t[0, 0] [8, 8] [1, 1] : tensor<8x8xf16> into tensor<8x8xf32>
  return
}

// -----
// dim: of rank 0
func.func @f(%z: tensor<f32>, %i: index) {
  // error: rank 0 has no dimensions
  %r = tensor.dim %z, %i : tensor<f32>
  return
}

// -----
// cast: to another static size
func.func @f(%t: tensor<8x8xf32>) {
  // error: cannot cast 'tensor<8x8xf32>' to 'tensor<8x9xf32>'
  %r = tensor.cast %t : tensor<8x8xf32> to tensor<8x9xf32>
  return
}

// -----
// cast: to other elements
func.func @f(%t: tensor<8x8xf32>) {
  // error: cannot cast 'tensor<8x8xf32>' to 'tensor<8x8xf16>'
  %r = tensor.cast %t : tensor<8x8xf32> to tensor<8x8xf16>
  return
}

// -----
// cast: to another rank
func.func @f(%t: tensor<8x8xf32>) {
  // error: cannot cast 'tensor<8x8xf32>' to 'tensor<?xf32>'
  %r = tensor.cast %t : tensor<8x8xf32> to tensor<?xf32>
  return
}

// -----
// concat: a dimension that is not there
func.func @f(%t: tensor<8x8xf32>) {
  // error: there is no dimension 2 in 'tensor<8x16xf32>'
  %r = tensor.concat dim(2) %t, %t : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x16xf32>
  return
}

// -----
// concat: sizes that do not add up
func.func @f(%t: tensor<8x8xf32>) {
  // error: the sizes [8, 8] of dimension 0 do not make 'tensor<8x16xf32>'
  %r = tensor.concat dim(0) %t, %t : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x16xf32>
  return
}

// -----
// concat: parts of two ranks
func.func @f(%t: tensor<8x8xf32>, %v: tensor<4xf32>) {
  // error: expected the rank of 'tensor<12x8xf32>', got 'tensor<4xf32>'
  %r = tensor.concat dim(0) %t, %v : (tensor<8x8xf32>, tensor<4xf32>) -> tensor<12x8xf32>
  return
}

// -----
// concat: other elements
func.func @f(%t: tensor<8x8xf32>, %h: tensor<8x8xf16>) {
  // error: expected elements of type 'f32', got 'tensor<8x8xf16>'
  %r = tensor.concat dim(0) %t, %h : (tensor<8x8xf32>, tensor<8x8xf16>) -> tensor<16x8xf32>
  return
}

// -----
// splat: a dynamic size that is not given
func.func @f(%x: f32) {
  // error: expected 1 dynamic sizes
  %r = tensor.splat %x : tensor<?xf32>
  return
}

// -----
// from_elements: too few
func.func @f(%x: f32) {
  // error: expected 3 elements for 'tensor<3xf32>', got 2
  %r = tensor.from_elements %x, %x : tensor<3xf32>
  return
}

// -----
// from_elements: of a dynamic size
func.func @f(%x: f32) {
  // error: expected a result of static shape
  %r = tensor.from_elements %x, %x : tensor<?xf32>
  return
}

// -----
// extract: too few indices
func.func @f(%t: tensor<8x8xf32>, %i: index) {
  // error: expected 2 indices for 'tensor<8x8xf32>', got 1
  %r = tensor.extract %t[%i] : tensor<8x8xf32>
  return
}

// -----
// insert: too few indices
func.func @f(%t: tensor<8x8xf32>, %i: index, %x: f32) {
  // error: expected 2 indices for 'tensor<8x8xf32>', got 1
  %r = tensor.insert %x into %t[%i] : tensor<8x8xf32>
  return
}

// -----
// expand_shape: a product of another size
func.func @f(%t: tensor<8x8xf32>) {
  // error: expected dimension 0 of 'tensor<8x8xf32>' to be 10
  %r = tensor.expand_shape %t [[0, 1], [2]] output_shape [2, 5, 8] : tensor<8x8xf32> into tensor<2x5x8xf32>
  return
}

// -----
// expand_shape: a dimension left out
func.func @f(%t: tensor<8x8xf32>) {
  // error: expected the groups to list the dimensions 0 to 2
  %r = tensor.expand_shape %t [[0, 1], [3]] output_shape [2, 4, 8] : tensor<8x8xf32> into tensor<2x4x8xf32>
  return
}

// -----
// expand_shape: too few groups
func.func @f(%t: tensor<8x8xf32>) {
  // error: expected a group of dimensions for each of the 2 dimensions
  %r = tensor.expand_shape %t [[0, 1]] output_shape [2, 4] : tensor<8x8xf32> into tensor<2x4xf32>
  return
}

// -----
// expand_shape: a dynamic size from a static one
func.func @f(%t: tensor<8x8xf32>, %i: index) {
  // error: expected dimension 0 of 'tensor<8x8xf32>' to be dynamic
  %r = tensor.expand_shape %t [[0, 1], [2]] output_shape [%i, 2, 8] : tensor<8x8xf32> into tensor<?x2x8xf32>
  return
}

// -----
// expand_shape: an output shape of another rank
func.func @f(%d: tensor<?x8xf32>, %i: index) {
  // error: output shape
  %r = tensor.expand_shape %d [[0, 1], [2]] output_shape [2, %i] : tensor<?x8xf32> into tensor<2x?x8xf32>
  return
}

// -----
// collapse_shape: a product of another size
func.func @f(%t: tensor<8x8xf32>) {
  // error: expected dimension 0 of 'tensor<63xf32>' to be 64
  %r = tensor.collapse_shape %t [[0, 1]] : tensor<8x8xf32> into tensor<63xf32>
  return
}

// -----
// collapse_shape: a dynamic result of static sizes
func.func @f(%t: tensor<8x8xf32>) {
  // error: expected dimension 0 of 'tensor<?xf32>' to be 64
  %r = tensor.collapse_shape %t [[0, 1]] : tensor<8x8xf32> into tensor<?xf32>
  return
}

// -----
// collapse_shape: a static result of dynamic sizes
func.func @f(%d: tensor<?x8xf32>) {
  // error: expected dimension 0 of 'tensor<64xf32>' to be dynamic
  %r = tensor.collapse_shape %d [[0, 1]] : tensor<?x8xf32> into tensor<64xf32>
  return
}

// -----
// collapse_shape: other elements
func.func @f(%t: tensor<8x8xf32>) {
  // error: expected one element type, got 'f16' and 'f32'
  %r = tensor.collapse_shape %t [[0, 1]] : tensor<8x8xf32> into tensor<64xf16>
  return
}

// -----
// reshape: another number of elements
func.func @f(%t: tensor<8x8xf32>, %s: tensor<2xi32>) {
  // error: have different numbers of elements
  %r = tensor.reshape %t(%s) : (tensor<8x8xf32>, tensor<2xi32>) -> tensor<8x9xf32>
  return
}

// -----
// reshape: a shape of another length
func.func @f(%t: tensor<8x8xf32>, %s: tensor<2xi32>) {
  // error: expected 1 integers for 'tensor<64xf32>', got 'tensor<2xi32>'
  %r = tensor.reshape %t(%s) : (tensor<8x8xf32>, tensor<2xi32>) -> tensor<64xf32>
  return
}

// -----
// bitcast: to another width
func.func @f(%t: tensor<8x8xf32>) {
  // error: cannot cast 'tensor<8x8xf32>' to 'tensor<8x8xf16>'
  %r = tensor.bitcast %t : tensor<8x8xf32> to tensor<8x8xf16>
  return
}

// -----
// pad: sizes that do not add up
func.func @f(%t: tensor<8x8xf32>, %x: f32) {
  // error: expected 'tensor<8x10xf32>', got 'tensor<8x9xf32>'
  %r = tensor.pad %t low[0, 1] high[0, 1] {
  ^bb0(%a: index, %b: index):
    tensor.yield %x : f32
  } : tensor<8x8xf32> to tensor<8x9xf32>
  return
}

// -----
// pad: a dynamic result of static sizes
func.func @f(%t: tensor<8x8xf32>, %x: f32) {
  // error: expected 'tensor<8x10xf32>', got 'tensor<8x?xf32>'
  %r = tensor.pad %t low[0, 1] high[0, 1] {
  ^bb0(%a: index, %b: index):
    tensor.yield %x : f32
  } : tensor<8x8xf32> to tensor<8x?xf32>
  return
}

// -----
// pad: too few amounts
func.func @f(%t: tensor<8x8xf32>, %x: f32) {
  // error: expected 2 amounts in `low` and in `high`
  %r = tensor.pad %t low[0] high[0, 1] {
  ^bb0(%a: index, %b: index):
    tensor.yield %x : f32
  } : tensor<8x8xf32> to tensor<8x9xf32>
  return
}

// -----
// pad: a region with too few indices
func.func @f(%t: tensor<8x8xf32>, %x: f32) {
  // error: expected a region of 2 index arguments
  %r = tensor.pad %t low[0, 0] high[0, 1] {
  ^bb0(%a: index):
    tensor.yield %x : f32
  } : tensor<8x8xf32> to tensor<8x9xf32>
  return
}

// -----
// pad: a region that yields another type
func.func @f(%t: tensor<8x8xf32>, %i: index) {
  // error: expected the region to yield an element of type 'f32'
  %r = tensor.pad %t low[0, 0] high[0, 1] {
  ^bb0(%a: index, %b: index):
    tensor.yield %i : index
  } : tensor<8x8xf32> to tensor<8x9xf32>
  return
}

// -----
// generate: a size for a static dimension
func.func @f(%i: index, %x: f32) {
  // error: expected 0 dynamic sizes for 'tensor<4xf32>', got 1
  %r = tensor.generate %i {
  ^bb0(%a: index):
    tensor.yield %x : f32
  } : tensor<4xf32>
  return
}

// -----
// generate: a region with too many indices
func.func @f(%i: index, %x: f32) {
  // error: expected a region of 1 index arguments
  %r = tensor.generate %i {
  ^bb0(%a: index, %b: index):
    tensor.yield %x : f32
  } : tensor<?xf32>
  return
}

// -----
// generate: a region that yields another type
func.func @f(%i: index) {
  // error: expected the region to yield an element of type 'f32'
  %r = tensor.generate %i {
  ^bb0(%a: index):
    tensor.yield %i : index
  } : tensor<?xf32>
  return
}

// -----
// parallel_insert_slice: outside of a grid
func.func @f(%t: tensor<8xf32>, %s: tensor<1xf32>) {
  // error: expects parent op
  tensor.parallel_insert_slice %s into %t[0] [1] [1] : tensor<1xf32> into tensor<8xf32>
  return
}
