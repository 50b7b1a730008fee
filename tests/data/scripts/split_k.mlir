// Split-K: four programs sum a part of k each, the parts are added up.
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %fill, %part, %sum, %grid = transform.structured.tile_reduction_using_forall %mm by num_threads = [0, 0, 4] tile_sizes = [0, 0, 8]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }

  func.func @f(%a: tensor<8x50xf32>, %b: tensor<50x20xf32>, %c: tensor<8x20xf32>) -> tensor<8x20xf32> {
    %mm = linalg.matmul ins(%a, %b : tensor<8x50xf32>, tensor<50x20xf32>) outs(%c : tensor<8x20xf32>) -> tensor<8x20xf32>
    return %mm : tensor<8x20xf32>
  }
}
