// The first attempt tiles and then fails: it is taken back, the second one applies.
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.alternatives %func : !transform.any_op {
    ^bb0(%f: !transform.any_op):
      %mm = transform.structured.match ops{["linalg.matmul"]} in %f : (!transform.any_op) -> !transform.any_op
      %tiled, %loops:3 = transform.structured.tile_using_for %mm tile_sizes [8, 8, 4]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
      %two, %rest = transform.split_handle %tiled : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    }, {
    ^bb0(%f: !transform.any_op):
      %mm = transform.structured.match ops{["linalg.matmul"]} in %f : (!transform.any_op) -> !transform.any_op
      %tiled, %loops:2 = transform.structured.tile_using_for %mm tile_sizes [4, 4]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    }
    transform.yield
  }

  func.func @f(%a: tensor<20x12xf32>, %b: tensor<12x20xf32>, %c: tensor<20x20xf32>) -> tensor<20x20xf32> {
    %mm = linalg.matmul ins(%a, %b : tensor<20x12xf32>, tensor<12x20xf32>) outs(%c : tensor<20x20xf32>) -> tensor<20x20xf32>
    return %mm : tensor<20x20xf32>
  }
}
