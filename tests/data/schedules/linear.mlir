// matmul + element-wise tail, the tail fused into each tile or in a grid of its own.
// Sequences only: tests put a payload after them.
transform.named_sequence @to_vectors(%f: !transform.any_op {transform.readonly}) {
  transform.apply_patterns to %f { transform.apply_patterns.vector.lower_masked_transfers
     transform.apply_patterns.vector.reduction_to_contract
     transform.apply_patterns.vector.transfer_permutation_patterns
     transform.apply_patterns.vector.fold_arith_extension
     transform.apply_patterns.canonicalization } : !transform.any_op
  transform.apply_cse to %f : !transform.any_op
  %l = transform.structured.match ops{["scf.for"]} in %f : (!transform.any_op) -> !transform.any_op
  transform.apply_licm to %l : !transform.any_op
  transform.loop.hoist_loop_invariant_subsets %l : !transform.any_op
  transform.apply_patterns to %f { transform.apply_patterns.canonicalization } : !transform.any_op
  transform.apply_cse to %f : !transform.any_op
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  %tail = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  %BM = transform.tune.knob<"BM"> = 128 : i64 from options = [64 : i64, 128 : i64] -> !transform.param<i64>
  %BN = transform.tune.knob<"BN"> = 128 : i64 from options = [64 : i64, 128 : i64] -> !transform.param<i64>
  %BK = transform.tune.knob<"BK"> = 64 : i64 from options = [32 : i64, 64 : i64] -> !transform.param<i64>
  %W = transform.tune.knob<"warps"> = 8 : i64 from options = [4 : i64, 8 : i64] -> !transform.param<i64>
  %S = transform.tune.knob<"stages"> = 3 : i64 from options = [2 : i64, 3 : i64] -> !transform.param<i64>
  %mm1, %fill1, %tail1, %grids = transform.tune.alternatives<"tail_placement"> selected_region = 0 -> !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op {
     %t, %g = transform.structured.tile_using_forall %tail tile_sizes [%BM, %BN] (mapping = [#gpu.block<y>, #gpu.block<x>]) : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
     %m, %g1 = transform.structured.fuse_into_containing_op %mm into %g : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
     %fi, %g2 = transform.structured.fuse_into_containing_op %fill into %g1 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
     transform.yield %m, %fi, %t, %g2 : !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op
  }, {
     %m, %g = transform.structured.tile_using_forall %mm tile_sizes [%BM, %BN] (mapping = [#gpu.block<y>, #gpu.block<x>]) : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
     %fi, %g1 = transform.structured.fuse_into_containing_op %fill into %g : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
     %t, %h = transform.structured.tile_using_forall %tail tile_sizes [%BM, %BN] (mapping = [#gpu.block<y>, #gpu.block<x>]) : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
     %gs = transform.merge_handles %g1, %h : !transform.any_op
     transform.yield %m, %fi, %t, %gs : !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op
  }
  %mm2, %k = transform.structured.tile_using_for %mm1 tile_sizes [0, 0, %BK] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
  transform.tune.alternatives<"loads"> selected_region = 1 {
  }, {
    transform.annotate %grids "triton.descriptors" : !transform.any_op
  }
  transform.annotate %grids "triton.num_warps" = %W : !transform.any_op, !transform.param<i64>
  transform.annotate %k "triton.num_stages" = %S : !transform.any_op, !transform.param<i64>
  transform.structured.vectorize %mm2 vector_sizes [%BM, %BN, %BK] : !transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
  transform.structured.vectorize %fill1 vector_sizes [%BM, %BN] : !transform.any_op, !transform.param<i64>, !transform.param<i64>
  transform.structured.vectorize %tail1 vector_sizes [%BM, %BN] : !transform.any_op, !transform.param<i64>, !transform.param<i64>
  transform.include @to_vectors failures(propagate) (%func) : (!transform.any_op) -> ()
  transform.structured.eliminate_empty_tensors %func : !transform.any_op
  %buf = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %root {bufferize_function_boundaries = true, allow_return_allocs_from_loops = true} : (!transform.any_op) -> !transform.any_op
  transform.yield
}
