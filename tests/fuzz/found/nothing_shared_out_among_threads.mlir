// Tiles of an empty tensor by a number of threads: a division by 0.
// refused: an operand has no elements
module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %h3 = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  %h4, %h5 = transform.structured.tile_using_forall %h3 num_threads [7] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
func.func @f(%a0: tensor<0x16xi32>, %a1: tensor<16xi32>, %a2: tensor<4xi32>) -> (tensor<0xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v1 = arith.constant 0 : i32
  %v2 = tensor.empty() : tensor<0xi32>
  %v3 = linalg.fill ins(%v1 : i32) outs(%v2 : tensor<0xi32>) -> tensor<0xi32>
  return %v3 : tensor<0xi32>
}
}
