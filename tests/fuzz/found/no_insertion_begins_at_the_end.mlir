// A cast folded into an insertion made a place at the end of a tensor static.
module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %h1 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  %h2 = transform.structured.interchange %h1 iterator_interchange = [2, 1, 0] : (!transform.any_op) -> !transform.any_op
  %h3, %h4, %h5, %h6 = transform.structured.tile_using_for %h2 tile_sizes [5, 4, 9] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  %h7 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  %h8 = transform.structured.split %h7 after 32 {dimension = 0} : !transform.any_op
  %h17 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %h17 { transform.apply_patterns.canonicalization transform.apply_patterns.canonicalization } : !transform.any_op
  transform.yield
}
func.func @layer(%x: tensor<17x3x4xf32>, %cosine: tensor<17x2xf32>, %sine: tensor<17x2xf32>) -> tensor<17x3x4xf32> {
  %part = tensor.extract_slice %x[0, 0, 0] [17, 3, 2] [1, 1, 1] : tensor<17x3x4xf32> to tensor<17x3x2xf32>
  %part_1 = tensor.extract_slice %x[0, 0, 2] [17, 3, 2] [1, 1, 1] : tensor<17x3x4xf32> to tensor<17x3x2xf32>
  %empty = tensor.empty() : tensor<17x3x2xf32>
  %empty_1 = tensor.empty() : tensor<17x3x2xf32>
  %rope, %rope_1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%part, %part_1, %cosine, %sine : tensor<17x3x2xf32>, tensor<17x3x2xf32>, tensor<17x2xf32>, tensor<17x2xf32>) outs(%empty, %empty_1 : tensor<17x3x2xf32>, tensor<17x3x2xf32>) {
  ^bb0(%first: f32, %second: f32, %cosine_1: f32, %sine_1: f32, %out: f32, %out_1: f32):
    %0 = arith.mulf %first, %cosine_1 : f32
    %1 = arith.mulf %second, %sine_1 : f32
    %2 = arith.subf %0, %1 : f32
    %3 = arith.mulf %second, %cosine_1 : f32
    %4 = arith.mulf %first, %sine_1 : f32
    %5 = arith.addf %3, %4 : f32
    linalg.yield %2, %5 : f32, f32
  } -> (tensor<17x3x2xf32>, tensor<17x3x2xf32>)
  %empty_2 = tensor.empty() : tensor<17x3x4xf32>
  %joined = tensor.insert_slice %rope into %empty_2[0, 0, 0] [17, 3, 2] [1, 1, 1] : tensor<17x3x2xf32> into tensor<17x3x4xf32>
  %joined_1 = tensor.insert_slice %rope_1 into %joined[0, 0, 2] [17, 3, 2] [1, 1, 1] : tensor<17x3x2xf32> into tensor<17x3x4xf32>
  func.return %joined_1 : tensor<17x3x4xf32>
}
}
