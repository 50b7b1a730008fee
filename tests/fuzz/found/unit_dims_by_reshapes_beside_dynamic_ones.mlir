// Dropping dimensions by reshapes forgot the sizes that are known at run time only.
module attributes {transform.with_named_sequence} {
func.func @f(%a0: tensor<?x?x1xf16>, %a1: tensor<1x?x?xf16>) -> (tensor<1x?x?xf16>) {
  %v1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d1, d0, d2)>, affine_map<(d0, d1, d2, d3) -> (d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d2, d1, d3)>], iterator_types = ["reduction", "parallel", "parallel", "parallel"]} ins(%a0, %a0, %a0 : tensor<?x?x1xf16>, tensor<?x?x1xf16>, tensor<?x?x1xf16>) outs(%a1 : tensor<1x?x?xf16>) {
  ^bb0(%x0: f16, %x1: f16, %x2: f16, %y0: f16):
    %s0 = arith.addf %x1, %x1 : f16
    %s3 = arith.subf %s0, %x2 : f16
    %s4 = arith.maximumf %y0, %s3 : f16
    linalg.yield %s4 : f16
  } -> tensor<1x?x?xf16>
  return %v1 : tensor<1x?x?xf16>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %h1 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %h1 { transform.apply_patterns.linalg.fold_unit_extent_dims_via_reshapes } : !transform.any_op
  transform.yield
}
}
