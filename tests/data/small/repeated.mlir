func.func @f(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %a = linalg.exp ins(%x : tensor<8x16xf32>) outs(%y : tensor<8x16xf32>) -> tensor<8x16xf32>
  %b = linalg.add ins(%a, %a : tensor<8x16xf32>, tensor<8x16xf32>) outs(%y : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %b : tensor<8x16xf32>
}

// -----
// fuse a doubled handle
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %e = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %b = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %b num_threads [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %d = transform.merge_handles %e, %e : !transform.any_op
  %f, %n = transform.structured.fuse_into_containing_op %d into %l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// fuse a doubled handle of two producers
func.func @f(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %a = linalg.exp ins(%x : tensor<8x16xf32>) outs(%y : tensor<8x16xf32>) -> tensor<8x16xf32>
  %c = linalg.exp ins(%a : tensor<8x16xf32>) outs(%y : tensor<8x16xf32>) -> tensor<8x16xf32>
  %b = linalg.add ins(%a, %c : tensor<8x16xf32>, tensor<8x16xf32>) outs(%y : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %b : tensor<8x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %e = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %b = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %b num_threads [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %d = transform.replicate num(%e) %e : !transform.any_op, !transform.any_op
  %f, %n = transform.structured.fuse_into_containing_op %d into %l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// foreach_match on a doubled root
transform.named_sequence @m(%x: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.match.operation_name %x ["linalg.add"] : !transform.any_op
  transform.yield %x : !transform.any_op
}
transform.named_sequence @a(%x: !transform.any_op {transform.readonly}) {
  transform.debug.emit_remark_at %x, "seen" : !transform.any_op
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %d = transform.merge_handles %root, %root : !transform.any_op
  %u = transform.foreach_match in %d @m -> @a : (!transform.any_op) -> !transform.any_op
  transform.yield
}
