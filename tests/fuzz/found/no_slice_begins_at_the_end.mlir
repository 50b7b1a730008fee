// Canonicalization wrote a slice of size 0 at the end of a tensor, which real MLIR does not read.
module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %h1 = transform.structured.match ops{["linalg.reduce"]} in %root : (!transform.any_op) -> !transform.any_op
  %h2, %h3 = transform.structured.tile_using_for %h1 tile_sizes [16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %h7 = transform.structured.match ops{["linalg.reduce"]} in %root : (!transform.any_op) -> !transform.any_op
  %h8 = transform.structured.split %h7 after 5 {dimension = 0} : !transform.any_op
  %h9 = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.op<"scf.for">
  %h10, %h11 = transform.loop.peel %h9 {peel_front = true} : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
  %h15 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %h15 { transform.apply_patterns.vector.transfer_permutation_patterns transform.apply_patterns.canonicalization transform.apply_patterns.vector.reduction_to_contract transform.apply_patterns.canonicalization } : !transform.any_op
  transform.yield
}
func.func @f(%a0: tensor<17xf32>, %a1: tensor<17xf32>, %a2: tensor<f32>) -> (tensor<f32>) {
  %c0 = arith.constant 0 : index
  %v2 = tensor.empty() : tensor<17xf32>
  %v1 = linalg.softmax dimension(0) ins(%a0 : tensor<17xf32>) outs(%v2 : tensor<17xf32>) -> tensor<17xf32>
  %v3 = linalg.dot ins(%v1, %a1 : tensor<17xf32>, tensor<17xf32>) outs(%a2 : tensor<f32>) -> tensor<f32>
  %v4 = arith.constant 0.0 : f32
  %v5 = tensor.empty() : tensor<f32>
  %v6 = linalg.fill ins(%v4 : f32) outs(%v5 : tensor<f32>) -> tensor<f32>
  %v7 = linalg.reduce { arith.addf } ins(%a1 : tensor<17xf32>) outs(%v6 : tensor<f32>) dimensions = [0]
  return %v7 : tensor<f32>
}
}
