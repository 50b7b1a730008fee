// An input that alone told the extent of a loop was erased: others only had sums with it.
module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %0 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  %1, %2, %3, %4 = transform.structured.split_reduction %0 {split_factor = 2, insert_split_dimension = 1, use_scaling_algorithm} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  %5 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %5 { transform.apply_patterns.linalg.erase_unnecessary_inputs } : !transform.any_op
  transform.yield
}
func.func @f(%a: tensor<12x8xi8>, %b: tensor<12xi8>) -> tensor<12xi8> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<12x8xi8>) outs(%b : tensor<12xi8>) {
  ^bb0(%x: i8, %y: i8):
    %1 = arith.maxsi %y, %x : i8
    linalg.yield %1 : i8
  } -> tensor<12xi8>
  return %0 : tensor<12xi8>
}
}
