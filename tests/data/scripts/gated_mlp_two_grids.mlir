// Both products of the gate in one grid, the last product in another.
// payload: gated_mlp at rows=64, features=48, hidden=96
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %products = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %gate, %up, %down = transform.split_handle %products
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %tails = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %gated, %cast = transform.split_handle %tails
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fills = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %fill_gate, %fill_up, %fill_down = transform.split_handle %fills
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %g, %grid = transform.structured.tile_using_forall %gated tile_sizes [32, 24] (mapping = [#gpu.block<y>, #gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %gate_in, %grid1 = transform.structured.fuse_into_containing_op %gate into %grid
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %up_in, %grid2 = transform.structured.fuse_into_containing_op %up into %grid1
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fill_gate_in, %grid3 = transform.structured.fuse_into_containing_op %fill_gate into %grid2
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fill_up_in, %grid4 = transform.structured.fuse_into_containing_op %fill_up into %grid3
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %c, %last = transform.structured.tile_using_forall %cast tile_sizes [32, 24] (mapping = [#gpu.block<y>, #gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %d, %last1 = transform.structured.fuse_into_containing_op %down into %last
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f, %last2 = transform.structured.fuse_into_containing_op %fill_down into %last1
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %gate_k, %k1 = transform.structured.tile_using_for %gate_in tile_sizes [0, 0, 16]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %up_k, %k2 = transform.structured.tile_using_for %up_in tile_sizes [0, 0, 16]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %down_k, %k3 = transform.structured.tile_using_for %d tile_sizes [0, 0, 16]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
