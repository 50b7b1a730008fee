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
// the constant affine_map<(d0) -> (d0)> as !transform.affine_map
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.param.constant affine_map<(d0) -> (d0)> -> !transform.affine_map
  transform.debug.emit_param_as_remark %p : !transform.affine_map
  transform.yield
}

// -----
// the constant affine_map<(d0) -> (d0)> as !transform.any_param
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.param.constant affine_map<(d0) -> (d0)> -> !transform.any_param
  transform.debug.emit_param_as_remark %p : !transform.any_param
  transform.yield
}

// -----
// the constant 4 : i64 as !transform.affine_map
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.param.constant 4 : i64 -> !transform.affine_map
  transform.debug.emit_param_as_remark %p : !transform.affine_map
  transform.yield
}

// -----
// the constant affine_map<(d0) -> (d0)> as !transform.param<i64>
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.param.constant affine_map<(d0) -> (d0)> -> !transform.param<i64>
  transform.debug.emit_param_as_remark %p : !transform.param<i64>
  transform.yield
}

// -----
// the constant f32 as !transform.type
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.param.constant f32 -> !transform.type
  transform.debug.emit_param_as_remark %p : !transform.type
  transform.yield
}

// -----
// the constant i64 as !transform.any_param
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.param.constant i64 -> !transform.any_param
  transform.debug.emit_param_as_remark %p : !transform.any_param
  transform.yield
}

// -----
// the constant 1 : i64 as !transform.type
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.param.constant 1 : i64 -> !transform.type
  transform.debug.emit_param_as_remark %p : !transform.type
  transform.yield
}

// -----
// the constant 1 : i32 as !transform.param<i64>
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.param.constant 1 : i32 -> !transform.param<i64>
  transform.debug.emit_param_as_remark %p : !transform.param<i64>
  transform.yield
}

// -----
// the constant true as !transform.any_param
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.param.constant true -> !transform.any_param
  transform.debug.emit_param_as_remark %p : !transform.any_param
  transform.yield
}

// -----
// the constant "text" as !transform.any_param
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.param.constant "text" -> !transform.any_param
  transform.debug.emit_param_as_remark %p : !transform.any_param
  transform.yield
}

// -----
// maps are merged
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.param.constant affine_map<(d0) -> (d0)> -> !transform.affine_map
  %q = transform.merge_handles %p, %p : !transform.affine_map
  transform.debug.emit_param_as_remark %q : !transform.affine_map
  transform.yield
}

// -----
// the knob affine_map<(d0) -> (d0)> from [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0 + 1)>]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.tune.knob<"x"> = affine_map<(d0) -> (d0)> from options = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0 + 1)>] -> !transform.affine_map
  transform.debug.emit_param_as_remark %p : !transform.affine_map
  transform.yield
}

// -----
// the knob 4242 from affine_set<(d0) : (d0 - 2 >= 0)>
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.tune.knob<"x"> = 4242 from options = affine_set<(d0) : (d0 - 2 >= 0)> -> !transform.param<i64>
  transform.debug.emit_param_as_remark %p : !transform.param<i64>
  transform.yield
}

// -----
// the knob 1 from affine_set<(d0) : (d0 - 2 >= 0)>
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.tune.knob<"x"> = 1 from options = affine_set<(d0) : (d0 - 2 >= 0)> -> !transform.param<i64>
  transform.debug.emit_param_as_remark %p : !transform.param<i64>
  transform.yield
}

// -----
// the knob 4 from [4, 8]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.tune.knob<"x"> = 4 from options = [4, 8] -> !transform.param<i64>
  transform.debug.emit_param_as_remark %p : !transform.param<i64>
  transform.yield
}

// -----
// the knob 5 from [4, 8]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.tune.knob<"x"> = 5 from options = [4, 8] -> !transform.param<i64>
  transform.debug.emit_param_as_remark %p : !transform.param<i64>
  transform.yield
}

// -----
// the knob "dog" from ["cat", "dog", unit]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.tune.knob<"x"> = "dog" from options = ["cat", "dog", unit] -> !transform.any_param
  transform.debug.emit_param_as_remark %p : !transform.any_param
  transform.yield
}

// -----
// the knob unit from ["cat", "dog", unit]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.tune.knob<"x"> = unit from options = ["cat", "dog", unit] -> !transform.any_param
  transform.debug.emit_param_as_remark %p : !transform.any_param
  transform.yield
}

// -----
// the knob "a" from "a"
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.tune.knob<"x"> = "a" from options = "a" -> !transform.any_param
  transform.debug.emit_param_as_remark %p : !transform.any_param
  transform.yield
}

// -----
// the knob 2.5 : f32 from [2.0 : f32, 2.5 : f32]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.tune.knob<"x"> = 2.5 : f32 from options = [2.0 : f32, 2.5 : f32] -> !transform.any_param
  transform.debug.emit_param_as_remark %p : !transform.any_param
  transform.yield
}

// -----
// the knob 2 from {lo = 1, hi = 4}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.tune.knob<"x"> = 2 from options = {lo = 1, hi = 4} -> !transform.any_param
  transform.debug.emit_param_as_remark %p : !transform.any_param
  transform.yield
}

// -----
// the knob 1 from [true, false]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.tune.knob<"x"> = 1 from options = [true, false] -> !transform.any_param
  transform.debug.emit_param_as_remark %p : !transform.any_param
  transform.yield
}

// -----
// the knob true from [true, false]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.tune.knob<"x"> = true from options = [true, false] -> !transform.any_param
  transform.debug.emit_param_as_remark %p : !transform.any_param
  transform.yield
}

// -----
// an open knob
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.tune.knob<"x"> options = [4, 8] -> !transform.param<i64>
  transform.debug.emit_param_as_remark %p : !transform.param<i64>
  transform.yield
}

// -----
// an open knob of a set
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %p = transform.tune.knob<"x"> options = affine_set<(d0) : (d0 - 2 >= 0)> -> !transform.param<i64>
  transform.debug.emit_param_as_remark %p : !transform.param<i64>
  transform.yield
}

// -----
// alternatives selected_region = 0
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %r = transform.tune.alternatives<"way"> selected_region = 0 -> !transform.param<i64> {
  %a = transform.param.constant 1 : i64 -> !transform.param<i64>
  transform.yield %a : !transform.param<i64>
  }, {
  %b = transform.param.constant 2 : i64 -> !transform.param<i64>
  transform.yield %b : !transform.param<i64>
  }
  transform.debug.emit_param_as_remark %r : !transform.param<i64>
  transform.yield
}

// -----
// alternatives selected_region = 1
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %r = transform.tune.alternatives<"way"> selected_region = 1 -> !transform.param<i64> {
  %a = transform.param.constant 1 : i64 -> !transform.param<i64>
  transform.yield %a : !transform.param<i64>
  }, {
  %b = transform.param.constant 2 : i64 -> !transform.param<i64>
  transform.yield %b : !transform.param<i64>
  }
  transform.debug.emit_param_as_remark %r : !transform.param<i64>
  transform.yield
}

// -----
// alternatives selected_region = 2
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %r = transform.tune.alternatives<"way"> selected_region = 2 -> !transform.param<i64> {
  %a = transform.param.constant 1 : i64 -> !transform.param<i64>
  transform.yield %a : !transform.param<i64>
  }, {
  %b = transform.param.constant 2 : i64 -> !transform.param<i64>
  transform.yield %b : !transform.param<i64>
  }
  transform.debug.emit_param_as_remark %r : !transform.param<i64>
  transform.yield
}

// -----
// alternatives 
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %r = transform.tune.alternatives<"way">  -> !transform.param<i64> {
  %a = transform.param.constant 1 : i64 -> !transform.param<i64>
  transform.yield %a : !transform.param<i64>
  }, {
  %b = transform.param.constant 2 : i64 -> !transform.param<i64>
  transform.yield %b : !transform.param<i64>
  }
  transform.debug.emit_param_as_remark %r : !transform.param<i64>
  transform.yield
}

// -----
// alternatives by the parameter 1 : !transform.param<i64>
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.param.constant 1 -> !transform.param<i64>
  %r = transform.tune.alternatives<"way"> selected_region = %c : !transform.param<i64> -> !transform.param<i64> {
  %a = transform.param.constant 1 : i64 -> !transform.param<i64>
  transform.yield %a : !transform.param<i64>
  }, {
  %b = transform.param.constant 2 : i64 -> !transform.param<i64>
  transform.yield %b : !transform.param<i64>
  }
  transform.debug.emit_param_as_remark %r : !transform.param<i64>
  transform.yield
}

// -----
// alternatives by the parameter 1 : !transform.any_param
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.param.constant 1 -> !transform.any_param
  %r = transform.tune.alternatives<"way"> selected_region = %c : !transform.any_param -> !transform.param<i64> {
  %a = transform.param.constant 1 : i64 -> !transform.param<i64>
  transform.yield %a : !transform.param<i64>
  }, {
  %b = transform.param.constant 2 : i64 -> !transform.param<i64>
  transform.yield %b : !transform.param<i64>
  }
  transform.debug.emit_param_as_remark %r : !transform.param<i64>
  transform.yield
}

// -----
// alternatives by the parameter 2 : !transform.any_param
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.param.constant 2 -> !transform.any_param
  %r = transform.tune.alternatives<"way"> selected_region = %c : !transform.any_param -> !transform.param<i64> {
  %a = transform.param.constant 1 : i64 -> !transform.param<i64>
  transform.yield %a : !transform.param<i64>
  }, {
  %b = transform.param.constant 2 : i64 -> !transform.param<i64>
  transform.yield %b : !transform.param<i64>
  }
  transform.debug.emit_param_as_remark %r : !transform.param<i64>
  transform.yield
}

// -----
// alternatives by the parameter [0] : !transform.any_param
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.param.constant [0] -> !transform.any_param
  %r = transform.tune.alternatives<"way"> selected_region = %c : !transform.any_param -> !transform.param<i64> {
  %a = transform.param.constant 1 : i64 -> !transform.param<i64>
  transform.yield %a : !transform.param<i64>
  }, {
  %b = transform.param.constant 2 : i64 -> !transform.param<i64>
  transform.yield %b : !transform.param<i64>
  }
  transform.debug.emit_param_as_remark %r : !transform.param<i64>
  transform.yield
}

// -----
// alternatives by the parameter "a" : !transform.any_param
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.param.constant "a" -> !transform.any_param
  %r = transform.tune.alternatives<"way"> selected_region = %c : !transform.any_param -> !transform.param<i64> {
  %a = transform.param.constant 1 : i64 -> !transform.param<i64>
  transform.yield %a : !transform.param<i64>
  }, {
  %b = transform.param.constant 2 : i64 -> !transform.param<i64>
  transform.yield %b : !transform.param<i64>
  }
  transform.debug.emit_param_as_remark %r : !transform.param<i64>
  transform.yield
}

// -----
// alternatives by two parameters
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %c = transform.param.constant 0 : i64 -> !transform.param<i64>
  %d = transform.merge_handles %c, %c : !transform.param<i64>
  %r = transform.tune.alternatives<"way"> selected_region = %d : !transform.param<i64> -> !transform.param<i64> {
  %a = transform.param.constant 1 : i64 -> !transform.param<i64>
  transform.yield %a : !transform.param<i64>
  }, {
  %b = transform.param.constant 2 : i64 -> !transform.param<i64>
  transform.yield %b : !transform.param<i64>
  }
  transform.debug.emit_param_as_remark %r : !transform.param<i64>
  transform.yield
}

// -----
// cmpi eq
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.param.constant 3 : i64 -> !transform.param<i64>
  %b = transform.param.constant 4 : i64 -> !transform.param<i64>
  transform.match.param.cmpi eq %a, %b : !transform.param<i64>
  transform.debug.emit_param_as_remark %a : !transform.param<i64>
  transform.yield
}

// -----
// cmpi ne
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.param.constant 3 : i64 -> !transform.param<i64>
  %b = transform.param.constant 4 : i64 -> !transform.param<i64>
  transform.match.param.cmpi ne %a, %b : !transform.param<i64>
  transform.debug.emit_param_as_remark %a : !transform.param<i64>
  transform.yield
}

// -----
// cmpi lt
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.param.constant 3 : i64 -> !transform.param<i64>
  %b = transform.param.constant 4 : i64 -> !transform.param<i64>
  transform.match.param.cmpi lt %a, %b : !transform.param<i64>
  transform.debug.emit_param_as_remark %a : !transform.param<i64>
  transform.yield
}

// -----
// cmpi le
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.param.constant 3 : i64 -> !transform.param<i64>
  %b = transform.param.constant 4 : i64 -> !transform.param<i64>
  transform.match.param.cmpi le %a, %b : !transform.param<i64>
  transform.debug.emit_param_as_remark %a : !transform.param<i64>
  transform.yield
}

// -----
// cmpi gt
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.param.constant 3 : i64 -> !transform.param<i64>
  %b = transform.param.constant 4 : i64 -> !transform.param<i64>
  transform.match.param.cmpi gt %a, %b : !transform.param<i64>
  transform.debug.emit_param_as_remark %a : !transform.param<i64>
  transform.yield
}

// -----
// cmpi ge
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.param.constant 3 : i64 -> !transform.param<i64>
  %b = transform.param.constant 4 : i64 -> !transform.param<i64>
  transform.match.param.cmpi ge %a, %b : !transform.param<i64>
  transform.debug.emit_param_as_remark %a : !transform.param<i64>
  transform.yield
}

// -----
// cmpi of lists of two lengths
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.param.constant 3 : i64 -> !transform.param<i64>
  %b = transform.merge_handles %a, %a : !transform.param<i64>
  transform.match.param.cmpi eq %a, %b : !transform.param<i64>
  transform.yield
}

// -----
// the number of ops
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %h = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
  %n = transform.num_associations %h : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// a remark at ops
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %h = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
  %n = transform.num_associations %h : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n, "count" at %h : !transform.param<i64>, !transform.any_op
  transform.yield
}
