// Tile, fuse and vectorize: a loop over k inside each tile, and vectors in place of
// structured ops.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %relu = transform.structured.match ops{["linalg.generic"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %root
      : (!transform.any_op) -> !transform.any_op

    %tiled, %grid = transform.structured.tile_using_forall %relu tile_sizes [32, 32]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %product, %grid2 = transform.structured.fuse_into_containing_op %matmul into %grid
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %init, %grid3 = transform.structured.fuse_into_containing_op %fill into %grid2
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %step, %k = transform.structured.tile_using_for %product tile_sizes [0, 0, 8]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)

    transform.structured.vectorize %step vector_sizes [32, 32, 8] : !transform.any_op
    transform.structured.vectorize %init vector_sizes [32, 32] : !transform.any_op
    transform.structured.vectorize %tiled vector_sizes [32, 32] : !transform.any_op

    %func = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.vector.reduction_to_contract
      transform.apply_patterns.vector.transfer_permutation_patterns
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %func : !transform.any_op
    transform.yield
  }
}
