// alloc_tensor: sizes, a copy, a hint, a memory space
func.func @f(%n: index, %t: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = bufferization.alloc_tensor() : tensor<2x4xf32>
  %1 = bufferization.alloc_tensor(%n) : tensor<?x4xf32>
  %2 = bufferization.alloc_tensor() copy(%t) : tensor<?x4xf32>
  %3 = bufferization.alloc_tensor(%n) size_hint=%n : tensor<?x4xf32>
  %4 = bufferization.alloc_tensor() copy(%t) size_hint=%n {memory_space = 3 : i64} : tensor<?x4xf32>
  %5 = bufferization.alloc_tensor() {memory_space = "shared", some.note} : tensor<4xf32>
  return %4 : tensor<?x4xf32>
}

// -----
// dealloc_tensor: gives a tensor back
func.func @f(%n: index) {
  %0 = bufferization.alloc_tensor(%n) : tensor<?xf32>
  bufferization.dealloc_tensor %0 : tensor<?xf32>
  return
}

// -----
// clone: of the same type, of another layout
func.func @f(%m: memref<?x4xf32, strided<[?, 1], offset: ?>>) -> memref<?x4xf32> {
  %0 = bufferization.clone %m : memref<?x4xf32, strided<[?, 1], offset: ?>> to memref<?x4xf32, strided<[?, 1], offset: ?>>
  %1 = bufferization.clone %m {some.note} : memref<?x4xf32, strided<[?, 1], offset: ?>> to memref<?x4xf32>
  return %1 : memref<?x4xf32>
}

// -----
// to_tensor: restrict, writable, without a rank
func.func @f(%m: memref<?x4xf32, strided<[?, 1], offset: ?>>, %u: memref<*xf32>) -> tensor<?x4xf32> {
  %0 = bufferization.to_tensor %m : memref<?x4xf32, strided<[?, 1], offset: ?>> to tensor<?x4xf32>
  %1 = bufferization.to_tensor %m restrict : memref<?x4xf32, strided<[?, 1], offset: ?>> to tensor<?x4xf32>
  %2 = bufferization.to_tensor %m restrict writable {some.note} : memref<?x4xf32, strided<[?, 1], offset: ?>> to tensor<?x4xf32>
  %3 = bufferization.to_tensor %u : memref<*xf32> to tensor<*xf32>
  return %2 : tensor<?x4xf32>
}

// -----
// to_buffer: read only, another layout, another memory
func.func @f(%t: tensor<?x4xf32>) -> memref<?x4xf32> {
  %0 = bufferization.to_buffer %t : tensor<?x4xf32> to memref<?x4xf32>
  %1 = bufferization.to_buffer %t read_only {some.note} : tensor<?x4xf32> to memref<?x4xf32, strided<[?, 1], offset: ?>>
  %2 = bufferization.to_buffer %t : tensor<?x4xf32> to memref<?x4xf32, 3>
  return %0 : memref<?x4xf32>
}

// -----
// materialize_in_destination: in tensors and in buffers
func.func @f(%s: tensor<4x4xf32>, %t: tensor<?x4xf32>, %m: memref<?x4xf32, strided<[?, 1], offset: ?>>) -> tensor<?x4xf32> {
  %0 = bufferization.materialize_in_destination %t in %t : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = bufferization.materialize_in_destination %s in %t : (tensor<4x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  bufferization.materialize_in_destination %t in writable %m : (tensor<?x4xf32>, memref<?x4xf32, strided<[?, 1], offset: ?>>) -> ()
  bufferization.materialize_in_destination %t in restrict writable %m {some.note} : (tensor<?x4xf32>, memref<?x4xf32, strided<[?, 1], offset: ?>>) -> ()
  return %1 : tensor<?x4xf32>
}
