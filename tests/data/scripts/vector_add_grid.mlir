// One grid of whole tiles.
// payload: vector_add at n=3072
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %add = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.op<"linalg.generic">
    %tile, %grid = transform.structured.tile_using_forall %add tile_sizes [1024] (mapping = [#gpu.block<x>])
      : (!transform.op<"linalg.generic">) -> (!transform.op<"linalg.generic">, !transform.op<"scf.forall">)
    transform.yield
  }
}
