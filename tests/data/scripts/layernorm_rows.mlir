// A layernorm in five ops, its rows shared out among three programs.
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %generics = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %sum, %center, %square, %scale = transform.split_handle %generics
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %fills = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %grid = transform.structured.tile_using_forall %scale num_threads [3] (mapping = [#gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %a, %g1 = transform.structured.fuse_into_containing_op %square into %grid : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %b, %g2 = transform.structured.fuse_into_containing_op %center into %g1 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %c, %g3 = transform.structured.fuse_into_containing_op %sum into %g2 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %d, %g4 = transform.structured.fuse_into_containing_op %fills into %g3 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

  func.func @layernorm(%x: tensor<10x16xf32>) -> tensor<10x16xf32> {
    %zero = arith.constant 0.0 : f32
    %n = arith.constant 16.0 : f32
    %eps = arith.constant 0.001 : f32
    %e1 = tensor.empty() : tensor<10xf32>
    %i1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<10xf32>) -> tensor<10xf32>
    %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<10x16xf32>) outs(%i1 : tensor<10xf32>) {
    ^bb0(%v: f32, %acc: f32):
      %s = arith.addf %acc, %v : f32
      linalg.yield %s : f32
    } -> tensor<10xf32>
    %e2 = tensor.empty() : tensor<10x16xf32>
    %center = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%x, %sum : tensor<10x16xf32>, tensor<10xf32>) outs(%e2 : tensor<10x16xf32>) {
    ^bb0(%v: f32, %total: f32, %o: f32):
      %mean = arith.divf %total, %n : f32
      %c = arith.subf %v, %mean : f32
      linalg.yield %c : f32
    } -> tensor<10x16xf32>
    %square = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
        ins(%center : tensor<10x16xf32>) outs(%i1 : tensor<10xf32>) {
    ^bb0(%v: f32, %acc: f32):
      %q = arith.mulf %v, %v : f32
      %s = arith.addf %acc, %q : f32
      linalg.yield %s : f32
    } -> tensor<10xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%center, %square : tensor<10x16xf32>, tensor<10xf32>) outs(%e2 : tensor<10x16xf32>) {
    ^bb0(%v: f32, %total: f32, %o: f32):
      %var = arith.divf %total, %n : f32
      %sure = arith.addf %var, %eps : f32
      %inverse = math.rsqrt %sure : f32
      %y = arith.mulf %v, %inverse : f32
      linalg.yield %y : f32
    } -> tensor<10x16xf32>
    return %r : tensor<10x16xf32>
  }
}
