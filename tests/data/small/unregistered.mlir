func.func @f(%x: i32, %m: memref<8xf32>, %t: tensor<8x16xf32>, %e: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %r:2 = "dummy.some_op"(%x) <{kind = "a", n = 3 : i32}> ({
    %one = arith.constant 1 : i32
    %two = arith.constant 1 : i32
    %sum = arith.addi %one, %two : i32
    "dummy.inner_use"(%sum, %x) : (i32, i32) -> ()
  }) {callee = @f, dims = [1, 2], flag, how = #dummy.attr<3>, "odd key" = 3} : (i32) -> (i32, !dummy.type<f32, 4>)
  "dummy.some_use"(%r#0, %r#1) : (i32, !dummy.type<f32, 4>) -> ()
  "no_dialect"() : () -> ()
  scf.for %i = %c0 to %c8 step %c1 {
    %v = memref.load %m[%i] : memref<8xf32>
    "dummy.effect"() : () -> ()
    %w = memref.load %m[%i] : memref<8xf32>
    %s = arith.addf %v, %w : f32
    %k = "dummy.same"(%c0) : (index) -> index
    %l = "dummy.same"(%c0) : (index) -> index
    "dummy.some_use"(%s, %k, %l) {in_loop} : (f32, index, index) -> ()
  }
  %unused = "dummy.unused"() : () -> tensor<4x!dummy.elem>
  %a = linalg.add ins(%t, %e : tensor<8x16xf32>, tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  "dummy.some_use"(%a) {after} : (tensor<8x16xf32>) -> ()
  return %a : tensor<8x16xf32>
}

// -----
// matched by name, and annotated
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %ops = transform.structured.match ops{["dummy.some_op", "no_dialect"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.annotate %ops "found" : !transform.any_op
  %n = transform.num_associations %ops : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.debug.emit_remark_at %ops, "here" : !transform.any_op
  transform.yield
}

// -----
// a typed handle to an unregistered op
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %op = transform.structured.match ops{["dummy.some_op"]} in %root : (!transform.any_op) -> !transform.op<"dummy.some_op">
  transform.debug.emit_remark_at %op, "typed" : !transform.op<"dummy.some_op">
  transform.yield
}

// -----
// matched by attributes and by result type
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %loop = transform.structured.match attributes{in_loop} in %root : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %loop, "attribute" : !transform.any_op
  %opaque = transform.structured.match attributes{how = #dummy.attr<3>} in %root : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %opaque, "opaque attribute" : !transform.any_op
  %typed = transform.structured.match filter_result_type = tensor<4x!dummy.elem> in %root : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %typed, "type" : !transform.any_op
  transform.yield
}

// -----
// handles to results, operands and users
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %op = transform.structured.match ops{["dummy.some_op"]} in %root : (!transform.any_op) -> !transform.any_op
  %all = transform.get_result %op[all] : (!transform.any_op) -> !transform.any_value
  transform.debug.emit_remark_at %all, "values" : !transform.any_value
  %second = transform.get_result %op[1] : (!transform.any_op) -> !transform.any_value
  %users = transform.get_consumers_of_result %op[0] : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %users, "users" : !transform.any_op
  %maker = transform.get_producer_of_operand %users[1] : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %maker, "producer" : !transform.any_op
  %uses = transform.structured.match attributes{in_loop} in %root : (!transform.any_op) -> !transform.any_op
  %for = transform.get_parent_op %uses {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %for, "parent" : !transform.any_op
  %inner = transform.structured.match ops{["dummy.inner_use"]} in %root : (!transform.any_op) -> !transform.any_op
  %parent = transform.get_parent_op %inner {op_name = "dummy.some_op"} : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %parent, "unregistered parent" : !transform.any_op
  transform.yield
}

// -----
// the closest isolated parent is not the unregistered one
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %inner = transform.structured.match ops{["dummy.inner_use"]} in %root : (!transform.any_op) -> !transform.any_op
  %parent = transform.get_parent_op %inner {isolated_from_above} : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %parent, "isolated" : !transform.any_op
  transform.yield
}

// -----
// canonicalize, CSE, DCE and LICM keep them, and what is in their regions
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %f {
    transform.apply_patterns.canonicalization
  } : !transform.any_op
  transform.apply_cse to %f : !transform.any_op
  transform.apply_dce to %f : !transform.any_op
  %for = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_licm to %for : !transform.any_op
  transform.yield
}

// -----
// patterns inside an unregistered op
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %op = transform.structured.match ops{["dummy.some_op"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %op {
    transform.apply_patterns.canonicalization
  } : !transform.any_op
  transform.yield
}

// -----
// registered passes
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %g = transform.apply_registered_pass "canonicalize" to %f : (!transform.any_op) -> !transform.any_op
  %h = transform.apply_registered_pass "cse" to %g : (!transform.any_op) -> !transform.any_op
  %i = transform.apply_registered_pass "loop-invariant-code-motion" to %h : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// a loop that holds them, unrolled
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %for = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.loop.unroll %for {factor = 2} : !transform.any_op
  transform.yield
}

// -----
// a loop that holds them, peeled
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %for = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.op<"scf.for">
  %a, %b = transform.loop.peel %for {peel_front = true} : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// a loop that holds them, outlined
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %use = transform.structured.match attributes{after} in %root : (!transform.any_op) -> !transform.any_op
  %name = transform.num_associations %use : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %name : !transform.param<i64>
  transform.yield
}

// -----
// tiled between them
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %add = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
  %tiled, %loop = transform.structured.tile_using_for %add tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tiling one of them
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %op = transform.structured.match ops{["dummy.some_op"]} in %root : (!transform.any_op) -> !transform.any_op
  %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// vectorizing one of them
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %op = transform.structured.match ops{["dummy.some_op"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %op : !transform.any_op
  transform.yield
}

// -----
// generalizing one of them
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %op = transform.structured.match ops{["dummy.some_op"]} in %root : (!transform.any_op) -> !transform.any_op
  %g = transform.structured.generalize %op : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// unrolling one of them
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %op = transform.structured.match ops{["dummy.some_op"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.loop.unroll %op {factor = 2} : !transform.any_op
  transform.yield
}

// -----
// foreach over them
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %ops = transform.structured.match ops{["dummy.some_use"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.foreach %ops : !transform.any_op {
  ^bb0(%op: !transform.any_op):
    transform.debug.emit_remark_at %op, "each" : !transform.any_op
  }
  transform.yield
}

// -----
// foreach_match by name
transform.named_sequence @is_use(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.match.operation_name %op ["dummy.some_use", "dummy.same"] : !transform.any_op
  transform.yield %op : !transform.any_op
}
transform.named_sequence @mark(%op: !transform.any_op {transform.readonly}) {
  transform.annotate %op "seen" : !transform.any_op
  transform.debug.emit_remark_at %op, "seen" : !transform.any_op
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %new = transform.foreach_match in %root @is_use -> @mark : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// select by name
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %ops = transform.structured.match ops{["dummy.some_use", "dummy.same"]} in %root : (!transform.any_op) -> !transform.any_op
  %same = transform.select "dummy.same" in %ops : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %same, "selected" : !transform.any_op
  transform.yield
}

// -----
// bufferizing around one of them
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %g = transform.bufferization.one_shot_bufferize %f : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// several blocks, successors and an unknown terminator
func.func @cfg(%x: i32) -> i32 {
  "dummy.branch"(%x)[^bb1, ^bb2] : (i32) -> ()
^bb1:
  %a = "dummy.a"() : () -> i32
  %b = arith.addi %a, %x : i32
  "dummy.branch"()[^bb2] : () -> ()
^bb2:
  return %x : i32
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %ops = transform.structured.match ops{["dummy.branch"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %ops, "branch" : !transform.any_op
  transform.yield
}

// -----
// a payload that is not in a function
"dummy.container"() ({
  %a = "dummy.a"() : () -> i32
  "dummy.use"(%a) {sym_name = "name"} : (i32) -> ()
}) : () -> ()
func.func @f() {
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %ops = transform.structured.match ops{["dummy.use"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %ops, "found" : !transform.any_op
  transform.yield
}
// -----
// forward references in a graph-like region, and dense elements, locations
func.func @f(%a: tensor<8xf32>) {
  "test.graph"() ({
    %0 = "a"(%1) : (i32) -> i32
    %1 = "b"(%0) {d = dense<[1, 2]> : tensor<2xi32>, e = dense_resource<res> : tensor<1xi32>, s = @sym::@nested, arr = array<i64: 1, 2>, u = unit, ty = !llvm.ptr} : (i32) -> i32
  }) : () -> () loc("x":1:2)
  return
}
transform.named_sequence @__transform_main(%r: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["b"]} in %r : (!transform.any_op) -> !transform.any_op
  transform.annotate %m "t" : !transform.any_op
transform.yield
}
