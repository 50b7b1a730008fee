// The sum with the residual has three readers in one grid.
// payload: layernorm_residual at rows=12, columns=24
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %generics = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %add, %sum, %mean, %squares, %scale, %norm = transform.split_handle %generics
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %fills = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %rows, %grid = transform.structured.tile_using_forall %norm tile_sizes [4] (mapping = [#gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %scale_in, %grid1 = transform.structured.fuse_into_containing_op %scale into %grid
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %squares_in, %grid2 = transform.structured.fuse_into_containing_op %squares into %grid1
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %mean_in, %grid3 = transform.structured.fuse_into_containing_op %mean into %grid2
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %sum_in, %grid4 = transform.structured.fuse_into_containing_op %sum into %grid3
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %add_in, %grid5 = transform.structured.fuse_into_containing_op %add into %grid4
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fills_in, %grid6 = transform.structured.fuse_into_containing_op %fills into %grid5
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
