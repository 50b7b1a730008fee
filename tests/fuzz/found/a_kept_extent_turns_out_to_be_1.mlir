// A slice of sizes [%m, %n, 1] without its last dimension: with m = 1 it lost the first.
module attributes {transform.with_named_sequence} {
func.func @f(%x: tensor<1x2xf32>, %y: tensor<2x2xf32>, %z: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %product = linalg.matmul ins(%x, %y : tensor<1x2xf32>, tensor<2x2xf32>) outs(%z : tensor<1x2xf32>) -> tensor<1x2xf32>
  return %product : tensor<1x2xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %h1 = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %h2, %h3 = transform.structured.tile_using_forall %h1 tile_sizes [7, 4, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %h4, %h5, %h6, %h7 = transform.structured.tile_reduction_using_forall %h2 by tile_sizes = [0, 0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  %h8 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %h8 { transform.apply_patterns.canonicalization } : !transform.any_op
  transform.yield
}
}
