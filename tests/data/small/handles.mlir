func.func @f(%x: tensor<8x16xf32>, %y: tensor<16x4xf32>) -> tensor<8x4xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x4xf32>
  %fill = linalg.fill ins(%c : f32) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %mm = linalg.matmul ins(%x, %y : tensor<8x16xf32>, tensor<16x4xf32>)
      outs(%fill : tensor<8x4xf32>) -> tensor<8x4xf32>
  %a = linalg.add ins(%mm, %fill : tensor<8x4xf32>, tensor<8x4xf32>)
      outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %a : tensor<8x4xf32>
}
// -----
// merge parameters: deduplicate %a, %b, %c
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.param.constant 1 : i64 -> !transform.param<i64>
  %b = transform.param.constant 1 : i64 -> !transform.param<i64>
  %c = transform.param.constant 2 : i64 -> !transform.param<i64>
  %m = transform.merge_handles deduplicate %a, %b, %c : !transform.param<i64>
  %n = transform.num_associations %m : (!transform.param<i64>) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.debug.emit_param_as_remark %m : !transform.param<i64>
  transform.yield
}

// -----
// merge parameters: %a, %b, %c
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.param.constant 1 : i64 -> !transform.param<i64>
  %b = transform.param.constant 1 : i64 -> !transform.param<i64>
  %c = transform.param.constant 2 : i64 -> !transform.param<i64>
  %m = transform.merge_handles %a, %b, %c : !transform.param<i64>
  %n = transform.num_associations %m : (!transform.param<i64>) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.debug.emit_param_as_remark %m : !transform.param<i64>
  transform.yield
}

// -----
// merge parameters: %a, %b, %c {deduplicate}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.param.constant 1 : i64 -> !transform.param<i64>
  %b = transform.param.constant 1 : i64 -> !transform.param<i64>
  %c = transform.param.constant 2 : i64 -> !transform.param<i64>
  %m = transform.merge_handles %a, %b, %c {deduplicate} : !transform.param<i64>
  %n = transform.num_associations %m : (!transform.param<i64>) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.debug.emit_param_as_remark %m : !transform.param<i64>
  transform.yield
}

// -----
// merge parameters: deduplicate %a, %b, %c {deduplicate}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.param.constant 1 : i64 -> !transform.param<i64>
  %b = transform.param.constant 1 : i64 -> !transform.param<i64>
  %c = transform.param.constant 2 : i64 -> !transform.param<i64>
  %m = transform.merge_handles deduplicate %a, %b, %c {deduplicate} : !transform.param<i64>
  %n = transform.num_associations %m : (!transform.param<i64>) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.debug.emit_param_as_remark %m : !transform.param<i64>
  transform.yield
}

// -----
// merge values: deduplicate %a, %a
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %o = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.get_result %o[0] : (!transform.any_op) -> !transform.any_value
  %b = transform.get_result %o[0] : (!transform.any_op) -> !transform.any_value
  %m = transform.merge_handles deduplicate %a, %a : !transform.any_value
  %n = transform.num_associations %m : (!transform.any_value) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.debug.emit_remark_at %m, "here" : !transform.any_value
  transform.yield
}

// -----
// merge ops: deduplicate %a, %a
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %b = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.merge_handles deduplicate %a, %a : !transform.any_op
  %n = transform.num_associations %m : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.debug.emit_remark_at %m, "here" : !transform.any_op
  transform.yield
}

// -----
// merge values: %a, %b
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %o = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.get_result %o[0] : (!transform.any_op) -> !transform.any_value
  %b = transform.get_result %o[0] : (!transform.any_op) -> !transform.any_value
  %m = transform.merge_handles %a, %b : !transform.any_value
  %n = transform.num_associations %m : (!transform.any_value) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.debug.emit_remark_at %m, "here" : !transform.any_value
  transform.yield
}

// -----
// merge ops: %a, %b
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %b = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.merge_handles %a, %b : !transform.any_op
  %n = transform.num_associations %m : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.debug.emit_remark_at %m, "here" : !transform.any_op
  transform.yield
}

// -----
// merge values: %a, %b {deduplicate}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %o = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.get_result %o[0] : (!transform.any_op) -> !transform.any_value
  %b = transform.get_result %o[0] : (!transform.any_op) -> !transform.any_value
  %m = transform.merge_handles %a, %b {deduplicate} : !transform.any_value
  %n = transform.num_associations %m : (!transform.any_value) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.debug.emit_remark_at %m, "here" : !transform.any_value
  transform.yield
}

// -----
// merge ops: %a, %b {deduplicate}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %b = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.merge_handles %a, %b {deduplicate} : !transform.any_op
  %n = transform.num_associations %m : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.debug.emit_remark_at %m, "here" : !transform.any_op
  transform.yield
}

// -----
// get_operand[0, 0]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.get_operand %a[0, 0] : (!transform.any_op) -> !transform.any_value
  %n = transform.num_associations %m : (!transform.any_value) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// get_operand[0, -1]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.get_operand %a[0, -1] : (!transform.any_op) -> !transform.any_value
  %n = transform.num_associations %m : (!transform.any_value) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// get_operand[all]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.get_operand %a[all] : (!transform.any_op) -> !transform.any_value
  %n = transform.num_associations %m : (!transform.any_value) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// get_operand[except(0)]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.get_operand %a[except(0)] : (!transform.any_op) -> !transform.any_value
  %n = transform.num_associations %m : (!transform.any_value) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// get_operand[except(0, -2)]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.get_operand %a[except(0, -2)] : (!transform.any_op) -> !transform.any_value
  %n = transform.num_associations %m : (!transform.any_value) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// get_operand[0, 1]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.get_operand %a[0, 1] : (!transform.any_op) -> !transform.any_value
  %n = transform.num_associations %m : (!transform.any_value) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// get_operand[5]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.get_operand %a[5] : (!transform.any_op) -> !transform.any_value
  %n = transform.num_associations %m : (!transform.any_value) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// get_operand[-1]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.get_operand %a[-1] : (!transform.any_op) -> !transform.any_value
  %n = transform.num_associations %m : (!transform.any_value) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// get_result[0, 0]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.get_result %a[0, 0] : (!transform.any_op) -> !transform.any_value
  %n = transform.num_associations %m : (!transform.any_value) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// get_result[0, -1]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.get_result %a[0, -1] : (!transform.any_op) -> !transform.any_value
  %n = transform.num_associations %m : (!transform.any_value) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// get_result[all]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.get_result %a[all] : (!transform.any_op) -> !transform.any_value
  %n = transform.num_associations %m : (!transform.any_value) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// get_result[except(0)]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.get_result %a[except(0)] : (!transform.any_op) -> !transform.any_value
  %n = transform.num_associations %m : (!transform.any_value) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// get_result[except(0, -2)]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.get_result %a[except(0, -2)] : (!transform.any_op) -> !transform.any_value
  %n = transform.num_associations %m : (!transform.any_value) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// get_result[0, 1]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.get_result %a[0, 1] : (!transform.any_op) -> !transform.any_value
  %n = transform.num_associations %m : (!transform.any_value) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// get_result[5]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.get_result %a[5] : (!transform.any_op) -> !transform.any_value
  %n = transform.num_associations %m : (!transform.any_value) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// get_result[-1]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.get_result %a[-1] : (!transform.any_op) -> !transform.any_value
  %n = transform.num_associations %m : (!transform.any_value) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// the op that defines a value
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.get_operand %a[2] : (!transform.any_op) -> !transform.any_value
  %d = transform.get_defining_op %v : (!transform.any_value) -> !transform.any_op
  transform.debug.emit_remark_at %d, "the fill" : !transform.any_op
  %w = transform.get_operand %a[0] : (!transform.any_op) -> !transform.any_value
  transform.debug.emit_remark_at %w, "an argument" : !transform.any_value
  transform.yield
}

// -----
// no op defines an argument
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.get_operand %a[0] : (!transform.any_op) -> !transform.any_value
  %d = transform.get_defining_op %v : (!transform.any_value) -> !transform.any_op
  transform.yield
}

// -----
// producers and consumers
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.get_producer_of_operand %a[2] : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %p, "producer" : !transform.any_op
  %c = transform.get_consumers_of_result %p[0] : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %c, "consumer" : !transform.any_op
  %n = transform.num_associations %c : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// an argument has no producer
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.get_producer_of_operand %a[0] : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// a producer past the last operand
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.get_producer_of_operand %a[7] : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// get_parent_op {isolated_from_above}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.get_parent_op %a {isolated_from_above} : (!transform.any_op) -> !transform.any_op
  %n = transform.num_associations %p : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// get_parent_op {op_name = "func.func"}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.get_parent_op %a {op_name = "func.func"} : (!transform.any_op) -> !transform.any_op
  %n = transform.num_associations %p : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// get_parent_op {nth_parent = 2}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.get_parent_op %a {nth_parent = 2} : (!transform.any_op) -> !transform.any_op
  %n = transform.num_associations %p : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// get_parent_op {op_name = "scf.for"}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.get_parent_op %a {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
  %n = transform.num_associations %p : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// get_parent_op {op_name = "scf.for", allow_empty_results}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.get_parent_op %a {op_name = "scf.for", allow_empty_results} : (!transform.any_op) -> !transform.any_op
  %n = transform.num_associations %p : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// get_parent_op {deduplicate}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.get_parent_op %a {deduplicate} : (!transform.any_op) -> !transform.any_op
  %n = transform.num_associations %p : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// get_parent_op {deduplicate, op_name = "func.func"}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.get_parent_op %a {deduplicate, op_name = "func.func"} : (!transform.any_op) -> !transform.any_op
  %n = transform.num_associations %p : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// get_parent_op {nth_parent = 9}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.get_parent_op %a {nth_parent = 9} : (!transform.any_op) -> !transform.any_op
  %n = transform.num_associations %p : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// get_parent_op 
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.get_parent_op %a  : (!transform.any_op) -> !transform.any_op
  %n = transform.num_associations %p : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// %a:3 = transform.split_handle %h
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %h = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
  %a:3 = transform.split_handle %h : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.debug.emit_remark_at %a#0, "first" : !transform.any_op
  transform.debug.emit_remark_at %a#1, "second" : !transform.any_op
  transform.yield
}

// -----
// %a:2 = transform.split_handle %h
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %h = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
  %a:2 = transform.split_handle %h : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.debug.emit_remark_at %a#0, "first" : !transform.any_op
  transform.debug.emit_remark_at %a#1, "second" : !transform.any_op
  transform.yield
}

// -----
// %a:4 = transform.split_handle %h
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %h = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
  %a:4 = transform.split_handle %h : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.debug.emit_remark_at %a#0, "first" : !transform.any_op
  transform.debug.emit_remark_at %a#1, "second" : !transform.any_op
  transform.yield
}

// -----
// %a:2 = transform.split_handle %h {overflow_result = 0}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %h = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
  %a:2 = transform.split_handle %h {overflow_result = 0} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.debug.emit_remark_at %a#0, "first" : !transform.any_op
  transform.debug.emit_remark_at %a#1, "second" : !transform.any_op
  transform.yield
}

// -----
// %a:2 = transform.split_handle %h {overflow_result = 1}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %h = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
  %a:2 = transform.split_handle %h {overflow_result = 1} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.debug.emit_remark_at %a#0, "first" : !transform.any_op
  transform.debug.emit_remark_at %a#1, "second" : !transform.any_op
  transform.yield
}

// -----
// %a:5 = transform.split_handle %h {fail_on_payload_too_small = false}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %h = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
  %a:5 = transform.split_handle %h {fail_on_payload_too_small = false} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.debug.emit_remark_at %a#0, "first" : !transform.any_op
  transform.debug.emit_remark_at %a#1, "second" : !transform.any_op
  transform.yield
}

// -----
// %a:2 = transform.split_handle %h {overflow_result = 5}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %h = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
  %a:2 = transform.split_handle %h {overflow_result = 5} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.debug.emit_remark_at %a#0, "first" : !transform.any_op
  transform.debug.emit_remark_at %a#1, "second" : !transform.any_op
  transform.yield
}

// -----
// split an empty handle
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %h = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
  %a:2 = transform.split_handle %h : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.debug.emit_remark_at %a#0, "first" : !transform.any_op
  transform.yield
}

// -----
// split an empty handle, strictly
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %h = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
  %a:2 = transform.split_handle %h {pass_through_empty_handle = false} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.debug.emit_remark_at %a#0, "first" : !transform.any_op
  transform.yield
}

// -----
// split parameters
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.param.constant 1 : i64 -> !transform.param<i64>
  %b = transform.param.constant 2 : i64 -> !transform.param<i64>
  %m = transform.merge_handles %a, %b : !transform.param<i64>
  %s:2 = transform.split_handle %m : (!transform.param<i64>) -> (!transform.param<i64>, !transform.param<i64>)
  transform.debug.emit_param_as_remark %s#1 : !transform.param<i64>
  transform.yield
}

// -----
// split values
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.get_operand %a[all] : (!transform.any_op) -> !transform.any_value
  %s:3 = transform.split_handle %v : (!transform.any_value) -> (!transform.any_value, !transform.any_value, !transform.any_value)
  transform.debug.emit_remark_at %s#2, "third" : !transform.any_value
  transform.yield
}

// -----
// select
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %h = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
  %s = transform.select "linalg.fill" in %h : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %s, "fill" : !transform.any_op
  transform.yield
}

// -----
// cast
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %b = transform.cast %a : !transform.any_op to !transform.op<"linalg.matmul">
  %c = transform.cast %b : !transform.op<"linalg.matmul"> to !transform.any_op
  transform.debug.emit_remark_at %c, "cast" : !transform.any_op
  transform.yield
}

// -----
// a cast to another kind of op
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %b = transform.cast %a : !transform.any_op to !transform.op<"linalg.fill">
  transform.yield
}

// -----
// match to a handle of another kind
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.op<"linalg.fill">
  transform.yield
}

// -----
// match attributes
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match attributes{here} in %root : (!transform.any_op) -> !transform.any_op
  %n = transform.num_associations %a : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// match by result type
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match interface{LinalgOp} filter_result_type = tensor<8x4xf32> in %root : (!transform.any_op) -> !transform.any_op
  %n = transform.num_associations %a : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// match by operand types
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.add"]} filter_operand_types = [tensor<8x4xf32>] in %root : (!transform.any_op) -> !transform.any_op
  %n = transform.num_associations %a : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// match in several roots
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %h = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.match ops{["arith.mulf"]} in %h : (!transform.any_op) -> !transform.any_op
  %n = transform.num_associations %a : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// annotate with a parameter
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.param.constant 7 : i64 -> !transform.param<i64>
  transform.annotate %a "t.size" = %p : !transform.any_op, !transform.param<i64>
  transform.annotate %a "t.mark" : !transform.any_op
  transform.yield
}

// -----
// annotate with two parameters
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.param.constant 7 : i64 -> !transform.param<i64>
  %q = transform.merge_handles %p, %p : !transform.param<i64>
  transform.annotate %a "t.size" = %q : !transform.any_op, !transform.param<i64>
  transform.yield
}

// -----
// a use after consume
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_for %a tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.debug.emit_remark_at %a, "gone" : !transform.any_op
  transform.yield
}

// -----
// a handle to what is inside of what was consumed
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %f = transform.get_parent_op %a {op_name = "func.func"} : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_for %a tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %p = transform.get_parent_op %l {op_name = "func.func"} : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %p, "here" : !transform.any_op
  transform.debug.emit_remark_at %f, "here" : !transform.any_op
  transform.yield
}
