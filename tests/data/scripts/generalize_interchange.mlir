// A named op written out, its loops reordered, then tiled in the new order.
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.batch_matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %generic = transform.structured.generalize %mm : (!transform.any_op) -> !transform.any_op
    %swapped = transform.structured.interchange %generic iterator_interchange = [3, 0, 2, 1] : (!transform.any_op) -> !transform.any_op
    %tile, %loops:3 = transform.structured.tile_using_for %swapped tile_sizes [4, 1, 0, 5] interchange = [1, 0, 3, 2]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }

  func.func @f(%a: tensor<3x10x6xbf16>, %b: tensor<3x6x7xbf16>, %c: tensor<3x10x7xf32>) -> tensor<3x10x7xf32> {
    %mm = linalg.batch_matmul ins(%a, %b : tensor<3x10x6xbf16>, tensor<3x6x7xbf16>) outs(%c : tensor<3x10x7xf32>) -> tensor<3x10x7xf32>
    return %mm : tensor<3x10x7xf32>
  }
}
