// select: of a parameter
%two = transform.param.constant 2 : i64 -> !transform.param<i64>
// error: '!transform.param<i64>' is no handle to ops
%s = transform.select "linalg.exp" in %two : (!transform.param<i64>) -> !transform.any_op
// -----
// select: into a parameter
%all = transform.structured.match ops{["linalg.fill", "linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
// error: '!transform.param<i64>' is no handle to ops
%s = transform.select "linalg.exp" in %all : (!transform.any_op) -> !transform.param<i64>
// -----
// cast: to another op
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
// error: 'linalg.matmul' is not of type
%s = transform.cast %mm : !transform.any_op to !transform.op<"linalg.exp">
// -----
// cast: to a parameter
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
// error: operand type '!transform.any_op' and result type
%s = transform.cast %mm : !transform.any_op to !transform.param<i64>
// -----
// num_associations: as a handle
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
// error: '!transform.any_op' is no parameter
%n = transform.num_associations %mm : (!transform.any_op) -> !transform.any_op
// -----
// num_associations: as a value
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
// error: '!transform.any_value' is no parameter
%n = transform.num_associations %mm : (!transform.any_op) -> !transform.any_value
// -----
// merge_handles: handle and parameter
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
%two = transform.param.constant 2 : i64 -> !transform.param<i64>
// error: use of value '%two' expects different type than prior uses:
%m = transform.merge_handles %mm, %two : !transform.any_op
// -----
// merge_handles: handle and value
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
%v = transform.get_result %mm[0] : (!transform.any_op) -> !transform.any_value
// error: use of value '%v' expects different type than prior uses:
%m = transform.merge_handles %mm, %v : !transform.any_op
// -----
// param.constant: of another type
// error: a result is declared !transform.param<i64> and holds 2 : i32
%p = transform.param.constant 2 : i32 -> !transform.param<i64>
// -----
// param.constant: as a handle
// error: '!transform.any_op' is no parameter
%p = transform.param.constant 2 : i64 -> !transform.any_op
// -----
// get_consumers_of_result: no such result
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
// error: there is no result 3, the op has 1
%c = transform.get_consumers_of_result %mm[3] : (!transform.any_op) -> !transform.any_op
// -----
// get_consumers_of_result: of several ops
%all = transform.structured.match ops{["linalg.fill", "linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
// error: needs a handle to one op, this one points at 2
%c = transform.get_consumers_of_result %all[0] : (!transform.any_op) -> !transform.any_op
// -----
// get_operand: no such operand
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
// error: there is no operand 5, the op has 3
%v = transform.get_operand %mm[5] : (!transform.any_op) -> !transform.any_value
// -----
// get_operand: as a handle
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
// error: result #0 ('result') must be a handle to values, but got
%v = transform.get_operand %mm[0] : (!transform.any_op) -> !transform.any_op
// -----
// annotate: two parameters for one op
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
%two = transform.param.constant 2 : i64 -> !transform.param<i64>
%p = transform.merge_handles %two, %two : !transform.param<i64>
// error: the parameter holds 2 values, the handle points at 1 ops
transform.annotate %mm "x" = %p : !transform.any_op, !transform.param<i64>
// -----
// annotate: a handle for a parameter
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
%exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
// error: '!transform.any_op' is no parameter
transform.annotate %mm "x" = %exp : !transform.any_op, !transform.any_op
// -----
// foreach: of different lengths
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
%all = transform.structured.match ops{["linalg.fill", "linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
// error: the handles point at 1, 2 ops
transform.foreach %mm, %all : !transform.any_op, !transform.any_op {
^bb0(%a: !transform.any_op, %b: !transform.any_op):
}
// -----
// foreach: too few arguments
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
%exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
// error: expects the targets' types as block arguments
transform.foreach %mm, %exp : !transform.any_op, !transform.any_op {
^bb0(%a: !transform.any_op):
}
// -----
// include: no such sequence
// error: no named sequence @nowhere
transform.include @nowhere failures(propagate) (%root) : (!transform.any_op) -> ()
// -----
// include: itself
// error: @__transform_main would include itself
transform.include @__transform_main failures(propagate) (%root) : (!transform.any_op) -> ()
// -----
// sequence: without a block argument
// error: expected the entry block to have an argument
transform.sequence %root : !transform.any_op failures(propagate) {
}
// -----
// sequence: a result that is not yielded
// error: expects the terminator to yield the results' types
%s = transform.sequence %root : !transform.any_op -> !transform.any_op failures(propagate) {
^bb0(%a: !transform.any_op):
}
// -----
// verify: of a parameter
%two = transform.param.constant 2 : i64 -> !transform.param<i64>
// error: '!transform.param<i64>' is no handle to ops
transform.verify %two : !transform.param<i64>
// -----
// print: of a parameter
%two = transform.param.constant 2 : i64 -> !transform.param<i64>
// error: '!transform.param<i64>' is no handle to ops
transform.print %two : !transform.param<i64>
// -----
// debug.emit_remark_at: of a parameter
%two = transform.param.constant 2 : i64 -> !transform.param<i64>
// error: expected a handle to ops or values, but got
transform.debug.emit_remark_at %two, "x" : !transform.param<i64>
// -----
// debug.emit_param_as_remark: of a handle
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
// error: '!transform.any_op' is no parameter
transform.debug.emit_param_as_remark %mm : !transform.any_op
// -----
// apply_patterns: what is no group
%func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
// error: no group of patterns 'transform.apply_cse'
transform.apply_patterns to %func { transform.apply_cse to %func : !transform.any_op } : !transform.any_op
// -----
// apply_patterns: to a parameter
%two = transform.param.constant 2 : i64 -> !transform.param<i64>
// error: operand #0 ('target') must be a handle to ops, but got
transform.apply_patterns to %two { } : !transform.param<i64>
// -----
// apply_cse: to a parameter
%two = transform.param.constant 2 : i64 -> !transform.param<i64>
// error: operand #0 ('target') must be a handle to ops, but got
transform.apply_cse to %two : !transform.param<i64>
// -----
// apply_dce: to a parameter
%two = transform.param.constant 2 : i64 -> !transform.param<i64>
// error: operand #0 ('target') must be a handle to ops, but got
transform.apply_dce to %two : !transform.param<i64>
// -----
// apply_licm: to what is no loop
%func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
// error: 'func.func' is not a loop
transform.apply_licm to %func : !transform.any_op
// -----
// apply_registered_pass: no such pass
%func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
// error: no pass 'canonicalise'
%g = transform.apply_registered_pass "canonicalise" to %func : (!transform.any_op) -> !transform.any_op
// -----
// apply_registered_pass: on an op that is not isolated
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
// error: a pass runs on ops that are isolated from above,
%g = transform.apply_registered_pass "cse" to %mm : (!transform.any_op) -> !transform.any_op
// -----
// generalize: what is not structured
%func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
// error: 'func.func' is not a structured op
%g = transform.structured.generalize %func : (!transform.any_op) -> !transform.any_op
// -----
// interchange: no permutation
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
%g = transform.structured.generalize %mm : (!transform.any_op) -> !transform.any_op
// error: [0, 0, 1] is not a permutation of its 3 loops
%i = transform.structured.interchange %g iterator_interchange = [0, 0, 1] : (!transform.any_op) -> !transform.any_op
// -----
// split: no such loop
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
// error: there is no loop 7, the op has 3
%s = transform.structured.split %mm after 4 {dimension = 7} : !transform.any_op
// -----
// rewrite_in_destination_passing_style: of a product
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
// error: 'linalg.matmul' is not one of tensor.from_elements,
%d = transform.structured.rewrite_in_destination_passing_style %mm : (!transform.any_op) -> !transform.any_op
// -----
// decompose: of a product
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
// error: 'linalg.matmul' is not a named convolution
%d = transform.structured.decompose %mm : (!transform.any_op) -> !transform.any_op
// -----
// decompose_interface: of a product
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
// error: 'linalg.matmul' does not stand for several ops
%d = transform.structured.decompose_interface %mm : (!transform.any_op) -> !transform.any_op
// -----
// eliminate_empty_tensors: of a parameter
%two = transform.param.constant 2 : i64 -> !transform.param<i64>
// error: operand #0 ('target') must be a handle to ops, but got
transform.structured.eliminate_empty_tensors %two : !transform.param<i64>
// -----
// empty_tensor_to_alloc_tensor: of any op
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
// error: operand 0 must be a handle to tensor.empty operations,
%d = transform.bufferization.empty_tensor_to_alloc_tensor %mm : (!transform.any_op) -> !transform.any_op
// -----
// one_shot_bufferize: of a parameter
%two = transform.param.constant 2 : i64 -> !transform.param<i64>
// error: operand #0 ('target') must be a handle to ops, but got
%d = transform.bufferization.one_shot_bufferize %two : (!transform.param<i64>) -> !transform.any_op
// -----
// hoist_loop_invariant_subsets: of a function
%func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
// error: 'func.func' is not a loop
transform.loop.hoist_loop_invariant_subsets %func : !transform.any_op
// -----
// loop.promote_if_one_iteration: of a function
%func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
// error: 'func.func' is not a loop
transform.loop.promote_if_one_iteration %func : !transform.any_op
// -----
// loop.unroll: by nothing
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
%t, %l = transform.structured.tile_using_for %mm tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
// error: attribute 'factor' must be positive
transform.loop.unroll %l {factor = 0} : !transform.any_op
// -----
// loop.forall_to_for: of a function
%func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
// error: 'func.func' is not scf.forall
%l = transform.loop.forall_to_for %func : (!transform.any_op) -> !transform.any_op
// -----
// tune.knob: without a value
// error: expected 'options', found 'from'
%k = transform.tune.knob<"k"> from options = [1 : i64, 2 : i64] -> !transform.param<i64>
// -----
// tune.knob: a value that is no option
// error: 'selected' is not among the options
%k = transform.tune.knob<"k"> = 3 : i64 from options = [1 : i64, 2 : i64] -> !transform.param<i64>
// -----
// tune.alternatives: a branch that is not there
// error: selects region 5 of 2
transform.tune.alternatives<"a"> selected_region = 5 {
}, {
}
// -----
// tune.alternatives: open
// error: 'a' is open, its branches are 0, 1
transform.tune.alternatives<"a"> {
}, {
}
// -----
// match: no such interface
// error: expected `LinalgOp`, `TilingInterface`, or
%m = transform.structured.match interface{Nothing} in %root : (!transform.any_op) -> !transform.any_op
// -----
// match: in two ops
%all = transform.structured.match ops{["linalg.fill", "linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
// error: needs a handle to one op, this one points at 2
%m = transform.structured.match ops{["linalg.fill"]} in %all : (!transform.any_op) -> !transform.any_op
// -----
// verify: of a value
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
%v = transform.get_result %mm[0] : (!transform.any_op) -> !transform.any_value
// error: '!transform.any_value' is no handle to ops
transform.verify %v : !transform.any_value
// -----
// print: of a value
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
%v = transform.get_result %mm[0] : (!transform.any_op) -> !transform.any_value
// error: '!transform.any_value' is no handle to ops
transform.print %v : !transform.any_value
// -----
// apply_cse: to a value
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
%v = transform.get_result %mm[0] : (!transform.any_op) -> !transform.any_value
// error: must be a handle to ops
transform.apply_cse to %v : !transform.any_value
// -----
// apply_dce: to a value
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
%v = transform.get_result %mm[0] : (!transform.any_op) -> !transform.any_value
// error: must be a handle to ops
transform.apply_dce to %v : !transform.any_value
// -----
// apply_licm: to a value
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
%v = transform.get_result %mm[0] : (!transform.any_op) -> !transform.any_value
// error: must be a handle to ops
transform.apply_licm to %v : !transform.any_value
// -----
// eliminate_empty_tensors: of a value
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
%v = transform.get_result %mm[0] : (!transform.any_op) -> !transform.any_value
// error: must be a handle to ops
transform.structured.eliminate_empty_tensors %v : !transform.any_value
// -----
// generalize: a parameter
%two = transform.param.constant 2 : i64 -> !transform.param<i64>
// error: is no handle to ops
%g = transform.structured.generalize %two : (!transform.param<i64>) -> !transform.any_op
// -----
// interchange: of a named op
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
// error: has its loops in a fixed order
%i = transform.structured.interchange %mm iterator_interchange = [1, 0, 2] : (!transform.any_op) -> !transform.any_op
// -----
// split: of what is not structured
%func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
// error: is not a structured op
%s = transform.structured.split %func after 4 {dimension = 0} : !transform.any_op
// -----
// hoist_loop_invariant_subsets: of a value
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
%v = transform.get_result %mm[0] : (!transform.any_op) -> !transform.any_value
// error: must be a handle to ops
transform.loop.hoist_loop_invariant_subsets %v : !transform.any_value
// -----
// empty_tensor_to_alloc_tensor: a result of another type
%e = transform.structured.match ops{["tensor.empty"]} in %root : (!transform.any_op) -> !transform.op<"tensor.empty">
// error: result 0 must be !transform.op<"bufferization.alloc_tensor">
%d = transform.bufferization.empty_tensor_to_alloc_tensor %e : (!transform.op<"tensor.empty">) -> !transform.any_op
// -----
// debug.emit_remark_at: without a message
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
// error: expected ','
transform.debug.emit_remark_at %mm : !transform.any_op
// -----
// debug.emit_param_as_remark: of a value
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
%v = transform.get_result %mm[0] : (!transform.any_op) -> !transform.any_value
// error: '!transform.any_value' is no parameter
transform.debug.emit_param_as_remark %v : !transform.any_value
// -----
// one_shot_bufferize: of a value
%mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
%v = transform.get_result %mm[0] : (!transform.any_op) -> !transform.any_value
// error: must be a handle to ops
%b = transform.bufferization.one_shot_bufferize %v : (!transform.any_value) -> !transform.any_op
// -----
// one_shot_bufferize: a layout that there is not
// error: there is no layout 'ColumnMajor' for function boundaries
%b = transform.bufferization.one_shot_bufferize layout{ColumnMajor} %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
// -----
// one_shot_bufferize: a number that is no layout
// error: must be 0, 1 or 2, but got 7
%b = "transform.bufferization.one_shot_bufferize"(%root) <{function_boundary_type_conversion = 7 : i32}> : (!transform.any_op) -> !transform.any_op
// -----
// sequence: a number that is no mode
// error: must be 1 (propagate) or 2 (suppress), but got 3
"transform.sequence"(%root) <{failure_propagation_mode = 3 : i32, operandSegmentSizes = array<i32: 1, 0>}> ({
^bb0(%arg: !transform.any_op):
  "transform.yield"() : () -> ()
}) : (!transform.any_op) -> ()
