// Passes by name between the steps, on the module and on its function.
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %fused, %loops:2 = transform.structured.fuse %mm tile_sizes [6, 4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %func1 = transform.apply_registered_pass "canonicalize" to %func : (!transform.any_op) -> !transform.any_op
    %func2 = transform.apply_registered_pass "cse" to %func1 : (!transform.any_op) -> !transform.any_op
    %func3 = transform.apply_registered_pass "loop-invariant-code-motion" to %func2 : (!transform.any_op) -> !transform.any_op
    %func4 = transform.apply_registered_pass "canonicalize" with options = {"top-down" = false}
      to %func3 : (!transform.any_op) -> !transform.any_op
    transform.apply_dce to %func4 : !transform.any_op
    transform.yield
  }

  func.func @f(%a: tensor<12x10xf32>, %b: tensor<10x14xf32>) -> tensor<12x14xf32> {
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %e = tensor.empty() : tensor<12x14xf32>
    %unused = linalg.fill ins(%one : f32) outs(%e : tensor<12x14xf32>) -> tensor<12x14xf32>
    %init = linalg.fill ins(%zero : f32) outs(%e : tensor<12x14xf32>) -> tensor<12x14xf32>
    %mm = linalg.matmul ins(%a, %b : tensor<12x10xf32>, tensor<10x14xf32>) outs(%init : tensor<12x14xf32>) -> tensor<12x14xf32>
    return %mm : tensor<12x14xf32>
  }
}
