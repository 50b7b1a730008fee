// subview: of everything
// index: 2
func.func @f(%m: memref<8x8xf32>, %i: index) -> f32 {
  %0 = memref.subview %m[0, 0] [8, 8] [1, 1] : memref<8x8xf32> to memref<8x8xf32, strided<[8, 1]>>
  %1 = memref.load %0[%i, %i] : memref<8x8xf32, strided<[8, 1]>>
  return %1 : f32
}
// -----
// subview: constants become part of it
// index: 1, 3
func.func @f(%m: memref<8x8xf32>, %i: index, %n: index) -> (f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = memref.subview %m[%c4, %i] [%c4, %n] [1, 1] : memref<8x8xf32> to memref<?x?xf32, strided<[8, 1], offset: ?>>
  %1 = memref.load %0[%i, %i] : memref<?x?xf32, strided<[8, 1], offset: ?>>
  %2 = memref.subview %0[0, 0] [2, 2] [1, 1] : memref<?x?xf32, strided<[8, 1], offset: ?>> to memref<2x2xf32, strided<[8, 1], offset: ?>>
  %3 = memref.load %2[%i, %i] : memref<2x2xf32, strided<[8, 1], offset: ?>>
  %4 = memref.subview %m[%c1, %c0] [1, %c4] [1, 1] : memref<8x8xf32> to memref<?xf32, strided<[1], offset: ?>>
  %5 = memref.load %4[%i] : memref<?xf32, strided<[1], offset: ?>>
  return %1, %3, %5 : f32, f32, f32
}
// -----
// subview: that would be out of bounds stays
// stays: a constant offset of 8 is outside
// no numbers: it is outside
func.func @f(%m: memref<8xf32>, %i: index) -> f32 {
  %c8 = arith.constant 8 : index
  %0 = memref.subview %m[%c8] [1] [1] : memref<8xf32> to memref<1xf32, strided<[1], offset: ?>>
  %1 = memref.load %0[%i] : memref<1xf32, strided<[1], offset: ?>>
  return %1 : f32
}
// -----
// cast: looked through
// index: 2
func.func @f(%m: memref<8x8xf32>, %b: memref<8xf32>, %i: index, %v: vector<8xf32>) -> (f32, f32, vector<8xf32>, index) {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %0 = memref.cast %m : memref<8x8xf32> to memref<?x?xf32>
  %1 = memref.subview %0[%i, 0] [4, 4] [1, 1] : memref<?x?xf32> to memref<4x4xf32, strided<[?, 1], offset: ?>>
  %2 = memref.load %1[%i, %i] : memref<4x4xf32, strided<[?, 1], offset: ?>>
  %3 = memref.load %0[%i, %i] : memref<?x?xf32>
  %4 = memref.cast %b : memref<8xf32> to memref<?xf32>
  %5 = vector.transfer_read %4[%c0], %p : memref<?xf32>, vector<8xf32>
  %6 = memref.cast %4 : memref<?xf32> to memref<8xf32>
  %7 = memref.dim %4, %c0 : memref<?xf32>
  memref.store %p, %6[%c0] : memref<8xf32>
  linalg.fill ins(%p : f32) outs(%4 : memref<?xf32>)
  return %2, %3, %5, %7 : f32, f32, vector<8xf32>, index
}
// -----
// alloc: constant extents, extents asked for
// index: 3
// no numbers: it is not written
func.func @f(%n: index) -> (memref<?x?xf32>, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = memref.alloc(%c4, %n) : memref<?x?xf32>
  %d0 = memref.dim %0, %c0 : memref<?x?xf32>
  %d1 = memref.dim %0, %c1 : memref<?x?xf32>
  %s = memref.subview %0[0, 0] [%n, 2] [1, 1] : memref<?x?xf32> to memref<?x2xf32, strided<[?, 1]>>
  %d2 = memref.dim %s, %c0 : memref<?x2xf32, strided<[?, 1]>>
  return %0, %d0, %d1, %d2 : memref<?x?xf32>, index, index, index
}
// -----
// alloc: that is only stored to
func.func @f(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %0 = memref.alloc() : memref<4xf32>
  memref.store %x, %0[%c0] : memref<4xf32>
  %1 = memref.alloc() : memref<4xf32>
  memref.dealloc %1 : memref<4xf32>
  %2 = memref.alloca() : memref<4xf32>
  %3 = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%3 : memref<4xf32>)
  %4 = memref.load %3[%c0] : memref<4xf32>
  return %4 : f32
}
// -----
// copy: onto itself, of nothing, of what was cast
func.func @f(%a: memref<8xf32>, %b: memref<8xf32>, %z: memref<0x4xf32>, %y: memref<0x4xf32>) {
  memref.copy %a, %a : memref<8xf32> to memref<8xf32>
  %ac = memref.cast %a : memref<8xf32> to memref<?xf32>
  %bc = memref.cast %b : memref<8xf32> to memref<?xf32>
  memref.copy %ac, %bc : memref<?xf32> to memref<?xf32>
  memref.copy %z, %y : memref<0x4xf32> to memref<0x4xf32>
  %s = memref.subview %a[0] [8] [1] : memref<8xf32> to memref<8xf32, strided<[1]>>
  memref.copy %s, %a : memref<8xf32, strided<[1]>> to memref<8xf32>
  return
}
// -----
// dead code: reads that nobody needs
func.func @f(%m: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %0 = memref.load %m[%c0] : memref<8xf32>
  %1 = vector.transfer_read %m[%c0], %p : memref<8xf32>, vector<8xf32>
  return
}
// -----
// tensors and buffers: there and back
// no numbers: buffers are handed out
func.func @f(%t: tensor<8xf32>, %m: memref<8xf32>) -> (tensor<8xf32>, memref<8xf32>, memref<8xf32, strided<[1], offset: ?>>) {
  %0 = bufferization.to_buffer %t : tensor<8xf32> to memref<8xf32>
  %1 = bufferization.to_tensor %0 : memref<8xf32> to tensor<8xf32>
  %2 = bufferization.to_tensor %m restrict : memref<8xf32> to tensor<8xf32>
  %3 = bufferization.to_buffer %2 : tensor<8xf32> to memref<8xf32>
  %4 = bufferization.to_buffer %2 : tensor<8xf32> to memref<8xf32, strided<[1], offset: ?>>
  return %1, %3, %4 : tensor<8xf32>, memref<8xf32>, memref<8xf32, strided<[1], offset: ?>>
}
// -----
// alloc_tensor: constant extents
// index: 3
// no numbers: it is not written
func.func @f(%n: index) -> (tensor<?xf32>, tensor<?xf32>, index) {
  %c8 = arith.constant 8 : index
  %c0 = arith.constant 0 : index
  %0 = bufferization.alloc_tensor(%c8) : tensor<?xf32>
  %1 = bufferization.alloc_tensor(%n) : tensor<?xf32>
  %d = tensor.dim %1, %c0 : tensor<?xf32>
  return %0, %1, %d : tensor<?xf32>, tensor<?xf32>, index
}
