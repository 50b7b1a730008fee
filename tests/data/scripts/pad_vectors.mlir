// Partial tiles filled up and vectorized without masks.
// level: buffers
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loops:3 = transform.structured.tile_using_for %mm tile_sizes [8, 8, 8]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %padded, %pads, %copies = transform.structured.pad %tile
      {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], nofold_flags = [0, 0, 0], copy_back_op = "linalg.copy"}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.structured.vectorize %padded : !transform.any_op
    transform.structured.vectorize %pads vector_sizes [8, 8] : !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.vector.lower_masked_transfers
      transform.apply_patterns.vector.reduction_to_contract
      transform.apply_patterns.vector.transfer_permutation_patterns
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %func : !transform.any_op
    transform.structured.eliminate_empty_tensors %func : !transform.any_op
    %buffers = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %root
      {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

  func.func @f(%a: tensor<20x21xf32>, %b: tensor<21x27xf32>) -> tensor<20x27xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<20x27xf32>
    %c = linalg.fill ins(%zero : f32) outs(%e : tensor<20x27xf32>) -> tensor<20x27xf32>
    %mm = linalg.matmul ins(%a, %b : tensor<20x21xf32>, tensor<21x27xf32>) outs(%c : tensor<20x27xf32>) -> tensor<20x27xf32>
    return %mm : tensor<20x27xf32>
  }
}
