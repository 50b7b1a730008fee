// Every element-wise op tiled by itself, through a parameter for each.
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @tile_one(%op: !transform.any_op {transform.consumed}, %size: !transform.param<i64> {transform.readonly}) {
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [%size]
      : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match ops{["linalg.add", "linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %three = transform.param.constant 3 : i64 -> !transform.param<i64>
    %five = transform.param.constant 5 : i64 -> !transform.param<i64>
    %sizes = transform.merge_handles %three, %five : !transform.param<i64>
    transform.foreach %ops, %sizes : !transform.any_op, !transform.param<i64> {
    ^bb0(%op: !transform.any_op, %size: !transform.param<i64>):
      transform.include @tile_one failures(propagate) (%op, %size) : (!transform.any_op, !transform.param<i64>) -> ()
    }
    transform.yield
  }

  func.func @two(%a: tensor<17x4xf32>, %b: tensor<17x4xf32>) -> tensor<17x4xf32> {
    %e = tensor.empty() : tensor<17x4xf32>
    %s = linalg.add ins(%a, %b : tensor<17x4xf32>, tensor<17x4xf32>) outs(%e : tensor<17x4xf32>) -> tensor<17x4xf32>
    %r = linalg.exp ins(%s : tensor<17x4xf32>) outs(%e : tensor<17x4xf32>) -> tensor<17x4xf32>
    return %r : tensor<17x4xf32>
  }
}
