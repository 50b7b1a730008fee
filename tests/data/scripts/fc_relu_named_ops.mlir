// A layer in named ops only: broadcast, transpose, element-wise; tiled, fused and tiled again.
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %max = transform.structured.match ops{["linalg.max"]} in %root : (!transform.any_op) -> !transform.any_op
    %add = transform.structured.match ops{["linalg.elementwise"]} in %root : (!transform.any_op) -> !transform.any_op
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %spread = transform.structured.match ops{["linalg.broadcast"]} in %root : (!transform.any_op) -> !transform.any_op
    %turned = transform.structured.match ops{["linalg.transpose"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %grid = transform.structured.tile_using_forall %max tile_sizes [4, 32]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %add_in, %grid1 = transform.structured.fuse_into_containing_op %add into %grid : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %mm_in, %grid2 = transform.structured.fuse_into_containing_op %mm into %grid1 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %spread_in, %grid3 = transform.structured.fuse_into_containing_op %spread into %grid2 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %turned_in, %grid4 = transform.structured.fuse_into_containing_op %turned into %grid3 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    // Inside a tile once more, for a small kernel.
    %small, %inner = transform.structured.tile_using_forall %add_in tile_sizes [4, 4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %mm_small, %inner1 = transform.structured.fuse_into_containing_op %mm_in into %inner : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

  func.func @fc_relu(%x: tensor<12x24xf32>, %w: tensor<40x24xf32>, %bias: tensor<40xf32>, %zero: tensor<12x40xf32>, %c: tensor<12x40xf32>) -> tensor<12x40xf32> {
    %e = tensor.empty() : tensor<24x40xf32>
    %t = linalg.transpose ins(%w : tensor<40x24xf32>) outs(%e : tensor<24x40xf32>) permutation = [1, 0]
    %mm = linalg.matmul ins(%x, %t : tensor<12x24xf32>, tensor<24x40xf32>) outs(%c : tensor<12x40xf32>) -> tensor<12x40xf32>
    %e1 = tensor.empty() : tensor<12x40xf32>
    %b = linalg.broadcast ins(%bias : tensor<40xf32>) outs(%e1 : tensor<12x40xf32>) dimensions = [0]
    %s = linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%mm, %b : tensor<12x40xf32>, tensor<12x40xf32>) outs(%e1 : tensor<12x40xf32>) -> tensor<12x40xf32>
    %r = linalg.max ins(%s, %zero : tensor<12x40xf32>, tensor<12x40xf32>) outs(%e1 : tensor<12x40xf32>) -> tensor<12x40xf32>
    return %r : tensor<12x40xf32>
  }
}
