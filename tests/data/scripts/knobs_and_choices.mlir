// Knobs with values, and a choice between two placements, as a tuner writes them down.
// level: buffers
// fewer: vector.transfer_read, vector.transfer_write
module attributes {transform.with_named_sequence} {
  transform.named_sequence @to_vectors(%func: !transform.any_op {transform.readonly}) {
    transform.apply_patterns to %func {
      transform.apply_patterns.vector.lower_masked_transfers
      transform.apply_patterns.vector.reduction_to_contract
      transform.apply_patterns.vector.transfer_permutation_patterns
      transform.apply_patterns.vector.fold_arith_extension
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
    transform.yield
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %tail = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %BM = transform.tune.knob<"BM"> = 32 : i64 from options = [16 : i64, 32 : i64] -> !transform.param<i64>
    %BN = transform.tune.knob<"BN"> = 16 : i64 from options = [16 : i64, 32 : i64] -> !transform.param<i64>
    %BK = transform.tune.knob<"BK"> = 8 : i64 from options = [8 : i64, 16 : i64] -> !transform.param<i64>
    %mm_in, %fill_in, %tail_in = transform.tune.alternatives<"tail"> selected_region = 1 -> !transform.any_op, !transform.any_op, !transform.any_op {
      %t, %g = transform.structured.tile_using_forall %tail tile_sizes [%BM, %BN] (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
      %m, %g1 = transform.structured.fuse_into_containing_op %mm into %g : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
      %f, %g2 = transform.structured.fuse_into_containing_op %fill into %g1 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
      transform.yield %m, %f, %t : !transform.any_op, !transform.any_op, !transform.any_op
    }, {
      %m, %g = transform.structured.tile_using_forall %mm tile_sizes [%BM, %BN] (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
      %f, %g1 = transform.structured.fuse_into_containing_op %fill into %g : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
      %t, %h = transform.structured.tile_using_forall %tail tile_sizes [%BM, %BN] (mapping = [#gpu.block<y>, #gpu.block<x>])
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
      transform.yield %m, %f, %t : !transform.any_op, !transform.any_op, !transform.any_op
    }
    %mm_k, %k = transform.structured.tile_using_for %mm_in tile_sizes [0, 0, %BK]
      : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %mm_k vector_sizes [%BM, %BN, %BK]
      : !transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>
    transform.structured.vectorize %fill_in vector_sizes [%BM, %BN] : !transform.any_op, !transform.param<i64>, !transform.param<i64>
    transform.structured.vectorize %tail_in vector_sizes [%BM, %BN] : !transform.any_op, !transform.param<i64>, !transform.param<i64>
    transform.include @to_vectors failures(propagate) (%func) : (!transform.any_op) -> ()
    transform.structured.eliminate_empty_tensors %func : !transform.any_op
    %buffers = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %root
      {bufferize_function_boundaries = true, allow_return_allocs_from_loops = true}
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

  func.func @linear(%a: tensor<50x20xf16>, %b: tensor<20x40xf16>, %bias: tensor<40xf16>) -> tensor<50x40xf16> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<50x40xf32>
    %init = linalg.fill ins(%zero : f32) outs(%e : tensor<50x40xf32>) -> tensor<50x40xf32>
    %mm = linalg.matmul ins(%a, %b : tensor<50x20xf16>, tensor<20x40xf16>) outs(%init : tensor<50x40xf32>) -> tensor<50x40xf32>
    %out = tensor.empty() : tensor<50x40xf16>
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%mm, %bias : tensor<50x40xf32>, tensor<40xf16>) outs(%out : tensor<50x40xf16>) {
    ^bb0(%x: f32, %c: f16, %o: f16):
      %w = arith.extf %c : f16 to f32
      %s = arith.addf %x, %w : f32
      %m = arith.maximumf %s, %zero : f32
      %h = arith.truncf %m : f32 to f16
      linalg.yield %h : f16
    } -> tensor<50x40xf16>
    return %r : tensor<50x40xf16>
  }
}
