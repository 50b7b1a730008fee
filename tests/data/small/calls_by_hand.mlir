func.func private @lib(tensor<4xf32>) -> tensor<4xf32>
func.func private @dyn(tensor<?xf32>) -> tensor<?xf32>
func.func private @two(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "dummy.before"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = "dummy.op"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  "dummy.after"(%b) : (tensor<4xf32>) -> ()
  return %b : tensor<4xf32>
}

// -----
// call by name
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %op = transform.structured.match ops{["dummy.op"]} in %root : (!transform.any_op) -> !transform.any_op
  %in = transform.get_operand %op[0] : (!transform.any_op) -> !transform.any_value
  %out = transform.get_result %op[0] : (!transform.any_op) -> !transform.any_value
  %c = transform.func.cast_and_call @lib(%in) -> %out after %op : (!transform.any_op, !transform.any_value, !transform.any_value) -> !transform.any_op
  transform.annotate %c "called" : !transform.any_op
  transform.yield
}

// -----
// call before
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %op = transform.structured.match ops{["dummy.op"]} in %root : (!transform.any_op) -> !transform.any_op
  %in = transform.get_operand %op[0] : (!transform.any_op) -> !transform.any_value
  %out = transform.get_result %op[0] : (!transform.any_op) -> !transform.any_value
  %c = transform.func.cast_and_call @lib(%in) -> %out before %op : (!transform.any_op, !transform.any_value, !transform.any_value) -> !transform.any_op
  transform.yield
}

// -----
// call with casts
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %op = transform.structured.match ops{["dummy.op"]} in %root : (!transform.any_op) -> !transform.any_op
  %in = transform.get_operand %op[0] : (!transform.any_op) -> !transform.any_value
  %out = transform.get_result %op[0] : (!transform.any_op) -> !transform.any_value
  %c = transform.func.cast_and_call @dyn(%in) -> %out after %op {
    transform.type_conversion.tensor.cast_shape_dynamic_dims ignore_dynamic_info
  } : (!transform.any_op, !transform.any_value, !transform.any_value) -> !transform.any_op
  transform.yield
}

// -----
// call with casts that would lose
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %op = transform.structured.match ops{["dummy.op"]} in %root : (!transform.any_op) -> !transform.any_op
  %in = transform.get_operand %op[0] : (!transform.any_op) -> !transform.any_value
  %out = transform.get_result %op[0] : (!transform.any_op) -> !transform.any_value
  %c = transform.func.cast_and_call @dyn(%in) -> %out after %op {
    transform.type_conversion.tensor.cast_shape_dynamic_dims
  } : (!transform.any_op, !transform.any_value, !transform.any_value) -> !transform.any_op
  transform.yield
}

// -----
// by handle, no outputs
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %op = transform.structured.match ops{["dummy.op"]} in %root : (!transform.any_op) -> !transform.any_op
  %fs = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %f:4 = transform.split_handle %fs : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  %in = transform.get_operand %op[0] : (!transform.any_op) -> !transform.any_value
  %out = transform.get_result %op[0] : (!transform.any_op) -> !transform.any_value
  %c = transform.func.cast_and_call %f#0(%in) -> %out after %op : (!transform.any_op, !transform.any_value, !transform.any_value, !transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// wrong count
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %op = transform.structured.match ops{["dummy.op"]} in %root : (!transform.any_op) -> !transform.any_op
  %in = transform.get_operand %op[0] : (!transform.any_op) -> !transform.any_value
  %out = transform.get_result %op[0] : (!transform.any_op) -> !transform.any_value
  %c = transform.func.cast_and_call @two(%in) -> %out after %op : (!transform.any_op, !transform.any_value, !transform.any_value) -> !transform.any_op
  transform.yield
}

// -----
// input not dominating
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %op = transform.structured.match ops{["dummy.op"]} in %root : (!transform.any_op) -> !transform.any_op
  %before = transform.structured.match ops{["dummy.before"]} in %root : (!transform.any_op) -> !transform.any_op
  %in = transform.get_operand %op[0] : (!transform.any_op) -> !transform.any_value
  %out = transform.get_result %op[0] : (!transform.any_op) -> !transform.any_value
  %c = transform.func.cast_and_call @lib(%in) -> %out before %before : (!transform.any_op, !transform.any_value, !transform.any_value) -> !transform.any_op
  transform.yield
}

// -----
// output used before
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %op = transform.structured.match ops{["dummy.op"]} in %root : (!transform.any_op) -> !transform.any_op
  %after = transform.structured.match ops{["dummy.after"]} in %root : (!transform.any_op) -> !transform.any_op
  %in = transform.get_operand %op[0] : (!transform.any_op) -> !transform.any_value
  %out = transform.get_result %op[0] : (!transform.any_op) -> !transform.any_value
  %c = transform.func.cast_and_call @lib(%in) -> %out after %after : (!transform.any_op, !transform.any_value, !transform.any_value) -> !transform.any_op
  transform.yield
}

// -----
// unresolved
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %op = transform.structured.match ops{["dummy.op"]} in %root : (!transform.any_op) -> !transform.any_op
  %in = transform.get_operand %op[0] : (!transform.any_op) -> !transform.any_value
  %out = transform.get_result %op[0] : (!transform.any_op) -> !transform.any_value
  %c = transform.func.cast_and_call @nothing(%in) -> %out after %op : (!transform.any_op, !transform.any_value, !transform.any_value) -> !transform.any_op
  transform.yield
}

// -----
// reorder
module {
func.func private @f(%a: i32 {x.y = 1 : i32}, %b: f32, %c: i64) -> (i64, i32) {
  "dummy.use"(%a, %b) : (i32, f32) -> ()
  return %c, %a : i64, i32
}
func.func @main(%a: i32, %b: f32, %c: i64) -> i64 {
  %r:2 = call @f(%a, %b, %c) : (i32, f32, i64) -> (i64, i32)
  return %r#0 : i64
}
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %m = transform.structured.match ops{["builtin.module"]} in %root : (!transform.any_op) -> !transform.any_op
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %x:2 = transform.split_handle %f : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %mod = transform.get_parent_op %x#0 {op_name = "builtin.module"} : (!transform.any_op) -> !transform.any_op
  %y, %z = transform.func.replace_func_signature @f args_interchange = [2, 0, 1] results_interchange = [1, 0] at %mod {adjust_func_calls} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.annotate %z "new" : !transform.any_op
  transform.yield
}

// -----
// reorder wrong
func.func private @f(%a: i32, %b: f32, %c: i64) -> (i64, i32) {
  return %c, %a : i64, i32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %y, %z = transform.func.replace_func_signature @f args_interchange = [2, 0] results_interchange = [1, 0] at %root : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// reorder no function
func.func private @f(%a: i32, %b: f32, %c: i64) -> (i64, i32) {
  return %c, %a : i64, i32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %y, %z = transform.func.replace_func_signature @g args_interchange = [2, 0] results_interchange = [1, 0] at %root : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// reorder, duplicates
func.func private @f(%a: i32, %b: i32) {
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %y, %z = transform.func.replace_func_signature @f args_interchange = [0, 0] results_interchange = [] at %root : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// reorder, no calls adjusted
func.func private @f(%a: i32, %b: i32) -> i32 {
  return %a : i32
}
func.func @g(%a: i32, %b: i32) -> i32 {
  %r = call @f(%a, %b) : (i32, i32) -> i32
  return %r : i32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %y, %z = transform.func.replace_func_signature @f args_interchange = [1, 0] results_interchange = [0] at %root : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// deduplicate
func.func private @f(%a: i32, %b: i32, %c: i64, %d: i32) -> i32 {
  %s = arith.addi %a, %b : i32
  %t = arith.addi %s, %d : i32
  return %t : i32
}
func.func @g(%a: i32, %b: i64) -> i32 {
  %r = call @f(%a, %a, %b, %a) : (i32, i32, i64, i32) -> i32
  return %r : i32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %y, %z = transform.func.deduplicate_func_args @f at %root : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// deduplicate without duplicates
func.func private @f(%a: i32, %b: i32) -> i32 {
  %s = arith.addi %a, %b : i32
  return %s : i32
}
func.func @g(%a: i32, %b: i32) -> i32 {
  %r = call @f(%a, %b) : (i32, i32) -> i32
  return %r : i32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %y, %z = transform.func.deduplicate_func_args @f at %root : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// deduplicate two calls
func.func private @f(%a: i32, %b: i32) -> i32 {
  %s = arith.addi %a, %b : i32
  return %s : i32
}
func.func @g(%a: i32, %b: i32) -> i32 {
  %r = call @f(%a, %a) : (i32, i32) -> i32
  %s = call @f(%a, %a) : (i32, i32) -> i32
  return %r : i32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %y, %z = transform.func.deduplicate_func_args @f at %root : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
