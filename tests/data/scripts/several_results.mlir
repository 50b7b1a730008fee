// One op with two results, each the producer of another op, in one grid.
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %both = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %sum = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %grid = transform.structured.tile_using_forall %sum tile_sizes [4, 6] (mapping = [#gpu.block<y>, #gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %both_in, %grid1 = transform.structured.fuse_into_containing_op %both into %grid
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

  func.func @f(%a: tensor<9x16xf32>, %b: tensor<9x16xf32>) -> (tensor<9x16xf32>, tensor<9x16xf32>) {
    %e = tensor.empty() : tensor<9x16xf32>
    %o = tensor.empty() : tensor<9x16xf32>
    %m, %n = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]
    } ins(%a, %b : tensor<9x16xf32>, tensor<9x16xf32>) outs(%e, %o : tensor<9x16xf32>, tensor<9x16xf32>) {
    ^bb0(%x: f32, %y: f32, %p: f32, %q: f32):
      %larger = arith.maximumf %x, %y : f32
      %smaller = arith.minimumf %x, %y : f32
      linalg.yield %larger, %smaller : f32, f32
    } -> (tensor<9x16xf32>, tensor<9x16xf32>)
    %s = linalg.add ins(%m, %n : tensor<9x16xf32>, tensor<9x16xf32>) outs(%e : tensor<9x16xf32>) -> tensor<9x16xf32>
    return %s, %n : tensor<9x16xf32>, tensor<9x16xf32>
  }
}
