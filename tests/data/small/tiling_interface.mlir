func.func @pad(%x: tensor<?x?xf32>, %v: f32) -> tensor<?x?xf32> {
  %p = tensor.pad %x low[3, 4] high[5, 3] {
  ^bb0(%a: index, %b: index):
    tensor.yield %v : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}
// -----
// pad for dynamic
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["tensor.pad"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %l:2 = transform.structured.tile_using_for %p tile_sizes [2, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// pad forall
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["tensor.pad"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %p tile_sizes [2, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// pad static
func.func @pad(%x: tensor<7x9xf32>, %v: f32) -> tensor<15x16xf32> {
  %p = tensor.pad %x low[3, 4] high[5, 3] {
  ^bb0(%a: index, %b: index):
    tensor.yield %v : f32
  } : tensor<7x9xf32> to tensor<15x16xf32>
  return %p : tensor<15x16xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["tensor.pad"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %l:2 = transform.structured.tile_using_for %p tile_sizes [2, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.annotate %t "here" : !transform.any_op
  transform.yield
}
// -----
// pad static one dim, constant outside
func.func @pad(%x: tensor<7x9xf32>) -> tensor<14x9xf32> {
    %v = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0] high[7, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %v : f32
  } : tensor<7x9xf32> to tensor<14x9xf32>
  return %p : tensor<14x9xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["tensor.pad"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %l:2 = transform.structured.tile_using_for %p tile_sizes [7, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// softmax
func.func @f(%x: tensor<16x64x256xf32>) -> tensor<16x64x256xf32> {
  %e = tensor.empty() : tensor<16x64x256xf32>
  %p = linalg.softmax dimension(1) ins(%x : tensor<16x64x256xf32>) outs(%e : tensor<16x64x256xf32>) -> tensor<16x64x256xf32>
  return %p : tensor<16x64x256xf32>
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["linalg.softmax"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %l:2 = transform.structured.tile_using_for %p tile_sizes [2, 0, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// softmax buffer
func.func @f(%x: memref<16x64x256xf32>, %e: memref<16x64x256xf32>) {
  linalg.softmax dimension(1) ins(%x : memref<16x64x256xf32>) outs(%e : memref<16x64x256xf32>)
  return
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["linalg.softmax"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %l:2 = transform.structured.tile_using_for %p tile_sizes [2, 0, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// matmul buffer dynamic
func.func @f(%a: memref<?x?xf32, strided<[?, 1], offset: ?>>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["linalg.matmul"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %l:3 = transform.structured.tile_using_for %p tile_sizes [2, 3, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// matmul buffer static interchange
func.func @f(%a: memref<32x64xf32>, %b: memref<64x16xf32>, %c: memref<32x16xf32>) {
  linalg.matmul ins(%a, %b : memref<32x64xf32>, memref<64x16xf32>) outs(%c : memref<32x16xf32>)
  return
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["linalg.matmul"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %l:2 = transform.structured.tile_using_for %p tile_sizes [5, 0, 4] interchange = [2, 0, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// matmul buffer forall
func.func @f(%a: memref<32x64xf32>, %b: memref<64x16xf32>, %c: memref<32x16xf32>) {
  linalg.matmul ins(%a, %b : memref<32x64xf32>, memref<64x16xf32>) outs(%c : memref<32x16xf32>)
  return
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %p = transform.structured.match ops{["linalg.matmul"]} in %r : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %p num_threads [5, 3] (mapping = [#gpu.block<y>, #gpu.block<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
