// Two kernels, one a layer.
// payload: mlp_f16 at batch=64, inputs=32, hidden=48, outputs=32
// level: buffers
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %products = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %mm1, %mm2 = transform.split_handle %products
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tails = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %tail1, %tail2 = transform.split_handle %tails
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fills = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %fill1, %fill2 = transform.split_handle %fills
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %t2, %g2 = transform.structured.tile_using_forall %tail2 tile_sizes [32, 32] (mapping = [#gpu.block<y>, #gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %m2, %g2a = transform.structured.fuse_into_containing_op %mm2 into %g2
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f2, %g2b = transform.structured.fuse_into_containing_op %fill2 into %g2a
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %t1, %g1 = transform.structured.tile_using_forall %tail1 tile_sizes [32, 16] (mapping = [#gpu.block<y>, #gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %m1, %g1a = transform.structured.fuse_into_containing_op %mm1 into %g1
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f1, %g1b = transform.structured.fuse_into_containing_op %fill1 into %g1a
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %m2k, %k2 = transform.structured.tile_using_for %m2 tile_sizes [0, 0, 16]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %m1k, %k1 = transform.structured.tile_using_for %m1 tile_sizes [0, 0, 16]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg.tiling_canonicalization
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %func : !transform.any_op
    transform.structured.vectorize %m1k : !transform.any_op
    transform.structured.vectorize %m2k : !transform.any_op
    transform.structured.vectorize %f1 : !transform.any_op
    transform.structured.vectorize %f2 : !transform.any_op
    transform.structured.vectorize %t1 : !transform.any_op
    transform.structured.vectorize %t2 : !transform.any_op
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
