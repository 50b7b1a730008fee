// merge_consecutive_insert_extract_slice: a slice of a slice
// groups: tensor.merge_consecutive_insert_extract_slice
// index: 1, 2, 3
func.func @f(%x: tensor<16x16x16xf32>, %i: index, %j: index, %n: index) -> (tensor<2x?xf32>, tensor<4xf32>, tensor<2x2xf32>) {
  %0 = tensor.extract_slice %x[%i, 2, 0] [8, %n, 16] [1, 2, 1] : tensor<16x16x16xf32> to tensor<8x?x16xf32>
  %1 = tensor.extract_slice %0[%j, 1, 3] [2, %j, 1] [1, 1, 1] : tensor<8x?x16xf32> to tensor<2x?xf32>
  %2 = tensor.extract_slice %x[%i, 2, 0] [1, 8, 16] [1, 1, 1] : tensor<16x16x16xf32> to tensor<8x16xf32>
  %3 = tensor.extract_slice %2[2, %j] [1, 4] [1, 2] : tensor<8x16xf32> to tensor<4xf32>
  %4 = tensor.extract_slice %x[1, 2, 3] [8, 8, 1] [1, 1, 1] : tensor<16x16x16xf32> to tensor<8x8xf32>
  %5 = tensor.extract_slice %4[1, 2] [2, 2] [1, 1] : tensor<8x8xf32> to tensor<2x2xf32>
  return %1, %3, %5 : tensor<2x?xf32>, tensor<4xf32>, tensor<2x2xf32>
}
// -----
// merge_consecutive_insert_extract_slice: what was put into a larger rank
// groups: tensor.merge_consecutive_insert_extract_slice
func.func @f(%a: tensor<8xf32>, %b: tensor<1x8xf32>, %c: tensor<4x16xf32>, %i: index) -> tensor<4x16xf32> {
  %0 = tensor.insert_slice %a into %b[0, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<1x8xf32>
  %1 = tensor.insert_slice %0 into %c[%i, 2] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<4x16xf32>
  return %1 : tensor<4x16xf32>
}
// -----
// drop_redundant_insert_slice_rank_expansion: added and dropped
// groups: tensor.drop_redundant_insert_slice_rank_expansion
func.func @f(%x: tensor<4x8xf32>, %y: tensor<1x1x4x8xf32>, %i: index) -> tensor<2x2xf32> {
  %0 = tensor.insert_slice %x into %y[0, 0, 0, 0] [1, 1, 4, 8] [1, 1, 1, 1] : tensor<4x8xf32> into tensor<1x1x4x8xf32>
  %1 = tensor.extract_slice %0[0, 0, %i, 3] [1, 1, 2, 2] [1, 1, 1, 1] : tensor<1x1x4x8xf32> to tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}
// -----
// fold_tensor_subset_ops: reads of slices
// groups: tensor.fold_tensor_subset_ops
// index: 2, 3, 1
func.func @f(%x: tensor<16x8x4xf32>, %i: index, %j: index, %k: index) -> (vector<2x4xf32>, vector<4x2xf32>, vector<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = arith.constant 0.0 : f32
  %0 = tensor.extract_slice %x[%i, %j, 0] [4, 1, 4] [1, 1, 1] : tensor<16x8x4xf32> to tensor<4x4xf32>
  %1 = vector.transfer_read %0[%k, %c0], %p {in_bounds = [true, true]} : tensor<4x4xf32>, vector<2x4xf32>
  %2 = vector.transfer_read %0[%c1, %c0], %p {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : tensor<4x4xf32>, vector<4x2xf32>
  %3 = tensor.extract_slice %x[%i, %j, 0] [4, 2, 4] [2, 1, 1] : tensor<16x8x4xf32> to tensor<4x2x4xf32>
  %4 = vector.transfer_read %3[%k, %c0, %c1], %p {in_bounds = [true]} : tensor<4x2x4xf32>, vector<2xf32>
  return %1, %2, %4 : vector<2x4xf32>, vector<4x2xf32>, vector<2xf32>
}
// -----
// fold_tensor_subset_ops: insertions of what was written
// groups: tensor.fold_tensor_subset_ops
func.func @f(%x: tensor<16x8xf32>, %y: tensor<4x8xf32>, %v: vector<4x8xf32>, %u: vector<2x8xf32>, %i: index, %z: tensor<8x4x8xf32>) -> (tensor<16x8xf32>, tensor<8x4x8xf32>, tensor<16x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = vector.transfer_write %v, %y[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<4x8xf32>
  %1 = tensor.insert_slice %0 into %x[%i, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<16x8xf32>
  %2 = tensor.insert_slice %0 into %z[%i, 0, 0] [1, 4, 8] [1, 1, 1] : tensor<4x8xf32> into tensor<8x4x8xf32>
  %3 = vector.transfer_write %u, %y[%c1, %c0] {in_bounds = [true, true]} : vector<2x8xf32>, tensor<4x8xf32>
  %4 = tensor.insert_slice %3 into %x[%i, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<16x8xf32>
  return %1, %2, %4 : tensor<16x8xf32>, tensor<8x4x8xf32>, tensor<16x8xf32>
}
// -----
// fold_tensor_subset_ops: what is masked or may be outside stays
// groups: tensor.fold_tensor_subset_ops
// stays: the slice ends where the tensor does not
// index: 2, 1, 3
func.func @f(%x: tensor<16x8xf32>, %i: index, %j: index, %n: index, %m: vector<4x8xi1>) -> (vector<4x8xf32>, vector<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %0 = tensor.extract_slice %x[%i, 0] [%n, 8] [1, 1] : tensor<16x8xf32> to tensor<?x8xf32>
  %1 = vector.transfer_read %0[%j, %c0], %p {in_bounds = [false, true]} : tensor<?x8xf32>, vector<4x8xf32>
  %2 = vector.transfer_read %0[%j, %c0], %p, %m {in_bounds = [false, true]} : tensor<?x8xf32>, vector<4x8xf32>
  return %1, %2 : vector<4x8xf32>, vector<4x8xf32>
}
// -----
// reassociative_reshape_folding: reshapes beside slices
// groups: tensor.reassociative_reshape_folding
func.func @f(%x: tensor<16x8xf32>, %y: tensor<1x8xf32>, %i: index, %z: tensor<8xf32>) -> (tensor<1x8xf32>, tensor<8xf32>, tensor<16x8xf32>, tensor<16x8xf32>) {
  %0 = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1] : tensor<16x8xf32> to tensor<8xf32>
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [1, 8] : tensor<8xf32> into tensor<1x8xf32>
  %2 = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1] : tensor<16x8xf32> to tensor<1x8xf32>
  %3 = tensor.collapse_shape %2 [[0, 1]] : tensor<1x8xf32> into tensor<8xf32>
  %4 = tensor.collapse_shape %y [[0, 1]] : tensor<1x8xf32> into tensor<8xf32>
  %5 = tensor.insert_slice %4 into %x[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<16x8xf32>
  %6 = tensor.expand_shape %z [[0, 1]] output_shape [1, 8] : tensor<8xf32> into tensor<1x8xf32>
  %7 = tensor.insert_slice %6 into %x[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<16x8xf32>
  return %1, %3, %5, %7 : tensor<1x8xf32>, tensor<8xf32>, tensor<16x8xf32>, tensor<16x8xf32>
}
// -----
// erase_unnecessary_inputs: unread and repeated
// groups: linalg.erase_unnecessary_inputs
func.func @f(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %v: tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %f = tensor.empty() : tensor<4x8xf32>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %x, %y, %v : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>) outs(%e, %f : tensor<4x8xf32>, tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %g: f32, %d: f32, %h: f32):
    %s = arith.addf %a, %b : f32
    %u = arith.mulf %a, %g : f32
    linalg.yield %s, %u : f32, f32
  } -> (tensor<4x8xf32>, tensor<4x8xf32>)
  return %0#0, %0#1 : tensor<4x8xf32>, tensor<4x8xf32>
}
// -----
// fold_unit_extent_dims_via_slices: loops that run once
// groups: linalg.fold_unit_extent_dims_via_slices
func.func @f(%x: tensor<1x8x1xf32>, %y: tensor<1x8x1xf32>) -> tensor<1x8x1xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<1x8x1xf32>) outs(%y : tensor<1x8x1xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<1x8x1xf32>
  return %0 : tensor<1x8x1xf32>
}
// -----
// fold_unit_extent_dims_via_slices: a reduction of one, a dimension that repeats
// groups: linalg.fold_unit_extent_dims_via_slices
func.func @f(%x: tensor<4x1x8xf32>, %y: tensor<4x8xf32>, %z: tensor<1x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (0, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>], iterator_types = ["parallel", "reduction", "parallel"]} ins(%x, %z : tensor<4x1x8xf32>, tensor<1x8xf32>) outs(%y : tensor<4x8xf32>) {
  ^bb0(%a: f32, %c: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    %t = arith.addf %s, %c : f32
    linalg.yield %t : f32
  } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
// -----
// fold_unit_extent_dims_via_slices: indices, padding, nothing left
// groups: linalg.fold_unit_extent_dims_via_slices
func.func @f(%x: tensor<1x8xindex>, %y: tensor<1x1xf32>, %z: tensor<1x1xf32>, %w: tensor<1x8xf32>, %f: f32) -> (tensor<1x8xindex>, tensor<1x1xf32>, tensor<1x10xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%x : tensor<1x8xindex>) {
  ^bb0(%b: index):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %s = arith.addi %i, %j : index
    linalg.yield %s : index
  } -> tensor<1x8xindex>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<1x1xf32>) outs(%z : tensor<1x1xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<1x1xf32>
  %2 = tensor.pad %w low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<1x8xf32> to tensor<1x10xf32>
  return %0, %1, %2 : tensor<1x8xindex>, tensor<1x1xf32>, tensor<1x10xf32>
}
// -----
// fold_unit_extent_dims_via_reshapes: loops that run once
// groups: linalg.fold_unit_extent_dims_via_reshapes
func.func @f(%x: tensor<4x1x8xf32>, %y: tensor<4x8xf32>, %z: tensor<1x8xf32>, %u: tensor<1x8x1xf32>, %v: tensor<1x8x1xf32>) -> (tensor<4x8xf32>, tensor<1x8x1xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (0, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>], iterator_types = ["parallel", "reduction", "parallel"]} ins(%x, %z : tensor<4x1x8xf32>, tensor<1x8xf32>) outs(%y : tensor<4x8xf32>) {
  ^bb0(%a: f32, %c: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    %t = arith.addf %s, %c : f32
    linalg.yield %t : f32
  } -> tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%u : tensor<1x8x1xf32>) outs(%v : tensor<1x8x1xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<1x8x1xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<1x8x1xf32>
}
// -----
// fold_unit_extent_dims_via_reshapes: indices, padding, nothing left
// groups: linalg.fold_unit_extent_dims_via_reshapes
func.func @f(%x: tensor<1x8xindex>, %y: tensor<1x1xf32>, %z: tensor<1x1xf32>, %w: tensor<1x8xf32>, %f: f32) -> (tensor<1x8xindex>, tensor<1x1xf32>, tensor<1x10xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%x : tensor<1x8xindex>) {
  ^bb0(%b: index):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %s = arith.addi %i, %j : index
    linalg.yield %s : index
  } -> tensor<1x8xindex>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<1x1xf32>) outs(%z : tensor<1x1xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<1x1xf32>
  %2 = tensor.pad %w low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<1x8xf32> to tensor<1x10xf32>
  return %0, %1, %2 : tensor<1x8xindex>, tensor<1x1xf32>, tensor<1x10xf32>
}
// -----
// for_loop_canonicalization: candidates that the bounds decide
// groups: scf.for_loop_canonicalization
// index: 5
func.func @f(%n: index) -> (index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %r:3 = scf.for %i = %c0 to %c16 step %c4 iter_args(%a = %c0, %b = %c0, %c = %c0) -> (index, index, index) {
    %0 = affine.min affine_map<(d0) -> (4, -d0 + 16)>(%i)
    %1 = affine.min affine_map<(d0) -> (4, -d0 + 18)>(%i)
    %2 = affine.min affine_map<(d0) -> (4, -d0 + 15)>(%i)
    %a1 = arith.addi %a, %0 : index
    %b1 = arith.addi %b, %1 : index
    %c2 = arith.addi %c, %2 : index
    scf.yield %a1, %b1, %c2 : index, index, index
  }
  %q = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> (index) {
    %0 = affine.min affine_map<(d0)[s0] -> (1, -d0 + s0)>(%i)[%n]
    %a1 = arith.addi %a, %0 : index
    scf.yield %a1 : index
  }
  return %r#0, %r#1, %r#2, %q : index, index, index, index
}
// -----
// for_loop_canonicalization: tiles of a grid
// groups: scf.for_loop_canonicalization
func.func @f(%x: tensor<16x18xf32>) -> tensor<16x18xf32> {
  %r = scf.forall (%i, %j) in (4, 5) shared_outs(%o = %x) -> (tensor<16x18xf32>) {
    %a = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %b = affine.apply affine_map<(d0) -> (d0 * 4)>(%j)
    %s = affine.min affine_map<(d0) -> (4, d0 * -4 + 16)>(%i)
    %u = affine.min affine_map<(d0) -> (4, d0 * -4 + 18)>(%j)
    %e = tensor.extract_slice %x[%a, %b] [%s, %u] [1, 1] : tensor<16x18xf32> to tensor<?x?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%a, %b] [%s, %u] [1, 1] : tensor<?x?xf32> into tensor<16x18xf32>
    }
  }
  return %r : tensor<16x18xf32>
}
// -----
// for_loop_canonicalization: through the apply that feeds it, and a carried tensor's extent
// groups: scf.for_loop_canonicalization
// further: upstream looks at candidates of the loop's own index only
// index: 3
func.func @f(%n: index, %t: tensor<?x8xf32>, %z: f32) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r:3 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %c0, %x = %t, %b = %c0) -> (index, tensor<?x8xf32>, index) {
    %at = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %0 = affine.min affine_map<(d0) -> (4, -d0 + 16)>(%at)
    %d = tensor.dim %x, %c0 : tensor<?x8xf32>
    %u = linalg.fill ins(%z : f32) outs(%x : tensor<?x8xf32>) -> tensor<?x8xf32>
    %a1 = arith.addi %a, %0 : index
    %b1 = arith.addi %b, %d : index
    scf.yield %a1, %u, %b1 : index, tensor<?x8xf32>, index
  }
  return %r#0, %r#2 : index, index
}
// -----
// tiling_canonicalization: slices and sizes
// groups: linalg.tiling_canonicalization
// index: 2
func.func @f(%x: tensor<16x16xf32>, %i: index) -> tensor<?x?xf32> {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %a = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
  %b = affine.apply affine_map<(d0) -> (d0 + 1)>(%a)
  %s = tensor.extract_slice %x[%b, 0] [%c4, %c8] [1, 1] : tensor<16x16xf32> to tensor<?x?xf32>
  %e = tensor.empty(%c4, %c8) : tensor<?x?xf32>
  %0 = linalg.exp ins(%s : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
// -----
// fold_memref_alias_ops: accesses through windows
// groups: memref.fold_memref_alias_ops
// index: 2, 3, 1
func.func @f(%m: memref<16x8x4xf32>, %i: index, %j: index, %k: index, %v: vector<2x4xf32>, %mask: vector<2x4xi1>, %x: f32) -> (f32, vector<2x4xf32>, vector<2x4xf32>, f32, f32) {
  %c0 = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %s = memref.subview %m[%i, %j, 0] [4, 1, 4] [1, 1, 1] : memref<16x8x4xf32> to memref<4x4xf32, strided<[32, 1], offset: ?>>
  %0 = memref.load %s[%k, %c0] : memref<4x4xf32, strided<[32, 1], offset: ?>>
  %1 = vector.transfer_read %s[%k, %c0], %p {in_bounds = [true, true]} : memref<4x4xf32, strided<[32, 1], offset: ?>>, vector<2x4xf32>
  %2 = vector.transfer_read %s[%k, %c0], %p, %mask {in_bounds = [true, true]} : memref<4x4xf32, strided<[32, 1], offset: ?>>, vector<2x4xf32>
  memref.store %x, %s[%c0, %k] : memref<4x4xf32, strided<[32, 1], offset: ?>>
  vector.transfer_write %v, %s[%c0, %c0] {in_bounds = [true, true]} : vector<2x4xf32>, memref<4x4xf32, strided<[32, 1], offset: ?>>
  %t = memref.subview %m[%i, 0, 0] [4, 8, 4] [2, 1, 1] : memref<16x8x4xf32> to memref<4x8x4xf32, strided<[64, 4, 1], offset: ?>>
  %3 = memref.load %t[%k, %c0, %j] : memref<4x8x4xf32, strided<[64, 4, 1], offset: ?>>
  %u = memref.subview %t[1, %j, 0] [2, 2, 4] [1, 1, 1] : memref<4x8x4xf32, strided<[64, 4, 1], offset: ?>> to memref<2x2x4xf32, strided<[64, 4, 1], offset: ?>>
  %4 = memref.load %u[%c0, %c0, %c0] : memref<2x2x4xf32, strided<[64, 4, 1], offset: ?>>
  return %0, %1, %2, %3, %4 : f32, vector<2x4xf32>, vector<2x4xf32>, f32, f32
}
// -----
// fold_memref_alias_ops: a window of a window
// groups: memref.fold_memref_alias_ops
// index: 2, 1
func.func @f(%m: memref<16x8xf32>, %i: index, %j: index, %o: memref<4x4xf32>) {
  %s = memref.subview %m[%i, 0] [8, 8] [1, 1] : memref<16x8xf32> to memref<8x8xf32, strided<[8, 1], offset: ?>>
  %t = memref.subview %s[%j, 2] [4, 4] [1, 1] : memref<8x8xf32, strided<[8, 1], offset: ?>> to memref<4x4xf32, strided<[8, 1], offset: ?>>
  memref.copy %t, %o : memref<4x4xf32, strided<[8, 1], offset: ?>> to memref<4x4xf32>
  return
}
// -----
// cast_away_vector_leading_one_dim: lane by lane, transfers, slices
// groups: vector.cast_away_vector_leading_one_dim
func.func @f(%x: vector<1x4x8xf32>, %y: vector<1x4x8xf32>, %t: tensor<1x4x8xf32>, %s: vector<4x8xf32>, %w: vector<1x1x8xf32>) -> (vector<1x4x8xf32>, vector<1x4x8xf32>, tensor<1x4x8xf32>, vector<1x2x8xf32>, vector<1x1x8xf32>, vector<1x4x8xf32>) {
  %c0 = arith.constant 0 : index
  %f = arith.constant 0.0 : f32
  %0 = arith.addf %x, %y : vector<1x4x8xf32>
  %1 = vector.transfer_read %t[%c0, %c0, %c0], %f {in_bounds = [true, true, true]} : tensor<1x4x8xf32>, vector<1x4x8xf32>
  %2 = vector.transfer_write %0, %t[%c0, %c0, %c0] {in_bounds = [true, true, true]} : vector<1x4x8xf32>, tensor<1x4x8xf32>
  %3 = vector.extract_strided_slice %x {offsets = [0, 1], sizes = [1, 2], strides = [1, 1]} : vector<1x4x8xf32> to vector<1x2x8xf32>
  %4 = math.exp %w : vector<1x1x8xf32>
  %5 = vector.insert %s, %x[0] : vector<4x8xf32> into vector<1x4x8xf32>
  return %0, %1, %2, %3, %4, %5 : vector<1x4x8xf32>, vector<1x4x8xf32>, tensor<1x4x8xf32>, vector<1x2x8xf32>, vector<1x1x8xf32>, vector<1x4x8xf32>
}
// -----
// cast_away_vector_leading_one_dim: a contraction
// groups: vector.cast_away_vector_leading_one_dim
func.func @f(%x: vector<1x4x8xf32>, %p: vector<1x8x4xf32>, %q: vector<1x4x4xf32>) -> vector<1x4x4xf32> {
  %0 = vector.contract {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %p, %q : vector<1x4x8xf32>, vector<1x8x4xf32> into vector<1x4x4xf32>
  return %0 : vector<1x4x4xf32>
}
// -----
// drop_unit_dims_with_shape_cast: lane by lane, transposed, carried
// groups: vector.drop_unit_dims_with_shape_cast
// index: 2
func.func @f(%x: vector<4x1x8xf32>, %y: vector<4x1x8xf32>, %n: index) -> (vector<4x1x8xf32>, vector<1x8x4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : vector<4x1x8xf32>
  %0 = arith.addf %x, %y : vector<4x1x8xf32>
  %1 = vector.transpose %x, [1, 2, 0] : vector<4x1x8xf32> to vector<1x8x4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (vector<4x1x8xf32>) {
    %s = arith.addf %a, %x : vector<4x1x8xf32>
    scf.yield %s : vector<4x1x8xf32>
  }
  %e = vector.extract %r[0, 0, 0] : f32 from vector<4x1x8xf32>
  return %0, %1, %e : vector<4x1x8xf32>, vector<1x8x4xf32>, f32
}
// -----
// lower_masked_transfers: under a mask, with the folds
// further: upstream takes a masked copy for a whole one
// groups: vector.lower_masked_transfers
// index: 3
func.func @f(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %n: index) -> (tensor<8x8xf32>, index) {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %p = arith.constant 7.0 : f32
  %m = vector.create_mask %n, %c5 : vector<8x8xi1>
  %v = vector.mask %m { vector.transfer_read %a[%c0, %c0], %p {in_bounds = [true, true]} : tensor<8x8xf32>, vector<8x8xf32> } : vector<8x8xi1> -> vector<8x8xf32>
  %r = vector.mask %m { vector.transfer_write %v, %b[%c0, %c0] {in_bounds = [true, true]} : vector<8x8xf32>, tensor<8x8xf32> } : vector<8x8xi1> -> tensor<8x8xf32>
  %s = arith.addi %c5, %c0 : index
  return %r, %s : tensor<8x8xf32>, index
}
