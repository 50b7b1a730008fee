func.func @f() -> (index, index) {
  %0 = "dummy.some_op"() : () -> index
  %1 = affine.min affine_map<()[s0] -> (50, -s0 + 100)>()[%0]
  %2 = affine.max affine_map<()[s0] -> (5, s0)>()[%0]
  return %1, %2 : index, index
}

// -----
// decided, both
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["affine.min"]} in %root : (!transform.any_op) -> !transform.any_op
  %o = transform.structured.match ops{["dummy.some_op"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.affine.simplify_bounded_affine_ops %m with [%o : !transform.any_op] within [0] and [20] : !transform.any_op
  transform.yield
}

// -----
// exactly at the bound: 50
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["affine.min"]} in %root : (!transform.any_op) -> !transform.any_op
  %o = transform.structured.match ops{["dummy.some_op"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.affine.simplify_bounded_affine_ops %m with [%o : !transform.any_op] within [0] and [50] : !transform.any_op
  transform.yield
}

// -----
// exactly at the bound: 51
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["affine.min"]} in %root : (!transform.any_op) -> !transform.any_op
  %o = transform.structured.match ops{["dummy.some_op"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.affine.simplify_bounded_affine_ops %m with [%o : !transform.any_op] within [0] and [51] : !transform.any_op
  transform.yield
}

// -----
// exactly at the bound: 52
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["affine.min"]} in %root : (!transform.any_op) -> !transform.any_op
  %o = transform.structured.match ops{["dummy.some_op"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.affine.simplify_bounded_affine_ops %m with [%o : !transform.any_op] within [0] and [52] : !transform.any_op
  transform.yield
}

// -----
// high range
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["affine.min", "affine.max"]} in %root : (!transform.any_op) -> !transform.any_op
  %o = transform.structured.match ops{["dummy.some_op"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.affine.simplify_bounded_affine_ops %m with [%o : !transform.any_op] within [60] and [80] : !transform.any_op
  transform.yield
}

// -----
// max decided
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["affine.max"]} in %root : (!transform.any_op) -> !transform.any_op
  %o = transform.structured.match ops{["dummy.some_op"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.affine.simplify_bounded_affine_ops %m with [%o : !transform.any_op] within [0] and [6] : !transform.any_op
  transform.yield
}

// -----
// no bounds
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["affine.max"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.affine.simplify_bounded_affine_ops %m with [] within [] and [] : !transform.any_op
  transform.yield
}

// -----
// wrong number of bounds
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["affine.max"]} in %root : (!transform.any_op) -> !transform.any_op
  %o = transform.structured.match ops{["dummy.some_op"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.affine.simplify_bounded_affine_ops %m with [%o : !transform.any_op] within [0, 1] and [6] : !transform.any_op
  transform.yield
}

// -----
// wrong number of upper bounds
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["affine.max"]} in %root : (!transform.any_op) -> !transform.any_op
  %o = transform.structured.match ops{["dummy.some_op"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.affine.simplify_bounded_affine_ops %m with [%o : !transform.any_op] within [0] and [6, 7] : !transform.any_op
  transform.yield
}

// -----
// no index
func.func @f() -> index {
  %0 = "dummy.some_op"() : () -> i32
  %1 = "dummy.other_op"() : () -> index
  %2 = affine.max affine_map<()[s0] -> (5, s0)>()[%1]
  return %2 : index
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["affine.max"]} in %root : (!transform.any_op) -> !transform.any_op
  %o = transform.structured.match ops{["dummy.some_op"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.affine.simplify_bounded_affine_ops %m with [%o : !transform.any_op] within [0] and [6] : !transform.any_op
  transform.yield
}

// -----
// two results
func.func @f() -> index {
  %0:2 = "dummy.some_op"() : () -> (index, index)
  %2 = affine.max affine_map<()[s0] -> (5, s0)>()[%0#0]
  return %2 : index
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["affine.max"]} in %root : (!transform.any_op) -> !transform.any_op
  %o = transform.structured.match ops{["dummy.some_op"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.affine.simplify_bounded_affine_ops %m with [%o : !transform.any_op] within [0] and [6] : !transform.any_op
  transform.yield
}

// -----
// target and bounded overlap
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["affine.max"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.affine.simplify_bounded_affine_ops %m with [%m : !transform.any_op] within [0] and [6] : !transform.any_op
  transform.yield
}

// -----
// target is no min or max
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %o = transform.structured.match ops{["dummy.some_op"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.affine.simplify_bounded_affine_ops %o with [%o : !transform.any_op] within [0] and [6] : !transform.any_op
  transform.yield
}

// -----
// target is a function
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %o = transform.structured.match ops{["dummy.some_op"]} in %root : (!transform.any_op) -> !transform.any_op
  %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.affine.simplify_bounded_affine_ops %f with [%o : !transform.any_op] within [0] and [6] : !transform.any_op
  transform.yield
}

// -----
// two bounded
func.func @f() -> (index, index, index) {
  %0 = "dummy.a"() : () -> index
  %1 = "dummy.b"() : () -> index
  %2 = affine.min affine_map<()[s0, s1] -> (s0, s1 + 10)>()[%0, %1]
  %3 = affine.min affine_map<(d0)[s1] -> (d0 floordiv 4, s1 * 3, 100)>(%0)[%1]
  %4 = affine.max affine_map<(d0)[s1] -> (d0 mod 7, s1 - 20)>(%0)[%1]
  return %2, %3, %4 : index, index, index
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["affine.min", "affine.max"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.match ops{["dummy.a"]} in %root : (!transform.any_op) -> !transform.any_op
  %b = transform.structured.match ops{["dummy.b"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.affine.simplify_bounded_affine_ops %m with [%a, %b : !transform.any_op, !transform.any_op] within [0, 0] and [10, 4] : !transform.any_op
  transform.yield
}

// -----
// min max
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["affine.min"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.affine.simplify_min_max_affine_ops %m : !transform.any_op
  transform.yield
}

// -----
// min max of a loop
func.func @f(%n: index, %x: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %a = affine.min affine_map<(d0) -> (10, d0)>(%i)
    %b = affine.min affine_map<(d0) -> (3, d0)>(%i)
    %c = affine.max affine_map<(d0) -> (-1, d0)>(%i)
    "dummy.use"(%a, %b, %c) : (index, index, index) -> ()
  }
  return
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["affine.min", "affine.max"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.affine.simplify_min_max_affine_ops %m : !transform.any_op
  transform.yield
}
