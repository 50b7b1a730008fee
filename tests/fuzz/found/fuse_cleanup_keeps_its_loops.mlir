// `apply_cleanup` inlined a loop that runs once; the handle to it pointed at nothing.
module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %h = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.fuse %h tile_sizes [16] {apply_cleanup} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.annotate %l "kept" : !transform.any_op
  transform.yield
}
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
}
