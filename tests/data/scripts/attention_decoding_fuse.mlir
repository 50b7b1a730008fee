// One query for each head, between reshapes, by one structured.fuse.
// payload: attention_decoding at batch=2, heads=4, key_heads=2, keys=24, features=8
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
    %fused, %loops:2 = transform.structured.fuse %cast tile_sizes [1, 1]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
