// One sum split into eight, another carried through a loop as a row of partial sums.
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %sums = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %first, %second = transform.split_handle %sums : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %init, %fill, %split, %combine = transform.structured.split_reduction %first {split_factor = 8, insert_split_dimension = 1}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %grid_tile, %grid = transform.structured.tile_using_forall %split tile_sizes [0, 1] (mapping = [#gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f, %part, %merge, %loop = transform.structured.tile_reduction_using_for %second by tile_sizes = [0, 12]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }

  func.func @f(%a: tensor<6x64xf32>, %b: tensor<10x50xf32>, %c: tensor<6xf32>, %d: tensor<10xf32>) -> (tensor<6xf32>, tensor<10xf32>) {
    %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
        ins(%a : tensor<6x64xf32>) outs(%c : tensor<6xf32>) {
    ^bb0(%x: f32, %acc: f32):
      %t = arith.addf %x, %acc : f32
      linalg.yield %t : f32
    } -> tensor<6xf32>
    %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
        ins(%b : tensor<10x50xf32>) outs(%d : tensor<10xf32>) {
    ^bb0(%x: f32, %acc: f32):
      %t = arith.maximumf %x, %acc : f32
      linalg.yield %t : f32
    } -> tensor<10xf32>
    return %s, %m : tensor<6xf32>, tensor<10xf32>
  }
}
