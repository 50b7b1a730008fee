// i8 operands summed in i32; loops in another order with the fill fused, then one over k.
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %l:2 = transform.structured.fuse %mm tile_sizes [7, 16] interchange [1, 0]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %again, %k = transform.structured.tile_using_for %tiled tile_sizes [0, 0, 5]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }

  func.func @matmul_i8(%a: tensor<20x33xi8>, %b: tensor<33x40xi8>) -> tensor<20x40xi32> {
    %zero = arith.constant 0 : i32
    %e = tensor.empty() : tensor<20x40xi32>
    %init = linalg.fill ins(%zero : i32) outs(%e : tensor<20x40xi32>) -> tensor<20x40xi32>
    %mm = linalg.matmul ins(%a, %b : tensor<20x33xi8>, tensor<33x40xi8>) outs(%init : tensor<20x40xi32>) -> tensor<20x40xi32>
    return %mm : tensor<20x40xi32>
  }
}
