// Matchers choose what is done to an op: contractions by their name, others by their rank.
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_product(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["linalg.matmul", "linalg.batch_matmul"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @is_rank_2(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %matched = transform.match.structured failures(propagate) %op : (!transform.any_op) -> !transform.any_op {
    ^bb0(%arg: !transform.any_op):
      %rank = transform.match.structured.rank %arg : (!transform.any_op) -> !transform.param<i64>
      %two = transform.param.constant 2 : i64 -> !transform.param<i64>
      transform.match.param.cmpi eq %rank, %two : !transform.param<i64>
      transform.match.structured.yield %arg : !transform.any_op
    }
    transform.yield %matched : !transform.any_op
  }
  transform.named_sequence @to_grid(%op: !transform.any_op {transform.consumed}) {
    %tiled, %grid = transform.structured.tile_using_forall %op tile_sizes [8, 8]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @to_loop(%op: !transform.any_op {transform.consumed}) {
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 8]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %done = transform.foreach_match in %root
        @is_product -> @to_grid,
        @is_rank_2 -> @to_loop
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

  func.func @f(%a: tensor<20x12xf32>, %b: tensor<12x20xf32>, %c: tensor<20x20xf32>) -> tensor<20x20xf32> {
    %mm = linalg.matmul ins(%a, %b : tensor<20x12xf32>, tensor<12x20xf32>) outs(%c : tensor<20x20xf32>) -> tensor<20x20xf32>
    %e = tensor.empty() : tensor<20x20xf32>
    %r = linalg.exp ins(%mm : tensor<20x20xf32>) outs(%e : tensor<20x20xf32>) -> tensor<20x20xf32>
    return %r : tensor<20x20xf32>
  }
}
