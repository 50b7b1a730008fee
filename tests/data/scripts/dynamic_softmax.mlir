// As many rows as there are when it runs: a softmax decomposed and fused.
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %softmax = transform.structured.match ops{["linalg.softmax"]} in %root : (!transform.any_op) -> !transform.any_op
    %last = transform.structured.decompose_interface %softmax : (!transform.any_op) -> !transform.any_op
    %fused, %loop = transform.structured.fuse %last tile_sizes [4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

  func.func @f(%x: tensor<?x24xf32>) -> tensor<?x24xf32> {
    %c0 = arith.constant 0 : index
    %n = tensor.dim %x, %c0 : tensor<?x24xf32>
    %e = tensor.empty(%n) : tensor<?x24xf32>
    %r = linalg.softmax dimension(1) ins(%x : tensor<?x24xf32>) outs(%e : tensor<?x24xf32>) -> tensor<?x24xf32>
    return %r : tensor<?x24xf32>
  }
}
