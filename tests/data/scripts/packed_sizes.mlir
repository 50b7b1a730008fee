// Sizes and numbers of threads in one handle, onto a grid; a sequence that takes several handles.
// level: tensors
module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<12x20xf32>, %b: tensor<20x14xf32>, %c: tensor<12x14xf32>) -> tensor<12x14xf32> {
    %0 = linalg.matmul ins(%a, %b : tensor<12x20xf32>, tensor<20x14xf32>) outs(%c : tensor<12x14xf32>) -> tensor<12x14xf32>
    %1 = linalg.exp ins(%0 : tensor<12x14xf32>) outs(%c : tensor<12x14xf32>) -> tensor<12x14xf32>
    return %1 : tensor<12x14xf32>
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %e = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %p = transform.param.constant 5 : i64 -> !transform.any_param
    %q = transform.param.constant 3 : i64 -> !transform.any_param
    %pq = transform.merge_handles %p, %q : !transform.any_param
    %grid = transform.sequence %root, %mm, %e : (!transform.any_op, !transform.any_op, !transform.any_op) -> !transform.any_op failures(propagate) {
    ^bb0(%x: !transform.any_op, %y: !transform.any_op, %z: !transform.any_op):
      %t, %l = transform.structured.tile_using_forall %z num_threads *(%pq) (mapping = [#gpu.block<y>, #gpu.block<x>]) : (!transform.any_op, !transform.any_param) -> (!transform.any_op, !transform.any_op)
      %t2, %l2 = transform.structured.tile_using_forall %y tile_sizes *(%pq) (mapping = [#gpu.block<y>, #gpu.block<x>]) : (!transform.any_op, !transform.any_param) -> (!transform.any_op, !transform.any_op)
      transform.yield %l : !transform.any_op
    }
    transform.annotate %grid "grid" : !transform.any_op
    transform.yield
  }
}
