// A mask that reads an input twice, along the rows and along the columns.
// payload: attention_documents at batch=2, heads=2, sequence=24, features=8
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %products = transform.structured.match ops{["linalg.contract"]} in %root : (!transform.any_op) -> !transform.any_op
    %scores, %result = transform.split_handle %products
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %generics = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %scaled, %largest, %power, %total, %softmax, %cast = transform.split_handle %generics
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %fills = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %fill_scores, %fill_largest, %fill_total, %fill_result = transform.split_handle %fills
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %cast_in, %grid = transform.structured.tile_using_forall %cast tile_sizes [1, 1, 10] (mapping = [#gpu.block<z>, #gpu.block<y>, #gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %result_in, %grid1 = transform.structured.fuse_into_containing_op %result into %grid
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fill_result_in, %grid2 = transform.structured.fuse_into_containing_op %fill_result into %grid1
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %softmax_in, %grid3 = transform.structured.fuse_into_containing_op %softmax into %grid2
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %total_in, %grid4 = transform.structured.fuse_into_containing_op %total into %grid3
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fill_total_in, %grid5 = transform.structured.fuse_into_containing_op %fill_total into %grid4
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %power_in, %grid6 = transform.structured.fuse_into_containing_op %power into %grid5
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %largest_in, %grid7 = transform.structured.fuse_into_containing_op %largest into %grid6
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fill_largest_in, %grid8 = transform.structured.fuse_into_containing_op %fill_largest into %grid7
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %scaled_in, %grid9 = transform.structured.fuse_into_containing_op %scaled into %grid8
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %scores_in, %grid10 = transform.structured.fuse_into_containing_op %scores into %grid9
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fill_scores_in, %grid11 = transform.structured.fuse_into_containing_op %fill_scores into %grid10
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
