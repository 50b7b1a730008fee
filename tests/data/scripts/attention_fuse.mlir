// softmax(q k^T) v, a program for each batch and eight rows: all of it fused into the grid.
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %soft = transform.structured.match ops{["linalg.softmax"]} in %root : (!transform.any_op) -> !transform.any_op
    %div = transform.structured.decompose_interface %soft : (!transform.any_op) -> !transform.any_op
    %products = transform.structured.match ops{["linalg.batch_matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %qk, %pv = transform.split_handle %products : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %generics = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %max, %exp, %sum, %normal = transform.split_handle %generics
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %fills = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %grid = transform.structured.tile_using_forall %pv tile_sizes [1, 8] (mapping = [#gpu.block<y>, #gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %a, %g1 = transform.structured.fuse_into_containing_op %normal into %grid : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %b, %g2 = transform.structured.fuse_into_containing_op %sum into %g1 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %c, %g3 = transform.structured.fuse_into_containing_op %exp into %g2 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %d, %g4 = transform.structured.fuse_into_containing_op %max into %g3 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %e, %g5 = transform.structured.fuse_into_containing_op %qk into %g4 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f, %g6 = transform.structured.fuse_into_containing_op %fills into %g5 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

  func.func @attention(%q: tensor<2x20x8xf32>, %kt: tensor<2x8x20xf32>, %v: tensor<2x20x8xf32>) -> tensor<2x20x8xf32> {
    %zero = arith.constant 0.0 : f32
    %e1 = tensor.empty() : tensor<2x20x20xf32>
    %i1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %s = linalg.batch_matmul ins(%q, %kt : tensor<2x20x8xf32>, tensor<2x8x20xf32>) outs(%i1 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %e2 = tensor.empty() : tensor<2x20x20xf32>
    %p = linalg.softmax dimension(2) ins(%s : tensor<2x20x20xf32>) outs(%e2 : tensor<2x20x20xf32>) -> tensor<2x20x20xf32>
    %e3 = tensor.empty() : tensor<2x20x8xf32>
    %i3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    %o = linalg.batch_matmul ins(%p, %v : tensor<2x20x20xf32>, tensor<2x20x8xf32>) outs(%i3 : tensor<2x20x8xf32>) -> tensor<2x20x8xf32>
    return %o : tensor<2x20x8xf32>
  }
}
