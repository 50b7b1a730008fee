// Padding and a table of numbers as writes into the place where they are needed.
// level: buffers
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %pad = transform.structured.match ops{["tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
    %filled = transform.structured.rewrite_in_destination_passing_style %pad : (!transform.any_op) -> !transform.any_op
    %table = transform.structured.match ops{["tensor.generate"]} in %root : (!transform.any_op) -> !transform.any_op
    %generic = transform.structured.rewrite_in_destination_passing_style %table : (!transform.any_op) -> !transform.any_op
    %fill = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %fill : !transform.any_op
    %sum = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %sum : !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.structured.eliminate_empty_tensors %func : !transform.any_op
    %buffers = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %root
      {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

  func.func @f(%a: tensor<5x7xf32>) -> tensor<8x8xf32> {
    %half = arith.constant 0.5 : f32
    %p = tensor.pad %a low[2, 0] high[1, 1] {
    ^bb0(%i: index, %j: index):
      tensor.yield %half : f32
    } : tensor<5x7xf32> to tensor<8x8xf32>
    %t = tensor.generate {
    ^bb0(%i: index, %j: index):
      %s = arith.addi %i, %j : index
      %n = arith.index_cast %s : index to i32
      %x = arith.sitofp %n : i32 to f32
      tensor.yield %x : f32
    } : tensor<8x8xf32>
    %e = tensor.empty() : tensor<8x8xf32>
    %r = linalg.add ins(%p, %t : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    return %r : tensor<8x8xf32>
  }
}
