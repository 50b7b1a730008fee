// The whole way on sizes that the tiles do not divide: masks instead of exact vectors.
// level: buffers
// fewer: memref.alloc, vector.transfer_read, vector.transfer_write
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %relu = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %grid = transform.structured.tile_using_forall %relu tile_sizes [16, 32] (mapping = [#gpu.block<y>, #gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %mm_in, %grid1 = transform.structured.fuse_into_containing_op %mm into %grid
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fill_in, %grid2 = transform.structured.fuse_into_containing_op %fill into %grid1
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %mm_k, %loop = transform.structured.tile_using_for %mm_in tile_sizes [0, 0, 8]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg.tiling_canonicalization
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %func : !transform.any_op
    transform.structured.vectorize %mm_k vector_sizes [16, 32, 8] : !transform.any_op
    transform.structured.vectorize %fill_in vector_sizes [16, 32] : !transform.any_op
    transform.structured.vectorize %tiled vector_sizes [16, 32] : !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.vector.lower_masked_transfers
      transform.apply_patterns.vector.reduction_to_contract
      transform.apply_patterns.vector.transfer_permutation_patterns
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %func : !transform.any_op
    %k = transform.structured.match ops{["scf.for"]} in %func : (!transform.any_op) -> !transform.any_op
    transform.apply_licm to %k : !transform.any_op
    transform.loop.hoist_loop_invariant_subsets %k : !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.structured.eliminate_empty_tensors %func : !transform.any_op
    %buffers = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %root
      {bufferize_function_boundaries = true, allow_return_allocs_from_loops = true}
      : (!transform.any_op) -> !transform.any_op
    %func1 = transform.structured.match ops{["func.func"]} in %buffers : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func1 {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }

  func.func @matmul_relu(%a: tensor<30x21xf32>, %b: tensor<21x50xf32>) -> tensor<30x50xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<30x50xf32>
    %init = linalg.fill ins(%zero : f32) outs(%e : tensor<30x50xf32>) -> tensor<30x50xf32>
    %mm = linalg.matmul ins(%a, %b : tensor<30x21xf32>, tensor<21x50xf32>) outs(%init : tensor<30x50xf32>) -> tensor<30x50xf32>
    %out = tensor.empty() : tensor<30x50xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%mm : tensor<30x50xf32>) outs(%out : tensor<30x50xf32>) {
    ^bb0(%x: f32, %o: f32):
      %m = arith.maximumf %x, %zero : f32
      linalg.yield %m : f32
    } -> tensor<30x50xf32>
    return %r : tensor<30x50xf32>
  }
}
