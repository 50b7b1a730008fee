func.func @matmul(%a: tensor<8x6xf32>, %b: tensor<6x4xf32>, %c: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x6xf32>, tensor<6x4xf32>) outs(%c : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
// -----
// pack: every loop, and a loop that is not cut
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack %mm packed_sizes = [4, 0, 3] : (!transform.any_op) -> !transform.op<"linalg.generic">
    transform.debug.emit_remark_at %packed, "packed" : !transform.op<"linalg.generic">
    transform.yield
  }
// -----
// pack: no loop is cut
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack %mm packed_sizes = [0, 0, 0] : (!transform.any_op) -> !transform.op<"linalg.generic">
    transform.yield
  }
// -----
// pack: partial tiles are filled
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack %mm packed_sizes = [5, 3, 4] : (!transform.any_op) -> !transform.op<"linalg.generic">
    transform.yield
  }
// -----
// pack: too few sizes
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack %mm packed_sizes = [5, 3] : (!transform.any_op) -> !transform.op<"linalg.generic">
    transform.yield
  }
// -----
// pack: an op that is not structured
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack %mm packed_sizes = [5, 3] : (!transform.any_op) -> !transform.op<"linalg.generic">
    transform.yield
  }
// -----
// pack: no op
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack %mm packed_sizes = [5, 3] : (!transform.any_op) -> !transform.op<"linalg.generic">
    transform.yield
  }
// -----
// pack: two ops
func.func @two(%x: tensor<8xf32>, %c: f32) -> tensor<8xf32> {
  %r = linalg.fill ins(%c : f32) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.fill ins(%c : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  return %s : tensor<8xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack %mm packed_sizes = [4] : (!transform.any_op) -> !transform.op<"linalg.generic">
    transform.yield
  }
// -----
// pack: a fill, whose scalar is not packed
func.func @fill(%x: tensor<8xf32>, %c: f32) -> tensor<8xf32> {
  %r = linalg.fill ins(%c : f32) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack %mm packed_sizes = [4] : (!transform.any_op) -> !transform.op<"linalg.generic">
    transform.yield
  }
// -----
// pack: sizes of the run time
func.func @dynamic(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack %mm packed_sizes = [2, 3, 4] : (!transform.any_op) -> !transform.op<"linalg.generic">
    transform.yield
  }
// -----
// pack: a reduction
func.func @sum(%a: tensor<3x7xf16>, %c: tensor<3xf16>) -> tensor<3xf16> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<3x7xf16>) outs(%c : tensor<3xf16>) {
  ^bb0(%i: f16, %o: f16):
    %s = arith.addf %i, %o : f16
    linalg.yield %s : f16
  } -> tensor<3xf16>
  return %r : tensor<3xf16>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack %mm packed_sizes = [0, 4] : (!transform.any_op) -> !transform.op<"linalg.generic">
    %pack = transform.get_producer_of_operand %packed[0] : (!transform.op<"linalg.generic">) -> !transform.op<"linalg.pack">
    transform.debug.emit_remark_at %pack, "pack" : !transform.op<"linalg.pack">
    transform.yield
  }
// -----
// pack: tiles that the payload computes
func.func @tiles(%a: tensor<?x7xf32>, %c: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %t = arith.addi %n, %n {tile} : index
  %four = arith.constant {four} 4 : index
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<?x7xf32>) outs(%c : tensor<?xf32>) {
  ^bb0(%i: f32, %o: f32):
    %s = arith.addf %i, %o : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %t = transform.structured.match attributes{tile} in %root : (!transform.any_op) -> !transform.any_op
    %f = transform.structured.match attributes{four} in %root : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack %mm packed_sizes = [%t, %f] : (!transform.any_op, !transform.any_op, !transform.any_op) -> !transform.op<"linalg.generic">
    transform.yield
  }
// -----
// pack: an elementwise op with a broadcast operand, and a transposed output
func.func @sum(%a: tensor<8x6xf32>, %b: tensor<6xf32>, %c: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1, d0)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<8x6xf32>, tensor<6xf32>) outs(%c : tensor<6x8xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.addf %i, %j : f32
    linalg.yield %s : f32
  } -> tensor<6x8xf32>
  return %r : tensor<6x8xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack %mm packed_sizes = [4, 3] : (!transform.any_op) -> !transform.op<"linalg.generic">
    transform.yield
  }
// -----
// pack: a convolution, along its channels
func.func @conv(%a: tensor<2x16x10x10xf32>, %f: tensor<8x16x3x3xf32>, %c: tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%a, %f : tensor<2x16x10x10xf32>, tensor<8x16x3x3xf32>) outs(%c : tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
  return %r : tensor<2x8x8x8xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack %mm packed_sizes = [0, 4, 0, 0, 8, 0, 0] : (!transform.any_op) -> !transform.op<"linalg.generic">
    transform.yield
  }
// -----
// pack: a convolution, along a window
func.func @conv(%a: tensor<2x16x10x10xf32>, %f: tensor<8x16x3x3xf32>, %c: tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%a, %f : tensor<2x16x10x10xf32>, tensor<8x16x3x3xf32>) outs(%c : tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
  return %r : tensor<2x8x8x8xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack %mm packed_sizes = [0, 4, 4, 0, 8, 0, 0] : (!transform.any_op) -> !transform.op<"linalg.generic">
    transform.yield
  }
// -----
// pack_greedily: orders
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack_greedily %mm matmul_packed_sizes = [4, 2, 3] matmul_inner_dims_order = [1, 2, 0] : (!transform.any_op) -> !transform.op<"linalg.generic">
    transform.debug.emit_remark_at %packed, "packed" : !transform.op<"linalg.generic">
    transform.yield
  }
// -----
// pack_greedily: one size is 0
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack_greedily %mm matmul_packed_sizes = [5, 0, 4] matmul_inner_dims_order = [0, 1, 2] : (!transform.any_op) -> !transform.op<"linalg.generic">
    transform.yield
  }
// -----
// pack_greedily: multiples
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack_greedily %mm matmul_packed_sizes = [4, 0, 4] matmul_padded_sizes_next_multiple_of = [0, 3, 0] matmul_inner_dims_order = [2, 0, 1] : (!transform.any_op) -> !transform.op<"linalg.generic">
    transform.yield
  }
// -----
// pack_greedily: a batch, and an op without a product
func.func @batch(%a: tensor<5x8x6xf32>, %b: tensor<5x6x4xf32>, %c: tensor<5x8x4xf32>, %z: f32) -> tensor<5x8x4xf32> {
  %f = linalg.fill ins(%z : f32) outs(%c : tensor<5x8x4xf32>) -> tensor<5x8x4xf32>
  %r = linalg.batch_matmul ins(%a, %b : tensor<5x8x6xf32>, tensor<5x6x4xf32>) outs(%f : tensor<5x8x4xf32>) -> tensor<5x8x4xf32>
  return %r : tensor<5x8x4xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match interface{LinalgOp} in %root : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack_greedily %mm matmul_packed_sizes = [4, 2, 3] matmul_inner_dims_order = [1, 2, 0] : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %packed, "packed" : !transform.any_op
    transform.yield
  }
// -----
// pack_greedily: a convolution contracts its channels
func.func @conv(%a: tensor<14x512x28x28xf32>, %f: tensor<1024x512x1x1xf32>, %c: tensor<14x1024x28x28xf32>) -> tensor<14x1024x28x28xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%a, %f : tensor<14x512x28x28xf32>, tensor<1024x512x1x1xf32>) outs(%c : tensor<14x1024x28x28xf32>) -> tensor<14x1024x28x28xf32>
  return %r : tensor<14x1024x28x28xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack_greedily %mm matmul_packed_sizes = [8, 16, 32] matmul_inner_dims_order = [1, 2, 0] : (!transform.any_op) -> !transform.op<"linalg.generic">
    transform.yield
  }
// -----
// pack_greedily: a transposed convolution, grouped
func.func @conv(%a: tensor<?x47x16x16xf32>, %f: tensor<2x47x11x5xf32>, %c: tensor<?x2x6x12xf32>) -> tensor<?x2x6x12xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%a, %f : tensor<?x47x16x16xf32>, tensor<2x47x11x5xf32>) outs(%c : tensor<?x2x6x12xf32>) -> tensor<?x2x6x12xf32>
  return %r : tensor<?x2x6x12xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack_greedily %mm matmul_packed_sizes = [8, 16, 32] matmul_inner_dims_order = [1, 2, 0] : (!transform.any_op) -> !transform.op<"linalg.generic">
    transform.yield
  }
// -----
// pack_greedily: a size and a multiple
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack_greedily %mm matmul_packed_sizes = [1, 2, 4] matmul_padded_sizes_next_multiple_of = [0, 3, 0] matmul_inner_dims_order = [2, 0, 1] : (!transform.any_op) -> !transform.op<"linalg.generic">
    transform.yield
  }
// -----
// pack_greedily: an order that is none
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack_greedily %mm matmul_packed_sizes = [1, 2, 4] matmul_inner_dims_order = [2, 2, 1] : (!transform.any_op) -> !transform.op<"linalg.generic">
    transform.yield
  }
// -----
// pack_greedily: an order of two
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack_greedily %mm matmul_packed_sizes = [1, 2, 4] matmul_inner_dims_order = [1, 0] : (!transform.any_op) -> !transform.op<"linalg.generic">
    transform.yield
  }
// -----
// pack_transpose: of an input, inside and outside
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack %mm packed_sizes = [4, 2, 3] : (!transform.any_op) -> !transform.op<"linalg.generic">
    %pack = transform.get_producer_of_operand %packed[1] : (!transform.op<"linalg.generic">) -> !transform.op<"linalg.pack">
    %op, %p, %u = transform.structured.pack_transpose %pack with_compute_op(%packed) outer_perm = [1, 0] inner_perm = [1, 0] : (!transform.op<"linalg.pack">, !transform.op<"linalg.generic">) -> (!transform.op<"linalg.generic">, !transform.op<"linalg.pack">, !transform.any_op)
    transform.debug.emit_remark_at %op, "op" : !transform.op<"linalg.generic">
    transform.debug.emit_remark_at %p, "pack" : !transform.op<"linalg.pack">
    transform.yield
  }
// -----
// pack_transpose: of the output, then of the outer dimensions
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack %mm packed_sizes = [4, 2, 3] : (!transform.any_op) -> !transform.op<"linalg.generic">
    %unpack = transform.get_consumers_of_result %packed[0] : (!transform.op<"linalg.generic">) -> !transform.op<"linalg.unpack">
    %op, %p, %u = transform.structured.pack_transpose %unpack with_compute_op(%packed) inner_perm = [1, 0] : (!transform.op<"linalg.unpack">, !transform.op<"linalg.generic">) -> (!transform.op<"linalg.generic">, !transform.op<"linalg.pack">, !transform.op<"linalg.unpack">)
    %op2, %p2, %u2 = transform.structured.pack_transpose %u with_compute_op(%op) outer_perm = [1, 0] : (!transform.op<"linalg.unpack">, !transform.op<"linalg.generic">) -> (!transform.op<"linalg.generic">, !transform.op<"linalg.pack">, !transform.op<"linalg.unpack">)
    transform.debug.emit_remark_at %u2, "unpack" : !transform.op<"linalg.unpack">
    transform.yield
  }
// -----
// pack_transpose: neither order
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack %mm packed_sizes = [4, 2, 3] : (!transform.any_op) -> !transform.op<"linalg.generic">
    %pack = transform.get_producer_of_operand %packed[1] : (!transform.op<"linalg.generic">) -> !transform.op<"linalg.pack">
    %op, %p, %u = transform.structured.pack_transpose %pack with_compute_op(%packed) : (!transform.op<"linalg.pack">, !transform.op<"linalg.generic">) -> (!transform.op<"linalg.generic">, !transform.op<"linalg.pack">, !transform.any_op)
    transform.yield
  }
// -----
// pack_transpose: an order of another rank
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %packed = transform.structured.pack %mm packed_sizes = [4, 2, 3] : (!transform.any_op) -> !transform.op<"linalg.generic">
    %pack = transform.get_producer_of_operand %packed[1] : (!transform.op<"linalg.generic">) -> !transform.op<"linalg.pack">
    %op, %p, %u = transform.structured.pack_transpose %pack with_compute_op(%packed) inner_perm = [0] : (!transform.op<"linalg.pack">, !transform.op<"linalg.generic">) -> (!transform.op<"linalg.generic">, !transform.op<"linalg.pack">, !transform.any_op)
    transform.yield
  }
// -----
// pack_transpose: not a pack
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %m2 = transform.structured.match ops{["func.return"]} in %root : (!transform.any_op) -> !transform.any_op
    %op, %p, %u = transform.structured.pack_transpose %m2 with_compute_op(%mm) inner_perm = [0] : (!transform.any_op, !transform.any_op) -> (!transform.op<"linalg.generic">, !transform.op<"linalg.pack">, !transform.any_op)
    transform.yield
  }
// -----
// pack_transpose: a pack of another op
func.func @f(%x: tensor<8xf32>, %o: tensor<2x4xf32>, %p: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %r = linalg.pack %x inner_dims_pos = [0] inner_tiles = [4] into %o : tensor<8xf32> -> tensor<2x4xf32>
  %s = linalg.exp ins(%p : tensor<2x4xf32>) outs(%p : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %s, %r : tensor<2x4xf32>, tensor<2x4xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %m2 = transform.structured.match ops{["linalg.pack"]} in %root : (!transform.any_op) -> !transform.any_op
    %op, %p, %u = transform.structured.pack_transpose %m2 with_compute_op(%mm) inner_perm = [0] : (!transform.any_op, !transform.any_op) -> (!transform.op<"linalg.generic">, !transform.op<"linalg.pack">, !transform.any_op)
    transform.yield
  }
// -----
// lower_pack: orders, padding, sizes of the run time, one tile
func.func @f(%a: tensor<8x6xf32>, %d: tensor<2x2x4x3xf32>, %o : tensor<2x2x3x4xf32>) -> (tensor<2x2x4x3xf32>, tensor<2x2x3x4xf32>) {
    %1 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [4, 3] into %d : tensor<8x6xf32> -> tensor<2x2x4x3xf32>
    %2 = linalg.pack %a outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [3, 4] into %o : tensor<8x6xf32> -> tensor<2x2x3x4xf32>
  return %1, %2 : tensor<2x2x4x3xf32>, tensor<2x2x3x4xf32>
}
func.func @g(%a: tensor<?x7xf32>, %d: tensor<?x3x4x3xf32>, %c: f32) -> (tensor<?x3x4x3xf32>) {
    %1 = linalg.pack %a padding_value(%c : f32) inner_dims_pos = [0, 1] inner_tiles = [4, 3] into %d : tensor<?x7xf32> -> tensor<?x3x4x3xf32>
  return %1: tensor<?x3x4x3xf32>
}
func.func @g2(%a: tensor<?x7xf32>, %d: tensor<3x?x3x4xf32>, %c: f32) -> (tensor<3x?x3x4xf32>) {
    %1 = linalg.pack %a padding_value(%c : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [3, 4] into %d : tensor<?x7xf32> -> tensor<3x?x3x4xf32>
  return %1: tensor<3x?x3x4xf32>
}
func.func @h(%a: tensor<129x47x16x16xf32>, %d: tensor<1x1x1x1x136x64x16x16xf32>) -> (tensor<1x1x1x1x136x64x16x16xf32>) {
   %cst_0 = arith.constant 0.0 : f32
  %pack = linalg.pack %a padding_value(%cst_0 : f32) inner_dims_pos = [0, 1, 2, 3] inner_tiles = [136, 64, 16, 16] into %d : tensor<129x47x16x16xf32> -> tensor<1x1x1x1x136x64x16x16xf32>
  return %pack : tensor<1x1x1x1x136x64x16x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.pack"]} in %root : (!transform.any_op) -> !transform.op<"linalg.pack">
    %a, %b, %c = transform.structured.lower_pack %mm : (!transform.op<"linalg.pack">) -> (!transform.op<"tensor.pad">, !transform.op<"tensor.expand_shape">, !transform.op<"linalg.transpose">)
    transform.debug.emit_remark_at %a, "pad" : !transform.op<"tensor.pad">
    transform.debug.emit_remark_at %b, "expand" : !transform.op<"tensor.expand_shape">
    transform.debug.emit_remark_at %c, "transpose" : !transform.op<"linalg.transpose">
    transform.yield
}
// -----
// lower_pack: one tile, without an insertion
func.func @f(%a: tensor<8x6xf32>, %d: tensor<2x2x4x3xf32>, %o : tensor<2x2x3x4xf32>) -> (tensor<2x2x4x3xf32>, tensor<2x2x3x4xf32>) {
    %1 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [4, 3] into %d : tensor<8x6xf32> -> tensor<2x2x4x3xf32>
    %2 = linalg.pack %a outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [3, 4] into %o : tensor<8x6xf32> -> tensor<2x2x3x4xf32>
  return %1, %2 : tensor<2x2x4x3xf32>, tensor<2x2x3x4xf32>
}
func.func @g(%a: tensor<?x7xf32>, %d: tensor<?x3x4x3xf32>, %c: f32) -> (tensor<?x3x4x3xf32>) {
    %1 = linalg.pack %a padding_value(%c : f32) inner_dims_pos = [0, 1] inner_tiles = [4, 3] into %d : tensor<?x7xf32> -> tensor<?x3x4x3xf32>
  return %1: tensor<?x3x4x3xf32>
}
func.func @g2(%a: tensor<?x7xf32>, %d: tensor<3x?x3x4xf32>, %c: f32) -> (tensor<3x?x3x4xf32>) {
    %1 = linalg.pack %a padding_value(%c : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [3, 4] into %d : tensor<?x7xf32> -> tensor<3x?x3x4xf32>
  return %1: tensor<3x?x3x4xf32>
}
func.func @h(%a: tensor<129x47x16x16xf32>, %d: tensor<1x1x1x1x136x64x16x16xf32>) -> (tensor<1x1x1x1x136x64x16x16xf32>) {
   %cst_0 = arith.constant 0.0 : f32
  %pack = linalg.pack %a padding_value(%cst_0 : f32) inner_dims_pos = [0, 1, 2, 3] inner_tiles = [136, 64, 16, 16] into %d : tensor<129x47x16x16xf32> -> tensor<1x1x1x1x136x64x16x16xf32>
  return %pack : tensor<1x1x1x1x136x64x16x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.pack"]} in %root : (!transform.any_op) -> !transform.op<"linalg.pack">
    %a, %b, %c = transform.structured.lower_pack %mm {lowerPadLikeWithInsertSlice = false} : (!transform.op<"linalg.pack">) -> (!transform.op<"tensor.pad">, !transform.op<"tensor.expand_shape">, !transform.op<"linalg.transpose">)
    transform.debug.emit_remark_at %a, "pad" : !transform.op<"tensor.pad">
    transform.debug.emit_remark_at %b, "expand" : !transform.op<"tensor.expand_shape">
    transform.debug.emit_remark_at %c, "transpose" : !transform.op<"linalg.transpose">
    transform.yield
}
// -----
// lower_pack: a tile size of the run time
func.func @f(%x: tensor<?xf32>, %o: tensor<?x?xf32>, %t: index) -> tensor<?x?xf32> {
  %r = linalg.pack %x inner_dims_pos = [0] inner_tiles = [%t] into %o : tensor<?xf32> -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.pack"]} in %root : (!transform.any_op) -> !transform.op<"linalg.pack">
    %a, %b, %c = transform.structured.lower_pack %mm : (!transform.op<"linalg.pack">) -> (!transform.op<"tensor.pad">, !transform.op<"tensor.expand_shape">, !transform.op<"linalg.transpose">)
    transform.debug.emit_remark_at %a, "pad" : !transform.op<"tensor.pad">
    transform.debug.emit_remark_at %b, "expand" : !transform.op<"tensor.expand_shape">
    transform.debug.emit_remark_at %c, "transpose" : !transform.op<"linalg.transpose">
    transform.yield
}
// -----
// lower_unpack: orders, partial tiles, sizes of the run time, one tile
func.func @f(%a: tensor<8x6xf32>, %d: tensor<2x2x4x3xf32>, %o : tensor<2x2x3x4xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
    %1 = linalg.unpack %d inner_dims_pos = [0, 1] inner_tiles = [4, 3] into %a : tensor<2x2x4x3xf32> -> tensor<8x6xf32>
    %2 = linalg.unpack %o outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [3, 4] into %a : tensor<2x2x3x4xf32> -> tensor<8x6xf32>
  return %1, %2 : tensor<8x6xf32>, tensor<8x6xf32>
}
func.func @g(%a: tensor<?x7xf32>, %d: tensor<?x3x4x3xf32>) -> (tensor<?x7xf32>) {
    %1 = linalg.unpack %d inner_dims_pos = [0, 1] inner_tiles = [4, 3] into %a : tensor<?x3x4x3xf32> -> tensor<?x7xf32>
  return %1: tensor<?x7xf32>
}
func.func @t(%a: tensor<?x7xf32>, %d: tensor<?x?x?x?xf32>, %x: index, %y: index) -> (tensor<?x7xf32>) {
    %1 = linalg.unpack %d inner_dims_pos = [0, 1] inner_tiles = [%x, %y] into %a : tensor<?x?x?x?xf32> -> tensor<?x7xf32>
  return %1: tensor<?x7xf32>
}
func.func @h(%a: tensor<129x47x16x16xf32>, %d: tensor<1x1x1x1x136x64x16x16xf32>) -> tensor<129x47x16x16xf32> {
  %pack = linalg.unpack %d inner_dims_pos = [0, 1, 2, 3] inner_tiles = [136, 64, 16, 16] into %a :  tensor<1x1x1x1x136x64x16x16xf32> -> tensor<129x47x16x16xf32>
  return %pack : tensor<129x47x16x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.unpack"]} in %root : (!transform.any_op) -> !transform.op<"linalg.unpack">
    %e, %t, %c, %s = transform.structured.lower_unpack %mm : (!transform.op<"linalg.unpack">) -> (!transform.op<"tensor.empty">, !transform.op<"linalg.transpose">, !transform.op<"tensor.collapse_shape">, !transform.op<"tensor.extract_slice">)
    transform.debug.emit_remark_at %s, "slice" : !transform.op<"tensor.extract_slice">
    transform.debug.emit_remark_at %e, "empty" : !transform.op<"tensor.empty">
    transform.yield
}
// -----
// lower_unpack: one tile, without a slice of it
func.func @f(%a: tensor<8x6xf32>, %d: tensor<2x2x4x3xf32>, %o : tensor<2x2x3x4xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
    %1 = linalg.unpack %d inner_dims_pos = [0, 1] inner_tiles = [4, 3] into %a : tensor<2x2x4x3xf32> -> tensor<8x6xf32>
    %2 = linalg.unpack %o outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [3, 4] into %a : tensor<2x2x3x4xf32> -> tensor<8x6xf32>
  return %1, %2 : tensor<8x6xf32>, tensor<8x6xf32>
}
func.func @g(%a: tensor<?x7xf32>, %d: tensor<?x3x4x3xf32>) -> (tensor<?x7xf32>) {
    %1 = linalg.unpack %d inner_dims_pos = [0, 1] inner_tiles = [4, 3] into %a : tensor<?x3x4x3xf32> -> tensor<?x7xf32>
  return %1: tensor<?x7xf32>
}
func.func @t(%a: tensor<?x7xf32>, %d: tensor<?x?x?x?xf32>, %x: index, %y: index) -> (tensor<?x7xf32>) {
    %1 = linalg.unpack %d inner_dims_pos = [0, 1] inner_tiles = [%x, %y] into %a : tensor<?x?x?x?xf32> -> tensor<?x7xf32>
  return %1: tensor<?x7xf32>
}
func.func @h(%a: tensor<129x47x16x16xf32>, %d: tensor<1x1x1x1x136x64x16x16xf32>) -> tensor<129x47x16x16xf32> {
  %pack = linalg.unpack %d inner_dims_pos = [0, 1, 2, 3] inner_tiles = [136, 64, 16, 16] into %a :  tensor<1x1x1x1x136x64x16x16xf32> -> tensor<129x47x16x16xf32>
  return %pack : tensor<129x47x16x16xf32>
}
transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.unpack"]} in %root : (!transform.any_op) -> !transform.op<"linalg.unpack">
    %e, %t, %c, %s = transform.structured.lower_unpack %mm {lowerUnpadLikeWithExtractSlice = false} : (!transform.op<"linalg.unpack">) -> (!transform.op<"tensor.empty">, !transform.op<"linalg.transpose">, !transform.op<"tensor.collapse_shape">, !transform.op<"tensor.extract_slice">)
    transform.debug.emit_remark_at %s, "slice" : !transform.op<"tensor.extract_slice">
    transform.debug.emit_remark_at %e, "empty" : !transform.op<"tensor.empty">
    transform.yield
}
