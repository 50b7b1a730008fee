// Erasing a loop put it back on the list of what to look at.
module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %h1 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  %h2, %h3, %h4 = transform.split_handle %h1 : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  %h5, %h6, %h7 = transform.structured.tile_using_for %h3 tile_sizes [7, 7] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  %h10 = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.op<"scf.for">
  %h11, %h12 = transform.split_handle %h10 : (!transform.op<"scf.for">) -> (!transform.op<"scf.for">, !transform.op<"scf.for">)
  %h13, %h14 = transform.loop.peel %h12  : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
  %h21 = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %root {bufferize_function_boundaries = true, allow_return_allocs_from_loops = true} : (!transform.any_op) -> !transform.any_op
  %h22 = transform.structured.match ops{["func.func"]} in %h21 : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %h22 { transform.apply_patterns.tensor.merge_consecutive_insert_extract_slice transform.apply_patterns.linalg.erase_unnecessary_inputs transform.apply_patterns.canonicalization } : !transform.any_op
  transform.yield
}
func.func @layer(%x: tensor<2x7xbf16>) -> (tensor<7xf32>, tensor<7xbf16>, tensor<7xbf16>) {
  %zero = arith.constant 0.000000e+00 : f32
  %minus_infinity = arith.constant 0xFF80 : bf16
  %infinity = arith.constant 0x7F80 : bf16
  %empty = tensor.empty() : tensor<7xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<7xf32>) -> tensor<7xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<2x7xbf16>) outs(%init : tensor<7xf32>) {
  ^bb0(%x_1: bf16, %acc: f32):
    %0 = arith.extf %x_1 : bf16 to f32
    %1 = arith.addf %0, %acc : f32
    linalg.yield %1 : f32
  } -> tensor<7xf32>
  %empty_1 = tensor.empty() : tensor<7xbf16>
  %init_1 = linalg.fill ins(%minus_infinity : bf16) outs(%empty_1 : tensor<7xbf16>) -> tensor<7xbf16>
  %max = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<2x7xbf16>) outs(%init_1 : tensor<7xbf16>) {
  ^bb0(%x_2: bf16, %acc_1: bf16):
    %2 = arith.maximumf %x_2, %acc_1 : bf16
    linalg.yield %2 : bf16
  } -> tensor<7xbf16>
  %empty_2 = tensor.empty() : tensor<7xbf16>
  %init_2 = linalg.fill ins(%infinity : bf16) outs(%empty_2 : tensor<7xbf16>) -> tensor<7xbf16>
  %min = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<2x7xbf16>) outs(%init_2 : tensor<7xbf16>) {
  ^bb0(%x_3: bf16, %acc_2: bf16):
    %3 = arith.minimumf %x_3, %acc_2 : bf16
    linalg.yield %3 : bf16
  } -> tensor<7xbf16>
  func.return %sum, %max, %min : tensor<7xf32>, tensor<7xbf16>, tensor<7xbf16>
}
}
