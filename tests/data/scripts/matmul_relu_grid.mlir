// Typed handles; the grid from the tail, its producers fused, a loop over k.
// payload: matmul_relu at m=128, n=96, k=64
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %relu = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.op<"linalg.generic">
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.op<"linalg.matmul">
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.op<"linalg.fill">
    %tail, %grid = transform.structured.tile_using_forall %relu tile_sizes [64, 32] (mapping = [#gpu.block<y>, #gpu.block<x>])
      : (!transform.op<"linalg.generic">) -> (!transform.any_op, !transform.op<"scf.forall">)
    %mm_in, %grid1 = transform.structured.fuse_into_containing_op %mm into %grid
      : (!transform.op<"linalg.matmul">, !transform.op<"scf.forall">) -> (!transform.op<"linalg.matmul">, !transform.op<"scf.forall">)
    %fill_in, %grid2 = transform.structured.fuse_into_containing_op %fill into %grid1
      : (!transform.op<"linalg.fill">, !transform.op<"scf.forall">) -> (!transform.any_op, !transform.any_op)
    %mm_k, %k = transform.structured.tile_using_for %mm_in tile_sizes [0, 0, 32]
      : (!transform.op<"linalg.matmul">) -> (!transform.any_op, !transform.op<"scf.for">)
    transform.yield
  }
}
