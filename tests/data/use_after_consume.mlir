// consumed, then used
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_for %mm tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  // error: vectorize: 'mm' was consumed by 'tile'
  transform.structured.vectorize %mm : !transform.any_op
  transform.yield
}
// -----
// what lies inside a consumed op
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %mm = transform.structured.match ops{["linalg.matmul"]} in %f : (!transform.any_op) -> !transform.any_op
  %g = transform.bufferization.one_shot_bufferize %f : (!transform.any_op) -> !transform.any_op
  // error: annotate: 'mm' lies inside what 'bufferize' consumed
  transform.annotate %mm "x" : !transform.any_op
  transform.annotate %g "x" : !transform.any_op
  transform.yield
}
// -----
// matched in the module, and consumed with its function
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %g = transform.bufferization.one_shot_bufferize %f : (!transform.any_op) -> !transform.any_op
  // error: annotate: 'mm' lies inside what 'bufferize' consumed
  transform.annotate %mm "x" : !transform.any_op
  transform.yield
}
// -----
// the tiled op goes with its loop
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %i, %j = transform.structured.tile_using_for %mm tile_sizes [4, 4] : (!transform.any_op) -> (!transform.any_op, !transform.op<"scf.for">, !transform.any_op)
  %p, %r = transform.loop.peel %i : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
  // error: annotate: 't' lies inside what 'peel' consumed
  transform.annotate %t "x" : !transform.any_op
  // error: annotate: 'j' lies inside what 'peel' consumed
  transform.annotate %j "x" : !transform.any_op
  transform.annotate %p "x" : !transform.any_op
  transform.yield
}
// -----
// a parent takes its children with it
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %f = transform.get_parent_op %mm {op_name = "func.func"} : (!transform.any_op) -> !transform.any_op
  %g = transform.bufferization.one_shot_bufferize %f : (!transform.any_op) -> !transform.any_op
  // error: annotate: 'mm' lies inside what 'bufferize' consumed
  transform.annotate %mm "x" : !transform.any_op
  transform.yield
}
// -----
// the function around is the one that was matched
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %mm = transform.structured.match ops{["linalg.matmul"]} in %f : (!transform.any_op) -> !transform.any_op
  %p = transform.get_parent_op %mm {op_name = "func.func"} : (!transform.any_op) -> !transform.any_op
  %g = transform.bufferization.one_shot_bufferize %p : (!transform.any_op) -> !transform.any_op
  // error: annotate: 'f' points at an op that 'bufferize' consumed
  transform.annotate %f "x" : !transform.any_op
  transform.yield
}
// -----
// two matches of one op
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %b = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %a : !transform.any_op
  // error: annotate: 'b' points at an op that 'vectorize' consumed
  transform.annotate %b "x" : !transform.any_op
  transform.yield
}
// -----
// for each of them
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %again = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.foreach %mm : !transform.any_op {
  ^bb0(%x: !transform.any_op):
    transform.structured.vectorize %x : !transform.any_op
    // error: annotate: 'x' was consumed by 'vectorize'
    transform.annotate %x "x" : !transform.any_op
    // error: annotate: 'again' points at an op that 'vectorize' consumed
    transform.annotate %again "x" : !transform.any_op
  }
  // error: annotate: 'mm' points at an op that 'vectorize' consumed
  transform.annotate %mm "x" : !transform.any_op
  transform.yield
}
// -----
// alternatives take their scope
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %mm = transform.structured.match ops{["linalg.matmul"]} in %f : (!transform.any_op) -> !transform.any_op
  %r = transform.alternatives %f : !transform.any_op -> !transform.any_op {
  ^bb0(%x: !transform.any_op):
    %mm2 = transform.structured.match ops{["linalg.matmul"]} in %x : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %mm2 : !transform.any_op
    // error: annotate: 'mm2' was consumed by 'vectorize'
    transform.annotate %mm2 "x" : !transform.any_op
    transform.yield %x : !transform.any_op
  }, {
  ^bb0(%x: !transform.any_op):
    transform.yield %x : !transform.any_op
  }
  // error: annotate: 'f' was consumed by 'alternatives'
  transform.annotate %f "x" : !transform.any_op
  // error: annotate: 'mm' lies inside what 'alternatives' consumed
  transform.annotate %mm "x" : !transform.any_op
  transform.annotate %r "x" : !transform.any_op
  transform.yield
}
// -----
// a sequence in a sequence
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.sequence %mm : !transform.any_op failures(suppress) {
  ^bb0(%x: !transform.any_op):
    transform.structured.vectorize %x : !transform.any_op
    // error: annotate: 'x' was consumed by 'vectorize'
    transform.annotate %x "x" : !transform.any_op
  }
  // error: annotate: 'mm' was consumed by 'vectorize'
  transform.annotate %mm "x" : !transform.any_op
  transform.yield
}
// -----
// an included sequence that consumes its argument
transform.named_sequence @eat(%x: !transform.any_op {transform.consumed}) {
  transform.structured.vectorize %x : !transform.any_op
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.include @eat failures(propagate) (%mm) : (!transform.any_op) -> ()
  // error: annotate: 'mm' was consumed by 'vectorize'
  transform.annotate %mm "x" : !transform.any_op
  transform.yield
}
// -----
// an included sequence that consumes what is inside its argument
transform.named_sequence @tile_all(%f: !transform.any_op {transform.readonly}) {
  %x = transform.structured.match ops{["linalg.matmul"]} in %f : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %x : !transform.any_op
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %mm = transform.structured.match ops{["linalg.matmul"]} in %f : (!transform.any_op) -> !transform.any_op
  transform.include @tile_all failures(propagate) (%f) : (!transform.any_op) -> ()
  // error: annotate: 'mm' points at an op that 'vectorize' consumed
  transform.annotate %mm "x" : !transform.any_op
  transform.annotate %f "x" : !transform.any_op
  transform.yield
}
// -----
// a branch that a point may take
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.tune.alternatives<"how"> {
    transform.structured.vectorize %mm : !transform.any_op
  }, {
    transform.annotate %mm "x" : !transform.any_op
  }
  // error: annotate: 'mm' was consumed by 'vectorize' in branch '0' of 'how'
  transform.annotate %mm "x" : !transform.any_op
  transform.yield
}
// -----
// parts and the whole
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %a, %b = transform.split_handle %mm : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.structured.vectorize %a : !transform.any_op
  transform.annotate %b "x" : !transform.any_op
  // error: annotate: 'mm' points at an op that 'vectorize' consumed
  transform.annotate %mm "x" : !transform.any_op
  transform.yield
}
// -----
// the whole and its parts
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %a, %b = transform.split_handle %mm : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.structured.vectorize %mm : !transform.any_op
  // error: annotate: 'b' points at an op that 'vectorize' consumed
  transform.annotate %b "x" : !transform.any_op
  transform.yield
}
// -----
// a merged handle
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  %both = transform.merge_handles %mm, %fill : !transform.any_op
  transform.structured.vectorize %both : !transform.any_op
  // error: annotate: 'fill' points at an op that 'vectorize' consumed
  transform.annotate %fill "x" : !transform.any_op
  // error: annotate: 'both' was consumed by 'vectorize'
  transform.annotate %both "x" : !transform.any_op
  transform.yield
}
// -----
// a handle that is yielded
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.yield
}
transform.named_sequence @made(%root: !transform.any_op {transform.readonly}) -> !transform.any_op {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %mm : !transform.any_op
  // error: yield: 'mm' was consumed by 'vectorize'
  transform.yield %mm : !transform.any_op
}
// -----
// a cast is the same handle
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %typed = transform.cast %mm : !transform.any_op to !transform.op<"linalg.matmul">
  transform.structured.vectorize %mm : !transform.any_op
  // error: annotate: 'typed' was consumed by 'vectorize'
  transform.annotate %typed "x" : !transform.op<"linalg.matmul">
  transform.yield
}
// -----
// a result goes with its op, an operand does not
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %value = transform.get_result %mm[0] : (!transform.any_op) -> !transform.any_value
  %operand = transform.get_operand %mm[0] : (!transform.any_op) -> !transform.any_value
  transform.structured.vectorize %mm : !transform.any_op
  transform.debug.emit_remark_at %operand, "fine" : !transform.any_value
  // error: remark: 'value' lies inside what 'vectorize' consumed
  transform.debug.emit_remark_at %value, "gone" : !transform.any_value
  transform.yield
}
// -----
// the op that defines a result is the op
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %value = transform.get_result %mm[0] : (!transform.any_op) -> !transform.any_value
  %again = transform.get_defining_op %value : (!transform.any_value) -> !transform.any_op
  transform.structured.vectorize %mm : !transform.any_op
  // error: annotate: 'again' was consumed by 'vectorize'
  transform.annotate %again "x" : !transform.any_op
  transform.yield
}
// -----
// what uses a value in a loop goes with the loop
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_for %mm tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.op<"scf.for">)
  %users = transform.get_consumers_of_result %t[0] : (!transform.any_op) -> !transform.any_op
  %p, %r = transform.loop.peel %l : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
  // error: annotate: 'users' lies inside what 'peel' consumed
  transform.annotate %users "x" : !transform.any_op
  transform.yield
}
// -----
// the loop that was fused into is still the loop
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %mm tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %fused, %l2 = transform.structured.fuse_into_containing_op %fill into %l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.annotate %t "fine" : !transform.any_op
  %for = transform.loop.forall_to_for %l2 : (!transform.any_op) -> !transform.any_op
  // error: annotate: 't' lies inside what 'forall_to_for' consumed
  transform.annotate %t "x" : !transform.any_op
  // error: annotate: 'fused' lies inside what 'forall_to_for' consumed
  transform.annotate %fused "x" : !transform.any_op
  transform.yield
}
// -----
// fine: the producer of an operand may stand outside the loop
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_for %mm tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.op<"scf.for">)
  %producer = transform.get_producer_of_operand %t[0] : (!transform.any_op) -> !transform.any_op
  %p, %r = transform.loop.peel %l : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
  transform.annotate %producer "x" : !transform.any_op
  transform.yield
}
// -----
// fine: what was hoisted out of a loop outlives it
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.op<"scf.for">
  %fill = transform.structured.match ops{["linalg.fill"]} in %l : (!transform.op<"scf.for">) -> !transform.any_op
  transform.apply_licm to %l : !transform.op<"scf.for">
  %p, %r = transform.loop.peel %l : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
  transform.annotate %fill "x" : !transform.any_op
  transform.yield
}
// -----
// fine: matched again, and the handle that was returned
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_for %mm tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %again = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.annotate %again "x" : !transform.any_op
  transform.annotate %t "x" : !transform.any_op
  %l2 = transform.get_parent_op %t {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
  transform.annotate %l2 "x" : !transform.any_op
  transform.annotate %l "x" : !transform.any_op
  transform.yield
}
// -----
// fine: ops of another kind, and one with an attribute of its own
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %all = transform.structured.match ops{["linalg.matmul"]} attributes {first} in %root : (!transform.any_op) -> !transform.any_op
  %rest = transform.structured.match ops{["linalg.matmul"]} attributes {second} in %root : (!transform.any_op) -> !transform.any_op
  %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %all : !transform.any_op
  transform.annotate %rest "x" : !transform.any_op
  transform.annotate %fill "x" : !transform.any_op
  transform.yield
}
// -----
// fine: a branch passes out what another consumed
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %x = transform.tune.alternatives<"how"> -> !transform.any_op {
    %t, %l = transform.structured.tile_using_for %mm tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield %t : !transform.any_op
  }, {
    transform.yield %mm : !transform.any_op
  }
  transform.annotate %x "x" : !transform.any_op
  transform.yield
}
// -----
// fine: one of two merged is not around all that was matched in both
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["scf.for"]} attributes {first} in %root : (!transform.any_op) -> !transform.op<"scf.for">
  %b = transform.structured.match ops{["scf.for"]} attributes {second} in %root : (!transform.any_op) -> !transform.op<"scf.for">
  %both = transform.merge_handles %a, %b : !transform.op<"scf.for">
  transform.foreach %both : !transform.op<"scf.for"> {
  ^bb0(%x: !transform.op<"scf.for">):
    %fill = transform.structured.match ops{["linalg.fill"]} in %x : (!transform.op<"scf.for">) -> !transform.any_op
    %p, %r = transform.loop.peel %a : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
    transform.annotate %fill "x" : !transform.any_op
  }
  transform.yield
}
