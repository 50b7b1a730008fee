// generic: that hands its input through
func.func @f(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %z: tensor<?x?xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<?x?xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %b : f32
  } -> tensor<4x8xf32>
  %c = tensor.cast %x : tensor<4x8xf32> to tensor<?x?xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<?x?xf32>
  return %0, %1, %2 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<?x?xf32>
}
// -----
// generic: that transposes stays
// stays: elements move
func.func @f(%x: tensor<4x8xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
// -----
// generic: nothing is done to buffers
func.func @f(%m: memref<4x8xf32>, %n: memref<4x8xf32>, %e: memref<0x8xf32>, %z: f32) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%m : memref<4x8xf32>) outs(%m : memref<4x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%m : memref<4x8xf32>) outs(%n : memref<4x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  linalg.copy ins(%m : memref<4x8xf32>) outs(%m : memref<4x8xf32>)
  linalg.fill ins(%z : f32) outs(%e : memref<0x8xf32>)
  return
}
// -----
// copy: of a tensor stays
// stays: a copy was asked for
func.func @f(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.copy ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
// -----
// extents: what the operands tell each other
// dims: 6, 6, 4, 8
func.func @f(%x: tensor<4x?xf32>, %y: tensor<?x8xf32>, %z: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%x, %y : tensor<4x?xf32>, tensor<?x8xf32>) outs(%z : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
// -----
// extents: casts before and after
// dims: 4, 8
func.func @f(%x: tensor<?x?xf32>, %z: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zc = tensor.cast %z : tensor<4x8xf32> to tensor<?x?xf32>
  %0 = linalg.exp ins(%x : tensor<?x?xf32>) outs(%zc : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = tensor.cast %0 : tensor<?x?xf32> to tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
// -----
// extents: along a chain of ops
// dims: 6, 8, 6
func.func @f(%x: tensor<?x?xf32>, %y: tensor<?x8xf32>, %z: f32) -> (tensor<?x?xf32>, index) {
  %c0 = arith.constant 0 : index
  %0 = tensor.cast %y : tensor<?x8xf32> to tensor<?x?xf32>
  %f = linalg.fill ins(%z : f32) outs(%x : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.add ins(%0, %0 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = tensor.dim %1, %c0 : tensor<?x?xf32>
  return %1, %2 : tensor<?x?xf32>, index
}
// -----
// extents: of a slice with a constant size
// index: 2
func.func @f(%x: tensor<16x16xf32>, %y: tensor<16x16xf32>, %i: index) -> tensor<?x?xf32> {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %a = tensor.extract_slice %x[%i, 0] [%c4, %c8] [1, 1] : tensor<16x16xf32> to tensor<?x?xf32>
  %b = tensor.extract_slice %y[%i, 0] [%c4, %c8] [1, 1] : tensor<16x16xf32> to tensor<?x?xf32>
  %e = tensor.empty(%c4, %c8) : tensor<?x?xf32>
  %0 = linalg.mul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
// -----
// fill: reshaped, padded, copied, transposed
// index: 2
func.func @f(%x: tensor<4x8xf32>, %z: f32, %i: index) -> (tensor<32xf32>, tensor<6x8xf32>, f32, tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x2x4xf32>, tensor<8x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.fill ins(%z : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  %2 = tensor.pad %0 low[1, 0] high[1, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %z : f32
  } : tensor<4x8xf32> to tensor<6x8xf32>
  %3 = tensor.extract %0[%i, %i] : tensor<4x8xf32>
  %4 = linalg.copy ins(%0 : tensor<4x8xf32>) outs(%x : tensor<4x8xf32>) -> tensor<4x8xf32>
  %e2 = tensor.empty() : tensor<8x4xf32>
  %5 = linalg.transpose ins(%0 : tensor<4x8xf32>) outs(%e2 : tensor<8x4xf32>) permutation = [1, 0]
  %6 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [4, 2, 4] : tensor<4x8xf32> into tensor<4x2x4xf32>
  %7 = tensor.concat dim(0) %0, %0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return %1, %2, %3, %4, %5, %6, %7 : tensor<32xf32>, tensor<6x8xf32>, f32, tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x2x4xf32>, tensor<8x8xf32>
}
// -----
// transpose and broadcast: twice, or of nothing
func.func @f(%x: tensor<4x8xf32>, %v: tensor<8xf32>, %t: tensor<2x3x4xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<2x4x8xf32>, tensor<8xf32>, tensor<4x2x3xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %e2 = tensor.empty() : tensor<8x4xf32>
  %0 = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%e2 : tensor<8x4xf32>) permutation = [1, 0]
  %1 = linalg.transpose ins(%0 : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) permutation = [1, 0]
  %2 = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) permutation = [0, 1]
  %3 = linalg.broadcast ins(%v : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  %e3 = tensor.empty() : tensor<2x4x8xf32>
  %4 = linalg.broadcast ins(%3 : tensor<4x8xf32>) outs(%e3 : tensor<2x4x8xf32>) dimensions = [0]
  %e4 = tensor.empty() : tensor<8xf32>
  %5 = linalg.broadcast ins(%v : tensor<8xf32>) outs(%e4 : tensor<8xf32>) dimensions = []
  %e5 = tensor.empty() : tensor<3x4x2xf32>
  %6 = linalg.transpose ins(%t : tensor<2x3x4xf32>) outs(%e5 : tensor<3x4x2xf32>) permutation = [1, 2, 0]
  %e6 = tensor.empty() : tensor<4x2x3xf32>
  %7 = linalg.transpose ins(%6 : tensor<3x4x2xf32>) outs(%e6 : tensor<4x2x3xf32>) permutation = [1, 2, 0]
  return %1, %2, %4, %5, %7 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<2x4x8xf32>, tensor<8xf32>, tensor<4x2x3xf32>
}
// -----
// index: of a loop that runs once
func.func @f(%x: tensor<1x8xindex>) -> tensor<1x8xindex> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%x : tensor<1x8xindex>) {
  ^bb0(%b: index):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %s = arith.addi %i, %j : index
    linalg.yield %s : index
  } -> tensor<1x8xindex>
  return %0 : tensor<1x8xindex>
}
// -----
// dead code: a structured op that nobody reads, and its inputs
func.func @f(%x: tensor<4x8xf32>, %y: tensor<8x4xf32>, %z: f32) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.matmul ins(%x, %y : tensor<4x8xf32>, tensor<8x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %x : tensor<4x8xf32>
}
