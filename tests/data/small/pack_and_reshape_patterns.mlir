// -----
// fold_pack_unpack_into_empty: both
func.func @f(%x: tensor<8xf32>) -> (tensor<2x4xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %o = tensor.empty() : tensor<2x4xf32>
  %r = linalg.pack %e inner_dims_pos = [0] inner_tiles = [4] into %o : tensor<8xf32> -> tensor<2x4xf32>
  %s = linalg.unpack %o inner_dims_pos = [0] inner_tiles = [4] into %x : tensor<2x4xf32> -> tensor<8xf32>
  return %r, %s : tensor<2x4xf32>, tensor<8xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.fold_pack_unpack_into_empty
    } : !transform.any_op
    transform.yield
  }
// -----
// fold_pack_unpack_into_empty: not that of a constant
func.func @f(%x: tensor<8xf32>, %c: f32) -> (tensor<3x4xf32>) {
  %e = tensor.empty() : tensor<9xf32>
  %o = tensor.empty() : tensor<3x4xf32>
  %r = linalg.pack %e padding_value(%c : f32) inner_dims_pos = [0] inner_tiles = [4] into %o : tensor<9xf32> -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.fold_pack_unpack_into_empty {fold_single_use_only = true}
    } : !transform.any_op
    transform.yield
  }
// -----
// decompose_pack_unpack: static
func.func @f(%x: tensor<5x8xf32>, %o: tensor<1x1x8x5xf32>, %y: tensor<1x1x8x2xf32>, %z: tensor<2x8xf32>, %c: f32) -> (tensor<1x1x8x5xf32>, tensor<2x8xf32>) {
  %r = linalg.pack %x inner_dims_pos = [1, 0] inner_tiles = [8, 5] into %o : tensor<5x8xf32> -> tensor<1x1x8x5xf32>
  %s = linalg.unpack %y inner_dims_pos = [1, 0] inner_tiles = [8, 2] into %z : tensor<1x1x8x2xf32> -> tensor<2x8xf32>
  return %r, %s : tensor<1x1x8x5xf32>, tensor<2x8xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.decompose_pack_unpack
    } : !transform.any_op
    transform.yield
  }
// -----
// decompose_pack_unpack: partial
func.func @f(%x: tensor<5x1xf32>, %o: tensor<1x1x8x2xf32>, %y: tensor<1x1x8x2xf32>, %z: tensor<7x2xf32>, %c: f32) -> (tensor<1x1x8x2xf32>, tensor<7x2xf32>) {
  %r = linalg.pack %x padding_value(%c : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 2] into %o : tensor<5x1xf32> -> tensor<1x1x8x2xf32>
  %s = linalg.unpack %y inner_dims_pos = [0, 1] inner_tiles = [8, 2] into %z : tensor<1x1x8x2xf32> -> tensor<7x2xf32>
  return %r, %s : tensor<1x1x8x2xf32>, tensor<7x2xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.decompose_pack_unpack
    } : !transform.any_op
    transform.yield
  }
// -----
// decompose_pack_unpack: one dimension, and more tiles
func.func @f(%x: tensor<1x1x32x8xf32>, %o: tensor<1x1x1x1x8x32xf32>, %y: tensor<2x8x8x2xf32>, %z: tensor<16x16xf32>, %w: tensor<32x8x1x4xf32>, %v: tensor<32x8x4xf32>) -> (tensor<1x1x1x1x8x32xf32>, tensor<16x16xf32>, tensor<32x8x4xf32>) {
  %r = linalg.pack %x outer_dims_perm = [3, 2, 1, 0] inner_dims_pos = [3, 2] inner_tiles = [8, 32] into %o : tensor<1x1x32x8xf32> -> tensor<1x1x1x1x8x32xf32>
  %s = linalg.unpack %y inner_dims_pos = [0, 1] inner_tiles = [8, 2] into %z : tensor<2x8x8x2xf32> -> tensor<16x16xf32>
  %t = linalg.unpack %w inner_dims_pos = [2] inner_tiles = [4] into %v : tensor<32x8x1x4xf32> -> tensor<32x8x4xf32>
  return %r, %s, %t : tensor<1x1x1x1x8x32xf32>, tensor<16x16xf32>, tensor<32x8x4xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.decompose_pack_unpack
    } : !transform.any_op
    transform.yield
  }
// -----
// fold_into_pack_and_unpack: a slice of an unpack, a pad before a pack
func.func @f(%y: tensor<2x8xf32>, %z: tensor<16xf32>, %x: tensor<13xf32>, %o: tensor<2x8xf32>) -> (tensor<12xf32>, tensor<2x8xf32>) {
  %s = linalg.unpack %y inner_dims_pos = [0] inner_tiles = [8] into %z : tensor<2x8xf32> -> tensor<16xf32>
  %t = tensor.extract_slice %s[0] [12] [1] : tensor<16xf32> to tensor<12xf32>
  %c = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0] high[3] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<13xf32> to tensor<16xf32>
  %r = linalg.pack %p inner_dims_pos = [0] inner_tiles = [8] into %o : tensor<16xf32> -> tensor<2x8xf32>
  return %t, %r : tensor<12xf32>, tensor<2x8xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.tensor.fold_into_pack_and_unpack
    } : !transform.any_op
    transform.yield
  }
// -----
// fold_into_pack_and_unpack: transpositions
func.func @f(%y: tensor<2x3x8xf32>, %e: tensor<16x3xf32>, %z: tensor<3x16xf32>, %x: tensor<3x16xf32>, %o: tensor<2x3x8xf32>, %q: tensor<3x2x8xf32>) -> (tensor<3x16xf32>, tensor<3x2x8xf32>, tensor<2x3x8xf32>) {
  %s = linalg.unpack %y inner_dims_pos = [0] inner_tiles = [8] into %e : tensor<2x3x8xf32> -> tensor<16x3xf32>
  %t = linalg.transpose ins(%s : tensor<16x3xf32>) outs(%z : tensor<3x16xf32>) permutation = [1, 0]
  %a = linalg.pack %x outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [8] into %o : tensor<3x16xf32> -> tensor<2x3x8xf32>
  %b = linalg.transpose ins(%a : tensor<2x3x8xf32>) outs(%q : tensor<3x2x8xf32>) permutation = [1, 0, 2]
  %g = tensor.empty() : tensor<16x3xf32>
  %h = linalg.transpose ins(%x : tensor<3x16xf32>) outs(%g : tensor<16x3xf32>) permutation = [1, 0]
  %i = linalg.pack %h inner_dims_pos = [0] inner_tiles = [8] into %o : tensor<16x3xf32> -> tensor<2x3x8xf32>
  return %t, %b, %i : tensor<3x16xf32>, tensor<3x2x8xf32>, tensor<2x3x8xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.tensor.fold_into_pack_and_unpack
    } : !transform.any_op
    transform.yield
  }
// -----
// fold_into_pack_and_unpack: other transpositions
func.func @f(%y: tensor<3x2x8xf32>, %e: tensor<16x3xf32>, %z: tensor<2x3x8xf32>) -> (tensor<16x3xf32>) {
  %t = linalg.transpose ins(%y : tensor<3x2x8xf32>) outs(%z : tensor<2x3x8xf32>) permutation = [1, 0, 2]
  %s = linalg.unpack %t inner_dims_pos = [0] inner_tiles = [8] into %e : tensor<2x3x8xf32> -> tensor<16x3xf32>
  return %s : tensor<16x3xf32>
}
func.func @g(%x: tensor<8x6xf32>, %o : tensor<2x2x4x3xf32>, %p: tensor<2x2x3x4xf32>) -> tensor<2x2x3x4xf32> {
    %1 = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [4, 3] into %o : tensor<8x6xf32> -> tensor<2x2x4x3xf32>
  %t = linalg.transpose ins(%1 : tensor<2x2x4x3xf32>) outs(%p : tensor<2x2x3x4xf32>) permutation = [0, 1, 3, 2]
  return %t : tensor<2x2x3x4xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.tensor.fold_into_pack_and_unpack
    } : !transform.any_op
    transform.yield
  }
// -----
// canonicalization: a pack of what was unpacked, an unpack of what was packed, no partial tile
func.func @a(%x: tensor<2x8xf32>, %e: tensor<16xf32>, %z: tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<16xf32>) {
  %s = linalg.unpack %x inner_dims_pos = [0] inner_tiles = [8] into %e : tensor<2x8xf32> -> tensor<16xf32>
  %t = linalg.pack %s inner_dims_pos = [0] inner_tiles = [8] into %z : tensor<16xf32> -> tensor<2x8xf32>
  %u = linalg.pack %e inner_dims_pos = [0] inner_tiles = [8] into %z : tensor<16xf32> -> tensor<2x8xf32>
  %v = linalg.unpack %u inner_dims_pos = [0] inner_tiles = [8] into %e : tensor<2x8xf32> -> tensor<16xf32>
  return %t, %v : tensor<2x8xf32>, tensor<16xf32>
}
func.func @b(%x: tensor<16xf32>, %z: tensor<2x8xf32>, %c: f32, %o: tensor<1x16x2xf32>, %i: tensor<1x32xf32>) -> (tensor<2x8xf32>, tensor<1x16x2xf32>) {
  %t = linalg.pack %x padding_value(%c : f32) inner_dims_pos = [0] inner_tiles = [8] into %z : tensor<16xf32> -> tensor<2x8xf32>
  %u = linalg.pack %i outer_dims_perm = [0, 1] inner_dims_pos = [1] inner_tiles = [2] into %o : tensor<1x32xf32> -> tensor<1x16x2xf32>
  return %t, %u : tensor<2x8xf32>, tensor<1x16x2xf32>
}
func.func @c(%x: tensor<?xf32>, %z: tensor<2x8xf32>, %c: f32, %y: tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<16xf32>) {
  %t = linalg.pack %x padding_value(%c : f32) inner_dims_pos = [0] inner_tiles = [8] into %z : tensor<?xf32> -> tensor<2x8xf32>
  %e = tensor.empty() : tensor<16xf32>
  %f = tensor.cast %e : tensor<16xf32> to tensor<?xf32>
  %v = linalg.unpack %y inner_dims_pos = [0] inner_tiles = [8] into %f : tensor<2x8xf32> -> tensor<?xf32>
  %w = tensor.cast %v : tensor<?xf32> to tensor<16xf32>
  return %t, %w : tensor<2x8xf32>, tensor<16xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
// -----
// bubble expand
func.func @f(%a: tensor<60xf32>, %i: index, %j: index) -> tensor<1x1x5xf32> {
  %e = tensor.expand_shape %a [[0, 1, 2]] output_shape [2, 3, 10] : tensor<60xf32> into tensor<2x3x10xf32>
  %s = tensor.extract_slice %e[%i, %j, 5] [1, 1, 5] [1, 1, 1] : tensor<2x3x10xf32> to tensor<1x1x5xf32>
  return %s : tensor<1x1x5xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.tensor.bubble_up_extract_slice
    } : !transform.any_op
    transform.yield
  }
// -----
// bubble expand full
func.func @f(%a: tensor<60xf32>, %i: index, %j: index) -> tensor<1x3x10xf32> {
  %e = tensor.expand_shape %a [[0, 1, 2]] output_shape [2, 3, 10] : tensor<60xf32> into tensor<2x3x10xf32>
  %s = tensor.extract_slice %e[%i, 0, 0] [1, 3, 10] [1, 1, 1] : tensor<2x3x10xf32> to tensor<1x3x10xf32>
  return %s : tensor<1x3x10xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.tensor.bubble_up_extract_slice
    } : !transform.any_op
    transform.yield
  }
// -----
// bubble expand dynamic
func.func @f(%a: tensor<?x?xf32>, %i: index, %n: index) -> tensor<1x3x5xf32> {
  %e = tensor.expand_shape %a [[0, 1], [2]] output_shape [%n, 10, %n] : tensor<?x?xf32> into tensor<?x10x?xf32>
  %s = tensor.extract_slice %e[%i, 2, %i] [1, 3, 5] [1, 1, 1] : tensor<?x10x?xf32> to tensor<1x3x5xf32>
  return %s : tensor<1x3x5xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.tensor.bubble_up_extract_slice
    } : !transform.any_op
    transform.yield
  }
// -----
// bubble expand noncontig
func.func @f(%a: tensor<60xf32>, %i: index, %j: index) -> tensor<1x2x5xf32> {
  %e = tensor.expand_shape %a [[0, 1, 2]] output_shape [2, 3, 10] : tensor<60xf32> into tensor<2x3x10xf32>
  %s = tensor.extract_slice %e[%i, %j, 5] [1, 2, 5] [1, 1, 1] : tensor<2x3x10xf32> to tensor<1x2x5xf32>
  return %s : tensor<1x2x5xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.tensor.bubble_up_extract_slice
    } : !transform.any_op
    transform.yield
  }
// -----
// bubble collapse
func.func @f(%a: tensor<6x5x32xf32>, %i: index, %n: index) -> tensor<5x8xf32> {
  %e = tensor.collapse_shape %a [[0, 1], [2]] : tensor<6x5x32xf32> into tensor<30x32xf32>
  %s = tensor.extract_slice %e[%i, 0] [5, 8] [1, 1] : tensor<30x32xf32> to tensor<5x8xf32>
  return %s : tensor<5x8xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.tensor.bubble_up_extract_slice
    } : !transform.any_op
    transform.yield
  }
// -----
// bubble collapse const
func.func @f(%a: tensor<6x5x32xf32>, %i: index, %n: index) -> (tensor<10x8xf32>, tensor<3x32xf32>) {
  %e = tensor.collapse_shape %a [[0, 1], [2]] : tensor<6x5x32xf32> into tensor<30x32xf32>
  %s = tensor.extract_slice %e[10, 0] [10, 8] [1, 1] : tensor<30x32xf32> to tensor<10x8xf32>
  %t = tensor.extract_slice %e[11, 0] [3, 32] [1, 1] : tensor<30x32xf32> to tensor<3x32xf32>
  return %s, %t : tensor<10x8xf32>, tensor<3x32xf32>
}
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.tensor.bubble_up_extract_slice
    } : !transform.any_op
    transform.yield
  }
