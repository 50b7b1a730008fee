// alloc_tensor: a size missing
func.func @f(%n: index, %t: tensor<?x4xf32>, %s: tensor<4x4xf32>, %m: memref<?x4xf32>, %x: memref<4x4xf32>, %q: memref<4x4xf64>) {
  // error: dynamic sizes, has 0, expected 1
  %0 = bufferization.alloc_tensor() : tensor<?x4xf32>
  return
}

// -----
// alloc_tensor: a size where a tensor is copied
func.func @f(%n: index, %t: tensor<?x4xf32>, %s: tensor<4x4xf32>, %m: memref<?x4xf32>, %x: memref<4x4xf32>, %q: memref<4x4xf64>) {
  // error: not needed when copying a tensor
  %0 = bufferization.alloc_tensor(%n) copy(%t) : tensor<?x4xf32>
  return
}

// -----
// alloc_tensor: a copy of another type
func.func @f(%n: index, %t: tensor<?x4xf32>, %s: tensor<4x4xf32>, %m: memref<?x4xf32>, %x: memref<4x4xf32>, %q: memref<4x4xf64>) {
  // error: '%s'
  %0 = bufferization.alloc_tensor() copy(%s) : tensor<?x4xf32>
  return
}

// -----
// to_tensor: another shape
func.func @f(%n: index, %t: tensor<?x4xf32>, %s: tensor<4x4xf32>, %m: memref<?x4xf32>, %x: memref<4x4xf32>, %q: memref<4x4xf64>) {
  // error: shapes do not match
  %0 = bufferization.to_tensor %x : memref<4x4xf32> to tensor<?x4xf32>
  return
}

// -----
// to_tensor: another type
func.func @f(%n: index, %t: tensor<?x4xf32>, %s: tensor<4x4xf32>, %m: memref<?x4xf32>, %x: memref<4x4xf32>, %q: memref<4x4xf64>) {
  // error: element types do not match
  %0 = bufferization.to_tensor %x : memref<4x4xf32> to tensor<4x4xf64>
  return
}

// -----
// to_buffer: another shape
func.func @f(%n: index, %t: tensor<?x4xf32>, %s: tensor<4x4xf32>, %m: memref<?x4xf32>, %x: memref<4x4xf32>, %q: memref<4x4xf64>) {
  // error: shapes do not match
  %0 = bufferization.to_buffer %t : tensor<?x4xf32> to memref<4x4xf32>
  return
}

// -----
// materialize_in_destination: a buffer that is not writable
func.func @f(%n: index, %t: tensor<?x4xf32>, %s: tensor<4x4xf32>, %m: memref<?x4xf32>, %x: memref<4x4xf32>, %q: memref<4x4xf64>) {
  // error: 'writable' must be specified
  bufferization.materialize_in_destination %s in %x : (tensor<4x4xf32>, memref<4x4xf32>) -> ()
  return
}

// -----
// materialize_in_destination: another type
func.func @f(%n: index, %t: tensor<?x4xf32>, %s: tensor<4x4xf32>, %m: memref<?x4xf32>, %x: memref<4x4xf32>, %q: memref<4x4xf64>) {
  // error: element type
  bufferization.materialize_in_destination %s in writable %q : (tensor<4x4xf32>, memref<4x4xf64>) -> ()
  return
}

// -----
// materialize_in_destination: a tensor with restrict
func.func @f(%n: index, %t: tensor<?x4xf32>, %s: tensor<4x4xf32>, %m: memref<?x4xf32>, %x: memref<4x4xf32>, %q: memref<4x4xf64>) {
  // error: 'restrict' is valid only
  %0 = bufferization.materialize_in_destination %s in restrict %s : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----
// materialize_in_destination: a tensor that is not given back
func.func @f(%n: index, %t: tensor<?x4xf32>, %s: tensor<4x4xf32>, %m: memref<?x4xf32>, %x: memref<4x4xf32>, %q: memref<4x4xf64>) {
  // error: implies exactly one tensor result
  bufferization.materialize_in_destination %s in %s : (tensor<4x4xf32>, tensor<4x4xf32>) -> ()
  return
}

// -----
// materialize_in_destination: a buffer that is
func.func @f(%n: index, %t: tensor<?x4xf32>, %s: tensor<4x4xf32>, %m: memref<?x4xf32>, %x: memref<4x4xf32>, %q: memref<4x4xf64>) {
  // error: implies zero results
  %0 = bufferization.materialize_in_destination %s in writable %x : (tensor<4x4xf32>, memref<4x4xf32>) -> tensor<4x4xf32>
  return
}
