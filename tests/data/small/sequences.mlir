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
// an external sequence that nothing includes
transform.named_sequence private @outside(!transform.any_op {transform.readonly})
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %a, "here" : !transform.any_op
  transform.yield
}

// -----
// an external sequence is included
transform.named_sequence private @outside(!transform.any_op {transform.readonly})
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.include @outside failures(propagate) (%root) : (!transform.any_op) -> ()
  transform.yield
}

// -----
// an external sequence is included, failures suppressed
transform.named_sequence private @outside(!transform.any_op {transform.readonly})
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.include @outside failures(suppress) (%root) : (!transform.any_op) -> ()
  transform.yield
}

// -----
// an external sequence with results
transform.named_sequence private @outside(!transform.any_op {transform.consumed}, !transform.param<i64> {transform.readonly}) -> (!transform.any_op, !transform.any_value)
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// an external sequence that is not private
transform.named_sequence @outside(!transform.any_op {transform.readonly})
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// an external sequence without marks
transform.named_sequence private @outside(!transform.any_op)
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// an external matcher
transform.named_sequence private @outside(!transform.any_op {transform.readonly}) -> !transform.any_op
transform.named_sequence @act(%op: !transform.any_op {transform.readonly}) {
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %r = transform.foreach_match in %root @outside -> @act : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// a sequence declared and defined under two names
transform.named_sequence private @outside(!transform.any_op {transform.readonly})
transform.named_sequence @inside(%op: !transform.any_op {transform.readonly}) {
  transform.debug.emit_remark_at %op, "inside" : !transform.any_op
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.include @inside failures(propagate) (%root) : (!transform.any_op) -> ()
  transform.yield
}

// -----
// a private sequence
transform.named_sequence private @inside(%op: !transform.any_op {transform.readonly}) {
  transform.debug.emit_remark_at %op, "inside" : !transform.any_op
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.include @inside failures(propagate) (%root) : (!transform.any_op) -> ()
  transform.yield
}

// -----
// no such sequence
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.include @nowhere failures(propagate) (%root) : (!transform.any_op) -> ()
  transform.yield
}

// -----
// include with results
transform.named_sequence @tile(%op: !transform.any_op {transform.consumed}) -> (!transform.any_op, !transform.any_op) {
  %t, %l = transform.structured.tile_using_for %op tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield %t, %l : !transform.any_op, !transform.any_op
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.include @tile failures(propagate) (%a) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.debug.emit_remark_at %t, "tiled" : !transform.any_op
  transform.yield
}

// -----
// an include consumes what the sequence consumes
transform.named_sequence @tile(%op: !transform.any_op {transform.consumed}) -> (!transform.any_op, !transform.any_op) {
  %t, %l = transform.structured.tile_using_for %op tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield %t, %l : !transform.any_op, !transform.any_op
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.include @tile failures(propagate) (%a) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.debug.emit_remark_at %a, "gone" : !transform.any_op
  transform.yield
}

// -----
// an include of other types
transform.named_sequence @tile(%op: !transform.any_op {transform.consumed}) -> (!transform.any_op, !transform.any_op) {
  %t, %l = transform.structured.tile_using_for %op tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield %t, %l : !transform.any_op, !transform.any_op
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t = transform.include @tile failures(propagate) (%a) : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// a failure is propagated
transform.named_sequence @fails(%op: !transform.any_op {transform.consumed}) -> !transform.any_op {
  %t, %l:3 = transform.structured.tile_using_for %op tile_sizes [2, 2, 2, 2, 2, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield %t : !transform.any_op
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t = transform.include @fails failures(propagate) (%a) : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// a nested sequence
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.sequence %root : !transform.any_op failures(propagate) {
  ^bb1(%arg: !transform.any_op):
  %a = transform.structured.match ops{["linalg.matmul"]} in %arg : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %a, "nested" : !transform.any_op
  }
  transform.yield
}

// -----
// a nested sequence with more bindings and a result
// only real MLIR refuses: a sequence may return parameters here
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.param.constant 5 : i64 -> !transform.param<i64>
  %r, %q = transform.sequence %a, %p : !transform.any_op, !transform.param<i64> -> !transform.any_op, !transform.param<i64> failures(propagate) {
  ^bb1(%arg: !transform.any_op, %n: !transform.param<i64>):
  transform.yield %arg, %n : !transform.any_op, !transform.param<i64>
  }
  transform.debug.emit_param_as_remark %q, "five" at %r : !transform.param<i64>, !transform.any_op
  transform.yield
}

// -----
// foreach over ops
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %h = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
  %r = transform.foreach %h : !transform.any_op -> !transform.any_op {
  ^bb1(%o: !transform.any_op):
  %p = transform.get_parent_op %o {op_name = "func.func"} : (!transform.any_op) -> !transform.any_op
  transform.yield %p : !transform.any_op
  }
  %n = transform.num_associations %r : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// foreach over ops and parameters
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %h = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.param.constant 1 : i64 -> !transform.param<i64>
  %b = transform.param.constant 2 : i64 -> !transform.param<i64>
  %c = transform.merge_handles %a, %b, %b : !transform.param<i64>
  transform.foreach %h, %c : !transform.any_op, !transform.param<i64> {
  ^bb1(%o: !transform.any_op, %p: !transform.param<i64>):
  transform.debug.emit_param_as_remark %p, "of" at %o : !transform.param<i64>, !transform.any_op
  }
  transform.yield
}

// -----
// foreach over lists of two lengths
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %h = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.param.constant 1 : i64 -> !transform.param<i64>
  transform.foreach %h, %a : !transform.any_op, !transform.param<i64> {
  ^bb1(%o: !transform.any_op, %p: !transform.param<i64>):
  transform.debug.emit_param_as_remark %p, "of" at %o : !transform.param<i64>, !transform.any_op
  }
  transform.yield
}

// -----
// foreach over the shortest
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %h = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.param.constant 1 : i64 -> !transform.param<i64>
  transform.foreach %h, %a {with_zip_shortest} : !transform.any_op, !transform.param<i64> {
  ^bb1(%o: !transform.any_op, %p: !transform.param<i64>):
  transform.debug.emit_param_as_remark %p, "of" at %o : !transform.param<i64>, !transform.any_op
  }
  transform.yield
}

// -----
// foreach over the shortest, the word
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %h = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.param.constant 1 : i64 -> !transform.param<i64>
  transform.foreach with_zip_shortest %h, %a : !transform.any_op, !transform.param<i64> {
  ^bb1(%o: !transform.any_op, %p: !transform.param<i64>):
  transform.debug.emit_param_as_remark %p, "of" at %o : !transform.param<i64>, !transform.any_op
  }
  transform.yield
}

// -----
// foreach over nothing
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %h = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.foreach %h : !transform.any_op {
  ^bb1(%o: !transform.any_op):
  transform.debug.emit_remark_at %o, "never" : !transform.any_op
  }
  transform.yield
}

// -----
// alternatives: the first fails
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.alternatives %f : !transform.any_op {
  ^bb1(%g: !transform.any_op):
  %m = transform.structured.match ops{["linalg.matmul"]} in %g : (!transform.any_op) -> !transform.any_op
  transform.match.operation_empty %m : !transform.any_op
  transform.debug.emit_remark_at %m, "first" : !transform.any_op
  }, {
  ^bb1(%g: !transform.any_op):
  %m = transform.structured.match ops{["linalg.matmul"]} in %g : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %m, "second" : !transform.any_op
  }
  transform.yield
}

// -----
// alternatives: none applies
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.alternatives %f : !transform.any_op {
  ^bb1(%g: !transform.any_op):
  %m = transform.structured.match ops{["linalg.matmul"]} in %g : (!transform.any_op) -> !transform.any_op
  transform.match.operation_empty %m : !transform.any_op
  }
  transform.yield
}

// -----
// alternatives: an empty branch
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.alternatives %f : !transform.any_op {
  ^bb1(%g: !transform.any_op):
  %m = transform.structured.match ops{["linalg.matmul"]} in %g : (!transform.any_op) -> !transform.any_op
  transform.match.operation_empty %m : !transform.any_op
  }, {
  ^bb1(%g: !transform.any_op):
  }
  transform.yield
}

// -----
// foreach_match: the first matcher decides
transform.named_sequence @is_matmul(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.match.operation_name %op ["linalg.matmul"] : !transform.any_op
  transform.yield %op : !transform.any_op
}
transform.named_sequence @is_linalg(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.match.structured failures(propagate) %op : !transform.any_op {
  ^bb1(%s: !transform.any_op):
    transform.match.structured.yield
  }
  transform.yield %op : !transform.any_op
}
transform.named_sequence @mark(%op: !transform.any_op {transform.readonly}) {
  transform.annotate %op "t.first" : !transform.any_op
  transform.yield
}
transform.named_sequence @mark_too(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.annotate %op "t.second" : !transform.any_op
  transform.yield %op : !transform.any_op
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %r = transform.foreach_match in %root @is_matmul -> @mark, @is_linalg -> @mark : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// foreach_match with a result
transform.named_sequence @is_matmul(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.match.operation_name %op ["linalg.matmul"] : !transform.any_op
  transform.yield %op : !transform.any_op
}
transform.named_sequence @is_linalg(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.match.structured failures(propagate) %op : !transform.any_op {
  ^bb1(%s: !transform.any_op):
    transform.match.structured.yield
  }
  transform.yield %op : !transform.any_op
}
transform.named_sequence @mark(%op: !transform.any_op {transform.readonly}) {
  transform.annotate %op "t.first" : !transform.any_op
  transform.yield
}
transform.named_sequence @mark_too(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.annotate %op "t.second" : !transform.any_op
  transform.yield %op : !transform.any_op
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %r, %m = transform.foreach_match in %root @is_linalg -> @mark_too : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %n = transform.num_associations %m : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// foreach_match, flattened
transform.named_sequence @is_matmul(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.match.operation_name %op ["linalg.matmul"] : !transform.any_op
  transform.yield %op : !transform.any_op
}
transform.named_sequence @is_linalg(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.match.structured failures(propagate) %op : !transform.any_op {
  ^bb1(%s: !transform.any_op):
    transform.match.structured.yield
  }
  transform.yield %op : !transform.any_op
}
transform.named_sequence @mark(%op: !transform.any_op {transform.readonly}) {
  transform.annotate %op "t.first" : !transform.any_op
  transform.yield
}
transform.named_sequence @mark_too(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.annotate %op "t.second" : !transform.any_op
  transform.yield %op : !transform.any_op
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %r, %m = transform.foreach_match flatten_results in %root @is_linalg -> @mark_too : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %n = transform.num_associations %m : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// foreach_match with the flags as attributes
transform.named_sequence @is_matmul(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.match.operation_name %op ["linalg.matmul"] : !transform.any_op
  transform.yield %op : !transform.any_op
}
transform.named_sequence @is_linalg(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.match.structured failures(propagate) %op : !transform.any_op {
  ^bb1(%s: !transform.any_op):
    transform.match.structured.yield
  }
  transform.yield %op : !transform.any_op
}
transform.named_sequence @mark(%op: !transform.any_op {transform.readonly}) {
  transform.annotate %op "t.first" : !transform.any_op
  transform.yield
}
transform.named_sequence @mark_too(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.annotate %op "t.second" : !transform.any_op
  transform.yield %op : !transform.any_op
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %r, %m = transform.foreach_match in %root @is_linalg -> @mark_too {flatten_results, restrict_root} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %n = transform.num_associations %m : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// foreach_match: an action with too few results
transform.named_sequence @is_matmul(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.match.operation_name %op ["linalg.matmul"] : !transform.any_op
  transform.yield %op : !transform.any_op
}
transform.named_sequence @is_linalg(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.match.structured failures(propagate) %op : !transform.any_op {
  ^bb1(%s: !transform.any_op):
    transform.match.structured.yield
  }
  transform.yield %op : !transform.any_op
}
transform.named_sequence @mark(%op: !transform.any_op {transform.readonly}) {
  transform.annotate %op "t.first" : !transform.any_op
  transform.yield
}
transform.named_sequence @mark_too(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.annotate %op "t.second" : !transform.any_op
  transform.yield %op : !transform.any_op
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %r, %m = transform.foreach_match in %root @is_linalg -> @mark : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// foreach_match: an action with two ops in a result
transform.named_sequence @is_matmul(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.match.operation_name %op ["linalg.matmul"] : !transform.any_op
  transform.yield %op : !transform.any_op
}
transform.named_sequence @is_linalg(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.match.structured failures(propagate) %op : !transform.any_op {
  ^bb1(%s: !transform.any_op):
    transform.match.structured.yield
  }
  transform.yield %op : !transform.any_op
}
transform.named_sequence @mark(%op: !transform.any_op {transform.readonly}) {
  transform.annotate %op "t.first" : !transform.any_op
  transform.yield
}
transform.named_sequence @mark_too(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.annotate %op "t.second" : !transform.any_op
  transform.yield %op : !transform.any_op
}
transform.named_sequence @two(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
  %m = transform.merge_handles %op, %op : !transform.any_op
  transform.yield %m : !transform.any_op
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %r, %m = transform.foreach_match in %root @is_linalg -> @two : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// foreach_match, flattened: an action with two ops in a result
transform.named_sequence @is_matmul(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.match.operation_name %op ["linalg.matmul"] : !transform.any_op
  transform.yield %op : !transform.any_op
}
transform.named_sequence @is_linalg(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.match.structured failures(propagate) %op : !transform.any_op {
  ^bb1(%s: !transform.any_op):
    transform.match.structured.yield
  }
  transform.yield %op : !transform.any_op
}
transform.named_sequence @mark(%op: !transform.any_op {transform.readonly}) {
  transform.annotate %op "t.first" : !transform.any_op
  transform.yield
}
transform.named_sequence @mark_too(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.annotate %op "t.second" : !transform.any_op
  transform.yield %op : !transform.any_op
}
transform.named_sequence @two(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
  %m = transform.merge_handles %op, %op : !transform.any_op
  transform.yield %m : !transform.any_op
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %r, %m = transform.foreach_match flatten_results in %root @is_linalg -> @two : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %n = transform.num_associations %m : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// foreach_match with forwarded inputs
transform.named_sequence @smaller(%op: !transform.any_op {transform.readonly}, %n: !transform.param<i64> {transform.readonly}) -> (!transform.any_op, !transform.param<i64>) {
  %r = transform.match.structured failures(propagate) %op : (!transform.any_op) -> !transform.param<i64> {
  ^bb1(%s: !transform.any_op):
    %k = transform.match.structured.rank %s : (!transform.any_op) -> !transform.param<i64>
    transform.match.structured.yield %k : !transform.param<i64>
  }
  transform.match.param.cmpi lt %r, %n : !transform.param<i64>
  transform.yield %op, %r : !transform.any_op, !transform.param<i64>
}
transform.named_sequence @mark(%op: !transform.any_op {transform.readonly}, %n: !transform.param<i64> {transform.readonly}) {
  transform.debug.emit_param_as_remark %n, "rank" at %op : !transform.param<i64>, !transform.any_op
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %n = transform.param.constant 3 : i64 -> !transform.param<i64>
  %r = transform.foreach_match in %root, %n @smaller -> @mark : (!transform.any_op, !transform.param<i64>) -> !transform.any_op
  transform.yield
}

// -----
// collect_matching
transform.named_sequence @is_matmul(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.match.operation_name %op ["linalg.matmul"] : !transform.any_op
  transform.yield %op : !transform.any_op
}
transform.named_sequence @is_linalg(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.match.structured failures(propagate) %op : !transform.any_op {
  ^bb1(%s: !transform.any_op):
    transform.match.structured.yield
  }
  transform.yield %op : !transform.any_op
}
transform.named_sequence @mark(%op: !transform.any_op {transform.readonly}) {
  transform.annotate %op "t.first" : !transform.any_op
  transform.yield
}
transform.named_sequence @mark_too(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
  transform.annotate %op "t.second" : !transform.any_op
  transform.yield %op : !transform.any_op
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.collect_matching @is_linalg in %root : (!transform.any_op) -> !transform.any_op
  %n = transform.num_associations %m : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// a matcher without the mark
transform.named_sequence @m(%op: !transform.any_op) -> !transform.any_op {
  transform.match.operation_name %op ["linalg.matmul"] : !transform.any_op
  transform.yield %op : !transform.any_op
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.collect_matching @m in %root : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// an argument marked readonly and consumed
transform.named_sequence @t(%op: !transform.any_op {transform.readonly}) {
  %t, %l = transform.structured.tile_using_for %op tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.include @t failures(propagate) (%a) : (!transform.any_op) -> ()
  transform.yield
}

// -----
// an argument without a mark
transform.named_sequence @t(%op: !transform.any_op) {
  %t, %l = transform.structured.tile_using_for %op tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.include @t failures(propagate) (%a) : (!transform.any_op) -> ()
  transform.yield
}

// -----
// a sequence marked twice
transform.named_sequence @t(%op: !transform.any_op {transform.readonly, transform.consumed}) {
  transform.yield
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// a root that is no module
transform.named_sequence @__transform_main(%root: !transform.op<"func.func"> {transform.readonly}) {
  transform.yield
}

// -----
// a root that is a module
transform.named_sequence @__transform_main(%root: !transform.op<"builtin.module"> {transform.readonly}) {
  transform.yield
}
