// Tile sizes that the payload computes: a handle in place of a number.
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %size = transform.structured.match ops{["arith.divsi"]} in %root : (!transform.any_op) -> !transform.any_op
    %five = transform.param.constant 5 : i64 -> !transform.param<i64>
    %tile, %loops:3 = transform.structured.tile_using_for %mm tile_sizes [%size, %five, 4]
      : (!transform.any_op, !transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }

  func.func @f(%a: tensor<?x12xf32>, %b: tensor<12x20xf32>, %c: tensor<?x20xf32>) -> tensor<?x20xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %m = tensor.dim %a, %c0 : tensor<?x12xf32>
    %m1 = arith.addi %m, %c1 : index
    %half = arith.divsi %m1, %c2 : index
    %mm = linalg.matmul ins(%a, %b : tensor<?x12xf32>, tensor<12x20xf32>) outs(%c : tensor<?x20xf32>) -> tensor<?x20xf32>
    return %mm : tensor<?x20xf32>
  }
}
