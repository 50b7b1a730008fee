// -----
// pack: static
func.func @f(%x: tensor<128x256xf32>, %o: tensor<4x8x32x32xf32>) -> tensor<4x8x32x32xf32> {
  %r = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %o : tensor<128x256xf32> -> tensor<4x8x32x32xf32>
  return %r : tensor<4x8x32x32xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.pack"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %h tile_sizes [2, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %t, "tiled" : !transform.any_op
    transform.yield
  }
// -----
// pack: partial tiles, another order
func.func @f(%x: tensor<128x256xf32>, %o: tensor<32x4x32x8xf32>) -> tensor<32x4x32x8xf32> {
  %r = linalg.pack %x outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [32, 8] into %o : tensor<128x256xf32> -> tensor<32x4x32x8xf32>
  return %r : tensor<32x4x32x8xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.pack"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %h tile_sizes [5, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %t, "tiled" : !transform.any_op
    transform.yield
  }
// -----
// pack: padding
func.func @f(%x: tensor<13x15xf32>, %o: tensor<2x8x8x2xf32>, %c: f32) -> tensor<2x8x8x2xf32> {
  %r = linalg.pack %x padding_value(%c : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 2] into %o : tensor<13x15xf32> -> tensor<2x8x8x2xf32>
  return %r : tensor<2x8x8x2xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.pack"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %h tile_sizes [1, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %t, "tiled" : !transform.any_op
    transform.yield
  }
// -----
// pack: sizes of the run time
func.func @f(%x: tensor<?x?xf32>, %o: tensor<?x?x8x2xf32>, %c: f32) -> tensor<?x?x8x2xf32> {
  %r = linalg.pack %x padding_value(%c : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 2] into %o : tensor<?x?xf32> -> tensor<?x?x8x2xf32>
  return %r : tensor<?x?x8x2xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.pack"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %h tile_sizes [2, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %t, "tiled" : !transform.any_op
    transform.yield
  }
// -----
// pack: tiles of the run time
func.func @f(%x: tensor<?x?xf32>, %o: tensor<?x?x?x?xf32>, %a: index, %b: index) -> tensor<?x?x?x?xf32> {
  %r = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [%a, %b] into %o : tensor<?x?xf32> -> tensor<?x?x?x?xf32>
  return %r : tensor<?x?x?x?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.pack"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %h tile_sizes [2, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %t, "tiled" : !transform.any_op
    transform.yield
  }
// -----
// pack: one dimension
func.func @f(%x: tensor<4x30xf32>, %o: tensor<4x5x6xf32>) -> tensor<4x5x6xf32> {
  %r = linalg.pack %x inner_dims_pos = [1] inner_tiles = [6] into %o : tensor<4x30xf32> -> tensor<4x5x6xf32>
  return %r : tensor<4x5x6xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.pack"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %h tile_sizes [2, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %t, "tiled" : !transform.any_op
    transform.yield
  }
// -----
// unpack: whole inner tiles
func.func @f(%x: tensor<8x8x32x16xf32>, %o: tensor<256x128xf32>) -> tensor<256x128xf32> {
  %r = linalg.unpack %x inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %o : tensor<8x8x32x16xf32> -> tensor<256x128xf32>
  return %r : tensor<256x128xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.unpack"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %h tile_sizes [64, 16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %t, "tiled" : !transform.any_op
    transform.yield
  }
// -----
// unpack: smaller than inner tiles
func.func @f(%x: tensor<8x8x32x16xf32>, %o: tensor<256x128xf32>) -> tensor<256x128xf32> {
  %r = linalg.unpack %x inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %o : tensor<8x8x32x16xf32> -> tensor<256x128xf32>
  return %r : tensor<256x128xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.unpack"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %h tile_sizes [2, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %t, "tiled" : !transform.any_op
    transform.yield
  }
// -----
// unpack: across inner tiles
func.func @f(%x: tensor<8x8x7x3xf32>, %o: tensor<55x22xf32>) -> tensor<55x22xf32> {
  %r = linalg.unpack %x inner_dims_pos = [0, 1] inner_tiles = [7, 3] into %o : tensor<8x8x7x3xf32> -> tensor<55x22xf32>
  return %r : tensor<55x22xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.unpack"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %h tile_sizes [9, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %t, "tiled" : !transform.any_op
    transform.yield
  }
// -----
// unpack: another order
func.func @f(%x: tensor<8x8x16x32xf32>, %o: tensor<128x255xf32>) -> tensor<128x255xf32> {
  %r = linalg.unpack %x outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [16, 32] into %o : tensor<8x8x16x32xf32> -> tensor<128x255xf32>
  return %r : tensor<128x255xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.unpack"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %h tile_sizes [16, 64] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %t, "tiled" : !transform.any_op
    transform.yield
  }
// -----
// unpack: sizes of the run time
func.func @f(%x: tensor<?x?x16x32xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.unpack %x inner_dims_pos = [0, 1] inner_tiles = [16, 32] into %o : tensor<?x?x16x32xf32> -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.unpack"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %h tile_sizes [16, 64] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %t, "tiled" : !transform.any_op
    transform.yield
  }
// -----
// unpack: sizes of the run time, across inner tiles
func.func @f(%x: tensor<?x?x16x32xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.unpack %x inner_dims_pos = [0, 1] inner_tiles = [16, 32] into %o : tensor<?x?x16x32xf32> -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.unpack"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %h tile_sizes [4, 10] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %t, "tiled" : !transform.any_op
    transform.yield
  }
// -----
// unpack: tiles of the run time
func.func @f(%x: tensor<?x?x?x?xf32>, %o: tensor<?x?xf32>, %a: index, %b: index) -> tensor<?x?xf32> {
  %r = linalg.unpack %x inner_dims_pos = [0, 1] inner_tiles = [%a, %b] into %o : tensor<?x?x?x?xf32> -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.unpack"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %h tile_sizes [4, 10] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %t, "tiled" : !transform.any_op
    transform.yield
  }
// -----
// unpack: one dimension
func.func @f(%x: tensor<4x5x6xf32>, %o: tensor<4x30xf32>) -> tensor<4x30xf32> {
  %r = linalg.unpack %x inner_dims_pos = [1] inner_tiles = [6] into %o : tensor<4x5x6xf32> -> tensor<4x30xf32>
  return %r : tensor<4x30xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.unpack"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %h tile_sizes [2, 12] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.debug.emit_remark_at %t, "tiled" : !transform.any_op
    transform.yield
  }
// -----
// pack: static, in parallel
func.func @f(%x: tensor<128x256xf32>, %o: tensor<4x8x32x32xf32>) -> tensor<4x8x32x32xf32> {
  %r = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %o : tensor<128x256xf32> -> tensor<4x8x32x32xf32>
  return %r : tensor<4x8x32x32xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.pack"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %h tile_sizes [2, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
// -----
// unpack: across inner tiles, in parallel
func.func @f(%x: tensor<8x8x7x3xf32>, %o: tensor<55x22xf32>) -> tensor<55x22xf32> {
  %r = linalg.unpack %x inner_dims_pos = [0, 1] inner_tiles = [7, 3] into %o : tensor<8x8x7x3xf32> -> tensor<55x22xf32>
  return %r : tensor<55x22xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.unpack"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %h tile_sizes [9, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
// -----
// unpack: another order, in parallel
func.func @f(%x: tensor<8x8x16x32xf32>, %o: tensor<128x255xf32>) -> tensor<128x255xf32> {
  %r = linalg.unpack %x outer_dims_perm = [1, 0] inner_dims_pos = [0, 1] inner_tiles = [16, 32] into %o : tensor<8x8x16x32xf32> -> tensor<128x255xf32>
  return %r : tensor<128x255xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.unpack"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %h tile_sizes [16, 64] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
// -----
// pack: padding, in parallel
func.func @f(%x: tensor<13x15xf32>, %o: tensor<2x8x8x2xf32>, %c: f32) -> tensor<2x8x8x2xf32> {
  %r = linalg.pack %x padding_value(%c : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 2] into %o : tensor<13x15xf32> -> tensor<2x8x8x2xf32>
  return %r : tensor<2x8x8x2xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.pack"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %h tile_sizes [1, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
// -----
// pack: fused as a producer
func.func @f(%x: tensor<128x256xf32>, %o: tensor<4x8x32x32xf32>) -> tensor<4x8x32x32xf32> {
  %r = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [32, 32] into %o : tensor<128x256xf32> -> tensor<4x8x32x32xf32>
  %e = linalg.exp ins(%r : tensor<4x8x32x32xf32>) outs(%o : tensor<4x8x32x32xf32>) -> tensor<4x8x32x32xf32>
  return %e : tensor<4x8x32x32xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %p = transform.structured.match ops{["linalg.pack"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_forall %h tile_sizes [2, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f, %n = transform.structured.fuse_into_containing_op %p into %l : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
// -----
// unpack: fused as a producer, with fuse
func.func @f(%x: tensor<8x8x32x16xf32>, %o: tensor<256x128xf32>) -> tensor<256x128xf32> {
  %r = linalg.unpack %x inner_dims_pos = [0, 1] inner_tiles = [32, 16] into %o : tensor<8x8x32x16xf32> -> tensor<256x128xf32>
  %e = linalg.exp ins(%r : tensor<256x128xf32>) outs(%o : tensor<256x128xf32>) -> tensor<256x128xf32>
  return %e : tensor<256x128xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %h = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.fuse %h tile_sizes [64, 16] interchange [0, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
