// Masked accesses of tensors, bufferized; with the masks as operands both are the same.
// -----
// a masked read
func.func @f(%a: tensor<8xf32>, %n: index) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %pad = ub.poison : f32
  %m = vector.create_mask %n : vector<8xi1>
  %r = vector.mask %m {
    vector.transfer_read %a[%c0], %pad {in_bounds = [true]} : tensor<8xf32>, vector<8xf32>
  } : vector<8xi1> -> vector<8xf32>
  return %r : vector<8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %new = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %root
      {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
  %func = transform.structured.match ops{["func.func"]} in %new
      : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %func {
    transform.apply_patterns.vector.lower_masked_transfers
    transform.apply_patterns.canonicalization
  } : !transform.any_op
  transform.yield
}
// -----
// a masked write
func.func @f(%v: vector<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %m = vector.create_mask %n : vector<8xi1>
  %r = vector.mask %m {
    vector.transfer_write %v, %f[%c0] {in_bounds = [true]} : vector<8xf32>, tensor<8xf32>
  } : vector<8xi1> -> tensor<8xf32>
  return %r : tensor<8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %new = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %root
      {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
  %func = transform.structured.match ops{["func.func"]} in %new
      : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %func {
    transform.apply_patterns.vector.lower_masked_transfers
    transform.apply_patterns.canonicalization
  } : !transform.any_op
  transform.yield
}
// -----
// a masked write that is not in place
// only real MLIR refuses: it cannot copy what a mask writes into
func.func @f(%v: vector<8xf32>, %n: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %m = vector.create_mask %n : vector<8xi1>
  %r = vector.mask %m {
    vector.transfer_write %v, %f[%c0] {in_bounds = [true]} : vector<8xf32>, tensor<8xf32>
  } : vector<8xi1> -> tensor<8xf32>
  return %f, %r : tensor<8xf32>, tensor<8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %new = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %root
      {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
  %func = transform.structured.match ops{["func.func"]} in %new
      : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %func {
    transform.apply_patterns.vector.lower_masked_transfers
    transform.apply_patterns.canonicalization
  } : !transform.any_op
  transform.yield
}
