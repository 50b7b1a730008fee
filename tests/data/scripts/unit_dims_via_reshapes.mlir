// Dimensions of extent 1 go before the rest is tiled, by reshapes.
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func {
      transform.apply_patterns.linalg.fold_unit_extent_dims_via_reshapes
    } : !transform.any_op
    transform.apply_cse to %func : !transform.any_op
    %generic = transform.structured.match ops{["linalg.generic"]} in %func : (!transform.any_op) -> !transform.any_op
    %tile, %grid = transform.structured.tile_using_forall %generic tile_sizes [8]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

  func.func @f(%a: tensor<1x20x1x6xf32>, %b: tensor<1x6xf32>) -> tensor<1x20x1x6xf32> {
    %e = tensor.empty() : tensor<1x20x1x6xf32>
    %r = linalg.generic {
      indexing_maps = [affine_map<(n, i, u, j) -> (n, i, u, j)>, affine_map<(n, i, u, j) -> (u, j)>, affine_map<(n, i, u, j) -> (n, i, u, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%a, %b : tensor<1x20x1x6xf32>, tensor<1x6xf32>) outs(%e : tensor<1x20x1x6xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
      %s = arith.mulf %x, %y : f32
      linalg.yield %s : f32
    } -> tensor<1x20x1x6xf32>
    return %r : tensor<1x20x1x6xf32>
  }
}
