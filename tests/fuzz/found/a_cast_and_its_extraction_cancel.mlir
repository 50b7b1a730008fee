// The extraction that cancels a shape cast left behind another one, in no block, that read the vector.
module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %0 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %0 { transform.apply_patterns.canonicalization } : !transform.any_op
  transform.yield
}
func.func @f(%a: tensor<5xf32>) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0], %pad {in_bounds = [true]} : tensor<5xf32>, vector<5xf32>
  %1 = vector.shape_cast %0 : vector<5xf32> to vector<1x5xf32>
  %2 = vector.extract %1[0] : vector<5xf32> from vector<1x5xf32>
  %3 = tensor.empty() : tensor<5xf32>
  %4 = vector.transfer_write %2, %3[%c0] {in_bounds = [true]} : vector<5xf32>, tensor<5xf32>
  return %4 : tensor<5xf32>
}
}
