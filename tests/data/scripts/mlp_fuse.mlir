// Two layers in one nest of loops: everything that feeds the last op is fused.
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %generics = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %relu, %bias = transform.split_handle %generics : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tail, %loops:2 = transform.structured.fuse %bias tile_sizes [8, 16]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }

  func.func @mlp(%x: tensor<20x12xf32>, %w1: tensor<12x24xf32>, %w2: tensor<24x36xf32>, %b: tensor<36xf32>) -> tensor<20x36xf32> {
    %zero = arith.constant 0.0 : f32
    %e1 = tensor.empty() : tensor<20x24xf32>
    %i1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<20x24xf32>) -> tensor<20x24xf32>
    %h = linalg.matmul ins(%x, %w1 : tensor<20x12xf32>, tensor<12x24xf32>) outs(%i1 : tensor<20x24xf32>) -> tensor<20x24xf32>
    %e2 = tensor.empty() : tensor<20x24xf32>
    %relu = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%h : tensor<20x24xf32>) outs(%e2 : tensor<20x24xf32>) {
    ^bb0(%v: f32, %o: f32):
      %m = arith.maximumf %v, %zero : f32
      linalg.yield %m : f32
    } -> tensor<20x24xf32>
    %e3 = tensor.empty() : tensor<20x36xf32>
    %i3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<20x36xf32>) -> tensor<20x36xf32>
    %y = linalg.matmul ins(%relu, %w2 : tensor<20x24xf32>, tensor<24x36xf32>) outs(%i3 : tensor<20x36xf32>) -> tensor<20x36xf32>
    %e4 = tensor.empty() : tensor<20x36xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%y, %b : tensor<20x36xf32>, tensor<36xf32>) outs(%e4 : tensor<20x36xf32>) {
    ^bb0(%v: f32, %c: f32, %o: f32):
      %s = arith.addf %v, %c : f32
      linalg.yield %s : f32
    } -> tensor<20x36xf32>
    return %r : tensor<20x36xf32>
  }
}
