func.func @f(%x: tensor<10x16xf32>, %y: tensor<10x16xf32>) -> tensor<10x16xf32> {
  %a = linalg.add ins(%x, %x : tensor<10x16xf32>, tensor<10x16xf32>) outs(%y : tensor<10x16xf32>) -> tensor<10x16xf32>
  return %a : tensor<10x16xf32>
}

// -----
// static multitile as ops
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
  %low, %high, %split = transform.structured.multitile_sizes %a {dimension = 0, target_size = 3} : (!transform.any_op) -> !transform.any_op
  %s = transform.structured.split %a after %split {dimension = 0} : !transform.any_op, !transform.any_op
  %p, %q = transform.split_handle %s : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %t, %l = transform.structured.tile_using_for %p tile_sizes [%low] : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  %u, %m = transform.structured.tile_using_for %q tile_sizes [%high] : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// static multitile as ops only
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
  %low, %high, %split = transform.structured.multitile_sizes %a {dimension = 0, target_size = 3, divisor = 2} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// static multitile that does not divide
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
  %low, %high, %split = transform.structured.multitile_sizes %a {dimension = 0, target_size = 3, divisor = 4} : (!transform.any_op) -> !transform.any_op
  transform.yield
}

// -----
// dynamic multitile
func.func @f(%x: tensor<?x16xf32>, %y: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %a = linalg.add ins(%x, %x : tensor<?x16xf32>, tensor<?x16xf32>) outs(%y : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %a : tensor<?x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
  %low, %high, %split = transform.structured.multitile_sizes %a {dimension = 0, target_size = 3, divisor = 2} : (!transform.any_op) -> !transform.any_op
  %s = transform.structured.split %a after %split {dimension = 0} : !transform.any_op, !transform.any_op
  %p, %q = transform.split_handle %s : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
  %t, %l = transform.structured.tile_using_for %p tile_sizes [%low] : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  transform.yield
}

// -----
// dynamic multitile as parameters
func.func @f(%x: tensor<?x16xf32>, %y: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %a = linalg.add ins(%x, %x : tensor<?x16xf32>, tensor<?x16xf32>) outs(%y : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %a : tensor<?x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
  %low, %high, %split = transform.structured.multitile_sizes %a {dimension = 0, target_size = 3, divisor = 2} : (!transform.any_op) -> !transform.param<i64>
  transform.yield
}

// -----
// static continuous as ops
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
  %tiles, %chunks = transform.structured.continuous_tile_sizes %a {dimension = 0, target_size = 4} : (!transform.any_op) -> !transform.any_op
  %s = transform.structured.split %a after %chunks {dimension = 0, multiway} : !transform.any_op, !transform.any_op
  transform.yield
}

// -----
// dynamic continuous as ops
func.func @f(%x: tensor<?x16xf32>, %y: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %a = linalg.add ins(%x, %x : tensor<?x16xf32>, tensor<?x16xf32>) outs(%y : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %a : tensor<?x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
  %tiles, %chunks = transform.structured.continuous_tile_sizes %a {dimension = 0, target_size = 4} : (!transform.any_op) -> !transform.any_op
  %s = transform.structured.split %a after %chunks {dimension = 0, multiway} : !transform.any_op, !transform.any_op
  transform.yield
}

// -----
// multiway of three
func.func @f(%x: tensor<15x16xf32>, %y: tensor<15x16xf32>) -> tensor<15x16xf32> {
  %a = linalg.add ins(%x, %x : tensor<15x16xf32>, tensor<15x16xf32>) outs(%y : tensor<15x16xf32>) -> tensor<15x16xf32>
  return %a : tensor<15x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
  %tiles, %chunks = transform.structured.continuous_tile_sizes %a {dimension = 0, target_size = 9} : (!transform.any_op) -> !transform.param<i64>
  %s = transform.structured.split %a after %chunks {dimension = 0, multiway} : !transform.any_op, !transform.param<i64>
  transform.foreach %s, %tiles : !transform.any_op, !transform.param<i64> {
  ^bb0(%op: !transform.any_op, %size: !transform.param<i64>):
    %t, %l = transform.structured.tile_using_for %op tile_sizes [%size] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
  }
  transform.yield
}

// -----
// multiway of three by ops, foreach
func.func @f(%x: tensor<15x16xf32>, %y: tensor<15x16xf32>) -> tensor<15x16xf32> {
  %a = linalg.add ins(%x, %x : tensor<15x16xf32>, tensor<15x16xf32>) outs(%y : tensor<15x16xf32>) -> tensor<15x16xf32>
  return %a : tensor<15x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
  %tiles, %chunks = transform.structured.continuous_tile_sizes %a {dimension = 0, target_size = 9} : (!transform.any_op) -> !transform.any_op
  %s = transform.structured.split %a after %chunks {dimension = 0, multiway} : !transform.any_op, !transform.any_op
  transform.foreach %s, %tiles : !transform.any_op, !transform.any_op {
  ^bb0(%op: !transform.any_op, %size: !transform.any_op):
    %t, %l = transform.structured.tile_using_for %op tile_sizes [%size] : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
  }
  transform.yield
}

// -----
// dynamic multiway, foreach
func.func @f(%x: tensor<?x16xf32>, %y: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %a = linalg.add ins(%x, %x : tensor<?x16xf32>, tensor<?x16xf32>) outs(%y : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %a : tensor<?x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
  %tiles, %chunks = transform.structured.continuous_tile_sizes %a {dimension = 0, target_size = 5} : (!transform.any_op) -> !transform.any_op
  %n = transform.num_associations %tiles : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %n : !transform.param<i64>
  %s = transform.structured.split %a after %chunks {dimension = 0, multiway} : !transform.any_op, !transform.any_op
  %m = transform.num_associations %s : (!transform.any_op) -> !transform.param<i64>
  transform.debug.emit_param_as_remark %m : !transform.param<i64>
  transform.yield
}

// -----
// two targets
func.func @f(%x: tensor<?x16xf32>, %y: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %a = linalg.add ins(%x, %x : tensor<?x16xf32>, tensor<?x16xf32>) outs(%y : tensor<?x16xf32>) -> tensor<?x16xf32>
  %b = linalg.add ins(%x, %a : tensor<?x16xf32>, tensor<?x16xf32>) outs(%y : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %b : tensor<?x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
  %a = transform.structured.match ops{["linalg.add"]} in %root : (!transform.any_op) -> !transform.any_op
  %low, %high, %split = transform.structured.multitile_sizes %a {dimension = 0, target_size = 3} : (!transform.any_op) -> !transform.any_op
  %s = transform.structured.split %a after %split {dimension = 0} : !transform.any_op, !transform.any_op
  transform.yield
}
