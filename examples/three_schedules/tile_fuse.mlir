// Tile and fuse: tiles of the relu in parallel. Each tile computes the part of the product
// that it reads, so that the product never exists as a whole.
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
    transform.yield
  }
}
