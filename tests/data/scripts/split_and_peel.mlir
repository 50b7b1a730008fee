// Rows split in two parts; in the second the partial tile is peeled off.
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %parts = transform.structured.split %mm after 16 {dimension = 0} : !transform.any_op
    %first, %second = transform.split_handle %parts : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %a, %la = transform.structured.tile_using_for %first tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %b, %lb = transform.structured.tile_using_for %second tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.op<"scf.for">)
    %main, %rest = transform.loop.peel %lb : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

  func.func @f(%a: tensor<30x12xf32>, %b: tensor<12x20xf32>, %c: tensor<30x20xf32>) -> tensor<30x20xf32> {
    %mm = linalg.matmul ins(%a, %b : tensor<30x12xf32>, tensor<12x20xf32>) outs(%c : tensor<30x20xf32>) -> tensor<30x20xf32>
    return %mm : tensor<30x20xf32>
  }
}
