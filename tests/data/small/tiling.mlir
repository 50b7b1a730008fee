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
// tile_using_forall num_threads [] tile_sizes [8, 4]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %m num_threads [] tile_sizes [8, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_forall num_threads [2] tile_sizes []
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %m num_threads [2] tile_sizes [] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_forall num_threads [2, 4]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %m num_threads [2, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_forall tile_sizes [8, 4]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %m tile_sizes [8, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_forall tile_sizes [8, 4] num_threads []
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %m tile_sizes [8, 4] num_threads [] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_forall num_threads [] tile_sizes []
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %m num_threads [] tile_sizes [] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_forall num_threads [2] tile_sizes [8]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %m num_threads [2] tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_forall tile_sizes [0, 8]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %m tile_sizes [0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_forall num_threads [0, 3]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %m num_threads [0, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_forall tile_sizes [8, 4] (mapping = [#gpu.block<y>, #gpu.block<x>])
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %m tile_sizes [8, 4] (mapping = [#gpu.block<y>, #gpu.block<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_forall tile_sizes [8] (mapping = [#gpu.block<y>, #gpu.block<x>])
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %m tile_sizes [8] (mapping = [#gpu.block<y>, #gpu.block<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_forall num_threads [2] (mapping = [#gpu.block<x>])
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %m num_threads [2] (mapping = [#gpu.block<x>]) : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_forall tile_sizes [64, 64]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %m tile_sizes [64, 64] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_forall num_threads [64]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %m num_threads [64] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_forall tile_sizes [30, 20]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %m tile_sizes [30, 20] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_forall tile_sizes [1, 1]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %m tile_sizes [1, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_forall tile_sizes [8, 4, 0, 0]
// only ours refuses: a size for a loop that is not there is a mistake
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %m tile_sizes [8, 4, 0, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_forall tile_sizes [8, 4] {mapping = [#gpu.block<y>, #gpu.block<x>]}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %m tile_sizes [8, 4] {mapping = [#gpu.block<y>, #gpu.block<x>]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_forall by a parameter
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  %t, %l = transform.structured.tile_using_forall %m tile_sizes [%p, 4] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_forall, threads by a parameter
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  %t, %l = transform.structured.tile_using_forall %m num_threads [%p] tile_sizes [] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_forall by packed sizes
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  %q = transform.merge_handles %p, %p : !transform.param<i64>
  %t, %l = transform.structured.tile_using_forall %m tile_sizes *(%q) : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_forall by packed threads
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  %q = transform.merge_handles %p, %p : !transform.param<i64>
  %t, %l = transform.structured.tile_using_forall %m num_threads *(%q) : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_forall of a list of ops
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %h = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %h tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %n = transform.num_associations %l : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// tile_using_for tile_sizes [8, 4, 2], 3 loops
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:3 = transform.structured.tile_using_for %m tile_sizes [8, 4, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_for tile_sizes [8, 4, 2] interchange = [2, 0, 1], 3 loops
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:3 = transform.structured.tile_using_for %m tile_sizes [8, 4, 2] interchange = [2, 0, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_for tile_sizes [0, 0, 4], 1 loops
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:1 = transform.structured.tile_using_for %m tile_sizes [0, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_for tile_sizes [8], 1 loops
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:1 = transform.structured.tile_using_for %m tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_for tile_sizes [], 0 loops
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t = transform.structured.tile_using_for %m tile_sizes [] : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// tile_using_for tile_sizes [0], 0 loops
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t = transform.structured.tile_using_for %m tile_sizes [0] : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// tile_using_for tile_sizes [8, 4, 2] interchange = [0], 3 loops
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:3 = transform.structured.tile_using_for %m tile_sizes [8, 4, 2] interchange = [0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_for tile_sizes [64], 1 loops
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:1 = transform.structured.tile_using_for %m tile_sizes [64] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_for tile_sizes [8, 4], 1 loops
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:1 = transform.structured.tile_using_for %m tile_sizes [8, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_for tile_sizes [[8], 4], 2 loops
// only ours refuses: Triton has no scalable vectors
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:2 = transform.structured.tile_using_for %m tile_sizes [[8], 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_for tile_sizes [8, 4, 2] {interchange = array<i64: 2, 0, 1>}, 3 loops
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:3 = transform.structured.tile_using_for %m tile_sizes [8, 4, 2] {interchange = array<i64: 2, 0, 1>} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_for tile_sizes [7, 3], 2 loops
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:2 = transform.structured.tile_using_for %m tile_sizes [7, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_for , 0 loops
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t = transform.structured.tile_using_for %m  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// tile_using_for tile_sizes [8, 4] interchange = [1, 0], 2 loops
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:2 = transform.structured.tile_using_for %m tile_sizes [8, 4] interchange = [1, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_for tile_sizes [8, 4] interchange = [1, 1], 2 loops
// only ours refuses: [1, 1] is not an order
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:2 = transform.structured.tile_using_for %m tile_sizes [8, 4] interchange = [1, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_for by a parameter
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  %t, %l:2 = transform.structured.tile_using_for %m tile_sizes [%p, 4] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_for by two parameters of a handle
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  %q = transform.merge_handles %p, %p : !transform.param<i64>
  %t, %l = transform.structured.tile_using_for %m tile_sizes [%q] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_using_for: a size for each op
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %h = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  %q = transform.merge_handles %p, %p, %p : !transform.param<i64>
  %t, %l = transform.structured.tile_using_for %h tile_sizes [%q] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// fuse tile_sizes [8, 4]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:2 = transform.structured.fuse %a tile_sizes [8, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// fuse tile_sizes [8]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:1 = transform.structured.fuse %a tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// fuse tile_sizes [8, 4] interchange [1, 0]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:2 = transform.structured.fuse %a tile_sizes [8, 4] interchange [1, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// fuse tile_sizes [8, 4] {apply_cleanup}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:2 = transform.structured.fuse %a tile_sizes [8, 4] {apply_cleanup} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// fuse tile_sizes [8, 4] {use_forall}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:1 = transform.structured.fuse %a tile_sizes [8, 4] {use_forall} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// fuse [8, 4]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:2 = transform.structured.fuse %a [8, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// fuse {tile_sizes = [8, 4]}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:2 = transform.structured.fuse %a {tile_sizes = [8, 4]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// fuse tile_sizes [0, 0]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %t = transform.structured.fuse %a tile_sizes [0, 0] : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// fuse_into_containing_op
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %f = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %a tile_sizes [8, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %b, %k = transform.structured.fuse_into_containing_op %m into %l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  %c, %j = transform.structured.fuse_into_containing_op %f into %k : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// fuse_into_containing_op: no producer
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %f = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %a tile_sizes [8, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %b, %k = transform.structured.fuse_into_containing_op %t into %l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// fuse_into_containing_op: several producers at once
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %f = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %a tile_sizes [8, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %h = transform.merge_handles %m, %f : !transform.any_op
  %b, %k = transform.structured.fuse_into_containing_op %h into %l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// fuse_into_containing_op: an empty handle
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %f = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %a tile_sizes [8, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %h = transform.structured.match ops{["linalg.sub"]} in %root : (!transform.any_op) -> !transform.any_op
  %b, %k = transform.structured.fuse_into_containing_op %h into %l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// fuse_into_containing_op twice
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %f = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %a tile_sizes [8, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %b, %k = transform.structured.fuse_into_containing_op %m into %l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  %c, %j = transform.structured.fuse_into_containing_op %m into %k : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_reduction_using_for tile_sizes = [0, 0, 4]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %f, %p, %c, %l = transform.structured.tile_reduction_using_for %m tile_sizes = [0, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_reduction_using_for by tile_sizes = [0, 0, 4]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %f, %p, %c, %l = transform.structured.tile_reduction_using_for %m by tile_sizes = [0, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_reduction_using_forall by tile_sizes = [0, 0, 4]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %f, %p, %c, %l = transform.structured.tile_reduction_using_forall %m by tile_sizes = [0, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_reduction_using_forall by reduction_dims = [2] tile_sizes = [0, 0, 4]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %f, %p, %c, %l = transform.structured.tile_reduction_using_forall %m by reduction_dims = [2] tile_sizes = [0, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_reduction_using_forall by num_threads = [0, 0, 4]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %f, %p, %c, %l = transform.structured.tile_reduction_using_forall %m by num_threads = [0, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_reduction_using_forall by num_threads = [0, 0, 4], tile_sizes = [0, 0, 2]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %f, %p, %c, %l = transform.structured.tile_reduction_using_forall %m by num_threads = [0, 0, 4], tile_sizes = [0, 0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_reduction_using_forall by num_threads = [0, 0, 4], tile_sizes = [0, 0, 2], mapping = [#gpu.thread<x>]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %f, %p, %c, %l = transform.structured.tile_reduction_using_forall %m by num_threads = [0, 0, 4], tile_sizes = [0, 0, 2], mapping = [#gpu.thread<x>] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// tile_reduction_using_forall by num_threads = [0, 0, 4] mapping = [#gpu.block<x>]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %f, %p, %c, %l = transform.structured.tile_reduction_using_forall %m by num_threads = [0, 0, 4] mapping = [#gpu.block<x>] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// split_reduction {split_factor = 4, insert_split_dimension = 2}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %i, %f, %s, %c = transform.structured.split_reduction %m {split_factor = 4, insert_split_dimension = 2} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// split_reduction {split_factor = 4, insert_split_dimension = 0}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %i, %f, %s, %c = transform.structured.split_reduction %m {split_factor = 4, insert_split_dimension = 0} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// split_reduction {split_factor = 4, insert_split_dimension = 2, inner_parallel}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %i, %f, %s, %c = transform.structured.split_reduction %m {split_factor = 4, insert_split_dimension = 2, inner_parallel} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// split_reduction {split_factor = 3}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %i, %f, %s, %c = transform.structured.split_reduction %m {split_factor = 3} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// split_reduction {split_factor = 4, insert_split_dimension = 2, use_alloc}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %i, %f, %s, %c = transform.structured.split_reduction %m {split_factor = 4, insert_split_dimension = 2, use_alloc} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// split_reduction {split_factor = 4, insert_split_dimension = 2, use_scaling_algorithm}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %i, %f, %s, %c = transform.structured.split_reduction %m {split_factor = 4, insert_split_dimension = 2, use_scaling_algorithm} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// split_reduction {split_factor = 4}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %i, %f, %s, %c = transform.structured.split_reduction %m {split_factor = 4} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// split_reduction 
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %i, %f, %s, %c = transform.structured.split_reduction %m  : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// split after 16 {dimension = 0}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %s = transform.structured.split %m after 16 {dimension = 0} : !transform.any_op
  %a, %b = transform.split_handle %s : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.debug.emit_remark_at %a, "first" : !transform.any_op
  transform.yield
}

// -----
// split after 30 {dimension = 0}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %s = transform.structured.split %m after 30 {dimension = 0} : !transform.any_op
  %a, %b = transform.split_handle %s : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.debug.emit_remark_at %a, "first" : !transform.any_op
  transform.yield
}

// -----
// split after 7 {dimension = 2}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %s = transform.structured.split %m after 7 {dimension = 2} : !transform.any_op
  %a, %b = transform.split_handle %s : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.debug.emit_remark_at %a, "first" : !transform.any_op
  transform.yield
}

// -----
// split after 7 {dimension = 3}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %s = transform.structured.split %m after 7 {dimension = 3} : !transform.any_op
  %a, %b = transform.split_handle %s : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.debug.emit_remark_at %a, "first" : !transform.any_op
  transform.yield
}

// -----
// split after 40 {dimension = 0}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %s = transform.structured.split %m after 40 {dimension = 0} : !transform.any_op
  %a, %b = transform.split_handle %s : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.debug.emit_remark_at %a, "first" : !transform.any_op
  transform.yield
}

// -----
// split by a parameter
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %p = transform.param.constant 8 : i64 -> !transform.param<i64>
  %s = transform.structured.split %m after %p {dimension = 1} : !transform.any_op, !transform.param<i64>
  transform.yield
}

// -----
// interchange iterator_interchange = [1, 0]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %g = transform.structured.generalize %a : (!transform.any_op) -> !transform.any_op
  %i = transform.structured.interchange %g iterator_interchange = [1, 0] : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// interchange iterator_interchange = [0, 0]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %g = transform.structured.generalize %a : (!transform.any_op) -> !transform.any_op
  %i = transform.structured.interchange %g iterator_interchange = [0, 0] : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// interchange iterator_interchange = [1]
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %g = transform.structured.generalize %a : (!transform.any_op) -> !transform.any_op
  %i = transform.structured.interchange %g iterator_interchange = [1] : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// interchange 
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %g = transform.structured.generalize %a : (!transform.any_op) -> !transform.any_op
  %i = transform.structured.interchange %g  : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// interchange a named op
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %i = transform.structured.interchange %a iterator_interchange = [1, 0] : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// generalize and specialize
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %g = transform.structured.generalize %m : (!transform.any_op) -> !transform.any_op
  %s = transform.structured.specialize %g : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// generalize twice
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %g = transform.structured.generalize %m : (!transform.any_op) -> !transform.any_op
  %h = transform.structured.generalize %g : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// pad {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2]}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:3 = transform.structured.tile_using_for %m tile_sizes [8, 8, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  %p, %q, %c = transform.structured.pad %t {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// pad {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], copy_back_op = "none"}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:3 = transform.structured.tile_using_for %m tile_sizes [8, 8, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  %p, %q, %c = transform.structured.pad %t {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], copy_back_op = "none"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// pad {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], nofold_flags = [1, 1, 0]}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:3 = transform.structured.tile_using_for %m tile_sizes [8, 8, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  %p, %q, %c = transform.structured.pad %t {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], nofold_flags = [1, 1, 0]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// pad {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0], copy_back_op = "linalg.copy"}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:3 = transform.structured.tile_using_for %m tile_sizes [8, 8, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  %p, %q, %c = transform.structured.pad %t {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0], copy_back_op = "linalg.copy"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// pad pad_to_multiple_of [8, 8, 8] {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2]}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:3 = transform.structured.tile_using_for %m tile_sizes [8, 8, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  %p, %q, %c = transform.structured.pad %t pad_to_multiple_of [8, 8, 8] {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// pad {padding_values = [0.0 : f32], padding_dimensions = [0]}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:3 = transform.structured.tile_using_for %m tile_sizes [8, 8, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  %p, %q, %c = transform.structured.pad %t {padding_values = [0.0 : f32], padding_dimensions = [0]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// pad {padding_dimensions = [0, 1, 2]}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:3 = transform.structured.tile_using_for %m tile_sizes [8, 8, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  %p, %q, %c = transform.structured.pad %t {padding_dimensions = [0, 1, 2]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// pad {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], transpose_paddings = [[1, 0], [0, 1], [0, 1]], nofold_flags = [1, 0, 0]}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l:3 = transform.structured.tile_using_for %m tile_sizes [8, 8, 5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
  %p, %q, %c = transform.structured.pad %t {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], transpose_paddings = [[1, 0], [0, 1], [0, 1]], nofold_flags = [1, 0, 0]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// multitile_sizes
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %lo, %hi, %at = transform.structured.multitile_sizes %m {target_size = 7, dimension = 0} : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %lo : !transform.param<i64>
  transform.debug.emit_param_as_remark %hi : !transform.param<i64>
  transform.debug.emit_param_as_remark %at : !transform.param<i64>
  transform.yield
}

// -----
// multitile_sizes with a divisor
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %lo, %hi, %at = transform.structured.multitile_sizes %m {target_size = 7, dimension = 0, divisor = 2} : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %lo : !transform.param<i64>
  transform.debug.emit_param_as_remark %hi : !transform.param<i64>
  transform.debug.emit_param_as_remark %at : !transform.param<i64>
  transform.yield
}

// -----
// multitile_sizes with a divisor that does not divide
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %lo, %hi, %at = transform.structured.multitile_sizes %m {target_size = 7, dimension = 0, divisor = 4} : (!transform.any_op) -> !transform.param<i64>
  transform.yield
}

// -----
// continuous_tile_sizes
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %s, %n = transform.structured.continuous_tile_sizes %m {dimension = 0, target_size = 8} : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %s : !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  transform.yield
}

// -----
// scalarize
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %s = transform.structured.scalarize %a : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// transpose_matmul
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %s = transform.structured.transpose_matmul %m : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// transpose_matmul <rhs>
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
  %s = transform.structured.transpose_matmul %m <rhs> : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// flatten_elementwise
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %s = transform.structured.flatten_elementwise %a : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// decompose_interface
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %s = transform.structured.decompose_interface %a : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// decompose
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
  %s = transform.structured.decompose %a : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// a reduction in parallel
func.func @reduces(%x: tensor<8x16xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.reduce { arith.addf } ins(%x : tensor<8x16xf32>) outs(%o : tensor<8xf32>) dimensions = [1]
  return %r : tensor<8xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %op = transform.structured.match ops{["linalg.reduce"]} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_forall %op tile_sizes [2, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// softmax, pack and unpack implement the interface of tiling
func.func @softmax(%x: tensor<8x16xf32>, %o: tensor<8x16xf32>, %p: tensor<2x4x4x4xf32>) -> (tensor<8x16xf32>, tensor<2x4x4x4xf32>) {
  %r = linalg.softmax dimension(1) ins(%x : tensor<8x16xf32>) outs(%o : tensor<8x16xf32>) -> tensor<8x16xf32>
  %q = linalg.pack %r inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %p : tensor<8x16xf32> -> tensor<2x4x4x4xf32>
  return %r, %q : tensor<8x16xf32>, tensor<2x4x4x4xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %op = transform.structured.match interface{TilingInterface} in %root : (!transform.any_op) -> !transform.any_op
  %t, %l = transform.structured.tile_using_for %op tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}
