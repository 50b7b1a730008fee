// Two grids, loops over k; sizes from a parameter.
// payload: mlp_f32 at batch=50, inputs=20, hidden=36, outputs=30
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %products = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %mm1, %mm2 = transform.split_handle %products
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tails = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %tail1, %tail2 = transform.split_handle %tails
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fills = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %fill1, %fill2 = transform.split_handle %fills
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %rows = transform.param.constant 24 : i64 -> !transform.param<i64>
    %t2, %g2 = transform.structured.tile_using_forall %tail2 tile_sizes [%rows, 16] (mapping = [#gpu.block<y>, #gpu.block<x>])
      : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %m2, %g2a = transform.structured.fuse_into_containing_op %mm2 into %g2
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f2, %g2b = transform.structured.fuse_into_containing_op %fill2 into %g2a
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %t1, %g1 = transform.structured.tile_using_forall %tail1 tile_sizes [%rows, %rows] (mapping = [#gpu.block<y>, #gpu.block<x>])
      : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %m1, %g1a = transform.structured.fuse_into_containing_op %mm1 into %g1
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f1, %g1b = transform.structured.fuse_into_containing_op %fill1 into %g1a
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %both = transform.merge_handles %m1, %m2 : !transform.any_op
    %k_tiles, %ks = transform.structured.tile_using_for %both tile_sizes [0, 0, 7]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
