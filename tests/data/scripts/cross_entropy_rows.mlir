// Two reductions of a row, and an op that extracts an element; the last tile is partial.
// payload: cross_entropy at rows=24, classes=40
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %generics = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %largest, %power, %total, %loss = transform.split_handle %generics
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %fills = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %rows, %grid = transform.structured.tile_using_forall %loss tile_sizes [10] (mapping = [#gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %total_in, %grid1 = transform.structured.fuse_into_containing_op %total into %grid
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %power_in, %grid2 = transform.structured.fuse_into_containing_op %power into %grid1
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %largest_in, %grid3 = transform.structured.fuse_into_containing_op %largest into %grid2
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fills_in, %grid4 = transform.structured.fuse_into_containing_op %fills into %grid3
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
