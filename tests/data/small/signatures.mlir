func.func @f(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %a = linalg.add ins(%x, %x : tensor<8x16xf32>, tensor<8x16xf32>) outs(%y : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %a : tensor<8x16xf32>
}

// -----
// entry argument that is no handle
transform.named_sequence @__transform_main(%root: i32 {transform.readonly}) {
  transform.yield
}

// -----
// entry with a parameter first
transform.named_sequence @__transform_main(%root: !transform.any_param {transform.readonly}) {
  transform.yield
}

// -----
// entry with a value first
transform.named_sequence @__transform_main(%root: !transform.any_value {transform.readonly}) {
  transform.yield
}

// -----
// entry with i32 second
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}, %x: i32 {transform.readonly}) {
  transform.yield
}

// -----
// entry without arguments
transform.named_sequence @__transform_main() {
  transform.yield
}

// -----
// entry with results
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.yield %root : !transform.any_op
}

// -----
// other sequence argument that is no handle
transform.named_sequence @other(%x: i64 {transform.readonly}) {
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.yield
}

// -----
// yield counts
transform.named_sequence @other(%x: !transform.any_op {transform.readonly}) {
  transform.yield %x : !transform.any_op
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.yield
}

// -----
// yield types
transform.named_sequence @other(%x: !transform.any_op {transform.readonly}) -> !transform.op<"func.func"> {
  transform.yield %x : !transform.any_op
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.yield
}

// -----
// yield too few
transform.named_sequence @other(%x: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.yield
}

// -----
// no terminator in named sequence
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.debug.emit_remark_at %root, "x" : !transform.any_op
}

// -----
// nested sequence without operands
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.sequence failures(propagate) {
  ^bb0(%x: !transform.any_op):
    transform.debug.emit_remark_at %x, "x" : !transform.any_op
  }
  transform.yield
}

// -----
// nested sequence operand types
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.sequence %root : !transform.any_op failures(propagate) {
  ^bb0(%x: !transform.op<"func.func">):
    transform.debug.emit_remark_at %x, "x" : !transform.op<"func.func">
  }
  transform.yield
}

// -----
// nested sequence number of arguments
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.sequence %root : !transform.any_op failures(propagate) {
  ^bb0(%x: !transform.any_op, %y: !transform.any_op):
    transform.debug.emit_remark_at %x, "x" : !transform.any_op
  }
  transform.yield
}

// -----
// nested sequence yields other types
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %r = transform.sequence %root : !transform.any_op -> !transform.op<"func.func"> failures(propagate) {
  ^bb0(%x: !transform.any_op):
    transform.yield %x : !transform.any_op
  }
  transform.yield
}

// -----
// sequence argument of type i64
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.param.constant 1 : i64 -> !transform.param<i64>
  transform.sequence %root, %p : !transform.any_op, !transform.param<i64> failures(propagate) {
  ^bb0(%x: !transform.any_op, %y: !transform.param<i64>):
    transform.debug.emit_param_as_remark %y : !transform.param<i64>
  }
  transform.yield
}

// -----
// sequence result that is a parameter
// only real MLIR refuses: it is well-defined
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %r = transform.sequence %root : !transform.any_op -> !transform.param<i64> failures(propagate) {
  ^bb0(%x: !transform.any_op):
    %p = transform.param.constant 1 : i64 -> !transform.param<i64>
    transform.yield %p : !transform.param<i64>
  }
  transform.yield
}

// -----
// param constant i64 as i32
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.param.constant 1 : i64 -> !transform.param<i32>
  transform.yield
}

// -----
// param constant as type
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.param.constant 1 : i64 -> !transform.type
  transform.yield
}

// -----
// param constant string
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.param.constant "abc" -> !transform.any_param
  transform.debug.emit_param_as_remark %p : !transform.any_param
  transform.yield
}

// -----
// param constant as handle
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.param.constant 1 : i64 -> !transform.any_op
  transform.yield
}

// -----
// param string as i64
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.param.constant "abc" -> !transform.param<i64>
  transform.yield
}

// -----
// a param of f32 type
// only real MLIR refuses: it is well-defined
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.param.constant 1.0 : f32 -> !transform.param<f32>
  transform.yield
}

// -----
// matcher result that is not an op
transform.named_sequence @m(%x: !transform.any_op {transform.readonly}) -> i32 {
  %0 = "dummy.x"() : () -> i32
  transform.yield %0 : i32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.yield
}

// -----
// match structured result type is wrong
transform.named_sequence @m(%x: !transform.any_op {transform.readonly}) -> !transform.any_op {
  %0 = transform.match.structured %x : (!transform.any_op) -> !transform.any_op {
  ^bb0(%a: !transform.any_op):
    transform.match.structured.yield %root : !transform.any_op
  }
  transform.yield %0 : !transform.any_op
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.yield
}

// -----
// foreach_match several ops without flattening
transform.named_sequence @m(%x: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.match.operation_name %x ["func.func"] : !transform.any_op
  transform.yield %x : !transform.any_op
}
transform.named_sequence @a(%x: !transform.any_op {transform.readonly}) -> !transform.any_op {
  %y = transform.merge_handles %x, %x : !transform.any_op
  transform.yield %y : !transform.any_op
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %u, %v = transform.foreach_match in %root @m -> @a : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// foreach_match with flattening
transform.named_sequence @m(%x: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.match.operation_name %x ["func.func"] : !transform.any_op
  transform.yield %x : !transform.any_op
}
transform.named_sequence @a(%x: !transform.any_op {transform.readonly}) -> !transform.any_op {
  %y = transform.merge_handles %x, %x : !transform.any_op
  transform.yield %y : !transform.any_op
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %u, %v = transform.foreach_match flatten_results in %root @m -> @a : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %n = transform.num_associations %v : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// matcher that consumes
transform.named_sequence @m(%x: !transform.any_op {transform.consumed}) -> !transform.any_op {
  transform.yield %x : !transform.any_op
}
transform.named_sequence @a(%x: !transform.any_op {transform.readonly}) {
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %u = transform.foreach_match in %root @m -> @a : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// matcher symbol missing
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %u = transform.foreach_match in %root @m -> @a : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// matcher yields a mismatch of types
transform.named_sequence @m(%x: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.yield %x : !transform.any_op
}
transform.named_sequence @a(%x: !transform.op<"func.func"> {transform.readonly}) {
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %u = transform.foreach_match in %root @m -> @a : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// matcher yields a number mismatch
transform.named_sequence @m(%x: !transform.any_op {transform.readonly}) {
  transform.yield
}
transform.named_sequence @a(%x: !transform.op<"func.func"> {transform.readonly}) {
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %u = transform.foreach_match in %root @m -> @a : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// matcher argument type not the op interface
transform.named_sequence @m(%x: !transform.any_value {transform.readonly}) {
  transform.yield
}
transform.named_sequence @a() {
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %u = transform.foreach_match in %root @m -> @a : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// no readonly on matcher
transform.named_sequence @m(%x: !transform.any_op) {
  transform.yield
}
transform.named_sequence @a() {
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %u = transform.foreach_match in %root @m -> @a : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// action results do not fit
transform.named_sequence @m(%x: !transform.any_op {transform.readonly}) {
  transform.yield
}
transform.named_sequence @a() {
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %u, %v = transform.foreach_match in %root @m -> @a : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// matcher with non-match op
// only real MLIR refuses: a matcher may use every op that only looks
transform.named_sequence @m(%x: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.add"]} in %x : (!transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @a() {
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %u = transform.foreach_match in %root @m -> @a : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// typed matcher argument
transform.named_sequence @m(%x: !transform.op<"linalg.add"> {transform.readonly}) -> !transform.op<"linalg.add"> {
  transform.yield %x : !transform.op<"linalg.add">
}
transform.named_sequence @a(%x: !transform.op<"linalg.add"> {transform.readonly}) {
  transform.debug.emit_remark_at %x, "x" : !transform.op<"linalg.add">
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %u = transform.foreach_match in %root @m -> @a : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// declared and not used
transform.named_sequence private @lib(!transform.any_op {transform.readonly})
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.yield
}

// -----
// declared and used
transform.named_sequence private @lib(!transform.any_op {transform.readonly})
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.include @lib failures(propagate) (%root) : (!transform.any_op) -> ()
  transform.yield
}

// -----
// declared and used where nothing runs
transform.named_sequence private @lib(!transform.any_op {transform.readonly})
transform.named_sequence @other(%root: !transform.any_op {transform.readonly}) {
  transform.include @lib failures(propagate) (%root) : (!transform.any_op) -> ()
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.yield
}

// -----
// declared without marks
transform.named_sequence private @lib(!transform.any_op)
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.yield
}

// -----
// declared with names
transform.named_sequence private @lib(%x: !transform.any_op {transform.readonly})
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.yield
}

// -----
// declared public
transform.named_sequence @lib(!transform.any_op {transform.readonly})
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.yield
}

// -----
// declared, wrong operand
transform.named_sequence private @lib(!transform.any_op {transform.readonly})
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.param.constant 1 : i64 -> !transform.param<i64>
  transform.include @lib failures(propagate) (%p) : (!transform.param<i64>) -> ()
  transform.yield
}

// -----
// marks on a non argument
transform.named_sequence @lib(%x: !transform.any_op {transform.readonly, transform.consumed}) {
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.yield
}

// -----
// readonly mark that is not a unit
transform.named_sequence @lib(%x: !transform.any_op {transform.readonly = 1 : i32}) {
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.yield
}

// -----
// consumed through include while readonly
transform.named_sequence @lib(%x: !transform.any_op {transform.consumed}) {
  %g = transform.structured.generalize %x : (!transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @mid(%x: !transform.any_op {transform.readonly}) {
  transform.include @lib failures(propagate) (%x) : (!transform.any_op) -> ()
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.include @mid failures(propagate) (%a) : (!transform.any_op) -> ()
  transform.yield
}

// -----
// consumed but marked readonly
transform.named_sequence @lib(%x: !transform.any_op {transform.readonly}) {
  %g = transform.structured.generalize %x : (!transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.include @lib failures(propagate) (%a) : (!transform.any_op) -> ()
  transform.yield
}

// -----
// include of a function
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.include @f failures(propagate) (%root) : (!transform.any_op) -> ()
  transform.yield
}

// -----
// include nothing
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.include @nothing failures(propagate) (%root) : (!transform.any_op) -> ()
  transform.yield
}

// -----
// recursion
transform.named_sequence @a(%root: !transform.any_op {transform.readonly}) {
  transform.include @a failures(propagate) (%root) : (!transform.any_op) -> ()
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.yield
}

// -----
// alternatives different results
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %r = transform.alternatives %f : !transform.any_op -> !transform.any_op {
  ^bb0(%x: !transform.any_op):
    transform.yield
  }
  transform.yield
}

// -----
// alternatives without regions
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  "transform.alternatives"(%f) : (!transform.any_op) -> ()
  transform.yield
}

// -----
// foreach wrong yields
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %r = transform.foreach %f : !transform.any_op -> !transform.any_op {
  ^bb0(%x: !transform.any_op):
    transform.yield
  }
  transform.yield
}

// -----
// foreach wrong number of args
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.foreach %f : !transform.any_op {
  ^bb0(%x: !transform.any_op, %y: !transform.any_op):
    transform.yield
  }
  transform.yield
}

// -----
// foreach other arg type
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.foreach %f : !transform.any_op {
  ^bb0(%x: !transform.any_value):
    transform.yield
  }
  transform.yield
}

// -----
// foreach zip lengths differ
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %g = transform.merge_handles %f, %f : !transform.any_op
  transform.foreach %f, %g : !transform.any_op, !transform.any_op {
  ^bb0(%x: !transform.any_op, %y: !transform.any_op):
    transform.yield
  }
  transform.yield
}

// -----
// merge of different types
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.param.constant 1 : i64 -> !transform.param<i64>
  %g = transform.merge_handles %root, %p : !transform.any_op
  transform.yield
}

// -----
// cast incompatible
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %g = transform.cast %root : !transform.any_op to !transform.param<i64>
  transform.yield
}

// -----
// cast op to other op
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %g = transform.cast %root : !transform.any_op to !transform.op<"func.func">
  transform.yield
}

// -----
// annotate two params
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.param.constant 1 : i64 -> !transform.param<i64>
  %q = transform.merge_handles %p, %p : !transform.param<i64>
  transform.annotate %root "x" = %q : !transform.any_op, !transform.param<i64>
  transform.yield
}

// -----
// nth parent not positive
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %g = transform.get_parent_op %root {nth_parent = 0 : i64} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// apply_patterns with wrong op
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.apply_patterns to %root {
    transform.yield
  } : !transform.any_op
  transform.yield
}

// -----
// foreach_match: forwarded operands
transform.named_sequence @m(%x: !transform.any_op {transform.readonly}, %p: !transform.param<i64> {transform.readonly}) -> (!transform.any_op, !transform.param<i64>) {
  transform.match.operation_name %x ["linalg.add"] : !transform.any_op
  transform.yield %x, %p : !transform.any_op, !transform.param<i64>
}
transform.named_sequence @a(%x: !transform.any_op {transform.readonly}, %p: !transform.param<i64> {transform.readonly}) -> !transform.any_op {
  transform.annotate %x "p" = %p : !transform.any_op, !transform.param<i64>
  transform.yield %x : !transform.any_op
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %p = transform.param.constant 1 : i64 -> !transform.param<i64>
  %u, %v = transform.foreach_match in %root, %p @m -> @a : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
  transform.debug.emit_remark_at %v, "done" : !transform.any_op
  transform.yield
}

// -----
// foreach_match: number of operands
transform.named_sequence @m(%x: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.yield %x : !transform.any_op
}
transform.named_sequence @a(%x: !transform.any_op {transform.readonly}) {
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %p = transform.param.constant 1 : i64 -> !transform.param<i64>
  %u = transform.foreach_match in %root, %p @m -> @a : (!transform.any_op, !transform.param<i64>) -> !transform.any_op
  transform.yield
}

// -----
// restrict_root
transform.named_sequence @m(%x: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.match.operation_name %x ["func.func", "linalg.add"] : !transform.any_op
  transform.yield %x : !transform.any_op
}
transform.named_sequence @a(%x: !transform.any_op {transform.readonly}) {
  transform.debug.emit_remark_at %x, "seen" : !transform.any_op
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %u = transform.foreach_match restrict_root in %f @m -> @a : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// collect_matching, wrong results
transform.named_sequence @m(%x: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.match.operation_name %x ["func.func", "linalg.add"] : !transform.any_op
  transform.yield %x : !transform.any_op
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %u, %v = transform.collect_matching @m in %root : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// collect_matching, other kind
transform.named_sequence @m(%x: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.match.operation_name %x ["func.func", "linalg.add"] : !transform.any_op
  transform.yield %x : !transform.any_op
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %u = transform.collect_matching @m in %root : (!transform.any_op) -> !transform.any_value
  transform.yield
}

// -----
// match.operation_name fails outside of a matcher
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.match.operation_name %root ["func.func"] : !transform.any_op
  transform.yield
}

// -----
// match.param.cmpi different sizes
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.param.constant 1 : i64 -> !transform.param<i64>
  %q = transform.merge_handles %p, %p : !transform.param<i64>
  transform.match.param.cmpi eq %p, %q : !transform.param<i64>
  transform.yield
}

// -----
// main readonly consumed through include
transform.named_sequence @lib(%x: !transform.any_op {transform.consumed}) {
  %g = transform.apply_registered_pass "canonicalize" to %x : (!transform.any_op) -> !transform.any_op
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.include @lib failures(propagate) (%root) : (!transform.any_op) -> ()
  transform.yield
}

// -----
// nested sequence consumes
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.sequence %root : !transform.any_op failures(propagate) {
  ^bb0(%x: !transform.any_op):
    %g = transform.apply_registered_pass "canonicalize" to %x : (!transform.any_op) -> !transform.any_op
  }
  transform.yield
}

// -----
// foreach consumes
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.foreach %root : !transform.any_op {
  ^bb0(%x: !transform.any_op):
    %g = transform.apply_registered_pass "canonicalize" to %x : (!transform.any_op) -> !transform.any_op
  }
  transform.yield
}

// -----
// consumed directly in main readonly
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %g = transform.apply_registered_pass "canonicalize" to %root : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// consumed in sequence lib, defined after
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.include @lib failures(propagate) (%root) : (!transform.any_op) -> ()
  transform.yield
}
transform.named_sequence @lib(%x: !transform.any_op {transform.consumed}) {
  %g = transform.apply_registered_pass "canonicalize" to %x : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// include chain unmarked
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.include @mid failures(propagate) (%root) : (!transform.any_op) -> ()
  transform.yield
}
transform.named_sequence @mid(%x: !transform.any_op) {
  transform.include @lib failures(propagate) (%x) : (!transform.any_op) -> ()
  transform.yield
}
transform.named_sequence @lib(%x: !transform.any_op {transform.consumed}) {
  %g = transform.apply_registered_pass "canonicalize" to %x : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// foreach_match consumes readonly root
transform.named_sequence @m(%x: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.match.operation_name %x ["linalg.add"] : !transform.any_op
  transform.yield %x : !transform.any_op
}
transform.named_sequence @a(%x: !transform.any_op {transform.readonly}) {
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %u = transform.foreach_match in %root @m -> @a : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// declared unmarked included
transform.named_sequence private @lib(!transform.any_op)
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.include @lib failures(propagate) (%root) : (!transform.any_op) -> ()
  transform.yield
}

// -----
// foreach_match with root itself
transform.named_sequence @m(%x: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.match.operation_name %x ["linalg.add", "func.func", "builtin.module"] : !transform.any_op
  transform.yield %x : !transform.any_op
}
transform.named_sequence @a(%x: !transform.any_op {transform.readonly}) {
  transform.debug.emit_remark_at %x, "seen" : !transform.any_op
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %u = transform.foreach_match in %f @m -> @a : (!transform.any_op) -> !transform.any_op
  transform.yield
}
