// Of two inputs that nobody reads, each alone may go; both tell the extent of the loop.
module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %0 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %0 { transform.apply_patterns.linalg.erase_unnecessary_inputs } : !transform.any_op
  transform.yield
}
func.func @f(%a: tensor<5xi32>, %b: tensor<5xi32>, %c: tensor<i32>) -> tensor<i32> {
  %one = arith.constant 1 : i32
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%a, %b : tensor<5xi32>, tensor<5xi32>) outs(%c : tensor<i32>) {
  ^bb0(%x: i32, %y: i32, %z: i32):
    %1 = arith.addi %z, %one : i32
    linalg.yield %1 : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
}
