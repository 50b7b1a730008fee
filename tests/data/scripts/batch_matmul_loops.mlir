// Loops in another order, the batch innermost; then the reduction.
// payload: batch_matmul at batch=4, m=64, n=96, k=32
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.batch_matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loops:3 = transform.structured.tile_using_for %mm tile_sizes [1, 64, 32] interchange = [2, 1, 0]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %tile_k, %k = transform.structured.tile_using_for %tile tile_sizes [0, 0, 0, 16]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
