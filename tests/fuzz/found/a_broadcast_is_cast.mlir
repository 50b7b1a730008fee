// A shape cast of a broadcast became a broadcast along another dimension, as upstream has it.
module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %0 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %0 { transform.apply_patterns.canonicalization } : !transform.any_op
  transform.yield
}
func.func @f(%a: tensor<8x1xf32>) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : tensor<8x1xf32>, vector<8x1xf32>
  %1 = vector.broadcast %0 : vector<8x1xf32> to vector<8x8x1xf32>
  %2 = vector.shape_cast %1 : vector<8x8x1xf32> to vector<8x8xf32>
  %3 = tensor.empty() : tensor<8x8xf32>
  %4 = vector.transfer_write %2, %3[%c0, %c0] {in_bounds = [true, true]} : vector<8x8xf32>, tensor<8x8xf32>
  return %4 : tensor<8x8xf32>
}
}
