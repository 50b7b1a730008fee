func.func @f(%t: !dummy.t, %m: memref<8xf32>, %x: tensor<8xf32>, %n: index) -> !dummy.t attributes {dummy.flag, dummy.v = #dummy.x<{a = 1}>} {
  %c = "dummy.cond"() : () -> i1
  %r = scf.if %c -> (!dummy.t) {
    %a = "dummy.then"(%t) : (!dummy.t) -> !dummy.t
    scf.yield %a : !dummy.t
  } else {
    scf.yield %t : !dummy.t
  }
  %v = "dummy.loop"(%n) ({
  ^bb0(%i: index, %acc: f32):
    %e = tensor.extract %x[%i] : tensor<8xf32>
    %s = arith.addf %e, %acc : f32
    "dummy.yield"(%s) : (f32) -> ()
  }) : (index) -> f32
  %w = linalg.fill {dummy.mark = #dummy.y} ins(%v : f32) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  "dummy.sink"(%w) {operandSegmentSizes = array<i32: 1, 0>, target_tag = "here"} : (tensor<8xf32>) -> () loc("x":1:2)
  %q = func.call @g(%r) : (!dummy.t) -> !dummy.t
  return %q : !dummy.t
}
func.func private @g(!dummy.t) -> !dummy.t
module @inner attributes {dummy.z} {
  "dummy.top"() : () -> ()
}

// -----
// print
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %o = transform.structured.match ops{["dummy.loop"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.print %o : !transform.any_op
  transform.print %o {name = "x"} : !transform.any_op
  transform.yield
}

// -----
// interface
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %o = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %o, "x" : !transform.any_op
  %l = transform.structured.match interface{LoopLikeInterface} in %root : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %l, "l" : !transform.any_op
  %p = transform.structured.match interface{TilingInterface} in %root : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %p, "p" : !transform.any_op
  transform.yield
}

// -----
// canonicalize and cse all
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.canonicalization
  } : !transform.any_op
  transform.apply_cse to %f : !transform.any_op
  transform.apply_dce to %f : !transform.any_op
  transform.yield
}

// -----
// alternatives roll back
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} attributes {dummy.flag} in %root : (!transform.any_op) -> !transform.any_op
  transform.alternatives %f : !transform.any_op {
  ^bb0(%g: !transform.any_op):
    %l = transform.structured.match ops{["linalg.fill"]} in %g : (!transform.any_op) -> !transform.any_op
    %t, %k = transform.structured.tile_using_for %l tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %o = transform.structured.match ops{["dummy.loop"]} in %g : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %o {factor = 2} : !transform.any_op
  }, {
  ^bb0(%g: !transform.any_op):
    %o = transform.structured.match ops{["dummy.loop"]} in %g : (!transform.any_op) -> !transform.any_op
    transform.annotate %o "second" : !transform.any_op
  }
  transform.yield
}

// -----
// tile and name in loops
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %k = transform.structured.tile_using_for %l tile_sizes [3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %u = transform.structured.match ops{["dummy.sink"]} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.get_producer_of_operand %u[0] : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %p, "p" : !transform.any_op
  transform.yield
}

// -----
// param with unknown attributes
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.param.constant #dummy.x<1> -> !transform.any_param
  transform.debug.emit_param_as_remark %p : !transform.any_param
  %u = transform.structured.match ops{["dummy.sink"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.annotate %u "p" = %p : !transform.any_op, !transform.any_param
  transform.yield
}

// -----
// verify and passes at the root of nested modules
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %i = transform.structured.match ops{["builtin.module"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.verify %i : !transform.any_op
  transform.yield
}

// -----
// vectorize children
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} attributes {dummy.flag} in %root : (!transform.any_op) -> !transform.any_op
  %g = transform.structured.vectorize_children_and_apply_patterns %f : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// parent of unknown
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %o = transform.structured.match ops{["tensor.extract"]} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.get_parent_op %o : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %p, "p" : !transform.any_op
  %q = transform.get_parent_op %o {nth_parent = 2 : i64} : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %q, "q" : !transform.any_op
  transform.yield
}
