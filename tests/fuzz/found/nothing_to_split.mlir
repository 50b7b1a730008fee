// Dividing by the length of an empty reduction.
// refused: loop 0 has no iterations: there is nothing to split; leave this op out
module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  %1, %2, %3, %4 = transform.structured.split_reduction %0 {split_factor = 3, insert_split_dimension = 0} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}
func.func @f(%a: tensor<0xi32>, %b: tensor<i32>) -> tensor<i32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%a : tensor<0xi32>) outs(%b : tensor<i32>) {
  ^bb0(%x: i32, %y: i32):
    %1 = arith.addi %x, %y : i32
    linalg.yield %1 : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
}
