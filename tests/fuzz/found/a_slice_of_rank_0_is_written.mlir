// The interpreter lost what was inserted into a slice of rank 0 (and what was stored in such a view).
module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %h1 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  %h2, %h3, %h4, %h5 = transform.split_handle %h1 : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  %h7, %h8, %h9, %h10 = transform.structured.tile_reduction_using_forall %h2 by tile_sizes = [1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  %h11 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.sequence %h11 : !transform.any_op failures(propagate) {
  ^bb0(%f: !transform.any_op):
    %s0 = transform.structured.match ops{["linalg.generic"]} in %f : (!transform.any_op) -> !transform.any_op
        %st0, %st0l = transform.structured.fuse %s0 tile_sizes [1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %s1 = transform.structured.match ops{["linalg.reduce"]} in %f : (!transform.any_op) -> !transform.any_op
        %st1 = transform.structured.generalize %s1 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  transform.yield
}
func.func @layer(%x: tensor<7xf32>) -> tensor<7xf32> {
  %minus_infinity = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %empty = tensor.empty() : tensor<f32>
  %init = linalg.fill ins(%minus_infinity : f32) outs(%empty : tensor<f32>) -> tensor<f32>
  %largest = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<7xf32>) outs(%init : tensor<f32>) {
  ^bb0(%x_1: f32, %acc: f32):
    %0 = arith.maximumf %x_1, %acc : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  %empty_1 = tensor.empty() : tensor<7xf32>
  %exponential = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x, %largest : tensor<7xf32>, tensor<f32>) outs(%empty_1 : tensor<7xf32>) {
  ^bb0(%x_2: f32, %largest_1: f32, %out: f32):
    %1 = arith.subf %x_2, %largest_1 : f32
    %2 = math.exp %1 : f32
    linalg.yield %2 : f32
  } -> tensor<7xf32>
  %empty_2 = tensor.empty() : tensor<f32>
  %init_1 = linalg.fill ins(%zero : f32) outs(%empty_2 : tensor<f32>) -> tensor<f32>
  %total = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%exponential : tensor<7xf32>) outs(%init_1 : tensor<f32>) {
  ^bb0(%x_3: f32, %acc_1: f32):
    %3 = arith.addf %x_3, %acc_1 : f32
    linalg.yield %3 : f32
  } -> tensor<f32>
  %empty_3 = tensor.empty() : tensor<7xf32>
  %softmax = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%exponential, %total : tensor<7xf32>, tensor<f32>) outs(%empty_3 : tensor<7xf32>) {
  ^bb0(%power: f32, %total_1: f32, %out_1: f32):
    %4 = arith.divf %power, %total_1 : f32
    linalg.yield %4 : f32
  } -> tensor<7xf32>
  func.return %softmax : tensor<7xf32>
}
}
