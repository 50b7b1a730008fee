// Tiles larger than the loop, sizes of zero, loops of one, an op without loops, a size that divides nothing.
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %large, %none, %unit, %odd, %scalar = transform.split_handle %ops
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %a, %al:2 = transform.structured.tile_using_for %large tile_sizes [100, 64]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %b = transform.structured.tile_using_for %none tile_sizes [0, 0]
      : (!transform.any_op) -> !transform.any_op
    %c, %cg = transform.structured.tile_using_forall %unit tile_sizes [1, 1]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %d, %dg = transform.structured.tile_using_forall %odd num_threads [5, 3]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %e = transform.structured.generalize %scalar : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

  func.func @f(%a: tensor<7x33xf32>, %b: tensor<1x4xf32>, %c: tensor<f32>) -> (tensor<7x33xf32>, tensor<7x33xf32>, tensor<1x4xf32>, tensor<7x33xf32>, tensor<f32>) {
    %e = tensor.empty() : tensor<7x33xf32>
    %0 = linalg.exp ins(%a : tensor<7x33xf32>) outs(%e : tensor<7x33xf32>) -> tensor<7x33xf32>
    %1 = linalg.exp ins(%a : tensor<7x33xf32>) outs(%e : tensor<7x33xf32>) -> tensor<7x33xf32>
    %e1 = tensor.empty() : tensor<1x4xf32>
    %2 = linalg.exp ins(%b : tensor<1x4xf32>) outs(%e1 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %3 = linalg.exp ins(%0 : tensor<7x33xf32>) outs(%e : tensor<7x33xf32>) -> tensor<7x33xf32>
    %e2 = tensor.empty() : tensor<f32>
    %4 = linalg.exp ins(%c : tensor<f32>) outs(%e2 : tensor<f32>) -> tensor<f32>
    return %0, %1, %2, %3, %4 : tensor<7x33xf32>, tensor<7x33xf32>, tensor<1x4xf32>, tensor<7x33xf32>, tensor<f32>
  }
}
