// -----
// pad_tiling_interface: sizes
func.func @f(%a: tensor<24x12xf32>, %b: tensor<12x25xf32>, %c: tensor<24x25xf32>) -> tensor<24x25xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<24x12xf32>, tensor<12x25xf32>) outs(%c : tensor<24x25xf32>) -> tensor<24x25xf32>
  return %r : tensor<24x25xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %p, %q = transform.structured.pad_tiling_interface %h to padding_sizes [32, 0, 14] {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %p, "padded" : !transform.any_op
    transform.debug.emit_remark_at %q, "pad" : !transform.any_op
    transform.yield
  }
// -----
// pad_tiling_interface: sizes for the first loops
func.func @f(%a: tensor<24x12xf32>, %b: tensor<12x25xf32>, %c: tensor<24x25xf32>) -> tensor<24x25xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<24x12xf32>, tensor<12x25xf32>) outs(%c : tensor<24x25xf32>) -> tensor<24x25xf32>
  return %r : tensor<24x25xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %p, %q = transform.structured.pad_tiling_interface %h to padding_sizes [32] {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %p, "padded" : !transform.any_op
    transform.debug.emit_remark_at %q, "pad" : !transform.any_op
    transform.yield
  }
// -----
// pad_tiling_interface: no padding values
func.func @f(%a: tensor<24x12xf32>, %b: tensor<12x25xf32>, %c: tensor<24x25xf32>) -> tensor<24x25xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<24x12xf32>, tensor<12x25xf32>) outs(%c : tensor<24x25xf32>) -> tensor<24x25xf32>
  return %r : tensor<24x25xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %p, %q = transform.structured.pad_tiling_interface %h to padding_sizes [32, 0, 14]  : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %p, "padded" : !transform.any_op
    transform.debug.emit_remark_at %q, "pad" : !transform.any_op
    transform.yield
  }
// -----
// pad_tiling_interface: multiples
func.func @f(%a: tensor<24x12xf32>, %b: tensor<12x25xf32>, %c: tensor<24x25xf32>) -> tensor<24x25xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<24x12xf32>, tensor<12x25xf32>) outs(%c : tensor<24x25xf32>) -> tensor<24x25xf32>
  return %r : tensor<24x25xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %p, %q = transform.structured.pad_tiling_interface %h to padding_sizes [7, 5, 9] pad_to_multiple_of {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %p, "padded" : !transform.any_op
    transform.debug.emit_remark_at %q, "pad" : !transform.any_op
    transform.yield
  }
// -----
// pad_tiling_interface: multiples of sizes of the run time
func.func @f(%a: tensor<24x?xf32>, %b: tensor<?x?xf32>, %c: tensor<24x?xf32>) -> tensor<24x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<24x?xf32>, tensor<?x?xf32>) outs(%c : tensor<24x?xf32>) -> tensor<24x?xf32>
  return %r : tensor<24x?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %p, %q = transform.structured.pad_tiling_interface %h to padding_sizes [7, 5, 9] pad_to_multiple_of {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %p, "padded" : !transform.any_op
    transform.debug.emit_remark_at %q, "pad" : !transform.any_op
    transform.yield
  }
// -----
// pad_tiling_interface: bounds of sizes of the run time
func.func @f(%a: tensor<24x?xf32>, %b: tensor<?x?xf32>, %c: tensor<24x?xf32>) -> tensor<24x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<24x?xf32>, tensor<?x?xf32>) outs(%c : tensor<24x?xf32>) -> tensor<24x?xf32>
  return %r : tensor<24x?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %p, %q = transform.structured.pad_tiling_interface %h to padding_sizes [32, 40, 50] {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %p, "padded" : !transform.any_op
    transform.debug.emit_remark_at %q, "pad" : !transform.any_op
    transform.yield
  }
// -----
// pad_tiling_interface: some bounds of sizes of the run time
func.func @f(%a: tensor<24x?xf32>, %b: tensor<?x?xf32>, %c: tensor<24x?xf32>) -> tensor<24x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<24x?xf32>, tensor<?x?xf32>) outs(%c : tensor<24x?xf32>) -> tensor<24x?xf32>
  return %r : tensor<24x?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %p, %q = transform.structured.pad_tiling_interface %h to padding_sizes [32, 0, 0] {padding_values = [0.0 : f32, 0.0 : f32, 0.0 : f32]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %p, "padded" : !transform.any_op
    transform.debug.emit_remark_at %q, "pad" : !transform.any_op
    transform.yield
  }
// -----
// pad_tiling_interface: a convolution
func.func @conv(%a: tensor<1x11x11x4xf32>, %f: tensor<3x3x4x5xf32>, %c: tensor<1x5x5x5xf32>) -> tensor<1x5x5x5xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%a, %f : tensor<1x11x11x4xf32>, tensor<3x3x4x5xf32>) outs(%c : tensor<1x5x5x5xf32>) -> tensor<1x5x5x5xf32>
  return %r : tensor<1x5x5x5xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
    %p, %q = transform.structured.pad_tiling_interface %h to padding_sizes [0, 8, 6, 8]  : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %p, "padded" : !transform.any_op
    transform.debug.emit_remark_at %q, "pad" : !transform.any_op
    transform.yield
  }
// -----
// pad_tiling_interface: multiples of a convolution
func.func @conv(%a: tensor<1x11x11x4xf32>, %f: tensor<3x3x4x5xf32>, %c: tensor<1x5x5x5xf32>) -> tensor<1x5x5x5xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%a, %f : tensor<1x11x11x4xf32>, tensor<3x3x4x5xf32>) outs(%c : tensor<1x5x5x5xf32>) -> tensor<1x5x5x5xf32>
  return %r : tensor<1x5x5x5xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.conv_2d_nhwc_hwcf"]} in %root : (!transform.any_op) -> !transform.any_op
    %p, %q = transform.structured.pad_tiling_interface %h to padding_sizes [0, 4, 4, 3, 2, 0, 8] pad_to_multiple_of  : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %p, "padded" : !transform.any_op
    transform.debug.emit_remark_at %q, "pad" : !transform.any_op
    transform.yield
  }
// -----
// pad_tiling_interface: a partial tile
func.func @f(%a: tensor<24x12xf32>, %c: tensor<24x12xf32>, %i: index) -> tensor<?x12xf32> {
  %m = affine.min affine_map<(d0) -> (-d0 + 20, 7)>(%i)
  %s = tensor.extract_slice %a[%i, 0] [%m, 12] [1, 1] : tensor<24x12xf32> to tensor<?x12xf32>
  %t = tensor.extract_slice %c[%i, 0] [%m, 12] [1, 1] : tensor<24x12xf32> to tensor<?x12xf32>
  %r = linalg.exp ins(%s : tensor<?x12xf32>) outs(%t : tensor<?x12xf32>) -> tensor<?x12xf32>
  return %r : tensor<?x12xf32>
}

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %p, %q = transform.structured.pad_tiling_interface %h to padding_sizes [8, 14]  : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %p, "padded" : !transform.any_op
    transform.debug.emit_remark_at %q, "pad" : !transform.any_op
    transform.yield
  }
// -----
// pad_tiling_interface: a multiple of a partial tile
func.func @f(%a: tensor<24x12xf32>, %c: tensor<24x12xf32>, %i: index) -> tensor<?x12xf32> {
  %m = affine.min affine_map<(d0) -> (-d0 + 20, 7)>(%i)
  %s = tensor.extract_slice %a[%i, 0] [%m, 12] [1, 1] : tensor<24x12xf32> to tensor<?x12xf32>
  %t = tensor.extract_slice %c[%i, 0] [%m, 12] [1, 1] : tensor<24x12xf32> to tensor<?x12xf32>
  %r = linalg.exp ins(%s : tensor<?x12xf32>) outs(%t : tensor<?x12xf32>) -> tensor<?x12xf32>
  return %r : tensor<?x12xf32>
}

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %p, %q = transform.structured.pad_tiling_interface %h to padding_sizes [4, 7] pad_to_multiple_of  : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %p, "padded" : !transform.any_op
    transform.debug.emit_remark_at %q, "pad" : !transform.any_op
    transform.yield
  }
// -----
// pad_tiling_interface: a scalar
func.func @f(%x: tensor<7xf32>, %c: f32) -> tensor<7xf32> {
  %r = linalg.fill ins(%c : f32) outs(%x : tensor<7xf32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %p, %q = transform.structured.pad_tiling_interface %h to padding_sizes [8]  : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %p, "padded" : !transform.any_op
    transform.debug.emit_remark_at %q, "pad" : !transform.any_op
    transform.yield
  }
// -----
// pad_tiling_interface: a broadcast and a transposed output
func.func @f(%x: tensor<7x5xf32>, %y: tensor<5xf32>, %o: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1, d0)>], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<7x5xf32>, tensor<5xf32>) outs(%o : tensor<5x7xf32>) {
  ^bb0(%i: f32, %j: f32, %k: f32):
    %s = arith.addf %i, %j : f32
    linalg.yield %s : f32
  } -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %p, %q = transform.structured.pad_tiling_interface %h to padding_sizes [8, 6]  : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %p, "padded" : !transform.any_op
    transform.debug.emit_remark_at %q, "pad" : !transform.any_op
    transform.yield
  }
// -----
// pad_tiling_interface: too few padding values
func.func @f(%a: tensor<24x12xf32>, %b: tensor<12x25xf32>, %c: tensor<24x25xf32>) -> tensor<24x25xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<24x12xf32>, tensor<12x25xf32>) outs(%c : tensor<24x25xf32>) -> tensor<24x25xf32>
  return %r : tensor<24x25xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %p, %q = transform.structured.pad_tiling_interface %h to padding_sizes [32, 0, 14] {padding_values = [0.0 : f32]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %p, "padded" : !transform.any_op
    transform.debug.emit_remark_at %q, "pad" : !transform.any_op
    transform.yield
  }
// -----
// pad_tiling_interface: a padding value of another type
func.func @f(%a: tensor<24x12xf32>, %b: tensor<12x25xf32>, %c: tensor<24x25xf32>) -> tensor<24x25xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<24x12xf32>, tensor<12x25xf32>) outs(%c : tensor<24x25xf32>) -> tensor<24x25xf32>
  return %r : tensor<24x25xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %p, %q = transform.structured.pad_tiling_interface %h to padding_sizes [32, 0, 14] {padding_values = [0.0 : f32, 0.0 : f32, 0 : i32]} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %p, "padded" : !transform.any_op
    transform.debug.emit_remark_at %q, "pad" : !transform.any_op
    transform.yield
  }
