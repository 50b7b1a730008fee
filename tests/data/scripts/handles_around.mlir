// From one op to all others: producers, consumers, operands, results, parents.
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %n = transform.num_associations %mm : (!transform.any_op) -> !transform.param<i64>
    transform.debug.emit_param_as_remark %n, "products" at %mm : !transform.param<i64>, !transform.any_op

    // The fill by way of its value, the tail by way of the result.
    %init = transform.get_operand %mm[2] : (!transform.any_op) -> !transform.any_value
    %fill = transform.get_defining_op %init : (!transform.any_value) -> !transform.any_op
    %tail = transform.get_consumers_of_result %mm[0] : (!transform.any_op) -> !transform.any_op
    %relu = transform.cast %tail : !transform.any_op to !transform.op<"linalg.generic">
    %out = transform.get_result %relu[0] : (!transform.op<"linalg.generic">) -> !transform.any_value
    %again = transform.get_defining_op %out : (!transform.any_value) -> !transform.any_op
    %func = transform.get_parent_op %again {op_name = "func.func"} : (!transform.any_op) -> !transform.any_op
    %scope = transform.get_parent_op %mm {isolated_from_above, deduplicate} : (!transform.any_op) -> !transform.op<"func.func">
    transform.verify %scope : !transform.op<"func.func">

    transform.annotate %fill "start_of_sum" : !transform.any_op
    %tiled, %grid = transform.structured.tile_using_forall %relu tile_sizes [8, 12]
      : (!transform.op<"linalg.generic">) -> (!transform.any_op, !transform.any_op)
    %mm_in, %grid1 = transform.structured.fuse_into_containing_op %mm into %grid
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fill_in, %grid2 = transform.structured.fuse_into_containing_op %fill into %grid1
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %grid2, "the grid" : !transform.any_op

    %inside = transform.structured.match ops{["linalg.matmul", "linalg.fill", "linalg.generic"]} in %grid2 : (!transform.any_op) -> !transform.any_op
    %products = transform.select "linalg.matmul" in %inside : (!transform.any_op) -> !transform.op<"linalg.matmul">
    transform.print %products {name = "the product in its grid"} : !transform.op<"linalg.matmul">
    %part, %k = transform.structured.tile_using_for %products tile_sizes [0, 0, 6]
      : (!transform.op<"linalg.matmul">) -> (!transform.any_op, !transform.op<"scf.for">)
    %size = transform.param.constant 6 : i64 -> !transform.param<i64>
    transform.annotate %k "tile_of_k" = %size : !transform.op<"scf.for">, !transform.param<i64>
    transform.yield
  }

  func.func @f(%a: tensor<20x15xf16>, %b: tensor<15x30xf16>) -> tensor<20x30xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<20x30xf32>
    %init = linalg.fill ins(%zero : f32) outs(%e : tensor<20x30xf32>) -> tensor<20x30xf32>
    %mm = linalg.matmul ins(%a, %b : tensor<20x15xf16>, tensor<15x30xf16>) outs(%init : tensor<20x30xf32>) -> tensor<20x30xf32>
    %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%mm : tensor<20x30xf32>) outs(%e : tensor<20x30xf32>) {
    ^bb0(%x: f32, %o: f32):
      %m = arith.maximumf %x, %zero : f32
      linalg.yield %m : f32
    } -> tensor<20x30xf32>
    return %r : tensor<20x30xf32>
  }
}
