// A softmax as structured ops, a program for each four rows, then vectors and buffers.
// level: buffers
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %soft = transform.structured.match ops{["linalg.softmax"]} in %root : (!transform.any_op) -> !transform.any_op
    %div = transform.structured.decompose_interface %soft : (!transform.any_op) -> !transform.any_op
    %tiled, %grid = transform.structured.fuse %div tile_sizes [4] {use_forall}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.apply_patterns to %func { transform.apply_patterns.canonicalization } : !transform.any_op
    transform.apply_cse to %func : !transform.any_op
    %ops = transform.structured.match interface{LinalgOp} in %func : (!transform.any_op) -> !transform.any_op
    transform.foreach %ops : !transform.any_op {
    ^bb0(%op: !transform.any_op):
      transform.structured.vectorize %op : !transform.any_op
    }
    transform.apply_patterns to %func { transform.apply_patterns.canonicalization } : !transform.any_op
    transform.apply_cse to %func : !transform.any_op
    transform.structured.eliminate_empty_tensors %func : !transform.any_op
    %buffers = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %root
      {bufferize_function_boundaries = true, allow_return_allocs_from_loops = true}
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

  func.func @softmax(%x: tensor<16x24xf32>) -> tensor<16x24xf32> {
    %e = tensor.empty() : tensor<16x24xf32>
    %r = linalg.softmax dimension(1) ins(%x : tensor<16x24xf32>) outs(%e : tensor<16x24xf32>) -> tensor<16x24xf32>
    return %r : tensor<16x24xf32>
  }
}
