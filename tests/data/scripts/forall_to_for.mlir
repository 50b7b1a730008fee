// A grid on buffers as plain loops, for a machine without one.
// level: buffers
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %grid = transform.structured.tile_using_forall %mm tile_sizes [6, 8]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %part, %k = transform.structured.tile_using_for %tile tile_sizes [0, 0, 5]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %buffers = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %root
      {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    %forall = transform.structured.match ops{["scf.forall"]} in %buffers : (!transform.any_op) -> !transform.any_op
    %i, %j = transform.loop.forall_to_for %forall : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.loop.unroll %j {factor = 2} : !transform.any_op
    transform.yield
  }

  func.func @f(%a: tensor<12x10xf32>, %b: tensor<10x20xf32>) -> tensor<12x20xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<12x20xf32>
    %c = linalg.fill ins(%zero : f32) outs(%e : tensor<12x20xf32>) -> tensor<12x20xf32>
    %mm = linalg.matmul ins(%a, %b : tensor<12x10xf32>, tensor<10x20xf32>) outs(%c : tensor<12x20xf32>) -> tensor<12x20xf32>
    return %mm : tensor<12x20xf32>
  }
}
