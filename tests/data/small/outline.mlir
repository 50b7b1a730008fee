func.func @f(%x: tensor<30x16xf32>, %y: tensor<16x20xf32>) -> tensor<30x20xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<30x20xf32>
  %fill = linalg.fill ins(%c : f32) outs(%e : tensor<30x20xf32>) -> tensor<30x20xf32>
  %mm = linalg.matmul ins(%x, %y : tensor<30x16xf32>, tensor<16x20xf32>)
      outs(%fill : tensor<30x20xf32>) -> tensor<30x20xf32>
  %r = linalg.exp ins(%mm : tensor<30x20xf32>)
      outs(%e : tensor<30x20xf32>) -> tensor<30x20xf32>
  return %r : tensor<30x20xf32>
}
// -----
// outline a forall
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %f = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %a tile_sizes [8, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %fn, %call = transform.loop.outline %l {func_name = "outlined"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// outline a forall after fusing
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %f = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %a tile_sizes [8, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %b, %k = transform.structured.fuse_into_containing_op %m into %l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  %fn, %call = transform.loop.outline %k {func_name = "outlined"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// outline a forall after fusing two
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %f = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %a tile_sizes [8, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %b, %k = transform.structured.fuse_into_containing_op %m into %l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  %c, %j = transform.structured.fuse_into_containing_op %f into %k : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  %fn, %call = transform.loop.outline %j {func_name = "outlined"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// outline a for
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %f = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l, %l2 = transform.structured.tile_using_for %a tile_sizes [8, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  %fn, %call = transform.loop.outline %l {func_name = "outlined"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// outline an inner for
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %f = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l, %l2 = transform.structured.tile_using_for %a tile_sizes [8, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  %fn, %call = transform.loop.outline %l2 {func_name = "outlined"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// outline a for after fusing
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %f = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l, %l2 = transform.structured.tile_using_for %a tile_sizes [8, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  %b, %k = transform.structured.fuse_into_containing_op %m into %l2 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  %fn, %call = transform.loop.outline %k {func_name = "outlined"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// outline the outer for after fusing
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %f = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l, %l2 = transform.structured.tile_using_for %a tile_sizes [8, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  %b, %k = transform.structured.fuse_into_containing_op %m into %l2 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  %q = transform.get_parent_op %k {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
  %fn, %call = transform.loop.outline %q {func_name = "outlined"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// outline a tiled matmul
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:3 = transform.structured.tile_using_for %m tile_sizes [8, 4, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  %fn, %call = transform.loop.outline %l#0 {func_name = "outlined"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// outline the innermost loop of a matmul
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:3 = transform.structured.tile_using_for %m tile_sizes [8, 4, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  %fn, %call = transform.loop.outline %l#2 {func_name = "outlined"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// outline two loops
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_for %m tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %u, %k = transform.structured.tile_using_for %a tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %h = transform.merge_handles %l, %k : !transform.any_op
  %fn, %call = transform.loop.outline %h {func_name = "outlined"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
// -----
// clean up, then outline a forall after fusing
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %f = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %a tile_sizes [8, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %b, %k = transform.structured.fuse_into_containing_op %m into %l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  %fu = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %fu { transform.apply_patterns.canonicalization } : !transform.any_op
  transform.apply_cse to %fu : !transform.any_op
  %fn, %call = transform.loop.outline %k {func_name = "outlined"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// clean up, then outline a forall after fusing two
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %f = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %a tile_sizes [8, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %b, %k = transform.structured.fuse_into_containing_op %m into %l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  %c, %j = transform.structured.fuse_into_containing_op %f into %k : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  %fu = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %fu { transform.apply_patterns.canonicalization } : !transform.any_op
  transform.apply_cse to %fu : !transform.any_op
  %fn, %call = transform.loop.outline %j {func_name = "outlined"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// clean up, then outline a for after fusing
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %f = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l, %l2 = transform.structured.tile_using_for %a tile_sizes [8, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  %b, %k = transform.structured.fuse_into_containing_op %m into %l2 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  %fu = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %fu { transform.apply_patterns.canonicalization } : !transform.any_op
  transform.apply_cse to %fu : !transform.any_op
  %fn, %call = transform.loop.outline %k {func_name = "outlined"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// clean up, then outline the outer for after fusing
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %f = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l, %l2 = transform.structured.tile_using_for %a tile_sizes [8, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  %b, %k = transform.structured.fuse_into_containing_op %m into %l2 : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  %q = transform.get_parent_op %k {op_name = "scf.for"} : (!transform.any_op) -> !transform.any_op
  %fu = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %fu { transform.apply_patterns.canonicalization } : !transform.any_op
  transform.apply_cse to %fu : !transform.any_op
  %fn, %call = transform.loop.outline %q {func_name = "outlined"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// clean up, then outline after fuse
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:2 = transform.structured.fuse %a tile_sizes [8, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  %fu = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %fu { transform.apply_patterns.canonicalization } : !transform.any_op
  transform.apply_cse to %fu : !transform.any_op
  %fn, %call = transform.loop.outline %l#0 {func_name = "outlined"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// clean up, then outline the inner loop after fuse
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:2 = transform.structured.fuse %a tile_sizes [8, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  %fu = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %fu { transform.apply_patterns.canonicalization } : !transform.any_op
  transform.apply_cse to %fu : !transform.any_op
  %fn, %call = transform.loop.outline %l#1 {func_name = "outlined"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// clean up, then outline after fuse with forall
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.fuse %a tile_sizes [8, 4] {use_forall} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %fu = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
  transform.apply_patterns to %fu { transform.apply_patterns.canonicalization } : !transform.any_op
  transform.apply_cse to %fu : !transform.any_op
  %fn, %call = transform.loop.outline %l {func_name = "outlined"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

