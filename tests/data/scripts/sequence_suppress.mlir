// A nested sequence whose first step does not apply is passed over; the rest goes on.
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.sequence %root : !transform.any_op failures(suppress) {
    ^bb0(%inner: !transform.any_op):
      %e = transform.structured.match ops{["linalg.exp"]} in %inner : (!transform.any_op) -> !transform.any_op
      // A named op has its loops in a fixed order.
      %i = transform.structured.interchange %e iterator_interchange = [1, 0] : (!transform.any_op) -> !transform.any_op
    }
    %again = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loops:2 = transform.structured.tile_using_for %again tile_sizes [3, 4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }

  func.func @f(%a: tensor<7x9xf32>) -> tensor<7x9xf32> {
    %e = tensor.empty() : tensor<7x9xf32>
    %r = linalg.exp ins(%a : tensor<7x9xf32>) outs(%e : tensor<7x9xf32>) -> tensor<7x9xf32>
    return %r : tensor<7x9xf32>
  }
}
