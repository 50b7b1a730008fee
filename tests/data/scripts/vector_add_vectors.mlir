// A grid of tiles, each a loop over vectors.
// payload: vector_add at n=3072
// level: buffers
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %add = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %grid = transform.structured.tile_using_forall %add tile_sizes [1024] (mapping = [#gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %part, %loop = transform.structured.tile_using_for %tile tile_sizes [256]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg.tiling_canonicalization
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %func : !transform.any_op
    transform.structured.vectorize %part : !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.vector.lower_masked_transfers
      transform.apply_patterns.vector.reduction_to_contract
      transform.apply_patterns.vector.fold_arith_extension
      transform.apply_patterns.vector.transfer_permutation_patterns
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
