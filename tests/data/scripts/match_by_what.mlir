// Ops found by interface, by an attribute, by the types of results and operands.
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %marked = transform.structured.match attributes{role = "first"} in %root : (!transform.any_op) -> !transform.any_op
    %half = transform.structured.match ops{["linalg.exp"]} filter_result_type = tensor<10x12xf16> in %root : (!transform.any_op) -> !transform.any_op
    %mixed = transform.structured.match ops{["linalg.add"]} filter_operand_types = [tensor<10x12xf32>, tensor<10x12xf32>, tensor<10x12xf32>] in %root : (!transform.any_op) -> !transform.any_op
    transform.annotate %half "half" : !transform.any_op
    %a, %ag = transform.structured.tile_using_forall %marked tile_sizes [5]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %b, %bl = transform.structured.tile_using_for %mixed tile_sizes [0, 8]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %structured = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    transform.annotate %structured "structured" : !transform.any_op
    %loops = transform.structured.match interface{LoopLikeInterface} in %root : (!transform.any_op) -> !transform.any_op
    transform.annotate %loops "loop" : !transform.any_op
    transform.yield
  }

  func.func @f(%a: tensor<10x12xf32>, %b: tensor<10x12xf32>, %h: tensor<10x12xf16>) -> (tensor<10x12xf32>, tensor<10x12xf16>) {
    %e = tensor.empty() : tensor<10x12xf32>
    %x = linalg.exp {role = "first"} ins(%a : tensor<10x12xf32>) outs(%e : tensor<10x12xf32>) -> tensor<10x12xf32>
    %s = linalg.add ins(%x, %b : tensor<10x12xf32>, tensor<10x12xf32>) outs(%e : tensor<10x12xf32>) -> tensor<10x12xf32>
    %eh = tensor.empty() : tensor<10x12xf16>
    %y = linalg.exp {role = "second"} ins(%h : tensor<10x12xf16>) outs(%eh : tensor<10x12xf16>) -> tensor<10x12xf16>
    return %s, %y : tensor<10x12xf32>, tensor<10x12xf16>
  }
}
