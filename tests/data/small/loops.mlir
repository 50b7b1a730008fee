func.func @sums(%x: tensor<24xf32>, %o: tensor<24xf32>, %n: index) -> (f32, f32, tensor<24xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c24 = arith.constant 24 : index
  %zero = arith.constant 0.0 : f32
  %s = scf.for %i = %c0 to %c24 step %c1 iter_args(%a = %zero) -> (f32) {
    %v = tensor.extract %x[%i] : tensor<24xf32>
    %r = arith.addf %a, %v : f32
    scf.yield %r : f32
  } {first}
  %p = scf.for %i = %c0 to %c24 step %c1 iter_args(%a = %zero) -> (f32) {
    %v = tensor.extract %x[%i] : tensor<24xf32>
    %r = arith.mulf %a, %v : f32
    scf.yield %r : f32
  } {second}
  %t = scf.for %i = %c0 to %n step %c4 iter_args(%a = %o) -> (tensor<24xf32>) {
    %u = scf.for %j = %c0 to %c4 step %c1 iter_args(%b = %a) -> (tensor<24xf32>) {
      %k = arith.addi %i, %j : index
      %v = tensor.extract %x[%j] : tensor<24xf32>
      %w = tensor.insert %v into %b[%k] : tensor<24xf32>
      scf.yield %w : tensor<24xf32>
    } {inner}
    scf.yield %u : tensor<24xf32>
  } {outer}
  return %s, %p, %t : f32, f32, tensor<24xf32>
}
// -----
// unroll the first loop {factor = 2}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{first} in %root : (!transform.any_op) -> !transform.any_op
  transform.loop.unroll %l {factor = 2} : !transform.any_op
  transform.yield
}

// -----
// unroll the first loop {factor = 4}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{first} in %root : (!transform.any_op) -> !transform.any_op
  transform.loop.unroll %l {factor = 4} : !transform.any_op
  transform.yield
}

// -----
// unroll the first loop {factor = 5}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{first} in %root : (!transform.any_op) -> !transform.any_op
  transform.loop.unroll %l {factor = 5} : !transform.any_op
  transform.yield
}

// -----
// unroll the first loop {factor = 24}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{first} in %root : (!transform.any_op) -> !transform.any_op
  transform.loop.unroll %l {factor = 24} : !transform.any_op
  transform.yield
}

// -----
// unroll the first loop {factor = 1}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{first} in %root : (!transform.any_op) -> !transform.any_op
  transform.loop.unroll %l {factor = 1} : !transform.any_op
  transform.yield
}

// -----
// unroll the first loop {factor = 100}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{first} in %root : (!transform.any_op) -> !transform.any_op
  transform.loop.unroll %l {factor = 100} : !transform.any_op
  transform.yield
}

// -----
// peel the first loop 
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{first} in %root : (!transform.any_op) -> !transform.op<"scf.for">
  %m, %r = transform.loop.peel %l  : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// peel the first loop {peel_front = true}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{first} in %root : (!transform.any_op) -> !transform.op<"scf.for">
  %m, %r = transform.loop.peel %l {peel_front = true} : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// peel the first loop {fail_if_already_divisible = true}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{first} in %root : (!transform.any_op) -> !transform.op<"scf.for">
  %m, %r = transform.loop.peel %l {fail_if_already_divisible = true} : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// promote the first loop
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{first} in %root : (!transform.any_op) -> !transform.any_op
  transform.loop.promote_if_one_iteration %l : !transform.any_op
  transform.yield
}

// -----
// coalesce the first loop
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{first} in %root : (!transform.any_op) -> !transform.any_op
  %c = transform.loop.coalesce %l : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// parent 1 of the first loop's body
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{first} in %root : (!transform.any_op) -> !transform.any_op
  %e = transform.structured.match ops{["tensor.extract"]} in %l : (!transform.any_op) -> !transform.any_op
  %p = transform.get_parent_op %e {op_name = "scf.for", nth_parent = 1} : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %p, "parent" : !transform.any_op
  transform.yield
}

// -----
// parent 2 of the first loop's body
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{first} in %root : (!transform.any_op) -> !transform.any_op
  %e = transform.structured.match ops{["tensor.extract"]} in %l : (!transform.any_op) -> !transform.any_op
  %p = transform.get_parent_op %e {op_name = "scf.for", nth_parent = 2} : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %p, "parent" : !transform.any_op
  transform.yield
}

// -----
// parent 5 of the first loop's body
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{first} in %root : (!transform.any_op) -> !transform.any_op
  %e = transform.structured.match ops{["tensor.extract"]} in %l : (!transform.any_op) -> !transform.any_op
  %p = transform.get_parent_op %e {op_name = "scf.for", nth_parent = 5} : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %p, "parent" : !transform.any_op
  transform.yield
}

// -----
// unroll the outer loop {factor = 2}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{outer} in %root : (!transform.any_op) -> !transform.any_op
  transform.loop.unroll %l {factor = 2} : !transform.any_op
  transform.yield
}

// -----
// unroll the outer loop {factor = 4}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{outer} in %root : (!transform.any_op) -> !transform.any_op
  transform.loop.unroll %l {factor = 4} : !transform.any_op
  transform.yield
}

// -----
// unroll the outer loop {factor = 5}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{outer} in %root : (!transform.any_op) -> !transform.any_op
  transform.loop.unroll %l {factor = 5} : !transform.any_op
  transform.yield
}

// -----
// unroll the outer loop {factor = 24}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{outer} in %root : (!transform.any_op) -> !transform.any_op
  transform.loop.unroll %l {factor = 24} : !transform.any_op
  transform.yield
}

// -----
// unroll the outer loop {factor = 100}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{outer} in %root : (!transform.any_op) -> !transform.any_op
  transform.loop.unroll %l {factor = 100} : !transform.any_op
  transform.yield
}

// -----
// peel the outer loop 
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{outer} in %root : (!transform.any_op) -> !transform.op<"scf.for">
  %m, %r = transform.loop.peel %l  : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// peel the outer loop {fail_if_already_divisible = true}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{outer} in %root : (!transform.any_op) -> !transform.op<"scf.for">
  %m, %r = transform.loop.peel %l {fail_if_already_divisible = true} : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// promote the outer loop
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{outer} in %root : (!transform.any_op) -> !transform.any_op
  transform.loop.promote_if_one_iteration %l : !transform.any_op
  transform.yield
}

// -----
// coalesce the outer loop
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{outer} in %root : (!transform.any_op) -> !transform.any_op
  %c = transform.loop.coalesce %l : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// parent 1 of the outer loop's body
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{outer} in %root : (!transform.any_op) -> !transform.any_op
  %e = transform.structured.match ops{["tensor.extract"]} in %l : (!transform.any_op) -> !transform.any_op
  %p = transform.get_parent_op %e {op_name = "scf.for", nth_parent = 1} : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %p, "parent" : !transform.any_op
  transform.yield
}

// -----
// parent 2 of the outer loop's body
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{outer} in %root : (!transform.any_op) -> !transform.any_op
  %e = transform.structured.match ops{["tensor.extract"]} in %l : (!transform.any_op) -> !transform.any_op
  %p = transform.get_parent_op %e {op_name = "scf.for", nth_parent = 2} : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %p, "parent" : !transform.any_op
  transform.yield
}

// -----
// parent 5 of the outer loop's body
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{outer} in %root : (!transform.any_op) -> !transform.any_op
  %e = transform.structured.match ops{["tensor.extract"]} in %l : (!transform.any_op) -> !transform.any_op
  %p = transform.get_parent_op %e {op_name = "scf.for", nth_parent = 5} : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %p, "parent" : !transform.any_op
  transform.yield
}

// -----
// unroll the inner loop {factor = 2}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{inner} in %root : (!transform.any_op) -> !transform.any_op
  transform.loop.unroll %l {factor = 2} : !transform.any_op
  transform.yield
}

// -----
// unroll the inner loop {factor = 4}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{inner} in %root : (!transform.any_op) -> !transform.any_op
  transform.loop.unroll %l {factor = 4} : !transform.any_op
  transform.yield
}

// -----
// unroll the inner loop {factor = 5}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{inner} in %root : (!transform.any_op) -> !transform.any_op
  transform.loop.unroll %l {factor = 5} : !transform.any_op
  transform.yield
}

// -----
// unroll the inner loop {factor = 24}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{inner} in %root : (!transform.any_op) -> !transform.any_op
  transform.loop.unroll %l {factor = 24} : !transform.any_op
  transform.yield
}

// -----
// unroll the inner loop {factor = 1}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{inner} in %root : (!transform.any_op) -> !transform.any_op
  transform.loop.unroll %l {factor = 1} : !transform.any_op
  transform.yield
}

// -----
// unroll the inner loop {factor = 100}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{inner} in %root : (!transform.any_op) -> !transform.any_op
  transform.loop.unroll %l {factor = 100} : !transform.any_op
  transform.yield
}

// -----
// peel the inner loop 
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{inner} in %root : (!transform.any_op) -> !transform.op<"scf.for">
  %m, %r = transform.loop.peel %l  : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// peel the inner loop {peel_front = true}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{inner} in %root : (!transform.any_op) -> !transform.op<"scf.for">
  %m, %r = transform.loop.peel %l {peel_front = true} : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// peel the inner loop {fail_if_already_divisible = true}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{inner} in %root : (!transform.any_op) -> !transform.op<"scf.for">
  %m, %r = transform.loop.peel %l {fail_if_already_divisible = true} : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// promote the inner loop
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{inner} in %root : (!transform.any_op) -> !transform.any_op
  transform.loop.promote_if_one_iteration %l : !transform.any_op
  transform.yield
}

// -----
// coalesce the inner loop
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{inner} in %root : (!transform.any_op) -> !transform.any_op
  %c = transform.loop.coalesce %l : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// parent 1 of the inner loop's body
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{inner} in %root : (!transform.any_op) -> !transform.any_op
  %e = transform.structured.match ops{["tensor.extract"]} in %l : (!transform.any_op) -> !transform.any_op
  %p = transform.get_parent_op %e {op_name = "scf.for", nth_parent = 1} : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %p, "parent" : !transform.any_op
  transform.yield
}

// -----
// parent 2 of the inner loop's body
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{inner} in %root : (!transform.any_op) -> !transform.any_op
  %e = transform.structured.match ops{["tensor.extract"]} in %l : (!transform.any_op) -> !transform.any_op
  %p = transform.get_parent_op %e {op_name = "scf.for", nth_parent = 2} : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %p, "parent" : !transform.any_op
  transform.yield
}

// -----
// parent 5 of the inner loop's body
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{inner} in %root : (!transform.any_op) -> !transform.any_op
  %e = transform.structured.match ops{["tensor.extract"]} in %l : (!transform.any_op) -> !transform.any_op
  %p = transform.get_parent_op %e {op_name = "scf.for", nth_parent = 5} : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %p, "parent" : !transform.any_op
  transform.yield
}

// -----
// unroll_and_jam the outer loop {factor = 2}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{outer} in %root : (!transform.any_op) -> !transform.any_op
  transform.loop.unroll_and_jam %l {factor = 2} : !transform.any_op
  transform.yield
}

// -----
// unroll_and_jam the outer loop {factor = 4}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{outer} in %root : (!transform.any_op) -> !transform.any_op
  transform.loop.unroll_and_jam %l {factor = 4} : !transform.any_op
  transform.yield
}

// -----
// unroll all loops
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.loop.unroll %l {factor = 2} : !transform.any_op
  transform.yield
}

// -----
// unroll what is no loop
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.loop.unroll %l {factor = 2} : !transform.any_op
  transform.yield
}

// -----
// unroll without a factor
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} attributes{first} in %root : (!transform.any_op) -> !transform.any_op
  transform.loop.unroll %l : !transform.any_op
  transform.yield
}

// -----
// fuse siblings
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["scf.for"]} attributes{first} in %root : (!transform.any_op) -> !transform.any_op
  %b = transform.structured.match ops{["scf.for"]} attributes{second} in %root : (!transform.any_op) -> !transform.any_op
  %f = transform.loop.fuse_sibling %a into %b : (!transform.any_op, !transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// fuse siblings the other way
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["scf.for"]} attributes{first} in %root : (!transform.any_op) -> !transform.any_op
  %b = transform.structured.match ops{["scf.for"]} attributes{second} in %root : (!transform.any_op) -> !transform.any_op
  %f = transform.loop.fuse_sibling %b into %a : (!transform.any_op, !transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// fuse siblings of other ranges
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["scf.for"]} attributes{first} in %root : (!transform.any_op) -> !transform.any_op
  %b = transform.structured.match ops{["scf.for"]} attributes{outer} in %root : (!transform.any_op) -> !transform.any_op
  %f = transform.loop.fuse_sibling %a into %b : (!transform.any_op, !transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// fuse a loop with itself
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["scf.for"]} attributes{first} in %root : (!transform.any_op) -> !transform.any_op
  %f = transform.loop.fuse_sibling %a into %a : (!transform.any_op, !transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// licm
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_licm to %l : !transform.any_op
  transform.yield
}

// -----
// licm of a function
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_licm to %l : !transform.any_op
  transform.yield
}

// -----
// cse
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_cse to %l : !transform.any_op
  transform.yield
}

// -----
// dce
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_dce to %l : !transform.any_op
  transform.yield
}

// -----
// patterns: canonicalization
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %l {
  transform.apply_patterns.canonicalization
  } : !transform.any_op
  transform.yield
}

// -----
// patterns: scf.for_loop_canonicalization
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %l {
  transform.apply_patterns.scf.for_loop_canonicalization
  } : !transform.any_op
  transform.yield
}

// -----
// patterns: linalg.tiling_canonicalization
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %l {
  transform.apply_patterns.linalg.tiling_canonicalization
  } : !transform.any_op
  transform.yield
}

// -----
// patterns: tensor.fold_tensor_empty
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %l {
  transform.apply_patterns.tensor.fold_tensor_empty
  } : !transform.any_op
  transform.yield
}

// -----
// patterns: linalg.erase_unnecessary_inputs
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %l {
  transform.apply_patterns.linalg.erase_unnecessary_inputs
  } : !transform.any_op
  transform.yield
}

// -----
// patterns: linalg.fold_unit_extent_dims_via_slices
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %l {
  transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices
  } : !transform.any_op
  transform.yield
}

// -----
// patterns: tensor.merge_consecutive_insert_extract_slice
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %l {
  transform.apply_patterns.tensor.merge_consecutive_insert_extract_slice
  } : !transform.any_op
  transform.yield
}

// -----
// patterns: vector.cast_away_vector_leading_one_dim
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %l {
  transform.apply_patterns.vector.cast_away_vector_leading_one_dim
  } : !transform.any_op
  transform.yield
}

// -----
// patterns: vector.drop_unit_dims_with_shape_cast
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %l {
  transform.apply_patterns.vector.drop_unit_dims_with_shape_cast
  } : !transform.any_op
  transform.yield
}

// -----
// patterns: memref.fold_memref_alias_ops
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %l {
  transform.apply_patterns.memref.fold_memref_alias_ops
  } : !transform.any_op
  transform.yield
}

// -----
// patterns: tensor.fold_tensor_subset_ops
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %l {
  transform.apply_patterns.tensor.fold_tensor_subset_ops
  } : !transform.any_op
  transform.yield
}

// -----
// patterns: tensor.drop_redundant_insert_slice_rank_expansion
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %l {
  transform.apply_patterns.tensor.drop_redundant_insert_slice_rank_expansion
  } : !transform.any_op
  transform.yield
}

// -----
// patterns with options
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %l {
  transform.apply_patterns.canonicalization
  } {apply_cse, max_iterations = 3 : i64} : !transform.any_op
  transform.yield
}

// -----
// patterns of nothing
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %l {
  } : !transform.any_op
  transform.yield
}

// -----
// the pass canonicalize
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.apply_registered_pass "canonicalize" to %l : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// the pass cse
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.apply_registered_pass "cse" to %l : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// the pass loop-invariant-code-motion
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.apply_registered_pass "loop-invariant-code-motion" to %l : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// the pass no-such-pass
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %l = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.apply_registered_pass "no-such-pass" to %l : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// verify
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  transform.verify %root : !transform.any_op
  transform.yield
}

// -----
// forall_to_for on tensors
func.func @grid(%x: tensor<24x12xf32>, %o: tensor<24x12xf32>) -> tensor<24x12xf32> {
  %r = scf.forall (%i, %j) in (6, 3) shared_outs(%s = %o) -> tensor<24x12xf32> {
    %m = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %n = affine.apply affine_map<(d0) -> (d0 * 4)>(%j)
    %t = tensor.extract_slice %x[%m, %n] [4, 4] [1, 1] : tensor<24x12xf32> to tensor<4x4xf32>
    %u = tensor.extract_slice %s[%m, %n] [4, 4] [1, 1] : tensor<24x12xf32> to tensor<4x4xf32>
    %e = linalg.exp ins(%t : tensor<4x4xf32>) outs(%u : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %s[%m, %n] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<24x12xf32>
    }
  }
  return %r : tensor<24x12xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %g = transform.structured.match ops{["scf.forall"]} in %root : (!transform.any_op) -> !transform.any_op
  %a, %b = transform.loop.forall_to_for %g : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// forall_to_for on buffers
func.func @grid(%x: tensor<24x12xf32>, %o: tensor<24x12xf32> {bufferization.writable = true}) -> tensor<24x12xf32> {
  %r = scf.forall (%i, %j) in (6, 3) shared_outs(%s = %o) -> tensor<24x12xf32> {
    %m = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %n = affine.apply affine_map<(d0) -> (d0 * 4)>(%j)
    %t = tensor.extract_slice %x[%m, %n] [4, 4] [1, 1] : tensor<24x12xf32> to tensor<4x4xf32>
    %u = tensor.extract_slice %s[%m, %n] [4, 4] [1, 1] : tensor<24x12xf32> to tensor<4x4xf32>
    %e = linalg.exp ins(%t : tensor<4x4xf32>) outs(%u : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %s[%m, %n] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<24x12xf32>
    }
  }
  return %r : tensor<24x12xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %buf = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
  %g = transform.structured.match ops{["scf.forall"]} in %buf : (!transform.any_op) -> !transform.any_op
  %a, %c = transform.loop.forall_to_for %g : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// forall_to_parallel on buffers
func.func @grid(%x: tensor<24x12xf32>, %o: tensor<24x12xf32> {bufferization.writable = true}) -> tensor<24x12xf32> {
  %r = scf.forall (%i, %j) in (6, 3) shared_outs(%s = %o) -> tensor<24x12xf32> {
    %m = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %n = affine.apply affine_map<(d0) -> (d0 * 4)>(%j)
    %t = tensor.extract_slice %x[%m, %n] [4, 4] [1, 1] : tensor<24x12xf32> to tensor<4x4xf32>
    %u = tensor.extract_slice %s[%m, %n] [4, 4] [1, 1] : tensor<24x12xf32> to tensor<4x4xf32>
    %e = linalg.exp ins(%t : tensor<4x4xf32>) outs(%u : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %s[%m, %n] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<24x12xf32>
    }
  }
  return %r : tensor<24x12xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %buf = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
  %g = transform.structured.match ops{["scf.forall"]} in %buf : (!transform.any_op) -> !transform.any_op
  %a = transform.loop.forall_to_parallel %g : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// convert_to_loops on buffers
func.func @grid(%x: tensor<24x12xf32>, %o: tensor<24x12xf32> {bufferization.writable = true}) -> tensor<24x12xf32> {
  %r = scf.forall (%i, %j) in (6, 3) shared_outs(%s = %o) -> tensor<24x12xf32> {
    %m = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %n = affine.apply affine_map<(d0) -> (d0 * 4)>(%j)
    %t = tensor.extract_slice %x[%m, %n] [4, 4] [1, 1] : tensor<24x12xf32> to tensor<4x4xf32>
    %u = tensor.extract_slice %s[%m, %n] [4, 4] [1, 1] : tensor<24x12xf32> to tensor<4x4xf32>
    %e = linalg.exp ins(%t : tensor<4x4xf32>) outs(%u : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %s[%m, %n] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<24x12xf32>
    }
  }
  return %r : tensor<24x12xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %buf = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
  %g = transform.structured.match ops{["scf.forall"]} in %buf : (!transform.any_op) -> !transform.any_op
  %e = transform.structured.match ops{["linalg.exp"]} in %buf : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.convert_to_loops %e : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// convert_to_loops on tensors
func.func @grid(%x: tensor<24x12xf32>, %o: tensor<24x12xf32>) -> tensor<24x12xf32> {
  %r = scf.forall (%i, %j) in (6, 3) shared_outs(%s = %o) -> tensor<24x12xf32> {
    %m = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %n = affine.apply affine_map<(d0) -> (d0 * 4)>(%j)
    %t = tensor.extract_slice %x[%m, %n] [4, 4] [1, 1] : tensor<24x12xf32> to tensor<4x4xf32>
    %u = tensor.extract_slice %s[%m, %n] [4, 4] [1, 1] : tensor<24x12xf32> to tensor<4x4xf32>
    %e = linalg.exp ins(%t : tensor<4x4xf32>) outs(%u : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %s[%m, %n] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<24x12xf32>
    }
  }
  return %r : tensor<24x12xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %e = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.convert_to_loops %e : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// promote a forall of several iterations
func.func @grid(%x: tensor<24x12xf32>, %o: tensor<24x12xf32>) -> tensor<24x12xf32> {
  %r = scf.forall (%i, %j) in (6, 3) shared_outs(%s = %o) -> tensor<24x12xf32> {
    %m = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %n = affine.apply affine_map<(d0) -> (d0 * 4)>(%j)
    %t = tensor.extract_slice %x[%m, %n] [4, 4] [1, 1] : tensor<24x12xf32> to tensor<4x4xf32>
    %u = tensor.extract_slice %s[%m, %n] [4, 4] [1, 1] : tensor<24x12xf32> to tensor<4x4xf32>
    %e = linalg.exp ins(%t : tensor<4x4xf32>) outs(%u : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %s[%m, %n] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<24x12xf32>
    }
  }
  return %r : tensor<24x12xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %g = transform.structured.match ops{["scf.forall"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.loop.promote_if_one_iteration %g : !transform.any_op
  transform.yield
}

// -----
// promote a forall of one iteration
func.func @grid(%x: tensor<24x12xf32>, %o: tensor<24x12xf32>) -> tensor<24x12xf32> {
  %r = scf.forall (%i, %j) in (1, 1) shared_outs(%s = %o) -> tensor<24x12xf32> {
    %m = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %n = affine.apply affine_map<(d0) -> (d0 * 4)>(%j)
    %t = tensor.extract_slice %x[%m, %n] [4, 4] [1, 1] : tensor<24x12xf32> to tensor<4x4xf32>
    %u = tensor.extract_slice %s[%m, %n] [4, 4] [1, 1] : tensor<24x12xf32> to tensor<4x4xf32>
    %e = linalg.exp ins(%t : tensor<4x4xf32>) outs(%u : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %s[%m, %n] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<24x12xf32>
    }
  }
  return %r : tensor<24x12xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %g = transform.structured.match ops{["scf.forall"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.loop.promote_if_one_iteration %g : !transform.any_op
  transform.yield
}

// -----
// tile inside of a forall
func.func @grid(%x: tensor<24x12xf32>, %o: tensor<24x12xf32>) -> tensor<24x12xf32> {
  %r = scf.forall (%i, %j) in (6, 3) shared_outs(%s = %o) -> tensor<24x12xf32> {
    %m = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %n = affine.apply affine_map<(d0) -> (d0 * 4)>(%j)
    %t = tensor.extract_slice %x[%m, %n] [4, 4] [1, 1] : tensor<24x12xf32> to tensor<4x4xf32>
    %u = tensor.extract_slice %s[%m, %n] [4, 4] [1, 1] : tensor<24x12xf32> to tensor<4x4xf32>
    %e = linalg.exp ins(%t : tensor<4x4xf32>) outs(%u : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %s[%m, %n] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<24x12xf32>
    }
  }
  return %r : tensor<24x12xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %e = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_for %e tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// vectorize inside of a forall
func.func @grid(%x: tensor<24x12xf32>, %o: tensor<24x12xf32>) -> tensor<24x12xf32> {
  %r = scf.forall (%i, %j) in (6, 3) shared_outs(%s = %o) -> tensor<24x12xf32> {
    %m = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %n = affine.apply affine_map<(d0) -> (d0 * 4)>(%j)
    %t = tensor.extract_slice %x[%m, %n] [4, 4] [1, 1] : tensor<24x12xf32> to tensor<4x4xf32>
    %u = tensor.extract_slice %s[%m, %n] [4, 4] [1, 1] : tensor<24x12xf32> to tensor<4x4xf32>
    %e = linalg.exp ins(%t : tensor<4x4xf32>) outs(%u : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %s[%m, %n] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<24x12xf32>
    }
  }
  return %r : tensor<24x12xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %e = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.structured.vectorize %e : !transform.any_op
  transform.yield
}

// -----
// insert_slice_to_copy
func.func @grid(%x: tensor<24x12xf32>, %o: tensor<24x12xf32>) -> tensor<24x12xf32> {
  %r = scf.forall (%i, %j) in (6, 3) shared_outs(%s = %o) -> tensor<24x12xf32> {
    %m = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %n = affine.apply affine_map<(d0) -> (d0 * 4)>(%j)
    %t = tensor.extract_slice %x[%m, %n] [4, 4] [1, 1] : tensor<24x12xf32> to tensor<4x4xf32>
    %u = tensor.extract_slice %s[%m, %n] [4, 4] [1, 1] : tensor<24x12xf32> to tensor<4x4xf32>
    %e = linalg.exp ins(%t : tensor<4x4xf32>) outs(%u : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %s[%m, %n] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<24x12xf32>
    }
  }
  return %r : tensor<24x12xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %e = transform.structured.match ops{["tensor.parallel_insert_slice"]} in %root : (!transform.any_op) -> !transform.any_op
  %c = transform.structured.insert_slice_to_copy %e : (!transform.any_op) -> !transform.any_op
  transform.yield
}
// -----
// coalesce static with iter_args
func.func @f(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c42 = arith.constant 42 : index
  %c56 = arith.constant 56 : index
  %r = scf.for %i = %c1 to %c42 step %c3 iter_args(%s = %x) -> f32 {
    %q = scf.for %j = %c3 to %c56 step %c1 iter_args(%t = %s) -> f32 {
      %u = "test.use"(%i, %j, %t) : (index, index, f32) -> f32
      scf.yield %u : f32
    }
    scf.yield %q : f32
  } {coalesce}
  return %r : f32
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} attributes {coalesce} in %root : (!transform.any_op) -> !transform.any_op
    %c = transform.cast %l : !transform.any_op to !transform.op<"scf.for">
    %d = transform.loop.coalesce %c : (!transform.op<"scf.for">) -> (!transform.op<"scf.for">)
    transform.loop.unroll %d {factor = 3} : !transform.op<"scf.for">
    transform.yield
  }
// -----
// coalesce dynamic bounds
func.func @f(%lb: index, %ub: index, %st: index, %n: index) {
  scf.for %i = %lb to %ub step %st {
    scf.for %j = %lb to %n step %st {
      scf.for %k = %n to %ub step %st {
        "test.use"(%i, %j, %k) : (index, index, index) -> ()
      }
    }
  } {coalesce}
  return
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %l = transform.structured.match ops{["scf.for"]} attributes {coalesce} in %root : (!transform.any_op) -> !transform.any_op
    %c = transform.cast %l : !transform.any_op to !transform.op<"scf.for">
    %d = transform.loop.coalesce %c : (!transform.op<"scf.for">) -> (!transform.op<"scf.for">)
    transform.yield
  }
// -----
// index ops in the payload
func.func @f(%i: index, %n: index) -> (index, index, index, index, index) {
  %0:3 = affine.delinearize_index %i into (4, %n, 5) : index, index, index
  %1:2 = affine.delinearize_index %i into (7) : index, index
  %2 = affine.linearize_index disjoint [%0#0, %n] by (4, %n) : index
  %3 = affine.linearize_index [%0#0, %0#1, %0#2] by (%n, 8) : index
  return %0#1, %1#0, %1#1, %2, %3 : index, index, index, index, index
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_cse to %f : !transform.any_op
    transform.yield
  }
