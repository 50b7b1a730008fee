// -----
// hoist_pad: the left factor, out of all loops
func.func @f(%a: tensor<24x12xf32>, %b: tensor<12x25xf32>, %c: tensor<24x25xf32>) -> tensor<24x25xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<24x12xf32>, tensor<12x25xf32>) outs(%c : tensor<24x25xf32>) -> tensor<24x25xf32>
  return %r : tensor<24x25xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:3 = transform.structured.tile_using_for %mm tile_sizes [5, 4, 7] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %p, %pads, %copy = transform.structured.pad %t {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], nofold_flags = [1, 1, 1], copy_back_op = "none"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %pad = transform.get_producer_of_operand %p[0] : (!transform.any_op) -> !transform.any_op
    %h = transform.structured.hoist_pad %pad by 3 loops : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %h, "new" : !transform.any_op
    transform.yield
  }
// -----
// hoist_pad: the right factor, out of all loops
func.func @f(%a: tensor<24x12xf32>, %b: tensor<12x25xf32>, %c: tensor<24x25xf32>) -> tensor<24x25xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<24x12xf32>, tensor<12x25xf32>) outs(%c : tensor<24x25xf32>) -> tensor<24x25xf32>
  return %r : tensor<24x25xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:3 = transform.structured.tile_using_for %mm tile_sizes [5, 4, 7] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %p, %pads, %copy = transform.structured.pad %t {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], nofold_flags = [1, 1, 1], copy_back_op = "none"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %pad = transform.get_producer_of_operand %p[1] : (!transform.any_op) -> !transform.any_op
    %h = transform.structured.hoist_pad %pad by 3 loops : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %h, "new" : !transform.any_op
    transform.yield
  }
// -----
// hoist_pad: the right factor, transposed
func.func @f(%a: tensor<24x12xf32>, %b: tensor<12x25xf32>, %c: tensor<24x25xf32>) -> tensor<24x25xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<24x12xf32>, tensor<12x25xf32>) outs(%c : tensor<24x25xf32>) -> tensor<24x25xf32>
  return %r : tensor<24x25xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:3 = transform.structured.tile_using_for %mm tile_sizes [5, 4, 7] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %p, %pads, %copy = transform.structured.pad %t {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], nofold_flags = [1, 1, 1], copy_back_op = "none"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %pad = transform.get_producer_of_operand %p[1] : (!transform.any_op) -> !transform.any_op
    %h = transform.structured.hoist_pad %pad by 3 loops, transpose by [1, 0] : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %h, "new" : !transform.any_op
    transform.yield
  }
// -----
// hoist_pad: out of one loop
func.func @f(%a: tensor<24x12xf32>, %b: tensor<12x25xf32>, %c: tensor<24x25xf32>) -> tensor<24x25xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<24x12xf32>, tensor<12x25xf32>) outs(%c : tensor<24x25xf32>) -> tensor<24x25xf32>
  return %r : tensor<24x25xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:3 = transform.structured.tile_using_for %mm tile_sizes [5, 4, 7] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %p, %pads, %copy = transform.structured.pad %t {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], nofold_flags = [1, 1, 1], copy_back_op = "none"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %pad = transform.get_producer_of_operand %p[0] : (!transform.any_op) -> !transform.any_op
    %h = transform.structured.hoist_pad %pad by 1 loops : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %h, "new" : !transform.any_op
    transform.yield
  }
// -----
// hoist_pad: out of two loops
func.func @f(%a: tensor<24x12xf32>, %b: tensor<12x25xf32>, %c: tensor<24x25xf32>) -> tensor<24x25xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<24x12xf32>, tensor<12x25xf32>) outs(%c : tensor<24x25xf32>) -> tensor<24x25xf32>
  return %r : tensor<24x25xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:3 = transform.structured.tile_using_for %mm tile_sizes [5, 4, 7] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %p, %pads, %copy = transform.structured.pad %t {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], nofold_flags = [1, 1, 1], copy_back_op = "none"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %pad = transform.get_producer_of_operand %p[0] : (!transform.any_op) -> !transform.any_op
    %h = transform.structured.hoist_pad %pad by 2 loops : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %h, "new" : !transform.any_op
    transform.yield
  }
// -----
// hoist_pad: more loops than there are
func.func @f(%a: tensor<24x12xf32>, %b: tensor<12x25xf32>, %c: tensor<24x25xf32>) -> tensor<24x25xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<24x12xf32>, tensor<12x25xf32>) outs(%c : tensor<24x25xf32>) -> tensor<24x25xf32>
  return %r : tensor<24x25xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %mm tile_sizes [5, 0, 7] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %p, %pads, %copy = transform.structured.pad %t {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], nofold_flags = [1, 1, 1], copy_back_op = "none"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %pad = transform.get_producer_of_operand %p[0] : (!transform.any_op) -> !transform.any_op
    %h = transform.structured.hoist_pad %pad by 7 loops : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %h, "new" : !transform.any_op
    transform.yield
  }
// -----
// hoist_pad: the loop does not say what is padded
func.func @f(%a: tensor<24x12xf32>, %b: tensor<12x25xf32>, %c: tensor<24x25xf32>) -> tensor<24x25xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<24x12xf32>, tensor<12x25xf32>) outs(%c : tensor<24x25xf32>) -> tensor<24x25xf32>
  return %r : tensor<24x25xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:1 = transform.structured.tile_using_for %mm tile_sizes [0, 4, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %p, %pads, %copy = transform.structured.pad %t {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], nofold_flags = [1, 1, 1], copy_back_op = "none"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %pad = transform.get_producer_of_operand %p[0] : (!transform.any_op) -> !transform.any_op
    %h = transform.structured.hoist_pad %pad by 1 loops : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %h, "new" : !transform.any_op
    transform.yield
  }
// -----
// hoist_pad: sizes of the run time
func.func @f(%a: tensor<?x12xf32>, %b: tensor<12x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x12xf32>, tensor<12x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:3 = transform.structured.tile_using_for %mm tile_sizes [5, 4, 7] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %p, %pads, %copy = transform.structured.pad %t {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], nofold_flags = [1, 1, 1], copy_back_op = "none"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %pad = transform.get_producer_of_operand %p[0] : (!transform.any_op) -> !transform.any_op
    %h = transform.structured.hoist_pad %pad by 3 loops : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %h, "new" : !transform.any_op
    transform.yield
  }
// -----
// hoist_pad: sizes of the run time, the right factor
func.func @f(%a: tensor<?x12xf32>, %b: tensor<12x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x12xf32>, tensor<12x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:3 = transform.structured.tile_using_for %mm tile_sizes [5, 4, 7] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %p, %pads, %copy = transform.structured.pad %t {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], nofold_flags = [1, 1, 1], copy_back_op = "none"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %pad = transform.get_producer_of_operand %p[1] : (!transform.any_op) -> !transform.any_op
    %h = transform.structured.hoist_pad %pad by 3 loops : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %h, "new" : !transform.any_op
    transform.yield
  }
// -----
// hoist_pad: no loops
func.func @f(%a: tensor<24x12xf32>, %b: tensor<12x25xf32>, %c: tensor<24x25xf32>) -> tensor<24x25xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<24x12xf32>, tensor<12x25xf32>) outs(%c : tensor<24x25xf32>) -> tensor<24x25xf32>
  return %r : tensor<24x25xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:3 = transform.structured.tile_using_for %mm tile_sizes [5, 4, 7] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %p, %pads, %copy = transform.structured.pad %t {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], nofold_flags = [1, 1, 1], copy_back_op = "none"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %pad = transform.get_producer_of_operand %p[0] : (!transform.any_op) -> !transform.any_op
    %h = transform.structured.hoist_pad %pad by 0 loops : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %h, "new" : !transform.any_op
    transform.yield
  }
// -----
// hoist_pad: the output, out of all loops
func.func @f(%a: tensor<24x12xf32>, %b: tensor<12x25xf32>, %c: tensor<24x25xf32>) -> tensor<24x25xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<24x12xf32>, tensor<12x25xf32>) outs(%c : tensor<24x25xf32>) -> tensor<24x25xf32>
  return %r : tensor<24x25xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:3 = transform.structured.tile_using_for %mm tile_sizes [5, 4, 7] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %p, %pads, %copy = transform.structured.pad %t {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], nofold_flags = [1, 1, 1], copy_back_op = "none"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %pad = transform.get_producer_of_operand %p[2] : (!transform.any_op) -> !transform.any_op
    %h = transform.structured.hoist_pad %pad by 3 loops : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %h, "new" : !transform.any_op
    transform.yield
  }
// -----
// hoist_pad: an order that is none
func.func @f(%a: tensor<24x12xf32>, %b: tensor<12x25xf32>, %c: tensor<24x25xf32>) -> tensor<24x25xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<24x12xf32>, tensor<12x25xf32>) outs(%c : tensor<24x25xf32>) -> tensor<24x25xf32>
  return %r : tensor<24x25xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:3 = transform.structured.tile_using_for %mm tile_sizes [5, 4, 7] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %p, %pads, %copy = transform.structured.pad %t {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], nofold_flags = [1, 1, 1], copy_back_op = "none"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %pad = transform.get_producer_of_operand %p[0] : (!transform.any_op) -> !transform.any_op
    %h = transform.structured.hoist_pad %pad by 3 loops, transpose by [1, 1] : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %h, "new" : !transform.any_op
    transform.yield
  }
// -----
// hoist_pad: an order of three
func.func @f(%a: tensor<24x12xf32>, %b: tensor<12x25xf32>, %c: tensor<24x25xf32>) -> tensor<24x25xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<24x12xf32>, tensor<12x25xf32>) outs(%c : tensor<24x25xf32>) -> tensor<24x25xf32>
  return %r : tensor<24x25xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:3 = transform.structured.tile_using_for %mm tile_sizes [5, 4, 7] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %p, %pads, %copy = transform.structured.pad %t {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], nofold_flags = [1, 1, 1], copy_back_op = "none"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %pad = transform.get_producer_of_operand %p[0] : (!transform.any_op) -> !transform.any_op
    %h = transform.structured.hoist_pad %pad by 3 loops, transpose by [1, 0, 2] : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %h, "new" : !transform.any_op
    transform.yield
  }
// -----
// hoist_pad: not a pad
func.func @f(%a: tensor<24x12xf32>, %b: tensor<12x25xf32>, %c: tensor<24x25xf32>) -> tensor<24x25xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<24x12xf32>, tensor<12x25xf32>) outs(%c : tensor<24x25xf32>) -> tensor<24x25xf32>
  return %r : tensor<24x25xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:3 = transform.structured.tile_using_for %mm tile_sizes [5, 4, 7] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %p, %pads, %copy = transform.structured.pad %t {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], nofold_flags = [1, 1, 1], copy_back_op = "none"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %pad = transform.get_producer_of_operand %p[0] : (!transform.any_op) -> !transform.any_op
    %h = transform.structured.hoist_pad %p by 3 loops : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %h, "new" : !transform.any_op
    transform.yield
  }
// -----
// build_packing_loop_nest: above the outermost loop
func.func @f(%a: tensor<24x12xf32>, %b: tensor<12x25xf32>, %c: tensor<24x25xf32>) -> tensor<24x25xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<24x12xf32>, tensor<12x25xf32>) outs(%c : tensor<24x25xf32>) -> tensor<24x25xf32>
  return %r : tensor<24x25xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:3 = transform.structured.tile_using_for %mm tile_sizes [5, 4, 7] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %p, %pads, %copy = transform.structured.pad %t {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], nofold_flags = [1, 1, 1], copy_back_op = "none"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %pad = transform.get_producer_of_operand %p[1] : (!transform.any_op) -> !transform.any_op
    %h = transform.structured.hoist_pad.build_packing_loop_nest %pad above %l#0 : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %h, "new" : !transform.any_op
    transform.yield
  }
// -----
// build_packing_loop_nest: above the second loop
func.func @f(%a: tensor<24x12xf32>, %b: tensor<12x25xf32>, %c: tensor<24x25xf32>) -> tensor<24x25xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<24x12xf32>, tensor<12x25xf32>) outs(%c : tensor<24x25xf32>) -> tensor<24x25xf32>
  return %r : tensor<24x25xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:3 = transform.structured.tile_using_for %mm tile_sizes [5, 4, 7] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %p, %pads, %copy = transform.structured.pad %t {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], nofold_flags = [1, 1, 1], copy_back_op = "none"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %pad = transform.get_producer_of_operand %p[1] : (!transform.any_op) -> !transform.any_op
    %h = transform.structured.hoist_pad.build_packing_loop_nest %pad above %l#1, transpose by [1, 0] : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %h, "new" : !transform.any_op
    transform.yield
  }
// -----
// build_packing_loop_nest: the loop does not say what is padded
func.func @f(%a: tensor<24x12xf32>, %b: tensor<12x25xf32>, %c: tensor<24x25xf32>) -> tensor<24x25xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<24x12xf32>, tensor<12x25xf32>) outs(%c : tensor<24x25xf32>) -> tensor<24x25xf32>
  return %r : tensor<24x25xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:1 = transform.structured.tile_using_for %mm tile_sizes [0, 4, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %p, %pads, %copy = transform.structured.pad %t {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], nofold_flags = [1, 1, 1], copy_back_op = "none"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %pad = transform.get_producer_of_operand %p[0] : (!transform.any_op) -> !transform.any_op
    %h = transform.structured.hoist_pad.build_packing_loop_nest %pad above %l#0 : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %h, "new" : !transform.any_op
    transform.yield
  }
// -----
// build_packing_loop_nest: not a pad
func.func @f(%a: tensor<24x12xf32>, %b: tensor<12x25xf32>, %c: tensor<24x25xf32>) -> tensor<24x25xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<24x12xf32>, tensor<12x25xf32>) outs(%c : tensor<24x25xf32>) -> tensor<24x25xf32>
  return %r : tensor<24x25xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:3 = transform.structured.tile_using_for %mm tile_sizes [5, 4, 7] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %p, %pads, %copy = transform.structured.pad %t {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32], padding_dimensions = [0, 1, 2], nofold_flags = [1, 1, 1], copy_back_op = "none"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %pad = transform.get_producer_of_operand %p[1] : (!transform.any_op) -> !transform.any_op
    %h = transform.structured.hoist_pad.build_packing_loop_nest %p above %l#1 : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %h, "new" : !transform.any_op
    transform.yield
  }
