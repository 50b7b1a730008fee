// Slices that cannot be merged left ops behind that nobody saw, but that read payload.
module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
  %h1 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_dce to %h1 : !transform.any_op
  %h2 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  %h3, %h4 = transform.structured.tile_using_forall %h2 tile_sizes [0, 16, 0] (mapping = [#gpu.block<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %h5, %h6, %h7, %h8 = transform.structured.tile_using_for %h3 tile_sizes [8, 4, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  %h9 = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
  %h10 = transform.structured.split %h9 after 5 {dimension = 2} : !transform.any_op
  %h15 = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %h15 { transform.apply_patterns.tensor.merge_consecutive_insert_extract_slice transform.apply_patterns.scf.for_loop_canonicalization } : !transform.any_op
  transform.yield
}
func.func @random(%x0: tensor<7x2x2xi32>, %x1: tensor<i32>) -> tensor<7x2x2xi32> {
  %cst = arith.constant -2147483648 : i32
  %cst_1 = arith.constant 2 : i32
  %empty = tensor.empty() : tensor<7x2xi32>
  %init = linalg.fill ins(%cst : i32) outs(%empty : tensor<7x2xi32>) -> tensor<7x2xi32>
  %max = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>], iterator_types = ["parallel", "reduction", "parallel"]} ins(%x0 : tensor<7x2x2xi32>) outs(%init : tensor<7x2xi32>) {
  ^bb0(%x: i32, %acc: i32):
    %0 = arith.maxsi %x, %acc : i32
    linalg.yield %0 : i32
  } -> tensor<7x2xi32>
  %empty_1 = tensor.empty() : tensor<7x2x2xi32>
  %sub = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x0, %max : tensor<7x2x2xi32>, tensor<7x2xi32>) outs(%empty_1 : tensor<7x2x2xi32>) {
  ^bb0(%x_1: i32, %y: i32, %out: i32):
    %1 = arith.subi %x_1, %y : i32
    linalg.yield %1 : i32
  } -> tensor<7x2x2xi32>
  %empty_2 = tensor.empty() : tensor<7x2x2xi32>
  %traced = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> ()>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sub, %x1, %sub : tensor<7x2x2xi32>, tensor<i32>, tensor<7x2x2xi32>) outs(%empty_2 : tensor<7x2x2xi32>) {
  ^bb0(%x0_1: i32, %x1_1: i32, %x2: i32, %out_1: i32):
    %2 = arith.subi %x2, %x2 : i32
    %3 = arith.maxsi %2, %2 : i32
    %4 = arith.subi %x0_1, %3 : i32
    %5 = arith.minsi %x1_1, %4 : i32
    linalg.yield %5 : i32
  } -> tensor<7x2x2xi32>
  %empty_3 = tensor.empty() : tensor<7x2x2xi32>
  %traced_1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> ()>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x0, %x1 : tensor<7x2x2xi32>, tensor<i32>) outs(%empty_3 : tensor<7x2x2xi32>) {
  ^bb0(%x0_2: i32, %x1_2: i32, %out_2: i32):
    %6 = arith.subi %x1_2, %x1_2 : i32
    %7 = arith.muli %6, %cst_1 : i32
    %8 = arith.muli %7, %7 : i32
    %9 = arith.addi %6, %8 : i32
    %10 = arith.addi %x0_2, %9 : i32
    linalg.yield %10 : i32
  } -> tensor<7x2x2xi32>
  func.return %traced_1 : tensor<7x2x2xi32>
}
}
