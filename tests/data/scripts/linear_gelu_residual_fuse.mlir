// Tile and fuse at once, the loops in another order.
// payload: linear_gelu_residual at rows=96, inputs=48, outputs=64
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %tail = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %fused, %loops:2 = transform.structured.fuse %tail tile_sizes [48, 40] interchange [1, 0]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %mm_k, %k = transform.structured.tile_using_for %mm tile_sizes [0, 0, 20]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
