func.func @f(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>, %i: i1) -> tensor<8x16xf32> {
  %a = linalg.add ins(%x, %x : tensor<8x16xf32>, tensor<8x16xf32>) outs(%y : tensor<8x16xf32>) -> tensor<8x16xf32>
  %b = linalg.add ins(%a, %x : tensor<8x16xf32>, tensor<8x16xf32>) outs(%y : tensor<8x16xf32>) -> tensor<8x16xf32>
  %z = arith.constant 4 : index
  scf.if %i {
    "dummy.then"() : () -> ()
  }
  %r = scf.if %i -> tensor<8x16xf32> {
    "dummy.then"() : () -> ()
    scf.yield %a : tensor<8x16xf32>
  } else {
    "dummy.else"() : () -> ()
    scf.yield %b : tensor<8x16xf32>
  } {both}
  return %r : tensor<8x16xf32>
}

// -----
// replicate ops and parameters
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %adds = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
  %z = transform.structured.match ops{["arith.constant"]} in %root : (!transform.any_op) -> !transform.op<"arith.constant">
  %p = transform.param.constant 3 : i64 -> !transform.param<i64>
  %zs, %ps = transform.replicate num(%adds) %z, %p : !transform.any_op, !transform.op<"arith.constant">, !transform.param<i64>
  transform.debug.emit_param_as_remark %ps : !transform.param<i64>
  transform.debug.emit_remark_at %zs, "twice" : !transform.op<"arith.constant">
  %t, %l = transform.structured.tile_using_for %adds tile_sizes [%ps] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// replicated sizes
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %adds = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.param.constant 3 : i64 -> !transform.param<i64>
  %ps = transform.replicate num(%adds) %p : !transform.any_op, !transform.param<i64>
  %t = transform.structured.split %adds after %ps {dimension = 0} : !transform.any_op, !transform.param<i64>
  transform.yield
}

// -----
// a replicated handle is consumed
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %adds = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
  %more = transform.replicate num(%adds) %adds : !transform.any_op, !transform.any_op
  %t, %l = transform.structured.tile_using_for %more tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// replicate nothing
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %adds = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.param.constant 3 : i64 -> !transform.param<i64>
  %ps = transform.replicate num(%adds) %p : !transform.any_op, !transform.param<i64>
  transform.debug.emit_param_as_remark %ps : !transform.param<i64>
  transform.yield
}

// -----
// the types of values
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %adds = transform.structured.match ops{["linalg.add", "arith.constant"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.get_result %adds[0] : (!transform.any_op) -> !transform.any_value
  %t = transform.get_type %v : (!transform.any_value) -> !transform.type
  transform.debug.emit_param_as_remark %t : !transform.type
  %e = transform.get_type elemental %v : (!transform.any_value) -> !transform.any_param
  transform.debug.emit_param_as_remark %e : !transform.any_param
  transform.yield
}

// -----
// type as param i64
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %adds = transform.structured.match ops{["linalg.add", "arith.constant"]} in %root : (!transform.any_op) -> !transform.any_op
  %v = transform.get_result %adds[0] : (!transform.any_op) -> !transform.any_value
  %t = transform.get_type %v : (!transform.any_value) -> !transform.param<i64>
  transform.yield
}

// -----
// take then
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %if = transform.structured.match ops{["scf.if"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.scf.take_assumed_branch %if : (!transform.any_op) -> ()
  transform.yield
}

// -----
// take else
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %if = transform.structured.match ops{["scf.if"]} attributes{both} in %root : (!transform.any_op) -> !transform.any_op
  transform.scf.take_assumed_branch %if take_else_branch : (!transform.any_op) -> ()
  transform.yield
}

// -----
// take else which is not there
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %if = transform.structured.match ops{["scf.if"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.scf.take_assumed_branch %if take_else_branch : (!transform.any_op) -> ()
  transform.yield
}

// -----
// take branch of no if
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %if = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.scf.take_assumed_branch %if : (!transform.any_op) -> ()
  transform.yield
}

// -----
// replace function: not a symbol table
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %n = transform.structured.replace %f {
    func.func @foo() {
      "dummy_op"() : () -> ()
      return
    }
  } : (!transform.any_op) -> !transform.any_op
  transform.annotate %n "new" : !transform.any_op
  transform.yield
}

// -----
// replace constant
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["arith.constant"]} in %root : (!transform.any_op) -> !transform.any_op
  %n = transform.structured.replace %f {
    %0 = "dummy.size"() : () -> index
  } : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// replace with operands
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
  %n = transform.structured.replace %f {
    %0 = "dummy.size"() : () -> index
  } : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// replace by two
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["arith.constant"]} in %root : (!transform.any_op) -> !transform.any_op
  %n = transform.structured.replace %f {
    %0 = "dummy.size"() : () -> index
    %1 = "dummy.size"() : () -> index
  } : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// replace by non isolated
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["arith.constant"]} in %root : (!transform.any_op) -> !transform.any_op
  %n = transform.structured.replace %f {
    %0 = "dummy.size"() ({}) : () -> index
  } : (!transform.any_op) -> !transform.any_op
  transform.yield
}
