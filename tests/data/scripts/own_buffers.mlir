// Scratch tensors get buffers of their own; layouts at the boundary as they come.
// level: buffers
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %empties = transform.structured.match ops{["tensor.empty"]} in %root : (!transform.any_op) -> !transform.op<"tensor.empty">
    %tensors = transform.bufferization.empty_tensor_to_alloc_tensor %empties
      : (!transform.op<"tensor.empty">) -> !transform.op<"bufferization.alloc_tensor">
    %buffers = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true}
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

  func.func @f(%a: tensor<9x6xf32>, %b: tensor<9x6xf32>) -> tensor<9x6xf32> {
    %e = tensor.empty() : tensor<9x6xf32>
    %s = linalg.add ins(%a, %b : tensor<9x6xf32>, tensor<9x6xf32>) outs(%e : tensor<9x6xf32>) -> tensor<9x6xf32>
    %o = tensor.empty() : tensor<9x6xf32>
    %t = linalg.sub ins(%a, %b : tensor<9x6xf32>, tensor<9x6xf32>) outs(%o : tensor<9x6xf32>) -> tensor<9x6xf32>
    %r = linalg.mul ins(%s, %t : tensor<9x6xf32>, tensor<9x6xf32>) outs(%s : tensor<9x6xf32>) -> tensor<9x6xf32>
    return %r : tensor<9x6xf32>
  }
}
