// What is no convolution is not decomposed; the next branch writes a softmax as structured ops.
// level: tensors
module attributes {transform.with_named_sequence} {
  func.func @softmax(%x: tensor<7x33xf32>, %o: tensor<7x33xf32>) -> tensor<7x33xf32> {
    %r = linalg.softmax dimension(1) ins(%x : tensor<7x33xf32>) outs(%o : tensor<7x33xf32>) -> tensor<7x33xf32>
    return %r : tensor<7x33xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %last = transform.alternatives %func : !transform.any_op -> !transform.any_op {
    ^bb0(%scope: !transform.any_op):
      %softmax = transform.structured.match ops{["linalg.softmax"]} in %scope : (!transform.any_op) -> !transform.any_op
      %op = transform.structured.decompose %softmax : (!transform.any_op) -> !transform.any_op
      transform.yield %op : !transform.any_op
    }, {
    ^bb0(%scope: !transform.any_op):
      %softmax = transform.structured.match ops{["linalg.softmax"]} in %scope : (!transform.any_op) -> !transform.any_op
      %op = transform.structured.decompose_interface %softmax : (!transform.any_op) -> !transform.any_op
      transform.yield %op : !transform.any_op
    }
    %tiled, %loop = transform.structured.fuse %last tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %none = transform.structured.match ops{["linalg.softmax"]} in %root : (!transform.any_op) -> !transform.any_op
    %nothing = transform.structured.decompose %none : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
