// Two accumulators in one kernel, the product with the third matrix in another.
// payload: gated_mlp at rows=64, features=48, hidden=96
// level: buffers
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %products = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %gate, %up, %down = transform.split_handle %products
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %tails = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %gated, %cast = transform.split_handle %tails
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fills = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %fill_gate, %fill_up, %fill_down = transform.split_handle %fills
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %g, %grid = transform.structured.tile_using_forall %gated tile_sizes [32, 32] (mapping = [#gpu.block<y>, #gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %gate_in, %grid1 = transform.structured.fuse_into_containing_op %gate into %grid
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %up_in, %grid2 = transform.structured.fuse_into_containing_op %up into %grid1
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fill_gate_in, %grid3 = transform.structured.fuse_into_containing_op %fill_gate into %grid2
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fill_up_in, %grid4 = transform.structured.fuse_into_containing_op %fill_up into %grid3
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %c, %last = transform.structured.tile_using_forall %cast tile_sizes [32, 16] (mapping = [#gpu.block<y>, #gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %d, %last1 = transform.structured.fuse_into_containing_op %down into %last
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f, %last2 = transform.structured.fuse_into_containing_op %fill_down into %last1
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %gate_k, %k1 = transform.structured.tile_using_for %gate_in tile_sizes [0, 0, 16]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %up_k, %k2 = transform.structured.tile_using_for %up_in tile_sizes [0, 0, 16]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg.tiling_canonicalization
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %func : !transform.any_op
    %siblings = transform.loop.fuse_sibling %k1 into %k2 : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %down_k, %k3 = transform.structured.tile_using_for %d tile_sizes [0, 0, 16]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg.tiling_canonicalization
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %func : !transform.any_op
    %all = transform.structured.match ops{["linalg.matmul", "linalg.generic", "linalg.fill"]} in %func : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %all : !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.vector.lower_masked_transfers
      transform.apply_patterns.vector.reduction_to_contract
      transform.apply_patterns.vector.fold_arith_extension
      transform.apply_patterns.vector.transfer_permutation_patterns
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %func : !transform.any_op
    %loops = transform.structured.match ops{["scf.for"]} in %func : (!transform.any_op) -> !transform.any_op
    transform.apply_licm to %loops : !transform.any_op
    transform.loop.hoist_loop_invariant_subsets %loops : !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %func : !transform.any_op
    transform.structured.eliminate_empty_tensors %func : !transform.any_op
    %buffers = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %root
      {bufferize_function_boundaries = true, allow_return_allocs_from_loops = true}
      : (!transform.any_op) -> !transform.any_op
    %func_on_buffers = transform.structured.match ops{["func.func"]} in %buffers : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func_on_buffers {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %func_on_buffers : !transform.any_op
    transform.yield
  }
}
