// A grid over tokens and heads; slices of slices merged, so that the norm can be fused.
// payload: rmsnorm_rope at tokens=12, heads=4, features=16
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %generics = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %squares, %scale, %norm, %rope = transform.split_handle %generics
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %rope_in, %grid = transform.structured.tile_using_forall %rope tile_sizes [4, 1] (mapping = [#gpu.block<y>, #gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.apply_patterns to %func {
      transform.apply_patterns.tensor.merge_consecutive_insert_extract_slice
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %norm_in, %grid1 = transform.structured.fuse_into_containing_op %norm into %grid
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %scale_in, %grid2 = transform.structured.fuse_into_containing_op %scale into %grid1
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %squares_in, %grid3 = transform.structured.fuse_into_containing_op %squares into %grid2
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fill_in, %grid4 = transform.structured.fuse_into_containing_op %fill into %grid3
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
