// Partial tiles filled up, so that every tile has one shape.
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loops:3 = transform.structured.tile_using_for %mm tile_sizes [8, 8, 8]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %padded, %pads, %copies = transform.structured.pad %tile
      {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], nofold_flags = [0, 0, 0], copy_back_op = "linalg.copy"}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }

  func.func @f(%a: tensor<20x21xf32>, %b: tensor<21x27xf32>, %c: tensor<20x27xf32>) -> tensor<20x27xf32> {
    %mm = linalg.matmul ins(%a, %b : tensor<20x21xf32>, tensor<21x27xf32>) outs(%c : tensor<20x27xf32>) -> tensor<20x27xf32>
    return %mm : tensor<20x27xf32>
  }
}
