// A product of two values, neither of which counts as a symbol, was turned round for ever.
module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %h1 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  %h4, %h5, %h6, %h7 = transform.structured.tile_reduction_using_forall %h1 by num_threads = [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.apply_patterns to %root { transform.apply_patterns.vector.transfer_permutation_patterns transform.apply_patterns.linalg.tiling_canonicalization transform.apply_patterns.scf.for_loop_canonicalization transform.apply_patterns.tensor.fold_tensor_subset_ops } : !transform.any_op
  transform.yield
}
func.func @f(%a0: tensor<?xf16>, %a1: tensor<bf16>) -> (tensor<bf16>) {
  %c0 = arith.constant 0 : index
  %size_b = tensor.dim %a0, %c0 : tensor<?xf16>
  %v1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%a0, %a0 : tensor<?xf16>, tensor<?xf16>) outs(%a1 : tensor<bf16>) {
  ^bb0(%x0: f16, %x1: f16, %y0: bf16):
    %s0 = arith.extf %x0 : f16 to f32
    %s1 = arith.truncf %s0 : f32 to bf16
    %s2 = arith.extf %x1 : f16 to f32
    %s3 = arith.truncf %s2 : f32 to bf16
    %s4 = arith.addf %s1, %s3 : bf16
    %s5 = arith.maximumf %s4, %s3 : bf16
    %s6 = arith.subf %s5, %s3 : bf16
    %s7 = arith.minimumf %y0, %s6 : bf16
    linalg.yield %s7 : bf16
  } -> tensor<bf16>
  return %v1 : tensor<bf16>
}
}
