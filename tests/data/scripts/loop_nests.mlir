// Loops unrolled, merged into one, dropped where they run once.
// level: tensors
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %ops = transform.structured.match ops{["linalg.exp", "linalg.mul", "linalg.sqrt"]} in %root : (!transform.any_op) -> !transform.any_op
    %mul, %exp, %sqrt = transform.split_handle %ops : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %m, %m_loop = transform.structured.tile_using_for %mul tile_sizes [4]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.loop.unroll %m_loop {factor = 2} : !transform.any_op
    %e, %rows, %columns = transform.structured.tile_using_for %exp tile_sizes [6, 4]
      : (!transform.any_op) -> (!transform.any_op, !transform.op<"scf.for">, !transform.op<"scf.for">)
    %one = transform.loop.coalesce %rows : (!transform.op<"scf.for">) -> !transform.op<"scf.for">
    %s, %once, %many = transform.structured.tile_using_for %sqrt tile_sizes [24, 8]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.loop.promote_if_one_iteration %once : !transform.any_op
    transform.yield
  }

  func.func @f(%a: tensor<24x16xf32>, %b: tensor<24x16xf32>) -> tensor<24x16xf32> {
    %e = tensor.empty() : tensor<24x16xf32>
    %p = linalg.mul ins(%a, %b : tensor<24x16xf32>, tensor<24x16xf32>) outs(%e : tensor<24x16xf32>) -> tensor<24x16xf32>
    %x = linalg.exp ins(%p : tensor<24x16xf32>) outs(%e : tensor<24x16xf32>) -> tensor<24x16xf32>
    %r = linalg.sqrt ins(%x : tensor<24x16xf32>) outs(%e : tensor<24x16xf32>) -> tensor<24x16xf32>
    return %r : tensor<24x16xf32>
  }
}
