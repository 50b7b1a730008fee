// The older way: tile everything, then vectorize all that a function holds.
// level: buffers
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consumed}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %module : (!transform.any_op) -> !transform.any_op
    %tile, %loops:3 = transform.structured.tile_using_for %mm tile_sizes [4, 8, 2]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %func = transform.get_parent_op %tile {isolated_from_above} : (!transform.any_op) -> !transform.any_op
    %vectors = transform.structured.vectorize_children_and_apply_patterns %func : (!transform.any_op) -> !transform.any_op
    %k = transform.structured.match ops{["scf.for"]} in %vectors : (!transform.any_op) -> !transform.any_op
    transform.apply_licm to %k : !transform.any_op
    transform.loop.hoist_loop_invariant_subsets %k : !transform.any_op
    %buffers = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %module
      {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    %on_buffers = transform.structured.match ops{["func.func"]} in %buffers : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %on_buffers {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }

  func.func @matmul(%a: tensor<12x6xf32>, %b: tensor<6x16xf32>) -> tensor<12x16xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<12x16xf32>
    %init = linalg.fill ins(%zero : f32) outs(%e : tensor<12x16xf32>) -> tensor<12x16xf32>
    %mm = linalg.matmul ins(%a, %b : tensor<12x6xf32>, tensor<6x16xf32>) outs(%init : tensor<12x16xf32>) -> tensor<12x16xf32>
    return %mm : tensor<12x16xf32>
  }
}
