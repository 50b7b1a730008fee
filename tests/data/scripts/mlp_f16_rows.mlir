// Both layers in one grid over rows: the hidden layer stays in a program.
// payload: mlp_f16 at batch=64, inputs=32, hidden=48, outputs=32
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
    %tail2_in, %grid = transform.structured.tile_using_forall %tail2 tile_sizes [32] (mapping = [#gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %mm2_in, %grid1 = transform.structured.fuse_into_containing_op %mm2 into %grid
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fill2_in, %grid2 = transform.structured.fuse_into_containing_op %fill2 into %grid1
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tail1_in, %grid3 = transform.structured.fuse_into_containing_op %tail1 into %grid2
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %mm1_in, %grid4 = transform.structured.fuse_into_containing_op %mm1 into %grid3
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fill1_in, %grid5 = transform.structured.fuse_into_containing_op %fill1 into %grid4
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
